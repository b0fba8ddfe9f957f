//! What must never happen to the harness: each fault by a program that really commits it.
//!
//! Eight requests are sent, of which the fourth is the guilty one. No test measures time: a timeout here is short where it must run out, and long where it must not.

mod program;
mod sheet;

#[path = "../common/example.rs"]
mod example;

use std::sync::Arc;
use std::time::Duration;

use callfit::implementation::{
    About, Answer, CannotRun, Coercer, CoercerError, Door, Launch, Method,
};

use program::{large, misbehaving};
use sheet::{GUILTY, Sheet, play};

const SHORT: Duration = Duration::from_secs(1);
const LONG: Duration = Duration::from_secs(60);

// ---- ends and silences

#[test]
fn exits_in_the_middle() {
    let sheet = play("exit", LONG);
    sheet.guilty_crashed("exited with status 1");
    assert!(sheet.replies[&GUILTY].stderr.contains("something broke"));
}

#[test]
fn is_killed_in_the_middle() {
    play("abort", LONG).guilty_crashed("signal 6 (SIGABRT)");
}

#[test]
fn hangs() {
    play("hang", SHORT).guilty_timed_out();
}

#[test]
fn hangs_and_ignores_sigterm() {
    play("hang-ignoring-sigterm", SHORT).guilty_timed_out();
}

#[test]
fn stays_at_the_end_and_ignores_sigterm() {
    play("stay-ignoring-sigterm", LONG).all_answered();
}

#[test]
fn half_a_line_and_silence() {
    play("half-a-line", SHORT).guilty_timed_out();
}

#[test]
fn closes_stdout_and_lives() {
    play("close-stdout", LONG).guilty_crashed("closed its stdout");
}

#[test]
fn closes_stdin_and_lives() {
    play("answer-and-close-stdin", SHORT).all_answered();
}

#[test]
fn exits_between_answers() {
    play("answer-and-exit", LONG).all_answered();
    play("answer-and-exit after 0", LONG).all_answered();
}

#[test]
fn never_reads_a_large_case() {
    let mut sheet = Sheet::new();
    sheet.pad(GUILTY, 8 << 20);
    sheet.play_at("never-read", SHORT).guilty_timed_out();
}

#[test]
fn a_large_case_is_answered() {
    let mut sheet = Sheet::new();
    sheet.pad(GUILTY, 8 << 20);
    sheet.play_at("echo", LONG).all_answered();
}

// ---- answers slowly, late, in another order

#[test]
fn answers_just_under_the_limit() {
    // All eight together take longer than the limit.
    play("slow after 0", Duration::from_secs(2)).all_answered();
}

#[test]
fn answers_out_of_order() {
    play("out-of-order", LONG).all_answered();
}

#[test]
fn answers_twice() {
    let sheet = play("twice", LONG);
    sheet.all_answered();
    assert_eq!(sheet.late.len(), 1);
    assert!(sheet.late[&GUILTY].contains("answered twice"));
}

#[test]
fn answers_twice_in_the_end() {
    let sheet = play("twice-in-the-end", LONG);
    sheet.all_answered();
    assert!(sheet.late[&0].contains("answered twice"));
}

// ---- children

#[test]
fn starts_a_child_that_holds_the_pipes_and_exits() {
    play("child-holds-pipes", LONG).guilty_crashed("exited with status 0");
}

#[test]
fn forks_a_grandchild_that_survives() {
    play("grandchild", LONG).all_answered();
}

// ---- too much, or beside an answer

#[test]
fn floods_stdout_without_a_newline() {
    large(|| play("flood-stdout", LONG)).guilty_erred("without an end");
}

#[test]
fn floods_stdout_with_lines() {
    let sheet = large(|| play("flood-lines", LONG));
    sheet.guilty_erred("still here");
}

#[test]
fn floods_stderr() {
    let sheet = large(|| play("flood-stderr", LONG));
    sheet.all_answered();
    assert!(sheet.replies.values().all(|reply| reply.stderr.len() <= 16 << 10));
}

#[test]
fn answers_200_megabytes() {
    large(|| play("huge-answer", LONG)).guilty_erred("without an end");
}

#[test]
fn answers_30_megabytes_of_zeros() {
    large(|| play("many-values", LONG)).guilty_erred("values");
}

#[test]
fn prints_a_banner_before_the_first_answer() {
    let sheet = play("initialize-banner", LONG);
    sheet.all_answered();
    assert_eq!(sheet.warnings.len(), 1);
    assert!(sheet.warnings[0].contains("=== misbehave ==="));
}

#[test]
fn logs_on_stdout_before_an_answer() {
    play("log-before", LONG).guilty_erred("INFO coercing");
}

#[test]
fn logs_on_stdout_before_every_answer() {
    let sheet = play("log-before after 0", LONG);
    for reply in sheet.replies.values() {
        assert!(matches!(&reply.answer, Answer::Error(problem) if problem.contains("INFO")));
    }
}

#[test]
fn logs_on_stdout_after_an_answer() {
    let sheet = play("log-after", LONG);
    sheet.all_answered();
    assert!(sheet.warnings[0].contains("INFO coerced"));
}

#[test]
fn logs_on_stdout_after_the_only_answer() {
    let mut sheet = Sheet::new();
    sheet.waiting.retain(|(ticket, _)| ticket.0 == GUILTY);
    let sheet = sheet.play_at("log-after", LONG);
    assert!(sheet.late[&GUILTY].contains("INFO coerced"));
}

#[test]
fn stderr_is_kept_with_the_case() {
    let mut sheet = Sheet::new();
    sheet.waiting.retain(|(ticket, _)| ticket.0 == GUILTY);
    let sheet = sheet.play_at("stderr", LONG);
    assert_eq!(sheet.replies[&GUILTY].stderr, "coercing\n");
}

// ---- answers wrongly

#[test]
fn answers_an_unknown_id() {
    play("unknown-id", LONG).guilty_erred("4040");
}

#[test]
fn answers_in_the_wrong_shape() {
    play("no-arguments", LONG).guilty_erred("holds `arguments`");
    play("result-and-error", LONG).guilty_erred("`result` and `error`");
    play("no-jsonrpc", LONG).guilty_erred("jsonrpc");
    play("id-as-string", LONG).guilty_erred("`id`");
    play("bare-arguments", LONG).guilty_erred("no `id`");
}

#[test]
fn answers_what_is_no_json() {
    play("nan", LONG).guilty_erred("NaN");
    play("invalid-utf8", LONG).guilty_erred("UTF-8");
}

#[test]
fn answers_with_an_error() {
    let answer = |fault| {
        let sheet = play(fault, LONG);
        sheet.neighbours_answered();
        sheet.replies[&GUILTY].answer.clone()
    };
    let refusal = "count: expected an integer".to_owned();
    assert_eq!(answer("refuse"), Answer::Refused(refusal));
    assert_eq!(answer("unsupported"), Answer::Unsupported("not here".to_owned()));
    assert_eq!(answer("internal-error"), Answer::Error("error -32603: oops".to_owned()));
}

// ---- cannot be run

#[test]
fn a_command_that_does_not_exist() {
    let launch = |program: &str| Launch { program: program.to_owned(), ..Launch::default() };
    let why = |launch| {
        let sheet = Sheet::new().play(&Door::Program(launch), LONG, 1);
        assert!(sheet.replies.is_empty() && sheet.about.is_none());
        sheet.result.expect_err("it cannot be run")
    };
    assert!(matches!(why(launch("no-such-command")), CannotRun::NoSuchCommand { .. }));
    assert!(matches!(why(launch("./no/such/command")), CannotRun::NoSuchCommand { .. }));

    let folder = tempfile::tempdir().expect("a folder");
    let elsewhere = Launch { directory: Some(folder.path().join("nowhere")), ..launch("sh") };
    assert!(matches!(why(elsewhere), CannotRun::NoSuchDirectory { .. }));
    let script = folder.path().join("script");
    std::fs::write(&script, "#!/no/such/interpreter\n").expect("a script");
    let script = launch(script.to_str().expect("a path in UTF-8"));
    assert!(matches!(why(script.clone()), CannotRun::CannotStart { .. }), "no permission");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let permissions = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(&script.program, permissions).expect("to be executed");
        assert!(matches!(why(script), CannotRun::NoSuchInterpreter { .. }));
    }
}

#[test]
fn exits_at_once() {
    for fault in ["exit-at-once", "initialize-exit"] {
        let why = play(fault, LONG).could_not_be_run();
        assert!(why.contains("exited with status 1"), "{why}");
        assert!(why.contains("no coffee"), "{why}");
    }
}

#[test]
fn answers_initialize_never() {
    let why = play("initialize-never", Duration::from_millis(250)).could_not_be_run();
    assert!(why.contains("did not answer `initialize` within 1s"), "{why}");
}

#[test]
fn answers_initialize_wrongly() {
    let why = play("initialize-wrongly", LONG).could_not_be_run();
    assert!(why.contains("must hold `protocol`") && why.contains("expected {"), "{why}");
    let why = play("initialize-error", LONG).could_not_be_run();
    assert!(why.contains("answered with an error") && why.contains("what?"), "{why}");
}

#[test]
fn speaks_another_protocol() {
    let why = play("initialize-protocol", LONG).could_not_be_run();
    assert!(why.contains("speaks protocol 2"), "{why}");
}

#[test]
fn ends_again_and_again() {
    let mut sheet = Sheet::new();
    sheet.extend_to(40);
    let sheet = sheet.play_at("exit after 0", LONG);
    // What was learned until then stands.
    assert_eq!(sheet.replies.len(), 25);
    assert!(sheet.replies.values().all(|reply| matches!(reply.answer, Answer::Crash(_))));
    let why = sheet.could_not_be_run();
    assert!(why.contains("25 times in a row"), "{why}");
}

// ---- how the run is conducted

#[test]
fn ends_again_and_again_with_good_answers_in_between() {
    let mut sheet = Sheet::new();
    sheet.extend_to(60);
    let sheet = sheet.play_at("exit after 1", LONG);
    assert!(sheet.result.is_ok(), "{:?}", sheet.result);
    assert_eq!(sheet.replies.len(), 60);
}

#[test]
fn two_processes_share_the_work() {
    let sheet = Sheet::new().play(&misbehaving("echo"), LONG, 2);
    sheet.all_answered();
    let sheet = Sheet::new().play(&misbehaving("exit"), LONG, 2);
    sheet.guilty_crashed("exited with status 1");
}

#[test]
fn an_answer_may_bring_more_requests() {
    for jobs in [1, 2] {
        let mut sheet = Sheet::new();
        sheet.second_pass = true;
        let sheet = sheet.play(&misbehaving("exit"), LONG, jobs);
        sheet.guilty_crashed("exited with status 1");
        assert_eq!(sheet.replies.len(), 15, "all but the guilty one are asked twice");
    }
}

#[test]
fn the_user_stops_the_run() {
    for fault in ["hang", "exit", "echo"] {
        let mut sheet = Sheet::new();
        sheet.stop_after = Some(2);
        let sheet = sheet.play_at(fault, LONG);
        assert!(sheet.result.is_ok());
        assert!(sheet.replies.len() >= 2);
    }
}

#[test]
fn a_limit_beyond_every_clock() {
    play("echo", Duration::MAX).all_answered();
}

#[test]
fn the_program_introduces_itself() {
    let about = play("echo", LONG).about.expect("an introduction");
    assert_eq!(about, About::named("misbehave"));
}

// ---- the other doors

#[test]
fn a_program_per_case() {
    let ask = |what: &str, timeout| {
        let mut sheet = Sheet::new();
        sheet.set(GUILTY, &format!(r#"{{"misbehave":"{what}"}}"#));
        let Door::Program(launch) = misbehaving("per-case") else {
            panic!("a program");
        };
        let sheet = sheet.play(&Door::ProgramPerCase(launch), timeout, 2);
        sheet.neighbours_answered();
        let name = sheet.about.expect("an introduction").name;
        assert!(name.starts_with("misbehave"));
        sheet.replies[&GUILTY].answer.clone()
    };
    let refusal = "count: expected an integer".to_owned();
    assert_eq!(ask("refuse", LONG), Answer::Refused(refusal));
    let status = "the program exited with status 3".to_owned();
    assert_eq!(ask("exit", LONG), Answer::Crash(status));
    assert!(matches!(ask("abort", LONG), Answer::Crash(how) if how.contains("SIGABRT")));
    assert_eq!(ask("hang", SHORT), Answer::Timeout(SHORT));
    assert!(matches!(ask("nothing", LONG), Answer::Error(_)));
    assert!(matches!(ask("child-holds-pipes", LONG), Answer::Value(_)));
    let flood = large(|| ask("flood-stdout", LONG));
    assert!(matches!(flood, Answer::Error(problem) if problem.contains("without an end")));
}

#[test]
fn a_program_per_case_only_coerces() {
    let mut sheet = Sheet::new();
    sheet.waiting[0].1.method = Method::Resolve;
    let launch = Launch { program: "cat".to_owned(), ..Launch::default() };
    let sheet = sheet.play(&Door::ProgramPerCase(launch), LONG, 1);
    assert!(matches!(sheet.replies[&0].answer, Answer::Unsupported(_)));
}

#[test]
fn in_process() {
    struct Echo;
    impl Coercer for Echo {
        fn about(&self) -> About {
            About::named("echo")
        }
        fn coerce(&self, schema: &str, arguments: &str) -> Result<String, CoercerError> {
            match schema {
                r#""hang""# => loop {
                    std::thread::park();
                },
                r#""panic""# => panic!("as I was told"),
                _ => Ok(arguments.to_owned()),
            }
        }
    }
    let ask = |what: &str, timeout| {
        let mut sheet = Sheet::new();
        sheet.waiting[3].1.schema = format!("\"{what}\"");
        sheet.play(&Door::InProcess(Arc::new(Echo)), timeout, 2)
    };
    ask("nothing", LONG).all_answered();
    ask("hang", SHORT).guilty_timed_out();
    ask("panic", LONG).guilty_crashed("as I was told");
}
