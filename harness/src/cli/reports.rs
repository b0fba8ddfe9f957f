//! Report files: reading those that were written, and writing what a run is to leave.

use std::fs;
use std::path::Path;

use callfit::case::Corpus;
use callfit::report::{self, ReportError, Target, Titles, github, json};
use callfit::run::Record;

use super::failure::Failure;
use super::output::Output;

/// A JSON report.
pub(super) fn report(path: &Path) -> Result<json::Report, Failure> {
    let text = fs::read_to_string(path).map_err(|error| Failure::unreadable(path, &error))?;
    json::read(&text).map_err(|error| no_report(path, &error))
}

/// The record that a JSON report was made of.
pub(super) fn record(path: &Path) -> Result<Record, Failure> {
    report(path)?.into_record().map_err(|error| no_report(path, &error))
}

fn no_report(path: &Path, error: &ReportError) -> Failure {
    Failure::WrongUse(format!("{}: {error}", path.display()))
}

/// The reports that a run is to leave.
#[derive(Debug)]
pub(super) struct Reports {
    targets: Vec<Target>,
    /// The day to tell in place of the times, so that the same run leaves the same files.
    as_of: Option<String>,
}

impl Reports {
    /// Those that were asked for. A run may take long: what would lose a report is told before it.
    pub(super) fn new(asked: &[String], as_of: Option<&str>) -> Result<Self, Failure> {
        let targets = asked.iter().map(|text| {
            let target = Target::parse(text)?;
            target.file.as_deref().map_or(Ok(()), folder_is_there).map_err(Failure::WrongUse)?;
            Ok(target)
        });
        Ok(Self {
            targets: targets.collect::<Result<_, Failure>>()?,
            as_of: as_of.map(str::to_owned),
        })
    }

    /// One report.
    pub(super) fn one(target: Target, as_of: Option<&str>) -> Self {
        Self { targets: vec![target], as_of: as_of.map(str::to_owned) }
    }

    /// Writes them, to the files first: whoever reads stdout may close it. `shown` is what a person reads there, if anything.
    pub(super) fn write(
        &self,
        record: &Record,
        titles: &Titles,
        shown: Option<String>,
        output: &Output,
    ) -> Result<(), Failure> {
        let told = self.as_of.as_deref().map(|date| record.as_of(date));
        let told = told.as_ref().unwrap_or(record);
        let mut saved = Vec::new();
        let mut printed = String::new();
        for Target { format, file } in &self.targets {
            match file {
                Some(file) => saved.push(report::save(told, titles, *format, file)),
                None => printed += &report::write(told, titles, *format)?,
            }
        }
        if let Some(shown) = shown {
            // Where commands are printed, what an implementation wrote must not pass for one.
            output.print(&if printed.is_empty() { shown } else { github::shielded(&shown) })?;
        }
        output.print(&printed)?;
        saved.into_iter().try_for_each(|result| result.map_err(Failure::from))
    }
}

/// What reports call the clauses and policies.
pub(super) fn titles(corpus: &Corpus) -> Titles {
    let clauses = corpus.clauses.iter();
    let policies = corpus.policies.iter();
    Titles {
        clauses: clauses.map(|clause| (clause.id.clone(), clause.title.clone())).collect(),
        policies: policies.map(|policy| (policy.id.clone(), policy.question.clone())).collect(),
    }
}

/// Whether a file can be written here, as far as that can be told before.
pub(super) fn folder_is_there(file: &Path) -> Result<(), String> {
    match file.parent() {
        Some(folder) if folder != Path::new("") && !folder.is_dir() => {
            Err(format!("there is no folder {}; make it first", folder.display()))
        }
        _ => Ok(()),
    }
}
