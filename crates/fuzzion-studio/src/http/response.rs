//! Responses and the headers that all of them have.

use serde::Serialize;
use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};

/// Headers of every response. The policy allows only the files of the page itself: no inline scripts or styles, no other
/// servers.
const HEADERS: &str = "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; \
     img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n\
     X-Content-Type-Options: nosniff\r\n\
     Referrer-Policy: no-referrer\r\n\
     Cross-Origin-Resource-Policy: same-origin\r\n\
     Cross-Origin-Opener-Policy: same-origin\r\n\
     Cache-Control: no-store\r\n";

/// Status of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Ok,
    BadRequest,
    Forbidden,
    NotFound,
    MethodNotAllowed,
    LengthRequired,
    BodyTooLarge,
    Unprocessable,
    HeadersTooLarge,
    InternalError,
    Unavailable,
}

impl Status {
    fn line(self) -> &'static str {
        match self {
            Status::Ok => "200 OK",
            Status::BadRequest => "400 Bad Request",
            Status::Forbidden => "403 Forbidden",
            Status::NotFound => "404 Not Found",
            Status::MethodNotAllowed => "405 Method Not Allowed",
            Status::LengthRequired => "411 Length Required",
            Status::BodyTooLarge => "413 Content Too Large",
            Status::Unprocessable => "422 Unprocessable Content",
            Status::HeadersTooLarge => "431 Request Header Fields Too Large",
            Status::InternalError => "500 Internal Server Error",
            Status::Unavailable => "503 Service Unavailable",
        }
    }
}

/// Writes the parts of a body of unknown length.
pub(crate) type StreamBody = Box<dyn FnOnce(&mut dyn Write) -> io::Result<()> + Send>;

/// Body of a response.
pub(crate) enum Body {
    Bytes(Cow<'static, [u8]>),
    /// A stream, such as server-sent events, after which the connection is closed.
    Stream(StreamBody),
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Body::Bytes(bytes) => f.write_str(&String::from_utf8_lossy(bytes)),
            Body::Stream(_) => f.write_str("stream"),
        }
    }
}

/// A response.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: Status,
    pub(crate) content_type: &'static str,
    pub(crate) body: Body,
}

impl Response {
    pub(crate) fn new(content_type: &'static str, body: impl Into<Cow<'static, [u8]>>) -> Self {
        Response { status: Status::Ok, content_type, body: Body::Bytes(body.into()) }
    }

    /// Server-sent events.
    pub(crate) fn events(write: StreamBody) -> Self {
        Response { status: Status::Ok, content_type: "text/event-stream", body: Body::Stream(write) }
    }

    pub(crate) fn json(value: &impl Serialize) -> Self {
        match serde_json::to_vec(value) {
            Ok(bytes) => Response::new("application/json", bytes),
            Err(cause) => {
                Response::error(Status::InternalError, &format!("internal error: {cause}; please report it"))
            }
        }
    }

    /// Numbers as little-endian bytes.
    pub(crate) fn float64(values: &[f64]) -> Self {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        Response::new("application/octet-stream", bytes)
    }

    /// `{"error": message}`.
    pub(crate) fn error(status: Status, message: &str) -> Self {
        Response { status, ..Response::json(&serde_json::json!({ "error": message })) }
    }

    /// Whether the connection ends after this response.
    pub(crate) fn is_stream(&self) -> bool {
        matches!(self.body, Body::Stream(_))
    }

    /// Writes the response; a stream ends the connection.
    pub(crate) fn write(self, out: &mut impl Write, keep_alive: bool) -> io::Result<()> {
        let head = |length: &str, keep_alive: bool| {
            let connection = if keep_alive { "keep-alive" } else { "close" };
            format!(
                "HTTP/1.1 {}\r\nContent-Type: {}\r\n{HEADERS}{length}Connection: {connection}\r\n\r\n",
                self.status.line(),
                self.content_type
            )
        };
        match self.body {
            Body::Bytes(bytes) => {
                // One write, so that small responses are one packet.
                let mut message =
                    head(&format!("Content-Length: {}\r\n", bytes.len()), keep_alive).into_bytes();
                message.extend_from_slice(&bytes);
                out.write_all(&message)
            }
            Body::Stream(write) => {
                out.write_all(head("", false).as_bytes())?;
                write(out)
            }
        }
    }
}
