//! A program in the place of an adapter that is installed.

use std::fs;
use std::process::Command;

use callfit::adapter::{Adapter, Store};

use crate::example::example;
use crate::shell::Shell;

/// Puts `misbehave FAULT` where the adapter would be installed, in place of its interpreter.
pub fn stand_in(shell: &Shell, adapter: &Adapter, fault: &str) {
    let folder = Store::at(&shell.path("cache")).path(adapter);
    fs::create_dir_all(&folder).unwrap();
    let interpreter = folder.join("interpreter");
    // Another process writes it, because a program cannot be started while a process that this one forks meanwhile still has it open for writing.
    let write = r#"printf '#!/bin/sh\ntouch started\nexec "%s" %s\n' "$2" "$3" > "$1" &&
        chmod +x "$1""#;
    let status = Command::new("/bin/sh")
        .args(["-c", write, "sh"])
        .args([interpreter.as_os_str(), example("misbehave").as_os_str(), fault.as_ref()])
        .status();
    assert!(status.unwrap().success());
    let marker = format!("version = \"1.0.0\"\ninterpreter = \"{}\"\n", interpreter.display());
    fs::write(folder.join("installed.toml"), marker).unwrap();
}
