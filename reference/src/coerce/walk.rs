//! Walking the arguments: each value is converted at its place, then what is inside it. The stack is on the heap.

use std::collections::HashSet;

use super::{Coercion, Direction, Refused};
use crate::json::{Object, Value};
use crate::kinds::Kinds;
use crate::policy::{Choice, Policy};
use crate::position::{self, Combination, Spot};
use crate::schema::Nodes;

/// A container whose elements are being walked.
enum Open {
    Array {
        ahead: std::vec::IntoIter<Value>,
        done: Vec<Value>,
        inside: Vec<Combination>,
        /// From this index on, all elements have the place `rest`.
        tuple: usize,
        rest: Spot,
    },
    Object {
        ahead: indexmap::map::IntoIter<String, Value>,
        done: Object,
        key: String,
        inside: Vec<Combination>,
    },
}

impl Coercion<'_> {
    /// Coerces a value at its place, and all that is in it.
    pub(super) fn walk(&self, value: Value, spot: Spot) -> Result<Value, Refused> {
        let mut open: Vec<Open> = Vec::new();
        let mut here = (value, spot);
        loop {
            let (value, spot) = here;
            let value = match self.direction {
                Direction::FromModel => self.convert(value, &spot),
                Direction::ToModel => value,
            };
            let mut done = match self.enter(value, &spot)? {
                Entered::Whole(value) => value,
                Entered::Container(container) => {
                    open.push(container);
                    match self.advance(&mut open) {
                        Ahead::Next(next, spot) => {
                            here = (next, spot);
                            continue;
                        }
                        Ahead::Done(value) => value,
                    }
                }
            };
            // A value is done: it goes into the container around it, which may be done with it.
            here = loop {
                match open.last_mut() {
                    None => return Ok(done),
                    Some(container) => container.put(done),
                }
                match self.advance(&mut open) {
                    Ahead::Next(next, spot) => break (next, spot),
                    Ahead::Done(value) => done = value,
                }
            };
        }
    }

    /// Takes the next value from the innermost container, or closes it.
    fn advance(&self, open: &mut Vec<Open>) -> Ahead {
        if let Some((value, spot)) =
            open.last_mut().and_then(|container| container.next(self.nodes))
        {
            return Ahead::Next(value, spot);
        }
        Ahead::Done(match open.pop() {
            Some(Open::Array { done, .. }) => done.into(),
            Some(Open::Object { done, inside, .. }) => match self.direction {
                Direction::FromModel => done.into(),
                Direction::ToModel => self.rename(done, &inside).into(),
            },
            None => Value::Null,
        })
    }

    /// Opens a container, if anything is known of its inside.
    fn enter(&self, value: Value, spot: &Spot) -> Result<Entered, Refused> {
        if !matches!(value, Value::Array(_) | Value::Object(_)) {
            return Ok(Entered::Whole(value));
        }
        let combinations = match self.nodes.expand(spot) {
            Some(combinations) if !combinations.is_empty() => combinations,
            _ => return Ok(Entered::Whole(value)),
        };
        Ok(match value {
            Value::Array(elements) => {
                let inside = position::keep_kind(self.nodes, combinations, Kinds::ARRAY);
                let tuple = position::tuple_length(self.nodes, &inside);
                Entered::Container(Open::Array {
                    done: Vec::with_capacity(elements.len()),
                    ahead: elements.into_vec().into_iter(),
                    rest: position::element(self.nodes, &inside, tuple),
                    tuple,
                    inside,
                })
            }
            Value::Object(members) => {
                let inside = position::inside_object(self, combinations, &members);
                let members = match self.direction {
                    Direction::FromModel => self.tidy(members, &inside)?,
                    Direction::ToModel => members,
                };
                Entered::Container(Open::Object {
                    done: Object::with_capacity(members.len()),
                    ahead: members.into_map().into_iter(),
                    key: String::new(),
                    inside,
                })
            }
            scalar => Entered::Whole(scalar),
        })
    }

    /// Restores keys, and drops nulls where policy `null-for-optional` says so.
    fn tidy(&self, members: Object, inside: &[Combination]) -> Result<Object, Refused> {
        let mut members = self.restore(members, inside)?;
        if self.chose(Policy::NullForOptional, Choice::Drop) {
            members.retain(|key, value| !self.is_superfluous_null(key, value, inside));
        }
        Ok(members)
    }

    /// Gives keys that a provider knows under other names their own names back (clause `restore-places`).
    fn restore(&self, members: Object, inside: &[Combination]) -> Result<Object, Refused> {
        let restored = |key: &str| {
            inside.iter().find_map(|combination| position::original(self.nodes, combination, key))
        };
        if !members.keys().any(|key| restored(key).is_some()) {
            return Ok(members);
        }
        let sent: HashSet<String> = members.keys().cloned().collect();
        let mut done = Object::new();
        for (key, value) in members.into_map() {
            let original = restored(&key);
            match (original, self.policies.get(Policy::BothNames)) {
                (Some(original), both_names)
                    if both_names == Choice::LastWins || !sent.contains(original) =>
                {
                    done.insert(original.to_owned(), value)
                }
                (Some(_), Choice::OriginalWins) => None,
                (Some(original), Choice::Refused) => {
                    let message =
                        format!("both {original:?} and {key:?}, which stands for it, were sent");
                    return Err(Refused { message });
                }
                // It is the tool's own name, or both are kept.
                _ => done.insert(key, value),
            };
        }
        Ok(done)
    }

    /// Gives keys the names that a provider knows them under.
    fn rename(&self, members: Object, inside: &[Combination]) -> Object {
        let new = |key: &str| {
            let nodes = inside.iter().flatten().map(|node| &self.nodes[*node]);
            let mut renamed = nodes.flat_map(|node| &node.renamed);
            renamed.find(|(_, original)| *original == key).map(|(new, _)| new.clone())
        };
        let members = members.into_map().into_iter();
        members.map(|(key, value)| (new(&key).unwrap_or(key), value)).collect()
    }

    /// Policy `null-for-optional`: a null that the property does not admit, and that is not required.
    fn is_superfluous_null(&self, key: &str, value: &Value, inside: &[Combination]) -> bool {
        let spot = position::member(self.nodes, inside, key);
        let required = || {
            inside
                .iter()
                .flatten()
                .any(|node| self.nodes[*node].required.iter().any(|name| name == key))
        };
        matches!(value, Value::Null) && !self.nodes.admits(&spot, value) && !required()
    }
}

/// What came of looking at a value.
enum Entered {
    /// Nothing is known of its inside.
    Whole(Value),
    /// Its inside is to be walked.
    Container(Open),
}

/// What comes after a value.
enum Ahead {
    Next(Value, Spot),
    Done(Value),
}

impl Open {
    fn put(&mut self, value: Value) {
        match self {
            Self::Array { done, .. } => done.push(value),
            Self::Object { done, key, .. } => {
                done.insert(std::mem::take(key), value);
            }
        }
    }

    fn next(&mut self, nodes: &Nodes) -> Option<(Value, Spot)> {
        match self {
            Self::Array { ahead, done, inside, tuple, rest } => {
                let index = done.len();
                let spot = || {
                    if index < *tuple {
                        position::element(nodes, inside, index)
                    } else {
                        rest.clone()
                    }
                };
                ahead.next().map(|value| (value, spot()))
            }
            Self::Object { ahead, key, inside, .. } => {
                let (name, value) = ahead.next()?;
                let spot = position::member(nodes, inside, &name);
                *key = name;
                Some((value, spot))
            }
        }
    }
}
