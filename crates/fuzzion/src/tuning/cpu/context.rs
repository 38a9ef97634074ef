//! Block sizes, and the network as the kernels use it.

use crate::tuning::network::Network;
use crate::tuning::network::antecedents::NO_SET;
use std::ops::Range;

/// Rows per block; their columns of Φ stay in the cache through all stages.
pub(super) const BLOCK: usize = 512;
/// Distance between columns of a block. Not a power of two, to avoid cache conflicts.
pub(super) const STRIDE: usize = BLOCK + 8;
/// Rows per subblock, whose data stays in the L1 cache through several stages.
const SUBBLOCK: usize = 128;
/// Maximum number of SIMD lanes; blocks are padded to a multiple of it with rows of weight 0.
pub(super) const LANES: usize = 8;

/// Range of rows within a block.
#[derive(Clone, Copy)]
pub(super) struct Subblock {
    pub(super) first: usize,
    pub(super) n: usize,
}

impl Subblock {
    /// Index range of these rows in a column.
    #[inline(always)]
    pub(super) fn column(self, column: usize) -> Range<usize> {
        column * STRIDE + self.first..column * STRIDE + self.first + self.n
    }
}

/// Subblocks of a block of `n` rows.
#[inline(always)]
pub(super) fn subblocks(n: usize) -> impl Iterator<Item = Subblock> {
    (0..n).step_by(SUBBLOCK).map(move |first| Subblock { first, n: SUBBLOCK.min(n - first) })
}

/// A network and the sets that are shared by several rules.
pub(super) struct KernelContext<'a> {
    pub(super) network: &'a Network,
    /// Whether each input is missing in some row.
    pub(super) missing: &'a [bool],
    pub(super) rules: usize,
    /// Number of monomials per consequent.
    pub(super) terms: usize,
    /// Sets used by several rules; their memberships are computed once.
    pub(super) shared: Vec<usize>,
    /// Whether every rule uses shared sets for all inputs, so that firing strengths are products of shared
    /// memberships.
    pub(super) all_sets_shared: bool,
    /// Index of every set in `shared`; [`NO_SET`] if at most one rule uses it.
    pub(super) shared_slots: Vec<u32>,
}

impl<'a> KernelContext<'a> {
    pub(super) fn new(network: &'a Network, missing: &'a [bool]) -> Self {
        let antecedents = &network.antecedents;
        let mut rule_counts = vec![0; antecedents.sets.len()];
        antecedents
            .set_indices
            .iter()
            .filter(|set| **set != NO_SET)
            .for_each(|set| rule_counts[*set as usize] += 1);
        let shared: Vec<usize> = (0..rule_counts.len()).filter(|set| rule_counts[*set] > 1).collect();
        let mut shared_slots = vec![NO_SET; rule_counts.len()];
        shared.iter().enumerate().for_each(|(slot, set)| shared_slots[*set] = slot as u32);
        let all_sets_shared =
            antecedents.set_indices.iter().all(|set| *set != NO_SET && rule_counts[*set as usize] > 1);
        let (rules, terms) = (antecedents.rules(), network.basis.len());
        KernelContext { network, missing, rules, terms, shared, all_sets_shared, shared_slots }
    }

    /// Number of columns of Φ.
    pub(super) fn unknowns(&self) -> usize {
        self.rules * self.terms
    }

    /// Sets of a rule, by input.
    pub(super) fn sets_of_rule(&self, rule: usize) -> impl Iterator<Item = usize> + '_ {
        let inputs = self.network.antecedents.inputs;
        let set_indices = &self.network.antecedents.set_indices[rule * inputs..][..inputs];
        set_indices.iter().filter(|set| **set != NO_SET).map(|set| *set as usize)
    }
}
