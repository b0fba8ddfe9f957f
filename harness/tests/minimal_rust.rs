//! The minimal coercer in Rust that the README shows: the corpus as its tests, run as `cargo test` and nextest run tests.

use std::process::{Command, Output};

use example::example;

#[path = "common/example.rs"]
mod example;

fn run(words: &str) -> (Output, String) {
    let mut command = Command::new(example("minimal"));
    let output = command.args(words.split(' ')).output().expect("the example runs");
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    (output, told)
}

#[test]
fn each_case_is_a_test_and_some_are_ignored() {
    let (output, listed) = run("--list --format terse");
    assert!(output.status.success());
    assert!(listed.lines().any(|line| line == "coerce/integer/plain: test"), "{listed}");
    let (_, ignored) = run("--list --format terse --ignored");
    let mut areas: Vec<&str> =
        ignored.lines().filter_map(|line| Some(line.split_once('/')?.0)).collect();
    areas.dedup();
    assert_eq!(areas, ["resolve", "restore", "sanitize"], "what it does not offer");
}

#[test]
fn a_case_that_passes() {
    let (output, told) = run("--exact coerce/integer/plain");
    assert!(output.status.success(), "{told}");
    assert!(told.contains("1 passed"), "{told}");
}

#[test]
fn a_case_that_is_not_supported_is_not_run() {
    for words in ["", " --include-ignored"] {
        let (output, told) = run(&format!("--exact resolve/anchors/in-property{words}"));
        assert!(output.status.success(), "{told}");
        assert!(told.contains("0 passed; 0 failed; 1 ignored"), "{told}");
    }
}

#[test]
fn a_failure_tells_what_a_report_tells() {
    let (output, told) = run("coerce/integer/minus-zero");
    assert!(!output.status.success());
    for part in [
        "schema     {",
        "arguments  { \"n\": \"-0\" }",
        "where      /n: expected integer 0, got string \"-0\"",
        "again      cargo run --example minimal -- --exact coerce/integer/minus-zero",
    ] {
        assert!(told.contains(part), "{part}\n{told}");
    }
    let (output, told) = run("--exact coerce/integer/minus-zero");
    assert!(!output.status.success());
    assert!(told.contains("0 passed; 1 failed"), "{told}");
}
