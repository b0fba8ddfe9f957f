//! `callfit badge`: a report in a few words, for a README.

use std::path::PathBuf;
use std::process::ExitCode;

use callfit::report::badge::badge;
use callfit::report::save_text;
use clap::Args;

use super::failure::Failure;
use super::output::Output;
use super::reports::{folder_is_there, record};

/// Make a badge of a JSON report, in the format that shields.io reads from an endpoint.
///
/// Put the file where the web can read it, and show <https://img.shields.io/endpoint?url=…>. A known failure is a failure here, and percentages are rounded down.
#[derive(Debug, Args)]
pub(super) struct Badge {
    /// The report: a file that `callfit run --report FILE.json` wrote.
    report: PathBuf,
    /// The file to write [default: stdout].
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Badge {
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode, Failure> {
        let badge = badge(&record(&self.report)?)?;
        match &self.out {
            Some(file) => {
                folder_is_there(file).map_err(Failure::WrongUse)?;
                save_text(&badge, file)?;
            }
            None => output.print(&badge)?,
        }
        Ok(ExitCode::SUCCESS)
    }
}
