//! Odd and broken schemas, as people write them by hand and exporters by mistake.

use callfit_reference::json::{Number, Object, Value, parse};

use super::schema::Around;
use super::{Dice, object, reference};

/// Schemas that are read, ignored or half ignored, in JSON. Most would convert a text if they were not odd.
const FORMS: [&str; 30] = [
    "true",
    "false",
    "{}",
    r#"{"type":"Date"}"#,
    r#"{"type":5}"#,
    r#"{"type":{}}"#,
    r#"{"type":{"type":"integer"}}"#,
    r#"{"type":"int"}"#,
    r#"{"type":"Integer"}"#,
    r#"{"type":"float"}"#,
    r#"{"type":"bool"}"#,
    r#"{"type":["integer",5,"null"]}"#,
    r#"{"anyOf":[]}"#,
    r#"{"type":"integer","anyOf":{}}"#,
    r#"{"type":"integer","allOf":"A"}"#,
    r#"{"type":"integer","enum":[]}"#,
    r#"{"type":"integer","enum":"5"}"#,
    r#"{"type":"integer","required":true}"#,
    r#"{"type":"integer","nullable":false}"#,
    r#"{"type":"integer","nullable":true}"#,
    r#"{"type":"object","properties":[]}"#,
    r#"{"type":"object","properties":{"n":{"type":"integer"}},"required":"n"}"#,
    r#"{"type":"object","properties":{"n":{"type":"integer","required":true}}}"#,
    r#"{"type":"array","items":5}"#,
    r#"{"format":"int32"}"#,
    r#"{"type":"string","format":"int64"}"#,
    r#"{"type":"integer","minimum":10}"#,
    r#"{"type":"integer","$ref":5}"#,
    r#"{"type":["integer","string"],"anyOf":[{"type":"integer"},{"type":"boolean"}]}"#,
    r#"{"type":"object","patternProperties":{"(":{"type":"integer"},"^(n+)+$":{"type":"integer"}}}"#,
];

/// Values of `default` and its kin that look like schemas, or that a double does not hold.
const LITERALS: [&str; 10] = [
    "null",
    r#"{"first name":"Ada"}"#,
    r#"{"properties":{"first name":{"type":"string"}}}"#,
    r#"{"definitions":{"A":{}}}"#,
    "9007199254740993",
    "[12345678901234567890]",
    "1e400",
    "0.30000000000000004",
    r##"[{"$ref":"#"}]"##,
    r#""5""#,
];

/// An odd schema.
pub(super) fn schema(dice: &mut Dice<'_, '_>, around: &Around) -> Value {
    match dice.below(FORMS.len() + 2) {
        0 => object([("$dynamicRef", reference::any(dice, around).into())]),
        1 => object([("$recursiveRef", "#".into()), ("type", "integer".into())]),
        at => parse(FORMS[at - 2]).unwrap_or_default(),
    }
}

/// A literal value.
pub(super) fn literal(dice: &mut Dice<'_, '_>, around: &Around) -> Value {
    if dice.chance(3) {
        return object([("$ref", reference::any(dice, around).into())]);
    }
    parse(dice.pick(&LITERALS)).unwrap_or_default()
}

/// Odd things put into a root schema: a type that is not said, arguments that are described elsewhere.
pub(super) fn root(dice: &mut Dice<'_, '_>, around: &Around, root: &mut Object) {
    match dice.below(5) {
        0 => {
            root.shift_remove("type");
        }
        1 => {
            root.insert("default".to_owned(), literal(dice, around));
        }
        // The arguments are described by a definition.
        2 if !around.definitions.is_empty() => {
            let tokens = [around.definitions[0][0].clone(), "Arguments".to_owned()];
            let described: Vec<(String, Value)> = ["type", "properties", "required"]
                .iter()
                .filter_map(|keyword| Some(((*keyword).to_owned(), root.shift_remove(*keyword)?)))
                .collect();
            let mut arguments = Object::new();
            arguments.extend(described);
            if let Some(Value::Object(definitions)) = root.get_mut(&tokens[0]) {
                definitions.insert(tokens[1].clone(), arguments.into());
            }
            let reference =
                crate::fuzz::pointer::spelled(&tokens, crate::fuzz::pointer::Spelling::Plain);
            if dice.chance(5) {
                let part = object([("$ref", reference.into())]);
                root.insert("allOf".to_owned(), vec![part].into());
            } else {
                root.insert("$ref".to_owned(), reference.into());
            }
        }
        3 => {
            root.insert("additionalProperties".to_owned(), object([("type", "number".into())]));
        }
        _ => {
            let one = Number::new("1").map_or(Value::Null, Value::Number);
            root.insert("minProperties".to_owned(), one);
        }
    }
}
