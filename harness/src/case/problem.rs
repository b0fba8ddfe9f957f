//! What is wrong in a corpus file: where, what, and the mend.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, SourceCode,
};

use super::place::line_and_column;

/// Something wrong in a corpus file.
#[derive(Clone)]
pub struct Problem {
    /// The name of the rule that is broken: `unknown-clause`.
    pub rule: &'static str,
    /// The file, as its reader knows it.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong, a lower case fragment.
    pub message: String,
    /// How to mend it.
    pub help: String,
    span: Range<usize>,
    source: Arc<NamedSource<Arc<str>>>,
}

/// A corpus file.
#[derive(Debug, Clone)]
pub struct SourceFile {
    /// Its path inside the corpus: `coerce/integer.json`.
    pub path: String,
    /// Its path as the reader knows it.
    pub shown: String,
    /// Its text.
    pub text: Arc<str>,
}

impl SourceFile {
    /// A problem at these bytes of the file.
    pub fn problem(
        &self,
        rule: &'static str,
        span: Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Problem {
        let start = (0..=span.start.min(self.text.len()))
            .rev()
            .find(|at| self.text.is_char_boundary(*at))
            .unwrap_or(0);
        let (line, column) = line_and_column(&self.text, start);
        Problem {
            rule,
            file: self.shown.clone(),
            line,
            column,
            message: message.into(),
            help: help.into(),
            span: start..span.end.clamp(start, self.text.len()),
            source: Arc::new(NamedSource::new(&self.shown, Arc::clone(&self.text))),
        }
    }
}

/// `file:line:column: message`, on one line.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, message, .. } = self;
        write!(f, "{file}:{line}:{column}: {message}")
    }
}

impl fmt::Debug for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} ({}; {})", self.rule, self.help)
    }
}

/// The problems as a person reads them, each with the lines it stands on.
pub fn render(problems: &[Problem], color: bool) -> String {
    let theme = if color { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme).with_width(100).with_context_lines(1);
    let mut text = String::new();
    for problem in problems {
        // Writing to a string fails only where a source cannot be read, and then the short form is left.
        if handler.render_report(&mut text, &Shown(problem)).is_err() {
            text.push_str(&problem.to_string());
        }
        text.push('\n');
    }
    text
}

/// A problem whose place is told by the frame around its lines.
#[derive(Debug)]
struct Shown<'a>(&'a Problem);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for Shown<'_> {}

impl Diagnostic for Shown<'_> {
    fn code(&self) -> Option<Box<dyn fmt::Display + '_>> {
        Some(Box::new(self.0.rule))
    }

    fn help(&self) -> Option<Box<dyn fmt::Display + '_>> {
        Some(Box::new(&self.0.help))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(self.0.source.as_ref())
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let span = self.0.span.clone();
        Some(Box::new(std::iter::once(LabeledSpan::new_with_span(None, span))))
    }
}
