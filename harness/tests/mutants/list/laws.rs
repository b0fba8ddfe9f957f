//! Faults that break a law: SPEC's chapter *Laws*, in its order.

use std::collections::{HashMap, VecDeque};
use std::sync::Mutex;

use callfit::Reference;
use callfit::implementation::Coercer;
use callfit_reference::Profile;
use callfit_reference::json::{Number, Value, parse};

use super::fault::{answering, calling, converting, reading, restoring, spelling};
use super::walk::{
    branches, each_parameter, each_schema, is, json, names, nowhere, property, reference_of,
};
use super::{Mutant, likely, seen};

pub const MUTANTS: &[Mutant] = &[
    seen("strings-read-as-json", "valid-stays", "agno-agi/agno#10459", || {
        reading(|root| {
            each_schema(root, &mut |keywords| {
                if keywords.get("type").and_then(Value::as_str) == Some("string") {
                    keywords.insert("type".to_owned(), json(ALL_BUT_STRING));
                }
            });
        })
    }),
    seen("digits-in-strings-are-numbers", "valid-stays", "kaeawc/auto-mobile#4241", || {
        converting(|schema, _, answer| {
            if let (true, Some(Ok(number))) =
                (is(schema, "string"), answer.as_str().map(str::parse::<i64>))
            {
                *answer = number.into();
            }
        })
    }),
    seen("first-branch-takes-null", "valid-stays", "ajv-validator/ajv#2370", || {
        converting(|schema, _, answer| {
            let Some(first) = branches(schema).first().copied() else { return };
            if matches!(answer, Value::Null) && is(first, "string") {
                *answer = "".into();
            } else if matches!(answer, Value::Null) && is(first, "integer") {
                *answer = 0.into();
            } else if matches!(answer, Value::Null) && is(first, "boolean") {
                *answer = false.into();
            }
        })
    }),
    likely("one-layer-a-pass", "idempotent", || {
        converting(|schema, _, answer| {
            let decoded = answer.as_str().and_then(|text| parse(text).ok());
            if let (true, Some(inner @ Value::String(_))) = (names(schema, "object"), decoded) {
                *answer = inner;
            }
        })
    }),
    seen("what-was-parsed-waits-for-the-next-pass", "idempotent", "hermes-agent 0.19.0", || {
        converting(as_parsed)
    }),
    seen("integers-through-a-double", "exact", "langchain4j/langchain4j#5754", || {
        converting(rounded)
    }),
    likely("fractions-through-a-single", "exact", || {
        converting(|_, sent, answer| {
            if let (Value::String(_), Value::Number(number)) = (sent, &*answer)
                && !number.is_integer()
                && let Ok(single) = number.as_str().parse::<f32>()
            {
                *answer = number_of(&single.to_string());
            }
        })
    }),
    likely("the-smallest-become-zero", "exact", || {
        converting(|_, _, answer| {
            if let Value::Number(number) = &*answer
                && number.to_f64() == 0.0
            {
                *answer = 0.into();
            }
        })
    }),
    seen("infinite-becomes-null", "exact", "ajv 8.20.0", || {
        converting(|schema, _, answer| {
            let text = match &*answer {
                Value::Number(number) => number.as_str(),
                Value::String(text) if is(schema, "number") => text,
                _ => return,
            };
            if text.parse().is_ok_and(f64::is_infinite) {
                *answer = Value::Null;
            }
        })
    }),
    seen("defaults-filled-in", "no-invention", "fastify 5.12.8", || {
        answering(|root, _, mut answer| {
            let parameters = root.get("properties").and_then(Value::as_object);
            if let Value::Object(arguments) = &mut answer {
                for (name, schema) in parameters.into_iter().flat_map(|map| map.iter()) {
                    if let Some(default) = schema.get("default") {
                        arguments.entry(name.clone()).or_insert_with(|| default.clone());
                    }
                }
            }
            Ok(answer)
        })
    }),
    seen("absent-is-null", "no-invention", "crewai 1.15.30, mcpadapt 0.1.20", || {
        answering(|root, _, mut answer| {
            let parameters = root.get("properties").and_then(Value::as_object);
            if let Value::Object(arguments) = &mut answer {
                for name in parameters.into_iter().flat_map(|map| map.keys()) {
                    arguments.entry(name.clone()).or_default();
                }
            }
            Ok(answer)
        })
    }),
    seen(
        "undeclared-keys-dropped",
        "no-invention",
        "modelcontextprotocol/typescript-sdk#147",
        || {
            answering(|root, _, mut answer| {
                if let (Some(Value::Object(map)), Value::Object(arguments)) =
                    (root.get("properties"), &mut answer)
                {
                    arguments.retain(|key, _| map.contains_key(key));
                }
                Ok(answer)
            })
        },
    ),
    seen("empty-strings-dropped", "no-invention", "anthropics/claude-code#61947", || {
        answering(|_, _, mut answer| {
            if let Value::Object(arguments) = &mut answer {
                arguments.retain(|_, value| value.as_str() != Some(""));
            }
            Ok(answer)
        })
    }),
    likely("null-dropped", "no-invention", || {
        answering(|_, _, mut answer| {
            if let Value::Object(arguments) = &mut answer {
                arguments.retain(|_, value| !matches!(value, Value::Null));
            }
            Ok(answer)
        })
    }),
    likely("list-sorted", "no-invention", || {
        converting(|_, _, answer| {
            if let Value::Array(elements) = answer {
                elements.sort_by_key(ToString::to_string);
            }
        })
    }),
    likely("equal-elements-once", "no-invention", || {
        converting(|_, _, answer| {
            if let Value::Array(elements) = answer {
                let mut seen = Vec::new();
                elements.retain(|element| {
                    let is_new = !seen.contains(element);
                    seen.push(element.clone());
                    is_new
                });
            }
        })
    }),
    seen("words-become-zero", "no-invention", "cast-with-schema 1.5.0", || {
        converting(|schema, _, answer| {
            if answer.as_str().is_some() && is(schema, "integer") {
                *answer = 0.into();
            }
        })
    }),
    seen("references-not-followed", "transparent", "hermes-agent 0.19.0", || {
        spelling(|_, reference| reference.starts_with('#').then(|| nowhere(reference)))
    }),
    likely("other-options-behind-references", "transparent", || {
        let behind = Reference::new(Profile::Seed);
        calling(move |right, schema, arguments| {
            let chosen = if schema.contains("\"$ref\"") { &behind } else { right };
            chosen.coerce(schema, arguments)
        })
    }),
    seen("one-failure-stops-the-neighbours", "local", "agentscope 2.0.11", || {
        answering(|root, sent, answer| {
            let mut failed = false;
            let answer = each_parameter(root, sent, answer, &mut |schema, _, answer| {
                let scalar = ["integer", "number", "boolean"].iter().any(|kind| is(schema, kind));
                failed |= answer.as_str().is_some() && scalar;
            });
            Ok(if failed { sent.clone() } else { answer })
        })
    }),
    seen("dangling-reference-stops-the-neighbours", "local", "agentscope 2.0.11", || {
        answering(|root, sent, answer| {
            let mut dangles = false;
            each_parameter(root, sent, answer.clone(), &mut |schema, _, _| {
                dangles |= schema.as_object().is_some_and(|it| reference_of(it).is_some());
            });
            Ok(if dangles { sent.clone() } else { answer })
        })
    }),
    likely("inner-property-has-the-outer-type", "local", || {
        reading(|root| {
            let outer = root.clone();
            let Value::Object(keywords) = root else { return };
            let Some(Value::Object(map)) = keywords.get_mut("properties") else { return };
            for parameter in map.values_mut() {
                each_schema(parameter, &mut |keywords| {
                    let Some(Value::Object(map)) = keywords.get_mut("properties") else { return };
                    for (name, schema) in map.iter_mut() {
                        if let namesake @ Value::Object(_) = property(&outer, name) {
                            *schema = namesake;
                        }
                    }
                });
            }
        })
    }),
    // A pattern of JavaScript that remembers where its last search ended does so.
    likely("left-alone-every-second-time", "stateless", || {
        let asked = Mutex::new(HashMap::new());
        calling(move |right, schema, arguments| {
            let mut asked = asked.lock().expect("no call panicked");
            let times: &mut usize = asked.entry(format!("{schema} {arguments}")).or_default();
            *times += 1;
            if times.is_multiple_of(2) {
                Ok(arguments.to_owned())
            } else {
                right.coerce(schema, arguments)
            }
        })
    }),
    likely("last-answers-again-for-the-same-arguments", "stateless", || {
        let last = Mutex::new(VecDeque::<(String, String)>::new());
        calling(move |right, schema, arguments| {
            let mut last = last.lock().expect("no call panicked");
            if let Some((_, answer)) = last.iter().find(|(sent, _)| sent == arguments) {
                return Ok(answer.clone());
            }
            let answer = right.coerce(schema, arguments)?;
            last.truncate(3);
            last.push_front((arguments.to_owned(), answer.clone()));
            Ok(answer)
        })
    }),
    likely("nothing-restored", "round-trip", || restoring(|_| false)),
];

/// The types of everything that is no string.
pub const ALL_BUT_STRING: &str = r#"["null", "boolean", "number", "array", "object"]"#;

/// The number with this text, or the text.
pub fn number_of(text: &str) -> Value {
    Number::new(text).map_or_else(|| text.into(), Value::Number)
}

fn as_parsed(_: &Value, sent: &Value, answer: &mut Value) {
    if let (Some(text), Value::Array(_) | Value::Object(_)) = (sent.as_str(), &*answer) {
        *answer = parse(text).unwrap_or_default();
    }
}

fn rounded(_: &Value, sent: &Value, answer: &mut Value) {
    if let (Value::String(_), Value::Number(number)) = (sent, &*answer)
        && number.is_integer()
        && number.to_f64().is_finite()
    {
        *answer = number_of(&format!("{:.0}", number.to_f64()));
    }
}
