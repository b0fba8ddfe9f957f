//! The three doors, and the workers that carry requests through one of them.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime};

use super::{About, Board, CannotRun, Coercer, SharedBoard, in_process, per_case, stay, system};

/// How an implementation comes in.
#[derive(Clone)]
pub enum Door {
    /// As a value of this process.
    InProcess(Arc<dyn Coercer>),
    /// As a program that stays and speaks JSON-RPC over stdin and stdout.
    Program(Launch),
    /// As a program that is started for every case.
    ProgramPerCase(Launch),
}

/// How a program is started.
#[derive(Debug, Clone, Default)]
pub struct Launch {
    /// The program: a name to be found on `PATH`, or a path.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The directory to start it in; none is the current one.
    pub directory: Option<PathBuf>,
    /// Variables it gets beside those of this process.
    pub environment: Vec<(String, String)>,
}

/// How a run is conducted.
#[derive(Debug, Clone)]
pub struct Settings {
    /// How long an answer may take, counted from the moment the one before it was answered. A start may take four times as long.
    pub timeout: Duration,
    /// How many processes or threads work side by side; 0 counts as 1.
    pub jobs: usize,
    /// Ends the run when it becomes true. What is out then stays unsettled.
    pub stop: Arc<AtomicBool>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { timeout: Duration::from_secs(5), jobs: 1, stop: Arc::default() }
    }
}

/// Brings every request of the board through the door, until the board has no more or [`Settings::stop`] becomes true.
///
/// An error means that the implementation could not be run (any further); what the board learned until then stands. In every case
/// no process is left behind.
pub fn drive<B: Board>(
    door: &Door,
    settings: &Settings,
    board: &SharedBoard<B>,
) -> Result<(), CannotRun> {
    let run = Run {
        settings,
        timeout: settings.timeout.min(LONGEST),
        board,
        introduced: AtomicBool::new(false),
        warned: Mutex::default(),
        halted: AtomicBool::new(false),
        mark: unique_mark(),
        started: AtomicU64::new(0),
    };
    match door {
        Door::InProcess(coercer) => {
            run.introduce(&coercer.about());
            run.side_by_side("this process", || in_process::work(coercer, &run))
        }
        Door::Program(launch) => {
            run.clearing_up(|| run.side_by_side(&launch.program, || stay::work(launch, &run)))
        }
        Door::ProgramPerCase(launch) => run.clearing_up(|| {
            run.introduce(&per_case::about(launch));
            run.side_by_side(&launch.program, || per_case::work(launch, &run))
        }),
    }
}

/// No clock overflows with this, and nobody waits for it.
const LONGEST: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// What the workers of a run share.
pub(super) struct Run<'a, B> {
    settings: &'a Settings,
    /// How long an answer may take.
    pub(super) timeout: Duration,
    pub(super) board: &'a SharedBoard<B>,
    introduced: AtomicBool,
    warned: Mutex<BTreeSet<&'static str>>,
    halted: AtomicBool,
    mark: String,
    started: AtomicU64,
}

impl<B: Board> Run<'_, B> {
    /// Whether to stop: the user said so, or a sibling gave up.
    pub(super) fn is_over(&self) -> bool {
        self.halted.load(Ordering::Relaxed) || self.settings.stop.load(Ordering::Relaxed)
    }

    /// Tells the board what the implementation is, unless a sibling did. Under the board's lock, so that no request is taken before.
    pub(super) fn introduce(&self, about: &About) {
        self.board.with(|board| {
            if !self.introduced.swap(true, Ordering::Relaxed) {
                board.about(about);
            }
        });
    }

    /// Tells the board of something that is no case's fault, the first time it happens.
    pub(super) fn warn_once(&self, what: &'static str, detail: &str) {
        let mut warned = self.warned.lock().unwrap_or_else(PoisonError::into_inner);
        if warned.insert(what) {
            self.board.with(|board| board.warn(format!("{what}: {detail}")));
        }
    }

    /// A mark for the environment of the next process. All of a run begin alike, so that all can be found at once.
    pub(super) fn next_mark(&self) -> String {
        let number = self.started.fetch_add(1, Ordering::Relaxed);
        format!("{}{number}.", self.mark)
    }

    fn side_by_side(
        &self,
        program: &str,
        work: impl Fn() -> Result<(), CannotRun> + Sync,
    ) -> Result<(), CannotRun> {
        let work = || work().inspect_err(|_| self.halted.store(true, Ordering::Relaxed));
        let cannot_start = |source: io::Error| {
            self.halted.store(true, Ordering::Relaxed);
            CannotRun::CannotStart { program: program.to_owned(), source }
        };
        thread::scope(|scope| {
            let siblings: Vec<_> = (1..self.settings.jobs)
                .map(|_| thread::Builder::new().spawn_scoped(scope, work))
                .collect();
            let mut result = work();
            for sibling in siblings {
                let theirs = match sibling {
                    Ok(sibling) => sibling.join().unwrap_or_else(|panic| {
                        std::panic::resume_unwind(panic);
                    }),
                    Err(source) => Err(cannot_start(source)),
                };
                result = result.and(theirs);
            }
            result
        })
    }

    /// Afterwards ends whatever the programs of this run left behind.
    fn clearing_up<T>(&self, work: impl FnOnce() -> T) -> T {
        let result = work();
        system::kill_marked(&self.mark);
        result
    }
}

fn unique_mark() -> String {
    static RUNS: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
    let run = RUNS.fetch_add(1, Ordering::Relaxed);
    format!("{}-{}-{run}.", std::process::id(), now.as_nanos())
}
