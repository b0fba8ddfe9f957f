//! The two pipes by which a program is spoken to, neither of which can hold up the harness.
//!
//! Where the system can say which pipe is ready, whoever asks writes and reads: no thread need be woken on the way. Elsewhere each pipe has a thread of its own.

#[cfg(unix)]
mod ready;
#[cfg(any(test, not(unix)))]
#[cfg_attr(unix, expect(dead_code, reason = "the tests use a part of it"))]
mod threads;

#[cfg(unix)]
pub(super) use ready::Pipes;
#[cfg(not(unix))]
pub(super) use threads::Pipes;

/// How many bytes are read at once. While one batch of lines is judged, the program should already have the requests that the one before made room for.
const BATCH: usize = 8 << 10;

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};
    use std::time::Duration;

    /// A program that gives back what it reads gets more than a pipe holds, and the end behind it.
    macro_rules! comes_back_whole {
        ($pipes:path) => {{
            let mut cat = Command::new("cat")
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .expect("cat starts");
            let (stdin, stdout) = (cat.stdin.take(), cat.stdout.take());
            let mut pipes = <$pipes>::new(stdin.expect("stdin"), stdout.expect("stdout"))
                .expect("the pipes are set up");
            let sent = vec![b'x'; 300 << 10];
            let mut rest = sent.clone();
            pipes.write(&mut rest);
            assert!(rest.is_empty());
            pipes.close_stdin();
            let mut came = Vec::new();
            while let Some(end) = pipes.receive(Duration::from_secs(60), |bytes| {
                came.extend_from_slice(bytes);
                Some(bytes.is_empty())
            }) {
                if end {
                    break;
                }
            }
            assert_eq!(came.len(), sent.len());
            cat.wait().expect("cat ends");
        }};
    }

    #[cfg(unix)]
    #[test]
    fn what_is_written_by_whoever_asks() {
        comes_back_whole!(super::ready::Pipes);
    }

    #[test]
    fn what_is_written_by_threads() {
        comes_back_whole!(super::threads::Pipes);
    }
}
