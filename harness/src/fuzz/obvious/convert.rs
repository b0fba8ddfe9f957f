//! Coercing: each value at its place, then what is inside it. Chapter 6 of SPEC.

use callfit_reference::json::{Object, Value, parse};

use super::contradiction::contradicts;
use super::document::Document;
use super::members;
use super::node::{Asked, Node};
use super::place::Place;

/// Deeper arguments find no opinion.
const DEEPEST: usize = 100;

/// The arguments as a whole: an object, or the text of one (clause `arguments`, policies `arguments-as-text` and `arguments-empty`).
pub(super) fn coerce(document: &Document<'_>, arguments: &Value) -> Option<Value> {
    let parsed = arguments.as_str().and_then(|text| parse(text).ok());
    let received = parsed.filter(|value| value.as_object().is_some());
    let arguments = received.as_ref().unwrap_or(arguments);
    if arguments.as_object().is_none() {
        return Some(arguments.clone());
    }
    inside(document, &Place::new(document, &[vec![document.root]])?, arguments, 0)
}

/// A value at its place (chapter 2; clauses `native` and `string`). Once is enough, because what a text becomes is no text.
fn at_place<'a>(
    document: &Document<'a>,
    combinations: &[Vec<&'a Value>],
    value: &Value,
    depth: usize,
) -> Option<Value> {
    let place = Place::new(document, combinations)?;
    let denoted = value.as_str().and_then(|text| place.read(text, Asked::Admits));
    inside(document, &place, denoted.as_ref().unwrap_or(value), depth)
}

/// What is inside a container (clauses `nested-container`, `nested-scalar`; `union-inside`, rule 5).
fn inside<'a>(
    document: &Document<'a>,
    place: &Place<'a>,
    value: &Value,
    depth: usize,
) -> Option<Value> {
    if depth > DEEPEST {
        return None;
    }
    let combinations =
        || place.combinations_for(document, value, |nodes| contradicts(document, value, nodes));
    match value {
        Value::Object(members) => {
            let combinations = combinations()?;
            let mut coerced = Object::new();
            for (key, member) in members.iter() {
                let schemas =
                    subschemas(&combinations, |node| members::of_key(document, node, key))?;
                let member = at_place(document, &schemas, member, depth + 1)?;
                coerced.insert(key.clone(), member);
            }
            Some(coerced.into())
        }
        Value::Array(elements) => {
            let combinations = combinations()?;
            let mut coerced = Vec::new();
            for (index, element) in elements.iter().enumerate() {
                let schemas = subschemas(&combinations, |node| {
                    Some(members::of_index(node, index).into_iter().collect())
                })?;
                coerced.push(at_place(document, &schemas, element, depth + 1)?);
            }
            Some(coerced.into())
        }
        scalar => Some(scalar.clone()),
    }
}

/// What each combination says of one member; one that says nothing admits anything there.
fn subschemas<'a>(
    combinations: &[Vec<&Node<'a>>],
    of_node: impl Fn(&Node<'a>) -> Option<Vec<&'a Value>>,
) -> Option<Vec<Vec<&'a Value>>> {
    combinations
        .iter()
        .map(|nodes| {
            let each: Option<Vec<_>> = nodes.iter().map(|node| of_node(node)).collect();
            Some(each?.concat())
        })
        .collect()
}
