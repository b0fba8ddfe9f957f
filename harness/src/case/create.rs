//! `callfit new`: a skeleton case in the file it belongs in.

use std::path::{Path, PathBuf};
use std::{fs, io};

use callfit_reference::json::Value;

use super::check::{is_id, value_of};
use super::corpus::{self, Corpus, CorpusError};
use super::format::format_at;
use super::model::Area;
use super::place::{Outline, line_and_column};

/// Where a skeleton was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Created {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1, that the case begins on.
    pub line: usize,
}

/// Why no skeleton was written.
#[derive(Debug, thiserror::Error)]
pub enum CreateError {
    /// No id.
    #[error(
        "`{0}` is no id; write area/topic/name in lower case letters, digits and single hyphens, \
         the area one of resolve, coerce, restore, sanitize"
    )]
    Id(String),
    /// There is such a case.
    #[error("the case {id} is there already, at {place}; choose another name")]
    Taken {
        /// Its id.
        id: String,
        /// `file:line`.
        place: String,
    },
    /// The file that the case belongs in is no case file.
    #[error("cannot add to {}: {reason}; `callfit lint` says more", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The built-in corpus, whose ids are taken, cannot be read.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// A file cannot be read or written.
    #[error("cannot write {}: {source}", path.display())]
    Unwritable {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// What stands in a skeleton until its author has written it; `lint` asks for it.
pub(crate) const DESCRIPTION: &str =
    "Say here what goes wrong for a user when this fails, in a sentence or two.";

/// The same for the topic of a new file.
pub(super) const ABOUT: &str = "Say here what the topic is and what is not in it.";

/// Writes a skeleton of the case with this id into the file of a folder of cases that it belongs in, at the end. The rest of the file stays as it is, byte for byte;
/// a file for a new topic is made.
pub fn new_case(directory: &Path, id: &str) -> Result<Created, CreateError> {
    add_case(directory, id, &skeleton(id))
}

/// The same with the text of a whole case, which is put into the layout of the corpus.
pub(crate) fn add_case(directory: &Path, id: &str, case: &str) -> Result<Created, CreateError> {
    let Some((topic, _)) = id.rsplit_once('/').filter(|_| is_id(id)) else {
        return Err(CreateError::Id(id.to_owned()));
    };
    let path = directory.join(format!("{topic}.json"));
    if !directory.join(corpus::VERSION_FILE).exists()
        && let Some(case) = Corpus::embedded()?.case(id)
    {
        return Err(CreateError::Taken {
            id: id.to_owned(),
            place: format!("cases/{} of the built-in corpus", case.file),
        });
    }
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => new_file(),
        Err(source) => return Err(CreateError::Unwritable { path, source }),
    };
    let case = format_at(case, 2).unwrap_or_else(|_| case.to_owned());
    let (text, at) = insert(&text, id, &case, &path)?;
    let folder = path.parent().unwrap_or(directory);
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(&path, &text))
        .map_err(|source| CreateError::Unwritable { path: path.clone(), source })?;
    let (line, _) = line_and_column(&text, at);
    Ok(Created { path, line })
}

fn new_file() -> String {
    format!(
        "{{\n  \"$schema\": \"../case.schema.json\",\n  \"about\": \"{ABOUT}\",\n  \"cases\": []\n}}\n"
    )
}

/// The text with the case, and where that begins.
fn insert(text: &str, id: &str, case: &str, path: &Path) -> Result<(String, usize), CreateError> {
    let malformed = |reason: String| CreateError::Malformed { path: path.to_owned(), reason };
    let outline = Outline::new(text).map_err(|error| malformed(error.to_string()))?;
    let cases = outline.find("/cases").filter(|span| text[span.clone()].starts_with('['));
    let cases = cases.ok_or_else(|| malformed("it has no list `cases`".to_owned()))?;
    let mut last = None;
    for turn in 0.. {
        let Some(span) = outline.find(&format!("/cases/{turn}")) else {
            break;
        };
        let id_there = outline.find(&format!("/cases/{turn}/id"));
        if id_there.is_some_and(|span| value_of(&text[span]) == Ok(Value::from(id))) {
            let (line, _) = line_and_column(text, span.start);
            return Err(CreateError::Taken {
                id: id.to_owned(),
                place: format!("{}:{line}", path.display()),
            });
        }
        last = Some(span);
    }
    let (mut whole, end, rest) = match last {
        Some(span) => (text[..span.end].to_owned() + ",\n    ", "", span.end),
        None => (text[..=cases.start].to_owned() + "\n    ", "\n  ", cases.end - 1),
    };
    let at = whole.len();
    for part in [case, end, &text[rest..]] {
        whole.push_str(part);
    }
    Ok((whole, at))
}

/// A case that lacks its description and its clause.
fn skeleton(id: &str) -> String {
    let rest = match Area::of_id(id) {
        Some(Area::Resolve) => {
            r##""schema":{"$defs":{}},"node":{"$ref":"#/$defs/"},"expect":{"$ref":"#/$defs/"}"##
        }
        Some(Area::Sanitize) => {
            r#""schema":{"type":"object","properties":{}},"expect":{"type":"object","properties":{}}"#
        }
        _ => r#""schema":{"type":"object","properties":{}},"arguments":{},"expect":{}"#,
    };
    format!(r#"{{"id":"{id}","description":"{DESCRIPTION}","clause":"","level":"must",{rest}}}"#)
}
