//! The names that properties have for a provider: SPEC's chapter *Names*.

use std::collections::{BTreeMap, BTreeSet};

use foldhash::{HashMap, HashSet};
use indexmap::IndexMap;

use crate::json::{Object, Value};
use crate::places::Places;
use crate::pointer::walk;
use crate::policy::Policies;

/// The longest name that providers take, in characters.
pub const LONGEST_NAME: usize = 64;

/// Whether providers take a property name: 1 to 64 of `A-Z a-z 0-9 _ . -` (clause `names-legal`).
pub fn is_legal_name(name: &str) -> bool {
    (1..=LONGEST_NAME).contains(&name.len()) && name.chars().all(is_legal)
}

fn is_legal(character: char) -> bool {
    character.is_ascii_alphanumeric() || "_.-".contains(character)
}

/// Which properties of a schema a provider knows under other names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    /// For each `properties` map, by its RFC 6901 tokens: the originals with their new names.
    maps: BTreeMap<Vec<String>, IndexMap<String, String>>,
}

impl Names {
    /// No property has another name.
    pub fn none() -> Self {
        Self::default()
    }

    /// The names that [`sanitize`](crate::sanitize) gives to the properties of `schema`.
    pub fn of(schema: &Value, policies: &Policies) -> Self {
        if !has_illegal_name(schema) {
            return Self::none();
        }
        let places = Places::of(schema, policies);
        let by_place = names_by_place(&places);
        let mut names = Self::none();
        for (id, found) in places.schemas.iter().enumerate() {
            let Some(new) = by_place.get(&places.place(id)) else {
                continue;
            };
            let Some(Value::Object(map)) = found.keywords.get("properties") else {
                continue;
            };
            let renamed: Vec<(&String, &String)> =
                map.keys().filter_map(|name| new.get_key_value(name)).collect();
            if renamed.is_empty() {
                continue;
            }
            let mut tokens = places.tokens(id);
            tokens.push("properties".to_owned());
            for (original, new) in renamed {
                names.insert(tokens.clone(), original, new);
            }
        }
        names
    }

    /// Notes that a property has another name. `map` is the path of its `properties` map in the schema, as RFC 6901 tokens.
    pub fn insert(&mut self, map: Vec<String>, original: &str, new: &str) {
        self.maps.entry(map).or_default().insert(original.to_owned(), new.to_owned());
    }

    /// Whether no property has another name.
    pub fn is_empty(&self) -> bool {
        self.maps.is_empty()
    }

    /// The new name of a property, if it has one.
    pub fn get(&self, map: &[String], original: &str) -> Option<&str> {
        self.maps.get(map)?.get(original).map(String::as_str)
    }

    /// Every `properties` map with renamed properties: its path, and the originals with their new names.
    pub fn iter(&self) -> impl Iterator<Item = (&[String], &IndexMap<String, String>)> {
        self.maps.iter().map(|(map, names)| (map.as_slice(), names))
    }

    /// The `properties` maps of a schema that have renamed properties, each with the originals and their new names.
    pub(crate) fn in_schema<'a>(
        &'a self,
        schema: &'a Value,
    ) -> HashMap<*const Object, &'a IndexMap<String, String>> {
        let maps = self.maps.iter();
        maps.filter_map(|(map, names)| {
            Some((std::ptr::from_ref(walk(schema, map)?.as_object()?), names))
        })
        .collect()
    }
}

/// Whether any `properties` in the document, a schema's or not, has an illegal key: most documents have none, and need no closer look.
fn has_illegal_name(document: &Value) -> bool {
    let mut waiting = vec![document];
    while let Some(value) = waiting.pop() {
        match value {
            Value::Array(elements) => waiting.extend(elements.iter()),
            Value::Object(members) => {
                if let Some(Value::Object(map)) = members.get("properties")
                    && map.keys().any(|name| !is_legal_name(name))
                {
                    return true;
                }
                waiting.extend(members.values());
            }
            _ => {}
        }
    }
    false
}

/// For each place in which something is renamed, the originals with their new names.
pub(crate) fn names_by_place(places: &Places<'_>) -> HashMap<usize, HashMap<String, String>> {
    let mut originals: HashMap<usize, BTreeSet<&str>> = HashMap::default();
    for (id, schema) in places.schemas.iter().enumerate() {
        if let Some(Value::Object(map)) = schema.keywords.get("properties") {
            let names = originals.entry(places.place(id)).or_default();
            names.extend(map.keys().map(String::as_str));
        }
    }
    originals.retain(|_, names| names.iter().any(|name| !is_legal_name(name)));
    let mut listed: HashMap<usize, BTreeSet<&str>> = HashMap::default();
    for (id, schema) in places.schemas.iter().enumerate() {
        let place = places.place(id);
        if originals.contains_key(&place) {
            let names = name_lists(schema.keywords).filter_map(|(name, _)| name);
            listed.entry(place).or_default().extend(names);
        }
    }
    let none = BTreeSet::new();
    originals
        .into_iter()
        .map(|(place, names)| (place, rename(&names, listed.get(&place).unwrap_or(&none))))
        .collect()
}

/// Gives each illegal name a new one, in code point order; legal names, and names that are listed but held by no property, are reserved first.
fn rename(names: &BTreeSet<&str>, listed: &BTreeSet<&str>) -> HashMap<String, String> {
    let mut taken: HashSet<String> =
        names.iter().filter(|name| is_legal_name(name)).map(|name| (*name).to_owned()).collect();
    taken.extend(listed.difference(names).map(|name| (*name).to_owned()));
    let mut next: HashMap<String, usize> = HashMap::default();
    let mut renamed = HashMap::default();
    for name in names.iter().filter(|name| !is_legal_name(name)) {
        let base: String =
            name.chars().map(|c| if is_legal(c) { c } else { '_' }).take(LONGEST_NAME).collect();
        let base = if base.is_empty() { "param".to_owned() } else { base };
        let number = next.entry(base.clone()).or_insert(1);
        let new = loop {
            let candidate = numbered(&base, *number);
            *number += 1;
            if taken.insert(candidate.clone()) {
                break candidate;
            }
        };
        renamed.insert((*name).to_owned(), new);
    }
    renamed
}

/// `base`, `base_2`, `base_3`, within the longest name.
fn numbered(base: &str, number: usize) -> String {
    if number == 1 {
        return base.to_owned();
    }
    let suffix = format!("_{number}");
    // Every character of a base is ASCII.
    format!("{}{suffix}", &base[..base.len().min(LONGEST_NAME - suffix.len())])
}

/// The places of a schema that name properties of the object it describes: each name, with the value it stands in if it is a string and not a key.
pub(crate) fn name_lists<'a>(
    keywords: &'a Object,
) -> impl Iterator<Item = (Option<&'a str>, Option<&'a Value>)> {
    let names = |list: Option<&'a Value>| {
        list.and_then(Value::as_array).into_iter().flat_map(|list| list.iter())
    };
    let required = names(keywords.get("required"));
    let dependent = ["dependentRequired", "dependencies"]
        .into_iter()
        .filter_map(|keyword| keywords.get(keyword)?.as_object());
    let in_dependent =
        dependent.flat_map(move |map| map.values()).flat_map(move |list| names(Some(list)));
    let keys = ["dependentRequired", "dependentSchemas", "dependencies"].into_iter();
    let keys =
        keys.filter_map(|keyword| keywords.get(keyword)?.as_object()).flat_map(|map| map.keys());
    let strings = required.chain(in_dependent).map(|value| (value.as_str(), Some(value)));
    strings.chain(keys.map(|key| (Some(key.as_str()), None)))
}
