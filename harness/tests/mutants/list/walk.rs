//! Going through schemas and arguments, for faults that are found in every part of them.
//!
//! A mutant need not have its fault everywhere: documents that are deeper than a hundred levels are left as they are, so that recursion will do.

use callfit_reference::json::{Object, Value, parse};
use callfit_reference::pointer::{Reference, read_reference, walk, write_reference};
use callfit_reference::{Policies, resolve};

const DEEPEST: usize = 100;

const ONE: [&str; 11] = [
    "additionalProperties",
    "propertyNames",
    "contains",
    "not",
    "if",
    "then",
    "else",
    "unevaluatedItems",
    "unevaluatedProperties",
    "additionalItems",
    "items",
];
const LISTS: [&str; 5] = ["allOf", "anyOf", "oneOf", "prefixItems", "items"];
const MAPS: [&str; 6] =
    ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"];
/// The keywords that hold literal data.
pub const LITERAL: [&str; 4] = ["default", "const", "enum", "examples"];
/// The keywords of unions.
pub const UNIONS: [&str; 2] = ["anyOf", "oneOf"];

/// The value of a JSON text that stands in the code.
pub fn json(text: &str) -> Value {
    parse(text).expect("the text is JSON")
}

/// The depth of a value, counted up to a limit.
pub fn depth(value: &Value, most: usize) -> usize {
    let mut deepest = 0;
    let mut waiting = vec![(value, 1)];
    while let Some((value, level)) = waiting.pop() {
        deepest = deepest.max(level);
        if level >= most {
            return most;
        }
        match value {
            Value::Array(elements) => {
                waiting.extend(elements.iter().map(|value| (value, level + 1)));
            }
            Value::Object(members) => {
                waiting.extend(members.values().map(|value| (value, level + 1)));
            }
            _ => {}
        }
    }
    deepest
}

fn is_shallow(value: &Value) -> bool {
    depth(value, DEEPEST) < DEEPEST
}

/// Changes every schema of a document that is an object, the inner ones first.
pub fn each_schema(document: &mut Value, change: &mut dyn FnMut(&mut Object)) {
    each_subschema(document, &mut |schema| {
        if let Value::Object(keywords) = schema {
            change(keywords);
        }
    });
}

/// Changes every schema of a document, booleans and what is no schema too, the inner ones first.
pub fn each_subschema(document: &mut Value, change: &mut dyn FnMut(&mut Value)) {
    if is_shallow(document) {
        inside_out(document, change);
    }
}

fn inside_out(schema: &mut Value, change: &mut dyn FnMut(&mut Value)) {
    if let Value::Object(keywords) = schema {
        for subschema in subschemas(keywords) {
            inside_out(subschema, change);
        }
    }
    change(schema);
}

fn subschemas(keywords: &mut Object) -> Vec<&mut Value> {
    let mut found = Vec::new();
    for (keyword, value) in keywords.iter_mut() {
        let keyword = keyword.as_str();
        match value {
            one if ONE.contains(&keyword) && one.as_array().is_none() => found.push(one),
            Value::Array(list) if LISTS.contains(&keyword) => found.extend(list.iter_mut()),
            Value::Object(map) if MAPS.contains(&keyword) => found.extend(map.values_mut()),
            _ => {}
        }
    }
    found
}

/// Changes every schema of a sanitized document, given the original. Both have their parts in the same order.
pub fn each_pair(
    original: &Value,
    sanitized: &mut Value,
    change: &mut dyn FnMut(&Object, &mut Object),
) {
    if is_shallow(original) {
        pairs(&mut original.clone(), sanitized, change);
    }
}

fn pairs(
    original: &mut Value,
    sanitized: &mut Value,
    change: &mut dyn FnMut(&Object, &mut Object),
) {
    if let (Value::Object(original), Value::Object(sanitized)) = (original, sanitized) {
        let inner = subschemas(original).into_iter().zip(subschemas(sanitized));
        inner.for_each(|(original, sanitized)| pairs(original, sanitized, change));
        change(original, sanitized);
    }
}

/// Changes the answer at every place, given what its schema leads to and what was sent there. The outer places come first.
pub fn each_place(
    root: &Value,
    sent: &Value,
    mut answer: Value,
    change: &dyn Fn(&Value, &Value, &mut Value),
) -> Value {
    if is_shallow(root) && is_shallow(sent) {
        place(root, root, sent, &mut answer, change);
    }
    answer
}

fn place(
    root: &Value,
    schema: &Value,
    sent: &Value,
    answer: &mut Value,
    change: &dyn Fn(&Value, &Value, &mut Value),
) {
    let schema = resolve(root, schema, &Policies::default());
    change(&schema, sent, answer);
    let opened = sent.as_str().and_then(|text| parse(text).ok()).filter(is_shallow);
    match (opened.as_ref().unwrap_or(sent), answer) {
        (Value::Object(sent), Value::Object(answer)) => {
            for (key, answer) in answer.iter_mut() {
                if let Some(sent) = sent.get(key) {
                    place(root, &property(&schema, key), sent, answer, change);
                }
            }
        }
        (Value::Array(sent), Value::Array(answer)) => {
            let items = schema.get("items").cloned().unwrap_or_default();
            for (sent, answer) in sent.iter().zip(answer.iter_mut()) {
                place(root, &items, sent, answer, change);
            }
        }
        _ => {}
    }
}

/// Changes the answer at the top level only: each property, given what its schema leads to and what was sent.
pub fn each_parameter(
    root: &Value,
    sent: &Value,
    mut answer: Value,
    change: &mut dyn FnMut(&Value, &Value, &mut Value),
) -> Value {
    if let (Value::Object(sent), Value::Object(answer)) = (sent, &mut answer)
        && is_shallow(root)
    {
        for (key, answer) in answer.iter_mut() {
            if let Some(sent) = sent.get(key) {
                let schema = resolve(root, &property(root, key), &Policies::default());
                change(&schema, sent, answer);
            }
        }
    }
    answer
}

/// The schema of a property, as it stands in `properties`.
pub fn property(schema: &Value, key: &str) -> Value {
    schema.get("properties").and_then(|map| map.get(key)).cloned().unwrap_or_default()
}

/// Whether `type` is this kind and no other.
pub fn is(schema: &Value, kind: &str) -> bool {
    schema.get("type").and_then(Value::as_str) == Some(kind)
}

/// Whether `type` names this kind, alone or in a list.
pub fn names(schema: &Value, kind: &str) -> bool {
    let list = schema.get("type").and_then(Value::as_array);
    is(schema, kind) || list.is_some_and(|list| list.iter().any(|one| one.as_str() == Some(kind)))
}

/// The branches of the unions of a schema.
pub fn branches(schema: &Value) -> Vec<&Value> {
    let unions = UNIONS.iter().filter_map(|keyword| schema.get(keyword)?.as_array());
    unions.flat_map(|branches| branches.iter()).collect()
}

/// The `$ref` of a schema, if it is a reference.
pub fn reference_of(keywords: &Object) -> Option<&str> {
    keywords.get("$ref")?.as_str()
}

/// The steps of a local pointer.
pub fn steps(reference: &str) -> Option<Vec<String>> {
    match read_reference(reference, true) {
        Reference::Pointer(tokens) => Some(tokens),
        _ => None,
    }
}

/// A local pointer of these steps.
pub fn pointer<T: AsRef<str>>(steps: &[T]) -> String {
    write_reference(steps.iter().map(AsRef::as_ref))
}

/// What a local pointer leads to.
pub fn target<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    walk(root, &steps(reference)?)
}

/// A reference that leads nowhere in place of this one.
pub fn nowhere(reference: &str) -> String {
    format!("#no{reference}")
}

/// Changes a reference that is local.
pub fn local(reference: &str, change: impl FnOnce(&str) -> String) -> Option<String> {
    reference.starts_with('#').then(|| change(reference))
}

/// Takes properties out of every map that has them.
pub fn drop_properties(schema: &mut Value, names: &[&str]) {
    each_schema(schema, &mut |keywords| {
        if let Some(Value::Object(map)) = keywords.get_mut("properties") {
            map.retain(|name, _| !names.contains(&name.as_str()));
        }
    });
}
