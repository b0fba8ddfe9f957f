//! Numbers as they were written, compared by what they denote.

use std::fmt;

/// A JSON number (RFC 8259, section 6), kept as its text.
///
/// Two numbers are equal if they denote the same decimal (`3`, `3.0` and `30e-1` are one number), or if neither is an integer and both are nearest to the same finite
/// double other than 0. So integers are told apart by every digit, and a fraction may have gone through a double on its way.
#[derive(Clone)]
pub struct Number(Box<str>);

impl Number {
    /// The number with this text, if it is one by RFC 8259.
    pub fn new(text: &str) -> Option<Self> {
        is_number(text).then(|| Self(text.into()))
    }

    /// The text as it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the number is integral: `5`, `5.0`, `1e3`, `1200e-2`.
    pub fn is_integer(&self) -> bool {
        Decimal::new(&self.0).is_integer()
    }

    /// The number as plain digits (`3.0` as `3`, `1e3` as `1000`, `-0` as `0`) if it is integral and takes at most `most` digits.
    pub fn to_plain_integer(&self, most: usize) -> Option<Self> {
        let decimal = Decimal::new(&self.0);
        if !decimal.is_integer() {
            return None;
        }
        if decimal.digits.is_empty() {
            return Some(Self("0".into()));
        }
        let Exponent::Known(exponent) = decimal.exponent else {
            return None;
        };
        let zeros = usize::try_from(exponent).ok()?;
        if decimal.digits.len().checked_add(zeros)? > most {
            return None;
        }
        let sign = if decimal.negative { "-" } else { "" };
        Some(Self(format!("{sign}{}{}", decimal.digits, "0".repeat(zeros)).into()))
    }

    /// The nearest double; infinite beyond the largest.
    pub fn to_f64(&self) -> f64 {
        self.0.parse().unwrap_or(f64::NAN)
    }

    pub(super) fn from_checked(text: &str) -> Self {
        Self(text.into())
    }
}

impl From<i64> for Number {
    fn from(number: i64) -> Self {
        Self(number.to_string().into())
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        if self.0 == other.0 {
            return true;
        }
        let (a, b) = (Decimal::new(&self.0), Decimal::new(&other.0));
        if a == b {
            return true;
        }
        if a.is_integer() || b.is_integer() {
            return false;
        }
        let (x, y) = (self.to_f64(), other.to_f64());
        x.is_finite() && x != 0.0 && x.to_bits() == y.to_bits()
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// `digits · 10^exponent`, without leading or trailing zeros; no digits are 0.
#[derive(PartialEq)]
struct Decimal {
    negative: bool,
    digits: String,
    exponent: Exponent,
}

/// An exponent that fits, or the text of one that no machine number holds.
#[derive(PartialEq)]
enum Exponent {
    Known(i128),
    Huge { negative: bool, text: String },
}

impl Decimal {
    /// `text` is a number by RFC 8259.
    fn new(text: &str) -> Self {
        let (negative, text) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = format!("{whole}{fraction}");
        let significant = all.trim_start_matches('0');
        let digits = significant.trim_end_matches('0');
        if digits.is_empty() {
            return Self { negative: false, digits: String::new(), exponent: Exponent::Known(0) };
        }
        let trailing = significant.len() - digits.len();
        let shift =
            i128::try_from(trailing).unwrap_or(0) - i128::try_from(fraction.len()).unwrap_or(0);
        let exponent = match exponent.parse::<i64>() {
            Ok(exponent) => Exponent::Known(i128::from(exponent) + shift),
            Err(_) => Exponent::Huge { negative: exponent.starts_with('-'), text: text.to_owned() },
        };
        Self { negative, digits: digits.to_owned(), exponent }
    }

    fn is_integer(&self) -> bool {
        match &self.exponent {
            Exponent::Known(exponent) => *exponent >= 0,
            Exponent::Huge { negative, .. } => !negative,
        }
    }
}

/// Whether `text` is a number by the grammar of RFC 8259.
fn is_number(text: &str) -> bool {
    number_length(text.as_bytes()) == Some(text.len())
}

/// The length of the number that `bytes` begin with.
pub(super) fn number_length(bytes: &[u8]) -> Option<usize> {
    let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let mut at = usize::from(bytes.first() == Some(&b'-'));
    at += match bytes.get(at)? {
        b'0' => 1,
        b'1'..=b'9' => digits(at),
        _ => return None,
    };
    if bytes.get(at) == Some(&b'.') {
        let count = digits(at + 1);
        if count == 0 {
            return None;
        }
        at += 1 + count;
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let count = digits(at + 1 + sign);
        if count == 0 {
            return None;
        }
        at += 1 + sign + count;
    }
    Some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        Number::new(text).unwrap_or_else(|| panic!("{text} is a number"))
    }

    #[test]
    fn equal_by_value() {
        for (a, b) in [
            ("3", "3.0"),
            ("0", "-0"),
            ("1e3", "1000"),
            ("1200e-2", "12"),
            ("0.10", "0.1"),
            ("0.1", "0.1000000000000000055"),
        ] {
            assert_eq!(number(a), number(b), "{a} {b}");
        }
        for (a, b) in [
            ("9007199254740993", "9007199254740992"),
            ("1e400", "1e401"),
            ("1e-400", "0"),
            ("1e-400", "1e-401"),
            ("1e99999999999999999999", "1e99999999999999999998"),
        ] {
            assert_ne!(number(a), number(b), "{a} {b}");
        }
    }

    #[test]
    fn grammar() {
        for text in ["", "-", "+5", "05", "5.", ".5", "1e", "0x1", "1_0", "NaN", "5 "] {
            assert!(Number::new(text).is_none(), "{text}");
        }
    }

    #[test]
    fn plain_integers() {
        let plain = |text| number(text).to_plain_integer(1000).map(|n| n.to_string());
        assert_eq!(plain("3.0").as_deref(), Some("3"));
        assert_eq!(plain("-1e3").as_deref(), Some("-1000"));
        assert_eq!(plain("-0.0").as_deref(), Some("0"));
        assert_eq!(plain("5.5"), None);
        assert_eq!(plain("1e99999"), None);
        assert_eq!(plain("1e99999999999999999999"), None);
    }
}
