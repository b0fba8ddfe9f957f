//! A program that runs: three pipes, each with a thread of its own, so that none can hold up the harness.

use std::io::{self, ErrorKind, Write};
use std::mem;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::output::{Output, Stderr};
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
    stdin: Option<(SyncSender<Vec<u8>>, Arc<Stdin>)>,
    /// How many bytes were handed over for stdin.
    handed: u64,
    /// What comes out of stdout.
    pub(super) output: Receiver<Output>,
    /// The end of stderr.
    pub(super) stderr: Arc<Stderr>,
}

/// The writing end of a program's stdin, and how much went into it.
struct Stdin {
    pipe: ChildStdin,
    /// Held while writing, so that it is true whenever it is looked at.
    written: Mutex<u64>,
}

impl Process {
    /// Starts a program whose stdout `read` reads. The mark must be found on no other process.
    pub(super) fn start(
        launch: &Launch,
        mark: String,
        read: fn(ChildStdout, &SyncSender<Output>),
    ) -> Result<Self, CannotRun> {
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

        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (sender, output) = sync_channel(2);
        let mut process = Self {
            child,
            mark,
            is_gone: false,
            unread: None,
            status: None,
            stdin: None,
            handed: 0,
            output,
            stderr: Arc::default(),
        };
        let pipes = || -> io::Result<()> {
            let (Some(stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) else {
                return Err(io::Error::other("a pipe is missing"));
            };
            let tail = Arc::clone(&process.stderr);
            spawn("stderr", move || tail.read_from(stderr))?;
            spawn("stdout", move || read(stdout, &sender))?;
            let (chunks, waiting) = sync_channel(8);
            let stdin = Arc::new(Stdin { pipe: stdin, written: Mutex::new(0) });
            process.stdin = Some((chunks, Arc::clone(&stdin)));
            spawn("stdin", move || stdin.write_all_of(&waiting))
        };
        pipes()
            .map_err(|source| CannotRun::CannotStart { program: launch.program.clone(), source })?;
        Ok(process)
    }

    /// Hands over what is to be written, unless too much waits already: then it is left where it is.
    pub(super) fn write(&mut self, bytes: &mut Vec<u8>) {
        let Some((chunks, _)) = self.stdin.as_ref().filter(|_| !bytes.is_empty()) else {
            return;
        };
        let length = bytes.len() as u64;
        match chunks.try_send(mem::take(bytes)) {
            Err(TrySendError::Full(chunk)) => *bytes = chunk,
            Ok(()) | Err(TrySendError::Disconnected(_)) => self.handed += length,
        }
    }

    /// Tells the program that nothing more will come, when what waits has been written.
    pub(super) fn close_stdin(&mut self) {
        self.stdin = None;
    }

    /// How many of the bytes handed over nobody will ever read. None while somebody may.
    pub(super) fn never_read(&self) -> Option<u64> {
        let Some((_, stdin)) = &self.stdin else {
            return self.unread;
        };
        let in_pipe = system::never_read(&stdin.pipe)?;
        // Nobody reads, so nothing that is written can wait, and the lock is soon free.
        let written = *stdin.written();
        Some(self.handed.saturating_sub(written) + in_pipe)
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
        self.close_stdin();
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
        self.unread = self.never_read();
        self.close_stdin();
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

impl Stdin {
    fn write_all_of(&self, chunks: &Receiver<Vec<u8>>) {
        for chunk in chunks {
            let mut rest = chunk.as_slice();
            while !rest.is_empty() {
                let mut written = self.written();
                match (&self.pipe).write(rest) {
                    Ok(0) => return,
                    Ok(length) => {
                        *written += length as u64;
                        rest = &rest[length..];
                    }
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    // The program's end is noticed elsewhere, with its status.
                    Err(_) => return,
                }
            }
        }
    }

    fn written(&self) -> MutexGuard<'_, u64> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A thread that nobody waits for: a pipe that something else holds open may keep it for ever.
fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name(name.to_owned()).spawn(work)?;
    Ok(())
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
