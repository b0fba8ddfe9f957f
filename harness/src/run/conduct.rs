//! Conducting a run: cases through a door, to a record.

use std::time::Instant;

use chrono::{SecondsFormat, Utc};

use super::board::CaseBoard;
use super::record::{CaseRecord, Chosen, CorpusLabel, Record};
use crate::case::{Case, Corpus};
use crate::implementation::{About, CannotRun, Door, Settings, SharedBoard, drive};

/// What is to be run, and how.
pub struct Plan<'a> {
    /// The corpus that the cases are from.
    pub corpus: &'a Corpus,
    /// The cases.
    pub cases: &'a [&'a Case],
    /// The implementation.
    pub door: Door,
    /// Timeout, jobs, and the flag that ends the run.
    pub settings: Settings,
    /// How the implementation was called: an adapter's name, or the command; empty for the reference.
    pub command: Vec<String>,
    /// Whether a *should* counts as a *must*.
    pub strict: bool,
}

/// Runs the cases; how they were chosen is for the caller to tell the record. `rerun` gives the command that runs one case again; `progress` is told each case when it is judged.
///
/// What was learned is told also where the implementation could not be run (any further).
pub fn conduct<'a>(
    plan: &'a Plan<'a>,
    rerun: impl Fn(&str) -> String + Send + 'a,
    progress: impl FnMut(&CaseRecord) + Send + 'a,
) -> (Record, Result<(), CannotRun>) {
    let started = Utc::now().to_rfc3339_opts(SecondsFormat::Secs, true);
    let begun = Instant::now();
    let board = SharedBoard::new(CaseBoard::new(plan.corpus, plan.cases, rerun, progress));
    let end = drive(&plan.door, &plan.settings, &board);
    let board = board.into_inner();
    let left = board.left();
    let cut_short = match &end {
        Err(error) => Some(format!("{error}; {left} cases were not judged")),
        Ok(()) if left > 0 => {
            Some(format!("the run was interrupted; {left} cases were not judged"))
        }
        Ok(()) => None,
    };
    let record = Record {
        harness_version: env!("CARGO_PKG_VERSION").to_owned(),
        corpus: CorpusLabel {
            version: plan.corpus.version.clone(),
            digest: Corpus::digest(plan.cases.iter().copied()),
        },
        chosen: Chosen::default(),
        implementation: board.implementation().cloned().unwrap_or_else(|| About::named("unknown")),
        command: plan.command.clone(),
        started,
        duration: begun.elapsed(),
        cases: board.records(),
        cut_short,
        warnings: board.warnings().to_vec(),
        strict: plan.strict,
        expectations: None,
        expectation_problems: Vec::new(),
    };
    (record, end)
}
