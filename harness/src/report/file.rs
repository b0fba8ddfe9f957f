//! Report files: writing each format, and saving without ever leaving half a file.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::case::{CorpusError, Problem};
use crate::run::Record;

use super::format::Format;
use super::summary::Titles;
use super::{csv, github, json, junit, markdown, sarif, tap};

/// Why a report could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The ending stands for no format.
    #[error("tell the format of the report `{}`: name it .json (everything), .xml (JUnit), .md (Markdown), .sarif, .tap or .csv, or write the format before it, as in junit={}", .0.display(), .0.display())]
    UnknownFormat(PathBuf),
    /// The file could not be written.
    #[error("write the report `{}`: {reason}; {mend}", .path.display())]
    Save {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: io::Error,
        /// What to do about it.
        mend: &'static str,
    },
    /// The JSON text could not be made.
    #[error("write the report as JSON: {0}")]
    Json(serde_json::Error),
    /// The CSV text could not be made.
    #[error("write the report as CSV: {0}")]
    Csv(String),
    /// The XML text could not be made.
    #[error("write the report as XML: {0}")]
    Xml(quick_junit::SerializeError),
    /// What was read is no report.
    #[error(
        "read a report of callfit: {0}; give a file that `callfit run --report FILE.json` wrote"
    )]
    NoReport(String),
    /// What was read is a report of another time.
    #[error(
        "read a report of format {0}: this callfit reads format 1; use the callfit that wrote it, or run again"
    )]
    OtherVersion(u32),
    /// The corpus that this binary carries, beside which a compact report is written and read.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// A compact report can only be of the corpus that this binary carries.
    #[error(
        "write a compact report: it leaves out what the corpus of this callfit says, and {0} is none of its cases; write a whole one, FILE.json"
    )]
    OtherCases(String),
    /// The expectation file in a compact report has mistakes.
    #[error("read a report of callfit: the expectation file in it has mistakes; run again")]
    Expectations(Vec<Problem>),
}

/// The report in a format.
pub fn write(record: &Record, titles: &Titles, format: Format) -> Result<String, ReportError> {
    match format {
        Format::Json => json::Report::of(record).write(),
        Format::Compact => json::Report::of(record).compact()?.write(),
        Format::Junit => junit::write(record),
        Format::Markdown => Ok(markdown::write(record, titles)),
        Format::Sarif => sarif::write(record, titles),
        Format::Tap => Ok(tap::write(record)),
        Format::Csv => csv::write(record),
        Format::Github => Ok(github::write(record)),
    }
}

/// Writes the report to a file. What was there before stays until the new report is complete.
pub fn save(
    record: &Record,
    titles: &Titles,
    format: Format,
    path: &Path,
) -> Result<(), ReportError> {
    save_text(&write(record, titles, format)?, path)
}

/// Writes what was made of a report to a file, in the same way.
pub fn save_text(text: &str, path: &Path) -> Result<(), ReportError> {
    replace(path, text).map_err(|reason| ReportError::Save {
        path: path.to_owned(),
        mend: mend(&reason),
        reason,
    })
}

/// Writes a file whose earlier text stays until the new one is complete.
pub(super) fn replace(path: &Path, text: &str) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let beside = path.with_file_name(name);
    let result = write_new(&beside, text).and_then(|()| fs::rename(&beside, path));
    if result.is_err() {
        // The first error is the one to tell.
        let _ = fs::remove_file(&beside);
    }
    result
}

/// The file must be new, so that a link of this name is not followed.
fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut file = fs::File::create_new(path)?;
    file.write_all(text.as_bytes())
}

fn mend(reason: &io::Error) -> &'static str {
    match reason.kind() {
        io::ErrorKind::NotFound => "make its folder first",
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "name a file in a folder you may write to"
        }
        io::ErrorKind::IsADirectory => "name a file, not a folder",
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "free some space",
        _ => "name another file",
    }
}
