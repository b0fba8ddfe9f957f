//! Conformance tests for tool-call argument coercers.

pub mod adapter;
pub mod case;
pub mod fuzz;
pub mod implementation;
pub mod judge;
pub mod report;
pub mod run;

mod conformance;
mod digest;
mod reference_coercer;

pub use conformance::conformance;
pub use reference_coercer::Reference;
