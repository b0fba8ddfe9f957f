//! The document that pointers are looked up in, and how much work may still be done on it.

use std::cell::Cell;

use callfit_reference::json::Value;

/// So much work is done before there is no opinion.
const STEPS: usize = 3_000_000;

/// A root schema (SPEC, chapter 1), with a budget.
pub(super) struct Document<'a> {
    /// The parameter schema as a whole.
    pub(super) root: &'a Value,
    left: Cell<usize>,
}

impl<'a> Document<'a> {
    pub(super) fn new(root: &'a Value) -> Self {
        Self { root, left: Cell::new(STEPS) }
    }

    /// `None` once the budget is spent.
    pub(super) fn spend(&self, steps: usize) -> Option<()> {
        self.left.set(self.left.get().checked_sub(steps)?);
        Some(())
    }
}
