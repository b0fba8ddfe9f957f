//! Every report of one rich run, and proof that nothing an implementation writes gets out of the place it stands in.

mod diff;
mod formats;
mod hostile;
mod rich;

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::Path;

use callfit::case::Level;
use callfit::report::terminal::{self, Look};
use callfit::report::{Format, Target, json, save, write};
use callfit::run::{CaseRecord, Record};

use crate::hostile::structure;
use crate::rich::{EVIL, rich_record, titles};

/// What a test comes to that can fail in its own ways.
pub type TestResult = Result<(), Box<dyn Error>>;

/// As in a file.
pub const PLAIN: Look = Look { color: false, width: 100, quiet: false };

#[test]
fn terminal() {
    let text = terminal::render(&rich_record(EVIL), &titles(), PLAIN);
    insta::assert_snapshot!(text);
}

#[test]
fn terminal_quiet_and_in_color() {
    let look = Look { color: true, quiet: true, ..PLAIN };
    let text = terminal::render(&rich_record(EVIL), &titles(), look);
    insta::assert_snapshot!(text.replace('\u{1b}', "␛"));
}

#[test]
fn json() -> TestResult {
    insta::assert_snapshot!(write(&rich_record(EVIL), &titles(), Format::Json)?);
    Ok(())
}

#[test]
fn junit() -> TestResult {
    insta::assert_snapshot!(write(&rich_record(EVIL), &titles(), Format::Junit)?);
    Ok(())
}

#[test]
fn markdown() -> TestResult {
    insta::assert_snapshot!(write(&rich_record(EVIL), &titles(), Format::Markdown)?);
    Ok(())
}

#[test]
fn the_last_line_is_the_verdict() {
    let conclusion = |record: &Record| {
        let text = terminal::render(record, &titles(), PLAIN);
        text.lines().last().unwrap_or_default().to_owned()
    };
    let mut record = rich_record("");
    record.cut_short = None;
    assert_eq!(
        conclusion(&record),
        "not conformant: 7 failures (6 must, 1 policy) in 12 cases judged; 1 should-miss; \
         1 expected failure; 2 expectation problems; 3 unsupported cases"
    );
    record.strict = true;
    let strict = "not conformant: 8 failures (6 must, 1 should, 1 policy) in 12 cases judged; ";
    assert!(conclusion(&record).starts_with(strict));
    record.strict = false;
    record.cases = record.cases.iter().filter(|case| !counts(case)).cloned().collect();
    assert!(conclusion(&record).starts_with("not conformant: 0 failures in 5 cases judged; "));
    record.expectation_problems.clear();
    let conformant = "conformant: 5 cases judged, none counts against it; 1 should-miss; ";
    assert!(conclusion(&record).starts_with(conformant));
    assert!(json::Report::of(&record).summary.conformant);
    record.cut_short = Some("interrupted".to_owned());
    assert!(conclusion(&record).starts_with("undecided: the run was cut short after 5 cases; "));
    assert!(!json::Report::of(&record).summary.conformant);
    record.cut_short = None;
    record.cases.clear();
    assert_eq!(conclusion(&record), "undecided: nothing was judged");
}

#[test]
fn many_failures_stay_readable() -> TestResult {
    let mut record = rich_record("");
    let template = record.cases[1].clone();
    for number in 0..5000 {
        let mut case = template.clone();
        case.id = format!("coerce/integer/number-{number}");
        case.actual = Some("[\"`````````\\u001b\"]".repeat(300));
        record.cases.push(case);
    }
    let text = terminal::render(&record, &titles(), PLAIN);
    assert!(text.contains("\n  coerce/integer/number-4999  must  fail  /count: expected"));
    let in_full = text.matches("\n    again ").count();
    let clauses: BTreeSet<&str> = record.cases.iter().map(|case| &*case.clause).collect();
    assert!(in_full <= 2 * clauses.len(), "{in_full} told in full");

    let markdown = write(&record, &titles(), Format::Markdown)?;
    assert!(markdown.len() <= 1 << 20, "{} bytes", markdown.len());
    assert!(markdown.contains("more cases, left out"));
    assert!(markdown.contains("### Policy choices"));
    let last = structure(&markdown).pop();
    assert_eq!(last.as_deref(), Some("End(List(false))"));
    Ok(())
}

#[test]
fn values_are_cut() -> TestResult {
    let record = rich_record(&"é".repeat(50_000));
    let note = |most: usize| {
        let shown = "é".repeat(most - "no JSON: x".len());
        format!("no JSON: x{shown}… ({} more characters)", 50_011 - most)
    };
    assert!(terminal::render(&record, &titles(), PLAIN).contains(&note(400)));
    assert!(write(&record, &titles(), Format::Junit)?.contains(&note(2000)));
    assert!(write(&record, &titles(), Format::Markdown)?.contains(&note(1000)));
    assert!(write(&record, &titles(), Format::Json)?.contains(&note(20_000)));
    Ok(())
}

#[test]
fn only_known_report_files() -> TestResult {
    let format = |text: &str| Target::parse(text).map(|target| target.format);
    let known = [
        ("a/out.json", Format::Json),
        ("out.XML", Format::Junit),
        ("out.tar.md", Format::Markdown),
        ("out.sarif", Format::Sarif),
        ("out.sarif.json", Format::Sarif),
        ("out.tap", Format::Tap),
        ("out.csv", Format::Csv),
        ("sarif=out.json", Format::Sarif),
        ("junit=a=b", Format::Junit),
        ("a=b.md", Format::Markdown),
        ("github", Format::Github),
        ("github=out.txt", Format::Github),
    ];
    for (text, wanted) in known {
        assert_eq!(format(text)?, wanted, "{text}");
    }
    assert_eq!(Target::parse("junit=a=b")?.file.as_deref(), Some(Path::new("a=b")));
    let message = |text: &str| format(text).map_err(|error| error.to_string());
    insta::assert_debug_snapshot!(["out.txt", "json", ".csv", "tap", "sarif="].map(message));
    Ok(())
}

#[test]
fn saving_replaces_the_file_or_leaves_it() -> TestResult {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("out.json");
    fs::write(&path, "before")?;
    let record = rich_record(EVIL);
    save(&record, &titles(), Format::Json, &path)?;
    assert_eq!(json::read(&fs::read_to_string(&path)?)?, json::Report::of(&record));
    let entries = fs::read_dir(folder.path())?.count();
    assert_eq!(entries, 1, "something else is left in the folder");

    let taken = folder.path().join("folder.md");
    fs::create_dir(&taken)?;
    assert!(save(&record, &titles(), Format::Markdown, &taken).is_err());
    let lost = folder.path().join("nowhere").join("out.xml");
    let error = save(&record, &titles(), Format::Junit, &lost).err();
    let error = error.map(|error| error.to_string()).unwrap_or_default();
    assert!(error.starts_with("write the report `"), "{error}");
    assert!(error.ends_with("; make its folder first"), "{error}");
    let entries = fs::read_dir(folder.path())?.count();
    assert_eq!(entries, 2, "half a report is left in the folder");
    Ok(())
}

#[test]
fn what_is_no_report_is_refused() {
    let message = |text: &str| json::read(text).map(drop).map_err(|error| error.to_string());
    insta::assert_debug_snapshot!([
        message("<xml>"),
        message("{}"),
        message(r#"{"format":2,"cases":"new"}"#),
        message(r#"{"format":1,"harness":{"name":"x","version":"0.1.0"},"corpus":"\u001b"}"#),
    ]);
}

/// Whether a case counts against the implementation, told apart by other means than the library's.
fn counts(case: &CaseRecord) -> bool {
    case.verdict.is_bad() && case.level != Level::Should && case.expected_failure.is_none()
}
