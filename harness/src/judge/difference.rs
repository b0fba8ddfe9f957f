//! Where two values differ, path by path, with the type of each side.

use std::fmt::Write as _;

use callfit_reference::json::Value;

use crate::run::Difference;

/// So many differences are told; more would not be read.
const MOST: usize = 20;
/// A value in a difference is cut after so many characters.
const LONGEST: usize = 200;

/// Every place where `actual` differs from `expected`, up to a number that a reader can take in.
pub fn differences(expected: &Value, actual: &Value) -> Vec<Difference> {
    let mut found = Vec::new();
    let mut waiting = vec![(String::new(), Some(expected), Some(actual))];
    while let Some((pointer, expected, actual)) = waiting.pop() {
        if found.len() == MOST {
            break;
        }
        match (expected, actual) {
            (Some(Value::Object(expected)), Some(Value::Object(actual))) => {
                let below =
                    |key: &str| format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"));
                let added = actual.iter().filter(|(key, _)| !expected.contains_key(key.as_str()));
                let mut members: Vec<_> = expected
                    .iter()
                    .map(|(key, value)| (below(key), Some(value), actual.get(key)))
                    .collect();
                members.extend(added.map(|(key, value)| (below(key), None, Some(value))));
                waiting.extend(members.into_iter().rev());
            }
            (Some(Value::Array(expected)), Some(Value::Array(actual))) => {
                let length = expected.len().max(actual.len());
                let members = (0..length)
                    .rev()
                    .map(|at| (format!("{pointer}/{at}"), expected.get(at), actual.get(at)));
                waiting.extend(members);
            }
            (expected, actual) if expected == actual => {}
            (expected, actual) => {
                found.push(Difference {
                    pointer,
                    expected: typed(expected),
                    actual: typed(actual),
                });
            }
        }
    }
    found
}

/// `integer 5`, `string "5"`, `nothing`.
fn typed(value: Option<&Value>) -> String {
    value.map_or_else(
        || "nothing".to_owned(),
        |value| match value {
            Value::Null => "null".to_owned(),
            value => format!("{} {}", value.kind(), shortened(&value.to_string(), LONGEST)),
        },
    )
}

/// The text, cut after so many characters.
pub(crate) fn shortened(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        None => text.to_owned(),
        Some((cut, _)) => {
            let mut short = text[..cut].to_owned();
            let _ = write!(short, "… ({} more characters)", text[cut..].chars().count());
            short
        }
    }
}

#[cfg(test)]
mod tests {
    use callfit_reference::json::parse;

    use super::*;

    #[test]
    fn each_place_is_told_with_types() {
        let expected = parse(r#"{"a": 5, "b": [1, {"c/d": null}], "e": 1}"#).unwrap();
        let actual = parse(r#"{"a": "5", "b": [1.0, {"c/d": 0}, 2], "f": {}}"#).unwrap();
        let told: Vec<String> = differences(&expected, &actual)
            .into_iter()
            .map(|d| format!("{}: {} / {}", d.pointer, d.expected, d.actual))
            .collect();
        assert_eq!(
            told,
            [
                "/a: integer 5 / string \"5\"",
                "/b/1/c~1d: null / integer 0",
                "/b/2: nothing / integer 2",
                "/e: integer 1 / nothing",
                "/f: nothing / object {}",
            ]
        );
    }
}
