//! −ln μ and the derivatives of ln μ over a block of rows: the vectorized counterpart of [`Form`].

use super::context::{KernelContext, STRIDE, Subblock};
use crate::device::math::{Real, exp_f64, ln_f64};
use crate::device::mul_add_f64;
use crate::tuning::network::antecedents::ScaledSet;
use crate::tuning::network::form::{Form, Parameters};

/// Inputs of a set; `spare` is used if some are missing.
#[inline(always)]
pub(super) fn inputs_of<'a>(
    context: &KernelContext<'_>,
    set: &ScaledSet,
    subblock: Subblock,
    x: &'a [f64],
    present: &[f64],
    spare: &'a mut [f64],
) -> &'a [f64] {
    let (form, at) = (context.network.antecedents.form, subblock.column(set.input));
    let present = context.missing[set.input].then(|| &present[at.clone()]);
    inputs(form, &set.parameters, &x[at], present, spare)
}

/// Inputs of a set. A missing input is replaced, in `spare`, by the top of the set, where ln μ and its derivatives are
/// 0.
#[inline(always)]
fn inputs<'a>(
    form: Form,
    p: &Parameters,
    x: &'a [f64],
    present: Option<&[f64]>,
    spare: &'a mut [f64],
) -> &'a [f64] {
    let Some(present) = present else { return x };
    let top = if matches!(form, Form::Triangle | Form::Trapezoid) { p[1] } else { p[0] };
    let spare = &mut spare[..x.len()];
    for i in 0..x.len() {
        spare[i] = if present[i] == 0.0 { top } else { x[i] };
    }
    spare
}

/// Adds −ln μ(x) to `sums`.
#[inline(always)]
pub(super) fn add_neg_ln_membership<const FMA: bool>(
    form: Form,
    p: &Parameters,
    x: &[f64],
    sums: &mut [f64],
) {
    match form {
        Form::Gaussian => {
            let half = std::f64::consts::FRAC_1_SQRT_2 / p[1];
            for (sum, x) in sums.iter_mut().zip(x) {
                let z = (x - p[0]) * half;
                *sum = mul_add_f64::<FMA>(z, z, *sum);
            }
        }
        Form::TwoSided => {
            let halves = [p[1], p[3]].map(|width| std::f64::consts::FRAC_1_SQRT_2 / width);
            for (sum, x) in sums.iter_mut().zip(x) {
                // At most one of the two terms is nonzero.
                let z = (x - p[0]).simd_min(0.0) * halves[0] + 0.0.simd_max(x - p[2]) * halves[1];
                *sum = mul_add_f64::<FMA>(z, z, *sum);
            }
        }
        Form::Bell => {
            let inverse = 1.0 / p[1];
            for (sum, x) in sums.iter_mut().zip(x) {
                *sum += ln_f64::<FMA>(1.0 + power::<FMA>((x - p[0]) * inverse, p[2]));
            }
        }
        Form::Triangle | Form::Trapezoid => {
            let (left_foot, right_foot, left_top, right_top) = match form {
                Form::Triangle => (p[0], p[2], p[1], p[1]),
                _ => (p[0], p[3], p[1], p[2]),
            };
            // A side of width 0 is 1 everywhere.
            let side = |foot: f64, top: f64| if foot == top { (0.0, 1.0) } else { (1.0 / (top - foot), 0.0) };
            let ((rise, left), (fall, right)) = (side(left_foot, left_top), side(right_foot, right_top));
            for (sum, x) in sums.iter_mut().zip(x) {
                let (up, down) = ((x - left_foot) * rise + left, (x - right_foot) * fall + right);
                *sum -= ln_f64::<FMA>(up.simd_min(down).clamp01());
            }
        }
    }
}

/// |z|^2b of a bell.
#[inline(always)]
fn power<const FMA: bool>(z: f64, b: f64) -> f64 {
    exp_f64::<FMA>(2.0 * b * ln_f64::<FMA>(z.abs()))
}

/// ∂ln μ(x)/∂p for every parameter of the form, [`STRIDE`] apart.
#[inline(always)]
pub(super) fn ln_membership_gradient<const FMA: bool>(
    form: Form,
    p: &Parameters,
    x: &[f64],
    out: &mut [f64],
) {
    let n = x.len();
    let (first, rest) = out.split_at_mut(STRIDE);
    let (second, rest) = rest.split_at_mut(STRIDE);
    let (third, fourth) = rest.split_at_mut(STRIDE);
    let (first, second, third, fourth) =
        (&mut first[..n], &mut second[..n], &mut third[..n], &mut fourth[..n]);
    match form {
        Form::Gaussian => {
            let inverse = 1.0 / p[1];
            for i in 0..n {
                let z = (x[i] - p[0]) * inverse;
                first[i] = z * inverse;
                second[i] = z * z * inverse;
            }
        }
        Form::TwoSided => {
            let inverses = [1.0 / p[1], 1.0 / p[3]];
            for i in 0..n {
                let left = (x[i] - p[0]).simd_min(0.0) * inverses[0];
                let right = 0.0.simd_max(x[i] - p[2]) * inverses[1];
                (first[i], second[i]) = (left * inverses[0], left * left * inverses[0]);
                (third[i], fourth[i]) = (right * inverses[1], right * right * inverses[1]);
            }
        }
        Form::Bell => {
            let (inverse, twice) = (1.0 / p[1], 2.0 * p[2]);
            for i in 0..n {
                let from = x[i] - p[0];
                let ln = ln_f64::<FMA>((from * inverse).abs());
                let t = exp_f64::<FMA>(twice * ln);
                let s = if t <= f64::MAX { t / (1.0 + t) } else { 1.0 };
                let top = from == 0.0; // the derivatives are 0 for b > ½ and undefined otherwise
                first[i] = if top { 0.0 } else { twice * s / from };
                second[i] = if top { 0.0 } else { twice * s * inverse };
                third[i] = if top { 0.0 } else { -2.0 * s * ln };
            }
        }
        Form::Triangle | Form::Trapezoid => {}
    }
}
