//! A case made of a finding: what was asked, what is right, and where it comes from.

use std::path::Path;

use callfit_reference::json::{Object, Value};
use callfit_reference::{Coercer, Policies, resolve, sanitize};

use super::finding::Finding;
use super::problem::Problem;
use crate::case::{Area, CreateError, Created, DESCRIPTION, Level, add_case};
use crate::implementation::Method;

/// Why no case was made.
#[derive(Debug, thiserror::Error)]
pub enum PromoteError {
    /// The id names another area than the finding is of.
    #[error("{id} is a case of another area; a finding about `{method}` makes a case in {areas}")]
    Area {
        /// The id.
        id: String,
        /// What was asked.
        method: Method,
        /// The areas it may be in.
        areas: &'static str,
    },
    /// The reference refuses the arguments too.
    #[error("the reference has no answer to this: {0}")]
    NoAnswer(String),
    /// It cannot be written.
    #[error(transparent)]
    Create(#[from] CreateError),
}

/// Writes a case into the file of a folder of cases that it belongs in. The right answer is the reference's; the description is left to be written, which `lint` asks for.
pub fn promote(
    finding: &Finding,
    directory: &Path,
    id: &str,
    clause: &str,
    level: Level,
) -> Result<Created, PromoteError> {
    let Problem { method, schema, subject } = &finding.problem;
    let (areas, allowed): (_, &[Area]) = match method {
        Method::Resolve => ("resolve/", &[Area::Resolve]),
        Method::Sanitize => ("sanitize/", &[Area::Sanitize]),
        Method::Coerce => ("coerce/ or restore/", &[Area::Coerce, Area::Restore]),
    };
    if Area::of_id(id).is_some_and(|area| !allowed.contains(&area)) {
        return Err(PromoteError::Area { id: id.to_owned(), method: *method, areas });
    }
    let policies = Policies::default();
    let expect = match method {
        Method::Resolve => resolve(schema, subject, &policies),
        Method::Sanitize => sanitize(schema, &policies),
        Method::Coerce => Coercer::restoring(schema, policies)
            .coerce(subject.clone())
            .map_err(|refused| PromoteError::NoAnswer(refused.to_string()))?,
    };
    let mut case = Object::new();
    let mut set = |key: &str, value: Value| case.insert(key.to_owned(), value);
    set("id", id.into());
    set("description", DESCRIPTION.into());
    set("clause", clause.into());
    set("level", level.name().into());
    let source =
        format!("fuzz {} seed {} trial {}", finding.implementation, finding.seed, finding.trial);
    set("source", vec![source.into()].into());
    set("schema", schema.clone());
    match method {
        Method::Resolve => set("node", subject.clone()),
        Method::Coerce => set("arguments", subject.clone()),
        Method::Sanitize => None,
    };
    set("expect", expect);
    Ok(add_case(directory, id, &Value::Object(case).to_string())?)
}
