//! Law *silent*, watched: where a schema of a case leads to this machine, somebody listens there while the case is run.
//!
//! In a case the address is [`ADDRESS`], which stands for the port that is listened at, and for a path that tells the requests apart. What is sent and what comes back is
//! translated, so that a report tells the address of the case, and the same one each time.

use std::collections::BTreeSet;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use callfit_reference::json::parse;

use crate::implementation::{Answer, Request, Ticket};

/// What addresses to this machine begin with in cases. Nobody listens at that port, so that the case means the same without a canary.
const ADDRESS: &str = "http://127.0.0.1:9/";
/// Who fetches is told this: a schema by which the text of an integer is converted, so that the answer shows it too.
const SCHEMA: &str = r#"{"type":"integer","$defs":{"Count":{"type":"integer"}}}"#;
/// Who connects and says nothing is waited for so long.
const PATIENCE: Duration = Duration::from_millis(500);
/// No more of what is asked is read.
const MOST: u64 = 8 << 10;

/// Somebody who listens, until it is dropped.
#[derive(Debug)]
pub(super) struct Canary {
    address: SocketAddr,
    /// The paths that were asked for.
    heard: Arc<Mutex<BTreeSet<String>>>,
    ended: Arc<AtomicBool>,
}

impl Canary {
    /// Whether a schema leads to this machine.
    pub fn is_named_in(schema: &str) -> bool {
        schema.contains(ADDRESS)
    }

    /// Begins to listen.
    pub fn listen() -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let canary =
            Self { address: listener.local_addr()?, heard: Arc::default(), ended: Arc::default() };
        let (heard, ended) = (Arc::clone(&canary.heard), Arc::clone(&canary.ended));
        thread::Builder::new().name("canary".to_owned()).spawn(move || {
            for stream in listener.incoming() {
                if ended.load(Ordering::Relaxed) {
                    break;
                }
                // Whoever goes away again has not fetched anything.
                if let Ok(path) = stream.and_then(|stream| serve(&stream)) {
                    heard.lock().unwrap_or_else(PoisonError::into_inner).insert(path);
                }
            }
        })?;
        Ok(canary)
    }

    /// What to send in place of a request.
    pub fn sent(&self, ticket: Ticket, request: &Request) -> Request {
        let mine = self.of(ticket);
        Request {
            method: request.method,
            schema: request.schema.replace(ADDRESS, &mine),
            subject: request.subject.as_ref().map(|subject| subject.replace(ADDRESS, &mine)),
        }
    }

    /// What an answer to that means.
    pub fn meant(&self, ticket: Ticket, answer: Answer) -> Answer {
        let mine = self.of(ticket);
        let told = |text: String| text.replace(&mine, ADDRESS);
        match answer {
            Answer::Value(value) => Answer::Value(parse(&told(value.to_string())).unwrap_or(value)),
            Answer::Refused(message) => Answer::Refused(told(message)),
            Answer::Unsupported(message) => Answer::Unsupported(told(message)),
            Answer::Error(message) => Answer::Error(told(message)),
            Answer::Crash(how) => Answer::Crash(told(how)),
            Answer::Timeout(after) => Answer::Timeout(after),
        }
    }

    /// What was fetched over a request so far, in the words of the case.
    pub fn fetched(&self, ticket: Ticket) -> Vec<String> {
        let heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        let mine = format!("/{}/", ticket.0);
        let paths = heard.iter().filter_map(|path| path.strip_prefix(&mine));
        paths.map(|path| format!("{ADDRESS}{path}")).collect()
    }

    fn of(&self, ticket: Ticket) -> String {
        format!("http://{}/{}/", self.address, ticket.0)
    }
}

impl Drop for Canary {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        // Wakes it.
        let _ = TcpStream::connect_timeout(&self.address, PATIENCE);
    }
}

/// Answers one request, and tells its path.
fn serve(stream: &TcpStream) -> io::Result<String> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut lines = BufReader::new(stream.take(MOST)).lines();
    let first = lines.next().ok_or(io::ErrorKind::UnexpectedEof)??;
    let path = first.split(' ').nth(1).ok_or(io::ErrorKind::InvalidData)?.to_owned();
    // A request that is not read to its end would be answered by a reset.
    while lines.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
    let length = SCHEMA.len();
    let answer = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{SCHEMA}"
    );
    // It did ask, whether it waits for the answer or not.
    let mut stream = stream;
    let _ = stream.write_all(answer.as_bytes());
    Ok(path)
}
