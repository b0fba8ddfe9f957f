//! `callfit run --all`: every installed adapter, one after another.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use callfit::adapter::{self, Adapter, Store};
use callfit::report::overview::{Row, table};
use callfit::report::{Format, Target, escape};
use callfit::run::Record;

use super::failure::Failure;
use super::output::Output;
use super::reports::{Reports, record};
use super::rerun::Rerun;
use super::run::{Done, Run, Surroundings, nothing_judged};

/// Runs them all, and prints a table at the end. What goes wrong with one does not stop the others.
pub(super) fn run_all(run: &Run, output: &Output) -> Result<ExitCode, Failure> {
    let folder = folder(run)?;
    let surroundings = Surroundings::of(run)?;
    let mut rows = Vec::new();
    let mut unable = Vec::new();
    let mut judged = 0;
    let mut failed = Vec::new();
    for adapter in installed()? {
        let name = &adapter.manifest.name;
        if surroundings.stop.load(Ordering::Relaxed) {
            unable.push(name.clone());
            continue;
        }
        if !run.quiet {
            output.step(&format!("{name} {}", adapter.manifest.version));
        }
        let one = Run { adapter: Some(name.clone()), all: false, ..run.clone() };
        let target = folder.as_ref().map(|(folder, format)| Target {
            format: *format,
            file: Some(folder.join(format!("{name}.json"))),
        });
        let file = target.as_ref().and_then(|target| target.file.as_deref());
        let held = file.filter(|_| run.resume).map_or(Ok(None), |file| held(&one, file))?;
        let end = match one.conduct(Some(&adapter), held, &surroundings, output) {
            Ok(Done { record, end }) => {
                if let Some(target) = target {
                    let reports = Reports::one(target, run.as_of.as_deref());
                    reports.write(&record, &surroundings.titles, None, output)?;
                }
                rows.push(Row::of(name, &record));
                judged += record.judged();
                failed.extend((!record.is_conformant()).then(|| name.clone()));
                end
            }
            Err(failure) => {
                rows.push(Row::not_run(name));
                Err(failure)
            }
        };
        match end {
            Ok(()) => {}
            Err(Failure::CannotRun(why)) => {
                output.error(&escape::line(&why, 500));
                unable.push(name.clone());
            }
            // What the user has to mend would befall every other adapter too.
            Err(failure) => return Err(failure),
        }
    }
    output.print(&table(&rows))?;
    if !failed.is_empty() {
        let failed = failed.join(", ");
        output.note(&format!(
            "`callfit run NAME` with the same options tells what went wrong with {failed}"
        ));
    }
    if !unable.is_empty() {
        return Err(Failure::CannotRun(format!("not run to the end: {}", unable.join(", "))));
    }
    if judged == 0 {
        return Err(nothing_judged());
    }
    Ok(u8::from(!failed.is_empty()).into())
}

/// The adapters that can be started.
fn installed() -> Result<Vec<Adapter>, Failure> {
    let store = Store::of_user()?;
    let mut adapters = adapter::list()?;
    adapters.retain(|adapter| store.command(adapter).is_ok());
    if adapters.is_empty() {
        return Err(Failure::CannotRun(
            "no adapter is installed here; `callfit adapters` lists them, and `callfit adapters \
             install NAME...` installs some"
                .to_owned(),
        ));
    }
    Ok(adapters)
}

/// What an earlier run of the same left in its report.
fn held(run: &Run, file: &Path) -> Result<Option<Record>, Failure> {
    if !file.exists() {
        return Ok(None);
    }
    let record = record(file)?;
    if record.chosen != run.choice.chosen() {
        return Err(Failure::WrongUse(format!(
            "{} is of other cases than are asked for now; give the same `--filter`, `--exclude` and \
             `--shard`, or name another folder",
            file.display()
        )));
    }
    // The command to run a case again tells every option that bears on what becomes of it.
    let rerun = Rerun::of(run);
    let is_same = record.cases.iter().all(|case| case.rerun == rerun.command(&case.id));
    Ok(Some(record).filter(|_| is_same))
}

/// Where the reports go: a folder, made if it is not there, and the form of the reports in it.
fn folder(run: &Run) -> Result<Option<(PathBuf, Format)>, Failure> {
    let asked = match run.report.as_slice() {
        [] => return Ok(None),
        [asked] => asked,
        _ => {
            return Err(Failure::WrongUse(
                "with `--all`, give `--report` once: it names the folder of all reports".to_owned(),
            ));
        }
    };
    let target = match Target::parse(asked) {
        Ok(target) if asked.contains('=') => target,
        Ok(_) if !Path::new(asked).is_dir() => return Err(no_folder(asked)),
        _ => Target { format: Format::Json, file: Some(asked.into()) },
    };
    let (format @ (Format::Json | Format::Compact), Some(folder)) = (target.format, target.file)
    else {
        return Err(no_folder(asked));
    };
    fs::create_dir_all(&folder).map_err(|error| {
        Failure::WrongUse(format!("cannot make the folder {}: {error}", folder.display()))
    })?;
    Ok(Some((folder, format)))
}

fn no_folder(asked: &str) -> Failure {
    Failure::WrongUse(format!(
        "with `--all`, `--report` names a folder, which gets NAME.json of each adapter, or \
         compact=FOLDER; `{asked}` is no folder"
    ))
}
