//! Why a command did not do what it was asked, and the exit code for it.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use callfit::adapter::AdapterError;
use callfit::case::{CorpusError, CreateError, Problem, SelectionError, render};
use callfit::fuzz::{FindingError, PromoteError};
use callfit::report::matrix::MatrixError;
use callfit::report::{MergeError, ReportError};

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
    /// A file has mistakes, which are shown with their lines.
    Problems(Vec<Problem>),
    /// The implementation could not be run to the end.
    CannotRun(String),
    /// What is to be printed cannot be.
    Printing(io::Error),
}

impl Failure {
    /// A file that cannot be read.
    pub(super) fn unreadable(path: &Path, source: &io::Error) -> Self {
        Self::WrongUse(format!("cannot read {}: {source}", path.display()))
    }

    /// Says so on stderr.
    pub(super) fn tell(&self, output: &Output) -> ExitCode {
        match self {
            Self::WrongUse(message) => output.error(message),
            Self::Problems(problems) => {
                output.step(render(problems, output.colors_stderr()).trim_end());
                output.error(&match problems.len() {
                    1 => "there is a mistake in a file".to_owned(),
                    count => format!("there are {count} mistakes in files"),
                });
            }
            Self::CannotRun(message) => {
                output.error(message);
                return CANNOT_RUN.into();
            }
            Self::Printing(error) => output.error(&format!("cannot print: {error}")),
        }
        WRONG_USE.into()
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Printing(error)
    }
}

impl From<CorpusError> for Failure {
    fn from(error: CorpusError) -> Self {
        match error {
            CorpusError::Problems(problems) => Self::Problems(problems),
            _ => Self::WrongUse(error.to_string()),
        }
    }
}

impl From<AdapterError> for Failure {
    fn from(error: AdapterError) -> Self {
        match error {
            AdapterError::Unknown { .. }
            | AdapterError::NoManifest { .. }
            | AdapterError::Manifest { .. }
            | AdapterError::Read { .. } => Self::WrongUse(error.to_string()),
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

impl From<MergeError> for Failure {
    fn from(error: MergeError) -> Self {
        match error {
            MergeError::Expectations(problems) => Self::Problems(problems),
            _ => Self::WrongUse(error.to_string()),
        }
    }
}

impl From<MatrixError> for Failure {
    fn from(error: MatrixError) -> Self {
        Self::WrongUse(error.to_string())
    }
}

impl From<CreateError> for Failure {
    fn from(error: CreateError) -> Self {
        match error {
            CreateError::Corpus(error) => error.into(),
            _ => Self::WrongUse(error.to_string()),
        }
    }
}

impl From<FindingError> for Failure {
    fn from(error: FindingError) -> Self {
        Self::WrongUse(error.to_string())
    }
}

impl From<PromoteError> for Failure {
    fn from(error: PromoteError) -> Self {
        match error {
            PromoteError::Create(error) => error.into(),
            _ => Self::WrongUse(error.to_string()),
        }
    }
}
