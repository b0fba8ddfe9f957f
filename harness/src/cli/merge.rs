//! `callfit merge`: the reports of shards put together.

use std::path::PathBuf;
use std::process::ExitCode;

use callfit::case::Corpus;
use callfit::report::merge;
use clap::Args;

use super::failure::Failure;
use super::output::Output;
use super::reports::{Reports, record, titles};

/// Put the JSON reports of shards together: the report that one run of them all would have written.
///
/// Shards that overlap, leave a gap or are of different runs are refused.
#[derive(Debug, Args)]
pub(super) struct Merge {
    /// The reports, one a shard: files that `callfit run --shard I/N --report FILE.json` wrote.
    #[arg(required = true, value_name = "REPORT")]
    reports: Vec<PathBuf>,
    /// The file to write; its ending decides, as for `callfit run --report`. Can be given several times.
    #[arg(short, long, required = true, value_name = "FILE")]
    out: Vec<String>,
    /// A folder of cases that the run was given. Can be given several times.
    #[arg(long, value_name = "DIR")]
    cases: Vec<PathBuf>,
}

impl Merge {
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode, Failure> {
        let reports = Reports::new(&self.out, None)?;
        let corpus = Corpus::load(&self.cases)?;
        let shards =
            self.reports.iter().map(|path| Ok((path.display().to_string(), record(path)?)));
        let merged = merge(shards.collect::<Result<_, Failure>>()?, &corpus)?;
        reports.write(&merged, &titles(&corpus), None, output)?;
        Ok(ExitCode::SUCCESS)
    }
}
