//! Reading problems and nothing else: beside it the others are measured (`reports/benchmarks.md`).
#![no_main]

use std::hint::black_box;

use callfit::fuzz;
use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};

fuzz_target!(|data: &[u8]| {
    black_box(fuzz::problem_of(data));
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    fuzz::mutate(data, size, max_size, seed).unwrap_or_else(|| fuzzer_mutate(data, size, max_size))
});
