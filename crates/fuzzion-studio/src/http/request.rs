//! Reading requests from a connection.

use super::response::{Response, Status};
use crate::api::Upload;
use std::io::{self, Read, Write};

/// Maximum size of the request line and the headers.
const MAX_HEAD_BYTES: usize = 16 << 10;
/// Maximum number of headers.
const MAX_HEADERS: usize = 64;
/// Number of bytes of a file that are copied at a time.
const COPY_BYTES: usize = 256 << 10;

/// A request without its body, or with it after [`RequestReader::body`].
#[derive(Debug, Default)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// Path without the query.
    pub(crate) path: String,
    /// What follows `?`.
    query: String,
    pub(crate) host: Option<String>,
    pub(crate) origin: Option<String>,
    pub(crate) body: Vec<u8>,
    /// The body of an upload.
    pub(crate) upload: Option<Upload>,
    pub(crate) content_length: usize,
    pub(crate) keep_alive: bool,
    pub(crate) expects_continue: bool,
}

impl Request {
    /// Value of a parameter of the query.
    pub(crate) fn parameter(&self, name: &str) -> Option<String> {
        let pairs = self.query.split('&').filter_map(|pair| pair.split_once('='));
        let value = pairs.into_iter().find(|(known, _)| *known == name)?.1.as_bytes();
        let mut bytes = Vec::with_capacity(value.len());
        let mut at = 0;
        while at < value.len() {
            let digits = value.get(at + 1..at + 3).filter(|_| value[at] == b'%');
            let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
            match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
                Some(byte) => {
                    bytes.push(byte);
                    at += 3;
                }
                None => {
                    bytes.push(value[at]);
                    at += 1;
                }
            }
        }
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
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

    /// Writes the body, whose length was compared with the limit before, to `out`.
    pub(crate) fn body_into(&mut self, length: usize, out: &mut impl Write) -> Result<(), RequestError> {
        let failed = |cause: io::Error| {
            let message =
                format!("cannot write the upload to a temporary file: {cause}; free space on the disk");
            RequestError::invalid(Status::InternalError, &message)
        };
        let buffered = self.buffer.len().min(length);
        out.write_all(&self.buffer[..buffered]).map_err(failed)?;
        self.buffer.drain(..buffered);
        let (mut left, mut bytes) = (length - buffered, vec![0; COPY_BYTES]);
        while left > 0 {
            let read = self.stream.read(&mut bytes[..left.min(COPY_BYTES)])?;
            if read == 0 {
                return Err(RequestError::Closed);
            }
            out.write_all(&bytes[..read]).map_err(failed)?;
            left -= read;
        }
        Ok(())
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
        query: path.split_once('?').map_or("", |(_, query)| query).to_owned(),
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
