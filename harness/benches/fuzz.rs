//! What the oracles cost a fuzz target: in process beside one that only parses the same inputs, and with a program beside a bare pipe that carries the same messages.
//!
//! The bare pipe writes a line and waits for one, as a target must that judges each answer before it asks on.

use std::cell::RefCell;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
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
    // Started once, as a campaign starts them.
    let asker = asker()?;
    let differential = time("differential", &|| judged(&right, &asker));
    let bare_pipe = RefCell::new(BarePipe::start()?);
    let bare = time("bare pipe", &|| bare_pipe.borrow_mut().carry(&lines));
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

fn asker() -> io::Result<Asker> {
    let door = Door::Program(Launch {
        program: std::env::current_exe()?.to_string_lossy().into_owned(),
        arguments: vec!["echo".to_owned()],
        ..Launch::default()
    });
    Asker::start(&door, &Settings::default()).map_err(io::Error::other)
}

/// As the target `differential` does it.
fn judged(problems: &[(Problem, Scope)], asker: &Asker) -> io::Result<()> {
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

/// A program that echoes, and nothing between it and whoever asks.
struct BarePipe {
    program: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    answer: Vec<u8>,
}

impl BarePipe {
    fn start() -> io::Result<Self> {
        let mut program = Command::new(std::env::current_exe()?)
            .arg("echo")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let stdin = program.stdin.take();
        let stdout = program.stdout.take().ok_or_else(|| io::Error::other("a pipe is missing"))?;
        let stdout = BufReader::with_capacity(64 << 10, stdout);
        Ok(Self { program, stdin, stdout, answer: Vec::new() })
    }

    fn carry(&mut self, lines: &[String]) -> io::Result<()> {
        for line in lines {
            if let Some(stdin) = &mut self.stdin {
                stdin.write_all(line.as_bytes())?;
            }
            self.answer.clear();
            if self.stdout.read_until(b'\n', &mut self.answer)? == 0 {
                return Err(io::Error::other("no answer"));
            }
        }
        Ok(())
    }
}

impl Drop for BarePipe {
    fn drop(&mut self) {
        self.stdin = None;
        let _ = self.program.wait();
    }
}

fn timed(work: &dyn Fn() -> io::Result<()>) -> io::Result<Duration> {
    let begun = Instant::now();
    work()?;
    Ok(begun.elapsed())
}
