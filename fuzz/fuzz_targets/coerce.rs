//! Coercing by the reference implementation, under every oracle.
#![no_main]

use std::sync::LazyLock;

use callfit::{Reference, fuzz};
use callfit_reference::Profile;
use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};

static REFERENCE: LazyLock<Reference> = LazyLock::new(|| Reference::new(Profile::Recommended));

fuzz_target!(|data: &[u8]| fuzz::check(&*REFERENCE, data));

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    fuzz::mutate(data, size, max_size, seed).unwrap_or_else(|| fuzzer_mutate(data, size, max_size))
});
