//! Arguments that are valid by a schema, as far as a walk through it can tell.

use callfit_reference::json::{Number, Object, Value};
use callfit_reference::{Policies, resolve};

use super::Dice;

/// Values are nested so deep.
const DEPTH: usize = 6;

/// Strings as they are, many of which look like something else.
const STRINGS: [&str; 16] = [
    "5",
    "text",
    "true",
    "null",
    "02134",
    "[1, 2]",
    "{\"a\": 1}",
    "",
    "3.0",
    "None",
    "9007199254740993",
    "a,b",
    " 5 ",
    "1e3",
    "red",
    "é",
];
const INTEGERS: [&str; 8] =
    ["5", "0", "1", "-7", "42", "9007199254740993", "18446744073709551616", "3"];
const NUMBERS: [&str; 8] = ["1.5", "5", "0.1", "-2.50", "1e3", "9007199254740993", "1e400", "0"];

/// Arguments for the whole schema.
pub(super) fn valid(dice: &mut Dice<'_, '_>, root: &Value) -> Value {
    match value(dice, root, root, 0) {
        arguments @ Value::Object(_) => arguments,
        _ => Object::new().into(),
    }
}

fn value(dice: &mut Dice<'_, '_>, root: &Value, schema: &Value, depth: usize) -> Value {
    let resolved;
    let mut keywords = schema;
    if schema.get("$ref").is_some() {
        resolved = resolve(root, schema, &Policies::default());
        keywords = &resolved;
    }
    if let Some(value) = keywords.get("const") {
        return value.clone();
    }
    if let Some(members) = keywords.get("enum").and_then(Value::as_array)
        && !members.is_empty()
    {
        return members[dice.below(members.len())].clone();
    }
    for union in ["anyOf", "oneOf"] {
        if let Some(branches) = keywords.get(union).and_then(Value::as_array)
            && !branches.is_empty()
            && depth < DEPTH
        {
            let branch = &branches[dice.below(branches.len())];
            return value(dice, root, branch, depth + 1);
        }
    }
    if let Some(first) =
        keywords.get("allOf").and_then(Value::as_array).and_then(|parts| parts.first())
        && depth < DEPTH
    {
        return value(dice, root, first, depth + 1);
    }
    let kind = match keywords.get("type") {
        Some(Value::String(kind)) => kind.as_str(),
        Some(Value::Array(kinds)) if !kinds.is_empty() => {
            kinds[dice.below(kinds.len())].as_str().unwrap_or("string")
        }
        _ if keywords.get("properties").is_some() => "object",
        _ if keywords.get("items").is_some() => "array",
        _ => "string",
    };
    match kind {
        "integer" => number(dice.pick(&INTEGERS)),
        "number" => number(dice.pick(&NUMBERS)),
        "boolean" => Value::Bool(dice.chance(8)),
        "null" => Value::Null,
        "object" => object(dice, root, keywords, depth),
        "array" => array(dice, root, keywords, depth),
        _ => dice.pick(&STRINGS).into(),
    }
}

fn object(dice: &mut Dice<'_, '_>, root: &Value, keywords: &Value, depth: usize) -> Value {
    let mut members = Object::new();
    if depth > DEPTH {
        return members.into();
    }
    if let Some(properties) = keywords.get("properties").and_then(Value::as_object) {
        let required = keywords.get("required").and_then(Value::as_array);
        for (name, schema) in properties.iter() {
            let is_required = required
                .is_some_and(|names| names.iter().any(|other| other.as_str() == Some(name)));
            if is_required || depth == 0 || !dice.chance(5) {
                members.insert(name.clone(), value(dice, root, schema, depth + 1));
            }
        }
    }
    let others = keywords.get("additionalProperties").filter(|others| others.as_object().is_some());
    let patterns = keywords.get("patternProperties").and_then(Value::as_object);
    for (name, schema) in others
        .map(|schema| ("key", schema))
        .into_iter()
        .chain(patterns.into_iter().flat_map(|map| map.values().map(|schema| ("nd", schema))))
    {
        members.insert(name.to_owned(), value(dice, root, schema, depth + 1));
    }
    members.into()
}

fn array(dice: &mut Dice<'_, '_>, root: &Value, keywords: &Value, depth: usize) -> Value {
    if depth > DEPTH {
        return Vec::new().into();
    }
    let tuple = ["prefixItems", "items"].iter().find_map(|list| keywords.get(list)?.as_array());
    if let Some(tuple) = tuple {
        let elements = tuple.iter().map(|schema| value(dice, root, schema, depth + 1));
        return elements.collect::<Vec<_>>().into();
    }
    let Some(items) = keywords.get("items") else {
        return vec!["5".into()].into();
    };
    let count = [1, 1, 2, 0, 3][dice.below(5)];
    (0..count).map(|_| value(dice, root, items, depth + 1)).collect::<Vec<_>>().into()
}

pub(super) fn number(text: &str) -> Value {
    Number::new(text).map_or(Value::Null, Value::Number)
}
