//! Case files that are no case files: what their types do not take, all of it, with places.

use super::problem::{Problem, SourceFile};

/// What is wrong with the shape of a file that serde refused with this error.
pub fn problems(file: &SourceFile, error: &serde_json::Error) -> Vec<Problem> {
    vec![serde_problem(file, error)]
}

/// The problem that serde stopped at.
pub fn serde_problem(file: &SourceFile, error: &serde_json::Error) -> Problem {
    let lines = file.text.split_inclusive('\n');
    let start: usize = lines
        .take(error.line().saturating_sub(1))
        .map(str::len)
        .sum();
    let at = start + error.column().saturating_sub(1);
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or(&message);
    file.problem(
        "shape",
        at..at + 1,
        message,
        "cases/README.md lists the fields and their types",
    )
}
