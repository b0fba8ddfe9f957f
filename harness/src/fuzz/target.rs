//! What a target of `cargo fuzz` calls: bytes to a problem, a problem to every oracle, and mutations that keep a problem a problem.

use callfit_reference::Policies;

use super::campaign::try_out;
use super::generate;
use super::problem::Problem;
use super::trial::{Context, Scope};
use crate::implementation::{Coercer, Method, ask};

/// The problem that bytes stand for: the one that is written there as JSON, or else one that is made of them.
pub fn problem_of(data: &[u8]) -> Problem {
    let written = std::str::from_utf8(data).ok().and_then(Problem::read);
    written.unwrap_or_else(|| generate::problem(data))
}

/// Tries a coercer of this process by every oracle.
///
/// ```no_run
/// # use callfit::implementation::{About, Coercer, CoercerError};
/// # struct Mine;
/// # impl Coercer for Mine {
/// #     fn about(&self) -> About { About::named("mine") }
/// #     fn coerce(&self, _: &str, arguments: &str) -> Result<String, CoercerError> { Ok(arguments.to_owned()) }
/// # }
/// # let data = &[0_u8][..];
/// // In a crate made by `cargo fuzz init`: fuzz_target!(|data: &[u8]| callfit::fuzz::check(&Mine, data));
/// callfit::fuzz::check(&Mine, data);
/// ```
///
/// # Panics
///
/// Where an oracle finds a fault: the message says what, and holds the problem to be pasted into a case.
#[expect(clippy::panic, reason = "this is how a fuzzing engine is told")]
pub fn check(coercer: &dyn Coercer, data: &[u8]) {
    let problem = problem_of(data);
    let about = coercer.about();
    if !about.offers(problem.method) {
        return;
    }
    let context = Context {
        is_reference: about.name.starts_with(REFERENCE),
        about,
        policies: Policies::default(),
        other: None,
    };
    let trial = try_out(problem, Scope::All, &context, |request| ask(coercer, &request));
    if let Some(fault) = trial.fault() {
        let shown = |value: &Option<_>| value.as_ref().map_or("-".to_owned(), ToString::to_string);
        panic!(
            "{} ({})\n{}\nproblem  {}\nexpected {}\ngot      {}",
            fault.group,
            fault.oracle.clause(),
            fault.message,
            trial.problem,
            shown(&fault.expected),
            shown(&fault.actual),
        );
    }
}

const REFERENCE: &str = "callfit-reference";

/// Changes the problem that stands in the first `size` bytes for a neighbour of it, for `fuzz_mutator!`: gives the new size. None where there is no problem, or no room: then
/// the engine's own mutations are as good.
pub fn mutate(data: &mut [u8], size: usize, most: usize, seed: u32) -> Option<usize> {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    let text = std::str::from_utf8(data.get(..size)?).ok()?;
    let problem = Problem::read(text)?;
    let mut random = ChaCha8Rng::seed_from_u64(u64::from(seed));
    let mut bytes = [0; 512];
    random.fill_bytes(&mut bytes);
    let mut mutated = generate::mutated(&problem, &bytes);
    if problem.method == Method::Resolve {
        mutated = generate::resolving(mutated, random.next_u32());
    }
    let text = mutated.to_string();
    let room = data.get_mut(..text.len()).filter(|_| text.len() <= most)?;
    room.copy_from_slice(text.as_bytes());
    Some(text.len())
}
