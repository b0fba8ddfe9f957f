//! What SPEC leaves free: the policies, their options, and three profiles that choose among them.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// Declares [`Choice`]: every option of every policy, with its id.
macro_rules! choices {
    ($($name:ident = $id:literal,)*) => {
        /// An option of a policy. `cases/policies.json` says what each means for which policy.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[expect(missing_docs, reason = "each is its id, and means what its policy says")]
        pub enum Choice { $($name,)* }

        impl Choice {
            /// Its id in `cases/policies.json`.
            pub fn id(self) -> &'static str {
                match self { $(Self::$name => $id,)* }
            }
        }
    };
}

/// Declares [`Policy`]: each with its id, its options, and what the profiles choose (recommended, seed, lenient).
macro_rules! policies {
    ($($(#[$doc:meta])* $name:ident = $id:literal: [$($option:ident),*], $recommended:ident, $seed:ident, $lenient:ident;)*) => {
        /// A question that SPEC leaves free.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Policy { $($(#[$doc])* $name,)* }

        impl Policy {
            /// Every policy, in the order of SPEC.
            pub const ALL: [Self; [$(Self::$name),*].len()] = [$(Self::$name),*];

            /// Its id in `cases/policies.json`.
            pub fn id(self) -> &'static str {
                match self { $(Self::$name => $id,)* }
            }

            /// What can be chosen.
            pub fn options(self) -> &'static [Choice] {
                match self { $(Self::$name => &[$(Choice::$option),*],)* }
            }

            /// What a profile chooses.
            pub fn chosen_by(self, profile: Profile) -> Choice {
                let [recommended, seed, lenient] = match self {
                    $(Self::$name => [Choice::$recommended, Choice::$seed, Choice::$lenient],)*
                };
                match profile {
                    Profile::Recommended => recommended,
                    Profile::Seed => seed,
                    Profile::Lenient => lenient,
                }
            }
        }
    };
}

choices! {
    Convert = "convert",
    Keep = "keep",
    Text = "text",
    JsonText = "json-text",
    Wrap = "wrap",
    Split = "split",
    Unwrap = "unwrap",
    Empty = "empty",
    Null = "null",
    Decode = "decode",
    Fold = "fold",
    Ignored = "ignored",
    Counts = "counts",
    Drop = "drop",
    Last = "last",
    First = "first",
    Parse = "parse",
    KeepBoth = "keep-both",
    OriginalWins = "original-wins",
    LastWins = "last-wins",
    Refused = "refused",
    Literal = "literal",
    Unresolved = "unresolved",
    Resolved = "resolved",
    Rebased = "rebased",
    United = "united",
    Referenced = "referenced",
    Unresolvable = "unresolvable",
    Followed = "followed",
}

policies! {
    /// Does "3.0" convert where an integer belongs?
    IntegralDecimal = "integral-decimal": [Convert, Keep], Convert, Convert, Convert;
    /// Does "1e3" convert where an integer belongs?
    Exponent = "exponent": [Convert, Keep], Convert, Convert, Convert;
    /// Does JSON text with blanks around it (space, tab, CR, LF) convert?
    SurroundingSpace = "surrounding-space": [Convert, Keep], Convert, Convert, Convert;
    /// Does "007" convert where a plain integer belongs?
    LeadingZeros = "leading-zeros": [Keep, Convert], Keep, Convert, Convert;
    /// Does "+5" convert where a number belongs?
    PlusSign = "plus-sign": [Keep, Convert], Keep, Convert, Convert;
    /// Does "0x10" convert where an integer belongs?
    Hex = "hex": [Keep, Convert], Keep, Keep, Keep;
    /// Does `"1_000"` convert where an integer belongs?
    DigitSeparators = "digit-separators": [Keep, Convert], Keep, Convert, Convert;
    /// Does "1,000" convert where an integer belongs?
    ThousandsSeparators = "thousands-separators": [Keep, Convert], Keep, Keep, Convert;
    /// Do decimal digits outside ASCII (Arabic-Indic, full-width) convert where an integer belongs?
    ForeignDigits = "foreign-digits": [Keep, Convert], Keep, Convert, Convert;
    /// Do "5." and ".5" convert where a number belongs?
    BarePoint = "bare-point": [Keep, Convert], Keep, Convert, Convert;
    /// Do "True" and "FALSE" convert where a boolean belongs?
    BooleanCase = "boolean-case": [Keep, Convert], Keep, Convert, Convert;
    /// Do "yes", "off" and their like convert where a boolean belongs?
    BooleanWords = "boolean-words": [Keep, Convert], Keep, Keep, Convert;
    /// Do the texts "1" and "0" convert where a boolean belongs?
    BooleanDigits = "boolean-digits": [Keep, Convert], Keep, Keep, Convert;
    /// Does the number 1 (or 0) convert where a boolean belongs?
    NumberForBoolean = "number-for-boolean": [Keep, Convert], Keep, Keep, Convert;
    /// Does true convert where a number belongs?
    BooleanForNumber = "boolean-for-number": [Keep, Convert], Keep, Keep, Keep;
    /// Does 5 convert where a string belongs?
    NumberForString = "number-for-string": [Keep, Text], Keep, Keep, Text;
    /// Does true convert where a string belongs?
    BooleanForString = "boolean-for-string": [Keep, Text], Keep, Keep, Text;
    /// Does an object or a list convert where a string belongs?
    ContainerForString = "container-for-string": [Keep, JsonText], Keep, Keep, JsonText;
    /// Is a lone value wrapped where an array belongs? Text that is a JSON array is parsed first, never wrapped.
    ScalarForArray = "scalar-for-array": [Keep, Wrap], Keep, Wrap, Wrap;
    /// What becomes of "a,b" where an array belongs?
    CommaList = "comma-list": [Keep, Wrap, Split], Keep, Wrap, Wrap;
    /// Is a list of one unwrapped where a scalar belongs?
    SingleForScalar = "single-for-scalar": [Keep, Unwrap], Keep, Keep, Unwrap;
    /// Is {"item": x} unwrapped where an array belongs?
    ItemEnvelope = "item-envelope": [Keep, Wrap, Unwrap], Keep, Wrap, Unwrap;
    /// What becomes of "" where an array belongs?
    BlankForArray = "blank-for-array": [Keep, Empty, Wrap], Keep, Wrap, Empty;
    /// What becomes of "" where an object without required keys belongs?
    BlankForObject = "blank-for-object": [Keep, Empty], Keep, Empty, Empty;
    /// Does "" become null where null is admitted?
    BlankForNullable = "blank-for-nullable": [Keep, Null], Keep, Keep, Null;
    /// Do "NULL" and "Null" become null where null is admitted?
    NullCase = "null-case": [Keep, Null], Keep, Null, Null;
    /// Do "None", "nil" and their like become null where null is admitted?
    NullWords = "null-words": [Keep, Null], Keep, Keep, Null;
    /// Does "null" become null where a string is admitted too?
    NullTextOrString = "null-text-or-string": [Keep, Null], Keep, Null, Keep;
    /// Does text convert where a string is admitted beside other types?
    TextInUnion = "text-in-union": [Keep, Convert], Keep, Convert, Keep;
    /// Is anyOf or oneOf read where no type stands beside it and no branch admits a string?
    UntypedUnion = "untyped-union": [Convert, Keep], Convert, Keep, Convert;
    /// Is the JSON text of a JSON text of an object (or list) decoded where an object (or list) belongs?
    DoubleEncoded = "double-encoded": [Keep, Decode], Keep, Keep, Decode;
    /// Does "5" convert where enum or const without a type admits 5 and no string?
    UntypedEnum = "untyped-enum": [Convert, Keep], Convert, Keep, Convert;
    /// Is "Red" folded where the enum has "red"?
    EnumCase = "enum-case": [Keep, Fold], Keep, Keep, Fold;
    /// Is the text of an object (array) parsed where properties (items) stand without a type?
    ImpliedType = "implied-type": [Keep, Convert], Keep, Keep, Convert;
    /// Does OpenAPI's nullable: true admit null, so that "null" becomes null?
    NullableKeyword = "nullable-keyword": [Ignored, Counts], Ignored, Counts, Counts;
    /// What becomes of null for an optional property that does not admit null?
    NullForOptional = "null-for-optional": [Keep, Drop], Keep, Keep, Drop;
    /// What becomes of JSON text that repeats a key?
    DuplicateKeys = "duplicate-keys": [Last, First, Keep], Last, Last, Last;
    /// What becomes of JSON text with something after the value?
    TrailingText = "trailing-text": [Keep, First], Keep, Keep, First;
    /// Are arguments that are the JSON text of an object parsed?
    ArgumentsAsText = "arguments-as-text": [Parse, Keep], Parse, Keep, Parse;
    /// What becomes of "" or null in place of the arguments?
    ArgumentsEmpty = "arguments-empty": [Keep, Empty], Keep, Keep, Empty;
    /// What if the original and the provider's name of one property are both sent?
    BothNames = "both-names": [KeepBoth, OriginalWins, LastWins, Refused], KeepBoth, LastWins, OriginalWins;
    /// How is a fragment with a malformed percent triplet read?
    MalformedPercent = "malformed-percent": [Literal, Unresolved], Literal, Literal, Literal;
    /// Is a plain-name fragment looked up among the $anchor keywords?
    Anchors = "anchors": [Ignored, Resolved], Ignored, Ignored, Resolved;
    /// Does an embedded $id change what a pointer is relative to?
    EmbeddedId = "embedded-id": [Ignored, Rebased], Ignored, Ignored, Ignored;
    /// What if properties stands beside $ref and in the referenced schema too?
    SiblingMaps = "sibling-maps": [United, Referenced], United, Referenced, United;
    /// May a pointer step through a node that is itself a reference?
    RefThroughRef = "ref-through-ref": [Unresolvable, Followed], Unresolvable, Unresolvable, Followed;
}

/// A named set of choices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Profile {
    /// The JSON-text principle and nothing else.
    #[default]
    Recommended,
    /// What the seed article describes.
    Seed,
    /// What models commonly write is taken.
    Lenient,
}

impl Profile {
    /// Every profile.
    pub const ALL: [Self; 3] = [Self::Recommended, Self::Seed, Self::Lenient];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Recommended => "recommended",
            Self::Seed => "seed",
            Self::Lenient => "lenient",
        }
    }

    /// The profile with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|profile| profile.name() == name)
    }
}

/// One choice for every policy.
///
/// ```
/// use callfit_reference::{Policies, Profile};
///
/// let policies = Policies::from(Profile::Recommended).with("leading-zeros", "convert").unwrap();
/// assert!(policies.with("leading-zeros", "maybe").is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policies {
    choices: [Choice; Policy::ALL.len()],
    asked: Asked,
}

impl Policies {
    /// What is chosen for a policy.
    pub fn get(&self, policy: Policy) -> Choice {
        self.asked.note(policy);
        self.choices[policy as usize]
    }

    /// The policies that were asked for so far, of this value and not of those it was cloned from. The choice for any other made no difference.
    ///
    /// ```
    /// use callfit_reference::{Coercer, Policy, json::parse};
    ///
    /// let coercer = Coercer::new(&parse(r#"{"properties": {"n": {"type": "integer"}}}"#)?);
    /// coercer.coerce(parse(r#"{"n": "007"}"#)?)?;
    /// assert!(coercer.policies().asked().any(|policy| policy == Policy::LeadingZeros));
    /// assert!(coercer.policies().asked().all(|policy| policy != Policy::CommaList));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn asked(&self) -> impl Iterator<Item = Policy> + use<> {
        let asked = self.asked.0.load(Ordering::Relaxed);
        Policy::ALL.into_iter().filter(move |policy| asked & bit(*policy) != 0)
    }

    /// Whether `choice` is what is chosen for a policy.
    pub fn is(&self, policy: Policy, choice: Choice) -> bool {
        self.get(policy) == choice
    }

    /// The same with another choice for one policy, both named by their ids.
    pub fn with(&self, policy: &str, option: &str) -> Result<Self, UnknownOption> {
        let unknown = || UnknownOption { policy: policy.to_owned(), option: option.to_owned() };
        let policy =
            Policy::ALL.into_iter().find(|known| known.id() == policy).ok_or_else(unknown)?;
        let choice =
            policy.options().iter().find(|choice| choice.id() == option).ok_or_else(unknown)?;
        let mut policies = self.clone();
        policies.choices[policy as usize] = *choice;
        Ok(policies)
    }
}

impl From<Profile> for Policies {
    fn from(profile: Profile) -> Self {
        let choices = Policy::ALL.map(|policy| policy.chosen_by(profile));
        Self { choices, asked: Asked::default() }
    }
}

impl Default for Policies {
    fn default() -> Self {
        Self::from(Profile::Recommended)
    }
}

/// Which policies were asked for, a bit for each. It tells nothing of what was chosen, so any two are equal, and a clone begins anew.
#[derive(Debug, Default)]
struct Asked(AtomicU64);

impl Asked {
    /// Threads that share a coercer only read here, once each bit is set.
    fn note(&self, policy: Policy) {
        if self.0.load(Ordering::Relaxed) & bit(policy) == 0 {
            self.0.fetch_or(bit(policy), Ordering::Relaxed);
        }
    }
}

impl Clone for Asked {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PartialEq for Asked {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Asked {}

fn bit(policy: Policy) -> u64 {
    const { assert!(Policy::ALL.len() <= 64, "each policy has a bit") };
    1 << policy as u32
}

/// No policy has this id, or it has no such option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownOption {
    policy: String,
    option: String,
}

impl fmt::Display for UnknownOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { policy, option } = self;
        match Policy::ALL.into_iter().find(|known| known.id() == policy) {
            None => write!(f, "there is no policy `{policy}`"),
            Some(known) => {
                let options: Vec<&str> = known.options().iter().map(|choice| choice.id()).collect();
                write!(
                    f,
                    "policy `{policy}` has no option `{option}`; it has {}",
                    options.join(", ")
                )
            }
        }
    }
}

impl std::error::Error for UnknownOption {}
