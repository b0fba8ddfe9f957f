//! Whether arguments validate, by an independent validator: JSON Schema 2020-12, no retrieval.

use jsonschema::{Draft, Validator};
use serde_json::Value;

use crate::case::{Case, Text};

/// The validator of one case's schema, where the schema is one that JSON Schema reads as SPEC does.
pub struct Validity(Option<Validator>);

impl Validity {
    /// The validator of a case.
    pub fn of(case: &Case) -> Self {
        match &case.schema {
            Text::Plain(schema) => Self::of_schema(schema),
            // What is built may be deeper than the validator can go.
            Text::Recipe(_) => Self(None),
        }
    }

    /// The validator of a schema.
    ///
    /// References that lead nowhere constrain nothing. Nothing is said of a schema that uses an embedded `$id`, that has keywords on both sides of a `$ref`, that comes back to
    /// itself at the same place (JSON Schema leaves it open), or that is no schema of 2020-12.
    pub fn of_schema(schema: &str) -> Self {
        Self(validator(schema))
    }

    /// Whether an answer validates; none where it cannot be known.
    pub fn of_text(&self, answer: &str) -> Option<bool> {
        let validator = self.0.as_ref()?;
        let instance: Value = serde_json::from_str(answer).ok()?;
        // Beyond what a double holds, the validator cannot tell an integer.
        let mut waiting = vec![&instance];
        while let Some(value) = waiting.pop() {
            match value {
                Value::Number(number) if number.as_str().len() > 15 => return None,
                Value::Array(elements) => waiting.extend(elements),
                Value::Object(members) => waiting.extend(members.values()),
                _ => {}
            }
        }
        Some(validator.is_valid(&instance))
    }

    /// Whether a right answer validates, as far as can be told: what is not known is taken to.
    pub fn may_be_valid(&self, answer: &Text) -> bool {
        match answer {
            Text::Plain(answer) => self.of_text(answer) != Some(false),
            Text::Recipe(_) => true,
        }
    }
}

fn validator(schema: &str) -> Option<Validator> {
    let mut schema: Value = serde_json::from_str(schema).ok()?;
    let root = callfit_reference::json::parse(&schema.to_string()).ok()?;
    if has_circle(&root) {
        return None;
    }
    let mut waiting = vec![&mut schema];
    let mut is_root = true;
    while let Some(value) = waiting.pop() {
        match value {
            Value::Array(elements) => waiting.extend(elements),
            Value::Object(members) => {
                members.remove("$schema");
                if members.contains_key("$id") && !is_root || members.contains_key("$anchor") {
                    return None;
                }
                members.remove("$id");
                let reference = members.get("$ref").and_then(Value::as_str).map(str::to_owned);
                if let Some(reference) = reference {
                    if !leads_somewhere(&root, &reference) {
                        members.remove("$ref");
                    } else if members.keys().any(|keyword| asserts(keyword)) {
                        return None;
                    }
                }
                waiting.extend(members.values_mut());
            }
            _ => {}
        }
        is_root = false;
    }
    jsonschema::options().with_draft(Draft::Draft202012).build(&schema).ok()
}

/// Whether a schema comes back to itself without going inside: by references, unions and the like alone.
fn has_circle(root: &callfit_reference::json::Value) -> bool {
    use callfit_reference::json::Value;
    use callfit_reference::pointer::{Reference, read_reference, walk};
    use std::collections::HashMap;

    #[derive(PartialEq)]
    enum Seen {
        OnTheWay,
        Done,
    }
    enum Step<'v> {
        Enter(&'v Value),
        Leave(&'v Value),
    }
    let mut every = vec![root];
    let mut seen: HashMap<*const Value, Seen> = HashMap::new();
    while let Some(start) = every.pop() {
        match start {
            Value::Array(elements) => every.extend(elements.iter()),
            Value::Object(members) => every.extend(members.values()),
            _ => continue,
        }
        let mut steps = vec![Step::Enter(start)];
        while let Some(step) = steps.pop() {
            let here = match step {
                Step::Leave(here) => {
                    seen.insert(here, Seen::Done);
                    continue;
                }
                Step::Enter(here) => here,
            };
            let Some(keywords) = here.as_object() else { continue };
            match seen.get(&std::ptr::from_ref(here)) {
                Some(Seen::OnTheWay) => return true,
                Some(Seen::Done) => continue,
                None => {}
            }
            seen.insert(here, Seen::OnTheWay);
            steps.push(Step::Leave(here));
            if let Some(Value::String(reference)) = keywords.get("$ref")
                && let Reference::Pointer(tokens) = read_reference(reference, false)
            {
                steps.extend(walk(root, &tokens).map(Step::Enter));
            }
            for keyword in ["allOf", "anyOf", "oneOf", "not", "if", "then", "else"] {
                match keywords.get(keyword) {
                    Some(Value::Array(branches)) => steps.extend(branches.iter().map(Step::Enter)),
                    Some(branch) => steps.push(Step::Enter(branch)),
                    None => {}
                }
            }
        }
    }
    false
}

fn leads_somewhere(root: &callfit_reference::json::Value, reference: &str) -> bool {
    use callfit_reference::pointer::{Reference, read_reference, walk};
    match read_reference(reference, false) {
        Reference::Pointer(tokens) => walk(root, &tokens).is_some(),
        _ => false,
    }
}

/// Whether a keyword beside `$ref` may clash with one behind it.
fn asserts(keyword: &str) -> bool {
    !matches!(
        keyword,
        "$ref"
            | "$defs"
            | "definitions"
            | "title"
            | "description"
            | "default"
            | "examples"
            | "$comment"
            | "deprecated"
    )
}
