//! Construction of initial sets, and the limit on the number of unknowns.

use crate::tuning::error::{Result, TuningError};
use crate::tuning::network::antecedents::{Antecedents, ScaledSet};
use crate::tuning::network::form::{Form, Parameters};

/// Maximum number of unknowns per target: their pairwise products take 1 GiB.
const MAX_UNKNOWNS: usize = 16_384;
/// Half width at half maximum of a Gaussian with standard deviation 1, √(2 ln 2).
const HALF_WIDTH_AT_HALF_MAX: f64 = 1.177_410_022_515_474_7;
/// Initial exponent of bells.
const INITIAL_BELL_EXPONENT: f64 = 2.0;

/// Rejects more unknowns than can be solved for.
pub(in crate::tuning) fn check_size(rules: u128, inputs: usize, order: usize) -> Result<()> {
    // The number of monomials in d inputs up to degree n is C(d + n, n).
    let terms = (1..=order as u128).fold(1u128, |terms, n| terms.saturating_mul(inputs as u128 + n) / n);
    if rules.saturating_mul(terms) > MAX_UNKNOWNS as u128 {
        return Err(TuningError::TooManyRules { rules, terms, most: MAX_UNKNOWNS });
    }
    Ok(())
}

/// A set with its center at `center` and membership ½ at distance `half_width` from it.
pub(super) fn set_at(form: Form, input: usize, center: f64, half_width: f64) -> ScaledSet {
    let width = half_width / HALF_WIDTH_AT_HALF_MAX;
    let parameters: Parameters = match form {
        Form::Gaussian => [center, width, 0.0, 0.0],
        Form::TwoSided => [center, width, center, width],
        Form::Bell => [center, half_width, INITIAL_BELL_EXPONENT, 0.0],
        Form::Triangle => [center - 2.0 * half_width, center, center + 2.0 * half_width, 0.0],
        Form::Trapezoid => [-1.5, -0.5, 0.5, 1.5].map(|at| center + at * half_width),
    };
    ScaledSet { input, parameters }
}

/// One rule per cluster, each with its own sets, with the given centers and standard deviations, both rules × inputs.
pub(super) fn from_clusters(form: Form, inputs: usize, centers: &[f64], widths: &[f64]) -> Antecedents {
    let parameters = centers.iter().zip(widths).enumerate();
    let sets: Vec<ScaledSet> = parameters
        .map(|(at, (center, width))| set_at(form, at % inputs, *center, width * HALF_WIDTH_AT_HALF_MAX))
        .collect();
    let set_indices = (0..sets.len() as u32).collect();
    Antecedents { form, inputs, sets, set_indices }
}
