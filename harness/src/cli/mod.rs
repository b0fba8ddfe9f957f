//! The command line: what can be asked, one file a subcommand.

mod adapters;
mod badge;
mod coerce;
mod completions;
mod diff;
mod expected;
mod failure;
mod fuzz;
mod lint;
mod list;
mod matrix;
mod merge;
mod new;
mod output;
mod promote;
mod reports;
mod rerun;
mod run;
mod run_all;
mod serve;
mod show;

use std::process::ExitCode;

use clap::{ColorChoice, Parser, Subcommand};

use self::output::Output;

const EXIT_CODES: &str = "\
Exit codes:
  0  conformant, or exactly as the expectation file says
  1  not conformant; something was found by `fuzz`, or is broken by `diff`
  2  wrong use: options, case files or expectation files; or nothing was judged
  3  the implementation could not be run to the end";

/// Conformance tests for tool-call argument coercers.
#[derive(Debug, Parser)]
#[command(name = "callfit", version, after_help = EXIT_CODES, disable_help_subcommand = true)]
struct Cli {
    /// When to color what is printed.
    #[arg(long, global = true, value_name = "WHEN", default_value_t = ColorChoice::Auto)]
    color: ColorChoice,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(run::Run),
    List(list::List),
    Show(show::Show),
    Lint(lint::Lint),
    New(new::New),
    Adapters(adapters::Adapters),
    Serve(serve::Serve),
    Coerce(coerce::Coerce),
    Diff(diff::Diff),
    Merge(merge::Merge),
    Badge(badge::Badge),
    Matrix(matrix::Matrix),
    Fuzz(fuzz::Fuzz),
    Promote(promote::Promote),
    Completions(completions::Completions),
}

/// Does what the command line of this process asks for.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help goes to stdout, and whoever closed that wants no more of it.
            let _ = error.print();
            return u8::try_from(error.exit_code()).unwrap_or(2).into();
        }
    };
    let output = Output::new(cli.color);
    let done = match cli.command {
        Command::Run(run) => run.run(&output),
        Command::List(list) => list.run(&output),
        Command::Show(show) => show.run(&output),
        Command::Lint(lint) => lint.run(&output),
        Command::New(new) => new.run(&output),
        Command::Adapters(adapters) => adapters.run(&output),
        Command::Serve(serve) => serve.run(),
        Command::Coerce(coerce) => coerce.run(&output),
        Command::Diff(diff) => diff.run(&output),
        Command::Merge(merge) => merge.run(&output),
        Command::Badge(badge) => badge.run(&output),
        Command::Matrix(matrix) => matrix.run(&output),
        Command::Fuzz(fuzz) => fuzz.run(&output),
        Command::Promote(promote) => promote.run(&output),
        Command::Completions(completions) => completions.run(&output),
    };
    done.unwrap_or_else(|failure| failure.tell(&output))
}
