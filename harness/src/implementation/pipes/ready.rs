//! Pipes that are written and read when they are ready, by whoever asks.

use std::io::{self, ErrorKind, Read, Write};
use std::mem;
use std::process::{ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{ioctl_fionbio, ioctl_fionread};

use super::BATCH;

/// So much room is kept for what waits to be written.
const KEPT: usize = 1 << 20;

/// A program's stdin and stdout.
pub(in super::super) struct Pipes {
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    /// What is to be written, and how much of it has been.
    waiting: Vec<u8>,
    written: usize,
    /// Stdin is closed when nothing waits any more.
    is_closing: bool,
    /// Nobody reads stdin any more.
    is_abandoned: bool,
    buffer: Vec<u8>,
}

impl Pipes {
    /// Takes over the pipes of a program.
    pub(in super::super) fn new(stdin: ChildStdin, stdout: ChildStdout) -> io::Result<Self> {
        // Of this end alone: the program's is as it expects it.
        ioctl_fionbio(&stdin, true)?;
        Ok(Self {
            stdin: Some(stdin),
            stdout,
            waiting: Vec::new(),
            written: 0,
            is_closing: false,
            is_abandoned: false,
            buffer: vec![0; BATCH],
        })
    }

    /// Takes over what is to be written, unless something waits already: then it is left where it is.
    pub(in super::super) fn write(&mut self, bytes: &mut Vec<u8>) {
        if self.has_waiting() {
            self.write_on();
        }
        if !self.has_waiting() && !bytes.is_empty() {
            self.waiting.clear();
            self.waiting.shrink_to(KEPT);
            self.written = 0;
            mem::swap(&mut self.waiting, bytes);
            self.write_on();
        }
    }

    /// Lets the program see the end of stdin, when what waits has been written.
    pub(in super::super) fn close_stdin(&mut self) {
        self.is_closing = true;
        self.write_on();
    }

    /// Closes stdin now.
    pub(in super::super) fn cut_stdin(&mut self) {
        self.stdin = None;
    }

    /// How many of the bytes taken over nobody will ever read. None while somebody may, and once stdin is closed.
    pub(in super::super) fn never_read(&self) -> Option<u64> {
        let stdin = self.stdin.as_ref()?;
        let mut watched = [PollFd::new(stdin, PollFlags::empty())];
        poll(&mut watched, Some(&Timespec::default())).ok()?;
        let in_pipe = is_abandoned(&watched[0]).then(|| ioctl_fionread(stdin).ok()).flatten()?;
        Some(in_pipe + (self.waiting.len() - self.written) as u64)
    }

    /// Reads, and writes what waits, until `take` makes something of what was read or the time is over. No bytes are the end of stdout.
    pub(in super::super) fn receive<T>(
        &mut self,
        limit: Duration,
        mut take: impl FnMut(&[u8]) -> Option<T>,
    ) -> Option<T> {
        let deadline = Instant::now() + limit;
        let mut left = limit;
        loop {
            let (can_read, can_write) = self.ready(left);
            if can_write {
                self.write_on();
            }
            if can_read {
                match self.stdout.read(&mut self.buffer) {
                    Ok(length) => {
                        let taken = take(&self.buffer[..length]);
                        if taken.is_some() || length == 0 {
                            return taken;
                        }
                    }
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Err(_) => return take(&[]),
                }
            }
            left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
        }
    }

    /// Waits until stdout can be read or, where something waits, stdin be written.
    fn ready(&mut self, limit: Duration) -> (bool, bool) {
        let limit = Timespec::try_from(limit).unwrap_or_default();
        let mut watched = [
            PollFd::new(&self.stdout, PollFlags::IN),
            PollFd::new(&self.stdout, PollFlags::empty()),
        ];
        let mut count = 1;
        if let Some(stdin) =
            self.stdin.as_ref().filter(|_| self.has_waiting() && !self.is_abandoned)
        {
            watched[1] = PollFd::new(stdin, PollFlags::OUT);
            count = 2;
        }
        // An interruption is no readiness.
        if poll(&mut watched[..count], Some(&limit)).is_err() {
            return (false, false);
        }
        let is_ready = |at: usize| !watched[at].revents().is_empty();
        let abandoned = count == 2 && is_abandoned(&watched[1]);
        let ready = (is_ready(0), count == 2 && is_ready(1) && !abandoned);
        self.is_abandoned |= abandoned;
        ready
    }

    fn has_waiting(&self) -> bool {
        self.written < self.waiting.len()
    }

    /// Writes as much of what waits as the pipe takes.
    fn write_on(&mut self) {
        while self.has_waiting() && !self.is_abandoned {
            let Some(stdin) = &mut self.stdin else { return };
            match stdin.write(&self.waiting[self.written..]) {
                Ok(length) if length > 0 => self.written += length,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // The program's end is noticed elsewhere, with its status.
                _ => self.is_abandoned = true,
            }
        }
        if self.is_closing && !self.has_waiting() {
            self.stdin = None;
        }
    }
}

fn is_abandoned(pipe: &PollFd<'_>) -> bool {
    pipe.revents().intersects(PollFlags::ERR | PollFlags::HUP)
}
