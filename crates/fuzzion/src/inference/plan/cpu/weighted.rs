//! Equation (4) of the room over a block of rows: both sums stay in registers over all terms.

use super::super::levels::Ruler;
use super::super::step::{Consequent, Slot, Term, WeightedEnd};
use super::MAX_BLOCK;
use crate::device::math::Real;
use crate::device::{Vector, simd, vectors};

/// Vectors of rows that go through the terms together.
const TOGETHER: usize = 4;

vectors! {
    pub(super) fn weighted_f32(places: &[Vec<f32>], terms: &[Term], end: WeightedEnd, least: f64, out: &mut [f32]) =
        weighted::<f32>;
}
vectors! {
    pub(super) fn weighted_f64(places: &[Vec<f64>], terms: &[Term], end: WeightedEnd, least: f64, out: &mut [f64]) =
        weighted::<f64>;
}

vectors! {
    pub(super) fn linear_f32(
        places: &[Vec<f32>], coefficients: &[f64], constant: f64, inputs: &[Slot], out: &mut [f32],
    ) = linear::<f32>;
}
vectors! {
    pub(super) fn linear_f64(
        places: &[Vec<f64>], coefficients: &[f64], constant: f64, inputs: &[Slot], out: &mut [f64],
    ) = linear::<f64>;
}

/// A first-order consequent; lengths as for [`weighted`].
#[inline(always)]
fn linear<T: Real, V: Vector<T, L>, const FMA: bool, const L: usize>(
    places: &[Vec<T>],
    coefficients: &[f64],
    constant: f64,
    inputs: &[Slot],
    out: &mut [T],
) {
    let (out, _) = out.as_chunks_mut::<L>();
    for (i, out) in out.iter_mut().enumerate() {
        let mut sum = V::splat(T::ZERO);
        for (coefficient, slot) in coefficients.iter().zip(inputs) {
            let x = V::load(&places[*slot].as_chunks::<L>().0[i]);
            sum = x.mul_add(V::splat(T::of(*coefficient)), sum);
        }
        (sum + V::splat(T::of(constant))).store(out);
    }
}

/// `out` is a whole number of the longest vectors, as the places are.
#[inline(always)]
fn weighted<T: Real, V: Vector<T, L>, const FMA: bool, const L: usize>(
    places: &[Vec<T>],
    terms: &[Term],
    end: WeightedEnd,
    least: f64,
    out: &mut [T],
) {
    let (out, _) = out.as_chunks_mut::<L>();
    // Several vectors a term: what a term asks for is asked once for all of them.
    let (all, rest) = out.as_chunks_mut::<TOGETHER>();
    for (i, out) in all.iter_mut().enumerate() {
        sums::<T, V, FMA, L, TOGETHER>(places, terms, i * TOGETHER, (end, least), out);
    }
    let first = all.len() * TOGETHER;
    for (i, out) in rest.iter_mut().enumerate() {
        sums::<T, V, FMA, L, 1>(places, terms, first + i, (end, least), std::array::from_mut(out));
    }
}

/// `N` vectors of rows, from the `first`th on.
#[inline(always)]
fn sums<T: Real, V: Vector<T, L>, const FMA: bool, const L: usize, const N: usize>(
    places: &[Vec<T>],
    terms: &[Term],
    first: usize,
    (end, least): (WeightedEnd, f64),
    out: &mut [[T; L]; N],
) {
    let zero = [V::splat(T::ZERO); N];
    let at = |slot: Slot| -> &[[T; L]] { &places[slot].as_chunks::<L>().0[first..first + N] };
    let (mut sum, mut weights) = (zero, zero);
    // Products with the same first factor are summed without it: a·b·z + a·c·y = a·(b·z + c·y).
    for group in terms.chunk_by(|a, b| a.weight == b.weight && a.times.is_some() && b.times.is_some()) {
        let (mut part, mut part_weights) = (zero, zero);
        for term in group {
            let w = at(term.times.unwrap_or(term.weight));
            match (&term.z, term.present) {
                (Consequent::Number(z), None) => {
                    let z = V::splat(T::of(*z));
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
        let factor = group.first().and_then(|term| term.times.map(|_| at(term.weight)));
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
        finish::<T, V, L>(sum[k], weights[k], end, least, &mut out[k]);
    }
}

/// What is made of both sums.
#[inline(always)]
pub(super) fn finish<T: Real, V: Vector<T, L>, const L: usize>(
    sum: V,
    weights: V,
    end: WeightedEnd,
    least: f64,
    out: &mut [T; L],
) {
    let value = match end {
        WeightedEnd::Average => sum / weights,
        WeightedEnd::Sum => sum / weights * weights,
        WeightedEnd::PlainSum => sum,
    };
    value.store(out);
    if least > f64::NEG_INFINITY {
        let mut total = [T::ZERO; L];
        weights.store(&mut total);
        for (out, total) in out.iter_mut().zip(&total) {
            *out = if *total < T::of(least) { T::NAN } else { *out };
        }
    }
}

/// z of equation (4).
#[inline(always)]
fn consequent<'a, T: Real + 'a, V: Vector<T, L>, const L: usize, const N: usize>(
    at: &impl Fn(Slot) -> &'a [[T; L]],
    z: &Consequent,
    value: &mut [V; N],
) {
    match z {
        Consequent::Number(z) => *value = [V::splat(T::of(*z)); N],
        Consequent::Value(slot) => {
            for (value, z) in value.iter_mut().zip(at(*slot)) {
                *value = V::load(z);
            }
        }
        Consequent::Plane { coefficients, constant, inputs } => {
            *value = [V::splat(T::of(*constant)); N];
            for (coefficient, input) in coefficients.iter().zip(inputs) {
                let coefficient = V::splat(T::of(*coefficient));
                for (value, x) in value.iter_mut().zip(at(*input)) {
                    *value = V::load(x).mul_add(coefficient, *value);
                }
            }
        }
    }
}

/// The product where the mask is not 0; a NaN elsewhere vanishes.
#[inline(always)]
fn where_present<T: Real, V: Vector<T, L>, const L: usize>(product: V, mask: &[T; L]) -> V {
    let mut lanes = [T::ZERO; L];
    product.store(&mut lanes);
    for (lane, mask) in lanes.iter_mut().zip(mask) {
        *lane = if *mask == T::ZERO { T::ZERO } else { *lane };
    }
    V::load(&lanes)
}

simd! {
    pub(super) fn levels_f32(
        places: &[Vec<f32>], rulers: &[Ruler<f32>], center: f32, strengths: &[Slot], out: &mut [f32],
    ) = levels_f32_body;
}
simd! {
    pub(super) fn levels_f64(
        places: &[Vec<f64>], rulers: &[Ruler<f64>], center: f64, strengths: &[Slot], out: &mut [f64],
    ) = levels_f64_body;
}

#[inline(always)]
fn levels_f32_body<const FMA: bool>(
    places: &[Vec<f32>],
    rulers: &[Ruler<f32>],
    center: f32,
    strengths: &[Slot],
    out: &mut [f32],
) {
    levels::<f32, FMA>(places, rulers, center, strengths, out);
}

#[inline(always)]
fn levels_f64_body<const FMA: bool>(
    places: &[Vec<f64>],
    rulers: &[Ruler<f64>],
    center: f64,
    strengths: &[Slot],
    out: &mut [f64],
) {
    levels::<f64, FMA>(places, rulers, center, strengths, out);
}

/// The centroid by tables of levels, for as many rows as `out` has.
#[inline(always)]
fn levels<T: Real, const FMA: bool>(
    places: &[Vec<T>],
    rulers: &[Ruler<T>],
    center: T,
    strengths: &[Slot],
    out: &mut [T],
) {
    let rows = out.len().min(MAX_BLOCK);
    let (mut area, mut moment) = ([T::ZERO; MAX_BLOCK], [T::ZERO; MAX_BLOCK]);
    let (mut level, mut bucket) = ([T::ZERO; MAX_BLOCK], [0u32; MAX_BLOCK]);
    for ruler in rulers {
        let level = &mut level[..rows];
        for (i, term) in ruler.terms.iter().enumerate() {
            let strength = &places[strengths[*term]][..rows];
            match i {
                0 => level.copy_from_slice(strength),
                _ => level.iter_mut().zip(strength).for_each(|(level, w)| *level = w.least(*level)),
            }
        }
        for (bucket, level) in bucket.iter_mut().zip(level.iter()) {
            *bucket = ruler.bucket(*level);
        }
        let sums = area.iter_mut().zip(&mut moment).zip(level.iter().zip(&bucket));
        if ruler.curves.is_empty() {
            for ((area, moment), (level, bucket)) in sums {
                let line = &ruler.lines[ruler.place(*level, *bucket)];
                *area = *area + level.mul_add::<FMA>(line[1], line[0]);
                *moment = *moment + level.mul_add::<FMA>(line[3], line[2]);
            }
        } else {
            for ((area, moment), (level, bucket)) in sums {
                let c = &ruler.curves[ruler.place(*level, *bucket)];
                let u = *level - c[3];
                let cubic = u.mul_add::<FMA>(u.mul_add::<FMA>(u.mul_add::<FMA>(c[7], c[6]), c[5]), c[4]);
                *area = *area + u.mul_add::<FMA>(u.mul_add::<FMA>(c[2], c[1]), c[0]);
                *moment = *moment + cubic;
            }
        }
    }
    for ((out, area), moment) in out.iter_mut().zip(&area).zip(&moment) {
        *out = *moment / *area + center;
    }
}
