//! The subschemas for what is inside a container: clause `positions`.

use callfit_reference::json::Value;
use jsonschema::Draft;
use serde_json::json;

use super::document::Document;
use super::node::Node;

/// A match costs as much as so many steps.
const STEPS_A_MATCH: usize = 500;

/// The subschemas that a node has for a member of an object.
pub(super) fn of_key<'a>(
    document: &Document<'_>,
    node: &Node<'a>,
    key: &str,
) -> Option<Vec<&'a Value>> {
    let mut found = Vec::new();
    for (name, schema) in node.map("properties") {
        if name == key {
            found.push(schema);
        }
    }
    for (pattern, schema) in node.map("patternProperties") {
        document.spend(STEPS_A_MATCH)?;
        if matches(pattern, key)? {
            found.push(schema);
        }
    }
    if found.is_empty() {
        found.extend(node.keyword("additionalProperties"));
    }
    Some(found)
}

/// The subschema that a node has for an element of an array.
pub(super) fn of_index<'a>(node: &Node<'a>, index: usize) -> Option<&'a Value> {
    let prefix = node.keyword("prefixItems").and_then(Value::as_array);
    if let Some(schema) = prefix.and_then(|prefix| prefix.get(index)) {
        return Some(schema);
    }
    match node.keyword("items")? {
        Value::Array(_) if prefix.is_some() => None,
        Value::Array(tuple) => tuple.get(index).or_else(|| node.keyword("additionalItems")),
        schema => Some(schema),
    }
}

/// Whether a pattern matches a key; a pattern that cannot be read counts as absent. `None` for what readers of patterns differ on.
fn matches(pattern: &str, key: &str) -> Option<bool> {
    if is_doubtful(pattern) {
        return None;
    }
    let schema = json!({ "pattern": pattern });
    let validator = jsonschema::options().with_draft(Draft::Draft202012).build(&schema);
    Some(validator.is_ok_and(|validator| validator.is_valid(&json!(key))))
}

/// Whether a pattern holds more than characters, classes, groups, alternatives and simple repetitions.
fn is_doubtful(pattern: &str) -> bool {
    let plain = pattern.replace("(?:", "(");
    let known_escape = |rest: &str| {
        rest.starts_with(['d', 'D', 'w', 'W'])
            || rest.starts_with(|c: char| c.is_ascii_punctuation())
    };
    plain.contains("(?")
        || ["{", "[[", "&&", "--", "~~"].iter().any(|sign| plain.contains(sign))
        || plain.split('\\').skip(1).any(|rest| !rest.is_empty() && !known_escape(rest))
}
