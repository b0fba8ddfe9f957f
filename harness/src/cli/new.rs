//! `callfit new`: a skeleton of a case.

use std::path::PathBuf;
use std::process::ExitCode;

use callfit::case::new_case;
use clap::Args;

use super::failure::Failure;
use super::output::Output;

/// Write the skeleton of a case into the file it belongs in.
#[derive(Debug, Args)]
pub(super) struct New {
    /// area/topic/name, as in coerce/integer/leading-zeros.
    id: String,
    /// The folder of cases.
    #[arg(long, value_name = "DIR", default_value = "cases")]
    cases: PathBuf,
}

impl New {
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode, Failure> {
        let created = new_case(&self.cases, &self.id)?;
        output.print(&format!("{}:{}\n", created.path.display(), created.line))?;
        output.note(&format!(
            "fill it in, then run `callfit lint {0}` and `callfit run --cases {0} --filter {1}`",
            self.cases.display(),
            self.id
        ));
        Ok(ExitCode::SUCCESS)
    }
}
