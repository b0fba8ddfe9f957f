//! Writing an expectation file anew: what stands is kept word for word.

use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, value};

use super::{Expectations, Standing, Verdicts, cases_of};
use crate::case::Corpus;
use crate::run::{Record, Verdict};

/// The reason of an entry that nobody has written one for.
const NO_REASON: &str = "not yet looked into";

impl Expectations {
    /// The text of the file after this run: entries that stand, or speak of what was not judged, are kept with their comments, reasons and links; an entry for one case that goes
    /// wrong in another way gets that verdict; stale ones are left out; each further case that counts against the implementation gets one.
    pub fn updated(&self, record: &Record, corpus: &Corpus) -> String {
        let matched = self.matches(record);
        let mut document: DocumentMut = self.text.parse().unwrap_or_default();
        let old = document.remove("expect").unwrap_or(Item::None);
        let old = old.as_array_of_tables().cloned().unwrap_or_default();
        let mut tables = ArrayOfTables::new();
        // Whether each entry still is in the file, and with which verdicts.
        let mut kept: Vec<Option<Verdicts>> = Vec::new();
        for ((at, entry), table) in self.entries.iter().enumerate().zip(old.iter()) {
            let mut table = table.clone();
            let mine = cases_of(at, record, &matched);
            kept.push(match entry.standing(&mine, record, corpus) {
                Standing::Stands | Standing::Undecided => Some(entry.verdicts.clone()),
                Standing::Otherwise(verdict) if entry.is_exact => {
                    change(&mut table, "verdict", verdict.name());
                    Some(Verdicts(vec![verdict]))
                }
                Standing::Otherwise(_) | Standing::Unmatched | Standing::Stale => None,
            });
            if kept[at].is_some() {
                tables.push(table);
            }
        }
        for (case, at) in record.cases.iter().zip(&matched) {
            let entry_of_it = at.and_then(|at| kept[at].as_ref());
            let is_told = entry_of_it.is_some_and(|verdicts| verdicts.contain(case.verdict));
            let counts = record.counts_against(case) || case.expected_failure.is_some();
            if counts && !is_told {
                tables.push(entry(&case.id, case.verdict));
            }
        }
        if !tables.is_empty() {
            document.insert("expect", Item::ArrayOfTables(tables));
        }
        document.to_string()
    }
}

fn entry(id: &str, verdict: Verdict) -> Table {
    let mut table = Table::new();
    table.decor_mut().set_prefix("\n");
    for (name, text) in [("case", id), ("verdict", verdict.name()), ("reason", NO_REASON)] {
        table.insert(name, value(text));
    }
    table
}

/// Changes a value and leaves what stands around it.
fn change(table: &mut Table, name: &str, text: &str) {
    if let Some(Item::Value(old)) = table.get_mut(name) {
        let decor = old.decor().clone();
        *old = text.into();
        *old.decor_mut() = decor;
    }
}
