//! The data of the page: each case once, and beside it what each implementation made of it, answers that are the same told once.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use crate::case::{Area, Clause, Corpus, Level, Policy};
use crate::report::escape;
use crate::report::json::{Case, Report};
use crate::run::Verdict;

use super::alike::{check, come_to_the_same, same_case};
use super::tables::{TextId, Texts, line};
use super::{MatrixError, Source};

/// Stands for the id of the case in a command that runs it again.
const CASE: &str = "{case}";

/// Everything that the page shows.
#[derive(Debug, Serialize)]
pub(super) struct Data<'a> {
    made_by: &'static str,
    repository: &'static str,
    corpus: &'a str,
    clauses: &'a [Clause],
    policies: &'a [Policy],
    implementations: Vec<Implementation<'a>>,
    cases: Vec<Row<'a>>,
    texts: Texts,
}

/// A column.
#[derive(Debug, Serialize)]
struct Implementation<'a> {
    name: String,
    version: Option<String>,
    language: Option<String>,
    homepage: Option<String>,
    methods: Vec<String>,
    features: Vec<String>,
    started: &'a str,
    duration_ms: u64,
    callfit: &'a str,
    cut_short: Option<String>,
    warnings: Vec<String>,
    /// The command that runs a case again.
    rerun: String,
    /// The cases that are run again by another command, by their places.
    reruns: BTreeMap<usize, String>,
}

/// A case, with what became of it.
#[derive(Debug, Serialize)]
struct Row<'a> {
    id: &'a str,
    description: String,
    clause: &'a str,
    level: Level,
    #[serde(skip_serializing_if = "Option::is_none")]
    policy: Option<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    source: &'a [String],
    sent: BTreeMap<&'a str, TextId>,
    expected: Vec<(Option<&'a str>, TextId)>,
    outcomes: Vec<Outcome<'a>>,
    /// Each implementation's outcome; none where the case was not run.
    by: Vec<Option<usize>>,
}

/// What an implementation made of a case.
#[derive(Debug, PartialEq, Serialize)]
struct Outcome<'a> {
    verdict: Verdict,
    #[serde(skip_serializing_if = "Option::is_none")]
    option: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<TextId>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    differences: Vec<[TextId; 3]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    laws: Vec<(&'a str, TextId)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<TextId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stderr: Option<TextId>,
    /// Why the expectation file says that it goes wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    known: Option<TextId>,
    /// What was sent to this one, where that depends on what it answered before.
    #[serde(skip_serializing_if = "Option::is_none")]
    sent: Option<BTreeMap<&'a str, TextId>>,
    /// An earlier outcome that comes to the same: the same answer by value, whatever was said beside it.
    #[serde(skip_serializing_if = "Option::is_none")]
    like: Option<usize>,
}

impl<'a> Data<'a> {
    pub fn of(sources: &'a [Source], corpus: &'a Corpus) -> Result<Self, MatrixError> {
        let mut sources: Vec<&Source> = sources.iter().collect();
        sources.sort_by_cached_key(|source| {
            let about = &source.report.implementation;
            (about.name.clone(), about.version.clone())
        });
        let first = *sources.first().ok_or(MatrixError::NoReport)?;
        check(&sources)?;
        let ids = order(&sources, corpus);
        let mut texts = Texts::default();
        let by_id: Vec<HashMap<&str, &Case>> = sources
            .iter()
            .map(|source| source.report.cases.iter().map(|case| (&*case.id, case)).collect())
            .collect();
        let cases = ids.iter().map(|id| {
            let answers: Vec<_> = by_id.iter().map(|cases| cases.get(id).copied()).collect();
            Row::of(&sources, &answers, corpus, &mut texts)
        });
        let cases = cases.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
        let implementations =
            sources.iter().map(|source| Implementation::of(&source.report, &ids)).collect();
        Ok(Self {
            made_by: concat!("callfit ", env!("CARGO_PKG_VERSION")),
            repository: env!("CARGO_PKG_REPOSITORY"),
            corpus: &first.report.corpus.version,
            clauses: &corpus.clauses,
            policies: &corpus.policies,
            implementations,
            cases,
            texts,
        })
    }
}

impl<'a> Implementation<'a> {
    fn of(report: &'a Report, ids: &[&str]) -> Self {
        const MOST_OF_NAME: usize = 80;
        let about = &report.implementation;
        let commands: HashMap<&str, String> =
            report.cases.iter().map(|case| (&*case.id, rerun(case))).collect();
        let rerun = report.cases.first().map(rerun).unwrap_or_default();
        let others = ids.iter().enumerate().filter_map(|(place, id)| {
            let command = commands.get(id).filter(|command| **command != rerun)?;
            Some((place, command.clone()))
        });
        Self {
            name: escape::line(&about.name, MOST_OF_NAME),
            version: about.version.as_deref().map(|text| escape::line(text, MOST_OF_NAME)),
            language: about.language.as_deref().map(line),
            homepage: about.homepage.as_deref().map(line),
            methods: lines(&about.methods),
            features: lines(&about.features),
            started: &report.started,
            duration_ms: report.duration_ms,
            callfit: &report.harness.version,
            cut_short: report.cut_short.as_deref().map(line),
            warnings: lines(&report.warnings),
            reruns: others.collect(),
            rerun,
        }
    }
}

impl<'a> Row<'a> {
    /// The row of a case, given as each report tells it; none if none does.
    fn of(
        sources: &[&Source],
        answers: &[Option<&'a Case>],
        corpus: &'a Corpus,
        texts: &mut Texts,
    ) -> Result<Option<Self>, MatrixError> {
        let Some((told_by, case)) =
            answers.iter().enumerate().find_map(|(at, case)| Some((at, (*case)?)))
        else {
            return Ok(None);
        };
        let expected: Vec<_> = case
            .expected
            .iter()
            .map(|one| (one.option.as_deref(), texts.add_json(&one.value)))
            .collect();
        let mut row = Self {
            id: &case.id,
            description: line(&case.description),
            clause: &case.clause,
            level: case.level,
            policy: case.policy.as_deref(),
            source: corpus.case(&case.id).map(|case| &*case.source).unwrap_or_default(),
            sent: sent(case, texts),
            expected,
            outcomes: Vec::new(),
            by: Vec::new(),
        };
        for (at, answer) in answers.iter().enumerate() {
            let Some(answer) = *answer else {
                row.by.push(None);
                continue;
            };
            if !same_case(case, answer) {
                return Err(MatrixError::OtherCase {
                    case: case.id.clone(),
                    one: sources[told_by].path.clone(),
                    other: sources[at].path.clone(),
                });
            }
            let mut outcome = Outcome::of(answer, texts);
            outcome.sent = Some(sent(answer, texts)).filter(|sent| *sent != row.sent);
            let known = row.outcomes.iter().position(|one| *one == outcome);
            row.by.push(Some(known.unwrap_or_else(|| {
                row.outcomes.push(outcome);
                row.outcomes.len() - 1
            })));
        }
        row.find_likes(answers);
        Ok(Some(row))
    }

    /// Finds the outcomes that come to the same.
    fn find_likes(&mut self, answers: &[Option<&Case>]) {
        let first_with = |at: usize| self.by.iter().position(|outcome| *outcome == Some(at));
        let cases: Vec<&Case> =
            (0..self.outcomes.len()).filter_map(|at| answers[first_with(at)?]).collect();
        for at in 1..cases.len() {
            self.outcomes[at].like =
                (0..at).find(|before| come_to_the_same(cases[*before], cases[at]));
        }
    }
}

impl<'a> Outcome<'a> {
    fn of(case: &'a Case, texts: &mut Texts) -> Self {
        const MOST_LINES: usize = 12;
        const MOST_OF_LINE: usize = 300;
        // Differences beyond this many say nothing new.
        const MOST_DIFFERENCES: usize = 10;
        let stderr = if case.verdict.is_bad() { case.stderr.as_str() } else { "" };
        let stderr = escape::last_lines(stderr, MOST_LINES, MOST_OF_LINE).join("\n");
        let differences =
            case.differences.iter().take(MOST_DIFFERENCES).map(|one| {
                [&one.pointer, &one.expected, &one.actual].map(|text| texts.add_line(text))
            });
        Self {
            verdict: case.verdict,
            option: case.option.as_deref(),
            differences: differences.collect(),
            answer: case.actual.as_deref().map(|text| texts.add_json(text)),
            laws: case
                .laws
                .iter()
                .map(|breach| (&*breach.law, texts.add_line(&breach.message)))
                .collect(),
            message: case.message.as_deref().map(|text| texts.add_line(text)),
            stderr: Some(stderr).filter(|text| !text.is_empty()).map(|text| texts.add(text)),
            known: case.expected_failure.as_deref().map(|text| texts.add_line(text)),
            sent: None,
            like: None,
        }
    }
}

/// The ids of all cases: in the order of the corpus, and after them those it does not know.
fn order<'a>(sources: &[&'a Source], corpus: &Corpus) -> Vec<&'a str> {
    let places: HashMap<&str, usize> =
        corpus.cases.iter().enumerate().map(|(place, case)| (&*case.id, place)).collect();
    let area = |id: &str| Area::ALL.iter().position(|area| Some(*area) == Area::of_id(id));
    let mut ids: Vec<&str> = sources
        .iter()
        .flat_map(|source| source.report.cases.iter().map(|case| &*case.id))
        .collect();
    ids.sort_by_key(|id| {
        let place = places.get(id).copied();
        (area(id), place.is_none(), place, *id)
    });
    ids.dedup();
    ids
}

fn sent<'a>(case: &'a Case, texts: &mut Texts) -> BTreeMap<&'a str, TextId> {
    case.sent.iter().map(|(name, text)| (&**name, texts.add_json(text))).collect()
}

fn lines(texts: &[String]) -> Vec<String> {
    texts.iter().map(|text| line(text)).collect()
}

/// The command that runs the case again, for any case of the report. Where the program stands is the business of whoever ran it.
fn rerun(case: &Case) -> String {
    let command = match case.rerun.split_once(' ') {
        Some((program, rest)) if program.ends_with("callfit") => format!("callfit {rest}"),
        _ => case.rerun.clone(),
    };
    escape::line(&command, 4000).replace(&case.id, CASE)
}
