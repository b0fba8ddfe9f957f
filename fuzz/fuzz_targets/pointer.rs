//! The spelling of references.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| callfit::fuzz::check_pointer(data));
