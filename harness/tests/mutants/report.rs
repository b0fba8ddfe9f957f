//! The table of mutants in `reports/mutation.md`.

use std::fmt::Write as _;
use std::path::PathBuf;

use super::fuzz::First;
use super::list::Mutant;
use super::run::Outcome;

/// A place in the report that a test writes: what stands before and after it.
pub struct Place {
    from: &'static str,
    to: &'static str,
}

/// Which cases fail each mutant.
pub const CASES: Place = Place {
    from: "<!-- the mutants, written by the test `mutants` -->\n",
    to: "<!-- the end of the mutants -->\n",
};

/// What a campaign finds in each.
pub const FUZZED: Place = Place {
    from: "<!-- the mutants fuzzed, written by the test `mutants` -->\n",
    to: "<!-- the end of the mutants fuzzed -->\n",
};

/// Where the report is.
pub fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../reports/mutation.md")
}

impl Place {
    /// What stands there in a report.
    pub fn of<'r>(&self, report: &'r str) -> Option<&'r str> {
        Some(self.parts(report)?.1)
    }

    /// The report with something else there.
    pub fn with(&self, report: &str, table: &str) -> Option<String> {
        let (before, _, after) = self.parts(report)?;
        let Self { from, to } = self;
        Some(format!("{before}{from}{table}{to}{after}"))
    }

    fn parts<'r>(&self, report: &'r str) -> Option<(&'r str, &'r str, &'r str)> {
        let (before, rest) = report.split_once(self.from)?;
        let (table, after) = rest.split_once(self.to)?;
        Some((before, table, after))
    }
}

/// The mutants, each with how many cases fail it.
pub fn table(outcomes: &[Outcome], redundant: usize, run: usize) -> String {
    let mut table = String::new();
    let _ = writeln!(
        table,
        "\n{} mutants. Of {run} cases, {redundant} fail none of them and show no policy.\n\n| mutant | breaks | seen in | cases that tell | cases that fail |\n| --- | --- | --- | --- | --- |",
        outcomes.len()
    );
    for outcome in outcomes {
        let mutant = outcome.mutant;
        let source = mutant.source.unwrap_or("");
        let (told, failing) = (outcome.told().len(), outcome.bad.len());
        let _ = writeln!(
            table,
            "| {} | `{}` | {source} | {told} | {failing} |",
            mutant.name, mutant.breaks
        );
    }
    table.push('\n');
    table
}

/// The rows of a table without their numbers of cases: these change with every case that is added.
pub fn without_counts(table: &str) -> Vec<&str> {
    let rows = table.lines().filter(|line| line.starts_with('|'));
    rows.filter_map(|row| row.rsplitn(3, " | ").last()).collect()
}

/// The mutants, each with the trial that finds it.
pub fn fuzzed(firsts: &[(Mutant, Option<First>)], trials: u64) -> String {
    let mut trials_needed: Vec<u64> =
        firsts.iter().filter_map(|(_, first)| Some(first.as_ref()?.trial)).collect();
    trials_needed.sort_unstable();
    let (found, of) = (trials_needed.len(), firsts.len());
    let half = trials_needed.get(found / 2).copied().unwrap_or_default();
    let mut table = format!(
        "\n{found} of {of} mutants are found within {trials} trials, half of them within {half}.\n\n| mutant | found in trial | as |\n| --- | --- | --- |\n"
    );
    for (mutant, first) in firsts {
        let (trial, group) = first
            .as_ref()
            .map_or(("not found".to_owned(), ""), |first| (first.trial.to_string(), &first.group));
        let _ = writeln!(table, "| {} | {trial} | {} |", mutant.name, group.replace('|', "\\|"));
    }
    table.push('\n');
    table
}

/// The mutants that the report says are found within so many trials.
pub fn found_within(report: &str, trials: u64) -> Vec<&str> {
    let rows = FUZZED.of(report).unwrap_or_default().lines();
    rows.filter_map(|row| {
        let mut cells = row.split('|').skip(1).map(str::trim);
        let (name, trial) = (cells.next()?, cells.next()?);
        (trial.parse::<u64>().ok()? <= trials).then_some(name)
    })
    .collect()
}
