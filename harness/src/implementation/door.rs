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
    let common = Common::new(settings);
    let run = Run { common: &common, board };
    if let Some(about) = door.about() {
        run.introduce(&about);
    }
    run.side_by_side(door.name(), || {
        let mut worker = Worker::new(door)?;
        let result = worker.work(run);
        worker.leave(run);
        result
    })
}

impl Door {
    /// What is known of the implementation before it is asked.
    pub(super) fn about(&self) -> Option<About> {
        match self {
            Self::InProcess(coercer) => Some(coercer.about()),
            Self::Program(_) => None,
            Self::ProgramPerCase(launch) => Some(per_case::about(launch)),
        }
    }

    fn name(&self) -> &str {
        match self {
            Self::InProcess(_) => "this process",
            Self::Program(launch) | Self::ProgramPerCase(launch) => &launch.program,
        }
    }
}

/// Carries requests through a door. It can be set to work more than once.
pub(super) enum Worker {
    InProcess(in_process::Caller),
    Program(Box<stay::Program>),
    ProgramPerCase(Launch),
}

impl Worker {
    pub(super) fn new(door: &Door) -> Result<Self, CannotRun> {
        Ok(match door {
            Door::InProcess(coercer) => Self::InProcess(in_process::Caller::new(coercer)?),
            Door::Program(launch) => Self::Program(Box::new(stay::Program::new(launch.clone()))),
            Door::ProgramPerCase(launch) => Self::ProgramPerCase(launch.clone()),
        })
    }

    /// Works until the board has no more requests. What it was asked with stays ready for more.
    pub(super) fn work<B: Board>(&mut self, run: Run<'_, B>) -> Result<(), CannotRun> {
        match self {
            Self::InProcess(caller) => caller.work(run),
            Self::Program(program) => program.work(run),
            Self::ProgramPerCase(launch) => per_case::work(launch, run),
        }
    }

    /// Ends what stayed ready.
    pub(super) fn leave<B: Board>(self, run: Run<'_, B>) {
        if let Self::Program(program) = self {
            program.leave(run);
        }
    }
}

/// No clock overflows with this, and nobody waits for it.
const LONGEST: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// What the workers of a run share, beside the board.
pub(super) struct Common {
    settings: Settings,
    /// How long an answer may take.
    pub(super) timeout: Duration,
    introduced: AtomicBool,
    warned: Mutex<BTreeSet<&'static str>>,
    halted: AtomicBool,
    mark: String,
    started: AtomicU64,
}

impl Common {
    pub(super) fn new(settings: &Settings) -> Self {
        Self {
            settings: settings.clone(),
            timeout: settings.timeout.min(LONGEST),
            introduced: AtomicBool::new(false),
            warned: Mutex::default(),
            halted: AtomicBool::new(false),
            mark: unique_mark(),
            started: AtomicU64::new(0),
        }
    }

    /// A mark for the environment of the next process. All of a run begin alike, so that all can be found at once.
    pub(super) fn next_mark(&self) -> String {
        let number = self.started.fetch_add(1, Ordering::Relaxed);
        format!("{}{number}.", self.mark)
    }
}

/// Ends whatever the programs of the run left behind.
impl Drop for Common {
    fn drop(&mut self) {
        if self.started.load(Ordering::Relaxed) > 0 {
            system::kill_marked(&self.mark);
        }
    }
}

/// A run: what its workers share, and the board.
pub(super) struct Run<'a, B> {
    pub(super) common: &'a Common,
    pub(super) board: &'a SharedBoard<B>,
}

impl<B> Clone for Run<'_, B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<B> Copy for Run<'_, B> {}

impl<B: Board> Run<'_, B> {
    /// Whether to stop: the user said so, or a sibling gave up.
    pub(super) fn is_over(self) -> bool {
        self.common.halted.load(Ordering::Relaxed)
            || self.common.settings.stop.load(Ordering::Relaxed)
    }

    /// Tells the board what the implementation is, unless a sibling did. Under the board's lock, so that no request is taken before.
    pub(super) fn introduce(self, about: &About) {
        self.board.with(|board| {
            if !self.common.introduced.swap(true, Ordering::Relaxed) {
                board.about(about);
            }
        });
    }

    /// Tells the board of something that is no case's fault, the first time it happens.
    pub(super) fn warn_once(self, what: &'static str, detail: &str) {
        let mut warned = self.common.warned.lock().unwrap_or_else(PoisonError::into_inner);
        if warned.insert(what) {
            self.board.with(|board| board.warn(format!("{what}: {detail}")));
        }
    }

    fn side_by_side(
        self,
        program: &str,
        work: impl Fn() -> Result<(), CannotRun> + Sync,
    ) -> Result<(), CannotRun> {
        let work = || work().inspect_err(|_| self.common.halted.store(true, Ordering::Relaxed));
        let cannot_start = |source: io::Error| {
            self.common.halted.store(true, Ordering::Relaxed);
            CannotRun::CannotStart { program: program.to_owned(), source }
        };
        thread::scope(|scope| {
            let siblings: Vec<_> = (1..self.common.settings.jobs)
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
}

fn unique_mark() -> String {
    static RUNS: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
    let run = RUNS.fetch_add(1, Ordering::Relaxed);
    format!("{}-{}-{run}.", std::process::id(), now.as_nanos())
}
