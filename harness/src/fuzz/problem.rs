//! A problem: one question to an implementation, as values that can be changed.

use std::fmt;

use callfit_reference::json::{Object, Value, parse};

use crate::implementation::{Method, Request};

/// A schema with the arguments (or, for `resolve`, the node) that are asked about.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// What is asked.
    pub method: Method,
    /// The root schema.
    pub schema: Value,
    /// The arguments or the node; for `sanitize`, arguments that are to survive the new names.
    pub subject: Value,
}

impl Problem {
    /// The question as it is sent.
    pub fn request(&self) -> Request {
        let subject = (self.method != Method::Sanitize).then(|| self.subject.to_string());
        Request { method: self.method, schema: self.schema.to_string(), subject }
    }

    /// The bytes of schema and subject together, as JSON text.
    pub fn size(&self) -> usize {
        self.schema.to_string().len() + self.subject.to_string().len()
    }

    /// Reads what [`Display`](fmt::Display) writes. None for any other text.
    pub fn read(text: &str) -> Option<Self> {
        let value = parse(text).ok()?;
        let method = match value.get("method") {
            None => Method::Coerce,
            Some(name) => Method::from_name(name.as_str()?)?,
        };
        let schema = value.get("schema")?.clone();
        let subject = value.get(subject_key(method)).cloned().unwrap_or_default();
        Some(Self { method, schema, subject })
    }
}

/// Sanitizing has arguments too, under the tool's own names: they are sent under the new ones afterwards.
fn subject_key(method: Method) -> &'static str {
    match method {
        Method::Resolve => "node",
        Method::Coerce | Method::Sanitize => "arguments",
    }
}

/// As JSON with the keys of a case: `schema`, and `arguments` or `node`; and `method`, where it is not coercing.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut members = Object::new();
        if self.method != Method::Coerce {
            members.insert("method".to_owned(), self.method.name().into());
        }
        members.insert("schema".to_owned(), self.schema.clone());
        members.insert(subject_key(self.method).to_owned(), self.subject.clone());
        Value::Object(members).fmt(f)
    }
}
