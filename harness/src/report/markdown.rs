//! The Markdown report, fit for a CI step summary or a comment.
//!
//! What an implementation wrote stands in one of two places only: inside a `<code>` element in which every character that Markdown or HTML could read as markup is a
//! character reference, or in a fenced block whose fence is longer than any run of backticks inside. So nothing it writes can end the place it stands in.

use crate::run::{CaseRecord, Record};

use super::details::{details, gist, plain};
use super::escape;
use super::summary::{Outcome, Summary, Titles, by_clause, choice, counted};

/// GitHub refuses a step summary beyond 1 MiB; this leaves room for what else a job writes.
const MOST_OF_REPORT: usize = 1_000_000;
/// Names and one-line messages are cut here.
const MOST_OF_NAME: usize = 200;
/// Values are cut here.
const MOST_OF_VALUE: usize = 1000;
/// Lists of warnings and problems are cut here.
const MOST_OF_NOTICES: usize = 50;

/// The report as Markdown.
pub(super) fn write(record: &Record, titles: &Titles) -> String {
    let summary = Summary::of(record);
    let head = [head(record, &summary), table(&summary), notices(record)].concat();
    let tail = [choices(&summary, titles), unsupported(&summary)].concat();
    let mut room = MOST_OF_REPORT.saturating_sub(head.len() + tail.len());
    let failures = cases("Failures", &summary.failures, titles, &mut room);
    let misses = cases("Warnings: should-cases missed", &summary.misses, titles, &mut room);
    [head, failures, misses, tail].concat()
}

fn head(record: &Record, summary: &Summary<'_>) -> String {
    let about = &record.implementation;
    let mut name = code(&about.name);
    for part in [&about.version, &about.language].into_iter().flatten() {
        name = format!("{name} {}", code(part));
    }
    let mark = match summary.outcome {
        Outcome::Conformant => "✅",
        Outcome::NotConformant => "❌",
        Outcome::Undecided => "⚠️",
    };
    format!(
        "## {mark} callfit: {name}\n\n**{}**\n\ncallfit {}, corpus {}, {}, {:.1} s\n\n",
        summary.conclusion(record),
        code(&record.harness_version),
        code(&record.corpus.version),
        code(&record.started),
        record.duration.as_secs_f64()
    )
}

fn table(summary: &Summary<'_>) -> String {
    let mut lines = Vec::new();
    for (at, row) in summary.table().iter().enumerate() {
        let counts = row[1..].join(" | ");
        if at == 0 {
            lines.push(format!("| {} | {counts} |", row[0]));
            lines.push("| --- | ---: | ---: | ---: | ---: |".to_owned());
        } else {
            lines.push(format!("| {} | {counts} |", code(&row[0])));
        }
    }
    let verdicts = summary.verdicts.iter();
    let verdicts: Vec<String> =
        verdicts.map(|(verdict, count)| format!("{count} {}", verdict.name())).collect();
    lines.push(format!("\nVerdicts: {}\n\n", verdicts.join(", ")));
    let laws = summary.laws.iter();
    let laws = laws.map(|(law, count)| format!("{}: {}", code(law), counted(*count, "case")));
    lines.join("\n") + &section("Laws broken", laws)
}

/// What is no case's fault.
fn notices(record: &Record) -> String {
    let cut_short = record.cut_short.iter().map(|why| code(why));
    let warnings = record.warnings.iter().map(|warning| code(warning));
    let problems = record.expectation_problems.iter();
    [
        section("Cut short", cut_short),
        section("Problems with the expectation file", problems.map(|one| code(one))),
        section("Warnings", warnings),
    ]
    .concat()
}

/// The cases by clause, as many as there is room for.
fn cases(heading: &str, cases: &[&CaseRecord], titles: &Titles, room: &mut usize) -> String {
    if cases.is_empty() {
        return String::new();
    }
    let mut text = format!("### {heading} ({})\n\n", cases.len());
    let mut shown = 0;
    for (clause, group) in by_clause(cases) {
        let mut part = clause_heading(clause, titles);
        for case in group {
            part += &one_case(case);
            if part.len() > *room {
                *room = 0;
                break;
            }
            *room -= part.len();
            text += &std::mem::take(&mut part);
            shown += 1;
        }
    }
    match cases.len() - shown {
        0 => text,
        left => {
            let left = counted(left, "more case");
            format!(
                "{text}… and {left}, left out to keep this page small; `--report FILE.json` has all.\n\n"
            )
        }
    }
}

fn clause_heading(clause: &str, titles: &Titles) -> String {
    match titles.clauses.get(clause) {
        Some(title) => format!("#### {} {}\n\n", code(clause), prose(title)),
        None => format!("#### {}\n\n", code(clause)),
    }
}

fn one_case(case: &CaseRecord) -> String {
    let gist = match gist(case, MOST_OF_NAME) {
        gist if gist == case.verdict.name() => String::new(),
        gist => format!(": {}", code(&gist)),
    };
    format!(
        "<details><summary>{} {}, {}{gist}</summary>\n\nWhy it matters: {}\n\n{}\n</details>\n\n",
        code(&case.id),
        case.level.name(),
        case.verdict.name(),
        prose(&case.description),
        fence(&plain(&details(case, MOST_OF_VALUE)))
    )
}

fn choices(summary: &Summary<'_>, titles: &Titles) -> String {
    if summary.choices.is_empty() {
        return String::new();
    }
    let mut lines = vec![
        "### Policy choices\n".to_owned(),
        "| policy | choice | question |".to_owned(),
        "| --- | --- | --- |".to_owned(),
    ];
    for (policy, options) in &summary.choices {
        let question = titles.policies.get(*policy).map(|question| prose(question));
        let (policy, choice) = (code(policy), code(&choice(options)));
        let question = question.unwrap_or_default();
        lines.push(format!("| {policy} | {choice} | {question} |"));
    }
    lines.join("\n") + "\n\n"
}

fn unsupported(summary: &Summary<'_>) -> String {
    let missing = summary.unsupported.iter();
    let missing = missing.map(|(what, count)| format!("{what}: {}", counted(*count, "case")));
    section("Unsupported", missing)
}

fn section(heading: &str, items: impl ExactSizeIterator<Item = String>) -> String {
    let count = items.len();
    if count == 0 {
        return String::new();
    }
    let mut lines = vec![format!("### {heading}\n")];
    let shown = items.take(MOST_OF_NOTICES);
    lines.extend(shown.map(|item| format!("- {item}")));
    if count > MOST_OF_NOTICES {
        lines.push(format!("- … and {} more", count - MOST_OF_NOTICES));
    }
    lines.join("\n") + "\n\n"
}

/// A text as inline code that nothing in it can end, in prose, in a table and in HTML alike.
pub(super) fn code(text: &str) -> String {
    format!("<code>{}</code>", prose(&escape::line(text, MOST_OF_NAME)))
}

/// A text inside a line, in which nothing is markup.
pub(super) fn prose(text: &str) -> String {
    let mut shown = String::new();
    for c in escape::line(text, MOST_OF_VALUE).chars() {
        match c {
            '&' | '<' | '>' | '`' | '*' | '_' | '[' | ']' | '~' | '^' | '=' | '|' | '\\' | ':'
            | '@' | '$' => {
                shown += "&#";
                shown += &u32::from(c).to_string();
                shown.push(';');
            }
            c => shown.push(c),
        }
    }
    shown
}

/// Lines in a fence that none of them can close.
fn fence(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(3.max(longest + 1));
    format!("{fence}text\n{text}\n{fence}\n")
}

#[cfg(test)]
mod tests {
    use pulldown_cmark::{Event, Parser};

    use super::*;

    #[test]
    fn no_line_closes_its_fence() {
        for text in ["```", "````\n# x", "`\n```\n``\n``````\n</details>", "~~~\n~~~"] {
            let fenced = fence(text);
            let events: Vec<Event<'_>> = Parser::new(&fenced).collect();
            let inside = &events[1..events.len() - 1];
            let is_text = |event: &Event<'_>| matches!(event, Event::Text(_));
            assert!(inside.iter().all(is_text), "{text:?}: {events:?}");
        }
    }
}
