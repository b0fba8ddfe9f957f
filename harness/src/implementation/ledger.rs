//! What was sent to one process: which id stands for which request, and what became of it.

use std::collections::VecDeque;

use super::{Method, Request, Ticket};

/// How many ids are remembered, so that a second answer is told from an unknown one.
const REMEMBERED: usize = 1 << 16;

/// The requests of one process, by id.
#[derive(Debug)]
pub(super) struct Ledger {
    first: u64,
    entries: VecDeque<Entry>,
    out: usize,
    out_bytes: usize,
    last_settled: Option<u64>,
}

#[derive(Debug)]
enum Entry {
    /// It waits for its answer.
    Out { ticket: Ticket, request: Request, bytes: usize },
    /// It has its answer.
    Settled(Ticket),
    /// It has been found at fault already: more of it changes nothing.
    Faulted,
}

/// What an id stands for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// A request that waited for this answer, and now has it.
    Out(Ticket, Method),
    /// A request that had its answer.
    Repeated(Ticket),
    /// A request whose answer does not matter any more.
    Faulted,
    /// Nothing that was sent.
    Unknown,
}

impl Ledger {
    /// No requests; the first will have this id.
    pub(super) fn new(first: u64) -> Self {
        Self { first, entries: VecDeque::new(), out: 0, out_bytes: 0, last_settled: None }
    }

    /// The id of the next request.
    pub(super) fn next_id(&self) -> u64 {
        self.first + self.entries.len() as u64
    }

    /// Whether nothing was answered yet.
    pub(super) fn is_new(&self) -> bool {
        self.last_settled.is_none()
    }

    /// How many requests wait for an answer.
    pub(super) fn out(&self) -> usize {
        self.out
    }

    /// How many bytes they took on the wire.
    pub(super) fn out_bytes(&self) -> usize {
        self.out_bytes
    }

    /// Enters a request that goes out as [`Self::next_id`].
    pub(super) fn send(&mut self, ticket: Ticket, request: Request, bytes: usize) {
        if self.entries.len() >= REMEMBERED && !matches!(self.entries[0], Entry::Out { .. }) {
            self.entries.pop_front();
            self.first += 1;
        }
        self.entries.push_back(Entry::Out { ticket, request, bytes });
        self.out += 1;
        self.out_bytes += bytes;
    }

    /// Enters an answer to this id. A second one is told once.
    pub(super) fn answer(&mut self, id: u64) -> Found {
        let Some(entry) = self.entry(id) else {
            return Found::Unknown;
        };
        match entry {
            Entry::Out { ticket, request, bytes } => {
                let (ticket, method, bytes) = (*ticket, request.method, *bytes);
                *entry = Entry::Settled(ticket);
                self.out -= 1;
                self.out_bytes -= bytes;
                self.last_settled = Some(id);
                Found::Out(ticket, method)
            }
            Entry::Settled(ticket) => {
                let ticket = *ticket;
                *entry = Entry::Faulted;
                Found::Repeated(ticket)
            }
            Entry::Faulted => Found::Faulted,
        }
    }

    /// Enters a fault of the one request that is out.
    pub(super) fn fault_only(&mut self) -> Option<Ticket> {
        let at = self.entries.iter().rposition(|entry| matches!(entry, Entry::Out { .. }))?;
        let id = self.first + at as u64;
        match self.answer(id) {
            Found::Out(ticket, _) => {
                self.entries[at] = Entry::Faulted;
                Some(ticket)
            }
            _ => None,
        }
    }

    /// Enters a fault of the request that was answered last, unless it has one already.
    pub(super) fn fault_last(&mut self) -> Option<Ticket> {
        match self.answer(self.last_settled?) {
            Found::Repeated(ticket) => Some(ticket),
            _ => None,
        }
    }

    /// Takes out what still waits, in the order it was sent.
    pub(super) fn take_out(&mut self) -> Vec<(Ticket, Request)> {
        self.out = 0;
        self.out_bytes = 0;
        self.entries
            .drain(..)
            .filter_map(|entry| match entry {
                Entry::Out { ticket, request, .. } => Some((ticket, request)),
                _ => None,
            })
            .collect()
    }

    fn entry(&mut self, id: u64) -> Option<&mut Entry> {
        let at = id.checked_sub(self.first)?;
        self.entries.get_mut(usize::try_from(at).ok()?)
    }
}
