//! JSON values (RFC 8259) that lose no digit and know no depth.
//!
//! Arguments that a model wrote may hold a 25-digit id or be nested 100,000 deep, and both must come out as they went in. `serde_json::Value` does not serve: its
//! parser, `Drop`, `Clone` and `PartialEq` recurse, and keeping its numbers exact takes a feature that changes every other crate in the user's build. So this module holds
//! the smallest value type for which each of these is a loop: [`Value`], read by [`parse`] and written by `Display`.
//!
//! ```
//! use callfit_reference::json::parse;
//!
//! let value = parse(r#"{"id": 12345678901234567890123, "price": 1.10}"#).unwrap();
//! assert_eq!(value.to_string(), r#"{"id":12345678901234567890123,"price":1.10}"#);
//! ```

mod number;
mod read;
mod value;
mod write;

pub use number::Number;
pub use read::{
    Event, ParseError, ParseOptions, Reader, RepeatedKeys, parse, parse_prefix, parse_with,
};
pub use value::{Array, Object, Value};
