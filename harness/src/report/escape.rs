//! Text that an implementation wrote, made harmless: what a terminal would obey or a reader could not see is shown, and what is long is cut.
//!
//! A name, a message or a value may hold an escape sequence that retitles the terminal, a line break that forges a line of the report, or a bidirectional override
//! that lets `fail` read as `pass`. Every report puts such text through here.
//!
//! ```
//! use callfit::report::escape;
//!
//! assert_eq!(escape::line("\u{1b}[2Jgone\n", 80), r"\u{1b}[2Jgone\n");
//! assert_eq!(escape::line("abcdef", 4), "abcd… (2 more characters)");
//! ```

use super::summary::counted;

/// How many blanks stand for a tab where lines are kept.
const TAB: &str = "    ";

/// Whether a character does something other than being seen: control characters (C0, DEL, C1), line and paragraph separators, marks that turn or join the text,
/// invisible ones, and those that are no characters (two of which XML forbids).
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{fdd0}'..='\u{fdef}' | '\u{e0000}'..='\u{e0fff}')
        || u32::from(c) & 0xfffe == 0xfffe
}

/// The text in one line of at most `most` of its characters, with every hidden one shown: `\n`, `\u{1b}`.
pub fn line(text: &str, most: usize) -> String {
    let mut shown = String::new();
    let mut rest = text.chars();
    for c in rest.by_ref().take(most) {
        if is_hidden(c) {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown + &left_out(rest.count())
}

/// A JSON text in one line: as [`line()`], but a line break and the indentation after it, which stand between tokens, become one blank.
pub fn json(text: &str, most: usize) -> String {
    if !text.contains('\n') {
        return line(text, most);
    }
    let joined: Vec<&str> = text.lines().map(str::trim).collect();
    line(joined.join(" ").trim(), most)
}

/// The last `lines` lines of a text, each as [`line()`] has it, after a line that says how many were left out.
pub fn last_lines(text: &str, lines: usize, most: usize) -> Vec<String> {
    let all: Vec<&str> = text.trim_end().lines().collect();
    let left = all.len().saturating_sub(lines);
    let cut = (left > 0).then(|| format!("… ({} before)", counted(left, "more line")));
    let shown = all[left..].iter().map(|text| line(&text.replace('\t', TAB), most));
    cut.into_iter().chain(shown).collect()
}

/// The text as it is, cut: for a format that can carry any character.
pub fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => text[..end].to_owned() + &left_out(text[end..].chars().count()),
    }
}

fn left_out(count: usize) -> String {
    match count {
        0 => String::new(),
        _ => format!("… ({})", counted(count, "more character")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_hidden_character_is_shown() {
        let hidden =
            "\0\u{7}\u{8}\u{1b}\u{7f}\u{85}\u{9b}\u{200e}\u{202e}\u{2028}\u{2066}\u{feff}\u{ffff}";
        assert_eq!(
            line(hidden, 80),
            r"\u{0}\u{7}\u{8}\u{1b}\u{7f}\u{85}\u{9b}\u{200e}\u{202e}\u{2028}\u{2066}\u{feff}\u{ffff}"
        );
        assert_eq!(line("é 😀 \"a\\b\" 世界", 80), "é 😀 \"a\\b\" 世界");
    }

    #[test]
    fn json_loses_its_layout_and_nothing_else() {
        assert_eq!(json("{\n  \"a\":  \"x  y\"\n}\n", 80), r#"{ "a":  "x  y" }"#);
        assert_eq!(json("  [ 1 ]", 80), "  [ 1 ]");
    }

    #[test]
    fn the_last_lines_are_kept() {
        assert_eq!(
            last_lines("one\r\n\ttwo\nthree\n\n", 2, 80),
            ["… (1 more line before)", "    two", "three"]
        );
        assert!(last_lines("\n", 2, 80).is_empty());
    }

    #[test]
    fn cutting_counts_characters() {
        assert_eq!(cut("äöü", 3), "äöü");
        assert_eq!(cut("äöü", 2), "äö… (1 more character)");
        assert_eq!(line("\u{1b}\u{1b}", 1), "\\u{1b}… (1 more character)");
    }
}
