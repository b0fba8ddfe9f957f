//! Which keywords hold subschemas, and in what form. Every other keyword holds data.

use crate::json::{Object, Value};

/// How a keyword holds subschemas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    /// No subschema: literal data, or a keyword that is not known.
    Data,
    /// One.
    Schema,
    /// A list of them.
    Schemas,
    /// One, or a list of them.
    SchemaOrSchemas,
    /// A map from names to them.
    Map,
}

/// How `keyword` holds subschemas, over all drafts from 4 to 2020-12.
pub(crate) fn holds(keyword: &str) -> Holds {
    match keyword {
        "additionalProperties"
        | "propertyNames"
        | "contains"
        | "not"
        | "if"
        | "then"
        | "else"
        | "unevaluatedItems"
        | "unevaluatedProperties"
        | "additionalItems"
        | "contentSchema" => Holds::Schema,
        "allOf" | "anyOf" | "oneOf" | "prefixItems" => Holds::Schemas,
        "items" => Holds::SchemaOrSchemas,
        "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas"
        | "dependencies" => Holds::Map,
        _ => Holds::Data,
    }
}

/// A step from a schema to a subschema of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step<'a> {
    /// The value of a keyword.
    Keyword(&'a str),
    /// A member of a keyword's list.
    Index(&'a str, usize),
    /// An entry of a keyword's map.
    Entry(&'a str, &'a str),
}

/// The subschemas that stand directly in a schema, the objects among them.
pub(crate) fn subschemas(schema: &Object) -> impl Iterator<Item = (Step<'_>, &Value)> {
    schema.iter().flat_map(|(keyword, value)| {
        let form = holds(keyword);
        let one = match (form, value) {
            (Holds::Schema | Holds::SchemaOrSchemas, Value::Object(_)) => {
                Some((Step::Keyword(keyword), value))
            }
            _ => None,
        };
        let list = match (form, value) {
            (Holds::Schemas | Holds::SchemaOrSchemas, Value::Array(list)) => list.as_slice(),
            _ => &[],
        };
        let map = match (form, value) {
            (Holds::Map, Value::Object(map)) => Some(map.iter()),
            _ => None,
        };
        let list = list.iter().enumerate();
        let list = list.map(move |(index, value)| (Step::Index(keyword, index), value));
        let map = map.into_iter().flatten();
        let map = map.map(move |(name, value)| (Step::Entry(keyword, name), value));
        one.into_iter().chain(list).chain(map).filter(|(_, value)| value.as_object().is_some())
    })
}
