//! How an adapter is installed: the interpreter is looked for, then its own tools fill the folder.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;

use super::AdapterError;
use super::manifest::{Install, InterpreterVersion, Kind, Manifest};
use super::store::Marker;

/// How much of a failed command's output an error quotes.
const QUOTED_LINES: usize = 12;

const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };

/// One installation.
pub(super) struct Work<'a> {
    /// What is installed.
    pub manifest: &'a Manifest,
    /// Where.
    pub folder: &'a Path,
    /// Where programs are looked for, if not in PATH.
    pub search_path: Option<&'a OsStr>,
}

/// An interpreter that will do.
pub(super) struct Interpreter {
    path: PathBuf,
    version: String,
}

impl Work<'_> {
    /// The first interpreter in the search path that will do.
    pub fn find_interpreter(&self) -> Result<Interpreter, AdapterError> {
        let install = &self.manifest.install;
        let mut found = Vec::new();
        for candidate in candidates(install) {
            let Some(interpreter) = self.ask_interpreter(install.kind, &candidate) else {
                continue;
            };
            let mut seen = format!("{candidate} {}", interpreter.version);
            let version = InterpreterVersion::try_from(interpreter.version.clone());
            if version.is_ok_and(|version| install.takes(version)) {
                if install.kind != Kind::Npm || self.prepare(NPM, ["--version"]).output().is_ok() {
                    return Ok(interpreter);
                }
                seen.push_str(" without npm");
            }
            found.push(seen);
        }
        Err(AdapterError::NoInterpreter {
            name: self.manifest.name.clone(),
            needs: install.needs(),
            found: if found.is_empty() {
                "none".to_owned()
            } else {
                format!("only {}", found.join(", "))
            },
        })
    }

    /// Asks a program for its path and version; none if it cannot be started or says nothing.
    fn ask_interpreter(&self, kind: Kind, program: &str) -> Option<Interpreter> {
        let arguments: &[&str] = match kind {
            Kind::Python => &[
                "-c",
                "import sys; print(sys.executable); print('%d.%d.%d' % sys.version_info[:3])",
            ],
            Kind::Npm => &["-p", r"process.execPath + '\n' + process.versions.node"],
            Kind::Cargo => &["--version"],
        };
        let output = self.prepare(program, arguments.iter().copied()).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        let mut lines = text.lines();
        let (path, version) = match kind {
            Kind::Python | Kind::Npm => (lines.next()?, lines.next()?),
            Kind::Cargo => (program, lines.next()?.split(' ').nth(1)?),
        };
        output
            .status
            .success()
            .then(|| Interpreter { path: path.into(), version: version.to_owned() })
    }

    /// Fills the folder; what comes back is the version found there and how it is run.
    pub fn fill(
        &self,
        found: &Interpreter,
        progress: &mut dyn FnMut(&str),
    ) -> Result<Marker, AdapterError> {
        let install = &self.manifest.install;
        let Interpreter { path, version } = found;
        match install.kind {
            Kind::Python => {
                progress(&format!("making an environment of Python {version}"));
                self.step("make an environment", path, ["-I", "-m", "venv", "venv"])?;
                let python = self.folder.join(if cfg!(windows) {
                    "venv/Scripts/python.exe"
                } else {
                    "venv/bin/python"
                });
                progress(&format!("installing {} with pip", install.package));
                self.step("install the package", &python, pip(&install.lock))?;
                let ask = "import sys, importlib.metadata as m; print(m.version(sys.argv[1]))";
                let version =
                    self.step("ask for the version", &python, ["-I", "-c", ask, &install.package])?;
                Ok(Marker { version: version.trim().to_owned(), interpreter: python })
            }
            Kind::Npm => {
                progress(&format!("installing {} with npm", install.package));
                let arguments = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
                self.step("install the package", NPM, arguments)?;
                Ok(Marker {
                    version: self
                        .npm_version(&install.package)
                        .unwrap_or_else(|| "none".to_owned()),
                    interpreter: path.clone(),
                })
            }
            Kind::Cargo => {
                progress(&format!("building {} with cargo {version}", install.package));
                // The user's own settings may name another folder.
                let arguments = ["build", "--release", "--locked", "--target-dir", "target"];
                self.step("build the package", path, arguments)?;
                let program = format!("target/release/shim{}", std::env::consts::EXE_SUFFIX);
                Ok(Marker {
                    version: self.locked_version(install).unwrap_or_else(|| "none".to_owned()),
                    interpreter: self.folder.join(program),
                })
            }
        }
    }

    /// The version that a package of npm's says it has.
    fn npm_version(&self, package: &str) -> Option<String> {
        #[derive(Deserialize)]
        struct Package {
            version: String,
        }
        let path = self.folder.join("node_modules").join(package);
        let text = fs::read_to_string(path.join("package.json")).ok()?;
        let package: Package = serde_json::from_str(&text).ok()?;
        Some(package.version)
    }

    /// The version of the package in the lock file that cargo built by.
    fn locked_version(&self, install: &Install) -> Option<String> {
        #[derive(Deserialize)]
        struct Lock {
            package: Vec<Package>,
        }
        #[derive(Deserialize)]
        struct Package {
            name: String,
            version: String,
        }
        let text = fs::read_to_string(self.folder.join(&install.lock)).ok()?;
        let lock: Lock = toml::from_str(&text).ok()?;
        let package = lock.package.into_iter().find(|one| one.name == install.package)?;
        Some(package.version)
    }

    /// Runs one command to its end, and gives what it printed on stdout.
    fn step<'w>(
        &self,
        step: &'static str,
        program: impl AsRef<OsStr>,
        arguments: impl IntoIterator<Item = &'w str> + Clone,
    ) -> Result<String, AdapterError> {
        let program = program.as_ref();
        let output = self.prepare(program, arguments.clone()).output();
        let (outcome, printed) = match &output {
            Ok(output) if output.status.success() => {
                return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
            }
            Ok(output) => (
                format!("ended with {}", output.status),
                [&output.stdout[..], &output.stderr[..]].concat(),
            ),
            Err(error) => (format!("could not be started ({error})"), Vec::new()),
        };
        let program = Path::new(program).file_name().unwrap_or(program);
        let mut command = program.to_string_lossy().into_owned();
        for argument in arguments {
            command.push(' ');
            command.push_str(argument);
        }
        Err(AdapterError::Step {
            name: self.manifest.name.clone(),
            step,
            command,
            outcome,
            output: last_lines(&String::from_utf8_lossy(&printed)),
        })
    }

    fn prepare<'w>(
        &self,
        program: impl AsRef<OsStr>,
        arguments: impl IntoIterator<Item = &'w str>,
    ) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).env("NO_COLOR", "1").stdin(Stdio::null());
        // The interpreter is looked for before the folder is there.
        if self.folder.exists() {
            command.current_dir(self.folder);
        }
        if let Some(path) = self.search_path {
            command.env("PATH", path);
        }
        command
    }
}

/// What interpreters are called: the usual name first, then those that say their version, newest first.
fn candidates(install: &Install) -> Vec<String> {
    match (install.kind, install.below) {
        (Kind::Npm, _) => vec!["node".to_owned()],
        (Kind::Cargo, _) => vec!["cargo".to_owned()],
        (Kind::Python, below) => {
            let InterpreterVersion { major, minor } = install.at_least;
            let end = below.map_or(minor + 1, |below| below.minor);
            let versions = (minor..end).rev().map(|minor| format!("python{major}.{minor}"));
            ["python3".to_owned(), "python".to_owned()].into_iter().chain(versions).collect()
        }
    }
}

/// Digests bind what is installed to the file that was checked in; the wheel alone, because a source
/// archive would run code of its own while it is built.
fn pip(lock: &str) -> [&str; 11] {
    [
        "-I",
        "-m",
        "pip",
        "install",
        "--no-deps",
        "--require-hashes",
        "--only-binary=:all:",
        "--no-compile",
        "--no-input",
        "-r",
        lock,
    ]
}

/// The end of an output, without what would move a terminal's cursor.
fn last_lines(output: &str) -> String {
    let lines: Vec<_> = output.trim_end().lines().collect();
    lines[lines.len().saturating_sub(QUOTED_LINES)..]
        .join("\n")
        .replace(|char: char| char.is_control() && char != '\n', "\u{fffd}")
}
