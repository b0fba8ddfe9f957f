//! The trait by which a coercer written in Rust is plugged in.

use super::About;

/// A coercer under test. Every text that goes in or comes out is JSON text.
///
/// A panic is a *crash* of the case that was asked, and the run goes on. A stack overflow ends the whole process: Rust cannot catch it.
///
/// ```
/// use callfit::implementation::{About, Coercer, CoercerError};
///
/// struct Untouched;
///
/// impl Coercer for Untouched {
///     fn about(&self) -> About {
///         About::named("untouched").version(env!("CARGO_PKG_VERSION"))
///     }
///
///     fn coerce(&self, _schema: &str, arguments: &str) -> Result<String, CoercerError> {
///         Ok(arguments.to_owned())
///     }
/// }
/// ```
pub trait Coercer: Send + Sync {
    /// What it is and what it offers.
    fn about(&self) -> About;

    /// Repairs arguments by the root schema of a tool's parameters.
    fn coerce(&self, schema: &str, arguments: &str) -> Result<String, CoercerError>;

    /// Says what a node of the schema leads to: the node itself where it is left alone.
    fn resolve(&self, schema: &str, node: &str) -> Result<String, CoercerError> {
        let _ = (schema, node);
        Err(CoercerError::Unsupported)
    }

    /// Makes a schema that a provider takes.
    fn sanitize(&self, schema: &str) -> Result<String, CoercerError> {
        let _ = schema;
        Err(CoercerError::Unsupported)
    }
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CoercerError {
    /// The call is refused, with this message for the model.
    #[error("refused: {0}")]
    Refused(String),
    /// This is not offered.
    #[error("not offered")]
    Unsupported,
    /// Something went wrong.
    #[error("{0}")]
    Failed(String),
}
