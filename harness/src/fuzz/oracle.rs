//! The oracles: ways to know that an answer is wrong, the cheapest first.

/// A way to know that an answer is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Oracle {
    /// The program ended, or the coercer panicked.
    Crash,
    /// No answer came in time.
    Timeout,
    /// An error answer, or what is no JSON text.
    NoAnswer,
    /// Refused what is valid, or what every implementation would make valid.
    Refused,
    /// A number lost digits, or something was lost or made up (laws `exact` and `no-invention`).
    Damaged,
    /// Valid by an independent validator when sent, and not when answered.
    ValidStays,
    /// Not what the reference (or the other implementation) answers, and no policy explains it.
    Differs,
    /// The answer is not left alone when it is sent again.
    Idempotent,
    /// The same request has another answer the second time.
    Stateless,
    /// Without references the answer is another.
    Inlined,
    /// With the keys of `$defs` renamed the answer is another.
    RenamedDefinitions,
    /// With `definitions` for `$defs` the answer is another.
    MovedDefinitions,
    /// With references spelt in another way the answer is another.
    RespelledReferences,
    /// With the properties in another order the answer is another.
    ShuffledProperties,
    /// With another property beside the rest the answer is another.
    Neighbour,
    /// One level further inside, behind a reference, the answer is another.
    Nested,
    /// Under a schema that admits anything, arguments are changed.
    Untyped,
    /// A sanitized schema that is not what the clauses on names ask for.
    Sanitized,
    /// Arguments that are valid are not valid any more, by an independent validator, once they and the schema have other names.
    ValidRenamed,
    /// A sanitized schema that is changed when it is sanitized again.
    SanitizedAgain,
    /// Names that were given and restored are not the tool's own again.
    RoundTrip,
    /// A second, naive coercer answers something else.
    SecondOpinion,
}

impl Oracle {
    /// Every oracle.
    pub const ALL: [Self; 22] = [
        Self::Crash,
        Self::Timeout,
        Self::NoAnswer,
        Self::Refused,
        Self::Damaged,
        Self::ValidStays,
        Self::Differs,
        Self::Idempotent,
        Self::Stateless,
        Self::Inlined,
        Self::RenamedDefinitions,
        Self::MovedDefinitions,
        Self::RespelledReferences,
        Self::ShuffledProperties,
        Self::Neighbour,
        Self::Nested,
        Self::Untyped,
        Self::Sanitized,
        Self::ValidRenamed,
        Self::SanitizedAgain,
        Self::RoundTrip,
        Self::SecondOpinion,
    ];

    /// Its name in findings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Crash => "crash",
            Self::Timeout => "timeout",
            Self::NoAnswer => "no-answer",
            Self::Refused => "refused",
            Self::Damaged => "damaged",
            Self::ValidStays => "valid-stays",
            Self::Differs => "differs",
            Self::Idempotent => "idempotent",
            Self::Stateless => "stateless",
            Self::Inlined => "inlined",
            Self::RenamedDefinitions => "renamed-definitions",
            Self::MovedDefinitions => "moved-definitions",
            Self::RespelledReferences => "respelled-references",
            Self::ShuffledProperties => "shuffled-properties",
            Self::Neighbour => "neighbour",
            Self::Nested => "nested",
            Self::Untyped => "untyped",
            Self::Sanitized => "sanitized",
            Self::ValidRenamed => "valid-renamed",
            Self::SanitizedAgain => "sanitized-again",
            Self::RoundTrip => "round-trip",
            Self::SecondOpinion => "second-opinion",
        }
    }

    /// The oracle with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|oracle| oracle.name() == name)
    }

    /// The clause of SPEC that it stands on, as an anchor.
    pub fn clause(self) -> &'static str {
        match self {
            Self::Crash | Self::Timeout => "bounded",
            Self::NoAnswer | Self::Refused | Self::ValidStays => "valid-stays",
            Self::Damaged => "exact",
            Self::Differs | Self::SecondOpinion => "admits",
            Self::Idempotent => "idempotent",
            Self::Stateless => "stateless",
            Self::Inlined
            | Self::RenamedDefinitions
            | Self::MovedDefinitions
            | Self::RespelledReferences
            | Self::Nested => "transparent",
            Self::ShuffledProperties => "keys",
            Self::Neighbour => "local",
            Self::Untyped => "bool-schema",
            Self::Sanitized => "names-legal",
            Self::ValidRenamed => "names-required",
            Self::SanitizedAgain => "names-again",
            Self::RoundTrip => "round-trip",
        }
    }
}
