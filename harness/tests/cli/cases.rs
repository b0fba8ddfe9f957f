//! `callfit list`, `show`, `new`, `lint`, and what else there is beside running.

use std::fs;
use std::process::Stdio;

use crate::shell::Shell;

#[test]
fn list() {
    let shell = Shell::new();
    insta::assert_snapshot!(shell.session(&[
        "list --cases cases",
        "list --cases cases --json --filter policy:thousands-separators --filter */text",
        "list --cases cases --exclude coerce/* --exclude sanitize/*",
    ]));
}

#[test]
fn whoever_closes_stdout_is_not_bothered() {
    let shell = Shell::new();
    let mut child = shell
        .command(&["list", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The list is larger than a pipe holds.
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        (output.status.code(), String::from_utf8(output.stderr).unwrap()),
        (Some(0), String::new())
    );
}

#[test]
fn show() {
    let shell = Shell::new();
    insta::assert_snapshot!(shell.session(&[
        "show --cases cases coerce/t/text",
        "show --cases cases coerce/t/comma",
        "show --cases cases coerce/t/text --request",
        "show --cases cases sanitize/t/plain --request",
        "show --cases cases coerce/t/txet",
    ]));
}

#[test]
fn a_round_trip_is_shown_as_it_is_sent() {
    let shell = Shell::new();
    shell.write(
        "cases/restore/t.json",
        r#"{ "$schema": "", "about": "A topic.", "cases": [
            { "id": "restore/t/blank", "description": "The tool does not know the name.", "clause": "names", "level": "must",
              "schema": { "properties": { "a b": { "type": "integer" } } }, "original": { "a b": 5 } }
        ] }"#,
    );
    insta::assert_snapshot!(shell.session(&["show --cases cases restore/t/blank --request"]));
}

#[test]
fn new_then_lint() {
    let shell = Shell::new();
    insta::assert_snapshot!(shell.session(&[
        "lint",
        "new coerce/t/fresh",
        "new coerce/t/fresh",
        "new coerce/Fresh",
        "lint",
        "lint nowhere",
    ]));
}

#[test]
fn lint_puts_files_into_the_layout_and_writes_the_schema() {
    let shell = Shell::new();
    let good = shell.read("cases/coerce/t.json");
    shell.write("cases/coerce/t.json", &good.replace("  ", "\t"));
    insta::assert_snapshot!(shell.session(&[
        "lint cases",
        "lint cases --write-schema",
        "lint cases --fix --write-schema",
    ]));
    assert_eq!(shell.read("cases/coerce/t.json"), good);
    let schema = shell.read("cases/case.schema.json");
    assert!(schema.contains(r#""forms""#), "the clauses of this corpus: {schema}");
}

#[test]
fn adapters() {
    let shell = Shell::new();
    insta::assert_snapshot!(shell.session(&[
        "adapters",
        "adapters path ajv",
        "adapters path nobody",
        "adapters install ajv nobody",
    ]));
}

#[test]
fn completions() {
    let shell = Shell::new();
    for name in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = shell.run(&format!("completions {name}"));
        let script = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && script.contains("update-expectations"), "{name}");
    }
    assert_eq!(shell.run("completions tcsh").status.code(), Some(2));
}

#[test]
fn the_corpus_that_comes_along() {
    let shell = Shell::new();
    fs::remove_dir_all(shell.path("cases")).unwrap();
    let output = shell.run("run --quiet --filter coerce/integer/plain");
    assert_eq!(output.status.code(), Some(0), "{}", shell.told(&output));
    assert_eq!(shell.run("lint").status.code(), Some(2));
}
