//! What a user of the command sees: messages, files and exit codes. Cases are the test's own, so that the corpus may grow.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod adapters;
mod cases;
mod expectations;
mod reference;
mod reports;
mod rerun;
mod run;
mod run_all;
mod shell;
mod stand_in;

#[path = "../common/example.rs"]
mod example;
