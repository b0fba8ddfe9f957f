//! The reference coercer of callfit.

pub mod json;
pub mod pointer;

mod admits;
mod coerce;
mod keywords;
mod kinds;
mod names;
mod pattern;
mod places;
mod policy;
mod position;
mod resolve;
mod sanitize;
mod schema;

pub use coerce::{Coercer, Refused};
pub use names::{LONGEST_NAME, Names, is_legal_name};
pub use policy::{Choice, Policies, Policy, Profile, UnknownOption};
pub use resolve::resolve;
pub use sanitize::sanitize;
