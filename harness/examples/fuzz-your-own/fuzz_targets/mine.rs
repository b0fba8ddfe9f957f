//! A coercer of one's own, fuzzed: makes integers of top-level text like "5", and so has faults to be found.
//!
//! `cargo +nightly fuzz run --fuzz-dir . -s none mine`, in this folder. Seeds (`callfit fuzz --write-seeds seeds`, then `seeds/coerce` behind the name) find more in less time.
#![no_main]

use callfit::fuzz;
use callfit::implementation::{About, Coercer, CoercerError};
use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use serde_json::Value;

fuzz_target!(|data: &[u8]| fuzz::check(&Mine, data));

// Keeps a problem a problem. It can be left out: then most of what the engine makes of a problem is none any more, and is read as a recipe for one.
fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    fuzz::mutate(data, size, max_size, seed).unwrap_or_else(|| fuzzer_mutate(data, size, max_size))
});

struct Mine;

impl Coercer for Mine {
    fn about(&self) -> About {
        About::named("mine")
    }

    fn coerce(&self, schema: &str, arguments: &str) -> Result<String, CoercerError> {
        let read = |text| -> Result<Value, CoercerError> {
            serde_json::from_str(text).map_err(|error| CoercerError::Failed(error.to_string()))
        };
        let (schema, mut arguments) = (read(schema)?, read(arguments)?);
        for (name, value) in arguments.as_object_mut().into_iter().flatten() {
            if schema["properties"][name]["type"] == "integer"
                && let Some(number) = value.as_str().and_then(|text| text.parse::<i64>().ok())
            {
                *value = number.into();
            }
        }
        Ok(arguments.to_string())
    }
}
