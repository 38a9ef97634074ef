//! Rows over which a system is inspected, with its firing strengths and outputs.

use crate::data::{Samples, softmax};
use crate::device::{Cpu, Device};
use crate::tuning::error::Result;
use crate::tuning::model::TunedSystem;
use crate::tuning::training::dispatch::backend_for;
use crate::tuning::training::samples::{ScaledSamples, select_rows};

/// Maximum number of rows over which statistics are computed.
pub(super) const MAX_ROWS: usize = 100_000;
/// Maximum number of firing strengths in memory.
const MAX_STRENGTHS: usize = 10_000_000;
/// Minimum number of rows, also with many rules.
const MIN_ROWS: usize = 1000;
/// Rows processed at a time by one thread.
const ROWS_PER_TASK: usize = 256;

/// Scaled rows with positive weights.
pub(super) struct InspectedRows {
    /// Indices of the rows in the table.
    pub(super) indices: Vec<usize>,
    pub(super) samples: ScaledSamples,
}

impl TunedSystem {
    /// At most `max_rows` rows with positive weights, evenly spaced.
    pub(super) fn inspected_rows(&self, samples: &Samples<'_>, max_rows: usize) -> Result<InspectedRows> {
        let scaled = self.scaled_samples(samples)?;
        let used: Vec<usize> = (0..scaled.rows()).filter(|row| scaled.weight(*row) > 0.0).collect();
        let count = used.len().min(max_rows);
        let indices: Vec<usize> = (0..count).map(|i| used[i * used.len() / count]).collect();
        let samples = match indices.len() == scaled.rows() {
            true => scaled,
            false => select_rows(&scaled, &indices, count),
        };
        Ok(InspectedRows { indices, samples })
    }

    /// Maximum number of rows whose firing strengths are computed at once.
    pub(super) fn max_firing_rows(&self) -> usize {
        (MAX_STRENGTHS / self.network.antecedents.rules()).clamp(MIN_ROWS, MAX_ROWS)
    }

    /// Normalized firing strengths φ of Equation (1) of `tuning`, one row of rules per sample.
    pub(super) fn firing(&self, samples: &ScaledSamples, cpu: &Cpu) -> Vec<f64> {
        let rules = self.network.antecedents.rules();
        let mut firing = vec![0.0; samples.rows() * rules];
        cpu.fill_chunks(&mut firing, rules, ROWS_PER_TASK, |first, rows| {
            for (i, row) in rows.chunks_exact_mut(rules).enumerate() {
                row.copy_from_slice(&self.network.antecedents.firing(&samples.inputs_of(first + i)));
            }
        });
        firing
    }

    /// Outputs by column as in [`TunedSystem::predict`], in scaled units; class probabilities after the softmax.
    pub(super) fn scaled_outputs(&self, samples: &ScaledSamples, device: &Device) -> Result<Vec<Vec<f64>>> {
        let mut outputs = backend_for(samples, self.work(samples.rows()), device)?.predict(&self.network)?;
        if self.bounded {
            self.scale.bound(&mut outputs, !self.classes.is_empty());
        }
        if self.softmax {
            softmax(&mut outputs);
        }
        Ok(outputs)
    }
}
