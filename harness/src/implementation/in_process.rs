//! A coercer of this process: each call on a thread that can be given up.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use callfit_reference::json;

use super::door::Run;
use super::{Answer, Board, CannotRun, Coercer, CoercerError, Method, Reply, Request};

/// What the main thread of a program usually has: a coercer that recurses is judged by what its users see.
const STACK: usize = 8 << 20;

/// How soon the end of the run is noticed.
const NOTICE: Duration = Duration::from_millis(50);

/// A thread that calls the coercer, and whoever waits for it.
pub(super) struct Caller {
    coercer: Arc<dyn Coercer>,
    thread: CallingThread,
}

impl Caller {
    pub(super) fn new(coercer: &Arc<dyn Coercer>) -> Result<Self, CannotRun> {
        Ok(Self { coercer: Arc::clone(coercer), thread: CallingThread::start(coercer)? })
    }

    /// Carries requests to the coercer until there are no more.
    pub(super) fn work<B: Board>(&mut self, run: Run<'_, B>) -> Result<(), CannotRun> {
        while let Some((ticket, request)) = run.board.next_or_wait(|| run.is_over()) {
            let begun = Instant::now();
            let timeout = run.common.timeout;
            // The thread waits for requests as long as it is kept here.
            let _ = self.thread.requests.send(request);
            let answer = loop {
                let left = timeout.saturating_sub(begun.elapsed());
                match self.thread.answers.recv_timeout(left.min(NOTICE)) {
                    Ok(answer) => break answer,
                    Err(RecvTimeoutError::Timeout) if run.is_over() => return Ok(()),
                    Err(RecvTimeoutError::Timeout) if begun.elapsed() < timeout => {}
                    Err(_) => {
                        self.thread = CallingThread::start(&self.coercer)?;
                        break Answer::Timeout(timeout);
                    }
                }
            };
            let reply = Reply { answer, stderr: String::new(), took: begun.elapsed() };
            run.board.with(|board| board.settle(ticket, reply));
        }
        Ok(())
    }
}

/// A thread that calls the coercer. Nobody waits for its end: it may hang for ever.
struct CallingThread {
    requests: SyncSender<Request>,
    answers: Receiver<Answer>,
}

impl CallingThread {
    fn start(coercer: &Arc<dyn Coercer>) -> Result<Self, CannotRun> {
        let (requests, waiting) = sync_channel::<Request>(1);
        let (sender, answers) = sync_channel(1);
        let coercer = Arc::clone(coercer);
        thread::Builder::new()
            .name("coercer".to_owned())
            .stack_size(STACK)
            .spawn(move || {
                for request in waiting {
                    if sender.send(ask(&*coercer, &request)).is_err() {
                        return;
                    }
                }
            })
            .map_err(|source| CannotRun::CannotStart { program: "a thread".to_owned(), source })?;
        Ok(Self { requests, answers })
    }
}

/// Asks on this thread. A panic is a crash.
pub(crate) fn ask(coercer: &dyn Coercer, request: &Request) -> Answer {
    let subject = request.subject.as_deref().unwrap_or("null");
    let called = catch_unwind(AssertUnwindSafe(|| match request.method {
        Method::Coerce => coercer.coerce(&request.schema, subject),
        Method::Resolve => coercer.resolve(&request.schema, subject),
        Method::Sanitize => coercer.sanitize(&request.schema),
    }));
    match called {
        Ok(Ok(text)) => match json::parse(&text) {
            Ok(value) => Answer::Value(value),
            Err(error) => Answer::Error(format!("the answer is no JSON text: {error}")),
        },
        Ok(Err(CoercerError::Refused(message))) => Answer::Refused(message),
        Ok(Err(CoercerError::Unsupported)) => Answer::Unsupported("not offered".to_owned()),
        Ok(Err(CoercerError::Failed(message))) => Answer::Error(message),
        Err(panic) => Answer::Crash(format!("panicked: {}", message_of(&*panic))),
    }
}

fn message_of(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("without a message")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::implementation::About;

    /// Does what the arguments say.
    struct Obedient;

    impl Coercer for Obedient {
        fn about(&self) -> About {
            About::named("obedient")
        }

        fn coerce(&self, _: &str, arguments: &str) -> Result<String, CoercerError> {
            match arguments {
                "\"panic\"" => panic!("as I was told"),
                "\"refuse\"" => Err(CoercerError::Refused("no".to_owned())),
                "\"fail\"" => Err(CoercerError::Failed("broken".to_owned())),
                "\"nan\"" => Ok("NaN".to_owned()),
                other => Ok(other.to_owned()),
            }
        }
    }

    #[test]
    fn each_outcome_is_an_answer() {
        let asked = |method, subject: &str| {
            let request =
                Request { method, schema: "{}".to_owned(), subject: Some(subject.to_owned()) };
            ask(&Obedient, &request)
        };
        let coerced = |subject| asked(Method::Coerce, subject);
        assert_eq!(coerced("[1]"), Answer::Value(json::Value::from(vec![1.into()])));
        assert_eq!(coerced("\"refuse\""), Answer::Refused("no".to_owned()));
        assert_eq!(coerced("\"fail\""), Answer::Error("broken".to_owned()));
        assert!(matches!(coerced("\"nan\""), Answer::Error(_)));
        assert_eq!(coerced("\"panic\""), Answer::Crash("panicked: as I was told".to_owned()));
        assert!(matches!(asked(Method::Resolve, "{}"), Answer::Unsupported(_)));
        assert!(matches!(asked(Method::Sanitize, "{}"), Answer::Unsupported(_)));
    }
}
