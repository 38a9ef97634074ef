//! Outputs, errors, and equation (4): lanes are rows, sums are made over a block at a time.

use super::super::antecedents::ANY;
use super::super::rows::Loss;
use super::gram::dot;
use super::kernel::{Kernel, Part, STRIDE};
use super::scratch::Scratch;
use super::sets;
use crate::device::math::{Real, exp_f64, ln_f64};
use crate::device::{Vector, mul_add_f64};

/// Weighted sums over rows.
pub(super) struct Sums {
    pub(super) loss: f64,
    pub(super) squares: f64,
    pub(super) sets: Vec<[f64; 4]>,
    pub(super) theta: Vec<f64>,
}

impl Sums {
    pub(super) fn zero(kernel: &Kernel<'_>) -> Self {
        let sets = vec![[0.0; 4]; kernel.slots.len()];
        Sums { loss: 0.0, squares: 0.0, sets, theta: vec![0.0; kernel.network.theta.len()] }
    }

    pub(super) fn add(&mut self, other: &Sums) {
        self.loss += other.loss;
        self.squares += other.squares;
        let sets = self.sets.iter_mut().flatten().zip(other.sets.iter().flatten());
        sets.chain(self.theta.iter_mut().zip(&other.theta)).for_each(|(sum, x)| *sum += x);
    }
}

/// φ·P of every output and rule, and ŷ: equation (2).
#[inline(always)]
pub(super) fn outputs<V: Vector<f64, L>, const L: usize>(
    kernel: &Kernel<'_>,
    scratch: &mut Scratch,
    part: Part,
) {
    let (mut v, end) = (part.first / L, (part.first + part.n) / L);
    while v < end {
        // Sums of several vectors side by side do not wait for each other.
        if end - v >= 4 {
            outputs_beside::<V, L, 4>(kernel, scratch, v);
            v += 4;
        } else {
            outputs_beside::<V, L, 1>(kernel, scratch, v);
            v += 1;
        }
    }
}

/// The same for `W` vectors from the `v`th on.
#[inline(always)]
fn outputs_beside<V: Vector<f64, L>, const L: usize, const W: usize>(
    kernel: &Kernel<'_>,
    scratch: &mut Scratch,
    v: usize,
) {
    let (columns, _) = scratch.columns.as_chunks::<L>();
    let (concluded, _) = scratch.concluded.as_chunks_mut::<L>();
    let (predicted, _) = scratch.predicted.as_chunks_mut::<L>();
    for (o, theta) in kernel.network.theta.chunks_exact(kernel.unknowns()).enumerate() {
        let mut total = [V::splat(0.0); W];
        let mut at = v;
        for (rule, theta) in theta.chunks_exact(kernel.terms).enumerate() {
            let mut sum = [V::splat(0.0); W];
            for theta in theta {
                let column = &columns[at..at + W];
                for w in 0..W {
                    sum[w] = V::splat(*theta).mul_add(V::load(&column[w]), sum[w]);
                }
                at += STRIDE / L;
            }
            let concluded = &mut concluded[(o * kernel.rules + rule) * (STRIDE / L) + v..][..W];
            for w in 0..W {
                sum[w].store(&mut concluded[w]);
                total[w] = total[w] + sum[w];
            }
        }
        for w in 0..W {
            total[w].store(&mut predicted[o * (STRIDE / L) + v + w]);
        }
    }
}

/// The loss, and its slope for each output in `errors`, both times the weights of the rows.
#[inline(always)]
pub(super) fn errors<V: Vector<f64, L>, const FMA: bool, const L: usize>(
    kernel: &Kernel<'_>,
    scratch: &mut Scratch,
    part: Part,
    loss: Loss,
    sums: &mut Sums,
) {
    let outputs = kernel.network.outputs;
    let weights = &scratch.weights[part.of(0)];
    let squares = &mut scratch.row[part.of(0)];
    squares.fill(0.0);
    for o in 0..outputs {
        let (predicted, y) =
            (&scratch.predicted[part.of(o)], &scratch.columns[part.of(kernel.unknowns() + o)]);
        let errors = &mut scratch.errors[part.of(o)];
        for i in 0..part.n {
            let error = predicted[i] - y[i];
            squares[i] = mul_add_f64::<FMA>(error, error, squares[i]);
            errors[i] = 2.0 * weights[i] * error;
        }
    }
    let squares = dot::<V, L>(squares, weights);
    let (loss, squares) = match loss {
        Loss::Squares => (squares, squares),
        Loss::CrossEntropy => cross_entropy::<V, FMA, L>(kernel, scratch, part),
    };
    sums.loss += loss;
    sums.squares += squares;
}

/// The same for the cross-entropy, with the squared errors of the probabilities.
#[inline(always)]
fn cross_entropy<V: Vector<f64, L>, const FMA: bool, const L: usize>(
    kernel: &Kernel<'_>,
    scratch: &mut Scratch,
    part: Part,
) -> (f64, f64) {
    let (outputs, targets) = (kernel.network.outputs, kernel.unknowns());
    let (most, rest) = scratch.slopes.split_at_mut(STRIDE);
    let (sums, all) = rest.split_at_mut(STRIDE);
    let (most, sums, all) = (&mut most[..part.n], &mut sums[..part.n], &mut all[..part.n]);
    most.fill(f64::NEG_INFINITY);
    sums.fill(0.0);
    all.fill(0.0);
    for o in 0..outputs {
        let (predicted, y) = (&scratch.predicted[part.of(o)], &scratch.columns[part.of(targets + o)]);
        for i in 0..part.n {
            most[i] = predicted[i].most(most[i]);
            // Targets may be probabilities that do not add up to 1: their sum weighs the softmax.
            all[i] += y[i];
        }
    }
    for o in 0..outputs {
        let predicted = &scratch.predicted[part.of(o)];
        for i in 0..part.n {
            sums[i] += exp_f64::<FMA>(predicted[i] - most[i]);
        }
    }
    // The logarithms of the sums stand in their place, and squared errors in that of the largest outputs.
    for i in 0..part.n {
        sums[i] = most[i] + ln_f64::<FMA>(sums[i]);
    }
    let squares = most;
    squares.fill(0.0);
    let (weights, losses) = (&scratch.weights[part.of(0)], &mut scratch.row[part.of(0)]);
    losses.fill(0.0);
    for o in 0..outputs {
        let (predicted, y) = (&scratch.predicted[part.of(o)], &scratch.columns[part.of(targets + o)]);
        let errors = &mut scratch.errors[part.of(o)];
        for i in 0..part.n {
            let ln = predicted[i] - sums[i];
            let probability = exp_f64::<FMA>(ln);
            losses[i] -= y[i] * ln;
            errors[i] = weights[i] * (all[i] * probability - y[i]);
            squares[i] += (probability - y[i]) * (probability - y[i]);
        }
    }
    (dot::<V, L>(losses, weights), dot::<V, L>(squares, weights))
}

/// q of every rule, summed over outputs, where φ·P of the first output was; and those of all rules that share a set.
#[inline(always)]
pub(super) fn shares(kernel: &Kernel<'_>, scratch: &mut Scratch, part: Part) {
    for slot in 0..kernel.shared.len() {
        scratch.shared[part.of(slot)].fill(0.0);
    }
    for rule in 0..kernel.rules {
        let phi = &scratch.columns[part.of(rule * kernel.terms)];
        let (first, others) = scratch.concluded.split_at_mut(kernel.rules * STRIDE);
        let q = &mut first[part.of(rule)];
        let (errors, predicted) = (&scratch.errors[part.of(0)], &scratch.predicted[part.of(0)]);
        for i in 0..part.n {
            q[i] = errors[i] * (q[i] - phi[i] * predicted[i]);
        }
        for o in 1..kernel.network.outputs {
            let (errors, predicted) = (&scratch.errors[part.of(o)], &scratch.predicted[part.of(o)]);
            let concluded = &others[part.of((o - 1) * kernel.rules + rule)];
            for i in 0..part.n {
                q[i] += errors[i] * (concluded[i] - phi[i] * predicted[i]);
            }
        }
        for slot in kernel.uses(rule).map(|set| kernel.slots[set]).filter(|slot| *slot != ANY) {
            let shared = &mut scratch.shared[part.of(slot as usize)];
            shared.iter_mut().zip(&*q).for_each(|(sum, q)| *sum += q);
        }
    }
}

/// Adds the slopes for θ.
#[inline(always)]
pub(super) fn consequents<V: Vector<f64, L>, const L: usize>(
    kernel: &Kernel<'_>,
    scratch: &Scratch,
    all: Part,
    sums: &mut Sums,
) {
    for (at, sum) in sums.theta.iter_mut().enumerate() {
        let (o, column) = (at / kernel.unknowns(), at % kernel.unknowns());
        *sum += dot::<V, L>(&scratch.columns[all.of(column)], &scratch.errors[all.of(o)]);
    }
}

/// Adds the slopes for the parameters of the sets: those of a shared set once, for all its rules together.
#[inline(always)]
pub(super) fn antecedents<V: Vector<f64, L>, const FMA: bool, const L: usize>(
    kernel: &Kernel<'_>,
    scratch: &mut Scratch,
    all: Part,
    sums: &mut Sums,
) {
    if !kernel.network.antecedents.form.is_smooth() {
        return;
    }
    for rule in 0..kernel.rules {
        for used in kernel.uses(rule).filter(|set| kernel.slots[*set] == ANY) {
            let q = &scratch.concluded[all.of(rule)];
            set::<V, FMA, L>(kernel, used, all, q, &scratch.x, &scratch.seen, &mut scratch.slopes, sums);
        }
    }
    for (slot, used) in kernel.shared.iter().enumerate() {
        let q = &scratch.shared[all.of(slot)];
        set::<V, FMA, L>(kernel, *used, all, q, &scratch.x, &scratch.seen, &mut scratch.slopes, sums);
    }
}

/// Adds Σ q·∂ln μ/∂p of one set.
#[inline(always)]
#[allow(clippy::too_many_arguments)] // parts of the scratch memory, of which one is written
fn set<V: Vector<f64, L>, const FMA: bool, const L: usize>(
    kernel: &Kernel<'_>,
    set: usize,
    all: Part,
    q: &[f64],
    x: &[f64],
    seen: &[f64],
    slopes: &mut [f64],
    sums: &mut Sums,
) {
    let form = kernel.network.antecedents.form;
    let (slopes, spare) = slopes.split_at_mut(4 * STRIDE);
    let (tuned, sums) = (&kernel.network.antecedents.sets[set], &mut sums.sets[set]);
    let x = kernel.inputs_of(tuned, all, x, seen, spare);
    sets::slopes::<FMA>(form, &tuned.parameters, x, slopes);
    for (sum, slopes) in sums.iter_mut().zip(slopes.chunks_exact(STRIDE)).take(form.count()) {
        *sum += dot::<V, L>(q, &slopes[all.of(0)]);
    }
}
