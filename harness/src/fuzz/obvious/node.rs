//! A node: the keywords that count at one place of the schema, and what they admit by themselves.

use std::ptr;

use callfit_reference::json::{Array, Value};

use super::chain;
use super::document::Document;

/// A subschema with its references followed (SPEC, chapters 1 and 5). What is no object has no keywords and says nothing.
pub(super) struct Node<'a> {
    /// The node in the document; for a reference with nothing beside it, what it leads to (law `transparent`).
    at: &'a Value,
    passed: Vec<&'a Value>,
}

/// For what a value is held against a node.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    /// Whether it is admitted (clause `admits`).
    Admits,
    /// Whether it contradicts a combination, where a `type` with array or object in it counts as absent (clause `union-inside`, rule 3).
    Contradicts,
}

impl<'a> Node<'a> {
    pub(super) fn new(document: &Document<'a>, schema: &'a Value) -> Option<Self> {
        let passed = chain::passed(document, schema)?;
        let says_more = |node: &&&Value| node.as_object().is_none_or(|keywords| keywords.len() > 1);
        let at = passed.iter().find(says_more).or(passed.last())?;
        Some(Self { at, passed })
    }

    pub(super) fn is(&self, other: &Self) -> bool {
        ptr::eq(self.at, other.at)
    }

    /// The value of a keyword.
    pub(super) fn keyword(&self, name: &str) -> Option<&'a Value> {
        chain::keyword(&self.passed, name)
    }

    /// The entries of one of the maps; an odd one has none.
    pub(super) fn map(&self, name: &str) -> Vec<(&'a str, &'a Value)> {
        chain::map(&self.passed, name).unwrap_or_default()
    }

    /// The branches under `allOf`, `anyOf` or `oneOf`; an empty list is odd.
    pub(super) fn branches(&self, name: &str) -> Option<&'a Array> {
        self.keyword(name)?.as_array().filter(|branches| !branches.is_empty())
    }

    /// Whether the node is more than a union.
    pub(super) fn speaks(&self) -> bool {
        let unions = ["anyOf", "oneOf", "$ref", "title", "description"];
        let mut keywords =
            self.passed.iter().filter_map(|node| node.as_object()).flat_map(|node| node.keys());
        keywords.any(|keyword| !unions.contains(&keyword.as_str()))
    }

    /// The keys that the node requires. A list with anything but strings in it is odd.
    pub(super) fn required(&self) -> Vec<&'a str> {
        let list = self.keyword("required").and_then(Value::as_array);
        list.and_then(|keys| keys.iter().map(Value::as_str).collect()).unwrap_or_default()
    }

    /// The values that `enum` and `const` speak of.
    pub(super) fn mentioned(&self) -> Vec<&'a Value> {
        let members = self.keyword("enum").and_then(Value::as_array);
        members.into_iter().flat_map(|list| list.iter()).chain(self.keyword("const")).collect()
    }

    /// Whether the node's own `type`, `enum` and `const` admit a value (clause `admits`, rule 1).
    pub(super) fn own_admit(&self, value: &Value, asked: Asked) -> bool {
        let has_type = self.types(asked).is_none_or(|types| {
            types.iter().any(|name| *name == value.kind() || *name == "number" && is_integer(value))
        });
        let members = self.keyword("enum").and_then(Value::as_array);
        let is_member = members.is_none_or(|members| members.contains(value));
        let is_const = self.keyword("const").is_none_or(|constant| constant == value);
        has_type && is_member && is_const
    }

    /// The names under `type`: none if it is odd or absent, as a whole.
    fn types(&self, asked: Asked) -> Option<Vec<&'a str>> {
        let names: Vec<&str> = match self.keyword("type")? {
            Value::Array(names) => names.iter().map(Value::as_str).collect::<Option<_>>()?,
            name => vec![name.as_str()?],
        };
        let known = |name: &&str| {
            ["null", "boolean", "integer", "number", "string", "array", "object"].contains(name)
        };
        let ignored =
            asked == Asked::Contradicts && names.iter().any(|n| ["array", "object"].contains(n));
        (!names.is_empty() && names.iter().all(known) && !ignored).then_some(names)
    }
}

fn is_integer(value: &Value) -> bool {
    value.kind() == "integer"
}
