//! What nodes admit as a set of equations, circles included: clause `admits`, rule 2 and *Circles*.

use std::collections::BTreeSet;

use callfit_reference::json::Value;

use super::document::Document;
use super::node::{Asked, Node};

/// More combinations are not listed.
const MOST_COMBINATIONS: usize = 500;

/// Subschemas that apply together, by number.
pub(super) type Combination = BTreeSet<usize>;

/// Some nodes, with all that they lead to by `allOf` and unions.
#[derive(Default)]
pub(super) struct Equations<'a> {
    pub(super) nodes: Vec<Node<'a>>,
    /// Of each node, the branches of its `allOf`, and of unions of one branch.
    needs: Vec<Vec<usize>>,
    /// Of each node, its other unions, without the branches that are no alternative.
    unions: Vec<Vec<Vec<usize>>>,
    /// Of each node, the members of its group.
    groups: Vec<Vec<usize>>,
    /// Whether a branch that leads back says something itself.
    leads_back_and_speaks: bool,
}

impl<'a> Equations<'a> {
    /// The equations of these schemas, and the numbers that the schemas have in them.
    pub(super) fn of(
        document: &Document<'a>,
        schemas: &[Vec<&'a Value>],
    ) -> Option<(Self, Vec<Vec<usize>>)> {
        let mut equations = Self::default();
        let numbers: Vec<Vec<usize>> = schemas
            .iter()
            .map(|together| together.iter().map(|s| equations.number(document, s)).collect())
            .collect::<Option<_>>()?;
        while equations.needs.len() < equations.nodes.len() {
            equations.read(document, equations.needs.len())?;
        }
        let count = equations.nodes.len();
        document.spend(count * count)?;
        equations.find_groups();
        equations.drop_what_leads_only_back();
        Some((equations, numbers))
    }

    /// The number of a schema, a new one if it has not been seen.
    fn number(&mut self, document: &Document<'a>, schema: &'a Value) -> Option<usize> {
        document.spend(1 + self.nodes.len())?;
        let node = Node::new(document, schema)?;
        let known = self.nodes.iter().position(|known| known.is(&node));
        Some(known.unwrap_or_else(|| {
            self.nodes.push(node);
            self.nodes.len() - 1
        }))
    }

    /// Reads the equation of a node (clause `admits`, rule 2; *Circles*, rule 1).
    fn read(&mut self, document: &Document<'a>, node: usize) -> Option<()> {
        let (mut needs, mut unions) = (Vec::new(), Vec::new());
        for name in ["allOf", "anyOf", "oneOf"] {
            let Some(branches) = self.nodes[node].branches(name) else { continue };
            let numbers: Vec<usize> =
                branches.iter().map(|b| self.number(document, b)).collect::<Option<_>>()?;
            if name == "allOf" || numbers.len() == 1 {
                needs.extend(numbers);
            } else {
                unions.push(numbers);
            }
        }
        self.needs.push(needs);
        self.unions.push(unions);
        Some(())
    }

    /// Nodes that lead to each other by `allOf` alone (*Circles*, rule 2).
    fn find_groups(&mut self) {
        let reached = self.reached(|node| self.needs[node].clone());
        self.groups = (0..self.nodes.len())
            .map(|node| {
                let together = |other: &usize| {
                    *other == node
                        || reached[node].contains(other) && reached[*other].contains(&node)
                };
                (0..self.nodes.len()).filter(together).collect()
            })
            .collect();
    }

    /// *Circles*, rules 3 and 4.
    fn drop_what_leads_only_back(&mut self) {
        let reached = self.reached(|node| {
            self.needs[node].iter().chain(self.unions[node].iter().flatten()).copied().collect()
        });
        // Of two nodes the first leads to the second anyway, so they are of one circle if the second leads back.
        let outside = |from: usize, to: usize| !reached[to].contains(&from);
        let mut grounded = vec![false; self.nodes.len()];
        loop {
            let next: Vec<bool> = self.solve(|node| {
                let needs = &self.needs[node];
                needs.iter().all(|need| {
                    outside(node, *need) || grounded[*need] || self.groups[node].contains(need)
                }) && self.unions[node].iter().all(|branches| {
                    branches.iter().any(|branch| outside(node, *branch) || grounded[*branch])
                })
            });
            if next == grounded {
                break;
            }
            grounded = next;
        }
        for (node, unions) in self.unions.iter_mut().enumerate() {
            for branches in unions.iter_mut() {
                self.leads_back_and_speaks |= branches.iter().any(|branch| {
                    let leads_back = !outside(node, *branch) && !self.groups[node].contains(branch);
                    leads_back && self.nodes[*branch].speaks()
                });
                branches.retain(|branch| outside(node, *branch) || grounded[*branch]);
            }
            unions.retain(|branches| !branches.is_empty());
        }
    }

    /// Which nodes admit a value: the least solution (*Circles*, rule 5).
    pub(super) fn admit(&self, value: &Value, asked: Asked) -> Vec<bool> {
        let own: Vec<bool> = self.nodes.iter().map(|node| node.own_admit(value, asked)).collect();
        let mut admit = vec![false; self.nodes.len()];
        loop {
            let next = self.solve(|node| {
                let needs = &self.needs[node];
                own[node]
                    && needs.iter().all(|need| admit[*need] || self.groups[node].contains(need))
                    && self.unions[node].iter().all(|union| union.iter().any(|b| admit[*b]))
            });
            if next == admit {
                return admit;
            }
            admit = next;
        }
    }

    /// The combinations of each node: itself, what it needs, and one branch of every union (clause `union-inside`, rule 1). A branch that leads back to where it came from
    /// is no choice, so these are the least solution of the same equations.
    pub(super) fn combinations(&self, document: &Document<'a>) -> Option<Vec<Vec<Combination>>> {
        // What such a branch is for what lies inside, `ref-branches` and `union-inside` do not settle.
        if self.leads_back_and_speaks {
            return None;
        }
        let mut found: Vec<Vec<Combination>> = vec![Vec::new(); self.nodes.len()];
        loop {
            let mut next = Vec::new();
            for group in &self.groups {
                let mut combinations = vec![group.iter().copied().collect()];
                for node in group {
                    for need in self.needs[*node].iter().filter(|need| !group.contains(need)) {
                        combinations = together(document, &combinations, &found[*need])?;
                    }
                    for union in &self.unions[*node] {
                        let any: Vec<Combination> =
                            union.iter().flat_map(|branch| found[*branch].clone()).collect();
                        combinations = together(document, &combinations, &smallest(any))?;
                    }
                }
                next.push(combinations);
            }
            if next == found {
                return Some(found);
            }
            found = next;
        }
    }

    /// One step towards the solution: what holds of a node has to hold of its whole group.
    fn solve(&self, holds: impl Fn(usize) -> bool) -> Vec<bool> {
        self.groups.iter().map(|group| group.iter().all(|node| holds(*node))).collect()
    }

    /// The nodes that each node leads to in one step or more.
    fn reached(&self, steps: impl Fn(usize) -> Vec<usize>) -> Vec<BTreeSet<usize>> {
        let from = |start| {
            let mut reached = BTreeSet::new();
            let mut waiting = steps(start);
            while let Some(node) = waiting.pop() {
                if reached.insert(node) {
                    waiting.extend(steps(node));
                }
            }
            reached
        };
        (0..self.nodes.len()).map(from).collect()
    }
}

/// Every combination of one list with every one of another.
pub(super) fn together(
    document: &Document<'_>,
    some: &[Combination],
    others: &[Combination],
) -> Option<Vec<Combination>> {
    document.spend(some.len() * others.len() * 10)?;
    let pairs = some.iter().flat_map(|a| others.iter().map(move |b| a | b));
    let smallest = smallest(pairs.collect());
    (smallest.len() <= MOST_COMBINATIONS).then_some(smallest)
}

/// Combinations without those that contain another: they ask for more and offer nothing (clause `union-inside`, rule 1).
pub(super) fn smallest(mut combinations: Vec<Combination>) -> Vec<Combination> {
    combinations.sort();
    combinations.dedup();
    let contains_another =
        |one: &Combination| combinations.iter().any(|other| other != one && other.is_subset(one));
    combinations.iter().filter(|one| !contains_another(one)).cloned().collect()
}
