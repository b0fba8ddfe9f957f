//! Every report of one rich run, and proof that nothing an implementation writes gets out of the place it stands in.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::Duration;

use callfit::case::Level;
use callfit::implementation::{About, Method};
use callfit::report::terminal::{self, Look};
use callfit::report::{Format, Titles, diff, escape, json, save, write};
use callfit::run::{CaseRecord, CorpusLabel, Difference, LawBreach, Record, Verdict};
use proptest::prelude::*;

type TestResult = Result<(), Box<dyn Error>>;

/// Retitles a terminal, clears it, turns the text, forges a line, and closes what each format opens.
const EVIL: &str = "\u{1b}]0;x\u{7}\u{9b}2J\u{202e}\nPASS|`</code></details>]]>\n```\n&lt;\0";

const PLAIN: Look = Look { color: false, width: 100, quiet: false };

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
fn difference_of_two_reports() {
    let old = rich_record(EVIL);
    let mut new = old.clone();
    new.implementation.version = Some("0.20.0".to_owned());
    new.cases.remove(0);
    new.cases[0].verdict = Verdict::Pass;
    find(&mut new, "coerce/spelling/zeros-plain").option = Some("convert".to_owned());
    find(&mut new, "coerce/spelling/zeros-twin").verdict = Verdict::Timeout;
    find(&mut new, "resolve/pointer/hangs").verdict = Verdict::Crash;
    let fresh = case("coerce/spelling/new", Level::Must, Verdict::Pass);
    new.cases.push(fresh);
    let (old, new) = (json::Report::of(&old), json::Report::of(&new));
    insta::assert_snapshot!(diff::diff(&old, &new));
    let same = diff::diff(&old, &old);
    assert!(same.ends_with("\n\n15 cases unchanged\n"), "{same}");
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
    assert_eq!(Format::of_path(Path::new("a/out.json"))?, Format::Json);
    assert_eq!(Format::of_path(Path::new("out.XML"))?, Format::Junit);
    assert_eq!(Format::of_path(Path::new("out.tar.md"))?, Format::Markdown);
    let message = |name: &str| Format::of_path(Path::new(name)).map_err(|error| error.to_string());
    insta::assert_debug_snapshot!([message("out.txt"), message("json")]);
    Ok(())
}

#[test]
fn saving_replaces_the_file_or_leaves_it() -> TestResult {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("out.json");
    fs::write(&path, "before")?;
    let record = rich_record(EVIL);
    save(&record, &titles(), &path)?;
    assert_eq!(json::read(&fs::read_to_string(&path)?)?, json::Report::of(&record));
    let entries = fs::read_dir(folder.path())?.count();
    assert_eq!(entries, 1, "something else is left in the folder");

    let taken = folder.path().join("folder.md");
    fs::create_dir(&taken)?;
    assert!(save(&record, &titles(), &taken).is_err());
    let lost = folder.path().join("nowhere").join("out.xml");
    let error = save(&record, &titles(), &lost).err();
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn terminal_obeys_nothing(evil in hostile()) {
        let record = rich_record(&evil);
        let benign = rich_record("");
        let text = terminal::render(&record, &titles(), PLAIN);
        prop_assert_eq!(commands(&text), Vec::<char>::new());
        let benign_text = terminal::render(&benign, &titles(), PLAIN);
        prop_assert_eq!(text.lines().last(), benign_text.lines().last());

        // In color, every escape sequence is the report's own.
        let look = Look { color: true, ..PLAIN };
        let escapes = |record: &Record| {
            let text = terminal::render(record, &titles(), look);
            text.matches('\u{1b}').count()
        };
        let lines = text.lines().count() - benign_text.lines().count();
        prop_assert_eq!(escapes(&record), escapes(&benign) + 2 * lines);
    }

    #[test]
    fn xml_keeps_its_shape(evil in hostile()) {
        let text = write(&rich_record(&evil), &titles(), Format::Junit)?;
        prop_assert_eq!(commands(&text), Vec::<char>::new());
        let benign = write(&rich_record(""), &titles(), Format::Junit)?;
        let tags = |text: &str| -> Result<(Vec<String>, String), TestCaseError> {
            let document = roxmltree::Document::parse(text)
                .map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
            let elements = document.descendants().filter(roxmltree::Node::is_element);
            let tags = elements.map(|element| element.tag_name().name().to_owned());
            let name = document.root_element().attribute("name").unwrap_or_default();
            Ok((tags.collect(), name.to_owned()))
        };
        let ((tags, name), (benign, _)) = (tags(&text)?, tags(&benign)?);
        prop_assert_eq!(tags, benign);
        let shown = escape::line(&format!("x{evil}x"), 300);
        prop_assert!(name.ends_with(&shown), "{} does not end with {}", name, shown);
    }

    #[test]
    fn json_reads_back(evil in hostile()) {
        let record = rich_record(&evil);
        let text = write(&record, &titles(), Format::Json)?;
        prop_assert_eq!(commands(&text), Vec::<char>::new());
        let report = json::read(&text)?;
        prop_assert_eq!(&report, &json::Report::of(&record));
        prop_assert_eq!(report.implementation.name, record.implementation.name);
    }

    #[test]
    fn markdown_keeps_its_shape(evil in hostile()) {
        let text = write(&rich_record(&evil), &titles(), Format::Markdown)?;
        prop_assert_eq!(commands(&text), Vec::<char>::new());
        let benign = write(&rich_record(""), &titles(), Format::Markdown)?;
        prop_assert_eq!(structure(&text), structure(&benign), "{}", text);
    }
}

/// Short texts, made of what is dangerous somewhere and of anything else.
fn hostile() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "`",
        "```",
        "\n```\n",
        "\n~~~\n",
        "````````````",
        "</details>",
        "</code>",
        "</summary>",
        "<script>",
        "<!--",
        "]]>",
        "&lt;",
        "&#96;",
        "|",
        "\\|",
        "\\",
        "\n\n# x\n\n",
        "\n- x\n",
        "[x](http://x.y)",
        "http://x.y/z",
        "**",
        "__",
        "$$",
        "~~",
        "@x",
        ":tada:",
        "\u{1b}[31m",
        "\u{1b}]0;x\u{7}",
        "\u{9b}2J",
        "\u{8}",
        "\u{7f}",
        "\0",
        "\r",
        "\r\n",
        "\t",
        "\u{202e}",
        "\u{2066}",
        "\u{200f}",
        "\u{2028}",
        "\u{feff}",
        "\u{ffff}",
        "\u{e0041}",
        " ",
        "x",
    ];
    let piece = prop_oneof![
        proptest::sample::select(PIECES).prop_map(str::to_owned),
        any::<char>().prop_map(String::from),
    ];
    proptest::collection::vec(piece, 0..10).prop_map(|pieces| pieces.concat())
}

/// The characters that a terminal would obey or that turn the text, line breaks aside; told apart by other means than the library's.
fn commands(text: &str) -> Vec<char> {
    let obeyed = |c: &char| {
        matches!(u32::from(*c),
            0..=0x9 | 0xb..=0x1f | 0x7f..=0x9f | 0x200e | 0x200f | 0x2028..=0x202e | 0x2066..=0x2069)
    };
    text.chars().filter(obeyed).collect()
}

/// What a Markdown reader makes of a text, without the texts themselves: blocks, inline markup, HTML tags.
fn structure(markdown: &str) -> Vec<String> {
    use pulldown_cmark::{Event, Options, Parser};
    let events = Parser::new_ext(markdown, Options::all()).filter_map(|event| match event {
        Event::Text(_) => None,
        Event::Code(_) => Some("Code".to_owned()),
        Event::Html(html) | Event::InlineHtml(html) => {
            let tags: Vec<&str> = html
                .split('<')
                .skip(1)
                .map(|rest| rest.split('>').next().unwrap_or_default())
                .collect();
            Some(format!("Html({})", tags.join(" ")))
        }
        other => Some(format!("{other:?}")),
    });
    events.collect()
}

/// Whether a case counts against the implementation, told apart by other means than the library's.
fn counts(case: &CaseRecord) -> bool {
    case.verdict.is_bad() && case.level != Level::Should && case.expected_failure.is_none()
}

fn find<'a>(record: &'a mut Record, id: &str) -> &'a mut CaseRecord {
    let found = record.cases.iter_mut().find(|case| case.id == id);
    found.unwrap_or_else(|| panic!("no case {id}"))
}

fn titles() -> Titles {
    let owned = |(id, title): (&str, &str)| (id.to_owned(), title.to_owned());
    let clauses = [("int", "Integers"), ("ref-pointer", "Root, pointer or anchor")];
    let policies = [("leading-zeros", "Does \"007\" convert for a plain integer?")];
    Titles { clauses: clauses.map(owned).into(), policies: policies.map(owned).into() }
}

/// A run with a case of every kind, and `evil` inside everything that an implementation writes.
fn rich_record(evil: &str) -> Record {
    let evil = &format!("x{evil}x");
    let fail = |id: &str, level| {
        let mut case = case(id, level, Verdict::Fail);
        case.actual = Some(format!("{{\"count\":\"5{evil}\"}}"));
        case.differences = vec![Difference {
            pointer: "/count".to_owned(),
            expected: "integer 5".to_owned(),
            actual: format!("string \"5{evil}\""),
        }];
        case
    };
    let said = |id: &str, verdict, message: &str| {
        let mut case = case(id, Level::Must, verdict);
        case.message = Some(message.to_owned());
        case
    };
    let chose = |id: &str, policy: &str, option: &str| {
        let mut case = case(id, Level::Policy, Verdict::Pass);
        case.clause = "int-forms".into();
        case.policy = Some(policy.to_owned());
        case.option = Some(option.to_owned());
        case.expected = vec![
            (Some("keep".to_owned()), r#"{"count":"007"}"#.to_owned()),
            (Some("convert".to_owned()), r#"{"count":7}"#.to_owned()),
        ];
        case.actual = Some(r#"{"count":"007"}"#.to_owned());
        case
    };

    let mut broken = fail("coerce/integer/plain", Level::Must);
    broken.laws = vec![
        LawBreach { law: "idempotent", message: format!("a second pass answered {evil}") },
        LawBreach { law: "exact", message: "9007199254740993 became 9007199254740992".to_owned() },
    ];
    let mut added = fail("coerce/integer/added", Level::Must);
    added.differences = vec![Difference {
        pointer: format!("/{evil}"),
        expected: "nothing".to_owned(),
        actual: "integer 5".to_owned(),
    }];
    let mut unlisted = chose("coerce/spelling/unlisted", "leading-zeros", "keep");
    unlisted.verdict = Verdict::Fail;
    unlisted.option = None;
    unlisted.actual = Some(evil.clone());
    unlisted.differences = vec![Difference {
        pointer: String::new(),
        expected: "object {\"count\":7}".to_owned(),
        actual: format!("string {evil}"),
    }];
    let mut crash = said("resolve/pointer/root", Verdict::Crash, "ended by signal 11");
    crash.clause = "ref-pointer".into();
    crash.stderr = format!("Traceback:\n\tline 1\nSegmentation fault {evil}\n");
    let mut hang = said("resolve/pointer/hangs", Verdict::Timeout, "no answer in 5 s");
    hang.clause = "ref-pointer".into();
    let mut known = fail("coerce/integer/known", Level::Must);
    known.expected_failure = Some("waits for release 0.20".to_owned());

    Record {
        harness_version: "0.1.0".to_owned(),
        corpus: CorpusLabel { version: "2026.1".to_owned(), digest: "0123abcd".repeat(8) },
        implementation: About {
            name: format!("hermes-agent {evil}"),
            version: Some(format!("0.19.0 {evil}")),
            language: Some(format!("python {evil}")),
            homepage: Some(format!("https://example.org/{evil}")),
            methods: vec![Method::Coerce, Method::Resolve],
            features: vec![evil.clone()],
        },
        command: vec!["python3".to_owned(), "my adapter.py".to_owned()],
        started: "2026-11-30T10:41:07Z".to_owned(),
        duration: Duration::from_millis(1234),
        cases: vec![
            case("coerce/integer/native", Level::Must, Verdict::Pass),
            broken,
            added,
            fail("coerce/integer/nested", Level::Should),
            known,
            said("coerce/integer/refused", Verdict::Refused, evil),
            said("coerce/integer/nan", Verdict::Error, &format!("no JSON: {evil}")),
            chose("coerce/spelling/zeros-plain", "leading-zeros", "keep"),
            chose("coerce/spelling/zeros-twin", "leading-zeros", "convert"),
            unlisted,
            crash,
            hang,
            case("restore/place/nested", Level::Must, Verdict::Unsupported),
            case("sanitize/name/slash", Level::Must, Verdict::Unsupported),
            case("sanitize/name/empty", Level::Should, Verdict::Unsupported),
        ],
        cut_short: Some(format!("the program ended 5 times in a row: {evil}")),
        warnings: vec![format!("a line before the first answer was no message: {evil}")],
        strict: false,
        expectation_problems: vec![
            "expected.toml: `coerce/integer/native` passes; take its entry out".to_owned(),
            "expected.toml: `coerce/intger/*` matches no case; mend the name".to_owned(),
        ],
    }
}

fn case(id: &str, level: Level, verdict: Verdict) -> CaseRecord {
    CaseRecord {
        id: id.to_owned(),
        description: "The model sends \"5\" for a count; the tool must get 5, or it fails on \
                      arithmetic that it does with the count a moment later."
            .to_owned(),
        clause: "int".to_owned(),
        level,
        policy: None,
        option: None,
        verdict,
        laws: Vec::new(),
        message: None,
        sent: vec![
            (
                "schema",
                "{\n  \"properties\": {\n    \"count\": { \"type\": \"integer\" }\n  }\n}"
                    .to_owned(),
            ),
            ("arguments", r#"{"count":"5"}"#.to_owned()),
        ],
        expected: vec![(None, r#"{"count":5}"#.to_owned())],
        actual: None,
        differences: Vec::new(),
        stderr: String::new(),
        took: Duration::from_micros(321),
        rerun: format!("callfit run --filter {id} -- python3 'my adapter.py'"),
        expected_failure: None,
    }
}
