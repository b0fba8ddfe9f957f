//! How time grows with hostile input: for each family and operation, the exponent of the power of the input's bytes that fits best.
//!
//! Criterion has no part in it: the least of several times is what other work on the machine disturbs least, and a fit wants no more.

#![expect(clippy::print_stdout, reason = "the fits are printed")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use callfit_reference::json::{Value, parse};
use callfit_reference::{Coercer, Policies, sanitize};

fn main() {
    let filter = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    for family in FAMILIES {
        if filter.as_ref().is_some_and(|filter| !family.name.contains(filter.as_str())) {
            continue;
        }
        println!("{}", family.name);
        let inputs: Vec<Input> = family.sizes.iter().map(|n| (family.build)(*n)).collect();
        for operation in OPERATIONS {
            let points = measure(operation, &inputs);
            let told: Vec<String> = points
                .iter()
                .map(|(bytes, time)| format!("{bytes} B {:.2} ms", time.as_secs_f64() * 1e3))
                .collect();
            println!("  {:9} {}", operation.name, told.join(", "));
            println!("  {:9} fit: time ~ size^{:.2}", "", exponent(&points));
        }
    }
}

/// What is measured. Reading the texts is no part of it.
struct Operation {
    name: &'static str,
    run: fn(&Value, Value) -> usize,
}

const OPERATIONS: &[Operation] = &[
    Operation { name: "coerce", run: |schema, arguments| size(&Coercer::new(schema), arguments) },
    Operation {
        name: "restore",
        run: |schema, arguments| size(&Coercer::restoring(schema, Policies::default()), arguments),
    },
    Operation {
        name: "sanitize",
        run: |schema, _| usize::from(sanitize(schema, &Policies::default()).as_object().is_some()),
    },
];

fn size(coercer: &Coercer, arguments: Value) -> usize {
    coercer.coerce(arguments).ok().and_then(|done| Some(done.as_object()?.len())).unwrap_or(0)
}

/// Schemas and arguments that grow with `n`. Each schema has a property whose name must be replaced, so that no operation is spared its work.
struct Family {
    name: &'static str,
    sizes: [usize; 5],
    build: fn(usize) -> Input,
}

struct Input {
    schema: String,
    arguments: String,
}

const FAMILIES: &[Family] = &[
    Family {
        name: "n definitions, each a union of all n",
        sizes: [16, 32, 64, 128, 256],
        build: |n| {
            let union = list(n, |i| format!(r##"{{"$ref":"#/$defs/D{i}"}}"##));
            let definition = |i| {
                format!(
                    r#""D{i}":{{"type":"object","properties":{{"a b":{{"type":"integer"}},"p":{{"anyOf":[{union}]}}}}}}"#
                )
            };
            Input {
                schema: document(&list(n, definition), r##"{"$ref":"#/$defs/D0"}"##),
                arguments: r#"{"x":{"a_b":"5","p":{"p":{"a_b":"6"}}}}"#.to_owned(),
            }
        },
    },
    Family {
        name: "n definitions, each nothing but a union of all n",
        sizes: [16, 32, 64, 128, 256],
        build: |n| {
            let union = list(n, |i| format!(r##"{{"$ref":"#/$defs/D{i}"}}"##));
            Input {
                schema: document(
                    &list(n, |i| format!(r#""D{i}":{{"anyOf":[{union}]}}"#)),
                    r##"{"$ref":"#/$defs/D0"}"##,
                ),
                arguments: r#"{"x":"5"}"#.to_owned(),
            }
        },
    },
    Family {
        name: "a chain of n references",
        sizes: [1_000, 2_000, 4_000, 7_000, 10_000],
        build: |n| {
            let link = |i| format!(r##""D{i}":{{"$ref":"#/$defs/D{}"}}"##, i + 1);
            let end = format!(r#","D{n}":{{"type":"integer"}}"#);
            Input {
                schema: document(&(list(n, link) + &end), r##"{"$ref":"#/$defs/D0"}"##),
                arguments: r#"{"x":"5"}"#.to_owned(),
            }
        },
    },
    Family {
        name: "a chain of n references, each with a keyword beside it",
        sizes: [500, 1_000, 2_000, 3_500, 5_000],
        build: |n| {
            let link = |i| format!(r##""D{i}":{{"$ref":"#/$defs/D{}","type":"string"}}"##, i + 1);
            let end = format!(r#","D{n}":{{"type":"integer"}}"#);
            Input {
                schema: document(&(list(n, link) + &end), r##"{"$ref":"#/$defs/D0"}"##),
                arguments: r#"{"x":"5"}"#.to_owned(),
            }
        },
    },
    Family {
        name: "a schema n deep",
        sizes: [1_000, 2_000, 4_000, 7_000, 10_000],
        build: |n| Input {
            schema: document(
                "",
                &(r#"{"type":"object","properties":{"a b":"#.repeat(n)
                    + r#"{"type":"integer"}"#
                    + &"}}".repeat(n)),
            ),
            arguments: format!(r#"{{"x":{}"5"{}}}"#, r#"{"a_b":"#.repeat(n), "}".repeat(n)),
        },
    },
    Family {
        name: "arguments n deep",
        sizes: [1_000, 2_000, 4_000, 7_000, 10_000],
        build: |n| Input {
            schema: document(
                r##""D":{"type":"object","properties":{"in":{"$ref":"#/$defs/D"},"count":{"type":"integer"}}}"##,
                r##"{"$ref":"#/$defs/D"}"##,
            ),
            arguments: format!(
                r#"{{"x":{}{{}}{}}}"#,
                r#"{"count":"5","in":"#.repeat(n),
                "}".repeat(n)
            ),
        },
    },
    Family {
        name: "a union of n branches told apart by a const, 16 objects",
        sizes: [32, 64, 128, 256, 512],
        build: |n| discriminated(n, 16),
    },
    Family {
        name: "a union of 16 branches told apart by a const, n objects",
        sizes: [256, 512, 1_024, 2_048, 4_096],
        build: |n| discriminated(16, n),
    },
    Family {
        name: "a union of n branches told apart by a const, n / 4 objects",
        sizes: [32, 64, 128, 256, 512],
        build: |n| discriminated(n, n / 4),
    },
    Family {
        name: "anyOf of the same twice, n deep",
        sizes: [500, 1_000, 2_000, 3_500, 5_000],
        build: |n| {
            let twice = |i: usize| {
                let next = format!(r##"{{"$ref":"#/$defs/D{}"}}"##, i + 1);
                format!(r#""D{i}":{{"anyOf":[{next},{next}]}}"#)
            };
            let end = format!(r#","D{n}":{{"type":"integer"}}"#);
            Input {
                schema: document(&(list(n, twice) + &end), r##"{"$ref":"#/$defs/D0"}"##),
                arguments: r#"{"x":"5"}"#.to_owned(),
            }
        },
    },
];

fn document(definitions: &str, x: &str) -> String {
    format!(
        r#"{{"type":"object","properties":{{"first name":{{"type":"integer"}},"x":{x}}},"$defs":{{{definitions}}}}}"#
    )
}

fn discriminated(branches: usize, objects: usize) -> Input {
    let branch = |i| {
        format!(
            r#"{{"type":"object","properties":{{"kind":{{"const":"k{i}"}},"v":{{"type":"integer"}}}},"required":["kind","v"]}}"#
        )
    };
    let object = |i| format!(r#"{{"kind":"k{}","v":"{i}"}}"#, i % branches);
    Input {
        schema: document(
            "",
            &format!(r#"{{"type":"array","items":{{"anyOf":[{}]}}}}"#, list(branches, branch)),
        ),
        arguments: format!(r#"{{"x":[{}]}}"#, list(objects, object)),
    }
}

fn list(n: usize, item: impl Fn(usize) -> String) -> String {
    (0..n).map(item).collect::<Vec<_>>().join(",")
}

/// For each input its bytes and the least time of several: as many as three seconds hold for all, three at least and fifty at most. The inputs take turns, so that what else
/// goes on disturbs all of them alike.
fn measure(operation: &Operation, inputs: &[Input]) -> Vec<(usize, Duration)> {
    let read = |text: &str| parse(text).unwrap_or_else(|error| panic!("{error}"));
    let values: Vec<(Value, Value)> =
        inputs.iter().map(|input| (read(&input.schema), read(&input.arguments))).collect();
    let mut least = vec![Duration::MAX; inputs.len()];
    let begun = Instant::now();
    for round in 0..50 {
        if round >= 3 && begun.elapsed() > Duration::from_secs(3) {
            break;
        }
        for ((schema, arguments), least) in values.iter().zip(&mut least) {
            let arguments = arguments.clone();
            let start = Instant::now();
            black_box((operation.run)(black_box(schema), arguments));
            *least = start.elapsed().min(*least);
        }
    }
    let bytes = inputs.iter().map(|input| input.schema.len() + input.arguments.len());
    bytes.zip(least).collect()
}

/// The slope of the straight line through the logarithms, by least squares.
#[expect(clippy::cast_precision_loss, reason = "so many bytes are none that a double cannot count")]
fn exponent(points: &[(usize, Duration)]) -> f64 {
    let logs: Vec<(f64, f64)> = points
        .iter()
        .map(|(bytes, time)| ((*bytes as f64).ln(), time.as_secs_f64().ln()))
        .collect();
    let count = logs.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| logs.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let both: f64 = logs.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    let square: f64 = logs.iter().map(|point| (point.0 - x).powi(2)).sum();
    both / square
}
