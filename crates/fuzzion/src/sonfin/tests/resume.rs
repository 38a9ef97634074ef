//! Interrupting and resuming gives the same bits as not interrupting.

use super::generated::spiral;
use crate::Device;
use crate::data::Table;
use crate::error::Error;
use crate::progress::Progress;
use crate::sonfin::state::State;
use crate::sonfin::{Classify, Growth, Model, Optimizer, Sonfin};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

/// Rows of one piece and a bit: an epoch can be interrupted within.
const ROWS: usize = 4500;

/// The state without what a clock says.
fn timeless(model: &Model) -> State {
    State { seconds: 0.0, ..model.state.clone() }
}

/// Fits, but is interrupted when `looks` looks have been made; what the last checkpoint saw.
fn interrupted(sonfin: &Sonfin<'_>, table: &Table, looks: u64) -> Option<Model> {
    let seen = AtomicU64::new(0);
    let stop = |_, total| match total > 0 && seen.fetch_add(1, Ordering::Relaxed) >= looks {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    let mut last = None;
    let watched = sonfin.clone().progress(Progress::new(&stop));
    let outcome = watched.fit_watched(table, &["kind"], &Device::cpu().unwrap(), &mut |model: &Model| {
        last = Some(model.clone());
        Ok(())
    });
    assert!(matches!(outcome, Err(Error::Interrupted)));
    last
}

fn written_and_read(model: &Model) -> Model {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.json");
    model.save(&path).unwrap();
    Model::load(&path).unwrap()
}

fn resuming_changes_nothing(sonfin: &Sonfin<'_>) {
    let (table, device) = (spiral(ROWS), Device::cpu().unwrap());
    let whole = sonfin.fit(&table, &["kind"], &device).unwrap();
    for looks in 0..4 {
        let mut model = written_and_read(&interrupted(sonfin, &table, looks).unwrap());
        assert!(model.state.is_whole(2, 2) && model.report.rules > 0, "a checkpoint is a usable model");
        assert_eq!((model.state.epoch, model.state.position > 0), (looks as usize / 2, true));
        model.resume(&table, &device, Progress::none()).unwrap();
        assert_eq!(timeless(&model), timeless(&whole), "after {looks} looks");
        assert_eq!(model.report.train_error, whole.report.train_error);
    }
}

#[test]
fn on_line_learning_resumes_to_the_bit() {
    let sonfin =
        Sonfin::new().classify(Classify::OneHot).growth(Growth::Gamma(0.7)).epochs(2).validation(0.05);
    resuming_changes_nothing(&sonfin);
}

#[test]
fn batches_resume_to_the_bit() {
    let sonfin = Sonfin::new().classify(Classify::CrossEntropy).growth(Growth::Budget(12)).epochs(2);
    resuming_changes_nothing(&sonfin.optimizer(Optimizer::Adam { batch: 48, rate: 0.01 }).gates(true));
}

#[test]
fn a_model_can_be_interrupted_again_and_is_as_far_as_it_came() {
    let (table, device) = (spiral(ROWS), Device::cpu().unwrap());
    let sonfin = Sonfin::new().classify(Classify::OneHot).growth(Growth::Gamma(0.8)).epochs(2);
    let mut model = interrupted(&sonfin, &table, 0).unwrap();
    let stop = |_, _| ControlFlow::Break(());
    let mut stretches = 0;
    while let Err(error) = model.resume(&table, &device, Progress::new(&stop)) {
        assert!(matches!(error, Error::Interrupted));
        stretches += 1;
    }
    assert_eq!(stretches, 3, "two pieces in each of two epochs, the first of which was learned before");
    assert_eq!(timeless(&model), timeless(&sonfin.fit(&table, &["kind"], &device).unwrap()));
}

#[test]
fn an_interrupt_before_there_are_rules_leaves_no_checkpoint() {
    let stop = |_, _| ControlFlow::Break(());
    let sonfin = Sonfin::new().classify(Classify::OneHot).progress(Progress::new(&stop));
    let mut shown = 0;
    let outcome = sonfin.fit_watched(&spiral(50), &["kind"], &Device::cpu().unwrap(), &mut |_| {
        shown += 1;
        Ok(())
    });
    assert!(matches!(outcome, Err(Error::Interrupted)) && shown == 0);
}

#[test]
fn other_rows_are_refused() {
    let device = Device::cpu().unwrap();
    let mut model =
        Sonfin::new().classify(Classify::OneHot).epochs(1).fit(&spiral(50), &["kind"], &device).unwrap();
    let error = model.resume(&spiral(60), &device, Progress::none()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "these 60 rows are not those that the fit began with; resume it with the same data, or fit anew"
    );
}

#[test]
fn a_finished_fit_has_nothing_left_to_learn() {
    let (table, device) = (spiral(60), Device::cpu().unwrap());
    let mut model =
        Sonfin::new().classify(Classify::OneHot).epochs(2).fit(&table, &["kind"], &device).unwrap();
    let before = timeless(&model);
    model.resume(&table, &device, Progress::none()).unwrap();
    assert_eq!(timeless(&model), before);
}

#[test]
fn a_state_whose_parts_do_not_fit_is_not_whole() {
    let device = Device::cpu().unwrap();
    let sonfin = Sonfin::new().classify(Classify::CrossEntropy).epochs(1).growth(Growth::Budget(4));
    let sonfin = sonfin.optimizer(Optimizer::Adam { batch: 8, rate: 0.01 });
    let state = sonfin.fit(&spiral(50), &["kind"], &device).unwrap().state;
    assert!(state.is_whole(2, 2));
    assert!(!state.is_whole(3, 2) && !state.is_whole(2, 1) && !state.is_whole(0, 0));
    type Damage = fn(&mut State);
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
        assert!(!state.is_whole(2, 2));
    }
}
