//! Reading tables: `api/data/files`, `api/data/open` and `api/data/upload`.

use super::column::Column;
use super::tables::{MAX_VALUES, OpenTable};
use super::upload::MAX_UPLOAD_BYTES;
use crate::api::{ApiError, ApiResult, Context, body};
use crate::http::{Request, Response};
use fuzzion::data::{DataError, Format, ReadTable, TableReader};
use fuzzion::{Device, Table};
use serde::Deserialize;
use serde_json::json;
use std::path::Path;
use std::sync::Mutex;

/// Maximum number of bytes of the different texts of a table.
const MAX_TEXT_BYTES: usize = 256 << 20;
/// Maximum number of columns of a table.
const MAX_COLUMNS: usize = 500;
/// Number of values that are read at a time.
const CHUNK_VALUES: usize = 1 << 20;
/// Extensions of files that may be tables.
const EXTENSIONS: [&str; 8] = ["csv", "tsv", "txt", "dat", "data", "npy", "parquet", "gz"];

/// The tables of the start folder, and the largest upload.
pub(crate) fn files(context: &Context, _: &Request) -> ApiResult {
    let mut files = context.folder.list(&EXTENSIONS);
    files.retain(|path| Format::from_path(Path::new(path)).is_some());
    Ok(Response::json(&json!({ "files": files, "max_bytes": MAX_UPLOAD_BYTES })))
}

#[derive(Deserialize)]
struct OpenRequest {
    path: String,
}

/// Opens a table of the start folder.
pub(crate) fn open(context: &Context, request: &Request) -> ApiResult {
    let OpenRequest { path } = body(request)?;
    let file = context.folder.file(&path)?;
    respond(context, read(&file, &path, &context.device)?)
}

/// Opens an uploaded table, whose name is a parameter of the query.
pub(crate) fn upload(context: &Context, request: &Request) -> ApiResult {
    let Some(upload) = &request.upload else {
        return Err(ApiError::bad_request("the upload is missing; send the file as the body"));
    };
    respond(context, read(&upload.path, &upload.name, &context.device)?)
}

fn respond(context: &Context, table: OpenTable) -> ApiResult {
    let id = context.tables.insert(table);
    let table = context.tables.find(id)?;
    Ok(Response::json(&table.describe(id)))
}

/// Reads the file at `path`, which errors call `name`.
fn read(path: &Path, name: &str, device: &Device) -> Result<OpenTable, ApiError> {
    let renamed = |error: DataError| {
        let message = fuzzion::Error::from(error).message();
        ApiError::new(message.replace(&*path.to_string_lossy(), name))
    };
    let mut reader = ReadTable::new().keep_text(true).device(device).open(path).map_err(renamed)?;
    let mut builder = Builder::new(&reader);
    let rows = (CHUNK_VALUES / reader.columns().max(1)).max(1);
    while let Some(chunk) = reader.next(rows).map_err(renamed)? {
        builder.add(&chunk).map_err(|problem| ApiError::new(format!("`{name}` {problem}")))?;
    }
    if builder.rows == 0 {
        return Err(renamed(DataError::NoData { path: path.to_path_buf(), what: "rows" }));
    }
    Ok(builder.finish(name, &reader, device))
}

/// The columns of the chunks that were read.
struct Builder {
    rows: usize,
    numbers: Vec<Vec<f64>>,
    texts: Vec<Texts>,
    text_bytes: usize,
}

/// A column of texts.
#[derive(Default)]
struct Texts {
    name: String,
    /// Number of columns of numbers before it.
    columns_before: usize,
    classes: Vec<String>,
    codes: Vec<u32>,
}

impl Builder {
    fn new(reader: &TableReader) -> Self {
        Builder { rows: 0, numbers: vec![Vec::new(); reader.columns()], texts: Vec::new(), text_bytes: 0 }
    }

    /// Appends the rows of a chunk; the error is the end of a sentence about the file.
    fn add(&mut self, chunk: &Table) -> Result<(), String> {
        let columns = self.numbers.len() + chunk.labels().len();
        if columns > MAX_COLUMNS {
            return Err(format!(
                "has {columns} columns, but at most {MAX_COLUMNS} are shown; choose columns with another program, or transpose the table"
            ));
        }
        self.rows += chunk.rows();
        if self.rows.saturating_mul(columns) > MAX_VALUES {
            return Err(format!("has more than {MAX_VALUES} values; use fewer rows or columns"));
        }
        let values = chunk.to_f64();
        for (j, column) in self.numbers.iter_mut().enumerate() {
            column.extend(values.iter().skip(j).step_by(chunk.columns()));
        }
        self.texts.resize_with(chunk.labels().len(), Texts::default);
        for (texts, labels) in self.texts.iter_mut().zip(chunk.labels()) {
            texts.name = labels.name().to_owned();
            texts.columns_before = labels.columns_before();
            // A text has the same code in all chunks.
            let new = labels.classes().get(texts.classes.len()..).unwrap_or_default();
            self.text_bytes += new.iter().map(String::len).sum::<usize>();
            if self.text_bytes > MAX_TEXT_BYTES {
                return Err(format!(
                    "has more than {} MiB of different texts; use fewer columns of texts",
                    MAX_TEXT_BYTES >> 20
                ));
            }
            texts.classes.extend_from_slice(new);
            texts.codes.extend_from_slice(labels.codes());
        }
        Ok(())
    }

    /// The table with its columns in the order of the file.
    fn finish(self, name: &str, reader: &TableReader, device: &Device) -> OpenTable {
        let numbers = reader.names().iter().cloned().zip(self.numbers).enumerate();
        let numbers = numbers.map(|(i, (name, values))| (i, Parts::Numbers(name, values)));
        let texts = self.texts.into_iter().map(|texts| (texts.columns_before, Parts::Texts(texts)));
        // Texts before the first column of numbers come first; the sort is stable.
        let mut parts: Vec<(usize, Parts)> = texts.chain(numbers).collect();
        parts.sort_by_key(|(position, _)| *position);
        let parts: Vec<Mutex<Option<Parts>>> =
            parts.into_iter().map(|(_, part)| Mutex::new(Some(part))).collect();
        let build = |i: usize| crate::api::jobs::lock(&parts[i]).take().map(Parts::into_column);
        let columns = device.host_cpu().map_chunks(parts.len(), 1, |range| build(range.start));
        OpenTable {
            name: name.to_owned(),
            rows: self.rows,
            precision: reader.precision(),
            columns: columns.into_iter().flatten().collect(),
            outputs: Mutex::default(),
            clusters: Mutex::default(),
        }
    }
}

enum Parts {
    Numbers(String, Vec<f64>),
    Texts(Texts),
}

impl Parts {
    fn into_column(self) -> Column {
        match self {
            Parts::Numbers(name, values) => Column::numbers(name, values),
            Parts::Texts(texts) => Column::texts(texts.name, texts.classes, &texts.codes),
        }
    }
}
