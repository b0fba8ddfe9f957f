//! The corpus: every case with the clauses and policies it cites.

use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::{Deserialize, Serialize};

use super::model::{Area, Level};
use super::problem::{Problem, SourceFile, render};
use super::read::{Batch, Data, Placed};
use super::text::Text;
use crate::digest::hex;

/// The file that makes a folder of cases a corpus of its own.
pub(super) const VERSION_FILE: &str = "corpus.json";

mod embedded {
    include!(concat!(env!("OUT_DIR"), "/cases.rs"));
}

/// The cases, with what they cite.
#[derive(Debug, Clone)]
pub struct Corpus {
    /// Its version: `2026.1`.
    pub version: String,
    /// The cases, in the order of their files.
    pub cases: Vec<Case>,
    /// The clauses of SPEC.md, in its order.
    pub clauses: Vec<Clause>,
    /// Where careful implementations differ.
    pub policies: Vec<Policy>,
}

/// One case, ready to be run.
#[derive(Debug, Clone)]
pub struct Case {
    /// `area/topic/name`.
    pub id: String,
    /// What goes wrong for a user when this fails.
    pub description: String,
    /// The clause of SPEC.md it cites.
    pub clause: String,
    /// How much it counts.
    pub level: Level,
    /// Public reports that show the fault.
    pub source: Vec<String>,
    /// What it is about.
    pub area: Area,
    /// Its file, inside the corpus: `coerce/integer.json`.
    pub file: String,
    /// Where it stands.
    pub place: Place,
    /// The root schema.
    pub schema: Text,
    /// What is sent along: the arguments, the node, or the original arguments of a round trip.
    pub subject: Option<Text>,
    /// Whether the subject is the arguments under the tool's own names, to be renamed, sent, and wanted back.
    pub round_trip: bool,
    /// The right answers.
    pub expect: Expect,
    /// The twin whose option must be chosen here too.
    pub same_as: Option<String>,
    /// The case as it stands in its file.
    pub raw: String,
}

/// Where a case stands, for whoever wants to read it there.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct Place {
    /// Its file: below the top of this repository, or as the folder that it is in was named.
    pub file: String,
    /// The line it begins on, from 1.
    pub line: usize,
    /// Whether it came along with this binary: its file is then hardly where the user is.
    pub bundled: bool,
}

/// What a case takes for right.
#[derive(Debug, Clone)]
pub enum Expect {
    /// Any answer or error: the case is about surviving.
    Anything,
    /// One of these; the first is the best.
    Values(Vec<Text>),
    /// The answer of one of the policy's options, in the policy's order.
    Options {
        /// The policy.
        policy: String,
        /// Each option with its answer.
        options: Vec<(String, Text)>,
    },
}

/// A clause of SPEC.md.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Clause {
    /// Its anchor.
    pub id: String,
    /// The chapter it stands in.
    pub chapter: String,
    /// Its title.
    pub title: String,
    /// The levels that a case which cites it may have.
    pub levels: Vec<Level>,
}

/// A choice that is left to an implementation.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// Its name.
    pub id: String,
    /// What is chosen.
    pub question: String,
    /// What may be chosen.
    pub options: Vec<PolicyOption>,
    /// What each profile of the reference chooses.
    pub profiles: Profiles,
    /// What implementations are known to choose.
    pub field: String,
}

/// One way to answer a policy's question.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PolicyOption {
    /// Its name.
    pub id: String,
    /// What is done.
    pub meaning: String,
}

/// The options that the profiles of the reference choose.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Profiles {
    /// The pure principle.
    pub recommended: String,
    /// What the seed article describes.
    pub seed: String,
    /// What models commonly write is taken.
    pub lenient: String,
}

/// Why there is no corpus.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// A file or folder cannot be read.
    #[error("cannot read {}: {source}; give a folder that holds <area>/<topic>.json", path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Unwritable {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The folder has no case file.
    #[error(
        "no case file in {}; a case file is <area>/<topic>.json, the area one of resolve, coerce, \
         restore, sanitize",
        .0.display()
    )]
    Empty(PathBuf),
    /// Files have mistakes.
    #[error("{}", summary(.0))]
    Problems(Vec<Problem>),
}

impl CorpusError {
    /// The message as a person reads it: for mistakes in files, each with its lines.
    pub fn render(&self, color: bool) -> String {
        match self {
            Self::Problems(problems) => render(problems, color),
            _ => format!("{self}\n"),
        }
    }
}

fn summary(problems: &[Problem]) -> String {
    match problems {
        [] => "the case files have mistakes".to_owned(),
        [problem] => format!("{problem}; {}", problem.help),
        [first, ..] => format!("{} mistakes in case files, the first at {first}", problems.len()),
    }
}

impl Corpus {
    /// The corpus that this binary carries.
    pub fn embedded() -> Result<Self, CorpusError> {
        let files = embedded::FILES.iter().map(|(path, text)| SourceFile {
            path: (*path).to_owned(),
            shown: format!("cases/{path}"),
            text: (*text).into(),
        });
        let mut corpus = Self::whole(files.collect())?;
        for case in &mut corpus.cases {
            case.place.bundled = true;
        }
        Ok(corpus)
    }

    /// The corpus that this binary carries, with the cases of these folders, one after the other. What a corpus of its own replaces is not read at all.
    pub fn load(directories: &[PathBuf]) -> Result<Self, CorpusError> {
        let own = directories.iter().rposition(|folder| folder.join(VERSION_FILE).is_file());
        let (first, rest) = match own {
            Some(at) => (Self::whole(read_directory(&directories[at])?)?, &directories[at + 1..]),
            None => (Self::embedded()?, directories),
        };
        rest.iter().try_fold(first, |corpus, directory| corpus.with_directory(directory))
    }

    /// This corpus with the cases of a folder, which replace those with the same id. A folder with a `corpus.json` is a corpus of its own and replaces this one.
    pub fn with_directory(self, directory: &Path) -> Result<Self, CorpusError> {
        let files = read_directory(directory)?;
        if stands_alone(&files) {
            return Self::whole(files);
        }
        let mut corpus = self;
        let batch = Batch::read(files, &corpus.clauses, &corpus.policies);
        for Placed { case, .. } in &batch.cases {
            match corpus.cases.iter_mut().find(|old| old.id == case.id) {
                Some(old) => *old = case.clone(),
                None => corpus.cases.push(case.clone()),
            }
        }
        corpus.finished(batch)
    }

    fn whole(files: Vec<SourceFile>) -> Result<Self, CorpusError> {
        let mut problems = Vec::new();
        let data = Data::read(&files, &mut problems);
        if !problems.is_empty() {
            return Err(CorpusError::Problems(problems));
        }
        let batch = Batch::read(files, &data.clauses, &data.policies);
        let corpus = Self {
            version: data.version,
            cases: batch.cases.iter().map(|placed| placed.case.clone()).collect(),
            clauses: data.clauses,
            policies: data.policies,
        };
        corpus.finished(batch)
    }

    /// The corpus, unless the files it was just read from have mistakes.
    fn finished(self, batch: Batch) -> Result<Self, CorpusError> {
        let twins = batch
            .cases
            .iter()
            .filter_map(|placed| placed.twin_problem(&batch.files, |id| self.case(id)));
        let twins: Vec<Problem> = twins.collect();
        let mut problems = batch.problems;
        problems.extend(twins);
        if problems.is_empty() { Ok(self) } else { Err(CorpusError::Problems(problems)) }
    }

    /// The case with this id.
    pub fn case(&self, id: &str) -> Option<&Case> {
        self.cases.iter().find(|case| case.id == id)
    }

    /// The clause with this id.
    pub fn clause(&self, id: &str) -> Option<&Clause> {
        self.clauses.iter().find(|clause| clause.id == id)
    }

    /// The policy with this id.
    pub fn policy(&self, id: &str) -> Option<&Policy> {
        self.policies.iter().find(|policy| policy.id == id)
    }

    /// SHA-256 over the texts of these cases, in hexadecimal: two runs with one digest ran the same cases.
    pub fn digest<'a>(cases: impl IntoIterator<Item = &'a Case>) -> String {
        hex(cases.into_iter().flat_map(|case| [case.id.as_str(), case.raw.as_str()]))
    }
}

/// Whether these are the files of a corpus of its own.
pub(super) fn stands_alone(files: &[SourceFile]) -> bool {
    files.iter().any(|file| file.path == VERSION_FILE)
}

/// The JSON files of a folder and of the folders in it, in the order of their paths.
pub(super) fn read_directory(directory: &Path) -> Result<Vec<SourceFile>, CorpusError> {
    let mut files = Vec::new();
    for path in list(directory)? {
        if path.is_dir() {
            for path in list(&path)? {
                read_file(directory, &path, &mut files)?;
            }
        } else {
            read_file(directory, &path, &mut files)?;
        }
    }
    if files.iter().any(|file| file.path.contains('/')) {
        Ok(files)
    } else {
        Err(CorpusError::Empty(directory.to_owned()))
    }
}

fn read_file(
    directory: &Path,
    path: &Path,
    files: &mut Vec<SourceFile>,
) -> Result<(), CorpusError> {
    let Ok(inside) = path.strip_prefix(directory) else {
        return Ok(());
    };
    if path.extension().is_some_and(|extension| extension == "json") && path.is_file() {
        let text = fs::read_to_string(path)
            .map_err(|source| CorpusError::Unreadable { path: path.to_owned(), source })?;
        files.push(SourceFile {
            path: inside.to_string_lossy().replace('\\', "/"),
            shown: path.display().to_string(),
            text: text.into(),
        });
    }
    Ok(())
}

fn list(directory: &Path) -> Result<Vec<PathBuf>, CorpusError> {
    let entries = fs::read_dir(directory)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>());
    let mut paths =
        entries.map_err(|source| CorpusError::Unreadable { path: directory.to_owned(), source })?;
    paths.sort();
    Ok(paths)
}
