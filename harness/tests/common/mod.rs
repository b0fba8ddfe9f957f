//! A plug-in on the other end of two pipes, asked one thing at a time.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use callfit_reference::json::{Value, parse};

/// A plug-in that runs.
pub struct Plugin {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    asked: u64,
}

impl Plugin {
    /// Starts it.
    pub fn start(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the plug-in starts");
        Self {
            stdin: child.stdin.take(),
            stdout: BufReader::new(child.stdout.take().expect("a pipe")),
            child,
            asked: 0,
        }
    }

    /// The whole answer to one request but for its head, which is checked.
    pub fn ask(&mut self, method: &str, params: &str) -> Value {
        let id = self.asked;
        self.asked += 1;
        let stdin = self.stdin.as_mut().expect("open until the end");
        writeln!(stdin, r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#)
            .expect("the plug-in reads");
        let mut line = String::new();
        self.stdout.read_line(&mut line).expect("UTF-8");
        let answer = parse(&line).unwrap_or_else(|error| panic!("{line:?}: {error}"));
        assert_eq!(answer.get("jsonrpc"), Some(&Value::from("2.0")), "{line}");
        let id = i64::try_from(id).expect("small");
        assert_eq!(answer.get("id"), Some(&Value::from(id)), "{line}");
        answer
    }

    /// What `coerce` makes of these arguments.
    pub fn coerce(&mut self, schema: &str, arguments: &str) -> Value {
        let answer =
            self.ask("coerce", &format!(r#"{{"schema":{schema},"arguments":{arguments}}}"#));
        member(&answer, "result", "arguments")
    }

    /// Closes its stdin and waits: it must end by itself, and well.
    pub fn finish(mut self) {
        drop(self.stdin.take());
        assert!(self.child.wait().expect("it was started").success());
    }
}

/// What stands two levels down in an answer.
pub fn member(answer: &Value, outer: &str, inner: &str) -> Value {
    answer
        .get(outer)
        .and_then(|outer| outer.get(inner))
        .unwrap_or_else(|| panic!("no /{outer}/{inner} in {answer}"))
        .clone()
}

/// A JSON text as a value.
pub fn json(text: &str) -> Value {
    parse(text).expect("JSON")
}

/// Says on the real stderr, which a passing test's output does not hide, that nothing was tested.
pub fn skipped(why: &str) {
    let _ = writeln!(std::io::stderr(), "skipped: {why}");
}
