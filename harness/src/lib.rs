//! Conformance tests for tool-call argument coercers.

pub mod adapter;
pub mod case;
pub mod implementation;
pub mod report;
pub mod run;
