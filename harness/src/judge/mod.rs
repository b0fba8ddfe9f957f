//! Judging: an answer against what a case takes for right, and against the laws.

mod difference;
mod inline;
mod invention;
mod names;
mod valid;

pub use difference::differences;
pub(crate) use difference::shortened;
pub use inline::inlined;
pub use invention::breaches;
pub use names::{NameFault, meeting_fault, names_given};
pub use valid::Validity;

use callfit_reference::json::{Value, parse};

use crate::case::{Case, Expect};
use crate::implementation::Answer;
use crate::run::{Difference, Verdict};

/// What is made of the first answer to a case.
#[derive(Debug, Clone, Default)]
pub struct Judgement {
    /// What it comes to; none is a pass.
    pub verdict: Option<Verdict>,
    /// The option that was chosen, at a policy case.
    pub option: Option<String>,
    /// What was wrong, in a line.
    pub message: Option<String>,
    /// Where the answer differs from the nearest right one.
    pub differences: Vec<Difference>,
}

impl Judgement {
    /// An allowed answer.
    pub fn pass() -> Self {
        Self::default()
    }

    /// A verdict with its message.
    pub fn because(verdict: Verdict, message: impl Into<String>) -> Self {
        Self { verdict: Some(verdict), message: Some(message.into()), ..Self::default() }
    }
}

/// Judges an answer by what the case takes for right, and by nothing else.
pub fn judge(case: &Case, answer: &Answer) -> Judgement {
    let survive = matches!(case.expect, Expect::Anything);
    match answer {
        Answer::Crash(how) => Judgement::because(Verdict::Crash, how),
        Answer::Timeout(after) => {
            let seconds = after.as_secs_f64();
            Judgement::because(Verdict::Timeout, format!("no answer within {seconds} s"))
        }
        Answer::Unsupported(message) => Judgement::because(Verdict::Unsupported, message),
        _ if survive => Judgement::pass(),
        Answer::Error(message) => Judgement::because(Verdict::Error, message),
        Answer::Refused(message) => refused(case, message),
        Answer::Value(value) => answered(case, value),
    }
}

/// Refusing passes where the right answer would not validate: the tool would have refused it.
fn refused(case: &Case, message: &str) -> Judgement {
    let validity = Validity::of(case);
    let fault = || Judgement::because(Verdict::Refused, format!("refused: {message}"));
    match &case.expect {
        Expect::Anything => Judgement::pass(),
        Expect::Values(answers) => {
            // At a should-case it is the converted answer that counts, and that comes first.
            let right = &answers[..1];
            if right.iter().any(|answer| validity.may_be_valid(answer)) {
                fault()
            } else {
                Judgement::pass()
            }
        }
        Expect::Options { policy, options } => {
            // Clause `arguments`, policy `both-names`: where refusing is itself an option.
            let option = match policy.as_str() {
                "arguments-as-text" | "arguments-empty" => Some("keep"),
                "both-names" => Some("refused"),
                _ => None,
            };
            if option.is_none() && options.iter().any(|(_, answer)| validity.may_be_valid(answer)) {
                return fault();
            }
            Judgement { option: option.map(str::to_owned), ..Judgement::pass() }
        }
    }
}

fn answered(case: &Case, value: &Value) -> Judgement {
    let allowed: Vec<(Option<&str>, Value)> = match &case.expect {
        Expect::Anything => return Judgement::pass(),
        Expect::Values(answers) => {
            answers.iter().filter_map(|answer| Some((None, parse(answer.text()).ok()?))).collect()
        }
        Expect::Options { options, .. } => options
            .iter()
            .filter_map(|(option, answer)| {
                Some((Some(option.as_str()), parse(answer.text()).ok()?))
            })
            .collect(),
    };
    if let Some((option, _)) = allowed.iter().find(|(_, right)| right == value) {
        return Judgement { option: option.map(str::to_owned), ..Judgement::pass() };
    }
    let nearest = allowed.iter().map(|(_, right)| differences(right, value)).min_by_key(Vec::len);
    Judgement {
        verdict: Some(Verdict::Fail),
        differences: nearest.unwrap_or_default(),
        ..Judgement::default()
    }
}
