//! The `JUnit` report that CI servers read: a suite a topic, a test case a case.
//!
//! Only what counts against the implementation is a failure or an error. A missed *should* and an expected failure are skipped tests with their reason, so that a CI
//! server that goes by this file and one that goes by the exit code agree; for the same reason what is wrong with the run itself is a test case of its own.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use crate::run::{CaseRecord, Record, Verdict};

use super::details::{details, gist, plain};
use super::escape;
use super::file::ReportError;
use super::summary::{missing, topic};

/// CI servers show a message in a line.
const MOST_OF_MESSAGE: usize = 300;
/// Values are cut here.
const MOST_OF_VALUE: usize = 2000;

/// The report as XML.
pub(super) fn write(record: &Record) -> Result<String, ReportError> {
    let mut report = Report::new(name(record));
    report.set_time(record.duration);
    if let Ok(started) = chrono::DateTime::parse_from_rfc3339(&record.started) {
        report.set_timestamp(started);
    }
    let mut suites: Vec<TestSuite> = Vec::new();
    for case in &record.cases {
        let topic = line(topic(&case.id));
        let at = suites.iter().position(|suite| suite.name == *topic);
        let at = at.unwrap_or_else(|| {
            suites.push(TestSuite::new(topic));
            suites.len() - 1
        });
        suites[at].add_test_case(test_case(record, case));
    }
    report.add_test_suites(suites);
    report.add_test_suites(run_suite(record));
    report.to_string().map_err(ReportError::Xml)
}

fn name(record: &Record) -> String {
    let about = &record.implementation;
    let version = match &about.version {
        Some(version) => format!(" {}", line(version)),
        None => String::new(),
    };
    format!(
        "callfit {}, corpus {}: {}{version}",
        line(&record.harness_version),
        line(&record.corpus.version),
        line(&about.name)
    )
}

fn test_case(record: &Record, case: &CaseRecord) -> TestCase {
    let mut test = TestCase::new(line(&case.id), status(record, case));
    test.set_classname(line(topic(&case.id)));
    test.set_time(case.took);
    test
}

fn status(record: &Record, case: &CaseRecord) -> TestCaseStatus {
    let told = gist(case, MOST_OF_MESSAGE);
    let (mut status, message) = if case.verdict == Verdict::Pass {
        return TestCaseStatus::success();
    } else if case.verdict == Verdict::Unsupported {
        let missing = missing(&record.implementation, case);
        (TestCaseStatus::skipped(), format!("not offered: {missing}"))
    } else if let Some(reason) = &case.expected_failure {
        let message = format!("expected failure ({}): {told}", line(reason));
        (TestCaseStatus::skipped(), message)
    } else if !record.counts_against(case) {
        let message = format!("a should-case, a warning only: {told}");
        (TestCaseStatus::skipped(), message)
    } else {
        (TestCaseStatus::non_success(kind(case.verdict)), told)
    };
    status.set_type(case.verdict.name());
    status.set_message(message);
    if case.verdict != Verdict::Unsupported {
        status.set_description(body(case));
    }
    status
}

/// A wrong answer is a failure; no answer is an error.
fn kind(verdict: Verdict) -> NonSuccessKind {
    match verdict {
        Verdict::Fail | Verdict::Refused => NonSuccessKind::Failure,
        _ => NonSuccessKind::Error,
    }
}

fn body(case: &CaseRecord) -> String {
    let description = escape::line(&case.description, MOST_OF_VALUE);
    let (clause, level) = (line(&case.clause), case.level.name());
    let details = plain(&details(case, MOST_OF_VALUE));
    format!("{description}\nclause {clause} ({level}), SPEC.md#{clause}\n\n{details}\n")
}

/// What is no case's fault, if there is something.
fn run_suite(record: &Record) -> Option<TestSuite> {
    let (warnings, problems) = (&record.warnings, &record.expectation_problems);
    if record.cut_short.is_none() && warnings.is_empty() && problems.is_empty() {
        return None;
    }
    let mut suite = TestSuite::new("callfit/run");
    let mut add = |name: &str, status: TestCaseStatus| {
        let mut test = TestCase::new(name, status);
        test.set_classname("callfit/run");
        suite.add_test_case(test);
    };
    add(
        "callfit/run/complete",
        match &record.cut_short {
            None => TestCaseStatus::success(),
            Some(why) => failed(NonSuccessKind::Error, "cut short", &[why]),
        },
    );
    add(
        "callfit/run/expectations",
        match problems.as_slice() {
            [] => TestCaseStatus::success(),
            several => {
                let several: Vec<&String> = several.iter().collect();
                failed(NonSuccessKind::Failure, "the expectation file is wrong", &several)
            }
        },
    );
    if !warnings.is_empty() {
        let warnings: Vec<String> = warnings.iter().map(|warning| line(warning)).collect();
        suite.set_system_out(warnings.join("\n"));
    }
    Some(suite)
}

fn failed(kind: NonSuccessKind, what: &str, reasons: &[&String]) -> TestCaseStatus {
    let reasons: Vec<String> = reasons.iter().map(|reason| line(reason)).collect();
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(what);
    status.set_message(reasons.first().cloned().unwrap_or_default());
    status.set_description(reasons.join("\n"));
    status
}

fn line(text: &str) -> String {
    escape::line(text, MOST_OF_MESSAGE)
}
