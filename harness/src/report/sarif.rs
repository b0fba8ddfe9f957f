//! The SARIF 2.1.0 report, for code scanning: a result for each case that went wrong.
//!
//! Its rules are the clauses of SPEC.md. What the expectation file excuses is a suppressed result, and what is no case's fault is a notification of the invocation. A result keeps its
//! fingerprint as long as the case and the implementation keep their names, so that an alert is the same one from run to run.

use std::collections::BTreeMap;

use chrono::{DateTime, SecondsFormat};
use serde_json::{Value, json};

use crate::digest::hex;
use crate::run::{CaseRecord, Record};

use super::details::gist;
use super::escape;
use super::file::ReportError;
use super::json::spell_out_hidden;
use super::summary::Titles;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json";
const HOME: &str = env!("CARGO_PKG_REPOSITORY");
/// What the files of the cases that came along are relative to.
const BASE: &str = "CALLFIT";
/// A message is a paragraph.
const MOST_OF_MESSAGE: usize = 500;
/// Values are cut here.
const MOST_OF_VALUE: usize = 2000;

/// The report as SARIF.
pub(super) fn write(record: &Record, titles: &Titles) -> Result<String, ReportError> {
    let bad: Vec<&CaseRecord> = record.cases.iter().filter(|case| case.verdict.is_bad()).collect();
    let mut rules: Vec<&str> = Vec::new();
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    for case in &bad {
        numbers.entry(&case.clause).or_insert_with(|| {
            rules.push(&case.clause);
            rules.len() - 1
        });
    }
    let results: Vec<Value> =
        bad.iter().map(|case| result(record, case, numbers[case.clause.as_str()])).collect();
    let about = &record.implementation;
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "callfit",
                "version": record.harness_version,
                "informationUri": HOME,
                "rules": rules.iter().map(|clause| rule(clause, titles)).collect::<Vec<_>>(),
            } },
            "automationDetails": { "id": format!("callfit/{}/", line(&about.name)) },
            "originalUriBaseIds": { BASE: { "uri": format!("{HOME}/blob/main/") } },
            "columnKind": "unicodeCodePoints",
            "invocations": [invocation(record)],
            "results": results,
            "properties": {
                "implementation": about.name,
                "implementationVersion": about.version,
                "language": about.language,
                "corpus": record.corpus.version,
            },
        }],
    });
    let text = serde_json::to_string_pretty(&log).map_err(ReportError::Json)?;
    Ok(spell_out_hidden(&text) + "\n")
}

fn rule(clause: &str, titles: &Titles) -> Value {
    let title = titles.clauses.get(clause).map_or(clause, String::as_str);
    json!({
        "id": line(clause),
        "shortDescription": { "text": message(&line(title)) },
        "helpUri": format!("{HOME}/blob/main/SPEC.md#{}", encoded(clause)),
    })
}

fn result(record: &Record, case: &CaseRecord, rule: usize) -> Value {
    let level = match (&case.expected_failure, record.counts_against(case)) {
        (Some(_), _) => "note",
        (None, true) => "error",
        (None, false) => "warning",
    };
    let text = format!(
        "{}: {}\n{}\nAgain: {}",
        line(&case.id),
        gist(case, MOST_OF_MESSAGE),
        line(&case.description),
        escape::line(&case.rerun, MOST_OF_VALUE)
    );
    // Of all fingerprints, GitHub compares the one of this name.
    let fingerprint = hex([record.implementation.name.as_str(), &case.id]);
    let mut result = json!({
        "ruleId": line(&case.clause),
        "ruleIndex": rule,
        "kind": "fail",
        "level": level,
        "message": { "text": message(&text) },
        "locations": [location(case)],
        "partialFingerprints": { "primaryLocationLineHash": format!("{}:1", &fingerprint[..16]) },
        "properties": {
            "case": case.id,
            "level": case.level.name(),
            "verdict": case.verdict.name(),
            "policy": case.policy,
            "laws": case.laws.iter().map(|breach| &breach.law).collect::<Vec<_>>(),
            "sent": case.sent.iter().map(|(name, text)| (*name, value(text))).collect::<BTreeMap<_, _>>(),
            "expected": case.expected.iter().map(|(_, text)| value(text)).collect::<Vec<_>>(),
            "actual": case.actual.as_deref().map(value),
        },
    });
    if let Some(reason) = &case.expected_failure {
        result["suppressions"] = json!([{ "kind": "external", "justification": line(reason) }]);
    }
    result
}

/// Where the case stands, and its id as the place in it.
fn location(case: &CaseRecord) -> Value {
    let mut file = json!({ "uri": uri(&case.place.file) });
    if case.place.bundled {
        file["uriBaseId"] = BASE.into();
    }
    json!({
        "physicalLocation": {
            "artifactLocation": file,
            "region": { "startLine": case.place.line },
        },
        "logicalLocations": [{ "fullyQualifiedName": line(&case.id), "kind": "object" }],
    })
}

fn invocation(record: &Record) -> Value {
    let cut_short = record.cut_short.iter().map(|why| ("error", why));
    let problems = record.expectation_problems.iter().map(|problem| ("error", problem));
    let warnings = record.warnings.iter().map(|warning| ("warning", warning));
    let told: Vec<Value> = cut_short
        .chain(problems)
        .chain(warnings)
        .map(|(level, text)| json!({ "level": level, "message": { "text": message(&line(text)) } }))
        .collect();
    let mut invocation = json!({
        "executionSuccessful": record.cut_short.is_none(),
        "toolExecutionNotifications": told,
    });
    if let Ok(started) = DateTime::parse_from_rfc3339(&record.started) {
        let ended = started + record.duration;
        let shown = |time: DateTime<_>| time.to_utc().to_rfc3339_opts(SecondsFormat::Millis, true);
        invocation["startTimeUtc"] = shown(started).into();
        invocation["endTimeUtc"] = shown(ended).into();
    }
    invocation
}

/// A path as a URI.
fn uri(path: &str) -> String {
    let path = path.replace('\\', "/");
    if path.starts_with('/') {
        return format!("file://{}", encoded(&path));
    }
    encoded(&path)
}

/// The text with all that a URI cannot hold written as percent triplets.
fn encoded(text: &str) -> String {
    let encoded = text.bytes().map(|byte| {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            char::from(byte).to_string()
        } else {
            format!("%{byte:02X}")
        }
    });
    encoded.collect()
}

/// A text as a message: braces, which stand for arguments, are doubled, and no link is in it.
fn message(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}").replace("](", "\\](")
}

fn line(text: &str) -> String {
    escape::line(text, MOST_OF_MESSAGE)
}

fn value(text: &str) -> String {
    escape::json(text, MOST_OF_VALUE)
}
