//! What the reference makes of a schema, changed: the forms that faults of sanitizing take.

use callfit_reference::json::{Object, Value, parse};
use callfit_reference::{Policies, is_legal_name, sanitize};

use super::laws::number_of;
use super::walk::{each_pair, each_schema};

/// What the reference makes of a schema.
pub fn right(schema: &Value) -> Value {
    sanitize(schema, &Policies::default())
}

/// What the reference makes of a schema, changed schema by schema.
pub fn patched(schema: &Value, change: &mut dyn FnMut(&Object, &mut Object)) -> Value {
    let mut sanitized = right(schema);
    each_pair(schema, &mut sanitized, change);
    sanitized
}

/// What the reference makes of a schema if it took some illegal names for legal ones.
pub fn passing(schema: &Value, passes: impl Fn(&str) -> bool) -> Value {
    let mut names = Vec::new();
    each_schema(&mut schema.clone(), &mut |keywords| names.extend(keys(keywords, "properties")));
    names.retain(|name| !is_legal_name(name) && passes(name));
    // While the reference works, each has another name that is legal.
    let names: Vec<(String, String)> = names
        .iter()
        .enumerate()
        .map(|(at, name)| (Value::from(name.as_str()).to_string(), format!("\"hidden-{at}\"")))
        .collect();
    let hidden = names.iter().fold(schema.to_string(), |text, (name, stand_in)| {
        text.replace(&format!("{name}:"), &format!("{stand_in}:"))
            .replace(&format!("{name},"), &format!("{stand_in},"))
            .replace(&format!("{name}]"), &format!("{stand_in}]"))
    });
    let sanitized = parse(&hidden).map_or_else(|_| right(schema), |hidden| right(&hidden));
    let shown = |text: String, (name, stand_in): &(String, String)| text.replace(stand_in, name);
    parse(&names.iter().fold(sanitized.to_string(), shown)).unwrap_or_default()
}

/// What the reference makes of a schema, without some of the properties that it renamed.
pub fn without_properties(schema: &Value, is_dropped: fn(&str, &str) -> bool) -> Value {
    patched(schema, &mut |original, keywords| {
        let old = keys(original, "properties");
        if let Some(Value::Object(map)) = keywords.get_mut("properties") {
            let mut old = old.into_iter();
            map.retain(|new, _| old.next().is_none_or(|old| old == *new || !is_dropped(&old, new)));
        }
    })
}

/// What the reference makes of a schema, but for the value of a keyword.
pub fn as_it_was(schema: &Value, keyword: &str) -> Value {
    patched(schema, &mut |original, keywords| {
        if let Some(value) = original.get(keyword) {
            keywords.insert(keyword.to_owned(), value.clone());
        }
    })
}

/// What the reference makes of a schema, but `definitions` below the root stays if it is to wait.
pub fn nested_definitions_stay(schema: &Value, waits: bool) -> Value {
    let mut sanitized = right(schema);
    let root = schema.as_object();
    each_pair(schema, &mut sanitized, &mut |original, keywords| {
        let nested =
            root.is_some_and(|root| root.get("definitions") != original.get("definitions"));
        if waits
            && nested
            && original.contains_key("definitions")
            && !original.contains_key("$defs")
        {
            rename_key(keywords, "$defs", "definitions");
        }
    });
    sanitized
}

/// Takes every number through a double.
pub fn round(value: &mut Value) {
    match value {
        Value::Number(number) => *value = number_of(&number.to_f64().to_string()),
        Value::Array(elements) => elements.iter_mut().for_each(round),
        Value::Object(members) => members.values_mut().for_each(round),
        _ => {}
    }
}

pub fn keys(keywords: &Object, map: &str) -> Vec<String> {
    let map = keywords.get(map).and_then(Value::as_object);
    map.into_iter().flat_map(|map| map.keys().cloned()).collect()
}

pub fn rename(keywords: &mut Object, map: &str, new: impl Fn(&str) -> String) {
    if let Some(Value::Object(map)) = keywords.get_mut(map) {
        let members = std::mem::take(map).into_map().into_iter();
        *map = members.map(|(name, value)| (new(&name), value)).collect();
    }
}

pub fn rename_key(keywords: &mut Object, old: &str, new: &str) {
    let members = std::mem::take(keywords).into_map().into_iter();
    let renamed = |key: String| if key == old { new.to_owned() } else { key };
    *keywords = members.map(|(key, value)| (renamed(key), value)).collect();
}

pub fn moved(name: &str) -> String {
    if name == "definitions" { "$defs".to_owned() } else { name.to_owned() }
}

pub fn is_plain(character: char) -> bool {
    character.is_ascii_alphanumeric() || "_.-".contains(character)
}

pub fn plain(name: &str) -> String {
    name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect()
}
