//! Where a door's workers take requests from and bring replies to.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::{About, Reply, Request};

/// Names one request of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ticket(pub u64);

/// What a worker is to do next.
#[derive(Debug)]
pub enum Next {
    /// Send this request.
    Send(Ticket, Request),
    /// Nothing now; an answer that is still out may bring more.
    Wait,
    /// Nothing more will come (or the run was cancelled).
    Done,
}

/// Hands out requests and takes replies. An answer may bring further requests (a second pass, say).
pub trait Board: Send {
    /// The implementation is there and says this of itself. Called once, before the first request is taken.
    fn about(&mut self, about: &About);
    /// What to do next.
    fn next(&mut self) -> Next;
    /// The reply to a request. Called exactly once a ticket.
    fn settle(&mut self, ticket: Ticket, reply: Reply);
    /// A fault found after the reply was settled (a second answer): the case becomes an *error*.
    fn late_fault(&mut self, ticket: Ticket, message: String);
    /// Something worth telling that is no case's fault (a banner before `initialize` was answered).
    fn warn(&mut self, message: String);
}

/// A board that several workers share.
#[derive(Debug)]
pub struct SharedBoard<B> {
    board: Mutex<B>,
    changed: Condvar,
}

impl<B: Board> SharedBoard<B> {
    /// Shares a board.
    pub fn new(board: B) -> Self {
        Self {
            board: Mutex::new(board),
            changed: Condvar::new(),
        }
    }

    /// Takes the next request without waiting.
    pub fn next(&self) -> Next {
        self.lock().next()
    }

    /// Takes the next request, waiting while an answer that another worker holds may bring more. `None`: nothing more will come.
    pub fn next_or_wait(&self) -> Option<(Ticket, Request)> {
        let mut board = self.lock();
        loop {
            match board.next() {
                Next::Send(ticket, request) => return Some((ticket, request)),
                Next::Done => return None,
                Next::Wait => {
                    board = self
                        .changed
                        .wait(board)
                        .unwrap_or_else(PoisonError::into_inner)
                }
            }
        }
    }

    /// Does something to the board, and wakes whoever waits for it.
    pub fn with<T>(&self, change: impl FnOnce(&mut B) -> T) -> T {
        let result = change(&mut self.lock());
        self.changed.notify_all();
        result
    }

    /// The board, when every worker is done.
    pub fn into_inner(self) -> B {
        self.board
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, B> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
