//! Arguments that are valid by a schema, as far as a walk through it can tell.

use callfit_reference::json::{Number, Object, Value};
use callfit_reference::{Coercer, Names, Policies, resolve};

use super::{Dice, names};

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
const INTEGERS: [&str; 9] =
    ["5", "0", "1", "-7", "42", "9007199254740993", "18446744073709551616", "3", "5.0"];
const NUMBERS: [&str; 10] = [
    "1.5",
    "5",
    "0.1",
    "-2.50",
    "1e3",
    "9007199254740993",
    "1e400",
    "0",
    "1e-400",
    "0.30000000000000004",
];

/// Arguments for the whole schema.
pub(super) fn valid(dice: &mut Dice<'_, '_>, root: &Value) -> Value {
    match value(dice, root, root, 0) {
        arguments @ Value::Object(_) => arguments,
        _ => Object::new().into(),
    }
}

/// The same arguments under the names that a provider is shown.
pub(super) fn provided(schema: &Value, arguments: Value) -> Value {
    let names = Names::of(schema, &Policies::default());
    if names.is_empty() {
        return arguments;
    }
    Coercer::with_names(schema, Policies::default(), &names).provide(arguments)
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
        && !dice.chance(1)
    {
        return members[dice.below(members.len())].clone();
    }
    let joined = if depth < DEPTH { joined(dice, keywords) } else { Vec::new() };
    let says_nothing = ["type", "properties", "items"].iter().all(|it| keywords.get(it).is_none());
    let mut joined = joined.into_iter();
    let made = match if says_nothing { joined.next() } else { None } {
        Some(branch) => value(dice, root, branch, depth + 1),
        None => own(dice, root, keywords, depth),
    };
    let Value::Object(mut members) = made else { return made };
    for schema in joined {
        if let Value::Object(more) = value(dice, root, schema, depth + 1) {
            for (name, value) in more.into_map() {
                members.entry(name).or_insert(value);
            }
        }
    }
    members.into()
}

/// The schemas that describe the same value: one branch of each union, and all of the others.
fn joined<'v>(dice: &mut Dice<'_, '_>, keywords: &'v Value) -> Vec<&'v Value> {
    let mut found = Vec::new();
    for union in ["anyOf", "oneOf"] {
        if let Some(branches) = keywords.get(union).and_then(Value::as_array)
            && !branches.is_empty()
        {
            found.push(&branches[dice.below(branches.len())]);
        }
    }
    let parts = keywords.get("allOf").and_then(Value::as_array);
    found.extend(parts.into_iter().flat_map(|parts| parts.iter()));
    found.extend(["then", "else", "not"].iter().filter_map(|keyword| keywords.get(keyword)));
    found
}

fn own(dice: &mut Dice<'_, '_>, root: &Value, keywords: &Value, depth: usize) -> Value {
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
        _ if keywords.get("nullable").is_some() && dice.chance(8) => Value::Null,
        "integer" => number(dice.pick(&INTEGERS)),
        "number" => number(dice.pick(&NUMBERS)),
        "boolean" => Value::Bool(dice.chance(8)),
        "null" => Value::Null,
        "object" => object(dice, root, keywords, depth),
        "array" => array(dice, root, keywords, depth),
        // A column may be called what a parameter is called.
        _ if dice.chance(1) => names::shown(dice, root).into(),
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
            if is_required || !dice.chance(if depth == 0 { 2 } else { 5 }) {
                members.insert(name.clone(), value(dice, root, schema, depth + 1));
            }
        }
    }
    let others = keywords.get("additionalProperties").filter(|others| others.as_object().is_some());
    if let Some(schema) = others {
        let name = if dice.chance(6) { names::shown(dice, root) } else { "key".to_owned() };
        members.entry(name).or_insert(value(dice, root, schema, depth + 1));
    }
    let patterns = keywords.get("patternProperties").and_then(Value::as_object);
    for schema in patterns.into_iter().flat_map(|map| map.values()) {
        members.insert("nd".to_owned(), value(dice, root, schema, depth + 1));
    }
    if dice.chance(1) {
        members.entry(names::shown(dice, root)).or_insert("5".into());
    }
    members.into()
}

fn array(dice: &mut Dice<'_, '_>, root: &Value, keywords: &Value, depth: usize) -> Value {
    if depth > DEPTH {
        return Vec::new().into();
    }
    let tuple = ["prefixItems", "items"].iter().find_map(|list| keywords.get(list)?.as_array());
    if let Some(tuple) = tuple {
        let rest = keywords.get("items").filter(|_| keywords.get("prefixItems").is_some());
        let schemas = tuple.iter().chain(rest);
        return schemas
            .map(|schema| value(dice, root, schema, depth + 1))
            .collect::<Vec<_>>()
            .into();
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
