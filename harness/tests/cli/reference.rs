//! The reference by hand: `callfit coerce` and `callfit serve`.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

use crate::shell::Shell;

const SCHEMA: &str =
    r#"{ "properties": { "n": { "type": "integer" }, "a b": { "type": "integer" } } }"#;

#[test]
fn coerce() {
    let shell = Shell::new();
    shell.write("schema.json", SCHEMA);
    shell.write("text.json", r#"{ "n": "5", "a_b": "6", "big": 18446744073709551616.0 }"#);
    shell.write("comma.json", r#"{ "n": "1,000" }"#);
    shell.write("broken.json", "{\n  \"n\": \"5\",\n}\n");
    insta::assert_snapshot!(shell.session(&[
        "coerce --schema schema.json --arguments text.json",
        "coerce --schema schema.json --arguments text.json --restore-keys",
        "coerce --schema schema.json --arguments comma.json",
        "coerce --schema schema.json --arguments comma.json --profile lenient",
        "coerce --schema schema.json --arguments broken.json",
        "coerce --schema none.json --arguments text.json",
        "coerce --schema - --arguments -",
        "coerce --schema schema.json",
    ]));
    let output = shell.pipe("coerce --schema schema.json --arguments -", br#"{"n":"7"}"#);
    assert_eq!(output.stdout, b"{\"n\":7}\n");
    let output = shell.pipe("coerce --schema - --arguments text.json", b"{]");
    insta::assert_snapshot!("stdin_broken", shell.told(&output));
}

#[test]
fn serve_answers_each_line() {
    let requests = [
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocol":1}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"coerce","params":{"schema":{"properties":{"n":{"type":"integer"}}},"arguments":{"n":"5","x":1.0}}}"#,
        "",
        r##"{"jsonrpc":"2.0","id":"two","method":"resolve","params":{"schema":{"$defs":{"N":{"type":"integer"}}},"node":{"$ref":"#/$defs/N"}}}"##,
        r#"{"jsonrpc":"2.0","id":3.0,"method":"sanitize","params":{"schema":{"properties":{"a b":true}}}}"#,
        r#"{"jsonrpc":"2.0","method":"coerce","params":{"schema":{},"arguments":{}}}"#,
        r#"{"jsonrpc":"2.0","id":4,"method":"coerce","params":{"schema":{}}}"#,
        r#"{"jsonrpc":"2.0","id":5,"method":"coerce","params":[]}"#,
        r#"{"jsonrpc":"2.0","id":6,"method":"corece","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":7,"params":{}}"#,
        r#"{"id":8,"method":"coerce"}"#,
        r#"{"jsonrpc":"2.0","id":{},"method":"coerce"}"#,
        r#"[{"jsonrpc":"2.0","id":9,"method":"coerce"}]"#,
        "5",
        r#"{"jsonrpc":"2.0","id":10,"method":"coerce","params":{"#,
        r#"{"jsonrpc":"2.0","id":11,"method":"coerce","params":{"schema":{},"arguments":"\ud800"}}"#,
        "hello",
        r#"{"jsonrpc":"2.0","id":12,"method":"initialize","params":{"protocol":2}}"#,
        r#"{"jsonrpc":"2.0","id":13,"method":"coerce","params":{"schema":{},"arguments":{"id":18446744073709551616}}}"#,
    ];
    let shell = Shell::new();
    let output = shell.pipe("serve", requests.join("\n").as_bytes());
    let mut told = String::new();
    for request in requests {
        let _ = writeln!(told, "-> {request}");
    }
    insta::assert_snapshot!(told + &shell.told(&output));
    let output = shell.pipe("serve", b"\xff\n");
    insta::assert_snapshot!("serve_no_utf8", shell.told(&output));
}

#[test]
fn serve_answers_before_the_next_request_comes() {
    let shell = Shell::new();
    let mut child = shell
        .command(&["serve", "--profile", "lenient"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for turn in 0..3 {
        let params =
            r#"{"schema":{"properties":{"n":{"type":"integer"}}},"arguments":{"n":"1,000"}}"#;
        writeln!(stdin, r#"{{"jsonrpc":"2.0","id":{turn},"method":"coerce","params":{params}}}"#)
            .unwrap();
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        assert_eq!(
            line,
            format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":{turn},\"result\":{{\"arguments\":{{\"n\":1000}}}}}}\n"
            )
        );
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn serve_survives_depth() {
    let shell = Shell::new();
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    let line = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"coerce","params":{{"schema":{{}},"arguments":{{"v":{deep}}}}}}}"#
    );
    let output = shell.pipe("serve", line.as_bytes());
    let expected =
        format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{{\"arguments\":{{\"v\":{deep}}}}}}}\n");
    assert!(output.status.success() && output.stdout == expected.as_bytes());
}

#[test]
fn the_reference_over_the_wire_is_the_reference() {
    let shell = Shell::new();
    let words =
        ["run", "--cases", "cases", "--quiet", "--", env!("CARGO_BIN_EXE_callfit"), "serve"];
    let output = shell.command(&words).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", shell.told(&output));
}
