//! `callfit promote`: a case made of a finding.

use std::path::PathBuf;
use std::process::ExitCode;

use callfit::case::Level;
use callfit::fuzz::{Finding, promote};
use clap::Args;

use super::failure::Failure;
use super::output::Output;

/// Make a case of a finding, in the file it belongs in.
///
/// The description is left to you, and the clause and the right answer are proposals: argue with them.
#[derive(Debug, Args)]
pub(super) struct Promote {
    /// A file that `callfit fuzz` wrote.
    finding: PathBuf,
    /// area/topic/name, as in coerce/union/recursive-alternative.
    #[arg(long)]
    id: String,
    /// The clause that it is about [default: the one that the oracle stands on].
    #[arg(long)]
    clause: Option<String>,
    /// How much the case counts: must or should.
    #[arg(long, default_value = "must", value_parser = level)]
    level: Level,
    /// The folder of cases.
    #[arg(long, value_name = "DIR", default_value = "cases")]
    cases: PathBuf,
}

impl Promote {
    pub(super) fn run(self, output: &Output) -> Result<ExitCode, Failure> {
        let finding = Finding::read(&self.finding)?;
        let clause = self.clause.as_deref().unwrap_or(finding.fault.oracle.clause());
        let created = promote(&finding, &self.cases, &self.id, clause, self.level)?;
        output.print(&format!("{}:{}\n", created.path.display(), created.line))?;
        output.note(&format!(
            "say in its description what goes wrong for a user, check the clause and the right answer, then run `callfit lint {0}` and `callfit run --cases {0} --filter {1}`",
            self.cases.display(),
            self.id
        ));
        Ok(ExitCode::SUCCESS)
    }
}

fn level(text: &str) -> Result<Level, String> {
    [Level::Must, Level::Should]
        .into_iter()
        .find(|level| level.name() == text)
        .ok_or_else(|| "a case made of a finding is a must or a should".to_owned())
}
