//! A sanitized schema against the original: the properties that SPEC's chapter *Names* asks for, whatever names were chosen.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use callfit_reference::json::{Array, Object, Value};
use callfit_reference::pointer::{Reference, read_reference, walk};
use callfit_reference::{Names, PathId, Policies, is_legal_name, sanitize};

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
    let mut comparison = Comparison::of(original, sanitized);
    comparison.compare_lists();
    if comparison.faults.is_empty() { Ok(comparison.names) } else { Err(comparison.faults) }
}

/// What is wrong with names that were given to a schema where its properties meet (clause `names-meeting`). A call that sends only one of two such properties may get
/// through all the same.
pub fn meeting_fault(original: &Value, names: &Names) -> Option<NameFault> {
    let policies = Policies::default();
    let [one, other] = names.clash(original, &policies)?;
    let message = format!(
        "the property {:?} became {:?}, and {:?}, which can be in the same object, {:?}",
        one.0, one.1, other.0, other.1
    );
    Some(NameFault { clause: "names-meeting", message })
}

/// Two schemas, the second of which should be what became of the first.
struct Pair<'a> {
    /// Where the original stands.
    path: PathId,
    original: &'a Value,
    sanitized: &'a Value,
}

/// A list of names.
struct List<'a> {
    /// Where the schema stands that has it.
    at: PathId,
    /// The name on which it depends, if it is one of `dependentRequired`.
    of: Option<&'a str>,
    before: &'a Value,
    after: Option<&'a Value>,
}

struct Comparison<'a> {
    original: &'a Value,
    sanitized: &'a Value,
    names: Names,
    /// Every new name that an original has anywhere.
    new_names: BTreeMap<&'a str, BTreeSet<&'a str>>,
    seen: HashSet<(*const Value, *const Value)>,
    waiting: Vec<Pair<'a>>,
    /// The schemas that list names, to be compared once all names are known.
    lists: Vec<(PathId, &'a Object, &'a Object)>,
    faults: Vec<NameFault>,
}

/// Keywords whose value is literal data.
const LITERAL: [&str; 5] = ["default", "const", "enum", "examples", "example"];
/// Keywords whose value tells schemas apart, so that a reference to another one shows.
const TELLING: [&str; 4] = ["type", "title", "description", "format"];

impl<'a> Comparison<'a> {
    /// Compares all but the lists of names.
    fn of(original: &'a Value, sanitized: &'a Value) -> Self {
        let mut comparison = Self {
            original,
            sanitized,
            names: Names::none(),
            new_names: BTreeMap::new(),
            seen: HashSet::new(),
            waiting: vec![Pair { path: Names::ROOT, original, sanitized }],
            lists: Vec::new(),
            faults: Vec::new(),
        };
        while let Some(pair) = comparison.waiting.pop() {
            if comparison.seen.insert((pair.original, pair.sanitized)) {
                comparison.compare(&pair);
            }
        }
        comparison
    }

    /// Notes two schemas to be compared, the original so many tokens below `at`.
    fn pair(&mut self, at: PathId, below: &[&str], original: &'a Value, sanitized: &'a Value) {
        let path = below.iter().fold(at, |path, token| self.names.below(path, token));
        self.waiting.push(Pair { path, original, sanitized });
    }

    /// Notes what is wrong with the schema at a path, which the message spells.
    fn fault(&mut self, clause: &'static str, at: PathId, message: impl FnOnce(&str) -> String) {
        let message = message(&spell(self.names.tokens(at)));
        self.faults.push(NameFault { clause, message });
    }

    fn compare(&mut self, pair: &Pair<'a>) {
        let Value::Object(original) = pair.original else { return };
        let at = pair.path;
        let Value::Object(sanitized) = pair.sanitized else {
            self.fault("names-refs", at, |at| {
                format!("the schema at {at} became {}", pair.sanitized.kind())
            });
            return;
        };
        self.compare_values(at, original, sanitized);
        self.compare_reference(at, original, sanitized);
        self.compare_definitions(at, original, sanitized);
        if let Some(Value::Object(map)) = original.get("properties") {
            self.compare_properties(at, map, sanitized.get("properties"), original.get("required"));
        }
        self.lists.push((at, original, sanitized));
        for (keyword, value) in original.iter() {
            let counterpart = sanitized.get(keyword);
            match (keyword.as_str(), value, counterpart) {
                (
                    "patternProperties" | "dependentSchemas",
                    Value::Object(map),
                    Some(Value::Object(other)),
                ) => {
                    for (name, original) in map.iter() {
                        if let Some(sanitized) = other.get(name) {
                            self.pair(at, &[keyword, name], original, sanitized);
                        } else if keyword == "patternProperties" {
                            self.fault("names-stable", at, |at| {
                                format!("the pattern {name:?} at {at} is gone")
                            });
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
                        self.pair(at, &[keyword, &index.to_string()], original, sanitized);
                    }
                }
                // A nullable union may be written as its other branch.
                ("anyOf" | "oneOf", Value::Array(list), None) => {
                    let mut branches =
                        list.iter().enumerate().filter(|(_, branch)| !is_null(branch));
                    if let (Some((index, original)), None) = (branches.next(), branches.next()) {
                        self.pair(at, &[keyword, &index.to_string()], original, pair.sanitized);
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
                ) => self.pair(at, &[keyword], value, sanitized),
                _ => {}
            }
        }
    }

    /// Clause `names-literal`, and what tells schemas apart.
    fn compare_values(&mut self, at: PathId, original: &Object, sanitized: &Object) {
        for keyword in LITERAL {
            let (Some(before), after) = (original.get(keyword), sanitized.get(keyword)) else {
                continue;
            };
            if after != Some(before) {
                let after = after.map_or_else(|| "nothing".to_owned(), ToString::to_string);
                self.fault("names-literal", at, |at| {
                    format!("{keyword} at {at} was {before} and became {after}")
                });
            }
        }
        for keyword in TELLING {
            if let (Some(before @ Value::String(_)), Some(after @ Value::String(_))) =
                (original.get(keyword), sanitized.get(keyword))
                && before != after
            {
                self.fault("names-refs", at, |at| {
                    format!(
                        "the schema at {at} has {keyword} {before}; what stands for it has {after}"
                    )
                });
            }
        }
    }

    /// Clause `names-refs`.
    fn compare_reference(&mut self, at: PathId, original: &Object, sanitized: &Object) {
        let Some(Value::String(before)) = original.get("$ref") else { return };
        let after = sanitized.get("$ref");
        let Some((tokens, target)) = lookup(self.original, before) else {
            if after.and_then(Value::as_str) != Some(before) {
                let after = after.map_or_else(|| "nothing".to_owned(), ToString::to_string);
                self.fault("names-refs", at, |at| {
                    format!("$ref at {at} leads nowhere, {before:?}, and became {after}")
                });
            }
            return;
        };
        let Some(Value::String(after)) = after else {
            // What it led to may have been put in its place.
            return;
        };
        if is_no_schema(&tokens) {
            // As a schema it would say something else.
            return;
        }
        if let Some((_, sanitized)) = lookup(self.sanitized, after) {
            let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
            self.pair(Names::ROOT, &tokens, target, sanitized);
        } else {
            self.fault("names-refs", at, |at| {
                let led = spell(tokens);
                format!("$ref at {at} was {before:?} and led to {led}; it became {after:?}, which leads nowhere")
            });
        }
    }

    /// Clause `names-definitions`.
    fn compare_definitions(&mut self, at: PathId, original: &'a Object, sanitized: &'a Object) {
        let stays = original.get("$defs").is_some_and(|defs| defs.as_object().is_none());
        let defs = original.get("$defs").and_then(Value::as_object);
        let definitions = original.get("definitions").and_then(Value::as_object).filter(|_| !stays);
        if defs.is_none() && definitions.is_none() {
            return;
        }
        if definitions.is_some() && sanitized.contains_key("definitions") {
            self.fault("names-definitions", at, |at| format!("definitions at {at} is still there"));
        }
        let Some(Value::Object(after)) = sanitized.get("$defs") else {
            self.fault("names-definitions", at, |at| format!("$defs at {at} is missing"));
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
            if let Some(sanitized) = found {
                self.pair(at, &[keyword, name], original, sanitized);
            } else {
                self.fault("names-definitions", at, |at| {
                    format!("{keyword} at {at} lost its entry {name:?}")
                });
            }
        }
    }

    /// Clauses `names-legal` and `names-stable`.
    fn compare_properties(
        &mut self,
        at: PathId,
        map: &'a Object,
        after: Option<&'a Value>,
        required: Option<&'a Value>,
    ) {
        let Some(Value::Object(after)) = after else {
            self.fault("names-legal", at, |at| format!("the properties at {at} are gone"));
            return;
        };
        for name in after.keys().filter(|name| !is_legal_name(name)) {
            self.fault("names-legal", at, |at| {
                format!("the property {name:?} at {at} has a name that providers refuse")
            });
        }
        let (legal, illegal): (Vec<_>, Vec<_>) =
            map.iter().partition(|(name, _)| is_legal_name(name));
        for (name, original) in legal {
            if let Some(sanitized) = after.get(name) {
                self.pair(at, &["properties", name], original, sanitized);
            } else {
                self.fault("names-stable", at, |at| {
                    format!("the property {name:?} at {at} is gone, though its name is legal")
                });
            }
        }
        let mut spare: Vec<&'a String> =
            after.keys().filter(|name| !map.contains_key(name.as_str())).collect();
        let in_order = keeps_order(map, after);
        let properties = self.names.below(at, "properties");
        for (name, original) in illegal {
            let Some(chosen) = new_name(name, map, after, in_order, &spare) else {
                self.fault("names-legal", at, |at| {
                    format!("the property {name:?} at {at} is gone")
                });
                continue;
            };
            let new = spare.remove(chosen);
            let is_listed = |list: &Array| list.iter().any(|listed| listed.as_str() == Some(new));
            if required.and_then(Value::as_array).is_some_and(is_listed) {
                self.fault("names-stable", at, |at| {
                    format!("the property {name:?} at {at} became {new:?}, which required lists for another")
                });
            }
            self.names.insert(properties, name, new);
            self.new_names.entry(name).or_default().insert(new);
            if let Some(sanitized) = after.get(new) {
                self.pair(properties, &[name], original, sanitized);
            }
        }
        if let Some(new) = spare.first() {
            self.fault("names-legal", at, |at| {
                format!("the property {new:?} at {at} stands for none of the original's")
            });
        }
    }

    /// Clause `names-required`: lists of names follow.
    fn compare_lists(&mut self) {
        let lists = self.listed();
        let is_renamed = |name: &str| self.new_names.contains_key(name);
        let any_renamed = lists.iter().any(|list| names_in(Some(list.before)).any(is_renamed));
        // Whether a property holds a listed name depends on what meets there. The reference knows, and lets the others stay.
        let right = any_renamed.then(|| sanitize(self.original, &Policies::default()));
        let mut reserved = HashSet::new();
        if let Some(right) = &right {
            for List { before, after, .. } in Comparison::of(self.original, right).listed() {
                let after: Vec<&str> = names_in(after).collect();
                let stays = names_in(Some(before)).filter(|name| after.contains(name));
                reserved.extend(stays.map(|name| (std::ptr::from_ref(before), name)));
            }
        }
        for list in lists {
            self.compare_list(&list, &reserved);
        }
    }

    /// Every list of names.
    fn listed(&self) -> Vec<List<'a>> {
        let dependent =
            |keywords: &'a Object| keywords.get("dependentRequired").and_then(Value::as_object);
        let mut lists = Vec::new();
        for (at, original, sanitized) in &self.lists {
            let after = sanitized.get("required");
            let required = original.get("required").into_iter();
            lists.extend(required.map(|before| List { at: *at, of: None, before, after }));
            for (name, before) in dependent(original).into_iter().flat_map(|map| map.iter()) {
                let after = dependent(sanitized);
                let allowed = self.allowed(name);
                let after = after.and_then(|map| allowed.iter().find_map(|new| map.get(*new)));
                lists.push(List { at: *at, of: Some(name), before, after });
            }
        }
        lists
    }

    fn compare_list(&mut self, list: &List<'a>, reserved: &HashSet<(*const Value, &str)>) {
        let List { at, of, before, after } = *list;
        let what = of.map_or("required".to_owned(), |of| format!("dependentRequired of {of:?}"));
        if of.is_some() && after.is_none() {
            self.fault("names-required", at, |at| format!("{what} at {at} is gone"));
            return;
        }
        let after: Vec<&str> = names_in(after).collect();
        for name in names_in(Some(before)) {
            let stays = reserved.contains(&(std::ptr::from_ref(before), name));
            let allowed = if stays { BTreeSet::from([name]) } else { self.allowed(name) };
            if !allowed.iter().any(|new| after.contains(new)) {
                self.fault("names-required", at, |at| {
                    format!("{what} at {at} lost {name:?}; it has {after:?}")
                });
            }
        }
        if before.as_array().is_some_and(|before| after.len() > before.len()) {
            self.fault("names-required", at, |at| {
                format!("{what} at {at} has more names than it had: {after:?}")
            });
        }
    }

    /// What a listed name may have become.
    fn allowed(&self, name: &'a str) -> BTreeSet<&'a str> {
        self.new_names.get(name).cloned().unwrap_or_else(|| BTreeSet::from([name]))
    }
}

fn names_in(list: Option<&Value>) -> impl Iterator<Item = &str> {
    let list = list.and_then(Value::as_array);
    list.into_iter().flat_map(|list| list.iter()).filter_map(Value::as_str)
}

fn is_null(schema: &Value) -> bool {
    let is = |keyword: &str, value: &Value| schema.get(keyword).is_some_and(|found| found == value);
    is("type", &"null".into()) || is("const", &Value::Null) || is("enum", &vec![Value::Null].into())
}

/// Whether these tokens lead to a map of schemas or into literal data, which a reference makes no schema of.
fn is_no_schema(tokens: &[String]) -> bool {
    const MAPS: [&str; 5] =
        ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
    // In a map each key is a name, so that the next token is a keyword again.
    let mut in_map = false;
    for token in tokens.iter().map(String::as_str) {
        if !in_map && LITERAL.contains(&token) {
            return true;
        }
        in_map = !in_map && MAPS.contains(&token);
    }
    in_map
}

fn lookup<'a>(root: &'a Value, reference: &str) -> Option<(Vec<String>, &'a Value)> {
    match read_reference(reference, true) {
        Reference::Pointer(tokens) => walk(root, &tokens).map(|target| (tokens, target)),
        _ => None,
    }
}

fn spell<T: AsRef<str>>(tokens: impl IntoIterator<Item = T>) -> String {
    let pointer = tokens.into_iter().fold(String::new(), |pointer, token| {
        pointer + "/" + &token.as_ref().replace('~', "~0").replace('/', "~1")
    });
    if pointer.is_empty() { "the root".to_owned() } else { pointer }
}

/// Whether the properties stand in the order of the originals, as far as their names tell.
fn keeps_order(map: &Object, after: &Object) -> bool {
    let mut pairs = map.keys().zip(after.keys());
    map.len() == after.len() && pairs.all(|(name, new)| name == new || !is_legal_name(name))
}

/// Which of the spare new names an illegal one became: the one in its place, or the one that looks most like it.
fn new_name(
    name: &str,
    map: &Object,
    after: &Object,
    in_order: bool,
    spare: &[&String],
) -> Option<usize> {
    let in_place = map.get_index_of(name).filter(|_| in_order).and_then(|at| after.get_index(at));
    if let Some((new, _)) = in_place {
        return spare.iter().position(|other| *other == new);
    }
    let alike =
        |new: &str| name.chars().zip(new.chars()).take_while(|(a, b)| a == b || *b == '_').count();
    // Of several that are as like, the shortest: a number was put behind the others.
    (0..spare.len())
        .max_by_key(|at| (alike(spare[*at]), std::cmp::Reverse((spare[*at].len(), *at))))
}
