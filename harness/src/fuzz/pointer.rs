//! References in their many spellings.

use std::fmt::Write as _;

/// How the fragment of a reference is spelt. Each means the same (RFC 6901, section 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spelling {
    /// Percent-encoded where it must be.
    Plain,
    /// The first letter percent-encoded.
    Percent,
    /// Every octet percent-encoded, but for the slashes between tokens.
    EveryCharacter,
    /// The slashes between tokens percent-encoded too.
    EverySlash,
}

/// A reference to these tokens within the same document.
pub fn spelled(tokens: &[String], spelling: Spelling) -> String {
    let mut reference = "#".to_owned();
    let mut first = true;
    for token in tokens {
        reference.push_str(if spelling == Spelling::EverySlash { "%2F" } else { "/" });
        for byte in token.replace('~', "~0").replace('/', "~1").bytes() {
            let encode = match spelling {
                Spelling::Plain | Spelling::EverySlash => !is_plain(byte),
                Spelling::Percent => !is_plain(byte) || first && byte.is_ascii_alphanumeric(),
                Spelling::EveryCharacter => true,
            };
            if encode {
                first = false;
                // Writing to a string does not fail.
                let _ = write!(reference, "%{byte:02X}");
            } else {
                reference.push(char::from(byte));
            }
        }
    }
    reference
}

/// Whether an octet may stand in a fragment as it is (RFC 3986, section 3.5).
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@?".contains(&byte)
}
