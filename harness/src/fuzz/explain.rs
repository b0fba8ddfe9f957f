//! Whether a choice of policy explains an answer.

use callfit_reference::json::Value;
use callfit_reference::{Policies, Policy};

use crate::judge::differences;

/// So many policies together may explain one answer.
const MOST: usize = 4;

/// The options that make `answer_under` give `actual`: the policies changed one by one, each time the one that leaves the fewest differences. None, if none do.
pub fn explanation(
    actual: &Value,
    base: &Policies,
    answer_under: impl Fn(&Policies) -> Option<Value>,
) -> Option<Vec<(Policy, &'static str)>> {
    let mut policies = base.clone();
    let mut left = differences(&answer_under(&policies)?, actual).len();
    let mut chosen = Vec::new();
    while left > 0 && chosen.len() < MOST {
        let (policy, option, next, fewer) = alternatives(&policies)
            .filter_map(|(policy, option, next)| {
                let answer = answer_under(&next)?;
                let count =
                    if answer == *actual { 0 } else { differences(&answer, actual).len().max(1) };
                Some((policy, option, next, count))
            })
            .min_by_key(|(.., count)| *count)?;
        if fewer >= left {
            return None;
        }
        chosen.push((policy, option));
        policies = next;
        left = fewer;
    }
    (left == 0).then_some(chosen)
}

/// Every set of policies that differs in one choice.
pub fn alternatives(
    base: &Policies,
) -> impl Iterator<Item = (Policy, &'static str, Policies)> + '_ {
    Policy::ALL.into_iter().flat_map(move |policy| {
        let options = policy.options().iter().filter(move |option| !base.is(policy, **option));
        options.filter_map(move |option| {
            Some((policy, option.id(), base.with(policy.id(), option.id()).ok()?))
        })
    })
}
