//! Pipes with a thread each, for where the standard library is all there is.

use std::io::{self, ErrorKind, Read, Write};
use std::mem;
use std::process::{ChildStdin, ChildStdout};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::BATCH;

/// A program's stdin and stdout.
pub(in super::super) struct Pipes {
    requests: Option<SyncSender<Vec<u8>>>,
    output: Receiver<Vec<u8>>,
}

impl Pipes {
    /// Takes over the pipes of a program.
    pub(in super::super) fn new(
        mut stdin: ChildStdin,
        mut stdout: ChildStdout,
    ) -> io::Result<Self> {
        let (requests, waiting) = sync_channel::<Vec<u8>>(8);
        // The program's end is noticed elsewhere, with its status.
        spawn("stdin", move || waiting.iter().all(|bytes| stdin.write_all(&bytes).is_ok()))?;
        let (sink, output) = sync_channel(2);
        spawn("stdout", move || {
            let mut buffer = vec![0; BATCH];
            loop {
                match stdout.read(&mut buffer) {
                    Ok(0) => return true,
                    Ok(length) if sink.send(buffer[..length].to_vec()).is_ok() => {}
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    _ => return false,
                }
            }
        })?;
        Ok(Self { requests: Some(requests), output })
    }

    /// Takes over what is to be written, unless too much waits already: then it is left where it is.
    pub(in super::super) fn write(&mut self, bytes: &mut Vec<u8>) {
        let Some(requests) = self.requests.as_ref().filter(|_| !bytes.is_empty()) else { return };
        if let Err(TrySendError::Full(left)) = requests.try_send(mem::take(bytes)) {
            *bytes = left;
        }
    }

    /// Lets the program see the end of stdin, when what waits has been written.
    pub(in super::super) fn close_stdin(&mut self) {
        self.requests = None;
    }

    /// Closes stdin as soon as can be.
    pub(in super::super) fn cut_stdin(&mut self) {
        self.close_stdin();
    }

    /// How many of the bytes taken over nobody will ever read: it cannot be told.
    #[expect(clippy::unused_self, reason = "where pipes can be looked into, it can be told")]
    pub(in super::super) fn never_read(&self) -> Option<u64> {
        None
    }

    /// Waits until `take` makes something of what was read or the time is over. No bytes are the end of stdout.
    pub(in super::super) fn receive<T>(
        &mut self,
        limit: Duration,
        mut take: impl FnMut(&[u8]) -> Option<T>,
    ) -> Option<T> {
        let deadline = Instant::now() + limit;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(bytes) => {
                    if let Some(taken) = take(&bytes) {
                        return Some(taken);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return take(&[]),
                Err(RecvTimeoutError::Timeout) => return None,
            }
            if left.is_zero() {
                return None;
            }
        }
    }
}

/// A thread that nobody waits for: a pipe that something else holds open may keep it for ever.
fn spawn(name: &str, work: impl FnOnce() -> bool + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name(name.to_owned()).spawn(work)?;
    Ok(())
}
