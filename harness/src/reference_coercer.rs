//! The reference as an implementation under test, like any other.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use callfit_reference::json::{Value, parse};
use callfit_reference::{Coercer as Compiled, Policies, Profile, resolve, sanitize};

use crate::implementation::{About, Coercer, CoercerError, Method};

/// So many compiled schemas are kept.
const KEPT: usize = 4;

/// The reference coercer under a set of policies.
#[derive(Debug)]
pub struct Reference {
    name: String,
    policies: Policies,
    /// The schemas of the last calls, the latest first: a tool is called more than once, and several threads call.
    last: Mutex<VecDeque<(String, Arc<Compiled>)>>,
}

impl Reference {
    /// The reference under a profile.
    pub fn new(profile: Profile) -> Self {
        let name = format!("callfit-reference ({})", profile.name());
        Self::with_policies(name, Policies::from(profile))
    }

    /// The reference under any choice of policies.
    pub fn with_policies(name: impl Into<String>, policies: Policies) -> Self {
        Self { name: name.into(), policies, last: Mutex::default() }
    }
}

impl Reference {
    fn compiled(&self, schema: &str) -> Result<Arc<Compiled>, CoercerError> {
        let last = || self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, compiled)) = last().iter().find(|(text, _)| text == schema) {
            return Ok(Arc::clone(compiled));
        }
        // Nobody else waits while this one compiles.
        let compiled = Arc::new(Compiled::restoring(&read(schema)?, self.policies.clone()));
        let mut last = last();
        last.truncate(KEPT - 1);
        last.push_front((schema.to_owned(), Arc::clone(&compiled)));
        Ok(compiled)
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
        match self.compiled(schema)?.coerce(read(arguments)?) {
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
