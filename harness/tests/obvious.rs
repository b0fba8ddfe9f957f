//! The obvious coercer against the corpus, and against the reference on schemas and arguments that nobody thought of.

use std::env;
use std::fmt::Write as _;

use callfit::case::{Area, Case, Corpus, Expect, Text};
use callfit::fuzz::obvious;
use callfit_reference::json::{Value, parse};
use callfit_reference::{Coercer, Policies, resolve};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;

#[test]
#[expect(clippy::print_stdout, reason = "cases without an opinion are told, not hidden")]
fn the_corpus_is_answered_as_it_expects() {
    let corpus = Corpus::embedded().unwrap();
    let (mut judged, mut silent, mut wrong) = (0, Vec::new(), String::new());
    for case in &corpus.cases {
        let Some((schema, subject, right)) = question(&corpus, case) else { continue };
        let answer = match case.area {
            Area::Resolve => obvious::resolve(&schema, &subject),
            _ => obvious::coerce(&schema, &subject),
        };
        match answer {
            None => silent.push(&case.id),
            Some(answer) => {
                judged += 1;
                if !right.contains(&answer) {
                    let _ = writeln!(wrong, "{}: {answer}, not {}", case.id, right[0]);
                }
            }
        }
    }
    println!("{judged} judged, no opinion on {}: {silent:#?}", silent.len());
    assert!(wrong.is_empty(), "{wrong}");
    assert!(judged > 500 && silent.len() * 20 <= judged, "no opinion on {silent:#?}");
}

/// What is asked and what is right, for a case that the obvious coercer can be asked about.
fn question(corpus: &Corpus, case: &Case) -> Option<(Value, Value, Vec<Value>)> {
    let subject = case.subject.as_ref()?;
    let recipe = case.schema.is_recipe() || subject.is_recipe();
    if recipe || !matches!(case.area, Area::Resolve | Area::Coerce) {
        return None;
    }
    let right: Vec<&Text> = match &case.expect {
        Expect::Anything => return None,
        Expect::Values(values) => values.iter().collect(),
        Expect::Options { policy, options } => {
            let recommended = &corpus.policy(policy)?.profiles.recommended;
            options.iter().filter(|(o, _)| o == recommended).map(|(_, answer)| answer).collect()
        }
    };
    let read = |text: &Text| parse(text.text()).ok();
    let right: Vec<Value> = right.into_iter().map(read).collect::<Option<_>>()?;
    (!right.is_empty()).then_some((read(&case.schema)?, read(subject)?, right))
}

/// The same inputs every time, so that the test is never flaky; with `PROPTEST_CASES=100000` in the environment, that many new ones.
fn config() -> ProptestConfig {
    let mut config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if env::var_os("PROPTEST_CASES").is_none() {
        config.cases = 1000;
        config.rng_seed = RngSeed::Fixed(1);
    }
    // No opinion on more than a tenth is a failure.
    config.max_global_rejects = config.cases / 10;
    config
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_reference_coerces_alike(
        (root, sent) in prop_oneof![(root(), arguments()), (dense_root(), dense_arguments())],
    ) {
        let answer = obvious::coerce(&root, &sent);
        prop_assume!(answer.is_some());
        let reference = Coercer::new(&root).coerce(sent.clone()).ok();
        prop_assert_eq!(reference, answer, "schema {} arguments {}", root, sent);
    }

    #[test]
    fn the_reference_resolves_alike(root in root(), node in schema()) {
        let node = parse(&node).unwrap();
        let answer = obvious::resolve(&root, &node);
        prop_assume!(answer.is_some());
        let reference = resolve(&root, &node, &Policies::default());
        prop_assert_eq!(Some(reference), answer, "schema {} node {}", root, node);
    }
}

/// Unions, `allOf` and references that meet and lead back, over few kinds and two keys: what the rules on circles and combinations are about.
fn dense_schema() -> impl Strategy<Value = String> {
    let kinds = "integer integer integer boolean boolean null string object object array";
    let kinds: Vec<&str> = kinds.split(' ').collect();
    let values = vec(select(&["1", "2", "true", "\"1\"", "\"x\"", "{\"a\":1}"][..]), 1..4);
    let leaf = prop_oneof![
        8 => select(kinds.clone()).prop_map(|kind| format!("\"type\":\"{kind}\"")),
        2 => vec(select(kinds), 2).prop_map(|two| format!("\"type\":[{:?},{:?}]", two[0], two[1])),
        3 => values.prop_map(|values| format!("\"enum\":{}", array(&values))),
        3 => select(&["A", "B", "C"][..]).prop_map(|name| format!("\"$ref\":\"#/$defs/{name}\"")),
        1 => select(&["\"required\":[\"a\"]", "\"required\":[\"b\"]", "\"title\":\"\""][..])
            .prop_map(str::to_owned),
    ];
    let node = vec(leaf, 1..3).prop_map(|keywords| format!("{{{}}}", keywords.join(",")));
    node.prop_recursive(4, 20, 3, |inner| {
        let names = select(&["anyOf", "anyOf", "oneOf", "allOf"][..]);
        let list = (names, vec(inner.clone(), 1..4))
            .prop_map(|(name, branches)| format!("\"{name}\":{}", array(&branches)));
        let without = prop::option::of(select(&["a", "b"][..]));
        let beside = [
            "",
            "\"type\":\"object\",",
            "\"required\":[\"a\"],",
            "\"type\":[\"object\",\"null\"],",
        ];
        let members = (inner.clone(), inner.clone(), without, select(beside.to_vec()));
        let map = members.prop_map(|(a, b, without, beside)| {
            let mut members = vec![("a", a), ("b", b)];
            members.retain(|(name, _)| Some(*name) != without);
            format!("{beside}\"properties\":{}", object(&members))
        });
        let keyword = prop_oneof![
            5 => list,
            5 => map,
            1 => inner.clone().prop_map(|items| format!("\"items\":{items}")),
            1 => inner.clone().prop_map(|rest| format!("\"additionalProperties\":{rest}")),
        ];
        let beside = inner.prop_map(|node| node[1..node.len() - 1].to_owned());
        (keyword, prop::option::weighted(0.3, beside)).prop_map(|(keyword, beside)| {
            let keywords: Vec<String> = [beside, Some(keyword)].into_iter().flatten().collect();
            format!("{{{}}}", keywords.join(","))
        })
    })
}

fn dense_root() -> impl Strategy<Value = Value> {
    vec(dense_schema(), 6).prop_map(|nodes| {
        let [a, b, v, definitions @ ..] = &nodes[..] else { unreachable!("there are six") };
        let properties = [("a", a.clone()), ("b", b.clone()), ("v", v.clone())];
        let definitions = ["A", "B", "C"].into_iter().zip(definitions.iter().cloned());
        let definitions = object(&definitions.collect::<Vec<_>>());
        let text = format!("{{\"properties\":{},\"$defs\":{definitions}}}", object(&properties));
        parse(&text).expect("the schema is JSON")
    })
}

fn dense_arguments() -> impl Strategy<Value = Value> {
    let scalar =
        select(&["1", "2", "true", "null", "x", "[\"1\"]", "{\"a\":\"1\",\"b\":\"true\"}"][..]);
    let scalar = prop_oneof![
        5 => scalar.prop_map(|text| Value::from(text).to_string()),
        1 => Just("1".to_owned()),
    ];
    let value = scalar.prop_recursive(3, 8, 2, |inner| {
        prop_oneof![
            4 => (inner.clone(), inner.clone()).prop_map(|(a, b)| object(&[("a", a), ("b", b)])),
            1 => (select(&["a", "b"][..]), inner.clone()).prop_map(|one| object(&[one])),
            1 => vec(inner, 1..3).prop_map(|elements| array(&elements)),
        ]
    });
    vec(value, 3).prop_map(|values| {
        let members: Vec<_> = ["a", "b", "v"].into_iter().zip(values).collect();
        parse(&object(&members)).expect("the arguments are JSON")
    })
}

/// Few names, so that schemas and arguments meet.
fn key() -> impl Strategy<Value = &'static str> {
    select(&["a", "b", "c", "a/b", "$ref", ""][..])
}

fn kind() -> impl Strategy<Value = &'static str> {
    select(
        &[
            "\"integer\"",
            "\"boolean\"",
            "\"integer\"",
            "\"number\"",
            "\"boolean\"",
            "\"null\"",
            "\"string\"",
            "\"array\"",
            "\"object\"",
        ][..],
    )
}

/// References of every form: to definitions, spelled otherwise, through the document, to nothing, and elsewhere.
fn reference() -> impl Strategy<Value = &'static str> {
    let often = select(&["#/$defs/A", "#/$defs/B", "#/$defs/C", "#/definitions/D"][..]);
    let seldom = select(
        &[
            "#",
            "#/%24defs/A",
            "#/$defs/%42",
            "#/$defs/a~1b",
            "#/$defs/a%7E1b",
            "#/$defs/a%2Fb",
            "#/$defs/a~b",
            "#/$defs/%",
            "#/$defs/%FF",
            "#/$defs/A/anyOf/0",
            "#/$defs/B/allOf/1",
            "#/$defs/B/anyOf/01",
            "#/$defs/C/items",
            "#/$defs/A/properties/a",
            "#/properties/b",
            "#/properties/",
            "#/nowhere",
            "#A",
            "other.json#/$defs/A",
            "",
        ][..],
    );
    prop_oneof![3 => often, 2 => seldom]
}

/// A value for an `enum` or a `const`. There is one array and one object: of lists that share no container, SPEC does not say whether they admit the kind.
fn literal() -> impl Strategy<Value = &'static str> {
    select(
        &["1", "5", "5.0", "2.5", "true", "null", "\"1\"", "\"5\"", "\"x\"", "[1]", "{\"a\":1}"][..],
    )
}

/// One keyword with its value.
fn keyword(
    inner: impl Strategy<Value = String> + Clone + 'static,
) -> impl Strategy<Value = String> {
    let list = |most| vec(inner.clone(), 1..most).prop_map(|branches| array(&branches));
    let map = |names: BoxedStrategy<&'static str>| {
        vec((names, inner.clone()), 0..4).prop_map(|members| object(&members))
    };
    let patterns = select(&["", "^a", "b$", "^.$", "[", "/"][..]).boxed();
    let odd = select(
        &[
            "\"type\":\"double\"",
            "\"type\":[]",
            "\"enum\":5",
            "\"anyOf\":[]",
            "\"oneOf\":5",
            "\"allOf\":{}",
            "\"items\":5",
            "\"properties\":5",
            "\"required\":true",
            "\"$ref\":5",
            "\"title\":\"t\"",
            "\"minimum\":7",
            "\"additionalProperties\":false",
        ][..],
    );
    let named = |name: &'static str, value: BoxedStrategy<String>| {
        value.prop_map(move |value| format!("\"{name}\":{value}")).boxed()
    };
    prop_oneof![
        4 => named("type", kind().prop_map(str::to_owned).boxed()),
        2 => named("type", vec(kind(), 1..4).prop_map(|kinds| array(&kinds)).boxed()),
        2 => named("enum", vec(literal(), 0..4).prop_map(|values| array(&values)).boxed()),
        1 => named("const", literal().prop_map(str::to_owned).boxed()),
        6 => named("$ref", reference().prop_map(|reference| format!("\"{reference}\"")).boxed()),
        4 => named("anyOf", list(4).boxed()),
        2 => named("oneOf", list(4).boxed()),
        3 => named("allOf", list(3).boxed()),
        5 => named("properties", map(key().boxed()).boxed()),
        1 => named("patternProperties", map(patterns).boxed()),
        1 => named("additionalProperties", inner.clone().boxed()),
        3 => named("items", inner.clone().boxed()),
        1 => named("items", list(3).boxed()),
        1 => named("prefixItems", list(3).boxed()),
        1 => named("additionalItems", inner.clone().boxed()),
        2 => named("required", vec(key(), 0..2).prop_map(|keys| array(&keys.iter().map(|key| format!("{key:?}")).collect::<Vec<_>>())).boxed()),
        1 => odd.prop_map(str::to_owned),
    ]
}

fn schema() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        10 => kind().prop_map(|kind| format!("{{\"type\":{kind}}}")),
        4 => reference().prop_map(|reference| format!("{{\"$ref\":\"{reference}\"}}")),
        2 => literal().prop_map(|value| format!("{{\"const\":{value}}}")),
        2 => select(&["{}", "true", "false", "5"][..]).prop_map(str::to_owned),
    ];
    leaf.prop_recursive(4, 30, 4, |inner| {
        vec(keyword(inner), 1..4).prop_map(|keywords| format!("{{{}}}", keywords.join(",")))
    })
}

/// A root with definitions, which may lead anywhere.
fn root() -> impl Strategy<Value = Value> {
    let properties = vec((key(), schema()), 1..4);
    (properties, schema(), schema(), schema(), schema(), vec(keyword(schema().boxed()), 0..2)).prop_map(
        |(properties, a, b, c, d, beside)| {
            let definitions = format!(
                "\"$defs\":{{\"A\":{a},\"B\":{b},\"C\":{c},\"a/b\":{{\"type\":\"integer\"}},\"%\":{{\"type\":\"boolean\"}}}},\"definitions\":{{\"D\":{d}}}"
            );
            let mut members = beside;
            members.push(format!("\"properties\":{}", object(&properties)));
            members.push(definitions);
            parse(&format!("{{{}}}", members.join(","))).expect("the schema is JSON")
        },
    )
}

/// What a model sends, encoded once too often here and there.
fn arguments() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        literal().prop_map(str::to_owned),
        select(
            &[
                "5",
                " 5 ",
                "1",
                "2.5",
                "5.0",
                "1e3",
                "1e2000",
                "007",
                "-0",
                "true",
                "True",
                "null",
                "",
                "x",
                "a,b",
                "[1,\"2\"]",
                "{\"a\":\"5\"}",
                "\"5\"",
                "NaN"
            ][..]
        )
        .prop_map(|text| Value::from(text).to_string()),
    ];
    let value = scalar.prop_recursive(4, 24, 4, |inner| {
        let container = prop_oneof![
            vec(inner.clone(), 0..4).prop_map(|elements| array(&elements)),
            vec((key(), inner), 0..4).prop_map(|members| object(&members)),
        ];
        (container, any::<bool>()).prop_map(|(container, encoded)| {
            if encoded { Value::from(container).to_string() } else { container }
        })
    });
    vec((key(), value), 1..4)
        .prop_map(|members| parse(&object(&members)).expect("the arguments are JSON"))
}

fn array(elements: &[impl AsRef<str>]) -> String {
    let elements: Vec<&str> = elements.iter().map(AsRef::as_ref).collect();
    format!("[{}]", elements.join(","))
}

fn object(members: &[(&str, String)]) -> String {
    let members: Vec<String> =
        members.iter().map(|(name, value)| format!("{name:?}:{value}")).collect();
    format!("{{{}}}", members.join(","))
}
