//! Every file of the corpus is as `callfit lint` wants it; one test a file.

use std::path::Path;
use std::sync::LazyLock;

use callfit::case::{self, Problem};

const CASES: &str = "../cases";

static PROBLEMS: LazyLock<Result<Vec<Problem>, String>> =
    LazyLock::new(|| case::lint(Path::new(CASES)).map_err(|error| error.to_string()));

fn is_clean(path: &Path) -> datatest_stable::Result<()> {
    let problems = PROBLEMS.as_ref().map_err(String::as_str)?;
    let file = path.display().to_string();
    let here = problems.iter().filter(|problem| problem.file == file);
    let here: Vec<Problem> = here.cloned().collect();
    // A panic, because an error would be shown with its line breaks escaped.
    assert!(here.is_empty(), "{}", case::render(&here, false));
    Ok(())
}

datatest_stable::harness! {
    { test = is_clean, root = CASES, pattern = r"\.json$" },
}
