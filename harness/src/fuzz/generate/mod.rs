//! Making problems: schemas as SDKs and people write them, arguments that are valid by them, and damage as models do it.

mod arguments;
mod damage;
mod large;
mod names;
mod odd;
mod reference;
mod schema;

use arbitrary::Unstructured;
use callfit_reference::json::{Object, Value};

use self::schema::Style;
use super::problem::Problem;
use super::tree;
use crate::implementation::Method;

/// Makes a problem of bytes. Any bytes will do; none make the simplest.
pub fn problem(bytes: &[u8]) -> Problem {
    problem_for(bytes, Method::Coerce)
}

/// The same, more often of what a method is about. The problem is one of coercing; [`resolving`] and [`sanitizing`] make another of it.
pub(super) fn problem_for(bytes: &[u8], method: Method) -> Problem {
    let mut data = Unstructured::new(bytes);
    let mut dice = Dice(&mut data);
    let size = dice.below(256);
    let (schema, subject) = match size {
        254 => large::deep(&mut dice),
        255 => large::wide(&mut dice),
        _ => {
            let style = match method {
                Method::Sanitize if size >= 96 => Style::NAMES,
                Method::Resolve if size >= 128 => Style::REFERENCES,
                _ => schema::style(&mut dice),
            };
            let schema = schema::root(&mut dice, style);
            let mut arguments = arguments::valid(&mut dice, &schema);
            if method == Method::Coerce && dice.chance(6) {
                arguments = arguments::provided(&schema, arguments);
            }
            // Those that are to survive new names must be right.
            let is_right = method == Method::Sanitize;
            let sent = if is_right { arguments } else { damage::some(&mut dice, arguments) };
            (schema, sent)
        }
    };
    Problem { method: Method::Coerce, schema, subject }
}

/// The question of what a reference in the problem's schema leads to; the problem itself, if it has none.
pub(super) fn resolving(problem: Problem, which: u32) -> Problem {
    let nodes: Vec<Value> = tree::paths(&problem.schema)
        .iter()
        .filter_map(|path| tree::at(&problem.schema, path))
        .filter(|node| node.get("$ref").is_some())
        .cloned()
        .collect();
    match nodes.get(which as usize % nodes.len().max(1)) {
        Some(node) => {
            Problem { method: Method::Resolve, schema: problem.schema, subject: node.clone() }
        }
        None => problem,
    }
}

/// The question of what a provider is shown. The arguments are valid.
pub(super) fn sanitizing(problem: Problem) -> Problem {
    Problem { method: Method::Sanitize, ..problem }
}

/// The same schema with other arguments, or damage done to both.
pub(super) fn mutated(problem: &Problem, bytes: &[u8]) -> Problem {
    let mut data = Unstructured::new(bytes);
    let mut dice = Dice(&mut data);
    let mut mutated = problem.clone();
    match dice.below(4) {
        0 => mutated.subject = damage::some(&mut dice, problem.subject.clone()),
        1 => {
            let arguments = arguments::valid(&mut dice, &problem.schema);
            mutated.subject = damage::some(&mut dice, arguments);
        }
        2 => mutated.schema = schema::changed(&mut dice, &problem.schema),
        _ => {
            mutated.schema = schema::changed(&mut dice, &problem.schema);
            let arguments = arguments::valid(&mut dice, &mutated.schema);
            mutated.subject = damage::some(&mut dice, arguments);
        }
    }
    mutated
}

/// Choices drawn from the bytes; once they are used up, each is the first.
struct Dice<'d, 'b>(&'d mut Unstructured<'b>);

impl Dice<'_, '_> {
    /// A number from 0 to `count - 1`.
    fn below(&mut self, count: usize) -> usize {
        self.0.int_in_range(0..=count.saturating_sub(1)).unwrap_or_default()
    }

    /// True so many times of sixteen.
    fn chance(&mut self, of_sixteen: usize) -> bool {
        self.below(16) >= 16 - of_sixteen
    }

    fn pick<'t, T: ?Sized>(&mut self, options: &[&'t T]) -> &'t T {
        options[self.below(options.len())]
    }
}

/// An object of these members.
fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    let mut object = Object::new();
    for (key, value) in members {
        object.insert(key.to_owned(), value);
    }
    Value::Object(object)
}
