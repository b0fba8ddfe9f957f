//! What changed between two reports.

use std::collections::BTreeMap;

use crate::run::{CaseRecord, Chosen, Record, Verdict};

use super::details::gist;
use super::escape;
use super::markdown::{code, prose};
use super::summary::counted;

/// Names are cut here.
const MOST: usize = 200;
/// GitHub refuses a comment of more than 65,536 characters.
const MOST_OF_COMMENT: usize = 60_000;

/// What changed from one run to another.
#[derive(Debug)]
pub struct Changes {
    /// The two runs.
    runs: [String; 2],
    /// In what the runs differ that a comparison should know of.
    notes: Vec<String>,
    found: Vec<Change>,
    unchanged: usize,
}

/// What a change is for whoever relies on the implementation, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// It passed, and does not any more.
    Broken,
    /// It passes now.
    Fixed,
    /// It goes wrong with another verdict, or passes with another option.
    Changed,
    /// It goes wrong as before, and says so otherwise.
    Message,
    New,
    Gone,
}

/// A case before and after.
#[derive(Debug)]
struct Change {
    kind: Kind,
    case: String,
    level: &'static str,
    before: String,
    after: String,
}

impl Changes {
    /// Compares two runs case by case.
    pub fn between(old: &Record, new: &Record) -> Self {
        let mut found = Vec::new();
        let mut unchanged = 0;
        let mut before: BTreeMap<&str, &CaseRecord> =
            old.cases.iter().map(|case| (case.id.as_str(), case)).collect();
        for case in &new.cases {
            let Some(earlier) = before.remove(case.id.as_str()) else {
                found.push(Change::of(Kind::New, case, String::new(), state(case)));
                continue;
            };
            match Kind::of(earlier, case) {
                Some(kind) => found.push(Change::of(kind, case, state(earlier), state(case))),
                None => unchanged += 1,
            }
        }
        for case in old.cases.iter().filter(|case| before.contains_key(case.id.as_str())) {
            found.push(Change::of(Kind::Gone, case, state(case), String::new()));
        }
        found.sort_by_key(|change| change.kind);
        Self { runs: [heading(old), heading(new)], notes: notes(old, new), found, unchanged }
    }

    /// Whether a case that passed does not any more.
    pub fn is_broken(&self) -> bool {
        self.found.first().is_some_and(|change| change.kind == Kind::Broken)
    }

    /// Whether the new run did not come to the same, word for word, in each of its cases. The old one may have more.
    pub fn is_other(&self) -> bool {
        self.found.iter().any(|change| change.kind != Kind::Gone)
    }

    /// The changes for a terminal; it ends with a line break.
    pub fn text(&self) -> String {
        let [old, new] = &self.runs;
        let mut lines = vec![format!("old: {old}"), format!("new: {new}")];
        lines.extend(self.notes.iter().map(|note| format!("note: {note}")));
        lines.push(String::new());
        for group in self.groups() {
            lines.push(format!("{} ({})", group[0].kind.name(), group.len()));
            lines.extend(group.iter().map(|change| format!("  {}", change.text())));
            lines.push(String::new());
        }
        lines.push(self.conclusion());
        lines.join("\n") + "\n"
    }

    /// The changes for a comment on a pull request.
    pub fn markdown(&self) -> String {
        let mark = if self.is_broken() { "❌" } else { "✅" };
        let [old, new] = self.runs.each_ref().map(|run| code(run));
        let mut text =
            format!("### {mark} callfit: {}\n\n- old: {old}\n- new: {new}\n", self.conclusion());
        for note in &self.notes {
            text += &["- ", &prose(note), "\n"].concat();
        }
        let mut room = MOST_OF_COMMENT.saturating_sub(text.len());
        for group in self.groups() {
            text += &table(group, &mut room);
        }
        text
    }

    /// The changes by kind; none of the groups is empty.
    fn groups(&self) -> impl Iterator<Item = &[Change]> {
        self.found.chunk_by(|one, next| one.kind == next.kind)
    }

    fn conclusion(&self) -> String {
        let mut parts: Vec<String> = self
            .groups()
            .map(|group| format!("{} {}", group.len(), group[0].kind.name()))
            .collect();
        parts.push(format!("{} unchanged", counted(self.unchanged, "case")));
        parts.join(", ")
    }
}

impl Kind {
    /// What became of a case that both runs had, if anything did.
    fn of(old: &CaseRecord, new: &CaseRecord) -> Option<Self> {
        if (old.verdict, &old.option) != (new.verdict, &new.option) {
            return Some(match (old.verdict == Verdict::Pass, new.verdict == Verdict::Pass) {
                (true, false) => Self::Broken,
                (false, true) => Self::Fixed,
                _ => Self::Changed,
            });
        }
        let is_said_alike = (&old.message, &old.differences, &old.laws)
            == (&new.message, &new.differences, &new.laws);
        (!is_said_alike).then_some(Self::Message)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Broken => "broken",
            Self::Fixed => "fixed",
            Self::Changed => "changed",
            Self::Message => "changed message",
            Self::New => "new",
            Self::Gone => "gone",
        }
    }
}

impl Change {
    fn of(kind: Kind, case: &CaseRecord, before: String, after: String) -> Self {
        Self { kind, case: escape::line(&case.id, MOST), level: case.level.name(), before, after }
    }

    fn text(&self) -> String {
        let Self { case, level, before, after, .. } = self;
        let arrow = if before.is_empty() || after.is_empty() { "" } else { " -> " };
        format!("{case}  {level}  {before}{arrow}{after}")
    }

    fn row(&self) -> String {
        let (before, after) = (prose(&self.before), prose(&self.after));
        format!("| {} | {} | {before} | {after} |\n", code(&self.case), self.level)
    }
}

/// Changes of one kind as Markdown, as many as there is room for; what is no worry is folded.
fn table(group: &[Change], room: &mut usize) -> String {
    let kind = group[0].kind;
    let heading = format!("{} ({})", kind.name(), group.len());
    let (open, close) = if kind == Kind::Broken {
        (format!("\n#### {heading}\n\n"), "")
    } else {
        (format!("\n<details><summary>{heading}</summary>\n\n"), "\n</details>\n")
    };
    let mut text = open + "| case | level | before | now |\n| --- | --- | --- | --- |\n";
    *room = room.saturating_sub(text.len() + close.len());
    let mut shown = 0;
    for change in group {
        let row = change.row();
        if row.len() > *room {
            *room = 0;
            break;
        }
        *room -= row.len();
        text += &row;
        shown += 1;
    }
    if shown < group.len() {
        let left = (group.len() - shown).to_string();
        text += &["\n… and ", &left, " more.\n"].concat();
    }
    text + close
}

/// The verdict with what there is to say of it.
fn state(case: &CaseRecord) -> String {
    let verdict = case.verdict.name();
    match &case.option {
        Some(option) => format!("{verdict} ({})", escape::line(option, MOST)),
        None if case.verdict.is_bad() => match gist(case, MOST) {
            gist if gist == verdict => gist,
            gist => format!("{verdict}: {gist}"),
        },
        None => verdict.to_owned(),
    }
}

fn heading(record: &Record) -> String {
    let about = &record.implementation;
    let [name, version, corpus, started] =
        [&about.name, version(record), &record.corpus.version, &record.started]
            .map(|text| escape::line(text, MOST));
    format!("{name} {version}, corpus {corpus}, {started}")
}

fn version(record: &Record) -> &str {
    record.implementation.version.as_deref().unwrap_or("(no version)")
}

/// In what the runs differ beside their cases: a comparison of these is one of two things at once.
fn notes(old: &Record, new: &Record) -> Vec<String> {
    let mut notes = Vec::new();
    let mut differ = |what: &str, old: &str, new: &str| {
        if old != new {
            let (old, new) = (escape::line(old, MOST), escape::line(new, MOST));
            notes.push(format!("different {what}: {old} -> {new}"));
        }
    };
    let strict = |record: &Record| if record.strict { "--strict" } else { "not --strict" };
    differ("implementations", &old.implementation.name, &new.implementation.name);
    differ("versions", version(old), version(new));
    differ("corpora", &old.corpus.version, &new.corpus.version);
    differ("selections", &selection(&old.chosen), &selection(&new.chosen));
    differ("versions of callfit", &old.harness_version, &new.harness_version);
    differ("levels that count", strict(old), strict(new));
    if (&old.corpus.version, &old.chosen) == (&new.corpus.version, &new.chosen) {
        let short = |record: &Record| record.corpus.digest.chars().take(8).collect::<String>();
        differ("texts of cases (digests)", &short(old), &short(new));
    }
    for (name, record) in [("old", old), ("new", new)] {
        if let Some(why) = &record.cut_short {
            notes.push(format!("the {name} run was cut short: {}", escape::line(why, MOST)));
        }
    }
    notes
}

fn selection(chosen: &Chosen) -> String {
    let filters = chosen.filters.iter().map(|glob| format!("--filter {glob}"));
    let excludes = chosen.excludes.iter().map(|glob| format!("--exclude {glob}"));
    let shard = chosen.shard.iter().map(|shard| format!("--shard {shard}"));
    let words: Vec<String> = filters.chain(excludes).chain(shard).collect();
    if words.is_empty() { "all cases".to_owned() } else { words.join(" ") }
}
