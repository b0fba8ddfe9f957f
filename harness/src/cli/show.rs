//! `callfit show`: a case as it stands in its file, or as it is sent.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use callfit::case::{Case, Corpus, Expect, Selection, format};
use callfit::implementation::{Method, Request};
use callfit::run::request;
use callfit_reference::json::parse;
use callfit_reference::{Names, Policies};
use clap::Args;

use super::failure::Failure;
use super::output::Output;

/// Show a case: what it is about, and the case itself.
#[derive(Debug, Args)]
pub(super) struct Show {
    /// The id of a case, or a glob.
    case: String,
    /// Print the JSON-RPC request that is sent, and nothing else. What is sent under a provider's names is shown under those that the reference gives.
    #[arg(long)]
    request: bool,
    /// A folder of cases that are added, or replace those with the same id. Can be given several times.
    #[arg(long, value_name = "DIR")]
    cases: Vec<PathBuf>,
}

impl Show {
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode, Failure> {
        let corpus = Corpus::load(&self.cases)?;
        let selection = Selection::new(std::slice::from_ref(&self.case), &[""; 0], None)?;
        let cases = selection.select(&corpus)?;
        let shown = cases
            .iter()
            .map(|case| if self.request { requests(case).concat() } else { told(case, &corpus) });
        let between = if self.request { "" } else { "\n" };
        output.print(&shown.collect::<Vec<_>>().join(between))?;
        Ok(ExitCode::SUCCESS)
    }
}

fn told(case: &Case, corpus: &Corpus) -> String {
    let clause = corpus.clause(&case.clause).map_or("", |clause| clause.title.as_str());
    let mut facts = vec![
        ("clause", format!("{}: {clause} (SPEC.md#{})", case.clause, case.clause)),
        ("level", case.level.name().to_owned()),
    ];
    if let Expect::Options { policy, .. } = &case.expect {
        let question = corpus.policy(policy).map_or("", |policy| policy.question.as_str());
        facts.push(("policy", format!("{policy}: {question}")));
    }
    if !case.source.is_empty() {
        facts.push(("source", case.source.join(", ")));
    }
    facts.push(("file", case.file.clone()));
    let mut text = format!("{}\n", case.id);
    for (label, fact) in facts {
        // Writing to a string does not fail.
        let _ = writeln!(text, "  {label:6}  {fact}");
    }
    let raw = format(&case.raw).unwrap_or_else(|_| case.raw.clone());
    text + "\n" + &raw
}

/// The lines that are sent. For a round trip, the schema is sanitized first.
fn requests(case: &Case) -> Vec<String> {
    if !case.round_trip {
        return vec![request(case, &Names::default()).line(1)];
    }
    let schema = case.schema.text().to_owned();
    let names = parse(&schema).map(|schema| Names::of(&schema, &Policies::default()));
    let sanitize = Request { method: Method::Sanitize, schema, subject: None };
    vec![sanitize.line(1), request(case, &names.unwrap_or_default()).line(2)]
}
