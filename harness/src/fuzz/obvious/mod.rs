//! A second resolver and coercer, slow and obvious, to hold the reference against.
//!
//! It is written from SPEC.md alone and reads as SPEC does: plain recursion, sets that are listed one by one, equations that are solved by trying until nothing changes,
//! and nothing compiled. So it shares no idea with the reference but the rules, and where the two differ, one of them is wrong, or SPEC is not clear. It knows the
//! recommended options only, and it has *no opinion* (`None`) on what is too large for such means.
//!
//! | SPEC | here |
//! | --- | --- |
//! | 5, resolving | `chain.rs` |
//! | 1 and 2.1, nodes and what they admit | `node.rs`, `equations.rs`, `place.rs` |
//! | 6.16, below a union | `place.rs`, `contradiction.rs` |
//! | 6.19, every applicator | `members.rs` |
//! | the rest of 6, coercing | `convert.rs` |

mod chain;
mod contradiction;
mod convert;
mod document;
mod equations;
mod members;
mod node;
mod place;

use callfit_reference::json::Value;

use document::Document;

/// What the keywords at `node` are once its own reference is followed from `root`: chapter 5 of SPEC. `None` is no opinion.
///
/// ```
/// use callfit::fuzz::obvious::resolve;
/// use callfit_reference::json::parse;
///
/// let root = parse(r#"{"$defs": {"Count": {"type": "integer"}}}"#)?;
/// let node = parse(r##"{"$ref": "#/$defs/Count", "title": "n"}"##)?;
/// assert_eq!(resolve(&root, &node), Some(parse(r#"{"type": "integer", "title": "n"}"#)?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn resolve(root: &Value, node: &Value) -> Option<Value> {
    chain::resolve(&Document::new(root), node)
}

/// What the tool should receive for `arguments` under `schema`: chapters 2 and 6 of SPEC. `None` is no opinion.
///
/// ```
/// use callfit::fuzz::obvious::coerce;
/// use callfit_reference::json::parse;
///
/// let schema = parse(r#"{"properties": {"count": {"type": "integer"}}}"#)?;
/// assert_eq!(coerce(&schema, &parse(r#"{"count": "5"}"#)?), Some(parse(r#"{"count": 5}"#)?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn coerce(schema: &Value, arguments: &Value) -> Option<Value> {
    convert::coerce(&Document::new(schema), arguments)
}
