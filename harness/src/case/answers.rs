//! The right answers of a case: one, several, or one under each option of a policy.

use callfit_reference::json::Value;

use super::check::{Finding, Slot, value_of};
use super::corpus::{Case, Expect, Policy};
use super::model::{CaseText, Level};
use super::near::did_you_mean;
use super::place::token;
use super::text::Text;

/// The right answers.
pub fn answers(
    text: &CaseText,
    original: Option<&Slot>,
    expect: Option<Slot>,
    policies: &[Policy],
    findings: &mut Vec<Finding>,
) -> Option<Expect> {
    let before = findings.len();
    let expect_pointer = expect.as_ref().map(Slot::pointer);
    let given: Vec<(&str, String)> = [
        ("original", original.map(Slot::pointer)),
        ("expect", expect_pointer),
        ("options", (!text.options.is_empty()).then(|| "/options".to_owned())),
        ("survive", text.survive.then(|| "/survive".to_owned())),
    ]
    .into_iter()
    .filter_map(|(name, pointer)| Some((name, pointer?)))
    .collect();
    if given.is_empty() && text.policy.is_none() {
        findings.push(Finding::missing(
            "the case says no right answer",
            "add `expect`, or `policy` and `options`, or `survive`",
        ));
    }
    for (name, pointer) in given.iter().skip(1) {
        findings.push(Finding::key(
            "fields",
            pointer,
            format!("`{name}` does not go with `{}`", given[0].0),
            "keep one of the two",
        ));
    }
    if !text.also.is_empty() && expect.is_none() {
        findings.push(Finding::key(
            "fields",
            "/also",
            "`also` does not go without `expect`",
            "the first right answer, and the best, is `expect`",
        ));
    }
    check_policy(text, findings);
    let options = policy_options(text, policies, findings);
    let answers: Vec<(String, &str)> = options
        .iter()
        .map(|(name, text)| (format!("/options/{}", token(name)), *text))
        .chain(
            text.also.iter().enumerate().map(|(turn, text)| (format!("/also/{turn}"), text.get())),
        )
        .collect();
    same_answers(expect.as_ref(), &answers, findings);
    if findings.len() > before {
        return None;
    }
    if text.survive {
        return Some(Expect::Anything);
    }
    if let Some(policy) = &text.policy {
        return Some(Expect::Options {
            policy: policy.clone(),
            options: options
                .into_iter()
                .map(|(name, text)| (name, Text::Plain(text.to_owned())))
                .collect(),
        });
    }
    let first = original.map(|slot| slot.text.clone());
    let first = first.or_else(|| expect.map(|slot| slot.text))?;
    let also = text.also.iter().map(|text| Text::Plain(text.get().to_owned()));
    Some(Expect::Values(std::iter::once(first).chain(also).collect()))
}

/// What is wrong with a case's twin, if it names one.
pub fn twin<'a>(case: &Case, find: impl Fn(&str) -> Option<&'a Case>) -> Option<Finding> {
    let id = case.same_as.as_deref()?;
    let finding =
        |message: String, help: &str| Some(Finding::value("twin", "/same_as", message, help));
    if id == case.id {
        return finding(
            "a case is no twin of itself".to_owned(),
            "name the case whose option must be chosen here too, or remove `same_as`",
        );
    }
    let Some(twin) = find(id) else {
        return finding(
            format!("there is no case {id}"),
            "name a case with the same policy and the same options",
        );
    };
    match (&case.expect, &twin.expect) {
        (
            Expect::Options { policy, options },
            Expect::Options { policy: its_policy, options: its_options },
        ) => {
            let names = |options: &[(String, Text)]| -> Vec<String> {
                options.iter().map(|(name, _)| name.clone()).collect()
            };
            if policy != its_policy {
                finding(
                    format!("the twin shows the policy {its_policy}, this case {policy}"),
                    "name a case with the same policy",
                )
            } else if names(options) == names(its_options) {
                None
            } else {
                finding(
                    format!("the twin has the options {}", names(its_options).join(", ")),
                    "give both cases the same options",
                )
            }
        }
        (Expect::Options { policy, .. }, _) => finding(
            format!("the twin leaves no choice; this case shows the policy {policy}"),
            "name a case with the same policy and the same options",
        ),
        // Said already: `same_as` does not belong in a case without options.
        _ => None,
    }
}

/// Checks that what a policy case has stands together.
fn check_policy(text: &CaseText, findings: &mut Vec<Finding>) {
    let has_options = !text.options.is_empty();
    if text.policy.is_some() && !has_options {
        findings.push(Finding::key(
            "one-outcome",
            "/policy",
            "a policy case without `options`",
            "add the answer under each option, two at least",
        ));
    }
    if text.policy.is_none() && has_options {
        findings.push(Finding::key(
            "fields",
            "/options",
            "`options` does not go without `policy`",
            "add the policy of policies.json whose options these are",
        ));
    }
    if text.same_as.is_some() && !has_options {
        findings.push(Finding::key(
            "fields",
            "/same_as",
            "`same_as` does not go without `options`",
            "a twin binds a choice; where there is none, remove it",
        ));
    }
    match (text.level, has_options, &text.same_as) {
        (Level::Policy, false, _) if text.policy.is_none() => findings.push(Finding::value(
            "fields",
            "/level",
            "a policy case without a policy",
            "add `policy` and `options`, or make it a must or a should",
        )),
        (Level::Policy, _, Some(_)) => findings.push(Finding::value(
            "level",
            "/level",
            "a case with a twin leaves no choice",
            "make it a must (or a should)",
        )),
        (Level::Must | Level::Should, true, None) => findings.push(Finding::value(
            "level",
            "/level",
            format!("a {} case leaves no choice, this one has options", text.level.name()),
            "make it a policy case, or name its twin in `same_as`",
        )),
        _ => {}
    }
}

/// The answers under the options of the policy, in its order.
fn policy_options<'a>(
    text: &'a CaseText,
    policies: &[Policy],
    findings: &mut Vec<Finding>,
) -> Vec<(String, &'a str)> {
    let Some(name) = &text.policy else {
        return Vec::new();
    };
    let Some(policy) = policies.iter().find(|policy| policy.id == *name) else {
        let ids = policies.iter().map(|policy| policy.id.as_str());
        findings.push(Finding::value(
            "unknown-policy",
            "/policy",
            format!("there is no policy `{name}`"),
            did_you_mean(name, ids, "policies.json lists the policies"),
        ));
        return Vec::new();
    };
    let known: Vec<&str> = policy.options.iter().map(|option| option.id.as_str()).collect();
    for option in text.options.keys() {
        if !known.contains(&option.as_str()) {
            findings.push(Finding::key(
                "unknown-option",
                format!("/options/{}", token(option)),
                format!("the policy {name} has no option `{option}`"),
                format!("its options are {}", known.join(", ")),
            ));
        }
    }
    if text.options.len() == 1 {
        findings.push(Finding::key(
            "one-outcome",
            "/options",
            "a policy case with one outcome",
            format!("add the answer under another option of {name}: {}", known.join(", ")),
        ));
    }
    known
        .into_iter()
        .filter_map(|option| Some((option.to_owned(), text.options.get(option)?.get())))
        .collect()
}

/// Finds answers that repeat one before them: an option that cannot be told from another, an alternative that is none.
fn same_answers(expect: Option<&Slot>, answers: &[(String, &str)], findings: &mut Vec<Finding>) {
    let mut known: Vec<(String, Value)> = Vec::new();
    if let Some(slot) = expect.filter(|slot| !slot.text.is_recipe())
        && let Ok(value) = value_of(slot.text.text())
    {
        known.push((slot.pointer(), value));
    }
    for (pointer, text) in answers {
        let Ok(value) = value_of(text) else {
            continue;
        };
        let before = known.iter().find(|(_, other)| *other == value);
        if let Some((other, _)) = before {
            findings.push(Finding::value(
                "same-answer",
                pointer,
                format!("this answer is that of `{}`", &other[1..]),
                "answers are compared by value; keep one, or find arguments that tell them apart",
            ));
        } else {
            known.push((pointer.clone(), value));
        }
    }
}
