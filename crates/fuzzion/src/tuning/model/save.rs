//! Saving and loading tuned systems as JSON, bit-identically.

use crate::data::ModelFormat;
use crate::macros::serialized_as;
use crate::tuning::error::Result;
use crate::tuning::export::{self, OutputNames};
use crate::tuning::initial::check_size;
use crate::tuning::model::TunedSystem;
use crate::tuning::model::calibration::Calibration;
use crate::tuning::network::Network;
use crate::tuning::network::antecedents::{Antecedents, NO_SET};
use crate::tuning::network::basis::Frames;
use crate::tuning::report::TuningReport;
use crate::tuning::settings::{MAX_ORDER, MissingInputs};
use crate::tuning::training::scaling::Scaling;
use serde::{Deserialize, Serialize};
use std::path::Path;

const FORMAT: ModelFormat = ModelFormat {
    name: "fuzzion tuning",
    version: 1,
    model: "a tuned system",
    text: "the system",
    writer: "fuzzion tune --model",
};

/// Serialized form of a tuned system; the inference system is derived from it.
#[derive(Serialize, Deserialize)]
pub(super) struct SavedSystem {
    format: String,
    version: u32,
    inputs: Vec<String>,
    targets: Vec<String>,
    classes: Vec<String>,
    report: TuningReport,
    scale: Scaling,
    order: usize,
    antecedents: Antecedents,
    frames: Frames,
    theta: Vec<f64>,
    initial_antecedents: Antecedents,
    missing: MissingInputs,
    softmax: bool,
    #[serde(default)]
    bounded: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    calibration: Option<Calibration>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    min_ln_strength: Option<f64>,
    /// Names of the sets of each input; by default those given by the library.
    #[serde(default)]
    set_names: Vec<Vec<String>>,
}

impl TunedSystem {
    /// The system as JSON, including its report without the run time.
    ///
    /// Errors in the report that are infinite or undefined, of steps that were undone, are written as `null` and read
    /// back as infinite.
    ///
    /// # Errors
    /// [`DataError::Malformed`](crate::data::DataError::Malformed) if a parameter is not finite, which JSON cannot represent.
    pub fn to_json(&self) -> Result<String> {
        Ok(FORMAT.to_json(self)?)
    }

    /// Parses a tuned system from the JSON of [`TunedSystem::to_json`].
    ///
    /// # Errors
    /// [`DataError::Malformed`](crate::data::DataError::Malformed).
    pub fn from_json(text: &str) -> Result<Self> {
        Ok(FORMAT.read_json(text)?)
    }

    /// Writes the system to `path` as JSON, under a temporary name until it is complete.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("line.json");
    /// use fuzzion::{Device, Table, tuning::{TunedSystem, Tuner}};
    /// let rows: Vec<f64> = (0..=10).flat_map(|i| [f64::from(i), 2.0 * f64::from(i)]).collect();
    /// let (rows, device) = (Table::new(["x", "y"], rows)?, Device::cpu()?);
    /// let tuned = Tuner::grid(&[2]).fit(&rows, &["y"], &device)?;
    /// tuned.save(&path)?;
    /// assert_eq!(TunedSystem::load(&path)?.predict(&rows, &device)?, tuned.predict(&rows, &device)?);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::File`](crate::data::DataError::File), and those of [`TunedSystem::to_json`].
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        Ok(FORMAT.save(self, path.as_ref())?)
    }

    /// Reads a tuned system from `path`.
    ///
    /// # Errors
    /// [`DataError::File`](crate::data::DataError::File) and [`DataError::Malformed`](crate::data::DataError::Malformed).
    pub fn load(path: impl AsRef<Path>) -> Result<Self> {
        Ok(FORMAT.load(path.as_ref())?)
    }
}

serialized_as! { TunedSystem as SavedSystem }

impl From<TunedSystem> for SavedSystem {
    fn from(tuned: TunedSystem) -> Self {
        let Network { antecedents, basis, frames, theta, .. } = tuned.network;
        SavedSystem {
            format: FORMAT.name.into(),
            version: FORMAT.version,
            inputs: tuned.inputs,
            targets: tuned.targets,
            classes: tuned.classes,
            report: tuned.report,
            scale: tuned.scale,
            order: basis.order,
            antecedents,
            frames,
            theta,
            initial_antecedents: tuned.initial_antecedents,
            missing: tuned.missing,
            softmax: tuned.softmax,
            bounded: tuned.bounded,
            calibration: tuned.calibration,
            min_ln_strength: tuned.min_ln_strength,
            set_names: export::names::set_names(&tuned.system),
        }
    }
}

impl TryFrom<SavedSystem> for TunedSystem {
    type Error = String;

    fn try_from(saved: SavedSystem) -> Result<Self, String> {
        FORMAT.check(&saved.format, saved.version)?;
        if !saved.is_consistent() {
            return Err("inconsistent sizes or invalid values".into());
        }
        let SavedSystem { inputs, targets, classes, report, scale, initial_antecedents, .. } = saved;
        let SavedSystem { frames, theta, missing, softmax, calibration, min_ln_strength, .. } = saved;
        let outputs = scale.target_span.len();
        let network = Network { outputs, frames, theta, ..Network::new(saved.antecedents, saved.order, 0) };
        if network.theta.len() != outputs * network.unknowns() {
            return Err(format!(
                "{} consequents instead of {}",
                network.theta.len(),
                outputs * network.unknowns()
            ));
        }
        let names = OutputNames::of(&targets, &classes);
        let mut system = export::bounded_system(&network, &scale, &inputs, names, saved.bounded)
            .map_err(|e| e.to_string())?;
        export::names::apply_set_names(&mut system, &saved.set_names);
        Ok(TunedSystem {
            system,
            report,
            inputs,
            targets,
            classes,
            network,
            scale,
            initial_antecedents,
            missing,
            softmax,
            bounded: saved.bounded,
            calibration,
            min_ln_strength,
        })
    }
}

impl SavedSystem {
    /// Whether the parts have matching sizes and valid values.
    fn is_consistent(&self) -> bool {
        let (inputs, outputs) = (self.inputs.len(), self.classes.len().max(self.targets.len()));
        let outputs_match = match self.classes.len() {
            0 => !self.targets.is_empty() && !self.softmax,
            classes => classes > 1 && self.targets.len() == 1,
        };
        let lists = if self.classes.is_empty() { outputs } else { 1 };
        let frames = [self.frames.centers.len(), self.frames.inverse_widths.len()];
        outputs_match
            && self.order <= MAX_ORDER
            && self.scale.is_consistent(inputs, outputs)
            && self.antecedents.is_consistent(inputs)
            && self.initial_antecedents.is_consistent(inputs)
            && frames == [self.antecedents.set_indices.len(); 2]
            && self.calibration.as_ref().is_none_or(|calibration| calibration.is_consistent(lists))
            && check_size(self.antecedents.rules() as u128, inputs, self.order).is_ok()
    }
}

impl Antecedents {
    /// Whether there are rules, and each uses existing sets of its inputs.
    pub(in crate::tuning) fn is_consistent(&self, inputs: usize) -> bool {
        let is_valid = |(at, set): (usize, &u32)| {
            *set == NO_SET || self.sets.get(*set as usize).is_some_and(|set| set.input == at % inputs)
        };
        inputs > 0
            && self.inputs == inputs
            && !self.set_indices.is_empty()
            && self.set_indices.len().is_multiple_of(inputs)
            && self.set_indices.iter().enumerate().all(is_valid)
    }
}

impl Scaling {
    /// Whether there are finite offsets and positive ranges for these numbers of inputs and outputs.
    pub(in crate::tuning) fn is_consistent(&self, inputs: usize, outputs: usize) -> bool {
        let positive = |spans: &[f64]| spans.iter().all(|span| *span > 0.0);
        (self.low.len(), self.span.len()) == (inputs, inputs)
            && (self.target_offset.len(), self.target_span.len()) == (outputs, outputs)
            && positive(&self.span)
            && positive(&self.target_span)
            && [0, outputs].contains(&self.target_range.len())
            && positive(&self.target_range)
    }
}
