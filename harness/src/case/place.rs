//! Where things stand in a JSON text: pointers to bytes, bytes to lines.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use callfit_reference::json::{Event, ParseError, Reader};

/// The places of a JSON text.
#[derive(Debug)]
pub struct Outline {
    nodes: Vec<Node>,
    children: HashMap<(usize, String), usize>,
    /// Where a key stands that its object had already.
    pub repeated_keys: Vec<Range<usize>>,
}

#[derive(Debug, Clone)]
struct Node {
    key: Option<Range<usize>>,
    value: Range<usize>,
}

impl Outline {
    /// Reads a JSON text in which lone surrogates are taken for characters.
    pub fn new(text: &str) -> Result<Self, ParseError> {
        let text = without_lone_surrogates(text);
        let mut reader = Reader::new(&text);
        let mut outline =
            Self { nodes: Vec::new(), children: HashMap::new(), repeated_keys: Vec::new() };
        // The containers that are open, each with the turn of its next element.
        let mut open: Vec<(usize, usize)> = Vec::new();
        let mut key: Option<(String, Range<usize>)> = None;
        while let Some((event, range)) = reader.next_event()? {
            match event {
                Event::Key(name) => key = Some((name.into_owned(), range)),
                Event::EndObject | Event::EndArray => {
                    if let Some((node, _)) = open.pop() {
                        outline.nodes[node].value.end = range.end;
                    }
                }
                _ => {
                    let node = outline.add(&mut open, key.take(), range);
                    if matches!(event, Event::StartObject | Event::StartArray) {
                        open.push((node, 0));
                    }
                }
            }
        }
        reader.finish()?;
        Ok(outline)
    }

    fn add(
        &mut self,
        open: &mut [(usize, usize)],
        key: Option<(String, Range<usize>)>,
        value: Range<usize>,
    ) -> usize {
        let node = self.nodes.len();
        let (token, key) = match key {
            Some((token, range)) => (Some(token), Some(range)),
            None => (None, None),
        };
        if let Some((parent, turn)) = open.last_mut() {
            let token = token.unwrap_or_else(|| turn.to_string());
            *turn += 1;
            let before = self.children.insert((*parent, token), node);
            if before.is_some() {
                self.repeated_keys.extend(key.clone());
            }
        }
        self.nodes.push(Node { key, value });
        node
    }

    /// The bytes of the value that an RFC 6901 pointer leads to.
    pub fn find(&self, pointer: &str) -> Option<Range<usize>> {
        match self.walk(pointer) {
            (node, true) => self.nodes.get(node).map(|node| node.value.clone()),
            (_, false) => None,
        }
    }

    /// The bytes of the value that an RFC 6901 pointer leads to, or of the last one on the way that is there.
    pub fn value(&self, pointer: &str) -> Range<usize> {
        self.node(pointer).map_or(0..0, |node| node.value.clone())
    }

    /// The bytes of the key of the member that a pointer leads to; those of the value, if it has none.
    pub fn key(&self, pointer: &str) -> Range<usize> {
        self.node(pointer)
            .map_or(0..0, |node| node.key.clone().unwrap_or_else(|| node.value.clone()))
    }

    fn node(&self, pointer: &str) -> Option<&Node> {
        self.nodes.get(self.walk(pointer).0)
    }

    /// The last node on a pointer's way, and whether it is the pointer's end.
    fn walk(&self, pointer: &str) -> (usize, bool) {
        let mut at = 0;
        for token in pointer.split('/').skip(1) {
            let token = token.replace("~1", "/").replace("~0", "~");
            match self.children.get(&(at, token)) {
                Some(child) => at = *child,
                None => return (at, false),
            }
        }
        (at, true)
    }
}

/// A pointer's token for this key.
pub fn token(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// The line and column (in characters) of a byte, both from 1.
pub fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    (line, before[start..].chars().count() + 1)
}

/// The text with `\ufffd` for every escape that is half a character, which a case may well send, but no string of Rust's can hold. Every byte keeps its place.
pub fn without_lone_surrogates(text: &str) -> Cow<'_, str> {
    let mut patched: Option<String> = None;
    let mut at = 0;
    while let Some(found) = text[at..].find('\\') {
        at += found;
        match (unit(text, at), unit(text, at + 6)) {
            (Some(0xd800..0xdc00), Some(0xdc00..0xe000)) => at += 12,
            (Some(0xd800..0xe000), _) => {
                let patched = patched.get_or_insert_with(|| text.to_owned());
                patched.replace_range(at..at + 6, "\\ufffd");
                at += 6;
            }
            (Some(_), _) => at += 6,
            // Whatever is escaped otherwise is one character, which need not be a byte in a broken file.
            (None, _) => at += 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8),
        }
    }
    patched.map_or(Cow::Borrowed(text), Cow::Owned)
}

/// The value of the `\uXXXX` at this place, if one is there.
fn unit(text: &str, at: usize) -> Option<u32> {
    let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
    u32::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places() {
        let text = r#"{"a": [1, {"b/~": true}], "": null, "a": 2}"#;
        let outline = Outline::new(text).unwrap();
        assert_eq!(&text[outline.value("/")], "null");
        assert_eq!(&text[outline.value("/a")], "2");
        assert_eq!(&text[outline.repeated_keys[0].clone()], "\"a\"");
        let outline = Outline::new(&text[..text.len() - 8].replace("null", "nil")).unwrap_err();
        assert_eq!(outline.problem, "expected a value");
        let text = r#"{"a": [1, {"b/~": true}], "c": 5}"#;
        let outline = Outline::new(text).unwrap();
        assert_eq!(&text[outline.value("/a/1")], r#"{"b/~": true}"#);
        assert_eq!(&text[outline.value("/a/1/b~1~0")], "true");
        assert_eq!(&text[outline.key("/a/1/b~1~0")], "\"b/~\"");
        assert_eq!(&text[outline.key("/a/0")], "1");
        assert_eq!(&text[outline.value("/a/7/x")], r#"[1, {"b/~": true}]"#);
    }

    #[test]
    fn lone_surrogates_are_patched_in_place() {
        let text = r#""\ud800 \\ud800 \ud83d\ude00 \udc00\ud800\u0041 \"""#;
        let expected = r#""\ufffd \\ud800 \ud83d\ude00 \ufffd\ufffd\u0041 \"""#;
        assert_eq!(without_lone_surrogates(text), expected);
        assert!(matches!(without_lone_surrogates(r#""\u00e9""#), Cow::Borrowed(_)));
        assert_eq!(without_lone_surrogates("\\é\\"), "\\é\\");
    }

    #[test]
    fn lines_count_from_one() {
        let text = "é\n\"é\" x";
        assert_eq!(line_and_column(text, 0), (1, 1));
        assert_eq!(line_and_column(text, text.len() - 1), (2, 5));
    }
}
