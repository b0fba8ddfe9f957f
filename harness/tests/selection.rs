//! Which cases `--filter`, `--exclude` and `--shard` choose, and what is said where they choose none.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;
use std::fs;

use callfit::case::{Corpus, Selection};

/// A corpus of two topics: five cases of `integer`, two of them with a policy, and two of `escape`.
fn corpus() -> Corpus {
    let folder = tempfile::TempDir::new().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let clause = |id: &str| {
        format!(r#"{{"id":"{id}","chapter":"c","title":"t","levels":["must","policy"]}}"#)
    };
    let clauses = [clause("int"), clause("int-forms"), clause("ref-escape")].join(",");
    let policy = |id: &str| {
        format!(
            r#"{{"id":"{id}","question":"q","field":"f",
                "options":[{{"id":"keep","meaning":"m"}},{{"id":"convert","meaning":"m"}}],
                "profiles":{{"recommended":"keep","seed":"keep","lenient":"keep"}}}}"#
        )
    };
    let policies = [policy("hex"), policy("plus-sign")].join(",");
    let plain = |id: &str, clause: &str, sent: &str| {
        format!(
            r#"{{"id":"{id}","description":"d","clause":"{clause}","level":"must","schema":{{}},
                {sent},"expect":{{}}}}"#
        )
    };
    let integer = |name: &str| plain(&format!("coerce/integer/{name}"), "int", r#""arguments":{}"#);
    let choice = |name: &str, policy: &str| {
        format!(
            r#"{{"id":"coerce/integer/{name}","description":"d","clause":"int-forms","level":"policy",
                "schema":{{}},"arguments":{{}},"policy":"{policy}","options":{{"keep":1,"convert":2}}}}"#
        )
    };
    let escape =
        |name: &str| plain(&format!("resolve/escape/{name}"), "ref-escape", r#""node":{}"#);
    let cases =
        |cases: &[String]| format!(r#"{{"$schema":"","about":"a","cases":[{}]}}"#, cases.join(","));
    write("corpus.json", r#"{"version":"t.1"}"#);
    write("clauses.json", &format!(r#"{{"about":"","clauses":[{clauses}]}}"#));
    write("policies.json", &format!(r#"{{"about":"","policies":[{policies}]}}"#));
    write(
        "coerce/integer.json",
        &cases(&[
            integer("plain"),
            integer("negative"),
            integer("zero"),
            choice("hex", "hex"),
            choice("plus", "plus-sign"),
        ]),
    );
    write("resolve/escape.json", &cases(&[escape("slash"), escape("tilde")]));
    Corpus::embedded().unwrap().with_directory(folder.path()).unwrap()
}

/// The names chosen, or what is said in their place.
fn chosen(filters: &[&str], excludes: &[&str], shard: Option<&str>) -> String {
    let corpus = corpus();
    let cases = Selection::new(filters, excludes, shard)
        .and_then(|selection| Ok(selection.select(&corpus)?.into_iter().cloned().collect()));
    let cases: Vec<callfit::case::Case> = match cases {
        Ok(cases) => cases,
        Err(error) => return error.to_string(),
    };
    let names = cases.iter().filter_map(|case| case.id.rsplit('/').next());
    names.collect::<Vec<_>>().join(" ")
}

#[test]
fn filters_add_up_and_exclusions_take_away() {
    for (filters, excludes, expected) in [
        (&[][..], &[][..], "plain negative zero hex plus slash tilde"),
        (&["coerce/integer/plain"], &[], "plain"),
        (&["coerce/*"], &[], "plain negative zero hex plus"),
        (&["*/p*"], &[], "plain plus"),
        (&["coerce/{integer,number}/?e*"], &[], "negative zero hex"),
        (&["clause:int"], &[], "plain negative zero"),
        (&["clause:int*", "resolve/*/tilde"], &["policy:plus*"], "plain negative zero hex tilde"),
        (&["policy:*"], &["coerce/integer/hex"], "plus"),
    ] {
        assert_eq!(chosen(filters, excludes, None), expected, "{filters:?} {excludes:?}");
    }
}

#[test]
fn shards_divide_evenly_and_leave_nothing_out() {
    let all: BTreeSet<String> = chosen(&[], &[], None).split(' ').map(str::to_owned).collect();
    for of in 1..=7 {
        let mut seen = BTreeSet::new();
        let mut sizes = BTreeSet::new();
        for number in 1..=of {
            let names = chosen(&[], &[], Some(&format!("{number}/{of}")));
            sizes.insert(names.split(' ').count());
            for name in names.split(' ') {
                assert!(seen.insert(name.to_owned()), "{name} is in one shard of {of}");
            }
        }
        assert_eq!(seen, all);
        assert!(sizes.len() <= 2 && sizes.last().unwrap() - sizes.first().unwrap() <= 1);
    }
    assert_eq!(chosen(&["coerce/*"], &[], Some("2/3")), "negative plus");
}

#[test]
fn choosing_nothing_is_told_with_the_mend() {
    let said = [
        chosen(&["coerce/*", "coerce/integer/plan"], &[], None),
        chosen(&["coerce/integer"], &[], None),
        chosen(&["clause:ref-escpae"], &[], None),
        chosen(&["policy:quantum"], &[], None),
        chosen(&[], &["coerce/integer/zeroes"], None),
        chosen(&["coerce/*"], &["clause:int", "policy:*"], None),
        chosen(&["coerce/[a"], &[], None),
        chosen(&["clause:int"], &[], Some("4/4")),
        chosen(&[], &[], Some("0/4")),
        chosen(&[], &[], Some("5/4")),
        chosen(&[], &[], Some("half")),
    ];
    insta::assert_snapshot!(said.join("\n"));
}
