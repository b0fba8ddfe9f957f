//! Embeds the data that the command carries along, so that one binary is the whole suite.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    embed("cases")?;
    embed("adapters")
}

/// Writes `<folder>.rs`: `FILES`, each file under the folder with its path inside and its text.
fn embed(folder: &str) -> io::Result<()> {
    let root = PathBuf::from(variable("CARGO_MANIFEST_DIR")?).join(folder);
    let mut files = Vec::new();
    collect(&root, &mut files)?;
    files.sort();
    let mut code = String::from("pub static FILES: &[(&str, &str)] = &[\n");
    for file in &files {
        let inside = file.strip_prefix(&root).map_err(io::Error::other)?;
        let inside = inside.to_string_lossy().replace('\\', "/");
        let file = file.to_string_lossy();
        writeln!(code, "    ({inside:?}, include_str!({file:?})),").map_err(io::Error::other)?;
    }
    code.push_str("];\n");
    let out = PathBuf::from(variable("OUT_DIR")?);
    fs::write(out.join(format!("{folder}.rs")), code)
}

/// Every file below the folder; hidden ones are left out, as an editor's leftovers are.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    println!("cargo:rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if path.is_dir() {
            collect(&path, files)?;
        } else if !hidden {
            println!("cargo:rerun-if-changed={}", path.display());
            files.push(path);
        }
    }
    Ok(())
}

fn variable(name: &str) -> io::Result<String> {
    env::var(name).map_err(io::Error::other)
}
