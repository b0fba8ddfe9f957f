//! Which combinations an object contradicts: clause `union-inside`, rule 3.

use callfit_reference::json::{Object, Value, parse};

use super::document::Document;
use super::members;
use super::node::{Asked, Node};
use super::place::Place;

/// Whether a container contradicts a combination. An array does not: only its kind is asked (rule 4).
pub(super) fn contradicts<'a>(
    document: &Document<'a>,
    container: &Value,
    combination: &[&Node<'a>],
) -> Option<bool> {
    match container {
        Value::Object(members) => contradicted_by(document, members, combination),
        _ => Some(false),
    }
}

fn contradicted_by<'a>(
    document: &Document<'a>,
    object: &Object,
    combination: &[&Node<'a>],
) -> Option<bool> {
    let mut required = combination.iter().flat_map(|node| node.required());
    if required.any(|key| !object.contains_key(key)) {
        return Some(true);
    }
    for (key, value) in object.iter() {
        let mut schemas = Vec::new();
        for node in combination {
            schemas.extend(members::of_key(document, node, key)?);
        }
        if !fits(&Place::new(document, &[schemas])?, value) {
            return Some(true);
        }
    }
    Some(false)
}

/// Whether a value, or what it denotes if it is a JSON text, is admitted as far as contradiction goes.
fn fits(place: &Place<'_>, value: &Value) -> bool {
    let denoted = value.as_str().and_then(|text| parse(text).ok());
    let mut both = denoted.iter().chain([value]);
    both.any(|value| place.admits(value, Asked::Contradicts))
}
