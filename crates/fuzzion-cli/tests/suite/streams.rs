//! `fuzzion sonfin fit --stream` with pipes that stay open.

use crate::common::{
    TestDir, interrupt, poll_until, send_signal, signals, text, wait_until_blocked, with_default_signals,
};
use crate::sonfin::squares;
use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Stdio};

fn start(dir: &TestDir, args: &str) -> Child {
    let mut command =
        dir.command(&format!("sonfin fit - --target kind --classify --rules 12 --stream {args}"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Number of rows that the saved model has learned; `None` if there is no model.
fn rows_learned(dir: &TestDir) -> Option<u64> {
    let model = std::fs::read(dir.join("m.json")).ok()?;
    serde_json::from_slice::<serde_json::Value>(&model).unwrap()["state"]["seen"].as_u64()
}

#[test]
fn an_interrupted_stream_of_few_rows_saves_what_it_learned() {
    for rows in [4, 6, 90] {
        let dir = TestDir::with("squares.csv", squares(rows));
        let mut child = start(&dir, "--model m.json");
        let mut pipe = child.stdin.take().unwrap();
        pipe.write_all(squares(rows).as_bytes()).unwrap();
        pipe.write_all(b"9.5,the start of a row").unwrap();
        pipe.flush().unwrap();
        wait_until_blocked(child.id());
        interrupt(&child, 0.0);
        let output = child.wait_with_output().unwrap(); // the pipe is still open
        drop(pipe);
        assert_eq!(
            (output.status.code(), text(&output.stderr).as_str()),
            (
                Some(130),
                "fuzzion: interrupted; saved the model to `m.json`: use `--stream --resume` to continue with the following rows\n"
            )
        );
        assert_eq!(rows_learned(&dir), Some(rows as u64));
        dir.output_of(
            "sonfin fit squares.csv --target kind --classify --rules 12 --stream --model whole.json",
        );
        for model in ["m", "whole"] {
            dir.output_of(&format!("sonfin predict {model}.json squares.csv --scores --out {model}.csv"));
        }
        assert_eq!(dir.read("m.csv"), dir.read("whole.csv"));
    }
}

#[test]
fn rows_after_the_first_chunk_are_learned_as_they_come() {
    let dir = TestDir::new();
    let mut child = start(&dir, "--model m.json --chunk-rows 1000");
    let mut pipe = child.stdin.take().unwrap();
    let lines: Vec<String> = squares(2000).lines().map(|line| format!("{line}\n")).collect();
    pipe.write_all(lines[..1001].concat().as_bytes()).unwrap();
    poll_until("the first chunk is saved", || rows_learned(&dir).is_some());
    let mut following = lines[1001..].iter();
    poll_until("a following row is saved", || {
        pipe.write_all(following.next().unwrap().as_bytes()).unwrap();
        pipe.flush().unwrap();
        rows_learned(&dir).unwrap() > 1000
    });
    assert!(rows_learned(&dir).unwrap() < 2000); // and not only after the second chunk
    drop(pipe);
    assert!(child.wait_with_output().unwrap().status.success());
}

#[test]
fn the_example_of_the_documentation_learns_from_a_growing_file() {
    let page = include_str!("../../../../docs/src/sonfin.md");
    let example = page.lines().find_map(|line| line.strip_prefix("$ tail ")).unwrap();
    let dir = TestDir::with("sensors.csv", squares(40));
    let mut shell = with_default_signals("sh")
        .args(["-c", &format!("tail {example}")])
        .env("PATH", crate::examples::path_with_binary())
        .current_dir(dir.path())
        .process_group(0) // as in a terminal, where Ctrl-C reaches the whole pipeline
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut fuzzion = None;
    poll_until("the program handles SIGINT", || {
        let children = format!("/proc/{0}/task/{0}/children", shell.id());
        let children = std::fs::read_to_string(children).unwrap();
        let is_fuzzion = |id: &u32| {
            std::fs::read_to_string(format!("/proc/{id}/comm")).is_ok_and(|name| name.trim() == "fuzzion")
        };
        fuzzion = children.split_whitespace().map(|id| id.parse().unwrap()).find(is_fuzzion);
        fuzzion.is_some_and(|id| signals(id, "SigCgt") & 0b10 != 0)
    });
    wait_until_blocked(fuzzion.unwrap());
    send_signal(-i64::from(shell.id()), "INT");
    poll_until("the model is saved", || rows_learned(&dir) == Some(40));
    shell.wait().unwrap();
    assert!(dir.output_of("sonfin predict m.json sensors.csv").starts_with("label\n"));
}
