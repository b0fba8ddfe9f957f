//! The reference with one fault: the forms that a fault can take.

use std::sync::Arc;

use callfit::Reference;
use callfit::implementation::{About, Coercer, CoercerError, Method};
use callfit_reference::json::{Value, parse};
use callfit_reference::{Coercer as Compiled, Names, Policies, Profile};

use super::walk::{each_place, each_schema, reference_of};

/// What a faulty step comes to.
pub type Outcome = Result<Value, CoercerError>;

/// Answers arguments by itself, with the right coercer at hand.
type Calling = dyn Fn(&Reference, &str, &str) -> Result<String, CoercerError> + Send + Sync;

/// Changes the answer at one place.
type Converting = dyn Fn(&Value, &Value, &mut Value) + Send + Sync;

/// One fault, at one point of the way from a request to its answer.
enum Fault {
    /// What is read in place of a `$ref`, if something else. Given the root.
    Spelling(fn(&Value, &str) -> Option<String>),
    /// A schema is changed before anything in it is followed. Given the root, and the root again or a node.
    Following(fn(&Value, &mut Value)),
    /// A root is changed before arguments are coerced by it.
    Reading(fn(&mut Value)),
    /// What a node leads to is changed. Given the root and the answer.
    Resolving(fn(&Value, &mut Value)),
    /// Arguments are answered otherwise. Given the root, what was sent, and the right answer.
    Answering(fn(&Value, &Value, Value) -> Outcome),
    /// A value is converted otherwise. Given the schema of its place, what was sent there, and the right answer.
    Converting(Box<Converting>),
    /// A call is answered otherwise. Given the right coercer, and the texts of root and arguments.
    Calling(Box<Calling>),
    /// Only some names are restored. Given the path of a `properties` map.
    Restoring(fn(&[&str]) -> bool),
    /// A schema is sanitized otherwise. Given the schema.
    Sanitizing(fn(&Value) -> Value),
    /// What cannot be read is no error but a panic.
    Unwrapping,
}

/// A mutant that reads references otherwise.
pub fn spelling(change: fn(&Value, &str) -> Option<String>) -> Arc<dyn Coercer> {
    Faulty::with(Fault::Spelling(change))
}

/// A mutant that follows references in another schema than it was given.
pub fn following(change: fn(&Value, &mut Value)) -> Arc<dyn Coercer> {
    Faulty::with(Fault::Following(change))
}

/// A mutant that coerces by another schema than it was given.
pub fn reading(change: fn(&mut Value)) -> Arc<dyn Coercer> {
    Faulty::with(Fault::Reading(change))
}

/// A mutant that says of a node that it leads to something else.
pub fn resolving(change: fn(&Value, &mut Value)) -> Arc<dyn Coercer> {
    Faulty::with(Fault::Resolving(change))
}

/// A mutant that answers other arguments.
pub fn answering(change: fn(&Value, &Value, Value) -> Outcome) -> Arc<dyn Coercer> {
    Faulty::with(Fault::Answering(change))
}

/// A mutant that converts values otherwise, each at its place.
pub fn converting(
    change: impl Fn(&Value, &Value, &mut Value) + Send + Sync + 'static,
) -> Arc<dyn Coercer> {
    Faulty::with(Fault::Converting(Box::new(change)))
}

/// A mutant that answers calls by itself.
pub fn calling(
    answer: impl Fn(&Reference, &str, &str) -> Result<String, CoercerError> + Send + Sync + 'static,
) -> Arc<dyn Coercer> {
    Faulty::with(Fault::Calling(Box::new(answer)))
}

/// A mutant that restores the names of some `properties` maps only.
pub fn restoring(keep: fn(&[&str]) -> bool) -> Arc<dyn Coercer> {
    Faulty::with(Fault::Restoring(keep))
}

/// A mutant that sanitizes otherwise.
pub fn sanitizing(change: fn(&Value) -> Value) -> Arc<dyn Coercer> {
    Faulty::with(Fault::Sanitizing(change))
}

/// A mutant that takes every text for one that can be read.
pub fn unwrapping() -> Arc<dyn Coercer> {
    Faulty::with(Fault::Unwrapping)
}

struct Faulty {
    right: Reference,
    fault: Fault,
}

impl Faulty {
    fn with(fault: Fault) -> Arc<dyn Coercer> {
        Arc::new(Self { right: Reference::new(Profile::Recommended), fault })
    }

    fn read(&self, text: &str) -> Outcome {
        match parse(text) {
            Err(error) if matches!(self.fault, Fault::Unwrapping) => panic!("{error}"),
            read => read.map_err(|error| CoercerError::Failed(error.to_string())),
        }
    }
}

impl Coercer for Faulty {
    /// What the fault does not touch is not offered: there the answers are the reference's.
    fn about(&self) -> About {
        let about = About::named("mutant").restoring_keys();
        match &self.fault {
            Fault::Spelling(_) | Fault::Following(_) | Fault::Resolving(_) => {
                about.offering(Method::Resolve)
            }
            Fault::Sanitizing(_) => about.offering(Method::Sanitize),
            _ => about,
        }
    }

    fn coerce(&self, schema: &str, arguments: &str) -> Result<String, CoercerError> {
        let mut root = self.read(schema)?;
        let sent = self.read(arguments)?;
        match &self.fault {
            Fault::Spelling(change) => {
                respell(&root.clone(), &mut root, *change);
                self.right.coerce(&root.to_string(), arguments)
            }
            Fault::Following(change) => {
                change(&root.clone(), &mut root);
                self.right.coerce(&root.to_string(), arguments)
            }
            Fault::Reading(change) => {
                change(&mut root);
                self.right.coerce(&root.to_string(), arguments)
            }
            Fault::Answering(change) => {
                let answer = self.read(&self.right.coerce(schema, arguments)?)?;
                Ok(change(&root, &sent, answer)?.to_string())
            }
            Fault::Converting(change) => {
                let answer = self.read(&self.right.coerce(schema, arguments)?)?;
                Ok(each_place(&root, &sent, answer, &**change).to_string())
            }
            Fault::Calling(answer) => answer(&self.right, schema, arguments),
            Fault::Restoring(keep) => {
                let names = some_names(&root, *keep);
                let coercer = Compiled::with_names(&root, Policies::default(), &names);
                let refused =
                    |error: callfit_reference::Refused| CoercerError::Refused(error.to_string());
                Ok(coercer.coerce(sent).map_err(refused)?.to_string())
            }
            Fault::Resolving(_) | Fault::Sanitizing(_) | Fault::Unwrapping => {
                self.right.coerce(schema, arguments)
            }
        }
    }

    fn resolve(&self, schema: &str, node: &str) -> Result<String, CoercerError> {
        let mut root = self.read(schema)?;
        let mut node_read = self.read(node)?;
        match &self.fault {
            Fault::Spelling(change) => {
                let original = root.clone();
                let mut spelled = respell(&original, &mut root, *change);
                spelled.extend(respell(&original, &mut node_read, *change));
                let mut answer =
                    self.read(&self.right.resolve(&root.to_string(), &node_read.to_string())?)?;
                // What stays is spelled as it was.
                each_schema(&mut answer, &mut |keywords| {
                    let old = reference_of(keywords)
                        .and_then(|new| spelled.iter().find(|(_, other)| other == new));
                    if let Some((old, _)) = old {
                        keywords.insert("$ref".to_owned(), old.as_str().into());
                    }
                });
                Ok(answer.to_string())
            }
            Fault::Following(change) => {
                let original = root.clone();
                change(&original, &mut root);
                change(&original, &mut node_read);
                self.right.resolve(&root.to_string(), &node_read.to_string())
            }
            Fault::Resolving(change) => {
                let mut answer = self.read(&self.right.resolve(schema, node)?)?;
                change(&root, &mut answer);
                Ok(answer.to_string())
            }
            _ => self.right.resolve(schema, node),
        }
    }

    fn sanitize(&self, schema: &str) -> Result<String, CoercerError> {
        match &self.fault {
            Fault::Sanitizing(change) => Ok(change(&self.read(schema)?).to_string()),
            _ => self.right.sanitize(schema),
        }
    }
}

/// Spells the references of a schema otherwise: the old spellings with the new ones.
fn respell(
    root: &Value,
    schema: &mut Value,
    change: fn(&Value, &str) -> Option<String>,
) -> Vec<(String, String)> {
    let mut spelled = Vec::new();
    each_schema(schema, &mut |keywords| {
        let Some(old) = reference_of(keywords).map(str::to_owned) else { return };
        if let Some(new) = change(root, &old) {
            keywords.insert("$ref".to_owned(), new.as_str().into());
            spelled.push((old, new));
        }
    });
    spelled
}

/// The names that the reference gives, but for those of maps that are not kept.
fn some_names(root: &Value, keep: fn(&[&str]) -> bool) -> Names {
    let all = Names::of(root, &Policies::default());
    let mut some = Names::none();
    for (path, renamed) in all.iter() {
        let tokens = all.tokens(path);
        if keep(&tokens) {
            let path = tokens.iter().fold(Names::ROOT, |path, token| some.below(path, token));
            for (original, new) in renamed {
                some.insert(path, original, new);
            }
        }
    }
    some
}
