//! The bar that shows how far a run is.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::run::CaseRecord;

use super::escape;
use super::summary::topic;

const TEMPLATE: &str = "{bar:30} {pos}/{len}  {prefix}  {per_sec:.dim}  {wide_msg}";

/// A progress bar on stderr. It is drawn only if stderr is a terminal.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    wrong: usize,
}

impl Progress {
    /// A bar for so many cases; `visible` is false where the user asked for quiet.
    pub fn new(total: usize, visible: bool) -> Self {
        let bar = bar(u64::try_from(total).ok(), TEMPLATE, visible);
        bar.set_prefix("0 wrong");
        Self { bar, wrong: 0 }
    }

    /// Counts a case that was judged.
    pub fn case_done(&mut self, case: &CaseRecord) {
        if case.verdict.is_bad() && case.expected_failure.is_none() {
            self.wrong += 1;
            self.bar.set_prefix(format!("{} wrong", self.wrong));
        }
        self.bar.set_message(escape::line(topic(&case.id), 60));
        self.bar.inc(1);
    }

    /// Takes the bar away.
    pub fn finish(self) {
        self.bar.finish_and_clear();
    }
}

/// A bar in the look of a template.
pub(super) fn bar(total: Option<u64>, template: &str, visible: bool) -> ProgressBar {
    let target = if visible { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(total, target);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_is_one() {
        assert!(ProgressStyle::with_template(TEMPLATE).is_ok());
    }
}
