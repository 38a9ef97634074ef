//! Rules as the kernels want them: as many side by side as a vector has lanes, so that no sum crosses lanes.

use super::super::network::Network;
use crate::device::{Aligned, Simd, SimdLevel};

/// Inputs are filled up to a multiple of this, one for each of the sums that run at once.
pub(super) const STEP: usize = 4;
/// Where a place that holds no rule seems to be, in widths: far enough to be no rule's rival, and its square is finite.
const NOWHERE: f32 = 1e10;

/// The rules of one vector: for each input all a, then all −c.
pub(super) type Block = Aligned<f32>;

/// How many rules a block has.
pub(super) fn lanes(simd: Simd) -> usize {
    match simd.level() {
        SimdLevel::Avx512 => 16,
        SimdLevel::Avx2 => 8,
        SimdLevel::Baseline => 4,
    }
}

/// A network in blocks of rules.
pub(super) struct Rules {
    pub(super) dims: usize,
    pub(super) outputs: usize,
    pub(super) lanes: usize,
    /// How many there are: the last block may have places left.
    pub(super) count: usize,
    pub(super) blocks: Vec<Block>,
    /// What each rule says: for each block and output the rules side by side, 0 where there is none.
    pub(super) w: Vec<f32>,
}

impl Rules {
    pub(super) fn new(network: &Network, simd: Simd) -> Self {
        let (dims, outputs) = (network.dims, network.outputs);
        let mut rules = Rules {
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
                rules.blocks.push(empty(dims, rules.lanes));
                rules.w.resize(rules.blocks.len() * outputs * rules.lanes, 0.0);
            }
            put(
                &mut rules.blocks[k / rules.lanes],
                rules.lanes,
                lane,
                &network.a[at.clone()],
                &network.c[at],
            );
            say(&mut rules.w, rules.lanes, k, &network.w[k * outputs..][..outputs]);
        }
        rules
    }

    pub(super) fn network(&self) -> Network {
        let mut network = Network::empty(self.dims, self.outputs);
        for k in 0..self.count {
            let (block, lane) = (&self.blocks[k / self.lanes], k % self.lanes);
            let places =
                |first: usize| (0..self.dims).map(move |j| block[(2 * j + first) * self.lanes + lane]);
            network.a.extend(places(0));
            network.c.extend(places(1).map(|c| 0.0 - c)); // 0 − 0 is no −0
            let first = k / self.lanes * self.outputs * self.lanes + lane;
            network.w.extend((0..self.outputs).map(|l| self.w[first + l * self.lanes]));
        }
        network
    }
}

/// A block whose places hold no rule.
pub(super) fn empty(dims: usize, lanes: usize) -> Block {
    let mut block = Block::zeros(2 * dims.next_multiple_of(STEP) * lanes);
    for input in block[..2 * dims * lanes].chunks_exact_mut(2 * lanes) {
        input[lanes..].fill(NOWHERE);
    }
    block
}

/// Puts a rule into a place.
pub(super) fn put(block: &mut Block, lanes: usize, lane: usize, a: &[f32], c: &[f32]) {
    for (input, (a, c)) in block.chunks_exact_mut(2 * lanes).zip(a.iter().zip(c)) {
        input[lane] = *a;
        input[lanes + lane] = -c;
    }
}

/// Lets rule `k` say `said`.
pub(super) fn say(w: &mut [f32], lanes: usize, k: usize, said: &[f32]) {
    let first = k / lanes * said.len() * lanes + k % lanes;
    for (place, said) in w[first..].iter_mut().step_by(lanes).zip(said) {
        *place = *said;
    }
}
