//! Cases: reading, checking and finding them.

mod answers;
mod check;
mod corpus;
mod create;
mod expected;
mod format;
mod lint;
mod model;
mod near;
mod place;
mod problem;
mod read;
mod schema;
mod select;
mod structure;
mod text;

pub use corpus::{
    Case, Clause, Corpus, CorpusError, Expect, Place, Policy, PolicyOption, Profiles,
};
pub use create::{CreateError, Created, new_case};
pub use format::format;
pub use lint::{fix, lint, lint_text};
pub use model::{Area, CaseFile, CaseText, Level, Piece, Recipe, Repeat};
pub use problem::{Problem, render};
pub use schema::json_schema;
pub use select::{Selection, SelectionError};
pub use text::{RECIPE_LIMIT, RecipeTooLarge, Text};

pub(crate) use create::{DESCRIPTION, add_case};
pub(crate) use near::did_you_mean;
pub(crate) use problem::SourceFile;
