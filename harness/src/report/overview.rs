//! Several runs in one table, a row an implementation.

use crate::run::{Record, Verdict};

use super::escape;
use super::summary::{Outcome, Summary};

const HEADER: [&str; 8] =
    ["adapter", "must", "should", "policies", "crashed", "hung", "took", "outcome"];

/// One row: what was run, and what came of it, or why nothing did.
#[derive(Debug)]
pub struct Row {
    cells: [String; HEADER.len()],
}

impl Row {
    /// What came of a run.
    pub fn of(name: &str, record: &Record) -> Self {
        let summary = Summary::of(record);
        let total = summary.total();
        let outcome = match (summary.outcome, record.expectations.is_some()) {
            _ if record.cut_short.is_some() => "cut short",
            (Outcome::Conformant, true) => "as expected",
            (Outcome::Conformant, false) => "conformant",
            (Outcome::NotConformant, true) => "not as expected",
            (Outcome::NotConformant, false) => "not conformant",
            (Outcome::Undecided, _) => "nothing judged",
        };
        let version = record.implementation.version.as_deref().unwrap_or_default();
        Self {
            cells: [
                escape::line(format!("{name} {version}").trim_end(), 60),
                total.must.shown(),
                total.should.shown(),
                total.policy.shown(),
                record.count(Verdict::Crash).to_string(),
                record.count(Verdict::Timeout).to_string(),
                format!("{:.1} s", record.duration.as_secs_f64()),
                outcome.to_owned(),
            ],
        }
    }

    /// What could not be run.
    pub fn not_run(name: &str) -> Self {
        let cells: [&str; HEADER.len()] = [name, "-", "-", "-", "-", "-", "-", "cannot be run"];
        Self { cells: cells.map(|cell| escape::line(cell, 60)) }
    }
}

/// The table; it ends with a line break.
pub fn table(rows: &[Row]) -> String {
    let header = Row { cells: HEADER.map(str::to_owned) };
    let all: Vec<&Row> = std::iter::once(&header).chain(rows).collect();
    let widths: [usize; HEADER.len()] = std::array::from_fn(|at| {
        all.iter().map(|row| row.cells[at].chars().count()).max().unwrap_or(0)
    });
    let mut text = String::new();
    for row in all {
        let cells = row.cells.iter().zip(widths).enumerate();
        // Names and outcomes are read from the left, numbers from the right.
        let cells = cells.map(|(at, (cell, width))| match at {
            0 => format!("  {cell:width$}"),
            _ if at == HEADER.len() - 1 => format!("  {cell}"),
            _ => format!("  {cell:>width$}"),
        });
        text.extend(cells);
        text.push('\n');
    }
    text
}
