//! The laws of SPEC, on schemas and arguments that nobody thought of.

use callfit_reference::json::{Value, parse};
use callfit_reference::{Coercer, Names, Policies, Profile, resolve, sanitize};
use proptest::collection::vec;
use proptest::prelude::*;

/// A scalar that an `enum` may hold or a model may send.
fn scalar() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("null".to_owned()),
        any::<bool>().prop_map(|truth| truth.to_string()),
        any::<i32>().prop_map(|number| number.to_string()),
        prop_oneof![Just("0.1"), Just("1e400"), Just("9007199254740993"), Just("3.0")]
            .prop_map(str::to_owned),
        text().prop_map(|text| Value::from(text).to_string()),
    ]
}

/// Texts that look like something, and others.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop_oneof![
            Just("5"), Just(" 5 "), Just("007"), Just("1e3"), Just("3.0"), Just("true"), Just("True"),
            Just("null"), Just(""), Just("a,b"), Just("[1,\"2\"]"), Just("[[\"1\"]]"), Just("{\"a\":\"5\"}"),
            Just("{\"a b\":\"[1]\",\"b\":{}}"), Just("\"x\""), Just("\"{}\""), Just("+5"), Just("0x1f"),
        ].prop_map(str::to_owned),
        1 => ".{0,8}",
    ]
}

fn key() -> impl Strategy<Value = &'static str> {
    prop_oneof![Just("a"), Just("b"), Just("a b"), Just("a/b"), Just("a_b"), Just(""), Just("$ref")]
}

fn schema() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("{}".to_owned()),
        Just("true".to_owned()),
        prop_oneof![
            Just("integer"),
            Just("number"),
            Just("boolean"),
            Just("null"),
            Just("string"),
            Just("array"),
            Just("object"),
        ]
        .prop_map(|name| format!(r#"{{"type":"{name}"}}"#)),
        vec(scalar(), 0..3).prop_map(|members| format!(r#"{{"enum":[{}]}}"#, members.join(","))),
        prop_oneof![
            Just("#"),
            Just("#/$defs/A"),
            Just("#/$defs/B"),
            Just("#/properties/a"),
            Just("#/nowhere"),
            Just("#/$defs/A/anyOf/0"),
            Just("other.json"),
            Just("#/properties/a%20b"),
        ]
        .prop_map(|reference| format!(r#"{{"$ref":"{reference}"}}"#)),
    ];
    leaf.prop_recursive(4, 40, 4, |inner| {
        prop_oneof![
            (vec((key(), inner.clone()), 0..4), vec(key(), 0..2)).prop_map(|(map, required)| {
                let required: Vec<String> =
                    required.iter().map(|name| format!("{name:?}")).collect();
                format!(
                    r#"{{"type":"object","properties":{},"required":[{}]}}"#,
                    object(&map),
                    required.join(",")
                )
            }),
            (inner.clone(), inner.clone()).prop_map(|(item, rest)| {
                format!(r#"{{"type":"array","prefixItems":[{item}],"items":{rest}}}"#)
            }),
            (prop_oneof![Just("anyOf"), Just("oneOf"), Just("allOf")], vec(inner.clone(), 1..4))
                .prop_map(|(keyword, branches)| format!(
                    r#"{{"{keyword}":[{}]}}"#,
                    branches.join(",")
                )),
            inner.clone().prop_map(|other| format!(r#"{{"additionalProperties":{other}}}"#)),
            (inner.clone(), inner).prop_map(|(a, b)| format!(
                r#"{{"type":["object","integer"],"if":{a},"then":{b}}}"#
            )),
        ]
    })
}

fn object(members: &[(&str, String)]) -> String {
    let members: Vec<String> =
        members.iter().map(|(name, value)| format!("{name:?}:{value}")).collect();
    format!("{{{}}}", members.join(","))
}

/// A root schema with two definitions, which may lead anywhere.
fn root() -> impl Strategy<Value = Value> {
    (vec((key(), schema()), 0..4), schema(), schema()).prop_map(|(map, a, b)| {
        let text = format!(
            r#"{{"type":"object","properties":{},"$defs":{{"A":{a},"B":{b}}}}}"#,
            object(&map)
        );
        parse(&text).expect("the schema is JSON")
    })
}

fn arguments() -> impl Strategy<Value = Value> {
    let value = scalar().prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(|elements| format!("[{}]", elements.join(","))),
            vec((key(), inner), 0..4).prop_map(|members| object(&members)),
        ]
    });
    vec((key(), value), 0..4)
        .prop_map(|members| parse(&object(&members)).expect("the arguments are JSON"))
}

fn policies() -> impl Strategy<Value = Policies> {
    prop_oneof![Just(Profile::Recommended), Just(Profile::Seed), Just(Profile::Lenient)]
        .prop_map(Policies::from)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// Law *idempotent*.
    #[test]
    fn a_second_pass_changes_nothing(root in root(), sent in arguments(), policies in policies()) {
        let coercer = Coercer::with_policies(&root, policies);
        let once = coercer.coerce(sent).unwrap();
        prop_assert_eq!(coercer.coerce(once.clone()).unwrap(), once);
    }

    /// Law *no-invention*: the recommended profile neither adds nor drops a key, and only texts become something else.
    #[test]
    fn only_texts_change(root in root(), sent in arguments()) {
        let answer = Coercer::new(&root).coerce(sent.clone()).unwrap();
        let mut waiting = vec![(&sent, &answer)];
        while let Some((before, after)) = waiting.pop() {
            match (before, after) {
                (Value::Object(before), Value::Object(after)) => {
                    prop_assert_eq!(before.keys().collect::<Vec<_>>(), after.keys().collect::<Vec<_>>());
                    waiting.extend(before.values().zip(after.values()));
                }
                (Value::Array(before), Value::Array(after)) => {
                    prop_assert_eq!(before.len(), after.len());
                    waiting.extend(before.iter().zip(after.iter()));
                }
                (Value::String(_), _) => {}
                (before, after) => prop_assert_eq!(before, after),
            }
        }
    }

    /// Law *round-trip*: what is renamed for a provider comes back.
    #[test]
    fn renamed_arguments_come_back(root in root(), original in arguments()) {
        let coercer = Coercer::restoring(&root, Policies::default());
        let original = coercer.coerce(original).unwrap();
        let provided = coercer.provide(original.clone());
        // Two keys may stand for one only if the arguments had an alias among their own keys.
        let aliases: Vec<String> =
            Names::of(&root, &Policies::default()).iter().flat_map(|(_, names)| names.values().cloned()).collect();
        prop_assume!(!aliases.iter().any(|alias| original.to_string().contains(&format!("{alias:?}:"))));
        prop_assert_eq!(coercer.coerce(provided).unwrap(), original);
    }

    /// Clauses `names-again` and `names-legal`.
    #[test]
    fn a_sanitized_schema_stays(root in root()) {
        let once = sanitize(&root, &Policies::default());
        prop_assert!(Names::of(&once, &Policies::default()).is_empty());
        prop_assert_eq!(sanitize(&once, &Policies::default()), once);
    }

    /// Clause `ref-dead-end`: what cannot be followed any further is not followed any further.
    #[test]
    fn resolving_ends(root in root(), node in schema(), policies in policies()) {
        let once = resolve(&root, &parse(&node).unwrap(), &policies);
        let _ = resolve(&root, &once, &policies);
    }

    /// Whatever is no JSON is refused, and what is comes out as it went in.
    #[test]
    fn json_text_survives(value in arguments(), noise in ".{0,40}") {
        let text = value.to_string();
        prop_assert_eq!(parse(&text).unwrap().to_string(), text);
        let _ = parse(&noise);
    }
}

/// A list type whose elements are lists of its kind: wrapping a lone value would never end.
#[test]
fn wrapping_ends() {
    let schema = r##"{"properties": {"l": {"$ref": "#/$defs/L"}}, "$defs": {"L": {"type": "array", "items": {"$ref": "#/$defs/L"}}}}"##;
    let coercer = Coercer::with_policies(&parse(schema).unwrap(), Profile::Lenient.into());
    for sent in
        [r#"{"l": "a"}"#, r#"{"l": 5}"#, r#"{"l": "a,b"}"#, r#"{"l": {"item": 5}}"#, r#"{"l": {}}"#]
    {
        let sent = parse(sent).unwrap();
        let answer = coercer.coerce(sent).unwrap();
        assert_eq!(coercer.coerce(answer.clone()).unwrap(), answer);
    }
}

/// Names belong to a schema as it is written, wherever it stands in memory.
#[test]
fn names_serve_a_copy_of_their_schema() {
    let schema = parse(r#"{"properties": {"first name": {"type": "string"}}}"#).unwrap();
    let names = Names::of(&schema, &Policies::default());
    let coercer = Coercer::with_names(&schema.clone(), Policies::default(), &names);
    let provided = coercer.provide(parse(r#"{"first name": "Ada"}"#).unwrap());
    assert_eq!(provided, parse(r#"{"first_name": "Ada"}"#).unwrap());
}

/// Names are numbered in code point order: whatever the order of keys, and whatever unit another language sorts by.
#[test]
fn the_order_of_keys_gives_nobody_another_name() {
    for (schema, expected) in [
        (
            r#"{"properties": {"a/b": true, "a b": false}}"#,
            r#"{"properties": {"a_b": false, "a_b_2": true}}"#,
        ),
        (
            r#"{"properties": {"a b": false, "a/b": true}}"#,
            r#"{"properties": {"a_b": false, "a_b_2": true}}"#,
        ),
        // By UTF-16 units the emoji would come first.
        (
            r#"{"properties": {"👍": true, "～": false}}"#,
            r#"{"properties": {"_": false, "__2": true}}"#,
        ),
    ] {
        let schema = parse(schema).unwrap();
        assert_eq!(sanitize(&schema, &Policies::default()), parse(expected).unwrap());
    }
}

/// Paths of names are shared, so that deep schemas do not cost their depth squared: 10,000 levels took minutes.
#[test]
fn names_of_a_deep_schema() {
    let depth = 10_000;
    let schema = r#"{"properties":{"a b":"#.repeat(depth) + "{}" + &"}}".repeat(depth);
    let names = Names::of(&parse(&schema).unwrap(), &Policies::default());
    assert_eq!(names.iter().count(), depth);
    let deepest = names.iter().map(|(path, _)| names.tokens(path).len()).max();
    assert_eq!(deepest, Some(2 * depth - 1));
}
