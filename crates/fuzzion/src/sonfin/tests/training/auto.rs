//! Settings search.

use crate::Device;
use crate::sonfin::error::SonfinError;
use crate::sonfin::tests::data::{part, spiral, waves};
use crate::sonfin::{Classify, Growth, Sonfin};
use std::ops::ControlFlow;

#[test]
fn the_trial_with_the_smallest_error_is_chosen_and_trained_on_all_rows() {
    let (table, device) = (spiral(180), Device::cpu().unwrap());
    let sonfin = Sonfin::new().classify(Classify::OneHot).epochs(6);
    let model = sonfin.fit_auto(&part(&table, 0..120), &["kind"], &device, |_| Ok(())).unwrap();
    let chosen: Vec<_> = model.report.trials.iter().filter(|trial| trial.chosen).collect();
    assert_eq!(chosen.len(), 1);
    assert!(model.report.trials.iter().all(|trial| trial.error >= chosen[0].error));
    assert_eq!(model.report.epochs, chosen[0].epochs);
    let settings = &model.state.settings;
    assert_eq!((settings.growth, settings.optimizer), (chosen[0].growth, chosen[0].optimizer));
    assert_eq!(
        (settings.gates, settings.classify, settings.validation),
        (chosen[0].gates, chosen[0].classify, 0.0)
    );
    assert!(model.error(&part(&table, 120..180), &device).unwrap() <= 0.1);
}

#[test]
fn the_search_supports_numeric_targets_and_very_few_rows() {
    let device = Device::cpu().unwrap();
    let sonfin = Sonfin::new().epochs(3).inputs(["a", "b"]);
    let model = sonfin.fit_auto(&waves(60), &["wave", "product"], &device, |_| Ok(())).unwrap();
    assert!(model.report.trials.iter().all(|trial| trial.classify.is_none() && trial.error.is_finite()));
    for rows in [2, 7] {
        let model = sonfin.fit_auto(&waves(rows), &["wave"], &device, |_| Ok(())).unwrap();
        assert!(model.report.rules >= 1);
    }
}

#[test]
fn no_trial_exceeds_the_rule_limit() {
    let sonfin = Sonfin::new().classify(Classify::OneHot).epochs(2).max_rules(10);
    let model = sonfin.fit_auto(&spiral(100), &["kind"], &Device::cpu().unwrap(), |_| Ok(())).unwrap();
    assert!(model.report.rules <= 10);
    assert!(model.report.trials.iter().all(|trial| matches!(trial.growth, Growth::Budget(8 | 10))));
}

#[test]
fn a_search_can_be_interrupted() {
    let stop = |_, _| ControlFlow::Break(());
    let sonfin = Sonfin::new().classify(Classify::OneHot);
    let device = Device::cpu().unwrap().with_progress(stop);
    let outcome = sonfin.fit_auto(&spiral(100), &["kind"], &device, |_| Ok(()));
    assert!(matches!(outcome, Err(SonfinError::Interrupted)));
}
