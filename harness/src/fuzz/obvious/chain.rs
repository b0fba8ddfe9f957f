//! Resolving a local reference: chapter 5 of SPEC.

use std::ptr;

use callfit_reference::json::{Object, Value};

use super::document::Document;

/// The keywords whose maps are united (clause `ref-siblings-maps`).
const MAPS: [&str; 5] =
    ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];

/// The method `resolve`: the keywords of every node passed, the deepest first (clauses `ref-siblings`, `ref-siblings-maps`, `ref-dead-end`).
pub(super) fn resolve(document: &Document<'_>, node: &Value) -> Option<Value> {
    let passed = passed(document, node)?;
    let [_, .., last] = passed[..] else {
        return Some(node.clone());
    };
    let mut answer = Object::new();
    for (keyword, _) in passed.iter().filter_map(|node| node.as_object()).flat_map(|o| o.iter()) {
        if keyword != "$ref" {
            let value = match map(&passed, keyword) {
                Some(entries) => entries
                    .into_iter()
                    .map(|(key, value)| (key.to_owned(), value.clone()))
                    .collect::<Object>()
                    .into(),
                None => self::keyword(&passed, keyword).cloned()?,
            };
            answer.insert(keyword.clone(), value);
        }
    }
    // What stands there could not be followed, or is no reference.
    if let Some(value) = last.get("$ref") {
        answer.insert("$ref".to_owned(), value.clone());
    }
    Some(answer.into())
}

/// The nodes that a chain of references passes, beginning with `node` (clauses `ref-chain`, `ref-dead-end`).
pub(super) fn passed<'a>(document: &Document<'a>, node: &'a Value) -> Option<Vec<&'a Value>> {
    let mut passed = vec![node];
    let mut last = node;
    while let Some(target) = target(document.root, last) {
        document.spend(passed.len())?;
        if passed.iter().any(|node| ptr::eq(*node, target)) {
            break;
        }
        passed.push(target);
        last = target;
    }
    Some(passed)
}

/// The value of a keyword: the deepest node that has it wins (clause `ref-siblings`).
pub(super) fn keyword<'a>(passed: &[&'a Value], name: &str) -> Option<&'a Value> {
    passed.iter().rev().find_map(|node| node.get(name))
}

/// The entries of a keyword that is one of the maps: those of every side, and of those that several have the deepest (clause `ref-siblings-maps`). None if the keyword
/// is no such map, or the deepest value is no object.
pub(super) fn map<'a>(passed: &[&'a Value], name: &str) -> Option<Vec<(&'a str, &'a Value)>> {
    if !MAPS.contains(&name) {
        return None;
    }
    keyword(passed, name)?.as_object()?;
    let mut entries: Vec<(&str, &Value)> = Vec::new();
    for object in passed.iter().rev().filter_map(|node| node.get(name)?.as_object()) {
        for (key, value) in object.iter() {
            if entries.iter().all(|(taken, _)| taken != key) {
                entries.push((key, value));
            }
        }
    }
    Some(entries)
}

/// What a node's own reference leads to (clauses `ref-position`, `ref-local`, `ref-pointer`, `ref-anchor`, `ref-target`).
fn target<'a>(root: &'a Value, node: &Value) -> Option<&'a Value> {
    let fragment = decode(node.get("$ref")?.as_str()?.strip_prefix('#')?);
    let target = match fragment.strip_prefix('/') {
        Some(pointer) => walk(root, pointer)?,
        None if fragment.is_empty() => root,
        None => return None,
    };
    target.as_object().map(|_| target)
}

/// A fragment with its percent triplets decoded once; what is no triplet of well-formed UTF-8 stays as it is written (clauses `ref-decode`, `ref-decode-broken`).
fn decode(fragment: &str) -> String {
    let mut decoded = String::new();
    let mut rest = fragment;
    while let Some(first) = rest.chars().next() {
        let (triplets, bytes) = leading_triplets(rest);
        if bytes.is_empty() {
            decoded.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        rest = &rest[triplets.len()..];
        let mut at = 0;
        for chunk in bytes.utf8_chunks() {
            decoded.push_str(chunk.valid());
            at += chunk.valid().len();
            let broken = chunk.invalid().len();
            decoded.push_str(&triplets[3 * at..3 * (at + broken)]);
            at += broken;
        }
    }
    decoded
}

/// The triplets that a text begins with, and their bytes.
fn leading_triplets(text: &str) -> (&str, Vec<u8>) {
    let mut bytes = Vec::new();
    while let Some([b'%', high, low]) = text.as_bytes().get(3 * bytes.len()..3 * bytes.len() + 3) {
        let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|d| u8::try_from(d).ok());
        match (digit(*high), digit(*low)) {
            (Some(high), Some(low)) => bytes.push(16 * high + low),
            _ => break,
        }
    }
    (&text[..3 * bytes.len()], bytes)
}

/// The steps of a pointer, one by one from the root (clause `ref-walk`).
fn walk<'a>(root: &'a Value, pointer: &str) -> Option<&'a Value> {
    let steps: Vec<String> = pointer.split('/').map(unescape).collect::<Option<_>>()?;
    steps.iter().try_fold(root, |here, step| match here {
        Value::Object(members) => members.get(step),
        Value::Array(elements) => {
            let plain = step == "0"
                || !step.starts_with('0') && step.bytes().all(|byte| byte.is_ascii_digit());
            elements.get(step.parse::<usize>().ok().filter(|_| plain)?)
        }
        _ => None,
    })
}

/// A step with `~1` and `~0` read; none if there is any other `~` (clause `ref-escape`).
fn unescape(step: &str) -> Option<String> {
    let mut read = String::new();
    let mut chars = step.chars();
    while let Some(char) = chars.next() {
        read.push(match char {
            '~' => match chars.next()? {
                '0' => '~',
                '1' => '/',
                _ => return None,
            },
            other => other,
        });
    }
    Some(read)
}
