//! The misbehaving program, what it leaves behind, and what it costs.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use callfit::implementation::{Door, Launch};

use crate::example::example;

/// What the harness may take, whatever a program does.
const MOST_MEMORY: u64 = 300 << 20;

/// The example `misbehave` with a fault.
pub fn misbehaving(fault: &str) -> Door {
    Door::Program(Launch {
        program: example("misbehave").to_str().expect("a path in UTF-8").to_owned(),
        arguments: fault.split(' ').map(str::to_owned).collect(),
        ..Launch::default()
    })
}

/// A variable by which a program of this test, and whatever it started, is found.
pub struct Mark(String);

impl Mark {
    pub fn new() -> Self {
        static MARKS: AtomicU64 = AtomicU64::new(0);
        let number = MARKS.fetch_add(1, Ordering::Relaxed);
        Self(format!("{}-{number}", std::process::id()))
    }

    pub fn put_on(&self, mut launch: Launch) -> Launch {
        let variable = ("CALLFIT_TEST".to_owned(), self.0.clone());
        launch.environment.push(variable);
        launch
    }

    pub fn assert_gone(&self) {
        let variable = format!("CALLFIT_TEST={}", self.0);
        let Ok(entries) = std::fs::read_dir("/proc") else {
            return;
        };
        for entry in entries.flatten() {
            let environment = std::fs::read(entry.path().join("environ")).unwrap_or_default();
            let is_left =
                environment.split(|byte| *byte == 0).any(|one| one == variable.as_bytes());
            assert!(!is_left, "a process is left behind: {}", entry.path().display());
        }
    }
}

/// Does what may take much memory, with no other such at its side, and checks that it did not.
pub fn large<T>(work: impl FnOnce() -> T) -> T {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let result = work();
    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        let peak = status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"))
            .and_then(|number| number.parse::<u64>().ok())
            .expect("the peak of the memory");
        assert!(peak << 10 < MOST_MEMORY, "the peak was {peak} kB");
    }
    result
}
