//! How wrong a network is.

use super::learner::Learner;
use super::model::Model;
use super::prepare::samples_for;
use super::samples::Samples;
use super::scale::Scale;
use super::sonfin::learner;
use crate::data::Table;
use crate::device::Device;
use crate::error::Result;

/// Rows whose outputs are held at once.
const TOGETHER: usize = 65_536;

impl Model {
    /// The error over rows that have inputs and targets, as in a [`Report`](super::Report).
    ///
    /// # Errors
    /// As [`Model::partial_fit`].
    pub fn error(&self, samples: &Table, device: &Device) -> Result<f64> {
        let samples = samples_for(self, samples)?;
        let networks = std::slice::from_ref(self.state.kept());
        let mut learner = learner(&samples, networks, device, self.state.settings.mapping)?;
        let rows: Vec<u32> = (0..samples.rows() as u32).collect();
        error_of(&mut *learner, 0, &samples, &rows, &self.scale, !self.classes.is_empty())
    }
}

/// The error of network `index` over rows: the share of wrong ones for classes, else the root mean square in
/// [`Scale::error_unit`].
pub(super) fn error_of(
    learner: &mut dyn Learner,
    index: usize,
    samples: &Samples,
    rows: &[u32],
    scale: &Scale,
    classes: bool,
) -> Result<f64> {
    let width = samples.outputs;
    let mut sum = 0.0;
    for rows in rows.chunks(TOGETHER) {
        let outputs = learner.outputs(index, rows)?;
        for (y, row) in outputs.chunks_exact(width).zip(rows) {
            let t = samples.targets_of(*row as usize);
            sum += match classes {
                true => f64::from(u8::from(first_largest(y) != first_largest(t))),
                false => square(y, t),
            };
        }
    }
    let mean = sum / rows.len().max(1) as f64;
    Ok(if classes { mean } else { scale.error_unit() * mean.sqrt() })
}

/// The mean square of the errors of a row, scaled.
fn square(y: &[f32], t: &[f32]) -> f64 {
    let apart = |l: usize| f64::from(y[l]) - f64::from(t[l]);
    (0..y.len()).map(|l| apart(l).powi(2)).sum::<f64>() / y.len() as f64
}

/// The first of the largest.
pub(super) fn first_largest(values: &[f32]) -> usize {
    (1..values.len()).fold(0, |best, i| if values[i] > values[best] { i } else { best })
}
