//! The real implementations that come along: what each is, how it is installed, how it is started.

mod error;
mod install;
mod manifest;
mod store;

pub use error::AdapterError;
pub use manifest::{Install, InterpreterVersion, Kind, Manifest, Run};
pub use store::{Installed, Launch, Store};

use sha2::{Digest, Sha256};

mod embedded {
    include!(concat!(env!("OUT_DIR"), "/adapters.rs"));
}

const MANIFEST: &str = "adapter.toml";
const EXPECTATIONS: &str = "expectations.toml";

/// A real implementation with the shim that makes it a plug-in.
#[derive(Debug, Clone)]
pub struct Adapter {
    /// What `adapter.toml` says.
    pub manifest: Manifest,
    /// The files of its folder: name and text.
    files: Vec<(&'static str, &'static str)>,
}

impl Adapter {
    /// The expectation file that was checked in for it: what it is known to get wrong.
    pub fn expectations(&self) -> Option<&'static str> {
        self.file(EXPECTATIONS)
    }

    /// The files that an installation is made of.
    fn installed_files(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.files.iter().copied().filter(|(name, _)| *name != EXPECTATIONS)
    }

    /// Tells an installation from those of other versions of the shim or of its lock file.
    fn label(&self) -> String {
        let mut hasher = Sha256::new();
        for (name, text) in self.installed_files() {
            for part in [name, text] {
                hasher.update(part.len().to_le_bytes());
                hasher.update(part);
            }
        }
        let Manifest { name, version, .. } = &self.manifest;
        hasher.finalize()[..6]
            .iter()
            .fold(format!("{name}-{version}-"), |label, byte| format!("{label}{byte:02x}"))
    }

    fn file(&self, name: &str) -> Option<&'static str> {
        self.files.iter().find(|(other, _)| *other == name).map(|(_, text)| *text)
    }
}

/// Every adapter, by name.
///
/// # Errors
///
/// A manifest that is not as it must be.
pub fn list() -> Result<Vec<Adapter>, AdapterError> {
    let mut adapters = Vec::new();
    for (path, text) in embedded::FILES {
        let Some((folder, MANIFEST)) = path.split_once('/') else {
            continue;
        };
        adapters.push(Adapter {
            manifest: Manifest::parse(&format!("adapters/{path}"), text)?,
            files: embedded::FILES
                .iter()
                .filter_map(|(path, text)| {
                    let (other, name) = path.split_once('/')?;
                    (other == folder).then_some((name, *text))
                })
                .collect(),
        });
    }
    Ok(adapters)
}

/// The adapter with this name.
///
/// # Errors
///
/// No adapter has this name: the error tells the names there are, and the nearest.
pub fn find(name: &str) -> Result<Adapter, AdapterError> {
    let mut adapters = list()?;
    if let Some(at) = adapters.iter().position(|adapter| adapter.manifest.name == name) {
        return Ok(adapters.swap_remove(at));
    }
    let known: Vec<_> = adapters.into_iter().map(|adapter| adapter.manifest.name).collect();
    let nearest = known
        .iter()
        .map(|known| (strsim::jaro_winkler(known, &name.to_lowercase()), known))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|one, other| one.0.total_cmp(&other.0))
        .map(|(_, known)| known.clone());
    Err(AdapterError::Unknown { name: name.to_owned(), nearest, known })
}
