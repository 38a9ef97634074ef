//! Memory of one thread, used again for every block and by the next sweep.

use super::super::rows::Samples;
use super::gram::SIDES;
use super::kernel::{BLOCK, Kernel, LANES, STRIDE};
use crate::device::Aligned;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// A block of rows, every column [`STRIDE`] from the next.
pub(super) struct Scratch {
    /// The inputs, terms, rules, outputs and shared sets it was made for.
    shape: [usize; 5],
    /// The inputs; 0 where missing.
    pub(super) x: Aligned<f64>,
    /// 1 where an input has a value and 0 where it is missing.
    pub(super) seen: Aligned<f64>,
    /// What every row of Φ is multiplied by.
    pub(super) factor: Aligned<f64>,
    pub(super) weights: Aligned<f64>,
    /// Per row: the least −ln μ of all rules, what the firing strengths are multiplied by, then the loss.
    pub(super) row: Aligned<f64>,
    /// Of the sets that several rules share: −ln μ, or the q of all these rules.
    pub(super) shared: Aligned<f64>,
    /// The columns of Φ, those of the targets, and zeros up to a whole number of tiles.
    pub(super) columns: Aligned<f64>,
    /// φ·P by output and rule, then q by rule.
    pub(super) concluded: Aligned<f64>,
    /// ŷ by output.
    pub(super) predicted: Aligned<f64>,
    /// The slope of the loss for each output.
    pub(super) errors: Aligned<f64>,
    /// The slopes of one set for its four parameters, and its inputs where some are missing; what else a phase computes
    /// on the way.
    pub(super) slopes: Aligned<f64>,
}

impl Scratch {
    fn new(kernel: &Kernel<'_>) -> Self {
        let shape = Scratch::shape(kernel);
        let [inputs, terms, rules, outputs, shared] = shape;
        let columns = |n: usize| Aligned::zeros(n * STRIDE);
        Scratch {
            shape,
            x: columns(inputs),
            seen: columns(inputs),
            factor: columns(1),
            weights: columns(1),
            row: columns(1),
            shared: columns(shared),
            columns: columns((rules * terms + outputs).next_multiple_of(SIDES)),
            concluded: columns(rules * outputs),
            predicted: columns(outputs),
            errors: columns(outputs),
            slopes: columns(5),
        }
    }

    fn shape(kernel: &Kernel<'_>) -> [usize; 5] {
        let network = kernel.network;
        [network.antecedents.inputs, kernel.terms, kernel.rules, network.outputs, kernel.shared.len()]
    }

    /// Takes over `rows`, their weights as factors, and gives how many there are with those that fill up the last
    /// vector and weigh nothing.
    #[inline(always)]
    pub(super) fn load(&mut self, kernel: &Kernel<'_>, samples: &Samples, rows: Range<usize>) -> usize {
        let (n, filled) = (rows.len(), rows.len().next_multiple_of(LANES));
        for (j, column) in samples.inputs.iter().enumerate() {
            let x = &mut self.x[j * STRIDE..][..filled];
            x[..n].copy_from_slice(&column[rows.clone()]);
            x[n..].fill(0.0);
            if kernel.missing[j] {
                let seen = &mut self.seen[j * STRIDE..][..filled];
                for (x, seen) in x.iter_mut().zip(seen) {
                    *seen = if x.is_nan() { 0.0 } else { 1.0 };
                    *x = if x.is_nan() { 0.0 } else { *x };
                }
            }
        }
        let first = kernel.unknowns();
        for (o, column) in samples.targets.iter().enumerate() {
            let y = &mut self.columns[(first + o) * STRIDE..][..filled];
            y[..n].copy_from_slice(&column[rows.clone()]);
            y[n..].fill(0.0);
        }
        match &samples.weights {
            Some(weights) => self.factor[..n].copy_from_slice(&weights[rows]),
            None => self.factor[..n].fill(1.0),
        }
        self.factor[n..filled].fill(0.0);
        filled
    }

    /// Leaves Φ itself unweighted: the factors become weights.
    #[inline(always)]
    pub(super) fn take_weights(&mut self, n: usize) {
        self.weights[..n].copy_from_slice(&self.factor[..n]);
        self.factor[..n].fill(1.0);
    }

    /// Multiplies the targets by the factors, as Φ is.
    #[inline(always)]
    pub(super) fn weigh_targets(&mut self, kernel: &Kernel<'_>, n: usize) {
        for column in self.columns[kernel.unknowns() * STRIDE..].chunks_exact_mut(STRIDE) {
            column[..n].iter_mut().zip(&self.factor[..n]).for_each(|(y, factor)| *y *= factor);
        }
    }

    /// ŷ of one output.
    pub(super) fn predicted(&self, output: usize) -> &[f64] {
        &self.predicted[output * STRIDE..][..BLOCK]
    }
}

/// Lends every thread memory that is kept from chunk to chunk and from sweep to sweep: to get it from the system anew and
/// have it cleared takes as long as a sweep over a few hundred rows.
#[derive(Default)]
pub(super) struct Pool(Mutex<Vec<Scratch>>);

impl Pool {
    pub(super) fn lend<R>(&self, kernel: &Kernel<'_>, work: impl FnOnce(&mut Scratch) -> R) -> R {
        let kept = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = |scratch: &Scratch| scratch.shape == Scratch::shape(kernel);
        let found = kept().pop().filter(fits);
        let mut scratch = found.unwrap_or_else(|| Scratch::new(kernel));
        let result = work(&mut scratch);
        kept().push(scratch);
        result
    }
}
