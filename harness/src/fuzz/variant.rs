//! Metamorphic pairs: another problem whose answer is known from the first one's.

use callfit_reference::json::{Object, Value};
use callfit_reference::pointer::{Reference, read_reference};

use super::oracle::Oracle;
use super::pointer::{Spelling, spelled};
use super::problem::Problem;
use super::tree;
use crate::judge;

/// The key under which another property, or the whole problem, is put.
const NEW: &str = "callfit_new";

/// A problem made from another, and how its answer becomes the other's.
#[derive(Debug, Clone)]
pub struct Variant {
    /// Which pair it is.
    pub oracle: Oracle,
    /// The other problem.
    pub problem: Problem,
    undo: Undo,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Undo {
    Nothing,
    WithoutNew,
    InsideNew,
}

/// The pairs that a problem of coercing can have.
pub const PAIRS: [Oracle; 8] = [
    Oracle::Inlined,
    Oracle::RenamedDefinitions,
    Oracle::MovedDefinitions,
    Oracle::RespelledReferences,
    Oracle::ShuffledProperties,
    Oracle::Neighbour,
    Oracle::Nested,
    Oracle::Untyped,
];

impl Variant {
    /// Makes a pair of a problem, if it can have this one. The problem must be one of coercing an object.
    pub fn of(problem: &Problem, oracle: Oracle) -> Option<Self> {
        let arguments = problem.subject.as_object()?;
        let schema = &problem.schema;
        if tree::is_deep(schema) {
            return None;
        }
        let mut subject = problem.subject.clone();
        let mut undo = Undo::Nothing;
        let schema = match oracle {
            Oracle::Inlined => judge::inlined(schema)?,
            Oracle::RenamedDefinitions => {
                with_definitions(schema, "$defs", |name| format!("{name}R"))?
            }
            Oracle::MovedDefinitions => with_definitions(schema, "definitions", str::to_owned)?,
            Oracle::RespelledReferences => respelled(schema)?,
            Oracle::ShuffledProperties => shuffled(schema)?,
            Oracle::Neighbour => {
                let mut arguments = arguments.clone();
                arguments.insert(NEW.to_owned(), "5".into());
                subject = arguments.into();
                undo = Undo::WithoutNew;
                with_neighbour(schema)?
            }
            Oracle::Nested => {
                let mut outer = Object::new();
                outer.insert(NEW.to_owned(), subject);
                subject = outer.into();
                undo = Undo::InsideNew;
                nested(schema)?
            }
            Oracle::Untyped => Object::new().into(),
            _ => return None,
        };
        let problem = Problem { method: problem.method, schema, subject };
        Some(Self { oracle, problem, undo })
    }

    /// What this problem's answer should be, by that of the first, once it is undone.
    pub fn expected<'v>(&self, sent: &'v Value, first: &'v Value) -> &'v Value {
        if self.oracle == Oracle::Untyped { sent } else { first }
    }

    /// What the first problem's answer should be, by this one's.
    pub fn undone(&self, answer: &Value) -> Option<Value> {
        match self.undo {
            Undo::Nothing => Some(answer.clone()),
            Undo::InsideNew => answer.get(NEW).cloned(),
            Undo::WithoutNew => {
                let mut members = answer.as_object()?.clone();
                members.shift_remove(NEW);
                Some(members.into())
            }
        }
    }
}

/// The schema with each reference changed for another. Nothing, where one is no local pointer or an `$id` could change what it means.
fn with_references(
    schema: &Value,
    change: impl Fn(&[String]) -> Option<Vec<String>>,
    spelling: Spelling,
) -> Option<Value> {
    let mut changed = schema.clone();
    let mut any = false;
    let mut waiting = vec![&mut changed];
    while let Some(value) = waiting.pop() {
        let members = match value {
            Value::Object(members) => members.iter_mut(),
            Value::Array(elements) => {
                waiting.extend(elements.iter_mut());
                continue;
            }
            _ => continue,
        };
        for (key, value) in members {
            match value {
                _ if key == "$id" || key == "$anchor" => return None,
                Value::String(reference) if key == "$ref" => {
                    let Reference::Pointer(tokens) = read_reference(reference, false) else {
                        return None;
                    };
                    if let Some(tokens) = change(&tokens) {
                        *reference = spelled(&tokens, spelling);
                        any = true;
                    }
                }
                value => waiting.push(value),
            }
        }
    }
    any.then_some(changed)
}

/// The schema with its `$defs` under another keyword or its definitions under other names, and references that follow.
fn with_definitions(
    schema: &Value,
    keyword: &str,
    rename: impl Fn(&str) -> String,
) -> Option<Value> {
    if schema.get("definitions").is_some() {
        return None;
    }
    let definitions = schema.get("$defs")?.as_object()?;
    let changed = with_references(
        schema,
        |tokens| match tokens {
            [defs, name, rest @ ..] if defs == "$defs" && definitions.contains_key(name) => {
                let head = [keyword.to_owned(), rename(name)];
                Some(head.into_iter().chain(rest.iter().cloned()).collect())
            }
            _ => None,
        },
        Spelling::Plain,
    )?;
    let mut root = Object::new();
    for (key, value) in changed.as_object()?.iter() {
        if key == "$defs" {
            let renamed =
                value.as_object()?.iter().map(|(name, value)| (rename(name), value.clone()));
            let mut definitions = Object::new();
            definitions.extend(renamed);
            root.insert(keyword.to_owned(), definitions.into());
        } else {
            root.insert(key.clone(), value.clone());
        }
    }
    Some(root.into())
}

fn respelled(schema: &Value) -> Option<Value> {
    let all = |tokens: &[String]| (!tokens.is_empty()).then(|| tokens.to_vec());
    with_references(schema, all, Spelling::EveryCharacter)
}

fn shuffled(schema: &Value) -> Option<Value> {
    let mut changed = schema.clone();
    let mut any = false;
    let mut waiting = vec![&mut changed];
    while let Some(value) = waiting.pop() {
        match value {
            Value::Array(elements) => waiting.extend(elements.iter_mut()),
            Value::Object(members) => {
                if let Some(Value::Object(map)) = members.get_mut("properties")
                    && map.len() > 1
                {
                    map.reverse();
                    any = true;
                }
                waiting.extend(members.values_mut());
            }
            _ => {}
        }
    }
    any.then_some(changed)
}

/// A property whose value is converted beside the others. Nothing, where the root says more than its properties.
fn with_neighbour(schema: &Value) -> Option<Value> {
    let root = schema.as_object()?;
    let plain = ["type", "properties", "required", "$defs", "definitions", "components"];
    if !root.keys().all(|key| plain.contains(&key.as_str())) || refers_to_root(schema) {
        return None;
    }
    let mut properties = root.get("properties")?.as_object()?.clone();
    let mut neighbour = Object::new();
    neighbour.insert("type".to_owned(), "integer".into());
    properties.insert(NEW.to_owned(), neighbour.into());
    let mut root = root.clone();
    root.insert("properties".to_owned(), properties.into());
    Some(root.into())
}

fn refers_to_root(schema: &Value) -> bool {
    references(schema).into_iter().filter_map(Value::as_str).any(|reference| {
        matches!(read_reference(reference, false), Reference::Pointer(tokens) if tokens.len() < 2)
    })
}

/// Every value of a `$ref`.
fn references(schema: &Value) -> Vec<&Value> {
    let mut found = Vec::new();
    let mut waiting = vec![schema];
    while let Some(value) = waiting.pop() {
        match value {
            Value::Array(elements) => waiting.extend(elements.iter()),
            Value::Object(members) => {
                found.extend(members.get("$ref"));
                waiting.extend(members.values());
            }
            _ => {}
        }
    }
    found
}

/// The whole problem one level down, behind a reference.
fn nested(schema: &Value) -> Option<Value> {
    let head = ["$defs".to_owned(), NEW.to_owned()];
    let moved = |tokens: &[String]| Some(head.iter().chain(tokens).cloned().collect());
    let inner = if references(schema).is_empty() {
        schema.clone()
    } else {
        with_references(schema, moved, Spelling::Plain)?
    };
    let object = |key: &str, value: Value| {
        let mut object = Object::new();
        object.insert(key.to_owned(), value);
        Value::Object(object)
    };
    let reference = object("$ref", spelled(&head, Spelling::Plain).into());
    let mut root = Object::new();
    root.insert("type".to_owned(), "object".into());
    root.insert("properties".to_owned(), object(NEW, reference));
    root.insert("$defs".to_owned(), object(NEW, inner));
    Some(root.into())
}
