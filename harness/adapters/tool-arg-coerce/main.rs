//! Speaks callfit's wire for the published tool-arg-coerce, whose `coerce_args` is called as it is.

use std::io::{self, BufRead, Write};

use serde_json::{Value, json};
use tool_arg_coerce::{Type, coerce_args};

fn main() -> io::Result<()> {
    let mut answers = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        writeln!(answers, "{}", answer(&line?))?;
    }
    Ok(())
}

/// The answer to one request.
fn answer(line: &str) -> Value {
    let mut request: Value = match serde_json::from_str(line) {
        Ok(request) => request,
        Err(error) => {
            let error = json!({ "code": -32603, "message": format!("serde_json: {error}") });
            return json!({ "jsonrpc": "2.0", "id": identity(line), "error": error });
        }
    };
    let id = request["id"].take();
    let result = match request["method"].as_str() {
        Some("initialize") => about(),
        Some("coerce") => {
            let arguments = request["params"]["arguments"].take();
            json!({ "arguments": coerce_args(arguments, &fields(&request["params"]["schema"])) })
        }
        _ => {
            let error = json!({ "code": -32601, "message": "not offered" });
            return json!({ "jsonrpc": "2.0", "id": id, "error": error });
        }
    };
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

/// The package's own kind of schema: the properties at the top whose `type` it has a word for.
fn fields(schema: &Value) -> Vec<(&str, Type)> {
    let properties = schema["properties"].as_object().into_iter().flatten();
    properties
        .filter_map(|(name, property)| {
            let wanted = match property["type"].as_str()? {
                "integer" => Type::Int,
                "number" => Type::Float,
                "boolean" => Type::Bool,
                "string" => Type::String,
                _ => return None,
            };
            Some((&name[..], wanted))
        })
        .collect()
}

fn about() -> Value {
    json!({
        "protocol": 1,
        "implementation": {
            "name": "tool-arg-coerce",
            "version": env!("CARGO_PKG_VERSION"),
            "language": "rust",
            "homepage": "https://github.com/MukundaKatta/tool-arg-coerce",
        },
        "methods": ["coerce"],
        "features": [],
    })
}

/// The id of a request that could not be read, because it is nested too deep.
fn identity(line: &str) -> Option<u64> {
    let (_, rest) = line.split_once("\"id\":")?;
    let digits = rest.trim_start();
    let end = digits.find(|char: char| !char.is_ascii_digit()).unwrap_or(digits.len());
    digits[..end].parse().ok()
}
