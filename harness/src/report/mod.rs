//! What is told of a run: one model, one file a format.

mod details;
pub mod diff;
pub mod escape;
mod file;
pub mod fuzz;
pub mod json;
mod junit;
mod markdown;
pub mod matrix;
mod progress;
mod summary;
pub mod terminal;

pub use details::{gist, told};
pub use file::{Format, ReportError, save, write};
pub use fuzz::Progress as FuzzProgress;
pub use progress::Progress;
pub use summary::Titles;
