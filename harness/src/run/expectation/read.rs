//! Reading an expectation file: what it says, or everything that is wrong with it.

use std::ops::Range;

use globset::GlobBuilder;
use toml_edit::{Document, Item, Table};

use super::{Entry, Expectations, Verdicts};
use crate::case::{Problem, SourceFile, did_you_mean};
use crate::run::Verdict;

const NEW: &str = "\
# What is known to go wrong: `callfit run --expect FILE` reads it, and with
# `--update-expectations` writes it, keeping the reasons that stand.
format = 1
";

const FIELDS: [&str; 4] = ["case", "verdict", "reason", "link"];

impl Expectations {
    /// No expectations, for a file that is to be written.
    pub fn none(file: impl Into<String>) -> Self {
        Self { file: file.into(), text: NEW.to_owned(), entries: Vec::new() }
    }

    /// Reads an expectation file; `file` is where it stands, for messages.
    ///
    /// # Errors
    ///
    /// Everything that is wrong, each with its place and mend.
    pub fn parse(file: impl Into<String>, text: &str) -> Result<Self, Vec<Problem>> {
        let file = file.into();
        let source = SourceFile { path: file.clone(), shown: file.clone(), text: text.into() };
        let document = Document::parse(text).map_err(|error| {
            let span = error.span().unwrap_or_default();
            let message = error.message().trim_end().replace('\n', ", ");
            vec![source.problem("toml", span, message, "mend the TOML; https://toml.io tells how")]
        })?;
        let mut reading = Reading { source: &source, entries: Vec::new(), problems: Vec::new() };
        reading.document(document.as_table());
        let Reading { entries, problems, .. } = reading;
        if problems.is_empty() {
            Ok(Self { file, text: text.to_owned(), entries })
        } else {
            Err(problems)
        }
    }
}

struct Reading<'s> {
    source: &'s SourceFile,
    entries: Vec<Entry>,
    problems: Vec<Problem>,
}

impl Reading<'_> {
    fn problem(
        &mut self,
        rule: &'static str,
        span: Option<Range<usize>>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let problem = self.source.problem(rule, span.unwrap_or_default(), message, help);
        self.problems.push(problem);
    }

    fn document(&mut self, document: &Table) {
        self.known_fields(document, &["format", "expect"]);
        match document.get("format") {
            Some(item) if item.as_integer() == Some(1) => {}
            Some(item) => self.problem(
                "format",
                item.span(),
                "the format is not 1, which is the one that this callfit reads",
                "write `format = 1`, or use the callfit that wrote the file",
            ),
            None => self.problem(
                "format",
                Some(0..0),
                "the file does not say its format",
                "write `format = 1` as its first line",
            ),
        }
        match document.get("expect").map(|item| (item, item.as_array_of_tables())) {
            None => {}
            Some((_, Some(tables))) => {
                for table in tables {
                    self.entry(table);
                }
            }
            Some((item, None)) => self.problem(
                "expect",
                item.span(),
                "the entries are no tables",
                "begin each entry with a line `[[expect]]`",
            ),
        }
    }

    fn entry(&mut self, table: &Table) {
        self.known_fields(table, &FIELDS);
        if table.contains_key("link") {
            self.text(table, "link");
        }
        let case = self.text(table, "case");
        let verdicts = self.verdicts(table);
        let reason = self.text(table, "reason");
        let (Some((case, span)), Some(verdicts), Some((reason, _))) = (case, verdicts, reason)
        else {
            return;
        };
        let glob = match GlobBuilder::new(case).build() {
            Ok(glob) => glob.compile_matcher(),
            Err(error) => {
                let message = format!("`{case}` is no glob: {}", error.kind());
                let help = "write an id, or several with `*`, as in coerce/integer/*";
                return self.problem("case", Some(span), message, help);
            }
        };
        let place = self.source.problem("case", span.clone(), "", "");
        if let Some(first) = self.entries.iter().find(|entry| entry.case == case) {
            let message = format!("`{case}` has an entry already, in line {}", first.line);
            return self.problem("case", Some(span), message, "keep one of the two");
        }
        self.entries.push(Entry {
            is_exact: !case.contains(['*', '?', '[', '{']),
            case: case.to_owned(),
            glob,
            verdicts,
            reason: reason.to_owned(),
            line: place.line,
        });
    }

    /// One verdict, or a list of those that will do.
    fn verdicts(&mut self, table: &Table) -> Option<Verdicts> {
        let Some(list) = table.get("verdict").and_then(Item::as_array) else {
            let (name, span) = self.text(table, "verdict")?;
            return Some(Verdicts(vec![self.verdict(name, span, Verdict::is_bad)?]));
        };
        let span = || list.span().unwrap_or_default();
        let mut verdicts = Vec::new();
        for one in list {
            // Where an answer takes about as long as it may, it can be the right one.
            let can_be = |verdict: Verdict| verdict != Verdict::Unsupported;
            let at = one.span().unwrap_or_default();
            let verdict = self.verdict(one.as_str().unwrap_or_default(), at, can_be)?;
            if !verdicts.contains(&verdict) {
                verdicts.push(verdict);
            }
        }
        if verdicts.len() < 2 {
            let message = "a list of verdicts is for a case that comes out in one of several ways";
            let help = "write two or more of them, or one verdict without the list";
            self.problem("verdict", Some(span()), message, help);
            return None;
        }
        Some(Verdicts(verdicts))
    }

    fn verdict(
        &mut self,
        name: &str,
        span: Range<usize>,
        can_be: fn(Verdict) -> bool,
    ) -> Option<Verdict> {
        let known = Verdict::ALL.into_iter().filter(|verdict| can_be(*verdict)).map(Verdict::name);
        let verdict = Verdict::from_name(name).filter(|verdict| can_be(*verdict));
        if verdict.is_none() {
            let message = format!("`{name}` is no verdict that can be expected");
            let all = known.clone().collect::<Vec<_>>().join(", ");
            let help = did_you_mean(name, known, &format!("write one of {all}"));
            self.problem("verdict", Some(span), message, help);
        }
        verdict
    }

    /// A member that must be a text, and not an empty one.
    fn text<'t>(&mut self, table: &'t Table, name: &str) -> Option<(&'t str, Range<usize>)> {
        let Some(item) = table.get(name) else {
            let message = format!("the entry has no `{name}`");
            let help = match name {
                "reason" => "say why this is known to go wrong: reason = \"…\"".to_owned(),
                _ => format!("write a line {name} = \"…\""),
            };
            self.problem("missing-field", table.span(), message, help);
            return None;
        };
        match item.as_str() {
            Some(text) if !text.trim().is_empty() => Some((text, item.span().unwrap_or_default())),
            found => {
                let kind = if found.is_some() { "empty" } else { "no text" };
                let message = format!("the `{name}` is {kind}");
                self.problem("text", item.span(), message, format!("write {name} = \"…\""));
                None
            }
        }
    }

    fn known_fields(&mut self, table: &Table, known: &[&str]) {
        for (name, item) in table {
            if !known.contains(&name) {
                let span = table.key(name).and_then(toml_edit::Key::span).or_else(|| item.span());
                let otherwise = format!("the fields are {}", known.join(", "));
                let help = did_you_mean(name, known.iter().copied(), &otherwise);
                self.problem("unknown-field", span, format!("no field is called `{name}`"), help);
            }
        }
    }
}
