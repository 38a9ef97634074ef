//! Initial rules.

mod clusters;
mod grid;
mod sets;
mod subtractive;
mod system;

use crate::device::Device;
use crate::tuning::error::Result;
use crate::tuning::network::antecedents::Antecedents;
use crate::tuning::settings::{InitialRules, Tuner};
use crate::tuning::training::backend::Backend;
use crate::tuning::training::prepare::PreparedData;
use crate::tuning::training::samples::ScaledSamples;

pub(super) use clusters::{input_rows, mean_squares, variance_sums, weighted};
pub(super) use sets::check_size;

/// Creates the initial antecedents from `samples`, which are all or some of the samples in `prepared`.
pub(super) fn antecedents(
    tuner: &Tuner,
    prepared: &PreparedData,
    samples: &ScaledSamples,
    backend: &mut dyn Backend,
    device: &Device,
) -> Result<Antecedents> {
    let antecedents = match &tuner.initial_rules {
        InitialRules::Grid(sets) => grid::antecedents(sets, tuner.form, samples.inputs.len(), tuner.order)?,
        InitialRules::FuzzyCMeans(rules) | InitialRules::GustafsonKessel(rules) => {
            check_size(*rules as u128, samples.inputs.len(), tuner.order)?;
            clusters::antecedents(tuner, *rules, samples, backend, device)?
        }
        InitialRules::Subtractive(radius) => subtractive::antecedents(tuner, *radius, samples)?,
        InitialRules::System(system) => system::antecedents(system, prepared)?,
        InitialRules::Tree { .. } => unreachable!("invariant: a tree is fitted by its own method"),
    };
    check_size(antecedents.rules() as u128, antecedents.inputs, tuner.order)?;
    Ok(if tuner.untied { antecedents.untied() } else { antecedents })
}

/// Antecedents with the numbers of rules and sets of the initial ones; `None` if the numbers depend on the samples or
/// the settings are invalid.
pub(super) fn with_initial_shape(tuner: &Tuner, inputs: usize) -> Option<Antecedents> {
    let antecedents = match &tuner.initial_rules {
        InitialRules::Grid(sets) => grid::antecedents(sets, tuner.form, inputs, tuner.order).ok()?,
        InitialRules::FuzzyCMeans(rules) | InitialRules::GustafsonKessel(rules) if *rules > 0 => {
            check_size(*rules as u128, inputs, tuner.order).ok()?;
            let values = vec![1.0; rules * inputs];
            sets::from_clusters(tuner.form, inputs, &values, &values)
        }
        _ => return None,
    };
    Some(if tuner.untied { antecedents.untied() } else { antecedents })
}
