//! A sanitized schema against the original: the properties that SPEC's chapter *Names* asks for, whatever names were chosen.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use callfit_reference::json::{Object, Value};
use callfit_reference::pointer::{Reference, read_reference, walk};
use callfit_reference::{Names, Policies, is_legal_name};

/// A property that a sanitized schema lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameFault {
    /// The clause that asks for it.
    pub clause: &'static str,
    /// What was seen, in a line.
    pub message: String,
}

/// Compares a sanitized schema with the original, part by part: the names it gave, or what is wrong with it.
pub fn names_given(original: &Value, sanitized: &Value) -> Result<Names, Vec<NameFault>> {
    let mut comparison = Comparison {
        original,
        sanitized,
        reference: Names::of(original, &Policies::default()),
        names: Names::none(),
        new_names: BTreeMap::new(),
        seen: HashSet::new(),
        waiting: vec![Pair { tokens: Vec::new(), original, sanitized }],
        lists: Vec::new(),
        faults: Vec::new(),
    };
    while let Some(pair) = comparison.waiting.pop() {
        if comparison.seen.insert((pair.original, pair.sanitized)) {
            comparison.compare(&pair);
        }
    }
    comparison.compare_lists();
    if comparison.faults.is_empty() { Ok(comparison.names) } else { Err(comparison.faults) }
}

/// Two schemas, the second of which should be what became of the first.
struct Pair<'a> {
    /// Where the original stands.
    tokens: Vec<String>,
    original: &'a Value,
    sanitized: &'a Value,
}

struct Comparison<'a> {
    original: &'a Value,
    sanitized: &'a Value,
    /// The names of the reference, tried first when a new name's original is looked for.
    reference: Names,
    names: Names,
    /// Every new name that an original has anywhere.
    new_names: BTreeMap<&'a str, BTreeSet<&'a str>>,
    seen: HashSet<(*const Value, *const Value)>,
    waiting: Vec<Pair<'a>>,
    /// The schemas that list names, to be compared once all names are known.
    lists: Vec<(String, &'a Object, &'a Object)>,
    faults: Vec<NameFault>,
}

/// Keywords whose value is literal data.
const LITERAL: [&str; 5] = ["default", "const", "enum", "examples", "example"];
/// Keywords whose value tells schemas apart, so that a reference to another one shows.
const TELLING: [&str; 4] = ["type", "title", "description", "format"];

impl<'a> Comparison<'a> {
    fn fault(&mut self, clause: &'static str, message: String) {
        self.faults.push(NameFault { clause, message });
    }

    fn compare(&mut self, pair: &Pair<'a>) {
        let Value::Object(original) = pair.original else { return };
        let at = spell(&pair.tokens);
        let Value::Object(sanitized) = pair.sanitized else {
            self.fault(
                "names-refs",
                format!("the schema at {at} became {}", pair.sanitized.kind()),
            );
            return;
        };
        self.compare_values(&at, original, sanitized);
        self.compare_reference(&at, original, sanitized);
        self.compare_definitions(pair, &at, original, sanitized);
        if let Some(Value::Object(map)) = original.get("properties") {
            self.compare_properties(pair, &at, map, sanitized.get("properties"));
        }
        self.lists.push((at, original, sanitized));
        for (keyword, value) in original.iter() {
            let below = |rest: &[&str]| {
                let rest = rest.iter().map(|token| (*token).to_owned());
                pair.tokens.iter().cloned().chain([keyword.clone()]).chain(rest).collect::<Vec<_>>()
            };
            let counterpart = sanitized.get(keyword);
            match (keyword.as_str(), value, counterpart) {
                (
                    "patternProperties" | "dependentSchemas",
                    Value::Object(map),
                    Some(Value::Object(other)),
                ) => {
                    for (name, original) in map.iter() {
                        if let Some(sanitized) = other.get(name) {
                            self.waiting.push(Pair { tokens: below(&[name]), original, sanitized });
                        }
                    }
                }
                (
                    "allOf" | "anyOf" | "oneOf" | "prefixItems" | "items",
                    Value::Array(list),
                    Some(Value::Array(other)),
                ) if list.len() == other.len() => {
                    for (index, (original, sanitized)) in list.iter().zip(other.iter()).enumerate()
                    {
                        self.waiting.push(Pair {
                            tokens: below(&[&index.to_string()]),
                            original,
                            sanitized,
                        });
                    }
                }
                // A nullable union may be written as its other branch.
                ("anyOf" | "oneOf", Value::Array(list), None) => {
                    let mut branches =
                        list.iter().enumerate().filter(|(_, branch)| !is_null(branch));
                    if let (Some((index, original)), None) = (branches.next(), branches.next()) {
                        let tokens = below(&[&index.to_string()]);
                        self.waiting.push(Pair { tokens, original, sanitized: pair.sanitized });
                    }
                }
                (
                    "additionalProperties"
                    | "items"
                    | "additionalItems"
                    | "contains"
                    | "not"
                    | "if"
                    | "then"
                    | "else"
                    | "unevaluatedProperties"
                    | "unevaluatedItems",
                    Value::Object(_),
                    Some(sanitized @ Value::Object(_)),
                ) => self.waiting.push(Pair { tokens: below(&[]), original: value, sanitized }),
                _ => {}
            }
        }
    }

    /// Clause `names-literal`, and what tells schemas apart.
    fn compare_values(&mut self, at: &str, original: &Object, sanitized: &Object) {
        for keyword in LITERAL {
            let (Some(before), after) = (original.get(keyword), sanitized.get(keyword)) else {
                continue;
            };
            if after != Some(before) {
                let after = after.map_or_else(|| "nothing".to_owned(), ToString::to_string);
                self.fault(
                    "names-literal",
                    format!("{keyword} at {at} was {before} and became {after}"),
                );
            }
        }
        for keyword in TELLING {
            if let (Some(before @ Value::String(_)), Some(after @ Value::String(_))) =
                (original.get(keyword), sanitized.get(keyword))
                && before != after
            {
                let message = format!(
                    "the schema at {at} has {keyword} {before}; what stands for it has {after}"
                );
                self.fault("names-refs", message);
            }
        }
    }

    /// Clause `names-refs`.
    fn compare_reference(&mut self, at: &str, original: &Object, sanitized: &Object) {
        let Some(Value::String(before)) = original.get("$ref") else { return };
        let after = sanitized.get("$ref");
        let Some((tokens, target)) = lookup(self.original, before) else {
            if after.and_then(Value::as_str) != Some(before) {
                let after = after.map_or_else(|| "nothing".to_owned(), ToString::to_string);
                self.fault(
                    "names-refs",
                    format!("$ref at {at} leads nowhere, {before:?}, and became {after}"),
                );
            }
            return;
        };
        let Some(Value::String(after)) = after else {
            // What it led to may have been put in its place.
            return;
        };
        match lookup(self.sanitized, after) {
            Some((_, sanitized)) => self.waiting.push(Pair { tokens, original: target, sanitized }),
            None => self.fault(
                "names-refs",
                format!("$ref at {at} was {before:?} and led to {}; it became {after:?}, which leads nowhere", spell(&tokens)),
            ),
        }
    }

    /// Clause `names-definitions`.
    fn compare_definitions(
        &mut self,
        pair: &Pair<'a>,
        at: &str,
        original: &'a Object,
        sanitized: &'a Object,
    ) {
        let stays = original.get("$defs").is_some_and(|defs| defs.as_object().is_none());
        let defs = original.get("$defs").and_then(Value::as_object);
        let definitions = original.get("definitions").and_then(Value::as_object).filter(|_| !stays);
        if defs.is_none() && definitions.is_none() {
            return;
        }
        if definitions.is_some() && sanitized.contains_key("definitions") {
            self.fault("names-definitions", format!("definitions at {at} is still there"));
        }
        let Some(Value::Object(after)) = sanitized.get("$defs") else {
            self.fault("names-definitions", format!("$defs at {at} is missing"));
            return;
        };
        let own = |name: &String| defs.is_some_and(|defs| defs.contains_key(name));
        let from_definitions =
            |name: &String| definitions.is_some_and(|map| map.contains_key(name));
        let mut spare = after.iter().filter(|(name, _)| !own(name) && !from_definitions(name));
        let entries =
            defs.into_iter().flat_map(|map| map.iter().map(|(name, value)| ("$defs", name, value)));
        let more = definitions
            .into_iter()
            .flat_map(|map| map.iter().map(|(name, value)| ("definitions", name, value)));
        for (keyword, name, original) in entries.chain(more) {
            let clashes = keyword == "definitions" && own(name);
            let found =
                if clashes { spare.next().map(|(_, value)| value) } else { after.get(name) };
            match found {
                Some(sanitized) => {
                    let tokens = pair
                        .tokens
                        .iter()
                        .cloned()
                        .chain([keyword.to_owned(), name.clone()])
                        .collect();
                    self.waiting.push(Pair { tokens, original, sanitized });
                }
                None => self.fault(
                    "names-definitions",
                    format!("{keyword} at {at} lost its entry {name:?}"),
                ),
            }
        }
    }

    /// Clauses `names-legal`, `names-stable` and `names-meeting`.
    fn compare_properties(
        &mut self,
        pair: &Pair<'a>,
        at: &str,
        map: &'a Object,
        after: Option<&'a Value>,
    ) {
        let Some(Value::Object(after)) = after else {
            self.fault("names-legal", format!("the properties at {at} are gone"));
            return;
        };
        let tokens: Vec<String> =
            pair.tokens.iter().cloned().chain(["properties".to_owned()]).collect();
        for name in after.keys().filter(|name| !is_legal_name(name)) {
            self.fault(
                "names-legal",
                format!("the property {name:?} at {at} has a name that providers refuse"),
            );
        }
        let mut spare: Vec<&'a String> =
            after.keys().filter(|name| !map.contains_key(name.as_str())).collect();
        let (legal, illegal): (Vec<_>, Vec<_>) =
            map.iter().partition(|(name, _)| is_legal_name(name));
        for (name, original) in legal {
            match after.get(name) {
                Some(sanitized) => {
                    let tokens = tokens.iter().cloned().chain([name.clone()]).collect();
                    self.waiting.push(Pair { tokens, original, sanitized });
                }
                None => self.fault(
                    "names-stable",
                    format!("the property {name:?} at {at} is gone, though its name is legal"),
                ),
            }
        }
        for (name, original) in illegal {
            let preferred = self.reference.get(&tokens, name);
            let at_preferred = spare.iter().position(|new| Some(new.as_str()) == preferred);
            if spare.is_empty() {
                self.fault("names-legal", format!("the property {name:?} at {at} is gone"));
                continue;
            }
            let new = spare.remove(at_preferred.unwrap_or(0));
            self.names.insert(tokens.clone(), name, new);
            let all = self.new_names.entry(name).or_default();
            all.insert(new);
            if let Some(sanitized) = after.get(new) {
                let tokens = tokens.iter().cloned().chain([name.clone()]).collect();
                self.waiting.push(Pair { tokens, original, sanitized });
            }
        }
        if let Some(new) = spare.first() {
            self.fault(
                "names-legal",
                format!("the property {new:?} at {at} stands for none of the original's"),
            );
        }
    }

    /// Clause `names-required`: lists of names follow.
    fn compare_lists(&mut self) {
        for (at, original, sanitized) in std::mem::take(&mut self.lists) {
            let dependent =
                |keywords: &'a Object| keywords.get("dependentRequired").and_then(Value::as_object);
            self.compare_list(
                &format!("required at {at}"),
                original.get("required"),
                sanitized.get("required"),
            );
            let (before, after) = (dependent(original), dependent(sanitized));
            for (name, list) in before.into_iter().flat_map(|map| map.iter()) {
                let place = format!("dependentRequired of {name:?} at {at}");
                let allowed = self.allowed(name);
                match after.and_then(|map| allowed.iter().find_map(|new| map.get(*new))) {
                    Some(after) => self.compare_list(&place, Some(list), Some(after)),
                    None => self.fault("names-required", format!("{place} is gone")),
                }
            }
        }
    }

    fn compare_list(&mut self, place: &str, before: Option<&'a Value>, after: Option<&'a Value>) {
        let Some(Value::Array(before)) = before else { return };
        let after: Vec<&str> = after
            .and_then(Value::as_array)
            .into_iter()
            .flat_map(|list| list.iter())
            .filter_map(Value::as_str)
            .collect();
        for name in before.iter().filter_map(Value::as_str) {
            if !self.allowed(name).iter().any(|new| after.contains(new)) {
                self.fault("names-required", format!("{place} lost {name:?}; it has {after:?}"));
            }
        }
        if after.len() > before.len() {
            self.fault("names-required", format!("{place} has more names than it had: {after:?}"));
        }
    }

    /// What a listed name may have become.
    fn allowed(&self, name: &'a str) -> BTreeSet<&'a str> {
        self.new_names.get(name).cloned().unwrap_or_else(|| BTreeSet::from([name]))
    }
}

fn is_null(schema: &Value) -> bool {
    let is = |keyword: &str, value: &Value| schema.get(keyword).is_some_and(|found| found == value);
    is("type", &"null".into()) || is("const", &Value::Null) || is("enum", &vec![Value::Null].into())
}

fn lookup<'a>(root: &'a Value, reference: &str) -> Option<(Vec<String>, &'a Value)> {
    match read_reference(reference, true) {
        Reference::Pointer(tokens) => walk(root, &tokens).map(|target| (tokens, target)),
        _ => None,
    }
}

fn spell(tokens: &[String]) -> String {
    if tokens.is_empty() {
        return "the root".to_owned();
    }
    tokens.iter().fold(String::new(), |pointer, token| {
        pointer + "/" + &token.replace('~', "~0").replace('/', "~1")
    })
}
