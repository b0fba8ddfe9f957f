//! What is told of a run: one model, one file a format.

pub mod badge;
mod csv;
mod details;
pub mod diff;
pub mod escape;
mod file;
mod format;
pub mod fuzz;
pub mod github;
pub mod json;
mod junit;
mod markdown;
pub mod matrix;
mod merge;
pub mod overview;
mod progress;
mod sarif;
mod summary;
mod tap;
pub mod terminal;

pub use details::{gist, told};
pub use file::{ReportError, save, save_text, write};
pub use format::{Format, Target};
pub use fuzz::Progress as FuzzProgress;
pub use merge::{MergeError, merge};
pub use progress::Progress;
pub use summary::Titles;
