//! Tests of the server over real connections.

mod calls;
mod data;
mod files;
mod numbers;
mod protocol;

use crate::{Server, Settings};
use fuzzion::Device;
use serde_json::Value;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tempfile::TempDir;

pub(super) const TIPPER: &str = include_str!("../../page/examples/tipper.fll");

/// A running server and its folder.
pub(super) struct Running {
    pub(super) folder: TempDir,
    pub(super) port: u16,
    pub(super) token: String,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) body: Vec<u8>,
}

impl Answer {
    pub(super) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    pub(super) fn error(&self) -> String {
        self.json()["error"].as_str().unwrap().to_owned()
    }

    pub(super) fn numbers(&self) -> Vec<f64> {
        self.body.chunks_exact(8).map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap())).collect()
    }
}

impl Running {
    pub(super) fn new() -> Self {
        Running::with_hosts(Vec::new())
    }

    pub(super) fn with_hosts(hosts: Vec<String>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let settings = Settings::new(folder.path()).hosts(hosts);
        let server = Server::bind(settings, Device::cpu().unwrap()).unwrap();
        let url = server.url();
        let (address, token) =
            url.trim_start_matches("http://").trim_end_matches('/').split_once('/').unwrap();
        let port = address.rsplit_once(':').unwrap().1.parse().unwrap();
        let token = token.to_owned();
        let stop = Arc::new(AtomicBool::new(false));
        let flag = stop.clone();
        let thread = thread::spawn(move || server.run(|| flag.load(Ordering::Relaxed)).unwrap());
        Running { folder, port, token, stop, thread: Some(thread) }
    }

    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(super) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream
    }

    /// Sends `text` on a connection of its own, and reads until the server closes it or the response is complete.
    pub(super) fn raw(&self, text: &[u8]) -> Answer {
        let mut stream = self.connect();
        stream.write_all(text).unwrap();
        read(&mut stream)
    }

    /// A request with headers.
    pub(super) fn request(&self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        let length = body.len();
        self.raw(
            format!("{method} {path} HTTP/1.1\r\n{headers}Content-Length: {length}\r\n\r\n{body}").as_bytes(),
        )
    }

    pub(super) fn host(&self) -> String {
        format!("Host: 127.0.0.1:{}\r\n", self.port)
    }

    pub(super) fn get(&self, path: &str) -> Answer {
        self.request("GET", &format!("/{}/{path}", self.token), &self.host(), "")
    }

    pub(super) fn post(&self, call: &str, body: &Value) -> Answer {
        self.request("POST", &format!("/{}/api/{call}", self.token), &self.host(), &body.to_string())
    }

    /// The JSON of a system from FLL.
    pub(super) fn parse(&self, text: &str) -> Value {
        let answer = self.post("parse", &serde_json::json!({ "text": text, "format": "fll" }));
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
        answer.json()["system"].clone()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.take().unwrap().join().unwrap();
    }
}

/// Reads a response.
pub(super) fn read(stream: &mut TcpStream) -> Answer {
    let mut bytes = Vec::new();
    let mut part = [0; 65536];
    loop {
        if let Some(end) = bytes.windows(4).position(|w| w == b"\r\n\r\n") {
            let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
            let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: "));
            let body = &bytes[end + 4..];
            if head.contains("100 Continue") {
                bytes.drain(..end + 4);
                continue;
            }
            if length.is_some_and(|length| body.len() >= length.parse().unwrap()) {
                let status = head.split(' ').nth(1).unwrap().parse().unwrap();
                return Answer { status, body: body.to_vec(), head };
            }
        }
        match stream.read(&mut part) {
            Ok(0) | Err(_) => {
                let text = String::from_utf8_lossy(&bytes).into_owned();
                let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
                let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
                return Answer { status, head: head.to_owned(), body: body.as_bytes().to_vec() };
            }
            Ok(n) => bytes.extend_from_slice(&part[..n]),
        }
    }
}
