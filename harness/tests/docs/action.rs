//! The scripts of the action, in the environment that a runner gives them.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

use crate::workflows::{steps, yaml};
use crate::{CALLFIT, file, root, told};

/// How a step ended: its exit code and its log.
type Ended = (Option<i32>, String);

/// A job on a machine: the repository that uses the action, and the runner's own folder.
struct Runner {
    folder: TempDir,
}

impl Runner {
    fn new() -> Self {
        let runner = Self { folder: TempDir::new().expect("a folder") };
        for folder in ["repository", "temp", "bin"] {
            fs::create_dir(runner.path(folder)).expect("a new folder");
        }
        // A name with a blank, as a command may have to hold one.
        symlink(CALLFIT, runner.path("repository/my callfit")).expect("a new file");
        runner
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    /// Runs the step of action.yml that calls this script, with the inputs as `with` gives them.
    fn step(&self, script: &str, inputs: &[(&str, &str)]) -> Ended {
        let action = yaml("action.yml", &file("action.yml"));
        let step = steps(&action).into_iter().find(|step| {
            step["run"].as_str().is_some_and(|run| run.contains(&format!("/{script}")))
        });
        let step = step.unwrap_or_else(|| panic!("a step of action.yml calls {script}"));
        let mut environment = BTreeMap::new();
        for (name, value) in step["env"].as_object().expect("variables") {
            let value = value.as_str().expect("a text");
            let input = value.strip_prefix("${{ inputs.").and_then(|it| it.strip_suffix(" }}"));
            if let Some(input) = input {
                assert!(action["inputs"][input].is_object(), "{input}");
                let given = inputs.iter().find(|(name, _)| *name == input);
                environment.insert(name.clone(), given.map_or("", |(_, value)| value).to_owned());
            }
        }
        let path = std::env::var("PATH").unwrap_or_default();
        let output = Command::new("bash")
            .args(["--noprofile", "--norc", "-eo", "pipefail", "-c"])
            .arg(step["run"].as_str().expect("a script"))
            .current_dir(self.path("repository"))
            .envs(environment)
            .env("PATH", format!("{}:{path}", self.path("bin").display()))
            .env("GITHUB_ACTION_PATH", root())
            .env("GITHUB_OUTPUT", self.path("output"))
            .env("GITHUB_STEP_SUMMARY", self.path("summary"))
            .env("RUNNER_TEMP", self.path("temp"))
            .env("RUNNER_OS", "Linux")
            .env("RUNNER_ARCH", "X64")
            // What the step before put there.
            .env("CALLFIT", CALLFIT)
            .env("FOLDER", self.path("temp/callfit-bin"))
            .output()
            .expect("bash");
        (output.status.code(), told(&output))
    }

    /// An output of the steps so far.
    fn output(&self, name: &str) -> Option<String> {
        let outputs = self.read("output");
        let value = outputs.lines().rev().find_map(|line| line.strip_prefix(&format!("{name}=")));
        value.map(str::to_owned)
    }
}

#[test]
fn a_run_leaves_reports_a_summary_and_outputs() {
    let runner = Runner::new();
    let inputs = [
        ("command", "'./my callfit' \"serve\""),
        ("filter", "coerce/seed/*\n  restore/seed/*\n"),
        ("timeout", "120"),
        ("jobs", "2"),
    ];
    let (code, log) = runner.step("run.sh", &inputs);
    assert_eq!(code, Some(0), "{log}");
    assert!(runner.read("summary").contains("**conformant: "), "{}", runner.read("summary"));
    assert_eq!(runner.output("exit-code").as_deref(), Some("0"));
    let reports = PathBuf::from(runner.output("reports").expect("a folder"));
    assert!(reports.starts_with(runner.path("temp")));
    let report = fs::read_to_string(reports.join("callfit.json")).expect("a report");
    let report: Value = serde_json::from_str(&report).expect("JSON");
    let cases = report["cases"].as_array().expect("cases").iter();
    let areas: Vec<_> = cases.map(|case| case["id"].as_str().expect("an id")).collect();
    assert!(areas.iter().any(|id| id.starts_with("restore/seed/")), "{areas:?}");
    assert!(areas.iter().all(|id| id.contains("/seed/")), "{areas:?}");
    for (ending, part) in [("xml", "<testsuites"), ("md", "conformant"), ("sarif", "2.1.0")] {
        let text = fs::read_to_string(reports.join(format!("callfit.{ending}"))).expect(ending);
        assert!(text.contains(part), "{ending}: {text}");
    }
}

#[test]
fn the_step_ends_as_callfit_does() {
    let runner = Runner::new();
    // An entry whose case passes by now: not conformant.
    let entry =
        "[[expect]]\ncase = \"coerce/seed/row-1-count\"\nverdict = \"fail\"\nreason = \"old\"\n";
    fs::write(runner.path("repository/-old.toml"), format!("format = 1\n{entry}")).expect("a file");
    let inputs = [("expectations", "-old.toml"), ("profile", "seed"), ("filter", "coerce/seed/*")];
    let (code, log) = runner.step("run.sh", &inputs);
    assert_eq!(code, Some(1), "{log}");
    assert!(log.contains("\n::error title=callfit"), "{log}");
    assert_eq!(runner.output("exit-code").as_deref(), Some("1"));
    assert!(runner.read("summary").contains("not conformant"), "{}", runner.read("summary"));

    let runner = Runner::new();
    let (code, log) = runner.step("run.sh", &[("timeout", "soon")]);
    assert_eq!(code, Some(2), "{log}");
    assert!(runner.read("summary").contains("exit code 2"), "{}", runner.read("summary"));
}

#[test]
fn wrong_inputs_are_told() {
    for (inputs, part) in [
        ([("command", "true"), ("adapter", "ajv")], "are both given"),
        ([("command", "python3 'my plugin.py"), ("jobs", "1")], "a quote that is not closed"),
        ([("adapter", "--all"), ("jobs", "1")], "is no name of an adapter"),
        ([("adapter", "ajv hermes-agent"), ("jobs", "1")], "is no name of an adapter"),
    ] {
        let runner = Runner::new();
        let (code, log) = runner.step("run.sh", &inputs);
        assert_eq!(code, Some(2), "{log}");
        assert!(log.contains("::error title=callfit::") && log.contains(part), "{log}");
    }
}

#[test]
fn what_an_input_says_is_never_run() {
    let hostile = [
        "; touch x",
        "$(touch x)",
        "`touch x`",
        "| touch x",
        "&& touch x #",
        "\ntouch x",
        "' ; touch x ; '",
        "\" ; touch x ; \"",
        "a[$(touch x)]",
        "--report=x",
    ];
    let runner = Runner::new();
    for text in hostile {
        // A program that could run, but for what stands behind it.
        let command = format!("true {text}");
        let options = ["expectations", "profile", "filter", "timeout", "jobs"];
        let options = options.map(|name| (name, text)).to_vec();
        for inputs in [vec![("command", &command[..])], vec![("adapter", text)], options] {
            let (code, log) = runner.step("run.sh", &inputs);
            assert_ne!(code, Some(0), "{inputs:?}: {log}");
        }
        for step in ["install.sh\" plan", "install.sh\" get"] {
            let (code, log) = runner.step(step, &[("version", &format!("1.2.0{text}"))]);
            assert_eq!(code, Some(2), "{text}: {log}");
        }
    }
    let left = fs::read_dir(runner.path("repository")).expect("a folder").count();
    assert_eq!(left, 1, "nothing but the link stands there");
}

#[test]
fn a_release_is_downloaded_and_checked() {
    let binstall = "https://github.com/callfit/callfit/releases/download/v1.2.0/callfit-1.2.0-x86_64-unknown-linux-musl.tar.gz";
    let runner = Runner::new();
    let name = "callfit-1.2.0-x86_64-unknown-linux-musl";
    let released = runner.path("released");
    fs::create_dir_all(released.join(name)).expect("a new folder");
    program(&released.join(name).join("callfit"), "echo callfit 1.2.0");
    let tar = ["-czf", &format!("{name}.tar.gz"), name].map(str::to_owned);
    let output = Command::new("tar").args(tar).current_dir(&released).output().expect("tar");
    assert!(output.status.success(), "{}", told(&output));
    let archive = fs::read(released.join(format!("{name}.tar.gz"))).expect("an archive");
    let digest = data_encoding::HEXLOWER.encode(&Sha256::digest(&archive));
    fs::write(released.join(format!("{name}.tar.gz.sha256")), format!("{digest}  {name}.tar.gz\n"))
        .expect("a file");
    // In place of the network: the last word is the address, and the word after --output the file.
    let curl = "while [ $# -gt 1 ]; do if [ \"$1\" = --output ]; then to=$2; fi; shift; done\necho \"$1\" >>../asked\ncp \"../released/${1##*/}\" \"$to\"";
    program(&runner.path("bin/curl"), curl);

    let version = [("version", "v1.2.0")];
    let (code, log) = runner.step("install.sh\" plan", &version);
    assert_eq!(code, Some(0), "{log}");
    assert_eq!(runner.output("key").as_deref(), Some("callfit-Linux-X64-1.2.0"));
    assert_eq!(runner.output("folder").map(PathBuf::from), Some(runner.path("temp/callfit-bin")));
    let (code, log) = runner.step("install.sh\" get", &version);
    assert_eq!(code, Some(0), "{log}");
    assert!(log.contains("callfit 1.2.0"), "{log}");
    // The same place that cargo binstall looks at.
    assert!(runner.read("asked").starts_with(&format!("{binstall}\n")), "{}", runner.read("asked"));
    let template =
        file("harness/Cargo.toml").replace("{ repo }", "https://github.com/callfit/callfit");
    let template = template.replace("{ version }", "1.2.0");
    assert!(template.replace("{ target }", "x86_64-unknown-linux-musl").contains(binstall));

    // What the cache brought is taken as it is.
    let (code, log) = runner.step("install.sh\" get", &version);
    assert_eq!((code, runner.read("asked").lines().count()), (Some(0), 2), "{log}");

    fs::remove_dir_all(runner.path("temp/callfit-bin")).expect("a folder");
    let damaged = [&archive[..], b"more"].concat();
    fs::write(released.join(format!("{name}.tar.gz")), damaged).expect("a file");
    let (code, log) = runner.step("install.sh\" get", &version);
    assert_eq!(code, Some(2), "{log}");
    assert!(log.contains("is not what was released"), "{log}");
    assert!(!runner.path("temp/callfit-bin/callfit").exists());
}

#[test]
fn without_a_release_the_source_of_the_action_is_built() {
    let runner = Runner::new();
    // In place of minutes of compiling: it writes down how it was called, and leaves what cargo would.
    let cargo = r#"if [ "$1" = --version ]; then echo cargo 1.95.0; exit; fi
echo "$@" >../called
while [ "$1" != --root ]; do shift; done
mkdir -p "$2/bin"
printf '#!/bin/sh\necho callfit built\n' >"$2/bin/callfit"
chmod +x "$2/bin/callfit""#;
    program(&runner.path("bin/cargo"), cargo);
    let key = || {
        let (code, log) = runner.step("install.sh\" plan", &[]);
        assert_eq!(code, Some(0), "{log}");
        runner.output("key").expect("a key")
    };
    let first = key();
    assert_eq!(first, key());
    // Of the source there is a digest.
    assert_eq!(first.strip_prefix("callfit-Linux-X64-").map(str::len), Some(64), "{first}");
    let (code, log) = runner.step("install.sh\" get", &[]);
    assert_eq!(code, Some(0), "{log}");
    assert!(log.contains("callfit built"), "{log}");
    let called = runner.read("called");
    let path = root().join("harness");
    assert!(called.contains(&format!("install --locked --path {}", path.display())), "{called}");
}

fn program(path: &Path, script: &str) {
    fs::write(path, format!("#!/bin/sh\n{script}\n")).expect("a file");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("mine");
}
