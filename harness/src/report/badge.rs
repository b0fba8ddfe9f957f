//! The badge of a report, in the format that shields.io reads from an endpoint.

use serde_json::json;

use crate::run::Record;

use super::file::ReportError;
use super::summary::{Summary, Tally};

/// The badge as JSON.
///
/// A percentage is rounded down, so that 100 % is all of them; a known failure is a failure here; and a run of some of the cases says so. The color goes by the *must* cases alone,
/// but for the brightest green, which takes every *should* too.
pub fn badge(record: &Record) -> Result<String, ReportError> {
    let summary = Summary::of(record);
    let total = summary.total();
    let mut parts = Vec::new();
    for (name, tally) in [("must", total.must), ("should", total.should)] {
        parts.extend(percent(tally).map(|percent| format!("{name} {percent} %")));
    }
    let must = percent(total.must);
    let (message, color) = if record.cut_short.is_some() {
        ("run cut short".to_owned(), "lightgrey")
    } else if parts.is_empty() {
        ("nothing judged".to_owned(), "lightgrey")
    } else {
        (parts.join(", "), color(must, percent(total.should)))
    };
    let is_part = record.chosen != crate::run::Chosen::default();
    let label = if is_part { "callfit (some cases)" } else { "callfit" };
    let badge = json!({ "schemaVersion": 1, "label": label, "message": message, "color": color });
    let text = serde_json::to_string_pretty(&badge).map_err(ReportError::Json)?;
    Ok(text + "\n")
}

fn percent(tally: Tally) -> Option<usize> {
    (100 * tally.passed).checked_div(tally.judged)
}

fn color(must: Option<usize>, should: Option<usize>) -> &'static str {
    match (must, should.unwrap_or(100)) {
        (None, _) => "lightgrey",
        (Some(100), 100) => "brightgreen",
        (Some(100), _) => "green",
        (Some(95..), _) => "yellow",
        (Some(80..), _) => "orange",
        (Some(_), _) => "red",
    }
}
