//! Which inputs matter.

use crate::data::{Table, largest};
use crate::device::Device;
use crate::error::Result;
use crate::random::shuffled;
use crate::tuning::rows::Samples;
use crate::tuning::tuned::Tuned;
use crate::tuning::tuner::rows_of;

/// Each column is shuffled so often; the mean counts.
const TIMES: u64 = 3;

/// How much an input matters, equation (3).
#[derive(Clone, Debug, PartialEq)]
pub struct Importance {
    /// The input.
    pub input: String,
    /// How much the error grows without it; about 0 or even less for an input that says nothing.
    pub importance: f64,
}

impl Tuned {
    /// How much each input matters for the rows of `samples`, the most important one first; shuffles repeat for a `seed`.
    ///
    /// # Errors
    /// Those of [`Tuned::predict`], and the same about the targets.
    pub fn importance(&self, samples: &Table, seed: u64, device: &Device) -> Result<Vec<Importance>> {
        let mut samples = self.samples(samples, None)?;
        let whole = self.error(&samples, device)?;
        let mut all = Vec::new();
        for (j, input) in self.inputs.iter().enumerate() {
            let column = samples.inputs[j].clone();
            let mut sum = 0.0;
            for time in 0..TIMES {
                let order = shuffled(column.len(), seed.wrapping_add(TIMES * j as u64 + time));
                samples.inputs[j] = order.iter().map(|row| column[*row]).collect();
                sum += self.error(&samples, device)? - whole;
            }
            samples.inputs[j] = column;
            all.push(Importance { input: input.clone(), importance: sum / TIMES as f64 });
        }
        all.sort_by(|a, b| b.importance.total_cmp(&a.importance));
        Ok(all)
    }

    /// The root of the mean squared error in the targets' units, or the share of rows whose class is not found.
    fn error(&self, samples: &Samples, device: &Device) -> Result<f64> {
        let outputs = rows_of(samples, device)?.predict(&self.network)?;
        let rows = samples.rows() as f64;
        if !self.classes.is_empty() {
            let found = largest(&outputs).into_iter().enumerate();
            let right = found.filter(|(row, class)| samples.targets[*class][*row] == 1.0).count();
            return Ok(1.0 - right as f64 / rows);
        }
        let columns = outputs.iter().zip(&samples.targets).zip(&self.scale.target_span);
        let squares = columns.map(|((predicted, targets), span)| {
            let errors = predicted.iter().zip(targets).map(|(p, y)| span * (p - y));
            errors.map(|e| e * e).sum::<f64>()
        });
        Ok((squares.sum::<f64>() / rows / outputs.len() as f64).sqrt())
    }
}
