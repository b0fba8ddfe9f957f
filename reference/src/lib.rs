//! The reference coercer of callfit: repairs tool-call arguments by the tool's JSON Schema.
//!
//! A language model that calls a tool often sends `"5"` for 5, `"true"` for true, or a JSON object as a string. Before the call is dispatched, somebody repairs that by
//! the tool's parameter schema. This crate does, and it is written to be read and ported: SPEC.md says in numbered clauses what is right, and each file here tells a chapter
//! of it, in its order.
//!
//! # The principle
//!
//! A string at a position whose schema does not admit a string, and whose text is the JSON text of a value that the schema admits there, becomes that value. Anything else
//! stays exactly as it was sent. What SPEC leaves free is a [`Policy`]; a [`Profile`] chooses for all of them.
//!
//! ```
//! use callfit_reference::{Coercer, json::parse};
//!
//! // Compile a tool's schema once ...
//! let schema = parse(r##"{
//!     "type": "object",
//!     "properties": {
//!         "count": {"$ref": "#/$defs/Count"},
//!         "filters": {"type": "object", "properties": {"labels": {"type": "array"}}},
//!         "zip": {"type": "string"}
//!     },
//!     "$defs": {"Count": {"type": "integer"}}
//! }"##)?;
//! let coercer = Coercer::new(&schema);
//!
//! // ... and coerce as many calls as come.
//! let sent = parse(r#"{"count": "5", "filters": "{\"labels\": \"[1]\"}", "zip": "02134"}"#)?;
//! let repaired = parse(r#"{"count": 5, "filters": {"labels": [1]}, "zip": "02134"}"#)?;
//! assert_eq!(coercer.coerce(sent)?, repaired);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to read on
//!
//! | SPEC's chapter | here |
//! | --- | --- |
//! | Resolving | [`mod@pointer`], [`resolve()`] (`resolve.rs`) |
//! | The principle | `kinds.rs`, `schema.rs` (what is read), `admits.rs` (what a node admits) |
//! | Coercing | [`Coercer`] (`coerce/`), `position.rs` (places below unions), `pattern.rs` |
//! | Policies | [`Policy`], [`Policies`] (`policy.rs`) |
//! | Names | [`sanitize()`] (`sanitize.rs`), [`Names`] (`names.rs`), `places.rs` (which names can meet) |
//!
//! # What it promises
//!
//! No recursion on the depth of schemas, arguments or JSON text, and time about linear in their size: a schema or a call that a stranger wrote cannot bring the process
//! down. No digit of a number is lost. No input or output, no network whatever a `$ref` says. Four dependencies: `foldhash`, `indexmap`, `regex` and `regex-syntax`.

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
pub use names::{LONGEST_NAME, Names, PathId, is_legal_name};
pub use policy::{Choice, Policies, Policy, Profile, UnknownOption};
pub use resolve::resolve;
pub use sanitize::sanitize;
