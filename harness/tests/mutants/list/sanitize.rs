//! Faults in making a schema that providers take: SPEC's chapter *Names*, up to restoring.

use callfit_reference::is_legal_name;
use callfit_reference::json::{Object, Value};

use super::fault::sanitizing;
use super::sanitized::{
    as_it_was, is_plain, keys, moved, nested_definitions_stay, passing, patched, plain, rename,
    right, round, without_properties,
};
use super::walk::{
    LITERAL, UNIONS, each_pair, each_schema, is, pointer, reference_of, steps, target,
};
use super::{Mutant, likely, seen};

pub const MUTANTS: &[Mutant] = &[
    seen("trailing-line-feed-legal", "names-legal", "hermes-agent, newer main", || {
        sanitizing(|schema| {
            passing(schema, |name| name.strip_suffix('\n').is_some_and(is_legal_name))
        })
    }),
    likely("long-names-kept", "names-legal", || {
        sanitizing(|schema| passing(schema, |name| name.len() > 64 && name.chars().all(is_plain)))
    }),
    seen("letters-of-any-script-legal", "names-legal", "the class \\w of Python", || {
        sanitizing(|schema| {
            passing(schema, |name| name.chars().all(|c| c.is_alphanumeric() || is_plain(c)))
        })
    }),
    likely("empty-name-legal", "names-legal", || {
        sanitizing(|schema| passing(schema, str::is_empty))
    }),
    seen("clashing-property-lost", "names-legal", "NousResearch/hermes-agent#40298", || {
        sanitizing(|schema| {
            without_properties(schema, |_, new| {
                let number = new.rsplit_once('_').map(|(_, number)| number);
                number.is_some_and(|number| number.parse::<usize>().is_ok())
            })
        })
    }),
    seen("illegal-property-dropped", "names-legal", "veryfront/veryfront-code#1688", || {
        sanitizing(|schema| without_properties(schema, |_, _| true))
    }),
    likely("only-names-of-the-root-changed", "names-legal", || {
        sanitizing(|schema| {
            let own =
                |name: &str| schema.get("properties").is_some_and(|map| map.get(name).is_some());
            passing(schema, |name| !own(name))
        })
    }),
    likely("required-does-not-follow", "names-required", || {
        sanitizing(|schema| as_it_was(schema, "required"))
    }),
    seen(
        "dependent-required-does-not-follow",
        "names-required",
        "NousResearch/hermes-agent#84056",
        || sanitizing(|schema| as_it_was(schema, "dependentRequired")),
    ),
    seen("dependent-required-emptied", "names-required", "NousResearch/hermes-agent#64587", || {
        sanitizing(|schema| {
            patched(schema, &mut |_, keywords| {
                if let Some(Value::Object(map)) = keywords.get_mut("dependentRequired") {
                    map.values_mut().for_each(|list| *list = Object::new().into());
                }
            })
        })
    }),
    likely("required-apart-from-properties-does-not-follow", "names-required", || {
        sanitizing(|schema| {
            patched(schema, &mut |original, keywords| {
                if let (false, Some(list)) =
                    (original.contains_key("properties"), original.get("required"))
                {
                    keywords.insert("required".to_owned(), list.clone());
                }
            })
        })
    }),
    seen("required-pruned", "names-stable", "hermes-agent, newer main", || {
        sanitizing(|schema| {
            patched(schema, &mut |_, keywords| {
                let held = keywords.get("properties").and_then(Value::as_object).cloned();
                if let (Some(held), Some(Value::Array(list))) = (held, keywords.get_mut("required"))
                {
                    list.retain(|name| name.as_str().is_none_or(|name| held.contains_key(name)));
                }
            })
        })
    }),
    likely("points-not-legal", "names-stable", || {
        sanitizing(|schema| {
            patched(schema, &mut |_, keywords| {
                rename(keywords, "properties", |name| name.replace('.', "_"));
                if let Some(Value::Array(list)) = keywords.get_mut("required") {
                    for name in list.iter_mut() {
                        *name = name.as_str().unwrap_or_default().replace('.', "_").into();
                    }
                }
            })
        })
    }),
    likely("definition-names-changed", "names-stable", || {
        sanitizing(|schema| {
            patched(schema, &mut |_, keywords| {
                rename(keywords, "$defs", plain);
                let steps = reference_of(keywords).and_then(steps);
                if let Some(mut steps) = steps.filter(|it| it.len() > 1 && it[0] == "$defs") {
                    steps[1] = plain(&steps[1]);
                    keywords.insert("$ref".to_owned(), pointer(&steps).into());
                }
            })
        })
    }),
    likely("pattern-keys-changed", "names-stable", || {
        sanitizing(|schema| {
            patched(schema, &mut |_, keywords| rename(keywords, "patternProperties", plain))
        })
    }),
    likely("reserved-names-given", "names-stable", || {
        sanitizing(|schema| {
            let mut held = Vec::new();
            let mut without = schema.clone();
            each_schema(&mut without, &mut |keywords| held.extend(keys(keywords, "properties")));
            let is_held =
                |name: &Value| name.as_str().is_some_and(|name| held.iter().any(|it| it == name));
            each_schema(&mut without, &mut |keywords| {
                if let Some(Value::Array(list)) = keywords.get_mut("required") {
                    list.retain(is_held);
                }
            });
            let mut sanitized = right(&without);
            each_pair(schema, &mut sanitized, &mut |original, keywords| {
                let (Some(Value::Array(all)), Some(Value::Array(some))) =
                    (original.get("required"), keywords.get_mut("required"))
                else {
                    return;
                };
                let mut renamed = std::mem::take(&mut **some).into_iter();
                **some = all
                    .iter()
                    .filter_map(
                        |name| if is_held(name) { renamed.next() } else { Some(name.clone()) },
                    )
                    .collect();
            });
            sanitized
        })
    }),
    likely("each-branch-by-itself", "names-meeting", || {
        sanitizing(|schema| {
            patched(schema, &mut |original, keywords| {
                for list in ["allOf", "anyOf", "oneOf"] {
                    let (Some(Value::Array(before)), Some(Value::Array(after))) =
                        (original.get(list), keywords.get_mut(list))
                    else {
                        continue;
                    };
                    for (before, after) in before.iter().zip(after.iter_mut()) {
                        if !before.to_string().contains("$ref") {
                            *after = right(before);
                        }
                    }
                }
            })
        })
    }),
    seen("references-do-not-follow", "names-refs", "hermes-agent, newer main", || {
        sanitizing(|schema| {
            patched(schema, &mut |original, keywords| {
                let old = reference_of(original).filter(|old| !old.contains("definitions"));
                if let Some(old) = old {
                    keywords.insert("$ref".to_owned(), old.into());
                }
            })
        })
    }),
    seen("encoded-references-do-not-follow", "names-refs", "hermes-agent 0.19.0", || {
        sanitizing(|schema| {
            patched(schema, &mut |original, keywords| {
                if let Some(old) = reference_of(original).filter(|old| old.contains('%')) {
                    keywords.insert("$ref".to_owned(), old.into());
                }
            })
        })
    }),
    seen("nullable-union-collapsed", "names-refs", "NousResearch/hermes-agent#67131", || {
        sanitizing(|schema| {
            patched(schema, &mut |_, keywords| {
                for union in UNIONS {
                    let branches = keywords.get(union).and_then(Value::as_array);
                    let Some([one, null]) = branches.map(|list| list.as_slice()) else { continue };
                    if let (Value::Object(one), true) = (one.clone(), is(null, "null")) {
                        keywords.shift_remove(union);
                        keywords.extend(one.into_map());
                        keywords.insert("nullable".to_owned(), true.into());
                    }
                }
            })
        })
    }),
    likely("dangling-references-removed", "names-refs", || {
        sanitizing(|schema| {
            patched(schema, &mut |original, keywords| {
                if reference_of(original).is_some_and(|it| target(schema, it).is_none()) {
                    keywords.shift_remove("$ref");
                }
            })
        })
    }),
    seen(
        "definitions-move-without-references",
        "names-definitions",
        "sourcemeta-research/alterschema#43",
        || {
            sanitizing(|schema| {
                patched(schema, &mut |original, keywords| {
                    if let Some(old) =
                        reference_of(original).filter(|it| it.contains("definitions"))
                    {
                        keywords.insert("$ref".to_owned(), old.into());
                    }
                })
            })
        },
    ),
    seen(
        "definitions-overwrite-defs",
        "names-definitions",
        "NousResearch/hermes-agent#55082",
        || {
            sanitizing(|schema| {
                let mut one = schema.clone();
                each_schema(&mut one, &mut |keywords| {
                    if keywords.get("definitions").is_some_and(|map| map.as_object().is_some()) {
                        keywords.shift_remove("$defs");
                    }
                });
                right(&one)
            })
        },
    ),
    likely("property-named-definitions-moves", "names-definitions", || {
        sanitizing(|schema| {
            patched(schema, &mut |_, keywords| rename(keywords, "properties", moved))
        })
    }),
    seen(
        "definition-named-definitions-moves",
        "names-definitions",
        "NousResearch/hermes-agent#55082",
        || {
            sanitizing(|schema| {
                patched(schema, &mut |_, keywords| rename(keywords, "$defs", moved))
            })
        },
    ),
    likely("nested-definitions-stay", "names-definitions", || {
        sanitizing(|schema| nested_definitions_stay(schema, true))
    }),
    seen("literal-data-sanitized", "names-literal", "NousResearch/hermes-agent#84038", || {
        sanitizing(|schema| {
            patched(schema, &mut |_, keywords| {
                for name in LITERAL {
                    if let Some(value @ Value::Object(_)) = keywords.get_mut(name) {
                        *value = right(value);
                    }
                }
            })
        })
    }),
    seen("default-beside-a-reference-dropped", "names-literal", "hermes-agent 0.19.0", || {
        sanitizing(|schema| {
            patched(schema, &mut |_, keywords| {
                if reference_of(keywords).is_some() {
                    keywords.shift_remove("default");
                }
            })
        })
    }),
    likely("numbers-of-literal-data-through-a-double", "names-literal", || {
        sanitizing(|schema| {
            patched(schema, &mut |_, keywords| {
                for name in LITERAL {
                    if let Some(value) = keywords.get_mut(name) {
                        round(value);
                    }
                }
            })
        })
    }),
    likely("one-level-of-definitions-a-pass", "names-again", || {
        sanitizing(|schema| {
            let waits = schema.get("definitions").is_some_and(|map| map.as_object().is_some());
            nested_definitions_stay(schema, waits)
        })
    }),
    likely("numbered-again", "names-again", || {
        sanitizing(|schema| {
            patched(schema, &mut |_, keywords| {
                rename(keywords, "properties", |name| {
                    name.strip_suffix("_2")
                        .map_or_else(|| name.to_owned(), |it| format!("{it}_2_2"))
                });
            })
        })
    }),
];
