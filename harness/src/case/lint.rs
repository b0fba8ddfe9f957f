//! `callfit lint`: everything that a reviewer would send a case file back for.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use callfit_reference::json::Value;

use super::check::{Finding, value_of};
use super::corpus::{self, Case, Corpus, CorpusError, Expect};
use super::create;
use super::expected;
use super::format::format;
use super::model::Area;
use super::place::Outline;
use super::problem::{Problem, SourceFile};
use super::read::{Batch, Data};
use super::structure;
use super::text::Text;

/// The most characters of a description.
const DESCRIPTION_LIMIT: usize = 300;

/// Everything wrong in a folder of cases, in the order of files and lines. Its cases may cite what they bring along, if there is a `corpus.json`, else what the
/// built-in corpus has, and may name its cases as twins.
pub fn lint(directory: &Path) -> Result<Vec<Problem>, CorpusError> {
    let files = corpus::read_directory(directory)?;
    let mut problems = Vec::new();
    let stands_alone = corpus::stands_alone(&files);
    let (data, others) = if stands_alone {
        (Data::read(&files, &mut problems), Vec::new())
    } else {
        let Corpus { version, cases, clauses, policies } = Corpus::embedded()?;
        let data = Data { version, clauses, policies };
        (data, cases)
    };
    if !problems.is_empty() {
        // Every clause would be unknown.
        return Ok(problems);
    }
    let mut batch = Batch::read(files, &data.clauses, &data.policies);
    problems.append(&mut batch.problems);

    for file in &batch.files {
        problems.extend(file_problems(file));
    }
    let here = batch.cases.iter().map(|placed| &placed.case);
    let all = others.iter().chain(here);
    let known: HashMap<&str, &Case> = all.map(|case| (case.id.as_str(), case)).collect();
    for placed in &batch.cases {
        let case = &placed.case;
        for finding in expected::findings(case).into_iter().chain(recipe_findings(case)) {
            problems.push(placed.problem(&batch.files, finding));
        }
        problems.extend(placed.twin_problem(&batch.files, |id| known.get(id).copied()));
    }
    problems.extend(duplicates(&batch, &others));
    Ok(in_order(problems))
}

/// Everything wrong in the text of one case file, by itself: `path` is its path inside a corpus, as in `coerce/integer.json`. It may cite what `corpus` has.
pub fn lint_text(corpus: &Corpus, path: &str, text: &str) -> Vec<Problem> {
    let file =
        SourceFile { path: path.to_owned(), shown: path.to_owned(), text: text.to_owned().into() };
    let mut batch = Batch::read(vec![file], &corpus.clauses, &corpus.policies);
    let mut problems = std::mem::take(&mut batch.problems);
    problems.extend(batch.files.iter().flat_map(file_problems));
    for placed in &batch.cases {
        let case = &placed.case;
        let findings = expected::findings(case).into_iter().chain(recipe_findings(case));
        problems.extend(findings.map(|finding| placed.problem(&batch.files, finding)));
    }
    problems.extend(duplicates(&batch, &[]));
    in_order(problems)
}

fn in_order(mut problems: Vec<Problem>) -> Vec<Problem> {
    problems.sort_by(|a, b| {
        let key = |problem: &Problem| (problem.line, problem.column, problem.rule);
        a.file
            .cmp(&b.file)
            .then_with(|| key(a).cmp(&key(b)))
            .then_with(|| a.message.cmp(&b.message))
    });
    // A repeated key of a case is found by two checks.
    problems.dedup_by(|a, b| a.to_string() == b.to_string());
    problems
}

/// Puts every JSON file of a folder of cases into the one layout, and answers which were not in it. A file that is no JSON stays as it is.
pub fn fix(directory: &Path) -> Result<Vec<PathBuf>, CorpusError> {
    let mut fixed = Vec::new();
    for file in corpus::read_directory(directory)? {
        if let Ok(formatted) = format(&file.text)
            && *formatted != *file.text
        {
            let path = directory.join(&file.path);
            fs::write(&path, formatted)
                .map_err(|source| CorpusError::Unwritable { path: path.clone(), source })?;
            fixed.push(path);
        }
    }
    Ok(fixed)
}

fn file_problems(file: &SourceFile) -> Vec<Problem> {
    let Ok(outline) = Outline::new(&file.text) else {
        // Said already, where the file was read.
        return Vec::new();
    };
    let mut problems = structure::repeated_keys(file, &outline);
    if file.path.contains('/') {
        problems.extend(word_problems(file, &outline));
    }
    if let Ok(formatted) = format(&file.text)
        && *formatted != *file.text
    {
        let start = first_difference(&formatted, &file.text);
        problems.push(file.problem(
            "unformatted",
            start..start + 1,
            "the layout is not the corpus's from here on",
            "`callfit lint --fix` rewrites the file",
        ));
    }
    problems
}

/// Where the first line starts that is not alike in both.
fn first_difference(formatted: &str, text: &str) -> usize {
    let lines = formatted.split_inclusive('\n').zip(text.split_inclusive('\n'));
    lines.take_while(|(wanted, found)| wanted == found).map(|(line, _)| line.len()).sum()
}

/// What is wrong with the words of a file and of its cases, broken or not.
fn word_problems(file: &SourceFile, outline: &Outline) -> Vec<Problem> {
    let Ok(value) = value_of(&file.text) else {
        return Vec::new();
    };
    let mut problems = Vec::new();
    let mut check = |pointer: &str, text: Option<&Value>, problem: fn(&str) -> Option<Mistake>| {
        let mistake = text.and_then(Value::as_str).and_then(problem);
        problems.extend(mistake.map(|Mistake(rule, message, help)| {
            file.problem(rule, outline.value(pointer), message, help)
        }));
    };
    check("/about", value.get("about"), about_mistake);
    let cases = value.get("cases").and_then(Value::as_array);
    for (turn, case) in cases.into_iter().flat_map(|cases| cases.iter()).enumerate() {
        let pointer = format!("/cases/{turn}/description");
        check(&pointer, case.get("description"), description_mistake);
        let sources = case.get("source").and_then(Value::as_array);
        for (number, source) in sources.into_iter().flat_map(|list| list.iter()).enumerate() {
            let pointer = format!("/cases/{turn}/source/{number}");
            check(&pointer, Some(source), source_mistake);
        }
    }
    problems
}

/// The rule, what is wrong, and the mend.
struct Mistake(&'static str, String, &'static str);

fn about_mistake(about: &str) -> Option<Mistake> {
    (about.trim().is_empty() || about == create::ABOUT).then(|| {
        Mistake(
            "description",
            "what the file is about is still to be written".to_owned(),
            "say what the topic is and what is not in it, in a sentence or two",
        )
    })
}

fn description_mistake(description: &str) -> Option<Mistake> {
    let length = description.chars().count();
    let message = if description.trim().is_empty() || description == create::DESCRIPTION {
        "the description is still to be written".to_owned()
    } else if length > DESCRIPTION_LIMIT {
        format!("the description has {length} characters; {DESCRIPTION_LIMIT} are the most")
    } else {
        return None;
    };
    Some(Mistake(
        "description",
        message,
        "say what goes wrong for a user when this fails, in a sentence or two",
    ))
}

fn source_mistake(source: &str) -> Option<Mistake> {
    (!is_source(source)).then(|| {
        Mistake(
            "source",
            format!("`{source}` is no public report"),
            "write owner/repo#123, seed row N, or what `callfit promote` wrote: fuzz NAME VERSION seed N trial N",
        )
    })
}

/// Recipes that make no JSON.
fn recipe_findings(case: &Case) -> Vec<Finding> {
    let subject = match case.area {
        Area::Resolve => "node",
        _ if case.round_trip => "original",
        _ => "arguments",
    };
    let answer = match &case.expect {
        Expect::Values(answers) if !case.round_trip => answers.first(),
        _ => None,
    };
    let texts =
        [("schema", Some(&case.schema)), (subject, case.subject.as_ref()), ("expect", answer)];
    let mut findings = Vec::new();
    for (name, text) in texts {
        let Some(text) = text.filter(|text| text.is_recipe()) else {
            continue;
        };
        let text = text.text();
        if let Err(error) = value_of(text) {
            let start = (error.offset.saturating_sub(30)..=error.offset)
                .find(|at| text.is_char_boundary(*at))
                .unwrap_or(error.offset);
            findings.push(Finding::key(
                "recipe",
                format!("/recipe/{name}"),
                format!("the text made here is no JSON: {error}"),
                format!("before that stands: {}", &text[start..error.offset]),
            ));
        }
    }
    findings
}

/// Whether this is `owner/repo#123`, `seed row N`, or what `callfit promote` writes.
fn is_source(source: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if let Some(row) = source.strip_prefix("seed row ") {
        return is_number(row);
    }
    if let Some((_, trial)) =
        source.strip_prefix("fuzz ").and_then(|run| run.rsplit_once(" trial "))
    {
        return is_number(trial);
    }
    let is_name = |text: &str| {
        !text.is_empty()
            && text.chars().all(|char| char.is_ascii_alphanumeric() || "-_.".contains(char))
    };
    source.split_once('#').is_some_and(|(repository, number)| {
        let names = repository.split_once('/');
        is_number(number) && names.is_some_and(|(owner, name)| is_name(owner) && is_name(name))
    })
}

/// Cases that send what another one sends: the same schema and the same beside it, blanks and escapes apart.
fn duplicates(batch: &Batch, others: &[Case]) -> Vec<Problem> {
    let ids: Vec<&str> = batch.cases.iter().map(|placed| placed.case.id.as_str()).collect();
    let replaced = |case: &&Case| ids.contains(&case.id.as_str());
    let mut first: HashMap<Vec<String>, &str> = HashMap::new();
    for case in others.iter().filter(|case| !replaced(case)) {
        first.insert(request(case), &case.id);
    }
    let mut problems = Vec::new();
    for placed in &batch.cases {
        let request = request(&placed.case);
        match first.get(&request) {
            Some(id) if *id != placed.case.id => problems.push(placed.problem(
                &batch.files,
                Finding::value(
                    "duplicate",
                    "/id",
                    format!("the case {id} sends the same"),
                    "keep one of the two, or let this one make a point of its own",
                ),
            )),
            _ => {
                first.insert(request, &placed.case.id);
            }
        }
    }
    problems
}

/// What a case sends, as far as a reader of JSON can tell; a recipe stands for itself.
fn request(case: &Case) -> Vec<String> {
    let texts = [Some(&case.schema), case.subject.as_ref()];
    let texts = texts.into_iter().flatten().map(|text| match text {
        Text::Plain(text) => {
            value_of(text).map_or_else(|_| text.clone(), |value| value.to_string())
        }
        Text::Recipe(built) => format!("{:?}", built.pieces),
    });
    [format!("{} {}", case.area.name(), case.round_trip)].into_iter().chain(texts).collect()
}
