//! Steps that make one number of one, two or three: plain loops that become vector code.

use super::super::step::{One, Two};
use crate::device::math::Real;
use crate::device::simd;
use crate::inference::rule::Comparison;
use crate::sets::{Hedge, SNorm, TNorm};

/// A step and what it reads.
pub(crate) enum Job<'a, T> {
    One(One, &'a [T]),
    Two(Two, &'a [T], &'a [T]),
    Choice { mask: &'a [T], then: &'a [T], otherwise: &'a [T] },
}

simd! { pub(super) fn elementwise_f32(job: Job<'_, f32>, out: &mut [f32]) = elementwise_f32_body; }
simd! { pub(super) fn elementwise_f64(job: Job<'_, f64>, out: &mut [f64]) = elementwise_f64_body; }

#[inline(always)]
fn elementwise_f32_body<const FMA: bool>(job: Job<'_, f32>, out: &mut [f32]) {
    elementwise::<f32>(job, out);
}

#[inline(always)]
fn elementwise_f64_body<const FMA: bool>(job: Job<'_, f64>, out: &mut [f64]) {
    elementwise::<f64>(job, out);
}

simd! { pub(super) fn all_finite_f32(x: &[f32]) -> bool = all_finite_f32_body; }
simd! { pub(super) fn all_finite_f64(x: &[f64]) -> bool = all_finite_f64_body; }

#[inline(always)]
fn all_finite_f32_body<const FMA: bool>(x: &[f32]) -> bool {
    // Without an early end, so that it becomes vector code.
    x.iter().fold(true, |all, x| all & (x.abs() <= f32::MAX))
}

#[inline(always)]
fn all_finite_f64_body<const FMA: bool>(x: &[f64]) -> bool {
    x.iter().fold(true, |all, x| all & (x.abs() <= f64::MAX))
}

simd! { pub(super) fn any_nan_f32(x: &[f32]) -> bool = any_nan_f32_body; }
simd! { pub(super) fn any_nan_f64(x: &[f64]) -> bool = any_nan_f64_body; }

#[inline(always)]
fn any_nan_f32_body<const FMA: bool>(x: &[f32]) -> bool {
    x.iter().fold(false, |any, x| any | x.is_nan())
}

#[inline(always)]
fn any_nan_f64_body<const FMA: bool>(x: &[f64]) -> bool {
    x.iter().fold(false, |any, x| any | x.is_nan())
}

/// Every `stride`th of the numbers, from the first one on.
pub(super) struct Strided<'a, T> {
    pub(super) values: &'a [T],
    pub(super) stride: usize,
}

simd! { pub(super) fn column_f32(from: Strided<'_, f32>, out: &mut [f32]) = column_f32_body; }
simd! { pub(super) fn column_f64(from: Strided<'_, f64>, out: &mut [f64]) = column_f64_body; }

#[inline(always)]
fn column_f32_body<const FMA: bool>(from: Strided<'_, f32>, out: &mut [f32]) {
    column(from, out);
}

#[inline(always)]
fn column_f64_body<const FMA: bool>(from: Strided<'_, f64>, out: &mut [f64]) {
    column(from, out);
}

#[inline(always)]
fn column<T: Real>(Strided { values, stride }: Strided<'_, T>, out: &mut [T]) {
    // A stride that the compiler knows becomes vector code.
    match stride {
        1 => out.copy_from_slice(&values[..out.len()]),
        2 => every::<T, 2>(values, out),
        3 => every::<T, 3>(values, out),
        4 => every::<T, 4>(values, out),
        _ => out.iter_mut().zip(values.iter().step_by(stride)).for_each(|(out, x)| *out = *x),
    }
}

#[inline(always)]
fn every<T: Real, const STRIDE: usize>(values: &[T], out: &mut [T]) {
    let (rows, rest) = values.as_chunks::<STRIDE>();
    for (out, row) in out.iter_mut().zip(rows) {
        *out = row[0];
    }
    // The last row ends where the table ends, which may be before a whole stride.
    if let (Some(last), Some(x)) = (out.get_mut(rows.len()), rest.first()) {
        *last = *x;
    }
}

#[inline(always)]
fn elementwise<T: Real>(job: Job<'_, T>, out: &mut [T]) {
    match job {
        Job::One(step, x) => one(step, x, out),
        Job::Two(step, a, b) => two(step, a, b, out),
        Job::Choice { mask, then, otherwise } => {
            for (((out, mask), then), otherwise) in out.iter_mut().zip(mask).zip(then).zip(otherwise) {
                *out = if *mask == T::ZERO { *otherwise } else { *then };
            }
        }
    }
}

#[inline(always)]
fn mask<T: Real>(holds: bool) -> T {
    if holds { T::ONE } else { T::ZERO }
}

#[inline(always)]
fn one<T: Real>(step: One, x: &[T], out: &mut [T]) {
    // A macro, so that each formula stands in a loop of its own, without a question inside.
    macro_rules! each {
        ($x:ident => $formula:expr) => {
            for (out, $x) in out.iter_mut().zip(x.iter().copied()) {
                *out = $formula;
            }
        };
    }
    match step {
        One::Hedge(Hedge::Any) => each!(x => Hedge::Any.bend(x)),
        One::Hedge(Hedge::Not) => each!(x => Hedge::Not.bend(x)),
        One::Hedge(Hedge::Very) => each!(x => Hedge::Very.bend(x)),
        One::Hedge(Hedge::Somewhat) => each!(x => Hedge::Somewhat.bend(x)),
        One::Hedge(Hedge::Extremely) => each!(x => Hedge::Extremely.bend(x)),
        One::Hedge(Hedge::Seldom) => each!(x => Hedge::Seldom.bend(x)),
        One::Times(factor) => each!(x => x * T::of(factor)),
        One::DividedBy(divisor) => each!(x => x / T::of(divisor)),
        One::Positive => each!(x => x.most(T::ZERO)),
        One::Whole => each!(x => {
            let finite = if x.abs() <= T::MAX { x } else { T::ZERO };
            if x == T::INFINITY { T::ONE } else { finite }
        }),
        One::Flushed(least) => each!(x => if x < T::of(least) { T::ZERO } else { x }),
        One::Above(threshold) => each!(x => mask(x > T::of(threshold))),
        One::Compared(comparison, with) => {
            let with = T::of(with);
            match comparison {
                Comparison::Less => each!(x => mask(x < with)),
                Comparison::LessOrEqual => each!(x => mask(x <= with)),
                Comparison::Equal => each!(x => mask(x == with)),
                Comparison::NotEqual => each!(x => mask(x != with)),
                Comparison::GreaterOrEqual => each!(x => mask(x >= with)),
                Comparison::Greater => each!(x => mask(x > with)),
            }
        }
        One::IsNan => each!(x => mask(x.is_nan())),
        One::Locked(minimum, maximum) => {
            let (minimum, maximum) = (T::of(minimum), T::of(maximum));
            each!(x => {
                let raised = if x < minimum { minimum } else { x };
                if x > maximum { maximum } else { raised }
            });
        }
    }
}

#[inline(always)]
fn two<T: Real>(step: Two, a: &[T], b: &[T], out: &mut [T]) {
    macro_rules! each {
        ($a:ident, $b:ident => $formula:expr) => {
            for ((out, $a), $b) in out.iter_mut().zip(a.iter().copied()).zip(b.iter().copied()) {
                *out = $formula;
            }
        };
    }
    match step {
        Two::Least => each!(a, b => a.least(b)),
        Two::Most => each!(a, b => a.most(b)),
        Two::Plus => each!(a, b => a + b),
        Two::Minus => each!(a, b => a - b),
        Two::Times => each!(a, b => a * b),
        Two::Over => each!(a, b => a / b),
        Two::And(TNorm::Minimum) => each!(a, b => TNorm::Minimum.of(a, b)),
        Two::And(TNorm::AlgebraicProduct) => each!(a, b => TNorm::AlgebraicProduct.of(a, b)),
        Two::And(TNorm::BoundedDifference) => each!(a, b => TNorm::BoundedDifference.of(a, b)),
        Two::And(TNorm::DrasticProduct) => each!(a, b => TNorm::DrasticProduct.of(a, b)),
        Two::And(TNorm::EinsteinProduct) => each!(a, b => TNorm::EinsteinProduct.of(a, b)),
        Two::And(TNorm::HamacherProduct) => each!(a, b => TNorm::HamacherProduct.of(a, b)),
        Two::And(TNorm::NilpotentMinimum) => each!(a, b => TNorm::NilpotentMinimum.of(a, b)),
        Two::Or(SNorm::Maximum) => each!(a, b => SNorm::Maximum.of(a, b)),
        Two::Or(SNorm::AlgebraicSum) => each!(a, b => SNorm::AlgebraicSum.of(a, b)),
        Two::Or(SNorm::BoundedSum) => each!(a, b => SNorm::BoundedSum.of(a, b)),
        Two::Or(SNorm::DrasticSum) => each!(a, b => SNorm::DrasticSum.of(a, b)),
        Two::Or(SNorm::EinsteinSum) => each!(a, b => SNorm::EinsteinSum.of(a, b)),
        Two::Or(SNorm::HamacherSum) => each!(a, b => SNorm::HamacherSum.of(a, b)),
        Two::Or(SNorm::NilpotentMaximum) => each!(a, b => SNorm::NilpotentMaximum.of(a, b)),
        Two::Or(SNorm::NormalizedSum) => each!(a, b => SNorm::NormalizedSum.of(a, b)),
        Two::Or(SNorm::UnboundedSum) => each!(a, b => SNorm::UnboundedSum.of(a, b)),
    }
}
