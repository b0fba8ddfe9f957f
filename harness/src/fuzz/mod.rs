//! Fuzzing: problems that nobody thought of, put to any implementation and judged by oracles that need no expected answer.
//!
//! ```text
//! bytes → problem → questions → answers → oracles → fault → smaller problem → finding → case
//! ```
//!
//! | file | what it does |
//! | --- | --- |
//! | `generate/` | bytes to a problem: a schema, arguments that are valid by it, damage |
//! | `trial.rs` | one problem: what is asked, and what each oracle says to the answers |
//! | `oracle.rs`, `variant.rs`, `explain.rs` | the oracles, the metamorphic pairs, the policies that explain a difference |
//! | `obvious/` | a second, naive resolver and coercer, written from SPEC alone: what the reference is compared with |
//! | `signature.rs` | what went wrong and where, so that faults of one kind are one finding |
//! | `shrink.rs` | smaller problems that may show the same |
//! | `campaign.rs` | trials through a door, findings on disk |
//! | `target.rs`, `seeds.rs` | what the targets of `cargo fuzz` call and begin with |
//! | `finding.rs`, `promote.rs` | the file of a finding, and the case made of it |

mod campaign;
mod explain;
mod finding;
mod generate;
pub mod obvious;
mod oracle;
mod pointer;
mod problem;
mod promote;
mod rates;
mod seeds;
mod shrink;
mod signature;
mod target;
mod tree;
mod trial;
mod variant;

pub use campaign::{News, Outcome, Plan, campaign, other, try_out};
pub use finding::{Finding, FindingError, State};
pub use generate::problem as generate;
pub use oracle::Oracle;
pub use problem::Problem;
pub use promote::{PromoteError, promote};
pub use rates::Rates;
pub use seeds::write_seeds;
pub use shrink::Shrinker;
pub use target::{
    check, check_case_file, check_differential, check_pointer, check_resolving, check_sanitizing,
    check_wire, mutate, problem_of,
};
pub use trial::{Check, Context, Fault, Other, Scope, Trial};
