//! Permutation importance of the inputs.

use super::rows::MAX_ROWS;
use crate::data::{Samples, argmax_rows, host_samples};
use crate::device::Device;
use crate::random::shuffled;
use crate::tuning::error::Result;
use crate::tuning::model::TunedSystem;
use crate::tuning::training::samples::ScaledSamples;
use serde::{Deserialize, Serialize};

/// Number of permutations per column; the importance is their mean.
const PERMUTATIONS: u64 = 5;

/// Permutation importance of an input, Equation (3).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct InputImportance {
    /// Name of the input.
    pub input: String,
    /// Increase in the error when the column is permuted; about 0, possibly negative, for an irrelevant input.
    pub importance: f64,
    /// Standard error of the importance: the standard deviation over the permutations, divided by the square root of
    /// their number.
    pub standard_error: f64,
}

impl TunedSystem {
    /// Permutation importance of each input on `samples`, in decreasing order: the mean of five permutations, with the
    /// random seed `seed`. The errors are weighted by the sample weights, if any. Of more than 100,000 rows, evenly
    /// spaced ones are used.
    ///
    /// ```
    /// use fuzzion::{Device, Table, tuning::Tuner};
    /// let rows: Vec<f64> = (0..100).flat_map(|i| [f64::from(i / 10), f64::from(i % 10), f64::from(i % 10)]).collect();
    /// let (rows, device) = (Table::new(["a", "b", "y"], rows)?, Device::cpu()?);
    /// let tuned = Tuner::grid(&[2]).iterations(0).fit(&rows, &["y"], &device)?;
    /// let importance = tuned.permutation_importance(&rows, 0, &device)?;
    /// assert_eq!(importance[0].input, "b"); // y = b
    /// assert!(importance[0].importance > 1.0 && importance[1].importance < 1e-6);
    /// assert!(importance[0].standard_error < 0.2);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`TunedSystem::normal_equations`].
    pub fn permutation_importance<'a>(
        &self,
        samples: impl Into<Samples<'a>>,
        seed: u64,
        device: &Device,
    ) -> Result<Vec<InputImportance>> {
        self.importance(self.inspected_rows(&host_samples(samples)?, MAX_ROWS)?.samples, seed, device)
    }

    fn importance(
        &self,
        mut samples: ScaledSamples,
        seed: u64,
        device: &Device,
    ) -> Result<Vec<InputImportance>> {
        let baseline = self.error(&samples, device)?;
        let mut importances = Vec::new();
        for (j, input) in self.inputs.iter().enumerate() {
            let column = samples.inputs[j].clone();
            let mut increases = Vec::new();
            for permutation in 0..PERMUTATIONS {
                let order = shuffled(column.len(), seed.wrapping_add(PERMUTATIONS * j as u64 + permutation));
                samples.inputs[j] = order.iter().map(|row| column[*row]).collect();
                increases.push(self.error(&samples, device)? - baseline);
            }
            samples.inputs[j] = column;
            let n = PERMUTATIONS as f64;
            let mean = increases.iter().sum::<f64>() / n;
            let square = increases.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>();
            let standard_error = (square / (n - 1.0) / n).sqrt();
            importances.push(InputImportance { input: input.clone(), importance: mean, standard_error });
        }
        importances.sort_by(|a, b| b.importance.total_cmp(&a.importance));
        Ok(importances)
    }

    /// RMSE in the targets' units, or the fraction of misclassified rows.
    fn error(&self, samples: &ScaledSamples, device: &Device) -> Result<f64> {
        let outputs = self.scaled_outputs(samples, device)?;
        let total_weight: f64 = (0..samples.rows()).map(|row| samples.weight(row)).sum();
        if !self.classes.is_empty() {
            let predicted = argmax_rows(&outputs).into_iter().enumerate();
            let correct = predicted.filter(|(row, class)| samples.targets[*class][*row] == 1.0);
            return Ok(1.0 - correct.map(|(row, _)| samples.weight(row)).sum::<f64>() / total_weight);
        }
        let columns = outputs.iter().zip(&samples.targets).zip(&self.scale.target_span);
        let squares = columns.map(|((predicted, targets), span)| {
            let errors = predicted.iter().zip(targets).map(|(p, y)| span * (p - y));
            errors.enumerate().map(|(row, e)| samples.weight(row) * (e * e)).sum::<f64>()
        });
        Ok((squares.sum::<f64>() / total_weight / outputs.len() as f64).sqrt())
    }
}
