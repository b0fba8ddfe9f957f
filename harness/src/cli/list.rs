//! `callfit list`: the cases, a line each.

use std::fmt::Write as _;
use std::process::ExitCode;

use callfit::case::{Case, Expect};
use clap::Args;
use serde_json::json;

use super::failure::Failure;
use super::output::Output;
use super::run::Choice;

/// List cases.
#[derive(Debug, Args)]
pub(super) struct List {
    #[command(flatten)]
    choice: Choice,
    /// Print a list of objects, for programs.
    #[arg(long)]
    json: bool,
}

impl List {
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode, Failure> {
        let corpus = self.choice.corpus()?;
        let cases = self.choice.selection()?.select(&corpus)?;
        output.print(&if self.json { as_json(&cases) } else { as_lines(&cases) })?;
        Ok(ExitCode::SUCCESS)
    }
}

fn as_lines(cases: &[&Case]) -> String {
    let width = cases.iter().map(|case| case.id.len()).max().unwrap_or(0);
    let mut text = String::new();
    for case in cases {
        let level = case.level.name();
        let cites = policy(case).map_or(String::new(), |policy| format!(" ({policy})"));
        // Writing to a string does not fail.
        let _ = writeln!(text, "{:width$}  {level:6}  {}{cites}", case.id, case.clause);
    }
    text
}

fn as_json(cases: &[&Case]) -> String {
    let cases = cases.iter().map(|case| {
        json!({
            "id": case.id,
            "description": case.description,
            "clause": case.clause,
            "level": case.level,
            "policy": policy(case),
            "source": case.source,
            "file": case.file,
        })
    });
    let lines: Vec<String> = cases.map(|case| format!("  {case}")).collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

fn policy(case: &Case) -> Option<&str> {
    match &case.expect {
        Expect::Options { policy, .. } => Some(policy),
        _ => None,
    }
}
