//! Why a command did not do what it was asked, and the exit code for it.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use callfit::adapter::AdapterError;
use callfit::case::{CorpusError, CreateError, SelectionError};
use callfit::report::ReportError;

use super::output::Output;

/// Wrong use: options, case files, expectation files; or nothing was judged.
pub(super) const WRONG_USE: u8 = 2;

/// The implementation could not be run to the end.
pub(super) const CANNOT_RUN: u8 = 3;

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub(super) enum Failure {
    /// The user can mend it: the message says how.
    WrongUse(String),
    /// The corpus has mistakes, which are shown with their lines.
    Corpus(CorpusError),
    /// The implementation could not be run.
    CannotRun(String),
    /// Whatever is printed cannot be.
    Printing(io::Error),
}

impl Failure {
    /// A file that cannot be read.
    pub(super) fn unreadable(path: &Path, source: &io::Error) -> Self {
        Self::WrongUse(format!("cannot read {}: {source}", path.display()))
    }

    /// Says so on stderr.
    pub(super) fn tell(&self, output: &Output) -> ExitCode {
        let (message, code) = match self {
            // As if the reader's end had ended this process, which is what `callfit list | head` is used to.
            Self::Printing(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                return ExitCode::SUCCESS;
            }
            Self::Printing(error) => (format!("cannot print: {error}"), WRONG_USE),
            Self::WrongUse(message) => (message.clone(), WRONG_USE),
            Self::Corpus(error) => {
                (error.render(output.colors_stderr()).trim_end().to_owned(), WRONG_USE)
            }
            Self::CannotRun(message) => (message.clone(), CANNOT_RUN),
        };
        output.error(&message);
        code.into()
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Printing(error)
    }
}

impl From<CorpusError> for Failure {
    fn from(error: CorpusError) -> Self {
        Self::Corpus(error)
    }
}

impl From<AdapterError> for Failure {
    fn from(error: AdapterError) -> Self {
        match error {
            AdapterError::Unknown { .. } | AdapterError::Manifest { .. } => {
                Self::WrongUse(error.to_string())
            }
            _ => Self::CannotRun(error.to_string()),
        }
    }
}

impl From<SelectionError> for Failure {
    fn from(error: SelectionError) -> Self {
        Self::WrongUse(error.to_string())
    }
}

impl From<ReportError> for Failure {
    fn from(error: ReportError) -> Self {
        Self::WrongUse(error.to_string())
    }
}

impl From<CreateError> for Failure {
    fn from(error: CreateError) -> Self {
        match error {
            CreateError::Corpus(error) => Self::Corpus(error),
            _ => Self::WrongUse(error.to_string()),
        }
    }
}
