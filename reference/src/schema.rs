//! A schema, compiled: every subschema that arguments can reach, with references followed and keywords read.

use std::collections::hash_map::Entry;
use std::ptr;
use std::sync::OnceLock;

use foldhash::{HashMap, HashSet};
use indexmap::IndexMap;
use regex::Regex;

use crate::admits::Admission;
use crate::json::{Object, Value};
use crate::kinds::Kinds;
use crate::names::Names;
use crate::pattern::Pattern;
use crate::policy::{Choice, Policies, Policy};
use crate::position::Combination;
use crate::resolve::{Chain, Resolver};

/// Names a compiled subschema.
pub(crate) type NodeId = usize;

/// The node that every subschema becomes that is no object: it admits anything and says nothing.
pub(crate) const ANYTHING: NodeId = 0;

/// Stands for the node of a subschema while it is looked for.
const ON_THE_WAY: NodeId = NodeId::MAX;

/// The keywords of one subschema that say what its place admits or which subschemas apply inside.
#[derive(Debug, Default)]
pub(crate) struct Node {
    pub(crate) own: Own,
    pub(crate) all_of: Vec<NodeId>,
    /// `anyOf` and `oneOf`, where they have two branches or more.
    pub(crate) unions: Vec<Vec<NodeId>>,
    pub(crate) properties: HashMap<String, NodeId>,
    pub(crate) patterns: Vec<(Box<Regex>, NodeId)>,
    /// A pattern is not supported: any key might match it.
    pub(crate) unknown_keys: bool,
    pub(crate) additional: Option<NodeId>,
    pub(crate) tuple: Vec<NodeId>,
    pub(crate) rest: Option<NodeId>,
    pub(crate) required: Vec<String>,
    /// A provider's names for properties, with the originals.
    pub(crate) renamed: HashMap<String, String>,
    /// The node restores names, and says nothing else.
    names_only: bool,
    /// How the node reads as alternatives without unions, once somebody asked.
    pub(crate) combinations: OnceLock<Option<Vec<Combination>>>,
}

/// Whether a keyword says what a place admits, which subschemas apply inside, or what properties are called.
fn is_read(keyword: &str) -> bool {
    matches!(
        keyword,
        "type"
            | "enum"
            | "const"
            | "nullable"
            | "allOf"
            | "anyOf"
            | "oneOf"
            | "properties"
            | "patternProperties"
            | "additionalProperties"
            | "required"
            | "items"
            | "prefixItems"
            | "additionalItems"
            | "not"
            | "if"
            | "then"
            | "else"
            | "dependentSchemas"
            | "dependencies"
            | "contains"
            | "unevaluatedItems"
            | "unevaluatedProperties"
    )
}

/// What a node's own `type`, `enum` and `const` admit.
#[derive(Debug)]
pub(crate) struct Own {
    types: Kinds,
    pub(crate) typed: bool,
    enumeration: Option<Literals>,
    constant: Option<Value>,
    nullable: bool,
}

/// The members of an `enum`.
#[derive(Debug, Default)]
pub(crate) struct Literals {
    pub(crate) strings: HashSet<String>,
    others: Vec<Value>,
    kinds: Kinds,
}

/// The compiled form of a whole schema.
#[derive(Debug)]
pub(crate) struct Nodes {
    all: Vec<Node>,
    pub(crate) root: NodeId,
    pub(crate) admission: Admission,
}

impl Nodes {
    /// Compiles a root schema. With `names`, properties that a provider knows under other names are restored.
    pub(crate) fn compile(root: &Value, policies: &Policies, names: Option<&Names>) -> Self {
        let mut compiler = Compiler {
            resolver: Resolver::new(root, policies),
            nullable_counts: policies.is(Policy::NullableKeyword, Choice::Counts),
            names: names.map(|names| names.in_schema(root)).unwrap_or_default(),
            names_only: false,
            ids: HashMap::default(),
            waiting: Vec::new(),
            nodes: vec![Node::default()],
        };
        let root = compiler.id(root);
        while let Some((id, schema, names_only)) = compiler.waiting.pop() {
            compiler.names_only = names_only;
            if let Some(chain) = compiler.resolver.follow(schema) {
                compiler.nodes[id] = compiler.node(&chain);
            }
        }
        let nodes = compiler.nodes;
        Self { admission: Admission::of(&nodes), all: nodes, root }
    }
}

impl std::ops::Index<NodeId> for Nodes {
    type Output = Node;

    fn index(&self, id: NodeId) -> &Node {
        &self.all[id]
    }
}

struct Compiler<'a> {
    resolver: Resolver<'a>,
    nullable_counts: bool,
    /// The `properties` maps with renamed properties.
    names: HashMap<*const Object, &'a IndexMap<String, String>>,
    /// Whether the schema at hand is read for the names of its properties alone: it stands in `then`, `not` or the like, which admit and convert nothing but whose
    /// properties a provider knows under the same names (clause `restore-places`).
    names_only: bool,
    ids: HashMap<(*const Value, bool), NodeId>,
    waiting: Vec<(NodeId, &'a Value, bool)>,
    nodes: Vec<Node>,
}

impl<'a> Compiler<'a> {
    /// The node of a subschema, which is compiled later if it is met for the first time.
    ///
    /// A subschema that is a reference and says nothing itself is the node that it leads to: so n definitions that each refer to all n make n nodes.
    fn id(&mut self, schema: &'a Value) -> NodeId {
        let mut passed: Vec<(*const Value, bool)> = Vec::new();
        let mut here = schema;
        let id = loop {
            let Some(keywords) = here.as_object() else { break ANYTHING };
            let key = (ptr::from_ref(here), self.names_only);
            let unknown = match self.ids.entry(key) {
                Entry::Occupied(known) if *known.get() != ON_THE_WAY => break *known.get(),
                // A circle of references that say nothing.
                Entry::Occupied(_) => break self.add(here),
                Entry::Vacant(unknown) => unknown,
            };
            let reference = keywords.get("$ref").and_then(Value::as_str);
            let mere = reference.filter(|_| !keywords.keys().any(|keyword| is_read(keyword)));
            let target = mere.and_then(|reference| self.resolver.target(here, reference));
            let Some((target, _)) = target else {
                unknown.insert(self.nodes.len());
                break self.add(here);
            };
            unknown.insert(ON_THE_WAY);
            passed.push(key);
            here = target;
        };
        self.ids.extend(passed.into_iter().map(|key| (key, id)));
        id
    }

    /// A new node, to be compiled later.
    fn add(&mut self, schema: &'a Value) -> NodeId {
        self.nodes.push(Node::default());
        self.waiting.push((self.nodes.len() - 1, schema, self.names_only));
        self.nodes.len() - 1
    }

    fn ids(&mut self, keyword: Option<&'a Value>) -> Vec<NodeId> {
        match keyword {
            Some(Value::Array(list)) => list.iter().map(|schema| self.id(schema)).collect(),
            _ => Vec::new(),
        }
    }

    fn node(&mut self, chain: &Chain<'a>) -> Node {
        let mut node = Node { names_only: self.names_only, ..Node::default() };
        node.all_of = self.ids(chain.get("allOf"));
        for keyword in ["anyOf", "oneOf"] {
            match self.ids(chain.get(keyword)) {
                // Clause `union-typed`: a union of one branch is that branch.
                branches if branches.len() == 1 || self.names_only => node.all_of.extend(branches),
                branches if branches.is_empty() => {}
                branches => node.unions.push(branches),
            }
        }
        if !self.names.is_empty() {
            node.all_of.extend(self.names_only_ids(chain));
        }
        if !self.names_only {
            node.own = Own::new(chain, self.nullable_counts);
            if let Some(Value::Array(names)) = chain.get("required") {
                // A list with anything else in it is odd, and counts as absent (clause `odd-schema`).
                let names = names.iter().map(|name| name.as_str().map(str::to_owned));
                node.required = names.collect::<Option<_>>().unwrap_or_default();
            }
        }
        for map in chain.maps("properties") {
            self.add_properties(&mut node, map);
        }
        self.add_patterns(&mut node, &chain.maps("patternProperties"));
        node.additional = chain.get("additionalProperties").map(|schema| self.id(schema));
        let items = chain.get("items");
        let (tuple, rest) = match (chain.get("prefixItems"), items) {
            (tuple @ Some(Value::Array(_)), rest) => (tuple, rest),
            (_, tuple @ Some(Value::Array(_))) => (tuple, chain.get("additionalItems")),
            (_, rest) => (None, rest),
        };
        node.tuple = self.ids(tuple);
        node.rest = rest.filter(|rest| rest.as_array().is_none()).map(|schema| self.id(schema));
        node
    }

    /// Nodes for the subschemas that are read for names alone.
    fn names_only_ids(&mut self, chain: &Chain<'a>) -> Vec<NodeId> {
        let schemas = ["not", "if", "then", "else"].into_iter().filter_map(|name| chain.get(name));
        let maps = ["dependentSchemas", "dependencies"].into_iter();
        let maps = maps.flat_map(|name| chain.maps(name)).flat_map(|map| map.values());
        let schemas: Vec<&'a Value> = schemas.chain(maps).collect();
        let before = std::mem::replace(&mut self.names_only, true);
        let mut ids: Vec<NodeId> = schemas.into_iter().map(|schema| self.id(schema)).collect();
        // What these say of what is inside has no node of its own that could hold it.
        for keyword in ["contains", "unevaluatedItems", "unevaluatedProperties"] {
            let Some(schema) = chain.get(keyword) else { continue };
            let inside = Some(self.id(schema));
            let (rest, additional) =
                if keyword == "unevaluatedProperties" { (None, inside) } else { (inside, None) };
            ids.push(self.nodes.len());
            self.nodes.push(Node { names_only: true, rest, additional, ..Node::default() });
        }
        self.names_only = before;
        ids
    }

    /// Adds the entries of a `properties` map that none before it has.
    fn add_properties(&mut self, node: &mut Node, map: &'a Object) {
        for (name, schema) in map.iter() {
            let id = self.id(schema);
            node.properties.entry(name.clone()).or_insert(id);
        }
        if let Some(renamed) = self.names.get(&ptr::from_ref(map)) {
            for (original, new) in *renamed {
                node.renamed.entry(new.clone()).or_insert_with(|| original.clone());
            }
        }
    }

    fn add_patterns(&mut self, node: &mut Node, maps: &[&'a Object]) {
        let mut seen = HashSet::default();
        for (pattern, schema) in maps.iter().flat_map(|map| map.iter()) {
            if !seen.insert(pattern) {
                continue;
            }
            match Pattern::new(pattern) {
                Some(Pattern::Search(regex)) => {
                    let id = self.id(schema);
                    node.patterns.push((regex, id));
                }
                Some(Pattern::Unsupported) => node.unknown_keys = true,
                None => {}
            }
        }
    }
}

impl Node {
    /// Whether the node is nothing but one union, so that its branches can stand in its place.
    pub(crate) fn is_mere_union(&self) -> bool {
        self.unions.len() == 1
            && self.all_of.is_empty()
            && !self.own.says_something()
            && !self.has_applicators()
    }

    fn has_applicators(&self) -> bool {
        !self.applies_to().is_empty() || !self.required.is_empty()
    }

    /// The kinds of container that the node has subschemas for.
    pub(crate) fn applies_to(&self) -> Kinds {
        if self.names_only {
            return Kinds::NONE;
        }
        let object = !self.properties.is_empty()
            || !self.patterns.is_empty()
            || self.unknown_keys
            || self.additional.is_some();
        let array = !self.tuple.is_empty() || self.rest.is_some();
        let object = if object { Kinds::OBJECT } else { Kinds::NONE };
        if array { object.or(Kinds::ARRAY) } else { object }
    }
}

impl Default for Own {
    fn default() -> Self {
        Self { types: Kinds::ALL, typed: false, enumeration: None, constant: None, nullable: false }
    }
}

impl Own {
    fn new(chain: &Chain<'_>, nullable_counts: bool) -> Self {
        let types = chain.get("type").and_then(Kinds::of_type);
        Self {
            types: types.unwrap_or(Kinds::ALL),
            typed: types.is_some(),
            enumeration: match chain.get("enum") {
                Some(Value::Array(members)) => Some(Literals::new(members)),
                _ => None,
            },
            constant: chain.get("const").cloned(),
            nullable: nullable_counts && matches!(chain.get("nullable"), Some(Value::Bool(true))),
        }
    }

    /// Whether there is a `type`, an `enum` or a `const`.
    pub(crate) fn says_something(&self) -> bool {
        self.typed || self.enumeration.is_some() || self.constant.is_some()
    }

    /// Whether there is an `enum` or a `const`.
    pub(crate) fn has_literals(&self) -> bool {
        self.enumeration.is_some() || self.constant.is_some()
    }

    /// The kinds of which something is admitted. `scalar_types_only`: a `type` with a container in it counts as absent (clause `union-inside`).
    pub(crate) fn possible(&self, scalar_types_only: bool) -> Kinds {
        let mut kinds = self.types(scalar_types_only);
        if let Some(literals) = &self.enumeration {
            kinds = kinds.and(literals.kinds);
        }
        if let Some(constant) = &self.constant {
            kinds = kinds.and(Kinds::of(constant));
        }
        if self.nullable { kinds.or(Kinds::NULL) } else { kinds }
    }

    /// The kinds of which every value is admitted.
    pub(crate) fn certain(&self, scalar_types_only: bool) -> Kinds {
        let possible = self.possible(scalar_types_only);
        if self.has_literals() { possible.and(Kinds::NULL) } else { possible }
    }

    /// Whether a value is admitted.
    pub(crate) fn admits(&self, value: &Value, scalar_types_only: bool) -> bool {
        if self.nullable && matches!(value, Value::Null) {
            return true;
        }
        self.types(scalar_types_only).has(Kinds::of(value))
            && self.enumeration.as_ref().is_none_or(|literals| literals.contain(value))
            && self.constant.as_ref().is_none_or(|constant| constant == value)
    }

    /// Every string that an `enum` or a `const` names.
    pub(crate) fn strings(&self) -> impl Iterator<Item = &str> {
        let members = self
            .enumeration
            .iter()
            .flat_map(|literals| literals.strings.iter().map(String::as_str));
        members.chain(self.constant.as_ref().and_then(Value::as_str))
    }

    fn types(&self, scalar_types_only: bool) -> Kinds {
        if scalar_types_only && self.types.meets(Kinds::CONTAINERS) {
            Kinds::ALL
        } else {
            self.types
        }
    }
}

impl Literals {
    fn new(members: &[Value]) -> Self {
        let mut literals = Self::default();
        for member in members {
            literals.kinds = literals.kinds.or(Kinds::of(member));
            match member {
                Value::String(text) => {
                    literals.strings.insert(text.clone());
                }
                other => literals.others.push(other.clone()),
            }
        }
        literals
    }

    fn contain(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => self.strings.contains(text),
            other => self.others.contains(other),
        }
    }
}
