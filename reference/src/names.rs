//! The names that properties have for a provider: SPEC's chapter *Names*.

use std::collections::BTreeSet;

use foldhash::{HashMap, HashSet};
use indexmap::IndexMap;

use crate::json::{Object, Value};
use crate::places::Places;
use crate::pointer::step;
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
///
/// The `properties` maps are told by where they stand in the schema: by a path from its root, a tree of RFC 6901 tokens, so that deep schemas do not cost their depth squared.
#[derive(Debug, Clone)]
pub struct Names {
    paths: Vec<Path>,
    renamed: usize,
}

/// A path of RFC 6901 tokens from the root of a schema, in the tree of one [`Names`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PathId(usize);

#[derive(Debug, Clone, Default)]
struct Path {
    /// The path without its last token, and that token.
    above: Option<(PathId, String)>,
    below: HashMap<String, PathId>,
    /// The originals with their new names, where the path is that of a `properties` map.
    names: IndexMap<String, String>,
}

impl Names {
    /// The path of the root.
    pub const ROOT: PathId = PathId(0);

    /// No property has another name.
    pub fn none() -> Self {
        Self { paths: vec![Path::default()], renamed: 0 }
    }

    /// The names that [`sanitize`](crate::sanitize) gives to the properties of `schema`.
    pub fn of(schema: &Value, policies: &Policies) -> Self {
        let mut names = Self::none();
        if !has_illegal_name(schema) {
            return names;
        }
        let places = Places::of(schema, policies);
        let by_place = names_by_place(&places);
        let mut paths = vec![None; places.schemas.len()];
        for (id, found) in places.schemas.iter().enumerate() {
            let Some(new) = by_place.get(&places.place(id)) else {
                continue;
            };
            let Some(Value::Object(map)) = found.keywords.get("properties") else {
                continue;
            };
            for (original, new) in map.keys().filter_map(|name| new.get_key_value(name)) {
                let schema = places.path(id, &mut names, &mut paths);
                let map = names.below(schema, "properties");
                names.insert(map, original, new);
            }
        }
        names
    }

    /// The path that leads one token further.
    pub fn below(&mut self, path: PathId, token: &str) -> PathId {
        if let Some(known) = self.paths[path.0].below.get(token) {
            return *known;
        }
        let new = PathId(self.paths.len());
        self.paths.push(Path { above: Some((path, token.to_owned())), ..Path::default() });
        self.paths[path.0].below.insert(token.to_owned(), new);
        new
    }

    /// The tokens of a path.
    pub fn tokens(&self, path: PathId) -> Vec<&str> {
        let mut tokens = Vec::new();
        let mut here = path;
        while let Some((above, token)) = &self.paths[here.0].above {
            tokens.push(token.as_str());
            here = *above;
        }
        tokens.reverse();
        tokens
    }

    /// Notes that a property has another name. `map` is the path of its `properties` map.
    pub fn insert(&mut self, map: PathId, original: &str, new: &str) {
        let names = &mut self.paths[map.0].names;
        self.renamed += usize::from(names.insert(original.to_owned(), new.to_owned()).is_none());
    }

    /// Whether no property has another name.
    pub fn is_empty(&self) -> bool {
        self.renamed == 0
    }

    /// Every `properties` map with renamed properties: its path, and the originals with their new names.
    pub fn iter(&self) -> impl Iterator<Item = (PathId, &IndexMap<String, String>)> {
        let paths = self.paths.iter().enumerate();
        paths.filter(|(_, path)| !path.names.is_empty()).map(|(id, path)| (PathId(id), &path.names))
    }

    /// Two properties of `schema` that can meet in one object and that these names confuse (clause `names-meeting`), each as its original and its new name: one original
    /// with two new names, or two originals with one. None where every key has one way back.
    ///
    /// ```
    /// use callfit_reference::{Names, Policies, json::parse};
    ///
    /// let schema = parse(r#"{"properties": {"a b": {}}, "allOf": [{"properties": {"a_b": {}}}]}"#).unwrap();
    /// let policies = Policies::default();
    /// assert_eq!(Names::of(&schema, &policies).clash(&schema, &policies), None);
    ///
    /// let mut careless = Names::none();
    /// let map = careless.below(Names::ROOT, "properties");
    /// careless.insert(map, "a b", "a_b");
    /// assert!(careless.clash(&schema, &policies).is_some());
    /// ```
    pub fn clash<'a>(
        &'a self,
        schema: &'a Value,
        policies: &'a Policies,
    ) -> Option<[(&'a str, &'a str); 2]> {
        let places = Places::of(schema, policies);
        let renamed = self.in_schema(schema);
        let mut by_original: HashMap<(usize, &str), &str> = HashMap::default();
        let mut by_new: HashMap<(usize, &str), &str> = HashMap::default();
        for (id, found) in places.schemas.iter().enumerate() {
            let Some(Value::Object(map)) = found.keywords.get("properties") else {
                continue;
            };
            let names = renamed.get(&std::ptr::from_ref(map));
            let place = places.place(id);
            for original in map.keys() {
                let new = names.and_then(|names| names.get(original)).unwrap_or(original);
                let other_new = *by_original.entry((place, original)).or_insert(new);
                if other_new != new {
                    return Some([(original, other_new), (original, new)]);
                }
                let other = *by_new.entry((place, new)).or_insert(original);
                if other != original {
                    return Some([(other, new), (original, new)]);
                }
            }
        }
        None
    }

    /// The `properties` maps of a schema that have renamed properties, each with the originals and their new names.
    pub(crate) fn in_schema<'a>(
        &'a self,
        schema: &'a Value,
    ) -> HashMap<*const Object, &'a IndexMap<String, String>> {
        let mut found = HashMap::default();
        let mut waiting = vec![(Self::ROOT, schema)];
        while let Some((path, value)) = waiting.pop() {
            let path = &self.paths[path.0];
            if let (false, Some(map)) = (path.names.is_empty(), value.as_object()) {
                found.insert(std::ptr::from_ref(map), &path.names);
            }
            let below = path.below.iter();
            waiting.extend(below.filter_map(|(token, path)| Some((*path, step(value, token)?))));
        }
        found
    }
}

impl Default for Names {
    fn default() -> Self {
        Self::none()
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
