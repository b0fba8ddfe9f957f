//! A coercer in Rust behind callfit's wire: JSON-RPC over stdin and stdout, one message a line.

use std::io::{BufRead as _, Write as _, stdin, stdout};

use serde_json::{Map, Value, json};

/// Your coercer in place of this one, which knows integers and booleans at the top.
fn coerce(schema: &Value, arguments: &Value) -> Result<Value, String> {
    let values = arguments.as_object().ok_or("the arguments are no object")?;
    let convert = |(name, value): (&String, &Value)| {
        let wanted = schema["properties"][name]["type"].as_str();
        let converted = value.as_str().and_then(|text| converted(wanted?, text));
        (name.clone(), converted.unwrap_or_else(|| value.clone()))
    };
    Ok(values.iter().map(convert).collect::<Map<_, _>>().into())
}

fn converted(wanted: &str, text: &str) -> Option<Value> {
    let value: Value = serde_json::from_str(text).ok()?;
    let is_integer = value.is_number() && !text.contains(['.', 'e', 'E']);
    let fits = (wanted == "integer" && is_integer) || (wanted == "boolean" && value.is_boolean());
    fits.then_some(value)
}

fn answer(request: &Value) -> Value {
    let params = &request["params"];
    let outcome = match request["method"].as_str() {
        Some("initialize") => Ok(json!({
            "protocol": 1,
            "implementation": { "name": "my-coercer", "version": "1.0.0", "language": "rust" },
            "methods": ["coerce"],
        })),
        Some("coerce") => coerce(&params["schema"], &params["arguments"])
            .map(|arguments| json!({ "arguments": arguments }))
            // Code 1 refuses the call; what goes wrong otherwise has -32603.
            .map_err(|why| json!({ "code": 1, "message": why })),
        _ => Err(json!({ "code": -32601, "message": "not offered" })),
    };
    let (member, content) = outcome.map_or_else(|error| ("error", error), |it| ("result", it));
    json!({ "jsonrpc": "2.0", "id": request["id"], member: content })
}

fn main() -> std::io::Result<()> {
    for line in stdin().lock().lines() {
        let line = line?;
        let answer = serde_json::from_str(&line).map_or_else(
            // Deeper than serde_json reads; the id is found without it.
            |fault| json!({ "jsonrpc": "2.0", "id": id(&line), "error": { "code": -32603, "message": fault.to_string() } }),
            |request| answer(&request),
        );
        writeln!(stdout(), "{answer}")?;
    }
    Ok(())
}

fn id(line: &str) -> Option<u64> {
    let (_, rest) = line.split_once("\"id\":")?;
    let rest = rest.trim_start();
    rest[..rest.find(|letter: char| !letter.is_ascii_digit())?].parse().ok()
}
