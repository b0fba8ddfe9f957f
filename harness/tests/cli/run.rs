//! `callfit run`.

use std::io::Read as _;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::Duration;
use std::{fs, thread};

use callfit::report::json;

use crate::example::example;
use crate::shell::Shell;

#[test]
fn a_run_tells_what_went_wrong_and_how_to_see_it_again() {
    let shell = Shell::new();
    insta::assert_snapshot!(shell.session(&["run --cases cases -- misbehave abort"]));
}

#[test]
fn a_run_that_goes_well() {
    let shell = Shell::new();
    insta::assert_snapshot!(shell.session(&[
        "run --cases cases",
        "run --cases cases --profile lenient --filter policy:thousands-separators --strict",
        "run --cases cases --jobs 2 --exclude coerce/t/text -- misbehave echo",
    ]));
}

#[test]
fn a_missed_should_counts_only_if_strict() {
    let shell = Shell::new();
    insta::assert_snapshot!(shell.session(&[
        "run --cases cases --quiet --filter */long -- misbehave echo",
        "run --cases cases --quiet --filter */long --strict -- misbehave echo",
    ]));
}

#[test]
fn a_program_per_case() {
    let shell = Shell::new();
    let words = "run --cases cases --quiet --per-case -- misbehave per-case";
    insta::assert_snapshot!(shell.session(&[words]));
}

#[test]
fn nothing_selected_or_judged() {
    let shell = Shell::new();
    insta::assert_snapshot!(shell.session(&[
        "run --cases cases --filter coerce/t/txet",
        "run --cases cases --filter coerce/t",
        "run --cases cases --filter clause:itn",
        "run --cases cases --filter coerce/[",
        "run --cases cases --exclude *",
        "run --cases cases --shard 7/9",
        "run --cases cases --shard 7",
        "run --cases cases --filter sanitize/* --quiet -- misbehave echo",
    ]));
}

#[test]
fn a_case_file_with_a_mistake() {
    let shell = Shell::new();
    let text = shell.read("cases/coerce/t.json").replace("\"int\"", "\"itn\"");
    shell.write("cases/coerce/t.json", &text);
    shell.write("none/readme.txt", "");
    insta::assert_snapshot!(shell.session(&[
        "run --cases cases --filter */text",
        "run --cases none",
        "run --cases nowhere",
    ]));
}

#[test]
fn what_cannot_be_run() {
    let shell = Shell::new();
    shell.write("adapter", "#!/nowhere/interpreter\n");
    fs::set_permissions(shell.path("adapter"), fs::Permissions::from_mode(0o755)).unwrap();
    insta::assert_snapshot!(shell.session(&[
        "run -- ./adapter",
        "run -- no-such-interpreter adapter",
        "run ./adapter",
        "run hermes",
        "run hermes-agent",
        "run --cases cases --report out.json -- misbehave exit-at-once",
        "run -- misbehave initialize-protocol",
    ]));
    let report = json::read(&shell.read("out.json")).unwrap();
    assert!(report.cut_short.unwrap().contains("no coffee"));
}

#[test]
fn crashes_do_not_end_the_run() {
    let shell = Shell::new();
    let words = "run --cases cases --quiet --report out.json -- misbehave abort after 1";
    let output = shell.run(words);
    assert_eq!(output.status.code(), Some(1), "{}", shell.told(&output));
    let report = json::read(&shell.read("out.json")).unwrap();
    assert_eq!(report.cases.len(), 6);
    assert!(!report.summary.conformant);
}

#[test]
fn wrong_options() {
    let shell = Shell::new();
    insta::assert_snapshot!(shell.session(&[
        "run --profile seeds",
        "run --profile seed ajv",
        "run --profile seed -- misbehave echo",
        "run --per-case",
        "run ajv -- misbehave echo",
        "run --timeout 0",
        "run --timeout soon",
        "run --report out.txt",
        "run --report missing/out.json",
        "run --no-such-option",
        "ruin",
    ]));
}

#[test]
fn options_after_the_command_are_the_command_s() {
    let shell = Shell::new();
    let output = shell.run("run --cases cases -- misbehave echo --report out.json");
    let told = shell.told(&output);
    assert!(told.contains("! note: `--report` goes to the program"), "{told}");
    assert!(!shell.path("out.json").exists());
}

#[test]
fn shards_share_the_cases() {
    let shell = Shell::new();
    let mut ids = Vec::new();
    for shard in ["1/2", "2/2"] {
        shell.run(&format!("run --cases cases --shard {shard} --report out.json"));
        let report = json::read(&shell.read("out.json")).unwrap();
        ids.extend(report.cases.into_iter().map(|case| case.id));
    }
    ids.sort();
    let listed = shell.run("list --cases cases").stdout;
    let listed = String::from_utf8(listed).unwrap();
    let mut all: Vec<&str> =
        listed.lines().filter_map(|line| line.split_whitespace().next()).collect();
    all.sort_unstable();
    assert_eq!(ids, all);
}

#[test]
fn color_when_it_is_wanted() {
    let shell = Shell::new();
    let run = |color| shell.run(&format!("run --cases cases --color {color}")).stdout;
    assert!(run("always").contains(&0x1b));
    assert!(!run("never").contains(&0x1b));
    assert!(!run("auto").contains(&0x1b), "a pipe is no terminal");
}

#[test]
fn an_interrupted_run_reports_what_was_done() {
    let shell = Shell::new();
    let misbehave = example("misbehave");
    let program = "touch started; exec \"$0\" hang";
    let words = ["run", "--cases", "cases", "--quiet", "--timeout", "600", "--report", "out.json"];
    let words = [&words[..], &["--", "sh", "-c", program, misbehave.to_str().unwrap()]].concat();
    let mut child =
        shell.command(&words).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    while !shell.path("started").exists() {
        assert_eq!(child.try_wait().unwrap(), None, "the run goes on");
        thread::sleep(Duration::from_millis(10));
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let status = child.wait().unwrap();
    let mut told = String::new();
    child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    assert_eq!(status.code(), Some(3), "{told}");
    assert!(told.contains("error: the run was interrupted; "), "{told}");
    let report = json::read(&shell.read("out.json")).unwrap();
    assert!(report.cut_short.unwrap().contains("interrupted"));
    assert!(!report.summary.conformant);
}

/// Somebody listens where a case's schema leads, and the report tells what was fetched, by the address that the case has.
#[test]
fn what_is_fetched_is_told() {
    let shell = Shell::new();
    let run = "run --filter */reference/loopback --filter */reference/https --jobs 2";
    insta::assert_snapshot!(shell.session(&[
        &format!("{run} -- misbehave fetch"),
        &format!("{run} -- misbehave echo"),
        run,
    ]));
}
