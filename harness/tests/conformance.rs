//! The reference against the corpus, as any coercer written in Rust can be run.

use std::process::ExitCode;

use callfit::Reference;
use callfit_reference::Profile;

fn main() -> ExitCode {
    callfit::conformance(Reference::new(Profile::Recommended))
}
