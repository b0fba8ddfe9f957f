//! Fragments (RFC 3986) and pointers (RFC 6901), in the order of SPEC's chapter *Resolving*.

use std::fmt::Write as _;

use crate::json::Value;

/// What a `$ref` points at, before anything is looked up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reference {
    /// It does not start with `#`: another document, which is never fetched (clause `ref-local`).
    Remote,
    /// A pointer from the root, as unescaped tokens; none is the root itself (clause `ref-pointer`).
    Pointer(Vec<String>),
    /// A plain-name anchor (clause `ref-anchor`).
    Anchor(String),
    /// Local, but no pointer by RFC 6901, or malformed where that is refused.
    Malformed,
}

/// Reads the value of a `$ref`.
///
/// What follows `#` is percent-decoded once, before it is split (clause `ref-decode`). A malformed triplet, or one that decodes to no UTF-8, stays as it is written if
/// `keep_malformed`, and otherwise makes the reference [`Malformed`](Reference::Malformed) (clause `ref-decode-broken`).
///
/// ```
/// use callfit_reference::pointer::{Reference, read_reference};
///
/// let tokens = vec!["$defs".to_owned(), "a/b c".to_owned()];
/// assert_eq!(read_reference("#/$defs/a~1b%20c", true), Reference::Pointer(tokens));
/// assert_eq!(read_reference("other.json#/$defs/A", true), Reference::Remote);
/// ```
pub fn read_reference(reference: &str, keep_malformed: bool) -> Reference {
    let Some(fragment) = reference.strip_prefix('#') else {
        return Reference::Remote;
    };
    let Some(decoded) = percent_decode(fragment, keep_malformed) else {
        return Reference::Malformed;
    };
    if decoded.is_empty() {
        return Reference::Pointer(Vec::new());
    }
    let Some(pointer) = decoded.strip_prefix('/') else {
        return Reference::Anchor(decoded);
    };
    match pointer.split('/').map(unescape).collect() {
        Some(tokens) => Reference::Pointer(tokens),
        None => Reference::Malformed,
    }
}

/// Spells a pointer as the value of a `$ref`: `~` and `/` escaped, and what may not stand in a fragment percent-encoded.
pub fn write_reference<'a>(tokens: impl IntoIterator<Item = &'a str>) -> String {
    let mut reference = "#".to_owned();
    for token in tokens {
        reference.push('/');
        for character in token.chars() {
            match character {
                '~' => reference.push_str("~0"),
                '/' => reference.push_str("~1"),
                'a'..='z' | 'A'..='Z' | '0'..='9' => reference.push(character),
                _ if "-._!$&'()*+,;=:@?".contains(character) => reference.push(character),
                _ => {
                    let mut bytes = [0; 4];
                    for byte in character.encode_utf8(&mut bytes).bytes() {
                        let _ = write!(reference, "%{byte:02X}");
                    }
                }
            }
        }
    }
    reference
}

/// Looks tokens up one by one from `root` (clause `ref-walk`).
pub fn walk<'a, T: AsRef<str>>(root: &'a Value, tokens: &[T]) -> Option<&'a Value> {
    tokens.iter().try_fold(root, |here, token| step(here, token.as_ref()))
}

/// Looks one token up: an object's member by its exact key, an array's element by its index.
pub(crate) fn step<'a>(here: &'a Value, token: &str) -> Option<&'a Value> {
    match here {
        Value::Object(members) => members.get(token),
        Value::Array(elements) => elements.get(array_index(token)?),
        _ => None,
    }
}

/// Unescapes one token: `~1` is `/`, `~0` is `~`; any other `~` is an error (clause `ref-escape`).
fn unescape(token: &str) -> Option<String> {
    let mut parts = token.split('~');
    let mut unescaped = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = if let Some(rest) = part.strip_prefix('1') {
            unescaped.push('/');
            rest
        } else {
            unescaped.push('~');
            part.strip_prefix('0')?
        };
        unescaped.push_str(rest);
    }
    Some(unescaped)
}

/// The index that a token names in an array: `0`, or digits without a leading zero (clause `ref-walk`).
pub fn array_index(token: &str) -> Option<usize> {
    let plain = token == "0"
        || (!token.starts_with('0')
            && !token.is_empty()
            && token.bytes().all(|b| b.is_ascii_digit()));
    if plain { token.parse().ok() } else { None }
}

/// Decodes each run of triplets as UTF-8; what is malformed stays as written, or nothing comes back.
fn percent_decode(fragment: &str, keep_malformed: bool) -> Option<String> {
    let mut decoded = String::with_capacity(fragment.len());
    let mut rest = fragment;
    while let Some(at) = rest.find('%') {
        decoded.push_str(&rest[..at]);
        rest = &rest[at..];
        let mut bytes = Vec::new();
        while let Some(byte) = triplet(&rest[3 * bytes.len()..]) {
            bytes.push(byte);
        }
        if bytes.is_empty() {
            if !keep_malformed {
                return None;
            }
            decoded.push('%');
            rest = &rest[1..];
            continue;
        }
        let mut done = 0;
        for chunk in bytes.utf8_chunks() {
            decoded.push_str(chunk.valid());
            done += chunk.valid().len();
            if !chunk.invalid().is_empty() && !keep_malformed {
                return None;
            }
            let end = done + chunk.invalid().len();
            decoded.push_str(&rest[3 * done..3 * end]);
            done = end;
        }
        rest = &rest[3 * bytes.len()..];
    }
    decoded.push_str(rest);
    Some(decoded)
}

/// The byte of the triplet that `text` begins with.
fn triplet(text: &str) -> Option<u8> {
    let digits = text.strip_prefix('%')?.get(..2)?;
    let hex = digits.bytes().all(|b| b.is_ascii_hexdigit());
    if hex { u8::from_str_radix(digits, 16).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_triplets_stay_or_refuse() {
        for (fragment, kept) in [
            ("50%", "50%"),
            ("a%zz", "a%zz"),
            ("%FF", "%FF"),
            ("%ff%41", "%ffA"),
            ("%C3%28", "%C3("),
            ("%é", "%é"),
            ("%2", "%2"),
        ] {
            assert_eq!(percent_decode(fragment, true).as_deref(), Some(kept), "{fragment}");
            assert_eq!(percent_decode(fragment, false), None, "{fragment}");
        }
        assert_eq!(percent_decode("%C3%A9%2541+", false).as_deref(), Some("é%41+"));
    }

    #[test]
    fn what_is_written_reads_back() {
        for token in ["", "a/b", "m~n", "~1", "50%", "é 😀", "#?\"<>\\^`{|}"] {
            let reference = write_reference(["$defs", token]);
            let tokens = vec!["$defs".to_owned(), token.to_owned()];
            assert_eq!(
                read_reference(&reference, false),
                Reference::Pointer(tokens),
                "{reference}"
            );
        }
    }

    #[test]
    fn indices() {
        assert_eq!(array_index("0"), Some(0));
        assert_eq!(array_index("12"), Some(12));
        for token in ["", "01", "-", "-0", "+1", "٣", "1.0", "99999999999999999999999"] {
            assert_eq!(array_index(token), None, "{token}");
        }
    }
}
