//! Converting one value at its place: the JSON-text principle, and what policies add to it.

use super::Coercion;
use crate::json::{Object, ParseOptions, RepeatedKeys, Value, parse_prefix, parse_with};
use crate::kinds::Kinds;
use crate::policy::{Choice, Policy};
use crate::position::{self, Combination, Spot};

/// The blanks that RFC 8259 allows around a value.
const BLANKS: [char; 4] = [' ', '\t', '\n', '\r'];

impl Coercion<'_> {
    /// Converts a value until it stays as it is. What is inside a container is not looked at.
    pub(super) fn convert(&self, mut value: Value, spot: &Spot) -> Value {
        if matches!(spot, Spot::Free) {
            return value;
        }
        while let Some(converted) = self.step(&value, spot) {
            value = converted;
        }
        value
    }

    /// What a text denotes at a place that admits no string, if that is admitted.
    pub(crate) fn denoted(&self, value: &Value, spot: &Spot) -> Option<Value> {
        let text = value.as_str()?;
        if self.nodes.admits_a_string(spot) { None } else { self.read(text, spot) }
    }

    /// What a text may denote, whatever else the place admits: its value as JSON text, and what the place would read it as.
    pub(crate) fn may_denote(&self, text: &str, spot: &Spot) -> impl Iterator<Item = Value> {
        self.parse(self.bare(text)).into_iter().chain(self.read(text, spot))
    }

    fn step(&self, value: &Value, spot: &Spot) -> Option<Value> {
        if let Value::String(text) = value {
            return self.text(text, spot);
        }
        if self.nodes.admits(spot, value) {
            return None;
        }
        let admitted = |value: Value| Some(value).filter(|value| self.nodes.admits(spot, value));
        let as_text = |policy, choice| {
            if self.chose(policy, choice) { admitted(value.to_string().into()) } else { None }
        };
        match value {
            Value::Number(number) => self
                .chose(Policy::NumberForBoolean, Choice::Convert)
                .then(|| {
                    [0, 1]
                        .into_iter()
                        .find(|bit| Value::from(*bit) == Value::Number(number.clone()))
                })
                .flatten()
                .and_then(|bit| admitted((bit == 1).into()))
                .or_else(|| as_text(Policy::NumberForString, Choice::Text)),
            Value::Bool(truth) => self
                .chose(Policy::BooleanForNumber, Choice::Convert)
                .then(|| admitted(i64::from(*truth).into()))
                .flatten()
                .or_else(|| as_text(Policy::BooleanForString, Choice::Text)),
            Value::Array(_) => self
                .unwrapped(value, spot)
                .or_else(|| as_text(Policy::ContainerForString, Choice::JsonText)),
            Value::Object(_) => self
                .item(value, spot)
                .or_else(|| as_text(Policy::ContainerForString, Choice::JsonText)),
            Value::Null | Value::String(_) => return None,
        }
        .or_else(|| self.wrapped(value, spot))
    }

    fn text(&self, text: &str, spot: &Spot) -> Option<Value> {
        if !self.nodes.admits_a_string(spot) {
            return self.read(text, spot).or_else(|| self.container_for(text, spot));
        }
        if !self.nodes.says_something(spot) {
            return self.implied(text, spot);
        }
        if self.chose(Policy::NullTextOrString, Choice::Null)
            && self.nodes.admits(spot, &Value::Null)
            && (self.bare(text) == "null" || self.is_null_word(self.bare(text)))
        {
            return Some(Value::Null);
        }
        if self.chose(Policy::TextInUnion, Choice::Convert)
            && let Some(value) = self.read(text, spot)
        {
            return Some(value);
        }
        if self.chose(Policy::EnumCase, Choice::Fold) && !self.nodes.admits(spot, &text.into()) {
            let fold = text.to_lowercase();
            let mut same = self
                .nodes
                .listed_strings(spot)
                .into_iter()
                .filter(|member| member.to_lowercase() == fold);
            if let (Some(member), None) = (same.next(), same.next()) {
                return Some(member.into());
            }
        }
        None
    }

    /// The value that a text denotes and the place admits: clause by clause, JSON text first.
    fn read(&self, text: &str, spot: &Spot) -> Option<Value> {
        let text = self.bare(text);
        let value = self
            .json(text, spot)
            .or_else(|| self.number_at(self.spelled_number(text)?, spot))
            .or_else(|| self.word(text, spot))?;
        self.may_read(&value, spot).then_some(value)
    }

    /// Policies `untyped-union` and `untyped-enum`: whether a place without a type is read. Null is in any case (clause `null`).
    fn may_read(&self, value: &Value, spot: &Spot) -> bool {
        if matches!(value, Value::Null) || self.nodes.is_typed(spot) {
            true
        } else if self.nodes.has_union(spot) {
            self.chose(Policy::UntypedUnion, Choice::Convert)
        } else {
            self.chose(Policy::UntypedEnum, Choice::Convert)
        }
    }

    /// The value whose JSON text this is, if the place admits it.
    fn json(&self, text: &str, spot: &Spot) -> Option<Value> {
        // The first character tells the kind: most texts need not be read at all.
        let kinds = match text.trim_start_matches(BLANKS).as_bytes().first()? {
            b'{' => Kinds::OBJECT,
            b'[' => Kinds::ARRAY,
            b'"' if self.chose(Policy::DoubleEncoded, Choice::Decode) => Kinds::CONTAINERS,
            b't' | b'f' => Kinds::BOOLEAN,
            b'n' => Kinds::NULL,
            b'-' | b'0'..=b'9' => Kinds::INTEGER.or(Kinds::FRACTION),
            _ => return None,
        };
        if !self.nodes.may_admit(spot, kinds) || trim(text).len() < text.len() {
            return None;
        }
        let mut value = self.parse(text)?;
        while let Value::String(inner) = &value {
            value = self.parse(trim(inner)).filter(|inner| {
                !Kinds::of(inner).and(Kinds::CONTAINERS.or(Kinds::STRING)).is_empty()
            })?;
        }
        match value {
            Value::Number(number) => self.number_at(number, spot),
            value => Some(value).filter(|value| self.nodes.admits(spot, value)),
        }
    }

    /// The text without the blanks around it, if these are not to matter.
    pub(super) fn bare<'t>(&self, text: &'t str) -> &'t str {
        if self.chose(Policy::SurroundingSpace, Choice::Convert) { trim(text) } else { text }
    }

    /// The value of a JSON text; blanks around it are the caller's matter.
    pub(super) fn parse(&self, text: &str) -> Option<Value> {
        let repeated_keys = match self.policies.get(Policy::DuplicateKeys) {
            Choice::First => RepeatedKeys::First,
            Choice::Keep => RepeatedKeys::Refuse,
            _ => RepeatedKeys::Last,
        };
        let options = ParseOptions { repeated_keys };
        parse_with(text, options).ok().or_else(|| {
            let (value, _) = self
                .chose(Policy::TrailingText, Choice::First)
                .then(|| parse_prefix(text, options).ok())
                .flatten()?;
            Some(value).filter(|value| Kinds::CONTAINERS.has(Kinds::of(value)))
        })
    }

    /// The boolean or null that a text means to those who take more than JSON's spellings.
    fn word(&self, text: &str, spot: &Spot) -> Option<Value> {
        let word = text.to_ascii_lowercase();
        let truth = match word.as_str() {
            "true" | "false" if self.chose(Policy::BooleanCase, Choice::Convert) => {
                Some(word == "true")
            }
            "yes" | "on" | "y" if self.chose(Policy::BooleanWords, Choice::Convert) => Some(true),
            "no" | "off" | "n" if self.chose(Policy::BooleanWords, Choice::Convert) => Some(false),
            "1" | "0" if self.chose(Policy::BooleanDigits, Choice::Convert) => Some(word == "1"),
            _ => None,
        };
        let admitted = |value: Value| Some(value).filter(|value| self.nodes.admits(spot, value));
        truth.and_then(|truth| admitted(truth.into())).or_else(|| {
            let blank = text.is_empty()
                && self.chose(Policy::BlankForNullable, Choice::Null)
                && !self.nodes.admits_a_string(spot);
            if blank || self.is_null_word(text) { admitted(Value::Null) } else { None }
        })
    }

    fn is_null_word(&self, text: &str) -> bool {
        match text.to_ascii_lowercase().as_str() {
            "null" => self.chose(Policy::NullCase, Choice::Null),
            "none" | "nil" | "undefined" => self.chose(Policy::NullWords, Choice::Null),
            _ => false,
        }
    }

    /// What policies make of a text where a container belongs and no string is admitted.
    fn container_for(&self, text: &str, spot: &Spot) -> Option<Value> {
        let one = || self.list(vec![text.into()], spot);
        if trim(text).is_empty() {
            return match self.policies.get(Policy::BlankForArray) {
                Choice::Empty => self.list(Vec::new(), spot),
                Choice::Wrap => one(),
                _ => None,
            }
            .or_else(|| self.empty_object(spot));
        }
        let starts_container = trim(text).starts_with(['[', '{']);
        if text.contains(',') && !starts_container {
            return match self.policies.get(Policy::CommaList) {
                Choice::Split => {
                    self.list(text.split(',').map(|part| trim(part).into()).collect(), spot)
                }
                Choice::Wrap => one(),
                _ => None,
            };
        }
        // Text of an array is never wrapped: it is either parsed or left.
        if starts_container && matches!(self.parse(trim(text)), Some(Value::Array(_))) {
            return None;
        }
        self.wrapped(&text.into(), spot)
    }

    /// A list made of what was none, if the place admits it, and unless an element stands where again a list belongs: a list type whose elements are lists of its kind
    /// would be wrapped without end.
    fn list(&self, elements: Vec<Value>, spot: &Spot) -> Option<Value> {
        let inside = position::keep_kind(self.nodes, self.nodes.expand(spot)?, Kinds::ARRAY);
        let belongs = |(index, element): (usize, &Value)| {
            let place = position::element(self.nodes, &inside, index);
            !self.nodes.may_admit(&place, Kinds::ARRAY)
                || self.nodes.admits(&place, element)
                || self.denoted(element, &place).is_some()
        };
        if !elements.iter().enumerate().all(belongs) {
            return None;
        }
        let list = Value::from(elements);
        (self.nodes.admits(spot, &list) && self.may_read(&list, spot)).then_some(list)
    }

    fn empty_object(&self, spot: &Spot) -> Option<Value> {
        if !self.chose(Policy::BlankForObject, Choice::Empty) {
            return None;
        }
        let alternatives = position::keep_kind(self.nodes, self.nodes.expand(spot)?, Kinds::OBJECT);
        let requires_nothing =
            |nodes: &Combination| nodes.iter().all(|node| self.nodes[*node].required.is_empty());
        let empty = Value::from(Object::new());
        let may = alternatives.iter().any(requires_nothing)
            && self.nodes.admits(spot, &empty)
            && self.may_read(&empty, spot);
        may.then_some(empty)
    }

    /// Policy `implied-type`: the text of an object where `properties` stands without a type, of an array where `items` does.
    fn implied(&self, text: &str, spot: &Spot) -> Option<Value> {
        if !self.chose(Policy::ImpliedType, Choice::Convert) {
            return None;
        }
        let kinds = match self.nodes.expand(spot)?.as_slice() {
            [combination] => combination
                .iter()
                .fold(Kinds::NONE, |kinds, node| kinds.or(self.nodes[*node].applies_to())),
            _ => return None,
        };
        self.parse(trim(text)).filter(|value| kinds.has(Kinds::of(value)) && !kinds.is_empty())
    }

    /// Policy `scalar-for-array`.
    fn wrapped(&self, value: &Value, spot: &Spot) -> Option<Value> {
        let wraps = self.chose(Policy::ScalarForArray, Choice::Wrap);
        if !wraps || matches!(value, Value::Array(_)) || only_item(value).is_some() {
            return None;
        }
        self.list(vec![value.clone()], spot)
    }

    /// Policy `single-for-scalar`: the only element of a list, however often it is wrapped.
    fn unwrapped(&self, value: &Value, spot: &Spot) -> Option<Value> {
        if !self.chose(Policy::SingleForScalar, Choice::Unwrap) {
            return None;
        }
        let mut inner = value;
        while let Some([only]) = inner.as_array().map(|elements| elements.as_slice()) {
            inner = only;
        }
        let scalar = !Kinds::CONTAINERS.has(Kinds::of(inner));
        if scalar && self.nodes.admits(spot, inner) {
            Some(inner.clone())
        } else {
            self.denoted(inner, spot)
        }
    }

    /// Policy `item-envelope`: an object with the only key `item` where an array belongs.
    fn item(&self, value: &Value, spot: &Spot) -> Option<Value> {
        let item = only_item(value)?;
        match self.policies.get(Policy::ItemEnvelope) {
            Choice::Wrap => self.list(vec![value.clone()], spot),
            Choice::Unwrap if matches!(item, Value::Array(_)) => {
                Some(item.clone()).filter(|list| self.nodes.admits(spot, list))
            }
            Choice::Unwrap => self.list(vec![item.clone()], spot),
            _ => None,
        }
    }
}

fn only_item(value: &Value) -> Option<&Value> {
    value.as_object().filter(|members| members.len() == 1)?.get("item")
}

fn trim(text: &str) -> &str {
    text.trim_matches(BLANKS)
}
