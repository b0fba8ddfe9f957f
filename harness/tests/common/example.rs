//! The examples as programs.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

/// An example, built if it is not there as it stands in the source: `cargo test --test` leaves examples out.
pub fn example(name: &str) -> PathBuf {
    static BUILDING: Mutex<()> = Mutex::new(());
    let test = std::env::current_exe().expect("the path of this test");
    let profile = test.ancestors().nth(2).expect("target/<profile>/deps/<test>");
    let program = profile.join("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let source = format!("{}/examples/{name}.rs", env!("CARGO_MANIFEST_DIR"));
    let age = |path: &Path| path.metadata().and_then(|data| data.modified()).ok();
    let _turn = BUILDING.lock().unwrap_or_else(PoisonError::into_inner);
    if age(&program) < age(Path::new(&source)) {
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--package", "callfit", "--example", name]);
        if profile.ends_with("release") {
            build.arg("--release");
        }
        assert!(build.status().expect("cargo").success(), "the example builds");
    }
    program
}
