//! Making a finding small: one step at a time, the large ones first, until no single step keeps it.

use std::collections::{HashSet, VecDeque};

use callfit_reference::json::{Number, Object, Value, parse};
use callfit_reference::{Policies, resolve};

use super::pointer::{Spelling, spelled};
use super::problem::Problem;
use super::tree::{self, Path, Step};

/// Smaller problems that may show the same, one after the other. The same answers give the same steps.
pub struct Shrinker {
    best: Problem,
    size: usize,
    ahead: VecDeque<Problem>,
    /// How many steps of the smallest problem were looked at.
    looked_at: usize,
    tried: HashSet<String>,
}

impl Shrinker {
    /// Starts at a problem that shows the finding.
    pub fn new(problem: Problem) -> Self {
        Self {
            size: problem.size(),
            ahead: candidates(&problem).into(),
            best: problem,
            looked_at: 0,
            tried: HashSet::new(),
        }
    }

    /// The smallest problem so far.
    pub fn best(&self) -> &Problem {
        &self.best
    }

    /// How many problems were tried.
    pub fn tried(&self) -> usize {
        self.tried.len()
    }

    /// What is to be tried next; nothing, once no step is left.
    pub fn next_candidate(&mut self) -> Option<Problem> {
        while let Some(problem) = self.ahead.pop_front() {
            self.looked_at += 1;
            if problem.size() < self.size && self.tried.insert(problem.to_string()) {
                return Some(problem);
            }
        }
        None
    }

    /// The last candidate shows the finding too.
    ///
    /// The next steps are those after the one that was taken; those before it, which failed a moment ago, come last.
    pub fn accept(&mut self, problem: Problem) {
        self.size = problem.size();
        self.ahead = candidates(&problem).into();
        let taken = self.looked_at.saturating_sub(1).min(self.ahead.len());
        self.ahead.rotate_left(taken);
        self.looked_at = 0;
        self.best = problem;
    }
}

/// Every problem that is one step smaller.
fn candidates(problem: &Problem) -> Vec<Problem> {
    let mut found = vec![plainer(problem)];
    let with_schema = |schema: Value| Problem { schema, ..problem.clone() };
    let with_subject = |subject: Value| Problem { subject, ..problem.clone() };
    if tree::is_deep(&problem.schema) || tree::is_deep(&problem.subject) {
        found.extend(shallower(&problem.schema).map(with_schema));
        found.extend(shallower(&problem.subject).map(with_subject));
        return found;
    }
    found.extend(halves(&problem.schema).map(with_schema));
    found.extend(halves(&problem.subject).map(with_subject));
    found.extend(removed(&problem.schema).map(with_schema));
    found.extend(removed(&problem.subject).map(with_subject));
    found.extend(together(problem));
    found.extend(hoisted(&problem.schema).map(with_schema));
    found.extend(hoisted(&problem.subject).map(with_subject));
    found.extend(inlined(&problem.schema).map(with_schema));
    found.extend(simpler_scalars(&problem.subject).map(with_subject));
    found.extend(simpler_scalars(&problem.schema).map(with_schema));
    found.extend(definitions_at_root(problem));
    found.extend(shorter_names(problem));
    found.extend(plain_references(&problem.schema).map(with_schema));
    found
}

/// Everything that makes it shorter and nothing else, at once: plain references, definitions in the root, names of one letter.
fn plainer(problem: &Problem) -> Problem {
    let mut plainer = problem.clone();
    loop {
        let next = plain_references(&plainer.schema).find(|schema| *schema != plainer.schema);
        match next {
            Some(schema) => plainer.schema = schema,
            None => break,
        }
    }
    plainer = definitions_at_root(&plainer).pop().unwrap_or(plainer);
    // Each turn shortens one more; there are no more letters than that.
    for _ in 0..26 {
        match shorter_names(&plainer).into_iter().next() {
            Some(shorter) => plainer = shorter,
            None => break,
        }
    }
    plainer
}

/// What is deep, with a half of its levels cut out of the middle, a quarter, and so on down to one.
fn shallower(value: &Value) -> impl Iterator<Item = Value> + '_ {
    let way = deepest(value);
    let counts = std::iter::successors(Some(way.len() / 2), |levels| Some(levels / 2));
    counts.take_while(|levels| *levels > 0).filter_map(move |levels| {
        let from = (way.len() - levels) / 2;
        let inner = tree::at(value, &way[..from + levels])?;
        Some(tree::replaced(value, &way[..from], inner.clone()))
    })
}

/// The way to a place that none is deeper than.
fn deepest(value: &Value) -> Path {
    // Every place with the one that it stands in, the outer before the inner: the last is the deepest.
    let mut places: Vec<(usize, Option<Step>, &Value)> = vec![(0, None, value)];
    let mut next = 0;
    while let Some((_, _, value)) = places.get(next) {
        match *value {
            Value::Array(elements) => {
                let steps = elements.iter().enumerate();
                places.extend(steps.map(|(at, inner)| (next, Some(Step::Index(at)), inner)));
            }
            Value::Object(members) => {
                let steps = members.iter();
                places
                    .extend(steps.map(|(key, inner)| (next, Some(Step::Key(key.clone())), inner)));
            }
            _ => {}
        }
        next += 1;
    }
    let mut way = Path::new();
    let mut at = places.len() - 1;
    while let (above, Some(step), _) = &places[at] {
        way.push(step.clone());
        at = *above;
    }
    way.reverse();
    way
}

/// Every container of four and more without its first or its second half.
fn halves(value: &Value) -> impl Iterator<Item = Value> + '_ {
    tree::paths(value).into_iter().flat_map(move |path| {
        let parts: Vec<Value> = match tree::at(value, &path) {
            Some(Value::Array(elements)) if elements.len() >= 4 => {
                let (first, second) = elements.split_at(elements.len() / 2);
                vec![second.to_vec().into(), first.to_vec().into()]
            }
            Some(Value::Object(members)) if members.len() >= 4 => {
                let half = members.len() / 2;
                let some = |members: Vec<(&String, &Value)>| {
                    let mut kept = Object::new();
                    kept.extend(
                        members.into_iter().map(|(key, value)| (key.clone(), value.clone())),
                    );
                    Value::Object(kept)
                };
                vec![
                    some(members.iter().skip(half).collect()),
                    some(members.iter().take(half).collect()),
                ]
            }
            _ => Vec::new(),
        };
        parts.into_iter().map(move |part| tree::replaced(value, &path, part)).collect::<Vec<_>>()
    })
}

fn removed(value: &Value) -> impl Iterator<Item = Value> + '_ {
    tree::paths(value).into_iter().skip(1).map(move |path| tree::without(value, &path))
}

/// A property out of the schema and out of the arguments.
fn together(problem: &Problem) -> Vec<Problem> {
    let Some(members) = problem.subject.as_object() else { return Vec::new() };
    let steps = |name: &str| vec![Step::Key("properties".to_owned()), Step::Key(name.to_owned())];
    members
        .keys()
        .map(|name| Problem {
            schema: tree::without(&problem.schema, &steps(name)),
            subject: tree::without(&problem.subject, &[Step::Key(name.clone())]),
            ..problem.clone()
        })
        .collect()
}

/// Every container replaced by something that stands in it.
fn hoisted(value: &Value) -> impl Iterator<Item = Value> + '_ {
    tree::paths(value).into_iter().flat_map(move |path| {
        let inner: Vec<&Value> = match tree::at(value, &path) {
            Some(Value::Array(elements)) => elements.iter().collect(),
            Some(Value::Object(members)) => members.values().collect(),
            _ => Vec::new(),
        };
        let deeper = inner.iter().flat_map(|inner| match inner {
            Value::Array(elements) => elements.iter().collect::<Vec<_>>(),
            Value::Object(members) => members.values().collect(),
            _ => Vec::new(),
        });
        let is_container = |value: &&Value| matches!(value, Value::Object(_) | Value::Array(_));
        let all: Vec<Value> =
            inner.iter().copied().chain(deeper).filter(is_container).cloned().collect();
        all.into_iter().map(move |inner| tree::replaced(value, &path, inner)).collect::<Vec<_>>()
    })
}

/// Every reference replaced by what it leads to.
fn inlined(schema: &Value) -> impl Iterator<Item = Value> + '_ {
    tree::paths(schema).into_iter().filter_map(move |path| {
        let node = tree::at(schema, &path)?;
        node.get("$ref")?;
        let target = resolve(schema, node, &Policies::default());
        Some(tree::replaced(schema, &path, target))
    })
}

fn simpler_scalars(value: &Value) -> impl Iterator<Item = Value> + '_ {
    tree::paths(value).into_iter().flat_map(move |path| {
        let simpler: Vec<Value> = match tree::at(value, &path) {
            Some(Value::String(text)) if !is_reference(&path) => {
                let inner = parse(text).ok().into_iter().flat_map(|denoted| {
                    let halves: Vec<Value> = halves(&denoted).collect();
                    let removed: Vec<Value> = removed(&denoted).collect();
                    let hoisted: Vec<Value> = hoisted(&denoted).collect();
                    halves.into_iter().chain(removed).chain(hoisted)
                });
                let inner = inner.map(|value| Value::from(value.to_string()));
                let half =
                    text.char_indices().nth(text.chars().count() / 2).map_or(0, |(at, _)| at);
                let parts = ["", "5", &text[..half], &text[half..]].map(Value::from);
                inner.chain(parts).collect()
            }
            Some(Value::Number(number)) => {
                ["0", "1", "5", &number.as_str()[..number.as_str().len() / 2]]
                    .into_iter()
                    .filter_map(|text| Number::new(text).map(Value::Number))
                    .collect()
            }
            _ => Vec::new(),
        };
        simpler
            .into_iter()
            .map(move |scalar| tree::replaced(value, &path, scalar))
            .collect::<Vec<_>>()
    })
}

fn is_reference(path: &Path) -> bool {
    path.last() == Some(&Step::Key("$ref".to_owned()))
}

/// Definitions that stand in the root itself, so that pointers to them are short.
fn definitions_at_root(problem: &Problem) -> Vec<Problem> {
    let Some(root) = problem.schema.as_object() else { return Vec::new() };
    let mut found = Vec::new();
    for holder in ["$defs", "definitions", "components", "schemas"] {
        let Some(definitions) = root.get(holder).and_then(Value::as_object) else { continue };
        if definitions.keys().any(|name| root.contains_key(name)) {
            continue;
        }
        let mut root = root.clone();
        root.shift_remove(holder);
        root.extend(definitions.iter().map(|(name, value)| (name.clone(), value.clone())));
        let from = spelled(&[holder.to_owned(), String::new()], Spelling::Plain);
        let text = Value::Object(root).to_string().replace(&format!("\"{from}"), "\"#/");
        found.extend(parse(&text).ok().map(|schema| Problem { schema, ..problem.clone() }));
    }
    found
}

/// Names that schema and arguments share, each shortened to a letter everywhere at once.
fn shorter_names(problem: &Problem) -> Vec<Problem> {
    let schema = problem.schema.to_string();
    let mut names: Vec<String> = Vec::new();
    for path in tree::paths(&problem.schema) {
        let Some((Step::Key(name), above)) = path.split_last() else { continue };
        let holds_names = match above.last() {
            Some(Step::Key(holder)) => {
                ["properties", "$defs", "definitions"].contains(&holder.as_str())
            }
            // Definitions that were put into the root.
            None => true,
            _ => false,
        };
        // The text of a name that is a keyword too is not its own.
        if holds_names && name.len() > 1 && !is_keyword(name) && !names.contains(name) {
            names.push(name.clone());
        }
    }
    let letter =
        ('a'..='z').map(String::from).find(|letter| !schema.contains(&format!("\"{letter}\"")));
    let Some(letter) = letter else { return Vec::new() };
    let renamed = |text: String, name: &str| {
        let quoted = Value::from(name).to_string();
        let token = spelled(&[name.to_owned()], Spelling::Plain).split_off(1);
        let new = format!("/{letter}");
        text.replace(&quoted, &format!("\"{letter}\""))
            .replace(&format!("{token}/"), &format!("{new}/"))
            .replace(&format!("{token}\""), &format!("{new}\""))
    };
    let rename = |name: &String| {
        Some(Problem {
            schema: parse(&renamed(schema.clone(), name)).ok()?,
            subject: parse(&renamed(problem.subject.to_string(), name)).ok()?,
            ..problem.clone()
        })
    };
    names.iter().filter_map(rename).collect()
}

fn is_keyword(name: &str) -> bool {
    let more =
        ["type", "required", "properties", "title", "description", "default", "enum", "const"];
    more.contains(&name)
        || name.starts_with('$')
        || ["anyOf", "oneOf", "allOf", "items", "definitions", "components", "schemas"]
            .contains(&name)
}

/// Every reference in its plain spelling.
fn plain_references(schema: &Value) -> impl Iterator<Item = Value> + '_ {
    use callfit_reference::pointer::{Reference, read_reference};
    tree::paths(schema).into_iter().filter(is_reference).filter_map(move |path| {
        let reference = tree::at(schema, &path)?.as_str()?;
        let Reference::Pointer(tokens) = read_reference(reference, false) else { return None };
        Some(tree::replaced(schema, &path, spelled(&tokens, Spelling::Plain).into()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &str) -> Problem {
        Problem::read(text).unwrap()
    }

    #[test]
    fn what_is_only_shorter_is_one_step() {
        let long = problem(
            r##"{"schema":{"properties":{"count":{"$ref":"#/%24defs/Count"},"items":{"items":{"$ref":"#/$defs/Count"}}},"$defs":{"Count":{"type":"integer"}}},"arguments":{"count":"5"}}"##,
        );
        let short = problem(
            r##"{"schema":{"properties":{"b":{"$ref":"#/a"},"items":{"items":{"$ref":"#/a"}}},"a":{"type":"integer"}},"arguments":{"b":"5"}}"##,
        );
        assert_eq!(plainer(&long), short);
    }

    /// A fault that shows wherever a reference leads to an integer is made as small as that.
    #[test]
    fn what_does_not_matter_goes() {
        let start = problem(
            r##"{"schema":{"type":"object","properties":{"n":{"anyOf":[{"$ref":"#/$defs/A"},{"type":"null"}]},"z":{"type":"string"}},"required":["n"],"$defs":{"A":{"type":"integer","title":"A"},"B":{}}},"arguments":{"n":"5","z":"02134","more":[1,2,3]}}"##,
        );
        let shows = |problem: &Problem| {
            let text = problem.to_string();
            text.contains("\"$ref\"") && text.contains("integer") && text.contains("\"5\"")
        };
        let mut shrinker = Shrinker::new(start);
        while let Some(candidate) = shrinker.next_candidate() {
            if shows(&candidate) {
                shrinker.accept(candidate);
            }
        }
        assert!(shrinker.best().size() < 80, "{}", shrinker.best());
    }

    /// What takes so many levels to show is not tried place by place, and comes down to about as many.
    #[test]
    fn what_is_deep_becomes_shallower() {
        let lists = (0..1_000).fold(Value::from("5"), |inner, _| vec![inner].into());
        let start = Problem { subject: lists, ..problem(r#"{"schema":{"type":"array"}}"#) };
        let mut shrinker = Shrinker::new(start);
        while let Some(candidate) = shrinker.next_candidate() {
            if deepest(&candidate.subject).len() >= 100 {
                shrinker.accept(candidate);
            }
        }
        assert_eq!(deepest(&shrinker.best().subject).len(), 100);
        assert!(shrinker.tried() < 200, "{}", shrinker.tried());
    }
}
