//! The formats for programs: each is read back by a reader of its own.

use std::collections::{BTreeMap, BTreeSet};

use callfit::report::badge::badge;
use callfit::report::{Format, github, json, write};
use callfit::run::{Chosen, Record, Verdict};
use proptest::prelude::*;
use saphyr::{LoadableYamlNode as _, Yaml};
use serde_json::Value;

use crate::hostile::{commands, hostile};
use crate::rich::{EVIL, rich_record, titles};

#[test]
fn sarif() {
    let text = written(&rich_record(EVIL), Format::Sarif);
    insta::assert_snapshot!(text);
    valid_sarif(&text);
}

#[test]
fn a_sarif_result_keeps_its_fingerprint() {
    let prints = |record: &Record| -> BTreeMap<String, String> {
        let log = valid_sarif(&written(record, Format::Sarif));
        let results = log["runs"][0]["results"].as_array().cloned().unwrap_or_default();
        let print = |result: &Value| {
            let print = &result["partialFingerprints"]["primaryLocationLineHash"];
            Some((result["properties"]["case"].as_str()?.to_owned(), print.as_str()?.to_owned()))
        };
        results.iter().filter_map(print).collect()
    };
    let record = rich_record("");
    let mut later = record.clone();
    later.implementation.version = Some("0.20.0".to_owned());
    later.cases.reverse();
    for case in &mut later.cases {
        case.place.line += 7;
        case.message = Some("otherwise".to_owned());
    }
    let found = prints(&record);
    assert_eq!(found, prints(&later));
    let bad = record.cases.iter().filter(|case| case.verdict.is_bad()).count();
    assert_eq!(found.len(), bad);
    let different: BTreeSet<&String> = found.values().collect();
    assert_eq!(different.len(), bad, "no two results share one");
    later.implementation.name = "another".to_owned();
    assert!(prints(&later).values().all(|print| !different.contains(print)));
}

#[test]
fn tap() {
    let text = written(&rich_record(EVIL), Format::Tap);
    insta::assert_snapshot!(text);
    read_tap(&text);
}

#[test]
fn csv() {
    let text = written(&rich_record(EVIL), Format::Csv);
    assert_eq!(text.matches("\r\n").count(), text.matches('\n').count());
    insta::assert_snapshot!(text.replace("\r\n", "␍\n"));
}

#[test]
fn github_annotations() {
    insta::assert_snapshot!(written(&rich_record(EVIL), Format::Github));
}

#[test]
fn no_more_annotations_than_github_shows() {
    let mut record = rich_record("");
    for template in [1, 3] {
        for number in 0..100 {
            let mut case = record.cases[template].clone();
            case.id = format!("coerce/integer/number-{template}-{number}");
            record.cases.push(case);
        }
    }
    let found = read_github(&written(&record, Format::Github));
    let count = |level: &str| found.iter().filter(|one| one.level == level).count();
    assert_eq!((count("error"), count("warning"), count("notice")), (10, 10, 2));
    let left = "100 more errors and 92 more warnings not shown here: the report has all";
    assert!(found.iter().any(|one| one.text == left), "{found:?}");
}

#[test]
fn badges_are_honest() {
    let mut record = rich_record("");
    record.chosen = Chosen::default();
    record.cut_short = None;
    let shown = |record: &Record| -> [String; 3] {
        let badge: Value = serde_json::from_str(&badge(record).expect("a badge")).expect("JSON");
        assert_eq!(badge["schemaVersion"], 1);
        let part = |name: &str| badge[name].as_str().unwrap_or_default().to_owned();
        [part("label"), part("message"), part("color")]
    };
    let whole = "callfit".to_owned();
    assert_eq!(shown(&record), [&whole, "must 12 %, should 0 %", "red"]);

    // Known failures stay failures, and 199 of 200 are not 100 %.
    let passing = record.cases[0].clone();
    let mut almost = record.clone();
    almost.cases = vec![passing.clone(); 199];
    almost
        .cases
        .extend(record.cases.iter().filter(|case| case.expected_failure.is_some()).cloned());
    assert_eq!(shown(&almost), [&whole, "must 99 %", "yellow"]);
    almost.cases.pop();
    assert_eq!(shown(&almost), [&whole, "must 100 %", "brightgreen"]);
    almost.cases.extend(record.cases.iter().filter(|case| case.id.ends_with("nested")).cloned());
    assert_eq!(shown(&almost), [&whole, "must 100 %, should 0 %", "green"]);

    almost.chosen.filters = vec!["coerce/*".to_owned()];
    assert_eq!(shown(&almost)[0], "callfit (some cases)");
    almost.cut_short = Some("interrupted".to_owned());
    assert_eq!(shown(&almost)[1..], ["run cut short", "lightgrey"]);
    almost.cut_short = None;
    almost.cases.retain(|case| case.verdict == Verdict::Unsupported);
    assert_eq!(shown(&almost)[1..], ["nothing judged", "lightgrey"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn sarif_keeps_its_shape(evil in hostile()) {
        let text = written(&rich_record(&evil), Format::Sarif);
        prop_assert_eq!(commands(&text), Vec::<char>::new());
        let log = valid_sarif(&text);
        let benign = valid_sarif(&written(&rich_record(""), Format::Sarif));
        prop_assert_eq!(shape(&log), shape(&benign));
        let run = &log["runs"][0];
        prop_assert_eq!(&run["properties"]["implementation"], &format!("hermes-agent x{evil}x"));
        for result in run["results"].as_array().into_iter().flatten() {
            let text = result["message"]["text"].as_str().unwrap_or_default();
            let alone = text.replace("{{", "").replace("}}", "").replace("\\](", "");
            prop_assert!(!alone.contains(['{', '}']) && !alone.contains("]("), "{}", text);
        }
    }

    #[test]
    fn tap_keeps_its_shape(evil in hostile()) {
        let text = written(&rich_record(&evil), Format::Tap);
        prop_assert_eq!(commands(&text), Vec::<char>::new());
        let (points, benign) = (read_tap(&text), read_tap(&written(&rich_record(""), Format::Tap)));
        let shape = |points: &[Point]| -> Vec<(bool, String, String, Vec<String>)> {
            let of = |point: &Point| {
                let keys = point.facts.keys().cloned().collect();
                (point.passed, point.title.clone(), point.directive.clone(), keys)
            };
            points.iter().map(of).collect()
        };
        prop_assert_eq!(shape(&points), shape(&benign));
        let actual = callfit::report::escape::line(&format!("{{\"count\":\"5x{evil}x\"}}"), 2000);
        prop_assert_eq!(&points[1].facts["got"], &actual);
    }

    #[test]
    fn csv_keeps_its_shape(evil in hostile()) {
        let record = rich_record(&evil);
        let text = written(&record, Format::Csv);
        prop_assert_eq!(commands(&text.replace("\r\n", "\n")), Vec::<char>::new());
        let mut table = csv::Reader::from_reader(text.as_bytes());
        let header = table.headers().expect("a reader reads it").clone();
        let rows: Result<Vec<csv::StringRecord>, _> = table.records().collect();
        let rows = rows.expect("a reader reads it");
        prop_assert_eq!(rows.len(), record.cases.len());
        prop_assert_eq!(text.lines().count(), rows.len() + 1, "a row is a line");
        let id = header.iter().position(|name| name == "id").unwrap_or_default();
        for (row, case) in rows.iter().zip(&record.cases) {
            prop_assert_eq!(&row[id], &case.id);
            prop_assert!(!row.iter().any(|cell| cell.starts_with(['=', '+', '-', '@'])), "{:?}", row);
        }
    }

    #[test]
    fn github_keeps_its_shape(evil in hostile()) {
        let text = written(&rich_record(&evil), Format::Github);
        prop_assert_eq!(commands(&text), Vec::<char>::new());
        let found = read_github(&text);
        let benign = read_github(&written(&rich_record(""), Format::Github));
        let shape = |all: &[Annotation]| -> Vec<(String, BTreeMap<String, String>)> {
            all.iter().map(|one| (one.level.clone(), one.properties.clone())).collect()
        };
        prop_assert_eq!(shape(&found), shape(&benign));
    }

    /// A runner that is told to stop obeys nothing until it reads the word it was given.
    #[test]
    fn what_is_shielded_is_not_obeyed(evil in hostile()) {
        let text = format!("{evil}\n::error::{evil}\n");
        let shielded = github::shielded(&text);
        let (first, rest) = shielded.split_once('\n').unwrap_or_default();
        let word = first.strip_prefix("::stop-commands::").unwrap_or_default();
        prop_assert!(word.len() > 20, "{}", first);
        let end = rest.find(&format!("::{word}::"));
        prop_assert_eq!(end, Some(text.len()));
    }

    /// Whatever can be told of a run can be told of its report too.
    #[test]
    fn a_json_report_becomes_its_record_again(evil in hostile()) {
        let record = rich_record(&evil);
        let text = written(&record, Format::Json);
        let again = json::read(&text).and_then(json::Report::into_record).expect("a reader reads it");
        // A compact report can be only of cases that the corpus has.
        for format in Format::ALL.into_iter().filter(|format| *format != Format::Compact) {
            prop_assert_eq!(written(&again, format), written(&record, format), "{:?}", format);
        }
    }
}

#[test]
fn a_long_report_stays_as_it_is_when_it_is_read_and_written_again() {
    let text = written(&rich_record(&"é".repeat(50_000)), Format::Json);
    assert!(text.contains("more characters)"));
    let again = json::read(&text).and_then(json::Report::into_record).expect("a report");
    assert_eq!(written(&again, Format::Json), text);
}

fn written(record: &Record, format: Format) -> String {
    write(record, &titles(), format).expect("it can be told in every format")
}

/// A SARIF log that its schema has nothing against.
fn valid_sarif(text: &str) -> Value {
    static VALIDATOR: std::sync::LazyLock<jsonschema::Validator> = std::sync::LazyLock::new(|| {
        // Two patterns close a bracket twice, which is no regular expression by the rules of JSON Schema.
        let schema = include_str!("sarif-schema-2.1.0.json").replace("{2}]?$", "{2}$");
        let schema = serde_json::from_str(&schema).expect("the schema is JSON");
        jsonschema::options().should_validate_formats(true).build(&schema).expect("it is a schema")
    });
    let log: Value = serde_json::from_str(text).expect("JSON");
    let faults = VALIDATOR.iter_errors(&log);
    let faults: Vec<String> =
        faults.map(|fault| format!("{}: {fault}", fault.instance_path())).collect();
    assert_eq!(faults, Vec::<String>::new());
    log
}

/// The value with every text left out.
fn shape(value: &Value) -> Value {
    match value {
        Value::String(_) => Value::Null,
        Value::Array(items) => items.iter().map(shape).collect(),
        Value::Object(members) => {
            members.iter().map(|(name, value)| (name.clone(), shape(value))).collect()
        }
        other => other.clone(),
    }
}

/// A test point of TAP, as a consumer reads it.
#[derive(Debug)]
struct Point {
    passed: bool,
    title: String,
    directive: String,
    facts: BTreeMap<String, String>,
}

/// Reads TAP 14 strictly: what is neither version, plan, point, diagnostic, comment nor bail-out is a fault.
fn read_tap(text: &str) -> Vec<Point> {
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("TAP version 14"));
    let plan = lines.next().and_then(|line| line.strip_prefix("1..")?.parse::<usize>().ok());
    let mut points: Vec<Point> = Vec::new();
    while let Some(line) = lines.next() {
        if line.starts_with("# ") || line.starts_with("Bail out! ") {
            continue;
        }
        if line == "  ---" {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "  ...").collect();
            let yaml = Yaml::load_from_str(&block.join("\n")).expect("YAML");
            let point = points.last_mut().expect("a block below a point");
            for (name, value) in yaml[0].as_mapping().expect("a mapping") {
                let list = value.as_vec().into_iter().flatten();
                let texts: Vec<&str> =
                    list.chain([value]).filter_map(|value| value.as_str()).collect();
                let name = name.as_str().unwrap_or_default().to_owned();
                point.facts.insert(name, texts.join("\n"));
            }
            continue;
        }
        let (passed, rest) = match line.strip_prefix("not ok ") {
            Some(rest) => (false, rest),
            None => (true, line.strip_prefix("ok ").unwrap_or_else(|| panic!("{line:?}"))),
        };
        let (number, rest) = rest.split_once(" - ").unwrap_or_default();
        assert_eq!(number, (points.len() + 1).to_string());
        let (mut title, mut directive, mut escaped) = (String::new(), None, false);
        for c in rest.chars() {
            match (c, &mut directive) {
                ('\\', _) if !escaped => escaped = true,
                ('#', None) if !escaped => directive = Some(String::new()),
                ('#', Some(_)) if !escaped => {
                    panic!("two directives: {line}");
                }
                (c, None) => (title.push(c), escaped = false).1,
                (c, Some(directive)) => (directive.push(c), escaped = false).1,
            }
        }
        let directive = directive.unwrap_or_default();
        let directive = directive.split_whitespace().next().unwrap_or_default().to_owned();
        points.push(Point { passed, title, directive, facts: BTreeMap::new() });
    }
    assert_eq!(plan, Some(points.len()));
    points
}

/// An annotation, as the runner reads it.
#[derive(Debug)]
struct Annotation {
    level: String,
    properties: BTreeMap<String, String>,
    text: String,
}

/// Reads the commands as GitHub's runner does: a line each, the properties up to the next `::`.
fn read_github(text: &str) -> Vec<Annotation> {
    let plain = |text: &str| {
        [("%0A", "\n"), ("%0D", "\r"), ("%3A", ":"), ("%2C", ","), ("%25", "%")]
            .iter()
            .fold(text.to_owned(), |text, (escape, plain)| text.replace(escape, plain))
    };
    let read = |line: &str| {
        let (head, text) = line.strip_prefix("::")?.split_once("::")?;
        let (level, properties) = head.split_once(' ')?;
        let properties = properties.split(',').map(|property| {
            let (name, value) = property.split_once('=')?;
            Some((name.to_owned(), plain(value)))
        });
        Some(Annotation {
            level: level.to_owned(),
            properties: properties.collect::<Option<_>>()?,
            text: plain(text),
        })
    };
    text.lines().map(|line| read(line).unwrap_or_else(|| panic!("no command: {line}"))).collect()
}
