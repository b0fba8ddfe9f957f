//! The first exchange with a program: `initialize`.

use std::time::{Duration, Instant};

use callfit_reference::json::{self, Array, Number, Value};

use super::message::{Body, excerpt};
use super::output::{self, LAST_WORDS, Output};
use super::process::{Process, TICK};
use super::{About, CannotRun, Method, message, system};

/// How a program introduced itself.
pub(super) struct Introduction {
    /// What it said of itself.
    pub(super) about: About,
    /// What it wrote before, though it was no message; the first of it.
    pub(super) noise: Option<String>,
    /// What it wrote behind its answer.
    pub(super) rest: Vec<u8>,
}

/// Asks the program what it is. `None`: the run is over.
pub(super) fn initialize(
    process: &mut Process,
    program: &str,
    limit: Duration,
    is_over: impl Fn() -> bool,
) -> Result<Option<Introduction>, CannotRun> {
    let version = env!("CARGO_PKG_VERSION");
    let params =
        format!(r#"{{"protocol":1,"harness":{{"name":"callfit","version":"{version}"}}}}"#);
    let mut request = Vec::new();
    message::write_line(&mut request, 0, "initialize", &[&params]);
    process.write(&mut request);

    let deadline = Instant::now() + limit;
    let mut noise = None;
    while !is_over() {
        match process.receive(TICK) {
            Some(Output::Text(lines)) => {
                let mut rest = lines.as_slice();
                while let Some(length) = rest.iter().position(|byte| *byte == b'\n') {
                    let line = &rest[..length];
                    rest = &rest[length + 1..];
                    if is_message(line) {
                        return Ok(Some(Introduction {
                            about: read_about(line, program)?,
                            noise,
                            rest: rest.to_vec(),
                        }));
                    }
                    if noise.is_none() && !line.trim_ascii().is_empty() {
                        noise = Some(excerpt(line));
                    }
                }
            }
            Some(Output::TooLong) => {
                return Err(CannotRun::AnsweredWrongly {
                    program: program.to_owned(),
                    problem: output::too_long(),
                    got: "too much to show".to_owned(),
                });
            }
            Some(Output::End) => {
                return Err(ended_early(process, program));
            }
            // Something it started may hold its stdout: killing that brings the end.
            None if process.has_ended() => {
                process.kill();
            }
            None => {}
        }
        if Instant::now() >= deadline {
            process.kill();
            return Err(CannotRun::NeverAnswered {
                program: program.to_owned(),
                after: limit,
                stderr: process.stderr.take_last(),
            });
        }
    }
    Ok(None)
}

fn ended_early(process: &mut Process, program: &str) -> CannotRun {
    let how = if process.ends_within(LAST_WORDS) {
        process.kill().map_or_else(|| "ended".to_owned(), system::describe)
    } else {
        process.kill();
        "closed its stdout".to_owned()
    };
    CannotRun::EndedEarly { program: program.to_owned(), how, stderr: process.stderr.take_last() }
}

/// Whether a line claims to be a message, and is no banner or log.
fn is_message(line: &[u8]) -> bool {
    let Some(value) = str::from_utf8(line).ok().and_then(|text| json::parse(text).ok()) else {
        return false;
    };
    ["jsonrpc", "result", "error"].into_iter().any(|key| value.get(key).is_some())
}

pub(super) fn read_about(line: &[u8], program: &str) -> Result<About, CannotRun> {
    let wrong = |problem: &str| CannotRun::AnsweredWrongly {
        program: program.to_owned(),
        problem: problem.to_owned(),
        got: excerpt(line),
    };
    let message = message::read(line).ok_or_else(|| wrong("the line is empty"))?;
    let result = match message.body {
        Ok(Body::Result(result)) => {
            json::parse(result).map_err(|error| wrong(&error.to_string()))?
        }
        Ok(Body::Error { .. }) => return Err(wrong("it answered with an error")),
        // The problem ends with the excerpt that is shown anyway.
        Err(problem) => return Err(wrong(problem.split(": ").next().unwrap_or(&problem))),
    };
    if message.id != Some(0) {
        return Err(wrong("the `id` must be 0, as it was sent"));
    }
    match result.get("protocol") {
        Some(Value::Number(protocol)) if *protocol == Number::from(1) => {}
        Some(other) => {
            return Err(CannotRun::OtherProtocol {
                program: program.to_owned(),
                protocol: excerpt(other.to_string().as_bytes()),
            });
        }
        None => return Err(wrong("the result must hold `protocol`")),
    }
    let implementation = result.get("implementation");
    let text = |key| match implementation.and_then(|all| all.get(key)) {
        Some(Value::String(text)) => Ok(Some(text.clone())),
        None | Some(Value::Null) => Ok(None),
        Some(_) => Err(wrong("what `implementation` holds must be strings")),
    };
    let methods =
        strings(result.get("methods")).ok_or_else(|| wrong("`methods` must be a list of names"))?;
    let methods: Vec<Method> =
        Method::ALL.into_iter().filter(|method| methods.contains(&method.name())).collect();
    if !methods.contains(&Method::Coerce) {
        return Err(wrong("`methods` must name `coerce`"));
    }
    let features = match result.get("features") {
        None => Vec::new(),
        some => strings(some).ok_or_else(|| wrong("`features` must be a list of names"))?,
    };
    Ok(About {
        name: text("name")?.ok_or_else(|| wrong("`implementation` must hold a `name`"))?,
        version: text("version")?,
        language: text("language")?,
        homepage: text("homepage")?,
        methods,
        features: features.into_iter().map(str::to_owned).collect(),
    })
}

fn strings(value: Option<&Value>) -> Option<Vec<&str>> {
    let elements: &Array = value?.as_array()?;
    elements.iter().map(Value::as_str).collect()
}
