//! What can go wrong with an adapter, and how to mend it.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why an adapter cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AdapterError {
    /// A manifest that is not as it must be.
    #[error("{file}:{line}:{column}: {message}")]
    Manifest {
        /// The manifest's file.
        file: String,
        /// The line, counted from 1.
        line: usize,
        /// The column in characters, counted from 1.
        column: usize,
        /// What is wrong there.
        message: String,
    },
    /// A folder that is no adapter's.
    #[error(
        "{folder} has no adapter.toml, which says what the adapter is; begin with a copy of one in harness/adapters/"
    )]
    NoManifest {
        /// The folder.
        folder: String,
    },
    /// No adapter has this name.
    #[error("no adapter is called `{name}`{}; there are: {}", did_you_mean(nearest.as_deref()), known.join(", "))]
    Unknown {
        /// What was asked for.
        name: String,
        /// The name that may have been meant.
        nearest: Option<String>,
        /// The names there are.
        known: Vec<String>,
    },
    /// No folder to install into.
    #[error("there is no home folder to keep adapters in; set CALLFIT_CACHE to a folder for them")]
    NoCache,
    /// Started before it was installed.
    #[error(
        "the adapter `{name}` is not installed here; run `callfit adapters install {name}` first"
    )]
    NotInstalled {
        /// The adapter.
        name: String,
    },
    /// The language it is written in is not there.
    #[error(
        "the adapter `{name}` needs {needs}, and found {found}; install it and put it in PATH, then try again"
    )]
    NoInterpreter {
        /// The adapter.
        name: String,
        /// The interpreter and the versions of it that will do.
        needs: String,
        /// What there is.
        found: String,
    },
    /// A step of the installation failed.
    #[error(
        "could not {step} for the adapter `{name}`: `{command}` {outcome}; mend what it says, or check the network, then run `callfit adapters install {name}` again{}",
        quoted(output)
    )]
    Step {
        /// The adapter.
        name: String,
        /// What was to be done.
        step: &'static str,
        /// The command that was to do it.
        command: String,
        /// How it ended.
        outcome: String,
        /// The end of what it printed.
        output: String,
    },
    /// The package that came is not the one the manifest names.
    #[error(
        "the adapter `{name}` wants {package} {wanted} and got {found}; its lock file and its manifest disagree"
    )]
    WrongVersion {
        /// The adapter.
        name: String,
        /// The package.
        package: String,
        /// The version the manifest names.
        wanted: String,
        /// The version that was installed.
        found: String,
    },
    /// An adapter's folder could not be read.
    #[error("could not read {}: {source}; name the folder that holds adapter.toml", path.display())]
    Read {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file or folder of the cache could not be read or written.
    #[error("could not write {}: {source}; set CALLFIT_CACHE to a folder that can be written", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

fn did_you_mean(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |nearest| format!(" (did you mean `{nearest}`?)"))
}

fn quoted(output: &str) -> String {
    let mut text = String::new();
    for line in output.lines() {
        text.push_str("\n  | ");
        text.push_str(line);
    }
    text
}
