//! `callfit adapters`: the real implementations that come along.

use std::fmt::Write as _;
use std::process::ExitCode;

use callfit::adapter::{self, Store};
use clap::{Args, Subcommand};

use super::failure::Failure;
use super::output::Output;

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
    /// Install adapters, each into an environment of its own.
    Install {
        /// The adapters.
        #[arg(required = true, value_name = "NAME")]
        names: Vec<String>,
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
            Task::Install { names } => install(&names, output)?,
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
            "{} {}  {}, {state}\n    {}\n    {}",
            manifest.name,
            manifest.version,
            manifest.language,
            manifest.description,
            manifest.homepage
        );
    }
    Ok(text)
}

fn install(names: &[String], output: &Output) -> Result<(), Failure> {
    // A mistyped name is told before anything is installed.
    let adapters = names.iter().map(|name| adapter::find(name)).collect::<Result<Vec<_>, _>>()?;
    let store = Store::of_user()?;
    for adapter in &adapters {
        let installed = store.install(adapter, &mut |step| output.step(step))?;
        output.print(&format!("{}\n", installed.folder.display()))?;
    }
    Ok(())
}
