//! `fuzzion studio`

use crate::common::{TestDir, poll_until, send_signal, text, with_default_signals};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::Stdio;

#[test]
fn the_studio_serves_its_page_until_ctrl_c() {
    let dir = TestDir::with("tipper.fll", include_str!("../../../../examples/data/tipper.fll"));
    let mut command = with_default_signals(env!("CARGO_BIN_EXE_fuzzion"));
    command.args(["studio", "tipper.fll", "--no-open"]).current_dir(dir.path());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let (url, note) = (lines.next().unwrap(), lines.next().unwrap());
    assert_eq!(note, "closing the tab leaves the server running; press Ctrl-C to end it");
    let (address, token) = url.trim_start_matches("http://").trim_end_matches('/').split_once('/').unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    let request = format!("GET /{token}/api/start HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.contains("\"file\":\"tipper.fll\""), "{answer}");
    send_signal(child.id(), "INT");
    let mut status = None;
    poll_until("the server ends", || {
        status = child.try_wait().unwrap();
        status.is_some()
    });
    assert_eq!(status.unwrap().code(), Some(0));
}

#[test]
fn a_missing_file_or_a_used_port_is_an_error() {
    let dir = TestDir::new();
    let output = dir.command("studio missing.fll --no-open").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("cannot read missing.fll"), "{}", text(&output.stderr));
    let used = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = used.local_addr().unwrap().port();
    let output = dir.command(&format!("studio --no-open --port {port}")).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).contains(&format!("cannot listen on 127.0.0.1:{port}")),
        "{}",
        text(&output.stderr)
    );
}
