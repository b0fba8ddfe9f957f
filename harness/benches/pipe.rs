//! What the harness costs a case, beside a bare pipe that carries the same messages to the same program.
//!
//! The bare pipe is a thread that writes ahead as far as the pipe lets it, and a reader that counts lines: no less can be done.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use callfit::implementation::{
    About, Board, Door, Launch, Method, Next, Reply, Request, Settings, SharedBoard, Ticket, drive,
};
use criterion::{Criterion, Throughput};
use stopwatch::Stopwatch;

/// The program at the other end is this one, so that it need not be built apart.
#[path = "../examples/misbehave.rs"]
mod misbehave;
mod stopwatch;

const REQUESTS: u64 = 50_000;
const SCHEMA: &str = r#"{"type":"object","properties":{"query":{"type":"string"},"count":{"type":"integer"},"exact":{"type":"boolean"}},"required":["query"]}"#;

fn main() -> io::Result<()> {
    if std::env::args().nth(1).as_deref() == Some("echo") {
        return misbehave::main();
    }
    let requests: Vec<Request> = (0..REQUESTS).map(request).collect();
    let lines = lines(&requests);
    let (callfit, bare) = (Stopwatch::default(), Stopwatch::default());

    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("pipe");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(15))
        .throughput(Throughput::Elements(REQUESTS));
    group.bench_function("callfit", |bencher| {
        bencher.iter_custom(|times| callfit.time(times, || through_the_harness(&requests)));
    });
    group.bench_function("bare", |bencher| {
        bencher.iter_custom(|times| bare.time(times, || through_a_bare_pipe(&lines)));
    });
    group.finish();

    if let (Some(callfit), Some(bare)) = (callfit.fastest(), bare.fastest()) {
        let rate =
            |time: Duration| f64::from(u32::try_from(REQUESTS).unwrap_or(0)) / time.as_secs_f64();
        writeln!(
            io::stdout(),
            "callfit {:.0} requests/s, bare pipe {:.0} requests/s: {:.2} of the bare pipe",
            rate(callfit),
            rate(bare),
            bare.as_secs_f64() / callfit.as_secs_f64(),
        )?;
    }
    criterion.final_summary();
    Ok(())
}

fn request(number: u64) -> Request {
    Request {
        method: Method::Coerce,
        schema: SCHEMA.to_owned(),
        subject: Some(format!(r#"{{"query":"shoes {number}","count":"{number}","exact":true}}"#)),
    }
}

fn lines(requests: &[Request]) -> Vec<u8> {
    let mut lines = Vec::new();
    for (id, request) in (1..).zip(requests) {
        let params = request.params();
        lines.extend_from_slice(
            format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"coerce\",\"params\":{params}}}\n"
            )
            .as_bytes(),
        );
    }
    lines
}

/// Hands out the requests and counts the replies.
struct Counter {
    waiting: VecDeque<Request>,
    sent: u64,
    settled: u64,
}

impl Board for Counter {
    fn about(&mut self, _: &About) {}

    fn next(&mut self) -> Next {
        match self.waiting.pop_front() {
            Some(request) => {
                self.sent += 1;
                Next::Send(Ticket(self.sent), request)
            }
            None => Next::Done,
        }
    }

    fn settle(&mut self, _: Ticket, _: Reply) {
        self.settled += 1;
    }

    fn late_fault(&mut self, _: Ticket, _: String) {}

    fn warn(&mut self, _: String) {}
}

/// The time from the first request to the last reply, with the program's start and end.
fn through_the_harness(requests: &[Request]) -> io::Result<Duration> {
    let door = Door::Program(Launch {
        program: std::env::current_exe()?.to_string_lossy().into_owned(),
        arguments: vec!["echo".to_owned()],
        ..Launch::default()
    });
    let board = SharedBoard::new(Counter {
        waiting: requests.iter().cloned().collect(),
        sent: 0,
        settled: 0,
    });
    let begun = Instant::now();
    drive(&door, &Settings::default(), &board).map_err(io::Error::other)?;
    let took = begun.elapsed();
    check(board.into_inner().settled)?;
    Ok(took)
}

fn through_a_bare_pipe(lines: &[u8]) -> io::Result<Duration> {
    let begun = Instant::now();
    let mut program = Command::new(std::env::current_exe()?)
        .arg("echo")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let (Some(mut stdin), Some(stdout)) = (program.stdin.take(), program.stdout.take()) else {
        return Err(io::Error::other("a pipe is missing"));
    };
    let mut answers = 0;
    thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(lines));
        let mut reader = BufReader::with_capacity(64 << 10, stdout);
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line)? > 0 {
            answers += 1;
            line.clear();
        }
        io::Result::Ok(())
    })?;
    program.wait()?;
    let took = begun.elapsed();
    check(answers)?;
    Ok(took)
}

fn check(answers: u64) -> io::Result<()> {
    if answers == REQUESTS { Ok(()) } else { Err(io::Error::other(format!("{answers} answers"))) }
}
