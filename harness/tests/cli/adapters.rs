//! `callfit adapters check`: what is wrong with an adapter that somebody writes.

use callfit::adapter::Adapter;

use crate::shell::Shell;
use crate::stand_in::stand_in;

const MANIFEST: &str = r#"
name = "mine"
version = "1.0.0"
language = "python"
homepage = "https://example.com"
description = "Mine."
faithfulness = "None."
numbers = "Exact."
methods = ["coerce", "resolve"]
features = []

[install]
kind = "python"
package = "mine"
megabytes = 1
lock = "requirements.txt"
at_least = "3.11"

[run]
command = ["{python}", "{folder}/shim.py"]
"#;

#[test]
fn what_is_wrong_is_told_with_the_mend() {
    let shell = with("mine==0.9.0\n", "echo");
    insta::assert_snapshot!(shell.session(&["adapters check mine"]));
}

#[test]
fn what_crashes_is_told() {
    let shell = with("mine==1.0.0 --hash=sha256:0\n", "abort after 0");
    insta::assert_snapshot!(shell.session(&["adapters check mine"]));
}

#[test]
fn what_is_no_adapter_is_told() {
    let shell = Shell::new();
    shell.write("odd/adapter.toml", "name = 1\n");
    insta::assert_snapshot!(shell.session(&[
        "adapters check .",
        "adapters check odd",
        "adapters check gone"
    ]));
}

/// A shell with an adapter in the folder `mine`, in place of which a program answers that misbehaves so.
fn with(lock: &str, fault: &str) -> Shell {
    let shell = Shell::new();
    let files = [("adapter.toml", MANIFEST), ("requirements.txt", lock), ("shim.py", "pass\n")];
    let files = files.map(|(name, text)| {
        shell.write(&format!("mine/{name}"), text);
        (name.to_owned(), text.to_owned())
    });
    let [adapter] = &Adapter::from_files("mine", files.to_vec()).unwrap()[..] else {
        panic!("one adapter")
    };
    stand_in(&shell, adapter, fault);
    shell
}
