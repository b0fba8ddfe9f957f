//! Why an implementation could not be run.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// Why a run ended before its end, or never began. The mend is in the message.
#[derive(Debug, thiserror::Error)]
pub enum CannotRun {
    /// The command does not exist.
    #[error("the command `{program}` does not exist; is it installed, spelled right and on PATH?")]
    NoSuchCommand {
        /// The command.
        program: String,
    },
    /// The file is there, but what its first line names is not.
    #[error(
        "`{program}` is there, but the interpreter that its first line names is not; install it, or write it before the file's name"
    )]
    NoSuchInterpreter {
        /// The command.
        program: String,
    },
    /// The directory to start it in does not exist.
    #[error("`{program}` is to be started in `{}`, which is no directory", directory.display())]
    NoSuchDirectory {
        /// The command.
        program: String,
        /// The directory.
        directory: PathBuf,
    },
    /// The system would not start it.
    #[error("`{program}` could not be started: {source}; may the file be executed?")]
    CannotStart {
        /// The command.
        program: String,
        /// What the system said.
        source: io::Error,
    },
    /// No answer to `initialize`.
    #[error(
        "`{program}` did not answer `initialize` within {after:?}; it must read one JSON-RPC message a line from stdin and flush after each answer (a slow start needs a larger --timeout, and a program that ends after each case needs --per-case){}",
        end_of(stderr)
    )]
    NeverAnswered {
        /// The command.
        program: String,
        /// How long it was waited for.
        after: Duration,
        /// The end of its stderr.
        stderr: String,
    },
    /// Another answer to `initialize` than it must be.
    #[error(
        "`{program}` answered `initialize` wrongly: {problem}; expected {{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{{\"protocol\":1,\"implementation\":{{\"name\":\"…\"}},\"methods\":[\"coerce\"]}}}}, got {got}"
    )]
    AnsweredWrongly {
        /// The command.
        program: String,
        /// What is wrong with it.
        problem: String,
        /// What came, shortened.
        got: String,
    },
    /// It speaks another version of the protocol.
    #[error(
        "`{program}` speaks protocol {protocol}, and this harness speaks protocol 1; it needs the harness of that protocol, or must answer `\"protocol\":1`"
    )]
    OtherProtocol {
        /// The command.
        program: String,
        /// The version, as it was written.
        protocol: String,
    },
    /// It ended before it answered `initialize`.
    #[error(
        "`{program}` {how} before it answered `initialize`; does it run by hand?{}",
        end_of(stderr)
    )]
    EndedEarly {
        /// The command.
        program: String,
        /// How it ended.
        how: String,
        /// The end of its stderr.
        stderr: String,
    },
    /// It had to be started again and again.
    #[error(
        "`{program}` was started again {restarts} times in a row without one good answer in between (the last time it {how}); the run ends here, and what was learned stands"
    )]
    TooManyRestarts {
        /// The command.
        program: String,
        /// How often.
        restarts: u32,
        /// What happened the last time.
        how: String,
    },
}

fn end_of(stderr: &str) -> String {
    let stderr = stderr.trim_end();
    if stderr.is_empty() { String::new() } else { format!("; the end of its stderr:\n{stderr}") }
}
