//! The texts of a case: as they stand in the file, or built when they are needed.

use std::ops::ControlFlow;
use std::sync::OnceLock;

use super::model::{Piece, Repeat};

/// The most bytes that a recipe may make.
pub const RECIPE_LIMIT: usize = 64 << 20;

/// The most stretches of text, empty ones too, that a recipe may be made of.
const STRETCH_LIMIT: usize = 4 << 20;

/// A JSON text.
#[derive(Debug, Clone)]
pub enum Text {
    /// As it stands in the file, byte for byte.
    Plain(String),
    /// Built from pieces.
    Recipe(Box<Built>),
}

/// A text built from pieces, once somebody asks for it.
#[derive(Debug, Clone)]
pub struct Built {
    /// What it is made of.
    pub pieces: Vec<Piece>,
    text: OnceLock<String>,
}

impl Text {
    /// A text to be built, unless it would be larger than [`RECIPE_LIMIT`].
    pub fn recipe(pieces: Vec<Piece>) -> Result<Self, RecipeTooLarge> {
        let (mut size, mut stretches) = (0, 0);
        let measured = expand(&pieces, &mut |text| {
            size += text.len();
            stretches += 1;
            if size > RECIPE_LIMIT || stretches > STRETCH_LIMIT {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        match measured {
            ControlFlow::Continue(()) => {
                Ok(Self::Recipe(Box::new(Built { pieces, text: OnceLock::new() })))
            }
            ControlFlow::Break(()) => Err(RecipeTooLarge),
        }
    }

    /// The JSON text.
    pub fn text(&self) -> &str {
        match self {
            Self::Plain(text) => text,
            Self::Recipe(built) => built.text.get_or_init(|| {
                let mut text = String::new();
                let _ = expand(&built.pieces, &mut |piece| {
                    text.push_str(piece);
                    ControlFlow::Continue(())
                });
                text
            }),
        }
    }

    /// Whether it is built when it is needed.
    pub fn is_recipe(&self) -> bool {
        matches!(self, Self::Recipe(_))
    }
}

/// A recipe would make more than [`RECIPE_LIMIT`], or be made of millions of pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the recipe makes more than 64 MiB, or is made of more than four million pieces")]
pub struct RecipeTooLarge;

/// Pieces on their way: the top ones, or one repetition.
struct Open<'a> {
    pieces: &'a [Piece],
    next: usize,
    repeat: Option<&'a Repeat>,
    turn: usize,
}

/// Gives every stretch of the text in turn. A turn gives its joint even where that is empty, so that whoever counts sees each.
fn expand(pieces: &[Piece], give: &mut impl FnMut(&str) -> ControlFlow<()>) -> ControlFlow<()> {
    let mut open = vec![Open { pieces, next: 0, repeat: None, turn: 0 }];
    while let Some(here) = open.last_mut() {
        if let Some(piece) = here.pieces.get(here.next) {
            here.next += 1;
            match piece {
                Piece::Text(text) => substitute(text, &open, give)?,
                Piece::Repeat(repeat) if repeat.times > 0 => {
                    open.push(Open { pieces: &repeat.of, next: 0, repeat: Some(repeat), turn: 0 });
                }
                Piece::Repeat(_) => {}
            }
            continue;
        }
        match here.repeat {
            Some(repeat) if here.turn + 1 < repeat.times => {
                here.turn += 1;
                here.next = 0;
                give(&repeat.join)?;
            }
            _ => {
                open.pop();
            }
        }
    }
    ControlFlow::Continue(())
}

/// Puts turns in place of `{i}` and `{i+1}`; every other brace is itself.
fn substitute(
    text: &str,
    open: &[Open<'_>],
    give: &mut impl FnMut(&str) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut plain = text;
    let mut from = 0;
    while let Some(at) = plain[from..].find('{').map(|at| from + at) {
        if let Some((turn, length)) = turn_at(&plain[at..], open) {
            give(&plain[..at])?;
            give(&turn.to_string())?;
            plain = &plain[at + length..];
            from = 0;
        } else {
            from = at + 1;
        }
    }
    give(plain)
}

/// The turn that the placeholder at the start of `text` stands for, and the placeholder's length. The innermost repetition counts.
fn turn_at(text: &str, open: &[Open<'_>]) -> Option<(usize, usize)> {
    open.iter().rev().find_map(|here| {
        let name = here.repeat?.index.as_deref()?;
        let rest = text.strip_prefix('{')?.strip_prefix(name)?;
        if rest.starts_with('}') {
            Some((here.turn, name.len() + 2))
        } else if rest.starts_with("+1}") {
            Some((here.turn + 1, name.len() + 4))
        } else {
            None
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(recipe: &str) -> String {
        let pieces = serde_json::from_str(recipe).unwrap();
        Text::recipe(pieces).unwrap().text().to_owned()
    }

    #[test]
    fn repeats_nest_and_join() {
        let recipe = r#"["[", {"times": 3, "index": "i", "join": ",", "of": [
            "{\"{i}\":[", {"times": 2, "index": "j", "join": ",", "of": ["\"{i}.{j+1}\""]}, "]}"]}, "]"]"#;
        let expected = r#"[{"0":["0.1","0.2"]},{"1":["1.1","1.2"]},{"2":["2.1","2.2"]}]"#;
        assert_eq!(made(recipe), expected);
    }

    #[test]
    fn other_braces_are_themselves() {
        let recipe = r#"["{i}", {"times": 1, "index": "i", "of": ["{j}{}{{i}}{i+2}{i"]}]"#;
        assert_eq!(made(recipe), "{i}{j}{}{0}{i+2}{i");
    }

    #[test]
    fn the_innermost_name_counts() {
        let recipe = r#"[{"times": 2, "index": "i", "of": [{"times": 2, "index": "i", "of": ["{i}"]}, "-{i} "]}]"#;
        assert_eq!(made(recipe), "01-0 01-1 ");
    }

    #[test]
    fn no_turn_is_nothing() {
        assert_eq!(made(r#"["a", {"times": 0, "join": ",", "of": ["b"]}]"#), "a");
    }

    #[test]
    fn too_large_is_refused_without_being_built() {
        for recipe in [
            r#"[{"times": 70000, "of": ["{s}"]}]"#,
            r#"[{"times": 9000000000000, "of": []}]"#,
            r#"[{"times": 100000, "of": [{"times": 100000, "of": [""]}]}]"#,
        ] {
            let recipe = recipe.replace("{s}", &"a".repeat(1000));
            let pieces = serde_json::from_str(&recipe).unwrap();
            assert_eq!(Text::recipe(pieces).unwrap_err(), RecipeTooLarge);
        }
    }
}
