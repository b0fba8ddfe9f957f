//! Every mutant against the corpus: what fails it.

use std::collections::BTreeSet;
use std::panic;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex, OnceLock};
use std::thread;
use std::time::Duration;

use callfit::case::{Area, Case, Corpus, Level};
use callfit::implementation::{About, Door, Method, Settings};
use callfit::run::{CaseRecord, Plan, conduct, unsupported};

use super::list::{self, Mutant};

/// The corpus that mutants are run against.
pub static CORPUS: LazyLock<Corpus> =
    LazyLock::new(|| Corpus::embedded().expect("the corpus is sound"));

/// What the corpus says of a mutant.
pub struct Outcome {
    pub mutant: Mutant,
    /// The cases that were run.
    pub run: BTreeSet<&'static str>,
    /// The cases that fail it, a missed *should* among them.
    pub bad: Vec<CaseRecord>,
}

impl Outcome {
    /// The cases that fail it for what it is: those of its clause at the highest level that the clause has, and those that tell of a breach under its name.
    pub fn told(&self) -> Vec<&CaseRecord> {
        self.bad.iter().filter(|case| tells(case, self.mutant.breaks)).collect()
    }

    /// Whether a breach of its law was told under that name.
    pub fn is_breach(&self) -> bool {
        let breaks = self.mutant.breaks;
        self.bad.iter().any(|case| case.laws.iter().any(|breach| breach.law == breaks))
    }
}

fn tells(case: &CaseRecord, clause: &str) -> bool {
    let is_breach = case.laws.iter().any(|breach| breach.law == clause);
    is_breach || case.clause == clause && counts(case)
}

/// Whether a case counts as much as any of its clause: a twin is a *must* although the choice itself is free.
fn counts(case: &CaseRecord) -> bool {
    let levels = CORPUS.clauses.iter().find(|clause| clause.id == case.clause);
    let has_must = levels.is_some_and(|clause| clause.levels.contains(&Level::Must));
    let is_twin = CORPUS.case(&case.id).is_some_and(|case| case.same_as.is_some());
    case.level == Level::Must || is_twin || !has_must && case.level == Level::Should
}

/// What the corpus says of each mutant. Found once, however many tests ask.
pub fn outcomes() -> &'static [Outcome] {
    static OUTCOMES: OnceLock<Vec<Outcome>> = OnceLock::new();
    OUTCOMES.get_or_init(|| {
        quiet_coercers();
        let mutants = list::all();
        let next = AtomicUsize::new(0);
        let done = Mutex::new(Vec::new());
        thread::scope(|scope| {
            for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
                scope.spawn(|| {
                    while let Some(mutant) = mutants.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let outcome = outcome(*mutant);
                        done.lock().expect("no run panicked").push(outcome);
                    }
                });
            }
        });
        let mut outcomes = done.into_inner().expect("no run panicked");
        outcomes.sort_by_key(|outcome| {
            mutants.iter().position(|mutant| mutant.name == outcome.mutant.name)
        });
        outcomes
    })
}

fn outcome(mutant: Mutant) -> Outcome {
    let coercer = (mutant.build)();
    let about = coercer.about();
    let cases: Vec<&Case> =
        CORPUS.cases.iter().filter(|case| is_run(case, mutant, &about)).collect();
    let plan = Plan {
        corpus: &CORPUS,
        cases: &cases,
        door: Door::InProcess(coercer),
        // No mutant hangs: what takes for ever is a panic. One job, so that what a mutant remembers does not depend on chance.
        settings: Settings { timeout: Duration::from_secs(60), jobs: 1, ..Settings::default() },
        command: Vec::new(),
        strict: true,
    };
    let (record, end) = conduct(&plan, str::to_owned, |_| {});
    end.expect("a mutant runs");
    assert_eq!(record.cut_short, None, "{}", mutant.name);
    Outcome {
        mutant,
        run: cases.iter().map(|case| case.id.as_str()).collect(),
        bad: record.cases.into_iter().filter(|case| case.verdict.is_bad()).collect(),
    }
}

/// Large cases take most of the time, and only those faults need them that take long. Who sanitizes wrongly coerces right.
fn is_run(case: &Case, mutant: Mutant, about: &About) -> bool {
    let topic = case.id.split('/').nth(1).unwrap_or_default();
    let is_large = ["budget", "large"].contains(&topic);
    let takes_long = ["bounded", "ref-budget"].contains(&mutant.breaks);
    let names = [Area::Sanitize, Area::Restore].contains(&case.area);
    (!is_large || takes_long && case.clause == mutant.breaks)
        && (names || !about.offers(Method::Sanitize))
        && unsupported(case, about).is_none()
}

/// Keeps the panics of mutants out of what the tests print: each is a verdict.
pub fn quiet_coercers() {
    let told = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        if thread::current().name() != Some("coercer") {
            told(panic);
        }
    }));
}
