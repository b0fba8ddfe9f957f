//! `callfit run`: cases against an implementation.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use callfit::Reference;
use callfit::adapter::{self, Adapter, Store};
use callfit::case::{Corpus, Selection};
use callfit::implementation::{Door, Launch, Settings};
use callfit::report::terminal::{Look, render};
use callfit::report::{self, Format, Progress, Titles};
use callfit::run::{Plan, Record, conduct};
use callfit_reference::Profile;
use clap::{Args, CommandFactory};

use super::Cli;
use super::expected::Expected;
use super::failure::Failure;
use super::output::{self, Output};
use super::rerun::Rerun;

const USAGE: &str = "callfit run [OPTIONS] [ADAPTER]\n       callfit run [OPTIONS] -- CMD...";

/// Run cases against an implementation; against the built-in reference, if none is named.
///
/// Whatever stands after `--` is the command of the implementation: options of callfit stand before it.
#[derive(Debug, Args)]
#[command(override_usage = USAGE)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(super) struct Run {
    /// A real implementation that comes along; `callfit adapters` lists them.
    #[arg(conflicts_with = "command")]
    pub(super) adapter: Option<String>,
    /// A program that speaks JSON-RPC over stdin and stdout, with its arguments.
    #[arg(last = true, value_name = "CMD")]
    pub(super) command: Vec<String>,
    #[command(flatten)]
    pub(super) choice: Choice,
    /// Count a missed should-case as a failure.
    #[arg(long)]
    pub(super) strict: bool,
    /// So many processes side by side [default: 1; for the reference, a thread a core].
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// The seconds that an answer may take [default: 5].
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(super) timeout: Option<Duration>,
    /// Start the program anew for every case: it reads {"schema":…,"arguments":…} and prints the arguments.
    #[arg(long, requires = "command")]
    pub(super) per_case: bool,
    /// A profile of the reference: recommended, seed or lenient.
    #[arg(long, value_name = "NAME", value_parser = profile, conflicts_with_all = ["adapter", "command"])]
    pub(super) profile: Option<Profile>,
    /// Also write the report to a file: .json (everything), .xml (for CI servers) or .md (for a step summary). Can be given several times.
    #[arg(long, value_name = "FILE", value_parser = report_file)]
    report: Vec<PathBuf>,
    /// What is known to go wrong: a run that goes exactly so is conformant. An adapter brings its own.
    #[arg(long, value_name = "FILE")]
    pub(super) expect: Option<PathBuf>,
    /// Leave the expectation file of the adapter aside.
    #[arg(long, conflicts_with_all = ["expect", "update_expectations"])]
    pub(super) no_expect: bool,
    /// Write the expectation file anew, keeping the entries that stand.
    #[arg(long)]
    pub(super) update_expectations: bool,
    /// Print a line a failure, and the verdict.
    #[arg(long)]
    quiet: bool,
}

/// Which cases.
#[derive(Debug, Args)]
pub(super) struct Choice {
    /// Only cases whose id matches the glob, or whose clause (clause:GLOB) or policy (policy:GLOB) does. Can be given several times.
    #[arg(long, value_name = "GLOB")]
    filter: Vec<String>,
    /// No cases that match the glob, which is as for --filter. Can be given several times.
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// Every Nth of these cases, from the Ith on, as in 2/4.
    #[arg(long, value_name = "I/N")]
    shard: Option<String>,
    /// A folder of cases that are added, or replace those with the same id. Can be given several times.
    #[arg(long, value_name = "DIR")]
    pub(super) cases: Vec<PathBuf>,
}

impl Choice {
    /// The corpus that the cases are chosen from.
    pub(super) fn corpus(&self) -> Result<Corpus, Failure> {
        Ok(Corpus::load(&self.cases)?)
    }

    /// The choice itself.
    pub(super) fn selection(&self) -> Result<Selection, Failure> {
        Ok(Selection::new(&self.filter, &self.exclude, self.shard.as_deref())?)
    }
}

impl Run {
    pub(super) fn run(self, output: &Output) -> Result<ExitCode, Failure> {
        self.note_misplaced_options(output);
        let corpus = self.choice.corpus()?;
        let cases = self.choice.selection()?.select(&corpus)?;
        let adapter = self.adapter.as_deref().map(find).transpose()?;
        let expected = Expected::of(&self, adapter.as_ref())?;
        let plan = Plan {
            corpus: &corpus,
            cases: &cases,
            door: door(adapter.as_ref(), &self.command, self.per_case, self.profile)?,
            settings: Settings {
                timeout: self.timeout.unwrap_or(Settings::default().timeout),
                jobs: self.jobs.unwrap_or_else(|| self.usual_jobs()),
                stop: stop_on_interrupt(),
            },
            command: self.adapter.iter().chain(&self.command).cloned().collect(),
            strict: self.strict,
        };
        let rerun = Rerun::of(&self);
        let mut progress = Progress::new(cases.len(), !self.quiet);
        let (mut record, end) =
            conduct(&plan, |id| rerun.command(id), |case| progress.case_done(case));
        progress.finish();
        let updated = expected.map(|expected| expected.apply(&mut record, &corpus, output));
        self.report(&record, &titles(&corpus), output)?;
        updated.transpose()?;
        match (end, &record.cut_short) {
            (Err(error), _) => Err(Failure::CannotRun(error.to_string())),
            (Ok(()), Some(why)) => Err(Failure::CannotRun(why.clone())),
            (Ok(()), None) if record.judged() == 0 => Err(Failure::WrongUse(
                "no case was judged, because the implementation offers nothing of what was \
                 selected; select other cases, or let it name its `methods` and `features` when it \
                 answers `initialize`"
                    .to_owned(),
            )),
            (Ok(()), None) => Ok(u8::from(!record.is_conformant()).into()),
        }
    }

    /// The report, to the files first: whoever reads the terminal's may close it.
    fn report(&self, record: &Record, titles: &Titles, output: &Output) -> Result<(), Failure> {
        let saved: Vec<_> =
            self.report.iter().map(|path| report::save(record, titles, path)).collect();
        // What was never started is told in one line.
        if !(record.cases.is_empty() && record.cut_short.is_some()) {
            let look =
                Look { color: output.colors_stdout(), width: output::width(), quiet: self.quiet };
            output.print(&render(record, titles, look))?;
        }
        for result in saved {
            result?;
        }
        Ok(())
    }

    /// A program may not like company; the reference does not mind.
    fn usual_jobs(&self) -> usize {
        let in_process = self.adapter.is_none() && self.command.is_empty();
        if in_process { thread::available_parallelism().map_or(1, usize::from) } else { 1 }
    }

    /// Options of this command that went to the program, which hardly knows them.
    fn note_misplaced_options(&self, output: &Output) {
        let cli = Cli::command();
        let Some(run) = cli.find_subcommand("run") else { return };
        let known: Vec<&str> = run.get_arguments().filter_map(clap::Arg::get_long).collect();
        let is_misplaced = |word: &&String| {
            let name = word.strip_prefix("--").map(|rest| rest.split('=').next().unwrap_or(rest));
            name.is_some_and(|name| known.contains(&name))
        };
        if let Some(word) = self.command.iter().find(is_misplaced) {
            output.note(&format!(
                "`{word}` goes to the program; options of callfit stand before the `--`"
            ));
        }
    }
}

/// The door of an adapter, or else of a command, or else of the reference.
pub(super) fn door(
    adapter: Option<&Adapter>,
    command: &[String],
    per_case: bool,
    profile: Option<Profile>,
) -> Result<Door, Failure> {
    if let Some(adapter) = adapter {
        let launch = Store::of_user()?.command(adapter)?;
        return Ok(Door::Program(Launch {
            program: launch.program.to_string_lossy().into_owned(),
            arguments: launch.arguments,
            directory: Some(launch.directory),
            environment: Vec::new(),
        }));
    }
    let Some((program, arguments)) = command.split_first() else {
        let profile = profile.unwrap_or(Profile::Recommended);
        return Ok(Door::InProcess(Arc::new(Reference::new(profile))));
    };
    let launch =
        Launch { program: program.clone(), arguments: arguments.to_vec(), ..Launch::default() };
    Ok(if per_case { Door::ProgramPerCase(launch) } else { Door::Program(launch) })
}

/// Reads the name of a profile.
pub(super) fn profile(text: &str) -> Result<Profile, String> {
    let known = Profile::ALL.map(Profile::name).join(", ");
    Profile::from_name(text).ok_or_else(|| format!("the profiles are {known}"))
}

pub(super) fn find(name: &str) -> Result<Adapter, Failure> {
    adapter::find(name).map_err(|error| match Failure::from(error) {
        Failure::WrongUse(message) if Path::new(name).exists() => Failure::WrongUse(format!(
            "{message}; to run a program, write `--` before it: callfit run -- {name}"
        )),
        other => other,
    })
}

/// What becomes true when the user wants the run to end.
pub(super) fn stop_on_interrupt() -> Arc<AtomicBool> {
    let stop = Arc::<AtomicBool>::default();
    let flag = Arc::clone(&stop);
    // Without a handler the system ends this process, as it ends others.
    let _ = ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed));
    stop
}

/// What the report calls the clauses and policies.
fn titles(corpus: &Corpus) -> Titles {
    let clauses = corpus.clauses.iter();
    let policies = corpus.policies.iter();
    Titles {
        clauses: clauses.map(|clause| (clause.id.clone(), clause.title.clone())).collect(),
        policies: policies.map(|policy| (policy.id.clone(), policy.question.clone())).collect(),
    }
}

pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds
        .filter(|time| !time.is_zero())
        .ok_or_else(|| "write a number of seconds above 0, as in 5 or 0.5".to_owned())
}

/// A run may take long: what would lose its report is told before it.
fn report_file(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    Format::of_path(&path).map_err(|error| error.to_string())?;
    folder_is_there(&path).map(|()| path)
}

/// Whether a file can be written here, as far as that can be told before.
pub(super) fn folder_is_there(file: &Path) -> Result<(), String> {
    match file.parent() {
        Some(folder) if folder != Path::new("") && !folder.is_dir() => {
            Err(format!("there is no folder {}; make it first", folder.display()))
        }
        _ => Ok(()),
    }
}
