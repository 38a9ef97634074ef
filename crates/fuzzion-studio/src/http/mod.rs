//! HTTP/1.1, as far as browsers and scripts on the same machine need it.

mod request;
mod response;

pub(crate) use request::{Request, RequestError, RequestReader};
pub(crate) use response::{Response, Status};
