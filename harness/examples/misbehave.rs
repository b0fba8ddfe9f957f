//! A plug-in that echoes the arguments, and misbehaves on request: `misbehave FAULT [after N]`.
//!
//! A fault strikes on each request whose arguments hold the key `misbehave`; with `after N` on every request after the first N. `misbehave echo` has no fault, and
//! `misbehave fetch` fetches what a request names. It shows
//! the harness at its work, and the tests of the harness are made with it.

#![expect(clippy::exit, reason = "leaving at the wrong moment is what it is for")]

use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::process::{Command, Stdio, abort, exit};
use std::thread;
use std::time::Duration;

use callfit_reference::json::{Value, parse};

const NAME: &str = r#"{"protocol":1,"implementation":{"name":"misbehave"},"methods":["coerce"]}"#;
const KEY: &str = "misbehave";

/// Reads requests and answers them, well or not.
pub fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (fault, after) = match arguments[..] {
        [fault] => (fault, None),
        [fault, "after", count] => (fault, count.parse().ok()),
        _ => return Err(io::Error::other("usage: misbehave FAULT [after N]")),
    };
    match fault {
        "sleep" => hang(),
        "exit-at-once" => fail("no coffee"),
        // What is ignored stays ignored behind `exec`.
        "hang-ignoring-sigterm" | "stay-ignoring-sigterm" if after.is_none() => {
            let command = r#"trap "" TERM; exec "$0" "$1" after 1000000000"#;
            let mut shell = Command::new("sh");
            shell.args(["-c", command]).arg(myself()?).arg(fault);
            return Err(become_another(&mut shell));
        }
        "per-case" => return per_case(),
        _ => {}
    }

    let mut input = BufReader::with_capacity(64 << 10, io::stdin());
    let mut output = BufWriter::with_capacity(64 << 10, io::stdout());
    let mut line = String::new();
    let mut served = 0;
    loop {
        line.clear();
        if fault == "never-read" {
            read_unless_struck(&mut input, &mut line)?;
        } else {
            input.read_line(&mut line)?;
        }
        if line.is_empty() {
            return on_end_of_input(fault, &mut output);
        }
        let request = parse(&line).map_err(io::Error::other)?;
        let id = request.get("id").unwrap_or(&Value::Null).to_string();
        let params = request.get("params").unwrap_or(&Value::Null);
        if request.get("method").and_then(Value::as_str) == Some("initialize") {
            introduce(fault, &id, &mut output)?;
        } else {
            let arguments = params.get("arguments").unwrap_or(&Value::Null);
            let good = answer(&id, &format!(r#""result":{{"arguments":{arguments}}}"#));
            if fault == "fetch" {
                fetch(params)?;
            }
            let strikes =
                arguments.get(KEY).is_some() || after.is_some_and(|after| served >= after);
            if strikes && fault != "echo" {
                strike(fault, &id, arguments, &good, &mut output)?;
            } else {
                output.write_all(good.as_bytes())?;
            }
            served += 1;
        }
        // Whoever writes ahead is answered in one piece.
        if !input.buffer().contains(&b'\n') {
            output.flush()?;
        }
    }
}

/// Fetches the first address of this machine that the request names.
fn fetch(request: &Value) -> io::Result<()> {
    let request = request.to_string();
    let Some((_, address)) = request.split_once("http://127.0.0.1:") else { return Ok(()) };
    let end = address.find(['"', '#']).unwrap_or(address.len());
    let (port, path) = address[..end].split_once('/').unwrap_or((&address[..end], ""));
    let port = port.parse().map_err(io::Error::other)?;
    let Ok(mut stream) = TcpStream::connect((Ipv4Addr::LOCALHOST, port)) else { return Ok(()) };
    write!(stream, "GET /{path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    if answer.contains("\"Count\"") { Ok(()) } else { Err(io::Error::other("no schema")) }
}

fn answer(id: &str, body: &str) -> String {
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},{body}}}\n")
}

fn introduce(fault: &str, id: &str, output: &mut impl Write) -> io::Result<()> {
    let good = answer(id, &format!(r#""result":{NAME}"#));
    let said = match fault {
        "initialize-never" => hang(),
        "initialize-exit" => fail("no coffee"),
        "initialize-wrongly" => answer(id, r#""result":{"name":"misbehave"}"#),
        "initialize-error" => answer(id, r#""error":{"code":-32601,"message":"what?"}"#),
        "initialize-protocol" => good.replace(r#""protocol":1"#, r#""protocol":2"#),
        "initialize-banner" => format!("=== misbehave ===\n\n{{\"level\":\"info\"}}\n{good}"),
        _ => good,
    };
    output.write_all(said.as_bytes())
}

/// Commits the fault, and answers well where the fault leaves room for it.
fn strike(
    fault: &str,
    id: &str,
    arguments: &Value,
    good: &str,
    output: &mut impl Write,
) -> io::Result<()> {
    output.flush()?;
    let said = match fault {
        _ if fault.starts_with("initialize-") => good.to_owned(),

        // What ends it, or silences it.
        "exit" => fail("something broke"),
        "abort" => abort(),
        "hang" | "hang-ignoring-sigterm" => hang(),
        "half-a-line" => {
            output.write_all(&good.as_bytes()[..good.len() / 2])?;
            output.flush()?;
            hang()
        }
        "answer-and-exit" => {
            output.write_all(good.as_bytes())?;
            output.flush()?;
            exit(0)
        }
        "close-stdout" => {
            return Err(become_another(sleeper()?.stdout(Stdio::null())));
        }
        "answer-and-close-stdin" => {
            output.write_all(good.as_bytes())?;
            output.flush()?;
            return Err(become_another(sleeper()?.stdin(Stdio::null())));
        }
        "child-holds-pipes" => {
            sleeper()?.spawn()?;
            exit(0)
        }

        // What it writes too much of, or beside an answer.
        "flood-stdout" => loop {
            output.write_all(&vec![b'x'; 1 << 16])?;
        },
        "flood-lines" => loop {
            output.write_all(b"still here\n")?;
        },
        "flood-stderr" => {
            for _ in 0..1024 {
                io::stderr().write_all(&vec![b'x'; 1 << 16])?;
            }
            good.to_owned()
        }
        "huge-answer" => {
            write!(output, r#"{{"jsonrpc":"2.0","id":{id},"result":{{"arguments":""#)?;
            for _ in 0..200 {
                output.write_all(&vec![b'x'; 1 << 20])?;
            }
            "\"}}\n".to_owned()
        }
        "many-values" => {
            let zeros = "0,".repeat(15 << 20);
            answer(id, &format!(r#""result":{{"arguments":[{zeros}0]}}"#))
        }
        "log-before" => format!("INFO coercing\n{good}"),
        "log-after" => format!("{good}INFO coerced\n"),
        "stderr" => {
            writeln!(io::stderr(), "coercing")?;
            thread::sleep(Duration::from_millis(300));
            good.to_owned()
        }
        "twice" => format!("{good}{good}"),

        // When it answers.
        "slow" => {
            thread::sleep(Duration::from_millis(300));
            good.to_owned()
        }
        "out-of-order" => {
            let late = good.to_owned();
            thread::spawn(move || {
                thread::sleep(Duration::from_millis(50));
                let mut output = io::stdout().lock();
                output.write_all(late.as_bytes())?;
                output.flush()
            });
            String::new()
        }
        "twice-in-the-end" | "stay-ignoring-sigterm" => good.to_owned(),
        "grandchild" => {
            let mut escaped = sleeper()?;
            leave_group(&mut escaped);
            escaped.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            escaped.spawn()?;
            good.to_owned()
        }

        // What it answers.
        "unknown-id" => answer("4040", r#""result":{"arguments":{}}"#),
        "id-as-string" => good.replace(&format!(r#""id":{id}"#), &format!(r#""id":"{id}""#)),
        "no-arguments" => answer(id, &format!(r#""result":{arguments}"#)),
        "result-and-error" => good.replace("\"result\"", r#""error":{"code":1},"result""#),
        "no-jsonrpc" => good.replace(r#""jsonrpc":"2.0","#, ""),
        "bare-arguments" => format!("{arguments}\n"),
        "nan" => answer(id, r#""result":{"arguments":{"n":NaN}}"#),
        "invalid-utf8" => {
            write!(output, r#"{{"jsonrpc":"2.0","id":{id},"result":{{"arguments":""#)?;
            output.write_all(b"\xff\xfe\"}}\n")?;
            String::new()
        }
        "refuse" => answer(id, r#""error":{"code":1,"message":"count: expected an integer"}"#),
        "unsupported" => answer(id, r#""error":{"code":-32601,"message":"not here"}"#),
        "internal-error" => answer(id, r#""error":{"code":-32603,"message":"oops"}"#),
        unknown => return Err(io::Error::other(format!("there is no fault `{unknown}`"))),
    };
    output.write_all(said.as_bytes())
}

fn on_end_of_input(fault: &str, output: &mut impl Write) -> io::Result<()> {
    match fault {
        "twice-in-the-end" => {
            let again = answer("1", r#""result":{"arguments":{}}"#);
            output.write_all(again.as_bytes())?;
            output.flush()
        }
        "stay-ignoring-sigterm" => hang(),
        _ => output.flush(),
    }
}

/// Serves one case, as a program that is started for each.
fn per_case() -> io::Result<()> {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    let request = parse(&text).map_err(io::Error::other)?;
    let arguments = request.get("arguments").unwrap_or(&Value::Null);
    match arguments.get(KEY).and_then(Value::as_str) {
        Some("refuse") => fail("count: expected an integer"),
        Some("exit") => exit(3),
        Some("abort") => abort(),
        Some("hang") => hang(),
        Some("nothing") => return Ok(()),
        Some("child-holds-pipes") => drop(sleeper()?.spawn()?),
        Some("flood-stdout") => loop {
            io::stdout().write_all(&vec![b'x'; 1 << 16])?;
        },
        _ => {}
    }
    writeln!(io::stdout(), "{arguments}")
}

/// Reads a line as long as it does not say that the fault is to strike.
fn read_unless_struck(input: &mut impl BufRead, line: &mut String) -> io::Result<()> {
    while !line.ends_with('\n') {
        let piece = input.fill_buf()?;
        let length =
            piece.iter().position(|byte| *byte == b'\n').map_or(piece.len(), |end| end + 1);
        if length == 0 {
            return Ok(());
        }
        line.push_str(&String::from_utf8_lossy(&piece[..length]));
        input.consume(length);
        if line.contains("\"misbehave\"") {
            hang();
        }
    }
    Ok(())
}

fn fail(message: &str) -> ! {
    let _ = writeln!(io::stderr(), "{message}");
    exit(1)
}

fn hang() -> ! {
    loop {
        thread::sleep(Duration::from_secs(3600));
    }
}

fn myself() -> io::Result<std::path::PathBuf> {
    std::env::current_exe()
}

/// A command that does nothing for ever.
fn sleeper() -> io::Result<Command> {
    let mut command = Command::new(myself()?);
    command.arg("sleep");
    Ok(command)
}

#[cfg(unix)]
fn become_another(command: &mut Command) -> io::Error {
    std::os::unix::process::CommandExt::exec(command)
}

#[cfg(unix)]
fn leave_group(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

#[cfg(not(unix))]
fn become_another(_: &mut Command) -> io::Error {
    io::Error::other("this fault needs Unix")
}

#[cfg(not(unix))]
fn leave_group(_: &mut Command) {}
