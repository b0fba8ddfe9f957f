//! What a campaign of fuzzing came to, for a terminal.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use super::escape;
use super::progress::bar;
use super::summary::counted;
use crate::fuzz::{Fault, Finding, Outcome, Problem, Rates};

/// Names and one-line messages are cut here.
const SHORT: usize = 200;
/// Schemas and arguments are cut here: the file has the whole.
const LONG: usize = 1_000;
const TEMPLATE: &str = "{bar:30} {prefix}  {wide_msg}";

/// The whole outcome: what was made, which policies were seen, and each finding.
pub fn render(outcome: &Outcome, seed: u64) -> String {
    let mut text = String::new();
    for finding in &outcome.findings {
        let _ = writeln!(
            text,
            "{}  {}",
            finding.path.display(),
            escape::line(&finding.fault.group, SHORT)
        );
        let _ = writeln!(
            text,
            "  {} bytes, {}; seen {}, first after {:.1} s (trial {})",
            finding.problem.size(),
            finding.state.name(),
            counted(usize::try_from(finding.seen).unwrap_or(usize::MAX), "time"),
            Duration::from_millis(finding.after_ms).as_secs_f64(),
            finding.trial,
        );
        text.push_str(&fault(&finding.fault, &finding.problem));
        let _ = writeln!(text, "  again      {}\n", escape::line(&finding.replay, LONG));
    }
    for warning in &outcome.warnings {
        let _ = writeln!(text, "warning: {}", escape::line(warning, SHORT));
    }
    let name = outcome.about.as_ref().map_or("the implementation", |about| about.name.as_str());
    let seconds = outcome.took.as_secs_f64();
    let _ = writeln!(
        text,
        "{}, seed {seed}: {} in {seconds:.0} s, {:.0} a second, {} asked; {}",
        escape::line(name, SHORT),
        counted(usize::try_from(outcome.rates.trials).unwrap_or(usize::MAX), "trial"),
        per(outcome.rates.trials, seconds),
        outcome.questions,
        counted(outcome.findings.len(), "finding"),
    );
    text.push_str(&rates(&outcome.rates));
    if outcome.skipped > 0 {
        let _ = writeln!(
            text,
            "left out, because unions of that size had timed out: {}",
            outcome.skipped
        );
    }
    if !outcome.policies.is_empty() {
        let mut policies: Vec<_> = outcome.policies.iter().collect();
        policies.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let policies: Vec<String> = policies
            .iter()
            .take(12)
            .map(|((policy, option), count)| format!("{policy} {option} ({count})"))
            .collect();
        let _ = writeln!(text, "policies that explained answers: {}", policies.join(", "));
    }
    text
}

/// One fault and the problem that shows it.
pub fn fault(fault: &Fault, problem: &Problem) -> String {
    let mut text = format!("  {}\n", escape::line(&fault.message, SHORT));
    let expected = fault.expected.as_ref().map(ToString::to_string);
    let actual = fault.actual.as_ref().map(ToString::to_string);
    let subject = match problem.method {
        crate::implementation::Method::Resolve => "node",
        _ => "arguments",
    };
    let parts = [
        ("schema", Some(problem.schema.to_string())),
        (subject, Some(problem.subject.to_string())),
        ("expected", expected),
        ("got", actual),
    ];
    for (name, value) in parts {
        if let Some(value) = value {
            let _ = writeln!(text, "  {name:10} {}", escape::line(&value, LONG));
        }
    }
    text
}

/// What was made and what became of it.
fn rates(rates: &Rates) -> String {
    let share = |count: u64| {
        #[expect(clippy::cast_precision_loss, reason = "a share in per cent")]
        let share = 100.0 * count as f64 / rates.trials.max(1) as f64;
        format!("{share:.0} %")
    };
    format!(
        "made: {} with references, {} with unions\nanswered: {} as sent, {} converted, {} explained by a policy, {} refused or not offered, {} faulty\n",
        share(rates.referring),
        share(rates.united),
        share(rates.untouched),
        share(rates.converted),
        share(rates.explained),
        share(rates.unanswered),
        share(rates.faulty),
    )
}

fn per(count: u64, seconds: f64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a rate for people")]
    let count = count as f64;
    if seconds > 0.0 { count / seconds } else { 0.0 }
}

/// A bar on stderr, and a line a finding; drawn only if stderr is a terminal.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    begun: Instant,
    time: Duration,
    grace: Duration,
}

impl Progress {
    /// A bar for so much time, and so much for making findings small.
    pub fn new(time: Duration, grace: Duration, visible: bool) -> Self {
        let bar = bar(Some(time.as_secs().max(1)), TEMPLATE, visible);
        Self { bar, begun: Instant::now(), time, grace }
    }

    /// Tells of a finding of a new kind.
    pub fn found(&self, finding: &Finding) {
        let group = escape::line(&finding.fault.group, SHORT);
        self.bar.println(format!("{}  {group}", finding.path.display()));
    }

    /// Tells how small a finding has become.
    pub fn smaller(&self, finding: &Finding) {
        let name = finding.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.bar.set_message(format!(
            "{name}: {} bytes, {}",
            finding.problem.size(),
            finding.state.name()
        ));
    }

    /// Tells how far the campaign is.
    pub fn tell(&self, outcome: &Outcome) {
        let elapsed = self.begun.elapsed();
        self.bar.set_position(elapsed.min(self.time).as_secs());
        let left = |time: Duration| time.saturating_sub(elapsed).as_secs();
        let left = if elapsed < self.time {
            format!("{} s left", left(self.time))
        } else {
            format!("making findings small, {} s at most", left(self.time + self.grace))
        };
        self.bar.set_prefix(format!(
            "{:.0} trials/s, {}, {left}",
            per(outcome.rates.trials, elapsed.as_secs_f64()),
            counted(outcome.findings.len(), "finding"),
        ));
    }

    /// Takes the bar away.
    pub fn finish(self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use indicatif::ProgressStyle;

    use super::*;

    #[test]
    fn the_template_is_one() {
        assert!(ProgressStyle::with_template(TEMPLATE).is_ok());
    }
}
