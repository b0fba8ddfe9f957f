//! The implementation that the environment names, as in `CALLFIT_IMPL="python3 my_adapter.py"`, beside the reference; without one, the reference under another profile.
#![no_main]

use callfit::fuzz;
use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};

fuzz_target!(|data: &[u8]| fuzz::check_differential(data));

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    fuzz::mutate(data, size, max_size, seed).unwrap_or_else(|| fuzzer_mutate(data, size, max_size))
});
