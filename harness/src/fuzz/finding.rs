//! A finding as a file.

use std::path::{Path, PathBuf};
use std::{fs, io};

use callfit_reference::json::{Number, Object, Value, parse};

use super::oracle::Oracle;
use super::problem::Problem;
use super::trial::Fault;
use crate::case;
use crate::implementation::About;

/// What one group of faults comes to: the smallest problem that shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// Its file.
    pub path: PathBuf,
    /// The fault, as the smallest problem shows it.
    pub fault: Fault,
    /// The smallest problem so far.
    pub problem: Problem,
    /// The problem by which it was found.
    pub first: Problem,
    /// The seed of the run.
    pub seed: u64,
    /// Which trial of the run it was, from 0.
    pub trial: u64,
    /// How long the run had taken then, in milliseconds.
    pub after_ms: u64,
    /// How often it was seen.
    pub seen: u64,
    /// How far minimising is.
    pub state: State,
    /// The implementation's name and version.
    pub implementation: String,
    /// The command that tries it again.
    pub replay: String,
}

/// How far minimising is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It goes on, or the time was up.
    Unfinished,
    /// No single step keeps the finding.
    Minimal,
    /// It was not seen again when the same was asked again.
    Flaky,
}

impl State {
    const ALL: [Self; 3] = [Self::Unfinished, Self::Minimal, Self::Flaky];

    /// Its name in a file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unfinished => "unfinished",
            Self::Minimal => "minimal",
            Self::Flaky => "flaky",
        }
    }
}

/// Why a finding cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FindingError {
    /// No access.
    #[error("cannot access {}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Not what `callfit fuzz` writes.
    #[error("{} is no finding of `callfit fuzz`: {reason}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is missing.
        reason: String,
    },
}

/// An implementation in words.
pub fn named(about: &About) -> String {
    match &about.version {
        Some(version) => format!("{} {version}", about.name),
        None => about.name.clone(),
    }
}

impl Finding {
    /// The finding as JSON.
    pub fn to_value(&self) -> Value {
        let number =
            |number: u64| Number::new(&number.to_string()).map_or(Value::Null, Value::Number);
        let problem = |problem: &Problem| parse(&problem.to_string()).unwrap_or_default();
        let mut members = Object::new();
        let mut set = |key: &str, value: Value| members.insert(key.to_owned(), value);
        set("format", 1.into());
        set("oracle", self.fault.oracle.name().into());
        set("asked_for", self.fault.asked_for.name().into());
        set("clause", self.fault.oracle.clause().into());
        set("group", self.fault.group.as_str().into());
        set("message", self.fault.message.as_str().into());
        set("implementation", self.implementation.as_str().into());
        set("problem", problem(&self.problem));
        for (key, value) in [("expected", &self.fault.expected), ("actual", &self.fault.actual)] {
            if let Some(value) = value {
                set(key, value.clone());
            }
        }
        set("bytes", number(self.problem.size() as u64));
        set("state", self.state.name().into());
        set("seen", number(self.seen));
        set("callfit", env!("CARGO_PKG_VERSION").into());
        set("seed", number(self.seed));
        set("trial", number(self.trial));
        set("after_ms", number(self.after_ms));
        set("replay", self.replay.as_str().into());
        set("found_by", problem(&self.first));
        members.into()
    }

    /// Writes the file anew, whole or not at all.
    pub fn save(&self) -> Result<(), FindingError> {
        let fault = |source| FindingError::Io { path: self.path.clone(), source };
        let text = self.to_value().to_string();
        let text = case::format(&text).unwrap_or(text);
        let new = self.path.with_extension("new");
        fs::write(&new, text).and_then(|()| fs::rename(&new, &self.path)).map_err(fault)
    }

    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, FindingError> {
        let text = fs::read_to_string(path)
            .map_err(|source| FindingError::Io { path: path.to_owned(), source })?;
        let malformed = |reason: String| FindingError::Malformed { path: path.to_owned(), reason };
        let value = parse(&text).map_err(|error| malformed(error.to_string()))?;
        let missing = |key: &str| malformed(format!("it has no `{key}`"));
        let text = |key: &str| {
            value.get(key).and_then(Value::as_str).map(str::to_owned).ok_or_else(|| missing(key))
        };
        let number = |key: &str| match value.get(key) {
            Some(Value::Number(number)) => number.as_str().parse().unwrap_or(0),
            _ => 0,
        };
        let problem = |key: &str| {
            let text = value.get(key).map(ToString::to_string);
            text.and_then(|text| Problem::read(&text)).ok_or_else(|| missing(key))
        };
        let oracle = |key: &str| {
            let name = text(key)?;
            Oracle::from_name(&name)
                .ok_or_else(|| malformed(format!("`{key}` is {name}, which is no oracle")))
        };
        let state = text("state")?;
        Ok(Self {
            path: path.to_owned(),
            fault: Fault {
                oracle: oracle("oracle")?,
                asked_for: oracle("asked_for")?,
                group: text("group")?,
                message: text("message")?,
                expected: value.get("expected").cloned(),
                actual: value.get("actual").cloned(),
            },
            problem: problem("problem")?,
            first: problem("found_by")?,
            seed: number("seed"),
            trial: number("trial"),
            after_ms: number("after_ms"),
            seen: number("seen"),
            state: State::ALL
                .into_iter()
                .find(|known| known.name() == state)
                .unwrap_or(State::Unfinished),
            implementation: text("implementation")?,
            replay: text("replay").unwrap_or_default(),
        })
    }

    /// The findings in a folder, by their file names; none where there is no such folder.
    pub fn all_in(folder: &Path) -> Result<Vec<Self>, FindingError> {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(source) => return Err(FindingError::Io { path: folder.to_owned(), source }),
        };
        let mut paths: Vec<PathBuf> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
            .collect();
        paths.sort();
        paths.iter().map(|path| Self::read(path)).collect()
    }
}
