//! Ctrl-C, SIGTERM and SIGHUP.

use crate::common::{TestDir, poll_until, send_signal, signals, text, with_default_signals};
use std::io::Write as _;
use std::process::{Child, ExitStatus, Stdio};

const SIGNALS: [(&str, u32, i32); 3] = [("HUP", 1, 129), ("INT", 2, 130), ("TERM", 15, 143)];

/// Runs `fuzzion` with a standard input that stays open, after `setup` in a shell.
fn start(dir: &TestDir, setup: &str, args: &str, (stdout, stderr): (Stdio, Stdio)) -> Child {
    let script = format!("{setup} exec \"$0\" {args}");
    let mut command = with_default_signals("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_fuzzion")]).current_dir(dir.path());
    command.stdin(Stdio::piped()).stdout(stdout).stderr(stderr).spawn().unwrap()
}

fn pipes() -> (Stdio, Stdio) {
    (Stdio::piped(), Stdio::piped())
}

/// A pipe to which nothing can be written; its reader must stay open.
fn full_pipe() -> (std::io::PipeReader, std::io::PipeWriter) {
    let (reader, mut writer) = std::io::pipe().unwrap();
    writer.write_all(&[0; 65536]).unwrap(); // the capacity of a pipe
    (reader, writer)
}

/// Waits until the program handles the signal with this number.
fn wait_for_handler(child: &Child, number: u32) {
    poll_until("the handler is installed", || signals(child.id(), "SigCgt") >> (number - 1) & 1 != 0);
}

fn wait_for_end(child: &mut Child) -> ExitStatus {
    let mut status = None;
    poll_until("the program ends", || {
        status = child.try_wait().unwrap();
        status.is_some()
    });
    status.unwrap()
}

#[test]
fn a_signal_ends_a_command_that_waits_for_a_pipe_with_128_plus_its_number() {
    let dir = TestDir::new();
    for args in ["head -", "sonfin fit - --target y --model m.json"] {
        for (name, number, code) in SIGNALS {
            let mut child = start(&dir, "", args, pipes());
            let _open = child.stdin.take();
            wait_for_handler(&child, number);
            send_signal(child.id(), name);
            assert_eq!(wait_for_end(&mut child).code(), Some(code), "{args} {name}");
            assert_eq!(text(&child.wait_with_output().unwrap().stderr), "fuzzion: interrupted\n");
        }
    }
    assert_eq!(dir.files(), [""; 0]);
}

#[test]
fn a_second_signal_ends_a_command_whose_message_cannot_be_printed() {
    let dir = TestDir::new();
    let (_reader, full) = full_pipe();
    for (name, number, code) in SIGNALS {
        let mut child = start(&dir, "", "head -", (Stdio::piped(), full.try_clone().unwrap().into()));
        let _open = child.stdin.take();
        wait_for_handler(&child, number);
        // Until the program ends, because a signal that follows too soon is merged with the one before it.
        poll_until("the program ends", || {
            let ended = child.try_wait().unwrap().is_some();
            if !ended {
                send_signal(child.id(), name);
            }
            ended
        });
        assert_eq!(child.wait().unwrap().code(), Some(code), "{name}");
    }
}

#[test]
fn a_second_signal_ends_a_fit_that_waits_for_the_reader_of_its_model() {
    let dir = TestDir::with("iris.csv", crate::common::IRIS);
    let args = "sonfin fit iris.csv --target species --classify --rules 5 --epochs 1 --model -";
    let (_reader, full) = full_pipe();
    let mut child = start(&dir, "", args, (full.into(), Stdio::piped()));
    wait_for_handler(&child, 2);
    crate::common::wait_until_blocked(child.id());
    send_signal(child.id(), "INT");
    poll_until("the first signal is handled", || signals(child.id(), "ShdPnd") & 0b10 == 0);
    send_signal(child.id(), "INT");
    assert_eq!(wait_for_end(&mut child).code(), Some(130));
}

#[test]
fn ignored_signals_stay_ignored() {
    let dir = TestDir::new();
    let mut child = start(&dir, "trap '' HUP INT;", "head - --json", pipes());
    wait_for_handler(&child, 15);
    assert_eq!(signals(child.id(), "SigIgn") & 0b11, 0b11);
    send_signal(child.id(), "HUP");
    send_signal(child.id(), "INT");
    child.stdin.take().unwrap().write_all(b"x\n1\n2\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("\"rows\":2"));
}

#[test]
fn a_file_beyond_the_size_limit_is_an_error_and_leaves_no_file() {
    let dir = TestDir::new();
    let child = start(&dir, "ulimit -f 8;", "data spirals --points 9000 --out s.csv", pipes());
    let output = child.wait_with_output().unwrap();
    let printed = text(&output.stderr);
    assert_eq!((output.status.code(), printed.lines().count()), (Some(1), 1), "{printed}");
    assert!(printed.starts_with("fuzzion: cannot write s.csv: file too large"), "{printed}");
    assert_eq!(dir.files(), [""; 0]);
    // Errors that the encoder of an image wraps have the same message.
    let pixels: String = (0..3 * 64 * 64).map(|i| format!("{} ", i * i % 251)).collect();
    dir.write("image.ppm", format!("P3 64 64 255 {pixels}"));
    let child = start(
        &dir,
        "ulimit -f 1;",
        "cluster image.ppm --clusters 200 --n-init 1 --max-iter 1 --plot l.png",
        pipes(),
    );
    let printed = text(&child.wait_with_output().unwrap().stderr);
    assert_eq!(printed, "fuzzion: cannot write l.png: file too large\n");
}
