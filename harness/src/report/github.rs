//! Annotations for GitHub Actions: what counts against the implementation as errors, a missed *should* as a warning.
//!
//! The runner reads its commands from the log of a step, a line each. So what an implementation wrote stands only where it can neither end a command nor begin one.

use crate::digest::hex;
use crate::run::{CaseRecord, Record};

use super::details::gist;
use super::escape;
use super::summary::{Summary, counted};

/// GitHub shows so many annotations of a level for a step, and drops the rest without a word.
const MOST_OF_LEVEL: usize = 10;
/// An annotation is a box beside the code.
const MOST_OF_TEXT: usize = 500;
/// A command is for pasting, so only an absurd one is cut.
const MOST_OF_COMMAND: usize = 4000;

/// The annotations, a line each.
pub(super) fn write(record: &Record) -> String {
    let summary = Summary::of(record);
    let cut_short = record.cut_short.iter().map(|why| about_run("error", "cut short", why));
    let problems = record.expectation_problems.iter();
    let problems = problems.map(|problem| about_run("error", "expectation file", problem));
    let failures = summary.failures.iter().map(|case| about_case("error", case));
    let errors: Vec<String> = cut_short.chain(problems).chain(failures).collect();
    let misses = summary.misses.iter().map(|case| about_case("warning", case));
    let warnings = record.warnings.iter().map(|warning| about_run("warning", "run", warning));
    let warnings: Vec<String> = warnings.chain(misses).collect();
    let mut lines = Vec::new();
    let mut left = Vec::new();
    for (all, noun) in [(errors, "more error"), (warnings, "more warning")] {
        let rest = all.len().saturating_sub(MOST_OF_LEVEL);
        left.extend((rest > 0).then(|| counted(rest, noun)));
        lines.extend(all.into_iter().take(MOST_OF_LEVEL));
    }
    if !left.is_empty() {
        let left = format!("{} not shown here: the report has all", left.join(" and "));
        lines.push(command("notice", &[("title", "callfit")], &left));
    }
    lines.push(command("notice", &[("title", "callfit")], &summary.conclusion(record)));
    lines.join("\n") + "\n"
}

/// A text that is printed where GitHub's runner reads commands, between two that keep it from obeying what an implementation wrote in it.
pub fn shielded(text: &str) -> String {
    // No text holds its own digest, so none can end this before its end.
    let token = hex([text]);
    format!("::stop-commands::{token}\n{text}::{token}::\n")
}

fn about_run(level: &str, title: &str, text: &str) -> String {
    let text = escape::line(text, MOST_OF_TEXT);
    command(level, &[("title", &format!("callfit: {title}"))], &text)
}

fn about_case(level: &str, case: &CaseRecord) -> String {
    let id = escape::line(&case.id, MOST_OF_TEXT);
    let title = format!("{id} ({}, {})", case.level.name(), case.verdict.name());
    let line = case.place.line.to_string();
    let file = escape::line(&case.place.file, MOST_OF_TEXT);
    let mut properties = vec![("title", title.as_str())];
    // A case that came along is in no file of the repository that is being checked.
    if !case.place.bundled {
        properties.extend([("file", file.as_str()), ("line", line.as_str())]);
    }
    let clause = escape::line(&case.clause, MOST_OF_TEXT);
    let text = [
        gist(case, MOST_OF_TEXT),
        format!("{} (SPEC.md#{clause})", escape::line(&case.description, MOST_OF_TEXT)),
        format!("again: {}", escape::line(&case.rerun, MOST_OF_COMMAND)),
    ];
    command(level, &properties, &text.join("\n"))
}

/// One command; what it says may have several lines.
fn command(name: &str, properties: &[(&str, &str)], text: &str) -> String {
    let properties: Vec<String> = properties
        .iter()
        .map(|(name, value)| {
            let value = data(value).replace(':', "%3A").replace(',', "%2C");
            format!("{name}={value}")
        })
        .collect();
    format!("::{name} {}::{}", properties.join(","), data(text))
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}
