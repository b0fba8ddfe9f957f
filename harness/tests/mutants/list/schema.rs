//! Faults in reading one schema: what it admits, its mistakes, and its keys.

use callfit::implementation::CoercerError;
use callfit_reference::json::{Object, Value};

use super::fault::{answering, converting, reading};
use super::laws::ALL_BUT_STRING;
use super::walk::{drop_properties, each_schema, each_subschema, is, json, property};
use super::{Mutant, likely, seen};

pub const MUTANTS: &[Mutant] = &[
    likely("minimum-forbids-conversion", "admits", || {
        converting(|schema, sent, answer| {
            if let (Value::String(_), Value::Number(number), Some(Value::Number(minimum))) =
                (sent, &*answer, schema.get("minimum"))
                && number.to_f64() < minimum.to_f64()
            {
                answer.clone_from(sent);
            }
        })
    }),
    likely("format-is-a-type", "admits", || {
        reading(|root| {
            each_schema(root, &mut |keywords| {
                let format = keywords.get("format").and_then(Value::as_str);
                if format.is_some_and(|format| format.starts_with("int")) {
                    keywords.insert("type".to_owned(), "integer".into());
                }
            });
        })
    }),
    likely("empty-enum-is-none", "enum", || {
        reading(|root| {
            each_schema(root, &mut |keywords| {
                if keywords
                    .get("enum")
                    .is_some_and(|list| list.as_array().is_some_and(|it| it.is_empty()))
                {
                    keywords.shift_remove("enum");
                }
            });
        })
    }),
    likely("type-beats-enum", "enum", || {
        reading(|root| {
            each_schema(root, &mut |keywords| {
                if keywords.contains_key("type") {
                    keywords.retain(|keyword, _| keyword != "enum" && keyword != "const");
                }
            });
        })
    }),
    likely("type-list-read-as-its-first", "type-list", || {
        reading(|root| {
            each_schema(root, &mut |keywords| {
                let first =
                    keywords.get("type").and_then(Value::as_array).and_then(|it| it.first());
                if let Some(first) = first.cloned() {
                    keywords.insert("type".to_owned(), first);
                }
            });
        })
    }),
    seen("type-list-panics", "type-list", "vllm-project/vllm#43019", || {
        reading(|root| {
            each_schema(root, &mut |keywords| {
                let list = keywords.get("type").and_then(Value::as_array);
                assert!(list.is_none(), "unhashable type: 'list'");
            });
        })
    }),
    likely("type-list-not-read", "type-list", || {
        reading(|root| {
            each_schema(root, &mut |keywords| {
                keywords.retain(|keyword, value| keyword != "type" || value.as_array().is_none());
            });
        })
    }),
    likely("nullable-false-admits-null", "null", || {
        reading(|root| {
            each_schema(root, &mut |keywords| {
                if let (true, Some(Value::String(kind))) =
                    (keywords.contains_key("nullable"), keywords.get("type"))
                {
                    let list = vec![kind.as_str().into(), "null".into()];
                    keywords.insert("type".to_owned(), list.into());
                }
            });
        })
    }),
    likely("enum-not-read", "enum", || {
        reading(|root| {
            each_schema(root, &mut |keywords| {
                keywords.retain(|keyword, _| keyword != "enum" && keyword != "const");
            });
        })
    }),
    seen("no-schema-means-json", "bool-schema", "sglang 0.5.23 (glm47)", || {
        reading(|root| {
            each_schema(root, &mut |keywords| {
                if let Some(Value::Object(map)) = keywords.get_mut("properties") {
                    for schema in map.values_mut() {
                        let empty = schema.as_object().is_some_and(|schema| schema.is_empty());
                        if empty || *schema == true.into() {
                            *schema =
                                Object::from_iter([("type".to_owned(), json(ALL_BUT_STRING))])
                                    .into();
                        }
                    }
                }
            });
        })
    }),
    seen(
        "boolean-schema-panics",
        "bool-schema",
        "hermes-agent 0.19.0, run-llama/llama_index#19899",
        || {
            reading(|root| {
                each_subschema(root, &mut |schema| {
                    assert!(
                        !matches!(schema, Value::Bool(_)),
                        "'bool' object has no attribute 'get'"
                    );
                });
            })
        },
    ),
    likely("false-schema-drops-the-value", "bool-schema", || {
        answering(|root, _, mut answer| {
            if let Value::Object(arguments) = &mut answer {
                arguments.retain(|key, _| property(root, key) != false.into());
            }
            Ok(answer)
        })
    }),
    likely("type-names-folded", "odd-schema", || {
        reading(|root| {
            each_schema(root, &mut |keywords| {
                let known = match keywords.get("type").and_then(Value::as_str) {
                    Some("int" | "Integer" | "INTEGER" | "long") => "integer",
                    Some("float" | "double" | "Number") => "number",
                    Some("bool" | "Boolean") => "boolean",
                    _ => return,
                };
                keywords.insert("type".to_owned(), known.into());
            });
        })
    }),
    likely("odd-keyword-voids-the-node", "odd-schema", || {
        reading(|root| {
            each_schema(root, &mut |keywords| {
                let lists = ["enum", "required", "anyOf", "oneOf", "allOf"];
                let maps = ["properties", "patternProperties"];
                let odd = keywords.iter().any(|(keyword, value)| {
                    lists.contains(&keyword.as_str()) && value.as_array().is_none()
                        || maps.contains(&keyword.as_str()) && value.as_object().is_none()
                });
                if odd {
                    keywords.clear();
                }
            });
        })
    }),
    seen("odd-properties-panic", "odd-schema", "hermes-agent 0.19.0", || {
        reading(|root| {
            each_schema(root, &mut |keywords| {
                let properties = keywords.get("properties");
                assert!(
                    properties.is_none_or(|it| it.as_object().is_some()),
                    "no attribute 'items'"
                );
                let kind = keywords.get("type");
                assert!(kind.is_none_or(|it| it.as_object().is_none()), "unhashable type: 'dict'");
            });
        })
    }),
    seen("odd-required-refuses", "odd-schema", "NousResearch/hermes-agent#59386", || {
        answering(|root, _, answer| {
            let mut odd = false;
            each_schema(&mut root.clone(), &mut |keywords| {
                odd |= keywords.get("required").is_some_and(|list| list.as_array().is_none());
            });
            if odd {
                return Err(CoercerError::Refused("the schema is not valid".to_owned()));
            }
            Ok(answer)
        })
    }),
    likely("root-without-type-not-read", "root", || {
        reading(|root| {
            if !is(root, "object") {
                *root = json("{}");
            }
        })
    }),
    seen("numbers-in-undeclared-keys", "root", "holon-run/holon#1827", || {
        reading(|root| {
            if let Value::Object(keywords) = root {
                let scalars = json(r#"{"type": ["boolean", "number", "null"]}"#);
                keywords.entry("additionalProperties".to_owned()).or_insert(scalars);
            }
        })
    }),
    seen("root-reference-not-read", "root-ref", "NousResearch/hermes-agent#100693", || {
        reading(|root| {
            if let Value::Object(keywords) = root {
                keywords.retain(|keyword, _| keyword != "$ref" && keyword != "allOf");
            }
        })
    }),
    likely("keys-in-any-case", "keys", || {
        reading(|root| {
            each_schema(root, &mut |keywords| {
                if let Some(Value::Object(map)) = keywords.get_mut("properties") {
                    for (key, schema) in map.clone().into_map() {
                        let capital = key.get(..1).unwrap_or_default().to_uppercase();
                        let capital = capital + key.get(1..).unwrap_or_default();
                        for other in [key.to_lowercase(), capital] {
                            map.entry(other).or_insert_with(|| schema.clone());
                        }
                    }
                }
            });
        })
    }),
    seen("keys-of-a-prototype-lost", "keys", "QwenLM/qwen-code#4793", || {
        reading(|root| drop_properties(root, &["__proto__", "constructor"]))
    }),
    likely("empty-key-lost", "keys", || reading(|root| drop_properties(root, &[""]))),
    seen("keys-named-as-keywords-lost", "keys", "NousResearch/hermes-agent#110537", || {
        reading(|root| drop_properties(root, &["properties", "type", "items", "required"]))
    }),
    likely("keys-trimmed", "keys", || {
        answering(|_, _, answer| {
            Ok(match answer {
                Value::Object(arguments) => {
                    let trimmed = |(key, value): (String, Value)| (key.trim().to_owned(), value);
                    Value::Object(arguments.into_map().into_iter().map(trimmed).collect())
                }
                other => other,
            })
        })
    }),
];
