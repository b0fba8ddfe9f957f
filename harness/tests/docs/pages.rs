//! The pages: their blocks are the files they name, their links lead somewhere, their commands exist.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

use crate::{CALLFIT, file, files, root, told};

/// The page that everyone reads, and those that it links to.
fn pages() -> Vec<String> {
    let docs =
        files("docs").into_iter().filter(|path| Path::new(path).extension() == Some("md".as_ref()));
    let others = ["README.md", "packaging/README.md"];
    docs.chain(others.map(str::to_owned)).collect()
}

#[test]
fn blocks_are_the_files_they_name() {
    let mut shown = BTreeSet::new();
    for page in pages() {
        let text = file(&page);
        for (path, block) in blocks(&text) {
            assert_eq!(block, file(path), "{page} shows {path} otherwise than it is");
            shown.insert(path.to_owned());
        }
    }
    let linked = ["docs/plugins/go/go.mod", "docs/plugins/java/Json.java"].map(str::to_owned);
    let programs = ["docs/plugins", "docs/cases", "harness/examples/plugins"].map(files).concat();
    let unseen: Vec<_> =
        programs.iter().filter(|path| !shown.contains(*path) && !linked.contains(path)).collect();
    assert!(unseen.is_empty(), "no page shows {unseen:?}");
    assert_eq!(shown.len(), 9, "{shown:?}");
}

#[test]
fn links_lead_somewhere() {
    let mut broken = Vec::new();
    for page in pages() {
        let text = file(&page);
        for event in Parser::new(&text) {
            let Event::Start(Tag::Link { dest_url: link, .. }) = event else { continue };
            if link.contains("://") {
                continue;
            }
            let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let folder = page.rsplit_once('/').map_or("", |(folder, _)| folder);
            let target = match path {
                "" => root().join(&page),
                path => root().join(folder).join(path),
            };
            let is_there = anchor.is_empty() && target.exists()
                || std::fs::read_to_string(&target).is_ok_and(|text| has_anchor(&text, anchor));
            if !is_there {
                broken.push(format!("{page}: {link}"));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn commands_know_the_options_that_are_shown() {
    let mut checked = 0;
    for page in pages() {
        let text = file(&page);
        for line in shell_blocks(&text).iter().flat_map(|block| block.lines()) {
            let Some((_, line)) = line.split_once("callfit ").filter(|(before, _)| {
                before.is_empty() || before.ends_with("npx ") || before.ends_with("| ")
            }) else {
                continue;
            };
            let line = line.split(" #").next().unwrap_or(line);
            let words: Vec<_> =
                line.split_whitespace().take_while(|word| !["--", "|"].contains(word)).collect();
            let subcommands = words.iter().take_while(|word| word.starts_with(char::is_lowercase));
            // An adapter or a case may stand behind the subcommand, and is none.
            let name = *subcommands.into_iter().next().expect("a subcommand");
            let output = Command::new(CALLFIT).args([name, "--help"]).output().expect("callfit");
            assert!(output.status.success(), "{page}: {line}: {}", told(&output));
            let help = told(&output);
            for option in words.iter().filter(|word| word.starts_with("--")) {
                assert!(help.contains(option), "{page}: {line}: {name} has no {option}");
                checked += 1;
            }
        }
    }
    assert!(checked > 20, "only {checked} options were found");
}

/// The paths that `<!-- file: PATH -->` names, each with the text of the fence on the lines after it.
fn blocks(text: &str) -> Vec<(&str, &str)> {
    let mut blocks = Vec::new();
    let mut rest = text;
    while let Some((_, after)) = rest.split_once("<!-- file: ") {
        let (path, after) = after.split_once(" -->\n").expect("the comment ends its line");
        let fenced = after.strip_prefix("```").expect("a fence on the next line");
        let (_, body) = fenced.split_once('\n').expect("the language ends its line");
        let end = body.find("\n```\n").expect("the fence is closed");
        blocks.push((path, &body[..=end]));
        rest = &body[end..];
    }
    blocks
}

/// The blocks of a page that are for a shell.
fn shell_blocks(text: &str) -> Vec<String> {
    code_blocks(text, "sh")
}

/// The blocks of a page in this language.
pub(crate) fn code_blocks(text: &str, wanted: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut inside = false;
    for event in Parser::new(text) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) => {
                inside = &*language == wanted;
                if inside {
                    blocks.push(String::new());
                }
            }
            Event::Text(text) if inside => blocks.last_mut().expect("one is open").push_str(&text),
            Event::End(TagEnd::CodeBlock) => inside = false,
            _ => {}
        }
    }
    blocks
}

/// Whether a page has a heading that GitHub gives this name, or an element that has it.
fn has_anchor(page: &str, anchor: &str) -> bool {
    let mut heading = None;
    let headings = Parser::new(page).any(|event| {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::Text(text) | Event::Code(text) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&text);
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                let name = heading.take().unwrap_or_default().to_lowercase();
                let kept = |letter: &char| letter.is_alphanumeric() || " -_".contains(*letter);
                return name.chars().filter(kept).collect::<String>().replace(' ', "-") == anchor;
            }
            _ => {}
        }
        false
    });
    headings || page.contains(&format!("<a id=\"{anchor}\"></a>"))
}
