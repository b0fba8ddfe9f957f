//! What following a reference costs, beside plain lookups of the same pointers in a `serde_json::Value`: no decoding, no circles noticed, nothing merged.

use criterion::{Criterion, criterion_group, criterion_main};

use callfit_reference::json::parse;
use callfit_reference::{Policies, resolve};

criterion_group!(benches, resolving);
criterion_main!(benches);

fn resolving(criterion: &mut Criterion) {
    for length in [1, 10, 1_000] {
        let links: Vec<String> = (1..length)
            .map(|at| format!(r##""D{at}":{{"$ref":"#/$defs/D{}"}}"##, at + 1))
            .chain([format!(r#""D{length}":{{"type":"integer"}}"#)])
            .collect();
        let root = format!(r#"{{"$defs":{{{}}}}}"#, links.join(","));
        bench(criterion, &format!("a chain of {length}"), &root, "#/$defs/D1");
    }
    // As zod and its kin write a type that is used twice: the path of its first use.
    let root = r#"{"type":"object","properties":{"from":{"type":"object","properties":{"places":
        {"type":"array","items":{"type":"object","properties":{"at":{"type":"number"}}}}}}}}"#;
    let path = "#/properties/from/properties/places/items/properties/at";
    bench(criterion, "the path of a first use", root, path);
    let root = r#"{"$defs":{"Page<Item>":{"type":"object"},"a/b":{"type":"integer"}}}"#;
    bench(criterion, "percent-encoded", root, "#/$defs/Page%3CItem%3E");
    bench(criterion, "escaped", root, "#/$defs/a~1b");
}

fn bench(criterion: &mut Criterion, name: &str, root: &str, reference: &str) {
    let mut group = criterion.benchmark_group(format!("resolve/{name}"));
    let node = format!(r#"{{"$ref":"{reference}","description":"where"}}"#);
    let plain: serde_json::Value = must(serde_json::from_str(root));
    let start = reference.trim_start_matches('#').replace("%3C", "<").replace("%3E", ">");
    let (root, node) = (must(parse(root)), must(parse(&node)));
    let policies = Policies::default();
    assert_eq!(resolve(&root, &node, &policies).get("$ref"), None, "{reference} leads nowhere");
    group.bench_function("resolve", |bencher| bencher.iter(|| resolve(&root, &node, &policies)));
    group.bench_function("plain lookups", |bencher| bencher.iter(|| look_up(&plain, &start)));
    group.finish();
}

fn look_up<'a>(root: &'a serde_json::Value, start: &'a str) -> Option<&'a serde_json::Value> {
    let mut here = root.pointer(start)?;
    while let Some(reference) = here.get("$ref").and_then(serde_json::Value::as_str) {
        here = root.pointer(&reference[1..])?;
    }
    Some(here)
}

fn must<T, E: std::fmt::Display>(result: Result<T, E>) -> T {
    result.unwrap_or_else(|error| panic!("{error}"))
}
