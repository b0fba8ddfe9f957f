//! Where a door's workers take requests from and bring replies to.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

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
    /// The reply to a request. Called exactly once a ticket, unless the run is cut short before the answer came.
    fn settle(&mut self, ticket: Ticket, reply: Reply);
    /// A fault found after the reply was settled (a second answer): the case becomes an *error*.
    fn late_fault(&mut self, ticket: Ticket, message: String);
    /// Something worth telling that is no case's fault (a banner before `initialize` was answered).
    fn warn(&mut self, message: String);
}

/// How soon a waiting worker notices that the run is over: nobody wakes it for that.
const NOTICE: Duration = Duration::from_millis(50);

/// A board that several workers share.
#[derive(Debug)]
pub struct SharedBoard<B> {
    board: Mutex<B>,
    changed: Condvar,
}

impl<B: Board> SharedBoard<B> {
    /// Shares a board.
    pub fn new(board: B) -> Self {
        Self { board: Mutex::new(board), changed: Condvar::new() }
    }

    /// Takes the next request without waiting.
    pub fn next(&self) -> Next {
        self.lock().next()
    }

    /// Takes the next request, waiting while an answer that another worker holds may bring more. `None`: nothing more will come, or the run is over.
    pub fn next_or_wait(&self, is_over: impl Fn() -> bool) -> Option<(Ticket, Request)> {
        let mut board = self.lock();
        while !is_over() {
            match board.next() {
                Next::Send(ticket, request) => return Some((ticket, request)),
                Next::Done => return None,
                Next::Wait => {
                    board = self
                        .changed
                        .wait_timeout(board, NOTICE)
                        .unwrap_or_else(PoisonError::into_inner)
                        .0;
                }
            }
        }
        None
    }

    /// Does something to the board, and wakes whoever waits for it.
    pub fn with<T>(&self, change: impl FnOnce(&mut B) -> T) -> T {
        let result = change(&mut self.lock());
        self.changed.notify_all();
        result
    }

    /// The board, when every worker is done.
    pub fn into_inner(self) -> B {
        self.board.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, B> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
