//! A program that runs, with its three pipes, of which none can hold up the harness.

use std::io::{self, ErrorKind};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use super::output::{Collector, Cut, Output, Stderr};
use super::pipes::Pipes;
use super::system::{self, Force};
use super::{CannotRun, Launch};

/// How long a program whose stdin was closed may take to finish, and after that how long to heed SIGTERM.
pub(super) const GRACE: Duration = Duration::from_secs(2);

/// How often something that cannot wake a thread is looked at.
pub(super) const TICK: Duration = Duration::from_millis(20);

/// A running program. Dropping it kills it and all that it started.
pub(super) struct Process {
    child: Child,
    mark: String,
    /// It was killed and collected: its id may be another's by now.
    is_gone: bool,
    /// How many bytes it left unread then.
    unread: Option<u64>,
    /// How it ended.
    status: Option<ExitStatus>,
    pipes: Pipes,
    collector: Collector,
    /// The end of stderr.
    pub(super) stderr: Arc<Stderr>,
}

impl Process {
    /// Starts a program. The mark must be found on no other process.
    pub(super) fn start(launch: &Launch, mark: String, cut: Cut) -> Result<Self, CannotRun> {
        let mut command = Command::new(&launch.program);
        command
            .args(&launch.arguments)
            .envs(launch.environment.iter().map(|(name, value)| (name, value)))
            .env(system::MARK, &mark)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(directory) = &launch.directory {
            command.current_dir(directory);
        }
        system::own_group(&mut command);
        let mut child = command.spawn().map_err(|source| why_not_started(launch, source))?;

        let stderr = Arc::<Stderr>::default();
        let pipes = pipes(&mut child, &stderr).map_err(|source| {
            system::end_group(&mut child, Force::Kill);
            let _ = child.wait();
            CannotRun::CannotStart { program: launch.program.clone(), source }
        })?;
        Ok(Self {
            child,
            mark,
            is_gone: false,
            unread: None,
            status: None,
            pipes,
            collector: Collector::new(cut),
            stderr,
        })
    }

    /// Hands over what is to be written, unless too much waits already: then it is left where it is.
    pub(super) fn write(&mut self, bytes: &mut Vec<u8>) {
        self.pipes.write(bytes);
    }

    /// Waits for something from stdout, and writes meanwhile. None: nothing came in this time.
    pub(super) fn receive(&mut self, limit: Duration) -> Option<Output> {
        self.pipes.receive(limit, |bytes| self.collector.take(bytes))
    }

    /// Tells the program that nothing more will come, when what waits has been written.
    pub(super) fn close_stdin(&mut self) {
        self.pipes.close_stdin();
    }

    /// How many of the bytes handed over nobody will ever read. None while somebody may.
    pub(super) fn never_read(&self) -> Option<u64> {
        self.unread.or_else(|| self.pipes.never_read())
    }

    /// Whether the program itself has ended, whatever became of what it started.
    pub(super) fn has_ended(&mut self) -> bool {
        self.status.is_some() || system::has_ended(&mut self.child)
    }

    /// Waits a while for the end.
    pub(super) fn ends_within(&mut self, limit: Duration) -> bool {
        let deadline = Instant::now() + limit;
        let mut pause = Duration::from_millis(1);
        loop {
            if self.has_ended() {
                return true;
            }
            if Instant::now() >= deadline {
                return false;
            }
            thread::sleep(pause);
            pause = (pause * 2).min(TICK);
        }
    }

    /// Lets the program finish, then makes it.
    pub(super) fn finish(mut self, grace: Duration) {
        self.pipes.cut_stdin();
        if !self.ends_within(grace) {
            system::end_group(&mut self.child, Force::Terminate);
            self.ends_within(grace);
        }
    }

    /// Kills the program and all that it started; gives its status.
    pub(super) fn kill(&mut self) -> Option<ExitStatus> {
        if self.is_gone {
            return self.status;
        }
        self.is_gone = true;
        self.unread = self.pipes.never_read();
        self.pipes.cut_stdin();
        system::end_group(&mut self.child, Force::Kill);
        system::kill_marked(&self.mark);
        // What the kernel does not let go of even when killed is not waited for.
        if self.ends_within(GRACE) {
            self.status = self.child.wait().ok();
        }
        self.status
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Sets up the pipes of a program that was started. What it writes to stderr is read by a thread that nobody waits for: something else may hold it open for ever.
fn pipes(child: &mut Child, tail: &Arc<Stderr>) -> io::Result<Pipes> {
    let (Some(stdin), Some(stdout), Some(stderr)) =
        (child.stdin.take(), child.stdout.take(), child.stderr.take())
    else {
        return Err(io::Error::other("a pipe is missing"));
    };
    let tail = Arc::clone(tail);
    thread::Builder::new().name("stderr".to_owned()).spawn(move || tail.read_from(stderr))?;
    Pipes::new(stdin, stdout)
}

fn why_not_started(launch: &Launch, source: io::Error) -> CannotRun {
    let program = launch.program.clone();
    if let Some(directory) = &launch.directory
        && !directory.is_dir()
    {
        return CannotRun::NoSuchDirectory { program, directory: directory.clone() };
    }
    if source.kind() != ErrorKind::NotFound {
        return CannotRun::CannotStart { program, source };
    }
    let is_there = match &launch.directory {
        Some(directory) => directory.join(&program).is_file(),
        None => program.contains('/') && Path::new(&program).is_file(),
    };
    if is_there {
        CannotRun::NoSuchInterpreter { program }
    } else {
        CannotRun::NoSuchCommand { program }
    }
}
