//! The requests of a test, and what came of them.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use callfit::implementation::{
    About, Answer, Board, CannotRun, Door, Method, Next, Reply, Request, Settings, SharedBoard,
    Ticket, drive,
};
use callfit_reference::json::parse;

use crate::program::{Mark, misbehaving};

/// The request whose arguments hold the key `misbehave`.
pub const GUILTY: u64 = 3;

/// The requests of a test, and what came of them.
pub struct Sheet {
    pub waiting: VecDeque<(Ticket, Request)>,
    sent: BTreeMap<u64, String>,
    /// Good answers are asked for again, as `ticket + 100`.
    pub second_pass: bool,
    out: usize,
    pub stop_after: Option<usize>,
    stop: Arc<AtomicBool>,

    pub about: Option<About>,
    pub replies: BTreeMap<u64, Reply>,
    pub late: BTreeMap<u64, String>,
    pub warnings: Vec<String>,
    pub result: Result<(), CannotRun>,
}

/// Plays the eight requests at a misbehaving program.
pub fn play(fault: &str, timeout: Duration) -> Sheet {
    Sheet::new().play_at(fault, timeout)
}

impl Sheet {
    pub fn new() -> Self {
        let mut sheet = Self {
            waiting: VecDeque::new(),
            sent: BTreeMap::new(),
            second_pass: false,
            out: 0,
            stop_after: None,
            stop: Arc::default(),
            about: None,
            replies: BTreeMap::new(),
            late: BTreeMap::new(),
            warnings: Vec::new(),
            result: Ok(()),
        };
        sheet.extend_to(8);
        sheet.set(GUILTY, r#"{"misbehave":true}"#);
        sheet
    }

    pub fn extend_to(&mut self, count: u64) {
        for number in self.waiting.len() as u64..count {
            self.waiting.push_back(request(number, String::new()));
            self.set(number, &format!(r#"{{"n":{number}}}"#));
        }
    }

    pub fn set(&mut self, ticket: u64, arguments: &str) {
        let request = &mut self.waiting[usize::try_from(ticket).expect("an index")].1;
        request.subject = Some(arguments.to_owned());
        self.sent.insert(ticket, arguments.to_owned());
    }

    pub fn pad(&mut self, ticket: u64, length: usize) {
        let padding = "x".repeat(length);
        self.set(ticket, &format!(r#"{{"misbehave":true,"padding":"{padding}"}}"#));
    }

    pub fn play_at(self, fault: &str, timeout: Duration) -> Self {
        self.play(&misbehaving(fault), timeout, 1)
    }

    pub fn play(self, door: &Door, timeout: Duration, jobs: usize) -> Self {
        let settings = Settings { timeout, jobs, stop: Arc::clone(&self.stop) };
        let mark = Mark::new();
        let door = match door.clone() {
            Door::Program(launch) => Door::Program(mark.put_on(launch)),
            Door::ProgramPerCase(launch) => Door::ProgramPerCase(mark.put_on(launch)),
            door @ Door::InProcess(_) => door,
        };
        let board = SharedBoard::new(self);
        let result = drive(&door, &settings, &board);
        mark.assert_gone();
        Self { result, ..board.into_inner() }
    }

    fn is_answered(&self, ticket: u64) -> bool {
        let sent = parse(&self.sent[&ticket]).expect("JSON");
        match self.replies.get(&ticket).map(|reply| &reply.answer) {
            Some(Answer::Value(value)) => *value == sent,
            _ => false,
        }
    }

    #[track_caller]
    pub fn neighbours_answered(&self) {
        assert!(self.result.is_ok(), "{:?}", self.result);
        for ticket in self.sent.keys().filter(|ticket| **ticket != GUILTY) {
            assert!(self.is_answered(*ticket), "{ticket}: {:?}", self.replies.get(ticket));
        }
    }

    #[track_caller]
    pub fn all_answered(&self) {
        self.neighbours_answered();
        assert!(self.is_answered(GUILTY), "{:?}", self.replies.get(&GUILTY));
    }

    #[track_caller]
    pub fn guilty_crashed(&self, how: &str) {
        self.neighbours_answered();
        let answer = &self.replies[&GUILTY].answer;
        assert!(matches!(answer, Answer::Crash(got) if got.contains(how)), "{answer:?}");
    }

    #[track_caller]
    pub fn guilty_erred(&self, problem: &str) {
        self.neighbours_answered();
        let answer = &self.replies[&GUILTY].answer;
        assert!(matches!(answer, Answer::Error(got) if got.contains(problem)), "{answer:?}");
    }

    #[track_caller]
    pub fn guilty_timed_out(&self) {
        self.neighbours_answered();
        let answer = &self.replies[&GUILTY].answer;
        assert!(matches!(answer, Answer::Timeout(_)), "{answer:?}");
    }

    #[track_caller]
    pub fn could_not_be_run(self) -> String {
        self.result.expect_err("it cannot be run").to_string()
    }
}

fn request(number: u64, arguments: String) -> (Ticket, Request) {
    let request =
        Request { method: Method::Coerce, schema: "{}".to_owned(), subject: Some(arguments) };
    (Ticket(number), request)
}

impl Board for Sheet {
    fn about(&mut self, about: &About) {
        assert!(self.about.is_none() && self.out == 0, "it comes once, and first");
        self.about = Some(about.clone());
    }

    fn next(&mut self) -> Next {
        match self.waiting.pop_front() {
            Some((ticket, request)) => {
                self.out += 1;
                Next::Send(ticket, request)
            }
            None if self.second_pass && self.out > 0 => Next::Wait,
            None => Next::Done,
        }
    }

    fn settle(&mut self, ticket: Ticket, reply: Reply) {
        self.out -= 1;
        if self.second_pass && ticket.0 < 100 && matches!(reply.answer, Answer::Value(_)) {
            let arguments = self.sent[&ticket.0].clone();
            self.waiting.push_back(request(ticket.0 + 100, arguments));
        }
        let before = self.replies.insert(ticket.0, reply);
        assert!(before.is_none(), "a ticket is settled once");
        if self.stop_after.is_some_and(|count| self.replies.len() >= count) {
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    fn late_fault(&mut self, ticket: Ticket, message: String) {
        assert!(self.replies.contains_key(&ticket.0), "it was settled before");
        self.late.insert(ticket.0, message);
    }

    fn warn(&mut self, message: String) {
        self.warnings.push(message);
    }
}
