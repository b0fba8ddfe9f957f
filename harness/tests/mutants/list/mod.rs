//! The mutants: coercers, resolvers and sanitizers that are right but for one fault each, as a list that any test can go through.
//!
//! A mutant is the reference with a small change of what goes in or of what comes out. Most are faults that real implementations have, and say where that is shown.

mod bounded;
mod branch;
mod coerce;
mod fault;
mod laws;
mod reference;
mod resolve;
mod restore;
mod sanitize;
mod sanitized;
mod schema;
mod walk;

use std::sync::Arc;

use callfit::implementation::Coercer;

/// One of them.
#[derive(Clone, Copy)]
pub struct Mutant {
    /// What it does, in a few words.
    pub name: &'static str,
    /// The clause or law that it breaks.
    pub breaks: &'static str,
    /// What has this fault or one much like it, or a report that shows it.
    pub source: Option<&'static str>,
    /// Makes one that was asked nothing yet.
    pub build: fn() -> Arc<dyn Coercer>,
}

/// Every mutant, the chapters of SPEC in their order.
pub fn all() -> Vec<Mutant> {
    [
        laws::MUTANTS,
        bounded::MUTANTS,
        reference::MUTANTS,
        resolve::MUTANTS,
        schema::MUTANTS,
        coerce::MUTANTS,
        branch::MUTANTS,
        sanitize::MUTANTS,
        restore::MUTANTS,
    ]
    .concat()
}

/// A row of a table of mutants whose fault a real implementation has.
const fn seen(
    name: &'static str,
    breaks: &'static str,
    source: &'static str,
    build: fn() -> Arc<dyn Coercer>,
) -> Mutant {
    Mutant { name, breaks, source: Some(source), build }
}

/// A row of a table of mutants whose fault is a likely one.
const fn likely(
    name: &'static str,
    breaks: &'static str,
    build: fn() -> Arc<dyn Coercer>,
) -> Mutant {
    Mutant { name, breaks, source: None, build }
}
