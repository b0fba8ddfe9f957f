//! What `callfit lint`, `lint --fix` and `new` do to a folder of cases, as its author sees it.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::Path;

use callfit::case::{self, Corpus, Problem};
use tempfile::TempDir;

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// A case file in the corpus's layout.
fn file(cases: &[String]) -> String {
    let cases = cases.join(",");
    let text = format!(
        r#"{{"$schema":"../case.schema.json","about":"A topic of this test.","cases":[{cases}]}}"#
    );
    case::format(&text).unwrap()
}

const CASE: &str = r#"{"id":"coerce/t/one","description":"It goes wrong.","clause":"int","level":"must",
    "schema":{"properties":{"lint":{"type":"integer"}}},"arguments":{"lint":"5"},"expect":{"lint":5}}"#;

const CHOICE: &str = r#"{"id":"coerce/t/one","description":"It may go either way.","clause":"int-forms","level":"policy",
    "schema":{"properties":{"lint":{"type":"integer"}}},"arguments":{"lint":"0x5"},
    "policy":"hex","options":{"keep":{"lint":"0x5"},"convert":{"lint":5}}}"#;

/// A case with some of its words replaced.
fn but(case: &str, changes: &[(&str, &str)]) -> String {
    changes.iter().fold(case.to_owned(), |case, (from, to)| {
        assert!(case.contains(from), "{from} stands in {case}");
        case.replacen(from, to, 1)
    })
}

/// The problems of a folder, with its path left out.
fn shown(folder: &TempDir, problems: &[Problem]) -> String {
    let path = folder.path().display().to_string();
    case::render(problems, false).replace(&path, "cases")
}

fn lint(folder: &TempDir) -> Vec<Problem> {
    case::lint(folder.path()).unwrap()
}

#[test]
fn whole_cases_are_clean() {
    let cases = [CASE.to_owned(), but(CHOICE, &[("t/one", "t/two")])];
    let folder = folder(&[("coerce/t.json", &file(&cases))]);
    assert_eq!(shown(&folder, &lint(&folder)), "");
}

/// Each kind of mistake, and what is said of it. The snapshot reads as a catalogue.
#[test]
fn each_mistake_is_told_with_its_place_and_mend() {
    let one = |changes: &[(&str, &str)]| file(&[but(CASE, changes)]);
    let choice = |changes: &[(&str, &str)]| file(&[but(CHOICE, changes)]);
    let recipe = |recipe: &str| {
        let recipe = format!(r#""recipe":{recipe},"expect""#);
        one(&[
            (r#""schema":{"properties":{"lint":{"type":"integer"}}},"#, ""),
            (r#""expect""#, &recipe),
        ])
    };
    let twin = |id: &str, other: &str| {
        let twin = format!(r#""same_as":"{id}","options""#);
        let changes =
            [(r#""policy","#, r#""must","#), ("0x5", "0x6"), (r#""options""#, twin.as_str())];
        file(&[
            but(&but(CHOICE, &[("int-forms", "text-in-union")]), &changes),
            but(other, &[("t/one", "t/two")]),
        ])
    };
    let files = [
        ("syntax", one(&[]).replace("}\n    }", "},\n    }")),
        ("unknown-field", one(&[(r#""clause""#, r#""sources":[],"clause""#)])),
        ("unknown-field", recipe(r#"{"schema":[{"time":1,"times":2,"of":[]}]}"#)),
        ("missing-field", one(&[(r#""clause":"int","#, "")])),
        ("missing-field", one(&[(r#""arguments":{"lint":"5"},"#, "")])),
        ("missing-field", one(&[(r#","expect":{"lint":5}"#, "")])),
        ("wrong-type", one(&[(r#""must""#, r#""shall""#)])),
        ("wrong-type", one(&[(r#""It goes wrong.""#, "null")])),
        ("wrong-type", recipe(r#"{"schema":["{",5,"}"]}"#)),
        ("shape", recipe(r#"{"schema":[{"times":1e30,"of":[]}]}"#)),
        (
            "shape",
            recipe(
                &format!(
                    r#"{{"schema":{}{}}}"#,
                    r#"[{"times":1,"of":"#.repeat(70),
                    "}]".repeat(70)
                )
                .replace("of\":}", "of\":[]}"),
            ),
        ),
        ("malformed-id", one(&[("coerce/t/one", "coerce/t/One")])),
        ("misplaced-id", one(&[("coerce/t/one", "coerce/other/one")])),
        (
            "repeated-id",
            file(&[CASE.to_owned(), but(CASE, &[(r#""5""#, r#""6""#), (":5}", ":6}")])]),
        ),
        ("unknown-clause", one(&[(r#""int""#, r#""innt""#)])),
        ("unknown-policy", choice(&[(r#""hex""#, r#""octal-words""#)])),
        ("unknown-option", choice(&[(r#""convert""#, r#""parse""#)])),
        ("level", one(&[(r#""must""#, r#""should""#)])),
        ("level", choice(&[("int-forms", "text-in-union"), (r#""policy","#, r#""must","#)])),
        ("one-outcome", choice(&[(r#","convert":{"lint":5}"#, "")])),
        ("same-answer", choice(&[(r#"{"lint":5}"#, r#"{ "lint" : "0\u00785" }"#)])),
        ("same-answer", one(&[("5}}", r#"5},"also":[{"lint":5.0}]}"#)])),
        ("fields", one(&[(r#""arguments""#, r#""node":{},"arguments""#)])),
        ("fields", one(&[("5}}", r#"5},"survive":true}"#)])),
        ("fields", one(&[(r#""arguments""#, r#""recipe":{"schema":["{}"]},"arguments""#)])),
        ("twin", twin("coerce/t/nowhere", CHOICE)),
        ("twin", twin("coerce/t/one", CHOICE)),
        ("twin", twin("coerce/t/two", CASE)),
        ("twin", twin("coerce/t/two", &but(CHOICE, &[(r#""hex""#, r#""plus-sign""#)]))),
        ("recipe", recipe(r#"{"schema":[{"times":100000000000,"of":["{}"]}]}"#)),
        (
            "recipe",
            recipe(
                r#"{"schema":["{\"properties\":{",{"times":3,"index":"i","of":["\"a{i}\":{}"]},"}}"]}"#,
            ),
        ),
        ("description", one(&[("It goes wrong.", " ")])),
        ("description", one(&[("It goes wrong.", &"long ".repeat(61))])),
        ("source", one(&[(r#""clause""#, r#""source":["owner/repo#12","row 1"],"clause""#)])),
        ("invalid-expected", one(&[(r#"{"lint":5}"#, r#"{"lint":5.5}"#)])),
        ("duplicate", file(&[CASE.to_owned(), but(CASE, &[("t/one", "t/two")])])),
        ("repeated-key", one(&[(r#"{"lint":"5"}"#, r#"{"lint":"5","lint":"5"}"#)])),
        (
            "unformatted",
            one(&[])
                .replace("must", "must\",\n\n      \"source\": [\"a/b#1")
                .replace("#1\"", "#1\"]"),
        ),
    ];
    let mut catalogue = String::new();
    for (rule, text) in files {
        let folder = folder(&[("coerce/t.json", &text)]);
        let problems = lint(&folder);
        let rules: Vec<&str> = problems.iter().map(|problem| problem.rule).collect();
        assert_eq!(rules, [rule], "{}", shown(&folder, &problems));
        catalogue.push_str(&shown(&folder, &problems));
    }
    insta::assert_snapshot!(catalogue);
}

#[test]
fn every_mistake_is_told_at_once() {
    let cases = [
        but(CASE, &[(r#""must""#, r#""shall""#), (r#""clause""#, r#""klause""#)]),
        but(
            CASE,
            &[
                ("t/one", "t/Two"),
                (r#""int""#, r#""innt""#),
                (r#""expect""#, r#""also""#),
                (":5}}", ":[5]}}"),
            ],
        ),
        but(CASE, &[("t/one", "t/three"), ("It goes wrong.", "")]),
    ];
    let text = file(&cases).replace(r#""about""#, r#""topic""#);
    let folder =
        folder(&[("coerce/t.json", &text), ("coerce/u.json", "{}\n"), ("notes.json", "{}\n")]);
    let problems = lint(&folder);
    let lines: Vec<String> =
        problems.iter().map(|problem| format!("{problem} [{}]", problem.rule)).collect();
    let path = folder.path().display().to_string();
    insta::assert_snapshot!(lines.join("\n").replace(&path, "cases"));
}

#[test]
fn a_corpus_of_its_own_brings_what_it_cites() {
    let clauses = r#"{ "about": "", "clauses": [{ "id": "int", "chapter": "c", "title": "t", "levels": ["must"] }] }"#;
    let files = [
        ("corpus.json", "{ \"version\": \"t.1\" }\n"),
        ("clauses.json", &format!("{clauses}\n")),
        ("policies.json", "{ \"about\": \"\", \"policies\": [] }\n"),
        ("coerce/t.json", &file(&[CASE.to_owned(), but(CHOICE, &[("t/one", "t/two")])])),
    ];
    let whole = folder(&files);
    let broken =
        folder(&[files[0], ("clauses.json", "{ \"clauses\": [{ \"id\": 5 }] }\n"), files[3]]);
    let said = shown(&whole, &lint(&whole)) + &shown(&broken, &lint(&broken));
    insta::assert_snapshot!(said);
}

#[test]
fn no_cases_is_no_success() {
    let empty = folder(&[("notes.txt", "")]);
    let path = empty.path().display().to_string();
    let said = |path: &Path| case::lint(path).unwrap_err().to_string();
    insta::assert_snapshot!(said(empty.path()).replace(&path, "cases"));
    let missing = said(&empty.path().join("nowhere"));
    assert!(missing.starts_with("cannot read "), "{missing}");
}

#[test]
fn fix_changes_the_layout_and_nothing_else() {
    let case = but(CASE, &[(r#"{"lint":5}"#, r#"{"lint":5.0}"#), ("It goes", r"\u0049t goes")]);
    let clean = file(std::slice::from_ref(&case));
    let messy = clean.replace("\n    ", "\r\n\t").replace(": ", ":");
    let files = [
        ("coerce/clean.json", clean.as_str()),
        ("coerce/t.json", &messy),
        ("coerce/broken.json", "{"),
    ];
    let folder = folder(&files);
    let read = |path: &str| fs::read_to_string(folder.path().join(path)).unwrap();
    assert_eq!(case::fix(folder.path()).unwrap(), [folder.path().join("coerce/t.json")]);
    assert_eq!(read("coerce/t.json"), clean);
    assert!(clean.contains(r"\u0049t goes") && clean.contains("5.0"));
    assert_eq!(read("coerce/broken.json"), "{");
    assert!(case::fix(folder.path()).unwrap().is_empty());
}

#[test]
fn new_adds_a_skeleton_that_lint_asks_to_fill_in() {
    let text = file(&[CASE.to_owned()]);
    let folder = folder(&[("coerce/t.json", &text)]);
    let read = |path: &str| fs::read_to_string(folder.path().join(path)).unwrap();
    let mut made = Vec::new();
    for id in ["coerce/t/two", "resolve/new/one", "restore/new/one", "sanitize/new/one"] {
        made.push(case::new_case(folder.path(), id).unwrap());
    }
    assert_eq!(made[0].path, folder.path().join("coerce/t.json"));
    assert_eq!(read("coerce/t.json").lines().nth(made[0].line - 1), Some("    {"));
    let (before, after) = text.split_at(text.find("\n  ]").unwrap());
    let now = read("coerce/t.json");
    assert!(now.starts_with(before) && now.ends_with(after), "{now}");
    insta::assert_snapshot!(read("resolve/new.json") + &shown(&folder, &lint(&folder)));
}

#[test]
fn new_leaves_a_messy_file_as_it_is() {
    for (text, expected) in [
        ("{\"cases\" :[ ]\t}", "{\"cases\" :[\n    CASE\n  ]\t}"),
        ("{\"cases\" :[\t{ } ,1\n]}", "{\"cases\" :[\t{ } ,1,\n    CASE\n]}"),
    ] {
        let folder = folder(&[("coerce/t.json", text)]);
        case::new_case(folder.path(), "coerce/t/one").unwrap();
        let now = fs::read_to_string(folder.path().join("coerce/t.json")).unwrap();
        let (before, after) = expected.split_once("CASE").unwrap();
        assert!(now.starts_with(before) && now.ends_with(after), "{now}");
    }
}

#[test]
fn new_refuses() {
    let folder = folder(&[
        ("coerce/t.json", &file(&[CASE.to_owned()])),
        ("coerce/u.json", "[]"),
        ("coerce/v.json", "{"),
    ]);
    let said: Vec<String> =
        ["coerce/t/one", "coerce/u/one", "coerce/v/one", "coerce/T/one", "../t/one", "t"]
            .iter()
            .map(|id| case::new_case(folder.path(), id).unwrap_err().to_string())
            .collect();
    let path = folder.path().display().to_string();
    insta::assert_snapshot!(said.join("\n").replace(&path, "cases"));
    assert!(!folder.path().join("coerce/T.json").exists());
}

#[test]
fn a_folder_adds_and_replaces() {
    let second = but(CASE, &[("t/one", "t/two"), ("5", "6"), (":5}}", ":6}}")]);
    let one = folder(&[("coerce/t.json", &file(&[CASE.to_owned(), second]))]);
    let other =
        folder(&[("coerce/t.json", &file(&[but(CASE, &[("It goes wrong.", "Replaced.")])]))]);
    let built_in = Corpus::embedded().unwrap();
    let before = built_in.cases.len();
    let corpus = built_in.with_directory(one.path()).unwrap();
    let digest = Corpus::digest(&corpus.cases);
    let corpus = corpus.with_directory(other.path()).unwrap();
    assert_eq!(corpus.cases.len(), before + 2);
    assert_eq!(corpus.case("coerce/t/one").unwrap().description, "Replaced.");
    assert_ne!(Corpus::digest(&corpus.cases), digest);

    let broken = folder(&[("coerce/t.json", &file(&[but(CASE, &[(r#""int""#, r#""innt""#)])]))]);
    let error = corpus.with_directory(broken.path()).unwrap_err();
    let path = broken.path().display().to_string();
    insta::assert_snapshot!(error.to_string().replace(&path, "cases"));
}

/// `UPDATE=1 cargo test` writes it anew.
#[test]
fn the_schema_for_editors_is_current() {
    let schema = case::json_schema(&Corpus::embedded().unwrap());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cases/case.schema.json");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &schema).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == schema,
        "cases/case.schema.json is not current; run UPDATE=1 cargo test --test lint"
    );
}

#[test]
fn the_policies_of_the_corpus_hold_together() {
    let corpus = Corpus::embedded().unwrap();
    for policy in &corpus.policies {
        let profiles = &policy.profiles;
        for chosen in [&profiles.recommended, &profiles.seed, &profiles.lenient] {
            let known = policy.options.iter().any(|option| option.id == *chosen);
            assert!(known, "{} has no option {chosen}", policy.id);
        }
    }
    let policies = corpus.policies.iter().map(|policy| &policy.id);
    let clauses = corpus.clauses.iter().map(|clause| &clause.id);
    for (mut ids, count) in [
        (policies.collect::<Vec<_>>(), corpus.policies.len()),
        (clauses.collect(), corpus.clauses.len()),
    ] {
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count, "an id stands twice");
    }
}
