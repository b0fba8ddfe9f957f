//! JSON text from a value.

use std::fmt::{self, Write};

use super::Value;

/// Writes compact JSON text.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        enum Step<'a> {
            Elements(std::slice::Iter<'a, Value>, bool),
            Members(indexmap::map::Iter<'a, String, Value>, bool),
        }
        let mut open: Vec<Step<'_>> = Vec::new();
        let mut value = self;
        loop {
            match value {
                Self::Null => f.write_str("null")?,
                Self::Bool(true) => f.write_str("true")?,
                Self::Bool(false) => f.write_str("false")?,
                Self::Number(number) => f.write_str(number.as_str())?,
                Self::String(text) => write_string(f, text)?,
                Self::Array(elements) => {
                    f.write_char('[')?;
                    open.push(Step::Elements(elements.iter(), true));
                }
                Self::Object(members) => {
                    f.write_char('{')?;
                    open.push(Step::Members(members.iter(), true));
                }
            }
            value = loop {
                let Some(step) = open.last_mut() else {
                    return Ok(());
                };
                let (next, close) = match step {
                    Step::Elements(elements, first) => {
                        let next = elements.next();
                        if next.is_some() && !std::mem::take(first) {
                            f.write_char(',')?;
                        }
                        (next, ']')
                    }
                    Step::Members(members, first) => {
                        let next = members.next();
                        if next.is_some() && !std::mem::take(first) {
                            f.write_char(',')?;
                        }
                        if let Some((key, _)) = next {
                            write_string(f, key)?;
                            f.write_char(':')?;
                        }
                        (next.map(|(_, value)| value), '}')
                    }
                };
                if let Some(next) = next {
                    break next;
                }
                f.write_char(close)?;
                open.pop();
            };
        }
    }
}

/// The same as `Display`: a value in an assertion can be pasted into a case.
impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

fn write_string(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_char('"')?;
    let mut plain = 0;
    for (at, byte) in text.bytes().enumerate() {
        let escape = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            0x08 => "\\b",
            0x0c => "\\f",
            0..0x20 => "",
            _ => continue,
        };
        f.write_str(&text[plain..at])?;
        if escape.is_empty() {
            write!(f, "\\u{byte:04x}")?;
        } else {
            f.write_str(escape)?;
        }
        plain = at + 1;
    }
    f.write_str(&text[plain..])?;
    f.write_char('"')
}
