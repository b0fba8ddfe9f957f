//! `callfit run`: cases against an implementation.

use std::collections::HashSet;
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
use callfit::report::{Progress, Titles};
use callfit::run::{Chosen, Plan, Record, conduct};
use callfit_reference::Profile;
use chrono::NaiveDate;
use clap::{Args, CommandFactory};

use super::Cli;
use super::expected::Expected;
use super::failure::Failure;
use super::output::{self, Output};
use super::reports::{Reports, titles};
use super::rerun::Rerun;
use super::run_all::run_all;

const USAGE: &str = "callfit run [OPTIONS] [ADAPTER]\n       callfit run [OPTIONS] --all\n       callfit run [OPTIONS] -- CMD...";

/// Run cases against an implementation; against the built-in reference, if none is named.
///
/// Whatever stands after `--` is the command of the implementation: options of callfit stand before it.
#[derive(Debug, Clone, Args)]
#[command(override_usage = USAGE)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(super) struct Run {
    /// A real implementation that comes along; `callfit adapters` lists them.
    #[arg(conflicts_with = "command")]
    pub(super) adapter: Option<String>,
    /// A program that speaks JSON-RPC over stdin and stdout, with its arguments.
    #[arg(last = true, value_name = "CMD")]
    pub(super) command: Vec<String>,
    /// Every adapter that is installed, one after another, with a table at the end.
    #[arg(long, conflicts_with_all = ["adapter", "command", "profile", "expect"])]
    pub(super) all: bool,
    /// With --all, run only the cases that the reports in the folder do not hold as the corpus words them now, and keep the others.
    #[arg(long, requires = "all", requires = "report")]
    pub(super) resume: bool,
    #[command(flatten)]
    pub(super) choice: Choice,
    /// Count a missed should-case as a failure.
    #[arg(long)]
    pub(super) strict: bool,
    /// So many processes side by side [default: 1; for the reference, a thread a core].
    #[arg(long, value_name = "N")]
    pub(super) jobs: Option<usize>,
    /// The seconds that an answer may take [default: 5].
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(super) timeout: Option<Duration>,
    /// Start the program anew for every case: it reads {"schema":…,"arguments":…} and prints the arguments.
    #[arg(long, requires = "command")]
    pub(super) per_case: bool,
    /// A profile of the reference: recommended, seed or lenient.
    #[arg(long, value_name = "NAME", value_parser = profile, conflicts_with_all = ["adapter", "command"])]
    pub(super) profile: Option<Profile>,
    /// Also write the report to a file: .json (everything), .xml (for CI servers), .md (for a step summary), .sarif, .tap or .csv; FORMAT=FILE with json, compact,
    /// junit, markdown, sarif, tap or csv where the ending does not say; `github` for annotations on stdout. Can be given several times. With --all, a folder, which gets NAME.json of
    /// each. `compact` is JSON without what the corpus of this callfit says, for a repository.
    #[arg(long, value_name = "FILE")]
    pub(super) report: Vec<String>,
    /// In report files tell this day, as in 2026-11-30, in place of all times, and leave out stderr: the same run leaves the same files, byte for byte.
    #[arg(long, value_name = "DATE", value_parser = date, requires = "report")]
    pub(super) as_of: Option<String>,
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
    pub(super) quiet: bool,
}

/// Which cases.
#[derive(Debug, Clone, Args)]
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

    /// The choice as a report tells it.
    pub(super) fn chosen(&self) -> Chosen {
        Chosen {
            filters: self.filter.clone(),
            excludes: self.exclude.clone(),
            shard: self.shard.clone(),
        }
    }
}

/// What one run, or several one after another, take place in.
pub(super) struct Surroundings {
    corpus: Corpus,
    pub(super) titles: Titles,
    /// Becomes true when the user wants it to end.
    pub(super) stop: Arc<AtomicBool>,
}

impl Surroundings {
    pub(super) fn of(run: &Run) -> Result<Self, Failure> {
        let corpus = run.choice.corpus()?;
        Ok(Self { titles: titles(&corpus), corpus, stop: stop_on_interrupt() })
    }
}

/// What came of a run.
pub(super) struct Done {
    pub(super) record: Record,
    /// Why it did not reach its end, or why its expectations could not be written.
    pub(super) end: Result<(), Failure>,
}

impl Run {
    pub(super) fn run(self, output: &Output) -> Result<ExitCode, Failure> {
        if self.all {
            return run_all(&self, output);
        }
        self.note_misplaced_options(output);
        let surroundings = Surroundings::of(&self)?;
        let reports = Reports::new(&self.report, self.as_of.as_deref())?;
        let adapter = self.adapter.as_deref().map(find).transpose()?;
        let Done { record, end } = self.conduct(adapter.as_ref(), None, &surroundings, output)?;
        // What was never started is told in one line.
        let is_shown = !(record.cases.is_empty() && record.cut_short.is_some());
        let look =
            Look { color: output.colors_stdout(), width: output::width(), quiet: self.quiet };
        let shown = is_shown.then(|| render(&record, &surroundings.titles, look));
        reports.write(&record, &surroundings.titles, shown, output)?;
        end?;
        if record.judged() == 0 {
            return Err(nothing_judged());
        }
        Ok(u8::from(!record.is_conformant()).into())
    }

    /// Puts the cases to an adapter, or else to what the options name, and compares with what was expected. Cases that an earlier run of the same holds are taken from it.
    pub(super) fn conduct(
        &self,
        adapter: Option<&Adapter>,
        held: Option<Record>,
        surroundings: &Surroundings,
        output: &Output,
    ) -> Result<Done, Failure> {
        let corpus = &surroundings.corpus;
        let chosen = self.choice.selection()?.select(corpus)?;
        let mut cases = chosen.clone();
        if let Some(held) = &held {
            let held: HashSet<&str> = held.cases.iter().map(|case| case.id.as_str()).collect();
            cases.retain(|case| !held.contains(case.id.as_str()));
        }
        let expected = Expected::of(self, adapter)?;
        let plan = Plan {
            corpus,
            cases: &cases,
            door: door(adapter, &self.command, self.per_case, self.profile)?,
            settings: Settings {
                timeout: self.timeout.unwrap_or(Settings::default().timeout),
                jobs: self.jobs.unwrap_or_else(|| self.usual_jobs()),
                stop: Arc::clone(&surroundings.stop),
            },
            command: self.adapter.iter().chain(&self.command).cloned().collect(),
            strict: self.strict,
        };
        let rerun = Rerun::of(self);
        let mut progress = Progress::new(cases.len(), !self.quiet);
        let (mut record, end) =
            conduct(&plan, |id| rerun.command(id), |case| progress.case_done(case));
        progress.finish();
        record.chosen = self.choice.chosen();
        if let Some(held) = held {
            // What was learned before is worth more than that it cannot be run today.
            if let (Err(error), []) = (&end, record.cases.as_slice()) {
                return Err(Failure::CannotRun(error.to_string()));
            }
            if held.implementation != record.implementation {
                return self.conduct(adapter, None, surroundings, output);
            }
            record.take_up(held, &chosen);
        }
        let updated =
            expected.map_or(Ok(()), |expected| expected.apply(&mut record, corpus, output));
        let end = match (end, &record.cut_short) {
            (Err(error), _) => Err(Failure::CannotRun(error.to_string())),
            (Ok(()), Some(why)) => Err(Failure::CannotRun(why.clone())),
            (Ok(()), None) => Ok(()),
        };
        Ok(Done { record, end: updated.and(end) })
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

/// The failure of a run that judged nothing.
pub(super) fn nothing_judged() -> Failure {
    Failure::WrongUse(
        "no case was judged, because the implementation offers nothing of what was selected; \
         select other cases, or let it name its `methods` and `features` when it answers \
         `initialize`"
            .to_owned(),
    )
}

/// The door of an adapter, or else of a command, or else of the reference.
pub(super) fn door(
    adapter: Option<&Adapter>,
    command: &[String],
    per_case: bool,
    profile: Option<Profile>,
) -> Result<Door, Failure> {
    if let Some(adapter) = adapter {
        return Ok(Door::Program(Store::of_user()?.command(adapter)?.into()));
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

pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds
        .filter(|time| !time.is_zero())
        .ok_or_else(|| "write a number of seconds above 0, as in 5 or 0.5".to_owned())
}

/// Reads a day.
fn date(text: &str) -> Result<String, String> {
    let day = text.parse::<NaiveDate>().map_err(|_| "write a day, as in 2026-11-30".to_owned())?;
    Ok(day.to_string())
}
