//! One trial: a problem is asked, its answer judged by every oracle, and further questions asked for those that need them.

use std::sync::Arc;

use callfit_reference::json::Value;
use callfit_reference::{Coercer, Names, Policies, resolve};

use super::explain::{Under, alternatives, explanation};
use super::obvious;
use super::oracle::Oracle;
use super::problem::Problem;
use super::signature;
use super::tree;
use super::variant::{PAIRS, Variant};
use crate::implementation::{About, Answer, Method, Request};
use crate::judge::{self, Validity};

/// What the oracles know of the implementation.
#[derive(Clone)]
pub struct Context {
    /// What it says of itself.
    pub about: About,
    /// The choices that the reference is compared under.
    pub policies: Policies,
    /// Answers in the reference's place, if another implementation is compared with.
    pub other: Option<Other>,
    /// The implementation is the reference itself: only independent oracles can find anything.
    pub is_reference: bool,
}

impl Context {
    /// What the reference answers; with names restored, if the implementation restores them.
    fn reference(&self, schema: &Value, arguments: &Value, policies: &Policies) -> Option<Under> {
        let policies = policies.clone();
        let coercer = if self.about.restores_keys() {
            Coercer::restoring(schema, policies)
        } else {
            Coercer::with_policies(schema, policies)
        };
        under(&coercer, arguments)
    }
}

fn under(coercer: &Coercer, arguments: &Value) -> Option<Under> {
    let answer = coercer.coerce(arguments.clone()).ok()?;
    Some(Under::new(answer, coercer.policies()))
}

/// Another implementation to compare with.
pub type Other = Arc<dyn Fn(&Problem) -> Answer + Send + Sync>;

/// What an oracle found.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    /// Which oracle.
    pub oracle: Oracle,
    /// What went wrong and where, the same for faults of one kind.
    pub group: String,
    /// What went wrong, in a line.
    pub message: String,
    /// Which oracle's question it was that went wrong: a later one than the first may crash or hang too.
    pub asked_for: Oracle,
    /// What the answer should have been, where that is known.
    pub expected: Option<Value>,
    /// What it was.
    pub actual: Option<Value>,
}

impl Fault {
    /// A fault of a kind that the oracle and `what` tell.
    fn new(oracle: Oracle, what: &str, message: String) -> Self {
        let group = if what.is_empty() {
            oracle.name().to_owned()
        } else {
            format!("{}: {what}", oracle.name())
        };
        Self { oracle, group, message, asked_for: oracle, expected: None, actual: None }
    }

    fn expected(self, value: &Value) -> Self {
        Self { expected: Some(value.clone()), ..self }
    }

    fn actual(self, value: &Value) -> Self {
        Self { actual: Some(value.clone()), ..self }
    }
}

/// Which oracles are tried.
#[derive(Debug, Clone, Copy)]
pub enum Scope {
    /// The first answer's, the answer again's, and in turn one of the pairs.
    Turn(u64),
    /// What this one needs.
    Only(Oracle),
}

impl Scope {
    /// Whether an oracle is tried whose turn comes once in so many trials.
    fn wants(self, oracle: Oracle, one_in: u64, offset: u64) -> bool {
        match self {
            Self::Only(only) => only == oracle,
            Self::Turn(turn) => turn % one_in == offset,
        }
    }
}

/// What a further question is for.
#[derive(Debug, Clone)]
pub enum Check {
    /// The same again.
    Again,
    /// The answer as arguments.
    SecondPass,
    /// A pair.
    Pair(Box<Variant>),
    /// The arguments under the names that a sanitized schema gives.
    Restored(Box<(Names, Value)>),
}

/// A problem on its way.
pub struct Trial {
    /// What is asked.
    pub problem: Problem,
    scope: Scope,
    answer: Option<Value>,
    /// The names that a sanitized schema gives, and the arguments under them.
    renamed: Option<(Names, Value)>,
    fault: Option<Fault>,
    /// What the answer needed to be explained.
    pub explained_by: Vec<(&'static str, &'static str)>,
}

impl Trial {
    /// A problem to be asked.
    pub fn new(problem: Problem, scope: Scope) -> Self {
        Self { problem, scope, answer: None, renamed: None, fault: None, explained_by: Vec::new() }
    }

    /// What was found: the first fault.
    pub fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }

    /// The answer, once there is one that no oracle objects to.
    pub fn answer(&self) -> Option<&Value> {
        self.answer.as_ref()
    }

    /// Judges the answer to the problem itself; gives what is to be asked next.
    pub fn settle(&mut self, context: &Context, answer: Answer) -> Vec<(Check, Request)> {
        let value = match survived(answer) {
            Ok(Survived::Value(value)) => value,
            Ok(Survived::Refused(message)) => {
                self.fault = self.refused(context, &message);
                return Vec::new();
            }
            Ok(Survived::Unsupported) => return Vec::new(),
            Err(fault) => {
                self.fault = Some(*fault);
                return Vec::new();
            }
        };
        self.fault = match self.problem.method {
            Method::Coerce => self.coerced(context, &value),
            Method::Resolve => self.resolved(context, &value),
            Method::Sanitize => self.sanitized(&value),
        };
        if self.fault.is_some() {
            return Vec::new();
        }
        self.answer = Some(value);
        self.questions(context)
    }

    /// Judges the answer to a further question.
    pub fn settle_check(&mut self, context: &Context, check: &Check, answer: Answer) {
        let Some(first) = self.answer.as_ref().filter(|_| self.fault.is_none()) else { return };
        let (oracle, when) = match check {
            Check::Again => (Oracle::Stateless, "the same request a second time"),
            Check::SecondPass if self.problem.method == Method::Sanitize => {
                (Oracle::SanitizedAgain, "sanitizing again")
            }
            Check::SecondPass => (Oracle::Idempotent, "coercing the answer again"),
            Check::Pair(variant) => (variant.oracle, "asked in another way"),
            Check::Restored(_) => (Oracle::RoundTrip, "under the new names"),
        };
        let value = match survived(answer) {
            Ok(Survived::Value(value)) => value,
            // Arguments that are wrong by their schema may be refused once they are converted.
            Ok(Survived::Refused(_)) if matches!(check, Check::SecondPass) => return,
            Ok(Survived::Refused(message)) => {
                let message = format!("{when}: refused, {message}");
                self.fault = Some(Fault::new(oracle, "refused", message).expected(first));
                return;
            }
            Ok(Survived::Unsupported) => return,
            Err(mut fault) => {
                fault.asked_for = oracle;
                fault.message = format!("{when}: {}", fault.message);
                self.fault = Some(*fault);
                return;
            }
        };
        let value = match check {
            Check::Pair(variant) => variant.undone(&value),
            _ => Some(value),
        };
        let expected = match check {
            Check::Restored(_) => &self.problem.subject,
            Check::Pair(variant) => variant.expected(&self.problem.subject, first),
            Check::Again | Check::SecondPass => first,
        };
        if value.as_ref() == Some(expected) {
            return;
        }
        let value = value.unwrap_or_default();
        if let Check::Restored(renamed) = check {
            let (names, provided) = &**renamed;
            let explained = explanation(&value, &context.policies, |policies| {
                let coercer = Coercer::with_names(&self.problem.schema, policies.clone(), names);
                under(&coercer, provided)
            });
            if explained.is_some() {
                return;
            }
        }
        let sent = &self.problem.subject;
        let what = signature::of_pair(sent, expected, &value);
        let place = judge::differences(expected, &value).into_iter().next();
        let told = place.map_or_else(String::new, |place| {
            format!("{} was {} and is {}", spelled(&place.pointer), place.expected, place.actual)
        });
        let fault = Fault::new(oracle, &what, format!("{when}: {told}"));
        self.fault = Some(fault.expected(expected).actual(&value));
    }

    /// The further questions that the oracles in scope have.
    fn questions(&self, context: &Context) -> Vec<(Check, Request)> {
        let Some(answer) = &self.answer else { return Vec::new() };
        let problem = &self.problem;
        let mut questions = Vec::new();
        match problem.method {
            Method::Resolve => {}
            Method::Sanitize => {
                if self.scope.wants(Oracle::SanitizedAgain, 1, 0) {
                    let again = Problem { schema: answer.clone(), ..problem.clone() };
                    questions.push((Check::SecondPass, again.request()));
                }
                if context.about.restores_keys()
                    && self.scope.wants(Oracle::RoundTrip, 1, 0)
                    && let Some((names, provided)) = self.renamed.clone()
                {
                    let (method, schema) = (Method::Coerce, problem.schema.clone());
                    let restored = Problem { method, schema, subject: provided.clone() };
                    let check = Check::Restored(Box::new((names, provided)));
                    questions.push((check, restored.request()));
                }
            }
            Method::Coerce => {
                if self.scope.wants(Oracle::Stateless, 8, 0) {
                    questions.push((Check::Again, problem.request()));
                }
                if *answer != problem.subject && self.scope.wants(Oracle::Idempotent, 1, 0) {
                    let again = Problem { subject: answer.clone(), ..problem.clone() };
                    questions.push((Check::SecondPass, again.request()));
                }
                for (at, oracle) in (0..).zip(PAIRS) {
                    // With fewer definitions in common other names meet, so that other ones are given.
                    let inlines_names = oracle == Oracle::Inlined
                        && context.about.restores_keys()
                        && !Names::of(&problem.schema, &context.policies).is_empty();
                    if self.scope.wants(oracle, PAIRS.len() as u64, at)
                        && !inlines_names
                        && let Some(variant) = Variant::of(problem, oracle)
                    {
                        let request = variant.problem.request();
                        questions.push((Check::Pair(Box::new(variant)), request));
                    }
                }
            }
        }
        questions
    }

    fn coerced(&mut self, context: &Context, value: &Value) -> Option<Fault> {
        if context.is_reference {
            return self.coerced_by_the_reference(context, value);
        }
        let problem = &self.problem;
        let (schema, sent) = (&problem.schema, &problem.subject);
        let expected = match &context.other {
            Some(other) => match other(problem) {
                Answer::Value(value) => value,
                _ => return None,
            },
            None => context.reference(schema, sent, &context.policies)?.answer,
        };
        if expected == *value || self.has_names_of_its_own(context, &expected) {
            return None;
        }
        let explain = |answer: &Value| {
            explanation(answer, &context.policies, |policies| {
                context.reference(schema, sent, policies)
            })
        };
        // Two implementations may each choose.
        let other_is_explained = || context.other.is_none() || explain(&expected).is_some();
        if let Some(policies) = explain(value).filter(|_| other_is_explained()) {
            self.explained_by =
                policies.into_iter().map(|(policy, option)| (policy.id(), option)).collect();
            return None;
        }
        let mut what = signature::of_difference(schema, sent, &expected, value);
        let validity = Validity::of_schema(&schema.to_string());
        let is_valid = |value: &Value| validity.of_text(&value.to_string());
        let was_valid = is_call(sent) && is_valid(sent) == Some(true);
        // Spoiling what was right is another fault than missing what was wrong.
        if was_valid {
            what.push_str(", valid as sent");
        }
        let breach = judge::breaches(sent, value, context.about.restores_keys()).into_iter().next();
        let found = if let Some(breach) = breach {
            Fault::new(Oracle::Damaged, &format!("{}: {what}", breach.law), breach.message)
        } else {
            let place = judge::differences(&expected, value).into_iter().next();
            let told = place.map_or_else(String::new, |place| {
                let at = spelled(&place.pointer);
                format!("{at} should be {} and is {}", place.expected, place.actual)
            });
            let spoilt = was_valid && is_valid(value) == Some(false);
            Fault::new(if spoilt { Oracle::ValidStays } else { Oracle::Differs }, &what, told)
        };
        Some(found.expected(&expected).actual(value))
    }

    /// Whether the reference restored a name that it gives: who sanitizes may give another one, and `RoundTrip` asks for those.
    fn has_names_of_its_own(&self, context: &Context, expected: &Value) -> bool {
        let Problem { schema, subject, .. } = &self.problem;
        context.about.restores_keys()
            && context.about.offers(Method::Sanitize)
            && !Names::of(schema, &context.policies).is_empty()
            && under(&Coercer::with_policies(schema, context.policies.clone()), subject)
                .is_none_or(|plain| plain.answer != *expected)
    }

    /// It cannot differ from itself: what is independent of it judges.
    fn coerced_by_the_reference(&self, context: &Context, value: &Value) -> Option<Fault> {
        let (schema, sent) = (&self.problem.schema, &self.problem.subject);
        let wants_validity = value != sent && self.scope.wants(Oracle::ValidStays, 1, 0);
        let wants_opinion = self.scope.wants(Oracle::SecondOpinion, 1, 0);
        if !wants_validity && !wants_opinion {
            return None;
        }
        // Where names are restored, the schema is not the one that the arguments are under.
        if self.has_names_of_its_own(context, value) {
            return None;
        }
        if wants_validity && invalidated(schema, sent, value) {
            let what = signature::of_difference(schema, sent, sent, value);
            let message = "the arguments were valid, and are not any more".to_owned();
            let fault = Fault::new(Oracle::ValidStays, &what, message);
            return Some(fault.expected(sent).actual(value));
        }
        if !wants_opinion {
            return None;
        }
        let opinion = obvious::coerce(schema, sent).filter(|opinion| opinion != value)?;
        let what = signature::of_difference(schema, sent, &opinion, value);
        let message = format!("a second, naive coercer answers {opinion}");
        let fault = Fault::new(Oracle::SecondOpinion, &what, message);
        Some(fault.expected(&opinion).actual(value))
    }

    fn resolved(&mut self, context: &Context, value: &Value) -> Option<Fault> {
        let (schema, node) = (&self.problem.schema, &self.problem.subject);
        let under = |policies: &Policies| {
            let policies = policies.clone();
            Some(Under::new(resolve(schema, node, &policies), &policies))
        };
        let expected = under(&context.policies)?.answer;
        if expected == *value {
            let opinion = obvious::resolve(schema, node).filter(|_| context.is_reference)?;
            let message = format!("a second, naive resolver answers {opinion}");
            return (opinion != *value).then(|| {
                let fault = Fault::new(Oracle::SecondOpinion, "resolve", message);
                fault.expected(&opinion).actual(value)
            });
        }
        if let Some(policies) = explanation(value, &context.policies, under) {
            self.explained_by =
                policies.into_iter().map(|(policy, option)| (policy.id(), option)).collect();
            return None;
        }
        let what = if value == node { "left alone" } else { "another node" };
        let what = format!("resolve, {what}");
        let fault = Fault::new(Oracle::Differs, &what, what.clone());
        Some(fault.expected(&expected).actual(value))
    }

    /// What the clauses on names ask for, that names which meet are told apart, and that arguments fit as they did.
    fn sanitized(&mut self, value: &Value) -> Option<Fault> {
        let schema = &self.problem.schema;
        let names = judge::names_given(schema, value).map_err(|faults| faults.into_iter().next());
        let fault = match &names {
            Ok(names) => judge::meeting_fault(schema, names),
            Err(first) => first.clone(),
        };
        if let Some(fault) = fault {
            let found = Fault::new(Oracle::Sanitized, fault.clause, fault.message);
            return Some(found.actual(value));
        }
        // Two validators cost more than all the rest.
        let wants_validity = self.scope.wants(Oracle::ValidRenamed, 16, 5);
        if !wants_validity && !self.scope.wants(Oracle::RoundTrip, 1, 0) {
            return None;
        }
        self.renamed = round_trip(&self.problem, names.ok()?);
        let (_, provided) = self.renamed.as_ref().filter(|_| wants_validity)?;
        is_invalid_renamed(&self.problem, value, provided).then(|| {
            let message = format!("the sanitized schema does not take {provided}");
            Fault::new(Oracle::ValidRenamed, "", message).actual(value)
        })
    }

    /// Refusing is wrong where every right answer would validate.
    fn refused(&self, context: &Context, message: &str) -> Option<Fault> {
        let Problem { method: Method::Coerce, schema, subject } = &self.problem else {
            return None;
        };
        let validity = Validity::of_schema(&schema.to_string());
        let is_valid = |answer: &Value| validity.of_text(&answer.to_string()) == Some(true);
        let Under { answer: expected, asked } =
            context.reference(schema, subject, &context.policies)?;
        let always = is_valid(&expected)
            && alternatives(&context.policies, asked).all(|(.., policies)| {
                let under = context.reference(schema, subject, &policies);
                under.is_some_and(|under| is_valid(&under.answer))
            });
        always.then(|| {
            let was_valid = is_valid(subject);
            let what = if was_valid { "valid arguments" } else { "what can be made valid" };
            let kept = signature::of_difference(schema, subject, &expected, subject);
            let place = if was_valid { String::new() } else { format!(": {kept}") };
            let message = format!("refused {what}: {message}");
            Fault::new(Oracle::Refused, &format!("{what}{place}"), message).expected(&expected)
        })
    }
}

enum Survived {
    Value(Value),
    Refused(String),
    Unsupported,
}

/// Oracles that any question has: it is survived, and answered.
fn survived(answer: Answer) -> Result<Survived, Box<Fault>> {
    let fault = |oracle: Oracle, what: &str, message: String| {
        Err(Box::new(Fault::new(oracle, what, message)))
    };
    match answer {
        Answer::Value(value) => Ok(Survived::Value(value)),
        Answer::Refused(message) => Ok(Survived::Refused(message)),
        Answer::Unsupported(_) => Ok(Survived::Unsupported),
        Answer::Crash(how) => fault(Oracle::Crash, &without_figures(&how), how),
        Answer::Timeout(after) => {
            fault(Oracle::Timeout, "", format!("no answer within {} s", after.as_secs_f64()))
        }
        Answer::Error(message) => fault(Oracle::NoAnswer, &without_figures(&message), message),
    }
}

/// A message without what differs from one time to the next: its first words, no digits, nothing in quotes.
fn without_figures(message: &str) -> String {
    let mut quoted = false;
    let mut kept = String::new();
    for character in message.chars().take(200) {
        match character {
            '"' | '\'' | '`' => quoted = !quoted,
            _ if quoted || character.is_ascii_digit() => {}
            _ => kept.push(character),
        }
    }
    kept.split_whitespace().take(12).collect::<Vec<_>>().join(" ")
}

fn spelled(pointer: &str) -> &str {
    if pointer.is_empty() { "the whole" } else { pointer }
}

/// Whether these are arguments at all: text in their place is read whatever the root admits (clause `arguments`), so that a valid one need not stay.
fn is_call(sent: &Value) -> bool {
    sent.as_object().is_some()
}

/// Whether valid arguments became invalid, by an independent validator.
fn invalidated(schema: &Value, sent: &Value, answer: &Value) -> bool {
    if !is_call(sent) {
        return false;
    }
    let validity = Validity::of_schema(&schema.to_string());
    validity.of_text(&sent.to_string()) == Some(true)
        && validity.of_text(&answer.to_string()) == Some(false)
}

/// Whether arguments that a model would send under the new names are wrong by their schema, though by the tool's own they are right.
fn is_invalid_renamed(problem: &Problem, sanitized: &Value, provided: &Value) -> bool {
    let is_valid = |schema: &Value, arguments: &Value| {
        Validity::of_schema(&schema.to_string()).of_text(&arguments.to_string())
    };
    // What is said of names by a pattern is not said of the new ones.
    !tree::has_key(&problem.schema, &["patternProperties", "propertyNames"])
        && is_valid(&problem.schema, &problem.subject) == Some(true)
        && is_valid(sanitized, provided) == Some(false)
}

/// The new names and the arguments under them, where the arguments are right as they are.
fn round_trip(problem: &Problem, names: Names) -> Option<(Names, Value)> {
    let schema = &problem.schema;
    if names.is_empty() {
        return None;
    }
    let original = &problem.subject;
    let plain = Coercer::new(schema);
    if plain.coerce(original.clone()).ok().as_ref() != Some(original) {
        return None;
    }
    let coercer = Coercer::with_names(schema, Policies::default(), &names);
    let provided = coercer.provide(original.clone());
    // Names that were given to something else already cannot be told apart on the way back.
    let back = coercer.coerce(provided.clone()).ok()?;
    (back == *original).then_some((names, provided))
}
