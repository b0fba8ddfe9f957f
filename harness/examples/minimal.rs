//! A whole coercer in Rust, under test: makes integers of top-level text like "5".
//!
//! `cargo run --example minimal -- coerce/integer` runs the cases whose ids hold that. In your project this is `tests/conformance.rs`, with `harness = false`.

use std::process::ExitCode;

use callfit::implementation::{About, Coercer, CoercerError};
use serde_json::Value;

struct Minimal;

impl Coercer for Minimal {
    fn about(&self) -> About {
        About::named("minimal-rust")
    }

    fn coerce(&self, schema: &str, arguments: &str) -> Result<String, CoercerError> {
        let schema = read(schema)?;
        let mut arguments = read(arguments)?;
        for (name, value) in arguments.as_object_mut().into_iter().flatten() {
            let number = value.as_str().and_then(|text| {
                let number: i64 = text.parse().ok()?;
                (number.to_string() == text).then_some(number)
            });
            if let (Some(number), Some("integer")) =
                (number, schema["properties"][name]["type"].as_str())
            {
                *value = number.into();
            }
        }
        Ok(arguments.to_string())
    }
}

fn read(text: &str) -> Result<Value, CoercerError> {
    serde_json::from_str(text).map_err(|error| CoercerError::Failed(error.to_string()))
}

fn main() -> ExitCode {
    callfit::conformance(Minimal)
}
