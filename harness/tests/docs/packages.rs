//! The packages agree with the crate and with each other, and npm's launcher hands everything on.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

use crate::workflows::yaml;
use crate::{CALLFIT, file, files, root, skipped, starts, told};

const VERSION: &str = env!("CARGO_PKG_VERSION");

#[test]
fn versions_are_the_same_everywhere() {
    let package: Value = serde_json::from_str(&file("packaging/npm/package.json")).expect("JSON");
    assert_eq!(package["version"], VERSION, "packaging/npm/package.json");
    for (name, version) in package["optionalDependencies"].as_object().expect("platforms") {
        assert_eq!(version, VERSION, "{name} in packaging/npm/package.json");
    }
    let manifest: toml::Table = file("harness/Cargo.toml").parse().expect("TOML");
    let reference = &manifest["dependencies"]["callfit-reference"];
    assert_eq!(reference["version"].as_str(), Some(VERSION), "harness/Cargo.toml");
    let project: toml::Table = file("packaging/python/pyproject.toml").parse().expect("TOML");
    let maturin = project["build-system"]["requires"][0].as_str().expect("a requirement");
    assert!(file("packaging/python/requirements.txt").contains(&format!("\n{maturin} \\\n")));
}

#[test]
fn every_adapter_is_in_the_published_crate() {
    let cut = files("harness/adapters").into_iter().find(|path| path.ends_with("/Cargo.toml"));
    assert_eq!(cut, None, "cargo publishes no folder with a Cargo.toml; call it Cargo.toml.in");
}

#[test]
fn each_platform_is_built_and_offered() {
    let package: Value = serde_json::from_str(&file("packaging/npm/package.json")).expect("JSON");
    let offered: BTreeSet<_> =
        package["optionalDependencies"].as_object().expect("platforms").keys().cloned().collect();
    let release = yaml("release.yml", &file(".github/workflows/release.yml"));
    let built: BTreeSet<_> = release["jobs"]["build"]["strategy"]["matrix"]["include"]
        .as_array()
        .expect("targets")
        .iter()
        .map(|entry| entry["target"].as_str().expect("a target"))
        .map(|target| {
            let cpu = if target.starts_with("aarch64") { "arm64" } else { "x64" };
            let system = if target.contains("apple") { "darwin" } else { "linux" };
            // What cargo binstall, and the action, find on Linux.
            assert!(system == "darwin" || target.ends_with("-musl"), "{target}");
            assert!(file(".github/action/install.sh").contains(&format!("target={target} ;;")));
            format!("@callfit/{system}-{cpu}")
        })
        .collect();
    assert_eq!(built, offered);
}

#[test]
fn the_launcher_hands_on_words_streams_and_the_end() {
    let Some(folder) = installed() else { return };
    let launch = |words: &[&str]| {
        let mut command = launcher(&folder);
        let output = command.args(words).stdin(Stdio::null()).output().expect("node");
        (output.status.code(), told(&output))
    };
    let (code, log) = launch(&["--version"]);
    assert_eq!(code, Some(0), "{log}");
    assert!(log.contains(&format!("callfit {VERSION}")), "{log}");
    let (code, log) = launch(&["run", "--filter", "no such*case"]);
    assert_eq!(code, Some(2), "{log}");
    assert!(log.contains("no case matches `no such*case`"), "{log}");
}

#[test]
fn the_launcher_waits_for_the_report_of_what_was_done() {
    let Some(folder) = installed() else { return };
    let mut child = launcher(&folder)
        .args(["run", "--quiet", "--report", "out.json", "--", "sh", "-c"])
        .arg("touch started; exec sleep 600")
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("node");
    while !folder.path().join("started").exists() {
        assert_eq!(child.try_wait().expect("a child"), None, "the run goes on");
        thread::sleep(Duration::from_millis(10));
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().expect("kill").success());
    assert_eq!(child.wait().expect("a child").code(), Some(3));
    let report = fs::read_to_string(folder.path().join("out.json")).expect("a report");
    assert!(report.contains("interrupted"), "{report}");
}

#[test]
fn the_launcher_tells_which_package_is_missing() {
    let Some(folder) = installed() else { return };
    fs::remove_dir_all(folder.path().join("node_modules/@callfit")).expect("a folder");
    let output = launcher(&folder).arg("--version").output().expect("node");
    assert_eq!(output.status.code(), Some(3));
    let told = told(&output);
    assert!(told.contains("@callfit/") && told.contains("is missing; "), "{told}");
}

/// What npm lays out: the package that users name, and the binary beside it. None without node.
fn installed() -> Option<TempDir> {
    if !starts("node", "--version") {
        skipped("the launcher of the npm package: there is no node in PATH");
        return None;
    }
    let platform = Command::new("node").args(["-p", "process.platform+'-'+process.arch"]).output();
    let platform = String::from_utf8(platform.expect("node").stdout).expect("UTF-8");
    let folder = TempDir::new().expect("a folder");
    let modules = folder.path().join("node_modules");
    let binary = modules.join("@callfit").join(platform.trim());
    fs::create_dir_all(&binary).expect("a new folder");
    fs::create_dir(modules.join("callfit")).expect("a new folder");
    symlink(CALLFIT, binary.join("callfit")).expect("a new file");
    for name in ["callfit.js", "package.json"] {
        let from = root().join("packaging/npm").join(name);
        fs::copy(from, modules.join("callfit").join(name)).expect("a file of this repository");
    }
    Some(folder)
}

fn launcher(folder: &TempDir) -> Command {
    let mut command = Command::new("node");
    command.arg(folder.path().join("node_modules/callfit/callfit.js"));
    command
}
