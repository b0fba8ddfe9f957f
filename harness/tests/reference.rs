//! The reference against the corpus, under each profile and each option of each policy.

use std::fmt::Write as _;
use std::sync::Arc;

use callfit::Reference;
use callfit::case::{Case, Corpus, Expect, Level};
use callfit::implementation::{Door, Settings};
use callfit::run::{CaseRecord, Plan, Verdict, conduct};
use callfit_reference::json::parse;
use callfit_reference::{Names, Policies, Policy, Profile};

fn run(corpus: &Corpus, cases: &[&Case], policies: Policies) -> Vec<CaseRecord> {
    let plan = Plan {
        corpus,
        cases,
        door: Door::InProcess(Arc::new(Reference::with_policies("reference", policies))),
        settings: Settings {
            jobs: 2,
            timeout: std::time::Duration::from_secs(60),
            ..Settings::default()
        },
        command: Vec::new(),
        strict: true,
    };
    let (record, end) = conduct(&plan, str::to_owned, |_| {});
    end.expect("the reference runs");
    assert_eq!(record.cut_short, None);
    record.cases
}

/// Tells each bad case in a few lines.
fn tell(records: &[CaseRecord]) -> String {
    let mut told = String::new();
    for case in records {
        let CaseRecord { id, verdict, message, laws, differences, .. } = case;
        let _ = writeln!(told, "{id}: {verdict:?} {message:?}");
        for law in laws {
            let _ = writeln!(told, "    {}: {}", law.law, law.message);
        }
        for difference in differences {
            let _ = writeln!(
                told,
                "    {}: {} / {}",
                difference.pointer, difference.expected, difference.actual
            );
        }
    }
    told
}

fn bad(records: Vec<CaseRecord>, counts: impl Fn(&CaseRecord) -> bool) -> Vec<CaseRecord> {
    records.into_iter().filter(|case| case.verdict != Verdict::Pass && counts(case)).collect()
}

#[test]
fn recommended_passes_everything_with_its_own_options() {
    let corpus = Corpus::embedded().unwrap();
    let cases: Vec<&Case> = corpus.cases.iter().collect();
    let records = run(&corpus, &cases, Policies::default());
    for record in &records {
        if let Some(policy) = &record.policy {
            let policy = corpus.policy(policy).unwrap();
            assert_eq!(
                record.option.as_deref().unwrap_or(&policy.profiles.recommended),
                policy.profiles.recommended,
                "{}",
                record.id
            );
        }
    }
    let bad = bad(records, |_| true);
    assert!(bad.is_empty(), "{} bad\n{}", bad.len(), tell(&bad));
}

#[test]
fn seed_and_lenient_pass_every_must() {
    let corpus = Corpus::embedded().unwrap();
    let cases: Vec<&Case> = corpus.cases.iter().collect();
    for profile in [Profile::Seed, Profile::Lenient] {
        let bad = bad(run(&corpus, &cases, profile.into()), |case| case.level == Level::Must);
        assert!(bad.is_empty(), "{profile:?}: {} bad\n{}", bad.len(), tell(&bad));
    }
}

/// A case that lists what an option leads to is right about it: the reference, set to that option, answers so.
#[test]
fn every_listed_option_is_what_the_reference_answers_under_it() {
    let corpus = Corpus::embedded().unwrap();
    let mut wrong = String::new();
    for policy in Policy::ALL {
        for choice in policy.options() {
            let cases: Vec<&Case> = corpus
                .cases
                .iter()
                .filter(|case| match &case.expect {
                    Expect::Options { policy: cited, options } => {
                        cited == policy.id()
                            && options.iter().any(|(option, _)| option == choice.id())
                    }
                    _ => false,
                })
                .collect();
            let policies = Policies::default().with(policy.id(), choice.id()).unwrap();
            for record in run(&corpus, &cases, policies) {
                if record.option.as_deref() != Some(choice.id()) {
                    let _ = writeln!(
                        wrong,
                        "{}={}: chose {:?}",
                        policy.id(),
                        choice.id(),
                        record.option
                    );
                    wrong.push_str(&tell(&[record]));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// `cases/policies.json` and the reference have the same policies, options and profiles, in the same order.
#[test]
fn policies_are_the_same_in_data_and_code() {
    let corpus = Corpus::embedded().unwrap();
    let data: Vec<_> = corpus
        .policies
        .iter()
        .map(|policy| {
            let options: Vec<&str> =
                policy.options.iter().map(|option| option.id.as_str()).collect();
            let profiles = &policy.profiles;
            (
                policy.id.as_str(),
                options,
                [profiles.recommended.as_str(), &profiles.seed, &profiles.lenient],
            )
        })
        .collect();
    let code: Vec<_> = Policy::ALL
        .into_iter()
        .map(|policy| {
            let options: Vec<&str> = policy.options().iter().map(|choice| choice.id()).collect();
            (policy.id(), options, Profile::ALL.map(|profile| policy.chosen_by(profile).id()))
        })
        .collect();
    assert_eq!(data, code);
}

/// A round trip is sent under the names that a provider was given, not under the tool's own.
#[test]
fn a_round_trip_is_sent_renamed() {
    let corpus = Corpus::embedded().unwrap();
    let mut renamed = 0;
    let trips: Vec<&Case> =
        corpus.cases.iter().filter(|case| case.round_trip && !case.schema.is_recipe()).collect();
    for case in &trips {
        let schema = parse(case.schema.text()).unwrap();
        let names = Names::of(&schema, &Policies::default());
        let sent = callfit::run::request(case, &names).subject.unwrap();
        let original = parse(case.subject.as_ref().unwrap().text()).unwrap();
        renamed += usize::from(parse(&sent).unwrap() != original);
    }
    assert!(renamed * 10 > trips.len() * 8, "only {renamed} of {} are renamed", trips.len());
}
