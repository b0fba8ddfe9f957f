//! The case file as its author writes it. `case.schema.json` is generated from these types.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// A file of cases on one topic.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CaseFile {
    /// Where editors find the schema of this file: `../case.schema.json`.
    #[serde(rename = "$schema")]
    pub schema: String,
    /// What the topic is and what is not in it, in a sentence or two.
    pub about: String,
    /// The cases.
    pub cases: Vec<CaseText>,
}

/// One case. Which fields belong together depends on its area; `cases/README.md` says how.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CaseText {
    /// `area/topic/name`: lower case letters, digits and hyphens. It never changes.
    #[schemars(regex(
        pattern = r"^(resolve|coerce|restore|sanitize)(/[a-z0-9]+(-[a-z0-9]+)*){2}$"
    ))]
    pub id: String,
    /// What goes wrong for a user when this fails, in a sentence or two.
    pub description: String,
    /// The clause of SPEC.md: an id of `clauses.json`.
    pub clause: String,
    /// How much it counts.
    pub level: Level,
    /// Public reports that show the fault: `owner/repo#number`, or `seed row N`; `fuzz …` where `callfit fuzz` found it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub source: Vec<String>,
    /// The root schema, sent byte for byte.
    #[serde(default, deserialize_with = "given")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "serde_json::Value")]
    pub schema: Option<Box<RawValue>>,
    /// What the model sent (coerce, restore), byte for byte.
    #[serde(default, deserialize_with = "given")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "serde_json::Value")]
    pub arguments: Option<Box<RawValue>>,
    /// The node to resolve (resolve).
    #[serde(default, deserialize_with = "given")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "serde_json::Value")]
    pub node: Option<Box<RawValue>>,
    /// The arguments under the tool's own names (restore): sent under the names that the implementation's `sanitize` gave, and wanted back.
    #[serde(default, deserialize_with = "given")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "serde_json::Value")]
    pub original: Option<Box<RawValue>>,
    /// The right answer.
    #[serde(default, deserialize_with = "given")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "serde_json::Value")]
    pub expect: Option<Box<RawValue>>,
    /// Further right answers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<serde_json::Value>")]
    pub also: Vec<Box<RawValue>>,
    /// The policy that this case shows: an id of `policies.json`.
    #[serde(default, deserialize_with = "given")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub policy: Option<String>,
    /// The answer under each option of the policy, two at least.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(with = "BTreeMap<String, serde_json::Value>")]
    pub options: BTreeMap<String, Box<RawValue>>,
    /// The id of a twin: the option chosen here must be the one chosen there.
    #[serde(default, deserialize_with = "given")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub same_as: Option<String>,
    /// Any answer or error will do; only a crash or silence fails.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub survive: bool,
    /// What is too large or too deep to store.
    #[serde(default, deserialize_with = "given")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Recipe")]
    pub recipe: Option<Recipe>,
}

/// A member that is there, `null` or not: serde would take `null` for a member that is absent.
fn given<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}

/// How much a case counts.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// A law or a seed says so.
    Must,
    /// The principle says so, but careful implementations stop short.
    Should,
    /// Reasonable implementations differ.
    Policy,
}

impl Level {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Must => "must",
            Self::Should => "should",
            Self::Policy => "policy",
        }
    }
}

/// Texts that are built when they are needed.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// The root schema.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub schema: Vec<Piece>,
    /// What the model sent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<Piece>,
    /// The node to resolve.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub node: Vec<Piece>,
    /// The arguments under the tool's own names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub original: Vec<Piece>,
    /// The right answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expect: Vec<Piece>,
}

/// A text, or pieces repeated.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Piece {
    /// A text, in which `{i}` and `{i+1}` stand for the turn of a repetition around it.
    Text(String),
    /// Pieces, a number of times.
    Repeat(Repeat),
}

/// A repetition.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Repeat {
    /// How often.
    #[schemars(range(max = 67_108_864))]
    pub times: usize,
    /// The name that stands for the turn, counted from 0.
    #[serde(default, deserialize_with = "given")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub index: Option<String>,
    /// What stands between the turns.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub join: String,
    /// What is repeated.
    pub of: Vec<Piece>,
}

/// Written by hand because `untagged` would swallow the message of what is inside.
impl<'de> Deserialize<'de> for Piece {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct PieceVisitor;
        impl<'de> serde::de::Visitor<'de> for PieceVisitor {
            type Value = Piece;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a text, or an object with `times` and `of`")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Piece, E> {
                Ok(Piece::Text(text.to_owned()))
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(self, map: A) -> Result<Piece, A::Error> {
                Repeat::deserialize(serde::de::value::MapAccessDeserializer::new(map))
                    .map(Piece::Repeat)
            }
        }
        deserializer.deserialize_any(PieceVisitor)
    }
}

/// What a case is about: the first part of its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Area {
    /// Following a reference.
    Resolve,
    /// Repairing arguments.
    Coerce,
    /// Mapping a provider's names back.
    Restore,
    /// Making a schema that a provider takes.
    Sanitize,
}

impl Area {
    /// Every area.
    pub const ALL: [Self; 4] = [Self::Resolve, Self::Coerce, Self::Restore, Self::Sanitize];

    /// Its name, the first part of an id.
    pub fn name(self) -> &'static str {
        match self {
            Self::Resolve => "resolve",
            Self::Coerce => "coerce",
            Self::Restore => "restore",
            Self::Sanitize => "sanitize",
        }
    }

    /// The area that this id belongs to.
    pub fn of_id(id: &str) -> Option<Self> {
        let name = id.split('/').next()?;
        Self::ALL.into_iter().find(|area| area.name() == name)
    }
}
