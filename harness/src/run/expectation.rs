//! The expectation file: what an implementation is known to get wrong, and why.
//!
//! ```toml
//! format = 1
//!
//! [[expect]]
//! case = "coerce/reference/*"
//! verdict = "fail"
//! reason = "follows no reference"
//! link = "https://github.com/owner/repo/issues/1"
//! ```
//!
//! An entry for one case comes before every glob; of several globs the first counts. `verdict = ["fail", "timeout"]` is for a case that takes about as long as an answer
//! may: either will do.

mod read;
mod update;

use std::collections::HashMap;
use std::fmt;

use globset::GlobMatcher;

use super::record::{CaseRecord, ExpectationFile, Record, Verdict};
use crate::case::{Corpus, did_you_mean};

/// What an implementation is known to get wrong.
#[derive(Debug, Clone)]
pub struct Expectations {
    file: String,
    text: String,
    entries: Vec<Entry>,
}

/// One `[[expect]]`.
#[derive(Debug, Clone)]
struct Entry {
    /// An id or a glob, as it was written.
    case: String,
    glob: GlobMatcher,
    is_exact: bool,
    verdicts: Verdicts,
    reason: String,
    /// The line that names the case, from 1.
    line: usize,
}

/// The verdicts that an entry takes: one, which is a bad one, or several, of which one is.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Verdicts(Vec<Verdict>);

impl Verdicts {
    fn contain(&self, verdict: Verdict) -> bool {
        self.0.contains(&verdict)
    }
}

impl fmt::Display for Verdicts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.0.iter().map(|verdict| verdict.name()).collect();
        f.write_str(&names.join(" or "))
    }
}

/// How an entry fares in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// It went as it says.
    Stands,
    /// What it speaks of was not run, or not all of it.
    Undecided,
    /// No case of the corpus is called so.
    Unmatched,
    /// What it speaks of comes out right by now.
    Stale,
    /// What it speaks of goes wrong in this other way.
    Otherwise(Verdict),
}

impl Expectations {
    /// Excuses the cases that went as they were expected to, and tells what is wrong with the entries. Whatever a filtered or interrupted run did not judge is left alone.
    pub fn apply(&self, record: &mut Record, corpus: &Corpus) {
        let matched = self.matches(record);
        for (case, at) in record.cases.iter_mut().zip(&matched) {
            let entry = at.map(|at| &self.entries[at]);
            case.expected_failure = entry
                .filter(|entry| case.verdict.is_bad() && entry.verdicts.contain(case.verdict))
                .map(|entry| entry.reason.clone());
        }
        let mut problems = Vec::new();
        for (at, entry) in self.entries.iter().enumerate() {
            let mine = cases_of(at, record, &matched);
            let place = format!("{}:{}", self.file, entry.line);
            let verdicts = &entry.verdicts;
            match (entry.standing(&mine, record, corpus), mine.as_slice()) {
                (Standing::Unmatched, _) => {
                    let ids = corpus.cases.iter().map(|case| case.id.as_str());
                    let help = did_you_mean(&entry.case, ids, "remove the entry");
                    problems.push(format!("{place}: no case is called `{}`; {help}", entry.case));
                }
                (Standing::Stale, [case]) if entry.is_exact => problems.push(format!(
                    "{place}: {}: expected {verdicts}, got {}; remove the entry",
                    case.id,
                    case.verdict.name()
                )),
                (Standing::Stale, _) => problems.push(format!(
                    "{place}: no case that `{}` matches has the verdict {verdicts} any more; remove the \
                     entry",
                    entry.case
                )),
                (Standing::Stands | Standing::Undecided | Standing::Otherwise(_), _) => {}
            }
            for case in mine.iter().filter(|case| entry.is_otherwise(case)) {
                problems.push(format!(
                    "{place}: {}: expected {verdicts}, got {}; look into it, then change the entry",
                    case.id,
                    case.verdict.name()
                ));
            }
        }
        record.expectation_problems = problems;
        record.expectations =
            Some(ExpectationFile { file: self.file.clone(), text: self.text.clone() });
    }

    /// The entry that speaks of each case of the record.
    fn matches(&self, record: &Record) -> Vec<Option<usize>> {
        let exact: HashMap<&str, usize> = (self.entries.iter().enumerate())
            .filter(|(_, entry)| entry.is_exact)
            .map(|(at, entry)| (entry.case.as_str(), at))
            .collect();
        let by_glob = |id: &str| self.entries.iter().position(|entry| entry.glob.is_match(id));
        let cases = record.cases.iter().map(|case| case.id.as_str());
        cases.map(|id| exact.get(id).copied().or_else(|| by_glob(id))).collect()
    }
}

impl Entry {
    /// How it fares, given the cases it speaks of and the whole record.
    fn standing(&self, mine: &[&CaseRecord], record: &Record, corpus: &Corpus) -> Standing {
        let mut covered = corpus.cases.iter().filter(|case| self.glob.is_match(&case.id));
        let was_judged = |id: &str| record.cases.iter().any(|case| case.id == id);
        if covered.clone().next().is_none() {
            Standing::Unmatched
        } else if mine.iter().any(|case| self.verdicts.contain(case.verdict)) {
            Standing::Stands
        } else if let Some(other) = mine.iter().find(|case| self.is_otherwise(case)) {
            Standing::Otherwise(other.verdict)
        } else if covered.all(|case| was_judged(&case.id)) {
            Standing::Stale
        } else {
            Standing::Undecided
        }
    }

    /// Whether the case goes wrong, but not as it was expected to.
    fn is_otherwise(&self, case: &CaseRecord) -> bool {
        case.verdict.is_bad() && !self.verdicts.contain(case.verdict)
    }
}

fn cases_of<'r>(
    entry: usize,
    record: &'r Record,
    matched: &[Option<usize>],
) -> Vec<&'r CaseRecord> {
    let cases = record.cases.iter().zip(matched);
    cases.filter(|(_, at)| **at == Some(entry)).map(|(case, _)| case).collect()
}
