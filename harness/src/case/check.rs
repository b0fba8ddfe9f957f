//! One case, from its file's words to what is run; and every reason why not.

use callfit_reference::json::{self, Value};
use serde_json::value::RawValue;

use super::corpus::{Case, Clause, Expect, Policy};
use super::model::{Area, CaseText, Level, Piece};
use super::near::did_you_mean;
use super::place::{token, without_lone_surrogates};
use super::text::Text;

/// Something wrong in a case.
#[derive(Debug)]
pub struct Finding {
    /// The rule that is broken.
    pub rule: &'static str,
    /// Where in the case.
    pub pointer: String,
    /// Whether the key is meant, not the value.
    pub at_key: bool,
    /// What is wrong.
    pub message: String,
    /// The mend.
    pub help: String,
}

impl Finding {
    /// Something wrong with a value.
    pub fn value(
        rule: &'static str,
        pointer: impl Into<String>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self {
            rule,
            pointer: pointer.into(),
            at_key: false,
            message: message.into(),
            help: help.into(),
        }
    }

    /// Something wrong with a member's being there, or with its name.
    pub fn key(
        rule: &'static str,
        pointer: impl Into<String>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self {
            at_key: true,
            ..Self::value(rule, pointer, message, help)
        }
    }

    /// A member that a case lacks; shown at its id.
    fn missing(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::value("missing-field", "/id", message, help)
    }
}

/// Whether this is `area/topic/name`.
pub fn is_id(id: &str) -> bool {
    let is_word = |word: &str| {
        let mut bytes = word.bytes();
        !word.is_empty() && bytes.all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    let parts: Vec<&str> = id.split('/').collect();
    let named = parts.iter().all(|part| part.split('-').all(is_word));
    parts.len() == 3 && named && Area::of_id(id).is_some()
}

/// The value that a JSON text denotes, lone surrogates taken for characters.
pub fn value_of(text: &str) -> Result<Value, json::ParseError> {
    json::parse(&without_lone_surrogates(text))
}

/// The case, or every mistake in it.
pub fn case(
    mut text: CaseText,
    raw: &str,
    file: &str,
    clauses: &[Clause],
    policies: &[Policy],
) -> Result<Case, Vec<Finding>> {
    let mut findings = Vec::new();
    check_id(&text.id, file, &mut findings);
    check_level(&text, clauses, &mut findings);

    let recipe = text.recipe.take().unwrap_or_default();
    let mut slot = |name, plain, pieces| slot(name, plain, pieces, &mut findings);
    let schema = slot("schema", text.schema.take(), recipe.schema);
    let subjects = [
        slot("arguments", text.arguments.take(), recipe.arguments),
        slot("node", text.node.take(), recipe.node),
        slot("original", text.original.take(), recipe.original),
    ];
    let expect = slot("expect", text.expect.take(), recipe.expect);

    if schema.is_none() {
        findings.push(Finding::missing(
            "the case has no `schema`",
            "add the root schema that is sent",
        ));
    }
    let area = Area::of_id(&text.id);
    let subject = area.and_then(|area| subject(area, subjects, &mut findings));
    let original = subject.as_ref().filter(|slot| slot.name == "original");
    let round_trip = original.is_some();
    let expect = answers(&text, original, expect, policies, &mut findings);
    match (area, schema, expect) {
        (Some(area), Some(schema), Some(expect)) if findings.is_empty() => Ok(Case {
            id: text.id,
            description: text.description,
            clause: text.clause,
            level: text.level,
            source: text.source,
            area,
            file: file.to_owned(),
            schema: schema.text,
            subject: subject.map(|slot| slot.text),
            round_trip,
            expect,
            same_as: text.same_as,
            raw: raw.to_owned(),
        }),
        _ => Err(findings),
    }
}

/// What is wrong with a case's twin, if it names one.
pub fn twin<'a>(case: &Case, find: impl Fn(&str) -> Option<&'a Case>) -> Option<Finding> {
    let id = case.same_as.as_deref()?;
    let finding =
        |message: String, help: &str| Some(Finding::value("twin", "/same_as", message, help));
    if id == case.id {
        return finding(
            "a case is no twin of itself".to_owned(),
            "name the case whose option must be chosen here too, or remove `same_as`",
        );
    }
    let Some(twin) = find(id) else {
        return finding(
            format!("there is no case {id}"),
            "name a case with the same policy and the same options",
        );
    };
    match (&case.expect, &twin.expect) {
        (
            Expect::Options { policy, options },
            Expect::Options {
                policy: its_policy,
                options: its_options,
            },
        ) => {
            let names = |options: &[(String, Text)]| -> Vec<String> {
                options.iter().map(|(name, _)| name.clone()).collect()
            };
            if policy != its_policy {
                finding(
                    format!("the twin shows the policy {its_policy}, this case {policy}"),
                    "name a case with the same policy",
                )
            } else if names(options) == names(its_options) {
                None
            } else {
                finding(
                    format!("the twin has the options {}", names(its_options).join(", ")),
                    "give both cases the same options",
                )
            }
        }
        (Expect::Options { policy, .. }, _) => finding(
            format!("the twin leaves no choice; this case shows the policy {policy}"),
            "name a case with the same policy and the same options",
        ),
        // Said already: `same_as` does not belong in a case without options.
        _ => None,
    }
}

fn check_id(id: &str, file: &str, findings: &mut Vec<Finding>) {
    let topic = file.strip_suffix(".json").unwrap_or(file);
    if !is_id(id) {
        findings.push(Finding::value(
            "malformed-id",
            "/id",
            "an id has to be area/topic/name, in lower case letters, digits and single hyphens",
            format!("in this file: {topic}/some-name"),
        ));
    } else if !id.starts_with(&format!("{topic}/")) {
        let (home, _) = id.rsplit_once('/').unwrap_or((id, ""));
        findings.push(Finding::value(
            "misplaced-id",
            "/id",
            format!("the case {id} belongs in {home}.json"),
            format!("move it there, or begin its id with {topic}/"),
        ));
    }
}

fn check_level(text: &CaseText, clauses: &[Clause], findings: &mut Vec<Finding>) {
    let Some(clause) = clauses.iter().find(|clause| clause.id == text.clause) else {
        let ids = clauses.iter().map(|clause| clause.id.as_str());
        findings.push(Finding::value(
            "unknown-clause",
            "/clause",
            format!("there is no clause `{}`", text.clause),
            did_you_mean(
                &text.clause,
                ids,
                "clauses.json lists the clauses of SPEC.md",
            ),
        ));
        return;
    };
    if !clause.levels.contains(&text.level) {
        let levels: Vec<&str> = clause.levels.iter().map(|level| level.name()).collect();
        findings.push(Finding::value(
            "level",
            "/level",
            format!(
                "the clause {} knows no {} case",
                clause.id,
                text.level.name()
            ),
            format!(
                "the level has to be {}, or the clause another",
                levels.join(" or ")
            ),
        ));
    }
}

/// A text that stands in a case, as JSON or as a recipe.
struct Slot {
    name: &'static str,
    text: Text,
}

impl Slot {
    fn pointer(&self) -> String {
        if self.text.is_recipe() {
            format!("/recipe/{}", self.name)
        } else {
            format!("/{}", self.name)
        }
    }
}

fn slot(
    name: &'static str,
    plain: Option<Box<RawValue>>,
    pieces: Vec<Piece>,
    findings: &mut Vec<Finding>,
) -> Option<Slot> {
    let pointer = format!("/recipe/{name}");
    if pieces.is_empty() {
        let text = Text::Plain(plain?.get().to_owned());
        return Some(Slot { name, text });
    }
    if plain.is_some() {
        findings.push(Finding::key(
            "fields",
            &pointer,
            format!("`{name}` is given twice: as JSON and as a recipe"),
            "keep one of the two",
        ));
    }
    match Text::recipe(pieces.clone()) {
        Ok(text) => Some(Slot { name, text }),
        Err(error) => {
            findings.push(Finding::key(
                "recipe",
                &pointer,
                error.to_string(),
                "lower its `times`",
            ));
            // Whatever stands in its place keeps the other checks going; the case is lost already.
            let text = Text::Recipe(pieces);
            Some(Slot { name, text })
        }
    }
}

/// What is sent beside the schema.
fn subject(area: Area, slots: [Option<Slot>; 3], findings: &mut Vec<Finding>) -> Option<Slot> {
    let (wanted, help): (&[&str], _) = match area {
        Area::Resolve => (&["node"], "a resolve case has `schema` and `node`"),
        Area::Coerce => (&["arguments"], "a coerce case has `schema` and `arguments`"),
        Area::Restore => (
            &["arguments", "original"],
            "a restore case has `schema`, and `arguments` or `original`",
        ),
        Area::Sanitize => (&[], "a sanitize case has `schema` alone"),
    };
    let mut found: Option<Slot> = None;
    for slot in slots.into_iter().flatten() {
        let name = slot.name;
        if !wanted.contains(&name) {
            findings.push(Finding::key(
                "fields",
                slot.pointer(),
                format!("`{name}` does not belong in a {} case", area.name()),
                help,
            ));
        } else if let Some(found) = &found {
            findings.push(Finding::key(
                "fields",
                slot.pointer(),
                format!("`{name}` does not go with `{}`", found.name),
                "keep one of the two: the harness makes the arguments from the original",
            ));
        } else {
            found = Some(slot);
        }
    }
    if found.is_none() && !wanted.is_empty() {
        let names: Vec<String> = wanted.iter().map(|name| format!("`{name}`")).collect();
        findings.push(Finding::missing(
            format!("the case has no {}", names.join(" or ")),
            help,
        ));
    }
    found
}

/// The right answers.
fn answers(
    text: &CaseText,
    original: Option<&Slot>,
    expect: Option<Slot>,
    policies: &[Policy],
    findings: &mut Vec<Finding>,
) -> Option<Expect> {
    let before = findings.len();
    let expect_pointer = expect.as_ref().map(Slot::pointer);
    let given: Vec<(&str, String)> = [
        ("original", original.map(Slot::pointer)),
        ("expect", expect_pointer),
        (
            "options",
            (!text.options.is_empty()).then(|| "/options".to_owned()),
        ),
        ("survive", text.survive.then(|| "/survive".to_owned())),
    ]
    .into_iter()
    .filter_map(|(name, pointer)| Some((name, pointer?)))
    .collect();
    if given.is_empty() && text.policy.is_none() {
        findings.push(Finding::missing(
            "the case says no right answer",
            "add `expect`, or `policy` and `options`, or `survive`",
        ));
    }
    for (name, pointer) in given.iter().skip(1) {
        findings.push(Finding::key(
            "fields",
            pointer,
            format!("`{name}` does not go with `{}`", given[0].0),
            "keep one of the two",
        ));
    }
    if !text.also.is_empty() && expect.is_none() {
        findings.push(Finding::key(
            "fields",
            "/also",
            "`also` does not go without `expect`",
            "the first right answer, and the best, is `expect`",
        ));
    }
    check_policy(text, findings);
    let options = policy_options(text, policies, findings);
    let answers: Vec<(String, &str)> = options
        .iter()
        .map(|(name, text)| (format!("/options/{}", token(name)), *text))
        .chain(
            text.also
                .iter()
                .enumerate()
                .map(|(turn, text)| (format!("/also/{turn}"), text.get())),
        )
        .collect();
    same_answers(expect.as_ref(), &answers, findings);
    if findings.len() > before {
        return None;
    }
    if text.survive {
        return Some(Expect::Anything);
    }
    if let Some(policy) = &text.policy {
        return Some(Expect::Options {
            policy: policy.clone(),
            options: options
                .into_iter()
                .map(|(name, text)| (name, Text::Plain(text.to_owned())))
                .collect(),
        });
    }
    let first = original.map(|slot| slot.text.clone());
    let first = first.or_else(|| expect.map(|slot| slot.text))?;
    let also = text
        .also
        .iter()
        .map(|text| Text::Plain(text.get().to_owned()));
    Some(Expect::Values(std::iter::once(first).chain(also).collect()))
}

/// Checks that what a policy case has stands together.
fn check_policy(text: &CaseText, findings: &mut Vec<Finding>) {
    let has_options = !text.options.is_empty();
    if text.policy.is_some() && !has_options {
        findings.push(Finding::key(
            "one-outcome",
            "/policy",
            "a policy case without `options`",
            "add the answer under each option, two at least",
        ));
    }
    if text.policy.is_none() && has_options {
        findings.push(Finding::key(
            "fields",
            "/options",
            "`options` does not go without `policy`",
            "add the policy of policies.json whose options these are",
        ));
    }
    if text.same_as.is_some() && !has_options {
        findings.push(Finding::key(
            "fields",
            "/same_as",
            "`same_as` does not go without `options`",
            "a twin binds a choice; where there is none, remove it",
        ));
    }
    match (text.level, has_options, &text.same_as) {
        (Level::Policy, false, _) if text.policy.is_none() => findings.push(Finding::value(
            "fields",
            "/level",
            "a policy case without a policy",
            "add `policy` and `options`, or make it a must or a should",
        )),
        (Level::Policy, _, Some(_)) => findings.push(Finding::value(
            "level",
            "/level",
            "a case with a twin leaves no choice",
            "make it a must (or a should)",
        )),
        (Level::Must | Level::Should, true, None) => findings.push(Finding::value(
            "level",
            "/level",
            format!(
                "a {} case leaves no choice, this one has options",
                text.level.name()
            ),
            "make it a policy case, or name its twin in `same_as`",
        )),
        _ => {}
    }
}

/// The answers under the options of the policy, in its order.
fn policy_options<'a>(
    text: &'a CaseText,
    policies: &[Policy],
    findings: &mut Vec<Finding>,
) -> Vec<(String, &'a str)> {
    let Some(name) = &text.policy else {
        return Vec::new();
    };
    let Some(policy) = policies.iter().find(|policy| policy.id == *name) else {
        let ids = policies.iter().map(|policy| policy.id.as_str());
        findings.push(Finding::value(
            "unknown-policy",
            "/policy",
            format!("there is no policy `{name}`"),
            did_you_mean(name, ids, "policies.json lists the policies"),
        ));
        return Vec::new();
    };
    let known: Vec<&str> = policy
        .options
        .iter()
        .map(|option| option.id.as_str())
        .collect();
    for option in text.options.keys() {
        if !known.contains(&option.as_str()) {
            findings.push(Finding::key(
                "unknown-option",
                format!("/options/{}", token(option)),
                format!("the policy {name} has no option `{option}`"),
                format!("its options are {}", known.join(", ")),
            ));
        }
    }
    if text.options.len() == 1 {
        findings.push(Finding::key(
            "one-outcome",
            "/options",
            "a policy case with one outcome",
            format!(
                "add the answer under another option of {name}: {}",
                known.join(", ")
            ),
        ));
    }
    known
        .into_iter()
        .filter_map(|option| Some((option.to_owned(), text.options.get(option)?.get())))
        .collect()
}

/// Finds answers that repeat one before them: an option that cannot be told from another, an alternative that is none.
fn same_answers(expect: Option<&Slot>, answers: &[(String, &str)], findings: &mut Vec<Finding>) {
    let mut known: Vec<(String, Value)> = Vec::new();
    if let Some(slot) = expect.filter(|slot| !slot.text.is_recipe())
        && let Ok(value) = value_of(&slot.text.text())
    {
        known.push((slot.pointer(), value));
    }
    for (pointer, text) in answers {
        let Ok(value) = value_of(text) else {
            continue;
        };
        let before = known.iter().find(|(_, other)| *other == value);
        if let Some((other, _)) = before {
            findings.push(Finding::value(
                "same-answer",
                pointer,
                format!("this answer is that of `{}`", &other[1..]),
                "answers are compared by value; keep one, or find arguments that tell them apart",
            ));
        } else {
            known.push((pointer.clone(), value));
        }
    }
}
