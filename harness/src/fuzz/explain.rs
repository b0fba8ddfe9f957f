//! Whether a choice of policy explains an answer.

use callfit_reference::json::Value;
use callfit_reference::{Policies, Policy};

use crate::judge::differences;

/// So many policies together may explain one answer.
const MOST: usize = 4;

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
/// The policies that were asked for are changed one by one, each time the one that leaves the fewest differences. Some choices show only behind another one (text beside other
/// types is converted at all, and then in this spelling too), so each choice is tried as the first, the best of them first.
pub fn explanation(
    actual: &Value,
    base: &Policies,
    answer_under: impl Fn(&Policies) -> Option<Under>,
) -> Option<Choices> {
    let at = |chosen, policies: Policies| {
        let Under { answer, asked } = answer_under(&policies)?;
        let equal = answer == *actual;
        let left = if equal { 0 } else { differences(&answer, actual).len().max(1) };
        Some(Step { chosen, policies, asked, left })
    };
    let start = at(Vec::new(), base.clone())?;
    if start.left == 0 {
        return Some(start.chosen);
    }
    let mut firsts: Vec<Step> = start.next(at).collect();
    firsts.sort_by_key(|first| first.left);
    firsts.into_iter().find_map(|first| one_by_one(first, at))
}

/// A set of choices on the way to an explanation.
struct Step {
    chosen: Choices,
    policies: Policies,
    asked: Vec<Policy>,
    /// How many differences are left under them.
    left: usize,
}

impl Step {
    /// Every step that differs in one choice more.
    fn next(&self, at: impl Fn(Choices, Policies) -> Option<Self>) -> impl Iterator<Item = Self> {
        alternatives(&self.policies, self.asked.iter().copied()).filter_map(
            move |(policy, option, policies)| {
                let mut chosen = self.chosen.clone();
                chosen.push((policy, option));
                at(chosen, policies)
            },
        )
    }
}

fn one_by_one(mut step: Step, at: impl Fn(Choices, Policies) -> Option<Step>) -> Option<Choices> {
    while step.left > 0 && step.chosen.len() < MOST {
        let next = step.next(&at).min_by_key(|next| next.left)?;
        if next.left >= step.left {
            return None;
        }
        step = next;
    }
    (step.left == 0).then_some(step.chosen)
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
