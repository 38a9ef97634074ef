//! Outputs, losses and the gradient of Equation (4). SIMD lanes are rows; sums run over a block.

use super::context::{KernelContext, STRIDE, Subblock};
use super::gram::dot;
use super::scratch::Scratch;
use super::sets;
use crate::device::math::{Real, exp_f64, ln_f64};
use crate::device::{Vector, mul_add_f64};
use crate::tuning::network::antecedents::NO_SET;
use crate::tuning::training::loss::Loss;

/// Weighted sums over rows.
pub(super) struct GradientSums {
    pub(super) loss: f64,
    pub(super) squares: f64,
    pub(super) sets: Vec<[f64; 4]>,
    pub(super) theta: Vec<f64>,
}

impl GradientSums {
    pub(super) fn zero(context: &KernelContext<'_>) -> Self {
        let sets = vec![[0.0; 4]; context.shared_slots.len()];
        GradientSums { loss: 0.0, squares: 0.0, sets, theta: vec![0.0; context.network.theta.len()] }
    }

    pub(super) fn add(&mut self, other: &GradientSums) {
        self.loss += other.loss;
        self.squares += other.squares;
        let sets = self.sets.iter_mut().flatten().zip(other.sets.iter().flatten());
        sets.chain(self.theta.iter_mut().zip(&other.theta)).for_each(|(sum, x)| *sum += x);
    }
}

/// φ·P of every output and rule, and ŷ, Equation (2).
#[inline(always)]
pub(super) fn outputs<V: Vector<f64, L>, const L: usize>(
    context: &KernelContext<'_>,
    scratch: &mut Scratch,
    subblock: Subblock,
) {
    let (mut v, end) = (subblock.first / L, (subblock.first + subblock.n) / L);
    while v < end {
        // Several independent sums hide the latency of the multiply-adds.
        if end - v >= 4 {
            outputs_of_vectors::<V, L, 4>(context, scratch, v);
            v += 4;
        } else {
            outputs_of_vectors::<V, L, 1>(context, scratch, v);
            v += 1;
        }
    }
}

/// Outputs of `W` vectors, starting at vector `v`.
#[inline(always)]
fn outputs_of_vectors<V: Vector<f64, L>, const L: usize, const W: usize>(
    context: &KernelContext<'_>,
    scratch: &mut Scratch,
    v: usize,
) {
    let (columns, _) = scratch.columns.as_chunks::<L>();
    let (rule_outputs, _) = scratch.rule_outputs.as_chunks_mut::<L>();
    let (predicted, _) = scratch.predicted.as_chunks_mut::<L>();
    for (o, theta) in context.network.theta.chunks_exact(context.unknowns()).enumerate() {
        let mut total = [V::splat(0.0); W];
        let mut at = v;
        for (rule, theta) in theta.chunks_exact(context.terms).enumerate() {
            let mut sum = [V::splat(0.0); W];
            for theta in theta {
                let column = &columns[at..at + W];
                for w in 0..W {
                    sum[w] = V::splat(*theta).mul_add(V::load(&column[w]), sum[w]);
                }
                at += STRIDE / L;
            }
            let rule_outputs = &mut rule_outputs[(o * context.rules + rule) * (STRIDE / L) + v..][..W];
            for w in 0..W {
                sum[w].store(&mut rule_outputs[w]);
                total[w] = total[w] + sum[w];
            }
        }
        for w in 0..W {
            total[w].store(&mut predicted[o * (STRIDE / L) + v + w]);
        }
    }
}

/// Adds the weighted loss and stores its derivative with respect to each output.
#[inline(always)]
pub(super) fn output_gradients<V: Vector<f64, L>, const FMA: bool, const L: usize>(
    context: &KernelContext<'_>,
    scratch: &mut Scratch,
    subblock: Subblock,
    loss: Loss,
    sums: &mut GradientSums,
) {
    let outputs = context.network.outputs;
    let weights = &scratch.weights[subblock.column(0)];
    let squares = &mut scratch.row_values[subblock.column(0)];
    squares.fill(0.0);
    for o in 0..outputs {
        let (predicted, y) = (
            &scratch.predicted[subblock.column(o)],
            &scratch.columns[subblock.column(context.unknowns() + o)],
        );
        let errors = &mut scratch.output_gradients[subblock.column(o)];
        for i in 0..subblock.n {
            let error = predicted[i] - y[i];
            squares[i] = mul_add_f64::<FMA>(error, error, squares[i]);
            errors[i] = 2.0 * weights[i] * error;
        }
    }
    let squares = dot::<V, L>(squares, weights);
    let (loss, squares) = match loss {
        Loss::SquaredError => (squares, squares),
        Loss::CrossEntropy => cross_entropy::<V, FMA, L>(context, scratch, subblock),
    };
    sums.loss += loss;
    sums.squares += squares;
}

/// Cross-entropy and squared error of the probabilities; stores the derivatives of the cross-entropy.
#[inline(always)]
fn cross_entropy<V: Vector<f64, L>, const FMA: bool, const L: usize>(
    context: &KernelContext<'_>,
    scratch: &mut Scratch,
    subblock: Subblock,
) -> (f64, f64) {
    let (outputs, targets) = (context.network.outputs, context.unknowns());
    let (max, rest) = scratch.temporary.split_at_mut(STRIDE);
    let (sums, all) = rest.split_at_mut(STRIDE);
    let (max, sums, all) = (&mut max[..subblock.n], &mut sums[..subblock.n], &mut all[..subblock.n]);
    max.fill(f64::NEG_INFINITY);
    sums.fill(0.0);
    all.fill(0.0);
    for o in 0..outputs {
        let (predicted, y) =
            (&scratch.predicted[subblock.column(o)], &scratch.columns[subblock.column(targets + o)]);
        for i in 0..subblock.n {
            max[i] = predicted[i].simd_max(max[i]);
            // Targets may be probabilities that do not sum to 1: their sum multiplies the softmax.
            all[i] += y[i];
        }
    }
    for o in 0..outputs {
        let predicted = &scratch.predicted[subblock.column(o)];
        for i in 0..subblock.n {
            sums[i] += exp_f64::<FMA>(predicted[i] - max[i]);
        }
    }
    // `sums` is overwritten by the log-sum-exp, `max` by the squared errors.
    for i in 0..subblock.n {
        sums[i] = max[i] + ln_f64::<FMA>(sums[i]);
    }
    let squares = max;
    squares.fill(0.0);
    let (weights, losses) =
        (&scratch.weights[subblock.column(0)], &mut scratch.row_values[subblock.column(0)]);
    losses.fill(0.0);
    for o in 0..outputs {
        let (predicted, y) =
            (&scratch.predicted[subblock.column(o)], &scratch.columns[subblock.column(targets + o)]);
        let errors = &mut scratch.output_gradients[subblock.column(o)];
        for i in 0..subblock.n {
            let ln = predicted[i] - sums[i];
            let probability = exp_f64::<FMA>(ln);
            losses[i] -= y[i] * ln;
            errors[i] = weights[i] * (all[i] * probability - y[i]);
            squares[i] += (probability - y[i]) * (probability - y[i]);
        }
    }
    (dot::<V, L>(losses, weights), dot::<V, L>(squares, weights))
}

/// q of every rule, summed over outputs, which overwrites φ·P of the first output; and the sums of q over the rules
/// that share a set.
#[inline(always)]
pub(super) fn rule_gradients(context: &KernelContext<'_>, scratch: &mut Scratch, subblock: Subblock) {
    for slot in 0..context.shared.len() {
        scratch.shared[subblock.column(slot)].fill(0.0);
    }
    for rule in 0..context.rules {
        let phi = &scratch.columns[subblock.column(rule * context.terms)];
        let (first, others) = scratch.rule_outputs.split_at_mut(context.rules * STRIDE);
        let q = &mut first[subblock.column(rule)];
        let (errors, predicted) =
            (&scratch.output_gradients[subblock.column(0)], &scratch.predicted[subblock.column(0)]);
        for i in 0..subblock.n {
            q[i] = errors[i] * (q[i] - phi[i] * predicted[i]);
        }
        for o in 1..context.network.outputs {
            let (errors, predicted) =
                (&scratch.output_gradients[subblock.column(o)], &scratch.predicted[subblock.column(o)]);
            let rule_outputs = &others[subblock.column((o - 1) * context.rules + rule)];
            for i in 0..subblock.n {
                q[i] += errors[i] * (rule_outputs[i] - phi[i] * predicted[i]);
            }
        }
        for slot in
            context.sets_of_rule(rule).map(|set| context.shared_slots[set]).filter(|slot| *slot != NO_SET)
        {
            let shared = &mut scratch.shared[subblock.column(slot as usize)];
            shared.iter_mut().zip(&*q).for_each(|(sum, q)| *sum += q);
        }
    }
}

/// Adds the gradient of θ.
#[inline(always)]
pub(super) fn add_theta_gradient<V: Vector<f64, L>, const L: usize>(
    context: &KernelContext<'_>,
    scratch: &Scratch,
    all: Subblock,
    sums: &mut GradientSums,
) {
    for (at, sum) in sums.theta.iter_mut().enumerate() {
        let (o, column) = (at / context.unknowns(), at % context.unknowns());
        *sum += dot::<V, L>(&scratch.columns[all.column(column)], &scratch.output_gradients[all.column(o)]);
    }
}

/// Adds the gradient of the set parameters; a shared set is processed once, for all its rules.
#[inline(always)]
pub(super) fn add_set_gradients<V: Vector<f64, L>, const FMA: bool, const L: usize>(
    context: &KernelContext<'_>,
    scratch: &mut Scratch,
    all: Subblock,
    sums: &mut GradientSums,
) {
    if !context.network.antecedents.form.is_differentiable() {
        return;
    }
    for rule in 0..context.rules {
        for used in context.sets_of_rule(rule).filter(|set| context.shared_slots[*set] == NO_SET) {
            let q = &scratch.rule_outputs[all.column(rule)];
            add_set_gradient::<V, FMA, L>(
                context,
                used,
                all,
                q,
                &scratch.x,
                &scratch.present,
                &mut scratch.temporary,
                sums,
            );
        }
    }
    for (slot, used) in context.shared.iter().enumerate() {
        let q = &scratch.shared[all.column(slot)];
        add_set_gradient::<V, FMA, L>(
            context,
            *used,
            all,
            q,
            &scratch.x,
            &scratch.present,
            &mut scratch.temporary,
            sums,
        );
    }
}

/// Adds Σ q·∂ln μ/∂p of one set.
#[inline(always)]
#[allow(clippy::too_many_arguments)] // fields of the scratch buffers are borrowed separately
fn add_set_gradient<V: Vector<f64, L>, const FMA: bool, const L: usize>(
    context: &KernelContext<'_>,
    set: usize,
    all: Subblock,
    q: &[f64],
    x: &[f64],
    present: &[f64],
    derivatives: &mut [f64],
    sums: &mut GradientSums,
) {
    let form = context.network.antecedents.form;
    let (derivatives, spare) = derivatives.split_at_mut(4 * STRIDE);
    let (tuned, sums) = (&context.network.antecedents.sets[set], &mut sums.sets[set]);
    let x = sets::inputs_of(context, tuned, all, x, present, spare);
    sets::ln_membership_gradient::<FMA>(form, &tuned.parameters, x, derivatives);
    for (sum, derivatives) in
        sums.iter_mut().zip(derivatives.chunks_exact(STRIDE)).take(form.parameter_count())
    {
        *sum += dot::<V, L>(q, &derivatives[all.column(0)]);
    }
}
