//! Equation (4) for constant and linear consequents of few inputs. Coefficients are summed before they are multiplied by
//! the inputs, Σ w·(a·x + c) = x·Σ w·a + Σ w·c. Σ w is computed once for rules that differ only in one factor of their
//! weights, as the rules of a grid do.

use super::super::step::{Consequent, Slot, Term, WeightedResult};
use super::weighted::finish;
use crate::device::math::Real;
use crate::device::{Vector, vectors};

/// Maximum number of coefficients, including the constant, whose sums stay in registers.
const MAX_COEFFICIENTS: usize = 4;

/// Terms of Equation (4) in a precision.
#[derive(Clone, Debug)]
pub(crate) struct LinearTerms<T> {
    /// Inputs of the linear consequents.
    inputs: Vec<Slot>,
    groups: Vec<Group<T>>,
}

/// Terms whose weights share one factor.
#[derive(Clone, Debug)]
struct Group<T> {
    factor: Option<Slot>,
    weights: Vec<Slot>,
    /// Whether the weights are the same as in the previous group.
    repeated: bool,
    /// For each weight, the coefficients of the inputs and the constant.
    coefficients: Vec<T>,
}

impl<T: Real> LinearTerms<T> {
    /// `None` if a term has another kind of consequent. Linear consequents require `finite` inputs: with infinite inputs
    /// the reordered sums would be NaN in other rows than Equation (4).
    pub(super) fn new(terms: &[Term], finite: bool) -> Option<Self> {
        let inputs = terms.iter().find_map(|term| match &term.z {
            Consequent::Linear { inputs, .. } => Some(inputs.clone()),
            _ => None,
        });
        let inputs = inputs.unwrap_or_default(); // no Linear reads no input
        if inputs.len() >= MAX_COEFFICIENTS || !(inputs.is_empty() || finite) {
            return None;
        }
        let mut groups: Vec<Group<T>> = Vec::new();
        for term in terms {
            let (factor, weight) = match term.second_factor {
                Some(second) => (Some(term.weight), second),
                None => (None, term.weight),
            };
            let mut coefficients = vec![T::ZERO; inputs.len() + 1];
            match &term.z {
                _ if term.present.is_some() => return None,
                Consequent::Step(_) => return None,
                Consequent::Constant(z) => coefficients[inputs.len()] = T::cast(*z),
                Consequent::Linear { coefficients: of_inputs, constant, inputs: own } => {
                    if *own != inputs {
                        return None;
                    }
                    coefficients.iter_mut().zip(of_inputs).for_each(|(to, from)| *to = T::cast(*from));
                    coefficients[inputs.len()] = T::cast(*constant);
                }
            }
            if groups.last().is_none_or(|group| group.factor != factor) {
                groups.push(Group { factor, weights: vec![], repeated: false, coefficients: vec![] });
            }
            let group = groups.last_mut().expect("invariant: a group exists or was just added");
            group.weights.push(weight);
            group.coefficients.extend(coefficients);
        }
        for i in 1..groups.len() {
            groups[i].repeated = groups[i].weights == groups[i - 1].weights;
        }
        Some(LinearTerms { inputs, groups })
    }
}

vectors! {
    pub(super) fn linear_terms_f32(
        buffers: &[Vec<f32>], terms: &LinearTerms<f32>, form: WeightedResult, min_weight: f64, out: &mut [f32],
    ) = all_rows::<f32>;
}
vectors! {
    pub(super) fn linear_terms_f64(
        buffers: &[Vec<f64>], terms: &LinearTerms<f64>, form: WeightedResult, min_weight: f64, out: &mut [f64],
    ) = all_rows::<f64>;
}

/// The length of `out` and of the buffers is a multiple of the widest SIMD vector.
#[inline(always)]
fn all_rows<T: Real, V: Vector<T, L>, const FMA: bool, const L: usize>(
    buffers: &[Vec<T>],
    terms: &LinearTerms<T>,
    form: WeightedResult,
    min_weight: f64,
    out: &mut [T],
) {
    // Number of vectors of rows processed together, limited by the registers for their sums.
    match (terms.inputs.len(), V::HAS_32_REGISTERS) {
        (0, true) => blocks::<T, V, L, 1, 8>(buffers, terms, (form, min_weight), out),
        (0, false) => blocks::<T, V, L, 1, 4>(buffers, terms, (form, min_weight), out),
        (1, true) => blocks::<T, V, L, 2, 4>(buffers, terms, (form, min_weight), out),
        (2, true) => blocks::<T, V, L, 3, 4>(buffers, terms, (form, min_weight), out),
        (3, true) => blocks::<T, V, L, 4, 4>(buffers, terms, (form, min_weight), out),
        (1, false) => blocks::<T, V, L, 2, 2>(buffers, terms, (form, min_weight), out),
        (2, false) => blocks::<T, V, L, 3, 2>(buffers, terms, (form, min_weight), out),
        _ => blocks::<T, V, L, 4, 2>(buffers, terms, (form, min_weight), out),
    }
}

#[inline(always)]
fn blocks<T: Real, V: Vector<T, L>, const L: usize, const K: usize, const N: usize>(
    buffers: &[Vec<T>],
    terms: &LinearTerms<T>,
    result: (WeightedResult, f64),
    out: &mut [T],
) {
    let (out, _) = out.as_chunks_mut::<L>();
    let (all, rest) = out.as_chunks_mut::<N>();
    for (i, out) in all.iter_mut().enumerate() {
        sums::<T, V, L, K, N>(buffers, terms, i * N, result, out);
    }
    let first = all.len() * N;
    for (i, out) in rest.iter_mut().enumerate() {
        sums::<T, V, L, K, 1>(buffers, terms, first + i, result, std::array::from_mut(out));
    }
}

/// Sums for `N` vectors of rows starting at vector `first`, with `K` coefficients per term.
#[inline(always)]
fn sums<T: Real, V: Vector<T, L>, const L: usize, const K: usize, const N: usize>(
    buffers: &[Vec<T>],
    terms: &LinearTerms<T>,
    first: usize,
    (form, min_weight): (WeightedResult, f64),
    out: &mut [[T; L]; N],
) {
    let zero = [V::splat(T::ZERO); N];
    // An array, so that the compiler knows the number of vectors.
    let at = |slot: Slot| -> Option<&[[T; L]; N]> { buffers[slot].as_chunks::<L>().0[first..].first_chunk() };
    let (mut sum, mut weights, mut group_weights) = (zero, zero, zero);
    for group in &terms.groups {
        let mut part = [zero; K];
        let (coefficients, _) = group.coefficients.as_chunks::<K>();
        if !group.repeated {
            group_weights = zero;
            for w in group.weights.iter().filter_map(|slot| at(*slot)) {
                for k in 0..N {
                    group_weights[k] = group_weights[k] + V::load(&w[k]);
                }
            }
        }
        for (slot, coefficients) in group.weights.iter().zip(coefficients) {
            let Some(w) = at(*slot) else { continue };
            for k in 0..N {
                let w = V::load(&w[k]);
                for (part, coefficient) in part.iter_mut().zip(coefficients) {
                    part[k] = w.mul_add(V::splat(*coefficient), part[k]);
                }
            }
        }
        let mut value = part[K - 1];
        for (part, x) in part.iter().zip(terms.inputs.iter().filter_map(|slot| at(*slot))) {
            for k in 0..N {
                value[k] = V::load(&x[k]).mul_add(part[k], value[k]);
            }
        }
        match group.factor.and_then(at) {
            Some(factor) => {
                for k in 0..N {
                    let factor = V::load(&factor[k]);
                    sum[k] = factor.mul_add(value[k], sum[k]);
                    weights[k] = factor.mul_add(group_weights[k], weights[k]);
                }
            }
            None => {
                for k in 0..N {
                    (sum[k], weights[k]) = (sum[k] + value[k], weights[k] + group_weights[k]);
                }
            }
        }
    }
    for k in 0..N {
        finish::<T, V, L>(sum[k], weights[k], form, min_weight, &mut out[k]);
    }
}
