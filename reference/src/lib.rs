//! The reference coercer of callfit.

pub mod json;
