//! Where adapters are installed: each version in a folder of its own, with an environment of its own.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use serde::{Deserialize, Serialize};

use super::install::Work;
use super::{Adapter, AdapterError};
use crate::implementation;

/// Written last, so that an installation without it was interrupted.
const MARKER: &str = "installed.toml";

/// The folder that adapters are installed in.
///
/// Every version of an adapter has a folder of its own there. Virtual environments cannot be moved,
/// so each is made in its place, and a marker tells that it was finished.
#[derive(Debug, Clone)]
pub struct Store {
    cache: PathBuf,
    search_path: Option<OsString>,
}

/// An adapter that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installed {
    /// Where.
    pub folder: PathBuf,
    /// The version of its package that was found there.
    pub version: String,
    /// Whether it was installed just now; otherwise it was there already.
    pub fresh: bool,
}

/// How a program is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The folder to start it in.
    pub directory: PathBuf,
}

impl From<Launch> for implementation::Launch {
    fn from(Launch { program, arguments, directory }: Launch) -> Self {
        Self {
            program: program.to_string_lossy().into_owned(),
            arguments,
            directory: Some(directory),
            environment: Vec::new(),
        }
    }
}

/// What an installation says of itself.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Marker {
    /// The version of the package that was found there.
    pub version: String,
    /// What `{python}` or `{node}` stands for, or the program that was built.
    pub interpreter: PathBuf,
}

impl Store {
    /// The user's own: `CALLFIT_CACHE`, or `callfit` in the folder that the system keeps caches in.
    ///
    /// # Errors
    ///
    /// The environment names no such folder.
    pub fn of_user() -> Result<Self, AdapterError> {
        let variable = |name| env::var_os(name).filter(|value| !value.is_empty());
        let within = |name, rest: &str| variable(name).map(|base| Path::new(&base).join(rest));
        let system = if cfg!(windows) {
            within("LOCALAPPDATA", "callfit")
        } else {
            within("XDG_CACHE_HOME", "callfit").or_else(|| within("HOME", ".cache/callfit"))
        };
        let cache =
            variable("CALLFIT_CACHE").map(PathBuf::from).or(system).ok_or(AdapterError::NoCache)?;
        Ok(Self::at(&cache))
    }

    /// The one in this folder, which need not be there yet.
    pub fn at(cache: &Path) -> Self {
        Self {
            cache: std::path::absolute(cache).unwrap_or_else(|_| cache.to_owned()),
            search_path: None,
        }
    }

    /// Looks for interpreters in these folders and not in those of PATH.
    #[must_use]
    pub fn searching(self, search_path: impl Into<OsString>) -> Self {
        Self { search_path: Some(search_path.into()), ..self }
    }

    /// Where an adapter is, or would be, installed.
    pub fn path(&self, adapter: &Adapter) -> PathBuf {
        self.cache.join("adapters").join(adapter.label())
    }

    /// Installs an adapter, unless it is there already; says each step before it is taken.
    ///
    /// # Errors
    ///
    /// The interpreter is missing or not of the right version, a step failed, or the version that
    /// came is not the manifest's.
    pub fn install(
        &self,
        adapter: &Adapter,
        progress: &mut dyn FnMut(&str),
    ) -> Result<Installed, AdapterError> {
        let name = &adapter.manifest.family;
        let folder = self.path(adapter);
        if let Some(marker) = read_marker(&folder) {
            progress(&format!("{name} {} is already installed", marker.version));
            return Ok(Installed { folder, version: marker.version, fresh: false });
        }
        let work = Work {
            manifest: &adapter.manifest,
            folder: &folder,
            search_path: self.search_path.as_deref(),
        };
        let found = work.find_interpreter()?;
        if folder.exists() {
            progress("clearing away an installation that was interrupted");
            written(&folder, fs::remove_dir_all(&folder))?;
        }
        written(&folder, fs::create_dir_all(&folder))?;
        for (name, text) in adapter.installed_files() {
            let path = folder.join(name);
            let made = path.parent().map_or(Ok(()), fs::create_dir_all);
            written(&path, made.and_then(|()| fs::write(&path, text)))?;
        }
        let marker = work.fill(&found, progress)?;
        let wanted = &adapter.manifest.version;
        if marker.version != *wanted {
            return Err(AdapterError::WrongVersion {
                name: name.clone(),
                package: adapter.manifest.install.package.clone(),
                wanted: wanted.clone(),
                found: marker.version,
            });
        }
        let path = folder.join(MARKER);
        let text = toml::to_string(&marker).map_err(io::Error::other);
        written(&path, text.and_then(|text| fs::write(&path, text)))?;
        progress(&format!("{name} {wanted} is installed"));
        Ok(Installed { folder, version: marker.version, fresh: true })
    }

    /// How an installed adapter is started.
    ///
    /// # Errors
    ///
    /// It is not installed, or its interpreter has gone since.
    pub fn command(&self, adapter: &Adapter) -> Result<Launch, AdapterError> {
        let folder = self.path(adapter);
        let marker = read_marker(&folder)
            .ok_or_else(|| AdapterError::NotInstalled { name: adapter.manifest.name.clone() })?;
        let interpreter = marker.interpreter.to_string_lossy();
        let mut words = adapter.manifest.run.command.iter().map(|word| {
            word.replace("{python}", &interpreter)
                .replace("{node}", &interpreter)
                .replace("{folder}", &folder.to_string_lossy())
                .replace("{variant}", &adapter.manifest.name)
        });
        Ok(Launch {
            program: words.next().unwrap_or_default().into(),
            arguments: words.collect(),
            directory: folder,
        })
    }
}

/// What an installation says of itself, if it was finished and its interpreter is still there.
fn read_marker(folder: &Path) -> Option<Marker> {
    let text = fs::read_to_string(folder.join(MARKER)).ok()?;
    let marker: Marker = toml::from_str(&text).ok()?;
    marker.interpreter.exists().then_some(marker)
}

pub(super) fn written<T>(path: &Path, result: io::Result<T>) -> Result<T, AdapterError> {
    result.map_err(|source| AdapterError::Write { path: path.to_owned(), source })
}
