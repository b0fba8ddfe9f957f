//! Faults in mapping names back: SPEC's chapter *Names*, from restoring on.

use callfit_reference::json::{Object, Value};
use callfit_reference::{Coercer, Names, Policies};

use super::fault::{answering, restoring};
use super::sanitized::plain;
use super::walk::depth;
use super::{Mutant, likely, seen};

pub const MUTANTS: &[Mutant] = &[
    likely("only-at-the-top", "restore-places", || restoring(|path| path.len() == 1)),
    seen("not-behind-references", "restore-places", "seed row 5", || {
        restoring(|path| !["$defs", "definitions"].contains(&path[0]))
    }),
    likely("not-in-elements", "restore-places", || restoring(|path| !path.contains(&"items"))),
    seen("not-in-tuples", "restore-places", "hermes-agent, newer main", || {
        restoring(|path| !path.contains(&"prefixItems"))
    }),
    seen("not-in-branches", "restore-places", "hermes-agent, newer main", || {
        restoring(|path| !["anyOf", "oneOf", "allOf"].iter().any(|union| path.contains(union)))
    }),
    seen("not-in-additional-properties", "restore-places", "hermes-agent, newer main", || {
        restoring(|path| !path.contains(&"additionalProperties"))
    }),
    likely("not-in-pattern-properties", "restore-places", || {
        restoring(|path| !path.contains(&"patternProperties"))
    }),
    likely("not-in-then-and-else", "restore-places", || {
        restoring(|path| !["then", "else", "if", "not"].iter().any(|it| path.contains(it)))
    }),
    seen("not-in-text", "restore-places", "hermes-agent, newer main", || {
        answering(|root, sent, mut answer| {
            let plain = Coercer::new(root).coerce(sent.clone()).unwrap_or_default();
            if let (Value::Object(sent), Value::Object(answer)) = (sent, &mut answer) {
                for (key, value) in answer.iter_mut() {
                    let is_text = sent.get(key).is_some_and(|value| value.as_str().is_some());
                    if let (true, Some(plain)) = (is_text, plain.get(key)) {
                        value.clone_from(plain);
                    }
                }
            }
            Ok(answer)
        })
    }),
    likely("renamed-wherever-the-name-stands", "restore-kept", || {
        answering(|root, _, answer| {
            let names = all_names(root);
            Ok(each_key(answer, &|key| original_of(&names, key).unwrap_or(key).to_owned()))
        })
    }),
    likely("renamed-by-likeness", "restore-kept", || {
        answering(|root, _, answer| {
            let names = all_names(root);
            Ok(each_key(answer, &|key| {
                let like = names
                    .iter()
                    .find(|(original, _)| key != original && plain(key) == plain(original));
                let declared = root.get("properties").is_some_and(|map| map.get(key).is_some());
                like.filter(|_| !declared).map_or(key, |(original, _)| original).to_owned()
            }))
        })
    }),
    likely("values-renamed-too", "restore-kept", || {
        answering(|root, _, mut answer| {
            let names = all_names(root);
            if let Value::Object(arguments) = &mut answer {
                for value in arguments.values_mut() {
                    let original = value.as_str().and_then(|text| original_of(&names, text));
                    if let Some(original) = original {
                        *value = original.into();
                    }
                }
            }
            Ok(answer)
        })
    }),
    likely("original-names-not-known", "restore-kept", || {
        answering(|root, sent, mut answer| {
            let names = all_names(root);
            if let (Value::Object(sent), Value::Object(arguments)) = (sent, &mut answer) {
                arguments.retain(|key, _| {
                    !sent.contains_key(key) || !names.iter().any(|(original, _)| original == key)
                });
            }
            Ok(answer)
        })
    }),
    likely("numbers-of-names-lost", "round-trip", || {
        answering(|root, sent, answer| {
            let names = all_names(root);
            let numbered = |key: &str| {
                let (base, number) = key.rsplit_once('_')?;
                number.parse::<usize>().ok()?;
                names.iter().any(|(_, new)| new == key).then(|| base.to_owned())
            };
            let sent =
                each_key(sent.clone(), &|key| numbered(key).unwrap_or_else(|| key.to_owned()));
            let coercer = Coercer::restoring(root, Policies::default());
            Ok(coercer.coerce(sent).unwrap_or(answer))
        })
    }),
];

/// The originals that were renamed anywhere, with their new names.
fn all_names(root: &Value) -> Vec<(String, String)> {
    let names = Names::of(root, &Policies::default());
    let maps = names.iter().flat_map(|(_, map)| map.clone());
    maps.collect()
}

fn original_of<'a>(names: &'a [(String, String)], new: &str) -> Option<&'a str> {
    names.iter().find(|(_, other)| other == new).map(|(original, _)| original.as_str())
}

/// Renames every key of arguments that are not too deep for it.
fn each_key(arguments: Value, new: &dyn Fn(&str) -> String) -> Value {
    if depth(&arguments, 100) < 100 { renamed(arguments, new) } else { arguments }
}

fn renamed(value: Value, new: &dyn Fn(&str) -> String) -> Value {
    match value {
        Value::Object(members) => {
            let members = members.into_map().into_iter();
            members.map(|(key, value)| (new(&key), renamed(value, new))).collect::<Object>().into()
        }
        Value::Array(elements) => {
            let elements = elements.into_vec().into_iter();
            elements.map(|value| renamed(value, new)).collect::<Vec<_>>().into()
        }
        scalar => scalar,
    }
}
