//! Many reports in one table, in Markdown, with what nobody gets right and what each would have to mend first.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::case::{Corpus, Level};
use crate::report::escape;
use crate::report::json::{Case, Report};
use crate::report::markdown::{code, prose};
use crate::report::summary::{Tally, counted};
use crate::run::Verdict;

use super::alike::check;
use super::{MatrixError, Source};

const HEADER: [&str; 9] = [
    "implementation",
    "language",
    "as of",
    "must",
    "should",
    "policies",
    "laws broken",
    "crashed",
    "hung",
];
/// So many causes are told of each.
const CAUSES: usize = 3;
/// Texts are cut here.
const MOST: usize = 300;

/// The tables. The same reports give the same bytes, in whatever order they come.
///
/// # Errors
///
/// There is no report, or they cannot stand side by side.
pub fn table(sources: &[Source], corpus: &Corpus) -> Result<String, MatrixError> {
    let mut sources: Vec<&Source> = sources.iter().collect();
    sources.sort_by_cached_key(|source| {
        let about = &source.report.implementation;
        (about.name.clone(), about.version.clone())
    });
    check(&sources)?;
    let mut reports: Vec<&Report> = sources.iter().map(|source| &source.report).collect();
    // The sort is stable: equal ones stay in the order of their names.
    reports.sort_by_key(|report| Reverse(share(must(report))));
    let Some(first) = reports.first() else { return Err(MatrixError::NoReport) };
    let mut text = format!("Corpus {}.\n\n", first.corpus.version);
    text += &row(&HEADER.map(str::to_owned));
    text += &row(&HEADER.map(|_| "---".to_owned()));
    text.extend(reports.iter().map(|report| row(&cells(report))));
    text += "\n## What nobody gets right\n\n";
    text += &nobody(&reports, corpus);
    text += "\n## What each would have to mend first\n\n";
    text += "By how many *must* cases go wrong for one cause, as the list of what is known to go wrong has it.\n\n";
    text.extend(reports.iter().map(|report| causes(report)));
    Ok(text)
}

fn row(cells: &[String]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

fn cells(report: &Report) -> [String; HEADER.len()] {
    let about = &report.implementation;
    let summary = &report.summary;
    let tally = |level| of(report, level);
    let day = report.started.split('T').next().unwrap_or_default();
    let laws: Vec<String> =
        summary.laws.iter().map(|(law, cases)| format!("{} {cases}", code(law))).collect();
    let mixed = summary.policies.values().filter(|options| options.len() > 1).count();
    let policies = match (summary.policies.len(), mixed) {
        (all, 0) => all.to_string(),
        (all, mixed) => format!("{all}, {mixed} mixed"),
    };
    let verdicts =
        |verdict| summary.verdicts.get(&verdict).copied().unwrap_or_default().to_string();
    [
        name(report),
        prose(about.language.as_deref().unwrap_or_default()),
        prose(day),
        shown(tally(Level::Must)),
        shown(tally(Level::Should)),
        policies,
        laws.join(", "),
        verdicts(Verdict::Crash),
        verdicts(Verdict::Timeout),
    ]
}

/// Its name, which leads to where it lives, and its version.
fn name(report: &Report) -> String {
    let about = &report.implementation;
    let version = about.version.as_deref().unwrap_or("(no version)");
    let name = prose(&escape::line(&format!("{} {version}", about.name), MOST));
    let is_link = |homepage: &&str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-._~/:".contains(c);
        homepage.starts_with("https://") && homepage.chars().all(plain)
    };
    match about.homepage.as_deref().filter(is_link) {
        Some(homepage) => format!("[{name}]({homepage})"),
        None => name,
    }
}

fn must(report: &Report) -> Tally {
    of(report, Level::Must)
}

fn of(report: &Report, level: Level) -> Tally {
    let cases = report.cases.iter().filter(|case| case.level == level);
    let judged = cases.filter(|case| case.verdict != Verdict::Unsupported);
    let passed = judged.clone().filter(|case| case.verdict == Verdict::Pass).count();
    Tally { passed, judged: judged.count() }
}

/// In tenths of a per cent, rounded down, so that all of them is all.
fn share(tally: Tally) -> usize {
    (1000 * tally.passed).checked_div(tally.judged).unwrap_or_default()
}

fn shown(tally: Tally) -> String {
    if tally.judged == 0 {
        return "–".to_owned();
    }
    let share = share(tally);
    format!("{} of {}, {}.{} %", tally.passed, tally.judged, share / 10, share % 10)
}

/// The *must* cases that half of them or more were asked, and none answered rightly, by clause.
fn nobody(reports: &[&Report], corpus: &Corpus) -> String {
    let mut asked: HashMap<&str, (usize, bool)> = HashMap::new();
    for case in reports.iter().flat_map(|report| &report.cases) {
        if case.level == Level::Must && case.verdict != Verdict::Unsupported {
            let (count, is_right) = asked.entry(&case.id).or_default();
            *count += 1;
            *is_right |= case.verdict == Verdict::Pass;
        }
    }
    let mut by_clause: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for case in &corpus.cases {
        match asked.get(case.id.as_str()) {
            Some((count, false)) if 2 * count >= reports.len() => {
                by_clause.entry(&case.clause).or_default().push(&case.id);
            }
            _ => {}
        }
    }
    if by_clause.is_empty() {
        return "Each *must* case that half of them or more were asked has an implementation that answers it rightly.\n".to_owned();
    }
    let mut text = String::new();
    for (clause, cases) in by_clause {
        let cases: Vec<String> = cases.into_iter().map(code).collect();
        text += &["- ", &code(clause), ": ", &cases.join(", "), "\n"].concat();
    }
    text
}

/// The causes behind most of what goes wrong, in a line.
fn causes(report: &Report) -> String {
    let wrong = |case: &&Case| case.level == Level::Must && case.verdict.is_bad();
    let mut causes: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for case in report.cases.iter().filter(wrong) {
        let cause = match &case.expected_failure {
            Some(reason) => prose(&escape::line(reason, MOST)),
            None => format!("clause {}", code(&case.clause)),
        };
        causes.entry(cause).or_default().insert(&case.id);
    }
    let mut causes: Vec<(String, usize)> =
        causes.into_iter().map(|(cause, cases)| (cause, cases.len())).collect();
    causes.sort_by_key(|(_, cases)| Reverse(*cases));
    let told: Vec<String> = causes
        .iter()
        .take(CAUSES)
        .map(|(cause, cases)| format!("{cause} ({})", counted(*cases, "case")))
        .collect();
    let told = if told.is_empty() { "nothing".to_owned() } else { told.join("; ") };
    format!("- **{}**: {told}\n", name(report))
}
