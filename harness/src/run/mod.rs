//! Running cases against an implementation.

mod board;
mod canary;
mod conduct;
mod expectation;
mod record;

pub use board::{CaseBoard, request, unsupported};
pub use conduct::{Plan, conduct};
pub use expectation::Expectations;
pub use record::{
    CaseRecord, Chosen, CorpusLabel, Difference, ExpectationFile, LawBreach, Record, Verdict,
};
