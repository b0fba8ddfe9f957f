//! Workflows and the action are YAML, name versions of what they use, and hand inputs to scripts as data.

use std::collections::BTreeSet;

use saphyr::{LoadableYamlNode as _, Yaml};
use serde_json::{Map, Value};

use crate::pages::code_blocks;
use crate::{file, files};

/// Every workflow and every part of one that is shown, with the place it stands in.
fn workflows() -> Vec<(String, Value)> {
    let mut texts = vec![("action.yml".to_owned(), file("action.yml"))];
    for path in [files("docs"), files(".github/workflows"), vec!["README.md".to_owned()]].concat() {
        let text = file(&path);
        if path.rsplit_once('.').is_some_and(|(_, ending)| ending == "yml") {
            texts.push((path, text));
        } else if path.rsplit_once('.').is_some_and(|(_, ending)| ending == "md") {
            texts.extend(code_blocks(&text, "yaml").into_iter().map(|block| (path.clone(), block)));
        }
    }
    texts.into_iter().map(|(path, text)| (path.clone(), yaml(&path, &text))).collect()
}

#[test]
fn what_is_used_has_a_version() {
    let mut names = BTreeSet::new();
    for (path, workflow) in workflows() {
        for step in steps(&workflow) {
            let Some(uses) = step["uses"].as_str() else { continue };
            let (name, version) = uses.split_once('@').unwrap_or((uses, ""));
            let plain = version.strip_prefix('v').unwrap_or(version);
            let is_version = plain.split('.').all(|part| part.parse::<u32>().is_ok());
            let is_commit = version.len() == 40 && version.bytes().all(|it| it.is_ascii_hexdigit());
            // This action's refs are toolchains: a nightly one, or that of the input.
            let is_toolchain = name == "dtolnay/rust-toolchain"
                && (version == "nightly" || step["with"]["toolchain"].is_string());
            assert!(is_version || is_commit || is_toolchain, "{path} uses {uses}");
            names.insert(name.to_owned());
        }
    }
    assert!(names.contains("callfit/callfit") && names.len() > 8, "{names:?}");
}

#[test]
fn no_script_holds_an_expression() {
    let mut scripts = 0;
    for (path, workflow) in workflows() {
        for script in steps(&workflow).iter().filter_map(|step| step["run"].as_str()) {
            assert!(!script.contains("${{"), "{path}: give it by `env`: {script}");
            scripts += 1;
        }
    }
    assert!(scripts > 8, "only {scripts} scripts were found");
}

#[test]
fn inputs_of_the_action_are_known() {
    let action = yaml("action.yml", &file("action.yml"));
    let known = action["inputs"].as_object().expect("inputs");
    let mut given = 0;
    for (path, workflow) in workflows() {
        for step in steps(&workflow) {
            if !step["uses"].as_str().is_some_and(|uses| uses.starts_with("callfit/callfit@")) {
                continue;
            }
            for name in step["with"].as_object().expect("inputs").keys() {
                assert!(known.contains_key(name), "{path}: there is no input {name}");
                given += 1;
            }
        }
    }
    assert!(given > 8, "only {given} inputs were found");
    let page = file("docs/ci/README.md");
    let text = file("action.yml");
    for name in known.keys() {
        assert!(page.contains(&format!("`{name}`")), "docs/ci/README.md does not tell {name}");
        assert!(text.contains(&format!("inputs.{name} ")), "nothing takes the input {name}");
    }
    for step in steps(&action) {
        assert_eq!(step["run"].is_string(), step["shell"] == "bash", "{step}");
    }
}

/// Every object that is a step, wherever it stands.
pub(crate) fn steps(workflow: &Value) -> Vec<Value> {
    let mut steps = Vec::new();
    let mut left = vec![workflow];
    while let Some(value) = left.pop() {
        match value {
            Value::Array(items) => left.extend(items.iter().rev()),
            Value::Object(members) => {
                let is = |name| members.get(name).is_some_and(Value::is_string);
                if is("uses") || is("run") {
                    steps.push(value.clone());
                }
                left.extend(members.values().rev());
            }
            _ => {}
        }
    }
    steps
}

/// The one document in this text.
pub(crate) fn yaml(path: &str, text: &str) -> Value {
    let documents = Yaml::load_from_str(text).unwrap_or_else(|error| panic!("{path}: {error}"));
    assert_eq!(documents.len(), 1, "{path}");
    plain(&documents[0])
}

fn plain(yaml: &Yaml<'_>) -> Value {
    match yaml {
        Yaml::Sequence(items) => items.iter().map(plain).collect(),
        Yaml::Mapping(members) => {
            let member = |(name, value)| (text(name), plain(value));
            members.iter().map(member).collect::<Map<_, _>>().into()
        }
        scalar if scalar.as_str().is_some() => text(scalar).into(),
        // Which number or word it is matters to no test.
        _ => Value::Null,
    }
}

fn text(yaml: &Yaml<'_>) -> String {
    yaml.as_str().expect("a text").to_owned()
}
