//! Running cases against an implementation.

mod record;

pub use record::{CaseRecord, CorpusLabel, Difference, LawBreach, Record, Verdict};
