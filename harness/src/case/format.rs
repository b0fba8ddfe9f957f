//! The one layout of a corpus file.

use callfit_reference::json::{Event, ParseError, Reader};

use super::place::without_lone_surrogates;

const WIDTH: usize = 100;

/// A JSON text in the layout of the corpus: two spaces an indentation, and on one line whatever fits within 100 characters. Strings and numbers stay as they are
/// written. Formatting again changes nothing.
///
/// ```
/// let text = callfit::case::format(r#"{"id":1.0,"list":[]}"#).unwrap();
/// assert_eq!(text, "{ \"id\": 1.0, \"list\": [] }\n");
/// ```
pub fn format(text: &str) -> Result<String, ParseError> {
    format_at(text, 0).map(|formatted| formatted + "\n")
}

/// The same for a value that stands this deep in another: without a line break at the end, and without an indentation at the beginning.
pub(super) fn format_at(text: &str, depth: usize) -> Result<String, ParseError> {
    let tokens = tokens(text)?;
    let mut out = String::new();
    let mut depth = depth;
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if token.is_close {
            depth -= 1;
        }
        if at > 0 {
            out.push('\n');
            out.push_str(&"  ".repeat(depth));
        }
        let column = 2 * depth;
        let comma = has_comma(&tokens, token.end);
        let fits = column + token.width + usize::from(comma) <= WIDTH;
        if fits || token.end == at {
            write_flat(&tokens[at..=token.end], &mut out);
            at = token.end + 1;
            out.push_str(if comma { "," } else { "" });
        } else {
            write_key(token, &mut out);
            out.push_str(token.raw);
            depth += 1;
            at += 1;
        }
    }
    Ok(out)
}

/// A scalar, or one end of a container.
struct Token<'a> {
    /// The key, as it is written, of a member that begins here.
    key: Option<&'a str>,
    raw: &'a str,
    is_close: bool,
    /// Where the value that begins here ends.
    end: usize,
    /// The characters that the value that begins here takes on one line, its key included.
    width: usize,
}

fn tokens(text: &str) -> Result<Vec<Token<'_>>, ParseError> {
    let patched = without_lone_surrogates(text);
    let mut reader = Reader::new(&patched);
    let mut tokens: Vec<Token<'_>> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut key = None;
    while let Some((event, range)) = reader.next_event()? {
        let raw = &text[range];
        let at = tokens.len();
        match event {
            Event::Key(_) => key = Some(raw),
            Event::EndObject | Event::EndArray => {
                tokens.push(Token {
                    key: None,
                    raw,
                    is_close: true,
                    end: at,
                    width: 1,
                });
                if let Some(start) = open.pop() {
                    tokens[start].end = at;
                    tokens[start].width += match (raw, at - start) {
                        (_, 1) | ("]", _) => 1,
                        _ => 3,
                    };
                    widen(&mut tokens, &open, start);
                }
            }
            _ => {
                let key = key.take();
                let before = key.map_or(0, |key: &str| key.chars().count() + 2);
                tokens.push(Token {
                    key,
                    raw,
                    is_close: false,
                    end: at,
                    width: before + raw.chars().count(),
                });
                if matches!(event, Event::StartObject | Event::StartArray) {
                    open.push(at);
                } else {
                    widen(&mut tokens, &open, at);
                }
            }
        }
    }
    reader.finish()?;
    Ok(tokens)
}

/// Adds a whole value's width, and that of the comma before it, to the container around it.
fn widen(tokens: &mut [Token<'_>], open: &[usize], value: usize) {
    if let Some(container) = open.last() {
        let comma = if *container + 1 == value { 0 } else { 2 };
        tokens[*container].width += tokens[value].width + comma;
    }
}

fn has_comma(tokens: &[Token<'_>], end: usize) -> bool {
    tokens.get(end + 1).is_some_and(|next| !next.is_close)
}

fn write_key(token: &Token<'_>, out: &mut String) {
    if let Some(key) = token.key {
        out.push_str(key);
        out.push_str(": ");
    }
}

fn write_flat(tokens: &[Token<'_>], out: &mut String) {
    let mut before = "";
    for token in tokens {
        out.push_str(match (before, token.raw, token.is_close) {
            ("" | "[", ..) | ("{", "}", true) | (_, "]", true) => "",
            ("{", ..) | (_, "}", true) => " ",
            _ => ", ",
        });
        write_key(token, out);
        out.push_str(token.raw);
        before = token.raw;
    }
}
