//! JSON-RPC 2.0, one message a line: what a line says, and what is wrong with it.

use std::ops::Range;

use callfit_reference::json::{self, Event, Number, Reader, Value};

use super::{Answer, Method, Request};

/// The most values that an answer may hold: what a short text can blow up to must be bounded too.
const MOST_VALUES: usize = 1 << 20;

/// A line that was to be an answer.
#[derive(Debug)]
pub(super) struct Message<'a> {
    /// The request it belongs to, as far as that can be told.
    pub(super) id: Option<u64>,
    /// What it says, or what is wrong with it.
    pub(super) body: Result<Body<'a>, String>,
}

/// What an answer says.
#[derive(Debug)]
pub(super) enum Body<'a> {
    /// `result`, as it stands there.
    Result(&'a str),
    /// `error`
    Error {
        /// Its code.
        code: Number,
        /// Its message.
        message: String,
    },
}

/// Writes a request as a line.
pub(super) fn write_request(line: &mut Vec<u8>, id: u64, request: &Request) {
    write_line(line, id, request.method.name(), &request.pieces());
}

/// Writes a line that asks for a method. `params` is JSON text in pieces.
pub(super) fn write_line(line: &mut Vec<u8>, id: u64, method: &str, params: &[&str]) {
    let id = id.to_string();
    let head = [r#"{"jsonrpc":"2.0","id":"#, &id, r#","method":""#, method, r#"","params":"#];
    for piece in head {
        line.extend_from_slice(piece.as_bytes());
    }
    let begin = line.len();
    for piece in params {
        line.extend_from_slice(piece.as_bytes());
    }
    for byte in &mut line[begin..] {
        if matches!(byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
    line.extend_from_slice(b"}\n");
}

/// Reads a line. Blank ones say nothing.
///
/// The message is looked through where it stands: only what [`to_answer`] is asked for is built as a value.
pub(super) fn read(line: &[u8]) -> Option<Message<'_>> {
    if line.trim_ascii().is_empty() {
        return None;
    }
    let text = line.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let ([id, version, result, error], mut fault) =
        members(text, ["id", "jsonrpc", "result", "error"]);
    if text.len() < line.len() {
        fault = Some(NOT_UTF8.to_owned());
    }
    let number = id.and_then(to_id);
    let body = match (fault, id) {
        (Some(fault), _) => Err(fault),
        (None, None) => Err("the message has no `id`".to_owned()),
        (None, Some(_)) if number.is_none() => {
            Err("the `id` is not the number that was sent".to_owned())
        }
        _ => read_body(version, result, error).map_err(str::to_owned),
    };
    Some(Message {
        id: number,
        body: body.map_err(|problem| format!("{problem}: {}", excerpt(line))),
    })
}

/// What a message answers to a request of this method.
pub(super) fn to_answer(body: Result<Body<'_>, String>, method: Method) -> Answer {
    match body {
        Ok(Body::Result(result)) => {
            let key = method.answer_key();
            let ([answer], _) = members(result, [key]);
            match answer.and_then(|text| json::parse(text).ok()) {
                Some(value) => Answer::Value(value),
                None => Answer::Error(format!(
                    "the result must be an object that holds `{key}`: {}",
                    excerpt(result.as_bytes())
                )),
            }
        }
        Ok(Body::Error { code, message }) if code == Number::from(1) => Answer::Refused(message),
        Ok(Body::Error { code, message }) if code == Number::from(-32601) => {
            Answer::Unsupported(message)
        }
        Ok(Body::Error { code, message }) => Answer::Error(format!("error {code}: {message}")),
        Err(problem) => Answer::Error(problem),
    }
}

/// Reads a JSON text that a program wrote.
pub(super) fn parse(text: &[u8]) -> Result<Value, String> {
    let text = str::from_utf8(text).map_err(|_| NOT_UTF8.to_owned())?;
    match look_through(text, |_, _, _| ()) {
        Some(fault) => Err(fault),
        None => json::parse(text).map_err(|error| error.to_string()),
    }
}

/// Reads a line as whatever it may be, for fuzzing. What is taken for a message must be one by the reader of JSON that builds values, too.
///
/// # Panics
///
/// Where it is not.
pub(crate) fn survive_line(line: &[u8]) {
    let Some(message) = read(line) else { return };
    let _ = super::handshake::read_about(line, "program");
    if message.body.is_ok() {
        let built = parse(line);
        assert!(built.is_ok(), "taken for a message: {built:?}");
    }
    for method in Method::ALL {
        if let Some(message) = read(line) {
            let _ = to_answer(message.body, method);
        }
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

const NOT_UTF8: &str = "this is not UTF-8";

fn read_body<'a>(
    version: Option<&str>,
    result: Option<&'a str>,
    error: Option<&str>,
) -> Result<Body<'a>, &'static str> {
    if version.and_then(to_string).as_deref() != Some("2.0") {
        return Err(r#"the message must hold `"jsonrpc":"2.0"`"#);
    }
    let error = match (result, error) {
        (Some(result), None) => return Ok(Body::Result(result)),
        (None, Some(error)) => error,
        (Some(_), Some(_)) => return Err("the message holds `result` and `error`"),
        (None, None) => return Err("the message holds neither `result` nor `error`"),
    };
    let ([code, message], _) = members(error, ["code", "message"]);
    match (code.and_then(Number::new), message.and_then(to_string)) {
        (Some(code), Some(message)) => Ok(Body::Error { code, message }),
        _ => Err("the `error` must be an object with a number `code` and a string `message`"),
    }
}

fn to_id(text: &str) -> Option<u64> {
    // 1.0 is the number that was sent, as some languages write it.
    let plain = || Number::new(text)?.to_plain_integer(20)?.as_str().parse().ok();
    text.parse().ok().or_else(plain)
}

fn to_string(text: &str) -> Option<String> {
    match json::parse(text) {
        Ok(Value::String(text)) => Some(text),
        _ => None,
    }
}

/// The texts of these members of an object, up to where it breaks, and how it breaks.
fn members<'a, const N: usize>(
    text: &'a str,
    keys: [&str; N],
) -> ([Option<&'a str>; N], Option<String>) {
    let mut found = [None; N];
    let mut wanted = None;
    let mut begin = 0;
    let mut is_object = false;
    let fault = look_through(text, |event, range, depth| match event {
        Event::Key(key) if depth == 1 => wanted = keys.iter().position(|wanted| wanted == key),
        Event::StartObject | Event::StartArray if depth == 1 => {
            is_object = *event == Event::StartObject;
        }
        Event::StartObject | Event::StartArray if depth == 2 => begin = range.start,
        Event::Key(_) | Event::StartObject | Event::StartArray => {}
        _ if depth == 1 => {
            if !matches!(event, Event::EndObject | Event::EndArray) {
                begin = range.start;
            }
            if let Some(wanted) = wanted.take() {
                found[wanted] = Some(&text[begin..range.end]);
            }
        }
        _ => {}
    });
    (found, fault.or_else(|| (!is_object).then(|| "this is no object".to_owned())))
}

/// Shows each event of a JSON text with its bytes and the depth after it. Says what is wrong with the text, if something is.
fn look_through<'a>(
    text: &'a str,
    mut look: impl FnMut(&Event<'a>, Range<usize>, usize),
) -> Option<String> {
    let mut reader = Reader::new(text);
    let mut values = 0;
    loop {
        match reader.next_event() {
            Ok(Some((event, range))) => {
                values += usize::from(!matches!(
                    event,
                    Event::Key(_) | Event::EndObject | Event::EndArray
                ));
                if values > MOST_VALUES {
                    return Some(format!("this holds more than {MOST_VALUES} values"));
                }
                look(&event, range, reader.depth());
            }
            Ok(None) => break,
            Err(error) => return Some(format!("this is no JSON text ({error})")),
        }
    }
    let error = reader.finish().err()?;
    Some(format!("this is no JSON text ({error})"))
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
            (r#"{"jsonrpc":"2.0","id":7,"result":{"args":1}}"#, Some(7), "holds `arguments`"),
            (r#"{"jsonrpc":"2.0","id":7,"result":[]}"#, Some(7), "holds `arguments`"),
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
            ("[7]", None, "no object"),
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
