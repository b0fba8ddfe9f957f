//! The reference as an implementation under test, like any other.

use callfit_reference::json::{Value, parse};
use callfit_reference::{Coercer as Compiled, Policies, Profile, resolve, sanitize};

use crate::implementation::{About, Coercer, CoercerError, Method};

/// The reference coercer under a set of policies.
#[derive(Debug, Clone)]
pub struct Reference {
    name: String,
    policies: Policies,
}

impl Reference {
    /// The reference under a profile.
    pub fn new(profile: Profile) -> Self {
        let name = format!("callfit-reference ({})", profile.name());
        Self { name, policies: Policies::from(profile) }
    }

    /// The reference under any choice of policies.
    pub fn with_policies(name: impl Into<String>, policies: Policies) -> Self {
        Self { name: name.into(), policies }
    }
}

impl Coercer for Reference {
    fn about(&self) -> About {
        About::named(self.name.clone())
            .version(env!("CARGO_PKG_VERSION"))
            .language("rust")
            .homepage(env!("CARGO_PKG_REPOSITORY"))
            .offering(Method::Resolve)
            .offering(Method::Sanitize)
            .restoring_keys()
    }

    fn coerce(&self, schema: &str, arguments: &str) -> Result<String, CoercerError> {
        let compiled = Compiled::restoring(&read(schema)?, self.policies.clone());
        match compiled.coerce(read(arguments)?) {
            Ok(arguments) => Ok(arguments.to_string()),
            Err(refused) => Err(CoercerError::Refused(refused.to_string())),
        }
    }

    fn resolve(&self, schema: &str, node: &str) -> Result<String, CoercerError> {
        Ok(resolve(&read(schema)?, &read(node)?, &self.policies).to_string())
    }

    fn sanitize(&self, schema: &str) -> Result<String, CoercerError> {
        Ok(sanitize(&read(schema)?, &self.policies).to_string())
    }
}

fn read(text: &str) -> Result<Value, CoercerError> {
    parse(text).map_err(|error| CoercerError::Failed(error.to_string()))
}
