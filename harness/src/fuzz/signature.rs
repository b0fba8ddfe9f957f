//! What went wrong and where, in a line that is the same for faults of one kind.

use callfit_reference::json::{Value, parse};
use callfit_reference::pointer::walk;
use callfit_reference::{Policies, resolve};

use crate::judge::differences;

/// So many subschemas of one place are looked at.
const MOST: usize = 64;

/// The kinds of what was sent, wanted and got where the two first differ, and what the schema is like there.
pub fn of_difference(schema: &Value, sent: &Value, expected: &Value, actual: &Value) -> String {
    let found = differences(expected, actual);
    let pointer = found.first().map_or("", |difference| difference.pointer.as_str());
    let tokens: Vec<String> = pointer
        .split('/')
        .skip(1)
        .map(|token| token.replace("~1", "/").replace("~0", "~"))
        .collect();
    let [sent, expected, actual] = [sent, expected, actual].map(|value| walk(value, &tokens));
    let what = match (sent, expected, actual) {
        (Some(sent), Some(expected), actual) if sent == expected => {
            format!("{} became {}", kind_of(Some(sent)), kind_of(actual))
        }
        (Some(sent), expected, Some(actual)) if sent == actual => {
            let missing = if expected.is_none() { " and should be gone" } else { "" };
            format!("{} stayed{missing}", kind_of(Some(sent)))
        }
        (sent, expected, actual) => format!(
            "{} became {}, {} expected",
            kind_of(sent),
            kind_of(actual),
            coarse(kind_of(expected))
        ),
    };
    what + &traits(schema, &tokens)
}

/// The same where two answers of one implementation differ: whether the second left alone what the first changed, or the other way round.
pub fn of_pair(sent: &Value, first: &Value, second: &Value) -> String {
    if first == sent {
        "changed only then".to_owned()
    } else if second == sent {
        "left alone only then".to_owned()
    } else {
        "changed otherwise".to_owned()
    }
}

/// A scalar or a container, where it does not matter which.
fn coarse(kind: &str) -> &str {
    match kind {
        "integer" | "number" | "boolean" => "a scalar",
        "array" | "object" => "a container",
        other => other,
    }
}

/// The kind of a value, as coarse as it can be told apart in a fault: a string that is JSON text is what it is the text of.
fn kind_of(value: Option<&Value>) -> &'static str {
    match value {
        None => "nothing",
        Some(Value::String(text)) => match parse(text) {
            Ok(Value::Array(_) | Value::Object(_)) => "container text",
            Ok(_) => "scalar text",
            Err(_) => "text",
        },
        Some(other) => other.kind(),
    }
}

/// What stands on the way to a place: references and unions.
fn traits(schema: &Value, tokens: &[String]) -> String {
    let (mut by_reference, mut in_union) = (false, false);
    let mut here = vec![schema.clone()];
    for at in 0..=tokens.len() {
        let mut all: Vec<Value> = Vec::new();
        let mut waiting = std::mem::take(&mut here);
        while let Some(node) = waiting.pop() {
            if all.len() == MOST {
                break;
            }
            let is_reference = node.get("$ref").is_some();
            let node =
                if is_reference { resolve(schema, &node, &Policies::default()) } else { node };
            by_reference |= is_reference;
            for keyword in ["anyOf", "oneOf", "allOf"] {
                if let Some(branches) = node.get(keyword).and_then(Value::as_array) {
                    in_union |= keyword != "allOf";
                    waiting.extend(branches.iter().take(MOST).cloned());
                }
            }
            all.push(node);
        }
        let Some(token) = tokens.get(at) else { break };
        here = all.iter().filter_map(|node| below(node, token)).cloned().collect();
    }
    let mut told = String::new();
    for (is_so, what) in [(by_reference, "behind a reference"), (in_union, "in a union")] {
        if is_so {
            told.push_str(", ");
            told.push_str(what);
        }
    }
    told
}

/// The subschema for a member or an element.
fn below<'v>(node: &'v Value, token: &str) -> Option<&'v Value> {
    let by_name = node.get("properties").and_then(|map| map.get(token));
    let by_index = || node.get("prefixItems")?.as_array()?.get(token.parse::<usize>().ok()?);
    by_name
        .or_else(by_index)
        .or_else(|| node.get("items"))
        .or_else(|| node.get("additionalProperties"))
}
