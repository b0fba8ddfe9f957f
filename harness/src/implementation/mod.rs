//! Implementations under test: what is asked of them, what comes back, and the three doors they come in by.

mod asker;
mod board;
mod coercer;
mod door;
mod error;
mod handshake;
mod in_process;
mod ledger;
mod message;
mod output;
mod per_case;
mod pipes;
mod process;
mod stay;
mod system;

pub use asker::Asker;
pub use board::{Board, Next, SharedBoard, Ticket};
pub use coercer::{Coercer, CoercerError};
pub use door::{Door, Launch, Settings, drive};
pub use error::CannotRun;
pub(crate) use in_process::ask;
pub(crate) use message::survive_line;

use std::fmt;
use std::time::Duration;

use callfit_reference::json::Value;

/// What an implementation can be asked to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Method {
    /// Repair arguments by a schema. Every implementation has it.
    Coerce,
    /// Answer what a node with a `$ref` leads to.
    Resolve,
    /// Make a schema that a provider takes.
    Sanitize,
}

impl Method {
    /// Every method.
    pub const ALL: [Self; 3] = [Self::Coerce, Self::Resolve, Self::Sanitize];

    /// Its name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Coerce => "coerce",
            Self::Resolve => "resolve",
            Self::Sanitize => "sanitize",
        }
    }

    /// The member of a JSON-RPC result that holds the answer.
    pub fn answer_key(self) -> &'static str {
        match self {
            Self::Coerce => "arguments",
            Self::Resolve => "node",
            Self::Sanitize => "schema",
        }
    }

    /// The method with this name on the wire.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name() == name)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The feature of mapping a provider's names back while coercing.
pub const RESTORE_KEYS: &str = "restore-keys";

/// One question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// What is asked.
    pub method: Method,
    /// The schema, as JSON text.
    pub schema: String,
    /// `arguments` for `coerce`, `node` for `resolve`, none for `sanitize`; JSON text.
    pub subject: Option<String>,
}

impl Request {
    /// The request as a line of JSON-RPC, with its line break.
    ///
    /// ```
    /// use callfit::implementation::{Method, Request};
    ///
    /// let schema = r#"{"type":"object"}"#.to_owned();
    /// let request = Request { method: Method::Sanitize, schema, subject: None };
    /// assert_eq!(
    ///     request.line(1),
    ///     "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"sanitize\",\"params\":{\"schema\":{\"type\":\"object\"}}}\n"
    /// );
    /// ```
    pub fn line(&self, id: u64) -> String {
        let mut line = Vec::new();
        message::write_request(&mut line, id, self);
        String::from_utf8_lossy(&line).into_owned()
    }

    /// The `params` of the JSON-RPC request, byte for byte what the case holds, without line breaks (which cannot stand inside a JSON string, so none is lost).
    pub fn params(&self) -> String {
        self.pieces().concat().replace(['\n', '\r'], " ")
    }

    /// The same in pieces, with the line breaks.
    fn pieces(&self) -> [&str; 5] {
        let key = match self.method {
            Method::Coerce => r#","arguments":"#,
            Method::Resolve => r#","node":"#,
            Method::Sanitize => return [r#"{"schema":"#, &self.schema, "}", "", ""],
        };
        let subject = self.subject.as_deref().unwrap_or("null");
        [r#"{"schema":"#, &self.schema, key, subject, "}"]
    }
}

/// What came back for one question.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// The arguments, node or schema.
    Value(Value),
    /// The call was refused, with this message.
    Refused(String),
    /// The implementation does not offer this.
    Unsupported(String),
    /// Any other error answer, or no valid message; what was wrong with it.
    Error(String),
    /// The program ended (or panicked) while it owed the answer; how.
    Crash(String),
    /// Nothing came in this time.
    Timeout(Duration),
}

/// An answer with what came along.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// The answer.
    pub answer: Answer,
    /// The end of what was written to stderr meanwhile.
    pub stderr: String,
    /// How long the answer took: from the moment the one before it was answered, if it was sent ahead.
    pub took: Duration,
}

/// What an implementation says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct About {
    /// Its name.
    pub name: String,
    /// Its version, if it says one.
    pub version: Option<String>,
    /// The language it is written in, if it says one.
    pub language: Option<String>,
    /// Where it lives, if it says so.
    pub homepage: Option<String>,
    /// What it can be asked.
    pub methods: Vec<Method>,
    /// What else it does: [`RESTORE_KEYS`].
    pub features: Vec<String>,
}

impl About {
    /// An implementation that says only its name, and offers `coerce`.
    ///
    /// ```
    /// use callfit::implementation::{About, Method};
    ///
    /// let about = About::named("my-coercer").version("1.2.0").offering(Method::Resolve);
    /// assert!(about.offers(Method::Coerce) && about.offers(Method::Resolve));
    /// ```
    pub fn named(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            version: None,
            language: None,
            homepage: None,
            methods: vec![Method::Coerce],
            features: Vec::new(),
        }
    }

    /// Says the version.
    #[must_use]
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.version = Some(version.into());
        self
    }

    /// Says the language.
    #[must_use]
    pub fn language(mut self, language: impl Into<String>) -> Self {
        self.language = Some(language.into());
        self
    }

    /// Says where it lives.
    #[must_use]
    pub fn homepage(mut self, homepage: impl Into<String>) -> Self {
        self.homepage = Some(homepage.into());
        self
    }

    /// Offers a method beside `coerce`.
    #[must_use]
    pub fn offering(mut self, method: Method) -> Self {
        if !self.offers(method) {
            self.methods.push(method);
        }
        self
    }

    /// Maps a provider's names back: the feature [`RESTORE_KEYS`].
    #[must_use]
    pub fn restoring_keys(mut self) -> Self {
        if !self.restores_keys() {
            self.features.push(RESTORE_KEYS.to_owned());
        }
        self
    }

    /// Whether it can be asked this.
    pub fn offers(&self, method: Method) -> bool {
        self.methods.contains(&method)
    }

    /// Whether it maps a provider's names back.
    pub fn restores_keys(&self) -> bool {
        self.features.iter().any(|feature| feature == RESTORE_KEYS)
    }
}
