//! Corpus files to cases, with every mistake that stands in the way.

use std::collections::HashMap;
use std::ops::Range;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::answers;
use super::check::{self, Finding};
use super::corpus::{Case, Clause, Place, Policy};
use super::model::{Area, CaseText};
use super::place::Outline;
use super::problem::{Problem, SourceFile};
use super::structure;

/// What the corpus says of itself, in the files at its top.
#[derive(Debug, Default)]
pub struct Data {
    /// The version.
    pub version: String,
    /// The clauses.
    pub clauses: Vec<Clause>,
    /// The policies.
    pub policies: Vec<Policy>,
}

/// Files that were read together.
#[derive(Debug)]
pub struct Batch {
    /// The files.
    pub files: Vec<SourceFile>,
    /// The cases that are whole.
    pub cases: Vec<Placed>,
    /// Why the others are not.
    pub problems: Vec<Problem>,
}

/// A case and where it stands.
#[derive(Debug, Clone)]
pub struct Placed {
    /// The case.
    pub case: Case,
    /// The turn of its file in the batch.
    pub file: usize,
    /// Its turn in the file.
    pub turn: usize,
}

/// A case file whose cases are still text.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Draft<'a> {
    #[serde(rename = "$schema")]
    _schema: String,
    #[serde(rename = "about")]
    _about: String,
    #[serde(borrow)]
    cases: Vec<&'a RawValue>,
}

/// The cases of a file that is otherwise broken.
#[derive(Deserialize)]
struct Cases<'a> {
    #[serde(borrow, default)]
    cases: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VersionFile {
    version: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClausesFile {
    #[serde(rename = "about")]
    _about: String,
    clauses: Vec<Clause>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PoliciesFile {
    #[serde(rename = "about")]
    _about: String,
    policies: Vec<Policy>,
}

/// The files at the top of a corpus that hold no cases.
const DATA_FILES: [&str; 4] = ["corpus.json", "clauses.json", "policies.json", "case.schema.json"];

impl Data {
    /// Reads the files at the top of a corpus.
    pub fn read(files: &[SourceFile], problems: &mut Vec<Problem>) -> Self {
        let version = data_file::<VersionFile>(files, "corpus.json", problems);
        let clauses = data_file::<ClausesFile>(files, "clauses.json", problems);
        let policies = data_file::<PoliciesFile>(files, "policies.json", problems);
        Self {
            version: version.map(|file| file.version).unwrap_or_default(),
            clauses: clauses.map(|file| file.clauses).unwrap_or_default(),
            policies: policies.map(|file| file.policies).unwrap_or_default(),
        }
    }
}

fn data_file<T: DeserializeOwned>(
    files: &[SourceFile],
    path: &str,
    problems: &mut Vec<Problem>,
) -> Option<T> {
    let Some(file) = files.iter().find(|file| file.path == path) else {
        problems.extend(files.first().map(|file| {
            file.problem(
                "missing-file",
                0..0,
                format!("the corpus that this file belongs to has no {path}"),
                "a folder with a corpus.json is a corpus of its own, and needs clauses.json and \
                 policies.json beside it; to add cases to the built-in corpus, remove corpus.json",
            )
        }));
        return None;
    };
    match serde_json::from_str(&file.text) {
        Ok(data) => Some(data),
        Err(error) => {
            problems.push(structure::serde_problem(file, &error));
            None
        }
    }
}

impl Batch {
    /// Reads the case files among these.
    pub fn read(files: Vec<SourceFile>, clauses: &[Clause], policies: &[Policy]) -> Self {
        let mut batch = Self { files, cases: Vec::new(), problems: Vec::new() };
        for (number, file) in batch.files.iter().enumerate() {
            let Some(name) = file.path.strip_suffix(".json") else {
                continue;
            };
            if DATA_FILES.contains(&file.path.as_str()) {
                continue;
            }
            if !check::is_id(&format!("{name}/x")) {
                batch.problems.push(misplaced(file));
                continue;
            }
            let cases = read_cases(file, clauses, policies, &mut batch.problems);
            batch.cases.extend(cases.into_iter().map(|(turn, case)| Placed {
                case,
                file: number,
                turn,
            }));
        }
        batch.refuse_repeated_ids();
        batch
    }

    fn refuse_repeated_ids(&mut self) {
        let mut first: HashMap<&str, &Placed> = HashMap::new();
        for placed in &self.cases {
            if let Some(before) = first.get(placed.case.id.as_str()) {
                let place = self.files[before.file].location(before.turn);
                self.problems.push(placed.problem(
                    &self.files,
                    Finding::value(
                        "repeated-id",
                        "/id",
                        format!("the id {} is taken, by the case at {place}", placed.case.id),
                        "give this case a name of its own",
                    ),
                ));
            } else {
                first.insert(&placed.case.id, placed);
            }
        }
    }
}

impl SourceFile {
    /// `file:line:column` of a case.
    pub(super) fn location(&self, turn: usize) -> String {
        let span = Outline::new(&self.text)
            .map_or(0..0, |outline| outline.value(&format!("/cases/{turn}")));
        let (line, column) = super::place::line_and_column(&self.text, span.start);
        format!("{}:{line}:{column}", self.shown)
    }
}

impl Placed {
    /// The problem that a finding in this case is.
    pub fn problem(&self, files: &[SourceFile], finding: Finding) -> Problem {
        let file = &files[self.file];
        let outline = Outline::new(&file.text).ok();
        positioned(file, outline.as_ref(), self.turn, finding)
    }

    /// What is wrong with the case's twin, if it names one.
    pub fn twin_problem<'a>(
        &self,
        files: &[SourceFile],
        case: impl Fn(&str) -> Option<&'a Case>,
    ) -> Option<Problem> {
        let finding = answers::twin(&self.case, case)?;
        Some(self.problem(files, finding))
    }
}

fn misplaced(file: &SourceFile) -> Problem {
    file.problem(
        "misplaced-file",
        0..0,
        "a case file has to be <area>/<topic>.json",
        format!(
            "the area is one of {}; the topic is written in lower case letters, digits and hyphens",
            Area::ALL.map(Area::name).join(", "),
        ),
    )
}

/// The lines of a text, counted once from its beginning to its end.
struct Lines<'a> {
    text: &'a str,
    read: usize,
    line: usize,
}

impl Lines<'_> {
    /// The line of a byte, from 1. It must not lie before the last one that was asked for.
    fn of(&mut self, byte: usize) -> usize {
        let between = self.text.get(self.read..byte).unwrap_or_default();
        self.line += between.matches('\n').count();
        self.read = self.read.max(byte);
        self.line
    }
}

/// The whole cases of a file, each with its turn.
fn read_cases(
    file: &SourceFile,
    clauses: &[Clause],
    policies: &[Policy],
    problems: &mut Vec<Problem>,
) -> Vec<(usize, Case)> {
    let (drafts, mut broken) = match serde_json::from_str::<Draft<'_>>(&file.text) {
        Ok(draft) => (draft.cases, None),
        // What is wrong around the cases is no reason to say nothing of them.
        Err(error) => match serde_json::from_str::<Cases<'_>>(&file.text) {
            Ok(cases) => (cases.cases, Some(error)),
            Err(_) => (Vec::new(), Some(error)),
        },
    };
    let mut broken_turns = Vec::new();
    let outline = Outline::new(&file.text).ok();
    let mut cases = Vec::new();
    let mut lines = Lines { text: &file.text, read: 0, line: 1 };
    for (turn, raw) in drafts.iter().enumerate() {
        let start = outline.as_ref().map(|outline| outline.value(&format!("/cases/{turn}")).start);
        let place = Place {
            file: file.shown.clone(),
            line: lines.of(start.unwrap_or_default()),
            bundled: false,
        };
        match serde_json::from_str::<CaseText>(raw.get()) {
            Ok(text) => match check::case(text, raw.get(), &file.path, place, clauses, policies) {
                Ok(case) => cases.push((turn, case)),
                Err(findings) => problems.extend(
                    findings
                        .into_iter()
                        .map(|finding| positioned(file, outline.as_ref(), turn, finding)),
                ),
            },
            Err(error) => {
                broken_turns.push(turn);
                broken.get_or_insert(error);
            }
        }
    }
    if let Some(error) = broken {
        problems.extend(structure::problems(file, &broken_turns, &error));
    }
    cases
}

fn positioned(
    file: &SourceFile,
    outline: Option<&Outline>,
    turn: usize,
    finding: Finding,
) -> Problem {
    let pointer = format!("/cases/{turn}{}", finding.pointer);
    let span: Range<usize> = outline.map_or(0..0, |outline| {
        if finding.at_key { outline.key(&pointer) } else { outline.value(&pointer) }
    });
    file.problem(finding.rule, span, finding.message, finding.help)
}
