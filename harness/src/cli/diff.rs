//! `callfit diff`: what changed between two reports.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use callfit::report::diff::diff;
use callfit::report::json::{Report, read};
use clap::Args;

use super::failure::Failure;
use super::output::Output;

/// Tell what changed between two JSON reports.
#[derive(Debug, Args)]
pub(super) struct Diff {
    /// The report of before: a file that `callfit run --report FILE.json` wrote.
    old: PathBuf,
    /// The report of now.
    new: PathBuf,
}

impl Diff {
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode, Failure> {
        output.print(&diff(&report(&self.old)?, &report(&self.new)?))?;
        Ok(ExitCode::SUCCESS)
    }
}

fn report(path: &Path) -> Result<Report, Failure> {
    let text = fs::read_to_string(path).map_err(|error| Failure::unreadable(path, &error))?;
    read(&text).map_err(|error| Failure::WrongUse(format!("{}: {error}", path.display())))
}
