//! The table of mutants in `reports/mutation.md`.

use std::fmt::Write as _;
use std::path::PathBuf;

use super::run::Outcome;

/// What stands before and after the table.
const FROM: &str = "<!-- the mutants, written by the test `mutants` -->\n";
const TO: &str = "<!-- the end of the mutants -->\n";

/// Where the report is.
pub fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../reports/mutation.md")
}

/// The table of a report.
pub fn table_of(report: &str) -> Option<&str> {
    Some(parts(report)?.1)
}

/// The report with another table.
pub fn with_table(report: &str, table: &str) -> Option<String> {
    let (before, _, after) = parts(report)?;
    Some(format!("{before}{FROM}{table}{TO}{after}"))
}

fn parts(report: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = report.split_once(FROM)?;
    let (table, after) = rest.split_once(TO)?;
    Some((before, table, after))
}

/// The mutants, each with how many cases fail it.
pub fn table(outcomes: &[Outcome], redundant: usize, run: usize) -> String {
    let mut table = String::new();
    let _ = writeln!(
        table,
        "\n{} mutants. Of {run} cases, {redundant} fail none of them and show no policy.\n\n| mutant | breaks | seen in | cases that tell | cases that fail |\n| --- | --- | --- | --- | --- |",
        outcomes.len()
    );
    for outcome in outcomes {
        let mutant = outcome.mutant;
        let source = mutant.source.unwrap_or("");
        let (told, failing) = (outcome.told().len(), outcome.bad.len());
        let _ = writeln!(
            table,
            "| {} | `{}` | {source} | {told} | {failing} |",
            mutant.name, mutant.breaks
        );
    }
    table.push('\n');
    table
}

/// The rows of a table without their numbers of cases: these change with every case that is added.
pub fn without_counts(table: &str) -> Vec<&str> {
    let rows = table.lines().filter(|line| line.starts_with('|'));
    rows.filter_map(|row| row.rsplitn(3, " | ").last()).collect()
}
