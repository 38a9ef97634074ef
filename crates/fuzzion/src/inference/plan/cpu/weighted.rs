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
    for (i, out) in out.chunks_mut(TOGETHER).enumerate() {
        let first = i * TOGETHER;
        let mut at = [[V::splat(T::ZERO); TOGETHER]; 2];
        let (mut sum, mut weights) = ([V::splat(T::ZERO); TOGETHER], [V::splat(T::ZERO); TOGETHER]);
        let load = |slot: Slot, to: &mut [V; TOGETHER]| {
            let from = &places[slot].as_chunks::<L>().0[first..first + out.len()];
            for (to, from) in to.iter_mut().zip(from) {
                *to = V::load(from);
            }
        };
        for term in terms {
            let [w, z] = &mut at;
            load(term.weight, w);
            if let Some(times) = term.times {
                load(times, z);
                for (w, times) in w.iter_mut().zip(z.iter()) {
                    *w = *w * *times;
                }
            }
            match &term.z {
                Consequent::Number(number) => *z = [V::splat(T::of(*number)); TOGETHER],
                Consequent::Value(slot) => load(*slot, z),
                Consequent::Plane { coefficients, constant, inputs } => {
                    *z = [V::splat(T::of(*constant)); TOGETHER];
                    for (coefficient, input) in coefficients.iter().zip(inputs) {
                        let mut x = [V::splat(T::ZERO); TOGETHER];
                        load(*input, &mut x);
                        let coefficient = V::splat(T::of(*coefficient));
                        for (z, x) in z.iter_mut().zip(&x) {
                            *z = x.mul_add(coefficient, *z);
                        }
                    }
                }
            }
            for k in 0..TOGETHER {
                sum[k] = match term.present {
                    None => w[k].mul_add(z[k], sum[k]),
                    Some(mask) if k < out.len() => {
                        let mut product = [T::ZERO; L];
                        (w[k] * z[k]).store(&mut product);
                        let mask = &places[mask].as_chunks::<L>().0[first + k];
                        for (product, mask) in product.iter_mut().zip(mask) {
                            *product = if *mask == T::ZERO { T::ZERO } else { *product };
                        }
                        sum[k] + V::load(&product)
                    }
                    Some(_) => sum[k],
                };
                weights[k] = weights[k] + w[k];
            }
        }
        for ((out, sum), weights) in out.iter_mut().zip(&sum).zip(&weights) {
            let value = match end {
                WeightedEnd::Average => *sum / *weights,
                WeightedEnd::Sum => *sum / *weights * *weights,
                WeightedEnd::PlainSum => *sum,
            };
            value.store(out);
            if least > f64::NEG_INFINITY {
                let mut sums = [T::ZERO; L];
                weights.store(&mut sums);
                for (out, sum) in out.iter_mut().zip(&sums) {
                    *out = if *sum < T::of(least) { T::NAN } else { *out };
                }
            }
        }
    }
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
