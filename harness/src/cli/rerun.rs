//! Commands to be pasted: that which runs one case again in the same folder, and how words are written for a shell.

use super::run::Run;

/// The words before `--filter ID`, and those after it.
#[derive(Debug)]
pub(super) struct Rerun {
    before: Vec<String>,
    after: Vec<String>,
}

impl Rerun {
    /// The same run, so far as it bears on what becomes of one case. In a report that is to come out the same anywhere, the program has the name that it has when it is installed.
    pub(super) fn of(run: &Run) -> Self {
        let called = std::env::args().next().filter(|_| run.as_of.is_none());
        let program = called.unwrap_or_else(|| "callfit".to_owned());
        let mut before = vec![program, "run".to_owned()];
        let mut option = |name: &str, value: Option<String>| {
            before.extend(value.into_iter().flat_map(|value| [name.to_owned(), value]));
        };
        option("--profile", run.profile.map(|profile| profile.name().to_owned()));
        option("--timeout", run.timeout.map(|timeout| timeout.as_secs_f64().to_string()));
        for directory in &run.choice.cases {
            option("--cases", Some(directory.display().to_string()));
        }
        for (name, given) in
            [("--per-case", run.per_case), ("--strict", run.strict), ("--no-expect", run.no_expect)]
        {
            before.extend(given.then(|| name.to_owned()));
        }
        let mut after: Vec<String> = run.adapter.iter().cloned().collect();
        if !run.command.is_empty() {
            after.push("--".to_owned());
            after.extend_from_slice(&run.command);
        }
        Self { before, after }
    }

    /// The command for this case.
    pub(super) fn command(&self, id: &str) -> String {
        let filter = ["--filter".to_owned(), id.to_owned()];
        line(self.before.iter().chain(&filter).chain(&self.after))
    }
}

/// Words as a line that a shell reads so.
pub(super) fn line<'w>(words: impl IntoIterator<Item = &'w String>) -> String {
    // Only NUL cannot be quoted, and no argument holds one.
    let quoted = |word: &'w String| shlex::try_quote(word).unwrap_or_else(|_| word.into());
    words.into_iter().map(quoted).collect::<Vec<_>>().join(" ")
}
