//! Reading a JSON report back: as it stands in its file, and as the record that it was made of.

use std::time::Duration;

use serde::Deserialize;

use super::{Case, FORMAT, Implementation, Report};
use crate::implementation::{About, Method};
use crate::report::ReportError;
use crate::report::escape;
use crate::run::{CaseRecord, CorpusLabel, Difference, LawBreach, Record};

/// What can be sent, in the order in which it is told.
const SENT: [&str; 4] = ["schema", "node", "arguments", "original arguments"];

/// Reads a report back, a compact one beside the corpus that this binary carries.
pub fn read(text: &str) -> Result<Report, ReportError> {
    #[derive(Deserialize)]
    struct Version {
        format: u32,
    }
    // The message may quote the file, which may quote an implementation.
    let no_report = |error: serde_json::Error| no_report(&error.to_string());
    let version: Version = serde_json::from_str(text).map_err(no_report)?;
    if version.format != FORMAT {
        return Err(ReportError::OtherVersion(version.format));
    }
    let report: Report = serde_json::from_str(text).map_err(no_report)?;
    report.expanded()
}

impl Report {
    /// The record that this is the report of: every other report can be made of it.
    ///
    /// # Errors
    ///
    /// The report speaks of a method, or of something sent, that there is not.
    pub fn into_record(self) -> Result<Record, ReportError> {
        Ok(Record {
            harness_version: self.harness.version,
            corpus: CorpusLabel { version: self.corpus.version, digest: self.corpus.digest },
            chosen: self.chosen,
            implementation: self.implementation.into_about()?,
            command: self.command,
            started: self.started,
            duration: Duration::from_millis(self.duration_ms),
            cases: self.cases.into_iter().map(Case::into_record).collect::<Result<_, _>>()?,
            cut_short: self.cut_short,
            warnings: self.warnings,
            strict: self.strict,
            expectations: self.expectations,
            expectation_problems: self.expectation_problems,
        })
    }
}

impl Implementation {
    fn into_about(self) -> Result<About, ReportError> {
        let method = |name: &String| {
            Method::from_name(name)
                .ok_or_else(|| no_report(&format!("no method is called `{name}`")))
        };
        Ok(About {
            methods: self.methods.iter().map(method).collect::<Result<_, _>>()?,
            name: self.name,
            version: self.version,
            language: self.language,
            homepage: self.homepage,
            features: self.features,
        })
    }
}

impl Case {
    pub(super) fn into_record(mut self) -> Result<CaseRecord, ReportError> {
        let sent = SENT.into_iter().filter_map(|name| Some((name, self.sent.remove(name)?)));
        let sent = sent.collect();
        if let Some(name) = self.sent.keys().next() {
            return Err(no_report(&format!("nothing that is sent is called `{name}`")));
        }
        let laws = self.laws.into_iter();
        let expected = self.expected.into_iter();
        let differences = self.differences.into_iter();
        Ok(CaseRecord {
            id: self.id,
            description: self.description,
            place: self.place,
            clause: self.clause,
            level: self.level,
            policy: self.policy,
            option: self.option,
            verdict: self.verdict,
            laws: laws
                .map(|breach| LawBreach { law: breach.law, message: breach.message })
                .collect(),
            message: self.message,
            sent,
            expected: expected.map(|answer| (answer.option, answer.value)).collect(),
            actual: self.actual,
            differences: differences
                .map(|difference| Difference {
                    pointer: difference.pointer,
                    expected: difference.expected,
                    actual: difference.actual,
                })
                .collect(),
            stderr: self.stderr,
            took: Duration::from_micros(self.duration_us),
            rerun: self.rerun,
            expected_failure: self.expected_failure,
        })
    }
}

fn no_report(reason: &str) -> ReportError {
    ReportError::NoReport(escape::line(reason, 300))
}
