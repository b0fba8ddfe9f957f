//! What changed between two runs, for a terminal and for a comment.

use callfit::case::Level;
use callfit::report::diff::Changes;
use callfit::run::{Record, Verdict};
use proptest::prelude::*;

use crate::hostile::{commands, hostile, structure};
use crate::rich::{EVIL, case, find, rich_record};

#[test]
fn text() {
    let (old, new) = two_runs(EVIL);
    let changes = Changes::between(&old, &new);
    insta::assert_snapshot!("difference_of_two_reports", changes.text());
    assert!(changes.is_broken());
}

#[test]
fn markdown() {
    let (old, new) = two_runs(EVIL);
    insta::assert_snapshot!("difference_in_markdown", Changes::between(&old, &new).markdown());
}

#[test]
fn nothing_changed() {
    let (run, _) = two_runs("");
    let changes = Changes::between(&run, &run);
    assert!(!changes.is_broken());
    let text = changes.text();
    assert!(text.ends_with("\n\n15 cases unchanged\n"), "{text}");
    assert!(!text.contains("different"), "{text}");
    let mut edited = run.clone();
    edited.corpus.digest = "fedcba98".repeat(8);
    let text = Changes::between(&run, &edited).text();
    assert!(text.contains("\nnote: different texts of cases (digests): 0123abcd -> fedcba98\n"));
}

#[test]
fn what_was_fixed_is_not_broken() {
    let (new, old) = two_runs("");
    let changes = Changes::between(&old, &new);
    assert!(changes.text().contains("\nfixed (1)\n  coerce/spelling/zeros-twin  policy  timeout"));
    let broken = "\nbroken (1)\n  coerce/integer/plain  must  pass -> fail: /count: expected";
    assert!(changes.text().contains(broken), "{}", changes.text());
}

#[test]
fn a_comment_is_not_too_long() {
    let mut old = rich_record("");
    let template = old.cases[1].clone();
    for number in 0..5000 {
        let mut case = template.clone();
        case.id = format!("coerce/integer/number-{number}");
        old.cases.push(case);
    }
    let mut new = old.clone();
    for case in &mut new.cases {
        case.verdict = if case.verdict == Verdict::Pass { Verdict::Fail } else { Verdict::Pass };
    }
    let comment = Changes::between(&old, &new).markdown();
    assert!(comment.chars().count() < 65_536, "{} characters", comment.chars().count());
    assert!(comment.contains(" more.\n"), "what is left out is told");
    assert_eq!(structure(&comment).pop().as_deref(), Some("End(HtmlBlock)"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn keeps_its_shape(evil in hostile()) {
        let ((old, new), (benign_old, benign_new)) = (two_runs(&evil), two_runs(""));
        let (changes, benign) =
            (Changes::between(&old, &new), Changes::between(&benign_old, &benign_new));
        prop_assert_eq!(commands(&changes.text()), Vec::<char>::new());
        prop_assert_eq!(changes.text().lines().count(), benign.text().lines().count());
        let (text, benign) = (changes.markdown(), benign.markdown());
        prop_assert_eq!(commands(&text), Vec::<char>::new());
        prop_assert_eq!(structure(&text), structure(&benign), "{}", text);
    }
}

/// Two runs with a change of every kind between them.
fn two_runs(evil: &str) -> (Record, Record) {
    let old = rich_record(evil);
    let mut new = old.clone();
    new.implementation.name = format!("other {evil}");
    new.implementation.version = Some("0.20.0".to_owned());
    new.corpus.version.push_str("-next");
    new.chosen.shard = None;
    new.strict = true;
    new.cut_short = None;
    new.cases.remove(0);
    new.cases[0].verdict = Verdict::Pass;
    find(&mut new, "coerce/spelling/zeros-plain").option = Some("convert".to_owned());
    find(&mut new, "coerce/spelling/zeros-twin").option = None;
    find(&mut new, "coerce/spelling/zeros-twin").verdict = Verdict::Timeout;
    find(&mut new, "resolve/pointer/hangs").verdict = Verdict::Crash;
    find(&mut new, "resolve/pointer/root").message = Some(format!("ended by signal 6 {evil}"));
    new.cases.push(case("coerce/spelling/new", Level::Must, Verdict::Pass));
    (old, new)
}
