//! Permutation importance of the inputs.

use crate::data::{Samples, argmax_rows, host_samples};
use crate::device::Device;
use crate::random::shuffled;
use crate::tuning::error::Result;
use crate::tuning::model::TunedSystem;
use crate::tuning::training::dispatch::backend_for;
use crate::tuning::training::samples::ScaledSamples;
use crate::tuning::training::scaling::Scaling;
use serde::{Deserialize, Serialize};

/// Number of shuffles per column; the importance is their mean.
const SHUFFLES: u64 = 3;

/// Permutation importance of an input, Equation (3).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct InputImportance {
    /// Name of the input.
    pub input: String,
    /// Increase in the error when the column is shuffled; about 0, possibly negative, for an irrelevant input.
    pub importance: f64,
}

impl TunedSystem {
    /// Permutation importance of each input on `samples`, in decreasing order. `seed` is the random seed of the
    /// shuffles. The errors are weighted by the sample weights, if any.
    ///
    /// ```
    /// use fuzzion::{Device, Table, tuning::Tuner};
    /// let rows: Vec<f64> = (0..100).flat_map(|i| [f64::from(i / 10), f64::from(i % 10), f64::from(i % 10)]).collect();
    /// let (rows, device) = (Table::new(["a", "b", "y"], rows)?, Device::cpu()?);
    /// let tuned = Tuner::grid(&[2]).iterations(0).fit(&rows, &["y"], &device)?;
    /// let importance = tuned.permutation_importance(&rows, 0, &device)?;
    /// assert_eq!(importance[0].input, "b"); // y = b
    /// assert!(importance[0].importance > 1.0 && importance[1].importance < 1e-6);
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
        self.importance(self.scaled_samples(&host_samples(samples)?)?, seed, device)
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
            let mut sum = 0.0;
            for shuffle in 0..SHUFFLES {
                let order = shuffled(column.len(), seed.wrapping_add(SHUFFLES * j as u64 + shuffle));
                samples.inputs[j] = order.iter().map(|row| column[*row]).collect();
                sum += self.error(&samples, device)? - baseline;
            }
            samples.inputs[j] = column;
            importances.push(InputImportance { input: input.clone(), importance: sum / SHUFFLES as f64 });
        }
        importances.sort_by(|a, b| b.importance.total_cmp(&a.importance));
        Ok(importances)
    }

    /// RMSE in the targets' units, or the fraction of misclassified rows.
    fn error(&self, samples: &ScaledSamples, device: &Device) -> Result<f64> {
        let mut outputs = backend_for(samples, self.work(samples.rows()), device)?.predict(&self.network)?;
        if self.bounded {
            Scaling::bound(&mut outputs, !self.classes.is_empty());
        }
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
