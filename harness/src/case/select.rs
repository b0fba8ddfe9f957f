//! Choosing cases: globs, and shards for several machines.

use std::collections::BTreeSet;

use globset::{Glob, GlobMatcher};

use super::corpus::{Case, Corpus, Expect};
use super::near::did_you_mean;

/// Which cases are run: all, or those that a filter matches; less those that an exclusion matches; and of these, one shard.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    filters: Vec<Filter>,
    excludes: Vec<Filter>,
    shard: Option<Shard>,
}

/// A glob over ids, or with a prefix over the clauses or policies that cases cite.
#[derive(Debug, Clone)]
struct Filter {
    text: String,
    subject: Subject,
    glob: GlobMatcher,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Subject {
    Id,
    Clause,
    Policy,
}

#[derive(Debug, Clone, Copy)]
struct Shard {
    /// From 1.
    number: usize,
    of: usize,
}

/// Why nothing, or not what was meant, would be run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SelectionError {
    /// No glob.
    #[error("`{filter}` is no glob: {reason}; write ids with `*`, as in coerce/integer/*")]
    Glob {
        /// As it was given.
        filter: String,
        /// What is wrong with it.
        reason: String,
    },
    /// No shard.
    #[error("`{0}` is no shard; write I/N with I from 1 to N, as in 2/4")]
    Shard(String),
    /// A filter that matches no case at all.
    #[error("no case matches `{filter}`; {help}")]
    NoMatch {
        /// As it was given.
        filter: String,
        /// What may have been meant.
        help: String,
    },
    /// Every case that the filters match is excluded.
    #[error("every case that was selected is excluded by {excludes}; leave an exclusion out")]
    AllExcluded {
        /// As they were given.
        excludes: String,
    },
    /// Fewer cases than shards.
    #[error("shard {number}/{of} of {cases} cases is empty; use at most {cases} shards")]
    EmptyShard {
        /// Which shard.
        number: usize,
        /// Of how many.
        of: usize,
        /// The cases that were to be divided.
        cases: usize,
    },
}

impl Selection {
    /// The selection that these options make. A filter is a glob over ids (`coerce/integer/*`; `*` matches `/` too), `clause:GLOB` or `policy:GLOB`; a shard is `I/N`,
    /// counted from 1.
    pub fn new(
        filters: &[impl AsRef<str>],
        excludes: &[impl AsRef<str>],
        shard: Option<&str>,
    ) -> Result<Self, SelectionError> {
        Ok(Self {
            filters: all(filters)?,
            excludes: all(excludes)?,
            shard: shard.map(Shard::new).transpose()?,
        })
    }

    /// The cases selected, in the order of the corpus. Never none: each filter and exclusion has to match a case, so that a mistyped one is noticed.
    pub fn select<'c>(&self, corpus: &'c Corpus) -> Result<Vec<&'c Case>, SelectionError> {
        for filter in self.filters.iter().chain(&self.excludes) {
            if !corpus.cases.iter().any(|case| filter.matches(case)) {
                return Err(SelectionError::NoMatch {
                    filter: filter.text.clone(),
                    help: filter.help(corpus),
                });
            }
        }
        let is_in = |case: &&Case| {
            (self.filters.is_empty() || self.filters.iter().any(|filter| filter.matches(case)))
                && !self.excludes.iter().any(|filter| filter.matches(case))
        };
        let cases: Vec<&Case> = corpus.cases.iter().filter(is_in).collect();
        if cases.is_empty() {
            let excludes = self.excludes.iter().map(|filter| format!("`{}`", filter.text));
            return Err(SelectionError::AllExcluded {
                excludes: excludes.collect::<Vec<_>>().join(", "),
            });
        }
        match self.shard {
            Some(shard) => shard.of(&cases),
            None => Ok(cases),
        }
    }
}

fn all(filters: &[impl AsRef<str>]) -> Result<Vec<Filter>, SelectionError> {
    filters.iter().map(|text| Filter::new(text.as_ref())).collect()
}

impl Filter {
    fn new(text: &str) -> Result<Self, SelectionError> {
        let (subject, pattern) = if let Some(pattern) = text.strip_prefix("clause:") {
            (Subject::Clause, pattern)
        } else if let Some(pattern) = text.strip_prefix("policy:") {
            (Subject::Policy, pattern)
        } else {
            (Subject::Id, text)
        };
        let glob = Glob::new(pattern).map_err(|error| SelectionError::Glob {
            filter: text.to_owned(),
            reason: error.kind().to_string(),
        })?;
        Ok(Self { text: text.to_owned(), subject, glob: glob.compile_matcher() })
    }

    fn matches(&self, case: &Case) -> bool {
        self.subject.of(case).is_some_and(|name| self.glob.is_match(name))
    }

    /// What may have been meant.
    fn help(&self, corpus: &Corpus) -> String {
        let (_, pattern) = self.text.split_once(':').unwrap_or(("", &self.text));
        let folder = format!("{}/", pattern.trim_end_matches('/'));
        if self.subject == Subject::Id
            && corpus.cases.iter().any(|case| case.id.starts_with(&folder))
        {
            return format!("did you mean {folder}*?");
        }
        let names: BTreeSet<&str> =
            corpus.cases.iter().filter_map(|case| self.subject.of(case)).collect();
        let stem: String = pattern.chars().filter(|char| !"*?[]{}".contains(*char)).collect();
        did_you_mean(&stem, names, "`callfit list` shows every case")
    }
}

impl Subject {
    fn of(self, case: &Case) -> Option<&str> {
        match (self, &case.expect) {
            (Self::Id, _) => Some(&case.id),
            (Self::Clause, _) => Some(&case.clause),
            (Self::Policy, Expect::Options { policy, .. }) => Some(policy),
            (Self::Policy, _) => None,
        }
    }
}

impl Shard {
    fn new(text: &str) -> Result<Self, SelectionError> {
        let parts = text.split_once('/');
        let parsed = parts.and_then(|(number, of)| {
            let (number, of) = (number.parse().ok()?, of.parse().ok()?);
            (1..=of).contains(&number).then_some(Self { number, of })
        });
        parsed.ok_or_else(|| SelectionError::Shard(text.to_owned()))
    }

    /// Every Nth case, so that each shard has cases of each kind.
    fn of<'c>(self, cases: &[&'c Case]) -> Result<Vec<&'c Case>, SelectionError> {
        let Self { number, of } = self;
        let mine: Vec<&Case> = cases.iter().skip(number - 1).step_by(of).copied().collect();
        if mine.is_empty() {
            return Err(SelectionError::EmptyShard { number, of, cases: cases.len() });
        }
        Ok(mine)
    }
}
