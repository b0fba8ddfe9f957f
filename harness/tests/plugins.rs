//! The minimal plug-ins that the README shows do what it says they do.

mod common;

use std::path::Path;
use std::process::{Command, Stdio};

use common::{Plugin, json, member, skipped};

#[test]
fn minimal_python() {
    check("minimal.py", &["python3", "python"], "minimal-python");
}

#[test]
fn minimal_node() {
    check("minimal.mjs", &["node"], "minimal-node");
}

fn check(file: &str, interpreters: &[&str], name: &str) {
    let Some(interpreter) = interpreters.iter().find(|program| starts(program)) else {
        skipped(&format!("{file} needs one of {interpreters:?} in PATH"));
        return;
    };
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/plugins").join(file);
    let mut plugin = Plugin::start(Command::new(interpreter).arg(path));

    let about = plugin.ask("initialize", r#"{"protocol":1}"#);
    assert_eq!(member(&about, "result", "protocol"), json("1"));
    assert_eq!(member(&about, "result", "methods"), json(r#"["coerce"]"#));
    let implementation = member(&about, "result", "implementation");
    assert_eq!(implementation.get("name"), Some(&json(&format!("{name:?}"))));

    let schema = r#"{"properties":{"n":{"type":"integer"},"s":{"type":"string"},"any":true}}"#;
    let sent = r#"{"n":"5","s":"5","any":"5","other":"5","separator":"\u2028"}"#;
    let wanted = r#"{"n":5,"s":"5","any":"5","other":"5","separator":"\u2028"}"#;
    assert_eq!(plugin.coerce(schema, sent), json(wanted));
    // Raw, this character ends a line for some readers of lines.
    let raw = "{\"separator\":\"\u{2028}\"}";
    assert_eq!(plugin.coerce(schema, raw), json(raw));
    for unchanged in [r#"{"n":"05"}"#, r#"{"n":"5.5"}"#, r#"{"n":null}"#, "{}"] {
        assert_eq!(plugin.coerce(schema, unchanged), json(unchanged));
    }
    assert_eq!(plugin.coerce("{}", r#"{"n":"5"}"#), json(r#"{"n":"5"}"#));

    let refused = plugin.ask("resolve", r#"{"schema":{},"node":{}}"#);
    assert_eq!(member(&refused, "error", "code"), json("-32601"));
    plugin.finish();
}

fn starts(program: &str) -> bool {
    Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}
