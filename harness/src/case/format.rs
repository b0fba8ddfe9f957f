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
                tokens.push(Token { key: None, raw, is_close: true, end: at, width: 1 });
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

#[cfg(test)]
mod tests {
    use callfit_reference::json::parse;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_fits_stands_on_one_line() {
        let list = |width: usize| format!("[\"{}\"]", "é".repeat(width - 4));
        assert_eq!(format(&list(100)).unwrap(), list(100) + "\n");
        let broken = format!("[\n  {}\n]\n", &list(101)[1..=(98 + 98)]);
        assert_eq!(format(&list(101)).unwrap(), broken);
    }

    #[test]
    fn a_comma_counts() {
        let inner = format!("{{ \"a\": \"{}\" }}", "x".repeat(87));
        assert_eq!(inner.len(), 98);
        let last = format!("[\n  1,\n  {inner}\n]\n");
        assert_eq!(format(&last).unwrap(), last);
        let text = format(&format!("[{inner}, 1]")).unwrap();
        assert_eq!(text.lines().nth(1), Some("  {"));
    }

    #[test]
    fn scalars_stay_as_they_are_written() {
        let text = r#"{ "\u0061\ud800": [1.0, 1e400, -0, "\/\u00e9", {}, [], true, null] }"#;
        assert_eq!(format(text).unwrap(), format!("{text}\n"));
        assert_eq!(format(" 5.50\r\n").unwrap(), "5.50\n");
    }

    #[test]
    fn depth_is_no_danger() {
        let text = "[".repeat(2_000) + &"]".repeat(2_000);
        let formatted = format(&text).unwrap();
        let left: String = formatted.split_whitespace().collect();
        assert_eq!(left, text);
    }

    #[test]
    fn what_is_no_json_is_refused() {
        for text in ["", "{,}", "[1,]", "1 2", "nil"] {
            assert!(format(text).is_err(), "{text}");
        }
    }

    /// JSON texts with blanks where blanks may be.
    fn texts() -> impl Strategy<Value = String> {
        let blank = prop::sample::select(vec!["", " ", "\n", "\t \r\n"]);
        let words = vec![
            "1.0",
            "1e400",
            "-0",
            "true",
            "null",
            r#""\ud800""#,
            r#""\u00e9 \"x""#,
            "{ }",
            "[\n]",
        ];
        let long = (0..120usize).prop_map(|length| format!("\"{}\"", "é".repeat(length)));
        let leaf = prop_oneof![prop::sample::select(words).prop_map(str::to_owned), long];
        leaf.prop_recursive(5, 60, 6, move |inner| {
            let item =
                (blank.clone(), inner).prop_map(|(blank, item)| format!("{blank}{item}{blank}"));
            let member =
                ("[a-c/~]{0,9}", item.clone()).prop_map(|(key, item)| format!("\"{key}\" :{item}"));
            prop_oneof![
                prop::collection::vec(item, 0..6)
                    .prop_map(|items| format!("[{}]", items.join(","))),
                prop::collection::vec(member, 0..6)
                    .prop_map(|members| format!("{{{}}}", members.join(","))),
            ]
        })
    }

    proptest! {
        #[test]
        fn formatting_changes_blanks_only_and_once(text in texts()) {
            let formatted = format(&text).unwrap();
            prop_assert_eq!(&format(&formatted).unwrap(), &formatted);
            let raw = |text: &str| -> Vec<String> {
                tokens(text).unwrap().iter().map(|token| format!("{:?} {}", token.key, token.raw)).collect()
            };
            prop_assert_eq!(raw(&formatted), raw(&text));
            prop_assert_eq!(parse(&without_lone_surrogates(&formatted)).is_ok(), true);
            for line in formatted.lines().filter(|line| line.chars().count() > WIDTH) {
                // Only a scalar that no break can shorten is wider.
                let value = line.trim_end_matches(',').trim_start();
                prop_assert!(value.ends_with('"') && !value.starts_with(['[', '{']), "{}", line);
            }
        }
    }
}
