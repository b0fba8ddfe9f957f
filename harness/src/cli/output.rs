//! Printing: results to stdout, everything else to stderr, in color where that is wanted.

use std::io::{self, Write};

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use clap::ColorChoice;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const NOTE: Style = AnsiColor::Cyan.on_default().bold();

/// The width of what is no terminal and names none.
const WIDTH: usize = 100;

/// Where a command prints.
#[derive(Debug)]
pub(super) struct Output {
    color: anstream::ColorChoice,
}

impl Output {
    /// Prints in color, or not.
    pub(super) fn new(color: ColorChoice) -> Self {
        let color = match color {
            ColorChoice::Auto => anstream::ColorChoice::Auto,
            ColorChoice::Always => anstream::ColorChoice::Always,
            ColorChoice::Never => anstream::ColorChoice::Never,
        };
        Self { color }
    }

    /// Prints a result. Whoever has closed stdout wants no more of it, as in `callfit list | head`.
    pub(super) fn print(&self, text: &str) -> io::Result<()> {
        let mut stdout = AutoStream::new(io::stdout().lock(), self.color);
        match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
            _ => Ok(()),
        }
    }

    /// Says what went wrong.
    pub(super) fn error(&self, message: &str) {
        self.say(ERROR, "error", message);
    }

    /// Says something that is good to know.
    pub(super) fn note(&self, message: &str) {
        self.say(NOTE, "note", message);
    }

    /// Whether stdout shows colors.
    pub(super) fn colors_stdout(&self) -> bool {
        shows_color(self.color, AutoStream::choice(&io::stdout()))
    }

    /// Whether stderr shows colors.
    pub(super) fn colors_stderr(&self) -> bool {
        shows_color(self.color, AutoStream::choice(&io::stderr()))
    }

    /// Says what is being done.
    pub(super) fn step(&self, message: &str) {
        let mut stderr = AutoStream::new(io::stderr().lock(), self.color);
        // Nobody is left to tell that nobody can be told.
        let _ = writeln!(stderr, "{message}");
    }

    fn say(&self, style: Style, label: &str, message: &str) {
        self.step(&format!("{style}{label}:{style:#} {message}"));
    }
}

/// The columns of the terminal.
pub(super) fn width() -> usize {
    let variable = || std::env::var("COLUMNS").ok()?.parse().ok().filter(|width| *width > 0);
    terminal_size::terminal_size()
        .map(|(width, _)| usize::from(width.0))
        .or_else(variable)
        .unwrap_or(WIDTH)
}

fn shows_color(wanted: anstream::ColorChoice, found: anstream::ColorChoice) -> bool {
    match wanted {
        anstream::ColorChoice::Auto => found != anstream::ColorChoice::Never,
        _ => wanted != anstream::ColorChoice::Never,
    }
}
