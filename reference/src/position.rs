//! Positions: what a place in the arguments admits, and what the places inside it do.
//!
//! A place is described by *combinations*: each is a set of nodes that all apply there, with one branch chosen of every union around; what any of them admits, the place
//! admits. Most places have one combination of one node. Below a union, those combinations count that the value around does not contradict (clause `union-inside`).

use std::collections::HashSet;
use std::rc::Rc;

use crate::coerce::Coercion;
use crate::json::{Object, Value};
use crate::kinds::Kinds;
use crate::schema::{ANYTHING, Node, NodeId, Nodes};

/// Nodes that all apply to one place, sorted.
pub(crate) type Combination = Vec<NodeId>;

/// Beyond so many combinations at one place, nothing inside is touched.
const MOST_COMBINATIONS: usize = 1_000;
/// So many choices are tried to find them.
const MOST_CHOICES: usize = 4_000;

/// What is known of a place.
#[derive(Debug, Clone)]
pub(crate) enum Spot {
    /// Nothing: whatever stands there stays.
    Free,
    /// One node applies.
    One(NodeId),
    /// Any of these combinations applies.
    Any(Rc<[Combination]>),
}

impl Spot {
    pub(crate) fn of(node: NodeId) -> Self {
        if node == ANYTHING { Self::Free } else { Self::One(node) }
    }

    /// The place that the nodes of any of these combinations describe; an empty one means that nothing is known.
    fn any(combinations: Vec<Combination>) -> Self {
        let mut distinct: Vec<Combination> = Vec::new();
        for mut combination in combinations {
            combination.sort_unstable();
            combination.dedup();
            if combination.is_empty() || combination.contains(&ANYTHING) && combination.len() == 1 {
                return Self::Free;
            }
            if !distinct.contains(&combination) {
                distinct.push(combination);
            }
        }
        match distinct.as_slice() {
            [] => Self::Free,
            [only] if only.len() == 1 => Self::of(only[0]),
            _ if distinct.len() > MOST_COMBINATIONS => Self::Free,
            _ => Self::Any(distinct.into()),
        }
    }

    /// Whether any of the combinations of a place has only nodes that satisfy `test`.
    fn any_all(&self, test: impl Fn(NodeId) -> bool) -> bool {
        match self {
            Self::Free => true,
            Self::One(node) => test(*node),
            Self::Any(combinations) => {
                combinations.iter().any(|nodes| nodes.iter().all(|node| test(*node)))
            }
        }
    }
}

/// Questions about what a place admits.
impl Nodes {
    /// Whether a place admits a value.
    pub(crate) fn admits(&self, spot: &Spot, value: &Value) -> bool {
        spot.any_all(|node| self.admission.admits(self, node, value, false))
    }

    /// Whether a place may admit something of these kinds.
    pub(crate) fn may_admit(&self, spot: &Spot, kinds: Kinds) -> bool {
        match spot {
            Spot::Free => true,
            Spot::One(node) => self.admission.possible(*node).meets(kinds),
            Spot::Any(combinations) => combinations.iter().any(|nodes| {
                let possible =
                    nodes.iter().fold(kinds, |left, node| left.and(self.admission.possible(*node)));
                !possible.is_empty()
            }),
        }
    }

    /// Whether a place admits at least one string (clause `admits`).
    pub(crate) fn admits_a_string(&self, spot: &Spot) -> bool {
        match spot {
            Spot::Free => true,
            Spot::One(node) => self.all_admit_a_string(std::slice::from_ref(node)),
            Spot::Any(combinations) => {
                combinations.iter().any(|nodes| self.all_admit_a_string(nodes))
            }
        }
    }

    fn all_admit_a_string(&self, nodes: &[NodeId]) -> bool {
        if nodes.iter().all(|node| self.admission.certain(*node).has(Kinds::STRING)) {
            return true;
        }
        if !nodes.iter().all(|node| self.admission.possible(*node).has(Kinds::STRING)) {
            return false;
        }
        nodes.iter().flat_map(|node| self.admission.strings(self, *node)).any(|text| {
            let text = Value::from(text);
            nodes.iter().all(|node| self.admission.admits(self, *node, &text, false))
        })
    }

    /// The only strings that a place admits, if it admits strings but not every one.
    pub(crate) fn listed_strings(&self, spot: &Spot) -> Vec<&str> {
        let nodes: Vec<NodeId> = match spot {
            Spot::Free => return Vec::new(),
            Spot::One(node) => vec![*node],
            Spot::Any(combinations) => combinations.iter().flatten().copied().collect(),
        };
        if spot.any_all(|node| self.admission.certain(node).has(Kinds::STRING)) {
            return Vec::new();
        }
        let strings = nodes.iter().flat_map(|node| self.admission.strings(self, *node));
        strings.filter(|text| self.admits(spot, &Value::from(*text))).collect()
    }

    /// Whether a `type`, `enum` or `const` is seen from a place.
    pub(crate) fn says_something(&self, spot: &Spot) -> bool {
        match spot {
            Spot::Free => false,
            Spot::One(node) => self.admission.says_something(*node),
            Spot::Any(combinations) => combinations
                .iter()
                .all(|nodes| nodes.iter().any(|node| self.admission.says_something(*node))),
        }
    }

    /// Whether a `type` is seen from a place other than through a union.
    pub(crate) fn is_typed(&self, spot: &Spot) -> bool {
        match spot {
            Spot::Free => false,
            Spot::One(node) => self.admission.is_typed(*node),
            Spot::Any(combinations) => combinations
                .iter()
                .all(|nodes| nodes.iter().any(|node| self.admission.is_typed(*node))),
        }
    }

    /// Whether a union is seen from a place.
    pub(crate) fn has_union(&self, spot: &Spot) -> bool {
        match spot {
            Spot::Free => false,
            Spot::One(node) => self.admission.has_union(*node),
            Spot::Any(combinations) => {
                combinations.iter().flatten().any(|node| self.admission.has_union(*node))
            }
        }
    }

    /// The nodes that apply at a place, with every union looked into; none where there are too many combinations.
    pub(crate) fn expand(&self, spot: &Spot) -> Option<Vec<Combination>> {
        match spot {
            Spot::Free => Some(Vec::new()),
            Spot::One(node) => {
                self[*node].combinations.get_or_init(|| self.expand_all(&[vec![*node]])).clone()
            }
            Spot::Any(combinations) => self.expand_all(combinations),
        }
    }

    fn expand_all(&self, combinations: &[Combination]) -> Option<Vec<Combination>> {
        let mut found: Vec<Combination> = Vec::new();
        let mut choices = 0;
        let mut waiting: Vec<Choosing<'_>> = Vec::new();
        for nodes in combinations {
            let mut choosing = Choosing::default();
            for node in nodes {
                choosing.take(self, *node, None);
            }
            waiting.push(choosing);
        }
        while let Some(mut choosing) = waiting.pop() {
            choices += 1;
            if choices > MOST_CHOICES || found.len() > MOST_COMBINATIONS {
                return None;
            }
            let Some((union, path)) = choosing.unions.pop() else {
                let mut nodes: Combination = choosing.nodes.into_iter().collect();
                nodes.sort_unstable();
                if !found.contains(&nodes) {
                    found.push(nodes);
                }
                continue;
            };
            let alternatives = self.alternatives(union);
            let ahead: Vec<NodeId> = alternatives
                .into_iter()
                .filter(|branch| !path.as_ref().is_some_and(|path| path.has(*branch)))
                .collect();
            // A union that leads only back, or one of whose branches applies already, asks for nothing more.
            if ahead.is_empty() || ahead.iter().any(|branch| choosing.nodes.contains(branch)) {
                waiting.push(choosing);
                continue;
            }
            for branch in ahead {
                let mut chosen = choosing.clone();
                chosen.take(self, branch, path.clone());
                waiting.push(chosen);
            }
        }
        Some(minimal(found))
    }

    /// The branches of a union, those that are mere unions replaced by their own.
    fn alternatives(&self, union: &[NodeId]) -> Vec<NodeId> {
        let mut seen = HashSet::new();
        let mut alternatives = Vec::new();
        let mut waiting: Vec<NodeId> = union.iter().rev().copied().collect();
        while let Some(branch) = waiting.pop() {
            if !seen.insert(branch) {
                continue;
            }
            let node = &self[branch];
            if node.is_mere_union() {
                waiting.extend(node.unions[0].iter().rev());
            } else {
                alternatives.push(branch);
            }
        }
        alternatives
    }
}

/// Drops each combination that contains another: it asks for more and offers nothing.
fn minimal(combinations: Vec<Combination>) -> Vec<Combination> {
    let contains = |large: &Combination, small: &Combination| {
        small.iter().all(|node| large.binary_search(node).is_ok())
    };
    let keep: Vec<bool> = combinations
        .iter()
        .map(|this| {
            !combinations.iter().any(|other| other.len() < this.len() && contains(this, other))
        })
        .collect();
    combinations
        .into_iter()
        .zip(keep)
        .filter_map(|(combination, keep)| keep.then_some(combination))
        .collect()
}

/// A combination in the making: its nodes, and the unions of which a branch is still to be chosen, each with the nodes that led to it.
#[derive(Debug, Clone, Default)]
struct Choosing<'a> {
    nodes: HashSet<NodeId>,
    unions: Vec<(&'a [NodeId], Option<Rc<Path>>)>,
}

#[derive(Debug)]
struct Path {
    node: NodeId,
    before: Option<Rc<Path>>,
}

impl Path {
    fn has(&self, node: NodeId) -> bool {
        let mut here = Some(self);
        while let Some(path) = here {
            if path.node == node {
                return true;
            }
            here = path.before.as_deref();
        }
        false
    }
}

impl<'a> Choosing<'a> {
    /// Adds a node and what it joins by `allOf`.
    fn take(&mut self, nodes: &'a Nodes, node: NodeId, path: Option<Rc<Path>>) {
        let mut waiting = vec![(node, path)];
        while let Some((id, before)) = waiting.pop() {
            if !self.nodes.insert(id) {
                continue;
            }
            let node = &nodes[id];
            if node.all_of.is_empty() && node.unions.is_empty() {
                continue;
            }
            let path = Some(Rc::new(Path { node: id, before }));
            waiting.extend(node.all_of.iter().map(|next| (*next, path.clone())));
            self.unions.extend(node.unions.iter().map(|union| (union.as_slice(), path.clone())));
        }
    }
}

/// The inside of an object: the combinations that it does not contradict.
pub(crate) fn inside_object(
    coercion: &Coercion<'_>,
    combinations: Vec<Combination>,
    object: &Object,
) -> Vec<Combination> {
    let nodes = coercion.nodes;
    let mut combinations = keep_kind(nodes, combinations, Kinds::OBJECT);
    if combinations.len() > 1 {
        let live: Vec<bool> = combinations
            .iter()
            .map(|combination| !is_contradicted(coercion, combination, object))
            .collect();
        if live.contains(&true) {
            let mut live = live.into_iter();
            combinations.retain(|_| live.next() == Some(true));
        }
    }
    combinations
}

/// The combinations that admit this kind of container, or all of them if none does.
pub(crate) fn keep_kind(
    nodes: &Nodes,
    combinations: Vec<Combination>,
    kind: Kinds,
) -> Vec<Combination> {
    let fits = |combination: &Combination| {
        combination.iter().all(|node| nodes[*node].own.possible(false).has(kind))
    };
    if combinations.iter().any(fits) {
        combinations.into_iter().filter(fits).collect()
    } else {
        combinations
    }
}

/// Whether an object lacks a key that a combination requires, or has a value that its `const`, `enum` or scalar `type` for that key does not admit.
fn is_contradicted(coercion: &Coercion<'_>, combination: &Combination, object: &Object) -> bool {
    let nodes = coercion.nodes;
    let sent_as = |name: &str| -> bool {
        object.contains_key(name)
            || combination.iter().any(|node| {
                nodes[*node]
                    .renamed
                    .iter()
                    .any(|(new, original)| original == name && object.contains_key(new))
            })
    };
    if combination.iter().flat_map(|node| &nodes[*node].required).any(|name| !sent_as(name)) {
        return true;
    }
    object.iter().any(|(key, value)| {
        let Some(declared) =
            declared(nodes, combination, original(nodes, combination, key).unwrap_or(key))
        else {
            return false;
        };
        let admits = |value: &Value| {
            declared.iter().all(|node| nodes.admission.admits(nodes, *node, value, true))
        };
        if declared.is_empty() || admits(value) {
            return false;
        }
        // A text counts as what it denotes too: it may be converted, and must not be judged otherwise then.
        let spot = Spot::any(vec![declared.clone()]);
        let mut denoted =
            value.as_str().into_iter().flat_map(|text| coercion.may_denote(text, &spot));
        !denoted.any(|denoted| admits(&denoted))
    })
}

/// The tool's own name of a key that a provider knows under this one, if the combination renamed it.
pub(crate) fn original<'n>(
    nodes: &'n Nodes,
    combination: &Combination,
    key: &str,
) -> Option<&'n str> {
    combination.iter().find_map(|node| nodes[*node].renamed.get(key)).map(String::as_str)
}

/// The nodes that a combination has for a key; none where it cannot be known.
fn declared(nodes: &Nodes, combination: &Combination, key: &str) -> Option<Combination> {
    let mut declared = Vec::new();
    for node in combination {
        let node = &nodes[*node];
        if node.unknown_keys {
            return None;
        }
        add_declared(node, key, &mut declared);
    }
    Some(declared)
}

fn add_declared(node: &Node, key: &str, declared: &mut Combination) {
    let before = declared.len();
    declared.extend(node.properties.get(key));
    declared.extend(
        node.patterns.iter().filter(|(pattern, _)| pattern.is_match(key)).map(|(_, id)| *id),
    );
    if declared.len() == before {
        declared.extend(node.additional);
    }
}

/// The place of a member of an object.
pub(crate) fn member(nodes: &Nodes, combinations: &[Combination], key: &str) -> Spot {
    if let [combination] = combinations
        && let [only] = combination.as_slice()
        && nodes[*only].patterns.is_empty()
        && !nodes[*only].unknown_keys
    {
        let node = &nodes[*only];
        return node.properties.get(key).copied().or(node.additional).map_or(Spot::Free, Spot::of);
    }
    let mut all = Vec::with_capacity(combinations.len());
    for combination in combinations {
        match declared(nodes, combination, key) {
            Some(declared) if !declared.is_empty() => all.push(declared),
            _ => return Spot::Free,
        }
    }
    Spot::any(all)
}

/// The place of an element of an array.
pub(crate) fn element(nodes: &Nodes, combinations: &[Combination], index: usize) -> Spot {
    let mut all = Vec::with_capacity(combinations.len());
    for combination in combinations {
        let declared: Combination = combination
            .iter()
            .filter_map(|node| nodes[*node].tuple.get(index).copied().or(nodes[*node].rest))
            .collect();
        if declared.is_empty() {
            return Spot::Free;
        }
        all.push(declared);
    }
    Spot::any(all)
}

/// From which index on all elements of an array have the same place.
pub(crate) fn tuple_length(nodes: &Nodes, combinations: &[Combination]) -> usize {
    combinations.iter().flatten().map(|node| nodes[*node].tuple.len()).max().unwrap_or(0)
}
