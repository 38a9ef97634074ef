//! Equation (4) of the room over a block of rows: both sums stay in registers over all terms.

use super::super::levels::Ruler;
use super::super::step::{Consequent, Slot, Term, WeightedEnd};
use super::MAX_BLOCK;
use crate::device::math::Real;
use crate::device::{Vector, simd, vectors};

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
    for (i, out) in out.iter_mut().enumerate() {
        let at = |slot: Slot| -> &[T; L] { &places[slot].as_chunks::<L>().0[i] };
        let (mut sum, mut weights) = (V::splat(T::ZERO), V::splat(T::ZERO));
        for term in terms {
            let weight = V::load(at(term.weight));
            let z = match term.z {
                Consequent::Number(z) => V::splat(T::of(z)),
                Consequent::Value(slot) => V::load(at(slot)),
            };
            sum = match term.present {
                None => weight.mul_add(z, sum),
                Some(mask) => {
                    let mut product = [T::ZERO; L];
                    (weight * z).store(&mut product);
                    for (product, mask) in product.iter_mut().zip(at(mask)) {
                        *product = if *mask == T::ZERO { T::ZERO } else { *product };
                    }
                    sum + V::load(&product)
                }
            };
            weights = weights + weight;
        }
        let value = match end {
            WeightedEnd::Average => sum / weights,
            WeightedEnd::Sum => sum / weights * weights,
            WeightedEnd::PlainSum => sum,
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
    let mut level = [T::ZERO; MAX_BLOCK];
    for ruler in rulers {
        let level = &mut level[..rows];
        for (i, term) in ruler.terms.iter().enumerate() {
            let strength = &places[strengths[*term]][..rows];
            match i {
                0 => level.copy_from_slice(strength),
                _ => level.iter_mut().zip(strength).for_each(|(level, w)| *level = w.least(*level)),
            }
        }
        for ((area, moment), level) in area.iter_mut().zip(&mut moment).zip(level.iter()) {
            let line = &ruler.lines[ruler.place(*level)];
            *area = *area + level.mul_add::<FMA>(line[1], line[0]);
            *moment = *moment + level.mul_add::<FMA>(line[3], line[2]);
        }
    }
    for ((out, area), moment) in out.iter_mut().zip(&area).zip(&moment) {
        *out = *moment / *area + center;
    }
}
