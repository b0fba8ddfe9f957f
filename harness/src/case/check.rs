//! One case, from its file's words to what is run; and every reason why not.

use callfit_reference::json::{self, Value};
use serde_json::value::RawValue;

use super::answers::answers;
use super::corpus::{Case, Clause, Place, Policy};
use super::model::{Area, CaseText, Piece};
use super::near::did_you_mean;
use super::place::without_lone_surrogates;
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
        Self { at_key: true, ..Self::value(rule, pointer, message, help) }
    }

    /// A member that a case lacks; shown at its id.
    pub fn missing(message: impl Into<String>, help: impl Into<String>) -> Self {
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
    place: Place,
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
        findings
            .push(Finding::missing("the case has no `schema`", "add the root schema that is sent"));
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
            place,
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
            did_you_mean(&text.clause, ids, "clauses.json lists the clauses of SPEC.md"),
        ));
        return;
    };
    if !clause.levels.contains(&text.level) {
        let levels: Vec<&str> = clause.levels.iter().map(|level| level.name()).collect();
        findings.push(Finding::value(
            "level",
            "/level",
            format!("the clause {} knows no {} case", clause.id, text.level.name()),
            format!("the level has to be {}, or the clause another", levels.join(" or ")),
        ));
    }
}

/// A text that stands in a case, as JSON or as a recipe.
pub struct Slot {
    /// The member that holds it.
    pub name: &'static str,
    /// The text.
    pub text: Text,
}

impl Slot {
    /// Where in the case it stands.
    pub fn pointer(&self) -> String {
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
    match Text::recipe(pieces) {
        Ok(text) => Some(Slot { name, text }),
        Err(error) => {
            findings.push(Finding::key("recipe", &pointer, error.to_string(), "lower its `times`"));
            // Whatever stands in its place keeps the other checks going; the case is lost already.
            let text = Text::Plain("null".to_owned());
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
        findings.push(Finding::missing(format!("the case has no {}", names.join(" or ")), help));
    }
    found
}
