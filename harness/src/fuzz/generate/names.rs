//! Names of properties and definitions: those that tools have, and those that somebody trips over.

use callfit_reference::is_legal_name;
use callfit_reference::json::Value;

use super::Dice;

/// Names that nobody trips over.
const PLAIN: [&str; 14] = [
    "n",
    "x",
    "id",
    "zip",
    "count",
    "value",
    "child",
    "name",
    "limit",
    "user.name",
    "page-size",
    "createdAt",
    "sort_by",
    "N",
];
/// Names that providers do not take (clause `names-legal`).
const ILLEGAL: [&str; 16] = [
    "first name",
    "a/b",
    "a b",
    "$filter",
    "größe",
    "名前",
    "",
    " n",
    "n\n",
    "user[name]",
    "m~n",
    "50%",
    "@type",
    "sort by (optional)",
    "the_name_of_a_parameter_that_an_application_has_made_of_its_own_menus",
    "the_name_of_a_parameter_that_an_application_has_made_of_its_own_menus_again",
];
/// Legal names that somebody could give to an illegal one.
const TAKEN: [&str; 8] =
    ["first_name", "a_b", "a_b_2", "first_name_2", "_filter", "param", "n_", "_n"];
/// Names that are keywords of schemas, or members of what a language makes of an object.
const LOADED: [&str; 12] = [
    "items",
    "properties",
    "$ref",
    "type",
    "required",
    "definitions",
    "$defs",
    "enum",
    "default",
    "patternProperties",
    "__proto__",
    "constructor",
];

/// Names that definitions have: those of types, and those that a pointer must escape.
const DEFINITIONS: [&str; 8] = ["A", "B", "C", "Count", "Item", "Node", "Filter", "api.v1.Page"];
const ESCAPED: [&str; 12] = [
    "a b",
    "a/b",
    "m~n",
    "m~1n",
    "50%",
    "é",
    "definitions",
    "a+b",
    "Page[int]",
    "\u{fffd}",
    "$defs",
    "%41",
];

/// Different names of properties, so many of sixteen odd in some way.
pub(super) fn of_properties(
    dice: &mut Dice<'_, '_>,
    count: usize,
    odd: usize,
) -> Vec<&'static str> {
    several(count, || match dice.chance(odd).then(|| dice.below(8)) {
        None => dice.pick(&PLAIN),
        Some(0..4) => dice.pick(&ILLEGAL),
        Some(4 | 5) => dice.pick(&TAKEN),
        Some(_) => dice.pick(&LOADED),
    })
}

/// Different names of definitions, so many of sixteen such that a pointer must escape them.
pub(super) fn of_definitions(
    dice: &mut Dice<'_, '_>,
    count: usize,
    odd: usize,
) -> Vec<&'static str> {
    several(count, || if dice.chance(odd) { dice.pick(&ESCAPED) } else { dice.pick(&DEFINITIONS) })
}

/// A name that no property has, or one of another schema.
pub(super) fn of_another(dice: &mut Dice<'_, '_>) -> &'static str {
    if dice.chance(8) { dice.pick(&TAKEN) } else { dice.pick(&ILLEGAL) }
}

/// The name of one of the root's properties as a provider may be shown it.
pub(super) fn shown(dice: &mut Dice<'_, '_>, root: &Value) -> String {
    let map = root.get("properties").and_then(Value::as_object);
    let names: Vec<&String> = map.into_iter().flat_map(|map| map.keys()).collect();
    let illegal: Vec<&String> = names.iter().copied().filter(|it| !is_legal_name(it)).collect();
    let names = if illegal.is_empty() { names } else { illegal };
    let name = names.get(dice.below(names.len())).map_or("n", |name| name.as_str());
    legal(name)
}

/// A name with each character that providers do not take replaced.
pub(super) fn legal(name: &str) -> String {
    let is_legal = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    let new = name.chars().take(64).map(|c| if is_legal(c) { c } else { '_' }).collect::<String>();
    if new.is_empty() { "param".to_owned() } else { new }
}

/// As many as can be had in a few more draws.
fn several(count: usize, mut draw: impl FnMut() -> &'static str) -> Vec<&'static str> {
    let mut chosen = Vec::new();
    for _ in 0..count + 2 {
        let name = draw();
        if chosen.len() < count && !chosen.contains(&name) {
            chosen.push(name);
        }
    }
    chosen
}
