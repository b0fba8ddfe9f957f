//! The corpus as the judge of this crate alone: what `cargo mutants` runs against each mutant.
//!
//! `CALLFIT` names a finished `callfit`, which drives this program as any other plug-in; so a mutant costs a build of this crate and a run, and not a build of the
//! harness. `reports/mutation.md` tells what came of it. Where `CALLFIT` is not set, there is nothing to do.

use std::ffi::OsStr;
use std::io::{self, BufRead, Write};
use std::process::{Command, ExitCode, Stdio};

use callfit_reference::json::{Object, Value, parse};
use callfit_reference::{Coercer, Policies, Profile, resolve, sanitize};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    if let (Some("serve"), Some(profile)) = (arguments.next().as_deref(), arguments.next()) {
        let profile = Profile::from_name(&profile).expect("the name of a profile");
        serve(&Policies::from(profile)).expect("open pipes");
        return ExitCode::SUCCESS;
    }
    let Some(callfit) = std::env::var_os("CALLFIT") else {
        let told =
            b"skipped: set CALLFIT to a built callfit to run the corpus against this crate\n";
        return io::stdout().write_all(told).map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS);
    };
    // Large inputs take most of the time: they are kept for what nothing else told.
    let small = Profile::ALL.map(|profile| (profile, ["--exclude", LARGE]));
    let large = [(Profile::Recommended, ["--filter", LARGE])];
    if small.into_iter().chain(large).all(|(profile, cases)| conforms(&callfit, profile, cases)) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// The cases whose inputs are large.
const LARGE: &str = "*/{budget,large}/*";

/// Whether these cases of the corpus come to what they come to with the reference that `callfit` carries: each passes, a policy's with the same option.
fn conforms(callfit: &OsStr, profile: Profile, cases: [&str; 2]) -> bool {
    let this = std::env::current_exe().expect("a path");
    let this =
        [OsStr::new("--"), this.as_os_str(), OsStr::new("serve"), OsStr::new(profile.name())];
    let mutant = outcomes(callfit, &cases, &this);
    let sound = outcomes(callfit, &cases, &["--profile", profile.name()].map(OsStr::new));
    mutant.is_some() && mutant == sound
}

/// The id, verdict and option of each case; none if the run did not come to its end.
fn outcomes(callfit: &OsStr, cases: &[&str], program: &[&OsStr]) -> Option<Vec<[Value; 3]>> {
    let report = std::env::temp_dir().join(format!("callfit-{}.json", std::process::id()));
    let mut command = Command::new(callfit);
    command.args(["run", "--quiet", "--timeout", "10", "--report"]).arg(&report);
    let status = command.args(cases).args(program).stdout(Stdio::null()).status();
    let text = std::fs::read_to_string(&report);
    let _ = std::fs::remove_file(&report);
    let ended = matches!(status.expect("CALLFIT names a program").code(), Some(0 | 1));
    let report = serde_json::from_str::<serde_json::Value>(&text.ok().filter(|_| ended)?).ok()?;
    let cases = report["cases"].as_array()?.iter();
    let told = |case: &serde_json::Value| {
        ["id", "verdict", "option"]
            .map(|member| case[member].as_str().map_or(Value::Null, Value::from))
    };
    Some(cases.map(told).collect())
}

/// Answers requests until stdin ends, as `protocol.md` and the README tell.
fn serve(policies: &Policies) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let mut reply = Object::new();
        reply.insert("jsonrpc".to_owned(), "2.0".into());
        reply.insert("id".to_owned(), id(&line).map_or(Value::Null, Value::from));
        let answered = parse(&line)
            .map_err(|error| (-32603, error.to_string()))
            .and_then(|request| answer(&request, policies));
        let (key, value) = match answered {
            Ok(result) => ("result", result),
            Err((code, message)) => {
                ("error", object([("code", code.into()), ("message", message.into())]))
            }
        };
        reply.insert(key.to_owned(), value);
        writeln!(out, "{}", Value::Object(reply))?;
        out.flush()?;
    }
    Ok(())
}

/// The request's id, which is found without the parser because that may be what is broken.
fn id(line: &str) -> Option<i64> {
    let (_, rest) = line.split_once("\"id\":")?;
    rest[..rest.find(|char: char| !char.is_ascii_digit())?].parse().ok()
}

fn answer(request: &Value, policies: &Policies) -> Result<Value, (i64, String)> {
    let method = request.get("method").and_then(Value::as_str).unwrap_or_default();
    let of = |key| {
        let params = request.get("params");
        params.and_then(|params| params.get(key)).cloned().unwrap_or(Value::Null)
    };
    match method {
        "initialize" => Ok(object([
            ("protocol", 1.into()),
            ("implementation", object([("name", "callfit-reference".into())])),
            ("methods", Vec::from(["coerce", "resolve", "sanitize"].map(Value::from)).into()),
            ("features", vec![Value::from("restore-keys")].into()),
        ])),
        "coerce" => {
            let coercer = Coercer::restoring(&of("schema"), policies.clone());
            let arguments = coercer.coerce(of("arguments"));
            arguments
                .map(|arguments| object([("arguments", arguments)]))
                .map_err(|refused| (1, refused.to_string()))
        }
        "resolve" => Ok(object([("node", resolve(&of("schema"), &of("node"), policies))])),
        "sanitize" => Ok(object([("schema", sanitize(&of("schema"), policies))])),
        _ => Err((-32601, format!("no method {method}"))),
    }
}

fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    let mut object = Object::new();
    for (key, value) in members {
        object.insert(key.to_owned(), value);
    }
    Value::Object(object)
}
