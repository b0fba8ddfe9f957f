//! Report files: the format by the extension, and saving without ever leaving half a file.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::run::Record;

use super::summary::Titles;
use super::{json, junit, markdown};

/// The format of a report file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Everything, for programs: `.json`.
    Json,
    /// What CI servers read: `.xml`.
    Junit,
    /// For a step summary or a comment: `.md`.
    Markdown,
}

impl Format {
    /// The format that a file's extension stands for.
    pub fn of_path(path: &Path) -> Result<Self, ReportError> {
        let extension = path.extension().and_then(|extension| extension.to_str());
        match extension.map(str::to_ascii_lowercase).as_deref() {
            Some("json") => Ok(Self::Json),
            Some("xml") => Ok(Self::Junit),
            Some("md") => Ok(Self::Markdown),
            _ => Err(ReportError::UnknownFormat(path.to_owned())),
        }
    }
}

/// Why a report could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The extension stands for no format.
    #[error("tell the format of the report `{}`: name it .json (everything), .xml (JUnit) or .md (Markdown)", .0.display())]
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
}

/// The report in a format.
pub fn write(record: &Record, titles: &Titles, format: Format) -> Result<String, ReportError> {
    match format {
        Format::Json => json::Report::of(record).write(),
        Format::Junit => junit::write(record),
        Format::Markdown => Ok(markdown::write(record, titles)),
    }
}

/// Writes the report to a file, in the format that its extension stands for. What was there before stays until the new report is complete.
pub fn save(record: &Record, titles: &Titles, path: &Path) -> Result<(), ReportError> {
    let text = write(record, titles, Format::of_path(path)?)?;
    replace(path, &text).map_err(|reason| ReportError::Save {
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
