//! Expectation files: known failures that do not fail a run, and entries that do.

use crate::shell::Shell;

/// What `misbehave abort` gets wrong, exactly.
const RIGHT: &str = r#"format = 1

[[expect]]
case = "coerce/t/text"
verdict = "fail"
reason = "does not convert"
link = "https://example.org/1"

# It never did.
[[expect]]
case = "*/guilty"
verdict = "crash"
reason = "aborts"
"#;

fn with(text: &str) -> Shell {
    let shell = Shell::new();
    shell.write("known.toml", text);
    shell
}

#[test]
fn exactly_as_expected_is_conformant() {
    let shell = with(RIGHT);
    insta::assert_snapshot!(shell.session(&[
        "run --cases cases --expect known.toml -- misbehave abort",
        "run --cases cases --expect known.toml --quiet --filter */native -- misbehave abort",
    ]));
}

#[test]
fn what_is_not_as_expected_fails() {
    let stale = RIGHT.replace("t/text", "t/native");
    let unmatched = RIGHT.replace("t/text", "t/txet");
    let otherwise = RIGHT.replace("crash", "timeout");
    let no_more = RIGHT.replace("*/guilty", "coerce/t/[nc]*");
    let excluded = RIGHT.replace("coerce/t/text", "sanitize/t/plain");
    let mut told = String::new();
    for text in [stale, unmatched, otherwise, no_more, excluded] {
        let shell = with(&text);
        told +=
            &shell.session(&["run --cases cases --expect known.toml --quiet -- misbehave abort"]);
    }
    insta::assert_snapshot!(told);
}

/// A case that takes about as long as an answer may comes out one way here and another there.
#[test]
fn one_of_several_verdicts() {
    let mut told = String::new();
    for verdicts in [r#"["timeout", "crash"]"#, r#"["pass", "crash"]"#, r#"["timeout", "fail"]"#] {
        let shell = with(&RIGHT.replace("\"crash\"", verdicts));
        told +=
            &shell.session(&["run --cases cases --expect known.toml --quiet -- misbehave abort"]);
    }
    // Where all is well, a list with `pass` is not stale; one without is.
    for verdicts in [r#"["pass", "timeout"]"#, r#"["fail", "timeout"]"#] {
        let shell = with(&RIGHT.replace("t/text", "t/native").replace("\"fail\"", verdicts));
        told += &shell.session(&[
            "run --cases cases --expect known.toml --quiet --filter */native -- misbehave abort",
        ]);
    }
    // Writing the file anew keeps it.
    let shell = with(&RIGHT.replace("\"crash\"", r#"["timeout", "crash"]"#));
    shell.session(&[
        "run --cases cases --expect known.toml --update-expectations --quiet -- misbehave abort",
    ]);
    told += &shell.read("known.toml");
    insta::assert_snapshot!(told);
}

#[test]
fn mistakes_in_the_file_are_told_with_place_and_mend() {
    let mistakes = [
        ("format = 1", ""),
        ("format = 1", "format = \"1\""),
        ("format = 1", "format = 1\nexpects = []"),
        ("[[expect]]\ncase", "expect = 5 #"),
        ("case =", "cases ="),
        ("reason = \"aborts\"", ""),
        ("\"aborts\"", "\" \""),
        ("\"aborts\"", "7"),
        ("\"crash\"", "\"crahs\""),
        ("\"crash\"", "\"pass\""),
        ("\"crash\"", "[\"crash\"]"),
        ("\"crash\"", "[\"crash\", \"crash\"]"),
        ("\"crash\"", "[\"crash\", \"timeuot\"]"),
        ("\"crash\"", "[\"crash\", 5]"),
        ("*/guilty", "*/[guilty"),
        ("*/guilty", "coerce/t/text"),
        ("= \"*/guilty\"", "= */guilty"),
    ];
    let mut told = String::new();
    for (right, wrong) in mistakes {
        let shell = with(&RIGHT.replacen(right, wrong, 1));
        told += &shell.session(&["run --cases cases --expect known.toml"]);
    }
    insta::assert_snapshot!(told);
}

#[test]
fn no_file() {
    let shell = Shell::new();
    insta::assert_snapshot!(shell.session(&[
        "run --cases cases --expect known.toml",
        "run --cases cases --update-expectations",
        "run --update-expectations hermes-agent",
        "run --cases cases --update-expectations --expect missing/known.toml",
        "run --no-expect --expect known.toml hermes-agent",
    ]));
}

#[test]
fn a_new_file_is_written() {
    let shell = Shell::new();
    let update = "run --cases cases --quiet --expect known.toml --update-expectations";
    let told = shell.session(&[
        &format!("{update} -- misbehave abort"),
        "run --cases cases --quiet --expect known.toml -- misbehave abort",
        &format!("{update} --strict -- misbehave abort"),
    ]);
    insta::assert_snapshot!(format!("{told}{}", shell.read("known.toml")));
}

#[test]
fn what_stands_is_kept_word_for_word() {
    let more = r#"
[[expect]]
case = "coerce/t/native"
verdict = "fail"
reason = "goes right by now"

[[expect]]
case = "coerce/t/long"
verdict = "crash" # How it goes wrong changes.
reason = "loses digits"

[[expect]]
case = "sanitize/t/gone"
verdict = "fail"
reason = "the case is gone"

[[expect]]
case = "sanitize/*"
verdict = "fail"
reason = "was not run"
"#;
    let shell = with(&format!("# Ours.\n{RIGHT}{more}"));
    let update = "run --cases cases --quiet --expect known.toml --update-expectations";
    let told = shell.session(&[&format!("{update} --exclude sanitize/* -- misbehave abort")]);
    insta::assert_snapshot!(format!("{told}{}", shell.read("known.toml")));
}

#[test]
fn a_run_cut_short_writes_no_file() {
    let shell = with(RIGHT);
    let update = "run --cases cases --expect known.toml --update-expectations";
    let told = shell.session(&[&format!("{update} -- misbehave exit-at-once")]);
    insta::assert_snapshot!(told);
    assert_eq!(shell.read("known.toml"), RIGHT);
}
