//! Where rules come from.

mod clusters;
mod grid;
mod subtractive;
mod system;

use super::antecedents::{Antecedents, TunedSet};
use super::form::{Form, Parameters};
use super::prepare::Prepared;
use super::rows::Samples;
use super::settings::Start;
use super::tuner::Tuner;
use crate::device::Device;
use crate::error::{Error, Result};

/// The most consequents of a target: their products fill 1 GiB.
pub(super) const MOST_UNKNOWNS: usize = 16_384;
/// Half the width at half the height of a Gaussian of width 1, √(2 ln 2).
const HALF_HEIGHT: f64 = 1.177_410_022_515_474_7;
/// The exponent that bells start with.
const BELL_SLOPE: f64 = 2.0;

/// The antecedents that a fit starts from; `samples` are those of `prepared`, or a part of them.
pub(super) fn antecedents(
    tuner: &Tuner<'_>,
    prepared: &Prepared,
    samples: &Samples,
    device: &Device,
) -> Result<Antecedents> {
    let started = match &tuner.start {
        Start::Grid(sets) => grid::antecedents(sets, tuner.form, samples.inputs.len(), tuner.order)?,
        Start::FuzzyCMeans(rules) | Start::GustafsonKessel(rules) => {
            check_size(*rules as u128, samples.inputs.len(), tuner.order)?;
            clusters::antecedents(tuner, *rules, samples, device)?
        }
        Start::Subtractive(radius) => subtractive::antecedents(tuner, *radius, samples)?,
        Start::System(system) => system::antecedents(system, prepared)?,
    };
    check_size(started.rules() as u128, started.inputs, tuner.order)?;
    Ok(if tuner.untied { started.untied() } else { started })
}

/// Refuses more rules than can be solved for.
fn check_size(rules: u128, inputs: usize, order: usize) -> Result<()> {
    // The monomials in d inputs up to degree n are C(d + n, n).
    let terms = (1..=order as u128).fold(1u128, |terms, n| terms.saturating_mul(inputs as u128 + n) / n);
    if rules.saturating_mul(terms) > MOST_UNKNOWNS as u128 {
        return Err(Error::TooManyRules { rules, terms, most: MOST_UNKNOWNS });
    }
    Ok(())
}

/// A set of `form` about `center` that has the membership ½ at `half` from it.
fn set(form: Form, input: usize, center: f64, half: f64) -> TunedSet {
    let width = half / HALF_HEIGHT;
    let parameters: Parameters = match form {
        Form::Gaussian => [center, width, 0.0, 0.0],
        Form::TwoSided => [center, width, center, width],
        Form::Bell => [center, half, BELL_SLOPE, 0.0],
        Form::Triangle => [center - 2.0 * half, center, center + 2.0 * half, 0.0],
    };
    TunedSet { input, parameters }
}

/// Rules that each have sets of their own, about `centers` with the standard deviations `widths`, both rules × inputs.
fn of_clusters(form: Form, inputs: usize, centers: &[f64], widths: &[f64]) -> Antecedents {
    let places = centers.iter().zip(widths).enumerate();
    let sets: Vec<TunedSet> =
        places.map(|(at, (center, width))| set(form, at % inputs, *center, width * HALF_HEIGHT)).collect();
    let uses = (0..sets.len() as u32).collect();
    Antecedents { form, inputs, sets, uses }
}
