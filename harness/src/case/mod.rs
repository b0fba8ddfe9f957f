//! Cases: reading, checking and finding them.

mod model;

pub use model::{Area, CaseFile, CaseText, Level, Piece, Recipe};
