//! SIMD kernels: a block of rows through all stages.

#![allow(clippy::extra_unused_type_parameters)] // `vectors!` requires a scalar type parameter, which is always f64 here

use super::context::{KernelContext, Subblock, subblocks};
use super::scratch::Scratch;
use super::{firing, gradient, gram};
use crate::device::{Vector, vectors};
use crate::tuning::training::loss::Loss;
use crate::tuning::training::samples::ScaledSamples;
use std::ops::Range;

vectors! {
    /// Adds the products of all columns of Φ and all targets over a block of training rows.
    pub(super) fn gram(context: &KernelContext<'_>, samples: &ScaledSamples, rows: Range<usize>, scratch: &mut Scratch, sums: &mut [f64]) = gram_body::<f64>;
}

#[inline(always)]
fn gram_body<T, V: Vector<f64, L>, const FMA: bool, const L: usize>(
    context: &KernelContext<'_>,
    samples: &ScaledSamples,
    rows: Range<usize>,
    scratch: &mut Scratch,
    sums: &mut [f64],
) {
    let n = scratch.load(context, samples, rows);
    // Each factor of a product contributes √w.
    scratch.row_factors[..n].iter_mut().for_each(|factor| *factor = factor.sqrt());
    for subblock in subblocks(n) {
        firing::design_columns::<FMA>(context, scratch, subblock);
    }
    scratch.weight_targets(context, n);
    gram::add::<V, L>(&scratch.columns, context.unknowns() + context.network.outputs, n, sums);
}

vectors! {
    /// Adds the loss of a block of rows and, if `with_gradient`, its gradient.
    pub(super) fn gradient(context: &KernelContext<'_>, samples: &ScaledSamples, rows: Range<usize>, loss: Loss, with_gradient: bool, scratch: &mut Scratch, sums: &mut gradient::GradientSums) = gradient_body::<f64>;
}

#[inline(always)]
fn gradient_body<T, V: Vector<f64, L>, const FMA: bool, const L: usize>(
    context: &KernelContext<'_>,
    samples: &ScaledSamples,
    rows: Range<usize>,
    loss: Loss,
    with_gradient: bool,
    scratch: &mut Scratch,
    sums: &mut gradient::GradientSums,
) {
    let n = scratch.load(context, samples, rows);
    scratch.separate_weights(n);
    for subblock in subblocks(n) {
        firing::design_columns::<FMA>(context, scratch, subblock);
        gradient::outputs::<V, L>(context, scratch, subblock);
        gradient::output_gradients::<V, FMA, L>(context, scratch, subblock, loss, sums);
        if with_gradient {
            gradient::rule_gradients(context, scratch, subblock);
        }
    }
    if with_gradient {
        let all = Subblock { first: 0, n };
        gradient::add_theta_gradient::<V, L>(context, scratch, all, sums);
        gradient::add_set_gradients::<V, FMA, L>(context, scratch, all, sums);
    }
}

vectors! {
    /// Computes ŷ of a block of rows into `scratch`.
    pub(super) fn predict(context: &KernelContext<'_>, samples: &ScaledSamples, rows: Range<usize>, scratch: &mut Scratch) = predict_body::<f64>;
}

#[inline(always)]
fn predict_body<T, V: Vector<f64, L>, const FMA: bool, const L: usize>(
    context: &KernelContext<'_>,
    samples: &ScaledSamples,
    rows: Range<usize>,
    scratch: &mut Scratch,
) {
    let n = scratch.load(context, samples, rows);
    scratch.separate_weights(n);
    for subblock in subblocks(n) {
        firing::design_columns::<FMA>(context, scratch, subblock);
        gradient::outputs::<V, L>(context, scratch, subblock);
    }
}
