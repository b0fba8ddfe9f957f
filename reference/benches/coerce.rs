//! What coercing costs, beside what `serde_json` takes to read and write the same text.
//!
//! In each group, `compiled` is to be compared with `serde_json`, and `uncompiled` with `serde_json, schema too`. `text to text` is what a caller sees that has and wants
//! text: reading, coercing with a compiled schema, writing.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};

use callfit_reference::Coercer;
use callfit_reference::json::{Value, parse};

criterion_group!(benches, coerce);
criterion_main!(benches);

const SMALL: Call<'_> = Call {
    name: "small",
    schema: r##"{
        "type": "object",
        "properties": {
            "query": {"type": "string"},
            "count": {"$ref": "#/$defs/Count"},
            "exact": {"type": "boolean"},
            "price": {"type": "number"}
        },
        "required": ["query"],
        "$defs": {"Count": {"type": "integer", "minimum": 1}}
    }"##,
    arguments: r#"{"query": "running shoes", "count": "5", "exact": "true", "price": "12.50"}"#,
};

/// As pydantic writes it: references everywhere, `anyOf` with null for what is optional, a union told apart by a `const`; and a list that came as JSON text.
const NESTED: Call<'_> = Call {
    name: "nested",
    schema: r##"{
        "$defs": {
            "Address": {
                "properties": {
                    "street": {"title": "Street", "type": "string"},
                    "zip": {"title": "Zip", "type": "string"},
                    "country": {"$ref": "#/$defs/Country"}
                },
                "required": ["street", "zip"], "title": "Address", "type": "object"
            },
            "Country": {"enum": ["de", "fr", "us"], "title": "Country", "type": "string"},
            "Card": {
                "properties": {
                    "kind": {"const": "card", "title": "Kind", "type": "string"},
                    "number": {"title": "Number", "type": "string"},
                    "year": {"title": "Year", "type": "integer"}
                },
                "required": ["kind", "number", "year"], "title": "Card", "type": "object"
            },
            "Transfer": {
                "properties": {
                    "kind": {"const": "transfer", "title": "Kind", "type": "string"},
                    "iban": {"title": "Iban", "type": "string"},
                    "days": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": null}
                },
                "required": ["kind", "iban"], "title": "Transfer", "type": "object"
            },
            "Line": {
                "properties": {
                    "sku": {"title": "Sku", "type": "string"},
                    "quantity": {"minimum": 1, "title": "Quantity", "type": "integer"},
                    "gift": {"anyOf": [{"type": "boolean"}, {"type": "null"}], "default": null},
                    "tags": {"items": {"type": "string"}, "title": "Tags", "type": "array"}
                },
                "required": ["sku", "quantity"], "title": "Line", "type": "object"
            }
        },
        "properties": {
            "customer": {"title": "Customer", "type": "string"},
            "ship_to": {"$ref": "#/$defs/Address"},
            "bill_to": {"anyOf": [{"$ref": "#/$defs/Address"}, {"type": "null"}], "default": null},
            "lines": {"items": {"$ref": "#/$defs/Line"}, "title": "Lines", "type": "array"},
            "payment": {
                "discriminator": {
                    "mapping": {"card": "#/$defs/Card", "transfer": "#/$defs/Transfer"},
                    "propertyName": "kind"
                },
                "oneOf": [{"$ref": "#/$defs/Card"}, {"$ref": "#/$defs/Transfer"}]
            },
            "discount": {"anyOf": [{"type": "number"}, {"type": "null"}], "default": null}
        },
        "required": ["customer", "ship_to", "lines", "payment"], "title": "Order", "type": "object"
    }"##,
    arguments: r#"{
        "customer": "4711",
        "ship_to": {"street": "Main Street 1", "zip": "02134", "country": "us"},
        "bill_to": "{\"street\": \"Side Street 2\", \"zip\": \"10115\", \"country\": \"de\"}",
        "lines": "[{\"sku\": \"A-1\", \"quantity\": \"2\", \"tags\": [\"red\"]}, {\"sku\": \"B-2\", \"quantity\": 1, \"gift\": \"true\"}]",
        "payment": {"kind": "transfer", "iban": "DE02120300000000202051", "days": "14"},
        "discount": "0.10"
    }"#,
};

const LARGE_SCHEMA: &str = r##"{
    "type": "object",
    "properties": {"rows": {"type": "array", "items": {"$ref": "#/$defs/Row"}}},
    "$defs": {"Row": {
        "type": "object",
        "properties": {
            "id": {"type": "integer"},
            "name": {"type": "string"},
            "price": {"anyOf": [{"type": "number"}, {"type": "null"}]},
            "active": {"type": "boolean"},
            "tags": {"type": "array", "items": {"type": "string"}}
        },
        "required": ["id", "name"]
    }}
}"##;

fn coerce(criterion: &mut Criterion) {
    SMALL.bench(criterion);
    NESTED.bench(criterion);
    let rows: Vec<String> = (0..9_000).map(row).collect();
    let arguments = format!(r#"{{"rows":[{}]}}"#, rows.join(","));
    Call { name: "1 MB", schema: LARGE_SCHEMA, arguments: &arguments }.bench(criterion);
}

fn row(number: u32) -> String {
    format!(
        r#"{{"id":"{number}","name":"an article with the number {number}","price":"{number}.50","active":"true","tags":["{number}","red"]}}"#
    )
}

/// A call of a tool.
struct Call<'a> {
    name: &'a str,
    schema: &'a str,
    arguments: &'a str,
}

impl Call<'_> {
    fn bench(&self, criterion: &mut Criterion) {
        let schema = read(self.schema);
        let arguments = read(self.arguments);
        let coercer = Coercer::new(&schema);
        assert_ne!(coercer.coerce(arguments.clone()).as_ref(), Ok(&arguments), "nothing to do");

        let mut group = criterion.benchmark_group(format!("coerce/{}", self.name));
        group.throughput(Throughput::Bytes(self.arguments.len() as u64));
        group.bench_function("compiled", |bencher| {
            bencher.iter_batched(
                || arguments.clone(),
                |arguments| coercer.coerce(arguments),
                BatchSize::SmallInput,
            );
        });
        group.bench_function("text to text", |bencher| {
            bencher.iter(|| coercer.coerce(read(self.arguments)).map(|value| value.to_string()));
        });
        group.bench_function("serde_json", |bencher| {
            bencher.iter(|| through_serde_json(self.arguments));
        });
        group.bench_function("uncompiled", |bencher| {
            bencher.iter_batched(
                || arguments.clone(),
                |arguments| Coercer::new(&schema).coerce(arguments),
                BatchSize::SmallInput,
            );
        });
        group.bench_function("serde_json, schema too", |bencher| {
            bencher.iter(|| (through_serde_json(self.schema), through_serde_json(self.arguments)));
        });
        group.finish();
    }
}

fn read(text: &str) -> Value {
    parse(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn through_serde_json(text: &str) -> String {
    let value: serde_json::Value =
        serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    value.to_string()
}
