//! Faults in converting values: SPEC's chapter *Coercing*, from integers to arguments that are no object.

use std::sync::Arc;

use callfit::implementation::{Coercer, CoercerError};
use callfit_reference::json::{Object, Value, parse};

use super::fault::{answering, calling, converting, unwrapping};
use super::laws::number_of;
use super::walk::{branches, each_parameter, each_place, is, json, names};
use super::{Mutant, likely, seen};

pub const MUTANTS: &[Mutant] = &[
    seen("scalars-left-to-the-tool", "int", "BigSweetPotatoStudio/HyperChat#123", || {
        converting(|_, sent, answer| {
            if sent.as_str().is_some() && !is_container(answer) {
                answer.clone_from(sent);
            }
        })
    }),
    likely("minus-sign-not-read", "int", || kept_if(|_, text| text.starts_with('-'))),
    likely("zero-taken-for-nothing", "int", || kept_if(|_, text| text == "0")),
    likely("more-than-fifteen-digits-through-a-double", "int", || {
        converting(|schema, sent, answer| {
            if let (true, Some(text), Value::Number(number)) =
                (names(schema, "integer"), sent.as_str(), &*answer)
                && text.len() > 15
            {
                *answer = number_of(&format!("{:e}", number.to_f64()));
            }
        })
    }),
    seen(
        "fraction-cut",
        "int-not",
        "@earendil-works/pi-ai 1.6.0, sinclairzx81/typebox#229",
        || {
            converting(|schema, _, answer| {
                let Some((whole, fraction)) = answer.as_str().and_then(|it| it.split_once('.'))
                else {
                    return;
                };
                if is(schema, "integer") && fraction.bytes().all(|b| b.is_ascii_digit()) {
                    *answer = number_of(whole);
                }
            })
        },
    ),
    seen("number-at-the-beginning-read", "int-not", "parseInt of JavaScript", || {
        converting(|schema, _, answer| {
            let digits = |text: &str| text.chars().take_while(char::is_ascii_digit).collect();
            let digits: String = answer.as_str().map(digits).unwrap_or_default();
            if is(schema, "integer") && !digits.is_empty() && !digits.starts_with('0') {
                *answer = number_of(&digits);
            }
        })
    }),
    seen("blank-is-zero", "int-not", "zod 4.6.7", || {
        converting(|schema, _, answer| {
            let blank = answer.as_str().is_some_and(|text| text.trim().is_empty());
            if blank && (is(schema, "integer") || is(schema, "number")) {
                *answer = 0.into();
            }
        })
    }),
    seen("text-true-is-one", "int-not", "@earendil-works/pi-ai 1.6.0, agno 3.1.10", || {
        converting(|schema, _, answer| {
            if let (true, Some("true")) = (is(schema, "integer"), answer.as_str()) {
                *answer = 1.into();
            }
        })
    }),
    likely("fractions-left-alone", "num", || {
        kept_if(|schema, text| is(schema, "number") && text.contains('.'))
    }),
    likely("per-cent-read", "num", || {
        converting(|schema, _, answer| {
            let number = answer.as_str().and_then(|text| text.strip_suffix('%'));
            if let (true, Some(number)) = (is(schema, "number"), number) {
                *answer = number_of(&format!("{number}e-2"));
            }
        })
    }),
    seen("nan-given", "num", "agentscope-ai/agentscope#2222", || {
        calling(|right, schema, arguments| {
            let answer = right.coerce(schema, arguments)?;
            let is_number = schema.contains("\"number\"");
            Ok(if is_number { answer.replace("\"NaN\"", "NaN") } else { answer })
        })
    }),
    seen("truth-of-any-text", "bool", "software-mansion/argent#811", || {
        converting(|schema, sent, answer| {
            if let (true, Some(text)) = (is(schema, "boolean"), sent.as_str()) {
                *answer = (!text.is_empty()).into();
            }
        })
    }),
    seen("unknown-words-are-false", "bool", "SAIL-Research-Lab/cheetahclaws#62", || {
        converting(|schema, _, answer| {
            if is(schema, "boolean") && answer.as_str().is_some() {
                *answer = false.into();
            }
        })
    }),
    seen("null-stays-text", "null", "anthropics/claude-code#95239", || {
        kept_if(|_, text| text.trim() == "null")
    }),
    seen(
        "list-wrapped-before-it-is-parsed",
        "array",
        "ajv 8.20.0 (array mode), typebox 0.34.52",
        || {
            converting(|schema, sent, answer| {
                if is(schema, "array") && sent.as_str().is_some() && is_container(answer) {
                    *answer = vec![sent.clone()].into();
                }
            })
        },
    ),
    seen("broken-object-mended", "object", "json-repair 0.64.6", || {
        converting(|schema, _, answer| {
            let mended = answer.as_str().and_then(|text| parse(&format!("{text}}}")).ok());
            if let (true, Some(object @ Value::Object(_))) = (is(schema, "object"), mended) {
                *answer = object;
            }
        })
    }),
    seen("python-literals-read", "object", "json-repair 0.64.6", || {
        converting(|schema, _, answer| {
            let Some(text) = answer.as_str().filter(|_| is(schema, "object")) else { return };
            let text = text.replace('\'', "\"").replace("None", "null").replace("True", "true");
            if let Ok(object @ Value::Object(_)) = parse(&text) {
                *answer = object;
            }
        })
    }),
    seen("broken-object-emptied", "object", "anthropics/claude-code#3966", || {
        converting(|schema, _, answer| {
            if is(schema, "object") && answer.as_str().is_some_and(|it| it.starts_with('{')) {
                *answer = Object::new().into();
            }
        })
    }),
    seen("objects-left-as-text", "object", "anthropics/claude-code#5504", || {
        converting(|_, sent, answer| {
            if let (Value::String(_), Value::Object(_)) = (sent, &*answer) {
                answer.clone_from(sent);
            }
        })
    }),
    seen("strings-trimmed", "string", "SWE-agent/SWE-agent#1166", || {
        string_as(|text| text.trim().into())
    }),
    seen("quotes-lost", "string", "sglang 0.5.23 (glm45)", || {
        string_as(|text| text.trim_matches('"').into())
    }),
    seen("json-in-strings-opened", "string", "continuedev/continue#8510", || {
        string_as(|text| parse(text).ok().filter(is_container).unwrap_or_else(|| text.into()))
    }),
    seen("word-null-lost", "string", "sglang 0.5.23 (qwen3_coder)", || {
        string_as(|text| if text == "null" { Value::Null } else { text.into() })
    }),
    seen("python-words-written", "string", "sglang 0.5.23 (glm45)", || {
        string_as(|text| if text == "true" { "True".into() } else { text.into() })
    }),
    seen("null-becomes-what-is-empty", "native", "ajv 8.20.0, @mariozechner/pi-ai 0.73.1", || {
        converting(|schema, sent, answer| {
            if !matches!(sent, Value::Null) {
                return;
            }
            for (kind, empty) in
                [("integer", "0"), ("number", "0"), ("string", "\"\""), ("boolean", "false")]
            {
                if is(schema, kind) {
                    *answer = json(empty);
                }
            }
        })
    }),
    seen("number-cut-to-an-integer", "native", "ballerina-platform/ballerina-library#9128", || {
        converting(|schema, _, answer| {
            if let (true, Value::Number(number)) = (is(schema, "integer"), &*answer)
                && let Some((whole, _)) = number.as_str().split_once('.')
            {
                *answer = number_of(whole);
            }
        })
    }),
    seen("first-of-a-list-taken", "native", "Lexus2016/hermes-agent-evolution#1681", || {
        converting(|schema, _, answer| {
            let scalar = ["string", "integer", "number"].iter().any(|kind| is(schema, kind));
            let first = answer.as_array().and_then(|list| list.first());
            if let (true, Some(first)) = (scalar, first.cloned()) {
                *answer = first;
            }
        })
    }),
    seen("whole-fraction-refused", "native", "NousResearch/hermes-agent#78335", || {
        answering(|root, sent, answer| {
            let mut refused = false;
            each_parameter(root, sent, answer.clone(), &mut |schema, sent, _| {
                if let (true, Value::Number(number)) = (is(schema, "integer"), sent) {
                    refused |= number.as_str().contains('.') && number.is_integer();
                }
            });
            if refused {
                return Err(CoercerError::Refused("expected an integer".to_owned()));
            }
            Ok(answer)
        })
    }),
    seen("only-the-top-level", "nested-container", "cline/cline#11803", || {
        answering(|_, sent, answer| Ok(as_sent_below(sent, answer)))
    }),
    seen(
        "elements-of-lists-left-alone",
        "nested-container",
        "NousResearch/hermes-agent#52220",
        || {
            converting(|_, sent, answer| {
                if let (Value::Array(_), Value::Array(_)) = (sent, &*answer) {
                    answer.clone_from(sent);
                }
            })
        },
    ),
    seen("nested-scalars-left-alone", "nested-scalar", "hermes-agent 0.19.0", || {
        answering(|root, sent, answer| {
            let right = answer.clone();
            let answer = each_place(root, sent, answer, &|_, sent, answer| {
                if sent.as_str().is_some() && !is_container(answer) {
                    answer.clone_from(sent);
                }
            });
            Ok(each_parameter(root, &right, answer, &mut |_, right, answer| {
                if !is_container(right) {
                    answer.clone_from(right);
                }
            }))
        })
    }),
    seen(
        "text-wrapped-beside-a-string",
        "text-in-union",
        "cyanheads/clinicaltrialsgov-mcp-server#75",
        || {
            converting(|schema, _, answer| {
                let has =
                    |kind| names(schema, kind) || branches(schema).iter().any(|it| is(it, kind));
                if answer.as_str().is_some() && has("string") && has("array") {
                    *answer = vec![answer.clone()].into();
                }
            })
        },
    ),
    likely("what-cannot-be-read-panics", "surrogates", unwrapping),
    likely("text-given-to-the-only-parameter", "arguments", || {
        answering(|root, sent, answer| {
            let parameters = root.get("properties").and_then(Value::as_object);
            let only = parameters.filter(|map| map.len() == 1).and_then(|map| map.keys().next());
            Ok(match (only, sent) {
                (Some(name), Value::String(text)) if answer == *sent && !text.is_empty() => {
                    Object::from_iter([(name.clone(), answer)]).into()
                }
                _ => answer,
            })
        })
    }),
    seen("broken-arguments-emptied", "arguments", "anthropics/claude-code#3966", || {
        answering(|_, sent, answer| {
            let broken = answer.as_str().is_some_and(|text| !text.is_empty()) && answer == *sent;
            Ok(if broken { Object::new().into() } else { answer })
        })
    }),
    seen("list-for-arguments-emptied", "arguments", "agno-agi/agno#6303", || {
        answering(|_, _, answer| {
            Ok(if answer.as_array().is_some() { Object::new().into() } else { answer })
        })
    }),
    seen("arguments-that-are-no-object-panic", "arguments", "lsdefine/GenericAgent#746", || {
        answering(|_, _, answer| {
            assert!(answer.as_object().is_some(), "no attribute 'items'");
            Ok(answer)
        })
    }),
];

fn is_container(value: &Value) -> bool {
    matches!(value, Value::Array(_) | Value::Object(_))
}

/// A mutant that does not convert some texts.
fn kept_if(is_kept: fn(&Value, &str) -> bool) -> Arc<dyn Coercer> {
    converting(move |schema, sent, answer| {
        if sent.as_str().is_some_and(|text| is_kept(schema, text)) {
            answer.clone_from(sent);
        }
    })
}

/// A mutant that makes something else of text where nothing but a string belongs.
fn string_as(change: fn(&str) -> Value) -> Arc<dyn Coercer> {
    converting(move |schema, _, answer| {
        if let (true, Some(text)) = (is(schema, "string"), answer.as_str()) {
            *answer = change(text);
        }
    })
}

/// Leaves everything below the top level as it was sent.
fn as_sent_below(sent: &Value, mut answer: Value) -> Value {
    if let (Value::Object(sent), Value::Object(answer)) = (sent, &mut answer) {
        for (key, answer) in answer.iter_mut() {
            match sent.get(key) {
                Some(Value::String(text)) if is_container(answer) => {
                    *answer = parse(text).unwrap_or_default();
                }
                Some(sent) if is_container(sent) => answer.clone_from(sent),
                _ => {}
            }
        }
    }
    answer
}
