//! Case files of the wrong shape: everything in them that the model does not take.
//!
//! Serde stops at the first mistake. Where it has found one, the file is held against the JSON Schema of the model, which finds them all.

use std::ops::Range;
use std::sync::LazyLock;

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{ValidationError, Validator};
use serde_json::Value;

use super::model::CaseFile;
use super::near::did_you_mean;
use super::place::{Outline, token, without_lone_surrogates};
use super::problem::{Problem, SourceFile};

struct Shape {
    schema: Value,
    validator: Option<Validator>,
}

static SHAPE: LazyLock<Shape> = LazyLock::new(|| {
    let schema = schemars::schema_for!(CaseFile).to_value();
    let validator = jsonschema::validator_for(&schema).ok();
    Shape { schema, validator }
});

/// What is wrong with the shape of a file, outside its cases and in those with these turns. `error` is what serde said, for want of anything better.
pub fn problems(file: &SourceFile, turns: &[usize], error: &serde_json::Error) -> Vec<Problem> {
    let outline = match Outline::new(&file.text) {
        Ok(outline) => outline,
        Err(error) => {
            return vec![file.problem(
                "syntax",
                error.offset..error.offset + 1,
                format!("this is no JSON: {}", error.problem),
                "a case file is plain JSON (RFC 8259), without comments or trailing commas",
            )];
        }
    };
    let mut problems = Vec::new();
    let value: Option<Value> = serde_json::from_str(&without_lone_surrogates(&file.text)).ok();
    if let (Some(value), Some(validator)) = (&value, &SHAPE.validator) {
        for error in validator.iter_errors(value) {
            if turn_of(error.instance_path().as_str()).is_none_or(|turn| turns.contains(&turn)) {
                explain(file, &outline, &error, &mut problems);
            }
        }
    }
    problems.extend(repeated_keys(file, &outline));
    if problems.is_empty() {
        // Serde counts lines from the start of the text it was given, which for a case is the case.
        let mut problem = serde_problem(file, error);
        if let Some(turn) = turns.first() {
            let start = outline.value(&format!("/cases/{turn}")).start;
            problem = file.problem("shape", start..start + 1, problem.message, problem.help);
        }
        problems.push(problem);
    }
    problems
}

/// Keys that stand twice in an object: readers differ in which of the two they take.
pub fn repeated_keys(file: &SourceFile, outline: &Outline) -> Vec<Problem> {
    let problem = |span: &Range<usize>| {
        file.problem(
            "repeated-key",
            span.clone(),
            format!("the key {} stands twice in this object", &file.text[span.clone()]),
            "keep one; where repeated keys are the point, they stand in a text: \"{\\\"a\\\":1,\\\"a\\\":2}\"",
        )
    };
    outline.repeated_keys.iter().map(problem).collect()
}

/// The problem that serde stopped at.
pub fn serde_problem(file: &SourceFile, error: &serde_json::Error) -> Problem {
    let lines = file.text.split_inclusive('\n');
    let before = lines.take(error.line().saturating_sub(1)).map(str::len);
    let at = before.sum::<usize>() + error.column().saturating_sub(1);
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or(&message);
    file.problem("shape", at..at + 1, message, "cases/README.md lists the fields and their types")
}

/// The turn of the case that this pointer leads into.
fn turn_of(pointer: &str) -> Option<usize> {
    let turn = pointer.strip_prefix("/cases/")?.split('/').next()?;
    turn.parse().ok()
}

fn explain(
    file: &SourceFile,
    outline: &Outline,
    error: &ValidationError<'_>,
    problems: &mut Vec<Problem>,
) {
    let pointer = error.instance_path().as_str();
    let span = outline.value(pointer);
    match error.kind() {
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            let known = fields_at(error.schema_path().as_str());
            for name in unexpected {
                problems.push(file.problem(
                    "unknown-field",
                    outline.key(&format!("{pointer}/{}", token(name))),
                    format!("there is no field `{name}` here"),
                    did_you_mean(
                        name,
                        known.iter().map(|(name, _)| *name),
                        &format!("the fields are {}", names(&known)),
                    ),
                ));
            }
        }
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            let known = fields_at(error.schema_path().as_str());
            let meaning = known.iter().find(|(field, _)| *field == name);
            problems.push(file.problem(
                "missing-field",
                span.start..span.start + 1,
                format!("the field `{name}` is missing"),
                format!("add it. {}", meaning.map_or("", |(_, meaning)| meaning)),
            ));
        }
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
            // A branch that goes wrong further in is the one that was meant.
            let inner = |error: &&ValidationError<'_>| error.instance_path().as_str() != pointer;
            let has_shape = |error: &ValidationError<'_>| {
                !matches!(
                    error.kind(),
                    ValidationErrorKind::Type { .. } | ValidationErrorKind::Constant { .. }
                )
            };
            let meant = context
                .iter()
                .find(|branch| branch.iter().all(|error| inner(&error) || has_shape(error)));
            if let Some(branch) = meant {
                for error in branch {
                    explain(file, outline, error, problems);
                }
            } else {
                let expected = expected(context.iter().flatten());
                problems.push(wrong_type(file, outline, error, &expected));
            }
        }
        ValidationErrorKind::Type { .. } => {
            let expected = expected(std::iter::once(error));
            problems.push(wrong_type(file, outline, error, &expected));
        }
        ValidationErrorKind::Pattern { .. } => problems.push(file.problem(
            "malformed-id",
            span,
            "an id has to be area/topic/name, in lower case letters, digits and single hyphens",
            "for example coerce/integer/leading-zeros",
        )),
        _ => problems.push(file.problem("shape", span, error.to_string(), meaning(error))),
    }
}

fn wrong_type(
    file: &SourceFile,
    outline: &Outline,
    error: &ValidationError<'_>,
    expected: &str,
) -> Problem {
    let mut span = outline.value(error.instance_path().as_str());
    let found = match error.instance().as_ref() {
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
        _ if span.len() > 40 => "a long text",
        _ => &file.text[span.clone()],
    };
    if error.instance().is_array() || error.instance().is_object() {
        span.end = span.start + 1;
    }
    file.problem("wrong-type", span, format!("expected {expected}, found {found}"), meaning(error))
}

/// What would have been right, as these errors know it.
fn expected<'e>(errors: impl Iterator<Item = &'e ValidationError<'e>>) -> String {
    let words = errors.map(|error| match error.kind() {
        ValidationErrorKind::Type { kind: TypeKind::Single(kind) } => format!("{kind}"),
        ValidationErrorKind::Constant { expected_value } => expected_value.to_string(),
        _ => error.to_string(),
    });
    words.collect::<Vec<_>>().join(" or ")
}

/// What the model says of the value that this error is about.
fn meaning(error: &ValidationError<'_>) -> String {
    let keyword = error.schema_path().as_str();
    let schema = keyword.rsplit_once('/').map_or("", |(schema, _)| schema);
    let schema = SHAPE.schema.pointer(schema);
    let meaning = schema.and_then(|schema| schema.get("description")?.as_str());
    let meaning = meaning.unwrap_or("cases/README.md lists the fields and their types");
    meaning.to_owned()
}

/// The fields, with what they mean, of the object that the keyword at this place of the model's schema speaks of.
fn fields_at(keyword: &str) -> Vec<(&'static str, &'static str)> {
    let object = keyword.rsplit_once('/').map_or("", |(object, _)| object);
    // `required` is told with the turn of its entry by some errors, so the object may be two steps up.
    let objects = [Some(object), object.rsplit_once('/').map(|(object, _)| object)];
    let properties = objects
        .into_iter()
        .flatten()
        .find_map(|object| SHAPE.schema.pointer(object)?.get("properties")?.as_object());
    properties
        .into_iter()
        .flatten()
        .map(|(name, schema)| {
            let meaning = schema.get("description").and_then(Value::as_str);
            (name.as_str(), meaning.unwrap_or_default())
        })
        .collect()
}

fn names(fields: &[(&str, &str)]) -> String {
    let names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
    names.join(", ")
}
