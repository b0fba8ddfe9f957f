//! The law *transparent*: a schema whose references are replaced by what they lead to.

use callfit_reference::json::{Object, Value};
use callfit_reference::{Policies, resolve};

/// A schema that grows beyond so many values is not inlined.
const MOST_VALUES: usize = 2_000;

/// The schema with every local reference reachable by keywords replaced by what it leads to. None where there is none, where one leads back into itself or nowhere, or
/// where a choice of policy decides what it leads to.
pub fn inlined(root: &Value) -> Option<Value> {
    let mut copier = Copier { root, size: 0, replaced: false };
    let mut path = Vec::new();
    let copy = copier.schema(root, &mut path, 0)?;
    copier.replaced.then_some(copy)
}

struct Copier<'a> {
    root: &'a Value,
    size: usize,
    replaced: bool,
}

impl Copier<'_> {
    /// Copies a schema. Recursion is bounded by `depth`: law cases that are deeper are not inlined.
    fn schema(&mut self, schema: &Value, path: &mut Vec<String>, depth: usize) -> Option<Value> {
        let Some(keywords) = schema.as_object() else { return Some(schema.clone()) };
        self.size += keywords.len() + 1;
        if self.size > MOST_VALUES || depth > 64 {
            return None;
        }
        let reference = keywords.get("$ref").and_then(Value::as_str).map(str::to_owned);
        let Some(reference) = reference else { return self.keywords(keywords, path, depth) };
        if path.contains(&reference) || !is_plain(keywords) {
            return None;
        }
        let target = resolve(self.root, schema, &Policies::default());
        let target_keywords = target.as_object()?;
        if target_keywords.contains_key("$ref") {
            return None;
        }
        self.replaced = true;
        path.push(reference);
        let copy = self.keywords(target_keywords, path, depth + 1);
        path.pop();
        copy
    }

    fn keywords(
        &mut self,
        keywords: &Object,
        path: &mut Vec<String>,
        depth: usize,
    ) -> Option<Value> {
        let mut copy = Object::new();
        for (keyword, value) in keywords.iter() {
            let value = match (keyword.as_str(), value) {
                ("$id" | "$anchor" | "$dynamicRef" | "$recursiveRef", _) => return None,
                (
                    "additionalProperties"
                    | "items"
                    | "additionalItems"
                    | "contains"
                    | "not"
                    | "if"
                    | "then"
                    | "else"
                    | "propertyNames",
                    Value::Object(_),
                ) => self.schema(value, path, depth + 1)?,
                ("allOf" | "anyOf" | "oneOf" | "prefixItems" | "items", Value::Array(list)) => {
                    let list: Option<Vec<Value>> =
                        list.iter().map(|schema| self.schema(schema, path, depth + 1)).collect();
                    list?.into()
                }
                ("properties" | "patternProperties" | "dependentSchemas", Value::Object(map)) => {
                    let map: Option<Object> = map
                        .iter()
                        .map(|(name, schema)| {
                            Some((name.clone(), self.schema(schema, path, depth + 1)?))
                        })
                        .collect();
                    map?.into()
                }
                // Data, or definitions, which nothing refers to any more.
                _ => value.clone(),
            };
            copy.insert(keyword.clone(), value);
        }
        Some(copy.into())
    }
}

/// Whether the keywords beside a `$ref` are mere annotations: what others do of a clash is another clause's matter.
fn is_plain(keywords: &Object) -> bool {
    keywords.keys().all(|keyword| {
        matches!(
            keyword.as_str(),
            "$ref"
                | "title"
                | "description"
                | "default"
                | "examples"
                | "$comment"
                | "deprecated"
                | "$defs"
                | "definitions"
                | "$schema"
        )
    })
}
