//! Model files: JSON with the name of a format and its version.

use crate::data::error::{DataError, Result, json_problem, read_error};
use crate::data::files::output::write_file;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Format of model files.
pub(crate) struct ModelFormat {
    /// Value of the field `format`.
    pub(crate) name: &'static str,
    /// Value of the field `version`; older versions can be read.
    pub(crate) version: u32,
    /// The model in errors, with its article.
    pub(crate) model: &'static str,
    /// Name in errors of a model that is not read from a file.
    pub(crate) text: &'static str,
    /// The function or command that writes such files.
    pub(crate) writer: &'static str,
}

/// Fields common to all format versions.
#[derive(Deserialize)]
struct Header {
    format: String,
    version: u32,
}

/// Fields that show the kind of a JSON file.
#[derive(Deserialize)]
struct Kind {
    format: Option<String>,
    /// `system` in the file of a fuzzy system.
    fuzzion: Option<String>,
}

/// The error for the file of another kind of model than `expected`, the value of its field `format`.
fn reject_other_model(text: &str, path: &Path, expected: &str) -> Result<()> {
    let Ok(kind) = serde_json::from_str::<Kind>(text) else { return Ok(()) };
    let (model, command) = match kind.format.as_deref() {
        Some(format) if format == expected => return Ok(()),
        Some("fuzzion partition") => ("a clustering model", "fuzzion cluster --apply"),
        Some("fuzzion sonfin") => ("a sonfin model", "fuzzion sonfin predict"),
        Some("fuzzion tuning") => ("a tuned system", "fuzzion tune predict"),
        None if kind.fuzzion.as_deref() == Some("system") => ("a fuzzy system", "fuzzion infer"),
        _ => return Ok(()),
    };
    Err(DataError::OtherModel { path: path.to_path_buf(), model, command })
}

impl ModelFormat {
    pub(crate) fn to_json<T: Serialize + DeserializeOwned>(&self, model: &T) -> Result<String> {
        self.checked::<T>(serde_json::to_string(model))
    }

    pub(crate) fn to_json_pretty<T: Serialize + DeserializeOwned>(&self, model: &T) -> Result<String> {
        self.checked::<T>(serde_json::to_string_pretty(model))
    }

    /// The written text if it can be read back: numbers that are not finite are written as `null`.
    fn checked<T: DeserializeOwned>(&self, written: serde_json::Result<String>) -> Result<String> {
        let text = written.map_err(|e| self.malformed(Path::new(self.text), &e.to_string()))?;
        self.read_json::<T>(&text).map(|_| text)
    }

    pub(crate) fn read_json<T: DeserializeOwned>(&self, text: &str) -> Result<T> {
        self.parse(text, Path::new(self.text))
    }

    pub(crate) fn save<T: Serialize + DeserializeOwned>(&self, model: &T, path: &Path) -> Result<()> {
        write_file(path, (self.to_json(model)? + "\n").as_bytes())
    }

    pub(crate) fn load<T: DeserializeOwned>(&self, path: &Path) -> Result<T> {
        let bytes = std::fs::read(path).map_err(read_error(path))?;
        let text = String::from_utf8(bytes).map_err(|_| self.malformed(path, "it is not UTF-8 text"))?;
        self.parse(&text, path)
    }

    /// Checks the values of the fields `format` and `version`; the error is the reason.
    pub(crate) fn check(&self, format: &str, version: u32) -> Result<(), String> {
        let expected = self.version;
        match format == self.name {
            true if (1..=expected).contains(&version) => Ok(()),
            true => Err(format!("unsupported format version {version}, expected version {expected}")),
            false => Err(format!("its format is `{format}`")),
        }
    }

    fn parse<T: DeserializeOwned>(&self, text: &str, path: &Path) -> Result<T> {
        let syntax_error = |e| self.malformed(path, &json_problem(&e));
        // Check the header first to give a clear error for other file types.
        reject_other_model(text, path, self.name)?;
        let header: Header = serde_json::from_str(text).map_err(syntax_error)?;
        self.check(&header.format, header.version).map_err(|reason| self.malformed(path, &reason))?;
        serde_json::from_str(text).map_err(syntax_error)
    }

    fn malformed(&self, path: &Path, reason: &str) -> DataError {
        let reason = format!("{reason}; use a file written by `{}`", self.writer);
        DataError::Malformed { path: path.to_path_buf(), format: self.model, reason }
    }
}
