//! Whether a choice of policy explains an answer.

use callfit_reference::json::Value;
use callfit_reference::{Policies, Policy};

use crate::judge::differences;

/// So many policies together may explain one answer.
const MOST: usize = 4;

type Choices = Vec<(Policy, &'static str)>;

/// The options that make `answer_under` give `actual`, or none, if none do.
///
/// The policies are changed one by one, each time the one that leaves the fewest differences. Some choices show only behind another one (text beside other types is converted at
/// all, and then in this spelling too): with `thorough`, every choice is tried as the first, which takes about fifty times as long.
pub fn explanation(
    actual: &Value,
    base: &Policies,
    thorough: bool,
    answer_under: impl Fn(&Policies) -> Option<Value>,
) -> Option<Choices> {
    let far = |policies: &Policies| {
        let answer = answer_under(policies)?;
        Some(if answer == *actual { 0 } else { differences(&answer, actual).len().max(1) })
    };
    let firsts = alternatives(base).filter(|_| thorough);
    let starts = firsts.map(|(policy, option, policies)| (vec![(policy, option)], policies));
    std::iter::once((Vec::new(), base.clone()))
        .chain(starts)
        .find_map(|(chosen, policies)| step_by_step(chosen, policies, far))
}

fn step_by_step(
    mut chosen: Choices,
    mut policies: Policies,
    far: impl Fn(&Policies) -> Option<usize>,
) -> Option<Choices> {
    let mut left = far(&policies)?;
    while left > 0 && chosen.len() < MOST {
        let (policy, option, next, fewer) = alternatives(&policies)
            .filter_map(|(policy, option, next)| {
                let left = far(&next)?;
                Some((policy, option, next, left))
            })
            .min_by_key(|(.., left)| *left)?;
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
