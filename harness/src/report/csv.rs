//! The CSV report (RFC 4180): a row a case, for a spreadsheet or a data frame.
//!
//! The implementation stands in every row, so that the files of several can be put below each other. A spreadsheet computes what begins with `=`, `+`, `-` or `@`:
//! a text that does is given an apostrophe in front.

use ::csv::{Terminator, WriterBuilder};

use crate::run::{CaseRecord, Record};

use super::details::gist;
use super::escape;
use super::file::ReportError;
use super::summary::topic;

/// Spreadsheets hold 32,767 characters in a cell, of which hidden ones take several.
const MOST: usize = 3000;

const COLUMNS: [&str; 21] = [
    "implementation",
    "version",
    "language",
    "corpus",
    "id",
    "topic",
    "clause",
    "level",
    "verdict",
    "counts_against",
    "expected_failure",
    "policy",
    "option",
    "laws",
    "gist",
    "schema",
    "sent",
    "expected",
    "actual",
    "milliseconds",
    "rerun",
];

/// The report as CSV, with a header.
pub(super) fn write(record: &Record) -> Result<String, ReportError> {
    let mut table = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(Vec::new());
    let failed = |error: String| ReportError::Csv(error);
    table.write_record(COLUMNS).map_err(|error| failed(error.to_string()))?;
    for case in &record.cases {
        table.write_record(row(record, case)).map_err(|error| failed(error.to_string()))?;
    }
    let bytes = table.into_inner().map_err(|error| failed(error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| failed(error.to_string()))
}

fn row(record: &Record, case: &CaseRecord) -> [String; COLUMNS.len()] {
    let about = &record.implementation;
    let optional = |text: &Option<String>| cell(text.as_deref().unwrap_or_default());
    let laws: Vec<&str> = case.laws.iter().map(|breach| breach.law.as_str()).collect();
    let expected: Vec<&str> = case.expected.iter().map(|(_, value)| value.as_str()).collect();
    let sent = |is_wanted: fn(&str) -> bool| {
        let found = case.sent.iter().find(|(name, _)| is_wanted(name));
        found.map_or_else(String::new, |(_, text)| safe(escape::json(text, MOST)))
    };
    [
        cell(&about.name),
        optional(&about.version),
        optional(&about.language),
        cell(&record.corpus.version),
        cell(&case.id),
        cell(topic(&case.id)),
        cell(&case.clause),
        cell(case.level.name()),
        cell(case.verdict.name()),
        record.counts_against(case).to_string(),
        optional(&case.expected_failure),
        optional(&case.policy),
        optional(&case.option),
        cell(&laws.join(" ")),
        if case.verdict.is_bad() { safe(gist(case, MOST)) } else { String::new() },
        sent(|name| name == "schema"),
        sent(|name| name != "schema"),
        cell(&expected.join(" or ")),
        optional(&case.actual),
        format!("{:.3}", case.took.as_secs_f64() * 1000.0),
        cell(&case.rerun),
    ]
}

fn cell(text: &str) -> String {
    safe(escape::line(text, MOST))
}

fn safe(text: String) -> String {
    if text.starts_with(['=', '+', '-', '@']) { format!("'{text}") } else { text }
}
