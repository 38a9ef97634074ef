//! Resuming an interrupted fit is bit-identical to an uninterrupted fit.

use crate::Device;
use crate::data::Table;
use crate::sonfin::error::SonfinError;
use crate::sonfin::tests::data::spiral;
use crate::sonfin::training::state::TrainingState;
use crate::sonfin::{Classify, Growth, Model, Optimizer, Sonfin};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

/// Slightly more than one chunk, so that an epoch can be interrupted.
const ROWS: usize = 4500;

/// The state without the elapsed time.
fn without_time(model: &Model) -> TrainingState {
    TrainingState { seconds: 0.0, ..model.state.clone() }
}

/// Fits until the progress callback interrupts after `reports` reports; returns the model of the last checkpoint.
fn interrupted(sonfin: &Sonfin, table: &Table, reports: u64) -> Option<Model> {
    let seen = AtomicU64::new(0);
    let stop = move |_, total| match total > 0 && seen.fetch_add(1, Ordering::Relaxed) >= reports {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    let mut last = None;
    let device = Device::cpu().unwrap().with_progress(stop);
    let outcome = sonfin.fit_with_checkpoints(table, &["kind"], &device, |model| {
        last = Some(model.clone());
        Ok(())
    });
    assert!(matches!(outcome, Err(SonfinError::Interrupted)));
    last
}

fn saved_and_loaded(model: &Model) -> Model {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.json");
    model.save(&path).unwrap();
    Model::load(&path).unwrap()
}

fn resuming_changes_nothing(sonfin: &Sonfin) {
    let (table, device) = (spiral(ROWS), Device::cpu().unwrap());
    let uninterrupted = sonfin.fit(&table, &["kind"], &device).unwrap();
    for reports in 0..4 {
        let mut model = saved_and_loaded(&interrupted(sonfin, &table, reports).unwrap());
        assert!(model.state.is_consistent(2, 2) && model.report.rules > 0, "a checkpoint is a usable model");
        assert_eq!((model.state.epoch, model.state.position > 0), (reports as usize / 2, true));
        model.resume(&table, &device).unwrap();
        assert_eq!(without_time(&model), without_time(&uninterrupted), "after {reports} reports");
        assert_eq!(model.report.train_error, uninterrupted.report.train_error);
    }
}

#[test]
fn online_training_resumes_bit_identically() {
    let sonfin =
        Sonfin::new().classify(Classify::OneHot).growth(Growth::Gamma(0.7)).epochs(2).validation(0.05);
    resuming_changes_nothing(&sonfin);
}

#[test]
fn batch_training_resumes_bit_identically() {
    let sonfin = Sonfin::new().classify(Classify::CrossEntropy).growth(Growth::Budget(12)).epochs(2);
    resuming_changes_nothing(&sonfin.optimizer(Optimizer::Adam { batch: 48, rate: 0.01 }).gates(true));
}

#[test]
fn a_model_interrupted_again_keeps_its_progress() {
    let (table, device) = (spiral(ROWS), Device::cpu().unwrap());
    let sonfin = Sonfin::new().classify(Classify::OneHot).growth(Growth::Gamma(0.8)).epochs(2);
    let mut model = interrupted(&sonfin, &table, 0).unwrap();
    let stop = |_, _| ControlFlow::Break(());
    let mut interruptions = 0;
    while let Err(error) = model.resume(&table, &device.with_progress(stop)) {
        assert!(matches!(error, SonfinError::Interrupted));
        interruptions += 1;
    }
    assert_eq!(interruptions, 3, "two chunks in each of two epochs, the first of which was already done");
    assert_eq!(without_time(&model), without_time(&sonfin.fit(&table, &["kind"], &device).unwrap()));
}

#[test]
fn interrupting_before_any_rule_exists_leaves_no_checkpoint() {
    let stop = |_, _| ControlFlow::Break(());
    let sonfin = Sonfin::new().classify(Classify::OneHot);
    let mut shown = 0;
    let device = Device::cpu().unwrap().with_progress(stop);
    let outcome = sonfin.fit_with_checkpoints(&spiral(50), &["kind"], &device, |_| {
        shown += 1;
        Ok(())
    });
    assert!(matches!(outcome, Err(SonfinError::Interrupted)) && shown == 0);
}

#[test]
fn resuming_on_other_rows_is_rejected() {
    let device = Device::cpu().unwrap();
    let mut model =
        Sonfin::new().classify(Classify::OneHot).epochs(1).fit(&spiral(50), &["kind"], &device).unwrap();
    let error = model.resume(&spiral(60), &device).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the data (60 rows) is not that of the interrupted fit; resume with the same data, or start a new fit"
    );
}

#[test]
fn resuming_a_finished_fit_changes_nothing() {
    let (table, device) = (spiral(60), Device::cpu().unwrap());
    let mut model =
        Sonfin::new().classify(Classify::OneHot).epochs(2).fit(&table, &["kind"], &device).unwrap();
    let before = without_time(&model);
    model.resume(&table, &device).unwrap();
    assert_eq!(without_time(&model), before);
}

#[test]
fn inconsistent_states_are_detected() {
    let device = Device::cpu().unwrap();
    let sonfin = Sonfin::new().classify(Classify::CrossEntropy).epochs(1).growth(Growth::Budget(4));
    let sonfin = sonfin.optimizer(Optimizer::Adam { batch: 8, rate: 0.01 });
    let state = sonfin.fit(&spiral(50), &["kind"], &device).unwrap().state;
    assert!(state.is_consistent(2, 2));
    assert!(!state.is_consistent(3, 2) && !state.is_consistent(2, 1) && !state.is_consistent(0, 0));
    type Damage = fn(&mut TrainingState);
    let damages: [Damage; 5] = [
        |state| state.network.w.truncate(1),
        |state| state.network.c[0] = f32::NAN,
        |state| state.best.as_mut().unwrap().network.a.truncate(1),
        |state| state.adam.as_mut().unwrap().first.truncate(1),
        |state| state.settings.beta = -1.0,
    ];
    for damage in damages {
        let mut state = state.clone();
        damage(&mut state);
        assert!(!state.is_consistent(2, 2));
    }
}
