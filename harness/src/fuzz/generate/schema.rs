//! Schemas in the shapes of pydantic, zod, schemars and hand-written servers, with odd and broken ones among them.

use callfit_reference::json::{Number, Object, Value};

use super::{Dice, object};
use crate::fuzz::pointer;
use crate::fuzz::tree::{self, Path};

/// Names that definitions have: those of types, and those that a pointer must escape.
const DEFINITIONS: [&str; 12] =
    ["A", "B", "C", "Count", "Item", "Node", "a b", "a/b", "m~n", "50%", "é", "definitions"];
/// Names that properties have.
const PROPERTIES: [&str; 12] = [
    "n",
    "x",
    "id",
    "zip",
    "count",
    "items",
    "value",
    "child",
    "first name",
    "a/b",
    "properties",
    "$ref",
];
const SCALARS: [&str; 5] = ["integer", "string", "boolean", "number", "null"];
/// Subschemas are nested so deep.
const DEPTH: usize = 4;

/// What subschemas refer to.
struct Targets {
    /// Pointers to definitions, as tokens.
    definitions: Vec<Vec<String>>,
    /// Names of properties of the root.
    properties: Vec<&'static str>,
}

/// A root schema of parameters.
pub(super) fn root(dice: &mut Dice<'_, '_>) -> Value {
    let count = [0, 1, 1, 2, 2, 3, 4, 5][dice.below(8)];
    let holder: &[&str] = match dice.below(8) {
        0..5 => &["$defs"],
        5 | 6 => &["definitions"],
        _ => &["components", "schemas"],
    };
    let names = several(dice, &DEFINITIONS, count);
    let count = 1 + dice.below(3);
    let targets = Targets {
        definitions: names
            .iter()
            .map(|name| holder.iter().chain([name]).map(|token| (*token).to_owned()).collect())
            .collect(),
        properties: several(dice, &PROPERTIES, count),
    };
    let dense = !targets.definitions.is_empty() && dice.chance(2);
    let mut definitions = Object::new();
    for name in &names {
        let definition =
            if dense { dense_union(dice, &targets) } else { subschema(dice, &targets, 1) };
        definitions.insert((*name).to_owned(), definition);
    }
    let mut properties = Object::new();
    for name in &targets.properties {
        properties.insert((*name).to_owned(), subschema(dice, &targets, 1));
    }
    let mut root = Object::new();
    root.insert("type".to_owned(), "object".into());
    root.insert("properties".to_owned(), properties.into());
    require_some(dice, &mut root, &targets.properties);
    if !definitions.is_empty() {
        let inner = holder[1..]
            .iter()
            .rev()
            .fold(Value::Object(definitions), |inner, token| object([(token, inner)]));
        root.insert(holder[0].to_owned(), inner);
    }
    Value::Object(root)
}

/// The schema with one subschema changed for another.
pub(super) fn changed(dice: &mut Dice<'_, '_>, schema: &Value) -> Value {
    let places: Vec<Path> = tree::paths(schema)
        .into_iter()
        .filter(|path| tree::at(schema, path).is_some_and(|value| value.as_object().is_some()))
        .collect();
    // A schema may be `true`, or a list: then all of it is changed.
    let (root, place) = (Path::new(), dice.below(places.len()));
    let at = places.get(place).unwrap_or(&root);
    let names = |keyword: &str| {
        let map = schema.get(keyword).and_then(Value::as_object);
        map.map(|map| map.keys().cloned().collect::<Vec<_>>()).unwrap_or_default()
    };
    let mut definitions = Vec::new();
    for keyword in ["$defs", "definitions"] {
        definitions.extend(names(keyword).into_iter().map(|name| vec![keyword.to_owned(), name]));
    }
    definitions
        .extend(names("properties").into_iter().map(|name| vec!["properties".to_owned(), name]));
    let targets = Targets { definitions, properties: Vec::new() };
    let new = subschema(dice, &targets, 2);
    tree::replaced(schema, at, new)
}

fn several(dice: &mut Dice<'_, '_>, names: &[&'static str], count: usize) -> Vec<&'static str> {
    let mut chosen: Vec<&'static str> = Vec::new();
    let first = dice.below(names.len());
    for step in 0..count {
        let name = names[(first + step * 5 + dice.below(2)) % names.len()];
        if !chosen.contains(&name) {
            chosen.push(name);
        }
    }
    chosen
}

fn require_some(dice: &mut Dice<'_, '_>, schema: &mut Object, names: &[&str]) {
    let required: Vec<Value> =
        names.iter().filter(|_| dice.chance(6)).map(|name| (*name).into()).collect();
    if !required.is_empty() {
        schema.insert("required".to_owned(), required.into());
    }
}

fn subschema(dice: &mut Dice<'_, '_>, targets: &Targets, depth: usize) -> Value {
    if depth >= DEPTH {
        return scalar(dice);
    }
    match dice.below(32) {
        0..6 => scalar(dice),
        6..11 => reference(dice, targets),
        11..15 => nullable(dice, targets, depth),
        15..18 => union(dice, targets, depth),
        18..21 => {
            object([("type", "array".into()), ("items", subschema(dice, targets, depth + 1))])
        }
        21..25 => properties(dice, targets, depth),
        25 => map(dice, targets, depth),
        26 => tuple(dice, targets, depth),
        27 => enumeration(dice),
        28 => all_of(dice, targets, depth),
        29 => type_list(dice),
        30 => beside_reference(dice, targets),
        _ => odd(dice),
    }
}

fn scalar(dice: &mut Dice<'_, '_>) -> Value {
    let mut schema = object([("type", dice.pick(&SCALARS).into())]);
    if dice.chance(2)
        && let Value::Object(keywords) = &mut schema
    {
        let (keyword, value) = match dice.below(4) {
            0 => ("description", "what it is".into()),
            1 => ("title", "Title".into()),
            2 => ("default", Value::Null),
            _ => ("minimum", Value::from(0)),
        };
        keywords.insert(keyword.to_owned(), value);
    }
    schema
}

fn reference(dice: &mut Dice<'_, '_>, targets: &Targets) -> Value {
    object([("$ref", Value::from(pointer_to(dice, targets)))])
}

/// A reference: to a definition or through the properties of the root, spelt in any way; now and then one that leads nowhere or elsewhere.
fn pointer_to(dice: &mut Dice<'_, '_>, targets: &Targets) -> String {
    if dice.chance(1) {
        let broken = [
            "#/nowhere",
            "#/$defs/A~2",
            "#anchor",
            "other.json#/A",
            "#/%",
            "#/$defs",
            "#",
            "http://127.0.0.1:9/schema.json",
        ];
        return dice.pick(&broken).to_owned();
    }
    let by_path = targets.definitions.is_empty() || dice.chance(4);
    let tokens: Vec<String> = if by_path && !targets.properties.is_empty() {
        let name = targets.properties[dice.below(targets.properties.len())];
        let rest: &[&str] = match dice.below(6) {
            0..3 => &[],
            3 => &["anyOf", "0"],
            4 => &["items"],
            _ => &["properties", "n"],
        };
        ["properties", name].iter().chain(rest).map(|token| (*token).to_owned()).collect()
    } else if targets.definitions.is_empty() {
        return "#".to_owned();
    } else {
        targets.definitions[dice.below(targets.definitions.len())].clone()
    };
    let spelling = match dice.below(8) {
        0..6 => pointer::Spelling::Plain,
        6 => pointer::Spelling::Percent,
        _ => pointer::Spelling::EveryCharacter,
    };
    pointer::spelled(&tokens, spelling)
}

fn nullable(dice: &mut Dice<'_, '_>, targets: &Targets, depth: usize) -> Value {
    let inner = subschema(dice, targets, depth + 1);
    let null = object([("type", "null".into())]);
    let branches = if dice.chance(4) { vec![null, inner] } else { vec![inner, null] };
    object([(if dice.chance(3) { "oneOf" } else { "anyOf" }, branches.into())])
}

fn union(dice: &mut Dice<'_, '_>, targets: &Targets, depth: usize) -> Value {
    let count = 2 + dice.below(3);
    let branches: Vec<Value> = (0..count).map(|_| subschema(dice, targets, depth + 1)).collect();
    object([(if dice.chance(5) { "oneOf" } else { "anyOf" }, branches.into())])
}

/// Every definition a union of all of them, as recursive types of programming languages become.
fn dense_union(dice: &mut Dice<'_, '_>, targets: &Targets) -> Value {
    let branch = |tokens: &Vec<String>| {
        object([("$ref", Value::from(pointer::spelled(tokens, pointer::Spelling::Plain)))])
    };
    let mut branches: Vec<Value> = targets.definitions.iter().map(branch).collect();
    if dice.chance(8) {
        branches.push(scalar(dice));
    }
    object([("anyOf", branches.into())])
}

fn properties(dice: &mut Dice<'_, '_>, targets: &Targets, depth: usize) -> Value {
    let count = 1 + dice.below(2);
    let names = several(dice, &PROPERTIES, count);
    let mut map = Object::new();
    for name in &names {
        map.insert((*name).to_owned(), subschema(dice, targets, depth + 1));
    }
    let mut schema = Object::new();
    if !dice.chance(2) {
        schema.insert("type".to_owned(), "object".into());
    }
    schema.insert("properties".to_owned(), map.into());
    require_some(dice, &mut schema, &names);
    if dice.chance(3) {
        schema.insert("additionalProperties".to_owned(), Value::Bool(false));
    }
    Value::Object(schema)
}

fn map(dice: &mut Dice<'_, '_>, targets: &Targets, depth: usize) -> Value {
    let inner = subschema(dice, targets, depth + 1);
    if dice.chance(4) {
        let patterns = object([(dice.pick(&["^n", "^[a-z]+$", "d$"]), inner)]);
        return object([("type", "object".into()), ("patternProperties", patterns)]);
    }
    object([("type", "object".into()), ("additionalProperties", inner)])
}

fn tuple(dice: &mut Dice<'_, '_>, targets: &Targets, depth: usize) -> Value {
    let elements: Vec<Value> =
        (0..=dice.below(2)).map(|_| subschema(dice, targets, depth + 1)).collect();
    let keyword = if dice.chance(4) { "items" } else { "prefixItems" };
    object([("type", "array".into()), (keyword, elements.into())])
}

fn enumeration(dice: &mut Dice<'_, '_>) -> Value {
    let number = |text: &str| Number::new(text).map_or(Value::Null, Value::Number);
    let members: Vec<Value> = match dice.below(4) {
        0 => vec!["red".into(), "green".into()],
        1 => vec![number("1"), number("2")],
        2 => vec!["5".into(), number("5"), Value::Null],
        _ => vec![Value::Bool(true), "true".into()],
    };
    match dice.below(4) {
        0 => object([("const", members[0].clone())]),
        1 => object([("type", members[0].kind().into()), ("enum", members.into())]),
        _ => object([("enum", members.into())]),
    }
}

fn all_of(dice: &mut Dice<'_, '_>, targets: &Targets, depth: usize) -> Value {
    let mut parts = vec![reference(dice, targets)];
    if dice.chance(6) {
        parts.push(subschema(dice, targets, depth + 1));
    }
    object([("allOf", parts.into()), ("description", "as pydantic v1 writes it".into())])
}

fn type_list(dice: &mut Dice<'_, '_>) -> Value {
    let first = dice.below(SCALARS.len());
    let second = (first + 1 + dice.below(SCALARS.len() - 1)) % SCALARS.len();
    object([("type", vec![SCALARS[first].into(), SCALARS[second].into()].into())])
}

fn beside_reference(dice: &mut Dice<'_, '_>, targets: &Targets) -> Value {
    let target = Value::from(pointer_to(dice, targets));
    let (keyword, value) = match dice.below(5) {
        0 => ("description", "how many".into()),
        1 => ("default", Value::Null),
        2 => ("type", dice.pick(&SCALARS).into()),
        3 => ("nullable", Value::Bool(true)),
        _ => ("title", "Title".into()),
    };
    object([("$ref", target), (keyword, value)])
}

fn odd(dice: &mut Dice<'_, '_>) -> Value {
    match dice.below(6) {
        0 => Value::Bool(true),
        1 => object([]),
        2 => object([("type", "Date".into())]),
        3 => object([("type", Value::from(5))]),
        4 => object([("anyOf", Vec::new().into())]),
        _ => object([("type", "integer".into()), ("nullable", Value::Bool(true))]),
    }
}
