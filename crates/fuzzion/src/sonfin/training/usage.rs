//! Firing strengths of the rules over the training rows.

use super::firing::PackedRules;
use crate::device::Cpu;
use crate::sonfin::types::network::Network;
use crate::sonfin::types::scaled_samples::ScaledSamples;

/// Rows per parallel task.
const ROWS_PER_TASK: usize = 256;
/// Limit of rules × inputs × rows for the mean firing strengths; this much takes a fraction of a second.
const MAX_WORK: usize = 1 << 31;

/// Firing statistics of a rule.
#[derive(Clone, Copy, Default)]
pub(in crate::sonfin) struct RuleUsage {
    /// Sum of φ over the rows.
    pub(in crate::sonfin) sum: f32,
    /// Largest φ.
    pub(in crate::sonfin) max: f32,
}

/// Statistics of every rule over every `stride`-th row.
pub(in crate::sonfin) fn rule_usage(
    network: &Network,
    samples: &ScaledSamples,
    stride: usize,
    cpu: &Cpu,
) -> Vec<RuleUsage> {
    let packed = PackedRules::new(network);
    let parts = cpu.map_chunks(samples.rows().div_ceil(stride), ROWS_PER_TASK, |rows| {
        let mut rule_usage = vec![RuleUsage::default(); network.rules()];
        for row in rows {
            let firing = packed.firing(samples.inputs_of(row * stride), cpu.simd());
            for (usage, phi) in rule_usage.iter_mut().zip(firing) {
                *usage = RuleUsage { sum: usage.sum + phi, max: usage.max.max(phi) };
            }
        }
        rule_usage
    });
    let mut rule_usage = vec![RuleUsage::default(); network.rules()];
    for part in parts {
        for (usage, part) in rule_usage.iter_mut().zip(part) {
            *usage = RuleUsage { sum: usage.sum + part.sum, max: usage.max.max(part.max) };
        }
    }
    rule_usage
}

/// Mean φ of every rule over the rows, or over an evenly spaced subset if there are very many.
pub(in crate::sonfin) fn mean_firing_strengths(
    network: &Network,
    samples: &ScaledSamples,
    cpu: &Cpu,
) -> Vec<f32> {
    let rows = (MAX_WORK / (network.rules() * network.dims).max(1)).max(ROWS_PER_TASK);
    let stride = samples.rows().div_ceil(rows).max(1);
    let seen = samples.rows().div_ceil(stride).max(1) as f32;
    rule_usage(network, samples, stride, cpu).into_iter().map(|usage| usage.sum / seen).collect()
}
