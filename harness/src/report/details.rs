//! One case told in labelled lines: the part of a failure that is the same in every format made for reading.

use crate::run::{CaseRecord, Difference};

use super::escape;
use super::summary::counted;

/// The widest label is `arguments`.
const LABEL_WIDTH: usize = 9;
/// Differences beyond this many say nothing new.
const MOST_DIFFERENCES: usize = 10;
/// A stack trace's end tells what happened.
const MOST_STDERR_LINES: usize = 12;
/// A command is for pasting, so only an absurd one is cut.
const MOST_OF_COMMAND: usize = 4000;

/// A label and the lines that stand beside it, safe to show.
#[derive(Debug)]
pub(super) struct Detail {
    pub label: &'static str,
    pub lines: Vec<String>,
}

impl Detail {
    /// The lines, the first after its label and the others below.
    pub fn laid_out(&self) -> impl Iterator<Item = (String, &str)> {
        self.lines.iter().enumerate().map(|(at, line)| {
            let label = if at == 0 { self.label } else { "" };
            (format!("{label:LABEL_WIDTH$}"), line.as_str())
        })
    }
}

/// What was sent, expected and answered, where they differ, what else went wrong, and how to see it again. Values are cut after `most` characters.
pub(super) fn details(case: &CaseRecord, most: usize) -> Vec<Detail> {
    let mut details = Vec::new();
    let mut add = |label, lines: Vec<String>| {
        if !lines.is_empty() {
            details.push(Detail { label, lines });
        }
    };
    for (label, text) in &case.sent {
        add(label, vec![escape::json(text, most)]);
    }
    add("expected", expected(case, most));
    add("got", optional(case.actual.as_deref(), most));
    add("where", differences(case, most));
    add("message", optional(case.message.as_deref(), most));
    for breach in &case.laws {
        let message = escape::line(&breach.message, most);
        add("law", vec![format!("{}: {message}", escape::line(&breach.law, most))]);
    }
    add("stderr", escape::last_lines(&case.stderr, MOST_STDERR_LINES, most));
    add("again", vec![escape::line(&case.rerun, MOST_OF_COMMAND)]);
    details
}

/// A case told in full, as plain text, for whoever has no other place to tell it: what goes wrong for a user, then the details.
pub fn told(case: &CaseRecord) -> String {
    const MOST: usize = 400;
    let description = escape::line(&case.description, usize::MAX);
    format!("{description}\n{}", plain(&details(case, MOST)))
}

/// The same as plain text, a line each.
pub(super) fn plain(details: &[Detail]) -> String {
    let lines: Vec<String> = details
        .iter()
        .flat_map(Detail::laid_out)
        .map(|(label, line)| format!("{label}  {line}"))
        .collect();
    lines.join("\n")
}

/// What went wrong, in a few words: the first difference, the message, or the law that was broken.
pub fn gist(case: &CaseRecord, most: usize) -> String {
    if let Some(first) = case.differences.first() {
        return difference(first, most);
    }
    match (&case.message, case.laws.first()) {
        (Some(message), _) => escape::line(message, most),
        (None, Some(breach)) => {
            let message = escape::line(&breach.message, most);
            format!("{} broken: {message}", escape::line(&breach.law, most))
        }
        (None, None) => case.verdict.name().to_owned(),
    }
}

fn optional(text: Option<&str>, most: usize) -> Vec<String> {
    let shown = text.map(|text| escape::line(text, most));
    shown.into_iter().collect()
}

fn expected(case: &CaseRecord, most: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for (option, text) in &case.expected {
        let text = escape::json(text, most);
        lines.push(match option {
            Some(option) => format!("{}: {text}", escape::line(option, most)),
            None if lines.is_empty() => text,
            None => format!("or {text}"),
        });
    }
    lines
}

fn differences(case: &CaseRecord, most: usize) -> Vec<String> {
    let shown = case.differences.iter().take(MOST_DIFFERENCES);
    let mut lines: Vec<String> = shown.map(|one| difference(one, most)).collect();
    let left = case.differences.len() - lines.len();
    if left > 0 {
        lines.push(format!("… ({})", counted(left, "more difference")));
    }
    lines
}

fn difference(difference: &Difference, most: usize) -> String {
    let place = match difference.pointer.as_str() {
        "" => "the whole answer".to_owned(),
        pointer => escape::line(pointer, most),
    };
    let expected = escape::line(&difference.expected, most);
    let actual = escape::line(&difference.actual, most);
    format!("{place}: expected {expected}, got {actual}")
}
