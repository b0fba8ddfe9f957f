//! JSON-RPC 2.0, one message a line: what a line says, and what is wrong with it.

use callfit_reference::json::{self, Event, Number, Reader, Value};

use super::{Answer, Method};

/// The most values that an answer may hold: what a short text can blow up to must be bounded too.
const MOST_VALUES: usize = 1 << 20;

/// A line that was to be an answer.
#[derive(Debug)]
pub(super) struct Message {
    /// The request it belongs to, as far as that can be told.
    pub(super) id: Option<u64>,
    /// What it says, or what is wrong with it.
    pub(super) body: Result<Body, String>,
}

/// What an answer says.
#[derive(Debug)]
pub(super) enum Body {
    /// `result`
    Result(Value),
    /// `error`
    Error {
        /// Its code.
        code: Number,
        /// Its message.
        message: String,
    },
}

/// A request as a line.
pub(super) fn write_request(line: &mut Vec<u8>, id: u64, method: &str, params: &str) {
    let id = id.to_string();
    for piece in [
        r#"{"jsonrpc":"2.0","id":"#,
        &id,
        r#","method":""#,
        method,
        r#"","params":"#,
        params,
        "}\n",
    ] {
        line.extend_from_slice(piece.as_bytes());
    }
}

/// Reads a line. Blank ones say nothing.
pub(super) fn read(line: &[u8]) -> Option<Message> {
    if line.iter().all(u8::is_ascii_whitespace) {
        return None;
    }
    Some(match parse(line) {
        Ok(value) => take_apart(value).unwrap_or_else(|(id, problem)| Message {
            id,
            body: Err(format!("{problem}: {}", excerpt(line))),
        }),
        Err(problem) => {
            let readable = line.utf8_chunks().next().map_or("", |chunk| chunk.valid());
            Message { id: id_within(readable), body: Err(format!("{problem}: {}", excerpt(line))) }
        }
    })
}

/// Reads a JSON text that a program wrote.
pub(super) fn parse(text: &[u8]) -> Result<Value, String> {
    let text = str::from_utf8(text).map_err(|_| "this is not UTF-8".to_owned())?;
    if holds_too_much(text) {
        return Err(format!("this holds more than {MOST_VALUES} values"));
    }
    json::parse(text).map_err(|error| format!("this is no JSON text ({error})"))
}

/// What a message answers to a request of this method.
pub(super) fn to_answer(body: Result<Body, String>, method: Method) -> Answer {
    match body {
        Ok(Body::Result(result)) => {
            let key = method.answer_key();
            let problem = match result {
                Value::Object(mut members) => match members.swap_remove(key) {
                    Some(value) => return Answer::Value(value),
                    None => "is an object without it".to_owned(),
                },
                other => format!("is of kind {}", other.kind()),
            };
            Answer::Error(format!("the result must hold `{key}`, and {problem}"))
        }
        Ok(Body::Error { code, message }) if code == Number::from(1) => Answer::Refused(message),
        Ok(Body::Error { code, message }) if code == Number::from(-32601) => {
            Answer::Unsupported(message)
        }
        Ok(Body::Error { code, message }) => Answer::Error(format!("error {code}: {message}")),
        Err(problem) => Answer::Error(problem),
    }
}

/// The beginning of a line, with what cannot be printed made visible.
pub(super) fn excerpt(line: &[u8]) -> String {
    const MOST: usize = 160;
    let text = String::from_utf8_lossy(&line[..line.len().min(4 * MOST)]);
    let mut shown = String::new();
    for (count, character) in text.trim_end().chars().enumerate() {
        if count == MOST {
            shown.push('…');
            break;
        }
        if character.is_control() {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    shown
}

fn take_apart(value: Value) -> Result<Message, (Option<u64>, String)> {
    let Value::Object(mut members) = value else {
        let kind = value.kind();
        return Err((None, format!("a message is an object, and this is of kind {kind}")));
    };
    let id = match members.get("id") {
        Some(Value::Number(number)) => to_id(number),
        Some(_) => return Err((None, "the `id` is not the number that was sent".to_owned())),
        None => return Err((None, "the message has no `id`".to_owned())),
    };
    let wrong = |problem: &str| Err((id, problem.to_owned()));
    if members.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return wrong(r#"the message must hold `"jsonrpc":"2.0"`"#);
    }
    let body = match (members.swap_remove("result"), members.swap_remove("error")) {
        (Some(result), None) => Body::Result(result),
        (None, Some(Value::Object(mut error))) => {
            match (error.swap_remove("code"), error.swap_remove("message")) {
                (Some(Value::Number(code)), Some(Value::String(message))) => {
                    Body::Error { code, message }
                }
                (_, Some(Value::String(_))) => return wrong("the error's `code` must be a number"),
                _ => return wrong("the error's `message` must be a string"),
            }
        }
        (None, Some(_)) => return wrong("the `error` must be an object"),
        (Some(_), Some(_)) => return wrong("the message holds `result` and `error`"),
        (None, None) => return wrong("the message holds neither `result` nor `error`"),
    };
    Ok(Message { id, body: Ok(body) })
}

fn to_id(number: &Number) -> Option<u64> {
    // 1.0 is the number that was sent, as some languages write it.
    number.to_plain_integer(20)?.as_str().parse().ok()
}

/// The `id` that a broken message states before it breaks.
fn id_within(text: &str) -> Option<u64> {
    let mut reader = Reader::new(text);
    let mut is_next = false;
    while let Ok(Some((event, _))) = reader.next_event() {
        match event {
            Event::Key(key) => is_next = reader.depth() == 1 && key == "id",
            Event::Number(text) if is_next => return to_id(&Number::new(text)?),
            _ => is_next = false,
        }
    }
    None
}

fn holds_too_much(text: &str) -> bool {
    if text.len() <= MOST_VALUES {
        return false;
    }
    let mut reader = Reader::new(text);
    let mut values = 0_usize;
    while let Ok(Some((event, _))) = reader.next_event() {
        values += usize::from(!matches!(event, Event::Key(_) | Event::EndArray | Event::EndObject));
        if values > MOST_VALUES {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(line: &str) -> (Option<u64>, Answer) {
        let message = read(line.as_bytes()).expect("the line is not blank");
        (message.id, to_answer(message.body, Method::Coerce))
    }

    #[test]
    fn answers() {
        let (id, value) = answer(r#"{"jsonrpc":"2.0","id":7,"result":{"arguments":{"n":1.10}}}"#);
        assert_eq!(id, Some(7));
        assert!(matches!(value, Answer::Value(value) if value.to_string() == r#"{"n":1.10}"#));
        assert_eq!(
            answer(r#"{"id":7.0,"error":{"message":"no","code":1},"jsonrpc":"2.0"}"#),
            (Some(7), Answer::Refused("no".to_owned()))
        );
        assert_eq!(
            answer(r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no"}}"#),
            (Some(7), Answer::Unsupported("no".to_owned()))
        );
        assert_eq!(
            answer(r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"no"}}"#),
            (Some(7), Answer::Error("error -32602: no".to_owned()))
        );
        assert!(read(b" \r\n").is_none());
    }

    #[test]
    fn what_is_wrong_is_said_and_the_id_is_kept_where_it_can_be_told() {
        for (line, id, problem) in [
            (r#"{"jsonrpc":"2.0","id":7,"result":{"args":1}}"#, Some(7), "must hold `arguments`"),
            (r#"{"jsonrpc":"2.0","id":7,"result":[]}"#, Some(7), "is of kind array"),
            (r#"{"jsonrpc":"2.0","id":7,"result":{},"error":{}}"#, Some(7), "`result` and `error`"),
            (r#"{"jsonrpc":"2.0","id":7}"#, Some(7), "neither"),
            (r#"{"id":7,"result":{}}"#, Some(7), "jsonrpc"),
            (r#"{"jsonrpc":"2.0","id":7,"error":"no"}"#, Some(7), "must be an object"),
            (r#"{"jsonrpc":"2.0","id":7,"error":{"code":1}}"#, Some(7), "`message`"),
            (r#"{"jsonrpc":"2.0","id":7,"error":{"message":"no"}}"#, Some(7), "`code`"),
            (r#"{"jsonrpc":"2.0","id":7,"result":{"arguments":NaN}}"#, Some(7), "no JSON text"),
            (r#"{"jsonrpc":"2.0","id":"7","result":{}}"#, None, "not the number that was sent"),
            (r#"{"jsonrpc":"2.0","method":"log","params":{"id":7}}"#, None, "no `id`"),
            ("INFO ready\x1b[0m", None, r"INFO ready\u{1b}[0m"),
            ("[7]", None, "is of kind array"),
        ] {
            let (got, answer) = answer(line);
            let Answer::Error(message) = answer else {
                panic!("{line} is no error");
            };
            assert_eq!(got, id, "{line}");
            assert!(message.contains(problem), "{line}: {message}");
        }
        let message = read(b"{\"id\":7,\"jsonrpc\":\"2.0\",\"result\":{\"arguments\":\"\xff\"}}")
            .expect("the line is not blank");
        assert_eq!(message.id, Some(7));
        assert!(matches!(message.body, Err(problem) if problem.contains("not UTF-8")));
    }

    #[test]
    fn a_short_text_of_many_values_is_not_built() {
        let zeros = vec!["0"; MOST_VALUES + 1].join(",");
        let (id, answer) =
            answer(&format!(r#"{{"jsonrpc":"2.0","id":7,"result":{{"arguments":[{zeros}]}}}}"#));
        assert_eq!(id, Some(7));
        assert!(matches!(answer, Answer::Error(message) if message.contains("more than")));
    }
}
