//! How often what is made is of which kind, so that a fuzzer that makes nothing of interest does not look healthy.

use callfit_reference::json::Value;

use super::tree;
use super::trial::Trial;

/// Counts of trials.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rates {
    /// All of them.
    pub trials: u64,
    /// The schema has a reference.
    pub referring: u64,
    /// The schema has a union.
    pub united: u64,
    /// The arguments were sent as they should be answered.
    pub untouched: u64,
    /// The answer was other than what was sent, and right.
    pub converted: u64,
    /// A policy explained the answer.
    pub explained: u64,
    /// The call was refused, or nothing could be said of the answer.
    pub unanswered: u64,
    /// A fault was found.
    pub faulty: u64,
}

impl Rates {
    /// Counts a trial that is done.
    pub(super) fn count(&mut self, trial: &Trial) {
        let problem = &trial.problem;
        self.trials += 1;
        self.referring += u64::from(tree::has_key(&problem.schema, &["$ref"]));
        self.united += u64::from(tree::has_key(&problem.schema, &["anyOf", "oneOf"]));
        let kind = match (trial.fault(), trial.answer()) {
            (Some(_), _) => &mut self.faulty,
            (None, None) => &mut self.unanswered,
            (None, Some(_)) if !trial.explained_by.is_empty() => &mut self.explained,
            (None, Some(answer)) if *answer == problem.subject => &mut self.untouched,
            (None, Some(_)) => &mut self.converted,
        };
        *kind += 1;
    }
}

/// How many branches the unions of a schema have together: what costs time, if anything does.
pub(super) fn branches(schema: &Value) -> usize {
    let mut count = 0;
    let mut waiting = vec![schema];
    while let Some(value) = waiting.pop() {
        match value {
            Value::Array(elements) => waiting.extend(elements.iter()),
            Value::Object(members) => {
                for keyword in ["anyOf", "oneOf"] {
                    count +=
                        members.get(keyword).and_then(Value::as_array).map_or(0, |list| list.len());
                }
                waiting.extend(members.values());
            }
            _ => {}
        }
    }
    count
}
