//! The value type, whose every operation is a loop.

use std::mem;
use std::ops::{Deref, DerefMut};

use foldhash::fast::RandomState;
use indexmap::IndexMap;

use super::Number;

/// A JSON value. Objects keep the order of their keys, and are compared without it.
#[derive(Clone, Default)]
pub enum Value {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as it was written.
    Number(Number),
    /// A string. Text with lone surrogates is no string of Rust's: [`parse`](super::parse) refuses it.
    String(String),
    /// An array.
    Array(Array),
    /// An object.
    Object(Object),
}

/// The elements of an array: a `Vec` that is dropped and cloned without recursion.
#[derive(Default)]
pub struct Array(Vec<Value>);

/// The members of an object: an `IndexMap` that is dropped and cloned without recursion.
///
/// Its hasher is seeded at random, as the standard library's is, and takes less time over short keys.
#[derive(Default)]
pub struct Object(IndexMap<String, Value, RandomState>);

impl Value {
    /// The string, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The members, if it is an object.
    pub fn as_object(&self) -> Option<&Object> {
        match self {
            Self::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The elements, if it is an array.
    pub fn as_array(&self) -> Option<&Array> {
        match self {
            Self::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// The member with this key, if it is an object and has one.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.as_object()?.get(key)
    }

    /// The name of its kind: `null`, `boolean`, `integer` (any integral number), `number`, `string`, `array` or `object`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "boolean",
            Self::Number(number) if number.is_integer() => "integer",
            Self::Number(_) => "number",
            Self::String(_) => "string",
            Self::Array(_) => "array",
            Self::Object(_) => "object",
        }
    }

    fn is_full_container(&self) -> bool {
        match self {
            Self::Array(elements) => !elements.is_empty(),
            Self::Object(members) => !members.is_empty(),
            _ => false,
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Number(value.into())
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::String(value.to_owned())
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Self::String(value)
    }
}

impl From<Vec<Value>> for Value {
    fn from(value: Vec<Value>) -> Self {
        Self::Array(Array(value))
    }
}

impl From<Array> for Value {
    fn from(value: Array) -> Self {
        Self::Array(value)
    }
}

impl From<Object> for Value {
    fn from(value: Object) -> Self {
        Self::Object(value)
    }
}

impl Array {
    /// The elements as a plain `Vec`.
    pub fn into_vec(mut self) -> Vec<Value> {
        mem::take(&mut self.0)
    }
}

impl Object {
    /// No members.
    pub fn new() -> Self {
        Self::default()
    }

    /// No members, with room for so many.
    pub fn with_capacity(count: usize) -> Self {
        Self(IndexMap::with_capacity_and_hasher(count, RandomState::default()))
    }

    /// The members as a plain map.
    pub fn into_map(mut self) -> IndexMap<String, Value, RandomState> {
        mem::take(&mut self.0)
    }
}

impl Deref for Array {
    type Target = Vec<Value>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Array {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl Deref for Object {
    type Target = IndexMap<String, Value, RandomState>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Object {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl From<Vec<Value>> for Array {
    fn from(elements: Vec<Value>) -> Self {
        Self(elements)
    }
}

impl FromIterator<(String, Value)> for Object {
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(members: I) -> Self {
        Self(members.into_iter().collect())
    }
}

impl Drop for Array {
    fn drop(&mut self) {
        if self.0.iter().any(Value::is_full_container) {
            dismantle(mem::take(&mut self.0).into_iter());
        }
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        if self.0.values().any(Value::is_full_container) {
            dismantle(mem::take(&mut self.0).into_values());
        }
    }
}

/// Drops values level by level: each container is emptied before its turn comes.
fn dismantle(values: impl Iterator<Item = Value>) {
    let mut waiting: Vec<Value> = values.filter(Value::is_full_container).collect();
    while let Some(value) = waiting.pop() {
        match value {
            Value::Array(mut elements) => {
                waiting.extend(elements.0.drain(..).filter(Value::is_full_container));
            }
            Value::Object(mut members) => {
                let values = mem::take(&mut members.0).into_values();
                waiting.extend(values.filter(Value::is_full_container));
            }
            _ => {}
        }
    }
}

impl Clone for Array {
    fn clone(&self) -> Self {
        match copy(Source::Array(self.0.iter())) {
            Value::Array(elements) => elements,
            _ => Self::default(),
        }
    }
}

impl Clone for Object {
    fn clone(&self) -> Self {
        match copy(Source::Object(self.0.iter())) {
            Value::Object(members) => members,
            _ => Self::default(),
        }
    }
}

enum Source<'a> {
    Array(std::slice::Iter<'a, Value>),
    Object(indexmap::map::Iter<'a, String, Value>),
}

impl<'a> Source<'a> {
    fn next(&mut self) -> Option<(Option<&'a String>, &'a Value)> {
        match self {
            Self::Array(elements) => elements.next().map(|value| (None, value)),
            Self::Object(members) => members.next().map(|(key, value)| (Some(key), value)),
        }
    }

    fn empty_copy(&self) -> Value {
        match self {
            Self::Array(elements) => Value::Array(Array(Vec::with_capacity(elements.len()))),
            Self::Object(members) => Value::Object(Object::with_capacity(members.len())),
        }
    }
}

/// Copies a container, with a stack of half-copied ones in place of recursion.
fn copy(top: Source<'_>) -> Value {
    let mut above: Vec<(Source<'_>, Value, Option<&String>)> = Vec::new();
    let mut target = top.empty_copy();
    let mut source = top;
    let mut key_here: Option<&String> = None;
    loop {
        if let Some((key, value)) = source.next() {
            let inner = match value {
                Value::Array(elements) if value.is_full_container() => {
                    Source::Array(elements.0.iter())
                }
                Value::Object(members) if value.is_full_container() => {
                    Source::Object(members.0.iter())
                }
                Value::Array(_) => {
                    put(&mut target, key, Value::Array(Array::default()));
                    continue;
                }
                Value::Object(_) => {
                    put(&mut target, key, Value::Object(Object::default()));
                    continue;
                }
                scalar => {
                    put(&mut target, key, scalar.clone());
                    continue;
                }
            };
            let inner_target = inner.empty_copy();
            above.push((
                mem::replace(&mut source, inner),
                mem::replace(&mut target, inner_target),
                key_here,
            ));
            key_here = key;
        } else {
            let Some((outer_source, outer_target, outer_key)) = above.pop() else {
                return target;
            };
            let done = mem::replace(&mut target, outer_target);
            source = outer_source;
            put(&mut target, key_here, done);
            key_here = outer_key;
        }
    }
}

fn put(container: &mut Value, key: Option<&String>, value: Value) {
    match (container, key) {
        (Value::Array(elements), _) => elements.0.push(value),
        (Value::Object(members), Some(key)) => {
            members.0.insert(key.clone(), value);
        }
        _ => {}
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        let mut waiting = vec![(self, other)];
        while let Some(pair) = waiting.pop() {
            let same = match pair {
                (Self::Null, Self::Null) => true,
                (Self::Bool(a), Self::Bool(b)) => a == b,
                (Self::Number(a), Self::Number(b)) => a == b,
                (Self::String(a), Self::String(b)) => a == b,
                (Self::Array(a), Self::Array(b)) if a.len() == b.len() => {
                    waiting.extend(a.iter().zip(b.iter()));
                    true
                }
                (Self::Object(a), Self::Object(b)) if a.len() == b.len() => {
                    a.iter().all(|(key, value)| match b.get(key) {
                        Some(other) => {
                            waiting.push((value, other));
                            true
                        }
                        None => false,
                    })
                }
                _ => false,
            };
            if !same {
                return false;
            }
        }
        true
    }
}
