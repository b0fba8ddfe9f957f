//! What is wrong with an adapter, told to who writes it: its files, what it says of itself, and how its shim answers.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;
use std::{fs, io};

use callfit_reference::json::parse;

use super::manifest::{Kind, Manifest};
use super::store::written;
use super::{Adapter, AdapterError, Store};
use crate::implementation::{
    About, Answer, Asker, CannotRun, Door, Launch, Method, Request, Settings,
};

/// Folders that an installation in place leaves, and that are no part of the adapter.
const NOT_ITS_OWN: [&str; 5] = ["venv", "node_modules", "target", "__pycache__", "home"];

/// How long the shim may take to answer.
const TIMEOUT: Duration = Duration::from_secs(20);

/// So deep is a schema that no reader by recursion survives.
const DEEP: usize = 100_000;

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    /// The adapter; a folder may hold several.
    pub adapter: String,
    /// What is wrong, and the mend.
    pub message: String,
}

/// Looks at an adapter's folder, installs it into the store, starts each of its variants and asks what every shim has to answer.
///
/// # Errors
///
/// There is no manifest or it cannot be read, the folder cannot be read, or the adapter cannot be installed.
pub fn check(
    folder: &Path,
    store: &Store,
    progress: &mut dyn FnMut(&str),
) -> Result<(Vec<Adapter>, Vec<Complaint>), AdapterError> {
    let mut files = Vec::new();
    read_below(folder, "", &mut files)
        .map_err(|source| AdapterError::Read { path: folder.to_owned(), source })?;
    let adapters = Adapter::from_files(&folder.display().to_string(), files)?;
    let mut complaints = Vec::new();
    for adapter in &adapters {
        let mut complain = |message: String| {
            complaints.push(Complaint { adapter: adapter.manifest.name.clone(), message });
        };
        look_at(folder, adapter, &mut complain);
        store.install(adapter, progress)?;
        progress(&format!("asking {}", adapter.manifest.name));
        let home = store.path(adapter).join("home-of-a-check");
        let empty = fs::remove_dir_all(&home).or_else(|error| match error.kind() {
            io::ErrorKind::NotFound => Ok(()),
            _ => Err(error),
        });
        written(&home, empty.and_then(|()| fs::create_dir_all(&home)))?;
        match start(adapter, store, &home)? {
            Ok(asker) => ask(adapter, &asker, &mut complain),
            Err(error) => complain(format!("it cannot be started: {error}")),
        }
        if fs::remove_dir(&home).is_err() {
            complain("it wrote into the user's home; set HOME and what else names a folder before the package is loaded, as the kit does".to_owned());
        }
    }
    Ok((adapters, complaints))
}

/// The text files below a folder, by their path in it. A file that is no text is none of an adapter's.
fn read_below(folder: &Path, prefix: &str, files: &mut Vec<(String, String)>) -> io::Result<()> {
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') || NOT_ITS_OWN.contains(&&name[..]) {
            continue;
        }
        let path = format!("{prefix}{name}");
        if entry.path().is_dir() {
            read_below(&entry.path(), &format!("{path}/"), files)?;
        } else if let Ok(text) = fs::read_to_string(entry.path()) {
            files.push((path, text));
        }
    }
    Ok(())
}

/// The files, as far as they can be judged without running anything.
fn look_at(folder: &Path, adapter: &Adapter, complain: &mut impl FnMut(String)) {
    let Manifest { family, version, install, .. } = &adapter.manifest;
    if folder.canonicalize().is_ok_and(|path| !path.ends_with(family)) {
        complain(format!("the folder is not called {family}, as the manifest's `name` is"));
    }
    let lock = &install.lock;
    match super::text_of(&adapter.files, lock) {
        None => complain(format!("there is no {lock}, which pins what is installed")),
        Some(text) => {
            if !text.contains(&install.package) || !text.contains(version) {
                complain(format!("{lock} does not pin {} {version}", install.package));
            }
            if text.contains("index-url") || text.contains("\"resolved\"") {
                complain(format!(
                    "{lock} says where packages come from; that is the user's own setting (pip: no --index-url; npm: omit-lockfile-registry-resolved)"
                ));
            }
            if install.kind == Kind::Python && !text.contains("--hash=") {
                complain(format!(
                    "{lock} has no digests; make it with `pip-compile --generate-hashes`"
                ));
            }
        }
    }
    if adapter.expectations().is_none() {
        complain(format!(
            "there is no {}, which tells what it is known to get wrong; `callfit run --expect FILE --update-expectations -- CMD…` begins one",
            adapter.expectations_file()
        ));
    }
}

fn start(
    adapter: &Adapter,
    store: &Store,
    home: &Path,
) -> Result<Result<Asker, CannotRun>, AdapterError> {
    let environment = vec![("HOME".to_owned(), home.to_string_lossy().into_owned())];
    let launch = Launch { environment, ..store.command(adapter)?.into() };
    let settings = Settings { timeout: TIMEOUT, ..Settings::default() };
    Ok(Asker::start(&Door::Program(launch), &settings))
}

/// What every shim has to answer, whatever the package does.
fn ask(adapter: &Adapter, asker: &Asker, complain: &mut impl FnMut(String)) {
    introduces_itself(&adapter.manifest, asker.about(), complain);
    let put = |method, schema: &str, subject: &str| {
        let subject = (method != Method::Sanitize).then(|| subject.to_owned());
        let request = Request { method, schema: schema.to_owned(), subject };
        asker.ask(request).map(|reply| reply.answer)
    };
    let valid = r#"{"n":1,"s":"é \u2028 😀 \u0001 \"","b":[true,null]}"#;
    let schema = r#"{"type":"object","properties":{"n":{"type":"integer"},"s":{"type":"string"},"b":{"type":"array"}}}"#;
    match put(Method::Coerce, schema, valid) {
        Some(Answer::Value(answer)) if Ok(&answer) == parse(valid).as_ref() => {}
        Some(Answer::Value(answer)) => complain(format!(
            "valid arguments do not come back as they are: sent {valid}, got {answer}. If it is not the package that changes them, see that lines are split at the line feed alone and that UTF-8 is read and written"
        )),
        other => complain(format!(
            "valid arguments are not answered: sent {valid}, got {}",
            told(other.as_ref())
        )),
    }
    for method in Method::ALL {
        let answer = put(method, "{}", "{}");
        let offered = adapter.manifest.methods.contains(&method);
        if !offered && !matches!(answer, Some(Answer::Unsupported(_))) {
            complain(format!(
                "`{}` is not offered, and answered with {}; answer with code -32601",
                method.name(),
                told(answer.as_ref())
            ));
        }
    }
    let deep = format!("{}{{}}{}", r#"{"items":"#.repeat(DEEP), "}".repeat(DEEP));
    let odd = [
        ("true", "{}"),
        ("[]", "{}"),
        ("{}", "[]"),
        ("{}", r#""\ud800""#),
        (&deep[..], "{}"),
        ("{}", "{}"),
    ];
    for (schema, subject) in odd {
        let answer = put(Method::Coerce, schema, subject);
        if matches!(answer, None | Some(Answer::Crash(_) | Answer::Timeout(_))) {
            let shown: String = schema.chars().take(40).collect();
            complain(format!(
                "it does not survive the schema {shown} with the arguments {subject}: {}. A fault in the package is an error answer (code -32603), and the shim lives on",
                told(answer.as_ref())
            ));
        }
    }
}

fn introduces_itself(manifest: &Manifest, about: &About, complain: &mut impl FnMut(String)) {
    let About { name, version, language, homepage, methods, features } = about;
    let said = [
        ("name", Some(name), &manifest.name),
        ("version", version.as_ref(), &manifest.version),
        ("language", language.as_ref(), &manifest.language),
        ("homepage", homepage.as_ref(), &manifest.homepage),
    ];
    for (key, said, wanted) in said {
        if said != Some(wanted) {
            let said = said.map_or("nothing", |said| said);
            complain(format!("it says that its {key} is {said}, and the manifest says {wanted}"));
        }
    }
    let set = |methods: &[Method]| methods.iter().map(|one| one.name()).collect::<BTreeSet<_>>();
    if set(methods) != set(&manifest.methods) {
        complain(format!(
            "it offers {:?}, and the manifest says {:?}",
            set(methods),
            set(&manifest.methods)
        ));
    }
    if *features != manifest.features {
        complain(format!(
            "it has the features {features:?}, and the manifest says {:?}",
            manifest.features
        ));
    }
}

fn told(answer: Option<&Answer>) -> String {
    match answer {
        None => "nothing, and it could not be started again".to_owned(),
        Some(Answer::Value(value)) => value.to_string(),
        Some(Answer::Refused(message)) => format!("a refusal ({message})"),
        Some(Answer::Unsupported(message)) => format!("\"not offered\" ({message})"),
        Some(Answer::Error(message)) => format!("an error ({message})"),
        Some(Answer::Crash(how)) => format!("a crash ({how})"),
        Some(Answer::Timeout(after)) => format!("nothing within {} s", after.as_secs()),
    }
}
