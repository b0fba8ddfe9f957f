//! What a program's lines bring: replies, second answers, and lines that are no answers.

use std::time::Instant;

use super::super::door::Run;
use super::super::ledger::Found;
use super::super::message::{self, excerpt};
use super::super::{Answer, Board, Reply, Ticket};
use super::{Conversation, Loss, NO_ANSWER, Past};

/// How many lines that are no answers are borne without one good answer in between.
const MOST_STRAYS: u32 = 100;

/// Something to tell the board.
pub(super) enum News {
    Settled(Ticket, Reply),
    Late(Ticket, String),
}

impl Conversation {
    /// Reads lines and tells the board what they bring.
    pub(super) fn read<B: Board>(
        &mut self,
        lines: &[u8],
        run: Run<'_, B>,
        past: &mut Past,
    ) -> Result<(), Loss> {
        let now = Instant::now();
        // Which of several answers it belongs to cannot be told, so each gets it.
        let stderr = self.process.stderr.take();
        let mut result = Ok(());
        for line in lines.split(|byte| *byte == b'\n') {
            let Some(message) = message::read(line) else {
                continue;
            };
            let is_good = message.body.is_ok();
            let found = match message.id {
                Some(id) => self.ledger.answer(id),
                None => Found::Unknown,
            };
            match found {
                Found::Out(ticket, method) => {
                    if is_good {
                        self.strays = 0;
                        past.restarts = 0;
                    }
                    let answer = message::to_answer(message.body, method);
                    self.settle(ticket, answer, &stderr, now);
                }
                Found::Repeated(ticket) => {
                    let late = format!("answered twice; the second time: {}", excerpt(line));
                    self.news.push(News::Late(ticket, late));
                }
                Found::Faulted => {}
                Found::Unknown => {
                    let problem = match (message.body, message.id) {
                        (Err(problem), _) => problem,
                        (Ok(_), Some(id)) => format!("answered the id {id}, which was not sent"),
                        (Ok(_), None) => "answered an id that was not sent".to_owned(),
                    };
                    result = self.stray(problem, &stderr, now, run);
                    if result.is_err() {
                        break;
                    }
                }
            }
        }
        self.tell(run);
        result
    }

    /// Blames a line that is no answer on the request that waits, or on the one that was answered last.
    fn stray<B: Board>(
        &mut self,
        problem: String,
        stderr: &str,
        now: Instant,
        run: Run<'_, B>,
    ) -> Result<(), Loss> {
        self.strays += 1;
        if self.ledger.out() > 1 || self.strays > MOST_STRAYS {
            return Err(Loss::Stray(problem));
        }
        if let Some(ticket) = self.ledger.fault_only() {
            self.settle(ticket, Answer::Error(problem), stderr, now);
        } else if self.is_leaving || self.ledger.is_new() {
            run.warn_once(NO_ANSWER, &problem);
        } else if let Some(ticket) = self.ledger.fault_last() {
            self.news.push(News::Late(ticket, problem));
        }
        Ok(())
    }

    pub(super) fn settle(&mut self, ticket: Ticket, answer: Answer, stderr: &str, now: Instant) {
        let reply = Reply {
            answer,
            stderr: stderr.to_owned(),
            took: now.saturating_duration_since(self.since),
        };
        self.since = now;
        self.news.push(News::Settled(ticket, reply));
    }

    pub(super) fn tell<B: Board>(&mut self, run: Run<'_, B>) {
        if self.news.is_empty() {
            return;
        }
        run.board.with(|board| {
            for news in self.news.drain(..) {
                match news {
                    News::Settled(ticket, reply) => board.settle(ticket, reply),
                    News::Late(ticket, message) => board.late_fault(ticket, message),
                }
            }
        });
    }
}
