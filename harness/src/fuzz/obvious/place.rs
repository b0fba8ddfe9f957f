//! A place: what it admits, what a text there denotes, and its combinations.

use callfit_reference::json::{Number, Value, parse};

use super::document::Document;
use super::equations::{Combination, Equations, smallest, together};
use super::node::{Asked, Node};

/// An integer is written out up to so many digits (law `exact`).
const MOST_DIGITS: usize = 1000;

/// A position in the arguments, with all the subschemas that apply there (SPEC, chapter 1).
pub(super) struct Place<'a> {
    equations: Equations<'a>,
    /// The subschemas of each combination, their unions not yet read.
    combinations: Vec<Vec<usize>>,
}

impl<'a> Place<'a> {
    pub(super) fn new(document: &Document<'a>, combinations: &[Vec<&'a Value>]) -> Option<Self> {
        let (equations, combinations) = Equations::of(document, combinations)?;
        Some(Self { equations, combinations })
    }

    /// Whether the place admits a value (clause `admits`, rule 3).
    pub(super) fn admits(&self, value: &Value, asked: Asked) -> bool {
        let admit = self.equations.admit(value, asked);
        self.combinations.iter().any(|nodes| nodes.iter().all(|node| admit[*node]))
    }

    /// Whether the place admits a string (clause `admits`, rule 4).
    pub(super) fn admits_a_string(&self, asked: Asked) -> bool {
        self.samples("string").iter().any(|string| self.admits(string, asked))
    }

    /// The value that a text denotes and the place admits, where it admits no string (chapter 2, and the head of chapter 6).
    pub(super) fn read(&self, text: &str, asked: Asked) -> Option<Value> {
        if self.admits_a_string(asked) {
            return None;
        }
        let value = parse(text).ok().filter(|value| self.admits(value, asked))?;
        match value {
            Value::Number(number) if number.is_integer() && !self.admits_a_fraction(asked) => {
                plain(number).map(Value::Number)
            }
            value => Some(value),
        }
    }

    /// The combinations of the place, one branch chosen of every union, that are left for a container (clause `union-inside`, rules 1, 2 and 4).
    pub(super) fn combinations_for(
        &self,
        document: &Document<'a>,
        container: &Value,
        contradicts: impl Fn(&[&Node<'a>]) -> Option<bool>,
    ) -> Option<Vec<Vec<&Node<'a>>>> {
        let of_node = self.equations.combinations(document)?;
        let mut all = Vec::new();
        for nodes in &self.combinations {
            let nothing = vec![Combination::new()];
            let chosen = nodes
                .iter()
                .try_fold(nothing, |chosen, node| together(document, &chosen, &of_node[*node]))?;
            all.extend(chosen);
        }
        let all = smallest(all);
        let samples = self.samples(container.kind());
        let admit: Vec<Vec<bool>> =
            samples.iter().map(|sample| self.equations.admit(sample, Asked::Admits)).collect();
        let right_kind: Vec<&Combination> = all
            .iter()
            .filter(|nodes| admit.iter().any(|admit| nodes.iter().all(|node| admit[*node])))
            .collect();
        let none_has_the_kind = right_kind.is_empty();
        let judged = if none_has_the_kind { all.iter().collect() } else { right_kind };
        let mut left = Vec::new();
        for nodes in &judged {
            if !contradicts(&self.nodes(nodes))? {
                left.push(*nodes);
            }
        }
        // Where none has the kind all count. Whether the object contradicts some of them even so, SPEC does not settle.
        if none_has_the_kind && !left.is_empty() && left.len() < judged.len() {
            return None;
        }
        let left = if left.is_empty() { judged } else { left };
        Some(left.into_iter().map(|nodes| self.nodes(nodes)).collect())
    }

    fn nodes(&self, combination: &Combination) -> Vec<&Node<'a>> {
        combination.iter().map(|node| &self.equations.nodes[*node]).collect()
    }

    fn admits_a_fraction(&self, asked: Asked) -> bool {
        self.samples("number").iter().any(|fraction| self.admits(fraction, asked))
    }

    /// Values of one kind such that, if any value of the kind is admitted, one of these is: all that `enum` and `const` speak of, and one of which they do not.
    fn samples(&self, kind: &str) -> Vec<Value> {
        let mut samples: Vec<Value> = self
            .equations
            .nodes
            .iter()
            .flat_map(Node::mentioned)
            .filter(|value| value.kind() == kind)
            .cloned()
            .collect();
        let fresh = (0_i64..).find_map(|turn| {
            let text = match kind {
                "string" => format!("\"fresh {turn}\""),
                "number" => format!("{turn}.5"),
                "array" => format!("[{turn}]"),
                _ => format!("{{\"fresh\": {turn}}}"),
            };
            parse(&text).ok().filter(|value| !samples.contains(value))
        });
        samples.extend(fresh);
        samples
    }
}

/// An integer in plain digits; none if that takes too many (law `exact`).
fn plain(number: Number) -> Option<Number> {
    if number.as_str().contains(['.', 'e', 'E']) {
        number.to_plain_integer(MOST_DIGITS)
    } else {
        Some(number)
    }
}
