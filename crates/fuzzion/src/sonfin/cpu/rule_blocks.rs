//! Rules in blocks of one vector: one rule per lane, so that no sum crosses lanes.

use crate::device::{Aligned, Simd, SimdLevel};
use crate::sonfin::types::network::Network;

/// Number of accumulators of a sum over the inputs, which are padded to a multiple of it.
pub(super) const UNROLL: usize = 4;
/// z of an empty slot: larger than that of any rule, with a finite square.
const EMPTY_OFFSET: f32 = 1e10;

/// Rules of one vector: for each input, a of all rules, then −c of all rules.
pub(super) type Block = Aligned<f32>;

/// Number of rules per block.
pub(super) fn lanes(simd: Simd) -> usize {
    match simd.level() {
        SimdLevel::Avx512 => 16,
        SimdLevel::Avx2 => 8,
        SimdLevel::Baseline => 4,
    }
}

/// A network in blocks of rules.
pub(super) struct RuleBlocks {
    pub(super) dims: usize,
    pub(super) outputs: usize,
    pub(super) lanes: usize,
    /// Number of rules; the last block may have empty slots.
    pub(super) count: usize,
    pub(super) blocks: Vec<Block>,
    /// Consequents: for each block and output, one value per lane; 0 for empty slots.
    pub(super) w: Vec<f32>,
}

impl RuleBlocks {
    pub(super) fn new(network: &Network, simd: Simd) -> Self {
        let (dims, outputs) = (network.dims, network.outputs);
        let mut rules = RuleBlocks {
            dims,
            outputs,
            lanes: lanes(simd),
            count: network.rules(),
            blocks: Vec::new(),
            w: Vec::new(),
        };
        for k in 0..network.rules() {
            let at = k * dims..(k + 1) * dims;
            let lane = k % rules.lanes;
            if lane == 0 {
                rules.blocks.push(empty_block(dims, rules.lanes));
                rules.w.resize(rules.blocks.len() * outputs * rules.lanes, 0.0);
            }
            write_rule(
                &mut rules.blocks[k / rules.lanes],
                rules.lanes,
                lane,
                &network.a[at.clone()],
                &network.c[at],
            );
            set_consequents(&mut rules.w, rules.lanes, k, &network.w[k * outputs..][..outputs]);
        }
        rules
    }

    pub(super) fn network(&self) -> Network {
        let mut network = Network::empty(self.dims, self.outputs);
        for k in 0..self.count {
            let (block, lane) = (&self.blocks[k / self.lanes], k % self.lanes);
            let values =
                |first: usize| (0..self.dims).map(move |j| block[(2 * j + first) * self.lanes + lane]);
            network.a.extend(values(0));
            network.c.extend(values(1).map(|c| 0.0 - c)); // avoids −0
            let first = k / self.lanes * self.outputs * self.lanes + lane;
            network.w.extend((0..self.outputs).map(|l| self.w[first + l * self.lanes]));
        }
        network
    }
}

/// A block of empty slots.
pub(super) fn empty_block(dims: usize, lanes: usize) -> Block {
    let mut block = Block::zeros(2 * dims.next_multiple_of(UNROLL) * lanes);
    for input in block[..2 * dims * lanes].chunks_exact_mut(2 * lanes) {
        input[lanes..].fill(EMPTY_OFFSET);
    }
    block
}

/// Writes a rule to a slot.
pub(super) fn write_rule(block: &mut Block, lanes: usize, lane: usize, a: &[f32], c: &[f32]) {
    for (input, (a, c)) in block.chunks_exact_mut(2 * lanes).zip(a.iter().zip(c)) {
        input[lane] = *a;
        input[lanes + lane] = -c;
    }
}

/// Sets the consequents of rule `k`.
pub(super) fn set_consequents(w: &mut [f32], lanes: usize, k: usize, consequents: &[f32]) {
    let first = k / lanes * consequents.len() * lanes + k % lanes;
    for (slot, consequents) in w[first..].iter_mut().step_by(lanes).zip(consequents) {
        *slot = *consequents;
    }
}
