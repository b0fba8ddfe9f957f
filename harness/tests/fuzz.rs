//! Fuzzing as its users meet it: what is found, how small it becomes, and what is no finding.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use callfit::Reference;
use callfit::case::{Corpus, Level, lint};
use callfit::fuzz::{self, Finding, Oracle, Outcome, Plan, Problem, State, campaign};
use callfit::implementation::{About, Coercer, CoercerError, Door, Method, Settings};
use callfit_reference::json::{Number, Value, parse};
use callfit_reference::{Coercer as Compiled, Policies, Profile};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The reference with a fault done to its answers.
struct Faulty {
    name: &'static str,
    fault: fn(&Value, &Value, Value) -> Value,
}

impl Coercer for Faulty {
    fn about(&self) -> About {
        About::named(self.name)
    }

    fn coerce(&self, schema: &str, arguments: &str) -> Result<String, CoercerError> {
        let (schema, arguments) = (parse(schema).unwrap(), parse(arguments).unwrap());
        let answer = Compiled::new(&schema).coerce(arguments.clone()).unwrap();
        Ok((self.fault)(&schema, &arguments, answer).to_string())
    }
}

fn plan(folder: &Path, trials: u64) -> Plan {
    Plan {
        seed: 1,
        // The number of trials is the limit, so that a slow machine finds the same.
        time: Duration::from_secs(3600),
        trials,
        grace: Duration::from_secs(3600),
        folder: folder.to_owned(),
        policies: Policies::default(),
        other: None,
        is_reference: false,
        replay: Arc::new(|file| format!("again {}", file.display())),
    }
}

fn run(coercer: impl Coercer + 'static, trials: u64) -> (tempfile::TempDir, Outcome) {
    let folder = tempfile::tempdir().unwrap();
    let door = Door::InProcess(Arc::new(coercer));
    let (outcome, end) =
        campaign(&plan(folder.path(), trials), &door, &Settings::default(), |_| {}).unwrap();
    end.unwrap();
    (folder, outcome)
}

/// Every number in a value through a double.
fn rounded(value: &Value) -> Value {
    match value {
        Value::Number(number) => {
            let double = number.to_f64();
            Number::new(&format!("{double}")).map_or(Value::Null, Value::Number)
        }
        Value::Array(elements) => elements.iter().map(rounded).collect::<Vec<_>>().into(),
        Value::Object(members) => {
            let mut copy = members.clone();
            copy.values_mut().for_each(|value| *value = rounded(value));
            copy.into()
        }
        other => other.clone(),
    }
}

#[test]
fn a_fault_is_found_made_small_and_written() {
    let (folder, outcome) =
        run(Faulty { name: "rounding", fault: |_, _, answer| rounded(&answer) }, 100);
    let finding = outcome
        .findings
        .iter()
        .find(|finding| finding.fault.group.starts_with("damaged: exact"))
        .unwrap();
    assert_eq!(finding.state, State::Minimal);
    assert!(finding.problem.size() < 40, "{}", finding.problem);
    assert_eq!(Finding::read(&finding.path).unwrap(), *finding);
    assert_eq!(Finding::all_in(folder.path()).unwrap(), outcome.findings);
    assert!(outcome.rates.referring * 2 > outcome.rates.trials, "{:?}", outcome.rates);
    assert!(outcome.rates.converted * 8 > outcome.rates.trials, "{:?}", outcome.rates);
}

#[test]
fn a_crash_is_a_finding_and_the_campaign_goes_on() {
    let fault = |schema: &Value, _: &Value, answer: Value| {
        assert!(!schema.to_string().contains("oneOf"), "no oneOf here");
        answer
    };
    let (_folder, outcome) = run(Faulty { name: "crashing", fault }, 200);
    let crash = outcome.findings.iter().find(|finding| finding.fault.oracle == Oracle::Crash);
    let crash = crash.unwrap();
    assert!(crash.problem.size() < 40, "{}", crash.problem);
    assert_eq!(outcome.rates.trials, 200);
}

#[test]
fn the_same_seed_finds_the_same() {
    let found = || {
        let coercer = Faulty { name: "keeping", fault: |_, sent, _| sent.clone() };
        let (_folder, outcome) = run(coercer, 40);
        let findings = outcome.findings.into_iter();
        findings.map(|finding| (finding.trial, finding.problem)).collect::<Vec<_>>()
    };
    let first = found();
    assert!(!first.is_empty());
    assert_eq!(first, found());
}

#[test]
fn the_reference_has_no_findings() {
    let folder = tempfile::tempdir().unwrap();
    let plan = Plan { is_reference: true, ..plan(folder.path(), 1_000) };
    let door = Door::InProcess(Arc::new(Reference::new(Profile::Recommended)));
    let (outcome, _) = campaign(&plan, &door, &Settings::default(), |_| {}).unwrap();
    let told: Vec<_> = outcome.findings.iter().map(|f| (&f.fault.group, &f.problem)).collect();
    assert!(told.is_empty(), "{told:#?}");
}

/// The reference as another implementation: one that offers so much of what it can.
struct Right {
    reference: Reference,
    about: fn() -> About,
}

impl Coercer for Right {
    fn about(&self) -> About {
        (self.about)()
    }

    fn coerce(&self, schema: &str, arguments: &str) -> Result<String, CoercerError> {
        if self.about().restores_keys() {
            return self.reference.coerce(schema, arguments);
        }
        let plain = Compiled::new(&parse(schema).unwrap());
        Ok(plain.coerce(parse(arguments).unwrap()).unwrap().to_string())
    }

    fn resolve(&self, schema: &str, node: &str) -> Result<String, CoercerError> {
        self.reference.resolve(schema, node)
    }

    fn sanitize(&self, schema: &str) -> Result<String, CoercerError> {
        self.reference.sanitize(schema)
    }
}

/// Whatever it offers, names that a provider was shown among it.
#[test]
fn what_is_right_has_no_findings() {
    let offers: [fn() -> About; 3] = [
        || About::named("coercing"),
        || About::named("restoring").restoring_keys(),
        || {
            let about = About::named("all").restoring_keys();
            about.offering(Method::Resolve).offering(Method::Sanitize)
        },
    ];
    for about in offers {
        let reference = Reference::new(Profile::Recommended);
        let (_folder, outcome) = run(Right { reference, about }, 500);
        let told: Vec<_> = outcome.findings.iter().map(|f| (&f.fault.group, &f.problem)).collect();
        assert!(told.is_empty(), "{}: {told:#?}", about().name);
    }
}

/// What other profiles choose is explained by policies.
#[test]
fn a_policy_is_no_finding() {
    for profile in [Profile::Seed, Profile::Lenient] {
        let (_folder, outcome) = run(Reference::new(profile), 500);
        let told: Vec<_> = outcome
            .findings
            .iter()
            .map(|f| (&f.fault.group, &f.fault.message, &f.problem))
            .collect();
        assert!(told.is_empty(), "{}: {told:#?}", profile.name());
        assert!(outcome.policies.len() > 5, "{:?}", outcome.policies);
    }
}

#[test]
fn a_finding_becomes_a_case() {
    let (_folder, outcome) = run(Faulty { name: "keeping", fault: |_, sent, _| sent.clone() }, 30);
    let finding = outcome.findings.iter().find(|f| f.fault.oracle == Oracle::Differs).unwrap();
    let cases = tempfile::tempdir().unwrap();
    let created =
        fuzz::promote(finding, cases.path(), "coerce/found/kept", "int", Level::Must).unwrap();
    assert_eq!(created.line, 5);
    let problems: Vec<String> =
        lint(cases.path()).unwrap().iter().map(|problem| problem.rule.to_owned()).collect();
    // What is left to its author.
    assert!(problems.contains(&"description".to_owned()), "{problems:?}");
    let text = fs::read_to_string(&created.path).unwrap();
    assert!(text.contains(&format!("seed 1 trial {}", finding.trial)), "{text}");
    let other = fuzz::promote(finding, cases.path(), "resolve/found/kept", "int", Level::Must);
    assert!(other.unwrap_err().to_string().contains("coerce/ or restore/"));
}

#[test]
fn every_oracle_stands_on_a_clause() {
    let spec = include_str!("../../SPEC.md");
    for oracle in Oracle::ALL {
        let anchor = format!("<a id=\"{}\">", oracle.clause());
        assert!(spec.contains(&anchor), "{}: {anchor}", oracle.name());
        assert_eq!(Oracle::from_name(oracle.name()), Some(oracle));
    }
}

/// Rare kinds are made too, and the large ones only now and then.
#[test]
fn problems_of_every_kind_are_made() {
    const OF: usize = 4_000;
    let problems: Vec<(String, String)> = (0..OF)
        .map(|seed| {
            let mut random = ChaCha8Rng::seed_from_u64(seed as u64);
            let mut bytes = [0; 1024];
            random.fill_bytes(&mut bytes);
            let problem = fuzz::generate(&bytes);
            (problem.schema.to_string(), problem.subject.to_string())
        })
        .collect();
    let many = |of_many: usize, is: &dyn Fn(&str, &str) -> bool| {
        let count = problems.iter().filter(|(schema, sent)| is(schema, sent)).count();
        assert!(count * of_many >= OF, "only {count} of {OF}, not one of {of_many}");
        count
    };
    many(8, &|schema, _| schema.contains("\"first name\"") || schema.contains("\"a b\""));
    many(200, &|_, sent| sent.contains("first_name"));
    many(100, &|schema, _| schema.contains("definitions") && schema.contains("$defs"));
    many(100, &|schema, _| schema.contains("\"then\""));
    many(100, &|schema, _| schema.contains("\"dependentRequired\""));
    many(200, &|schema, _| schema.contains("\"$id\""));
    many(200, &|schema, _| schema.contains("\"enum\":[]"));
    let wide = many(1_000, &|schema, _| schema.contains("\"const\":64"));
    let deep = many(1_000, &|_, sent| sent.contains(&"[".repeat(1_000)));
    assert!((wide + deep) * 100 < problems.len(), "{wide} wide and {deep} deep");
}

/// Whatever bytes a fuzzing engine gives, a problem is made, and it is read back as it is written.
#[test]
fn a_problem_is_read_as_it_is_written() {
    for length in [0_u16, 1, 7, 64, 500] {
        let bytes: Vec<u8> = (0..length).map(|at| at.wrapping_mul(37).to_le_bytes()[0]).collect();
        let problem = fuzz::generate(&bytes);
        assert_eq!(Problem::read(&problem.to_string()), Some(problem.clone()));
        assert_eq!(fuzz::problem_of(problem.to_string().as_bytes()), problem);
    }
}

/// A schema need not be an object, and then there is nothing in it to be changed but all of it.
#[test]
fn a_mutated_problem_is_a_problem() {
    for schema in ["true", "[]", "5", r#"{"type":"integer"}"#] {
        for method in ["", r#""method":"sanitize","#] {
            let text = format!(r#"{{{method}"schema":{schema},"arguments":{{"n":"5"}}}}"#);
            for seed in 0..50 {
                let mut data = vec![0; 4096];
                data[..text.len()].copy_from_slice(text.as_bytes());
                let size = fuzz::mutate(&mut data, text.len(), 4096, seed);
                if let Some(size) = size {
                    let text = std::str::from_utf8(&data[..size]).unwrap();
                    assert!(Problem::read(text).is_some(), "{text}");
                }
            }
        }
    }
}

/// What targets of cargo-fuzz found, and what was mended since.
#[test]
fn what_was_found_stays_mended() {
    let reference = Reference::new(Profile::Recommended);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/regressions");
    let mut count = 0;
    for target in fs::read_dir(folder).unwrap() {
        let target = target.unwrap().path();
        let name = target.file_name().unwrap().to_str().unwrap().to_owned();
        for input in fs::read_dir(&target).unwrap() {
            let data = fs::read(input.unwrap().path()).unwrap();
            match name.as_str() {
                "pointer" => fuzz::check_pointer(&data),
                "resolve" => fuzz::check_resolving(&reference, &data),
                "coerce" => fuzz::check(&reference, &data),
                "sanitize" => fuzz::check_sanitizing(&reference, &data),
                "differential" => fuzz::check_differential(&data),
                "case_file" => fuzz::check_case_file(&data),
                "wire" => fuzz::check_wire(&data),
                other => panic!("there is no target {other}"),
            }
            count += 1;
        }
    }
    assert!(count > 0);
}

#[test]
fn seeds_are_problems() {
    let folder = tempfile::tempdir().unwrap();
    let counts = fuzz::write_seeds(&Corpus::embedded().unwrap(), folder.path()).unwrap();
    for target in
        ["pointer", "resolve", "coerce", "sanitize", "differential", "case_file", "wire", "parse"]
    {
        assert!(counts[target] > 50, "{target}: {counts:?}");
    }
    for file in fs::read_dir(folder.path().join("coerce")).unwrap().take(100) {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        assert_eq!(Problem::read(&text).unwrap().to_string(), text);
    }
}
