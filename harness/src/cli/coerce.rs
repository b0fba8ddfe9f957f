//! `callfit coerce`: one call of the reference.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use callfit_reference::json::{Value, parse};
use callfit_reference::{Coercer, Policies, Profile};
use clap::Args;

use super::failure::Failure;
use super::output::Output;
use super::run::profile;

/// Coerce arguments by a schema with the reference, once.
#[derive(Debug, Args)]
pub(super) struct Coerce {
    /// The tool's parameter schema; - for stdin.
    #[arg(long, value_name = "FILE")]
    schema: PathBuf,
    /// What the model sent; - for stdin.
    #[arg(long, value_name = "FILE")]
    arguments: PathBuf,
    /// The profile: recommended, seed or lenient.
    #[arg(long, value_name = "NAME", value_parser = profile, default_value = "recommended")]
    profile: Profile,
    /// Also map the names that `sanitize` would have given back to the tool's own.
    #[arg(long)]
    restore_keys: bool,
}

impl Coerce {
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode, Failure> {
        if is_stdin(&self.schema) && is_stdin(&self.arguments) {
            return Err(Failure::WrongUse(
                "stdin can be the schema or the arguments, and not both; name a file".to_owned(),
            ));
        }
        let schema = read(&self.schema)?;
        let arguments = read(&self.arguments)?;
        let policies = Policies::from(self.profile);
        let coercer = if self.restore_keys {
            Coercer::restoring(&schema, policies)
        } else {
            Coercer::with_policies(&schema, policies)
        };
        match coercer.coerce(arguments) {
            Ok(arguments) => {
                output.print(&format!("{arguments}\n"))?;
                Ok(ExitCode::SUCCESS)
            }
            Err(refused) => {
                output.error(&format!("refused: {refused}"));
                Ok(ExitCode::FAILURE)
            }
        }
    }
}

fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

fn read(path: &Path) -> Result<Value, Failure> {
    let mut text = String::new();
    let done = if is_stdin(path) {
        io::stdin().read_to_string(&mut text).map(|_| ())
    } else {
        std::fs::read_to_string(path).map(|read| text = read)
    };
    done.map_err(|error| Failure::unreadable(path, &error))?;
    parse(&text).map_err(|error| {
        let before = text.get(..error.offset).unwrap_or(&text);
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|char| *char != '\n').count() + 1;
        let path = path.display();
        Failure::WrongUse(format!("{path}:{line}:{column}: {}; give JSON", error.problem))
    })
}
