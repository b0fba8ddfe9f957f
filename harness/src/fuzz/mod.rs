//! Fuzzing: inputs that nobody thought of, and what to hold the answers against.

pub mod obvious;
