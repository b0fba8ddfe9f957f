//! A run with a case of every kind, to be told in every format.

use std::time::Duration;

use callfit::case::{Level, Place};
use callfit::implementation::{About, Method};
use callfit::report::Titles;
use callfit::run::{
    CaseRecord, Chosen, CorpusLabel, Difference, ExpectationFile, LawBreach, Record, Verdict,
};

/// Retitles a terminal, clears it, turns the text, forges a line, and closes what each format opens.
pub const EVIL: &str = "\u{1b}]0;x\u{7}\u{9b}2J\u{202e}\nPASS|`</code></details>]]>\n```\n&lt;\0";

/// What the clauses and policies of the run are called.
pub fn titles() -> Titles {
    let owned = |(id, title): (&str, &str)| (id.to_owned(), title.to_owned());
    let clauses = [("int", "Integers"), ("ref-pointer", "Root, pointer or anchor")];
    let policies = [("leading-zeros", "Does \"007\" convert for a plain integer?")];
    Titles { clauses: clauses.map(owned).into(), policies: policies.map(owned).into() }
}

/// A run with a case of every kind, and `evil` inside everything that an implementation writes.
pub fn rich_record(evil: &str) -> Record {
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
        LawBreach {
            law: "idempotent".to_owned(),
            message: format!("a second pass answered {evil}"),
        },
        LawBreach {
            law: "exact".to_owned(),
            message: "9007199254740993 became 9007199254740992".to_owned(),
        },
    ];
    broken.place = Place { file: "cases/coerce/integer.json".to_owned(), line: 3, bundled: true };
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
    known.expected_failure = Some("waits for release 0.20, #12".to_owned());

    Record {
        harness_version: "0.1.0".to_owned(),
        corpus: CorpusLabel { version: "2026.1".to_owned(), digest: "0123abcd".repeat(8) },
        chosen: Chosen {
            filters: vec!["coerce/*".to_owned(), "re*".to_owned()],
            excludes: Vec::new(),
            shard: Some("1/2".to_owned()),
        },
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
        expectations: Some(ExpectationFile {
            file: "expected.toml".to_owned(),
            text: "format = 1\n".to_owned(),
        }),
        expectation_problems: vec![
            "expected.toml: `coerce/integer/native` passes; take its entry out".to_owned(),
            "expected.toml: `coerce/intger/*` matches no case; mend the name".to_owned(),
        ],
    }
}

/// A case, as plain as can be.
pub fn case(id: &str, level: Level, verdict: Verdict) -> CaseRecord {
    CaseRecord {
        id: id.to_owned(),
        place: Place { file: "my cases/coerce/t.json".to_owned(), line: 12, bundled: false },
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

/// The case with this id.
pub fn find<'a>(record: &'a mut Record, id: &str) -> &'a mut CaseRecord {
    let found = record.cases.iter_mut().find(|case| case.id == id);
    found.unwrap_or_else(|| panic!("no case {id}"))
}
