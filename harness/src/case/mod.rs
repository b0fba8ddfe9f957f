//! Cases: reading, checking and finding them.

mod check;
mod corpus;
mod model;
mod near;
mod place;
mod problem;
mod read;
mod select;
mod structure;
mod text;

pub use corpus::{Case, Clause, Corpus, CorpusError, Expect, Policy, PolicyOption, Profiles};
pub use model::{Area, CaseFile, CaseText, Level, Piece, Recipe, Repeat};
pub use problem::{Problem, render};
pub use select::{Selection, SelectionError};
pub use text::{RECIPE_LIMIT, RecipeTooLarge, Text};
