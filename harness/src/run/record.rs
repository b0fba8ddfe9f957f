//! What a run found out: the one model every report is made of.

use std::collections::HashMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::case::{Area, Case, Corpus, Expect, Level, Place, Text};
use crate::implementation::About;
use crate::judge::shortened;

/// Schemas, arguments and answers are told up to so many characters.
pub(super) const LONGEST: usize = 4_000;

/// A whole run.
#[derive(Debug, Clone)]
pub struct Record {
    /// The version of this harness.
    pub harness_version: String,
    /// The version of the corpus and the digest of the cases selected.
    pub corpus: CorpusLabel,
    /// Which cases were chosen.
    pub chosen: Chosen,
    /// What the implementation said of itself.
    pub implementation: About,
    /// How it was called: an adapter's name, or the command and its arguments; empty for the reference.
    pub command: Vec<String>,
    /// When the run began, in RFC 3339, UTC.
    pub started: String,
    /// How long it took.
    pub duration: Duration,
    /// The judged cases, in the order of the corpus.
    pub cases: Vec<CaseRecord>,
    /// Why the run ended before its end, if it did.
    pub cut_short: Option<String>,
    /// What is worth telling but no case's fault.
    pub warnings: Vec<String>,
    /// Whether a *should* counts as a *must* (`--strict`).
    pub strict: bool,
    /// The expectation file that was compared with, if there was one.
    pub expectations: Option<ExpectationFile>,
    /// What is wrong with the expectation file: stale entries, entries that match nothing.
    pub expectation_problems: Vec<String>,
}

/// Which corpus was run.
#[derive(Debug, Clone)]
pub struct CorpusLabel {
    /// Its version, `2026.1`.
    pub version: String,
    /// SHA-256 over the selected cases, in hexadecimal.
    pub digest: String,
}

/// Which cases a run was to take, as its options said.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Chosen {
    /// The globs of which one has to match; none stands for all cases.
    pub filters: Vec<String>,
    /// The globs of which none may match.
    pub excludes: Vec<String>,
    /// Of these the shard, `2/4`, if the run was one of several.
    pub shard: Option<String>,
}

/// An expectation file as it was when it was compared with.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct ExpectationFile {
    /// Where it stood.
    pub file: String,
    /// What it said.
    pub text: String,
}

/// What became of one case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// An allowed answer.
    Pass,
    /// Another answer, or a law broken.
    Fail,
    /// Refused, where the right answer would validate.
    Refused,
    /// Another error answer, or no valid message.
    Error,
    /// The program ended while it owed the answer.
    Crash,
    /// No answer in time.
    Timeout,
    /// Not offered.
    Unsupported,
}

impl Verdict {
    /// Every verdict, best first.
    pub const ALL: [Self; 7] = [
        Self::Pass,
        Self::Fail,
        Self::Refused,
        Self::Error,
        Self::Crash,
        Self::Timeout,
        Self::Unsupported,
    ];

    /// Its name in reports and expectation files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Refused => "refused",
            Self::Error => "error",
            Self::Crash => "crash",
            Self::Timeout => "timeout",
            Self::Unsupported => "unsupported",
        }
    }

    /// The verdict with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verdict| verdict.name() == name)
    }

    /// Whether it tells against the implementation.
    pub fn is_bad(self) -> bool {
        !matches!(self, Self::Pass | Self::Unsupported)
    }
}

/// One judged case.
#[derive(Debug, Clone)]
pub struct CaseRecord {
    /// The case's id.
    pub id: String,
    /// What goes wrong for a user when it fails.
    pub description: String,
    /// Where it stands.
    pub place: Place,
    /// The clause of SPEC.md it cites.
    pub clause: String,
    /// How much it counts.
    pub level: Level,
    /// The policy it shows, if it shows one.
    pub policy: Option<String>,
    /// The option that was chosen, for a policy case that passed.
    pub option: Option<String>,
    /// What became of it.
    pub verdict: Verdict,
    /// The laws that were found broken, beside or apart from the expected value.
    pub laws: Vec<LawBreach>,
    /// What was wrong, in one line: a refusal's or error's message, how it crashed.
    pub message: Option<String>,
    /// What was sent: the schema, and the arguments or the node. JSON text, shortened where it is long.
    pub sent: Vec<(&'static str, String)>,
    /// The right answers, each with its option for a policy case. JSON text, shortened where it is long.
    pub expected: Vec<(Option<String>, String)>,
    /// The answer, if there was one. JSON text, shortened where it is long.
    pub actual: Option<String>,
    /// Where the answer differs from the nearest right one.
    pub differences: Vec<Difference>,
    /// The end of what the program wrote to stderr meanwhile.
    pub stderr: String,
    /// How long the answer took.
    pub took: Duration,
    /// The command that runs this one case again.
    pub rerun: String,
    /// What the expectation file says of it, if it says something: the reason. The case is as expected.
    pub expected_failure: Option<String>,
}

/// A law found broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LawBreach {
    /// The law's clause: `idempotent`.
    pub law: String,
    /// What was seen, in a line.
    pub message: String,
}

/// One place where an answer differs from the right one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Where: an RFC 6901 pointer; empty is the whole answer.
    pub pointer: String,
    /// What belongs there, with its type (`integer 5`), or `nothing`.
    pub expected: String,
    /// What was there, with its type (`string "5"`), or `nothing`.
    pub actual: String,
}

impl CaseRecord {
    /// What there is to tell of a case before anything was answered; it counts as passed.
    pub fn of(case: &Case, rerun: String) -> Self {
        let told = |text: &Text| shortened(text.text(), LONGEST);
        let mut sent = vec![("schema", told(&case.schema))];
        if let Some(subject) = &case.subject {
            let name = match case.area {
                Area::Resolve => "node",
                _ if case.round_trip => "original arguments",
                _ => "arguments",
            };
            sent.push((name, told(subject)));
        }
        let (policy, expected) = match &case.expect {
            Expect::Anything => (None, Vec::new()),
            Expect::Values(answers) => {
                (None, answers.iter().map(|answer| (None, told(answer))).collect())
            }
            Expect::Options { policy, options } => {
                let options = options.iter();
                let options = options.map(|(option, answer)| (Some(option.clone()), told(answer)));
                (Some(policy.clone()), options.collect())
            }
        };
        Self {
            id: case.id.clone(),
            description: case.description.clone(),
            place: case.place.clone(),
            clause: case.clause.clone(),
            level: case.level,
            policy,
            option: None,
            verdict: Verdict::Pass,
            laws: Vec::new(),
            message: None,
            sent,
            expected,
            actual: None,
            differences: Vec::new(),
            stderr: String::new(),
            took: Duration::ZERO,
            rerun,
            expected_failure: None,
        }
    }
}

impl Record {
    /// Whether a case tells against the implementation in this run.
    pub fn counts_against(&self, case: &CaseRecord) -> bool {
        case.verdict.is_bad()
            && case.expected_failure.is_none()
            && (case.level != Level::Should || self.strict)
    }

    /// Whether every case that counts came out right (or as expected).
    pub fn is_conformant(&self) -> bool {
        self.expectation_problems.is_empty()
            && !self.cases.iter().any(|case| self.counts_against(case))
    }

    /// Adds the cases of an earlier run of the same, so that this is a run of all these cases. What was expected is to be compared after that.
    pub fn take_up(&mut self, earlier: Self, all: &[&Case]) {
        let places: HashMap<&str, usize> =
            all.iter().enumerate().map(|(place, case)| (case.id.as_str(), place)).collect();
        self.cases.extend(earlier.cases);
        self.cases.sort_by_key(|case| places.get(case.id.as_str()).copied());
        self.duration += earlier.duration;
        // The same form of the same time zone, so the order of the texts is that of the times.
        self.started = earlier.started.min(std::mem::take(&mut self.started));
        self.corpus.digest = Corpus::digest(all.iter().copied());
    }

    /// The same run told so that another one like it is told in the same words: without how long anything took, without what was written to stderr (which holds paths,
    /// addresses and process numbers), and begun on this day, written `2026-11-30`, if it was not before: cases that were taken up are no newer for that.
    #[must_use]
    pub fn as_of(&self, date: &str) -> Self {
        let mut record = self.clone();
        let begun = self.started.split('T').next().unwrap_or(date);
        record.started = format!("{}T00:00:00Z", date.min(begun));
        record.duration = Duration::ZERO;
        for case in &mut record.cases {
            case.took = Duration::ZERO;
            case.stderr.clear();
        }
        record
    }

    /// How many cases have this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.cases.iter().filter(|case| case.verdict == verdict).count()
    }

    /// How many cases were judged: all but the unsupported.
    pub fn judged(&self) -> usize {
        self.cases.len() - self.count(Verdict::Unsupported)
    }
}
