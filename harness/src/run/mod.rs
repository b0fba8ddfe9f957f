//! Running cases against an implementation.

mod board;
mod conduct;
mod record;

pub use board::CaseBoard;
pub use conduct::{Plan, conduct};
pub use record::{CaseRecord, CorpusLabel, Difference, LawBreach, Record, Verdict};
