//! Every mutant against the fuzzer: in how many trials a campaign finds something.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use callfit::fuzz::{News, Plan, campaign};
use callfit::implementation::{Door, Settings};
use callfit_reference::Policies;

use super::list::{self, Mutant};

/// The seed of every campaign.
pub const SEED: u64 = 20_261_130;

/// What a campaign found first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct First {
    /// In which trial, counted from 1.
    pub trial: u64,
    /// What kind of fault.
    pub group: String,
}

/// What a campaign of so many trials finds first in each of the mutants.
pub fn firsts(mutants: &[Mutant], trials: u64) -> Vec<(Mutant, Option<First>)> {
    super::run::quiet_coercers();
    let next = AtomicUsize::new(0);
    let done = Mutex::new(vec![None; mutants.len()]);
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(mutant) = mutants.get(at) else { break };
                    let first = first(mutant, trials);
                    done.lock().unwrap_or_else(PoisonError::into_inner)[at] = first;
                }
            });
        }
    });
    let firsts = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    mutants.iter().copied().zip(firsts).collect()
}

fn first(mutant: &Mutant, trials: u64) -> Option<First> {
    let folder = tempfile::tempdir().expect("a folder");
    let stop = Arc::new(AtomicBool::new(false));
    let plan = Plan {
        seed: SEED,
        // Trials are what is counted.
        time: Duration::from_secs(3600),
        trials,
        grace: Duration::ZERO,
        folder: folder.path().to_owned(),
        policies: Policies::default(),
        other: None,
        is_reference: false,
        replay: Arc::new(|_| String::new()),
    };
    let settings = Settings { timeout: Duration::from_secs(60), jobs: 1, stop: Arc::clone(&stop) };
    let mut first = None;
    let watcher = |news: News<'_>| {
        if let News::Found(finding) = news {
            let group = finding.fault.group.clone();
            first.get_or_insert(First { trial: finding.trial + 1, group });
            stop.store(true, Ordering::Relaxed);
        }
    };
    let (_, end) =
        campaign(&plan, &Door::InProcess((mutant.build)()), &settings, watcher).expect("a folder");
    end.expect("a mutant runs");
    first
}

/// The mutants of the list with this name.
pub fn named(names: &[&str]) -> Vec<Mutant> {
    let mut mutants = list::all();
    mutants.retain(|mutant| names.contains(&mutant.name));
    mutants
}
