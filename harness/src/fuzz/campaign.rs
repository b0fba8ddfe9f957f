//! A campaign: trials one after the other, what they find on disk at once, and every finding made small over the same door.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::finding::{Finding, FindingError, State, named};
use super::generate;
use super::oracle::Oracle;
use super::problem::Problem;
use super::rates::{Rates, branches};
use super::shrink::Shrinker;
use super::trial::{Check, Context, Fault, Other, Scope, Trial};
use crate::implementation::{
    About, Board, CannotRun, Door, Method, Next, Reply, Request, Settings, SharedBoard, Ticket,
    drive,
};
use callfit_reference::Policies;

/// The bytes that a problem is made of.
const BYTES: usize = 1 << 10;

/// What hangs is asked again so often before a finding is called flaky.
const CONFIRMATIONS: u32 = 3;

/// After so many timeouts of one kind, most problems that may cost as much are left out.
const TIMEOUTS: u64 = 2;

/// How a campaign is conducted.
#[derive(Clone)]
pub struct Plan {
    /// Decides every problem: the same seed makes the same ones.
    pub seed: u64,
    /// How long problems are made.
    pub time: Duration,
    /// How many problems are made at most.
    pub trials: u64,
    /// How long findings are made small after that, at most.
    pub grace: Duration,
    /// Where findings are written.
    pub folder: PathBuf,
    /// The choices that the reference is compared under.
    pub policies: Policies,
    /// Another implementation to compare with.
    pub other: Option<Other>,
    /// The implementation is the reference itself.
    pub is_reference: bool,
    /// The command that tries a finding again, by its file.
    pub replay: Arc<dyn Fn(&std::path::Path) -> String + Send + Sync>,
}

/// What the watcher is told.
pub enum News<'n> {
    /// A finding of a new kind.
    Found(&'n Finding),
    /// A finding became smaller, or was done with.
    Smaller(&'n Finding),
    /// Another trial is done.
    Trial(&'n Outcome),
}

/// What a campaign came to.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// The implementation, once it said what it is.
    pub about: Option<About>,
    /// What was made.
    pub rates: Rates,
    /// How many problems were left out, because unions of that size had timed out.
    pub skipped: u64,
    /// How many questions were asked.
    pub questions: u64,
    /// One a kind, in the order they were found.
    pub findings: Vec<Finding>,
    /// The options of policies that explained answers, each with how often.
    pub policies: BTreeMap<(&'static str, &'static str), u64>,
    /// How long it took.
    pub took: Duration,
    /// What was worth telling.
    pub warnings: Vec<String>,
    /// A finding that could not be written.
    pub unwritten: Option<String>,
}

/// Runs a campaign. `watcher` is told what happens.
///
/// What was found stands on disk, also where the implementation could not be run (any further).
pub fn campaign(
    plan: &Plan,
    door: &Door,
    settings: &Settings,
    watcher: impl FnMut(News<'_>) + Send,
) -> Result<(Outcome, Result<(), CannotRun>), FindingError> {
    fs::create_dir_all(&plan.folder)
        .map_err(|source| FindingError::Io { path: plan.folder.clone(), source })?;
    let earlier = Finding::all_in(&plan.folder)?;
    let begun = Instant::now();
    let board = SharedBoard::new(Campaign {
        plan,
        begun,
        context: None,
        watcher,
        earlier: earlier.len(),
        groups: earlier.into_iter().map(|finding| (finding.fault.group, None)).collect(),
        next_trial: 0,
        running: HashMap::new(),
        next_running: 0,
        waiting: VecDeque::new(),
        out: HashMap::new(),
        next_ticket: 0,
        making_small: Vec::new(),
        alone: None,
        alone_since: begun,
        next_alone: begun,
        timeouts: 0,
        costly_from: usize::MAX,
        outcome: Outcome::default(),
    });
    let end = drive(door, settings, &board);
    let mut outcome = board.into_inner().outcome;
    outcome.took = begun.elapsed();
    // How often each was seen is known now.
    for finding in &outcome.findings {
        finding.save()?;
    }
    Ok((outcome, end))
}

struct Campaign<'p, W> {
    plan: &'p Plan,
    begun: Instant,
    context: Option<Context>,
    watcher: W,
    /// How many findings the folder held before.
    earlier: usize,
    /// The kinds that are known, with their place among the findings of this campaign.
    groups: HashMap<String, Option<usize>>,
    next_trial: u64,
    running: HashMap<u64, Running>,
    next_running: u64,
    waiting: VecDeque<(u64, Option<Check>, Request)>,
    out: HashMap<Ticket, (u64, Option<Check>)>,
    next_ticket: u64,
    /// The findings that are being made small.
    making_small: Vec<Smaller>,
    /// The trial that nothing may be out beside, since when, and when the next one may be.
    alone: Option<u64>,
    alone_since: Instant,
    next_alone: Instant,
    timeouts: u64,
    /// Problems with so many branches of unions have timed out.
    costly_from: usize,
    outcome: Outcome,
}

/// A trial on its way.
struct Running {
    trial: Trial,
    owed: usize,
    purpose: Purpose,
}

#[derive(Clone, Copy)]
enum Purpose {
    /// A new problem: the trial of this number.
    Explore(u64),
    /// A candidate for this one of the findings that are made small.
    Smaller(usize),
}

/// A finding that is being made small.
struct Smaller {
    finding: usize,
    shrinker: Shrinker,
    /// The candidate that is out.
    is_out: bool,
    stage: Stage,
    /// It ends the program, or makes it hang.
    is_risky: bool,
    done: bool,
}

#[derive(Debug, Clone, Copy)]
enum Stage {
    /// Is it seen again? So often it was not.
    Confirm(u32),
    /// Is it seen with less?
    Smaller,
    /// Is the smallest one still seen?
    ConfirmAgain,
}

impl<W: FnMut(News<'_>)> Campaign<'_, W> {
    fn explores(&self) -> bool {
        self.next_trial < self.plan.trials && self.begun.elapsed() < self.plan.time
    }

    /// The problem of a trial: of coercing, but for a quarter of them each of what else is offered.
    fn problem(&self, trial: u64, about: &About) -> Problem {
        let mut random = ChaCha8Rng::seed_from_u64(self.plan.seed);
        random.set_stream(trial);
        let mut bytes = vec![0; BYTES];
        random.fill_bytes(&mut bytes);
        let method = match trial % 8 {
            1 | 5 if about.offers(Method::Sanitize) => Method::Sanitize,
            3 | 7 if about.offers(Method::Resolve) => Method::Resolve,
            _ => Method::Coerce,
        };
        let problem = generate::problem_for(&bytes, method);
        match method {
            Method::Coerce => problem,
            Method::Resolve => generate::resolving(problem, random.next_u32()),
            Method::Sanitize => generate::sanitizing(problem),
        }
    }

    fn start(&mut self, problem: Problem, scope: Scope, purpose: Purpose) {
        let id = self.next_running;
        self.next_running += 1;
        let request = problem.request();
        let trial = Trial::new(problem, scope);
        self.running.insert(id, Running { trial, owed: 1, purpose });
        self.waiting.push_back((id, None, request));
    }

    /// Puts the next candidate of a finding on the board. Whether there was one.
    fn make_smaller(&mut self, risky: bool) -> bool {
        let is_late = self.begun.elapsed() > self.plan.time + self.plan.grace;
        for at in 0..self.making_small.len() {
            let smaller = &mut self.making_small[at];
            if smaller.is_out || smaller.done || smaller.is_risky != risky {
                continue;
            }
            if is_late {
                smaller.done = true;
                continue;
            }
            let mut candidate = match smaller.stage {
                Stage::Smaller => smaller.shrinker.next_candidate(),
                Stage::Confirm(_) | Stage::ConfirmAgain => Some(smaller.shrinker.best().clone()),
            };
            if candidate.is_none() && risky {
                // A moment of a busy machine may have passed for a timeout on the way.
                smaller.stage = Stage::ConfirmAgain;
                candidate = Some(smaller.shrinker.best().clone());
            }
            if let Some(problem) = candidate {
                smaller.is_out = true;
                let oracle = self.outcome.findings[smaller.finding].fault.asked_for;
                self.start(problem, Scope::Only(oracle), Purpose::Smaller(at));
                return true;
            }
            self.done_with(at, State::Minimal);
        }
        false
    }

    /// Puts the next candidate on the board that is likely to end the program: alone, because whatever is out beside it must be sent again. While new problems are made, no
    /// more than half of the time goes into such.
    fn make_smaller_alone(&mut self) -> Option<Next> {
        let pending = self.making_small.iter().any(|smaller| smaller.is_risky && !smaller.done);
        if !pending || self.explores() && Instant::now() < self.next_alone {
            return None;
        }
        if !self.out.is_empty() {
            return Some(Next::Wait);
        }
        if !self.make_smaller(true) {
            return None;
        }
        self.alone = self.next_running.checked_sub(1);
        self.alone_since = Instant::now();
        None
    }

    fn done_with(&mut self, at: usize, state: State) {
        self.making_small[at].done = true;
        self.outcome.findings[self.making_small[at].finding].state = state;
        self.tell_smaller(at);
    }

    fn tell_smaller(&mut self, at: usize) {
        let finding = &self.outcome.findings[self.making_small[at].finding];
        if let Err(error) = finding.save() {
            self.outcome.unwritten.get_or_insert(error.to_string());
        }
        (self.watcher)(News::Smaller(finding));
    }

    fn finish(&mut self, id: u64) {
        let Some(running) = self.running.remove(&id) else { return };
        if self.alone == Some(id) {
            self.alone = None;
            self.next_alone = Instant::now() + self.alone_since.elapsed();
        }
        match running.purpose {
            Purpose::Explore(trial) => self.explored(trial, running.trial),
            Purpose::Smaller(at) => self.made_smaller(at, running.trial),
        }
    }

    fn explored(&mut self, number: u64, trial: Trial) {
        self.outcome.rates.count(&trial);
        for choice in &trial.explained_by {
            *self.outcome.policies.entry(*choice).or_default() += 1;
        }
        if let Some(fault) = trial.fault().cloned() {
            if fault.oracle == Oracle::Timeout {
                self.timeouts += 1;
                self.costly_from = self.costly_from.min(branches(&trial.problem.schema)).max(1);
            }
            self.found(number, trial.problem, fault);
        }
        (self.watcher)(News::Trial(&self.outcome));
    }

    fn found(&mut self, number: u64, problem: Problem, fault: Fault) {
        match self.groups.get(&fault.group) {
            Some(Some(known)) => self.outcome.findings[*known].seen += 1,
            Some(None) => {}
            None => {
                let at = self.outcome.findings.len();
                let is_risky = matches!(fault.oracle, Oracle::Timeout | Oracle::Crash);
                let name = format!("{:03}.json", self.earlier + at + 1);
                let path = self.plan.folder.join(name);
                self.groups.insert(fault.group.clone(), Some(at));
                let finding = Finding {
                    replay: (self.plan.replay)(&path),
                    path,
                    fault,
                    first: problem.clone(),
                    problem: problem.clone(),
                    seed: self.plan.seed,
                    trial: number,
                    after_ms: u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX),
                    seen: 1,
                    state: State::Unfinished,
                    implementation: self.outcome.about.as_ref().map(named).unwrap_or_default(),
                };
                if let Err(error) = finding.save() {
                    self.outcome.unwritten.get_or_insert(error.to_string());
                }
                (self.watcher)(News::Found(&finding));
                self.outcome.findings.push(finding);
                self.making_small.push(Smaller {
                    finding: at,
                    shrinker: Shrinker::new(problem),
                    is_out: false,
                    stage: Stage::Confirm(1),
                    is_risky,
                    done: false,
                });
            }
        }
    }

    fn made_smaller(&mut self, at: usize, trial: Trial) {
        let smaller = &mut self.making_small[at];
        let finding = &mut self.outcome.findings[smaller.finding];
        smaller.is_out = false;
        let fault = trial.fault().filter(|fault| fault.group == finding.fault.group).cloned();
        match (fault, smaller.stage) {
            (Some(_), Stage::Confirm(_)) => smaller.stage = Stage::Smaller,
            (None, Stage::Confirm(times)) if times < CONFIRMATIONS => {
                smaller.stage = Stage::Confirm(times + 1);
            }
            (Some(_), Stage::ConfirmAgain) => self.done_with(at, State::Minimal),
            (None, Stage::Confirm(_) | Stage::ConfirmAgain) => self.done_with(at, State::Flaky),
            (Some(fault), Stage::Smaller) => {
                finding.fault = fault;
                finding.problem = trial.problem.clone();
                smaller.shrinker.accept(trial.problem);
                self.tell_smaller(at);
            }
            (None, Stage::Smaller) => {}
        }
    }
}

impl<W: FnMut(News<'_>) + Send> Board for Campaign<'_, W> {
    fn about(&mut self, about: &About) {
        self.outcome.about = Some(about.clone());
        self.context = Some(Context {
            about: about.clone(),
            policies: self.plan.policies.clone(),
            other: self.plan.other.clone(),
            is_reference: self.plan.is_reference,
        });
    }

    fn next(&mut self) -> Next {
        loop {
            if self.alone.is_some() && self.waiting.is_empty() {
                return Next::Wait;
            }
            if let Some((id, check, request)) = self.waiting.pop_front() {
                let ticket = Ticket(self.next_ticket);
                self.next_ticket += 1;
                self.outcome.questions += 1;
                self.out.insert(ticket, (id, check));
                return Next::Send(ticket, request);
            }
            if self.make_smaller(false) {
                continue;
            }
            if let Some(wait) = self.make_smaller_alone() {
                return wait;
            }
            if self.alone.is_some() {
                continue;
            }
            let Some(about) = self.outcome.about.clone().filter(|_| self.explores()) else {
                return if self.out.is_empty() { Next::Done } else { Next::Wait };
            };
            let number = self.next_trial;
            self.next_trial += 1;
            let problem = self.problem(number, &about);
            if self.timeouts >= TIMEOUTS
                && branches(&problem.schema) >= self.costly_from
                && !number.is_multiple_of(64)
            {
                self.outcome.skipped += 1;
                continue;
            }
            self.start(problem, Scope::Turn(number), Purpose::Explore(number));
        }
    }

    fn settle(&mut self, ticket: Ticket, reply: Reply) {
        let Some((id, check)) = self.out.remove(&ticket) else { return };
        let Some(context) = &self.context else { return };
        let Some(running) = self.running.get_mut(&id) else { return };
        running.owed -= 1;
        match check {
            None => {
                let questions = running.trial.settle(context, reply.answer);
                running.owed += questions.len();
                let questions = questions.into_iter();
                self.waiting.extend(questions.map(|(check, request)| (id, Some(check), request)));
            }
            Some(check) => running.trial.settle_check(context, &check, reply.answer),
        }
        if running.owed == 0 {
            self.finish(id);
        }
    }

    fn late_fault(&mut self, _: Ticket, message: String) {
        self.warn(message);
    }

    fn warn(&mut self, message: String) {
        if !self.outcome.warnings.contains(&message) {
            self.outcome.warnings.push(message);
        }
    }
}

/// Tries a problem by every oracle, one question after the other. `ask` puts one to the implementation.
pub fn try_out(
    problem: Problem,
    scope: Scope,
    context: &Context,
    mut ask: impl FnMut(Request) -> crate::implementation::Answer,
) -> Trial {
    let request = problem.request();
    let mut trial = Trial::new(problem, scope);
    for (check, request) in trial.settle(context, ask(request)) {
        if trial.fault().is_some() {
            break;
        }
        trial.settle_check(context, &check, ask(request));
    }
    trial
}

/// Another implementation, asked one question at a time: to be compared with.
pub fn other(asker: crate::implementation::Asker) -> Other {
    let asker = Mutex::new(asker);
    Arc::new(move |problem| {
        let asker = asker.lock().unwrap_or_else(PoisonError::into_inner);
        let gone =
            || crate::implementation::Answer::Error("it cannot be run any further".to_owned());
        asker.ask(problem.request()).map_or_else(gone, |reply| reply.answer)
    })
}
