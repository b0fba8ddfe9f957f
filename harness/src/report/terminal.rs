//! The report a maintainer reads in a terminal: what went wrong by clause, then the counts, then the verdict as the last line.

use anstyle::{AnsiColor, Style};

use crate::run::{CaseRecord, Record};

use super::details::{details, gist};
use super::escape;
use super::summary::{Outcome, Summary, Titles, by_clause, choice, counted};

/// How the report is to look.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// With colors.
    pub color: bool,
    /// The width of the terminal, in columns.
    pub width: usize,
    /// One line a failure, and the verdict.
    pub quiet: bool,
}

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const WARN: Style = AnsiColor::Yellow.on_default().bold();

/// With more cases than this, only the first of each clause is told in full.
const MOST_IN_FULL: usize = 30;
/// Names and one-line messages are cut here.
const MOST_OF_NAME: usize = 200;
/// A narrower terminal wraps the lines itself.
const LEAST_WIDTH: usize = 40;

/// The whole report; it ends with a line break.
pub fn render(record: &Record, titles: &Titles, look: Look) -> String {
    let summary = Summary::of(record);
    let mut page = Page { lines: Vec::new(), titles, width: look.width.max(LEAST_WIDTH) };
    if look.quiet {
        for case in &summary.failures {
            page.in_a_line(case, BAD);
        }
    } else {
        page.head(record);
        page.cases("FAILURES", BAD, &summary.failures);
        page.cases("WARNINGS: SHOULD-CASES MISSED", WARN, &summary.misses);
        page.counts(record, &summary);
    }
    page.notices(record);
    page.conclusion(record, &summary);
    let text = page.lines.join("\n") + "\n";
    if look.color { text } else { anstream::adapter::strip_str(&text).to_string() }
}

struct Page<'a> {
    lines: Vec<String>,
    titles: &'a Titles,
    width: usize,
}

impl Page<'_> {
    fn line(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    fn head(&mut self, record: &Record) {
        let about = &record.implementation;
        let mut name = escape::line(&about.name, MOST_OF_NAME);
        for part in [&about.version, &about.language].into_iter().flatten() {
            name = format!("{name} {}", escape::line(part, MOST_OF_NAME));
        }
        let harness = escape::line(&record.harness_version, MOST_OF_NAME);
        let corpus = escape::line(&record.corpus.version, MOST_OF_NAME);
        self.line(format!("{BOLD}{name}{BOLD:#}  {DIM}callfit {harness}, corpus {corpus}{DIM:#}"));
        if !record.command.is_empty() {
            let command = escape::line(&record.command.join(" "), MOST_OF_NAME);
            self.line(format!("{DIM}{command}{DIM:#}"));
        }
        self.line("");
    }

    fn cases(&mut self, heading: &str, style: Style, cases: &[&CaseRecord]) {
        if cases.is_empty() {
            return;
        }
        self.line(format!("{style}{heading}{style:#}"));
        let in_full = if cases.len() > MOST_IN_FULL {
            let hint = "The first of each clause in full, the others in a line each; `--filter ID` \
                        shows one in full.";
            self.line(format!("{DIM}{hint}{DIM:#}"));
            1
        } else {
            usize::MAX
        };
        self.line("");
        for (clause, group) in by_clause(cases) {
            self.clause(clause, group.len());
            for (at, case) in group.iter().enumerate() {
                if at < in_full {
                    self.in_full(case, style);
                } else {
                    self.in_a_line(case, style);
                }
            }
            if group.len() > in_full {
                self.line("");
            }
        }
    }

    fn clause(&mut self, clause: &str, count: usize) {
        let clause_shown = escape::line(clause, MOST_OF_NAME);
        let title = match self.titles.clauses.get(clause) {
            Some(title) => format!(": {}", escape::line(title, MOST_OF_NAME)),
            None => String::new(),
        };
        let count = counted(count, "case");
        self.line(format!(
            "{BOLD}{clause_shown}{title}{BOLD:#}  {DIM}{count}, SPEC.md#{clause_shown}{DIM:#}"
        ));
    }

    fn in_full(&mut self, case: &CaseRecord, style: Style) {
        self.line(format!("  {}", title(case, style)));
        let room = self.width - 4;
        let description = escape::line(&case.description, usize::MAX);
        for line in textwrap::wrap(&description, room) {
            self.line(format!("    {line}"));
        }
        for detail in details(case, self.most_of_value()) {
            for (label, line) in detail.laid_out() {
                self.line(format!("    {DIM}{label}{DIM:#}  {line}"));
            }
        }
        self.line("");
    }

    fn in_a_line(&mut self, case: &CaseRecord, style: Style) {
        let gist = gist(case, MOST_OF_NAME);
        self.line(format!("  {}  {gist}", title(case, style)));
    }

    /// Four lines of the terminal show what a value is; the report files have more of it.
    fn most_of_value(&self) -> usize {
        self.width.saturating_mul(4)
    }

    fn counts(&mut self, record: &Record, summary: &Summary<'_>) {
        self.line(format!("{BOLD}SUMMARY{BOLD:#}"));
        self.line("");
        let table = summary.table();
        let widths: [usize; 5] = std::array::from_fn(|at| {
            table.iter().map(|row| row[at].chars().count()).max().unwrap_or(0)
        });
        for row in &table {
            let mut line = format!("  {:width$}", row[0], width = widths[0]);
            for (cell, width) in row.iter().zip(widths).skip(1) {
                line = format!("{line}  {cell:>width$}");
            }
            self.line(line);
        }
        self.line("");
        let verdicts = summary.verdicts.iter();
        self.list(
            "verdicts",
            verdicts.map(|(verdict, count)| format!("{count} {}", verdict.name())),
        );
        let laws = summary.laws.iter();
        self.list(
            "laws broken",
            laws.map(|(law, count)| {
                let law = escape::line(law, MOST_OF_NAME);
                format!("{law}: {}", counted(*count, "case"))
            }),
        );
        let unsupported = summary.unsupported.iter();
        self.list(
            "unsupported",
            unsupported.map(|(what, count)| format!("{what}: {}", counted(*count, "case"))),
        );
        let as_expected = summary.as_expected.len();
        if as_expected > 0 {
            let cases = counted(as_expected, "case");
            self.list("as expected", [format!("{cases} went wrong")].into_iter());
        }
        let took = record.duration.as_secs_f64();
        self.list("took", [format!("{took:.1} s")].into_iter());
        self.line("");
        self.choices(summary);
    }

    fn choices(&mut self, summary: &Summary<'_>) {
        if summary.choices.is_empty() {
            return;
        }
        let mut rows = Vec::new();
        for (policy, options) in &summary.choices {
            let question = self.titles.policies.get(*policy);
            let question = question.map_or("", String::as_str);
            let style = if options.len() > 1 { WARN } else { BOLD };
            let choice = choice(options);
            let row = [*policy, &choice, question].map(|cell| escape::line(cell, MOST_OF_NAME));
            rows.push((style, row));
        }
        let width = |at: usize| rows.iter().map(|(_, row)| row[at].chars().count()).max();
        let (first, second) = (width(0).unwrap_or(0), width(1).unwrap_or(0));
        self.line(format!("{BOLD}POLICY CHOICES{BOLD:#}"));
        self.line("");
        for (style, [policy, choice, question]) in rows {
            self.line(format!(
                "  {policy:first$}  {style}{choice:second$}{style:#}  {DIM}{question}{DIM:#}"
            ));
        }
        self.line("");
    }

    fn list(&mut self, label: &str, items: impl Iterator<Item = String>) {
        let items: Vec<String> = items.collect();
        if !items.is_empty() {
            let items = items.join(", ");
            self.line(format!("  {DIM}{label:11}{DIM:#}  {items}"));
        }
    }

    /// What is no case's fault.
    fn notices(&mut self, record: &Record) {
        let most = self.most_of_value();
        let mut notices = Vec::new();
        for warning in &record.warnings {
            notices.push((WARN, "warning", warning));
        }
        for problem in &record.expectation_problems {
            notices.push((BAD, "expectation file", problem));
        }
        if let Some(why) = &record.cut_short {
            notices.push((BAD, "cut short", why));
        }
        for (style, label, text) in &notices {
            let text = escape::line(text, most);
            self.line(format!("{style}{label}{style:#}: {text}"));
        }
        if !notices.is_empty() {
            self.line("");
        }
    }

    fn conclusion(&mut self, record: &Record, summary: &Summary<'_>) {
        let style = match summary.outcome {
            Outcome::Conformant => GOOD,
            Outcome::NotConformant => BAD,
            Outcome::Undecided => WARN,
        };
        let conclusion = summary.conclusion(record);
        self.line(format!("{style}{conclusion}{style:#}"));
    }
}

fn title(case: &CaseRecord, style: Style) -> String {
    let id = escape::line(&case.id, MOST_OF_NAME);
    let (level, verdict) = (case.level.name(), case.verdict.name());
    format!("{BOLD}{id}{BOLD:#}  {DIM}{level}{DIM:#}  {style}{verdict}{style:#}")
}
