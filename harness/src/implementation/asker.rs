//! An implementation behind a door, asked one question at a time by whoever has no board.

use std::sync::{Arc, Mutex, PoisonError};

use super::door::{Common, Run, Worker};
use super::{About, Board, CannotRun, Door, Next, Reply, Request, Settings, SharedBoard, Ticket};

/// An implementation that can be asked. A program behind it is started anew when it crashes or hangs, and ends when this is dropped.
pub struct Asker {
    about: About,
    /// None: it could not be run any further.
    line: Mutex<Option<Line>>,
}

struct Line {
    worker: Worker,
    board: SharedBoard<OneQuestion>,
    common: Common,
}

impl Asker {
    /// Starts it, and waits until it has said what it is.
    pub fn start(door: &Door, settings: &Settings) -> Result<Self, CannotRun> {
        // The flag is this asker's own: others go on when it is dropped.
        let settings = Settings { jobs: 1, stop: Arc::default(), ..settings.clone() };
        let board = OneQuestion { about: door.about(), ..OneQuestion::default() };
        let mut line = Line {
            worker: Worker::new(door)?,
            board: SharedBoard::new(board),
            common: Common::new(&settings),
        };
        line.work()?;
        let about = line.board.with(|board| board.about.take());
        let about = about.ok_or_else(|| CannotRun::EndedEarly {
            program: "the implementation".to_owned(),
            how: "took its leave".to_owned(),
            stderr: String::new(),
        })?;
        Ok(Self { about, line: Mutex::new(Some(line)) })
    }

    /// What it says of itself.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// Asks, and waits for the reply. None: it could not be run any further.
    pub fn ask(&self, request: Request) -> Option<Reply> {
        let mut guard = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        let line = guard.as_mut()?;
        line.board.with(|board| board.question = Some(request));
        let reply = line.work().ok().and_then(|()| line.board.with(|board| board.reply.take()));
        if reply.is_none() {
            *guard = None;
        }
        reply
    }
}

impl Drop for Asker {
    fn drop(&mut self) {
        let mut line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(Line { worker, board, common }) = line.take() {
            worker.leave(Run { common: &common, board: &board });
        }
    }
}

impl Line {
    /// Works on this thread, so that none need be woken, until there is no question.
    fn work(&mut self) -> Result<(), CannotRun> {
        self.worker.work(Run { common: &self.common, board: &self.board })
    }
}

/// A board with one request at a time.
#[derive(Default)]
struct OneQuestion {
    about: Option<About>,
    question: Option<Request>,
    is_out: bool,
    reply: Option<Reply>,
}

impl Board for OneQuestion {
    fn about(&mut self, about: &About) {
        self.about = Some(about.clone());
    }

    fn next(&mut self) -> Next {
        match self.question.take() {
            Some(request) => {
                self.is_out = true;
                Next::Send(Ticket(0), request)
            }
            None if self.is_out => Next::Wait,
            None => Next::Done,
        }
    }

    fn settle(&mut self, _: Ticket, reply: Reply) {
        self.is_out = false;
        self.reply = Some(reply);
    }

    fn late_fault(&mut self, _: Ticket, _: String) {}

    fn warn(&mut self, _: String) {}
}
