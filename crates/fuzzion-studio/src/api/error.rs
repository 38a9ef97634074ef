//! Errors of calls.

use crate::http::{Response, Status};
use fuzzion::inference::InferenceError;
use serde_json::json;

/// An error that the page shows.
#[derive(Debug)]
pub(crate) struct ApiError {
    status: Status,
    /// One sentence.
    pub(crate) message: String,
    /// Line and column, from 1, of an error in a text.
    pub(crate) position: Option<(usize, usize)>,
}

impl ApiError {
    /// An error in what the user entered.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        ApiError { status: Status::Unprocessable, message: message.into(), position: None }
    }

    pub(crate) fn bad_request(message: impl Into<String>) -> Self {
        ApiError { status: Status::BadRequest, ..ApiError::new(message) }
    }

    pub(crate) fn forbidden(message: impl Into<String>) -> Self {
        ApiError { status: Status::Forbidden, ..ApiError::new(message) }
    }

    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        ApiError { status: Status::NotFound, ..ApiError::new(message) }
    }

    pub(crate) fn into_response(self) -> Response {
        let (line, column) = self.position.unzip();
        let body = json!({ "error": self.message, "line": line, "column": column });
        Response { status: self.status, ..Response::json(&body) }
    }
}

impl From<fuzzion::Error> for ApiError {
    fn from(error: fuzzion::Error) -> Self {
        match error {
            fuzzion::Error::Inference(InferenceError::Syntax { location, line, column, problem, .. }) => {
                // The page shows the position next to the text.
                let inner =
                    location.split_once(", ").map_or(String::new(), |(_, inner)| format!("{inner}: "));
                ApiError { position: Some((line, column)), ..ApiError::new(format!("{inner}{problem}")) }
            }
            other => ApiError::new(other.message()),
        }
    }
}

impl From<InferenceError> for ApiError {
    fn from(error: InferenceError) -> Self {
        fuzzion::Error::from(error).into()
    }
}

impl From<fuzzion::data::DataError> for ApiError {
    fn from(error: fuzzion::data::DataError) -> Self {
        fuzzion::Error::from(error).into()
    }
}
