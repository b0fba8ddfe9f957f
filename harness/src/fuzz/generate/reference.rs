//! References in every spelling, and those that lead nowhere, elsewhere, or somewhere only by a mistake.

use super::Dice;
use super::schema::Around;
use crate::fuzz::pointer::{self, Spelling};

/// The address that a root schema may have.
pub(super) const ADDRESS: &str = "https://example.com/tool.json";

/// A reference: to a definition or through the properties of the root, spelt in any way; now and then one that leads nowhere or elsewhere.
pub(super) fn any(dice: &mut Dice<'_, '_>, around: &Around) -> String {
    let by_path = around.definitions.is_empty() || dice.chance(4);
    let tokens: Vec<String> = if by_path && !around.properties.is_empty() {
        let name = around.properties[dice.below(around.properties.len())];
        let rest: &[&str] = match dice.below(8) {
            0..4 => &[],
            4 => &["anyOf", "0"],
            5 => &["items"],
            6 => &["properties", "n"],
            _ => &["definitions", "Inner"],
        };
        ["properties", name].iter().chain(rest).map(|token| (*token).to_owned()).collect()
    } else if around.definitions.is_empty() {
        return "#".to_owned();
    } else {
        around.definitions[dice.below(around.definitions.len())].clone()
    };
    if dice.chance(around.style.broken) {
        return broken(dice, &tokens);
    }
    let spelling = match dice.below(8) {
        0..5 => Spelling::Plain,
        5 => Spelling::Percent,
        6 => Spelling::EveryCharacter,
        _ => Spelling::EverySlash,
    };
    pointer::spelled(&tokens, spelling)
}

/// What people and programs write for a pointer and is none, or another one.
fn broken(dice: &mut Dice<'_, '_>, tokens: &[String]) -> String {
    let right = pointer::spelled(tokens, Spelling::Plain);
    // A name that was damaged in decoding, by the octets that did it.
    if right.contains("%EF%BF%BD") {
        return right.replace("%EF%BF%BD", "%FF");
    }
    let last = tokens.last().map_or("", String::as_str);
    match dice.below(20) {
        0 => "#/nowhere".to_owned(),
        1 => "#".to_owned(),
        2 => "#/".to_owned(),
        3 => String::new(),
        4 => right.replacen("#/", "#", 1),
        5 => format!("#{last}"),
        6 => last.to_owned(),
        7 => format!("other.json{right}"),
        8 | 19 => format!("{ADDRESS}{right}"),
        9 => "http://127.0.0.1:9/schema.json".to_owned(),
        10 if right.contains("/$defs/") => right.replacen("/$defs/", "/definitions/", 1),
        10 => right.replacen("/definitions/", "/$defs/", 1),
        // Not escaped, escaped twice, and in no way that there is.
        11 => format!("#/{}", tokens.join("/")),
        12 => right.replace('%', "%25").replace('~', "~0"),
        13 => format!("{right}/{}", dice.pick(&["~2", "~", "%", "%zz", "%C3", ""])),
        // No UTF-8.
        14 => right + "%FF",
        15 => right.replace("%20", "+"),
        // A map or a list in place of a schema.
        16 => pointer::spelled(&tokens[..tokens.len() - 1], Spelling::Plain),
        17 => format!("{right}/anyOf/{}", dice.pick(&["-", "00", "01", "-1", "٠", "9"])),
        18 => right.to_uppercase().replacen("/PROPERTIES/", "/properties/", 1),
        _ => right.replace('/', "//"),
    }
}
