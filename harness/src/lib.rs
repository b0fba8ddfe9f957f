//! Conformance tests for tool-call argument coercers.

pub mod adapter;
pub mod case;
pub mod implementation;
pub mod judge;
pub mod report;
pub mod run;

mod reference_coercer;

pub use reference_coercer::Reference;
