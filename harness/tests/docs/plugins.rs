//! The plug-ins of the documentation pass what their pages say they pass, and survive what is nested deep.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::example::example;
use crate::{CALLFIT, root, skipped, starts, told};

#[test]
fn python() {
    let Some(python) = ["python3", "python"].into_iter().find(|python| starts(python, "--version"))
    else {
        return skipped("the plug-in in Python: there is no python3 in PATH");
    };
    if !starts_with(python, "-c", "import sys; sys.exit(sys.version_info < (3, 11))") {
        return skipped("the plug-in in Python: its kit needs Python 3.11");
    }
    let folder =
        laid_out(&["docs/plugins/python/callfit_plugin.py", "harness/adapters/kit/callfit_kit.py"]);
    check(folder.path(), &[python, "callfit_plugin.py"]);
}

#[test]
fn typescript() {
    let script = "process.exit(process.features.typescript ? 0 : 1)";
    if !starts_with("node", "-e", script) {
        return skipped("the plug-in in TypeScript: no node in PATH reads TypeScript (22.18 does)");
    }
    let folder = laid_out(&[
        "docs/plugins/typescript/callfit-plugin.ts",
        "harness/adapters/kit/callfit_kit.mjs",
    ]);
    check(folder.path(), &["node", "callfit-plugin.ts"]);
}

#[test]
fn go() {
    if !starts("go", "version") {
        return skipped("the plug-in in Go: there is no go in PATH");
    }
    let folder = laid_out(&["docs/plugins/go/main.go", "docs/plugins/go/go.mod"]);
    build(folder.path(), &["go", "build", "-o", "callfit-plugin", "."]);
    check(folder.path(), &["./callfit-plugin"]);
}

#[test]
fn java() {
    if !starts("javac", "-version") || !starts("java", "-version") {
        return skipped("the plug-in in Java: there is no javac and java in PATH");
    }
    let folder = laid_out(&["docs/plugins/java/CallfitPlugin.java", "docs/plugins/java/Json.java"]);
    build(
        folder.path(),
        &["javac", "-Xlint:all", "-Werror", "-d", "classes", "CallfitPlugin.java", "Json.java"],
    );
    check(folder.path(), &["java", "-cp", "classes", "CallfitPlugin"]);
}

#[test]
fn rust() {
    let folder = TempDir::new().expect("a folder");
    check(folder.path(), &[example("plugin").to_str().expect("UTF-8")]);
}

/// The cases that its page runs, and those that a reader of JSON may not survive.
fn check(folder: &Path, command: &[&str]) {
    let run = |filter: &str| {
        let mut run = Command::new(CALLFIT);
        // A slow machine is no fault of theirs.
        run.args(["run", "--quiet", "--timeout", "120", "--filter", filter, "--"]);
        let output = run.args(command).current_dir(folder).output().expect("callfit");
        (output.status.code(), told(&output))
    };
    let (code, told) = run("coerce/integer/*");
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("\nconformant: "), "{told}");
    let (code, told) = run("coerce/budget/*-deep*");
    assert!(matches!(code, Some(0 | 1)), "{told}");
    assert!(!told.contains("crash") && !told.contains("timeout"), "{told}");
}

/// A folder with copies of these files.
fn laid_out(files: &[&str]) -> TempDir {
    let folder = TempDir::new().expect("a folder");
    for file in files {
        let name = Path::new(file).file_name().expect("a file");
        fs::copy(root().join(file), folder.path().join(name)).expect("a file of this repository");
    }
    folder
}

fn build(folder: &Path, words: &[&str]) {
    let mut command = Command::new(words[0]);
    let output = command.args(&words[1..]).current_dir(folder).output().expect("a compiler");
    assert!(output.status.success(), "{}", told(&output));
}

fn starts_with(program: &str, option: &str, script: &str) -> bool {
    Command::new(program).args([option, script]).output().is_ok_and(|it| it.status.success())
}
