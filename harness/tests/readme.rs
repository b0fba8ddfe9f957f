//! The README shows files of this repository as they are: a reader may paste them.

use std::fs;
use std::path::Path;

/// How many blocks are shown by a file: one for each language.
const BLOCKS: usize = 3;

#[test]
fn blocks_are_the_files_they_name() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let readme = fs::read_to_string(root.join("README.md")).expect("the README");
    let blocks = blocks(&readme);
    assert_eq!(blocks.len(), BLOCKS, "blocks that name a file");
    for (path, shown) in blocks {
        let file = fs::read_to_string(root.join(path)).unwrap_or_else(|error| {
            panic!("README.md shows {path}, which cannot be read: {error}")
        });
        assert_eq!(shown, file, "README.md shows {path} otherwise than it is");
    }
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
