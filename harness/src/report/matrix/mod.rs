//! The page that shows many reports side by side: one HTML file that fetches nothing.
//!
//! The page carries its data as JSON and draws itself. Everything it counts it counts from the single cases, so no figure can disagree with what it opens to.

mod alike;
mod data;
mod table;
mod tables;

use std::path::PathBuf;
use std::{fs, io};

use data_encoding::BASE64;
use sha2::{Digest, Sha256};

use crate::case::Corpus;

pub use self::table::table;

use self::data::Data;
use super::file::replace;
use super::json::Report;

const FRAME: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
/// Parts of one module, in the order in which they use each other.
const SCRIPT: [&str; 10] = [
    include_str!("page/markup.js"),
    include_str!("page/data.js"),
    include_str!("page/state.js"),
    include_str!("page/grid.js"),
    include_str!("page/overview.js"),
    include_str!("page/matrix.js"),
    include_str!("page/case.js"),
    include_str!("page/policies.js"),
    include_str!("page/agreement.js"),
    include_str!("page/main.js"),
];

/// A report, and the file it was read from.
#[derive(Debug, Clone)]
pub struct Source {
    /// The file, for messages.
    pub path: PathBuf,
    /// What it says.
    pub report: Report,
}

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum MatrixError {
    /// Nothing to show.
    #[error("make a page of no report: give files that `callfit run --report FILE.json` wrote")]
    NoReport,
    /// Figures of two corpora do not stand beside each other.
    #[error(
        "put reports of different corpora side by side: {} is of corpus {its}, {} of {theirs}; run \
         the older one again, or make a page of each",
        one.display(), other.display()
    )]
    OtherCorpus {
        /// A report.
        one: PathBuf,
        /// Its corpus.
        its: String,
        /// Another report.
        other: PathBuf,
        /// The corpus of that one.
        theirs: String,
    },
    /// Two reports of one thing.
    #[error(
        "show {name} twice: {} and {} are both of it; keep one, or join shards of one run by \
         `callfit merge`",
        one.display(), other.display()
    )]
    SameTwice {
        /// The implementation, with its version.
        name: String,
        /// A report of it.
        one: PathBuf,
        /// Another report of it.
        other: PathBuf,
    },
    /// One id, two cases.
    #[error(
        "put answers to {case} side by side: it is not the same case in {} and in {}, so the \
         cases were changed in between; run the older one again",
        one.display(), other.display()
    )]
    OtherCase {
        /// The id.
        case: String,
        /// A report.
        one: PathBuf,
        /// Another report.
        other: PathBuf,
    },
    /// The JSON text could not be made.
    #[error("write the data of the page as JSON: {0}")]
    Json(serde_json::Error),
    /// The page could not be written.
    #[error("write the page {}: {reason}; name a file or a folder you may write to", path.display())]
    Save {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: io::Error,
    },
}

/// The page. The same reports give the same bytes, in whatever order they come.
pub fn page(sources: &[Source], corpus: &Corpus) -> Result<String, MatrixError> {
    let data = Data::of(sources, corpus)?;
    let title = format!("callfit: {} implementations side by side", sources.len());
    let script = SCRIPT.concat();
    let json = serde_json::to_string(&data).map_err(MatrixError::Json)?;
    // The data comes last: what a report says is not searched for the names of places.
    Ok(FRAME
        .replace("{{title}}", &title)
        .replace("{{style-hash}}", &hash(STYLE))
        .replace("{{script-hash}}", &hash(&script))
        .replace("{{style}}", STYLE)
        .replace("{{script}}", &script)
        .replacen("{{data}}", &harmless(&json), 1))
}

/// Writes the page to `path`: a file if it is named like one (`.html`, `.htm`), and else `index.html` in a folder, which is made. Answers where it is.
pub fn save(page: &str, path: PathBuf) -> Result<PathBuf, MatrixError> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let is_file = matches!(extension, Some("html" | "htm")) && !path.is_dir();
    let (folder, file) = match path.parent() {
        Some(parent) if is_file => (parent.to_owned(), path),
        _ => (path.clone(), path.join("index.html")),
    };
    let made = if folder.as_os_str().is_empty() { Ok(()) } else { fs::create_dir_all(folder) };
    match made.and_then(|()| replace(&file, page)) {
        Ok(()) => Ok(file),
        Err(reason) => Err(MatrixError::Save { path: file, reason }),
    }
}

/// Only what the page brings along is run: the text between the tags, by its hash.
fn hash(text: &str) -> String {
    BASE64.encode(&Sha256::digest(text))
}

/// JSON that can stand in a script element: without `<` nothing ends the element or begins a comment. The escape means the same.
fn harmless(json: &str) -> String {
    json.replace('<', "\\u003c")
}
