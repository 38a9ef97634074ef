//! Security, limits and HTTP.

use super::{Running, read};
use crate::assets::ASSETS;
use serde_json::json;
use std::fs;
use std::io::Write as _;
use std::path::Path;

#[test]
fn the_page_is_served_with_strict_headers() {
    let server = Running::new();
    let page = server.get("");
    assert_eq!(page.status, 200);
    for header in [
        "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self';",
        "X-Content-Type-Options: nosniff",
        "Referrer-Policy: no-referrer",
        "Cache-Control: no-store",
        "Content-Type: text/html; charset=utf-8",
    ] {
        assert!(page.head.contains(header), "{header}\n{}", page.head);
    }
    assert!(!page.head.contains("unsafe-inline"));
    assert_eq!(server.get("js/missing.js").status, 404);
    assert_eq!(server.get("api/missing").status, 404);
    assert_eq!(server.get("api/evaluate").status, 405);
    assert_eq!(server.request("POST", &format!("/{}/", server.token), &server.host(), "").status, 405);
}

#[test]
fn every_file_of_the_page_is_embedded_and_has_no_inline_code() {
    fn collect(folder: &Path, found: &mut Vec<String>, root: &Path) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect(&path, found, root);
            } else {
                found.push(path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/"));
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
    let mut files = Vec::new();
    collect(&root, &mut files, &root);
    files.retain(|file| !file.starts_with("examples/"));
    files.sort();
    let mut embedded: Vec<String> = ASSETS.iter().map(|(path, _)| (*path).to_owned()).collect();
    embedded.sort();
    assert_eq!(embedded, files);
    for (path, text) in ASSETS.iter().filter(|(path, _)| path.ends_with(".js")) {
        for forbidden in
            ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"]
        {
            assert!(!text.contains(forbidden), "{path} contains {forbidden}");
        }
        assert!(text.lines().count() <= 400, "{path} is too long");
    }
}

#[test]
fn a_wrong_token_host_or_origin_is_forbidden() {
    let server = Running::new();
    let (good, port) = (format!("/{}/api/start", server.token), server.port);
    let status = |path: &str, headers: &str| server.request("GET", path, headers, "").status;
    assert_eq!(status(&good, &server.host()), 200);
    assert_eq!(status(&good, &format!("Host: localhost:{port}\r\nOrigin: http://localhost:{port}\r\n")), 200);
    let wrong = if server.token.starts_with('0') { "1" } else { "0" };
    for path in [
        "/api/start".to_owned(),
        "/".to_owned(),
        format!("/{}", server.token),
        format!("/{wrong}{}/api/start", &server.token[1..]),
        format!("/{}0/api/start", server.token),
        "//api/start".to_owned(),
    ] {
        assert_eq!(status(&path, &server.host()), 403, "{path}");
    }
    for host in [
        "",
        "Host: evil.example\r\n",
        "Host: 127.0.0.1:1\r\n",
        "Host: localhost\r\n",
        "Host: 127.0.0.1.evil.example\r\n",
    ] {
        assert_eq!(status(&good, host), 403, "{host}");
    }
    let host = server.host();
    for origin in [
        "http://evil.example",
        "null",
        "https://127.0.0.1",
        "http://127.0.0.1:1",
        "http://localhost.evil.example",
    ] {
        assert_eq!(status(&good, &format!("{host}Origin: {origin}\r\n")), 403, "{origin}");
    }
}

#[test]
fn further_host_names_are_allowed_with_any_port() {
    let server = Running::with_hosts(vec!["workstation".into()]);
    let path = format!("/{}/api/start", server.token);
    for (host, expected) in [("workstation:9999", 200), ("Workstation", 200), ("other:9999", 403)] {
        assert_eq!(server.request("GET", &path, &format!("Host: {host}\r\n"), "").status, expected, "{host}");
    }
}

#[test]
fn a_large_upload_is_refused_before_it_is_read() {
    let server = Running::new();
    let head = format!(
        "POST /{}/api/parse HTTP/1.1\r\n{}Content-Length: 10000000000\r\n\r\n",
        server.token,
        server.host()
    );
    let answer = server.raw(head.as_bytes());
    assert_eq!(answer.status, 413);
    assert!(answer.error().starts_with("the upload is larger than 64 MiB"));
    // A call without a body has no limit to fill.
    let head =
        format!("GET /{}/api/start HTTP/1.1\r\n{}Content-Length: 1\r\n\r\n", server.token, server.host());
    assert_eq!(server.raw(head.as_bytes()).status, 413);
}

#[test]
fn invalid_requests_are_refused() {
    let server = Running::new();
    let (token, host) = (&server.token, server.host());
    let long = "x".repeat(20_000);
    for (request, status) in [
        ("nonsense\r\n\r\n".to_owned(), 400),
        (format!("GET /{token}/ HTTP/1.1\r\n{host}X: {long}\r\n\r\n"), 431),
        (format!("GET /{token}/ HTTP/1.1\r\n{host}{}\r\n", "X: y\r\n".repeat(70)), 431),
        (format!("POST /{token}/api/parse HTTP/1.1\r\n{host}Content-Length: x\r\n\r\n"), 400),
        (
            format!(
                "POST /{token}/api/parse HTTP/1.1\r\n{host}Content-Length: 1\r\nContent-Length: 1\r\n\r\n"
            ),
            400,
        ),
        (format!("POST /{token}/api/parse HTTP/1.1\r\n{host}Transfer-Encoding: chunked\r\n\r\n"), 411),
        (format!("GET /{token}/ HTTP/1.1\r\n{host}{host}\r\n"), 400),
    ] {
        assert_eq!(server.raw(request.as_bytes()).status, status, "{request:.80}");
    }
    let answer = server.request("POST", &format!("/{token}/api/parse"), &host, "{");
    assert_eq!(answer.status, 400);
}

#[test]
fn a_connection_serves_several_requests() {
    let server = Running::new();
    let mut stream = server.connect();
    let request = format!("GET /{}/api/start HTTP/1.1\r\n{}\r\n", server.token, server.host());
    for _ in 0..3 {
        stream.write_all(request.as_bytes()).unwrap();
        let answer = read(&mut stream);
        assert_eq!(answer.status, 200);
        assert!(answer.head.contains("Connection: keep-alive"));
    }
    // Two requests at once, the second with a body.
    let body = json!({ "text": super::TIPPER, "format": "fll" }).to_string();
    let post = format!(
        "POST /{}/api/parse HTTP/1.1\r\n{}Expect: 100-continue\r\nContent-Length: {}\r\n\r\n{body}",
        server.token,
        server.host(),
        body.len()
    );
    stream.write_all(format!("{request}{post}").as_bytes()).unwrap();
    assert_eq!(read(&mut stream).status, 200);
}

#[test]
fn the_number_of_connections_is_bounded() {
    let server = Running::new();
    let open: Vec<_> = (0..64).map(|_| server.connect()).collect();
    // The server counts a connection when it accepts it.
    let refused = (0..200).any(|_| server.get("api/start").status == 503);
    assert!(refused);
    drop(open);
    let accepted = (0..2000).any(|_| server.get("api/start").status == 200);
    assert!(accepted);
}

#[test]
fn a_job_streams_events_and_can_be_cancelled() {
    let server = Running::new();
    let system = server.parse(super::TIPPER);
    let job = server.post("check", &json!({ "system": system })).json()["job"].as_u64().unwrap();
    let events = server.get(&format!("api/jobs/{job}/events"));
    assert!(events.head.contains("text/event-stream"), "{}", events.head);
    let text = String::from_utf8(events.body).unwrap();
    assert!(text.contains("event: result\ndata: {\"findings\":"), "{text}");
    assert_eq!(server.post(&format!("jobs/{job}/cancel"), &json!({})).status, 200);
    assert_eq!(server.get("api/jobs/77/events").status, 404);
    assert_eq!(server.get("api/jobs/x/events").status, 404);
    assert_eq!(server.get(&format!("api/jobs/{job}/other")).status, 404);
}
