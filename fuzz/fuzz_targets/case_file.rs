//! The reader of case files.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| callfit::fuzz::check_case_file(data));
