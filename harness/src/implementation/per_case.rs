//! A program that is started for every case: for a shell one-liner.

use std::path::Path;
use std::process::ExitStatus;
use std::time::Instant;

use super::door::Run;
use super::message::{self, excerpt};
use super::output::{self, Cut, Output};
use super::process::{Process, TICK};
use super::{About, Answer, Board, CannotRun, Launch, Method, Reply, Request, system};

/// All that is known of such a program.
pub(super) fn about(launch: &Launch) -> About {
    let name = Path::new(&launch.program).file_name();
    About::named(name.map_or(launch.program.as_str().into(), |name| name.to_string_lossy()))
}

/// Starts the program for one request after the other until there are no more.
pub(super) fn work<B: Board>(launch: &Launch, run: Run<'_, B>) -> Result<(), CannotRun> {
    while let Some((ticket, request)) = run.board.next_or_wait(|| run.is_over()) {
        let Some(reply) = ask(launch, run, &request)? else {
            return Ok(());
        };
        run.board.with(|board| board.settle(ticket, reply));
    }
    Ok(())
}

/// `None`: the run is over.
fn ask<B: Board>(
    launch: &Launch,
    run: Run<'_, B>,
    request: &Request,
) -> Result<Option<Reply>, CannotRun> {
    let begun = Instant::now();
    if request.method != Method::Coerce {
        let message =
            format!("a program that is started for every case has no `{}`", request.method);
        return Ok(Some(Reply {
            answer: Answer::Unsupported(message),
            stderr: String::new(),
            took: begun.elapsed(),
        }));
    }
    let mut process = Process::start(launch, run.common.next_mark(), Cut::Whole)?;
    process.write(&mut format!("{}\n", request.params()).into_bytes());
    process.close_stdin();

    let deadline = begun + run.common.timeout;
    let mut text = None;
    let mut problem = None;
    loop {
        match process.receive(TICK) {
            Some(Output::Text(bytes)) => text = Some(bytes),
            Some(Output::TooLong) => problem = Some(Answer::Error(output::too_long())),
            Some(Output::End) if process.ends_within(TICK) => break,
            // Something it started may hold its stdout: killing that brings the end.
            None if process.has_ended() => {
                process.kill();
            }
            Some(Output::End) | None => {}
        }
        if run.is_over() {
            return Ok(None);
        }
        if Instant::now() >= deadline {
            problem.get_or_insert(Answer::Timeout(run.common.timeout));
        }
        if problem.is_some() {
            break;
        }
    }
    let took = begun.elapsed();
    let status = process.kill();
    let stderr = process.stderr.take_last();
    Ok(Some(Reply {
        answer: problem.unwrap_or_else(|| to_answer(status, &text.unwrap_or_default(), &stderr)),
        stderr,
        took,
    }))
}

fn to_answer(status: Option<ExitStatus>, text: &[u8], stderr: &str) -> Answer {
    match status.and_then(|status| status.code()) {
        Some(0) => match message::parse(text) {
            Ok(value) => Answer::Value(value),
            Err(problem) => Answer::Error(format!("stdout: {problem}: {}", excerpt(text))),
        },
        Some(1) => Answer::Refused(stderr.trim().to_owned()),
        _ => {
            let how = status.map_or_else(|| "ended".to_owned(), system::describe);
            Answer::Crash(format!("the program {how}"))
        }
    }
}
