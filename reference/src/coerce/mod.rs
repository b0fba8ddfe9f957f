//! Coercing arguments: SPEC's chapter *Coercing*.

mod number;
mod text;
mod walk;

use std::fmt;

use crate::json::{Object, Value};
use crate::names::Names;
use crate::policy::{Choice, Policies, Policy};
use crate::position::Spot;
use crate::schema::Nodes;

/// A compiled schema: made once, used for any number of calls, by any number of threads.
///
/// ```
/// use callfit_reference::{Coercer, json::parse};
///
/// let schema = parse(r##"{
///     "type": "object",
///     "properties": {"count": {"$ref": "#/$defs/Count"}, "zip": {"type": "string"}},
///     "$defs": {"Count": {"type": "integer"}}
/// }"##).unwrap();
/// let coercer = Coercer::new(&schema);
///
/// let arguments = parse(r#"{"count": "5", "zip": "02134"}"#).unwrap();
/// assert_eq!(coercer.coerce(arguments).unwrap(), parse(r#"{"count": 5, "zip": "02134"}"#).unwrap());
/// ```
#[derive(Debug)]
pub struct Coercer {
    nodes: Nodes,
    policies: Policies,
}

/// The call is refused, and why. Only policy `both-names` refuses, if it is so chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    message: String,
}

impl Coercer {
    /// Compiles a tool's parameter schema, under the recommended policies. Keys are expected under the tool's own names.
    ///
    /// No schema is an error: what cannot be read constrains nothing (clause `odd-schema`).
    pub fn new(schema: &Value) -> Self {
        Self::with_policies(schema, Policies::default())
    }

    /// Compiles a tool's parameter schema.
    pub fn with_policies(schema: &Value, policies: Policies) -> Self {
        Self { nodes: Nodes::compile(schema, &policies, None), policies }
    }

    /// Compiles a tool's parameter schema for a model that saw [`sanitize(schema)`](crate::sanitize): the names that it gave are mapped back.
    pub fn restoring(schema: &Value, policies: Policies) -> Self {
        let names = Names::of(schema, &policies);
        Self::with_names(schema, policies, &names)
    }

    /// Compiles a tool's parameter schema for a model that knows its properties by these names.
    pub fn with_names(schema: &Value, policies: Policies, names: &Names) -> Self {
        Self { nodes: Nodes::compile(schema, &policies, Some(names)), policies }
    }

    /// The policies it was made with, which know by now what they were asked.
    pub fn policies(&self) -> &Policies {
        &self.policies
    }

    /// Gives the arguments that the tool should receive for those that the model sent. Takes time about linear in their size.
    pub fn coerce(&self, arguments: Value) -> Result<Value, Refused> {
        let coercion = self.coercion(Direction::FromModel);
        match coercion.open(arguments) {
            arguments @ Value::Object(_) => coercion.walk(arguments, Spot::of(self.nodes.root)),
            other => Ok(other),
        }
    }

    /// Gives the arguments as a model would send them for those under the tool's own names: the way back of restoring (law `round-trip`). Nothing is converted.
    pub fn provide(&self, arguments: Value) -> Value {
        let coercion = self.coercion(Direction::ToModel);
        coercion.walk(arguments, Spot::of(self.nodes.root)).unwrap_or_default()
    }

    fn coercion(&self, direction: Direction) -> Coercion<'_> {
        Coercion { nodes: &self.nodes, policies: &self.policies, direction }
    }
}

/// Which way arguments go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    /// From the model to the tool: converted, and keys restored.
    FromModel,
    /// Back to the model: keys get a provider's names.
    ToModel,
}

/// What the steps of one coercion share.
pub(crate) struct Coercion<'a> {
    pub(crate) nodes: &'a Nodes,
    pub(crate) policies: &'a Policies,
    pub(crate) direction: Direction,
}

impl Coercion<'_> {
    /// Clause `arguments`: arguments that came as text, or not at all.
    fn open(&self, arguments: Value) -> Value {
        let parsed = match &arguments {
            Value::Null => None,
            Value::String(text) if text.is_empty() => None,
            Value::String(text) if self.chose(Policy::ArgumentsAsText, Choice::Parse) => {
                self.parse(self.bare(text)).filter(|value| value.as_object().is_some())
            }
            _ => return arguments,
        };
        let is_nothing = matches!(&arguments, Value::Null) || arguments.as_str() == Some("");
        match parsed {
            Some(parsed) => parsed,
            None if is_nothing && self.chose(Policy::ArgumentsEmpty, Choice::Empty) => {
                Object::new().into()
            }
            None => arguments,
        }
    }

    fn chose(&self, policy: Policy, choice: Choice) -> bool {
        self.policies.is(policy, choice)
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refused {}
