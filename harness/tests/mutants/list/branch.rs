//! Faults in reading schemas that hold schemas: unions, `allOf`, and what applies to members and elements.

use callfit_reference::json::{Object, Value};

use super::fault::{converting, reading};
use super::laws::ALL_BUT_STRING;
use super::walk::{UNIONS, branches, each_schema, is, json, names};
use super::{Mutant, likely, seen};

pub const MUTANTS: &[Mutant] = &[
    seen("null-branch-lost", "null", "use-agent-os/agent-os#1573", || {
        reading(|root| {
            each_schema(root, &mut |keywords| {
                each_union(keywords, &mut |branches| branches.retain(|branch| !is(branch, "null")));
                if let Some(Value::Array(list)) = keywords.get_mut("type") {
                    list.retain(|kind| kind.as_str() != Some("null"));
                }
            });
        })
    }),
    likely("only-the-first-branch", "union-inside", || {
        reading(|root| {
            each_schema(root, &mut |keywords| {
                each_union(keywords, &mut |branches| branches.truncate(1));
            });
        })
    }),
    seen("nullable-is-null", "union", "sglang 0.5.23 (minimax_m2)", || {
        converting(|schema, sent, answer| {
            if sent.as_str().is_some() && branches(schema).iter().any(|branch| is(branch, "null")) {
                *answer = Value::Null;
            }
        })
    }),
    likely("union-without-strings-admits-all-else", "union", || {
        reading(|root| {
            each_schema(root, &mut |keywords| {
                let schema: Value = keywords.clone().into();
                let branches = branches(&schema);
                if !branches.is_empty()
                    && branches.iter().all(|branch| branch.get("type").is_some())
                    && !branches.iter().any(|branch| names(branch, "string"))
                {
                    *keywords = Object::from_iter([("type".to_owned(), json(ALL_BUT_STRING))]);
                }
            });
        })
    }),
    likely("mixed-enum-admits-other-numbers", "text-in-union", || {
        converting(|schema, _, answer| {
            let members = schema.get("enum").and_then(Value::as_array);
            let mixed = members.is_some_and(|list| {
                list.iter().any(|it| it.kind() == "integer")
                    && list.iter().any(|it| it.kind() == "string")
            });
            let number = answer.as_str().and_then(|text| text.parse::<i64>().ok());
            if let (true, Some(number)) = (mixed, number) {
                *answer = number.into();
            }
        })
    }),
    likely("first-object-branch-only", "union-inside", || {
        reading(|root| {
            each_schema(root, &mut |keywords| {
                each_union(keywords, &mut |branches| {
                    if branches.iter().all(|branch| branch.get("properties").is_some()) {
                        branches.truncate(1);
                    }
                });
            });
        })
    }),
    likely("tag-of-a-branch-not-read", "union-inside", || {
        reading(|root| {
            each_schema(root, &mut |keywords| {
                each_union(keywords, &mut |branches| {
                    for branch in branches {
                        each_schema(branch, &mut |keywords| drop(keywords.shift_remove("const")));
                    }
                });
            });
        })
    }),
    seen("union-beside-a-type-not-read", "union-typed", "hermes-agent 0.19.0", || {
        reading(|root| {
            each_schema(root, &mut |keywords| {
                if keywords.contains_key("type") {
                    keywords.retain(|keyword, _| !UNIONS.contains(&keyword.as_str()));
                }
            });
        })
    }),
    seen("all-of-not-read", "all-of", "vllm-project/vllm#53729", || {
        reading(|root| forget(root, "allOf"))
    }),
    likely("all-of-read-as-any-of", "all-of", || {
        reading(|root| {
            each_schema(root, &mut |keywords| {
                if let Some(branches) = keywords.shift_remove("allOf") {
                    keywords.insert("anyOf".to_owned(), branches);
                }
            });
        })
    }),
    seen("prefix-items-not-read", "positions", "QwenLM/qwen-code#4793", || {
        reading(|root| forget(root, "prefixItems"))
    }),
    seen("additional-properties-not-read", "positions", "hermes-agent 0.19.0", || {
        reading(|root| forget(root, "additionalProperties"))
    }),
    seen("pattern-properties-not-read", "positions", "hermes-agent 0.19.0", || {
        reading(|root| forget(root, "patternProperties"))
    }),
    likely("items-for-every-element", "positions", || {
        reading(|root| {
            each_schema(root, &mut |keywords| {
                if keywords.contains_key("items") {
                    keywords.shift_remove("prefixItems");
                }
            });
        })
    }),
    likely("patterns-match-the-whole-key", "positions", || {
        reading(|root| {
            each_schema(root, &mut |keywords| {
                if let Some(Value::Object(map)) = keywords.get_mut("patternProperties") {
                    let whole = |(key, value)| (format!("^(?:{key})$"), value);
                    *map = std::mem::take(map).into_map().into_iter().map(whole).collect();
                }
            });
        })
    }),
];

fn forget(root: &mut Value, keyword: &str) {
    each_schema(root, &mut |keywords| drop(keywords.shift_remove(keyword)));
}

fn each_union(keywords: &mut Object, change: &mut dyn FnMut(&mut Vec<Value>)) {
    for union in UNIONS {
        if let Some(Value::Array(branches)) = keywords.get_mut(union) {
            change(branches);
        }
    }
}
