//! What a target of `cargo fuzz` calls: bytes to a problem, a problem to every oracle, and mutations that keep a problem a problem.

use std::sync::{LazyLock, OnceLock};

use callfit_reference::pointer::{self, read_reference, write_reference};
use callfit_reference::{Policies, Profile};

use super::campaign::try_out;
use super::generate;
use super::oracle::Oracle;
use super::problem::Problem;
use super::trial::{Context, Scope};
use super::variant::PAIRS;
use crate::Reference;
use crate::case::{Corpus, format, lint_text};
use crate::implementation::{
    About, Answer, Asker, Coercer, Door, Launch, Method, Request, Settings, ask, survive_line,
};

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
pub fn check(coercer: &dyn Coercer, data: &[u8]) {
    check_problem(coercer, problem_of(data), data);
}

/// The same with the question of what a reference of the problem's schema leads to.
///
/// # Panics
///
/// As [`check()`] does.
pub fn check_resolving(coercer: &dyn Coercer, data: &[u8]) {
    let which = u32::from(data.last().copied().unwrap_or_default());
    check_problem(coercer, generate::resolving(problem_of(data), which), data);
}

/// The same with the question of what a provider is shown.
///
/// # Panics
///
/// As [`check()`] does.
pub fn check_sanitizing(coercer: &dyn Coercer, data: &[u8]) {
    check_problem(coercer, generate::sanitizing(problem_of(data)), data);
}

/// Tries the spelling of a reference: what is read as a pointer is read as the same one when it is written again.
///
/// # Panics
///
/// Where it is not.
pub fn check_pointer(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for keep_malformed in [true, false] {
        if let pointer::Reference::Pointer(tokens) = read_reference(text, keep_malformed) {
            let written = write_reference(tokens.iter().map(String::as_str));
            assert_eq!(
                read_reference(&written, false),
                pointer::Reference::Pointer(tokens),
                "{text:?}"
            );
        }
    }
}

/// Tries the reader of case files: any text is answered, and the layout of what can be laid out is stable.
///
/// # Panics
///
/// Where it is not.
pub fn check_case_file(data: &[u8]) {
    static CORPUS: OnceLock<Option<Corpus>> = OnceLock::new();
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Some(corpus) = CORPUS.get_or_init(|| Corpus::embedded().ok()) {
        for path in ["coerce/fuzz.json", "resolve/fuzz.json", "sanitize/fuzz.json"] {
            let _ = lint_text(corpus, path, text);
        }
    }
    if let Ok(formatted) = format(text) {
        assert_eq!(format(&formatted).as_deref(), Ok(formatted.as_str()));
    }
}

/// Tries the reader of what a plug-in writes, line by line.
///
/// # Panics
///
/// Where it takes for a message what is none.
pub fn check_wire(data: &[u8]) {
    data.split(|byte| *byte == b'\n').for_each(survive_line);
}

/// Tries the implementation that the environment names, as in `CALLFIT_IMPL="python3 my_adapter.py"`: a program that speaks JSON-RPC over stdin and stdout. Without one it is
/// the reference under profile `lenient`, every answer of which a policy must explain.
///
/// # Panics
///
/// As [`check()`] does, and where the implementation cannot be run (any further).
pub fn check_differential(data: &[u8]) {
    static PROGRAM: LazyLock<Option<Asker>> = LazyLock::new(program_of_environment);
    static LENIENT: LazyLock<Reference> = LazyLock::new(|| Reference::new(Profile::Lenient));
    let problem = problem_of(data);
    let Some(program) = &*PROGRAM else {
        let mut about = LENIENT.about();
        "lenient".clone_into(&mut about.name);
        return judge(about, problem, data, |request| ask(&*LENIENT, &request));
    };
    let gone = "the implementation cannot be run any further";
    judge(program.about().clone(), problem, data, |request| {
        program.ask(request).map_or_else(|| Answer::Error(gone.to_owned()), |reply| reply.answer)
    });
}

#[expect(clippy::panic, reason = "this is how a fuzzing engine is told")]
fn program_of_environment() -> Option<Asker> {
    let command = std::env::var("CALLFIT_IMPL").ok()?;
    let mut words = shlex::split(&command).unwrap_or_default().into_iter();
    let Some(program) = words.next() else { panic!("CALLFIT_IMPL is no command: {command:?}") };
    let launch = Launch { program, arguments: words.collect(), ..Launch::default() };
    match Asker::start(&Door::Program(launch), &Settings::default()) {
        Ok(asker) => Some(asker),
        Err(error) => panic!("{error}"),
    }
}

fn check_problem(coercer: &dyn Coercer, problem: Problem, data: &[u8]) {
    judge(coercer.about(), problem, data, |request| ask(coercer, &request));
}

#[expect(clippy::panic, reason = "this is how a fuzzing engine is told")]
fn judge(about: About, problem: Problem, data: &[u8], ask: impl FnMut(Request) -> Answer) {
    if !about.offers(problem.method) {
        return;
    }
    let context = Context {
        is_reference: about.name.starts_with(REFERENCE),
        about,
        policies: Policies::default(),
        other: None,
    };
    let scope = Scope::Only(in_turn(problem.method, data));
    let trial = try_out(problem, scope, &context, ask);
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

/// Whose turn it is among the oracles that cost a further question or a second coercer: an engine runs more inputs in the time, and the same input always has the same oracle.
fn in_turn(method: Method, data: &[u8]) -> Oracle {
    const OF_SANITIZING: [Oracle; 3] =
        [Oracle::SanitizedAgain, Oracle::RoundTrip, Oracle::ValidRenamed];
    const OF_COERCING: [Oracle; 4] =
        [Oracle::SecondOpinion, Oracle::ValidStays, Oracle::Idempotent, Oracle::Stateless];
    let (first, more): (&[Oracle], &[Oracle]) = match method {
        Method::Sanitize => (&OF_SANITIZING, &[]),
        Method::Coerce | Method::Resolve => (&OF_COERCING, &PAIRS),
    };
    // FNV-1a, 64 bits.
    let hash = data.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let count = first.len() + more.len();
    let turn = usize::try_from(hash % count as u64).unwrap_or_default();
    first.get(turn).copied().unwrap_or_else(|| more[turn - first.len()])
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
