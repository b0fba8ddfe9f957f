//! A program that stays: requests are sent ahead, answers are matched by id, and blame falls on one case.
//!
//! While several requests are out, nobody can say which of them made the program end, hang or write nonsense. So it is killed and started again, and what was out is
//! sent again one request at a time.

mod read;

use std::collections::VecDeque;
use std::time::Instant;

use super::door::Run;
use super::ledger::Ledger;
use super::message;
use super::output::{self, Cut, LAST_WORDS, Output};
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

/// A program and the process of it that runs, if one does.
pub(super) struct Program {
    launch: Launch,
    past: Past,
    conversation: Option<Conversation>,
}

/// What outlasts a process.
#[derive(Default)]
struct Past {
    /// What must be sent again, one at a time.
    again: VecDeque<(Ticket, Request)>,
    /// How often a process failed with several requests out.
    failures_ahead: u32,
    /// How many restarts there were since the last good answer.
    restarts: u32,
    /// How many ids were used. None is used twice, so that a late answer of one process is none of the next.
    ids: u64,
    /// How the last process was lost.
    loss: Option<String>,
}

/// The dealings with one process.
struct Conversation {
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

impl Program {
    /// A program of which no process runs.
    pub(super) fn new(launch: Launch) -> Self {
        Self { launch, past: Past::default(), conversation: None }
    }

    /// Carries requests to processes of this program, one after the other, until there are no more. The last one stays.
    pub(super) fn work<B: Board>(&mut self, run: Run<'_, B>) -> Result<(), CannotRun> {
        loop {
            let conversation = match self.conversation.take() {
                Some(conversation) => conversation,
                None => match self.begin(run)? {
                    Some(conversation) => conversation,
                    None => return Ok(()),
                },
            };
            let conversation = self.conversation.insert(conversation);
            let Err(loss) = conversation.hold(run, &mut self.past) else {
                return Ok(());
            };
            if let Some(conversation) = self.conversation.take() {
                self.past.loss = Some(conversation.lose(loss, run, &mut self.past));
            }
            if self.past.again.is_empty() {
                match run.board.next_or_wait(|| run.is_over()) {
                    Some(next) => self.past.again.push_back(next),
                    None => return Ok(()),
                }
            }
        }
    }

    /// Ends the process that stayed.
    pub(super) fn leave<B: Board>(self, run: Run<'_, B>) {
        let Self { mut past, conversation, .. } = self;
        match conversation {
            Some(conversation) if run.is_over() => conversation.process.finish(GRACE / 10),
            Some(conversation) => conversation.take_leave(run, &mut past),
            None => {}
        }
    }

    /// Starts a process. `None`: the run is over.
    fn begin<B: Board>(&mut self, run: Run<'_, B>) -> Result<Option<Conversation>, CannotRun> {
        let program = &self.launch.program;
        if let Some(how) = self.past.loss.take() {
            let restarts = self.past.restarts;
            if restarts == MOST_RESTARTS {
                return Err(CannotRun::TooManyRestarts { program: program.clone(), restarts, how });
            }
            self.past.restarts += 1;
        }
        let mut process = Process::start(&self.launch, run.common.next_mark(), Cut::Lines)?;
        let limit = run.common.timeout.saturating_mul(START_FACTOR);
        let introduction = handshake::initialize(&mut process, program, limit, || run.is_over())?;
        let Some(introduction) = introduction else {
            return Ok(None);
        };
        run.introduce(&introduction.about);
        if let Some(noise) = introduction.noise {
            run.warn_once("the program wrote to stdout before it answered `initialize`", &noise);
        }
        process.stderr.take();
        let mut conversation = Conversation {
            process,
            ledger: Ledger::new(self.past.ids + 1),
            unwritten: Vec::new(),
            since: Instant::now(),
            news: Vec::new(),
            is_alone: false,
            is_leaving: false,
            strays: 0,
            ended: None,
        };
        // With nothing out, nothing here can end the process's use.
        let _ = conversation.read(&introduction.rest, run, &mut self.past);
        Ok(Some(conversation))
    }
}

impl Conversation {
    /// Goes on until there are no more requests, or the process is lost.
    fn hold<B: Board>(&mut self, run: Run<'_, B>, past: &mut Past) -> Result<(), Loss> {
        while !run.is_over() {
            let nothing_more = self.ended.is_none() && self.fill(run, past);
            if nothing_more && self.ledger.out() == 0 {
                break;
            }
            self.listen(run, past)?;
        }
        Ok(())
    }

    /// Sends what there is room for. Whether the board has no more.
    fn fill<B: Board>(&mut self, run: Run<'_, B>, past: &mut Past) -> bool {
        self.is_alone &= self.ledger.out() > 0;
        let window = if self.is_alone || past.failures_ahead >= PATIENCE { 1 } else { WINDOW };
        let mut nothing_more = false;
        while self.unwritten.len() < WINDOW_BYTES
            && self.ledger.out() < window
            && self.ledger.out_bytes() < WINDOW_BYTES
        {
            if let Some((ticket, request)) = past.again.pop_front() {
                if self.ledger.out() > 0 {
                    past.again.push_front((ticket, request));
                } else {
                    self.is_alone = true;
                    self.send(ticket, request);
                }
                break;
            }
            match run.board.next() {
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
    fn listen<B: Board>(&mut self, run: Run<'_, B>, past: &mut Past) -> Result<(), Loss> {
        let deadline = self.since + run.common.timeout;
        let until_deadline = if self.ledger.out() > 0 {
            deadline.saturating_duration_since(Instant::now())
        } else {
            TICK
        };
        let is_idle = match self.process.receive(until_deadline.min(TICK)) {
            Some(Output::Text(lines)) => {
                self.read(&lines, run, past)?;
                false
            }
            Some(Output::TooLong) => return Err(Loss::Stray(output::too_long())),
            Some(Output::End) => return Err(Loss::Ended),
            None => true,
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
    fn lose<B: Board>(mut self, loss: Loss, run: Run<'_, B>, past: &mut Past) -> String {
        let now = Instant::now();
        past.ids = self.ledger.next_id() - 1;
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
                ("did not answer in time".to_owned(), Answer::Timeout(run.common.timeout))
            }
            Loss::Stray(problem) => {
                // If it belongs to a request that is answered already, it will not come again.
                run.warn_once(NO_ANSWER, &problem);
                let how = format!("wrote what is no answer: {problem}");
                (how, Answer::Error(problem))
            }
        };
        self.process.kill();
        if self.ledger.out() > 1 || owes_nothing {
            past.failures_ahead += u32::from(!owes_nothing);
            for request in self.ledger.take_out().into_iter().rev() {
                past.again.push_front(request);
            }
        } else if let Some(ticket) = self.ledger.fault_only() {
            let stderr = self.process.stderr.take_last();
            self.settle(ticket, answer, &stderr, now);
        }
        self.tell(run);
        how
    }

    /// Lets the program finish. A second answer may still come.
    fn take_leave<B: Board>(mut self, run: Run<'_, B>, past: &mut Past) {
        self.is_leaving = true;
        self.process.close_stdin();
        let deadline = Instant::now() + GRACE;
        while Instant::now() < deadline {
            match self.process.receive(TICK) {
                Some(Output::Text(lines)) => {
                    if self.read(&lines, run, past).is_err() {
                        break;
                    }
                }
                None if !self.process.has_ended() => {}
                _ => break,
            }
        }
        self.process.finish(deadline.saturating_duration_since(Instant::now()));
    }
}
