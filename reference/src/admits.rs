//! What a node admits, seen through `allOf`, `anyOf` and `oneOf`: clause `admits`, and clause `ref-branches` where these lead back into themselves.
//!
//! Nodes that lead to each other by `allOf` alone admit the same: they form a *group*. Among groups, a union whose branches all lead only back into the circle says
//! nothing, and such a branch beside others is no alternative; what is left admits the least that its equations allow. So the time is linear in the schema, and no order of
//! looking changes the answer.

use std::collections::{BTreeSet, VecDeque};

use crate::json::Value;
use crate::kinds::Kinds;
use crate::schema::{Node, NodeId};

/// Answers what nodes admit.
#[derive(Debug)]
pub(crate) struct Admission {
    group_of: Vec<usize>,
    /// In an order in which a group comes after those it leads to, but for circles.
    groups: Vec<Group>,
    strict: Known,
    scalar_types_only: Known,
}

/// What is known of each group without looking at a value.
#[derive(Debug)]
struct Known {
    /// The kinds of which every value is admitted.
    certain: Vec<Kinds>,
    /// The kinds of which some value is admitted.
    possible: Vec<Kinds>,
}

#[derive(Debug, Default)]
struct Group {
    members: Vec<NodeId>,
    all_of: Vec<usize>,
    unions: Vec<Vec<usize>>,
    /// Groups with the same number lead to each other.
    circle: usize,
    /// The groups of the same circle that lead to this one.
    dependents: Vec<usize>,
    /// Whether a `type`, an `enum` or a `const` is seen from here.
    says_something: bool,
    /// Whether a `type` is seen from here other than through a union.
    typed: bool,
    /// Whether a union is seen from here.
    has_union: bool,
}

impl Admission {
    /// Reads the look-through keywords of all nodes.
    pub(crate) fn of(nodes: &[Node]) -> Self {
        let (group_of, mut groups) = groups(nodes);
        drop_ungrounded(&mut groups);
        for (id, dependents) in dependents(&groups).into_iter().enumerate() {
            let circle = groups[id].circle;
            let inside =
                dependents.into_iter().filter(|dependent| groups[*dependent].circle == circle);
            groups[id].dependents = inside.collect();
        }
        describe(&mut groups, nodes);
        let known = |scalar_types_only| Known {
            certain: solve(&groups, 0..groups.len(), |id| nodes[id].own.certain(scalar_types_only)),
            possible: solve(&groups, 0..groups.len(), |id| {
                nodes[id].own.possible(scalar_types_only)
            }),
        };
        Self { strict: known(false), scalar_types_only: known(true), group_of, groups }
    }

    /// The kinds of which some value is admitted.
    pub(crate) fn possible(&self, node: NodeId) -> Kinds {
        self.strict.possible[self.group_of[node]]
    }

    /// The kinds of which every value is admitted.
    pub(crate) fn certain(&self, node: NodeId) -> Kinds {
        self.strict.certain[self.group_of[node]]
    }

    /// Whether a `type`, an `enum` or a `const` is seen.
    pub(crate) fn says_something(&self, node: NodeId) -> bool {
        self.groups[self.group_of[node]].says_something
    }

    /// Whether a `type` is seen other than through a union.
    pub(crate) fn is_typed(&self, node: NodeId) -> bool {
        self.groups[self.group_of[node]].typed
    }

    /// Whether a union is seen.
    pub(crate) fn has_union(&self, node: NodeId) -> bool {
        self.groups[self.group_of[node]].has_union
    }

    /// Whether a value is admitted. `scalar_types_only`: a `type` with a container in it counts as absent.
    pub(crate) fn admits(
        &self,
        nodes: &impl NodeTable,
        node: NodeId,
        value: &Value,
        scalar_types_only: bool,
    ) -> bool {
        let known = if scalar_types_only { &self.scalar_types_only } else { &self.strict };
        let group = self.group_of[node];
        let kind = Kinds::of(value);
        if known.certain[group].has(kind) {
            return true;
        }
        if !known.possible[group].has(kind) {
            return false;
        }
        let own = |id: NodeId| {
            if nodes.node(id).own.admits(value, scalar_types_only) { kind } else { Kinds::NONE }
        };
        let Group { members, all_of, unions, .. } = &self.groups[group];
        if all_of.is_empty() && unions.is_empty() {
            return members.iter().all(|member| !own(*member).is_empty());
        }
        solve(&self.groups, self.closure(group), own)[group].has(kind)
    }

    /// The strings that an `enum` or a `const` names, seen from a node.
    pub(crate) fn strings<'n>(&self, nodes: &'n impl NodeTable, node: NodeId) -> BTreeSet<&'n str> {
        let closure = self.closure(self.group_of[node]);
        let members = closure.iter().flat_map(|group| &self.groups[*group].members);
        members.flat_map(|member| nodes.node(*member).own.strings()).collect()
    }

    /// The groups that are seen from one, itself included, in order.
    fn closure(&self, group: usize) -> Vec<usize> {
        let mut seen = BTreeSet::from([group]);
        let mut waiting = vec![group];
        while let Some(group) = waiting.pop() {
            waiting.extend(self.groups[group].next().filter(|next| seen.insert(*next)));
        }
        seen.into_iter().collect()
    }
}

/// Where nodes are looked up.
pub(crate) trait NodeTable {
    /// The node with this id.
    fn node(&self, id: NodeId) -> &Node;
}

impl NodeTable for crate::schema::Nodes {
    fn node(&self, id: NodeId) -> &Node {
        &self[id]
    }
}

impl Group {
    /// What the group admits, as far as is known of those it leads to.
    fn admitted(&self, known: &[Kinds], own: impl Fn(NodeId) -> Kinds) -> Kinds {
        let members = self.members.iter().map(|member| own(*member));
        let all_of = self.all_of.iter().map(|next| known[*next]);
        let unions = self.unions.iter();
        let unions = unions
            .map(|union| union.iter().fold(Kinds::NONE, |kinds, branch| kinds.or(known[*branch])));
        members.chain(all_of).chain(unions).fold(Kinds::ALL, Kinds::and)
    }

    /// The groups that this one leads to.
    fn next(&self) -> impl Iterator<Item = usize> {
        self.all_of.iter().chain(self.unions.iter().flatten()).copied()
    }
}

/// Groups the nodes, numbered in such an order that a group comes after those it leads to, but for circles.
fn groups(nodes: &[Node]) -> (Vec<usize>, Vec<Group>) {
    let by_all_of = components(nodes.len(), |node| nodes[node].all_of.clone());
    let count = by_all_of.iter().max().map_or(0, |most| most + 1);
    let mut groups: Vec<Group> = (0..count).map(|_| Group::default()).collect();
    for (id, node) in nodes.iter().enumerate() {
        let group = &mut groups[by_all_of[id]];
        group.members.push(id);
        group.all_of.extend(
            node.all_of.iter().map(|next| by_all_of[*next]).filter(|next| *next != by_all_of[id]),
        );
        group.unions.extend(
            node.unions.iter().map(|union| distinct(union.iter().map(|branch| by_all_of[*branch]))),
        );
    }
    for group in &mut groups {
        group.all_of = distinct(group.all_of.drain(..));
    }
    let circles = components(count, |group| groups[group].next().collect());
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|group| circles[*group]);
    let mut place = vec![0; count];
    for (at, group) in order.iter().enumerate() {
        place[*group] = at;
    }
    let mut sorted: Vec<Group> = (0..count).map(|_| Group::default()).collect();
    for (old, mut group) in groups.into_iter().enumerate() {
        group.circle = circles[old];
        group
            .all_of
            .iter_mut()
            .chain(group.unions.iter_mut().flatten())
            .for_each(|next| *next = place[*next]);
        sorted[place[old]] = group;
    }
    (by_all_of.into_iter().map(|group| place[group]).collect(), sorted)
}

fn distinct(ids: impl Iterator<Item = usize>) -> Vec<usize> {
    ids.collect::<BTreeSet<_>>().into_iter().collect()
}

/// Numbers the strongly connected components (Tarjan, without recursion): one comes after those it leads to.
fn components(count: usize, next: impl Fn(usize) -> Vec<usize>) -> Vec<usize> {
    const UNSEEN: usize = usize::MAX;
    let mut index = vec![UNSEEN; count];
    let mut lowest = vec![0; count];
    let mut component = vec![UNSEEN; count];
    let mut stack = Vec::new();
    let mut path: Vec<(usize, std::vec::IntoIter<usize>)> = Vec::new();
    let (mut visited, mut found) = (0, 0);
    for start in 0..count {
        if index[start] != UNSEEN {
            continue;
        }
        let mut entering = Some(start);
        loop {
            if let Some(node) = entering.take() {
                index[node] = visited;
                lowest[node] = visited;
                visited += 1;
                stack.push(node);
                path.push((node, next(node).into_iter()));
            }
            let Some((node, ahead)) = path.last_mut() else {
                break;
            };
            let node = *node;
            if let Some(target) = ahead.next() {
                if index[target] == UNSEEN {
                    entering = Some(target);
                } else if component[target] == UNSEEN {
                    lowest[node] = lowest[node].min(index[target]);
                }
                continue;
            }
            path.pop();
            if let Some((parent, _)) = path.last() {
                lowest[*parent] = lowest[*parent].min(lowest[node]);
            }
            if lowest[node] == index[node] {
                while let Some(member) = stack.pop() {
                    component[member] = found;
                    if member == node {
                        break;
                    }
                }
                found += 1;
            }
        }
    }
    component
}

/// Drops, within each circle, the branches that lead only back into it, and the unions that are left with none.
fn drop_ungrounded(groups: &mut [Group]) {
    let dependents = dependents(groups);
    // A group is grounded once each of its unions has a grounded branch, and each group it needs is grounded; all that lies outside its circle is.
    let inside =
        |groups: &[Group], group: usize, next: usize| groups[group].circle == groups[next].circle;
    let mut grounded = vec![false; groups.len()];
    let is_grounded = |groups: &[Group], grounded: &[bool], group: usize| {
        let fine = |next: &usize| !inside(groups, group, *next) || grounded[*next];
        groups[group].all_of.iter().all(fine)
            && groups[group].unions.iter().all(|union| union.iter().any(fine))
    };
    let mut waiting: Vec<usize> = (0..groups.len()).collect();
    while let Some(group) = waiting.pop() {
        if !grounded[group] && is_grounded(groups, &grounded, group) {
            grounded[group] = true;
            waiting.extend(dependents[group].iter().copied());
        }
    }
    let circles: Vec<usize> = groups.iter().map(|group| group.circle).collect();
    for (group, circle) in groups.iter_mut().zip(&circles) {
        for union in &mut group.unions {
            union.retain(|branch| circles[*branch] != *circle || grounded[*branch]);
        }
        group.unions.retain(|union| !union.is_empty());
    }
}

fn dependents(groups: &[Group]) -> Vec<Vec<usize>> {
    let mut dependents = vec![Vec::new(); groups.len()];
    for (id, group) in groups.iter().enumerate() {
        for next in group.next() {
            dependents[next].push(id);
        }
    }
    dependents
}

/// Notes for each group what kinds of keyword are seen from it.
fn describe(groups: &mut [Group], nodes: &[Node]) {
    let dependents = dependents(groups);
    let mut waiting: Vec<usize> = (0..groups.len()).rev().collect();
    // A union says something if each of its branches does, a branch that leads back into it like the others.
    for group in groups.iter_mut() {
        group.says_something = true;
    }
    while let Some(id) = waiting.pop() {
        let group = &groups[id];
        let own = |test: fn(&Node) -> bool| group.members.iter().any(|id| test(&nodes[*id]));
        let all_of =
            |test: fn(&Group) -> bool| group.all_of.iter().any(|next| test(&groups[*next]));
        let says = |union: &Vec<usize>| union.iter().all(|branch| groups[*branch].says_something);
        let says_something = own(|node| node.own.says_something())
            || all_of(|next| next.says_something)
            || group.unions.iter().any(says);
        let typed = own(|node| node.own.typed) || all_of(|next| next.typed);
        let has_union = !group.unions.is_empty() || all_of(|next| next.has_union);
        let group = &mut groups[id];
        let before = (group.says_something, group.typed, group.has_union);
        group.says_something = says_something;
        group.typed = typed;
        group.has_union = has_union;
        if before != (says_something, typed, has_union) {
            waiting.extend(dependents[id].iter().copied());
        }
    }
}

/// The least kinds that satisfy: a group admits what its members' own keywords, its `allOf` and each of its unions admit. `order` is closed and in order.
///
/// What is not in `order` is left empty.
fn solve(
    groups: &[Group],
    order: impl IntoIterator<Item = usize>,
    own: impl Fn(NodeId) -> Kinds,
) -> Vec<Kinds> {
    let mut admitted = vec![Kinds::NONE; groups.len()];
    let mut order = order.into_iter().peekable();
    let mut waiting: VecDeque<usize> = VecDeque::new();
    let mut is_waiting = vec![false; groups.len()];
    while let Some(first) = order.next() {
        let is_alone = order.peek().is_none_or(|next| groups[*next].circle != groups[first].circle);
        if is_alone && groups[first].dependents.is_empty() {
            admitted[first] = groups[first].admitted(&admitted, &own);
            continue;
        }
        waiting.push_back(first);
        is_waiting[first] = true;
        while let Some(next) = order.next_if(|next| groups[*next].circle == groups[first].circle) {
            waiting.push_back(next);
            is_waiting[next] = true;
        }
        while let Some(id) = waiting.pop_front() {
            is_waiting[id] = false;
            let kinds = groups[id].admitted(&admitted, &own);
            if admitted[id] != kinds {
                admitted[id] = kinds;
                for dependent in &groups[id].dependents {
                    if !std::mem::replace(&mut is_waiting[*dependent], true) {
                        waiting.push_back(*dependent);
                    }
                }
            }
        }
    }
    admitted
}
