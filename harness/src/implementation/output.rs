//! What comes out of a program: stdout as batches of lines or as a whole, and the end of stderr.

use std::io::{ErrorKind, Read};
use std::mem;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// The longest line, or whole output, that is kept.
const MOST: usize = 32 << 20;

/// How many bytes of stderr are kept.
const STDERR_KEPT: usize = 16 << 10;

/// How long what a program wrote last may be on its way after it ended.
pub(super) const LAST_WORDS: Duration = Duration::from_secs(1);

/// Something from stdout.
#[derive(Debug)]
pub(super) enum Output {
    /// Whole lines, or everything.
    Text(Vec<u8>),
    /// A line, or everything, is longer than can be kept. No more is read.
    TooLong,
    /// Nothing more will come.
    End,
}

/// What is wrong with an output that is [`Output::TooLong`].
pub(super) fn too_long() -> String {
    format!("more than {} MiB came without an end", MOST >> 20)
}

/// How an output is cut up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    /// Into lines. As many as a read brings travel together.
    Lines,
    /// Not at all.
    Whole,
}

/// Makes of what is read what can be judged.
#[derive(Debug)]
pub(super) struct Collector {
    cut: Cut,
    begun: Vec<u8>,
    is_over: bool,
}

impl Collector {
    /// Nothing was read so far.
    pub(super) fn new(cut: Cut) -> Self {
        Self { cut, begun: Vec::new(), is_over: false }
    }

    /// Takes what was read; nothing is the end.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Option<Output> {
        if self.is_over {
            return Some(Output::End);
        }
        if bytes.is_empty() {
            self.is_over = true;
            // A line that was begun and not ended is no message.
            let is_whole = self.cut == Cut::Whole;
            return Some(if is_whole {
                Output::Text(mem::take(&mut self.begun))
            } else {
                Output::End
            });
        }
        let end = bytes.iter().rposition(|byte| *byte == b'\n').filter(|_| self.cut == Cut::Lines);
        if let Some(end) = end {
            let mut lines = mem::take(&mut self.begun);
            lines.extend_from_slice(&bytes[..=end]);
            self.begun.extend_from_slice(&bytes[end + 1..]);
            return Some(Output::Text(lines));
        }
        if self.begun.len() + bytes.len() > MOST {
            self.is_over = true;
            return Some(Output::TooLong);
        }
        self.begun.extend_from_slice(bytes);
        None
    }
}

fn read<'a>(source: &mut impl Read, buffer: &'a mut [u8]) -> Option<&'a [u8]> {
    loop {
        match source.read(buffer) {
            Ok(0) => return None,
            Ok(length) => return Some(&buffer[..length]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
}

/// The end of a program's stderr.
#[derive(Debug, Default)]
pub(super) struct Stderr {
    state: Mutex<Tail>,
    ended: Condvar,
}

#[derive(Debug, Default)]
struct Tail {
    bytes: Vec<u8>,
    ended: bool,
}

impl Stderr {
    /// Reads until nothing more comes.
    pub(super) fn read_from(&self, mut stderr: impl Read) {
        let mut buffer = vec![0; STDERR_KEPT];
        while let Some(bytes) = read(&mut stderr, &mut buffer) {
            let mut state = self.lock();
            let excess = (state.bytes.len() + bytes.len()).saturating_sub(STDERR_KEPT);
            state.bytes.drain(..excess);
            state.bytes.extend_from_slice(bytes);
        }
        self.lock().ended = true;
        self.ended.notify_all();
    }

    /// What was written since this was last called.
    pub(super) fn take(&self) -> String {
        let bytes = mem::take(&mut self.lock().bytes);
        if bytes.is_empty() {
            return String::new();
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// The same for a program that has ended: what it wrote last may still be on its way.
    pub(super) fn take_last(&self) -> String {
        drop(self.ended.wait_timeout_while(self.lock(), LAST_WORDS, |tail| !tail.ended));
        self.take()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Tail> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
