//! The page that shows reports side by side: what it holds, and that no report gets out of it. What a reader sees of it is tested in `browser/`.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use callfit::case::{Corpus, Level, Place};
use callfit::implementation::About;
use callfit::report::json::Report;
use callfit::report::matrix::{MatrixError, Source, page};
use callfit::run::{CaseRecord, Chosen, CorpusLabel, Difference, LawBreach, Record, Verdict};
use serde_json::Value;

type TestResult = Result<(), Box<dyn Error>>;

const CASE: &str = "coerce/seed/row-1-count";

#[test]
fn a_case_stands_once_and_equal_answers_are_told_once() -> TestResult {
    let sources = [
        source("a", &[answered(Verdict::Fail, "{\"count\": \"5\"}")]),
        source("b", &[answered(Verdict::Fail, "{ \"count\" : \"5\" }")]),
        source("c", &[answered(Verdict::Pass, "{\"count\":5.0,\"n\":1}")]),
        source("d", &[answered(Verdict::Pass, "{\"n\":1,\"count\":5}")]),
        source("e", &[]),
    ];
    let data = data_of(&sources)?;
    let [case] = data["cases"].as_array().ok_or("no cases")?.as_slice() else {
        return Err(format!("{} cases", data["cases"]).into());
    };
    // Blanks make no other answer; another spelling of a number is shown, and comes to the same.
    assert_eq!(case["by"].to_string(), "[0,0,1,2,null]");
    assert_eq!(case["outcomes"][2]["like"], 1);
    assert_eq!(case["outcomes"][1].get("like"), None);
    let text =
        |id: &Value| data["texts"][usize::try_from(id.as_u64().unwrap_or(0)).unwrap_or(0)].clone();
    assert_eq!(text(&case["outcomes"][0]["answer"]), "{\"count\":\"5\"}");
    assert_eq!(text(&case["sent"]["schema"]), "{\"a b\":1}");
    assert_eq!(text(&case["outcomes"][0]["differences"][0][1]), "integer 5");
    assert_eq!(case["outcomes"][0]["laws"][0][0], "transparent");
    assert_eq!(data["implementations"][0]["rerun"], "callfit run --filter {case} -- mine");
    Ok(())
}

#[test]
fn cases_stand_in_the_order_of_the_corpus_and_unknown_ones_after_them() -> TestResult {
    let ids = ["sanitize/mine/x", "coerce/mine/x", CASE, "resolve/seed/row-1-count"];
    let mut known = corpus().cases.iter().map(|case| case.id.clone()).take(2).collect::<Vec<_>>();
    let cases: Vec<_> = ids
        .iter()
        .map(|id| (*id).to_owned())
        .chain(known.iter().rev().cloned())
        .map(|id| CaseRecord { id, ..answered(Verdict::Pass, "{}") })
        .collect();
    let data = data_of(&[source("a", &cases)])?;
    let shown: Vec<_> =
        data["cases"].as_array().ok_or("no cases")?.iter().map(|case| &case["id"]).collect();
    known.insert(0, "resolve/seed/row-1-count".to_owned());
    let place = |id: &str| shown.iter().position(|one| *one == id).ok_or(format!("no {id}"));
    assert_eq!(shown.len(), 6);
    assert!(place(CASE)? < place("coerce/mine/x")?);
    assert!(place("resolve/seed/row-1-count")? < place(CASE)?);
    assert_eq!(place("sanitize/mine/x")?, 5);
    Ok(())
}

#[test]
fn nothing_that_a_report_says_ends_the_script() -> TestResult {
    const EVIL: &str = "</script><!--<script>alert(1)</script>\u{202e}{{script}}{{data}}";
    let mut case = answered(Verdict::Error, &serde_json::to_string(EVIL)?);
    case.message = Some(EVIL.to_owned());
    case.stderr = EVIL.to_owned();
    case.description = EVIL.to_owned();
    let sources = [source(EVIL, &[case])];
    let page = page(&sources, &corpus())?;
    assert_eq!(page.matches("</script").count(), 2, "the data and the script");
    assert_eq!(page.matches("<!--").count(), 0);
    assert!(!page.contains('\u{202e}'));
    let data = data_of(&sources)?;
    let shown = EVIL.replace('\u{202e}', "\\u{202e}");
    let texts = data["texts"].as_array().ok_or("no texts")?;
    assert!(texts.contains(&Value::from(shown)), "{texts:?}");
    Ok(())
}

#[test]
fn the_same_reports_give_the_same_bytes() -> TestResult {
    let some = |name: &str| source(name, &[answered(Verdict::Pass, "{\"count\":5}")]);
    let one = page(&[some("a"), some("b"), some("c")], &corpus())?;
    let other = page(&[some("c"), some("a"), some("b")], &corpus())?;
    assert_eq!(one, other);
    Ok(())
}

#[test]
fn another_implementation_costs_little() -> TestResult {
    const CASES: usize = 100;
    let cases: Vec<_> = corpus().cases[..CASES]
        .iter()
        .map(|case| CaseRecord {
            id: case.id.clone(),
            ..answered(Verdict::Fail, "{\"count\":\"5\"}")
        })
        .collect();
    let size = |count: usize| -> Result<usize, MatrixError> {
        let sources: Vec<_> = (0..count).map(|n| source(&format!("{n:03}"), &cases)).collect();
        Ok(page(&sources, &corpus())?.len())
    };
    // Each case costs a number, and the implementation itself a few hundred bytes.
    let more = size(40)? - size(20)?;
    assert!(more < 20 * (CASES * 3 + 800), "{more} bytes");
    Ok(())
}

#[test]
fn what_cannot_stand_side_by_side_is_refused() {
    let message = |sources: &[Source]| match page(sources, &corpus()) {
        Ok(_) => panic!("a page"),
        Err(error) => error.to_string(),
    };
    let plain = |name: &str| source(name, &[answered(Verdict::Pass, "{\"count\":5}")]);
    assert_eq!(
        message(&[]),
        "make a page of no report: give files that `callfit run --report FILE.json` wrote"
    );
    let mut older = plain("b");
    older.report.corpus.version = "2025.9".to_owned();
    assert_eq!(
        message(&[plain("a"), older]),
        "put reports of different corpora side by side: a.json is of corpus 2026.1, b.json of \
         2025.9; run the older one again, or make a page of each"
    );
    let mut again = plain("a");
    again.path = PathBuf::from("again.json");
    assert_eq!(
        message(&[plain("a"), again.clone()]),
        "show a 1.0 twice: a.json and again.json are both of it; keep one, or join shards of one \
         run by `callfit merge`"
    );
    again.report.implementation.version = Some("1.1".to_owned());
    assert!(page(&[plain("a"), again], &corpus()).is_ok(), "two versions stand side by side");
    let mut changed = plain("b");
    changed.report.cases[0].expected[0].value = "{}".to_owned();
    assert_eq!(
        message(&[plain("a"), changed]),
        "put answers to coerce/seed/row-1-count side by side: it is not the same case in a.json \
         and in b.json, so the cases were changed in between; run the older one again"
    );
}

#[test]
fn the_command_reads_folders_and_writes_a_file_or_into_a_folder() -> TestResult {
    let folder = tempfile::tempdir()?;
    let reports = folder.path().join("reports");
    fs::create_dir(&reports)?;
    for name in ["a", "b"] {
        let report = source(name, &[answered(Verdict::Pass, "{\"count\":5}")]).report;
        fs::write(reports.join(format!("{name}.json")), report.write()?)?;
    }
    fs::write(reports.join("README.md"), "not a report")?;
    let run = |arguments: &[&str]| callfit(folder.path(), arguments);

    assert_eq!(run(&["matrix", "reports", "-o", "out/page.html"])?.status.code(), Some(0));
    assert_eq!(
        run(&["matrix", "reports/a.json", "reports/b.json", "-o", "site"])?.status.code(),
        Some(0)
    );
    let read = |path: &str| fs::read_to_string(folder.path().join(path));
    assert_eq!(read("out/page.html")?, read("site/index.html")?);

    fs::create_dir(folder.path().join("empty"))?;
    for (arguments, told) in [
        (["matrix", "empty", "-o", "site"], "no report in empty: give a folder with files"),
        (
            ["matrix", "reports/README.md", "-o", "site"],
            "reports/README.md: read a report of callfit",
        ),
        (["matrix", "nowhere", "-o", "site"], "cannot read nowhere"),
        (["matrix", "reports", "-o", "reports/README.md/x.html"], "write the page"),
        (["matrix", "reports", "-o", "nowhere/table.md"], "write the report `nowhere/table.md`"),
    ] {
        let output = run(&arguments)?;
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            output.status.code() == Some(2) && stderr.contains(told),
            "{arguments:?}: {stderr}"
        );
    }
    Ok(())
}

fn callfit(folder: &Path, arguments: &[&str]) -> std::io::Result<Output> {
    Command::new(env!("CARGO_BIN_EXE_callfit")).args(arguments).current_dir(folder).output()
}

fn corpus() -> Corpus {
    Corpus::embedded().expect("checked by `callfit lint`")
}

/// The data that the page carries.
fn data_of(sources: &[Source]) -> Result<Value, Box<dyn Error>> {
    let page = page(sources, &corpus())?;
    let (_, rest) = page.split_once("id=\"data\">").ok_or("no data")?;
    let (data, _) = rest.split_once("</script>").ok_or("no end")?;
    Ok(serde_json::from_str(data)?)
}

fn source(name: &str, cases: &[CaseRecord]) -> Source {
    let about = About { version: Some("1.0".to_owned()), ..About::named(name) };
    let record = Record {
        harness_version: "0.1.0".to_owned(),
        corpus: CorpusLabel { version: "2026.1".to_owned(), digest: "0".to_owned() },
        chosen: Chosen::default(),
        implementation: about,
        command: vec!["mine".to_owned()],
        started: "2026-11-30T12:00:00Z".to_owned(),
        duration: Duration::from_secs(1),
        cases: cases.to_vec(),
        cut_short: None,
        warnings: Vec::new(),
        strict: false,
        expectations: None,
        expectation_problems: Vec::new(),
    };
    Source { path: PathBuf::from(format!("{name}.json")), report: Report::of(&record) }
}

fn answered(verdict: Verdict, answer: &str) -> CaseRecord {
    let failed = verdict == Verdict::Fail;
    let difference = Difference {
        pointer: "/count".to_owned(),
        expected: "integer 5".to_owned(),
        actual: "string \"5\"".to_owned(),
    };
    CaseRecord {
        id: CASE.to_owned(),
        description: "The tool fails on arithmetic.".to_owned(),
        place: Place { file: "cases/coerce/seed.json".to_owned(), line: 3, bundled: true },
        clause: "ref-position".to_owned(),
        level: Level::Must,
        policy: None,
        option: None,
        verdict,
        laws: Vec::from_iter(
            failed.then(|| LawBreach { law: "transparent".to_owned(), message: "seen".to_owned() }),
        ),
        message: None,
        sent: vec![("schema", "{\n  \"a b\": 1\n}".to_owned())],
        expected: vec![(None, "{ \"count\": 5 }".to_owned())],
        actual: Some(answer.to_owned()),
        differences: Vec::from_iter(failed.then_some(difference)),
        stderr: String::new(),
        took: Duration::ZERO,
        rerun: format!("target/release/callfit run --filter {CASE} -- mine"),
        expected_failure: None,
    }
}
