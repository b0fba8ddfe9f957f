//! Proof that nothing an implementation writes gets out of the place it stands in.

use callfit::report::terminal::{self, Look};
use callfit::report::{Format, escape, json, write};
use callfit::run::Record;
use proptest::prelude::*;

use crate::rich::{rich_record, titles};
use crate::{PLAIN, TestResult};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn terminal_obeys_nothing(evil in hostile()) {
        let record = rich_record(&evil);
        let benign = rich_record("");
        let text = terminal::render(&record, &titles(), PLAIN);
        prop_assert_eq!(commands(&text), Vec::<char>::new());
        let benign_text = terminal::render(&benign, &titles(), PLAIN);
        prop_assert_eq!(text.lines().last(), benign_text.lines().last());

        // In color, every escape sequence is the report's own.
        let look = Look { color: true, ..PLAIN };
        let escapes = |record: &Record| {
            let text = terminal::render(record, &titles(), look);
            text.matches('\u{1b}').count()
        };
        let lines = text.lines().count() - benign_text.lines().count();
        prop_assert_eq!(escapes(&record), escapes(&benign) + 2 * lines);
    }

    #[test]
    fn xml_keeps_its_shape(evil in hostile()) {
        let text = write(&rich_record(&evil), &titles(), Format::Junit)?;
        prop_assert_eq!(commands(&text), Vec::<char>::new());
        let benign = write(&rich_record(""), &titles(), Format::Junit)?;
        let tags = |text: &str| -> Result<(Vec<String>, String), TestCaseError> {
            let document = roxmltree::Document::parse(text)
                .map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
            let elements = document.descendants().filter(roxmltree::Node::is_element);
            let tags = elements.map(|element| element.tag_name().name().to_owned());
            let name = document.root_element().attribute("name").unwrap_or_default();
            Ok((tags.collect(), name.to_owned()))
        };
        let ((tags, name), (benign, _)) = (tags(&text)?, tags(&benign)?);
        prop_assert_eq!(tags, benign);
        let shown = escape::line(&format!("x{evil}x"), 300);
        prop_assert!(name.ends_with(&shown), "{} does not end with {}", name, shown);
    }

    #[test]
    fn json_reads_back(evil in hostile()) {
        let record = rich_record(&evil);
        let text = write(&record, &titles(), Format::Json)?;
        prop_assert_eq!(commands(&text), Vec::<char>::new());
        let report = json::read(&text)?;
        prop_assert_eq!(&report, &json::Report::of(&record));
        prop_assert_eq!(report.implementation.name, record.implementation.name);
    }

    #[test]
    fn markdown_keeps_its_shape(evil in hostile()) {
        let text = write(&rich_record(&evil), &titles(), Format::Markdown)?;
        prop_assert_eq!(commands(&text), Vec::<char>::new());
        let benign = write(&rich_record(""), &titles(), Format::Markdown)?;
        prop_assert_eq!(structure(&text), structure(&benign), "{}", text);
    }
}

/// What once turned a caret beside backticks into markup.
#[test]
fn a_caret_after_backticks_is_no_markup() -> TestResult {
    let text = write(&rich_record("````````````^`"), &titles(), Format::Markdown)?;
    let benign = write(&rich_record(""), &titles(), Format::Markdown)?;
    assert_eq!(structure(&text), structure(&benign));
    Ok(())
}

/// Short texts, made of what is dangerous somewhere and of anything else.
pub fn hostile() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "`",
        "```",
        "\n```\n",
        "\n~~~\n",
        "````````````",
        "</details>",
        "</code>",
        "</summary>",
        "<script>",
        "<!--",
        "]]>",
        "&lt;",
        "&#96;",
        "::error::",
        "\n::error::x\n",
        "\n::stop-commands::x\n",
        "##[error]",
        "%0A",
        "# TODO x",
        "\\# SKIP",
        "\n  ...\nok 1 - x\n",
        "\nBail out!\n",
        "\n1..0\n",
        "{0}",
        "}}",
        "[x](1)",
        "\"",
        "'",
        ",",
        ";",
        "=1+1",
        "\r\n=1+1",
        "\\ud800",
        "|",
        "\\|",
        "\\",
        "\n\n# x\n\n",
        "\n- x\n",
        "[x](http://x.y)",
        "http://x.y/z",
        "**",
        "__",
        "$$",
        "~~",
        "@x",
        ":tada:",
        "\u{1b}[31m",
        "\u{1b}]0;x\u{7}",
        "\u{9b}2J",
        "\u{8}",
        "\u{7f}",
        "\0",
        "\r",
        "\r\n",
        "\t",
        "\u{202e}",
        "\u{2066}",
        "\u{200f}",
        "\u{2028}",
        "\u{feff}",
        "\u{ffff}",
        "\u{e0041}",
        " ",
        "x",
    ];
    let piece = prop_oneof![
        proptest::sample::select(PIECES).prop_map(str::to_owned),
        any::<char>().prop_map(String::from),
    ];
    proptest::collection::vec(piece, 0..10).prop_map(|pieces| pieces.concat())
}

/// The characters that a terminal would obey or that turn the text, line breaks aside; told apart by other means than the library's.
pub fn commands(text: &str) -> Vec<char> {
    let obeyed = |c: &char| {
        matches!(u32::from(*c),
            0..=0x9 | 0xb..=0x1f | 0x7f..=0x9f | 0x200e | 0x200f | 0x2028..=0x202e | 0x2066..=0x2069)
    };
    text.chars().filter(obeyed).collect()
}

/// What a Markdown reader makes of a text, without the texts themselves: blocks, inline markup, HTML tags.
pub fn structure(markdown: &str) -> Vec<String> {
    use pulldown_cmark::{Event, Options, Parser};
    let events = Parser::new_ext(markdown, Options::all()).filter_map(|event| match event {
        Event::Text(_) => None,
        Event::Code(_) => Some("Code".to_owned()),
        Event::Html(html) | Event::InlineHtml(html) => {
            let tags: Vec<&str> = html
                .split('<')
                .skip(1)
                .map(|rest| rest.split('>').next().unwrap_or_default())
                .collect();
            Some(format!("Html({})", tags.join(" ")))
        }
        other => Some(format!("{other:?}")),
    });
    events.collect()
}
