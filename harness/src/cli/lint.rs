//! `callfit lint`: what a reviewer would send a case file back for.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use callfit::case::{self, Corpus};
use clap::Args;

use super::failure::Failure;
use super::output::Output;

/// The schema of a case file, beside the corpus.
const SCHEMA: &str = "case.schema.json";

/// Check case files.
#[derive(Debug, Args)]
pub(super) struct Lint {
    /// The folder of cases.
    #[arg(default_value = "cases")]
    directory: PathBuf,
    /// Put every file into the one layout first.
    #[arg(long)]
    fix: bool,
    /// Write case.schema.json, by which editors complete and check case files.
    #[arg(long)]
    write_schema: bool,
}

impl Lint {
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode, Failure> {
        let directory = &self.directory;
        if self.fix {
            for file in case::fix(directory)? {
                output.step(&format!("formatted {}", file.display()));
            }
        }
        let problems = case::lint(directory)?;
        // What keeps the corpus from being read is among the problems.
        if self.write_schema
            && let Ok(corpus) = Corpus::load(std::slice::from_ref(directory))
        {
            write_schema(directory, &corpus, output)?;
        }
        if !problems.is_empty() {
            output.print(&case::render(&problems, output.colors_stdout()))?;
            let count = problems.len();
            let noun = if count == 1 { "problem" } else { "problems" };
            output.print(&format!("{count} {noun} in {}\n", directory.display()))?;
            return Ok(ExitCode::FAILURE);
        }
        output.print(&format!("no problems in {}\n", directory.display()))?;
        Ok(ExitCode::SUCCESS)
    }
}

fn write_schema(directory: &Path, corpus: &Corpus, output: &Output) -> Result<(), Failure> {
    let path = directory.join(SCHEMA);
    let cannot_write =
        |error| Failure::WrongUse(format!("cannot write {}: {error}", path.display()));
    fs::write(&path, case::json_schema(corpus)).map_err(cannot_write)?;
    output.step(&format!("wrote {}", path.display()));
    Ok(())
}
