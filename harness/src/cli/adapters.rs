//! `callfit adapters`: the real implementations that come along.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use callfit::adapter::{self, Adapter, Complaint, Store};
use callfit::report::escape;
use clap::{Args, Subcommand};

use super::failure::Failure;
use super::output::Output;
use super::rerun::line;

/// List or install the real implementations that come along.
#[derive(Debug, Args)]
pub(super) struct Adapters {
    #[command(subcommand)]
    task: Option<Task>,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Tell which there are, and which are installed (what is done without a subcommand).
    List,
    /// Install adapters, each package into an environment of its own.
    Install {
        /// The adapters.
        #[arg(required_unless_present_any = ["all", "all_light"], value_name = "NAME")]
        names: Vec<String>,
        /// All those that take less than 50 MB.
        #[arg(long, conflicts_with_all = ["names", "all"])]
        all_light: bool,
        /// All of them.
        #[arg(long, conflicts_with = "names")]
        all: bool,
    },
    /// Tell what is wrong with an adapter that you write: it is installed, started and asked.
    Check {
        /// The folder with its adapter.toml.
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
    /// Print the folder that an adapter is installed in.
    Path {
        /// The adapter.
        name: String,
    },
}

impl Adapters {
    pub(super) fn run(self, output: &Output) -> Result<ExitCode, Failure> {
        match self.task.unwrap_or(Task::List) {
            Task::List => output.print(&list()?)?,
            Task::Install { names, all_light, all } => {
                let adapters = if all_light || all {
                    let mut adapters = adapter::list()?;
                    adapters.retain(|one| all || one.manifest.install.is_light());
                    adapters
                } else {
                    // A mistyped name is told before anything is installed.
                    names.iter().map(|name| adapter::find(name)).collect::<Result<_, _>>()?
                };
                install(&adapters, output)?;
            }
            Task::Check { folder } => return check(&folder, output),
            Task::Path { name } => {
                let adapter = adapter::find(&name)?;
                let launch = Store::of_user()?.command(&adapter)?;
                output.print(&format!("{}\n", launch.directory.display()))?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn list() -> Result<String, Failure> {
    let store = Store::of_user()?;
    let mut text = String::new();
    for adapter in adapter::list()? {
        let state = match store.command(&adapter) {
            Ok(_) => "installed",
            Err(_) => "not installed",
        };
        let manifest = adapter.manifest;
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "{} {}  {}, {} MB, {state}\n    {}\n    {}",
            manifest.name,
            manifest.version,
            manifest.language,
            manifest.install.megabytes,
            manifest.description,
            manifest.homepage
        );
    }
    Ok(text)
}

fn check(folder: &Path, output: &Output) -> Result<ExitCode, Failure> {
    let store = Store::of_user()?;
    let (adapters, complaints) = adapter::check(folder, &store, &mut |step| output.step(step))?;
    let mut text = String::new();
    for Complaint { adapter, message } in &complaints {
        let _ = writeln!(text, "{adapter}: {}", escape::line(message, 600));
    }
    for adapter in adapters {
        let name = &adapter.manifest.name;
        if complaints.iter().any(|complaint| complaint.adapter == *name) {
            continue;
        }
        let launch = store.command(&adapter)?;
        let expect = folder.join(adapter.expectations_file()).display().to_string();
        let program = launch.program.display().to_string();
        let words = ["callfit", "run", "--expect", &expect, "--", &program].map(str::to_owned);
        let command = line(words.iter().chain(&launch.arguments));
        let _ = writeln!(text, "{name}: nothing is wrong with it\n    {command}");
    }
    output.print(&text)?;
    Ok(if complaints.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Adapters over one package are installed once.
fn install(adapters: &[Adapter], output: &Output) -> Result<(), Failure> {
    let store = Store::of_user()?;
    let mut families = BTreeSet::new();
    for adapter in adapters {
        if families.insert(&adapter.manifest.family) {
            let installed = store.install(adapter, &mut |step| output.step(step))?;
            output.print(&format!("{}\n", installed.folder.display()))?;
        }
    }
    Ok(())
}
