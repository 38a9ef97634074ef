//! Elementwise steps of one, two or three operands: plain loops that the compiler vectorizes.

use super::super::step::{BinaryOp, UnaryOp};
use crate::device::math::Real;
use crate::device::simd;
use crate::inference::Comparison;
use crate::sets::{Hedge, SNorm, TNorm};

/// An elementwise step and its operands.
pub(crate) enum Elementwise<'a, T> {
    Unary(UnaryOp, &'a [T]),
    Binary(BinaryOp, &'a [T], &'a [T]),
    Select { mask: &'a [T], then: &'a [T], otherwise: &'a [T] },
}

simd! { pub(super) fn elementwise<T: Real>(op: Elementwise<'_, T>, out: &mut [T]) = elementwise_body; }

simd! { pub(super) fn all_finite<T: Real>(x: &[T]) -> bool = all_finite_body; }

#[inline(always)]
fn all_finite_body<T: Real, const FMA: bool>(x: &[T]) -> bool {
    // No early exit, so that the loop vectorizes.
    x.iter().fold(true, |all, x| all & (x.abs() <= T::MAX))
}

simd! { pub(super) fn any_nan<T: Real>(x: &[T]) -> bool = any_nan_body; }

#[inline(always)]
fn any_nan_body<T: Real, const FMA: bool>(x: &[T]) -> bool {
    x.iter().fold(false, |any, x| any | x.is_nan())
}

/// Every `stride`-th value, starting with the first.
pub(crate) struct Strided<'a, T> {
    pub(crate) values: &'a [T],
    pub(crate) stride: usize,
}

simd! {
    /// Copies every `stride`-th value.
    pub(crate) fn copy_column<T: Real>(from: Strided<'_, T>, out: &mut [T]) = copy_column_body;
}

#[inline(always)]
fn copy_column_body<T: Real, const FMA: bool>(Strided { values, stride }: Strided<'_, T>, out: &mut [T]) {
    // Loops with a constant stride vectorize.
    match stride {
        1 => out.copy_from_slice(&values[..out.len()]),
        2 => take_every::<T, 2>(values, out),
        3 => take_every::<T, 3>(values, out),
        4 => take_every::<T, 4>(values, out),
        _ => out.iter_mut().zip(values.iter().step_by(stride)).for_each(|(out, x)| *out = *x),
    }
}

#[inline(always)]
fn take_every<T: Real, const STRIDE: usize>(values: &[T], out: &mut [T]) {
    let (rows, rest) = values.as_chunks::<STRIDE>();
    for (out, row) in out.iter_mut().zip(rows) {
        *out = row[0];
    }
    // The last row may be shorter than the stride.
    if let (Some(last), Some(x)) = (out.get_mut(rows.len()), rest.first()) {
        *last = *x;
    }
}

#[inline(always)]
fn elementwise_body<T: Real, const FMA: bool>(op: Elementwise<'_, T>, out: &mut [T]) {
    match op {
        Elementwise::Unary(op, x) => unary(op, x, out),
        Elementwise::Binary(op, a, b) => binary(op, a, b, out),
        Elementwise::Select { mask, then, otherwise } => {
            for (((out, mask), then), otherwise) in out.iter_mut().zip(mask).zip(then).zip(otherwise) {
                *out = if *mask == T::ZERO { *otherwise } else { *then };
            }
        }
    }
}

#[inline(always)]
fn mask<T: Real>(condition: bool) -> T {
    if condition { T::ONE } else { T::ZERO }
}

#[inline(always)]
fn unary<T: Real>(op: UnaryOp, x: &[T], out: &mut [T]) {
    // A macro, so that every formula gets its own loop without branches.
    macro_rules! each {
        ($x:ident => $formula:expr) => {
            for (out, $x) in out.iter_mut().zip(x.iter().copied()) {
                *out = $formula;
            }
        };
    }
    match op {
        UnaryOp::Hedge(Hedge::Any) => each!(x => Hedge::Any.apply_real(x)),
        UnaryOp::Hedge(Hedge::Not) => each!(x => Hedge::Not.apply_real(x)),
        UnaryOp::Hedge(Hedge::Very) => each!(x => Hedge::Very.apply_real(x)),
        UnaryOp::Hedge(Hedge::Somewhat) => each!(x => Hedge::Somewhat.apply_real(x)),
        UnaryOp::Hedge(Hedge::Extremely) => each!(x => Hedge::Extremely.apply_real(x)),
        UnaryOp::Hedge(Hedge::Seldom) => each!(x => Hedge::Seldom.apply_real(x)),
        UnaryOp::Scale(factor) => each!(x => x * T::cast(factor)),
        UnaryOp::DivideBy(divisor) => each!(x => x / T::cast(divisor)),
        UnaryOp::NonNegative => each!(x => x.simd_max(T::ZERO)),
        UnaryOp::ReplaceNonFinite => each!(x => {
            let finite = if x.abs() <= T::MAX { x } else { T::ZERO };
            if x == T::INFINITY { T::ONE } else { finite }
        }),
        UnaryOp::FlushBelow(threshold) => each!(x => if x < T::cast(threshold) { T::ZERO } else { x }),
        UnaryOp::GreaterThan(threshold) => each!(x => mask(x > T::cast(threshold))),
        UnaryOp::Compare(comparison, threshold) => {
            let threshold = T::cast(threshold);
            match comparison {
                Comparison::Less => each!(x => mask(x < threshold)),
                Comparison::LessOrEqual => each!(x => mask(x <= threshold)),
                Comparison::Equal => each!(x => mask(x == threshold)),
                Comparison::NotEqual => each!(x => mask(x != threshold)),
                Comparison::GreaterOrEqual => each!(x => mask(x >= threshold)),
                Comparison::Greater => each!(x => mask(x > threshold)),
            }
        }
        UnaryOp::IsNan => each!(x => mask(x.is_nan())),
        UnaryOp::Clamp(minimum, maximum) => {
            let (minimum, maximum) = (T::cast(minimum), T::cast(maximum));
            each!(x => {
                let raised = if x < minimum { minimum } else { x };
                if x > maximum { maximum } else { raised }
            });
        }
    }
}

#[inline(always)]
fn binary<T: Real>(op: BinaryOp, a: &[T], b: &[T], out: &mut [T]) {
    macro_rules! each {
        ($a:ident, $b:ident => $formula:expr) => {
            for ((out, $a), $b) in out.iter_mut().zip(a.iter().copied()).zip(b.iter().copied()) {
                *out = $formula;
            }
        };
    }
    match op {
        BinaryOp::Min => each!(a, b => a.simd_min(b)),
        BinaryOp::Max => each!(a, b => a.simd_max(b)),
        BinaryOp::Add => each!(a, b => a + b),
        BinaryOp::Subtract => each!(a, b => a - b),
        BinaryOp::Multiply => each!(a, b => a * b),
        BinaryOp::Divide => each!(a, b => a / b),
        BinaryOp::TNorm(TNorm::Minimum) => each!(a, b => TNorm::Minimum.apply_real(a, b)),
        BinaryOp::TNorm(TNorm::AlgebraicProduct) => each!(a, b => TNorm::AlgebraicProduct.apply_real(a, b)),
        BinaryOp::TNorm(TNorm::BoundedDifference) => each!(a, b => TNorm::BoundedDifference.apply_real(a, b)),
        BinaryOp::TNorm(TNorm::DrasticProduct) => each!(a, b => TNorm::DrasticProduct.apply_real(a, b)),
        BinaryOp::TNorm(TNorm::EinsteinProduct) => each!(a, b => TNorm::EinsteinProduct.apply_real(a, b)),
        BinaryOp::TNorm(TNorm::HamacherProduct) => each!(a, b => TNorm::HamacherProduct.apply_real(a, b)),
        BinaryOp::TNorm(TNorm::NilpotentMinimum) => each!(a, b => TNorm::NilpotentMinimum.apply_real(a, b)),
        BinaryOp::SNorm(SNorm::Maximum) => each!(a, b => SNorm::Maximum.apply_real(a, b)),
        BinaryOp::SNorm(SNorm::AlgebraicSum) => each!(a, b => SNorm::AlgebraicSum.apply_real(a, b)),
        BinaryOp::SNorm(SNorm::BoundedSum) => each!(a, b => SNorm::BoundedSum.apply_real(a, b)),
        BinaryOp::SNorm(SNorm::DrasticSum) => each!(a, b => SNorm::DrasticSum.apply_real(a, b)),
        BinaryOp::SNorm(SNorm::EinsteinSum) => each!(a, b => SNorm::EinsteinSum.apply_real(a, b)),
        BinaryOp::SNorm(SNorm::HamacherSum) => each!(a, b => SNorm::HamacherSum.apply_real(a, b)),
        BinaryOp::SNorm(SNorm::NilpotentMaximum) => each!(a, b => SNorm::NilpotentMaximum.apply_real(a, b)),
        BinaryOp::SNorm(SNorm::NormalizedSum) => each!(a, b => SNorm::NormalizedSum.apply_real(a, b)),
        BinaryOp::SNorm(SNorm::UnboundedSum) => each!(a, b => SNorm::UnboundedSum.apply_real(a, b)),
    }
}
