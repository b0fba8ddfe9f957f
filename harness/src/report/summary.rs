//! What a run comes to: the counts that every report shows.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::case::{Area, Level};
use crate::implementation::{About, Method, RESTORE_KEYS};
use crate::run::{CaseRecord, Record, Verdict};

/// What the ids in a record are called, for whoever does not know them by heart.
#[derive(Debug, Clone, Default)]
pub struct Titles {
    /// The title of each clause of SPEC.md.
    pub clauses: BTreeMap<String, String>,
    /// The question of each policy.
    pub policies: BTreeMap<String, String>,
}

/// The counts of a run, made from its record.
#[derive(Debug)]
pub(super) struct Summary<'a> {
    /// Where the run ended.
    pub outcome: Outcome,
    /// The areas in the order of the corpus, each with its counts.
    pub areas: Vec<(&'a str, AreaCounts)>,
    /// How many cases have each verdict; verdicts that did not come up are left out.
    pub verdicts: Vec<(Verdict, usize)>,
    /// The cases that count against the implementation.
    pub failures: Vec<&'a CaseRecord>,
    /// *Should* cases that went wrong: warnings.
    pub misses: Vec<&'a CaseRecord>,
    /// Cases that went wrong as the expectation file says.
    pub as_expected: Vec<&'a CaseRecord>,
    /// How many cases broke each law.
    pub laws: BTreeMap<&'a str, usize>,
    /// How many cases chose each option of each policy.
    pub choices: BTreeMap<&'a str, BTreeMap<&'a str, usize>>,
    /// How many cases each method or feature was missing for.
    pub unsupported: BTreeMap<String, usize>,
}

/// What may be said of the implementation after a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Every case that counts came out right, or as expected.
    Conformant,
    /// A case counts against it, or the expectation file is wrong.
    NotConformant,
    /// Nothing counts against it, but the run did not reach its end or judged nothing.
    Undecided,
}

/// How many cases of an area passed, by level.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct AreaCounts {
    /// The *must* cases.
    pub must: Tally,
    /// The *should* cases.
    pub should: Tally,
    /// The *policy* cases.
    pub policy: Tally,
    /// The cases of any level that were not judged.
    pub unsupported: usize,
}

/// So many of so many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Tally {
    /// The cases that passed.
    pub passed: usize,
    /// The cases that were judged.
    pub judged: usize,
}

impl<'a> Summary<'a> {
    /// Counts a run.
    pub fn of(record: &'a Record) -> Self {
        let mut summary = Self {
            outcome: Outcome::of(record),
            areas: Vec::new(),
            verdicts: Verdict::ALL
                .into_iter()
                .map(|verdict| (verdict, record.count(verdict)))
                .filter(|(_, count)| *count > 0)
                .collect(),
            failures: Vec::new(),
            misses: Vec::new(),
            as_expected: Vec::new(),
            laws: BTreeMap::new(),
            choices: BTreeMap::new(),
            unsupported: BTreeMap::new(),
        };
        for case in &record.cases {
            summary.count_in_area(case);
            if record.counts_against(case) {
                summary.failures.push(case);
            } else if case.verdict.is_bad() && case.expected_failure.is_some() {
                summary.as_expected.push(case);
            } else if case.verdict.is_bad() {
                summary.misses.push(case);
            }
            if case.verdict == Verdict::Unsupported {
                let missing = missing(&record.implementation, case);
                *summary.unsupported.entry(missing).or_default() += 1;
            }
            let mut laws: Vec<&str> = case.laws.iter().map(|breach| breach.law.as_str()).collect();
            laws.sort_unstable();
            laws.dedup();
            for law in laws {
                *summary.laws.entry(law).or_default() += 1;
            }
            if let (Some(policy), Some(option)) = (&case.policy, &case.option) {
                let options = summary.choices.entry(policy).or_default();
                *options.entry(option).or_default() += 1;
            }
        }
        summary
    }

    /// The table of areas and levels: a header, a row an area, and a row of sums if there are several.
    pub fn table(&self) -> Vec<[String; 5]> {
        let header = ["area", "must", "should", "policy", "unsupported"].map(str::to_owned);
        let mut rows = vec![header];
        rows.extend(self.areas.iter().map(|(area, counts)| counts.row(area)));
        if self.areas.len() > 1 {
            rows.push(self.total().row("total"));
        }
        rows
    }

    /// The counts of all areas together.
    pub fn total(&self) -> AreaCounts {
        let mut total = AreaCounts::default();
        for (_, counts) in &self.areas {
            total.add(counts);
        }
        total
    }

    /// The verdict on the implementation, in one line.
    pub fn conclusion(&self, record: &Record) -> String {
        let judged = counted(record.judged(), "case");
        let mut parts = vec![match self.outcome {
            Outcome::Conformant => format!("conformant: {judged} judged, none counts against it"),
            Outcome::NotConformant => {
                let levels: Vec<String> = [Level::Must, Level::Should, Level::Policy]
                    .into_iter()
                    .map(|level| (level, self.failures_at(level)))
                    .filter(|(_, count)| *count > 0)
                    .map(|(level, count)| format!("{count} {}", level.name()))
                    .collect();
                let levels = match levels.as_slice() {
                    [] => String::new(),
                    levels => format!(" ({})", levels.join(", ")),
                };
                let failures = counted(self.failures.len(), "failure");
                format!("not conformant: {failures}{levels} in {judged} judged")
            }
            Outcome::Undecided if record.judged() == 0 => "undecided: nothing was judged".into(),
            Outcome::Undecided => format!("undecided: the run was cut short after {judged}"),
        }];
        let mut more = |count: usize, noun: &str| {
            if count > 0 {
                parts.push(counted(count, noun));
            }
        };
        more(self.misses.len(), "should-miss");
        more(self.as_expected.len(), "expected failure");
        more(record.expectation_problems.len(), "expectation problem");
        more(record.count(Verdict::Unsupported), "unsupported case");
        if self.outcome == Outcome::NotConformant && record.cut_short.is_some() {
            parts.push("cut short".to_owned());
        }
        parts.join("; ")
    }

    fn failures_at(&self, level: Level) -> usize {
        let at_level = |case: &&&CaseRecord| case.level == level;
        self.failures.iter().filter(at_level).count()
    }

    fn count_in_area(&mut self, case: &'a CaseRecord) {
        let area = case.id.split('/').next().unwrap_or_default();
        let at = self.areas.iter().position(|(name, _)| *name == area);
        let at = at.unwrap_or_else(|| {
            self.areas.push((area, AreaCounts::default()));
            self.areas.len() - 1
        });
        self.areas[at].1.count(case);
    }
}

impl Outcome {
    /// What may be said of the implementation.
    pub fn of(record: &Record) -> Self {
        if !record.is_conformant() {
            Self::NotConformant
        } else if record.cut_short.is_some() || record.judged() == 0 {
            Self::Undecided
        } else {
            Self::Conformant
        }
    }
}

impl AreaCounts {
    fn count(&mut self, case: &CaseRecord) {
        if case.verdict == Verdict::Unsupported {
            self.unsupported += 1;
            return;
        }
        let tally = match case.level {
            Level::Must => &mut self.must,
            Level::Should => &mut self.should,
            Level::Policy => &mut self.policy,
        };
        tally.judged += 1;
        tally.passed += usize::from(case.verdict == Verdict::Pass);
    }

    fn add(&mut self, other: &Self) {
        for (sum, tally) in [
            (&mut self.must, other.must),
            (&mut self.should, other.should),
            (&mut self.policy, other.policy),
        ] {
            sum.passed += tally.passed;
            sum.judged += tally.judged;
        }
        self.unsupported += other.unsupported;
    }

    fn row(&self, name: &str) -> [String; 5] {
        let unsupported = match self.unsupported {
            0 => "-".to_owned(),
            count => count.to_string(),
        };
        [
            super::escape::line(name, 40),
            self.must.shown(),
            self.should.shown(),
            self.policy.shown(),
            unsupported,
        ]
    }
}

impl Tally {
    /// `3/8`, or a hyphen where nothing was judged.
    pub(super) fn shown(self) -> String {
        if self.judged == 0 {
            return "-".to_owned();
        }
        format!("{}/{}", self.passed, self.judged)
    }
}

/// The cases by clause, in the order in which the clauses first come up.
pub(super) fn by_clause<'a>(cases: &[&'a CaseRecord]) -> Vec<(&'a str, Vec<&'a CaseRecord>)> {
    let mut groups: Vec<(&str, Vec<&CaseRecord>)> = Vec::new();
    for case in cases {
        match groups.iter_mut().find(|(clause, _)| *clause == case.clause) {
            Some((_, group)) => group.push(case),
            None => groups.push((&case.clause, vec![case])),
        }
    }
    groups
}

/// The options that were chosen: one, or `mixed (keep 3, convert 1)` with the most frequent first.
pub(super) fn choice(options: &BTreeMap<&str, usize>) -> String {
    let mut options: Vec<(&str, usize)> = options.iter().map(|(o, n)| (*o, *n)).collect();
    options.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    match options.as_slice() {
        [(only, _)] => (*only).to_owned(),
        several => {
            let several: Vec<String> = several.iter().map(|(o, n)| format!("{o} {n}")).collect();
            format!("mixed ({})", several.join(", "))
        }
    }
}

/// The topic of a case: the first two parts of its id, which are the path of its file.
pub(super) fn topic(id: &str) -> &str {
    match id.match_indices('/').nth(1) {
        Some((end, _)) => &id[..end],
        None => id,
    }
}

/// The method or feature that an unsupported case wanted.
pub(super) fn missing(about: &About, case: &CaseRecord) -> String {
    let method = match Area::of_id(&case.id) {
        Some(Area::Resolve) => Method::Resolve,
        Some(Area::Sanitize) => Method::Sanitize,
        // A round trip asks for `sanitize` as well.
        Some(Area::Restore) if about.restores_keys() && !about.offers(Method::Sanitize) => {
            Method::Sanitize
        }
        Some(Area::Restore) => return format!("feature {RESTORE_KEYS}"),
        Some(Area::Coerce) | None => Method::Coerce,
    };
    format!("method {method}")
}

/// `1 case`, `2 cases`.
pub(super) fn counted(count: usize, noun: &str) -> String {
    let ending = match (count, noun) {
        (1, _) => "",
        (_, noun) if noun.ends_with('s') => "es",
        _ => "s",
    };
    format!("{count} {noun}{ending}")
}
