//! The fastest time of what a benchmark measures, for the ratio that it prints.

use std::io;
use std::sync::Mutex;
use std::time::Duration;

/// Keeps the fastest time, which other work on the machine disturbs least.
#[derive(Default)]
pub struct Stopwatch(Mutex<Option<Duration>>);

impl Stopwatch {
    /// Does the work so many times, and gives how long it took by its own account.
    pub fn time(&self, times: u64, work: impl Fn() -> io::Result<Duration>) -> Duration {
        let mut total = Duration::ZERO;
        for _ in 0..times {
            let took = work().unwrap_or_else(|error| panic!("the benchmark cannot run: {error}"));
            total += took;
            if let Ok(mut fastest) = self.0.lock() {
                *fastest = Some(fastest.map_or(took, |before| before.min(took)));
            }
        }
        total
    }

    /// None if it was never done.
    pub fn fastest(&self) -> Option<Duration> {
        self.0.lock().ok().and_then(|fastest| *fastest)
    }
}
