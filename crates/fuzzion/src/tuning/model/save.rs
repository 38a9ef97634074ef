//! Saving and loading tuned systems as JSON, bit-identically.

use crate::data::DataError;
use crate::data::output::AtomicFile;
use crate::tuning::error::{Result, TuningError};
use crate::tuning::export::{self, OutputNames};
use crate::tuning::initial::check_size;
use crate::tuning::model::TunedSystem;
use crate::tuning::network::Network;
use crate::tuning::network::antecedents::{Antecedents, NO_SET};
use crate::tuning::network::basis::Frames;
use crate::tuning::report::TuningReport;
use crate::tuning::settings::{MAX_ORDER, MissingInputs};
use crate::tuning::training::scaling::Scaling;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::io::Write as _;
use std::path::Path;

const FORMAT: &str = "fuzzion tuning";
const VERSION: u32 = 1;

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
}

/// Fields common to all format versions.
#[derive(Deserialize)]
struct Header {
    format: String,
    version: u32,
}

impl TunedSystem {
    /// The system as JSON, including its report.
    ///
    /// Errors in the report that are infinite or undefined, of steps that were undone, are written as `null` and read
    /// back as infinite.
    ///
    /// # Errors
    /// [`DataError::Malformed`] if a parameter is not finite, which JSON cannot represent.
    pub fn to_json(&self) -> Result<String> {
        let path = Path::new("the system");
        let text = serde_json::to_string(self).map_err(|e| malformed(path, &e.to_string()))?;
        // Parameters that are not finite are written as `null`, which cannot be read back.
        parse(&text, path).map(|_| text)
    }

    /// Parses a tuned system from the JSON of [`TunedSystem::to_json`].
    ///
    /// # Errors
    /// [`DataError::Malformed`].
    pub fn from_json(text: &str) -> Result<Self> {
        parse(text, Path::new("the system"))
    }

    /// Writes the system to `path` as JSON, under a temporary name until it is complete.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("line.json");
    /// use fuzzion::{Device, Table, tuning::{TunedSystem, Tuner}};
    /// let rows: Vec<f64> = (0..=10).flat_map(|i| [f64::from(i), 2.0 * f64::from(i)]).collect();
    /// let tuned = Tuner::grid(&[2]).fit(&Table::new(["x", "y"], rows)?, &["y"], &Device::cpu()?)?;
    /// tuned.save(&path)?;
    /// assert_eq!(TunedSystem::load(&path)?, tuned);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::File`], and those of [`TunedSystem::to_json`].
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        let text = self.to_json()? + "\n";
        let mut output = AtomicFile::create(path)?;
        output.write_all(text.as_bytes()).map_err(|e| output.error(e))?;
        Ok(output.finish()?)
    }

    /// Reads a tuned system from `path`.
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

fn parse(text: &str, path: &Path) -> Result<TunedSystem> {
    let syntax_error = |e: serde_json::Error| match e.is_eof() {
        true => malformed(path, "unexpected end of file"),
        false => malformed(path, &e.to_string()),
    };
    // Check the header first to give a clear error for other file types.
    let header: Header = serde_json::from_str(text).map_err(syntax_error)?;
    check_header(&header.format, header.version).map_err(|reason| malformed(path, &reason))?;
    serde_json::from_str(text).map_err(syntax_error)
}

fn check_header(format: &str, version: u32) -> Result<(), String> {
    match (format, version) {
        (FORMAT, VERSION) => Ok(()),
        (FORMAT, _) => Err(format!("unsupported format version {version}, expected version {VERSION}")),
        _ => Err(format!("its format is `{format}`")),
    }
}

fn malformed(path: &Path, reason: &str) -> TuningError {
    let reason = format!("{reason}; use a file written by `TunedSystem::save`");
    DataError::Malformed { path: path.to_path_buf(), format: "a tuned system", reason }.into()
}

impl Serialize for TunedSystem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        SavedSystem::from(self.clone()).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for TunedSystem {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        SavedSystem::deserialize(deserializer)?.try_into().map_err(D::Error::custom)
    }
}

impl From<TunedSystem> for SavedSystem {
    fn from(tuned: TunedSystem) -> Self {
        let Network { antecedents, basis, frames, theta, .. } = tuned.network;
        SavedSystem {
            format: FORMAT.into(),
            version: VERSION,
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
        }
    }
}

impl TryFrom<SavedSystem> for TunedSystem {
    type Error = String;

    fn try_from(saved: SavedSystem) -> Result<Self, String> {
        check_header(&saved.format, saved.version)?;
        if !saved.is_consistent() {
            return Err("inconsistent sizes or invalid values".into());
        }
        let SavedSystem { inputs, targets, classes, report, scale, initial_antecedents, .. } = saved;
        let SavedSystem { frames, theta, missing, softmax, .. } = saved;
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
        let system = export::system(&network, &scale, &inputs, names).map_err(|e| e.to_string())?;
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
        let frames = [self.frames.centers.len(), self.frames.inverse_widths.len()];
        outputs_match
            && self.order <= MAX_ORDER
            && self.scale.is_consistent(inputs, outputs)
            && self.antecedents.is_consistent(inputs)
            && self.initial_antecedents.is_consistent(inputs)
            && frames == [self.antecedents.set_indices.len(); 2]
            && check_size(self.antecedents.rules() as u128, inputs, self.order).is_ok()
    }
}

impl Antecedents {
    /// Whether there are rules, and each uses existing sets of its inputs.
    fn is_consistent(&self, inputs: usize) -> bool {
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
    fn is_consistent(&self, inputs: usize, outputs: usize) -> bool {
        let positive = |spans: &[f64]| spans.iter().all(|span| *span > 0.0);
        (self.low.len(), self.span.len()) == (inputs, inputs)
            && (self.target_offset.len(), self.target_span.len()) == (outputs, outputs)
            && positive(&self.span)
            && positive(&self.target_span)
    }
}
