//! The cases of a run as a board: each case's requests, and the law's requests that an answer brings.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use callfit_reference::json::{Value, parse};
use callfit_reference::{Coercer, Names, Policies};

use super::canary::Canary;
use super::record::{CaseRecord, LONGEST, LawBreach, Verdict};
use crate::case::{Area, Case, Corpus, Expect};
use crate::implementation::{
    About, Answer, Board, Method, Next, RESTORE_KEYS, Reply, Request, Ticket,
};
use crate::judge::{self, Judgement, Validity, shortened};

/// The method or feature that a case needs and this implementation does not offer, in words.
pub fn unsupported(case: &Case, about: &About) -> Option<String> {
    let method = method(case.area);
    if !about.offers(method) {
        Some(format!("the method {method} is not offered"))
    } else if case.area == Area::Restore && !about.restores_keys() {
        Some(format!("the feature {RESTORE_KEYS} is not offered"))
    } else {
        None
    }
}

/// What an implementation is asked in a case. The arguments of a round trip are sent under these names.
pub fn request(case: &Case, names: &Names) -> Request {
    let schema = case.schema.text().to_owned();
    let subject = case.subject.as_ref().map(|subject| subject.text().to_owned());
    let subject = match subject {
        Some(subject) if case.round_trip => {
            let renamed = parse(&schema).and_then(|schema| {
                let coercer = Coercer::with_names(&schema, Policies::default(), names);
                Ok(coercer.provide(parse(&subject)?).to_string())
            });
            Some(renamed.unwrap_or(subject))
        }
        subject => subject,
    };
    Request { method: method(case.area), schema, subject }
}

fn method(area: Area) -> Method {
    match area {
        Area::Resolve => Method::Resolve,
        Area::Sanitize => Method::Sanitize,
        Area::Coerce | Area::Restore => Method::Coerce,
    }
}

/// What a request of a case is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// The case itself.
    Case,
    /// What names a round trip is to be sent under.
    Names,
    /// Law *stateless*: the same again.
    Again,
    /// Law *idempotent*: the answer again.
    SecondPass,
    /// Law *transparent*: without references.
    Inlined,
}

/// A case on its way.
struct Job<'c> {
    case: &'c Case,
    /// Run only because a selected case is its twin's.
    hidden: bool,
    /// Requests of this case that are out or waiting.
    owed: usize,
    judgement: Option<Judgement>,
    answer: Option<Value>,
    laws: Vec<LawBreach>,
    late_fault: Option<String>,
    stderr: String,
    took: Duration,
    /// Whether the progress of the run counts it already.
    told: bool,
    /// Whether its schema leads to this machine.
    is_watched: bool,
    /// The requests of it that were sent, if it is watched.
    sent: Vec<Ticket>,
}

/// Cases, on a board.
pub struct CaseBoard<'c> {
    jobs: Vec<Job<'c>>,
    next_job: usize,
    waiting: VecDeque<(usize, Purpose, Request)>,
    out: HashMap<Ticket, (usize, Purpose)>,
    /// Tickets whose reply came: a late fault still finds its case.
    settled: Vec<usize>,
    about: Option<About>,
    /// Who listens for what may not be fetched, if a case leads there.
    canary: Option<Canary>,
    warnings: Vec<String>,
    rerun: Box<dyn Fn(&str) -> String + Send + 'c>,
    progress: Box<dyn FnMut(&CaseRecord) + Send + 'c>,
}

impl<'c> CaseBoard<'c> {
    /// A board of the selected cases. Twins that are not selected are run too, but not told.
    pub fn new(
        corpus: &'c Corpus,
        selected: &[&'c Case],
        rerun: impl Fn(&str) -> String + Send + 'c,
        progress: impl FnMut(&CaseRecord) + Send + 'c,
    ) -> Self {
        let mut jobs: Vec<Job<'c>> = selected.iter().map(|case| Job::new(case, false)).collect();
        let mut at = 0;
        while at < jobs.len() {
            let twin = jobs[at].case.same_as.as_deref().and_then(|id| corpus.case(id));
            if let Some(twin) = twin.filter(|twin| !jobs.iter().any(|job| job.case.id == twin.id)) {
                jobs.push(Job::new(twin, true));
            }
            at += 1;
        }
        let mut warnings = Vec::new();
        let canary =
            jobs.iter().any(|job| job.is_watched).then(Canary::listen).and_then(|canary| {
                let warn = |error| {
                    warnings.push(format!(
                        "nobody listens for what may not be fetched (law silent): {error}"
                    ));
                };
                canary.map_err(warn).ok()
            });
        Self {
            jobs,
            next_job: 0,
            waiting: VecDeque::new(),
            out: HashMap::new(),
            settled: Vec::new(),
            about: None,
            canary,
            warnings,
            rerun: Box::new(rerun),
            progress: Box::new(progress),
        }
    }

    /// What the implementation said of itself, if it came so far.
    pub fn implementation(&self) -> Option<&About> {
        self.about.as_ref()
    }

    /// What was worth telling.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The records of the cases that were judged, in order. Choices are compared with the twins' now.
    pub fn records(&self) -> Vec<CaseRecord> {
        let options: HashMap<&str, &str> = self
            .jobs
            .iter()
            .filter_map(|job| {
                Some((job.case.id.as_str(), job.judgement.as_ref()?.option.as_deref()?))
            })
            .collect();
        let judged = self.jobs.iter().filter(|job| !job.hidden && job.owed == 0);
        judged.filter_map(|job| job.record(&options, self.canary.as_ref(), &self.rerun)).collect()
    }

    /// How many selected cases have not been judged.
    pub fn left(&self) -> usize {
        self.jobs
            .iter()
            .filter(|job| !job.hidden && (job.judgement.is_none() || job.owed > 0))
            .count()
    }

    fn push(&mut self, job: usize, purpose: Purpose, request: Request) {
        self.jobs[job].owed += 1;
        self.waiting.push_back((job, purpose, request));
    }

    /// Puts the first request of a case on the board, or judges it unsupported.
    fn begin(&mut self, job: usize) {
        let case = self.jobs[job].case;
        let about = self.about.clone().unwrap_or_else(|| About::named("unknown"));
        if let Some(missing) = unsupported(case, &about) {
            self.jobs[job].judgement = Some(Judgement::because(Verdict::Unsupported, missing));
            self.tell(job);
        } else if !case.round_trip {
            self.push(job, Purpose::Case, request(case, &Names::default()));
        } else if about.offers(Method::Sanitize) {
            let schema = case.schema.text().to_owned();
            let request = Request { method: Method::Sanitize, schema, subject: None };
            self.push(job, Purpose::Names, request);
        } else {
            let names = parse(case.schema.text())
                .map(|schema| Names::of(&schema, &Policies::default()))
                .unwrap_or_default();
            self.push(job, Purpose::Case, request(case, &names));
        }
    }

    fn settle_case(&mut self, id: usize, answer: Answer) {
        let job = &mut self.jobs[id];
        let case = job.case;
        let mut judgement = judge::judge(case, &answer);
        let Answer::Value(value) = answer else {
            job.judgement = Some(judgement);
            return;
        };
        if case.area == Area::Sanitize && judgement.verdict == Some(Verdict::Fail) {
            judgement = judge_sanitized(case, &value, judgement);
        }
        let sent = case.subject.as_ref().and_then(|subject| parse(subject.text()).ok());
        if let (Area::Coerce, Some(sent)) = (case.area, &sent)
            && matches!(case.expect, Expect::Values(_))
        {
            job.laws.extend(judge::breaches(sent, &value, false));
            if judgement.verdict.is_some() {
                let validity = Validity::of(case);
                if validity.of_text(&sent.to_string()) == Some(true)
                    && validity.of_text(&value.to_string()) == Some(false)
                {
                    let message = "the arguments were valid, and are not any more".to_owned();
                    job.laws.push(LawBreach { law: "valid-stays".to_owned(), message });
                }
            }
        }
        job.judgement = Some(judgement);
        let subject = value.to_string();
        job.answer = Some(value);
        self.send_laws(id, subject);
    }

    /// Sends what the laws want to know of a case that was answered.
    fn send_laws(&mut self, id: usize, answer: String) {
        let case = self.jobs[id].case;
        let schema = case.schema.text().to_owned();
        let subject = case.subject.as_ref().map(|subject| subject.text().to_owned());
        match case.area {
            Area::Resolve => {}
            Area::Sanitize => {
                let request = Request { method: Method::Sanitize, schema: answer, subject: None };
                self.push(id, Purpose::SecondPass, request);
            }
            Area::Restore if case.round_trip => {}
            Area::Coerce | Area::Restore => {
                if !case.schema.is_recipe()
                    && case.area == Area::Coerce
                    && let Some(inlined) =
                        parse(&schema).ok().and_then(|schema| judge::inlined(&schema))
                {
                    let request = Request {
                        method: Method::Coerce,
                        schema: inlined.to_string(),
                        subject: subject.clone(),
                    };
                    self.push(id, Purpose::Inlined, request);
                }
                let again = Request { method: Method::Coerce, schema: schema.clone(), subject };
                self.push(id, Purpose::Again, again);
                let second = Request { method: Method::Coerce, schema, subject: Some(answer) };
                self.push(id, Purpose::SecondPass, second);
            }
        }
    }

    fn settle_law(&mut self, id: usize, purpose: Purpose, answer: &Answer) {
        let job = &mut self.jobs[id];
        let Some(first) = &job.answer else { return };
        let (law, when) = match purpose {
            Purpose::Again => ("stateless", "the same request a second time"),
            Purpose::SecondPass if job.case.area == Area::Sanitize => {
                ("names-again", "sanitizing again")
            }
            Purpose::SecondPass => ("idempotent", "coercing the answer again"),
            Purpose::Inlined => ("transparent", "without references"),
            Purpose::Case | Purpose::Names => return,
        };
        let message = match answer {
            Answer::Value(value) if value == first => return,
            Answer::Value(value) => {
                let found = judge::differences(first, value);
                let Some(difference) = found.first() else { return };
                let at = if difference.pointer.is_empty() {
                    "the whole"
                } else {
                    difference.pointer.as_str()
                };
                format!("{when}: {at} was {} and is {}", difference.expected, difference.actual)
            }
            // Arguments that are wrong by their schema may be refused once they are converted.
            Answer::Refused(_) if purpose == Purpose::SecondPass => return,
            Answer::Refused(message) => format!("{when}: refused, {message}"),
            Answer::Unsupported(message) | Answer::Error(message) => {
                format!("{when}: error, {message}")
            }
            Answer::Crash(how) => format!("{when}: crash, {how}"),
            Answer::Timeout(after) => format!("{when}: no answer within {} s", after.as_secs_f64()),
        };
        job.laws.push(LawBreach { law: law.to_owned(), message });
    }

    /// Tells the progress of the run about a case, once it owes nothing.
    fn tell(&mut self, id: usize) {
        let job = &mut self.jobs[id];
        if job.owed > 0 || job.told || job.hidden {
            return;
        }
        job.told = true;
        let canary = self.canary.as_ref();
        if let Some(record) = job.record(&HashMap::new(), canary, &self.rerun) {
            (self.progress)(&record);
        }
    }
}

/// Judges a sanitized schema that is not the reference's by the properties that SPEC asks for.
fn judge_sanitized(case: &Case, value: &Value, unlike: Judgement) -> Judgement {
    let Ok(original) = parse(case.schema.text()) else { return unlike };
    let faults = match judge::names_given(&original, value) {
        Ok(names) => judge::meeting_fault(&original, &names).into_iter().collect(),
        Err(faults) => faults,
    };
    if faults.is_empty() {
        return Judgement::pass();
    }
    let told: Vec<String> =
        faults.iter().take(5).map(|fault| format!("{}: {}", fault.clause, fault.message)).collect();
    Judgement { message: Some(told.join("; ")), ..unlike }
}

impl Board for CaseBoard<'_> {
    fn about(&mut self, about: &About) {
        self.about = Some(about.clone());
    }

    fn next(&mut self) -> Next {
        loop {
            if let Some((job, purpose, request)) = self.waiting.pop_front() {
                let ticket = Ticket(self.settled.len() as u64);
                self.settled.push(job);
                self.out.insert(ticket, (job, purpose));
                let job = &mut self.jobs[job];
                if let Some(canary) = self.canary.as_ref().filter(|_| job.is_watched) {
                    job.sent.push(ticket);
                    return Next::Send(ticket, canary.sent(ticket, &request));
                }
                return Next::Send(ticket, request);
            }
            if self.next_job < self.jobs.len() {
                self.begin(self.next_job);
                self.next_job += 1;
                continue;
            }
            return if self.out.is_empty() { Next::Done } else { Next::Wait };
        }
    }

    fn settle(&mut self, ticket: Ticket, mut reply: Reply) {
        let Some((id, purpose)) = self.out.remove(&ticket) else { return };
        let job = &mut self.jobs[id];
        if let Some(canary) = self.canary.as_ref().filter(|_| job.is_watched) {
            reply.answer = canary.meant(ticket, reply.answer);
        }
        job.owed -= 1;
        job.stderr.push_str(&reply.stderr);
        match purpose {
            Purpose::Case => {
                job.took = reply.took;
                self.settle_case(id, reply.answer);
            }
            Purpose::Names => {
                let case = job.case;
                let original = parse(case.schema.text());
                match (reply.answer, original) {
                    (Answer::Value(sanitized), Ok(original)) => {
                        match judge::names_given(&original, &sanitized) {
                            Ok(names) => self.push(id, Purpose::Case, request(case, &names)),
                            Err(faults) => {
                                let fault =
                                    faults.first().map_or("", |fault| fault.message.as_str());
                                let message = format!(
                                    "the schema that sanitize gave cannot be used: {fault}"
                                );
                                job.judgement = Some(Judgement::because(Verdict::Fail, message));
                            }
                        }
                    }
                    (answer, _) => job.judgement = Some(judge::judge(job.case, &answer)),
                }
            }
            _ => self.settle_law(id, purpose, &reply.answer),
        }
        self.tell(id);
    }

    fn late_fault(&mut self, ticket: Ticket, message: String) {
        let job = usize::try_from(ticket.0).ok().and_then(|ticket| self.settled.get(ticket));
        if let Some(job) = job.and_then(|job| self.jobs.get_mut(*job)) {
            job.late_fault.get_or_insert(message);
        }
    }

    fn warn(&mut self, message: String) {
        self.warnings.push(message);
    }
}

impl<'c> Job<'c> {
    fn new(case: &'c Case, hidden: bool) -> Self {
        Self {
            case,
            hidden,
            owed: 0,
            judgement: None,
            answer: None,
            laws: Vec::new(),
            late_fault: None,
            stderr: String::new(),
            took: Duration::ZERO,
            told: false,
            is_watched: !case.schema.is_recipe() && Canary::is_named_in(case.schema.text()),
            sent: Vec::new(),
        }
    }

    /// The laws that were found broken, the silent one too.
    fn laws(&self, canary: Option<&Canary>) -> Vec<LawBreach> {
        let mut laws = self.laws.clone();
        if let Some(canary) = canary {
            let mut fetched: Vec<String> =
                self.sent.iter().flat_map(|ticket| canary.fetched(*ticket)).collect();
            fetched.sort();
            fetched.dedup();
            laws.extend(fetched.into_iter().map(|address| LawBreach {
                law: "silent".to_owned(),
                message: format!("{address} was fetched"),
            }));
        }
        laws
    }

    fn record(
        &self,
        options: &HashMap<&str, &str>,
        canary: Option<&Canary>,
        rerun: &dyn Fn(&str) -> String,
    ) -> Option<CaseRecord> {
        let case = self.case;
        let judgement = self.judgement.as_ref()?;
        let mut verdict = judgement.verdict.unwrap_or(Verdict::Pass);
        let mut message = judgement.message.clone();
        let mut option = judgement.option.clone();
        if let (Some(chosen), Some(twin)) = (&option, &case.same_as)
            && let Some(other) = options.get(twin.as_str()).filter(|other| *other != chosen)
        {
            verdict = Verdict::Fail;
            message = Some(format!("chose {chosen} here, but {other} at its twin {twin}"));
            option = None;
        }
        let laws = self.laws(canary);
        if verdict == Verdict::Pass && !laws.is_empty() {
            verdict = Verdict::Fail;
        }
        if let Some(fault) = &self.late_fault {
            verdict = Verdict::Error;
            message = Some(fault.clone());
        }
        Some(CaseRecord {
            option,
            verdict,
            laws,
            message,
            actual: self.answer.as_ref().map(|answer| shortened(&answer.to_string(), LONGEST)),
            differences: judgement.differences.clone(),
            stderr: self.stderr.clone(),
            took: self.took,
            ..CaseRecord::of(case, rerun(&case.id))
        })
    }
}
