//! The schemas of a document, and which of them can describe the same place in the arguments.
//!
//! Property names must be unique, and one original must have one new name, among all `properties` that can meet in one object. Schemas that can meet are found by closing
//! a relation: what is joined by `allOf`, a union, `$ref` and their like meets; and where two schemas meet, so do their subschemas for the same key.

use foldhash::{HashMap, HashSet};

use crate::json::{Object, Value};
use crate::keywords::{Holds, Step, holds, subschemas};
use crate::names::{Names, PathId};
use crate::pattern::Pattern;
use crate::policy::Policies;
use crate::resolve::Resolver;

/// The schemas of a document, each with the place it describes.
pub(crate) struct Places<'a> {
    pub(crate) schemas: Vec<Schema<'a>>,
    /// For each schema, one that it meets, up to the one that stands for them all.
    parents: Vec<usize>,
}

/// A schema that stands somewhere in a document.
pub(crate) struct Schema<'a> {
    pub(crate) keywords: &'a Object,
    /// Where it stands.
    path: Path<'a>,
    subschemas: Vec<(Step<'a>, usize)>,
    target: Option<usize>,
}

/// A path as the schema around and the step from there, so that deep documents do not cost their depth squared.
enum Path<'a> {
    /// Below another schema.
    Below(usize, Step<'a>),
    /// From the root, as RFC 6901 tokens.
    Root(Vec<String>),
}

/// Keywords whose subschemas describe the same place as the schema they stand in.
fn stays(step: Step<'_>) -> bool {
    match step {
        Step::Keyword(keyword) => matches!(keyword, "not" | "if" | "then" | "else"),
        Step::Index(keyword, _) => matches!(keyword, "allOf" | "anyOf" | "oneOf"),
        Step::Entry(keyword, _) => matches!(keyword, "dependentSchemas" | "dependencies"),
    }
}

/// A key under which schemas that meet have subschemas that meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Key<'a> {
    Property(&'a str),
    Pattern(&'a str),
    OtherProperties,
    Element(usize),
    OtherElements,
}

impl<'a> Key<'a> {
    /// The key of a subschema that describes a place inside; none for a mere definition.
    fn of(step: Step<'a>) -> Option<Self> {
        Some(match step {
            Step::Entry("properties", name) => Self::Property(name),
            Step::Entry("patternProperties", pattern) => Self::Pattern(pattern),
            Step::Keyword("additionalProperties" | "unevaluatedProperties") => {
                Self::OtherProperties
            }
            Step::Index("prefixItems" | "items", index) => Self::Element(index),
            Step::Keyword("items" | "additionalItems" | "unevaluatedItems" | "contains") => {
                Self::OtherElements
            }
            _ => return None,
        })
    }
}

impl<'a> Places<'a> {
    /// Finds the schemas of a document: where keywords hold them, and where references lead, other than into literal data or to a map of schemas.
    pub(crate) fn of(root: &'a Value, policies: &'a Policies) -> Self {
        let resolver = Resolver::new(root, policies);
        let mut found =
            Found { schemas: Vec::new(), ids: HashMap::default(), no_schemas: HashSet::default() };
        found.add(root, || Path::Root(Vec::new()));
        let mut next = 0;
        let mut references = Vec::new();
        // Many references say the same.
        let mut targets: HashMap<&str, Option<usize>> = HashMap::default();
        loop {
            while next < found.schemas.len() {
                found.look_into(next);
                if let Some(reference) =
                    found.schemas[next].keywords.get("$ref").and_then(Value::as_str)
                {
                    references.push((next, reference));
                }
                next += 1;
            }
            // References are looked up once everything else is found, so that literal data is known as such.
            for (from, reference) in std::mem::take(&mut references) {
                found.schemas[from].target = *targets.entry(reference).or_insert_with(|| {
                    let (target, tokens) = resolver.locate(reference)?;
                    let is_schema = !found.no_schemas.contains(&std::ptr::from_ref(target));
                    if is_schema { found.add(target, || Path::Root(tokens)) } else { None }
                });
            }
            if next == found.schemas.len() {
                break;
            }
        }
        let schemas = found.schemas;
        let mut places = Self { parents: (0..schemas.len()).collect(), schemas };
        places.close();
        places
    }

    /// The schema that stands for all that `schema` can meet.
    pub(crate) fn place(&self, schema: usize) -> usize {
        let mut here = schema;
        while self.parents[here] != here {
            here = self.parents[here];
        }
        here
    }

    /// The path of a schema from the root. `known` are the paths of schemas that were asked for before, and of those around them.
    pub(crate) fn path(
        &self,
        schema: usize,
        names: &mut Names,
        known: &mut [Option<PathId>],
    ) -> PathId {
        let mut steps = Vec::new();
        let mut here = schema;
        let mut path = loop {
            match (known[here], &self.schemas[here].path) {
                (Some(path), _) => break path,
                (None, Path::Below(above, step)) => {
                    steps.push((here, *step));
                    here = *above;
                }
                (None, Path::Root(tokens)) => {
                    let root = Names::ROOT;
                    break tokens.iter().fold(root, |path, token| names.below(path, token));
                }
            }
        };
        for (schema, step) in steps.into_iter().rev() {
            path = match step {
                Step::Keyword(keyword) => names.below(path, keyword),
                Step::Index(keyword, index) => {
                    let list = names.below(path, keyword);
                    names.below(list, &index.to_string())
                }
                Step::Entry(keyword, name) => {
                    let map = names.below(path, keyword);
                    names.below(map, name)
                }
            };
            known[schema] = Some(path);
        }
        path
    }

    /// Unites whatever can meet.
    fn close(&mut self) {
        let mut inside: Vec<HashMap<Key<'a>, usize>> = Vec::with_capacity(self.schemas.len());
        let mut waiting: Vec<(usize, usize)> = Vec::new();
        for (id, schema) in self.schemas.iter().enumerate() {
            waiting.extend(schema.target.map(|target| (id, target)));
            let mut keys = HashMap::default();
            for (step, subschema) in &schema.subschemas {
                if stays(*step) {
                    waiting.push((id, *subschema));
                } else if let Some(key) = Key::of(*step)
                    && let Some(other) = keys.insert(key, *subschema)
                {
                    waiting.push((other, *subschema));
                }
            }
            inside.push(keys);
        }
        loop {
            while let Some((a, b)) = waiting.pop() {
                let (a, b) = (self.find(a), self.find(b));
                if a == b {
                    continue;
                }
                let (large, small) =
                    if inside[a].len() < inside[b].len() { (b, a) } else { (a, b) };
                self.parents[small] = large;
                for (key, subschema) in std::mem::take(&mut inside[small]) {
                    if let Some(other) = inside[large].get(&key) {
                        waiting.push((*other, subschema));
                    } else {
                        inside[large].insert(key, subschema);
                    }
                }
            }
            self.cross(&inside, &mut waiting);
            if waiting.is_empty() {
                return;
            }
        }
    }

    /// Finds what meets across keys: a pattern or `additionalProperties` of one schema and a property of another, and the like for elements.
    fn cross(&mut self, inside: &[HashMap<Key<'a>, usize>], waiting: &mut Vec<(usize, usize)>) {
        for id in 0..self.schemas.len() {
            let place = self.find(id);
            for at in 0..self.schemas[id].subschemas.len() {
                let (step, subschema) = self.schemas[id].subschemas[at];
                let Some(key) = Key::of(step).filter(|key| !matches!(key, Key::Property(_))) else {
                    continue;
                };
                let here = self.schemas[id].keywords;
                let own = |keyword: &str, name: &str| {
                    here.get(keyword).and_then(|map| map.get(name)).is_some()
                };
                let pattern = match &key {
                    Key::Pattern(pattern) => Pattern::new(pattern),
                    _ => None,
                };
                let meets = |other: &Key<'_>| match (&key, other) {
                    (Key::Pattern(_), Key::Property(name)) => match &pattern {
                        Some(Pattern::Search(regex)) => regex.is_match(name),
                        Some(Pattern::Unsupported) => true,
                        None => false,
                    },
                    (Key::OtherProperties, Key::Property(name)) => !own("properties", name),
                    (Key::OtherProperties, Key::Pattern(name)) => !own("patternProperties", name),
                    (Key::Pattern(_), Key::Pattern(_)) => pattern.is_some(),
                    (Key::OtherElements, Key::Element(index)) => {
                        let tuple = ["prefixItems", "items"]
                            .into_iter()
                            .find_map(|list| here.get(list)?.as_array());
                        tuple.is_none_or(|tuple| *index >= tuple.len())
                    }
                    _ => false,
                };
                for (_, other) in inside[place].iter().filter(|(other, _)| meets(other)) {
                    if self.find(subschema) != self.find(*other) {
                        waiting.push((subschema, *other));
                    }
                }
            }
        }
    }

    fn find(&mut self, schema: usize) -> usize {
        let place = self.place(schema);
        let mut here = schema;
        while self.parents[here] != place {
            here = std::mem::replace(&mut self.parents[here], place);
        }
        place
    }
}

struct Found<'a> {
    schemas: Vec<Schema<'a>>,
    ids: HashMap<*const Value, usize>,
    /// Literal data, and the maps of schemas: their keys are names, whoever refers to them.
    no_schemas: HashSet<*const Value>,
}

impl<'a> Found<'a> {
    fn add(&mut self, schema: &'a Value, path: impl FnOnce() -> Path<'a>) -> Option<usize> {
        let keywords = schema.as_object()?;
        Some(*self.ids.entry(schema).or_insert_with(|| {
            self.schemas.push(Schema {
                keywords,
                path: path(),
                subschemas: Vec::new(),
                target: None,
            });
            self.schemas.len() - 1
        }))
    }

    fn look_into(&mut self, id: usize) {
        let keywords = self.schemas[id].keywords;
        for (step, subschema) in subschemas(keywords) {
            if let Some(subschema) = self.add(subschema, || Path::Below(id, step)) {
                self.schemas[id].subschemas.push((step, subschema));
            }
        }
        let maps = keywords.iter().filter(|(keyword, _)| holds(keyword) == Holds::Map);
        self.no_schemas.extend(maps.map(|(_, map)| std::ptr::from_ref(map)));
        let mut waiting: Vec<&Value> = Vec::new();
        for keyword in ["default", "const", "enum", "examples", "example"] {
            waiting.extend(keywords.get(keyword));
        }
        while let Some(value) = waiting.pop() {
            self.no_schemas.insert(value);
            match value {
                Value::Object(members) => waiting.extend(members.values()),
                Value::Array(elements) => waiting.extend(elements.iter()),
                _ => {}
            }
        }
    }
}
