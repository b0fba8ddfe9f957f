//! Reading numbers: the JSON text of one, and the other spellings that policies allow.

use super::Coercion;
use crate::json::{Number, Value};
use crate::kinds::Kinds;
use crate::policy::{Choice, Policy};
use crate::position::Spot;

/// An integer is spelled out as plain digits, up to so many.
const MOST_DIGITS: usize = 1_000;

impl Coercion<'_> {
    /// The number as it belongs at a place, if it is admitted there. Where no fraction is, an integer becomes plain digits.
    pub(super) fn number_at(&self, number: Number, spot: &Spot) -> Option<Value> {
        let text = number.as_str();
        let plain = text.bytes().all(|b| b.is_ascii_digit() || b == b'-') && text != "-0";
        if plain || self.nodes.may_admit(spot, Kinds::FRACTION) {
            return Some(Value::Number(number)).filter(|value| self.nodes.admits(spot, value));
        }
        let has = |marks: &[char]| text.contains(marks);
        if has(&['e', 'E']) && self.chose(Policy::Exponent, Choice::Keep)
            || has(&['.']) && self.chose(Policy::IntegralDecimal, Choice::Keep)
        {
            return None;
        }
        let integer = number.to_plain_integer(MOST_DIGITS)?;
        Some(Value::Number(integer)).filter(|value| self.nodes.admits(spot, value))
    }

    /// The number that a text means to those who take more than JSON's spellings.
    pub(super) fn spelled_number(&self, text: &str) -> Option<Number> {
        let mut text = text.to_owned();
        if self.chose(Policy::ForeignDigits, Choice::Convert) {
            text = text.chars().map(ascii_digit).collect();
        }
        let (sign, digits) = match text.as_bytes().first()? {
            b'+' if self.chose(Policy::PlusSign, Choice::Convert) => ("", &text[1..]),
            b'-' => ("-", &text[1..]),
            _ => ("", text.as_str()),
        };
        if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
            return None;
        }
        if self.chose(Policy::Hex, Choice::Convert)
            && let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"))
            && !hex.starts_with('+')
        {
            return Number::new(&format!("{sign}{}", u128::from_str_radix(hex, 16).ok()?));
        }
        let mut digits = digits.to_owned();
        if self.chose(Policy::DigitSeparators, Choice::Convert) && separates_digits(&digits) {
            digits.retain(|c| c != '_');
        }
        if self.chose(Policy::ThousandsSeparators, Choice::Convert) && separates_thousands(&digits)
        {
            digits.retain(|c| c != ',');
        }
        if self.chose(Policy::BarePoint, Choice::Convert) {
            let bare = |exponent: usize| digits[..exponent].ends_with('.');
            let exponent = digits.find(['e', 'E']).unwrap_or(digits.len());
            if digits.len() > 1 && bare(exponent) {
                digits.remove(exponent - 1);
            }
            if digits.starts_with('.') {
                digits.insert(0, '0');
            }
        }
        if self.chose(Policy::LeadingZeros, Choice::Convert) {
            let whole = digits.bytes().take_while(u8::is_ascii_digit).count();
            let zeros =
                digits.bytes().take(whole.saturating_sub(1)).take_while(|b| *b == b'0').count();
            digits.drain(..zeros);
        }
        Number::new(&format!("{sign}{digits}"))
    }
}

/// The ASCII digit for a decimal digit of the scripts that models write.
fn ascii_digit(character: char) -> char {
    /// The zero of each script; its other digits follow.
    const ZEROS: [char; 8] =
        ['\u{660}', '\u{6f0}', '\u{966}', '\u{9e6}', '\u{e50}', '\u{7c0}', '\u{be6}', '\u{ff10}'];
    let digit = ZEROS.iter().find_map(|zero| {
        let distance = u32::from(character).checked_sub(u32::from(*zero))?;
        char::from_digit(distance, 10)
    });
    digit.unwrap_or(character)
}

/// Whether each underscore stands between two digits.
fn separates_digits(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
    bytes
        .iter()
        .enumerate()
        .all(|(at, b)| *b != b'_' || digit(at.checked_sub(1)) && digit(Some(at + 1)))
}

/// Whether commas part the digits before a point in threes.
fn separates_thousands(text: &str) -> bool {
    let whole = text.split('.').next().unwrap_or_default();
    let mut parts = whole.split(',');
    let first = parts.next().unwrap_or_default();
    let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    whole.contains(',')
        && (1..=3).contains(&first.len())
        && digits(first)
        && parts.all(|part| part.len() == 3 && digits(part))
}
