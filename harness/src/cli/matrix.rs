//! `callfit matrix`: many reports side by side, on one page.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use callfit::case::Corpus;
use callfit::report::matrix::{Source, page, save, table};
use callfit::report::save_text;
use clap::Args;

use super::failure::Failure;
use super::output::Output;
use super::reports::report;

/// Put JSON reports side by side: on one HTML page, which needs no network, or in a table in Markdown.
#[derive(Debug, Args)]
pub(super) struct Matrix {
    /// Files that `callfit run --report FILE.json` wrote, or folders of them.
    #[arg(required = true)]
    reports: Vec<PathBuf>,
    /// Where the page goes: a file that ends in .html, or a folder, in which it is index.html; .md for the table.
    #[arg(short, long, value_name = "PAGE")]
    output: PathBuf,
}

impl Matrix {
    pub(super) fn run(self, output: &Output) -> Result<ExitCode, Failure> {
        let mut sources = Vec::new();
        for path in &self.reports {
            if path.is_dir() {
                for file in files(path)? {
                    sources.push(source(file)?);
                }
            } else {
                sources.push(source(path.clone())?);
            }
        }
        let corpus = Corpus::embedded()?;
        if self.output.extension().is_some_and(|extension| extension == "md") {
            save_text(&table(&sources, &corpus)?, &self.output)?;
            return Ok(ExitCode::SUCCESS);
        }
        let file = save(&page(&sources, &corpus)?, self.output)?;
        output.step(&format!("{}: open it in a browser", file.display()));
        Ok(ExitCode::SUCCESS)
    }
}

/// The JSON files of a folder.
fn files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let unreadable = |error| Failure::unreadable(folder, &error);
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            files.push(path);
        }
    }
    files.sort();
    if files.is_empty() {
        return Err(Failure::WrongUse(format!(
            "no report in {}: give a folder with files that `callfit run --report FILE.json` wrote",
            folder.display()
        )));
    }
    Ok(files)
}

fn source(path: PathBuf) -> Result<Source, Failure> {
    let report = report(&path)?;
    Ok(Source { path, report })
}
