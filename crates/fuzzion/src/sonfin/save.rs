//! Serialization of models, and saving and loading them as JSON, bit-identically.

use super::model::Model;
use super::training::report::SonfinReport;
use super::training::state::TrainingState;
use super::types::scale::Scale;
use crate::data::DataError;
use crate::data::output::AtomicFile;
use crate::sonfin::error::{Result, SonfinError};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::io::Write as _;
use std::path::Path;

const FORMAT: &str = "fuzzion sonfin";
const VERSION: u32 = 1;

/// Serialized form of a [`Model`].
#[derive(Serialize, Deserialize)]
struct Saved {
    format: String,
    version: u32,
    inputs: Vec<String>,
    outputs: Vec<String>,
    classes: Vec<String>,
    report: SonfinReport,
    scale: Scale,
    state: TrainingState,
    #[serde(default, rename = "shares")]
    mean_firing_strengths: Vec<f32>,
}

/// Fields common to all format versions.
#[derive(Deserialize)]
struct Header {
    format: String,
    version: u32,
}

impl Model {
    /// The model as JSON, including the scaling and the training state.
    ///
    /// ```
    /// use fuzzion::{Device, Table, sonfin::{Model, Sonfin}};
    /// let (rows, device) = (Table::new(["x", "y"], vec![0.0, 10.0, 1.0, 20.0])?, Device::cpu()?);
    /// let model = Sonfin::new().fit(&rows, &["y"], &device)?;
    /// assert_eq!(Model::from_json(&model.to_json()?)?, model);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::Malformed`] if a number is not finite, which JSON cannot represent.
    pub fn to_json(&self) -> Result<String> {
        let path = Path::new("the model");
        let text = serde_json::to_string(self).map_err(|e| malformed(path, &e.to_string()))?;
        // Non-finite numbers are written as `null`, which cannot be read back.
        parse(&text, path).map(|_| text)
    }

    /// Parses a model from JSON.
    ///
    /// # Errors
    /// [`DataError::Malformed`].
    pub fn from_json(text: &str) -> Result<Self> {
        parse(text, Path::new("the model"))
    }

    /// Writes the model to `path`, under a temporary name until it is complete.
    ///
    /// ```
    /// use fuzzion::{Device, Table, sonfin::{Model, Sonfin}};
    /// let (rows, device) = (Table::new(["x", "y"], vec![0.0, 10.0, 1.0, 20.0])?, Device::cpu()?);
    /// let model = Sonfin::new().fit(&rows, &["y"], &device)?;
    /// let path = std::env::temp_dir().join(format!("fuzzion-{}.json", std::process::id()));
    /// model.save(&path)?;
    /// assert_eq!(Model::load(&path)?, model);
    /// # std::fs::remove_file(&path).ok();
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::File`], and as [`Model::to_json`].
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        let text = self.to_json()?;
        let mut output = AtomicFile::create(path)?;
        output
            .write_all(text.as_bytes())
            .and_then(|()| output.write_all(b"\n"))
            .map_err(|e| output.error(e))?;
        Ok(output.finish()?)
    }

    /// Reads a model from `path`.
    ///
    /// # Errors
    /// [`DataError::File`] and [`DataError::Malformed`].
    pub fn load(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let read_error = |cause| DataError::File { doing: "read", path: path.to_path_buf(), cause };
        let bytes = std::fs::read(path).map_err(read_error)?;
        let text = String::from_utf8(bytes).map_err(|_| malformed(path, "it is not UTF-8 text"))?;
        parse(&text, path)
    }
}

fn parse(text: &str, path: &Path) -> Result<Model> {
    // Check the header first to give a clear error for other file types.
    let header: Header = serde_json::from_str(text).map_err(|e| match e.is_eof() {
        true => malformed(path, "unexpected end of file"),
        false => malformed(path, &e.to_string()),
    })?;
    check_header(&header.format, header.version).map_err(|reason| malformed(path, &reason))?;
    serde_json::from_str(text).map_err(|e| malformed(path, &e.to_string()))
}

/// Checks the fields of the header; the error is the reason.
fn check_header(format: &str, version: u32) -> Result<(), String> {
    match (format, version) {
        (FORMAT, VERSION) => Ok(()),
        (FORMAT, _) => Err(format!("unsupported format version {version}, expected version {VERSION}")),
        _ => Err(format!("its format is `{format}`")),
    }
}

impl Serialize for Model {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let saved = Saved {
            format: FORMAT.into(),
            version: VERSION,
            inputs: self.inputs.clone(),
            outputs: self.outputs.clone(),
            classes: self.classes.clone(),
            report: self.report.clone(),
            scale: self.scale.clone(),
            state: self.state.clone(),
            mean_firing_strengths: self.mean_firing_strengths.clone(),
        };
        saved.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Model {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let saved = Saved::deserialize(deserializer)?;
        check_header(&saved.format, saved.version).map_err(D::Error::custom)?;
        if !is_consistent(&saved) {
            return Err(D::Error::custom("inconsistent sizes or invalid values"));
        }
        let Saved { inputs, outputs, classes, report, scale, state, mean_firing_strengths, .. } = saved;
        Ok(Model { inputs, outputs, classes, report, state, scale, mean_firing_strengths })
    }
}

/// Whether the parts have matching sizes and valid values.
fn is_consistent(saved: &Saved) -> bool {
    let (dims, width) = (saved.inputs.len(), saved.classes.len().max(saved.outputs.len()));
    let classes = saved.classes.is_empty() || (saved.outputs.len() == 1 && saved.classes.len() > 1);
    let mean_firing_strengths = saved.mean_firing_strengths.is_empty()
        || saved.mean_firing_strengths.len() == saved.state.result_network().rules();
    dims > 0
        && width > 0
        && classes
        && mean_firing_strengths
        && saved.scale.is_consistent(dims, width)
        && saved.state.is_consistent(dims, width)
}

fn malformed(path: &Path, reason: &str) -> SonfinError {
    let reason = format!("{reason}; use a file written by `fuzzion sonfin fit --model`");
    DataError::Malformed { path: path.to_path_buf(), format: "a sonfin model", reason }.into()
}
