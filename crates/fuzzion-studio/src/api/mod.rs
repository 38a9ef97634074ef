//! The calls of the page. Requests and responses are JSON, except for tables of numbers, which are 64-bit floats.
//!
//! | Call | Request | Response |
//! |---|---|---|
//! | `GET api/start` | | folder, first file, shapes, norms and other choices |
//! | `GET api/examples` | | systems of the gallery |
//! | `POST api/parse` | text, format, function block | system, warnings, or the error with its line and column; or function blocks to choose from |
//! | `POST api/write` | system, format | text of the file or of the source code |
//! | `POST api/evaluate` | system, inputs | curves, memberships, firing strengths, outputs, contributions |
//! | `POST api/infer` | system, rows | outputs of the rows |
//! | `POST api/surface` | system, output, axes | an output over one or two inputs |
//! | `POST api/compare` | two systems, output, axes | difference of an output over two inputs |
//! | `POST api/rule` | system, text, position | the error of a rule and possible next words |
//! | `POST api/check` | system | a job whose result is a list of findings |
//! | `POST api/numbers` | formula, named values, encoding, method | their alpha-cuts and curves, the same of other methods, problems with positions |
//! | `POST api/open` | path, function block | the same of a file in the start folder |
//! | `POST api/save` | path, system | a file in the start folder |
//! | `GET api/files` | | systems in the start folder |
//! | `GET api/data/files` | | tables in the start folder, the largest upload |
//! | `POST api/data/open` | path | a table of the start folder: its number, and its columns |
//! | `POST api/data/upload?name=…` | the file itself | the same of an uploaded table |
//! | `POST api/data/scatter` | table, x, y, color | rows as points, or counted in cells |
//! | `POST api/data/run` | table, system, columns | a job that computes the outputs for all rows |
//! | `POST api/data/residuals` | table, output, target | errors of an output |
//! | `POST api/data/cluster` | table, columns, settings | a job that finds clusters |
//! | `POST api/data/clusters` | table, number of clusters | the partition that is plotted and saved |
//! | `POST api/data/save` | table, path, results | a table in the start folder |
//! | `GET api/jobs/N/events`, `POST api/jobs/N/cancel` | | progress and result of a job |

mod check;
mod code;
mod curves;
mod data;
mod document;
mod error;
mod evaluate;
mod files;
mod grid;
mod jobs;
mod numbers;
mod rules;
mod start;
mod variables;

pub(crate) use data::Upload;
pub(crate) use error::ApiError;

use crate::folder::Folder;
use crate::http::{Request, RequestError, Response, Status};
use data::{MAX_UPLOAD_BYTES, Tables, Uploads};
use fuzzion::Device;
use jobs::Jobs;
use serde::de::DeserializeOwned;
use std::path::PathBuf;

/// Largest request: the JSON of a system is longer than its file.
const MAX_BODY_BYTES: usize = 64 << 20;

/// Largest request about a job.
const MAX_JOB_BODY_BYTES: usize = 1 << 10;

/// Largest request about a table.
const MAX_TABLE_BODY_BYTES: usize = 16 << 10;

/// The call whose body is a file, which is not kept in memory.
const UPLOAD: &str = "data/upload";

/// What the calls use.
pub(crate) struct Context {
    folder: Folder,
    file: Option<PathBuf>,
    device: Device,
    pub(crate) jobs: Jobs,
    tables: Tables,
    pub(crate) uploads: Uploads,
}

impl Context {
    pub(crate) fn new(folder: Folder, file: Option<PathBuf>, device: Device) -> Self {
        let (tables, uploads) = (Tables::default(), Uploads::default());
        Context { folder, file, device, jobs: Jobs::default(), tables, uploads }
    }
}

type ApiResult = Result<Response, ApiError>;
type Handler = fn(&Context, &Request) -> ApiResult;

/// Name, method, largest request and function of each call.
const CALLS: &[(&str, &str, usize, Handler)] = &[
    ("start", "GET", 0, start::start),
    ("examples", "GET", 0, start::examples),
    ("files", "GET", 0, files::list),
    ("parse", "POST", MAX_BODY_BYTES, files::parse),
    ("write", "POST", MAX_BODY_BYTES, files::write),
    ("open", "POST", MAX_BODY_BYTES, files::open),
    ("save", "POST", MAX_BODY_BYTES, files::save),
    ("evaluate", "POST", MAX_BODY_BYTES, evaluate::evaluate),
    ("infer", "POST", MAX_BODY_BYTES, grid::infer),
    ("surface", "POST", MAX_BODY_BYTES, grid::surface),
    ("compare", "POST", MAX_BODY_BYTES, grid::compare),
    ("rule", "POST", MAX_BODY_BYTES, rules::rule),
    ("check", "POST", MAX_BODY_BYTES, check::check),
    ("numbers", "POST", numbers::MAX_NUMBERS_BODY_BYTES, numbers::numbers),
    ("data/files", "GET", 0, data::files),
    ("data/open", "POST", MAX_TABLE_BODY_BYTES, data::open),
    (UPLOAD, "POST", MAX_UPLOAD_BYTES, data::upload),
    ("data/scatter", "POST", MAX_TABLE_BODY_BYTES, data::scatter),
    ("data/run", "POST", MAX_BODY_BYTES, data::run),
    ("data/residuals", "POST", MAX_TABLE_BODY_BYTES, data::residuals),
    ("data/cluster", "POST", MAX_TABLE_BODY_BYTES, data::cluster),
    ("data/clusters", "POST", MAX_TABLE_BODY_BYTES, data::show),
    ("data/save", "POST", MAX_TABLE_BODY_BYTES, data::save),
];

/// Largest body of a request to `path`.
pub(crate) fn body_limit(path: &str) -> usize {
    let name = path.strip_prefix("api/").unwrap_or_default();
    match CALLS.iter().find(|(call, ..)| *call == name) {
        Some((_, _, limit, _)) => *limit,
        None => MAX_JOB_BODY_BYTES,
    }
}

/// The temporary file for the body of an upload; `None` for requests whose body is kept in memory.
pub(crate) fn upload(
    path: &str,
    request: &Request,
    context: &Context,
) -> Option<Result<Upload, RequestError>> {
    let is_upload = path.strip_prefix("api/") == Some(UPLOAD) && request.method == "POST";
    is_upload.then(|| {
        let name = request.parameter("name").filter(|name| !name.is_empty());
        let upload = name
            .ok_or_else(|| ApiError::bad_request("the name of the file is missing; add the parameter `name`"))
            .and_then(|name| context.uploads.create(context.folder.root(), name));
        upload.map_err(|error| RequestError::Invalid(error.into_response()))
    })
}

/// Answers a call; `name` is the path after `api/`.
pub(crate) fn answer(name: &str, request: &Request, context: &Context) -> Response {
    if let Some(job) = name.strip_prefix("jobs/") {
        return jobs::answer(job, request, context).unwrap_or_else(ApiError::into_response);
    }
    match CALLS.iter().find(|(call, ..)| *call == name) {
        None => Response::error(Status::NotFound, "there is no such call"),
        Some((_, method, ..)) if *method != request.method => {
            Response::error(Status::MethodNotAllowed, &format!("this call needs the method {method}"))
        }
        Some((.., call)) => call(context, request).unwrap_or_else(ApiError::into_response),
    }
}

/// Parses the JSON of a request.
fn body<T: DeserializeOwned>(request: &Request) -> Result<T, ApiError> {
    serde_json::from_slice(&request.body)
        .map_err(|cause| ApiError::bad_request(format!("invalid request: {cause}")))
}
