//! Error of a network.

use super::prepare::samples_for;
use crate::data::{Samples, host_samples};
use crate::device::Device;
use crate::sonfin::backend::new_learner;
use crate::sonfin::error::Result;
use crate::sonfin::learner::Learner;
use crate::sonfin::model::Model;
use crate::sonfin::types::argmax::argmax;
use crate::sonfin::types::linear_part::LinearPart;
use crate::sonfin::types::scale::Scale;
use crate::sonfin::types::scaled_samples::ScaledSamples;

/// Rows evaluated at once.
const CHUNK: usize = 65_536;

impl Model {
    /// Error on rows with inputs and targets, as in a [`SonfinReport`](crate::sonfin::SonfinReport). Of several GPUs, the
    /// first one is used.
    ///
    /// # Errors
    /// Those of [`Model::partial_fit`].
    pub fn error<'a>(&self, samples: impl Into<Samples<'a>>, device: &Device) -> Result<f64> {
        let samples = samples_for(self, &host_samples(samples)?)?;
        let networks = std::slice::from_ref(self.state.result_network());
        let mut learner = new_learner(&samples, networks, device, self.state.settings.mapping)?;
        let classes = !self.classes.is_empty();
        network_error(
            &mut *learner,
            0,
            &samples,
            &samples.row_indices(),
            &self.scale,
            classes,
            self.score_offset(),
        )
    }
}

/// Error of network `index`: fraction of misclassified rows for classes, otherwise the root mean square error in
/// [`Scale::error_unit`]. `offset` is added to the outputs.
#[allow(clippy::too_many_arguments)]
pub(in crate::sonfin) fn network_error(
    learner: &mut dyn Learner,
    index: usize,
    samples: &ScaledSamples,
    rows: &[u32],
    scale: &Scale,
    classes: bool,
    offset: Option<&LinearPart>,
) -> Result<f64> {
    let width = samples.outputs;
    let mut sum = 0.0;
    for rows in rows.chunks(CHUNK) {
        let outputs = learner.outputs(index, rows)?;
        for (y, row) in outputs.chunks_exact(width).zip(rows) {
            let (x, t) = (samples.inputs_of(*row as usize), samples.targets_of(*row as usize));
            let mut y: Vec<f64> = y.iter().map(|y| f64::from(*y)).collect();
            if let Some(offset) = offset {
                offset.add_to(x, &mut y);
            }
            sum += match classes {
                true => f64::from(u8::from(argmax(&y) != argmax(t))),
                false => mean_squared_error(&y, t),
            };
        }
    }
    let mean = sum / rows.len().max(1) as f64;
    Ok(if classes { mean } else { scale.error_unit() * mean.sqrt() })
}

/// Mean squared error of one row, in scaled units.
fn mean_squared_error(y: &[f64], t: &[f32]) -> f64 {
    let difference = |l: usize| y[l] - f64::from(t[l]);
    (0..y.len()).map(|l| difference(l).powi(2)).sum::<f64>() / y.len() as f64
}
