//! Scratch buffers of a thread, reused across blocks and sweeps.

use super::context::{BLOCK, KernelContext, LANES, STRIDE};
use super::gram::COLUMN_MULTIPLE;
use crate::device::Aligned;
use crate::tuning::training::samples::ScaledSamples;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Columns of a block of rows, [`STRIDE`] apart.
pub(super) struct Scratch {
    /// Numbers of inputs, terms, rules, outputs and shared sets.
    shape: [usize; 5],
    /// Inputs; 0 if missing.
    pub(super) x: Aligned<f64>,
    /// 1 if an input is present, 0 if it is missing.
    pub(super) present: Aligned<f64>,
    /// Factor of each row of Φ.
    pub(super) row_factors: Aligned<f64>,
    pub(super) weights: Aligned<f64>,
    /// Per row, reused by several stages: the minimum of −ln μ over the rules, the normalization factor, the loss.
    pub(super) row_values: Aligned<f64>,
    /// For shared sets: −ln μ, later the sum of q over their rules.
    pub(super) shared: Aligned<f64>,
    /// Columns of Φ, then the targets, then zero padding.
    pub(super) columns: Aligned<f64>,
    /// φ·P by output and rule, later q by rule.
    pub(super) rule_outputs: Aligned<f64>,
    /// ŷ by output.
    pub(super) predicted: Aligned<f64>,
    /// Derivative of the loss with respect to each output.
    pub(super) output_gradients: Aligned<f64>,
    /// Temporary columns: derivatives of a set with respect to its four parameters, inputs with missing values
    /// replaced, and intermediate results.
    pub(super) temporary: Aligned<f64>,
}

impl Scratch {
    fn new(context: &KernelContext<'_>) -> Self {
        let shape = Scratch::shape(context);
        let [inputs, terms, rules, outputs, shared] = shape;
        let columns = |n: usize| Aligned::zeros(n * STRIDE);
        Scratch {
            shape,
            x: columns(inputs),
            present: columns(inputs),
            row_factors: columns(1),
            weights: columns(1),
            row_values: columns(1),
            shared: columns(shared),
            columns: columns((rules * terms + outputs).next_multiple_of(COLUMN_MULTIPLE)),
            rule_outputs: columns(rules * outputs),
            predicted: columns(outputs),
            output_gradients: columns(outputs),
            temporary: columns(5),
        }
    }

    fn shape(context: &KernelContext<'_>) -> [usize; 5] {
        let network = context.network;
        [network.antecedents.inputs, context.terms, context.rules, network.outputs, context.shared.len()]
    }

    /// Loads `rows`, with their weights as factors. Returns the number of rows including the padding, which has weight
    /// 0.
    #[inline(always)]
    pub(super) fn load(
        &mut self,
        context: &KernelContext<'_>,
        samples: &ScaledSamples,
        rows: Range<usize>,
    ) -> usize {
        let (n, filled) = (rows.len(), rows.len().next_multiple_of(LANES));
        for (j, column) in samples.inputs.iter().enumerate() {
            let x = &mut self.x[j * STRIDE..][..filled];
            x[..n].copy_from_slice(&column[rows.clone()]);
            x[n..].fill(0.0);
            if context.missing[j] {
                let present = &mut self.present[j * STRIDE..][..filled];
                for (x, present) in x.iter_mut().zip(present) {
                    *present = if x.is_nan() { 0.0 } else { 1.0 };
                    *x = if x.is_nan() { 0.0 } else { *x };
                }
            }
        }
        let first = context.unknowns();
        for (o, column) in samples.targets.iter().enumerate() {
            let y = &mut self.columns[(first + o) * STRIDE..][..filled];
            y[..n].copy_from_slice(&column[rows.clone()]);
            y[n..].fill(0.0);
        }
        match &samples.weights {
            Some(weights) => self.row_factors[..n].copy_from_slice(&weights[rows]),
            None => self.row_factors[..n].fill(1.0),
        }
        self.row_factors[n..filled].fill(0.0);
        filled
    }

    /// Moves the factors to `weights`, so that Φ is unweighted.
    #[inline(always)]
    pub(super) fn separate_weights(&mut self, n: usize) {
        self.weights[..n].copy_from_slice(&self.row_factors[..n]);
        self.row_factors[..n].fill(1.0);
    }

    /// Multiplies the targets by the factors.
    #[inline(always)]
    pub(super) fn weight_targets(&mut self, context: &KernelContext<'_>, n: usize) {
        for column in self.columns[context.unknowns() * STRIDE..].chunks_exact_mut(STRIDE) {
            column[..n].iter_mut().zip(&self.row_factors[..n]).for_each(|(y, factor)| *y *= factor);
        }
    }

    /// ŷ of one output.
    pub(super) fn predicted(&self, output: usize) -> &[f64] {
        &self.predicted[output * STRIDE..][..BLOCK]
    }
}

/// Pool of scratch buffers. Allocating and zeroing them takes as long as a sweep over a few hundred rows, so they are
/// kept between sweeps.
#[derive(Default)]
pub(super) struct ScratchPool(Mutex<Vec<Scratch>>);

impl ScratchPool {
    pub(super) fn with_scratch<R>(
        &self,
        context: &KernelContext<'_>,
        work: impl FnOnce(&mut Scratch) -> R,
    ) -> R {
        let free = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = |scratch: &Scratch| scratch.shape == Scratch::shape(context);
        let reused = free().pop().filter(fits);
        let mut scratch = reused.unwrap_or_else(|| Scratch::new(context));
        let result = work(&mut scratch);
        free().push(scratch);
        result
    }
}
