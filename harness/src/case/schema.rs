//! `case.schema.json`, by which editors complete and check case files.

use serde_json::{Value, json};

use super::corpus::Corpus;
use super::format::format;
use super::model::CaseFile;

/// The JSON Schema of a case file, with the clauses and policies that a case of this corpus may cite.
pub fn json_schema(corpus: &Corpus) -> String {
    let mut schema = schemars::schema_for!(CaseFile).to_value();
    let clauses: Vec<&str> = corpus.clauses.iter().map(|clause| clause.id.as_str()).collect();
    let policies: Vec<&str> = corpus.policies.iter().map(|policy| policy.id.as_str()).collect();
    let options: std::collections::BTreeSet<&str> = corpus
        .policies
        .iter()
        .flat_map(|policy| &policy.options)
        .map(|option| option.id.as_str())
        .collect();
    for (field, keyword, value) in [
        ("clause", "enum", json!(clauses)),
        ("policy", "enum", json!(policies)),
        ("options", "propertyNames", json!({ "enum": options })),
    ] {
        if let Some(Value::Object(field)) =
            schema.pointer_mut(&format!("/$defs/CaseText/properties/{field}"))
        {
            field.insert(keyword.to_owned(), value);
        }
    }
    let text = schema.to_string();
    format(&text).unwrap_or(text)
}
