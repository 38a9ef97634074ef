//! Reading requests from a connection.

use super::response::{Response, Status};
use std::io::{self, Read};

/// Maximum size of the request line and the headers.
const MAX_HEAD_BYTES: usize = 16 << 10;
/// Maximum number of headers.
const MAX_HEADERS: usize = 64;

/// A request without its body, or with it after [`RequestReader::body`].
#[derive(Debug, Default)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// Path without the query.
    pub(crate) path: String,
    pub(crate) host: Option<String>,
    pub(crate) origin: Option<String>,
    pub(crate) body: Vec<u8>,
    pub(crate) content_length: usize,
    pub(crate) keep_alive: bool,
    pub(crate) expects_continue: bool,
}

/// Why no request was read.
#[derive(Debug)]
pub(crate) enum RequestError {
    /// The client closed the connection or was silent for too long.
    Closed,
    /// The request is invalid; the response explains why.
    Invalid(Response),
}

impl RequestError {
    fn invalid(status: Status, message: &str) -> Self {
        RequestError::Invalid(Response::error(status, message))
    }
}

impl From<io::Error> for RequestError {
    fn from(_: io::Error) -> Self {
        RequestError::Closed
    }
}

/// Reads requests one after another.
pub(crate) struct RequestReader<R> {
    stream: R,
    /// Bytes that were read but not used.
    buffer: Vec<u8>,
}

impl<R: Read> RequestReader<R> {
    pub(crate) fn new(stream: R) -> Self {
        RequestReader { stream, buffer: Vec::new() }
    }

    /// Reads the request line and the headers of the next request.
    pub(crate) fn head(&mut self) -> Result<Request, RequestError> {
        loop {
            let parsed = parse(&self.buffer)?;
            if parsed.as_ref().map_or(self.buffer.len(), |(_, bytes)| *bytes) > MAX_HEAD_BYTES {
                return Err(RequestError::invalid(
                    Status::HeadersTooLarge,
                    "the headers are larger than 16 KiB; send shorter headers",
                ));
            }
            if let Some((request, bytes)) = parsed {
                self.buffer.drain(..bytes);
                return Ok(request);
            }
            self.fill()?;
        }
    }

    /// Reads the body, whose length was compared with the limit before.
    pub(crate) fn body(&mut self, length: usize) -> Result<Vec<u8>, RequestError> {
        let mut body = std::mem::take(&mut self.buffer);
        if body.len() > length {
            self.buffer = body.split_off(length);
        }
        // The memory grows with what arrives, not with what the client announces.
        while body.len() < length {
            let read =
                (&mut self.stream).take((length - body.len()).min(1 << 20) as u64).read_to_end(&mut body)?;
            if read == 0 {
                return Err(RequestError::Closed);
            }
        }
        Ok(body)
    }

    fn fill(&mut self) -> Result<(), RequestError> {
        let mut bytes = [0; 8192];
        let read = self.stream.read(&mut bytes)?;
        if read == 0 {
            return Err(RequestError::Closed);
        }
        self.buffer.extend_from_slice(&bytes[..read]);
        Ok(())
    }
}

/// Parses the head of a request; `None` if it is incomplete.
fn parse(bytes: &[u8]) -> Result<Option<(Request, usize)>, RequestError> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut head = httparse::Request::new(&mut headers);
    let parsed = head.parse(bytes).map_err(|cause| match cause {
        httparse::Error::TooManyHeaders => {
            RequestError::invalid(Status::HeadersTooLarge, "the request has more than 64 headers; send fewer")
        }
        _ => RequestError::invalid(Status::BadRequest, "the request is not valid HTTP"),
    })?;
    let httparse::Status::Complete(length) = parsed else { return Ok(None) };
    let path = head.path.unwrap_or("/");
    let mut request = Request {
        method: head.method.unwrap_or_default().to_owned(),
        path: path.split(['?', '#']).next().unwrap_or_default().to_owned(),
        keep_alive: head.version == Some(1),
        ..Request::default()
    };
    let mut lengths = 0;
    for header in head.headers.iter() {
        let Ok(value) = std::str::from_utf8(header.value) else { continue };
        let value = value.trim();
        match header.name.to_ascii_lowercase().as_str() {
            "host" if request.host.is_some() => {
                return Err(RequestError::invalid(Status::BadRequest, "the request has two hosts"));
            }
            "host" => request.host = Some(value.to_owned()),
            "origin" => request.origin = Some(value.to_owned()),
            "content-length" => {
                let length = value.bytes().all(|digit| digit.is_ascii_digit()).then(|| value.parse().ok());
                let message = "the header `Content-Length` is not a number";
                request.content_length =
                    length.flatten().ok_or_else(|| RequestError::invalid(Status::BadRequest, message))?;
                lengths += 1;
            }
            "transfer-encoding" => {
                let message = "chunked requests are not supported; send `Content-Length`";
                return Err(RequestError::invalid(Status::LengthRequired, message));
            }
            "connection" if value.eq_ignore_ascii_case("close") => request.keep_alive = false,
            "expect" => request.expects_continue = value.eq_ignore_ascii_case("100-continue"),
            _ => {}
        }
    }
    if lengths > 1 {
        return Err(RequestError::invalid(Status::BadRequest, "the request has two lengths"));
    }
    Ok(Some((request, length)))
}
