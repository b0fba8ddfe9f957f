//! What the oracles cost a fuzz target: in process beside one that only parses the same inputs, and with a program beside a bare pipe that carries the same messages.
//!
//! The bare pipe writes a line and waits for one, as a target must that judges each answer before it asks on.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use callfit::Reference;
use callfit::case::Corpus;
use callfit::fuzz::{self, Context, Problem, Scope, try_out};
use callfit::implementation::{About, Answer, Asker, Door, Launch, Request, Settings};
use callfit_reference::{Policies, Profile};
use criterion::Criterion;
use stopwatch::Stopwatch;

/// The program that echoes is this one, so that it need not be built apart.
#[path = "../examples/misbehave.rs"]
mod misbehave;
mod stopwatch;

/// Every so many of the seeds that a problem of coercing stands in.
const EVERY: usize = 4;

fn main() -> io::Result<()> {
    if std::env::args().nth(1).as_deref() == Some("echo") {
        return misbehave::main();
    }
    let inputs = inputs()?;
    let reference = Reference::new(Profile::Recommended);
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("fuzz");
    group.sample_size(10).measurement_time(Duration::from_secs(10));
    let mut time = |name: &str, work: &dyn Fn() -> io::Result<()>| {
        let stopwatch = Stopwatch::default();
        group.bench_function(name, |bencher| {
            bencher.iter_custom(|times| stopwatch.time(times, || timed(work)));
        });
        stopwatch.fastest()
    };
    let parse = time("parse", &|| {
        for input in &inputs {
            std::hint::black_box(fuzz::problem_of(input));
        }
        Ok(())
    });
    let coerce = time("coerce", &|| {
        for input in &inputs {
            fuzz::check(&reference, input);
        }
        Ok(())
    });
    let right = right(&inputs);
    let lines = lines(&right);
    let differential = time("differential", &|| judged(&right));
    let bare = time("bare pipe", &|| through_a_bare_pipe(&lines));
    group.finish();

    for (name, one, other, beside, count) in [
        ("coerce", coerce, parse, "a target that only parses", inputs.len()),
        ("differential", differential, bare, "a bare pipe", right.len()),
    ] {
        if let (Some(one), Some(other)) = (one, other) {
            let rate = f64::from(u32::try_from(count).unwrap_or(0)) / one.as_secs_f64();
            let ratio = other.as_secs_f64() / one.as_secs_f64();
            writeln!(io::stdout(), "{name}: {rate:.0} inputs/s, {ratio:.2} of {beside}")?;
        }
    }
    criterion.final_summary();
    Ok(())
}

/// The seeds that a campaign of cargo-fuzz begins with, those of the corpus.
fn inputs() -> io::Result<Vec<Vec<u8>>> {
    let corpus = Corpus::embedded().map_err(io::Error::other)?;
    let folder = tempfile::tempdir()?;
    fuzz::write_seeds(&corpus, folder.path()).map_err(io::Error::other)?;
    let mut paths: Vec<_> = std::fs::read_dir(folder.path().join("coerce"))?
        .map(|entry| Ok(entry?.path()))
        .collect::<io::Result<_>>()?;
    paths.sort();
    paths.iter().step_by(EVERY).map(std::fs::read).collect()
}

/// The problems that a program which changes nothing answers rightly: with it no input ends the target.
fn right(inputs: &[Vec<u8>]) -> Vec<(Problem, Scope)> {
    let problems = inputs.iter().zip(0..).map(|(input, turn)| {
        let problem = fuzz::problem_of(input);
        (problem, Scope::Turn(turn))
    });
    problems
        .filter(|(problem, scope)| {
            let trial = try_out(problem.clone(), *scope, &context(), |request| echo(&request));
            trial.fault().is_none() && trial.answer().is_some()
        })
        .collect()
}

fn context() -> Context {
    Context {
        about: About::named("echo"),
        policies: Policies::default(),
        other: None,
        is_reference: false,
    }
}

fn echo(request: &Request) -> Answer {
    let subject = request.subject.as_deref().unwrap_or("null");
    callfit_reference::json::parse(subject)
        .map_or_else(|error| Answer::Error(error.to_string()), Answer::Value)
}

/// What is sent for each problem.
fn lines(problems: &[(Problem, Scope)]) -> Vec<String> {
    let mut lines = Vec::new();
    for (problem, scope) in problems {
        try_out(problem.clone(), *scope, &context(), |request| {
            lines.push(request.line(u64::try_from(lines.len()).unwrap_or_default()));
            echo(&request)
        });
    }
    lines
}

/// As the target `differential` does it.
fn judged(problems: &[(Problem, Scope)]) -> io::Result<()> {
    let door = Door::Program(Launch {
        program: std::env::current_exe()?.to_string_lossy().into_owned(),
        arguments: vec!["echo".to_owned()],
        ..Launch::default()
    });
    let asker = Asker::start(&door, &Settings::default()).map_err(io::Error::other)?;
    let context = context();
    for (problem, scope) in problems {
        let trial = try_out(problem.clone(), *scope, &context, |request| {
            let gone = || Answer::Error("gone".to_owned());
            asker.ask(request).map_or_else(gone, |reply| reply.answer)
        });
        if let Some(fault) = trial.fault() {
            return Err(io::Error::other(fault.message.clone()));
        }
    }
    Ok(())
}

fn through_a_bare_pipe(lines: &[String]) -> io::Result<()> {
    let mut program = Command::new(std::env::current_exe()?)
        .arg("echo")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let (Some(mut stdin), Some(stdout)) = (program.stdin.take(), program.stdout.take()) else {
        return Err(io::Error::other("a pipe is missing"));
    };
    let mut reader = BufReader::with_capacity(64 << 10, stdout);
    let mut answer = Vec::new();
    for line in lines {
        stdin.write_all(line.as_bytes())?;
        answer.clear();
        if reader.read_until(b'\n', &mut answer)? == 0 {
            return Err(io::Error::other("no answer"));
        }
    }
    drop(stdin);
    program.wait()?;
    Ok(())
}

fn timed(work: &dyn Fn() -> io::Result<()>) -> io::Result<Duration> {
    let begun = Instant::now();
    work()?;
    Ok(begun.elapsed())
}
