//! The TAP 14 report: a test point a case, with what went wrong as YAML below it.
//!
//! As in the other formats for CI, only what counts against the implementation is a failure: a missed *should* and an expected failure are TODO, which no consumer counts, and what
//! is wrong with the run itself is a test point of its own.

use crate::run::{CaseRecord, Record, Verdict};

use super::details::{Detail, details, gist};
use super::escape;
use super::summary::missing;

/// A test point is a line.
const MOST_OF_LINE: usize = 300;
/// Values are cut here.
const MOST_OF_VALUE: usize = 2000;

/// The report as TAP.
pub(super) fn write(record: &Record) -> String {
    let mut points: Vec<Point> = record.cases.iter().map(|case| point(record, case)).collect();
    if let [_, ..] = record.expectation_problems.as_slice() {
        let problems = record.expectation_problems.iter();
        let problems = problems.map(|problem| escape::line(problem, MOST_OF_VALUE)).collect();
        let block = block(&[Detail { label: "problems", lines: problems }]);
        points.push(Point { passed: false, title: "callfit/run/expectations".to_owned(), block });
    }
    let mut text = format!("TAP version 14\n1..{}\n", points.len());
    let about = &record.implementation;
    let names = [Some(&about.name), about.version.as_ref(), about.language.as_ref()];
    for name in names.into_iter().flatten() {
        text += &comment(name);
    }
    text.extend(points.iter().enumerate().map(|(at, Point { passed, title, block })| {
        let ok = if *passed { "ok" } else { "not ok" };
        format!("{ok} {} - {title}\n{block}", at + 1)
    }));
    text.extend(record.warnings.iter().map(|warning| comment(&format!("warning: {warning}"))));
    let bail_out = |why: &String| format!("Bail out! {}\n", escape::line(why, MOST_OF_LINE));
    text.extend(record.cut_short.iter().map(bail_out));
    text
}

/// A test point: whether it passed, what it is called with its directive, and the lines below it.
struct Point {
    passed: bool,
    title: String,
    block: String,
}

fn point(record: &Record, case: &CaseRecord) -> Point {
    let id = plain(&case.id);
    let told = || plain(&gist(case, MOST_OF_LINE));
    let directive = if case.verdict == Verdict::Pass {
        return Point { passed: true, title: id, block: String::new() };
    } else if case.verdict == Verdict::Unsupported {
        let missing = plain(&missing(&record.implementation, case));
        let title = format!("{id} # SKIP not offered: {missing}");
        return Point { passed: true, title, block: String::new() };
    } else if let Some(reason) = &case.expected_failure {
        format!(" # TODO expected failure ({}): {}", plain(reason), told())
    } else if !record.counts_against(case) {
        format!(" # TODO a should-case, a warning only: {}", told())
    } else {
        String::new()
    };
    Point { passed: false, title: id + &directive, block: block(&facts(case)) }
}

fn facts(case: &CaseRecord) -> Vec<Detail> {
    let fact = |label, text: &str| Detail { label, lines: vec![escape::line(text, MOST_OF_VALUE)] };
    let mut facts = vec![
        fact("verdict", case.verdict.name()),
        fact("level", case.level.name()),
        fact("clause", &case.clause),
        fact("why", &case.description),
        fact("at", &format!("{}:{}", case.place.file, case.place.line)),
    ];
    facts.extend(details(case, MOST_OF_VALUE));
    facts
}

/// A YAML block of double-quoted texts; several `law`s become a list.
fn block(facts: &[Detail]) -> String {
    let members = facts.chunk_by(|one, next| one.label == next.label).map(|same| {
        let label = same[0].label;
        let lines: Vec<&String> = same.iter().flat_map(|fact| &fact.lines).collect();
        match lines.as_slice() {
            [line] => format!("  {label}: {}\n", quoted(line)),
            several => {
                let items = several.iter().map(|line| format!("    - {}\n", quoted(line)));
                format!("  {label}:\n{}", items.collect::<String>())
            }
        }
    });
    format!("  ---\n{}  ...\n", members.collect::<String>())
}

/// What is quoted has no hidden character, so these two are all that could end it or be read otherwise.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A text in a test point's line, where `#` begins a directive.
fn plain(text: &str) -> String {
    escape::line(text, MOST_OF_LINE).replace('\\', "\\\\").replace('#', "\\#")
}

fn comment(text: &str) -> String {
    format!("# {}\n", escape::line(text, MOST_OF_LINE))
}
