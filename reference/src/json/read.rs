//! JSON text to events, and events to a value. Neither recurses.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use super::number::number_length;
use super::{Array, Number, Object, Value};

/// One step through a JSON text.
#[derive(Debug, Clone, PartialEq)]
pub enum Event<'a> {
    /// `{`
    StartObject,
    /// `}`
    EndObject,
    /// `[`
    StartArray,
    /// `]`
    EndArray,
    /// The key of the member whose value comes next.
    Key(Cow<'a, str>),
    /// A string.
    String(Cow<'a, str>),
    /// A number's text.
    Number(&'a str),
    /// `true` or `false`
    Bool(bool),
    /// `null`
    Null,
}

/// Why a text is no JSON text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    /// Where, in bytes from the start.
    pub offset: usize,
    /// What is wrong there.
    pub problem: &'static str,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.problem, self.offset)
    }
}

impl std::error::Error for ParseError {}

/// What is made of an object that has a key twice. RFC 8259 leaves it open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RepeatedKeys {
    /// The last value stands.
    #[default]
    Last,
    /// The first value stands.
    First,
    /// The text is refused.
    Refuse,
}

/// How [`parse_with`] reads what RFC 8259 leaves open.
#[derive(Debug, Clone, Copy, Default)]
pub struct ParseOptions {
    /// What is made of a repeated key.
    pub repeated_keys: RepeatedKeys,
}

/// Reads one JSON text: a value with blanks around it and nothing else.
pub fn parse(text: &str) -> Result<Value, ParseError> {
    parse_with(text, ParseOptions::default())
}

/// Reads one JSON text, with a choice where RFC 8259 leaves one.
pub fn parse_with(text: &str, options: ParseOptions) -> Result<Value, ParseError> {
    let mut reader = Reader::new(text);
    let value = build(&mut reader, options)?;
    reader.finish()?;
    Ok(value)
}

/// Reads the JSON value that `text` begins with, and says how many bytes it took, blanks before it included.
pub fn parse_prefix(text: &str, options: ParseOptions) -> Result<(Value, usize), ParseError> {
    let mut reader = Reader::new(text);
    let value = build(&mut reader, options)?;
    Ok((value, reader.offset()))
}

fn build(reader: &mut Reader<'_>, options: ParseOptions) -> Result<Value, ParseError> {
    enum Open {
        Array(Vec<Value>),
        Object(Object, Option<String>),
    }
    let mut open: Vec<Open> = Vec::new();
    loop {
        let at = reader.offset();
        let Some((event, range)) = reader.next_event()? else {
            return Err(ParseError { offset: at, problem: "expected a value" });
        };
        let value = match event {
            Event::StartObject => {
                open.push(Open::Object(Object::new(), None));
                continue;
            }
            Event::StartArray => {
                open.push(Open::Array(Vec::new()));
                continue;
            }
            Event::Key(key) => {
                if let Some(Open::Object(members, waiting)) = open.last_mut() {
                    if options.repeated_keys == RepeatedKeys::Refuse
                        && members.contains_key(key.as_ref())
                    {
                        return Err(ParseError {
                            offset: range.start,
                            problem: "the key is repeated",
                        });
                    }
                    *waiting = Some(key.into_owned());
                }
                continue;
            }
            Event::EndObject | Event::EndArray => match open.pop() {
                Some(Open::Array(elements)) => Value::Array(Array::from(elements)),
                Some(Open::Object(members, _)) => Value::Object(members),
                None => {
                    return Err(ParseError { offset: at, problem: "expected a value" });
                }
            },
            Event::String(text) => Value::String(text.into_owned()),
            Event::Number(text) => Value::Number(Number::from_checked(text)),
            Event::Bool(value) => Value::Bool(value),
            Event::Null => Value::Null,
        };
        match open.last_mut() {
            None => return Ok(value),
            Some(Open::Array(elements)) => elements.push(value),
            Some(Open::Object(members, key)) => {
                let key = key.take().unwrap_or_default();
                if options.repeated_keys == RepeatedKeys::First && members.contains_key(&key) {
                    continue;
                }
                members.insert(key, value);
            }
        }
    }
}

/// Reads a JSON text event by event, each with the bytes it stands on.
#[derive(Debug, Clone)]
pub struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// The containers that are open: `true` is an object.
    open: Vec<bool>,
    expect: Expect,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Expect {
    Value,
    /// After `[`: a value or `]`.
    FirstElement,
    /// After `{`: a key or `}`.
    FirstKey,
    /// After a value: `,` or the end of the container.
    CommaOrEnd,
    Nothing,
}

impl<'a> Reader<'a> {
    /// A reader at the start of `text`.
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0, open: Vec::new(), expect: Expect::Value }
    }

    /// How many bytes have been read.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// How many containers are open.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// The next event and the bytes it stands on; none after the top value.
    pub fn next_event(&mut self) -> Result<Option<(Event<'a>, Range<usize>)>, ParseError> {
        if self.expect == Expect::Nothing {
            return Ok(None);
        }
        self.skip_blanks();
        let in_object = self.open.last() == Some(&true);
        match self.expect {
            Expect::CommaOrEnd => {
                if self.peek() == Some(if in_object { b'}' } else { b']' }) {
                    return Ok(Some(self.close()));
                }
                if self.peek() != Some(b',') {
                    return Err(self.problem(if in_object {
                        "expected , or }"
                    } else {
                        "expected , or ]"
                    }));
                }
                self.at += 1;
                self.skip_blanks();
                if in_object { self.key().map(Some) } else { self.value().map(Some) }
            }
            Expect::FirstKey if self.peek() == Some(b'}') => Ok(Some(self.close())),
            Expect::FirstKey => self.key().map(Some),
            Expect::FirstElement if self.peek() == Some(b']') => Ok(Some(self.close())),
            _ => self.value().map(Some),
        }
    }

    /// Checks that nothing but blanks is left.
    pub fn finish(&mut self) -> Result<(), ParseError> {
        self.skip_blanks();
        if self.at == self.text.len() {
            Ok(())
        } else {
            Err(self.problem("expected the end of the text"))
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn problem(&self, problem: &'static str) -> ParseError {
        ParseError { offset: self.at, problem }
    }

    fn close(&mut self) -> (Event<'a>, Range<usize>) {
        let event = if self.open.pop() == Some(true) { Event::EndObject } else { Event::EndArray };
        self.at += 1;
        self.after_value();
        (event, self.at - 1..self.at)
    }

    fn after_value(&mut self) {
        self.expect = if self.open.is_empty() { Expect::Nothing } else { Expect::CommaOrEnd };
    }

    fn key(&mut self) -> Result<(Event<'a>, Range<usize>), ParseError> {
        let from = self.at;
        if self.peek() != Some(b'"') {
            return Err(self.problem("expected a key in double quotes"));
        }
        let key = self.string()?;
        let to = self.at;
        self.skip_blanks();
        if self.peek() != Some(b':') {
            return Err(self.problem("expected :"));
        }
        self.at += 1;
        self.expect = Expect::Value;
        Ok((Event::Key(key), from..to))
    }

    fn value(&mut self) -> Result<(Event<'a>, Range<usize>), ParseError> {
        let from = self.at;
        let event = match self.peek() {
            Some(b'{') => {
                self.at += 1;
                self.open.push(true);
                self.expect = Expect::FirstKey;
                return Ok((Event::StartObject, from..self.at));
            }
            Some(b'[') => {
                self.at += 1;
                self.open.push(false);
                self.expect = Expect::FirstElement;
                return Ok((Event::StartArray, from..self.at));
            }
            Some(b'"') => Event::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => {
                let length = number_length(&self.text.as_bytes()[from..])
                    .ok_or_else(|| self.problem("malformed number"))?;
                self.at += length;
                Event::Number(&self.text[from..self.at])
            }
            _ => {
                let rest = &self.text[from..];
                let (word, event) = if rest.starts_with("true") {
                    ("true", Event::Bool(true))
                } else if rest.starts_with("false") {
                    ("false", Event::Bool(false))
                } else if rest.starts_with("null") {
                    ("null", Event::Null)
                } else {
                    return Err(self.problem("expected a value"));
                };
                self.at += word.len();
                event
            }
        };
        self.after_value();
        Ok((event, from..self.at))
    }

    /// Reads a string whose opening quote is next.
    fn string(&mut self) -> Result<Cow<'a, str>, ParseError> {
        self.at += 1;
        let mut plain = self.at;
        let mut decoded: Option<String> = None;
        loop {
            match self.peek() {
                None => return Err(self.problem("the string does not end")),
                Some(b'"') => {
                    let rest = &self.text[plain..self.at];
                    self.at += 1;
                    return Ok(match decoded {
                        None => Cow::Borrowed(rest),
                        Some(mut text) => {
                            text.push_str(rest);
                            Cow::Owned(text)
                        }
                    });
                }
                Some(b'\\') => {
                    let text = decoded.get_or_insert_default();
                    text.push_str(&self.text[plain..self.at]);
                    let character = self.escape()?;
                    decoded.get_or_insert_default().push(character);
                    plain = self.at;
                }
                Some(0..0x20) => {
                    return Err(self.problem("a control character in a string must be escaped"));
                }
                Some(_) => self.at += 1,
            }
        }
    }

    fn escape(&mut self) -> Result<char, ParseError> {
        let byte = self.text.as_bytes().get(self.at + 1);
        let character = match byte {
            Some(b'u') => return self.unicode_escape(),
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            _ => return Err(self.problem("unknown escape")),
        };
        self.at += 2;
        Ok(character)
    }

    fn unicode_escape(&mut self) -> Result<char, ParseError> {
        let first = self.unit(self.at)?;
        let code = match first {
            0xd800..0xdc00 => match self.unit(self.at + 6) {
                Ok(second @ 0xdc00..0xe000) => {
                    self.at += 6;
                    0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)
                }
                _ => return Err(self.problem("a lone surrogate is no character")),
            },
            _ => first,
        };
        let character =
            char::from_u32(code).ok_or_else(|| self.problem("a lone surrogate is no character"))?;
        self.at += 6;
        Ok(character)
    }

    /// The value of the `\uXXXX` at `at`.
    fn unit(&self, at: usize) -> Result<u32, ParseError> {
        let bytes = self.text.as_bytes();
        let digits = bytes.get(at + 2..at + 6).filter(|_| bytes[at..].starts_with(b"\\u"));
        let digits = digits.ok_or_else(|| self.problem("expected four hexadecimal digits"))?;
        digits.iter().try_fold(0, |unit, digit| {
            let digit = char::from(*digit)
                .to_digit(16)
                .ok_or_else(|| self.problem("expected four hexadecimal digits"))?;
            Ok(unit * 16 + digit)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes() {
        for text in
            ["null", "[]", "{}", r#"{"a":[1.10,-0,1e400,true,"\u001f\n\"é😀"],"":{"b":null}}"#]
        {
            assert_eq!(parse(text).unwrap().to_string(), text);
        }
        assert_eq!(parse(r#""\ud83d\ude00\/""#).unwrap(), Value::from("😀/"));
    }

    #[test]
    fn refuses_what_is_no_json() {
        for text in [
            "",
            " ",
            "[1,]",
            "{,}",
            "{\"a\"}",
            "{\"a\":}",
            "[1 2]",
            "nul",
            "tru",
            "\"",
            "\"\\x\"",
            "\"\\ud800\"",
            "\"\n\"",
            "1 2",
            "[",
            "{\"a\":1",
            "01",
            "+1",
            "NaN",
            "]",
            "\u{a0}1",
        ] {
            assert!(parse(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn repeated_keys() {
        let text = r#"{"a":1,"b":2,"a":3}"#;
        let read = |repeated_keys| parse_with(text, ParseOptions { repeated_keys });
        assert_eq!(read(RepeatedKeys::Last).unwrap().get("a"), Some(&Value::from(3)));
        assert_eq!(read(RepeatedKeys::First).unwrap().get("a"), Some(&Value::from(1)));
        assert_eq!(read(RepeatedKeys::Refuse).unwrap_err().offset, 13);
    }

    #[test]
    fn depth_is_no_danger() {
        let depth = 200_000;
        let text = "[".repeat(depth) + &"]".repeat(depth);
        let value = parse(&text).unwrap();
        let copy = value.clone();
        assert_eq!(value, copy);
        assert_eq!(copy.to_string(), text);
        let text = "{\"a\":".repeat(depth) + "1" + &"}".repeat(depth);
        assert_eq!(parse(&text).unwrap().clone().to_string(), text);
    }
}
