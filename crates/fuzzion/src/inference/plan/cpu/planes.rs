//! Equation (4) where all consequents are planes of few inputs, numbers among them: a plane's coefficients are summed
//! before they meet the inputs, Σ w·(a·x + c) = x·Σ w·a + Σ w·c, and Σ w is summed once for rules that differ only in a
//! factor, as those of a grid do.

use super::super::step::{Consequent, Slot, Term, WeightedEnd};
use super::weighted::finish;
use crate::device::math::Real;
use crate::device::{Vector, vectors};

/// The most coefficients of a plane, its constant counted, for which sums stay in registers.
const MAX_COEFFICIENTS: usize = 4;

/// The terms of equation (4) in a precision.
#[derive(Clone, Debug)]
pub(crate) struct Planes<T> {
    /// What the planes are of.
    inputs: Vec<Slot>,
    groups: Vec<Group<T>>,
}

/// Terms whose weights have one factor.
#[derive(Clone, Debug)]
struct Group<T> {
    factor: Option<Slot>,
    weights: Vec<Slot>,
    /// Whether the weights are those of the group before.
    repeated: bool,
    /// For each weight, those of the inputs and the constant.
    coefficients: Vec<T>,
}

impl<T: Real> Planes<T> {
    /// `None` for terms of other kinds. Inputs that are not finite would hide a weight of 0 elsewhere than there, so
    /// that planes proper are for rows that are `finite`.
    pub(super) fn of(terms: &[Term], finite: bool) -> Option<Self> {
        let inputs = terms.iter().find_map(|term| match &term.z {
            Consequent::Plane { inputs, .. } => Some(inputs.clone()),
            _ => None,
        });
        let inputs = inputs.unwrap_or_default();
        if inputs.len() >= MAX_COEFFICIENTS || !(inputs.is_empty() || finite) {
            return None;
        }
        let mut groups: Vec<Group<T>> = Vec::new();
        for term in terms {
            let (factor, weight) = match term.times {
                Some(times) => (Some(term.weight), times),
                None => (None, term.weight),
            };
            let mut coefficients = vec![T::ZERO; inputs.len() + 1];
            match &term.z {
                _ if term.present.is_some() => return None,
                Consequent::Value(_) => return None,
                Consequent::Number(z) => coefficients[inputs.len()] = T::of(*z),
                Consequent::Plane { coefficients: of_inputs, constant, inputs: own } => {
                    if *own != inputs {
                        return None;
                    }
                    coefficients.iter_mut().zip(of_inputs).for_each(|(to, from)| *to = T::of(*from));
                    coefficients[inputs.len()] = T::of(*constant);
                }
            }
            if groups.last().is_none_or(|group| group.factor != factor) {
                groups.push(Group { factor, weights: vec![], repeated: false, coefficients: vec![] });
            }
            if let Some(group) = groups.last_mut() {
                group.weights.push(weight);
                group.coefficients.extend(coefficients);
            }
        }
        for i in 1..groups.len() {
            groups[i].repeated = groups[i].weights == groups[i - 1].weights;
        }
        Some(Planes { inputs, groups })
    }
}

vectors! {
    pub(super) fn planes_f32(
        places: &[Vec<f32>], planes: &Planes<f32>, end: WeightedEnd, least: f64, out: &mut [f32],
    ) = all_rows::<f32>;
}
vectors! {
    pub(super) fn planes_f64(
        places: &[Vec<f64>], planes: &Planes<f64>, end: WeightedEnd, least: f64, out: &mut [f64],
    ) = all_rows::<f64>;
}

/// `out` is a whole number of the longest vectors, as the places are.
#[inline(always)]
fn all_rows<T: Real, V: Vector<T, L>, const FMA: bool, const L: usize>(
    places: &[Vec<T>],
    planes: &Planes<T>,
    end: WeightedEnd,
    least: f64,
    out: &mut [T],
) {
    // Vectors of rows that go through the terms together, as many as the registers hold sums of.
    match (planes.inputs.len(), V::ROOMY) {
        (0, true) => blocks::<T, V, L, 1, 8>(places, planes, (end, least), out),
        (0, false) => blocks::<T, V, L, 1, 4>(places, planes, (end, least), out),
        (1, true) => blocks::<T, V, L, 2, 4>(places, planes, (end, least), out),
        (2, true) => blocks::<T, V, L, 3, 4>(places, planes, (end, least), out),
        (3, true) => blocks::<T, V, L, 4, 4>(places, planes, (end, least), out),
        (1, false) => blocks::<T, V, L, 2, 2>(places, planes, (end, least), out),
        (2, false) => blocks::<T, V, L, 3, 2>(places, planes, (end, least), out),
        _ => blocks::<T, V, L, 4, 2>(places, planes, (end, least), out),
    }
}

#[inline(always)]
fn blocks<T: Real, V: Vector<T, L>, const L: usize, const K: usize, const N: usize>(
    places: &[Vec<T>],
    planes: &Planes<T>,
    end: (WeightedEnd, f64),
    out: &mut [T],
) {
    let (out, _) = out.as_chunks_mut::<L>();
    let (all, rest) = out.as_chunks_mut::<N>();
    for (i, out) in all.iter_mut().enumerate() {
        sums::<T, V, L, K, N>(places, planes, i * N, end, out);
    }
    let first = all.len() * N;
    for (i, out) in rest.iter_mut().enumerate() {
        sums::<T, V, L, K, 1>(places, planes, first + i, end, std::array::from_mut(out));
    }
}

/// `N` vectors of rows, from the `first`th on, for planes of `K` coefficients.
#[inline(always)]
fn sums<T: Real, V: Vector<T, L>, const L: usize, const K: usize, const N: usize>(
    places: &[Vec<T>],
    planes: &Planes<T>,
    first: usize,
    (end, least): (WeightedEnd, f64),
    out: &mut [[T; L]; N],
) {
    let zero = [V::splat(T::ZERO); N];
    // An array, so that each of the vectors is known to be there.
    let at = |slot: Slot| -> Option<&[[T; L]; N]> { places[slot].as_chunks::<L>().0[first..].first_chunk() };
    let (mut sum, mut weights, mut group_weights) = (zero, zero, zero);
    for group in &planes.groups {
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
        for (part, x) in part.iter().zip(planes.inputs.iter().filter_map(|slot| at(*slot))) {
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
        finish::<T, V, L>(sum[k], weights[k], end, least, &mut out[k]);
    }
}
