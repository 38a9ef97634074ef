//! A network as the kernels want it, and one block of rows through all phases.

#![allow(clippy::extra_unused_type_parameters)] // `vectors!` names the number, which is always f64 here

use super::super::antecedents::{ANY, TunedSet};
use super::super::network::Network;
use super::super::rows::{Loss, Samples};
use super::scratch::Scratch;
use super::{firing, gram, sets, slope};
use crate::device::{Vector, vectors};
use std::ops::Range;

/// Rows that go through all phases together, so that their columns of Φ do not leave the cache.
pub(super) const BLOCK: usize = 512;
/// From one column to the next in a block: no power of two, whose lines would fight for the same places of the cache.
pub(super) const STRIDE: usize = BLOCK + 8;
/// Rows of a block that go through one phase after the other while what they need stays in the first cache.
const PART: usize = 128;
/// The most lanes a vector has; blocks are filled up to a multiple of it with rows that weigh nothing.
pub(super) const LANES: usize = 8;

/// Some rows of a block.
#[derive(Clone, Copy)]
pub(super) struct Part {
    pub(super) first: usize,
    pub(super) n: usize,
}

impl Part {
    /// Where these rows of a column are.
    #[inline(always)]
    pub(super) fn of(self, column: usize) -> Range<usize> {
        column * STRIDE + self.first..column * STRIDE + self.first + self.n
    }
}

/// The parts of a block of `n` rows.
#[inline(always)]
fn parts(n: usize) -> impl Iterator<Item = Part> {
    (0..n).step_by(PART).map(move |first| Part { first, n: PART.min(n - first) })
}

/// A network, and which of its sets several rules share.
pub(super) struct Kernel<'a> {
    pub(super) network: &'a Network,
    /// Whether an input is missing in some row.
    pub(super) missing: &'a [bool],
    pub(super) rules: usize,
    /// How many monomials a consequent has.
    pub(super) terms: usize,
    /// The sets that several rules use: their memberships are computed once.
    pub(super) shared: Vec<usize>,
    /// Whether every rule looks at every input, by sets that it shares: then its firing strength is a product of theirs.
    pub(super) factors: bool,
    /// The place of every set in `shared`; [`ANY`] where one rule at most uses it.
    pub(super) slots: Vec<u32>,
}

impl<'a> Kernel<'a> {
    pub(super) fn new(network: &'a Network, missing: &'a [bool]) -> Self {
        let antecedents = &network.antecedents;
        let mut users = vec![0; antecedents.sets.len()];
        antecedents.uses.iter().filter(|set| **set != ANY).for_each(|set| users[*set as usize] += 1);
        let shared: Vec<usize> = (0..users.len()).filter(|set| users[*set] > 1).collect();
        let mut slots = vec![ANY; users.len()];
        shared.iter().enumerate().for_each(|(slot, set)| slots[*set] = slot as u32);
        let factors = antecedents.uses.iter().all(|set| *set != ANY && users[*set as usize] > 1);
        let (rules, terms) = (antecedents.rules(), network.basis.len());
        Kernel { network, missing, rules, terms, shared, factors, slots }
    }

    /// The columns of Φ.
    pub(super) fn unknowns(&self) -> usize {
        self.rules * self.terms
    }

    /// The sets of a rule, in the order of the inputs.
    pub(super) fn uses(&self, rule: usize) -> impl Iterator<Item = usize> + '_ {
        let inputs = self.network.antecedents.inputs;
        let uses = &self.network.antecedents.uses[rule * inputs..][..inputs];
        uses.iter().filter(|set| **set != ANY).map(|set| *set as usize)
    }

    /// The inputs of a set; `spare` holds them where some are missing.
    #[inline(always)]
    pub(super) fn inputs_of<'b>(
        &self,
        set: &TunedSet,
        part: Part,
        x: &'b [f64],
        seen: &[f64],
        spare: &'b mut [f64],
    ) -> &'b [f64] {
        let (form, at) = (self.network.antecedents.form, part.of(set.input));
        let seen = self.missing[set.input].then(|| &seen[at.clone()]);
        sets::inputs(form, &set.parameters, &x[at], seen, spare)
    }
}

vectors! {
    /// Adds the products of all columns of Φ and all targets over a block of training rows.
    pub(super) fn gram(kernel: &Kernel<'_>, samples: &Samples, rows: Range<usize>, scratch: &mut Scratch, sums: &mut [f64]) = gram_body::<f64>;
}

#[inline(always)]
fn gram_body<T, V: Vector<f64, L>, const FMA: bool, const L: usize>(
    kernel: &Kernel<'_>,
    samples: &Samples,
    rows: Range<usize>,
    scratch: &mut Scratch,
    sums: &mut [f64],
) {
    let n = scratch.load(kernel, samples, rows);
    // √w on both sides of each product.
    scratch.factor[..n].iter_mut().for_each(|factor| *factor = factor.sqrt());
    for part in parts(n) {
        firing::part::<FMA>(kernel, scratch, part);
    }
    scratch.weigh_targets(kernel, n);
    gram::add::<V, L>(&scratch.columns, kernel.unknowns() + kernel.network.outputs, n, sums);
}

vectors! {
    /// Adds the loss of a block of rows, and its slopes if `learn`.
    pub(super) fn slope(kernel: &Kernel<'_>, samples: &Samples, rows: Range<usize>, loss: Loss, learn: bool, scratch: &mut Scratch, sums: &mut slope::Sums) = slope_body::<f64>;
}

#[inline(always)]
fn slope_body<T, V: Vector<f64, L>, const FMA: bool, const L: usize>(
    kernel: &Kernel<'_>,
    samples: &Samples,
    rows: Range<usize>,
    loss: Loss,
    learn: bool,
    scratch: &mut Scratch,
    sums: &mut slope::Sums,
) {
    let n = scratch.load(kernel, samples, rows);
    scratch.take_weights(n);
    for part in parts(n) {
        firing::part::<FMA>(kernel, scratch, part);
        slope::outputs::<V, L>(kernel, scratch, part);
        slope::errors::<V, FMA, L>(kernel, scratch, part, loss, sums);
        if learn {
            slope::shares(kernel, scratch, part);
        }
    }
    if learn {
        let all = Part { first: 0, n };
        slope::consequents::<V, L>(kernel, scratch, all, sums);
        slope::antecedents::<V, FMA, L>(kernel, scratch, all, sums);
    }
}

vectors! {
    /// ŷ of a block of rows, left in `scratch`.
    pub(super) fn predict(kernel: &Kernel<'_>, samples: &Samples, rows: Range<usize>, scratch: &mut Scratch) = predict_body::<f64>;
}

#[inline(always)]
fn predict_body<T, V: Vector<f64, L>, const FMA: bool, const L: usize>(
    kernel: &Kernel<'_>,
    samples: &Samples,
    rows: Range<usize>,
    scratch: &mut Scratch,
) {
    let n = scratch.load(kernel, samples, rows);
    scratch.take_weights(n);
    for part in parts(n) {
        firing::part::<FMA>(kernel, scratch, part);
        slope::outputs::<V, L>(kernel, scratch, part);
    }
}
