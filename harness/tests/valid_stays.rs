//! Law *valid-stays* on the reference, far beyond the cases: every schema of a file with the arguments of every case of that file, judged by an independent validator.

use std::collections::BTreeMap;

use callfit::case::{Area, Case, Corpus, Text};
use callfit::judge::Validity;
use callfit_reference::Coercer;
use callfit_reference::json::parse;

#[test]
fn what_validates_before_validates_after() {
    let corpus = Corpus::embedded().unwrap();
    let mut files: BTreeMap<&str, Vec<&Case>> = BTreeMap::new();
    for case in corpus.cases.iter().filter(|case| case.area == Area::Coerce) {
        files.entry(&case.file).or_default().push(case);
    }
    let mut broken = Vec::new();
    let mut judged = 0;
    for cases in files.values() {
        let plain =
            |text: &Text| if text.is_recipe() { None } else { Some(text.text().to_owned()) };
        let sent: Vec<String> =
            cases.iter().filter_map(|case| plain(case.subject.as_ref()?)).collect();
        for case in cases {
            let Some(schema) = plain(&case.schema) else { continue };
            let validity = Validity::of_schema(&schema);
            let Ok(compiled) = parse(&schema) else { continue };
            let coercer = Coercer::new(&compiled);
            for arguments in &sent {
                if validity.of_text(arguments) != Some(true) {
                    continue;
                }
                let Ok(value) = parse(arguments) else { continue };
                let answer = coercer.coerce(value).unwrap().to_string();
                judged += 1;
                if validity.of_text(&answer) == Some(false) {
                    broken.push(format!("{schema}\n    {arguments}\n    {answer}"));
                }
            }
        }
    }
    assert!(judged > 10_000, "only {judged} calls were valid");
    assert!(broken.is_empty(), "{} of {judged}\n{}", broken.len(), broken.join("\n"));
}
