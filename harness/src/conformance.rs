//! The corpus as the tests of a coercer written in Rust, each case a test with its name.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use libtest_mimic::{Arguments, Completion, Failed, Trial};

use crate::case::{Corpus, Level};
use crate::implementation::{Coercer, Door, Settings, SharedBoard, drive};
use crate::report;
use crate::run::{CaseBoard, Verdict, unsupported};

/// A debug build beside other tests is slow: only a coercer that hangs takes so long.
const TIMEOUT: Duration = Duration::from_secs(60);

/// What stands beside the word *ignored* is a line.
const MOST_OF_GIST: usize = 200;

/// Runs the corpus against a coercer as `cargo test` runs tests: whole, or as its arguments say (`FILTER`, `--exact`, `--list`, `--ignored`…).
///
/// A case that the coercer does not support is an ignored test, and so is a missed *should*, with what was missed. A policy case passes under any of its options.
/// To be the `main` of a test target with `harness = false`:
///
/// ```toml
/// [[test]]
/// name = "conformance"
/// harness = false
/// ```
///
/// ```no_run
/// use std::process::ExitCode;
///
/// use callfit_reference::Profile;
///
/// fn main() -> ExitCode {
///     callfit::conformance(callfit::Reference::new(Profile::Recommended))
/// }
/// ```
pub fn conformance(coercer: impl Coercer + 'static) -> ExitCode {
    let arguments = Arguments::from_args();
    let corpus = match Corpus::embedded() {
        Ok(corpus) => Arc::new(corpus),
        Err(error) => {
            let failed = Trial::test("corpus", move || Err(Failed::from(error)));
            return libtest_mimic::run(&arguments, vec![failed]).exit_code();
        }
    };
    let coercer: Arc<dyn Coercer> = Arc::new(coercer);
    let about = coercer.about();
    let trials = corpus.cases.iter().map(|case| {
        let (id, corpus, coercer) = (case.id.clone(), Arc::clone(&corpus), Arc::clone(&coercer));
        let is_ignored = unsupported(case, &about).is_some();
        Trial::ignorable_test(&case.id, move || judge(&id, &corpus, coercer))
            .with_ignored_flag(is_ignored)
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

fn judge(id: &str, corpus: &Corpus, coercer: Arc<dyn Coercer>) -> Result<Completion, Failed> {
    let case = corpus.case(id).ok_or("there is no such case")?;
    let board = SharedBoard::new(CaseBoard::new(corpus, &[case], rerun, |_| {}));
    let settings = Settings { timeout: TIMEOUT, ..Settings::default() };
    drive(&Door::InProcess(coercer), &settings, &board)?;
    let records = board.into_inner().records();
    let record = records.first().ok_or("the case was not judged")?;
    let message = || record.message.clone().unwrap_or_default();
    match record.verdict {
        Verdict::Pass => Ok(Completion::Completed),
        Verdict::Unsupported => Ok(Completion::ignored_with(message())),
        _ if record.level == Level::Should => {
            let gist = report::gist(record, MOST_OF_GIST);
            Ok(Completion::ignored_with(format!("should-case missed: {gist}")))
        }
        _ => Err(report::told(record).into()),
    }
}

/// The command that runs one case again. The file of a test target is called as the target, but for a hash; that of an example just as the example.
fn rerun(id: &str) -> String {
    let file = std::env::current_exe().unwrap_or_default();
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let folder = file.parent().and_then(Path::file_name);
    if folder.is_some_and(|folder| folder == "examples") {
        return format!("cargo run --example {name} -- --exact {id}");
    }
    let target = name.rsplit_once('-').map_or(&*name, |(target, _)| target);
    format!("cargo test --test {target} -- --exact {id}")
}
