//! Places in a JSON value, and values with one place changed.

use callfit_reference::json::Value;

/// One step into a container.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// To the member with this key.
    Key(String),
    /// To the element with this index.
    Index(usize),
}

/// Steps from the top.
pub type Path = Vec<Step>;

/// So many places are looked at; what is larger than that is cut there.
const MOST: usize = 2_000;

/// Every place in a value, the outer before the inner: the whole first.
pub fn paths(value: &Value) -> Vec<Path> {
    let mut found: Vec<(Path, &Value)> = vec![(Vec::new(), value)];
    let mut next = 0;
    while next < found.len() && found.len() < MOST {
        let (path, value) = found[next].clone();
        next += 1;
        let below = |step| path.iter().cloned().chain([step]).collect();
        match value {
            Value::Array(elements) => found.extend(
                elements.iter().enumerate().map(|(at, value)| (below(Step::Index(at)), value)),
            ),
            Value::Object(members) => found
                .extend(members.iter().map(|(key, value)| (below(Step::Key(key.clone())), value))),
            _ => {}
        }
    }
    found.into_iter().map(|(path, _)| path).collect()
}

/// What is deeper than this is not changed place by place: there are too many, each with a long way to it.
const DEEP: usize = 64;

/// Whether a value is nested so deep that nobody writes it by hand.
pub fn is_deep(value: &Value) -> bool {
    let mut waiting = vec![(value, 0)];
    while let Some((value, depth)) = waiting.pop() {
        if depth > DEEP {
            return true;
        }
        match value {
            Value::Array(elements) => waiting.extend(elements.iter().map(|it| (it, depth + 1))),
            Value::Object(members) => waiting.extend(members.values().map(|it| (it, depth + 1))),
            _ => {}
        }
    }
    false
}

/// Whether any object in a value has one of these keys.
pub fn has_key(value: &Value, keys: &[&str]) -> bool {
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        match value {
            Value::Array(elements) => waiting.extend(elements.iter()),
            Value::Object(members) => {
                if keys.iter().any(|key| members.contains_key(*key)) {
                    return true;
                }
                waiting.extend(members.values());
            }
            _ => {}
        }
    }
    false
}

/// The value at a place.
pub fn at<'v>(value: &'v Value, path: &[Step]) -> Option<&'v Value> {
    path.iter().try_fold(value, |here, step| match (here, step) {
        (Value::Object(members), Step::Key(key)) => members.get(key),
        (Value::Array(elements), Step::Index(index)) => elements.get(*index),
        _ => None,
    })
}

fn at_mut<'v>(value: &'v mut Value, path: &[Step]) -> Option<&'v mut Value> {
    path.iter().try_fold(value, |here, step| match (here, step) {
        (Value::Object(members), Step::Key(key)) => members.get_mut(key),
        (Value::Array(elements), Step::Index(index)) => elements.get_mut(*index),
        _ => None,
    })
}

/// The value with another at this place.
pub fn replaced(value: &Value, path: &[Step], new: Value) -> Value {
    let mut copy = value.clone();
    if let Some(place) = at_mut(&mut copy, path) {
        *place = new;
    }
    copy
}

/// The value without the member or element at this place; the whole stays.
pub fn without(value: &Value, path: &[Step]) -> Value {
    let mut copy = value.clone();
    let Some((last, parent)) = path.split_last() else { return copy };
    match (at_mut(&mut copy, parent), last) {
        (Some(Value::Object(members)), Step::Key(key)) => {
            members.shift_remove(key);
        }
        (Some(Value::Array(elements)), Step::Index(index)) if *index < elements.len() => {
            elements.remove(*index);
        }
        _ => {}
    }
    copy
}
