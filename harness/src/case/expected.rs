//! Whether a value that a case wants converted is one that the schema admits.

use callfit_reference::json::Value;
use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator};

use super::check::{Finding, value_of};
use super::corpus::{Case, Expect};
use super::model::{Area, Level};
use super::place::token;
use super::text::Text;

/// The clauses whose point is that JSON Schema itself reads the schema otherwise: both sides of a `$ref` bind there, a circle has no meaning, and an `$id` moves its base.
const READ_OTHERWISE: [&str; 3] = ["ref-siblings", "ref-dead-end", "ref-id"];

/// What is wrong with the right answers of a must-case of coercing: nothing may be converted into what `type`, `enum` and `const` do not take.
///
/// Only what differs from what was sent is looked at, and only where the schema is plain and an independent validator can build it, every reference resolved.
pub fn findings(case: &Case) -> Vec<Finding> {
    let (Area::Coerce, Level::Must) = (case.area, case.level) else {
        return Vec::new();
    };
    let (Text::Plain(schema), Some(Text::Plain(sent)), Expect::Values(answers)) =
        (&case.schema, &case.subject, &case.expect)
    else {
        return Vec::new();
    };
    let Some(validator) = validator(schema) else {
        return Vec::new();
    };
    if READ_OTHERWISE.contains(&case.clause.as_str()) {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for (turn, answer) in answers.iter().enumerate() {
        let Text::Plain(answer) = answer else {
            continue;
        };
        let (Ok(sent), Ok(value), Ok(instance)) =
            (value_of(sent), value_of(answer), serde_json::from_str(answer))
        else {
            continue;
        };
        let changed = changed(&sent, &value);
        let field = match turn {
            0 => "/expect".to_owned(),
            _ => format!("/also/{}", turn - 1),
        };
        for error in validator.iter_errors(&instance) {
            let place = error.instance_path().as_str();
            if changed.iter().any(|changed| changed == place) && excludes(&error) {
                findings.push(Finding::value(
                    "invalid-expected",
                    format!("{field}{place}"),
                    format!("the schema does not take what the arguments become here: {error}"),
                    "a text becomes a value that `type`, `enum` and `const` admit, or stays",
                ));
            }
        }
    }
    findings
}

fn validator(schema: &str) -> Option<Validator> {
    let schema = serde_json::from_str(schema).ok()?;
    jsonschema::validator_for(&schema).ok()
}

/// Whether the value is excluded by what decides admission, in every branch.
fn excludes(error: &ValidationError<'_>) -> bool {
    let instance = error.instance();
    let is_huge = instance.is_number() && !instance.as_f64().is_some_and(f64::is_finite);
    match error.kind() {
        // Beyond every double the validator cannot tell an integer.
        ValidationErrorKind::Type { .. } if is_huge => false,
        ValidationErrorKind::Type { .. }
        | ValidationErrorKind::Enum { .. }
        | ValidationErrorKind::Constant { .. } => true,
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
            context.iter().all(|branch| {
                branch
                    .iter()
                    .any(|inner| inner.instance_path() == error.instance_path() && excludes(inner))
            })
        }
        _ => false,
    }
}

/// Pointers to what is in the answer and was not sent. A container that was sent as text is compared with what the text denotes.
fn changed(sent: &Value, answer: &Value) -> Vec<String> {
    let mut changed = Vec::new();
    let mut waiting = vec![(String::new(), sent.clone(), answer)];
    while let Some((pointer, sent, answer)) = waiting.pop() {
        match (&sent, answer) {
            (Value::Object(before), Value::Object(after)) => {
                for (key, value) in after.iter() {
                    if let Some(before) = before.get(key) {
                        let pointer = format!("{pointer}/{}", token(key));
                        waiting.push((pointer, before.clone(), value));
                    }
                }
            }
            (Value::Array(before), Value::Array(after)) => {
                let pairs = before.iter().zip(after.iter());
                waiting.extend(pairs.enumerate().map(|(turn, (before, after))| {
                    (format!("{pointer}/{turn}"), before.clone(), after)
                }));
            }
            (before, after) if before == after => {}
            (Value::String(text), after) => {
                changed.push(pointer.clone());
                if !matches!(after, Value::String(_))
                    && let Ok(denoted) = value_of(text)
                {
                    waiting.push((pointer, denoted, after));
                }
            }
            _ => changed.push(pointer),
        }
    }
    changed
}
