//! The laws *exact* and *no-invention*, by what was sent and what came back alone.

use callfit_reference::json::{Value, parse};

use crate::run::LawBreach;

/// What in the answer to `sent` was lost or made up. Where keys are restored, `keys_may_change`.
pub fn breaches(sent: &Value, answer: &Value, keys_may_change: bool) -> Vec<LawBreach> {
    let mut found: Vec<LawBreach> = Vec::new();
    let mut waiting = vec![(String::new(), sent.clone(), answer)];
    while let Some((pointer, sent, answer)) = waiting.pop() {
        let at = if pointer.is_empty() { "the arguments" } else { pointer.as_str() };
        let mut breach = |law, message: String| {
            if !found.iter().any(|breach| breach.law == law) {
                found.push(LawBreach { law, message: format!("{at}: {message}") });
            }
        };
        match (&sent, answer) {
            (Value::Object(before), Value::Object(after)) => {
                for (key, value) in before.iter() {
                    match after.get(key) {
                        Some(answer) => {
                            waiting.push((format!("{pointer}/{key}"), value.clone(), answer))
                        }
                        None if !keys_may_change => {
                            breach("no-invention", format!("the key {key:?} was dropped"))
                        }
                        None => {}
                    }
                }
                if let Some(key) =
                    after.keys().find(|key| !before.contains_key(key.as_str()) && !keys_may_change)
                {
                    breach("no-invention", format!("the key {key:?} was added"));
                }
            }
            (Value::Array(before), Value::Array(after)) => {
                if before.len() != after.len() {
                    breach(
                        "no-invention",
                        format!("{} elements became {}", before.len(), after.len()),
                    );
                }
                let pairs = before.iter().zip(after.iter()).enumerate();
                waiting.extend(
                    pairs.map(|(at, (sent, answer))| {
                        (format!("{pointer}/{at}"), sent.clone(), answer)
                    }),
                );
            }
            (Value::Null, answer) if is_empty(answer) => {
                breach("no-invention", format!("null became {answer}"))
            }
            (Value::Number(before), Value::Number(after)) if before != after => {
                let law = if before.is_integer() == after.is_integer() {
                    "exact"
                } else {
                    "no-invention"
                };
                breach(law, format!("{before} became {after}"));
            }
            (Value::String(text), answer) if !matches!(answer, Value::String(_)) => {
                match (parse(text), answer) {
                    (Ok(Value::Number(before)), Value::Number(after)) if before != *after => {
                        breach("exact", format!("{text:?} became {after}"));
                    }
                    (
                        Ok(denoted @ (Value::Object(_) | Value::Array(_))),
                        Value::Object(_) | Value::Array(_),
                    ) => {
                        waiting.push((pointer, denoted, answer));
                    }
                    (Err(_), answer) if is_empty(answer) && !text.trim().is_empty() => {
                        breach("no-invention", format!("{text:?} became {answer}"));
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }
    found
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
        let laws = |sent, answer| -> Vec<&str> {
            breaches(&parse(sent).unwrap(), &parse(answer).unwrap(), false)
                .iter()
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
