//! The compact form of the JSON report, which leaves out what the corpus says of each case: so that the results of many implementations fit into a repository.
//!
//! It is read beside the corpus that this binary carries. A case whose file there has changed since is left out, for its verdict is one of another text.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::{Breach, Case, Difference, Report};
use crate::case::{self, Corpus, CorpusError};
use crate::implementation::About;
use crate::report::ReportError;
use crate::report::summary::counted;
use crate::run::{CaseRecord, ExpectationFile, Expectations, Verdict, unsupported};

/// Stands for the id of the case in a command that runs it again.
const CASE: &str = "{case}";
/// So much of a digest tells two texts apart.
const DIGITS: usize = 12;

/// What the cases came to.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
pub struct Compact {
    /// The command that runs a case again, with `{case}` for its id.
    pub rerun: String,
    /// The beginning of the SHA-256 of each topic's cases, in hexadecimal.
    pub topics: BTreeMap<String, String>,
    /// By the ids of the cases.
    pub cases: BTreeMap<String, Outcome>,
}

/// What a case came to: its verdict, if that is all.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(untagged)]
pub enum Outcome {
    /// The verdict.
    Plain(Verdict),
    /// The verdict, and what else there is to tell.
    Told(Box<Told>),
}

/// What a case came to, as in [`Case`].
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
pub struct Told {
    /// What became of it.
    pub verdict: Verdict,
    /// The option that was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub option: Option<String>,
    /// The laws that were found broken.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub laws: Vec<Breach>,
    /// What was wrong, in one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The answer, if it is not the right one as the corpus words it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actual: Option<String>,
    /// Where the answer differs from the nearest right one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<Difference>,
    /// The end of what was written to stderr meanwhile.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
    /// How long the answer took.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub duration_us: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes what it may skip so")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Report {
    /// The same report without what the corpus that this binary carries says of its cases.
    ///
    /// # Errors
    ///
    /// It has cases of another corpus.
    pub fn compact(self) -> Result<Self, ReportError> {
        let corpus = corpus()?;
        let is_ours = |case: &Case| corpus.case(&case.id).is_some() && case.place.bundled;
        if let Some(case) = self.cases.iter().find(|case| !is_ours(case)) {
            return Err(ReportError::OtherCases(case.id.clone()));
        }
        let rerun = self.cases.first().map(|case| case.rerun.replacen(&case.id, CASE, 1));
        let compact = Compact {
            rerun: rerun.unwrap_or_default(),
            topics: (topics(corpus).into_iter())
                .filter(|(name, _)| self.cases.iter().any(|case| topic(&case.id) == name))
                .collect(),
            cases: self.cases.iter().map(|case| (case.id.clone(), Outcome::of(case))).collect(),
        };
        Ok(Self { compact: Some(compact), cases: Vec::new(), ..self })
    }

    /// The whole report again.
    pub(super) fn expanded(mut self) -> Result<Self, ReportError> {
        let Some(compact) = self.compact.take() else { return Ok(self) };
        let corpus = corpus()?;
        let mut record = self.into_record()?;
        let topics = topics(corpus);
        for case in &corpus.cases {
            let is_same = compact.topics.get(topic(&case.id)) == topics.get(topic(&case.id));
            let outcome = compact.cases.get(&case.id).filter(|_| is_same);
            if let Some(outcome) = outcome {
                let told = outcome.case(case, &record.implementation, &compact.rerun);
                record.cases.push(told.into_record()?);
            }
        }
        let left_out = compact.cases.len() - record.cases.len();
        if left_out > 0 {
            record.warnings.push(format!(
                "{} left out, because the corpus of this callfit words their topics otherwise; \
                 run again",
                counted(left_out, "case"),
            ));
        }
        if let Some(ExpectationFile { file, text }) = record.expectations.clone() {
            let expectations = Expectations::parse(file, &text);
            expectations.map_err(ReportError::Expectations)?.apply(&mut record, corpus);
        }
        Ok(Self::of(&record))
    }
}

impl Outcome {
    fn of(case: &Case) -> Self {
        // What these would say can be told again.
        let is_known = matches!(case.verdict, Verdict::Pass | Verdict::Unsupported);
        let told = Told {
            option: case.option.clone(),
            laws: case.laws.clone(),
            message: case.message.clone().filter(|_| !is_known),
            actual: case.actual.clone().filter(|_| !is_known),
            differences: case.differences.clone(),
            stderr: case.stderr.clone(),
            duration_us: case.duration_us,
            ..Told::only(case.verdict)
        };
        if told == Told::only(case.verdict) {
            Self::Plain(case.verdict)
        } else {
            Self::Told(Box::new(told))
        }
    }

    fn told(&self) -> Told {
        match self {
            Self::Plain(verdict) => Told::only(*verdict),
            Self::Told(told) => (**told).clone(),
        }
    }

    /// The case as the report told it. A right answer is told as the corpus words it.
    fn case(&self, case: &case::Case, about: &About, rerun: &str) -> Case {
        let told = self.told();
        let blank = CaseRecord::of(case, rerun.replacen(CASE, &case.id, 1));
        let right: Vec<&String> = (blank.expected.iter())
            .filter(|(option, _)| *option == told.option)
            .map(|(_, answer)| answer)
            .collect();
        let (actual, message) = match told.verdict {
            Verdict::Pass => (right.first().filter(|_| right.len() == 1).copied().cloned(), None),
            Verdict::Unsupported => (None, unsupported(case, about)),
            _ => (told.actual, told.message),
        };
        Case {
            verdict: told.verdict,
            option: told.option,
            laws: told.laws,
            message,
            actual,
            differences: told.differences,
            stderr: told.stderr,
            duration_us: told.duration_us,
            ..Case::of(&blank)
        }
    }
}

impl Told {
    fn only(verdict: Verdict) -> Self {
        Self {
            verdict,
            option: None,
            laws: Vec::new(),
            message: None,
            actual: None,
            differences: Vec::new(),
            stderr: String::new(),
            duration_us: 0,
        }
    }
}

/// The corpus that this binary carries, read once for many reports.
fn corpus() -> Result<&'static Corpus, CorpusError> {
    static CORPUS: OnceLock<Corpus> = OnceLock::new();
    if let Some(corpus) = CORPUS.get() {
        return Ok(corpus);
    }
    let corpus = Corpus::embedded()?;
    Ok(CORPUS.get_or_init(|| corpus))
}

/// The topic of a case: its file.
fn topic(id: &str) -> &str {
    id.rsplit_once('/').map_or(id, |(topic, _)| topic)
}

/// The digest of each topic.
fn topics(corpus: &Corpus) -> BTreeMap<String, String> {
    let mut topics: BTreeMap<&str, Vec<&case::Case>> = BTreeMap::new();
    for case in &corpus.cases {
        topics.entry(topic(&case.id)).or_default().push(case);
    }
    let digest = |cases: Vec<&case::Case>| Corpus::digest(cases).chars().take(DIGITS).collect();
    topics.into_iter().map(|(topic, cases)| (topic.to_owned(), digest(cases))).collect()
}
