//! Faults in reading references and in looking pointers up: SPEC's chapter *Resolving*, in its order, up to what a reference may lead to.

use std::fmt::Write as _;

use callfit_reference::json::{Array, Object, Value};
use callfit_reference::pointer::array_index;
use callfit_reference::{Policies, resolve};

use super::fault::{following, resolving, spelling};
use super::walk::{
    LITERAL, drop_properties, each_schema, local, nowhere, pointer, reference_of, steps, target,
};
use super::{Mutant, likely, seen};

pub const MUTANTS: &[Mutant] = &[
    seen(
        "literal-data-inlined",
        "ref-position",
        "modelcontextprotocol/typescript-sdk#2249",
        || {
            following(|root, schema| {
                each_schema(schema, &mut |keywords| inline_literals(root, keywords));
            })
        },
    ),
    likely("odd-reference-voids-the-node", "ref-position", || {
        following(|_, schema| {
            each_schema(schema, &mut |keywords| {
                if keywords.contains_key("$ref") && reference_of(keywords).is_none() {
                    keywords.clear();
                }
            });
        })
    }),
    seen("property-named-ref-lost", "ref-position", "pydantic/logfire#2191", || {
        following(|_, schema| drop_properties(schema, &["$ref"]))
    }),
    likely("inner-references-inlined", "ref-position", || {
        resolving(|root, answer| {
            each_schema(answer, &mut |keywords| {
                for name in ["items", "properties"] {
                    if let Some(value) = keywords.get_mut(name) {
                        inline(root, value);
                    }
                }
            });
        })
    }),
    seen("other-document-read-as-this-one", "ref-local", "crewai 1.15.30, mcpo 0.0.20", || {
        spelling(|_, reference| {
            let at = reference.find('#').filter(|at| *at > 0)?;
            Some(reference[at..].to_owned())
        })
    }),
    likely("empty-reference-is-the-root", "ref-local", || {
        spelling(|_, reference| reference.is_empty().then(|| "#".to_owned()))
    }),
    likely("own-address-is-local", "ref-local", || {
        spelling(|root, reference| {
            let own = root.get("$id")?.as_str()?;
            Some(reference.strip_prefix(own)?.to_owned())
        })
    }),
    seen("percent-not-decoded", "ref-decode", "NousResearch/hermes-agent#100693", || {
        spelling(|_, reference| local(reference, |text| text.replace('%', "%25")))
    }),
    likely("percent-decoded-twice", "ref-decode", || {
        spelling(|_, reference| {
            let decoded = String::from_utf8(decode(reference.strip_prefix('#')?)?).ok()?;
            Some(format!("#{decoded}"))
        })
    }),
    likely("plus-is-a-space", "ref-decode", || {
        spelling(|_, reference| local(reference, |text| text.replace('+', "%20")))
    }),
    likely("split-before-decoding", "ref-decode", || {
        spelling(|_, reference| {
            local(reference, |text| text.replace("%2F", "~1").replace("%2f", "~1"))
        })
    }),
    likely("triplets-read-as-latin-1", "ref-decode", || {
        spelling(|_, reference| {
            let bytes = decode(reference.strip_prefix('#')?)?;
            reference.contains('%').then(|| encode(bytes.into_iter().map(char::from)))
        })
    }),
    seen("invalid-utf-8-replaced", "ref-decode-broken", "urllib.parse.unquote of Python", || {
        spelling(|_, reference| {
            let bytes = decode(reference.strip_prefix('#')?)?;
            let replaced = String::from_utf8_lossy(&bytes);
            replaced.contains('\u{fffd}').then(|| encode(replaced.chars()))
        })
    }),
    seen(
        "malformed-triplet-panics",
        "ref-decode-broken",
        "decodeURIComponent of JavaScript",
        || {
            spelling(|_, reference| {
                let bytes = decode(reference.strip_prefix('#')?).expect("URI malformed");
                String::from_utf8(bytes).expect("URI malformed");
                None
            })
        },
    ),
    seen("hash-alone-leads-nowhere", "ref-pointer", "json-repair 0.64.6", || {
        spelling(|_, reference| (reference == "#").then(|| nowhere(reference)))
    }),
    likely("hash-slash-is-the-root", "ref-pointer", || {
        spelling(|_, reference| (reference == "#/").then(|| "#".to_owned()))
    }),
    likely("pointer-without-its-slash", "ref-pointer", || {
        spelling(|_, reference| {
            let name = reference.strip_prefix('#').filter(|name| name.contains('/'))?;
            (!name.starts_with('/')).then(|| format!("#/{name}"))
        })
    }),
    likely("name-of-a-definition-is-an-anchor", "ref-pointer", || {
        spelling(|root, reference| {
            let name = reference.strip_prefix('#')?;
            let definition = pointer(&["$defs", name]);
            target(root, &definition).is_some().then_some(definition)
        })
    }),
    seen("tilde-one-kept", "ref-escape", "RicoSuter/NJsonSchema#1573", || {
        spelling(|_, reference| local(reference, |text| text.replace("~1", "~01")))
    }),
    seen("tilde-zero-first", "ref-escape", "RicoSuter/NJsonSchema#1725", || {
        spelling(|_, reference| local(reference, |text| text.replace("~01", "~1")))
    }),
    seen(
        "unescaped-before-splitting",
        "ref-escape",
        "APIDevTools/json-schema-ref-parser#43",
        || spelling(|_, reference| local(reference, |text| text.replace("~1", "/"))),
    ),
    seen(
        "bad-tilde-taken-literally",
        "ref-escape",
        "json-repair 0.64.6, agentscope 2.0.11",
        || {
            spelling(|_, reference| {
                let literal = |text: &str| {
                    let parts: Vec<&str> = text.split('~').collect();
                    parts.iter().skip(1).fold(parts[0].to_owned(), |done, part| {
                        let mark = if part.starts_with(['0', '1']) { "~" } else { "~0" };
                        done + mark + part
                    })
                };
                local(reference, literal)
            })
        },
    ),
    seen("padded-index-taken", "ref-walk", "crewai 1.15.30", || {
        spelling(|root, reference| by_index(root, reference, |_, step| step.parse().ok()))
    }),
    likely("minus-is-the-last-element", "ref-walk", || {
        spelling(|root, reference| {
            by_index(root, reference, |list, step| {
                (step == "-").then(|| list.len().checked_sub(1))?
            })
        })
    }),
    likely("digits-of-any-script", "ref-walk", || {
        spelling(|root, reference| {
            by_index(root, reference, |_, step| {
                let digit = |c: char| char::from_u32(u32::from(c).checked_sub(0x630)?);
                step.chars().map(digit).collect::<Option<String>>()?.parse().ok()
            })
        })
    }),
    seen("lists-not-entered", "ref-walk", "NousResearch/hermes-agent#100693", || {
        spelling(|root, reference| {
            let mut here = root;
            for step in steps(reference)? {
                match here {
                    Value::Array(_) => return Some(nowhere(reference)),
                    Value::Object(members) => here = members.get(&step)?,
                    _ => return None,
                }
            }
            None
        })
    }),
    likely("empty-steps-skipped", "ref-pointer", || {
        spelling(|_, reference| {
            let mut steps = steps(reference)?;
            steps.retain(|step| !step.is_empty());
            Some(pointer(&steps))
        })
    }),
    seen("only-definitions-followed", "ref-walk", "openai/codex#23357", || {
        spelling(|_, reference| {
            let steps = steps(reference)?;
            let is_definition = steps.len() == 2 && ["$defs", "definitions"].contains(&&*steps[0]);
            (!is_definition && !steps.is_empty()).then(|| nowhere(reference))
        })
    }),
    likely("keys-found-in-any-case", "ref-walk", || {
        spelling(|root, reference| {
            let mut here = root;
            let mut found = Vec::new();
            for step in steps(reference)? {
                let members = here.as_object()?;
                let exact = members.get_key_value(&step);
                let like = members.iter().find(|(key, _)| key.eq_ignore_ascii_case(&step));
                let (key, next) = exact.or(like)?;
                found.push(key);
                here = next;
            }
            Some(pointer(&found))
        })
    }),
];

/// The bytes that a text with triplets stands for, unless one is malformed.
fn decode(text: &str) -> Option<Vec<u8>> {
    let mut parts = text.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        let digits = part.get(..2).filter(|two| two.bytes().all(|b| b.is_ascii_hexdigit()))?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        bytes.extend_from_slice(&part.as_bytes()[2..]);
    }
    Some(bytes)
}

/// A local reference to this text, all but plain characters as triplets.
fn encode(text: impl Iterator<Item = char>) -> String {
    let mut reference = "#".to_owned();
    for character in text {
        if character.is_ascii_alphanumeric() || "/~$-_.".contains(character) {
            reference.push(character);
        } else {
            let mut bytes = [0; 4];
            for byte in character.encode_utf8(&mut bytes).bytes() {
                let _ = write!(reference, "%{byte:02X}");
            }
        }
    }
    reference
}

/// Replaces the steps into lists that are no index by another reading of theirs.
fn by_index(
    root: &Value,
    reference: &str,
    read: fn(&Array, &str) -> Option<usize>,
) -> Option<String> {
    let mut here = root;
    let mut steps = steps(reference)?;
    for step in &mut steps {
        match here {
            Value::Array(list) => {
                let index = array_index(step).or_else(|| read(list, step))?;
                *step = index.to_string();
                here = list.get(index)?;
            }
            Value::Object(members) => here = members.get(step)?,
            _ => return None,
        }
    }
    Some(pointer(&steps))
}

/// Puts what it leads to in the place of each reference directly in a value.
fn inline(root: &Value, value: &mut Value) {
    match value {
        Value::Object(members) if reference_of(members).is_some() => {
            *value = resolve(root, value, &Policies::default());
        }
        Value::Object(members) => members.values_mut().for_each(|value| {
            if value.as_object().is_some_and(|members| reference_of(members).is_some()) {
                *value = resolve(root, value, &Policies::default());
            }
        }),
        Value::Array(elements) => elements.iter_mut().for_each(|value| inline(root, value)),
        _ => {}
    }
}

fn inline_literals(root: &Value, keywords: &mut Object) {
    for name in LITERAL {
        if let Some(value) = keywords.get_mut(name) {
            inline(root, value);
        }
    }
}
