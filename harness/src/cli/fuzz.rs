//! `callfit fuzz`: problems that nobody thought of, put to an implementation.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use callfit::adapter::Adapter;
use callfit::case::Corpus;
use callfit::fuzz::{Context, Finding, News, Plan, Scope, campaign, other, try_out, write_seeds};
use callfit::implementation::{Answer, Asker, Door, Settings};
use callfit::report::{FuzzProgress, escape, fuzz};
use callfit_reference::{Policies, Profile};
use clap::Args;

use super::failure::Failure;
use super::output::Output;
use super::rerun::line;
use super::run::{door, find, profile, seconds, stop_on_interrupt};

const USAGE: &str = "callfit fuzz [OPTIONS] [ADAPTER]\n       callfit fuzz [OPTIONS] -- CMD...";

/// Put problems that nobody thought of to an implementation; to the built-in reference, if none is named.
///
/// What breaks a law, or differs from the reference where no policy explains it, is made small and written to a file, one a kind of fault. Ctrl-C ends the search; what was
/// found stands.
#[derive(Debug, Args)]
#[command(override_usage = USAGE)]
pub(super) struct Fuzz {
    /// A real implementation that comes along; `callfit adapters` lists them.
    #[arg(conflicts_with = "command")]
    adapter: Option<String>,
    /// A program that speaks JSON-RPC over stdin and stdout, with its arguments.
    #[arg(last = true, value_name = "CMD")]
    command: Vec<String>,
    /// How long to look for problems, as in 90s, 10m or 8h. Findings are made small for as long again at most.
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    time: Duration,
    /// So many problems at most.
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true)]
    trials: u64,
    /// The same number makes the same problems [default: another each time].
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// The seconds that an answer may take.
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = seconds)]
    timeout: Duration,
    /// So many processes side by side [default: 1].
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true)]
    jobs: usize,
    /// Compare with this adapter instead of the reference.
    #[arg(long, value_name = "ADAPTER")]
    against: Option<String>,
    /// Compare with the reference under this profile: recommended, seed or lenient.
    #[arg(long, value_name = "NAME", value_parser = profile)]
    profile: Option<Profile>,
    /// The folder that findings are written to.
    #[arg(long, value_name = "DIR", default_value = "fuzz-out")]
    out: PathBuf,
    /// Try a finding again, and look for nothing else.
    #[arg(long, value_name = "FILE")]
    replay: Option<PathBuf>,
    /// Write inputs for the targets of cargo-fuzz, made of the corpus, and look for nothing.
    #[arg(long, value_name = "DIR")]
    write_seeds: Option<PathBuf>,
    /// Print no progress.
    #[arg(long)]
    quiet: bool,
}

impl Fuzz {
    pub(super) fn run(self, output: &Output) -> Result<ExitCode, Failure> {
        if let Some(folder) = &self.write_seeds {
            let counts = write_seeds(&Corpus::embedded()?, folder).map_err(|error| {
                Failure::WrongUse(format!("cannot write to {}: {error}", folder.display()))
            })?;
            let told = counts.iter().map(|(target, count)| format!("{target} {count}\n"));
            output.print(&told.collect::<String>())?;
            return Ok(ExitCode::SUCCESS);
        }
        let adapter = self.adapter.as_deref().map(find).transpose()?;
        let door = door(adapter.as_ref(), &self.command, false, None)?;
        let settings =
            Settings { timeout: self.timeout, jobs: self.jobs, stop: stop_on_interrupt() };
        let against = self.against.as_deref().map(find).transpose()?;
        let against = against.map(|adapter| self.other(&adapter)).transpose()?;
        if let Some(file) = &self.replay {
            return self.replay(file, &door, against, output);
        }
        let seed = self.seed.unwrap_or_else(|| {
            let now = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
            now.as_secs() ^ u64::from(now.subsec_nanos())
        });
        let (before, after) = self.replay_words();
        let plan = Plan {
            seed,
            time: self.time,
            trials: self.trials,
            grace: self.time.min(Duration::from_secs(600)),
            folder: self.out.clone(),
            policies: self.policies(),
            other: against,
            is_reference: self.is_reference(),
            replay: Arc::new(move |file| {
                let file = [file.display().to_string()];
                line(before.iter().chain(&file).chain(&after))
            }),
        };
        let progress = FuzzProgress::new(plan.time, plan.grace, !self.quiet);
        let (outcome, end) = campaign(&plan, &door, &settings, |news| match news {
            News::Found(finding) => progress.found(finding),
            News::Smaller(finding) => progress.smaller(finding),
            News::Trial(outcome) => progress.tell(outcome),
        })?;
        progress.finish();
        output.print(&fuzz::render(&outcome, seed))?;
        if let Some(problem) = &outcome.unwritten {
            return Err(Failure::WrongUse(problem.clone()));
        }
        end.map_err(|error| Failure::CannotRun(error.to_string()))?;
        Ok(u8::from(!outcome.findings.is_empty()).into())
    }

    fn is_reference(&self) -> bool {
        self.adapter.is_none() && self.command.is_empty()
    }

    fn policies(&self) -> Policies {
        Policies::from(self.profile.unwrap_or_default())
    }

    fn other(&self, adapter: &Adapter) -> Result<callfit::fuzz::Other, Failure> {
        Ok(other(self.asker(&door(Some(adapter), &[], false, None)?)?))
    }

    fn asker(&self, door: &Door) -> Result<Asker, Failure> {
        let settings = Settings { timeout: self.timeout, ..Settings::default() };
        Asker::start(door, &settings).map_err(|error| Failure::CannotRun(error.to_string()))
    }

    /// The words of the command that tries a finding again: those before its file, and those after it.
    fn replay_words(&self) -> (Vec<String>, Vec<String>) {
        let program = std::env::args().next().unwrap_or_else(|| "callfit".to_owned());
        let before = vec![program, "fuzz".to_owned(), "--replay".to_owned()];
        let mut words = Vec::new();
        if let Some(profile) = self.profile {
            words.extend(["--profile".to_owned(), profile.name().to_owned()]);
        }
        if let Some(against) = &self.against {
            words.extend(["--against".to_owned(), against.clone()]);
        }
        words.extend(["--timeout".to_owned(), self.timeout.as_secs_f64().to_string()]);
        words.extend(self.adapter.clone());
        if !self.command.is_empty() {
            words.push("--".to_owned());
            words.extend(self.command.iter().cloned());
        }
        (before, words)
    }

    fn replay(
        &self,
        file: &Path,
        door: &Door,
        other: Option<callfit::fuzz::Other>,
        output: &Output,
    ) -> Result<ExitCode, Failure> {
        let finding = Finding::read(file)?;
        let asker = self.asker(door)?;
        let context = Context {
            about: asker.about().clone(),
            policies: self.policies(),
            other,
            is_reference: self.is_reference(),
        };
        let gone = || Answer::Error("it cannot be run any further".to_owned());
        let scope = Scope::Only(finding.fault.asked_for);
        let trial = try_out(finding.problem, scope, &context, |request| {
            asker.ask(request).map_or_else(gone, |reply| reply.answer)
        });
        let Some(fault) = trial.fault() else {
            output
                .print(&format!("not seen again: {}\n", escape::line(&finding.fault.group, 200)))?;
            return Ok(ExitCode::SUCCESS);
        };
        output.print(&fuzz::fault(fault, &trial.problem))?;
        Ok(ExitCode::from(1))
    }
}

/// Reads a time: a number with s, m or h behind it.
fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.char_indices().next_back() {
        Some((at, 's')) => (&text[..at], 1.0),
        Some((at, 'm')) => (&text[..at], 60.0),
        Some((at, 'h')) => (&text[..at], 3600.0),
        _ => (text, 1.0),
    };
    let seconds = number.parse::<f64>().ok().map(|number| number * unit);
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .filter(|time| !time.is_zero())
        .ok_or_else(|| "write a number with s, m or h behind it, as in 90s or 10m".to_owned())
}
