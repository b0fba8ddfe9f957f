//! A folder of a user's own, in which the command is run.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::example::example;

/// A small corpus, of which a program that echoes gets some right: two clauses, a policy, five cases that it is asked and one that it is not.
const CORPUS: &[(&str, &str)] = &[
    ("corpus.json", r#"{ "version": "test.1" }"#),
    (
        "clauses.json",
        r#"{ "about": "", "clauses": [
            { "id": "int", "chapter": "c", "title": "Integers", "levels": ["must", "should"] },
            { "id": "forms", "chapter": "c", "title": "Forms of integers", "levels": ["policy"] },
            { "id": "names", "chapter": "c", "title": "Names", "levels": ["must"] }
        ] }"#,
    ),
    (
        "policies.json",
        r#"{ "about": "", "policies": [{
            "id": "thousands-separators", "question": "Is 1,000 a number?", "field": "",
            "options": [{ "id": "keep", "meaning": "no" }, { "id": "convert", "meaning": "yes" }],
            "profiles": { "recommended": "keep", "seed": "keep", "lenient": "convert" }
        }] }"#,
    ),
    (
        "coerce/t.json",
        r#"{ "$schema": "", "about": "A topic.", "cases": [
            { "id": "coerce/t/text", "description": "The tool gets text and fails.", "clause": "int", "level": "must", "source": ["seed row 1"],
              "schema": { "properties": { "n": { "type": "integer" } } }, "arguments": { "n": "5" }, "expect": { "n": 5 } },
            { "id": "coerce/t/native", "description": "A number is broken.", "clause": "int", "level": "must",
              "schema": { "properties": { "n": { "type": "integer" } } }, "arguments": { "n": 7 }, "expect": { "n": 7 } },
            { "id": "coerce/t/long", "description": "Digits are lost.", "clause": "int", "level": "should",
              "schema": { "properties": { "n": { "type": "integer" } } }, "arguments": { "n": "18446744073709551616" }, "expect": { "n": 18446744073709551616 } },
            { "id": "coerce/t/guilty", "description": "It misbehaves.", "clause": "int", "level": "must",
              "schema": {}, "arguments": { "misbehave": true }, "expect": { "misbehave": true } },
            { "id": "coerce/t/comma", "description": "It may go either way.", "clause": "forms", "level": "policy",
              "schema": { "properties": { "n": { "type": "integer" } } }, "arguments": { "n": "1,000" },
              "policy": "thousands-separators", "options": { "keep": { "n": "1,000" }, "convert": { "n": 1000 } } }
        ] }"#,
    ),
    (
        "sanitize/t.json",
        r#"{ "$schema": "", "about": "A topic.", "cases": [
            { "id": "sanitize/t/plain", "description": "A schema is broken.", "clause": "names", "level": "must",
              "schema": { "type": "object", "properties": { "n": { "type": "integer" } } }, "expect": { "type": "object", "properties": { "n": { "type": "integer" } } } }
        ] }"#,
    ),
];

/// The folder.
pub struct Shell {
    folder: TempDir,
}

impl Shell {
    /// A folder with the small corpus in `cases`.
    pub fn new() -> Self {
        let shell = Self { folder: TempDir::new().unwrap() };
        for (path, text) in CORPUS {
            shell.write(&format!("cases/{path}"), &callfit::case::format(text).unwrap());
        }
        shell
    }

    /// Where a file is, or would be.
    pub fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// Writes a file.
    pub fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Reads a file.
    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    /// The command with these words, ready to be started here.
    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_callfit"));
        self.prepare(&mut command);
        command.args(words);
        command
    }

    /// Another program, in the same surroundings: nothing that the machine of the test has set.
    pub fn prepare(&self, command: &mut Command) {
        command.current_dir(self.folder.path()).env("CALLFIT_CACHE", self.path("cache"));
        for name in ["COLUMNS", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "RUST_BACKTRACE"] {
            command.env_remove(name);
        }
    }

    /// Runs the command with these words, split at blanks; `misbehave` is the path of the example.
    pub fn run(&self, words: &str) -> Output {
        let misbehave = example("misbehave");
        let words: Vec<&str> = words
            .split_whitespace()
            .map(|word| if word == "misbehave" { misbehave.to_str().unwrap() } else { word })
            .collect();
        self.command(&words).stdin(Stdio::null()).output().unwrap()
    }

    /// Runs the command with something on its stdin.
    pub fn pipe(&self, words: &str, input: &[u8]) -> Output {
        let words: Vec<&str> = words.split_whitespace().collect();
        let mut child = self
            .command(&words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        child.wait_with_output().unwrap()
    }

    /// Runs commands and tells what a user sees of them.
    pub fn session(&self, commands: &[&str]) -> String {
        let mut told = String::new();
        for words in commands {
            let output = self.run(words);
            let _ = writeln!(told, "$ callfit {words}\n{}", self.told(&output));
        }
        told
    }

    /// What a user sees: stdout, stderr with a mark before each line, and the exit code. Paths, times and versions are left out.
    pub fn told(&self, output: &Output) -> String {
        let mut told = self.normal(&output.stdout);
        for line in self.normal(&output.stderr).lines() {
            let _ = writeln!(told, "! {line}");
        }
        let _ = writeln!(told, "exit {}", output.status.code().unwrap_or(-1));
        told
    }

    fn normal(&self, text: &[u8]) -> String {
        let text = String::from_utf8(text.to_vec()).unwrap();
        let text = text
            .replace(env!("CARGO_BIN_EXE_callfit"), "callfit")
            .replace(example("misbehave").to_str().unwrap(), "misbehave")
            .replace(self.folder.path().to_str().unwrap(), "HERE")
            .replace(env!("CARGO_PKG_VERSION"), "VERSION");
        let lines = text.lines().map(|line| match line.trim_start().strip_prefix("took ") {
            Some(_) => "  took         TIME\n".to_owned(),
            None => format!("{line}\n"),
        });
        lines.collect()
    }
}
