//! The laws *exact* and *no-invention*, by what was sent and what came back alone.

use std::fmt::{self, Display};
use std::rc::Rc;

use callfit_reference::json::{Object, Value, parse};

use crate::run::LawBreach;

/// What in the answer to `sent` was lost or made up. Where keys are restored, `keys_may_change`.
pub fn breaches(sent: &Value, answer: &Value, keys_may_change: bool) -> Vec<LawBreach> {
    if sent == answer {
        return Vec::new();
    }
    let mut found = Breaches { found: Vec::new(), keys_may_change };
    let mut texts = found.compare(Path::Top, sent, answer);
    // Texts are compared with what they denote; what they denote may hold texts again.
    while let Some((path, denoted, answer)) = texts.pop() {
        texts.extend(found.compare(path, &denoted, answer));
    }
    found.found
}

struct Breaches {
    found: Vec<LawBreach>,
    keys_may_change: bool,
}

/// Where a value stands; spelled out only for a breach, because arguments may be deep.
#[derive(Clone)]
enum Path {
    Top,
    Below(Rc<Path>, String),
}

impl Breaches {
    fn add(&mut self, law: &'static str, path: &Path, message: impl Display) {
        if !self.found.iter().any(|breach| breach.law == law) {
            self.found
                .push(LawBreach { law: law.to_owned(), message: format!("{path}: {message}") });
        }
    }

    /// Compares two values, other than what texts denote: these are returned, each with its answer.
    fn compare<'a>(
        &mut self,
        path: Path,
        sent: &Value,
        answer: &'a Value,
    ) -> Vec<(Path, Value, &'a Value)> {
        let mut texts = Vec::new();
        let mut waiting = vec![(path, sent, answer)];
        while let Some((path, sent, answer)) = waiting.pop() {
            match (sent, answer) {
                (Value::Object(before), Value::Object(after)) => {
                    self.compare_keys(&path, before, after);
                    let path = Rc::new(path);
                    for (key, value) in before.iter() {
                        if let Some(answer) = after.get(key) {
                            waiting.push((
                                Path::Below(Rc::clone(&path), key.clone()),
                                value,
                                answer,
                            ));
                        }
                    }
                }
                (Value::Array(before), Value::Array(after)) => {
                    let (had, has) = (before.len(), after.len());
                    if had != has {
                        self.add("no-invention", &path, format!("{had} elements became {has}"));
                    }
                    let path = Rc::new(path);
                    let pairs = before.iter().zip(after.iter()).enumerate();
                    waiting.extend(pairs.map(|(at, (sent, answer))| {
                        (Path::Below(Rc::clone(&path), at.to_string()), sent, answer)
                    }));
                }
                (Value::Null, answer) if is_empty(answer) => {
                    self.add("no-invention", &path, format!("null became {answer}"));
                }
                (Value::Number(before), Value::Number(after)) if before != after => {
                    let same = before.is_integer() == after.is_integer();
                    let law = if same { "exact" } else { "no-invention" };
                    self.add(law, &path, format!("{before} became {after}"));
                }
                (Value::String(text), answer) if answer.as_str().is_none() => {
                    match (parse(text), answer) {
                        (Ok(Value::Number(before)), Value::Number(after)) if before != *after => {
                            self.add("exact", &path, format!("{text:?} became {after}"));
                        }
                        (
                            Ok(denoted @ (Value::Object(_) | Value::Array(_))),
                            Value::Object(_) | Value::Array(_),
                        ) => texts.push((path, denoted, answer)),
                        (Err(_), answer) if is_empty(answer) && !text.trim().is_empty() => {
                            self.add("no-invention", &path, format!("{text:?} became {answer}"));
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        texts
    }

    fn compare_keys(&mut self, path: &Path, before: &Object, after: &Object) {
        if self.keys_may_change {
            return;
        }
        if let Some(key) = before.keys().find(|key| !after.contains_key(key.as_str())) {
            self.add("no-invention", path, format!("the key {key:?} was dropped"));
        }
        if let Some(key) = after.keys().find(|key| !before.contains_key(key.as_str())) {
            self.add("no-invention", path, format!("the key {key:?} was added"));
        }
    }
}

impl Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tokens = Vec::new();
        let mut here = self;
        while let Self::Below(above, token) = here {
            tokens.push(token);
            here = above;
        }
        if tokens.is_empty() {
            return f.write_str("the arguments");
        }
        tokens.iter().rev().try_for_each(|token| write!(f, "/{token}"))
    }
}

/// A deep path is let go link by link.
impl Drop for Path {
    fn drop(&mut self) {
        let mut next = match self {
            Self::Below(above, _) => Some(std::mem::replace(above, Rc::new(Self::Top))),
            Self::Top => None,
        };
        while let Some(mut path) = next.and_then(Rc::into_inner) {
            next = match &mut path {
                Self::Below(above, _) => Some(std::mem::replace(above, Rc::new(Self::Top))),
                Self::Top => None,
            };
        }
    }
}

/// What a value that was not understood becomes in careless code.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Bool(truth) => !truth,
        Value::Number(_) => *value == Value::from(0),
        Value::String(text) => text.is_empty(),
        Value::Null | Value::Array(_) | Value::Object(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_lost_or_made_up_is_told() {
        let laws = |sent, answer| -> Vec<String> {
            breaches(&parse(sent).unwrap(), &parse(answer).unwrap(), false)
                .into_iter()
                .map(|breach| breach.law)
                .collect()
        };
        assert_eq!(laws(r#"{"a": "9007199254740993"}"#, r#"{"a": 9007199254740992}"#), ["exact"]);
        assert_eq!(laws(r#"{"a": 3.7}"#, r#"{"a": 3}"#), ["no-invention"]);
        assert_eq!(laws(r#"{"a": null}"#, r#"{"a": 0}"#), ["no-invention"]);
        assert_eq!(laws(r#"{"a": 1}"#, r#"{"a": 1, "b": 2}"#), ["no-invention"]);
        assert_eq!(laws(r#"{"a": "[1, 2]"}"#, r#"{"a": [1]}"#), ["no-invention"]);
        assert_eq!(laws(r#"{"a": "abc"}"#, r#"{"a": 0}"#), ["no-invention"]);
        assert!(
            laws(r#"{"a": "5", "b": "{\"c\": \"1e0\"}"}"#, r#"{"a": 5, "b": {"c": 1}}"#).is_empty()
        );
    }
}
