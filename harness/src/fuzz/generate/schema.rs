//! Schemas in the shapes of pydantic, zod, schemars and hand-written servers, with odd and broken ones among them.

use callfit_reference::json::{Number, Object, Value};

use super::{Dice, names, object, odd, reference};
use crate::fuzz::pointer;
use crate::fuzz::tree::{self, Path};

const SCALARS: [&str; 5] = ["integer", "string", "boolean", "number", "null"];
/// Subschemas are nested so deep.
const DEPTH: usize = 4;

/// How often what is made is out of the ordinary: so many times of sixteen.
#[derive(Clone, Copy)]
pub(super) struct Style {
    /// Names that are odd in some way.
    pub names: usize,
    /// Odd and broken schemas.
    pub odd: usize,
    /// References that are none, or lead elsewhere.
    pub broken: usize,
}

impl Style {
    /// As most tools are written.
    pub const PLAIN: Self = Self { names: 3, odd: 0, broken: 1 };
    /// Full of names that a provider does not take.
    pub const NAMES: Self = Self { names: 8, odd: 0, broken: 1 };
    /// As somebody writes a schema who never read of them.
    pub const ODD: Self = Self { names: 3, odd: 6, broken: 1 };
    /// Full of references that are hard to read.
    pub const REFERENCES: Self = Self { names: 6, odd: 1, broken: 7 };
}

/// What subschemas refer to, and how they are made.
pub(super) struct Around {
    /// Pointers to definitions, as tokens.
    pub definitions: Vec<Vec<String>>,
    /// Names of properties of the root.
    pub properties: Vec<&'static str>,
    pub style: Style,
}

/// A root schema of parameters.
pub(super) fn root(dice: &mut Dice<'_, '_>, style: Style) -> Value {
    let count = [0, 1, 1, 2, 2, 3, 4, 5][dice.below(8)];
    let holder: &[&str] = match dice.below(8) {
        0..5 => &["$defs"],
        5 | 6 => &["definitions"],
        _ => &["components", "schemas"],
    };
    let names = names::of_definitions(dice, count, style.names.max(style.broken));
    let count = 1 + dice.below(3);
    let mut around = Around {
        definitions: names
            .iter()
            .map(|name| holder.iter().chain([name]).map(|token| (*token).to_owned()).collect())
            .collect(),
        properties: names::of_properties(dice, count, style.names),
        style,
    };
    // The same name under the old keyword and the new one.
    let twice = holder.len() == 1 && !names.is_empty() && dice.chance(style.names / 4);
    let other = if holder == ["$defs"] { "definitions" } else { "$defs" };
    if twice {
        around.definitions.push(vec![other.to_owned(), names[0].to_owned()]);
    }
    let dense = !around.definitions.is_empty() && dice.chance(2);
    let mut definitions = Object::new();
    for name in &names {
        let definition = match dense {
            true => dense_union(dice, &around),
            false if dice.chance(style.broken / 3) => Value::Bool(dice.chance(8)),
            false => subschema(dice, &around, 1),
        };
        definitions.insert((*name).to_owned(), definition);
    }
    let mut properties = Object::new();
    for name in &around.properties {
        properties.insert((*name).to_owned(), subschema(dice, &around, 1));
    }
    let mut root = Object::new();
    root.insert("type".to_owned(), "object".into());
    root.insert("properties".to_owned(), properties.into());
    require_some(dice, &mut root, &around.properties, style);
    if twice {
        root.insert(other.to_owned(), object([(names[0], scalar(dice, &around))]));
    }
    if !definitions.is_empty() {
        let inner = holder[1..]
            .iter()
            .rev()
            .fold(Value::Object(definitions), |inner, token| object([(token, inner)]));
        root.insert(holder[0].to_owned(), inner);
    }
    if dice.chance(style.odd) {
        odd::root(dice, &around, &mut root);
    }
    if dice.chance(style.broken / 2) {
        root.insert("$id".to_owned(), reference::ADDRESS.into());
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
    let around = Around { definitions, properties: Vec::new(), style: style(dice) };
    let new = subschema(dice, &around, 2);
    tree::replaced(schema, at, new)
}

/// A style: plain for the most part.
pub(super) fn style(dice: &mut Dice<'_, '_>) -> Style {
    match dice.below(16) {
        0..8 => Style::PLAIN,
        8..12 => Style::NAMES,
        12..14 => Style::ODD,
        _ => Style::REFERENCES,
    }
}

/// Lists of names: those that must be there, and those that must be where another is. Some names in them no property has.
fn require_some(dice: &mut Dice<'_, '_>, schema: &mut Object, names: &[&str], style: Style) {
    let mut required: Vec<Value> =
        names.iter().filter(|_| dice.chance(6)).map(|name| (*name).into()).collect();
    if dice.chance(style.names / 4) {
        required.push(names::of_another(dice).into());
    }
    if !required.is_empty() {
        schema.insert("required".to_owned(), required.into());
    }
    if dice.chance(style.names / 4)
        && let [first, .., last] = names
    {
        let dependent = object([(first, vec![(*last).into()].into())]);
        schema.insert("dependentRequired".to_owned(), dependent);
    }
}

fn subschema(dice: &mut Dice<'_, '_>, around: &Around, depth: usize) -> Value {
    if dice.chance(around.style.odd) {
        return odd::schema(dice, around);
    }
    if depth >= DEPTH {
        return scalar(dice, around);
    }
    match dice.below(64) {
        0..11 => scalar(dice, around),
        11..20 if dice.chance(around.style.broken / 3) => beside_reference(dice, around),
        11..20 => object([("$ref", reference::any(dice, around).into())]),
        20..26 => nullable(dice, around, depth),
        26..32 => union(dice, around, depth),
        32..38 => list(dice, around, depth),
        38..46 => properties(dice, around, depth),
        46..49 => map(dice, around, depth),
        49..52 => tuple(dice, around, depth),
        52..54 => enumeration(dice),
        54..56 => all_of(dice, around, depth),
        56..58 => type_list(dice),
        58..60 => beside_reference(dice, around),
        60 => tagged(dice, around, depth),
        61 | 62 => joined(dice, around, depth),
        _ => odd::schema(dice, around),
    }
}

fn scalar(dice: &mut Dice<'_, '_>, around: &Around) -> Value {
    let mut schema = object([("type", dice.pick(&SCALARS).into())]);
    if dice.chance(2)
        && let Value::Object(keywords) = &mut schema
    {
        let (keyword, value) = match dice.below(6) {
            0 => ("description", "what it is".into()),
            1 | 2 => ("default", odd::literal(dice, around)),
            3 => ("examples", vec![odd::literal(dice, around)].into()),
            _ => ("minimum", Value::from(10)),
        };
        keywords.insert(keyword.to_owned(), value);
    }
    schema
}

fn nullable(dice: &mut Dice<'_, '_>, around: &Around, depth: usize) -> Value {
    let inner = subschema(dice, around, depth + 1);
    let null = object([("type", "null".into())]);
    let branches = if dice.chance(4) { vec![null, inner] } else { vec![inner, null] };
    object([(if dice.chance(3) { "oneOf" } else { "anyOf" }, branches.into())])
}

fn union(dice: &mut Dice<'_, '_>, around: &Around, depth: usize) -> Value {
    let count = 2 + dice.below(3);
    let branches: Vec<Value> = (0..count).map(|_| subschema(dice, around, depth + 1)).collect();
    object([(if dice.chance(5) { "oneOf" } else { "anyOf" }, branches.into())])
}

/// Every definition a union of all of them, as recursive types of programming languages become.
fn dense_union(dice: &mut Dice<'_, '_>, around: &Around) -> Value {
    let branch = |tokens: &Vec<String>| {
        object([("$ref", Value::from(pointer::spelled(tokens, pointer::Spelling::Plain)))])
    };
    let mut branches: Vec<Value> = around.definitions.iter().map(branch).collect();
    if dice.chance(8) {
        branches.push(scalar(dice, around));
    }
    object([("anyOf", branches.into())])
}

fn list(dice: &mut Dice<'_, '_>, around: &Around, depth: usize) -> Value {
    object([("type", "array".into()), ("items", subschema(dice, around, depth + 1))])
}

fn properties(dice: &mut Dice<'_, '_>, around: &Around, depth: usize) -> Value {
    let count = 1 + dice.below(2);
    let names = names::of_properties(dice, count, around.style.names);
    let mut map = Object::new();
    for name in &names {
        map.insert((*name).to_owned(), subschema(dice, around, depth + 1));
    }
    let mut schema = Object::new();
    if !dice.chance(2) {
        schema.insert("type".to_owned(), "object".into());
    }
    schema.insert("properties".to_owned(), map.into());
    require_some(dice, &mut schema, &names, around.style);
    if dice.chance(3) {
        schema.insert("additionalProperties".to_owned(), Value::Bool(false));
    }
    if dice.chance(around.style.names / 4) {
        let inner = object([("Inner", scalar(dice, around))]);
        schema.insert("definitions".to_owned(), inner);
    }
    Value::Object(schema)
}

/// Objects that a constant tells apart.
fn tagged(dice: &mut Dice<'_, '_>, around: &Around, depth: usize) -> Value {
    let branches: Vec<Value> = ["a", "b", "c"][..2 + dice.below(2)]
        .iter()
        .map(|tag| {
            let mut branch = properties(dice, around, depth + 1);
            if let Value::Object(keywords) = &mut branch
                && let Some(Value::Object(map)) = keywords.get_mut("properties")
            {
                map.insert("kind".to_owned(), object([("const", (*tag).into())]));
            }
            branch
        })
        .collect();
    object([(if dice.chance(8) { "oneOf" } else { "anyOf" }, branches.into())])
}

/// An object that more than one schema describes.
fn joined(dice: &mut Dice<'_, '_>, around: &Around, depth: usize) -> Value {
    let mut schema = properties(dice, around, depth + 1);
    let part = |dice: &mut Dice<'_, '_>| properties(dice, around, depth + 1);
    if let Value::Object(keywords) = &mut schema {
        let (keyword, value) = match dice.below(8) {
            0 | 1 => ("allOf", vec![part(dice)].into()),
            2 => ("anyOf", vec![part(dice), part(dice)].into()),
            3 | 4 => ("then", part(dice)),
            5 => ("else", part(dice)),
            6 => ("not", part(dice)),
            // What stands here says which of the others there must be.
            _ => ("allOf", vec![Value::Object(std::mem::take(keywords))].into()),
        };
        let names: Vec<Value> = match &value {
            Value::Array(parts) => parts
                .first()
                .and_then(|part| part.get("properties")?.as_object())
                .map(|map| map.keys().map(|name| name.as_str().into()).collect())
                .unwrap_or_default(),
            _ => Vec::new(),
        };
        if !names.is_empty() && dice.chance(8) {
            keywords.insert("required".to_owned(), names.into());
        }
        keywords.insert(keyword.to_owned(), value);
    }
    schema
}

fn map(dice: &mut Dice<'_, '_>, around: &Around, depth: usize) -> Value {
    let inner = if dice.chance(2) {
        properties(dice, around, depth + 1)
    } else {
        subschema(dice, around, depth + 1)
    };
    if dice.chance(7) {
        let patterns = object([(dice.pick(&["^n", "^[a-z]+$", "d$", "n", "^(n+)+"]), inner)]);
        return object([("type", "object".into()), ("patternProperties", patterns)]);
    }
    object([("type", "object".into()), ("additionalProperties", inner)])
}

fn tuple(dice: &mut Dice<'_, '_>, around: &Around, depth: usize) -> Value {
    let mut elements: Vec<Value> =
        (0..=dice.below(2)).map(|_| subschema(dice, around, depth + 1)).collect();
    if dice.chance(2) {
        elements.push(properties(dice, around, depth + 1));
    }
    if dice.chance(4) {
        return object([("type", "array".into()), ("items", elements.into())]);
    }
    let mut tuple = Object::new();
    tuple.insert("type".to_owned(), "array".into());
    tuple.insert("prefixItems".to_owned(), elements.into());
    if dice.chance(8) {
        tuple.insert("items".to_owned(), scalar(dice, around));
    }
    tuple.into()
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

fn all_of(dice: &mut Dice<'_, '_>, around: &Around, depth: usize) -> Value {
    let mut parts = vec![object([("$ref", reference::any(dice, around).into())])];
    if dice.chance(6) {
        parts.push(subschema(dice, around, depth + 1));
    }
    object([("allOf", parts.into()), ("description", "as pydantic v1 writes it".into())])
}

fn type_list(dice: &mut Dice<'_, '_>) -> Value {
    let first = dice.below(SCALARS.len());
    let second = (first + 1 + dice.below(SCALARS.len() - 1)) % SCALARS.len();
    object([("type", vec![SCALARS[first].into(), SCALARS[second].into()].into())])
}

fn beside_reference(dice: &mut Dice<'_, '_>, around: &Around) -> Value {
    let target = Value::from(reference::any(dice, around));
    let (keyword, value) = match dice.below(6) {
        0 => ("description", "how many".into()),
        1 => ("default", odd::literal(dice, around)),
        2 | 5 => ("type", dice.pick(&SCALARS).into()),
        3 => ("nullable", Value::Bool(true)),
        _ => ("title", "Title".into()),
    };
    object([("$ref", target), (keyword, value)])
}
