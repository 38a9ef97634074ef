//! How much each rule has to say about the rows that are learned from.

use super::firing::Packed;
use super::network::Network;
use super::samples::Samples;
use crate::device::Cpu;

/// Rows that a thread looks at before the next are given out.
const ROWS: usize = 256;
/// Rules times inputs times rows that shares are taken from: a fraction of a second.
const WORK: usize = 1 << 31;

/// How much a rule fires.
#[derive(Clone, Copy, Default)]
pub(super) struct Use {
    /// Σ φ over the rows.
    pub(super) sum: f32,
    /// The largest φ.
    pub(super) most: f32,
}

/// What every rule does for each `step`th row.
pub(super) fn uses(network: &Network, samples: &Samples, step: usize, cpu: &Cpu) -> Vec<Use> {
    let packed = Packed::new(network);
    let parts = cpu.map_chunks(samples.rows().div_ceil(step), ROWS, |rows| {
        let mut uses = vec![Use::default(); network.rules()];
        for row in rows {
            let firing = packed.firing(samples.inputs_of(row * step), cpu.simd());
            for (used, phi) in uses.iter_mut().zip(firing) {
                *used = Use { sum: used.sum + phi, most: used.most.max(phi) };
            }
        }
        uses
    });
    let mut uses = vec![Use::default(); network.rules()];
    for part in parts {
        for (used, part) in uses.iter_mut().zip(part) {
            *used = Use { sum: used.sum + part.sum, most: used.most.max(part.most) };
        }
    }
    uses
}

/// The mean φ of every rule over the rows, or over some of them, evenly spaced, where they are very many.
pub(super) fn shares(network: &Network, samples: &Samples, cpu: &Cpu) -> Vec<f32> {
    let rows = (WORK / (network.rules() * network.dims).max(1)).max(ROWS);
    let step = samples.rows().div_ceil(rows).max(1);
    let seen = samples.rows().div_ceil(step).max(1) as f32;
    uses(network, samples, step, cpu).into_iter().map(|used| used.sum / seen).collect()
}
