//! SHA-256 of several texts, told apart by their lengths.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// The digest in hexadecimal.
pub(crate) fn hex<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let mut digest = Sha256::new();
    for text in texts {
        digest.update(text.len().to_le_bytes());
        digest.update(text);
    }
    let mut text = String::new();
    for byte in digest.finalize() {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}
