//! The command line: what can be asked, one file a subcommand.

mod failure;
mod output;
mod rerun;
mod run;

use std::process::ExitCode;

use clap::{ColorChoice, Parser, Subcommand};

use self::output::Output;

const EXIT_CODES: &str = "\
Exit codes:
  0  conformant, or exactly as the expectation file says
  1  not conformant
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
    };
    done.unwrap_or_else(|failure| failure.tell(&output))
}
