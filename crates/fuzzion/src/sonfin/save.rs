//! Serialization of models, and saving and loading them as JSON, bit-identically.

use super::model::Model;
use super::training::report::SonfinReport;
use super::training::state::TrainingState;
use super::types::linear_part::LinearPart;
use super::types::scale::Scale;
use crate::data::ModelFormat;
use crate::macros::serialized_as;
use crate::sonfin::error::Result;
use serde::{Deserialize, Serialize};
use std::path::Path;

const FORMAT: ModelFormat = ModelFormat {
    name: "fuzzion sonfin",
    version: 2,
    model: "a sonfin model",
    text: "the model",
    writer: "fuzzion sonfin fit --model",
};

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
    #[serde(default, skip_serializing_if = "Option::is_none")]
    linear: Option<LinearPart>,
    state: TrainingState,
    #[serde(default, rename = "shares")]
    mean_firing_strengths: Vec<f32>,
}

impl Model {
    /// The model as JSON, including the scaling and the training state, without run times.
    ///
    /// ```
    /// use fuzzion::{Device, Table, sonfin::{Model, Sonfin}};
    /// let (rows, device) = (Table::new(["x", "y"], vec![0.0, 10.0, 1.0, 20.0])?, Device::cpu()?);
    /// let model = Sonfin::new().fit(&rows, &["y"], &device)?;
    /// let same = Model::from_json(&model.to_json()?)?;
    /// assert_eq!(same.predict(&rows, &device)?, model.predict(&rows, &device)?);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::Malformed`](crate::data::DataError::Malformed) if a number is not finite, which JSON cannot represent.
    pub fn to_json(&self) -> Result<String> {
        Ok(FORMAT.to_json(self)?)
    }

    /// Parses a model from JSON.
    ///
    /// # Errors
    /// [`DataError::Malformed`](crate::data::DataError::Malformed).
    pub fn from_json(text: &str) -> Result<Self> {
        Ok(FORMAT.read_json(text)?)
    }

    /// Writes the model to `path`, under a temporary name until it is complete.
    ///
    /// ```
    /// use fuzzion::{Device, Table, sonfin::{Model, Sonfin}};
    /// let (rows, device) = (Table::new(["x", "y"], vec![0.0, 10.0, 1.0, 20.0])?, Device::cpu()?);
    /// let model = Sonfin::new().fit(&rows, &["y"], &device)?;
    /// let path = std::env::temp_dir().join(format!("fuzzion-{}.json", std::process::id()));
    /// model.save(&path)?;
    /// assert_eq!(Model::load(&path)?.predict(&rows, &device)?, model.predict(&rows, &device)?);
    /// # std::fs::remove_file(&path).ok();
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::File`](crate::data::DataError::File), and as [`Model::to_json`].
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        Ok(FORMAT.save(self, path.as_ref())?)
    }

    /// Reads a model from `path`.
    ///
    /// # Errors
    /// [`DataError::File`](crate::data::DataError::File) and [`DataError::Malformed`](crate::data::DataError::Malformed).
    pub fn load(path: impl AsRef<Path>) -> Result<Self> {
        Ok(FORMAT.load(path.as_ref())?)
    }
}

serialized_as! { Model as Saved }

impl From<Model> for Saved {
    fn from(model: Model) -> Self {
        let Model { inputs, outputs, classes, report, state, scale, linear, mean_firing_strengths } = model;
        // Programs that do not know the linear part must not read such a model.
        let version = if linear.is_some() { FORMAT.version } else { 1 };
        let format = FORMAT.name.into();
        Saved {
            format,
            version,
            inputs,
            outputs,
            classes,
            report,
            scale,
            linear,
            state,
            mean_firing_strengths,
        }
    }
}

impl TryFrom<Saved> for Model {
    type Error = String;

    fn try_from(saved: Saved) -> Result<Self, String> {
        FORMAT.check(&saved.format, saved.version)?;
        if !is_consistent(&saved) {
            return Err("inconsistent sizes or invalid values".into());
        }
        let Saved { inputs, outputs, classes, report, scale, linear, state, mean_firing_strengths, .. } =
            saved;
        Ok(Model { inputs, outputs, classes, report, state, scale, linear, mean_firing_strengths })
    }
}

/// Whether the parts have matching sizes and valid values.
fn is_consistent(saved: &Saved) -> bool {
    let (dims, width) = (saved.inputs.len(), saved.classes.len().max(saved.outputs.len()));
    let classes = saved.classes.is_empty() || (saved.outputs.len() == 1 && saved.classes.len() > 1);
    dims > 0
        && width > 0
        && classes
        && saved.scale.is_consistent(dims, width)
        && saved.linear.as_ref().is_none_or(|linear| linear.is_consistent(dims, width))
        && saved.state.is_consistent(dims, width)
        // The number of rules requires a consistent network.
        && (saved.mean_firing_strengths.is_empty()
            || saved.mean_firing_strengths.len() == saved.state.result_network().rules())
}
