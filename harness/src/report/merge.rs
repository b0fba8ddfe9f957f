//! The shards of one run put together: the record that the run would have made on one machine.

use std::collections::{BTreeSet, HashMap};

use super::escape;
use crate::case::{Case, Corpus, Problem, Selection, SelectionError};
use crate::run::{CaseRecord, Chosen, CorpusLabel, Expectations, Record};

/// Names are cut here.
const MOST: usize = 200;

/// Why records are not the shards of one run.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// Two of them are of different runs.
    #[error(
        "{one} and {other} differ in {what}: {values}; merge takes the shards of one run, all with the same options"
    )]
    Different {
        /// What they differ in.
        what: &'static str,
        /// One of them.
        one: String,
        /// The other.
        other: String,
        /// What each has, if that can be told in a line.
        values: String,
    },
    /// One did not reach its end.
    #[error("{shard} was cut short ({reason}); run that shard again")]
    CutShort {
        /// Which.
        shard: String,
        /// Why.
        reason: String,
    },
    /// The cases are not those of this corpus.
    #[error(
        "{shard} was made with other cases than these of corpus {corpus}; use the callfit that made it, with the same `--cases`"
    )]
    OtherCorpus {
        /// Which.
        shard: String,
        /// The version of the corpus that there is.
        corpus: String,
    },
    /// Two of them have the same cases.
    #[error("{one} and {other} both have {cases}; give each shard once")]
    Overlap {
        /// One of them.
        one: String,
        /// The other.
        other: String,
        /// What both have.
        cases: String,
    },
    /// Cases that the run was to take are in none of them.
    #[error("no file has {cases}; {mend}")]
    Gap {
        /// What is missing.
        cases: String,
        /// What to do about it.
        mend: String,
    },
    /// They were chosen as nothing can be.
    #[error(transparent)]
    Selection(#[from] SelectionError),
    /// The expectation file that a record holds is none.
    #[error("the expectation file in the reports has mistakes; run the shards again")]
    Expectations(Vec<Problem>),
}

/// Puts shards together, each given with what it is called in messages: its file.
///
/// Times are those of all together: the run began with the first of them, and took as long as their sum.
///
/// # Errors
///
/// They overlap, leave a gap, were cut short, or are not shards of one run over this corpus.
pub fn merge(shards: Vec<(String, Record)>, corpus: &Corpus) -> Result<Record, MergeError> {
    for pair in shards.windows(2) {
        same_run(&pair[0], &pair[1])?;
    }
    for (name, record) in &shards {
        is_whole(name, record, corpus)?;
    }
    no_overlap(&shards)?;
    let chosen = shards.first().map(|(_, record)| record.chosen.clone()).unwrap_or_default();
    let chosen = Chosen { shard: None, ..chosen };
    let all = Selection::new(&chosen.filters, &chosen.excludes, None)?.select(corpus)?;
    no_gap(&shards, &all)?;

    let mut records = shards.into_iter().map(|(_, record)| record);
    let Some(mut merged) = records.next() else { return Err(gap(&[], &all)) };
    for mut record in records {
        merged.cases.append(&mut record.cases);
        merged.duration += record.duration;
        // The same form of the same time zone, so the order of the texts is that of the times.
        merged.started = merged.started.min(record.started);
        for warning in record.warnings {
            if !merged.warnings.contains(&warning) {
                merged.warnings.push(warning);
            }
        }
    }
    let turns: HashMap<&str, usize> =
        all.iter().enumerate().map(|(turn, case)| (case.id.as_str(), turn)).collect();
    merged.cases.sort_by_key(|case| turns.get(case.id.as_str()).copied());
    merged.corpus = CorpusLabel { version: corpus.version.clone(), digest: Corpus::digest(all) };
    merged.chosen = chosen;
    expect_again(&mut merged, corpus)?;
    Ok(merged)
}

/// Whether two records may be of one run.
fn same_run(one: &(String, Record), other: &(String, Record)) -> Result<(), MergeError> {
    let ((one, a), (other, b)) = (one, other);
    let about = |record: &Record| {
        let about = &record.implementation;
        let version = about.version.as_deref().unwrap_or("(no version)");
        escape::line(&format!("{} {version}", about.name), MOST)
    };
    let globs = |record: &Record| {
        let Chosen { filters, excludes, .. } = &record.chosen;
        format!("--filter {filters:?} --exclude {excludes:?}")
    };
    let of = |record: &Record| {
        let shard = record.chosen.shard.as_deref();
        shard.and_then(|shard| Some(shard.split_once('/')?.1.to_owned())).unwrap_or_default()
    };
    let file = |record: &Record| match &record.expectations {
        Some(expectations) => expectations.file.clone(),
        None => "none".to_owned(),
    };
    let level = |record: &Record| if record.strict { "strict" } else { "not strict" }.to_owned();
    let command = |record: &Record| escape::line(&record.command.join(" "), MOST);
    let checks = [
        ("the implementation", a.implementation == b.implementation, about(a), about(b)),
        ("its command", a.command == b.command, command(a), command(b)),
        (
            "the version of callfit",
            a.harness_version == b.harness_version,
            a.harness_version.clone(),
            b.harness_version.clone(),
        ),
        (
            "the corpus",
            a.corpus.version == b.corpus.version,
            a.corpus.version.clone(),
            b.corpus.version.clone(),
        ),
        ("the cases that were chosen", globs(a) == globs(b), globs(a), globs(b)),
        ("the number of shards", of(a) == of(b), of(a), of(b)),
        ("--strict", a.strict == b.strict, level(a), level(b)),
        ("the expectation file", a.expectations == b.expectations, file(a), file(b)),
    ];
    for (what, is_same, a, b) in checks {
        if !is_same {
            let values = format!("{a} and {b}");
            let (one, other) = (one.clone(), other.clone());
            return Err(MergeError::Different { what, one, other, values });
        }
    }
    Ok(())
}

/// Whether a record came to its end, and is of cases of this corpus.
fn is_whole(name: &str, record: &Record, corpus: &Corpus) -> Result<(), MergeError> {
    if let Some(why) = &record.cut_short {
        let reason = escape::line(why, MOST);
        return Err(MergeError::CutShort { shard: name.to_owned(), reason });
    }
    let cases = record.cases.iter().map(|case| corpus.case(&case.id));
    let cases: Option<Vec<&Case>> = cases.collect();
    let digest = cases.map(Corpus::digest);
    if record.corpus.version != corpus.version || digest.as_ref() != Some(&record.corpus.digest) {
        return Err(MergeError::OtherCorpus {
            shard: name.to_owned(),
            corpus: corpus.version.clone(),
        });
    }
    Ok(())
}

fn no_overlap(shards: &[(String, Record)]) -> Result<(), MergeError> {
    let mut taken: HashMap<&str, &str> = HashMap::new();
    for (name, record) in shards {
        let before = record.cases.iter().find_map(|case| taken.get(case.id.as_str()).copied());
        if let Some(one) = before {
            let is_theirs = |case: &&CaseRecord| taken.get(case.id.as_str()) == Some(&one);
            let both: Vec<&str> =
                record.cases.iter().filter(is_theirs).map(|case| case.id.as_str()).collect();
            let (one, other) = (one.to_owned(), name.clone());
            return Err(MergeError::Overlap { one, other, cases: told(&both) });
        }
        taken.extend(record.cases.iter().map(|case| (case.id.as_str(), name.as_str())));
    }
    Ok(())
}

fn no_gap(shards: &[(String, Record)], all: &[&Case]) -> Result<(), MergeError> {
    let judged: BTreeSet<&str> =
        shards.iter().flat_map(|(_, record)| &record.cases).map(|case| case.id.as_str()).collect();
    let missing: Vec<&Case> =
        all.iter().filter(|case| !judged.contains(case.id.as_str())).copied().collect();
    if missing.is_empty() { Ok(()) } else { Err(gap(shards, &missing)) }
}

fn gap(shards: &[(String, Record)], missing: &[&Case]) -> MergeError {
    let ids: Vec<&str> = missing.iter().map(|case| case.id.as_str()).collect();
    let given: BTreeSet<&str> =
        shards.iter().filter_map(|(_, record)| record.chosen.shard.as_deref()).collect();
    let of = given.first().and_then(|shard| shard.split_once('/')?.1.parse::<usize>().ok());
    let absent: Vec<String> = (1..=of.unwrap_or(0))
        .map(|number| format!("{number}/{}", of.unwrap_or(0)))
        .filter(|shard| !given.contains(shard.as_str()))
        .collect();
    let mend = match absent.as_slice() {
        [] => "run all of it again".to_owned(),
        [one] => format!("give the file of shard {one} too"),
        several => format!("give the files of the shards {} too", several.join(", ")),
    };
    MergeError::Gap { cases: told(&ids), mend }
}

/// `coerce/integer/plain and 3 more cases`.
fn told(ids: &[&str]) -> String {
    match ids {
        [] => "no case".to_owned(),
        [only] => (*only).to_owned(),
        [first, second] => format!("{first} and {second}"),
        [first, rest @ ..] => format!("{first} and {} more cases", rest.len()),
    }
}

/// Compares with the expectation file once more: only all shards together show which of its entries are stale.
fn expect_again(merged: &mut Record, corpus: &Corpus) -> Result<(), MergeError> {
    if let Some(file) = merged.expectations.clone() {
        let expectations = Expectations::parse(file.file, &file.text);
        expectations.map_err(MergeError::Expectations)?.apply(merged, corpus);
    }
    Ok(())
}
