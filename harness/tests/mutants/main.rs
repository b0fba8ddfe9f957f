//! The corpus against mutants: each is failed by a case of the clause that it breaks, or under the name of its law.

mod fuzz;
mod list;
mod report;
mod run;

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;

use callfit::case::{Expect, Level};
use callfit::report::{gist, told};

use run::{CORPUS, Outcome, outcomes};

/// The laws that the harness judges at every case, with further requests or none.
const JUDGED: [&str; 7] = [
    "valid-stays",
    "idempotent",
    "exact",
    "no-invention",
    "transparent",
    "stateless",
    "names-again",
];

#[test]
fn every_mutant_is_failed_by_a_case_of_its_clause() {
    let survivors: Vec<String> = outcomes()
        .iter()
        .filter(|outcome| outcome.told().is_empty())
        .map(|outcome| {
            let others: Vec<&str> = outcome.bad.iter().map(|case| case.id.as_str()).collect();
            let Outcome { mutant, .. } = outcome;
            format!("{} breaks {}, and is failed by {others:?}", mutant.name, mutant.breaks)
        })
        .collect();
    assert!(survivors.is_empty(), "{survivors:#?}");
}

#[test]
fn the_failure_says_what_is_wrong() {
    for outcome in outcomes() {
        for case in outcome.told() {
            assert_ne!(
                gist(case, 400),
                case.verdict.name(),
                "{}: {}",
                outcome.mutant.name,
                case.id
            );
            let text = told(case);
            for breach in &case.laws {
                assert!(text.contains(&format!("{}: ", breach.law)), "{text}");
            }
        }
    }
}

#[test]
fn every_must_clause_and_every_law_has_a_mutant() {
    let broken: BTreeSet<&str> = outcomes().iter().map(|outcome| outcome.mutant.breaks).collect();
    let must = CORPUS.clauses.iter().filter(|clause| clause.levels.contains(&Level::Must));
    let missing: Vec<&str> =
        must.map(|clause| clause.id.as_str()).filter(|clause| !broken.contains(clause)).collect();
    assert!(missing.is_empty(), "no mutant breaks {missing:?}");
    let breached: BTreeSet<&str> = outcomes()
        .iter()
        .filter(|outcome| outcome.is_breach())
        .map(|outcome| outcome.mutant.breaks)
        .collect();
    assert_eq!(breached, BTreeSet::from(JUDGED), "breaches told under the name of the law");
}

#[test]
fn there_are_many_mutants_and_each_has_a_name_of_its_own() {
    let names: BTreeSet<&str> = outcomes().iter().map(|outcome| outcome.mutant.name).collect();
    assert_eq!(names.len(), outcomes().len(), "a name stands twice");
    assert!(names.len() >= 80, "only {}", names.len());
    for outcome in outcomes() {
        let known = CORPUS.clauses.iter().any(|clause| clause.id == outcome.mutant.breaks);
        assert!(known, "{} breaks no clause", outcome.mutant.name);
    }
}

/// `UPDATE=1 cargo test` writes it anew. How many cases fail a mutant may be out of date: who adds a case need not run this.
#[test]
fn the_table_in_the_report_is_current() {
    let table = report::table(outcomes(), redundant().len(), cases_run().len());
    let mut found = fs::read_to_string(report::path()).unwrap();
    if std::env::var_os("UPDATE").is_some() {
        found = report::CASES.with(&found, &table).expect("the report has a place for the table");
        fs::write(report::path(), &found).unwrap();
    }
    let old = report::CASES.of(&found).unwrap_or_default();
    assert_eq!(
        report::without_counts(old),
        report::without_counts(&table),
        "reports/mutation.md is not current; run UPDATE=1 cargo test --test mutants"
    );
}

/// `CALLFIT_REDUNDANT=1 cargo test --test mutants -- --nocapture redundant` tells which they are.
#[test]
fn the_redundant_cases_are_few() {
    let (redundant, run) = (redundant(), cases_run());
    if std::env::var_os("CALLFIT_REDUNDANT").is_some() {
        let mut told = redundant.join("\n");
        told.push('\n');
        std::io::stdout().write_all(told.as_bytes()).unwrap();
    }
    assert!(redundant.len() * 5 < run.len(), "{} of {}", redundant.len(), run.len());
}

/// Those that a campaign finds soon, by the report, are found again. `CALLFIT_FUZZ_MUTANTS=1 cargo test --test mutants fuzzer` goes through all of them and writes what
/// came of it into the report.
#[test]
fn the_fuzzer_finds_mutants() {
    const MOST: u64 = 2_000;
    const SOON: u64 = 100;
    let report = fs::read_to_string(report::path()).unwrap();
    if std::env::var_os("CALLFIT_FUZZ_MUTANTS").is_some() {
        let table = report::fuzzed(&fuzz::firsts(&list::all(), MOST), MOST);
        let report = report::FUZZED.with(&report, &table).expect("the report has a place for it");
        fs::write(report::path(), report).unwrap();
        return;
    }
    let soon = report::found_within(&report, SOON);
    assert!(soon.len() >= 70, "only {} are found soon", soon.len());
    for (mutant, first) in fuzz::firsts(&fuzz::named(&soon), SOON) {
        assert!(first.is_some(), "{}: nothing was found in {SOON} trials", mutant.name);
    }
}

/// The cases that fail no mutant and show no policy.
fn redundant() -> Vec<&'static str> {
    let bad = outcomes().iter().flat_map(|outcome| &outcome.bad);
    let failing: BTreeSet<&str> = bad.map(|case| case.id.as_str()).collect();
    let shows_policy = |id: &str| {
        let case = CORPUS.case(id);
        case.is_some_and(|case| matches!(case.expect, Expect::Options { .. }))
    };
    let run = cases_run().into_iter();
    run.filter(|id| !failing.contains(id) && !shows_policy(id)).collect()
}

/// The cases that were run against any mutant.
fn cases_run() -> BTreeSet<&'static str> {
    outcomes().iter().flat_map(|outcome| outcome.run.iter().copied()).collect()
}
