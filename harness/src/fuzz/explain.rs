//! Whether a choice of policies explains an answer.

use std::collections::{BTreeMap, HashSet};

use callfit_reference::json::Value;
use callfit_reference::{Policies, Policy};

use crate::judge::differences;

/// So many policies together may explain one answer.
const MOST: usize = 4;

/// So many sets of choices are tried before an answer counts as unexplained.
const EFFORT: usize = 400;

type Choices = Vec<(Policy, &'static str)>;

/// What the reference answers under some policies.
pub struct Under {
    /// The answer.
    pub answer: Value,
    /// The policies that made a difference to it, or could have.
    pub asked: Vec<Policy>,
}

impl Under {
    /// The answer that was given under these policies.
    pub fn new(answer: Value, policies: &Policies) -> Self {
        Self { answer, asked: policies.asked().collect() }
    }
}

/// The options that make `answer_under` give `actual`, or none, if none do.
///
/// Only policies that were asked for are changed, one more at a time: some are asked for only behind another choice (text in place of nothing, then that text in a list). What leaves
/// the fewest differences is gone on from first, and of equals what has the fewest choices: several may show only together, each of them leaving as many differences as there were.
pub fn explanation(
    actual: &Value,
    base: &Policies,
    answer_under: impl Fn(&Policies) -> Option<Under>,
) -> Option<Choices> {
    let mut tried: HashSet<Choices> = HashSet::new();
    let mut waiting: BTreeMap<(usize, usize, usize), Step> = BTreeMap::new();
    let mut next = vec![(Choices::new(), base.clone())];
    loop {
        for (chosen, policies) in next {
            if tried.len() == EFFORT {
                return None;
            }
            if !tried.insert(chosen.clone()) {
                continue;
            }
            let Some(Under { answer, asked }) = answer_under(&policies) else { continue };
            if answer == *actual {
                return Some(chosen);
            }
            if chosen.len() < MOST {
                let left = differences(&answer, actual).len();
                let place = (left, chosen.len(), tried.len());
                waiting.insert(place, Step { chosen, policies, asked });
            }
        }
        next = waiting.pop_first()?.1.next();
    }
}

/// A set of choices on the way to an explanation.
struct Step {
    chosen: Choices,
    policies: Policies,
    asked: Vec<Policy>,
}

impl Step {
    /// Every set with one choice more, the choices of each in the order of their names.
    fn next(self) -> Vec<(Choices, Policies)> {
        let is_open = |policy: &Policy| self.chosen.iter().all(|(chosen, _)| chosen != policy);
        let open = self.asked.iter().copied().filter(is_open);
        alternatives(&self.policies, open)
            .map(|(policy, option, policies)| {
                let mut chosen = self.chosen.clone();
                chosen.push((policy, option));
                chosen.sort_by_key(|(policy, _)| policy.id());
                (chosen, policies)
            })
            .collect()
    }
}

/// Every set of policies that differs in the choice for one of these.
pub fn alternatives(
    base: &Policies,
    asked: impl IntoIterator<Item = Policy>,
) -> impl Iterator<Item = (Policy, &'static str, Policies)> {
    asked.into_iter().flat_map(move |policy| {
        let options = policy.options().iter().filter(move |option| !base.is(policy, **option));
        options.filter_map(move |option| {
            Some((policy, option.id(), base.with(policy.id(), option.id()).ok()?))
        })
    })
}

#[cfg(test)]
mod tests {
    use callfit_reference::Coercer;
    use callfit_reference::json::parse;

    use super::*;

    /// The policies that make `answer` of arguments that are `""`, where a list of strings is wanted.
    fn explained(answer: &str) -> Option<Vec<&'static str>> {
        let schema = parse(r#"{"type":"array","items":{"type":"string"}}"#).unwrap();
        let actual = parse(answer).unwrap();
        let choices = explanation(&actual, &Policies::default(), |policies| {
            let coercer = Coercer::with_policies(&schema, policies.clone());
            Some(Under::new(coercer.coerce("".into()).ok()?, coercer.policies()))
        })?;
        Some(choices.into_iter().map(|(policy, _)| policy.id()).collect())
    }

    #[test]
    fn three_policies_may_explain_only_together() {
        assert_eq!(explained("\"\""), Some(Vec::new()));
        let together = vec!["arguments-empty", "container-for-string", "scalar-for-array"];
        assert_eq!(explained(r#"["{}"]"#), Some(together));
    }

    #[test]
    fn what_no_policy_makes_is_not_explained() {
        assert_eq!(explained(r#"["[]"]"#), None);
        assert_eq!(explained("5"), None);
    }
}
