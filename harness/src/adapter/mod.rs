//! The real implementations that come along: what each is, how it is installed, how it is started.

mod check;
mod error;
mod install;
mod manifest;
mod store;

pub use check::{Complaint, check};
pub use error::AdapterError;
pub use manifest::{Install, InterpreterVersion, Kind, Manifest, Run};
pub use store::{Installed, Launch, Store};

use std::collections::BTreeMap;

use crate::digest::hex;

mod embedded {
    include!(concat!(env!("OUT_DIR"), "/adapters.rs"));
}

const MANIFEST: &str = "adapter.toml";
const KIT: &str = "kit";
const EXPECTATIONS: &str = "expectations";

/// A real implementation with the shim that makes it a plug-in.
#[derive(Debug, Clone)]
pub struct Adapter {
    /// What `adapter.toml` says.
    pub manifest: Manifest,
    /// The files of its folder, which it may share with its variants, and the kit of its language:
    /// path in the folder and text.
    files: Vec<(String, String)>,
}

impl Adapter {
    /// The adapters that a folder's files make: one, or one for each variant.
    ///
    /// # Errors
    ///
    /// The manifest is missing, or not as it must be; `folder` is what the error calls the place.
    pub fn from_files(
        folder: &str,
        mut files: Vec<(String, String)>,
    ) -> Result<Vec<Self>, AdapterError> {
        let manifest = text_of(&files, MANIFEST)
            .ok_or_else(|| AdapterError::NoManifest { folder: folder.to_owned() })?;
        let manifests = Manifest::parse(&format!("{folder}/{MANIFEST}"), manifest)?;
        // Of what it publishes, cargo leaves out every folder with a Cargo.toml: so ours has another name.
        if let Some((name, _)) = files.iter_mut().find(|(name, _)| name == "Cargo.toml.in") {
            name.truncate("Cargo.toml".len());
        }
        if let Some((name, text)) = manifests.first().and_then(|one| kit(one.install.kind)) {
            files.push((name.to_owned(), text.to_owned()));
        }
        Ok(manifests.into_iter().map(|manifest| Self { manifest, files: files.clone() }).collect())
    }

    /// The expectation file that was checked in for it: what it is known to get wrong.
    pub fn expectations(&self) -> Option<&str> {
        text_of(&self.files, &self.expectations_file())
    }

    /// Where in the family's folder that file is.
    pub fn expectations_file(&self) -> String {
        if self.manifest.is_variant {
            format!("{EXPECTATIONS}/{}.toml", self.manifest.name)
        } else {
            format!("{EXPECTATIONS}.toml")
        }
    }

    /// The files that an installation is made of.
    fn installed_files(&self) -> impl Iterator<Item = (&str, &str)> {
        let files = self.files.iter().map(|(name, text)| (&name[..], &text[..]));
        files.filter(|(name, _)| !name.starts_with(EXPECTATIONS))
    }

    /// Tells an installation from those of other versions of the shim or of its lock file.
    fn label(&self) -> String {
        let Manifest { family, version, .. } = &self.manifest;
        let digest = hex(self.installed_files().flat_map(|(name, text)| [name, text]));
        format!("{family}-{version}-{}", &digest[..12])
    }
}

/// Every adapter that comes along, by folder.
///
/// # Errors
///
/// A manifest that is not as it must be.
pub fn list() -> Result<Vec<Adapter>, AdapterError> {
    let mut folders: BTreeMap<&str, Vec<(String, String)>> = BTreeMap::new();
    for (path, text) in embedded::FILES {
        if let Some((folder, name)) = path.split_once('/')
            && folder != KIT
        {
            folders.entry(folder).or_default().push((name.to_owned(), (*text).to_owned()));
        }
    }
    let mut adapters = Vec::new();
    for (folder, files) in folders {
        adapters.extend(Adapter::from_files(&format!("adapters/{folder}"), files)?);
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

/// The helpers that shims of this kind are written with: their name and text.
fn kit(kind: Kind) -> Option<(&'static str, &'static str)> {
    let name = match kind {
        Kind::Python => "callfit_kit.py",
        Kind::Npm => "callfit_kit.mjs",
        Kind::Cargo => return None,
    };
    embedded::FILES
        .iter()
        .find(|(path, _)| path.split_once('/') == Some((KIT, name)))
        .map(|(_, text)| (name, *text))
}

fn text_of<'f>(files: &'f [(String, String)], name: &str) -> Option<&'f str> {
    files.iter().find(|(other, _)| other == name).map(|(_, text)| &text[..])
}
