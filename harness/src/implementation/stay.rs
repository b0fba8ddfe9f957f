//! A program that stays: requests are sent ahead, answers are matched by id, and blame falls on one case.
//!
//! While several requests are out, nobody can say which of them made the program end, hang or write nonsense. So it is killed and started again, and what was out is
//! sent again one request at a time.

mod read;

use std::collections::VecDeque;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Instant;

use super::door::Run;
use super::ledger::Ledger;
use super::message;
use super::output::{self, LAST_WORDS, Output};
use super::process::{GRACE, Process, TICK};
use super::{Answer, Board, CannotRun, Launch, Next, Request, Ticket, handshake, system};

/// How many requests are sent ahead, and how many bytes of them.
const WINDOW: usize = 256;
const WINDOW_BYTES: usize = 1 << 20;

/// How often a program may fail with several requests out before nothing is sent ahead to it any more.
const PATIENCE: u32 = 3;

/// How many restarts there may be without one good answer in between. A whole topic may be too much for a program (the corpus has sixteen cases of boolean schemas in a
/// row), and the next one be none.
const MOST_RESTARTS: u32 = 25;

/// A start may take this many times what an answer may.
const START_FACTOR: u32 = 4;

/// What is told of a line that no request can be blamed for.
const NO_ANSWER: &str = "the program wrote what is no answer";

/// Carries requests to processes of this program, one after the other, until there are no more.
pub(super) fn work<B: Board>(launch: &Launch, run: &Run<'_, B>) -> Result<(), CannotRun> {
    let mut past = Past { again: VecDeque::new(), failures_ahead: 0, restarts: 0, next_id: 1 };
    loop {
        let how = match Conversation::begin(launch, run, &mut past)? {
            Some(conversation) => conversation.hold(),
            None => return Ok(()),
        };
        let Some(how) = how else {
            return Ok(());
        };
        if past.again.is_empty() {
            match run.board.next_or_wait(|| run.is_over()) {
                Some(next) => past.again.push_back(next),
                None => return Ok(()),
            }
        }
        if past.restarts == MOST_RESTARTS {
            return Err(CannotRun::TooManyRestarts {
                program: launch.program.clone(),
                restarts: past.restarts,
                how,
            });
        }
        past.restarts += 1;
    }
}

/// What outlasts a process.
struct Past {
    /// What must be sent again, one at a time.
    again: VecDeque<(Ticket, Request)>,
    /// How often a process failed with several requests out.
    failures_ahead: u32,
    /// How many restarts there were since the last good answer.
    restarts: u32,
    /// Ids are not used twice, so that a late answer of one process is none of the next.
    next_id: u64,
}

/// The dealings with one process.
struct Conversation<'a, B> {
    run: &'a Run<'a, B>,
    past: &'a mut Past,
    process: Process,
    ledger: Ledger,
    /// What is to be written, where the program has not read what came before.
    unwritten: Vec<u8>,
    /// When the last answer came, or the first request was sent after it.
    since: Instant,
    /// What the board is to be told.
    news: Vec<read::News>,
    /// The request that is out was sent alone on purpose.
    is_alone: bool,
    /// Nothing more will be sent.
    is_leaving: bool,
    /// How many lines were no answers since the last good one.
    strays: u32,
    /// When the program was seen to have ended although its stdout was open.
    ended: Option<Instant>,
}

/// Why a process cannot be dealt with any further.
enum Loss {
    /// It ended, or closed a pipe.
    Ended,
    /// It said nothing for too long.
    Silent,
    /// What it wrote cannot be matched with a request.
    Stray(String),
}

impl<'a, B: Board> Conversation<'a, B> {
    /// Starts a process. `None`: the run is over.
    fn begin(
        launch: &Launch,
        run: &'a Run<'a, B>,
        past: &'a mut Past,
    ) -> Result<Option<Self>, CannotRun> {
        let mut process = Process::start(launch, run.next_mark(), output::read_lines)?;
        let limit = run.timeout.saturating_mul(START_FACTOR);
        let introduction =
            handshake::initialize(&mut process, &launch.program, limit, || run.is_over())?;
        let Some(introduction) = introduction else {
            return Ok(None);
        };
        run.introduce(&introduction.about);
        if let Some(noise) = introduction.noise {
            run.warn_once("the program wrote to stdout before it answered `initialize`", &noise);
        }
        process.stderr.take();
        let first_id = past.next_id;
        let mut conversation = Self {
            run,
            past,
            process,
            ledger: Ledger::new(first_id),
            unwritten: Vec::new(),
            since: Instant::now(),
            news: Vec::new(),
            is_alone: false,
            is_leaving: false,
            strays: 0,
            ended: None,
        };
        // With nothing out, nothing here can end the process's use.
        let _ = conversation.read(&introduction.rest);
        Ok(Some(conversation))
    }

    /// Goes on until there are no more requests (`None`), or the process is lost: then says how.
    fn hold(mut self) -> Option<String> {
        loop {
            if self.run.is_over() {
                self.process.finish(GRACE / 10);
                return None;
            }
            let nothing_more = self.ended.is_none() && self.fill();
            if nothing_more && self.ledger.out() == 0 {
                self.take_leave();
                return None;
            }
            if let Err(loss) = self.listen() {
                return Some(self.lose(loss));
            }
        }
    }

    /// Sends what there is room for. Whether the board has no more.
    fn fill(&mut self) -> bool {
        self.is_alone &= self.ledger.out() > 0;
        let window = if self.is_alone || self.past.failures_ahead >= PATIENCE { 1 } else { WINDOW };
        let mut nothing_more = false;
        while self.unwritten.len() < WINDOW_BYTES
            && self.ledger.out() < window
            && self.ledger.out_bytes() < WINDOW_BYTES
        {
            if let Some((ticket, request)) = self.past.again.pop_front() {
                if self.ledger.out() > 0 {
                    self.past.again.push_front((ticket, request));
                } else {
                    self.is_alone = true;
                    self.send(ticket, request);
                }
                break;
            }
            match self.run.board.next() {
                Next::Send(ticket, request) => self.send(ticket, request),
                Next::Wait => break,
                Next::Done => {
                    nothing_more = true;
                    break;
                }
            }
        }
        self.process.write(&mut self.unwritten);
        nothing_more
    }

    fn send(&mut self, ticket: Ticket, request: Request) {
        if self.ledger.out() == 0 {
            self.since = Instant::now();
        }
        let before = self.unwritten.len();
        message::write_request(&mut self.unwritten, self.ledger.next_id(), &request);
        let bytes = self.unwritten.len() - before;
        self.ledger.send(ticket, request, bytes);
    }

    /// Waits for output, or for a reason to wait no longer.
    fn listen(&mut self) -> Result<(), Loss> {
        let deadline = self.since + self.run.timeout;
        let until_deadline = if self.ledger.out() > 0 {
            deadline.saturating_duration_since(Instant::now())
        } else {
            TICK
        };
        let is_idle = match self.process.output.recv_timeout(until_deadline.min(TICK)) {
            Ok(Output::Text(lines)) => {
                self.read(&lines)?;
                false
            }
            Ok(Output::TooLong) => return Err(Loss::Stray(output::too_long())),
            Ok(Output::End) | Err(RecvTimeoutError::Disconnected) => return Err(Loss::Ended),
            Err(RecvTimeoutError::Timeout) => true,
        };
        let now = Instant::now();
        match self.ended {
            Some(ended) if now > ended + LAST_WORDS => return Err(Loss::Ended),
            Some(_) => return Ok(()),
            // Something it started holds its stdout: killing that brings the end, behind the last answers.
            None if is_idle && self.process.has_ended() => {
                self.process.kill();
                self.ended = Some(now);
                return Ok(());
            }
            None => {}
        }
        if self.ledger.out() == 0 {
            return Ok(());
        }
        if is_idle && self.process.never_read() > Some(0) {
            return Err(Loss::Ended);
        }
        // What is on its way comes first, but a flood of what is no answer holds nothing up.
        if now >= deadline && (is_idle || now > deadline + LAST_WORDS) {
            return Err(Loss::Silent);
        }
        Ok(())
    }

    /// Ends the process. Blames it on the request that is out, if it is the only one; has several sent again one at a time. Says how it was lost.
    fn lose(mut self, loss: Loss) -> String {
        let now = Instant::now();
        self.past.next_id = self.ledger.next_id();
        let mut owes_nothing = false;
        let (how, answer) = match loss {
            Loss::Ended => {
                // Only when it is gone can be told what it never read.
                let has_ended = self.process.ends_within(LAST_WORDS);
                let never_read = self.process.never_read();
                let unread = never_read.unwrap_or(0) + self.unwritten.len() as u64;
                owes_nothing = unread >= self.ledger.out_bytes() as u64;
                let how = match self.process.kill() {
                    Some(status) if has_ended => system::describe(status),
                    _ if never_read.is_some() => "closed its stdin".to_owned(),
                    _ => "closed its stdout".to_owned(),
                };
                let message = format!("the program {how} while it owed the answer");
                (how, Answer::Crash(message))
            }
            Loss::Silent => {
                ("did not answer in time".to_owned(), Answer::Timeout(self.run.timeout))
            }
            Loss::Stray(problem) => {
                // If it belongs to a request that is answered already, it will not come again.
                self.run.warn_once(NO_ANSWER, &problem);
                let how = format!("wrote what is no answer: {problem}");
                (how, Answer::Error(problem))
            }
        };
        self.process.kill();
        if self.ledger.out() > 1 || owes_nothing {
            self.past.failures_ahead += u32::from(!owes_nothing);
            for request in self.ledger.take_out().into_iter().rev() {
                self.past.again.push_front(request);
            }
        } else if let Some(ticket) = self.ledger.fault_only() {
            let stderr = self.process.stderr.take_last();
            self.settle(ticket, answer, &stderr, now);
        }
        self.tell();
        how
    }

    /// Lets the program finish. A second answer may still come.
    fn take_leave(mut self) {
        self.is_leaving = true;
        self.process.close_stdin();
        let deadline = Instant::now() + GRACE;
        while Instant::now() < deadline {
            match self.process.output.recv_timeout(TICK) {
                Ok(Output::Text(lines)) => {
                    if self.read(&lines).is_err() {
                        break;
                    }
                }
                Err(RecvTimeoutError::Timeout) if !self.process.has_ended() => {}
                _ => break,
            }
        }
        self.process.finish(deadline.saturating_duration_since(Instant::now()));
    }
}
