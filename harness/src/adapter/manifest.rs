//! `adapter.toml`: what an adapter is, what it needs, and how it is started.

use std::fmt;
use std::ops::Range;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _};

use super::AdapterError;
use crate::implementation::{Method, RESTORE_KEYS};

/// What a manifest says of one adapter.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The adapter's name.
    pub name: String,
    /// The name of its folder, and of the installation that all its variants share.
    #[serde(skip)]
    pub family: String,
    /// Whether the manifest tells of several adapters over one package.
    #[serde(skip)]
    pub is_variant: bool,
    /// The version of the package.
    pub version: String,
    /// The language the implementation is written in.
    pub language: String,
    /// Where the implementation lives.
    pub homepage: String,
    /// What it is, in a sentence or two.
    pub description: String,
    /// What is called, and what the shim does so that the answer is the one an agent would get.
    pub faithfulness: String,
    /// Which numbers the language's own reader and writer of JSON damage.
    pub numbers: String,
    /// What it can be asked.
    #[serde(deserialize_with = "methods")]
    pub methods: Vec<Method>,
    /// What else it does.
    #[serde(deserialize_with = "features")]
    pub features: Vec<String>,
    /// How it is installed.
    pub install: Install,
    /// How it is started.
    pub run: Run,
    /// The adapters over this one package, if there are several.
    #[serde(default, rename = "variant")]
    variants: Vec<Variant>,
}

/// One of several adapters over one package.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Variant {
    name: String,
    /// In place of the family's.
    description: String,
    /// After the family's.
    faithfulness: String,
}

/// How an adapter is installed.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Install {
    /// By which means.
    pub kind: Kind,
    /// The package whose version is checked.
    pub package: String,
    /// How much the installation takes on disk, in units of 2^20 bytes.
    pub megabytes: u32,
    /// The file in the adapter's folder that pins what is installed.
    pub lock: String,
    /// The oldest version of the interpreter that will do.
    pub at_least: InterpreterVersion,
    /// The first version of the interpreter that will not do any more.
    pub below: Option<InterpreterVersion>,
}

/// The means of installing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A virtual environment, filled by pip from a requirements file with digests.
    Python,
    /// `npm ci`, by a `package-lock.json`.
    Npm,
    /// `cargo build --release --locked`, by a `Cargo.lock`.
    Cargo,
}

/// A version of Python, Node.js or Rust, as far as it matters: `3.11`, or `18`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct InterpreterVersion {
    /// What stands before the first dot.
    pub major: u32,
    /// What stands after it, or 0.
    pub minor: u32,
}

/// How an adapter is started.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// The program and its arguments: `{python}` and `{node}` stand for the interpreter, `{folder}`
    /// for where the adapter is installed, `{variant}` for its name.
    #[serde(deserialize_with = "command")]
    pub command: Vec<String>,
}

impl Manifest {
    /// Reads a manifest; `file` is where it stands, for the error. There is one adapter in it for each
    /// variant, or one.
    ///
    /// # Errors
    ///
    /// The text is no TOML, or lacks a field, has one too many or one that cannot be: the first
    /// such place.
    pub fn parse(file: &str, text: &str) -> Result<Vec<Self>, AdapterError> {
        let parsed: Result<Self, _> = toml::from_str(text);
        parsed.map(Self::by_variant).map_err(|error| {
            let start = error.span().map_or(0, |Range { start, .. }| start);
            let before = text.get(..start).unwrap_or(text);
            let line_start = before.rfind('\n').map_or(0, |at| at + 1);
            AdapterError::Manifest {
                file: file.to_owned(),
                line: before.matches('\n').count() + 1,
                column: before[line_start..].chars().count() + 1,
                message: error.message().to_owned(),
            }
        })
    }

    fn by_variant(mut self) -> Vec<Self> {
        self.family.clone_from(&self.name);
        if self.variants.is_empty() {
            return vec![self];
        }
        let variants = std::mem::take(&mut self.variants);
        variants
            .into_iter()
            .map(|Variant { name, description, faithfulness }| Self {
                name,
                description,
                faithfulness: format!("{} {faithfulness}", self.faithfulness.trim_end()),
                is_variant: true,
                ..self.clone()
            })
            .collect()
    }
}

impl Install {
    /// Whether it is small enough to be installed with all the others: less than 50 megabytes.
    pub fn is_light(&self) -> bool {
        self.megabytes < 50
    }

    /// Whether this version of the interpreter will do.
    pub fn takes(&self, version: InterpreterVersion) -> bool {
        self.at_least <= version && self.below.is_none_or(|below| version < below)
    }

    /// The interpreter and the versions that will do, as a person says it.
    pub fn needs(&self) -> String {
        let at_least = self.at_least;
        let older =
            self.below.map_or_else(String::new, |below| format!(", but older than {below}"));
        match self.kind {
            Kind::Python => format!("Python {at_least} or newer{older}"),
            Kind::Npm => format!("Node.js {at_least} or newer{older}, with npm"),
            Kind::Cargo => format!("Rust {at_least} or newer{older}"),
        }
    }
}

impl TryFrom<String> for InterpreterVersion {
    type Error = String;

    /// Reads `18`, `3.11` or `3.11.7`.
    fn try_from(text: String) -> Result<Self, String> {
        let mut parts = text.split('.').map(str::parse);
        match (parts.next(), parts.next()) {
            (Some(Ok(major)), None) => Ok(Self { major, minor: 0 }),
            (Some(Ok(major)), Some(Ok(minor))) => Ok(Self { major, minor }),
            _ => Err(format!("`{text}` is no version; write one like \"3.11\"")),
        }
    }
}

impl fmt::Display for InterpreterVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { major, minor } = self;
        match minor {
            0 => write!(f, "{major}"),
            _ => write!(f, "{major}.{minor}"),
        }
    }
}

fn methods<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Method>, D::Error> {
    let methods = Vec::<String>::deserialize(deserializer)?
        .into_iter()
        .map(|name| {
            Method::from_name(&name).ok_or_else(|| {
                let known = Method::ALL.map(Method::name).join(", ");
                D::Error::custom(format!("no method is called `{name}`; there are: {known}"))
            })
        })
        .collect::<Result<Vec<_>, _>>()?;
    if methods.contains(&Method::Coerce) {
        Ok(methods)
    } else {
        Err(D::Error::custom("every adapter has the method `coerce`"))
    }
}

fn features<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let features = Vec::<String>::deserialize(deserializer)?;
    match features.iter().find(|name| *name != RESTORE_KEYS) {
        None => Ok(features),
        Some(name) => Err(D::Error::custom(format!(
            "no feature is called `{name}`; there is: {RESTORE_KEYS}"
        ))),
    }
}

fn command<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let command = Vec::<String>::deserialize(deserializer)?;
    if command.is_empty() {
        return Err(D::Error::custom("a command names at least its program"));
    }
    Ok(command)
}
