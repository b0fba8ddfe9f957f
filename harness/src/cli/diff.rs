//! `callfit diff`: what changed between two reports.

use std::path::PathBuf;
use std::process::ExitCode;

use callfit::report::diff::Changes;
use clap::Args;

use super::failure::Failure;
use super::output::Output;
use super::reports::record;

/// Tell what changed between two JSON reports: what is broken, fixed, otherwise, new or gone.
///
/// Ends with 1 if a case that passed does not any more, at whatever level, or with `--exact` for any change.
#[derive(Debug, Args)]
pub(super) struct Diff {
    /// The report of before: a file that `callfit run --report FILE.json` wrote.
    old: PathBuf,
    /// The report of now.
    new: PathBuf,
    /// Print Markdown, for a comment on a pull request.
    #[arg(long)]
    markdown: bool,
    /// End with 1 for any change in a case of the new report, be it in a message; the old report may have more cases.
    #[arg(long)]
    exact: bool,
}

impl Diff {
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode, Failure> {
        let changes = Changes::between(&record(&self.old)?, &record(&self.new)?);
        output.print(&if self.markdown { changes.markdown() } else { changes.text() })?;
        let is_bad = if self.exact { changes.is_other() } else { changes.is_broken() };
        Ok(u8::from(is_bad).into())
    }
}
