//! Damage: what models do to arguments that were right.

use callfit_reference::json::{Object, Value};

use super::arguments::number;
use super::{Dice, names, object};
use crate::fuzz::tree::{self, Path};

/// The arguments with so many places damaged: mostly one, sometimes none or several.
pub(super) fn some(dice: &mut Dice<'_, '_>, arguments: Value) -> Value {
    let count = [1, 1, 1, 2, 2, 3, 0, 5][dice.below(8)];
    let mut damaged = arguments;
    for _ in 0..count {
        damaged = one(dice, &damaged);
    }
    damaged
}

fn one(dice: &mut Dice<'_, '_>, arguments: &Value) -> Value {
    let mut places = tree::paths(arguments);
    if places.len() > 1 && !dice.chance(1) {
        // The whole is damaged only now and then.
        places.remove(0);
    }
    let at = &places[dice.below(places.len())];
    let Some(value) = tree::at(arguments, at) else { return arguments.clone() };
    match dice.below(24) {
        0..11 => tree::replaced(arguments, at, as_text(value)),
        11 => tree::replaced(arguments, at, as_text(&Value::from(value.to_string()))),
        12 => tree::replaced(arguments, at, python(value).into()),
        13 => tree::replaced(
            arguments,
            at,
            (value.to_string() + dice.pick(&[" ", ",", "}", " ok"])).into(),
        ),
        14 => tree::replaced(arguments, at, Value::Null),
        15 => tree::replaced(
            arguments,
            at,
            dice.pick(&["", " ", "null", "None", "undefined", "NaN", "true", "50%"]).into(),
        ),
        16 => tree::replaced(arguments, at, vec![value.clone()].into()),
        17 => tree::replaced(arguments, at, unwrapped(value)),
        18 => tree::replaced(arguments, at, object([("item", value.clone())])),
        19 => tree::replaced(arguments, at, odd_number(dice, value)),
        20 => tree::without(arguments, at),
        21 => renamed(dice, arguments, at),
        22 => tree::replaced(arguments, at, other_kind(dice)),
        _ => tree::replaced(arguments, at, spelled_otherwise(dice, value)),
    }
}

/// The JSON text of a value; a string stays without its quotes.
fn as_text(value: &Value) -> Value {
    match value {
        Value::String(_) => value.clone(),
        other => other.to_string().into(),
    }
}

fn python(value: &Value) -> String {
    match value {
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Null => "None".to_owned(),
        other => other.to_string().replace('"', "'"),
    }
}

fn unwrapped(value: &Value) -> Value {
    let first = match value {
        Value::Array(elements) => elements.first(),
        Value::Object(members) => members.values().next(),
        _ => None,
    };
    first.unwrap_or(value).clone()
}

fn odd_number(dice: &mut Dice<'_, '_>, value: &Value) -> Value {
    if let Value::Number(whole) = value
        && whole.as_str().bytes().all(|byte| byte.is_ascii_digit())
        && dice.chance(8)
    {
        return number(&format!("{}.5", whole.as_str()));
    }
    let text = dice.pick(&[
        "9007199254740993",
        "18446744073709551617",
        "1e400",
        "-0",
        "3.0",
        "12345678901234567890123",
        "0.10",
        "1E2",
        "3.7",
        "1e-400",
        "0.30000000000000004",
    ]);
    if dice.chance(10) { text.into() } else { number(text) }
}

fn other_kind(dice: &mut Dice<'_, '_>) -> Value {
    match dice.below(6) {
        0 => Value::from(5),
        1 => Value::Bool(true),
        2 => Vec::new().into(),
        3 => Object::new().into(),
        4 => object([("a", "5".into())]),
        _ => vec!["5".into(), "x".into()].into(),
    }
}

/// Text that says the same to a reader, or nearly.
fn spelled_otherwise(dice: &mut Dice<'_, '_>, value: &Value) -> Value {
    let text = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    match dice.below(9) {
        0 => format!("0{text}"),
        1 => format!("+{text}"),
        2 => format!(" {text} "),
        3 => format!("{text}.0"),
        4 => text.to_uppercase(),
        5 => format!("{text}%"),
        6 => format!("{text}.5"),
        // Cut off before the end.
        7 => text.chars().take(text.chars().count().saturating_sub(1)).collect(),
        _ => format!("\"{text}\""),
    }
    .into()
}

fn capitalized(key: &str) -> String {
    let mut characters = key.chars();
    let first = characters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(characters).collect()
}

/// A key in another spelling.
fn renamed(dice: &mut Dice<'_, '_>, arguments: &Value, at: &Path) -> Value {
    let (Some(tree::Step::Key(key)), Some(value)) = (at.last(), tree::at(arguments, at)) else {
        return arguments.clone();
    };
    let new = match dice.below(8) {
        0 => key.to_uppercase(),
        1 => capitalized(key),
        2 | 3 => names::legal(key),
        // As like the key that it has as that one's own name.
        4 => key.replace(['_', ' ', '/', '$'], "@"),
        5 => format!("{key}_"),
        6 => format!(" {key}"),
        _ => "__proto__".to_owned(),
    };
    let value = if dice.chance(8) { as_text(value) } else { value.clone() };
    let parent = &at[..at.len() - 1];
    let Some(Value::Object(members)) = tree::at(arguments, parent) else {
        return arguments.clone();
    };
    let mut members = members.clone();
    members.shift_remove(key.as_str());
    members.insert(new, value);
    tree::replaced(arguments, parent, members.into())
}
