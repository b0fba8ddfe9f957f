//! The JSON report, format version 1: everything a run found out, for programs.
//!
//! JSON carries any character, so nothing is spelled otherwise than it was; characters that a terminal would obey or a reader could not see are written as `\u` escapes.
//! `expected` and `actual` are JSON *texts* inside strings: they may be too deep or too exact for the JSON reader of whoever reads the report, and may be cut.

mod compact;
mod read;

pub use compact::{Compact, Outcome, Told};
pub use read::read;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::case::{Level, Place};
use crate::run::{CaseRecord, Chosen, ExpectationFile, Record, Verdict};

use super::escape::{cut, is_hidden};
use super::file::ReportError;
use super::summary::{self, AreaCounts, Summary};

/// The version that is written, and the only one that is read.
const FORMAT: u32 = 1;
/// Longer texts are cut, with a note of how much is missing.
const MOST_OF_TEXT: usize = 20_000;
/// The note of a cut is shorter than this.
const MOST_OF_NOTE: usize = 50;

/// A report as it stands in its file.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
pub struct Report {
    /// 1.
    pub format: u32,
    /// What judged.
    pub harness: Harness,
    /// What was run.
    pub corpus: Corpus,
    /// What was judged.
    pub implementation: Implementation,
    /// Which cases were chosen.
    pub chosen: Chosen,
    /// How it was called; empty for the reference.
    pub command: Vec<String>,
    /// When the run began, in RFC 3339, UTC.
    pub started: String,
    /// How long it took.
    pub duration_ms: u64,
    /// Whether a *should* counted as a *must*.
    pub strict: bool,
    /// Why the run ended before its end, if it did.
    pub cut_short: Option<String>,
    /// The counts.
    pub summary: Counts,
    /// What is worth telling but no case's fault.
    pub warnings: Vec<String>,
    /// The expectation file that was compared with, if there was one.
    pub expectations: Option<ExpectationFile>,
    /// What is wrong with the expectation file.
    pub expectation_problems: Vec<String>,
    /// What the cases came to, in a report that leaves out what the corpus says of them. One that was read has it no more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compact: Option<Compact>,
    /// The cases, in the order of the corpus.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cases: Vec<Case>,
}

/// The harness that wrote a report.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
pub struct Harness {
    /// `callfit`.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// The corpus that was run.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
pub struct Corpus {
    /// Its version.
    pub version: String,
    /// SHA-256 over the selected cases, in hexadecimal.
    pub digest: String,
}

/// What the implementation said of itself.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
pub struct Implementation {
    /// Its name.
    pub name: String,
    /// Its version, if it says one.
    pub version: Option<String>,
    /// The language it is written in, if it says one.
    pub language: Option<String>,
    /// Where it lives, if it says so.
    pub homepage: Option<String>,
    /// What it can be asked.
    pub methods: Vec<String>,
    /// What else it does.
    pub features: Vec<String>,
}

/// The counts of a run.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
pub struct Counts {
    /// Whether every case that counts came out right (or as expected), in a run that reached its end.
    pub conformant: bool,
    /// How many cases were judged: all but the unsupported.
    pub judged: usize,
    /// How many cases have each verdict.
    pub verdicts: BTreeMap<Verdict, usize>,
    /// How many cases count against the implementation.
    pub failures: usize,
    /// How many *should* cases went wrong without counting.
    pub should_misses: usize,
    /// How many cases went wrong as the expectation file says.
    pub expected_failures: usize,
    /// By area and level.
    pub areas: BTreeMap<String, AreaCounts>,
    /// How many cases broke each law.
    pub laws: BTreeMap<String, usize>,
    /// How many cases chose each option of each policy.
    pub policies: BTreeMap<String, BTreeMap<String, usize>>,
    /// How many cases each method or feature was missing for.
    pub unsupported: BTreeMap<String, usize>,
}

/// What became of one case.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
pub struct Case {
    /// Its id.
    pub id: String,
    /// Where it stands.
    pub place: Place,
    /// What became of it.
    pub verdict: Verdict,
    /// How much it counts.
    pub level: Level,
    /// The clause it cites.
    pub clause: String,
    /// The policy it shows, if it shows one.
    pub policy: Option<String>,
    /// The option that was chosen.
    pub option: Option<String>,
    /// The laws that were found broken.
    pub laws: Vec<Breach>,
    /// What was wrong, in one line.
    pub message: Option<String>,
    /// What goes wrong for a user when it fails.
    pub description: String,
    /// What was sent: JSON texts by their names on the wire.
    pub sent: BTreeMap<String, String>,
    /// The right answers.
    pub expected: Vec<Expected>,
    /// The answer, if there was one: a JSON text.
    pub actual: Option<String>,
    /// Where the answer differs from the nearest right one.
    pub differences: Vec<Difference>,
    /// The end of what was written to stderr meanwhile.
    pub stderr: String,
    /// How long the answer took.
    pub duration_us: u64,
    /// The command that runs this one case again.
    pub rerun: String,
    /// The reason in the expectation file, if the case went as it says.
    pub expected_failure: Option<String>,
}

/// A law found broken.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
pub struct Breach {
    /// The law's clause.
    pub law: String,
    /// What was seen.
    pub message: String,
}

/// A right answer.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
pub struct Expected {
    /// The option it stands for, in a policy case.
    pub option: Option<String>,
    /// The answer: a JSON text.
    pub value: String,
}

/// One place where an answer differs from the right one.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
pub struct Difference {
    /// An RFC 6901 pointer; empty is the whole answer.
    pub pointer: String,
    /// What belongs there, with its type.
    pub expected: String,
    /// What was there, with its type.
    pub actual: String,
}

impl Report {
    /// The report of a run.
    pub fn of(record: &Record) -> Self {
        let about = &record.implementation;
        Self {
            format: FORMAT,
            harness: Harness {
                name: "callfit".to_owned(),
                version: record.harness_version.clone(),
            },
            corpus: Corpus {
                version: record.corpus.version.clone(),
                digest: record.corpus.digest.clone(),
            },
            implementation: Implementation {
                name: text(&about.name),
                version: about.version.as_deref().map(text),
                language: about.language.as_deref().map(text),
                homepage: about.homepage.as_deref().map(text),
                methods: about.methods.iter().map(ToString::to_string).collect(),
                features: texts(&about.features),
            },
            chosen: record.chosen.clone(),
            command: record.command.clone(),
            started: record.started.clone(),
            duration_ms: u64::try_from(record.duration.as_millis()).unwrap_or(u64::MAX),
            strict: record.strict,
            cut_short: record.cut_short.as_deref().map(text),
            summary: Counts::of(record),
            warnings: texts(&record.warnings),
            expectations: record.expectations.clone(),
            expectation_problems: texts(&record.expectation_problems),
            compact: None,
            cases: record.cases.iter().map(Case::of).collect(),
        }
    }

    /// The report as it stands in its file.
    pub fn write(&self) -> Result<String, ReportError> {
        let text = serde_json::to_string_pretty(self).map_err(ReportError::Json)?;
        Ok(spell_out_hidden(&text) + "\n")
    }
}

impl Counts {
    fn of(record: &Record) -> Self {
        let summary = Summary::of(record);
        let owned = |counts: &BTreeMap<&str, usize>| -> BTreeMap<String, usize> {
            let counts = counts.iter();
            counts.map(|(name, n)| ((*name).to_owned(), *n)).collect()
        };
        let areas = summary.areas.iter();
        let policies = summary.choices.iter();
        Self {
            conformant: summary.outcome == summary::Outcome::Conformant,
            judged: record.judged(),
            verdicts: Verdict::ALL.map(|one| (one, record.count(one))).into(),
            failures: summary.failures.len(),
            should_misses: summary.misses.len(),
            expected_failures: summary.as_expected.len(),
            areas: areas.map(|(name, counts)| ((*name).to_owned(), *counts)).collect(),
            laws: owned(&summary.laws),
            policies: policies
                .map(|(policy, options)| ((*policy).to_owned(), owned(options)))
                .collect(),
            unsupported: summary.unsupported,
        }
    }
}

impl Case {
    fn of(case: &CaseRecord) -> Self {
        let sent = case.sent.iter();
        let expected = case.expected.iter();
        let differences = case.differences.iter();
        Self {
            id: case.id.clone(),
            place: case.place.clone(),
            verdict: case.verdict,
            level: case.level,
            clause: case.clause.clone(),
            policy: case.policy.clone(),
            option: case.option.clone(),
            laws: case.laws.iter().map(Breach::of).collect(),
            message: case.message.as_deref().map(text),
            description: case.description.clone(),
            sent: sent.map(|(name, json)| ((*name).to_owned(), text(json))).collect(),
            expected: expected
                .map(|(option, json)| Expected { option: option.clone(), value: text(json) })
                .collect(),
            actual: case.actual.as_deref().map(text),
            differences: differences
                .map(|difference| Difference {
                    pointer: text(&difference.pointer),
                    expected: text(&difference.expected),
                    actual: text(&difference.actual),
                })
                .collect(),
            stderr: text(&case.stderr),
            duration_us: micros(case.took),
            rerun: case.rerun.clone(),
            expected_failure: case.expected_failure.clone(),
        }
    }
}

impl Breach {
    fn of(breach: &crate::run::LawBreach) -> Self {
        Self { law: breach.law.clone(), message: text(&breach.message) }
    }
}

/// The text, cut. What is longer by no more than the note of a cut is left whole, so that a report that is read and written again stays as it is.
fn text(text: &str) -> String {
    if text.len() <= MOST_OF_TEXT || text.chars().count() <= MOST_OF_TEXT + MOST_OF_NOTE {
        return text.to_owned();
    }
    cut(text, MOST_OF_TEXT)
}

fn texts(texts: &[String]) -> Vec<String> {
    texts.iter().map(|one| text(one)).collect()
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// Hidden characters other than line breaks stand only inside strings, where an escape means the same.
pub(super) fn spell_out_hidden(json: &str) -> String {
    let mut spelled = String::with_capacity(json.len());
    for c in json.chars() {
        if c == '\n' || !is_hidden(c) {
            spelled.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            // Writing to a string does not fail.
            let _ = write!(spelled, "\\u{unit:04x}");
        }
    }
    spelled
}
