//! The corpus against what it promises: SPEC's clauses, policies and levels are all covered.

use std::collections::{BTreeMap, BTreeSet};

use callfit::case::{Area, Case, Corpus, Expect, Level};
use callfit_reference::json::parse;

const SPEC: &str = include_str!("../../SPEC.md");

fn corpus() -> Corpus {
    Corpus::embedded().expect("the corpus is sound")
}

/// Every clause and policy has one anchor in SPEC.md, in the order of the data, and SPEC.md has no others.
#[test]
fn spec_has_an_anchor_for_each_clause_and_policy() {
    let corpus = corpus();
    let anchors: Vec<&str> = SPEC
        .lines()
        .filter_map(|line| line.strip_prefix("<a id=\"")?.strip_suffix("\"></a>"))
        .collect();
    let (policies, clauses): (Vec<&str>, Vec<&str>) =
        anchors.iter().partition(|anchor| anchor.starts_with("policy-"));
    let in_data: Vec<&str> = corpus.clauses.iter().map(|clause| clause.id.as_str()).collect();
    assert_eq!(clauses, in_data);
    let in_data: Vec<String> =
        corpus.policies.iter().map(|policy| format!("policy-{}", policy.id)).collect();
    assert_eq!(policies, in_data);
}

/// The heading after a clause's anchor carries its title.
#[test]
fn spec_titles_are_those_of_the_data() {
    let lines: Vec<&str> = SPEC.lines().collect();
    for clause in corpus().clauses {
        let anchor = format!("<a id=\"{}\"></a>", clause.id);
        let at = lines.iter().position(|line| *line == anchor).unwrap();
        let heading = lines[at + 1];
        assert!(
            heading.starts_with('#') && heading.contains(&clause.title),
            "{heading}: {}",
            clause.title
        );
    }
}

#[test]
fn there_are_as_many_cases_as_promised() {
    let mut count: BTreeMap<Area, usize> = BTreeMap::new();
    for case in corpus().cases {
        *count.entry(case.area).or_default() += 1;
    }
    for (area, least) in
        [(Area::Resolve, 120), (Area::Coerce, 320), (Area::Restore, 60), (Area::Sanitize, 80)]
    {
        assert!(count[&area] >= least, "{area:?}: {count:?}");
    }
}

/// Whether the right answer is what was sent.
fn is_near_miss(case: &Case) -> bool {
    let sent = match case.area {
        Area::Sanitize => Some(&case.schema),
        _ => case.subject.as_ref(),
    };
    match (&case.expect, sent) {
        (Expect::Values(answers), Some(sent)) => {
            answers.iter().any(|answer| parse(answer.text()) == parse(sent.text()))
        }
        _ => false,
    }
}

/// Clauses that speak of what is refused or survived, or that a change cannot miss: they have no near miss.
const WITHOUT_NEAR_MISS: [&str; 1] = ["surrogates"];

#[test]
fn every_must_clause_has_four_cases_and_a_near_miss() {
    let corpus = corpus();
    let mut short = Vec::new();
    for clause in corpus.clauses.iter().filter(|clause| clause.levels.contains(&Level::Must)) {
        let cases: Vec<&Case> = corpus
            .cases
            .iter()
            .filter(|case| case.clause == clause.id && case.level == Level::Must)
            .collect();
        let near = cases.iter().any(|case| is_near_miss(case));
        if cases.len() < 4 || !near && !WITHOUT_NEAR_MISS.contains(&clause.id.as_str()) {
            short.push(format!("{}: {} cases, near miss {near}", clause.id, cases.len()));
        }
    }
    assert!(short.is_empty(), "{short:#?}");
}

#[test]
fn every_clause_has_a_case_at_each_of_its_levels() {
    let corpus = corpus();
    let cited: BTreeSet<(&str, Level)> =
        corpus.cases.iter().map(|case| (case.clause.as_str(), case.level)).collect();
    for clause in &corpus.clauses {
        for level in &clause.levels {
            assert!(cited.contains(&(clause.id.as_str(), *level)), "{} {level:?}", clause.id);
        }
    }
}

#[test]
fn every_policy_has_three_cases_and_every_option_one() {
    let corpus = corpus();
    let mut count: BTreeMap<&str, usize> = BTreeMap::new();
    let mut listed: BTreeSet<(&str, &str)> = BTreeSet::new();
    for case in &corpus.cases {
        if let Expect::Options { policy, options } = &case.expect {
            *count.entry(policy).or_default() += 1;
            listed.extend(options.iter().map(|(option, _)| (policy.as_str(), option.as_str())));
        }
    }
    let mut short = Vec::new();
    for policy in &corpus.policies {
        let cases = count.get(policy.id.as_str()).copied().unwrap_or(0);
        if cases < 3 {
            short.push(format!("{}: {cases} cases", policy.id));
        }
        for option in &policy.options {
            // A refusal is no answer that a case could list.
            let is_refusal = policy.id == "both-names" && option.id == "refused";
            if !is_refusal && !listed.contains(&(policy.id.as_str(), option.id.as_str())) {
                short.push(format!("{}: {} in no case", policy.id, option.id));
            }
        }
    }
    assert!(short.is_empty(), "{short:#?}");
}

/// Every row of the seed article's table stands in the corpus, with its inline twin.
#[test]
fn the_rows_of_the_seed_are_there() {
    let corpus = corpus();
    let rows = [
        "coerce/seed/row-1-count",
        "coerce/seed/row-2-verbose",
        "coerce/seed/row-3-filters",
        "coerce/seed/row-4-offset",
        "restore/seed/row-5-person",
    ];
    for id in rows {
        let case = corpus.case(id).unwrap_or_else(|| panic!("{id} is missing"));
        assert_eq!(case.level, Level::Must, "{id}");
        let topic = id.rsplit_once('-').unwrap().0;
        assert!(corpus.case(&format!("{topic}-inline")).is_some(), "{topic}-inline is missing");
    }
}
