//! The regular expressions of `patternProperties` (ECMA-262), read as far as linear time goes.

use regex::{Regex, RegexBuilder};
use regex_syntax::ast::{ErrorKind, parse::Parser};

/// A key of `patternProperties`.
#[derive(Debug)]
pub(crate) enum Pattern {
    /// It is searched for, unanchored.
    Search(Box<Regex>),
    /// It looks around or back, or is too large: which keys it matches is not known.
    Unsupported,
}

impl Pattern {
    /// Reads a pattern; none if it is no regular expression, so that it counts as absent.
    pub(crate) fn new(pattern: &str) -> Option<Self> {
        let Some(translated) = translate(pattern) else { return Some(Self::Unsupported) };
        if let Err(error) = Parser::new().parse(&translated) {
            return match error.kind() {
                ErrorKind::UnsupportedLookAround
                | ErrorKind::UnsupportedBackreference
                | ErrorKind::NestLimitExceeded(_) => Some(Self::Unsupported),
                _ => None,
            };
        }
        // What the parser takes and the builder does not is too large, or a class that Unicode lacks.
        match RegexBuilder::new(&translated).size_limit(1 << 20).build() {
            Ok(regex) => Some(Self::Search(Box::new(regex))),
            Err(regex::Error::CompiledTooBig(_)) => Some(Self::Unsupported),
            Err(_) => None,
        }
    }
}

/// Spells out what means something else in ECMA-262: `\d` and `\w` are ASCII, `.` stops at more line ends, `\/` is a slash. None where a
/// group is referred back to by its name, which the parser does not know for what it is.
fn translate(pattern: &str) -> Option<String> {
    let mut translated = String::with_capacity(pattern.len());
    let mut in_class = false;
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('d') => translated.push_str(if in_class { "0-9" } else { "[0-9]" }),
                Some('w') => {
                    translated.push_str(if in_class { "0-9A-Za-z_" } else { "[0-9A-Za-z_]" });
                }
                Some('D') => translated.push_str("[^0-9]"),
                Some('W') => translated.push_str("[^0-9A-Za-z_]"),
                Some('b') if in_class => translated.push_str("\\x08"),
                Some('b') => translated.push_str("(?-u:\\b)"),
                Some('/') => translated.push('/'),
                Some('k') if characters.as_str().starts_with('<') => return None,
                Some(escaped) => translated.extend(['\\', escaped]),
                None => translated.push('\\'),
            },
            '[' if in_class => translated.push_str("\\["),
            '[' if characters.as_str().starts_with("^]") => {
                translated.push_str("[\\s\\S]");
                characters.nth(1);
            }
            '[' => {
                in_class = true;
                translated.push('[');
            }
            ']' => {
                in_class = false;
                translated.push(']');
            }
            '&' | '~' if in_class => translated.extend(['\\', character]),
            '.' if !in_class => translated.push_str("[^\\n\\r\\u{2028}\\u{2029}]"),
            _ => translated.push(character),
        }
    }
    Some(translated)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, key: &str) -> bool {
        matches!(Pattern::new(pattern), Some(Pattern::Search(regex)) if regex.is_match(key))
    }

    #[test]
    fn as_ecma_262_has_it() {
        assert!(matches("^\\d+$", "12"));
        assert!(!matches("^\\d+$", "٣"));
        assert!(!matches("^a$", "a\n"));
        assert!(matches("[\\w-]", "-"));
        assert!(matches("b", "abc"));
        assert!(matches("^x\\/y", "x/y"));
        assert!(matches("^[a[]$", "["));
        assert!(matches("é.", "éx"));
        assert!(matches("^[^]$", "\n"));
    }

    #[test]
    fn unreadable_is_absent_unsupported_is_unknown() {
        assert!(Pattern::new("(").is_none());
        assert!(Pattern::new("[").is_none());
        assert!(matches!(Pattern::new("^(?!x)"), Some(Pattern::Unsupported)));
        assert!(matches!(Pattern::new("(a)\\1"), Some(Pattern::Unsupported)));
        assert!(matches!(Pattern::new("(?<x>a)\\k<x>"), Some(Pattern::Unsupported)));
        assert!(matches!(Pattern::new("((a{1000}){1000}){1000}"), Some(Pattern::Unsupported)));
    }
}
