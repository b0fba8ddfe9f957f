//! What is made of reports: other formats, differences, merged shards, badges.

use std::fs;

use callfit::report::json;
use callfit::run::Verdict;

use crate::shell::Shell;

#[test]
fn each_ending_and_each_prefix_is_a_format() {
    let shell = Shell::new();
    let words = "run --cases cases --report out.json --report out.xml --report out.md \
                 --report out.sarif --report out.tap --report out.csv --report sarif=scan.json \
                 --report tap=out.txt -- misbehave abort";
    let output = shell.run(words);
    assert_eq!(output.status.code(), Some(1), "{}", shell.told(&output));
    let report = json::read(&shell.read("out.json")).unwrap();
    assert_eq!((report.corpus.version.as_str(), report.cases.len()), ("test.1", 6));
    let beginnings = [
        ("out.xml", "<?xml"),
        ("out.md", "## ❌ callfit: <code>misbehave</code>"),
        ("out.sarif", "{\n  \"$schema\": \"https://docs.oasis-open.org/sarif/"),
        ("out.tap", "TAP version 14\n1..6\n# misbehave\nnot ok 1 - coerce/t/text\n"),
        ("out.csv", "implementation,version,"),
    ];
    for (file, beginning) in beginnings {
        let text = shell.read(file);
        assert!(text.starts_with(beginning), "{file}: {text}");
    }
    assert_eq!(shell.read("scan.json"), shell.read("out.sarif"));
    assert_eq!(shell.read("out.txt"), shell.read("out.tap"));
    // Where the case stands: in a file of the user's own.
    assert!(shell.read("out.sarif").contains(r#""uri": "cases/coerce/t.json""#));
    assert!(!shell.read("out.sarif").contains("uriBaseId"));
    assert!(shell.read("out.tap").contains("  at: \"cases/coerce/t.json:"));
}

#[test]
fn a_case_s_place_is_where_it_stands() {
    let shell = Shell::new();
    shell.run("run --cases cases --report out.json");
    let report = json::read(&shell.read("out.json")).unwrap();
    for case in report.cases {
        let text = shell.read(&case.place.file);
        // A case begins with its brace; its id follows.
        let lines: Vec<&str> = text.lines().skip(case.place.line - 1).take(2).collect();
        assert!(lines.concat().contains(&format!("\"{}\"", case.id)), "{:?}", case.place);
        assert!(!case.place.bundled);
    }
    shell.run("run --filter coerce/seed/row-1-count --report out.json");
    let report = json::read(&shell.read("out.json")).unwrap();
    let place = &report.cases[0].place;
    assert!(place.bundled && place.file == "cases/coerce/seed.json", "{place:?}");
}

#[test]
fn annotations_go_to_stdout_and_the_report_cannot_pass_for_one() {
    let shell = Shell::new();
    let output = shell.run("run --cases cases --report github --quiet -- misbehave abort");
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    let (first, rest) = text.split_once('\n').unwrap();
    let word = first.strip_prefix("::stop-commands::").unwrap();
    let (_, annotations) = rest.split_once(&format!("::{word}::\n")).unwrap();
    let annotations = annotations.replace(env!("CARGO_BIN_EXE_callfit"), "callfit");
    let misbehave = crate::example::example("misbehave");
    insta::assert_snapshot!(annotations.replace(misbehave.to_str().unwrap(), "misbehave"));
}

#[test]
fn diff() {
    let shell = Shell::new();
    shell.run("run --cases cases --report old.json");
    shell.run("run --cases cases --report new.json -- misbehave abort");
    let told = |words: &str| {
        let told = shell.told(&shell.run(words));
        let lines = told.lines().filter(|line| !line.contains("corpus test.1")).map(str::to_owned);
        lines.collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!(told("diff old.json new.json"));
    insta::assert_snapshot!("diff_back", told("diff new.json old.json"));
    insta::assert_snapshot!("diff_markdown", told("diff --markdown old.json new.json"));
    shell.write("old.json", "{}");
    let report = shell.read("new.json");
    shell.write("odd.json", &report.replacen("\"schema\":", "\"skema\":", 1));
    insta::assert_snapshot!(
        "diff_refuses",
        shell.session(&[
            "diff old.json new.json",
            "diff none.json new.json",
            "diff new.json odd.json",
        ])
    );
}

/// The new report has to come to the same, word for word, in all that it has.
#[test]
fn exact_diff() {
    let shell = Shell::new();
    shell.run("run --cases cases --report old.json -- misbehave abort");
    shell.run("run --cases cases --report same.json -- misbehave abort");
    shell.run("run --cases cases --exclude */guilty --report part.json -- misbehave abort");
    let text = shell.read("same.json");
    shell.write("words.json", &text.replacen("SIGABRT", "SIGBART", 1));
    for (new, exit) in [("same", 0), ("part", 0), ("words", 1)] {
        let output = shell.run(&format!("diff --exact old.json {new}.json"));
        assert_eq!(output.status.code(), Some(exit), "{new}: {}", shell.told(&output));
    }
    let more = shell.run("diff --exact part.json old.json");
    assert_eq!(more.status.code(), Some(1), "{}", shell.told(&more));
}

/// A compact report says what the whole one says, beside the corpus; but a right answer is told as the corpus words it.
#[test]
fn compact_report() {
    let shell = Shell::new();
    let run = "run --quiet --exclude */budget/* --as-of 2026-11-30 --report whole.json \
               --report compact=compact.json";
    let known = "format = 1\n[[expect]]\ncase = \"coerce/seed/*\"\nverdict = \"fail\"\nreason = \"echoes\"\n";
    shell.write("known.toml", known);
    for program in ["", "--expect known.toml -- misbehave echo"] {
        shell.run(&format!("{run} {program}"));
        let (whole, compact) = (shell.read("whole.json"), shell.read("compact.json"));
        assert!(compact.len() < whole.len() / 5, "{} of {}", compact.len(), whole.len());
        let [mut whole, mut compact] = [whole, compact].map(|text| json::read(&text).unwrap());
        for case in whole.cases.iter_mut().chain(&mut compact.cases) {
            case.actual = case.actual.take().filter(|_| case.verdict != Verdict::Pass);
        }
        assert!(whole == compact, "a compact report says something else");
        assert!(!program.is_empty() || whole.summary.conformant);
        assert!(program.is_empty() || whole.summary.expected_failures > 0);
    }
    insta::assert_snapshot!(
        shell.session(&["run --cases cases --quiet --report compact=none.json"])
    );
}

/// The texts of the corpus have changed since: a verdict on another text is none.
#[test]
fn compact_report_of_another_corpus() {
    let shell = Shell::new();
    shell.run("run --quiet --filter coerce/seed/* --filter coerce/exact/* --as-of 2026-11-30 --report compact=old.json");
    let text = shell.read("old.json");
    let topic = text.find("\"coerce/seed\": \"").unwrap() + "\"coerce/seed\": \"".len();
    shell.write("other.json", &[&text[..topic], "-", &text[topic + 1..]].concat());
    shell.write("gone.json", &text.replacen("coerce/exact/text-2-64", "coerce/exact/gone", 1));
    let report = json::read(&shell.read("other.json")).unwrap();
    assert!(report.cases.iter().all(|case| case.id.starts_with("coerce/exact/")));
    assert_eq!(report.summary.judged, report.cases.len());
    insta::assert_snapshot!(report.warnings.join("\n"));
    let report = json::read(&shell.read("gone.json")).unwrap();
    assert_eq!(report.warnings.len(), 1, "{:?}", report.warnings);
}

#[test]
fn badge() {
    let shell = Shell::new();
    shell.run("run --cases cases --report out.json -- misbehave echo");
    insta::assert_snapshot!(shell.session(&[
        "badge out.json",
        "badge out.json -o badge.json",
        "badge out.json -o missing/badge.json",
        "badge cases/coerce/t.json",
    ]));
    let printed = shell.run("badge out.json").stdout;
    assert_eq!(shell.read("badge.json").into_bytes(), printed);
}

/// The corpus that comes along, against the reference.
#[test]
fn merged_shards_are_what_one_run_would_have_written() {
    let shell = Shell::new();
    let run = "run --quiet --filter coerce/* --filter resolve/* --exclude clause:bounded";
    let whole = shell.run(&format!("{run} --as-of 2026-11-30 --report whole.json"));
    assert_eq!(whole.status.code(), Some(0), "{}", shell.told(&whole));
    for shard in 1..=3 {
        let report = format!("--as-of 2026-11-30 --report shard-{shard}.json");
        shell.run(&format!("{run} --shard {shard}/3 {report}"));
    }
    let merged = shell.run("merge shard-2.json shard-3.json shard-1.json -o all.json -o all.xml");
    assert_eq!(merged.status.code(), Some(0), "{}", shell.told(&merged));
    assert!(shell.read("all.json") == shell.read("whole.json"), "the merged report is another");
    let xml = shell.read("all.xml");
    let cases = json::read(&shell.read("whole.json")).unwrap().cases.len();
    assert_eq!(xml.matches("<testcase ").count(), cases);
}

/// Which entries are stale shows only where all cases are: an entry may speak of cases of several shards.
#[test]
fn merged_shards_are_compared_with_the_expectation_file_again() {
    let shell = Shell::new();
    shell.write(
        "known.toml",
        r#"format = 1

[[expect]]
case = "coerce/t/[nc]*"
verdict = "fail"
reason = "goes right by now"

[[expect]]
case = "*/guilty"
verdict = "crash"
reason = "aborts"
"#,
    );
    let run = "run --cases cases --expect known.toml --as-of 2026-11-30";
    shell.run(&format!("{run} --report whole.json -- misbehave abort"));
    for shard in 1..=4 {
        let words = format!("{run} --shard {shard}/4 --report {shard}.json -- misbehave abort");
        shell.run(&words);
        let report = json::read(&shell.read(&format!("{shard}.json"))).unwrap();
        assert!(report.expectation_problems.is_empty(), "{:?}", report.expectation_problems);
    }
    let merged = shell.run("merge --cases cases 1.json 2.json 3.json 4.json -o all.json");
    assert_eq!(merged.status.code(), Some(0), "{}", shell.told(&merged));
    let all = json::read(&shell.read("all.json")).unwrap();
    assert_eq!(all.expectation_problems.len(), 1);
    assert_eq!(all.summary.expected_failures, 1);
    assert_eq!(shell.read("all.json"), shell.read("whole.json"));
}

/// But for times, that is: these are those of all shards together.
#[test]
fn merged_shards_took_as_long_as_all_of_them() {
    let shell = Shell::new();
    for shard in ["1/2", "2/2"] {
        let file = shard.replace('/', "-");
        shell.run(&format!("run --cases cases --shard {shard} --report {file}.json"));
    }
    shell.run("merge --cases cases 1-2.json 2-2.json -o all.json");
    let [one, two, all] =
        ["1-2.json", "2-2.json", "all.json"].map(|file| json::read(&shell.read(file)).unwrap());
    assert_eq!(all.duration_ms, one.duration_ms + two.duration_ms);
    assert_eq!(all.started, one.started.min(two.started));
}

#[test]
fn what_are_not_the_shards_of_one_run_is_refused() {
    let shell = Shell::new();
    for (name, words) in [
        ("one", "--cases cases --shard 1/3"),
        ("two", "--cases cases --shard 2/3"),
        ("three", "--cases cases --shard 3/3"),
        ("whole", "--cases cases"),
        ("half", "--cases cases --shard 2/2"),
        ("lenient", "--cases cases --shard 2/3 --profile lenient"),
        ("strict", "--cases cases --shard 2/3 --strict"),
        ("filtered", "--cases cases --shard 1/3 --filter coerce/*"),
        ("program", "--cases cases --shard 2/3 -- misbehave echo"),
        ("cut", "--cases cases --shard 2/3 -- misbehave exit-at-once"),
    ] {
        let (before, after) = words.split_once(" -- ").unwrap_or((words, ""));
        let command = if after.is_empty() { String::new() } else { format!(" -- {after}") };
        shell.run(&format!("run {before} --report {name}.json{command}"));
    }
    let changed = shell.read("cases/corpus.json").replace("test.1", "test.2");
    let text = shell.read("cases/coerce/t.json");
    for (path, data) in
        [("corpus.json", changed), ("coerce/t.json", text.replace("\"5\"", "\"6\""))]
    {
        shell.write(&format!("other/{path}"), &data);
    }
    for file in ["clauses.json", "policies.json", "sanitize/t.json"] {
        shell.write(&format!("other/{file}"), &shell.read(&format!("cases/{file}")));
    }
    shell.run("run --cases other --shard 3/3 --report other.json");
    insta::assert_snapshot!(shell.session(&[
        "merge --cases cases one.json three.json -o all.json",
        "merge --cases cases two.json -o all.json",
        "merge --cases cases one.json two.json three.json one.json -o all.json",
        "merge --cases cases whole.json whole.json -o all.json",
        "merge --cases cases one.json half.json -o all.json",
        "merge --cases cases one.json lenient.json three.json -o all.json",
        "merge --cases cases one.json strict.json three.json -o all.json",
        "merge --cases cases filtered.json two.json -o all.json",
        "merge --cases cases one.json program.json -o all.json",
        "merge --cases cases cut.json -o all.json",
        "merge --cases cases one.json two.json other.json -o all.json",
        "merge --cases other one.json two.json three.json -o all.json",
        "merge one.json two.json three.json -o all.json",
        "merge --cases cases one.json two.json three.json -o all.txt",
        "merge --cases cases one.json two.json three.json",
        "merge -o all.json",
    ]));
    assert!(!shell.path("all.json").exists());
    let one = shell.run("merge --cases cases whole.json -o all.json");
    assert_eq!(one.status.code(), Some(0), "{}", shell.told(&one));
    assert_eq!(
        fs::read(shell.path("all.json")).unwrap(),
        fs::read(shell.path("whole.json")).unwrap()
    );
}
