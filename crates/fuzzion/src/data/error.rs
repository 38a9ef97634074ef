//! Errors of tables, images and files.

use crate::base::{ErrorKind, count, escaped, from_lower, most_similar, suggestion};
use crate::device::DeviceError;
use std::io;
use std::path::{Path, PathBuf};

/// Result type of this module.
pub(crate) type Result<T, E = DataError> = std::result::Result<T, E>;

/// Error in reading, writing or the shape of data.
///
/// ```
/// use fuzzion::{Table, data::DataError};
/// let error = Table::new(["x", "y"], vec![1.0, 2.0, 3.0]).unwrap_err();
/// assert!(matches!(error, DataError::TableShape { values: 3, columns: 2 }));
/// assert!(error.to_string().starts_with("3 values cannot fill 2 columns evenly"));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DataError {
    /// A file could not be read or written.
    #[error("cannot {doing} {path}", path = target(doing, path))]
    File {
        /// The operation: `read` or `write`.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        #[source]
        cause: io::Error,
    },

    /// A non-numeric cell in a numeric column.
    #[error(
        "{path}, line {line}, column {column} (`{name}`): `{text}` is not a number; write a number such as \
         {number}, leave the cell empty if the value is missing, or read `{name}` as labels",
        path = shown(path), name = escaped(name), text = escaped(text)
    )]
    NotANumber {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// The column, from 1.
        column: usize,
        /// The column's name.
        name: Box<str>,
        /// The cell's text, truncated if long.
        text: Box<str>,
        /// The number format of the file.
        number: &'static str,
    },

    /// Text that is not UTF-8.
    #[error("{path}, line {line}, column {column}: invalid UTF-8; save the file as UTF-8", path = shown(path))]
    NotUtf8 {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// The column, from 1.
        column: usize,
    },

    /// A line with a different number of fields than the first line.
    #[error(
        "{path}, line {line}: expected {fields}, found {found}; fix the line, quote fields that contain the \
         separator, write decimal numbers with a point, or specify the separator",
        path = shown(path), fields = count(expected, "fields")
    )]
    FieldCount {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// Number of fields of the line.
        found: usize,
        /// Number of fields of the first line.
        expected: usize,
    },

    /// A file whose content is not valid for its format.
    #[error("{path} cannot be read as {format}: {}", escaped(reason), path = shown(path))]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The expected format.
        format: &'static str,
        /// The problem and how to fix it.
        reason: String,
    },

    /// A file larger than the available memory.
    #[error(
        "{path} needs {bytes} bytes of memory, more than is available; read it in chunks or in single precision",
        path = shown(path)
    )]
    OutOfMemory {
        /// The file.
        path: PathBuf,
        /// Number of bytes of its values.
        bytes: u64,
    },

    /// A file without data.
    #[error("{path} contains no {what}; at least one is required", path = shown(path))]
    NoData {
        /// The file.
        path: PathBuf,
        /// The missing content: `rows`, `columns of numbers`, `frames`, …
        what: &'static str,
    },

    /// A missing column.
    #[error(
        "missing column `{}`{}; available columns: {}",
        escaped(name), escaped(&suggestion(similar)), escaped(known)
    )]
    UnknownColumn {
        /// Its name.
        name: String,
        /// The available column with the most similar name, if one is similar.
        similar: Option<String>,
        /// The available columns.
        known: String,
    },

    /// Values that do not fill the columns evenly.
    #[error(
        "{} cannot fill {} evenly; the number of values must be a multiple of the number of columns",
        count(values, "values"),
        count(columns, "columns")
    )]
    TableShape {
        /// Number of values.
        values: usize,
        /// Number of columns.
        columns: usize,
    },

    /// An array that is not stored in row-major order without gaps.
    #[error(
        "the array is not stored in row-major order without gaps; call `as_standard_layout()`, or convert it to a `Table`"
    )]
    NotRowMajor,

    /// A column of a type that is not supported.
    #[error(
        "column `{}` has the type {found}, which is neither a number nor text; convert it, or leave it out",
        escaped(name)
    )]
    ColumnType {
        /// The column.
        name: String,
        /// Its type.
        found: String,
    },

    /// A label column whose length differs from the number of rows of its table.
    #[error(
        "label column `{}` has {}, but the table has {rows}; give one label per row",
        escaped(name),
        count(found, "rows")
    )]
    LabelRows {
        /// The label column.
        name: String,
        /// Its number of rows.
        found: usize,
        /// The table's number of rows.
        rows: usize,
    },

    /// Labels in a numeric-only file format.
    #[error("{format} files store numbers only; leave out the label column `{}`, or use CSV", escaped(name))]
    LabelsNotSupported {
        /// The format.
        format: &'static str,
        /// The label column.
        name: String,
    },

    /// A chunk of a table with different columns than the previous chunks.
    #[error(
        "a chunk for {path} differs from the previous chunks; all chunks must have the same columns and precision",
        path = shown(path)
    )]
    ChunkShape {
        /// The file being written.
        path: PathBuf,
    },

    /// A missing or infinite value where every value must be finite.
    #[error(
        "row {row}, column `{}` is {}, but every value must be finite; fill in or drop {} values, or \
         drop the column",
        escaped(name),
        if value.is_nan() { "missing (NaN)".into() } else { value.to_string() },
        if value.is_nan() { "missing" } else { "infinite" }
    )]
    NotFinite {
        /// The row, from 1 (not counting the header).
        row: u64,
        /// The column among those in use, from 1.
        column: usize,
        /// The column's name.
        name: String,
        /// The value.
        value: f64,
    },

    /// Columns that cannot be appended to the text of a table.
    #[error("cannot append columns: {problem}")]
    Append {
        /// The problem and how to fix it.
        problem: String,
    },

    /// An unsupported file format.
    #[error("{path}: unsupported format; supported formats: {known}", path = shown(path))]
    UnknownFormat {
        /// The file.
        path: PathBuf,
        /// The supported file extensions.
        known: &'static str,
    },

    /// A Parquet file in a build without Parquet support.
    #[error(
        "{path} is a Parquet file, but this build has no Parquet support; build with `--features parquet`, or \
         convert the file to CSV or NPY",
        path = shown(path)
    )]
    NoParquetSupport {
        /// The file.
        path: PathBuf,
    },

    /// A model file of another kind.
    #[error("{path} is {model}; use `{command}`", path = shown(path))]
    OtherModel {
        /// The file.
        path: PathBuf,
        /// What it is, with an article.
        model: &'static str,
        /// The command for such files.
        command: &'static str,
    },

    /// A second pass over a pipe.
    #[error("{path} can be read only once; save it to a file and use that file", path = shown(path))]
    NotRewindable {
        /// The pipe.
        path: PathBuf,
    },

    /// A file whose number of rows differs between two passes.
    #[error(
        "the file had {rows} rows when it was first read and has {found} now; do not change it during a computation"
    )]
    Changed {
        /// Number of rows in the first pass.
        rows: u64,
        /// Number of rows in this pass.
        found: u64,
    },

    /// Pixels or bytes that do not form an image to draw.
    #[error("cannot draw the image: {reason}")]
    InvalidImage {
        /// The problem.
        reason: String,
    },

    /// Images or frames with an invalid shape.
    #[error("{what} is {found}, but it must be {must}")]
    ImageShape {
        /// The image or property.
        what: String,
        /// Its shape.
        found: String,
        /// The expected shape.
        must: String,
    },

    /// Invalid sample weights.
    #[error(
        "the sample weight of row {row} is {value}; give one finite, nonnegative weight per row, not all of them 0"
    )]
    SampleWeight {
        /// The row, from 1.
        row: u64,
        /// Its weight; NaN if missing.
        value: f64,
    },

    /// A column that cannot be used for training.
    #[error("the {what} `{}` {problem}", escaped(name))]
    TrainingColumn {
        /// Role of the column: `input`, `target`, `class` or `column`.
        what: &'static str,
        /// Its name.
        name: String,
        /// The problem and how to fix it.
        problem: &'static str,
    },

    /// A value of a text column that did not occur in the training data.
    #[error(
        "the column `{}` contains `{}`, which is not in the training data ({}); correct the value, or fit again with all values",
        escaped(column),
        escaped(value),
        escaped(known)
    )]
    UnknownValue {
        /// The column.
        column: String,
        /// The value.
        value: String,
        /// Values in the training data.
        known: String,
    },

    /// A class column with too few or too many classes.
    #[error(
        "the class column `{}` has {}, but a classifier needs 2 to {most} classes; use another column",
        escaped(name),
        count(found, "distinct values")
    )]
    ClassCount {
        /// The column.
        name: String,
        /// Number of distinct values.
        found: usize,
        /// Maximum number of classes.
        most: usize,
    },

    /// An error of the device.
    #[error(transparent)]
    Device(DeviceError),

    /// The progress callback requested cancellation.
    #[error("interrupted")]
    Interrupted,
}

from_lower! {
    DataError,
    Device(DeviceError),
}

impl DataError {
    /// The error for a path to `doing` (`read` or `write`) that is a folder or has an unsupported extension.
    pub(crate) fn unknown_format(doing: &'static str, path: &Path, known: &'static str) -> Self {
        let path = path.to_path_buf();
        if path.is_dir() {
            let cause = io::Error::new(io::ErrorKind::IsADirectory, "it is a folder; specify a file");
            return DataError::File { doing, path, cause };
        }
        DataError::UnknownFormat { path, known }
    }

    /// Category of the error.
    ///
    /// ```
    /// use fuzzion::{ErrorKind, Table};
    /// let table = Table::new(["x"], vec![1.0])?;
    /// assert_eq!(table.column("y").unwrap_err().kind(), ErrorKind::Input);
    /// assert_eq!(table.write("x.xlsx").unwrap_err().kind(), ErrorKind::Unsupported);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn kind(&self) -> ErrorKind {
        match self {
            DataError::Interrupted => ErrorKind::Interrupted,
            DataError::Device(error) => error.kind(),
            DataError::File { .. } => ErrorKind::File,
            DataError::OutOfMemory { .. } => ErrorKind::OutOfMemory,
            DataError::UnknownFormat { .. }
            | DataError::NoParquetSupport { .. }
            | DataError::LabelsNotSupported { .. }
            | DataError::NotRewindable { .. } => ErrorKind::Unsupported,
            _ => ErrorKind::Input,
        }
    }
}

/// Display form of the path of a file being read or written.
fn target<'a>(doing: &str, path: &'a Path) -> std::borrow::Cow<'a, str> {
    if doing == "write" && path == Path::new("-") { "standard output".into() } else { shown(path) }
}

/// The error of a file that cannot be read. A file that does not exist is compared with the others of its folder.
pub(crate) fn read_error(path: &Path) -> impl Fn(io::Error) -> DataError + Copy + '_ {
    const MAX_COMPARED: usize = 10_000;
    move |cause| {
        let similar = || {
            let folder = path.parent()?;
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            let entries = std::fs::read_dir(folder).ok()?.take(MAX_COMPARED);
            let names: Vec<String> =
                entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
            let name = most_similar(path.file_name()?.to_str()?, names.iter().map(String::as_str))?;
            Some(path.with_file_name(name))
        };
        let cause = match cause.kind() {
            io::ErrorKind::NotFound => match similar() {
                Some(path) => io::Error::new(
                    cause.kind(),
                    format!("the file does not exist (did you mean `{}`?)", shown(&path)),
                ),
                None => cause,
            },
            _ => cause,
        };
        DataError::File { doing: "read", path: path.to_path_buf(), cause }
    }
}

/// Display form of a path; `-` is standard input.
fn shown(path: &Path) -> std::borrow::Cow<'_, str> {
    if path == Path::new("-") {
        return "standard input".into();
    }
    let name = path.to_string_lossy();
    // Control characters in a file name must not reach the terminal.
    if name.contains(char::is_control) { escaped(&name).into() } else { name }
}

/// Why a JSON file is not a saved model.
pub(crate) fn json_problem(error: &serde_json::Error) -> String {
    use serde_json::error::Category;
    match error.classify() {
        Category::Syntax => "it is not JSON".into(),
        Category::Eof => "unexpected end of file".into(),
        // The message of the library names its types; those of the checks of models have no position.
        Category::Data if error.line() > 0 => {
            let (line, column) = (error.line(), error.column());
            format!("it is damaged at line {line}, column {column}, or another kind of file")
        }
        Category::Data | Category::Io => format!("it is damaged or another kind of file ({error})"),
    }
}
