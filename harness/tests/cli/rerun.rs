//! The command that a report gives to see a failure again: it is pasted into a shell here.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use callfit::report::json;

use crate::example::example;
use crate::shell::Shell;

#[test]
fn a_program_s_failure_is_reproduced() {
    let shell = Shell::new();
    let misbehave = example("misbehave");
    let misbehave = misbehave.to_str().unwrap();
    fs::rename(shell.path("cases"), shell.path("my cases")).unwrap();
    let program = ["--", "sh", "-c", "exec \"$1\" echo # it's $HOME", "sh", misbehave];
    let options = ["--cases", "my cases", "--timeout", "60", "--strict"];
    let failures = reproduce(&shell, &[&options[..], &program[..]].concat());
    assert_eq!(failures, ["coerce/t/text", "coerce/t/long"]);
}

#[test]
fn a_program_per_case_is_run_so_again() {
    let shell = Shell::new();
    let misbehave = example("misbehave");
    let words = ["--cases", "cases", "--per-case", "--", misbehave.to_str().unwrap(), "per-case"];
    assert_eq!(reproduce(&shell, &words), ["coerce/t/text", "coerce/t/long"]);
}

#[test]
fn a_crash_and_a_timeout_are_reproduced() {
    let shell = Shell::new();
    let misbehave = example("misbehave");
    for fault in ["exit", "hang"] {
        let words = ["--cases", "cases", "--timeout", "1.5", "--filter", "*/guilty", "--"];
        let words = [&words[..], &[misbehave.to_str().unwrap(), fault]].concat();
        assert_eq!(reproduce(&shell, &words), ["coerce/t/guilty"], "{fault}");
    }
}

#[test]
fn the_reference_under_a_profile_is_run_so_again() {
    let shell = Shell::new();
    let text = shell
        .read("cases/coerce/t.json")
        .replace(r#""convert": { "n": 1000 }"#, r#""convert": { "n": 1 }"#);
    shell.write("cases/coerce/t.json", &text);
    let words = ["--cases", "cases", "--profile", "lenient"];
    assert_eq!(reproduce(&shell, &words), ["coerce/t/comma"]);
}

#[test]
fn whoever_has_it_on_path_is_told_so() {
    let shell = Shell::new();
    let folder = Path::new(env!("CARGO_BIN_EXE_callfit")).parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let misbehave = example("misbehave");
    let first = format!("callfit run --cases cases --report first.json -- {}", misbehave.display());
    let mut sh = Command::new("sh");
    shell.prepare(&mut sh);
    sh.args(["-c", &format!("{first} echo")]).env("PATH", &path).output().unwrap();
    let report = json::read(&shell.read("first.json")).unwrap();
    let rerun = &report.cases.iter().find(|case| case.verdict.is_bad()).unwrap().rerun;
    assert!(rerun.starts_with("callfit run --cases cases --filter coerce/t/text -- "), "{rerun}");
}

/// Runs the command, pastes the rerun command of each case that went wrong into a shell, and checks that the same goes wrong there. Answers which cases went wrong.
fn reproduce(shell: &Shell, words: &[&str]) -> Vec<String> {
    let words = [&["run", "--quiet", "--report", "first.json"], words].concat();
    shell.command(&words).output().unwrap();
    let report = json::read(&shell.read("first.json")).unwrap();
    let bad = report.cases.iter().filter(|case| case.verdict.is_bad());
    bad.map(|case| {
        let told = said_again(shell, &case.rerun);
        let seen = String::from_utf8_lossy(&told.stdout);
        assert!(seen.contains(&case.id), "{}\n{}", case.rerun, shell.told(&told));
        let level = if report.strict { "must" } else { case.level.name() };
        let code = i32::from(level != "should");
        assert_eq!(told.status.code(), Some(code), "{}\n{}", case.rerun, shell.told(&told));
        assert!(seen.contains(&format!("  {}", case.verdict.name())), "{seen}");
        assert!(seen.contains("1 case judged"), "{seen}");
        case.id.clone()
    })
    .collect()
}

fn said_again(shell: &Shell, rerun: &str) -> Output {
    let mut sh = Command::new("sh");
    shell.prepare(&mut sh);
    sh.args(["-c", rerun]).output().unwrap()
}
