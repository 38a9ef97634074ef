//! −ln μ and the slopes of ln μ over a block of rows, as [`Form`] has them for one.

use super::super::form::{Form, Parameters};
use super::kernel::STRIDE;
use crate::device::math::{Real, exp_f64, ln_f64};
use crate::device::mul_add_f64;

/// The inputs of a set, in `spare` where one is missing: such a row lies on the top of every set, where ln μ and all its
/// slopes are 0.
#[inline(always)]
pub(super) fn inputs<'a>(
    form: Form,
    p: &Parameters,
    x: &'a [f64],
    seen: Option<&[f64]>,
    spare: &'a mut [f64],
) -> &'a [f64] {
    let Some(seen) = seen else { return x };
    let top = if form == Form::Triangle { p[1] } else { p[0] };
    let spare = &mut spare[..x.len()];
    for i in 0..x.len() {
        spare[i] = if seen[i] == 0.0 { top } else { x[i] };
    }
    spare
}

/// Adds −ln μ(x) to `sums`.
#[inline(always)]
pub(super) fn add_minus_ln<const FMA: bool>(form: Form, p: &Parameters, x: &[f64], sums: &mut [f64]) {
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
                // At most one of the two is not 0.
                let z = (x - p[0]).least(0.0) * halves[0] + 0.0.most(x - p[2]) * halves[1];
                *sum = mul_add_f64::<FMA>(z, z, *sum);
            }
        }
        Form::Bell => {
            let inverse = 1.0 / p[1];
            for (sum, x) in sums.iter_mut().zip(x) {
                *sum += ln_f64::<FMA>(1.0 + power::<FMA>((x - p[0]) * inverse, p[2]));
            }
        }
        Form::Triangle => {
            // A side without width is 1 everywhere.
            let side = |from: f64| if from == p[1] { (0.0, 1.0) } else { (1.0 / (p[1] - from), 0.0) };
            let ((rise, left), (fall, right)) = (side(p[0]), side(p[2]));
            for (sum, x) in sums.iter_mut().zip(x) {
                let (up, down) = ((x - p[0]) * rise + left, (x - p[2]) * fall + right);
                *sum -= ln_f64::<FMA>(up.least(down).clamp01());
            }
        }
    }
}

/// |z|^2b of a bell.
#[inline(always)]
fn power<const FMA: bool>(z: f64, b: f64) -> f64 {
    exp_f64::<FMA>(2.0 * b * ln_f64::<FMA>(z.abs()))
}

/// ∂ln μ(x)/∂p of every parameter a form has, each [`STRIDE`] from the next.
#[inline(always)]
pub(super) fn slopes<const FMA: bool>(form: Form, p: &Parameters, x: &[f64], out: &mut [f64]) {
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
                let left = (x[i] - p[0]).least(0.0) * inverses[0];
                let right = 0.0.most(x[i] - p[2]) * inverses[1];
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
                let top = from == 0.0; // flat for b > ½, and no slope has a value for others
                first[i] = if top { 0.0 } else { twice * s / from };
                second[i] = if top { 0.0 } else { twice * s * inverse };
                third[i] = if top { 0.0 } else { -2.0 * s * ln };
            }
        }
        Form::Triangle => {}
    }
}
