//! What only the operating system can say or do: process groups, signals, and who carries a mark.

use std::fs;
use std::process::{Child, Command, ExitStatus};

pub(super) use platform::{end_group, has_ended, own_group};

/// The environment variable by which whatever a program started is found again.
pub(super) const MARK: &str = "CALLFIT_RUN";

/// How a process is ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Force {
    /// It may clear up.
    Terminate,
    /// It may not.
    Kill,
}

/// How an ended process reads after "it": `exited with status 3`, `was ended by signal 9 (SIGKILL)`.
pub(super) fn describe(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("exited with status {code}"),
        None => format!("was ended by {}", status.to_string().replace("signal: ", "signal ")),
    }
}

/// Kills every process whose mark begins with this: those that left their group and their parent, too. Does nothing where there is no `/proc`.
pub(super) fn kill_marked(mark: &str) {
    let needle = format!("{MARK}={mark}");
    // What is killed may have started another meanwhile; one that never tires is not followed for ever.
    for _ in 0..20 {
        let marked = processes_with(&needle);
        if marked.is_empty() {
            return;
        }
        for id in marked {
            platform::kill(id);
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

fn processes_with(needle: &str) -> Vec<i32> {
    let Ok(entries) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|id: &i32| {
            // A process that has ended and waits to be collected has an empty environment.
            fs::read(format!("/proc/{id}/environ")).is_ok_and(|environment| {
                environment
                    .split(|byte| *byte == 0)
                    .any(|variable| variable.starts_with(needle.as_bytes()))
            })
        })
        .collect()
}

#[cfg(unix)]
mod platform {
    use super::{Child, Command, Force};
    use std::os::unix::process::CommandExt;

    use rustix::process::{
        Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid,
    };

    /// Gives the program a group of its own, so that its children can be signalled with it.
    pub(in super::super) fn own_group(command: &mut Command) {
        command.process_group(0);
    }

    /// Signals the program's group.
    pub(in super::super) fn end_group(child: &mut Child, force: Force) {
        let signal = match force {
            Force::Terminate => Signal::TERM,
            Force::Kill => Signal::KILL,
        };
        // That nobody is there any more is what was wanted.
        let _ = kill_process_group(Pid::from_child(child), signal);
    }

    /// Whether it has ended. It is not collected: its id must stay its own until its group has been signalled.
    pub(in super::super) fn has_ended(child: &mut Child) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::Pid(Pid::from_child(child)), options), Ok(None))
    }

    pub(super) fn kill(id: i32) {
        if let Some(id) = Pid::from_raw(id) {
            let _ = kill_process(id, Signal::KILL);
        }
    }
}

/// What the standard library can do by itself.
#[cfg(not(unix))]
mod platform {
    use super::{Child, Command, Force};

    pub(in super::super) fn own_group(_: &mut Command) {}

    pub(in super::super) fn end_group(child: &mut Child, force: Force) {
        if force == Force::Kill {
            let _ = child.kill();
        }
    }

    pub(in super::super) fn has_ended(child: &mut Child) -> bool {
        !matches!(child.try_wait(), Ok(None))
    }

    pub(super) fn kill(_: i32) {}
}
