//! The expectation file of a run: which one, and writing it anew.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use callfit::adapter::Adapter;
use callfit::case::Corpus;
use callfit::run::{Expectations, Record};

use super::failure::Failure;
use super::output::Output;
use super::reports::folder_is_there;
use super::run::Run;

/// Where the adapters stand in a checkout of this repository.
const ADAPTERS: &str = "harness/adapters";

/// What a run is expected to come to.
#[derive(Debug)]
pub(super) struct Expected {
    expectations: Expectations,
    /// The file to be written after the run.
    update: Option<PathBuf>,
}

impl Expected {
    /// What the options ask for: a file, or the one that comes along with the adapter.
    pub(super) fn of(run: &Run, adapter: Option<&Adapter>) -> Result<Option<Self>, Failure> {
        let file = match (&run.expect, adapter) {
            (Some(file), _) => file.clone(),
            (None, Some(adapter)) if run.update_expectations => in_checkout(adapter)?,
            (None, Some(adapter)) if !run.no_expect => {
                let Some(text) = adapter.expectations() else { return Ok(None) };
                let family = &adapter.manifest.family;
                let file = format!("adapters/{family}/{}", adapter.expectations_file());
                let expectations = Expectations::parse(file, text).map_err(Failure::Problems)?;
                return Ok(Some(Self { expectations, update: None }));
            }
            _ if run.update_expectations => {
                return Err(Failure::WrongUse(
                    "no expectation file to update; name one with `--expect FILE`".to_owned(),
                ));
            }
            _ => return Ok(None),
        };
        if run.update_expectations {
            folder_is_there(&file).map_err(Failure::WrongUse)?;
        }
        let shown = file.display().to_string();
        let expectations = match fs::read_to_string(&file) {
            Ok(text) => Expectations::parse(shown, &text).map_err(Failure::Problems)?,
            Err(error) if run.update_expectations && error.kind() == io::ErrorKind::NotFound => {
                Expectations::none(shown)
            }
            Err(error) => {
                return Err(Failure::WrongUse(format!(
                    "cannot read {shown}: {error}; `--update-expectations` writes a new one"
                )));
            }
        };
        Ok(Some(Self { expectations, update: run.update_expectations.then_some(file) }))
    }

    /// Tells the record what was expected, and writes the file first where that was asked for.
    pub(super) fn apply(
        self,
        record: &mut Record,
        corpus: &Corpus,
        output: &Output,
    ) -> Result<(), Failure> {
        self.expectations.apply(record, corpus);
        let Some(file) = self.update else { return Ok(()) };
        let shown = file.display().to_string();
        if record.cut_short.is_some() {
            output.note(&format!("{shown} stays as it is, because the run was cut short"));
            return Ok(());
        }
        let text = self.expectations.updated(record, corpus);
        fs::write(&file, &text)
            .map_err(|error| Failure::WrongUse(format!("cannot write {shown}: {error}")))?;
        let expectations = Expectations::parse(&shown, &text).map_err(Failure::Problems)?;
        expectations.apply(record, corpus);
        output.note(&format!("wrote {shown}"));
        Ok(())
    }
}

/// The checked-in expectation file of an adapter, for whoever works on this repository.
fn in_checkout(adapter: &Adapter) -> Result<PathBuf, Failure> {
    let folder = Path::new(ADAPTERS).join(&adapter.manifest.family);
    if folder.is_dir() {
        return Ok(folder.join(adapter.expectations_file()));
    }
    Err(Failure::WrongUse(format!(
        "{} is not here; run this in a checkout of callfit, or name a file with `--expect FILE`",
        folder.display()
    )))
}
