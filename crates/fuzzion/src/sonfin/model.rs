//! A trained model and its predictions.

use super::backend::new_learner;
use super::inspect::prototypes::Prototypes;
use super::training::report::SonfinReport;
use super::training::state::TrainingState;
use super::types::argmax::argmax;
use super::types::linear_part::LinearPart;
use super::types::network::Network;
use super::types::options::MissingInputs;
use super::types::scale::Scale;
use super::types::scaled_samples::ScaledSamples;
use crate::data::{DataError, Labels, Samples, Table, Values, host_samples};
use crate::device::{Device, distribute};
use crate::sonfin::error::{Result, SonfinError};
use std::ops::Range;

/// Number of rows scaled and evaluated at once.
const CHUNK: usize = 65_536;

/// A trained network, created by [`Sonfin::fit`](super::Sonfin::fit).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Model {
    /// Input columns.
    pub inputs: Vec<String>,
    /// Target columns.
    pub outputs: Vec<String>,
    /// Class names; empty for numeric targets.
    pub classes: Vec<String>,
    /// Training report.
    pub report: SonfinReport,
    pub(super) state: TrainingState,
    pub(super) scale: Scale,
    /// Slopes shared by all rules.
    pub(super) linear: Option<LinearPart>,
    /// Mean normalized firing strength φ of each rule over the training rows; empty if unknown, as after a stream.
    pub(super) mean_firing_strengths: Vec<f32>,
}

impl Model {
    /// Predictions for every row: a text column `label` for classes, otherwise one column per target.
    ///
    /// Inputs are selected by name; other columns and sample weights are ignored. Several GPUs share the rows.
    ///
    /// ```
    /// use fuzzion::{Device, Table, data::Labels, sonfin::{Classify, Sonfin}};
    /// let rows = Table::new(["x"], vec![0.0, 1.0])?.with_labels(Labels::new("kind", ["low", "high"]))?;
    /// let device = Device::cpu()?;
    /// let model = Sonfin::new().classify(Classify::OneHot).fit(&rows, &["kind"], &device)?;
    /// let new = Table::new(["x"], vec![0.9, 0.2])?;
    /// let labels = model.predict(&new, &device)?;
    /// assert_eq!(labels.label("label")?.iter().collect::<Vec<_>>(), ["high", "low"]);
    /// assert_eq!(model.scores(&new, &device)?.names(), ["low", "high"]);
    /// assert_eq!(model.error(&rows, &device)?, 0.0); // both rows are classified correctly
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`SonfinError::MissingColumn`] if an input column is missing, [`DataError::TrainingColumn`] if it contains text, and
    /// [`DataError::NotFinite`] for an infinite value, or for a missing value unless the model was trained with
    /// [`MissingInputs::Drop`].
    pub fn predict<'a>(&self, samples: impl Into<Samples<'a>>, device: &Device) -> Result<Table> {
        let samples = host_samples(samples)?;
        let outputs = self.score_rows(&samples, device)?;
        if self.classes.is_empty() {
            return Ok(Table::new(self.outputs.iter().cloned(), outputs)?);
        }
        let predicted = outputs.chunks_exact(self.classes.len()).map(|y| &self.classes[argmax(y)]);
        let labels = Labels::new("label", predicted);
        Ok(Table::from_parts::<f64>(Vec::new(), samples.rows(), Vec::new(), vec![labels]))
    }

    /// Outputs for every row: one column per class or target. The largest score determines the predicted class.
    /// Scores of a model trained with cross-entropy are logits; apply a softmax to get probabilities.
    ///
    /// # Errors
    /// Those of [`Model::predict`].
    pub fn scores<'a>(&self, samples: impl Into<Samples<'a>>, device: &Device) -> Result<Table> {
        let scores = self.score_rows(&host_samples(samples)?, device)?;
        Ok(Table::new(self.output_names().iter().cloned(), scores)?)
    }

    /// Outputs in the user's units, row by row.
    fn score_rows(&self, samples: &Samples<'_>, device: &Device) -> Result<Vec<f64>> {
        let devices = device.each_gpu();
        let chunk_rows = samples.rows().div_ceil(devices.len()).clamp(1, CHUNK);
        let outputs = distribute(devices.len(), samples.rows().div_ceil(chunk_rows), |gpu, chunk| {
            let start = chunk * chunk_rows;
            let chunk = self.scaled(samples, start..(start + chunk_rows).min(samples.rows()))?;
            let networks = std::slice::from_ref(self.network());
            let mut learner = new_learner(&chunk, networks, &devices[gpu], self.state.settings.mapping)?;
            let mut outputs: Vec<f64> =
                learner.outputs(0, &chunk.row_indices())?.into_iter().map(f64::from).collect();
            for (row, y) in outputs.chunks_exact_mut(self.network().outputs).enumerate() {
                if let Some(linear) = &self.linear {
                    linear.add_to(chunk.inputs_of(row), y);
                }
                self.unscale_outputs(y);
            }
            Ok::<_, SonfinError>(outputs)
        })?;
        Ok(outputs.concat())
    }

    /// Converts the outputs of one row to the user's units.
    pub(super) fn unscale_outputs(&self, outputs: &mut [f64]) {
        let each = outputs.iter_mut().enumerate();
        each.for_each(|(l, y)| self.scale.unscale_target(l, std::slice::from_mut(y)));
    }

    /// Scaled inputs of `rows`, without targets.
    pub(super) fn scaled(&self, samples: &Samples<'_>, rows: Range<usize>) -> Result<ScaledSamples> {
        let columns: Vec<usize> =
            self.inputs.iter().map(|name| self.column_index(samples, name)).collect::<Result<_>>()?;
        let x = match samples.slice(rows.clone()) {
            Values::F32(values) => self.scale_values(values, samples.columns(), &columns, rows.start)?,
            Values::F64(values) => self.scale_values(values, samples.columns(), &columns, rows.start)?,
        };
        Ok(ScaledSamples { dims: columns.len(), outputs: self.network().outputs, x, t: Vec::new() })
    }

    /// Scales `columns` of `values`, which has `width` columns; `first` is the index of its first row.
    fn scale_values<T: Copy + Into<f64>>(
        &self,
        values: &[T],
        width: usize,
        columns: &[usize],
        first: usize,
    ) -> Result<Vec<f32>> {
        let mut x = Vec::with_capacity(values.len() / width * columns.len());
        for (i, row) in values.chunks_exact(width).enumerate() {
            for (j, column) in columns.iter().enumerate() {
                let value: f64 = row[*column].into();
                let dropped = self.state.settings.missing == MissingInputs::Drop && value.is_nan();
                if !value.is_finite() && !dropped {
                    let (row, name) = ((first + i) as u64 + 1, self.inputs[j].clone());
                    return Err(DataError::NotFinite { row, column: column + 1, name, value }.into());
                }
                x.push(self.scale.scale_input(j, value));
            }
        }
        Ok(x)
    }

    fn column_index(&self, samples: &Samples<'_>, name: &str) -> Result<usize> {
        samples.column_index(name).map_err(|error| match error {
            DataError::UnknownColumn { .. } if samples.label(name).is_ok() => {
                let problem = "contains text, but the model expects numbers; provide numeric values";
                DataError::TrainingColumn { what: "input", name: name.to_owned(), problem }.into()
            }
            DataError::UnknownColumn { name, similar, known } => {
                SonfinError::MissingColumn { name, similar, inputs: self.inputs.len(), known }
            }
            other => other.into(),
        })
    }

    /// The linear part of a classifier, which is added to the scores of the network. That of numeric targets is subtracted from
    /// the targets instead, so that the rules can be trained further.
    pub(super) fn score_offset(&self) -> Option<&LinearPart> {
        self.linear.as_ref().filter(|_| !self.classes.is_empty())
    }

    /// The trained network.
    pub(super) fn network(&self) -> &Network {
        self.state.result_network()
    }

    /// Rules in the user's units.
    pub(super) fn prototypes(&self) -> Prototypes<'_> {
        Prototypes::new(self.network(), &self.scale, self.linear.as_ref())
    }

    /// Names of the outputs: the classes, or the targets.
    pub(super) fn output_names(&self) -> &[String] {
        if self.classes.is_empty() { &self.outputs } else { &self.classes }
    }
}
