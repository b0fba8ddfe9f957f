//! An implementation behind a door, asked one question at a time by whoever has no board.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use super::{
    About, Board, CannotRun, Door, Next, Reply, Request, Settings, SharedBoard, Ticket, drive,
};

/// An implementation that can be asked. A program behind it is started anew when it crashes or hangs, and ends when this is dropped.
pub struct Asker {
    about: About,
    line: Mutex<Option<Line>>,
    worker: Option<JoinHandle<Result<(), CannotRun>>>,
    stop: Arc<AtomicBool>,
}

struct Line {
    requests: Sender<Request>,
    replies: Receiver<Reply>,
}

impl Asker {
    /// Starts it, and waits until it has said what it is.
    pub fn start(door: &Door, settings: &Settings) -> Result<Self, CannotRun> {
        let (requests, waiting) = channel();
        let (answers, replies) = channel();
        let (introduction, introduced) = channel();
        // The flag is this asker's own: others go on when it is dropped.
        let settings = Settings { jobs: 1, stop: Arc::default(), ..settings.clone() };
        let board = OneAtATime { waiting, answers, introduction, is_out: false };
        let (door, own) = (door.clone(), settings.clone());
        let worker = thread::spawn(move || drive(&door, &own, &SharedBoard::new(board)));
        let Ok(about) = introduced.recv() else {
            return Err(match worker.join() {
                Ok(Err(error)) => error,
                Ok(Ok(())) => CannotRun::EndedEarly {
                    program: "the implementation".to_owned(),
                    how: "took its leave".to_owned(),
                    stderr: String::new(),
                },
                Err(panic) => std::panic::resume_unwind(panic),
            });
        };
        let line = Mutex::new(Some(Line { requests, replies }));
        Ok(Self { about, line, worker: Some(worker), stop: settings.stop })
    }

    /// What it says of itself.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// Asks, and waits for the reply. None: it could not be run any further.
    pub fn ask(&self, request: Request) -> Option<Reply> {
        let line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        let line = line.as_ref()?;
        line.requests.send(request).ok()?;
        line.replies.recv().ok()
    }
}

impl Drop for Asker {
    fn drop(&mut self) {
        // Without requests the board is done, and the program takes its leave.
        *self.line.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.stop.store(true, Ordering::Relaxed);
        if let Some(worker) = self.worker.take() {
            let _ = worker.join();
        }
    }
}

/// A board with one request at a time.
struct OneAtATime {
    waiting: Receiver<Request>,
    answers: Sender<Reply>,
    introduction: Sender<About>,
    is_out: bool,
}

impl Board for OneAtATime {
    fn about(&mut self, about: &About) {
        let _ = self.introduction.send(about.clone());
    }

    fn next(&mut self) -> Next {
        if self.is_out {
            return Next::Wait;
        }
        match self.waiting.recv() {
            Ok(request) => {
                self.is_out = true;
                Next::Send(Ticket(0), request)
            }
            Err(_) => Next::Done,
        }
    }

    fn settle(&mut self, _: Ticket, reply: Reply) {
        self.is_out = false;
        let _ = self.answers.send(reply);
    }

    fn late_fault(&mut self, _: Ticket, _: String) {}

    fn warn(&mut self, _: String) {}
}
