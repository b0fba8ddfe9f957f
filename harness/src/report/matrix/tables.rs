//! Texts that stand once in the page however often they are said, and JSON texts in their shortest spelling.

use std::collections::HashMap;
use std::fmt::Write as _;

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::report::escape;

/// The place of a text in [`Texts`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub(super) struct TextId(usize);

/// Texts, each once, in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct Texts {
    all: Vec<String>,
    ids: HashMap<String, TextId>,
}

impl Texts {
    /// A text as it is.
    pub fn add(&mut self, text: String) -> TextId {
        if let Some(id) = self.ids.get(&text) {
            return *id;
        }
        let id = TextId(self.all.len());
        self.ids.insert(text.clone(), id);
        self.all.push(text);
        id
    }

    /// A text that an implementation wrote, in one line.
    pub fn add_line(&mut self, text: &str) -> TextId {
        self.add(line(text))
    }

    /// A JSON text.
    pub fn add_json(&mut self, text: &str) -> TextId {
        self.add(json(text))
    }
}

impl Serialize for Texts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.all.serialize(serializer)
    }
}

/// A text in one line, with what could not be seen spelled out.
pub(super) fn line(text: &str) -> String {
    const MOST: usize = 600;
    escape::line(text, MOST)
}

/// A JSON text without the blanks between its tokens, so that the spellings of two languages are one text. Numbers and strings stay as they were written; what is cut, or no JSON, loses nothing.
pub(super) fn json(text: &str) -> String {
    let is_json = serde_json::from_str::<&RawValue>(text).is_ok();
    let (mut in_string, mut escaped) = (false, false);
    let mut short = String::with_capacity(text.len());
    for c in text.chars() {
        if in_string {
            in_string = escaped || c != '"';
            escaped = c == '\\' && !escaped;
        } else if is_json && c.is_ascii_whitespace() {
            continue;
        } else {
            in_string = c == '"';
        }
        if escape::is_hidden(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a string does not fail.
                let _ = write!(short, "\\u{unit:04x}");
            }
        } else {
            short.push(c);
        }
    }
    short
}
