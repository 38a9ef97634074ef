//! Readability constraint.

use crate::Device;
use crate::data::Table;
use crate::tuning::network::antecedents::Antecedents;
use crate::tuning::network::form::Form;
use crate::tuning::training::readable::{is_readable_pair, limit_step, sets_by_center};
use crate::tuning::{Tuner, truck};
use proptest::prelude::*;

fn is_readable(antecedents: &Antecedents) -> bool {
    sets_by_center(antecedents).iter().all(|order| {
        order.windows(2).all(|pair| {
            let p = |set: usize| &antecedents.sets[set].parameters;
            pair[0] < pair[1] && is_readable_pair(antecedents.form, p(pair[0]), p(pair[1]))
        })
    })
}

fn grid(form: Form) -> Antecedents {
    let table = Table::new(["a", "b", "y"], vec![0.0, 0.0, 0.0, 1.0, 1.0, 1.0]).unwrap();
    let tuner = Tuner::grid(&[4, 3]).form(form).order(0).iterations(0).ridge(1e-3);
    tuner.fit(&table, &["y"], &Device::cpu().unwrap()).unwrap().initial_antecedents
}

#[test]
fn readable_neighbors_cross_between_0_2_and_0_8() {
    // Gaussians of width 1 at distance 2z cross at exp(−z²/2).
    let at = |membership: f64| 2.0 * (-2.0 * membership.ln()).sqrt();
    let agrees =
        |distance: f64| is_readable_pair(Form::Gaussian, &[0.0, 1.0, 0.0, 0.0], &[distance, 1.0, 0.0, 0.0]);
    assert!(!agrees(at(0.19)) && agrees(at(0.21)) && agrees(at(0.79)) && !agrees(at(0.81)));
    assert!(!agrees(-at(0.5)), "out of order");
}

proptest! {
    #[test]
    fn sets_stay_ordered_and_overlapping_for_any_step(
        form in prop::sample::select(vec![Form::Gaussian, Form::TwoSided, Form::Bell]),
        steps in prop::collection::vec(-0.6f64..0.6, 28),
    ) {
        let before = grid(form);
        let mut after = before.clone();
        for (set, step) in after.sets.iter_mut().zip(steps.as_chunks::<4>().0) {
            (0..form.parameter_count()).for_each(|i| set.parameters[i] += step[i]);
            crate::tuning::training::step::clamp_parameters(form, &mut set.parameters);
        }
        limit_step(&before, &mut after);
        prop_assert!(is_readable(&after), "{after:?}");
    }

    #[test]
    fn a_readable_step_is_taken_in_full(shift in -0.02f64..0.02) {
        let before = grid(Form::Gaussian);
        let mut after = before.clone();
        after.sets.iter_mut().for_each(|set| set.parameters[0] += shift);
        let expected = after.clone();
        limit_step(&before, &mut after);
        for (found, expected) in after.sets.iter().zip(&expected.sets) {
            // Computed as old + (new − old): one rounding.
            prop_assert!((found.parameters[0] - expected.parameters[0]).abs() < 1e-15);
        }
    }
}

#[test]
fn a_readable_fit_stays_readable_and_improves() {
    let (table, device) = (truck(16).unwrap(), Device::cpu().unwrap());
    let tuner = Tuner::grid(&[5, 7]).order(0).rate(0.03).iterations(40);
    let kept = tuner.clone().readable(true).fit(&table, &["theta"], &device).unwrap();
    assert!(is_readable(&kept.network.antecedents));
    assert!(kept.report.rmse < 0.95 * kept.report.history[0].rmse);
    let free = tuner.fit(&table, &["theta"], &device).unwrap();
    assert!(!is_readable(&free.network.antecedents));
}
