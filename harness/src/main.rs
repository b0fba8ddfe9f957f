//! The command `callfit`.

mod cli;

use std::process::ExitCode;

/// A run reads, copies and drops JSON of millions of values, and most of its time went to the system's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    cli::main()
}
