//! What changed between two reports.

use std::collections::BTreeMap;

use crate::run::Verdict;

use super::escape;
use super::json::{Case, Report};
use super::summary::counted;

/// Names are cut here.
const MOST: usize = 200;

/// Says which cases changed their verdict or option from `old` to `new`, and which are new or gone; it ends with a line break.
pub fn diff(old: &Report, new: &Report) -> String {
    let mut lines =
        vec![format!("old: {}", heading(old)), format!("new: {}", heading(new)), String::new()];
    let changes = Changes::between(old, new);
    let unchanged = counted(changes.unchanged, "case");
    for (name, group) in changes.groups() {
        if !group.is_empty() {
            lines.push(format!("{name} ({})", group.len()));
            lines.extend(group.iter().map(|change| format!("  {change}")));
            lines.push(String::new());
        }
    }
    lines.push(format!("{unchanged} unchanged"));
    lines.join("\n") + "\n"
}

#[derive(Default)]
struct Changes {
    worse: Vec<String>,
    better: Vec<String>,
    other: Vec<String>,
    new: Vec<String>,
    gone: Vec<String>,
    unchanged: usize,
}

impl Changes {
    fn between(old: &Report, new: &Report) -> Self {
        let mut changes = Self::default();
        let mut before = by_id(old);
        for case in &new.cases {
            let id = escape::line(&case.id, MOST);
            let after = state(case);
            let Some(earlier) = before.remove(case.id.as_str()) else {
                changes.new.push(format!("{id}  {after}"));
                continue;
            };
            if (earlier.verdict, &earlier.option) == (case.verdict, &case.option) {
                changes.unchanged += 1;
                continue;
            }
            let passed = |case: &Case| case.verdict == Verdict::Pass;
            let group = match (passed(earlier), passed(case)) {
                (true, false) => &mut changes.worse,
                (false, true) => &mut changes.better,
                _ => &mut changes.other,
            };
            group.push(format!("{id}  {} -> {after}", state(earlier)));
        }
        let is_gone = |case: &&Case| before.contains_key(case.id.as_str());
        for case in old.cases.iter().filter(is_gone) {
            let id = escape::line(&case.id, MOST);
            changes.gone.push(format!("{id}  {}", state(case)));
        }
        changes
    }

    fn groups(self) -> [(&'static str, Vec<String>); 5] {
        [
            ("worse", self.worse),
            ("better", self.better),
            ("changed", self.other),
            ("new", self.new),
            ("gone", self.gone),
        ]
    }
}

fn by_id(report: &Report) -> BTreeMap<&str, &Case> {
    let cases = report.cases.iter();
    cases.map(|case| (case.id.as_str(), case)).collect()
}

fn heading(report: &Report) -> String {
    let about = &report.implementation;
    let name = escape::line(&about.name, MOST);
    let version = about.version.as_deref().unwrap_or("(no version)");
    let version = escape::line(version, MOST);
    let corpus = escape::line(&report.corpus.version, MOST);
    let started = escape::line(&report.started, MOST);
    format!("{name} {version}, corpus {corpus}, {started}")
}

fn state(case: &Case) -> String {
    match &case.option {
        Some(option) => format!("{} ({})", case.verdict.name(), escape::line(option, MOST)),
        None => case.verdict.name().to_owned(),
    }
}
