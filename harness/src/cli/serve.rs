//! `callfit serve`: the reference as a plug-in over stdin and stdout, to try the wire by hand.

use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::process::ExitCode;

use callfit::Reference;
use callfit::implementation::{About, Coercer, CoercerError, Method};
use callfit_reference::Profile;
use callfit_reference::json::{Event, Number, Reader, Value, parse};
use clap::Args;
use serde_json::json;

use super::failure::Failure;
use super::run::profile;

/// Serve the reference over stdin and stdout: one JSON-RPC message a line.
#[derive(Debug, Args)]
pub(super) struct Serve {
    /// The profile: recommended, seed or lenient.
    #[arg(long, value_name = "NAME", value_parser = profile, default_value = "recommended")]
    profile: Profile,
}

impl Serve {
    pub(super) fn run(&self) -> Result<ExitCode, Failure> {
        let input = BufReader::with_capacity(64 << 10, io::stdin().lock());
        match serve(&Reference::new(self.profile), input, io::stdout().lock()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
            _ => Ok(ExitCode::SUCCESS),
        }
    }
}

/// Answers every line until the end of the input.
fn serve(
    coercer: &dyn Coercer,
    mut input: BufReader<impl io::Read>,
    output: impl Write,
) -> io::Result<()> {
    let mut output = BufWriter::with_capacity(64 << 10, output);
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        if let Some(answer) = answer(coercer, &line) {
            output.write_all(answer.as_bytes())?;
        }
        line.clear();
        // Whoever writes ahead is answered in one piece.
        if !input.buffer().contains(&b'\n') {
            output.flush()?;
        }
    }
    output.flush()
}

/// Why a request has no result: JSON-RPC's code, and a message.
struct Refusal(i64, String);

const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;
const INTERNAL_ERROR: i64 = -32603;
const REFUSED: i64 = 1;

/// The answer to a line; none to a blank line, nor to a notification, which wants none.
fn answer(coercer: &dyn Coercer, line: &[u8]) -> Option<String> {
    if line.trim_ascii().is_empty() {
        return None;
    }
    let (id, result) = match read(line) {
        Ok(request) => {
            let id = request.get("id").cloned();
            match (id, call(coercer, &request)) {
                (None, Err(Refusal(INVALID_REQUEST, problem))) => {
                    (Value::Null, Err(Refusal(INVALID_REQUEST, problem)))
                }
                (None, _) => return None,
                (Some(id), result) => (id, result),
            }
        }
        Err((id, refusal)) => (id, Err(refusal)),
    };
    Some(match result {
        Ok(result) => format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{result}}}\n"),
        Err(Refusal(code, message)) => {
            let message = Value::from(message.as_str());
            format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"error\":{{\"code\":{code},\"message\":{message}}}}}\n"
            )
        }
    })
}

/// The message on a line; where it is none, its `id` as far as that can be told.
fn read(line: &[u8]) -> Result<Value, (Value, Refusal)> {
    let text = str::from_utf8(line).map_err(|error| {
        (Value::Null, Refusal(PARSE_ERROR, format!("the line is not UTF-8: {error}")))
    })?;
    let message = parse(text).map_err(|error| {
        (id_within(text), Refusal(PARSE_ERROR, format!("the line is no JSON text: {error}")))
    })?;
    let problem = match &message {
        Value::Array(_) => Some("a batch is not taken; send one message a line"),
        Value::Object(members) => match members.get("id") {
            None | Some(Value::Null | Value::Number(_) | Value::String(_)) => None,
            Some(_) => Some("the `id` must be a number or a string"),
        },
        _ => Some("a message is an object"),
    };
    match problem {
        None => Ok(message),
        Some(problem) => Err((Value::Null, Refusal(INVALID_REQUEST, problem.to_owned()))),
    }
}

/// The `id` that a broken message states before it breaks: a text may hold what no string of Rust's can, and the sender still wants to know which of its
/// requests that was.
fn id_within(text: &str) -> Value {
    let mut reader = Reader::new(text);
    let mut is_next = false;
    while let Ok(Some((event, _))) = reader.next_event() {
        match event {
            Event::Key(key) => is_next = reader.depth() == 1 && key == "id",
            Event::Number(text) if is_next => {
                return Number::new(text).map_or(Value::Null, Value::Number);
            }
            Event::String(text) if is_next => return Value::from(&*text),
            _ => is_next = false,
        }
    }
    Value::Null
}

/// The result of a request, as a JSON text.
fn call(coercer: &dyn Coercer, request: &Value) -> Result<String, Refusal> {
    let invalid = |message: &str| Refusal(INVALID_REQUEST, message.to_owned());
    if request.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err(invalid(r#"the message must hold `"jsonrpc":"2.0"`"#));
    }
    let name = request.get("method").and_then(Value::as_str);
    let name = name.ok_or_else(|| invalid("the message must hold a `method`, which is a text"))?;
    if name == "initialize" {
        return initialize(&coercer.about(), request.get("params"));
    }
    let method = Method::from_name(name).ok_or_else(|| {
        let known = Method::ALL.map(Method::name).join(", ");
        let message = format!("no method is called `{name}`; there are: initialize, {known}");
        Refusal(METHOD_NOT_FOUND, message)
    })?;
    let param = |key: &str| {
        let value = request.get("params").and_then(|params| params.get(key));
        value.map(ToString::to_string).ok_or_else(|| {
            Refusal(INVALID_PARAMS, format!("the `params` of `{method}` must hold `{key}`"))
        })
    };
    let schema = param("schema")?;
    let answered = match method {
        Method::Coerce => coercer.coerce(&schema, &param("arguments")?),
        Method::Resolve => coercer.resolve(&schema, &param("node")?),
        Method::Sanitize => coercer.sanitize(&schema),
    };
    match answered {
        Ok(text) => Ok(format!("{{\"{}\":{text}}}", method.answer_key())),
        Err(CoercerError::Refused(message)) => Err(Refusal(REFUSED, message)),
        Err(CoercerError::Unsupported) => {
            Err(Refusal(METHOD_NOT_FOUND, format!("`{method}` is not offered")))
        }
        Err(CoercerError::Failed(message)) => Err(Refusal(INTERNAL_ERROR, message)),
    }
}

fn initialize(about: &About, params: Option<&Value>) -> Result<String, Refusal> {
    let protocol = params.and_then(|params| params.get("protocol"));
    if protocol.is_some_and(|protocol| *protocol != Value::from(1)) {
        let message = "this plug-in speaks protocol 1, and no other".to_owned();
        return Err(Refusal(INVALID_PARAMS, message));
    }
    let methods: Vec<&str> = about.methods.iter().map(|method| method.name()).collect();
    let result = json!({
        "protocol": 1,
        "implementation": {
            "name": about.name,
            "version": about.version,
            "language": about.language,
            "homepage": about.homepage,
        },
        "methods": methods,
        "features": about.features,
    });
    Ok(result.to_string())
}
