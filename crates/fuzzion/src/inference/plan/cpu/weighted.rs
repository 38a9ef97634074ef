//! Equation (4) over a block of rows, with both sums in registers.

use super::super::step::{Consequent, Slot, Term, WeightedResult};
use crate::device::math::Real;
use crate::device::{Vector, vectors};

/// SIMD vectors of rows processed together for each term.
const VECTORS: usize = 4;

vectors! {
    pub(super) fn weighted_f32(buffers: &[Vec<f32>], terms: &[Term], form: WeightedResult, min_weight: f64, out: &mut [f32]) =
        weighted::<f32>;
}
vectors! {
    pub(super) fn weighted_f64(buffers: &[Vec<f64>], terms: &[Term], form: WeightedResult, min_weight: f64, out: &mut [f64]) =
        weighted::<f64>;
}

vectors! {
    pub(super) fn linear_f32(
        buffers: &[Vec<f32>], coefficients: &[f64], constant: f64, inputs: &[Slot], out: &mut [f32],
    ) = linear::<f32>;
}
vectors! {
    pub(super) fn linear_f64(
        buffers: &[Vec<f64>], coefficients: &[f64], constant: f64, inputs: &[Slot], out: &mut [f64],
    ) = linear::<f64>;
}

/// A linear consequent; lengths as for [`weighted`].
#[inline(always)]
fn linear<T: Real, V: Vector<T, L>, const FMA: bool, const L: usize>(
    buffers: &[Vec<T>],
    coefficients: &[f64],
    constant: f64,
    inputs: &[Slot],
    out: &mut [T],
) {
    let (out, _) = out.as_chunks_mut::<L>();
    for (i, out) in out.iter_mut().enumerate() {
        let mut sum = V::splat(T::ZERO);
        for (coefficient, slot) in coefficients.iter().zip(inputs) {
            let x = V::load(&buffers[*slot].as_chunks::<L>().0[i]);
            sum = x.mul_add(V::splat(T::cast(*coefficient)), sum);
        }
        (sum + V::splat(T::cast(constant))).store(out);
    }
}

/// The length of `out` and of the buffers is a multiple of the widest SIMD vector.
#[inline(always)]
fn weighted<T: Real, V: Vector<T, L>, const FMA: bool, const L: usize>(
    buffers: &[Vec<T>],
    terms: &[Term],
    form: WeightedResult,
    min_weight: f64,
    out: &mut [T],
) {
    let (out, _) = out.as_chunks_mut::<L>();
    // Several vectors per term amortize the branches on the kind of term.
    let (all, rest) = out.as_chunks_mut::<VECTORS>();
    for (i, out) in all.iter_mut().enumerate() {
        sums::<T, V, FMA, L, VECTORS>(buffers, terms, i * VECTORS, (form, min_weight), out);
    }
    let first = all.len() * VECTORS;
    for (i, out) in rest.iter_mut().enumerate() {
        sums::<T, V, FMA, L, 1>(buffers, terms, first + i, (form, min_weight), std::array::from_mut(out));
    }
}

/// Sums for `N` vectors of rows starting at vector `first`.
#[inline(always)]
fn sums<T: Real, V: Vector<T, L>, const FMA: bool, const L: usize, const N: usize>(
    buffers: &[Vec<T>],
    terms: &[Term],
    first: usize,
    (form, min_weight): (WeightedResult, f64),
    out: &mut [[T; L]; N],
) {
    let zero = [V::splat(T::ZERO); N];
    let at = |slot: Slot| -> &[[T; L]] { &buffers[slot].as_chunks::<L>().0[first..first + N] };
    let (mut sum, mut weights) = (zero, zero);
    // A common first factor is multiplied once per group: a·b·z + a·c·y = a·(b·z + c·y).
    for group in
        terms.chunk_by(|a, b| a.weight == b.weight && a.second_factor.is_some() && b.second_factor.is_some())
    {
        let (mut part, mut part_weights) = (zero, zero);
        for term in group {
            let w = at(term.second_factor.unwrap_or(term.weight));
            match (&term.z, term.present) {
                (Consequent::Constant(z), None) => {
                    let z = V::splat(T::cast(*z));
                    for k in 0..N {
                        let w = V::load(&w[k]);
                        part[k] = w.mul_add(z, part[k]);
                        part_weights[k] = part_weights[k] + w;
                    }
                }
                (z, present) => {
                    let mut value = zero;
                    consequent::<T, V, L, N>(&at, z, &mut value);
                    for k in 0..N {
                        let w = V::load(&w[k]);
                        part_weights[k] = part_weights[k] + w;
                        part[k] = match present {
                            None => w.mul_add(value[k], part[k]),
                            Some(mask) => part[k] + where_present::<T, V, L>(w * value[k], &at(mask)[k]),
                        };
                    }
                }
            }
        }
        let factor = group.first().and_then(|term| term.second_factor.map(|_| at(term.weight)));
        for k in 0..N {
            (sum[k], weights[k]) = match factor {
                Some(factor) => {
                    let factor = V::load(&factor[k]);
                    (factor.mul_add(part[k], sum[k]), factor.mul_add(part_weights[k], weights[k]))
                }
                None => (sum[k] + part[k], weights[k] + part_weights[k]),
            };
        }
    }
    for k in 0..N {
        finish::<T, V, L>(sum[k], weights[k], form, min_weight, &mut out[k]);
    }
}

/// Computes the result from both sums.
#[inline(always)]
pub(super) fn finish<T: Real, V: Vector<T, L>, const L: usize>(
    sum: V,
    weights: V,
    form: WeightedResult,
    min_weight: f64,
    out: &mut [T; L],
) {
    let value = match form {
        WeightedResult::Average => sum / weights,
        WeightedResult::Sum => sum / weights * weights,
        WeightedResult::PlainSum => sum,
    };
    value.store(out);
    if min_weight > f64::NEG_INFINITY {
        let mut total = [T::ZERO; L];
        weights.store(&mut total);
        for (out, total) in out.iter_mut().zip(&total) {
            *out = if *total < T::cast(min_weight) { T::NAN } else { *out };
        }
    }
}

/// z of Equation (4).
#[inline(always)]
fn consequent<'a, T: Real + 'a, V: Vector<T, L>, const L: usize, const N: usize>(
    at: &impl Fn(Slot) -> &'a [[T; L]],
    z: &Consequent,
    value: &mut [V; N],
) {
    match z {
        Consequent::Constant(z) => *value = [V::splat(T::cast(*z)); N],
        Consequent::Step(slot) => {
            for (value, z) in value.iter_mut().zip(at(*slot)) {
                *value = V::load(z);
            }
        }
        Consequent::Linear { coefficients, constant, inputs } => {
            *value = [V::splat(T::cast(*constant)); N];
            for (coefficient, input) in coefficients.iter().zip(inputs) {
                let coefficient = V::splat(T::cast(*coefficient));
                for (value, x) in value.iter_mut().zip(at(*input)) {
                    *value = V::load(x).mul_add(coefficient, *value);
                }
            }
        }
    }
}

/// The product where the mask is not 0, otherwise 0, even if the product is NaN.
#[inline(always)]
fn where_present<T: Real, V: Vector<T, L>, const L: usize>(product: V, mask: &[T; L]) -> V {
    let mut lanes = [T::ZERO; L];
    product.store(&mut lanes);
    for (lane, mask) in lanes.iter_mut().zip(mask) {
        *lane = if *mask == T::ZERO { T::ZERO } else { *lane };
    }
    V::load(&lanes)
}
