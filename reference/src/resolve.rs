//! Following a reference to the keywords it stands for: SPEC's chapter *Resolving*, in its order.

use std::cell::RefCell;
use std::ptr;

use foldhash::{HashMap, HashSet};

use crate::json::{Object, Value};
use crate::keywords::subschemas;
use crate::pointer::{Reference, read_reference, step, walk};
use crate::policy::{Choice, Policies, Policy};

/// Answers what `node`, a schema of the document `root`, stands for once its own `$ref` is followed.
///
/// The keywords of every node passed count, the deepest first; references further inside stay as they are. Where the chain cannot go on (nothing there, another document,
/// a node already passed), the `$ref` of the last node remains. A node without a reference is answered as it is.
///
/// ```
/// use callfit_reference::{Policies, json::parse, resolve};
///
/// let root = parse(r##"{"$defs": {"Count": {"type": "integer"}}}"##).unwrap();
/// let node = parse(r##"{"$ref": "#/$defs/Count", "description": "how many"}"##).unwrap();
/// assert_eq!(
///     resolve(&root, &node, &Policies::default()),
///     parse(r#"{"type": "integer", "description": "how many"}"#).unwrap(),
/// );
/// ```
pub fn resolve(root: &Value, node: &Value, policies: &Policies) -> Value {
    match Resolver::new(root, policies).follow(node) {
        Some(chain) if chain.nodes.len() > 1 => chain.merge(),
        _ => node.clone(),
    }
}

/// A document whose references can be followed.
pub(crate) struct Resolver<'a> {
    root: &'a Value,
    policies: &'a Policies,
    /// The embedded resource that a schema stands in, for those that stand in one (policy `embedded-id`).
    resources: HashMap<*const Value, &'a Value>,
    /// The schemas that have an `$anchor` (policy `anchors`).
    anchors: HashMap<&'a str, &'a Value>,
    /// What references were found to lead to: many say the same.
    known: RefCell<HashMap<(*const Value, &'a str), Option<Target<'a>>>>,
}

/// A schema that is an object, and its keywords.
type Target<'a> = (&'a Value, &'a Object);

/// The nodes that following a reference passed, the one it began at first.
pub(crate) struct Chain<'a> {
    nodes: Vec<&'a Object>,
    /// Whether the last node is no reference, so that nothing is left to follow.
    complete: bool,
    unite_maps: bool,
}

impl<'a> Resolver<'a> {
    /// A resolver of the references in `root`.
    pub(crate) fn new(root: &'a Value, policies: &'a Policies) -> Self {
        let mut resolver = Self {
            root,
            policies,
            resources: HashMap::default(),
            anchors: HashMap::default(),
            known: RefCell::default(),
        };
        let rebased = policies.is(Policy::EmbeddedId, Choice::Rebased);
        if rebased || policies.is(Policy::Anchors, Choice::Resolved) {
            resolver.index(rebased);
        }
        resolver
    }

    /// Notes the anchors of the document, and the embedded resource of each schema.
    fn index(&mut self, rebased: bool) {
        let mut waiting = vec![(self.root, self.root)];
        while let Some((schema, mut resource)) = waiting.pop() {
            let Some(keywords) = schema.as_object() else {
                continue;
            };
            let id = keywords.get("$id").and_then(Value::as_str);
            if rebased && id.is_some_and(|id| !id.starts_with('#')) {
                resource = schema;
            }
            if !ptr::eq(resource, self.root) {
                self.resources.insert(schema, resource);
            }
            if let Some(anchor) = keywords.get("$anchor").and_then(Value::as_str) {
                self.anchors.entry(anchor).or_insert(schema);
            }
            waiting.extend(subschemas(keywords).map(|(_, subschema)| (subschema, resource)));
        }
    }

    /// Follows the references that begin at `start`, a schema; nothing where it is no object.
    pub(crate) fn follow(&self, start: &'a Value) -> Option<Chain<'a>> {
        let mut chain = Chain {
            nodes: vec![start.as_object()?],
            complete: true,
            unite_maps: self.policies.is(Policy::SiblingMaps, Choice::United),
        };
        let mut passed: HashSet<*const Value> = HashSet::from_iter([ptr::from_ref(start)]);
        let mut node = start;
        while let Some(reference) = reference_of(node) {
            // Clause `ref-dead-end`: nothing there, another document, or a node already passed.
            match self.target(node, reference) {
                Some((target, keywords)) if passed.insert(target) => {
                    chain.nodes.push(keywords);
                    node = target;
                }
                _ => {
                    chain.complete = false;
                    break;
                }
            }
        }
        Some(chain)
    }

    /// What a `$ref` in `node` leads to, if it leads to an object (clause `ref-target`).
    pub(crate) fn target(&self, node: &Value, reference: &'a str) -> Option<Target<'a>> {
        let resource = self.resource_of(node);
        let key = (ptr::from_ref(resource), reference);
        if let Some(known) = self.known.borrow().get(&key) {
            return *known;
        }
        let target = match self.read(reference) {
            Reference::Pointer(tokens) => self.walk(resource, tokens),
            Reference::Anchor(name) if self.policies.is(Policy::Anchors, Choice::Resolved) => {
                self.anchors.get(name.as_str()).copied()
            }
            Reference::Anchor(_) | Reference::Remote | Reference::Malformed => None,
        };
        let target = target.and_then(|target| Some((target, target.as_object()?)));
        self.known.borrow_mut().insert(key, target);
        target
    }

    /// What a pointer from the root leads to by plain lookup, with its tokens.
    pub(crate) fn locate(&self, reference: &str) -> Option<(&'a Value, Vec<String>)> {
        match self.read(reference) {
            Reference::Pointer(tokens) => Some((walk(self.root, &tokens)?, tokens)),
            _ => None,
        }
    }

    fn read(&self, reference: &str) -> Reference {
        read_reference(reference, self.policies.is(Policy::MalformedPercent, Choice::Literal))
    }

    /// Where pointers in `node` start.
    fn resource_of(&self, node: &Value) -> &'a Value {
        self.resources.get(&ptr::from_ref(node)).copied().unwrap_or(self.root)
    }

    /// Looks tokens up one by one (clause `ref-walk`); what they pass through need be no schema.
    ///
    /// Where policy `ref-through-ref` has references on the way followed, a token that a node lacks is looked up where the node's own `$ref` leads: the tokens of that
    /// reference take its place before the rest.
    fn walk(&self, start: &'a Value, tokens: Vec<String>) -> Option<&'a Value> {
        let follow = self.policies.is(Policy::RefThroughRef, Choice::Followed);
        let mut ahead: Vec<String> = tokens.into_iter().rev().collect();
        // The references being followed on the way, each with how many tokens wait behind it.
        let mut following: Vec<(*const Value, usize)> = Vec::new();
        let mut here = start;
        while let Some(token) = ahead.last() {
            following.retain(|(_, left)| ahead.len() >= *left);
            let next = step(here, token);
            if let Some(next) = next {
                ahead.pop();
                here = next;
                continue;
            }
            let reference = reference_of(here).filter(|_| follow)?;
            if following.iter().any(|(node, _)| ptr::eq(*node, here)) {
                return None;
            }
            let Reference::Pointer(inner) = self.read(reference) else {
                return None;
            };
            following.push((here, ahead.len()));
            ahead.extend(inner.into_iter().rev());
            here = self.resource_of(here);
        }
        Some(here)
    }
}

/// The `$ref` of a schema, if it is a string (clause `ref-position`).
fn reference_of(schema: &Value) -> Option<&str> {
    schema.get("$ref").and_then(Value::as_str)
}

/// Keywords whose maps are united where they stand on both sides of a `$ref` (policy `sibling-maps`).
const MAPS: [&str; 5] =
    ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];

impl<'a> Chain<'a> {
    /// The value of a keyword: the deepest node's that has it (clause `ref-siblings`).
    pub(crate) fn get(&self, keyword: &str) -> Option<&'a Value> {
        self.nodes.iter().rev().find_map(|node| node.get(keyword))
    }

    /// The maps under a keyword, those that win first; none where the deepest is no map.
    pub(crate) fn maps(&self, keyword: &str) -> Vec<&'a Object> {
        let mut found = self.nodes.iter().rev().filter_map(|node| node.get(keyword));
        let Some(Value::Object(deepest)) = found.next() else {
            return Vec::new();
        };
        let mut maps = vec![deepest];
        if self.unite_maps {
            maps.extend(found.filter_map(Value::as_object));
        }
        maps
    }

    /// One schema that says what the chain says.
    fn merge(&self) -> Value {
        let mut merged = Object::new();
        for (distance, node) in self.nodes.iter().rev().enumerate() {
            for (keyword, value) in node.iter() {
                if keyword == "$ref" && (distance > 0 || !self.complete) && value.as_str().is_some()
                {
                    if distance == 0 {
                        merged.insert(keyword.clone(), value.clone());
                    }
                    continue;
                }
                let both = (merged.get_mut(keyword), value);
                match both {
                    (None, _) => {
                        merged.insert(keyword.clone(), value.clone());
                    }
                    (Some(Value::Object(inner)), Value::Object(outer))
                        if self.unite_maps && MAPS.contains(&keyword.as_str()) =>
                    {
                        for (name, entry) in outer.iter() {
                            if !inner.contains_key(name) {
                                inner.insert(name.clone(), entry.clone());
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        merged.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    fn check(policies: &Policies, root: &str, node: &str, expected: &str) {
        let answer = resolve(&parse(root).unwrap(), &parse(node).unwrap(), policies);
        assert_eq!(answer, parse(expected).unwrap(), "{node}");
    }

    #[test]
    fn chains_and_dead_ends() {
        let root = r##"{"$defs": {
            "A": {"$ref": "#/$defs/B", "title": "a"}, "B": {"type": "integer", "title": "b"},
            "C": {"$ref": "#/$defs/D", "title": "c"}, "D": {"$ref": "#/$defs/C", "minimum": 1},
            "E": {"$ref": "#/nowhere", "type": "integer"}
        }}"##;
        let check = |node, expected| check(&Policies::default(), root, node, expected);
        check(
            r##"{"$ref": "#/$defs/A", "title": "x", "x": 1}"##,
            r#"{"type": "integer", "title": "b", "x": 1}"#,
        );
        check(
            r##"{"$ref": "#/$defs/C"}"##,
            r##"{"$ref": "#/$defs/C", "title": "c", "minimum": 1}"##,
        );
        check(
            r##"{"$ref": "#/$defs/E", "type": "string"}"##,
            r##"{"$ref": "#/nowhere", "type": "integer"}"##,
        );
        check(
            r##"{"$ref": "#/$defs"}"##,
            root.trim_start_matches(r#"{"$defs": "#).strip_suffix('}').unwrap(),
        );
    }

    #[test]
    fn references_on_the_way() {
        let root = r##"{"$defs": {
            "A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/C"}, "C": {"x": {"type": "integer"}},
            "L": {"$ref": "#/$defs/L/x"}, "M": {"$ref": "#/$defs/N"}, "N": {"$ref": "#/$defs/M"}
        }}"##;
        let followed = Policies::default().with("ref-through-ref", "followed").unwrap();
        let node = r##"{"$ref": "#/$defs/A/x"}"##;
        check(&followed, root, node, r#"{"type": "integer"}"#);
        check(&Policies::default(), root, node, node);
        for circle in [r##"{"$ref": "#/$defs/L/y"}"##, r##"{"$ref": "#/$defs/M/x"}"##] {
            check(&followed, root, circle, circle);
        }
    }
}
