//! The results in `reports/`: each is of an adapter as it is here, and the page and the table are made of them.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use callfit::adapter;
use callfit::case::Corpus;
use callfit::report::json;
use callfit::report::matrix::{Source, page, table};

type TestResult = Result<(), Box<dyn Error>>;

const MEND: &str = "install the adapters and run `reports/make DAY`";

#[test]
fn every_adapter_has_results_of_the_version_that_is_pinned() -> TestResult {
    let mut results: BTreeMap<String, json::Report> = BTreeMap::new();
    for Source { path, report } in results_here()? {
        results.insert(
            path.with_extension("").file_name().ok_or("a name")?.to_str().ok_or("text")?.to_owned(),
            report,
        );
    }
    for adapter in adapter::list()? {
        let name = &adapter.manifest.name;
        let report = results.remove(name).ok_or_else(|| format!("no results of {name}; {MEND}"))?;
        let version = report.implementation.version.as_deref();
        assert_eq!(version, Some(&adapter.manifest.version[..]), "{name}; {MEND}");
        let known = report.expectations.as_ref().map(|file| &file.text[..]);
        assert!(known == adapter.expectations(), "what {name} is known to get wrong; {MEND}");
        assert_eq!(report.cut_short, None, "{name}; {MEND}");
        assert!(report.summary.conformant, "{name} is not as its expectation file says; {MEND}");
    }
    assert!(results.is_empty(), "results of what is no adapter: {:?}", results.keys());
    Ok(())
}

#[test]
fn the_page_and_the_table_are_made_of_the_results() -> TestResult {
    let results = results_here()?;
    let corpus = Corpus::embedded()?;
    let made =
        [("site/index.html", page(&results, &corpus)?), ("field.md", table(&results, &corpus)?)];
    for (file, text) in made {
        let here = fs::read_to_string(repository().join("reports").join(file))?;
        assert!(here == text, "`callfit matrix` makes another reports/{file}; {MEND}");
    }
    Ok(())
}

/// What public reports tell of these, the suite sees too.
#[test]
fn known_faults_show() -> TestResult {
    let results = results_here()?;
    let text = fs::read_to_string(repository().join("reports/README.md"))?;
    let (_, rows) = text.split_once("| --- | --- | --- | --- |\n").ok_or("a table")?;
    let rows: Vec<Vec<&str>> = rows
        .lines()
        .take_while(|line| line.starts_with('|'))
        .map(|line| {
            line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect()
        })
        .collect();
    assert!(rows.len() > 10, "{} rows", rows.len());
    for row in rows {
        let [_, adapters, case, verdict] = row[..] else { return Err(format!("{row:?}").into()) };
        for name in adapters.split(", ") {
            let of = |source: &&Source| source.report.command == [name];
            let report = &results.iter().find(of).ok_or_else(|| format!("no {name}"))?.report;
            let found = report.cases.iter().find(|one| one.id == case);
            let found = found.ok_or_else(|| format!("{name}: no {case}"))?.verdict.name();
            assert_eq!(found, verdict, "{name}: {case}");
        }
    }
    Ok(())
}

/// The workflow names them one by one.
#[test]
fn each_is_run_weekly() -> TestResult {
    let text = fs::read_to_string(repository().join(".github/workflows/field.yml"))?;
    for adapter in adapter::list()? {
        let name = &adapter.manifest.name;
        assert!(text.contains(&format!("          - {name}\n")), "{name}");
    }
    Ok(())
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn results_here() -> Result<Vec<Source>, Box<dyn Error>> {
    let folder = fs::read_dir(repository().join("reports/results"))?;
    let paths =
        folder.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, std::io::Error>>()?;
    let read = |path: PathBuf| {
        let report = json::read(&fs::read_to_string(&path)?)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Source { path, report })
    };
    paths.into_iter().map(read).collect()
}
