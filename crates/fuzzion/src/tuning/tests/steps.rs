//! Step rules compared with values computed by hand.

use crate::tuning::network::form::Form;
use crate::tuning::settings::StepRule;
use crate::tuning::training::step::{MIN_WIDTH, StepState, clamp_parameters};

/// Rounding of a few operations on values around 1.
const CLOSE: f64 = 1e-14;

#[test]
fn a_plain_step_is_the_rate_times_the_gradient() {
    let mut p = [1.0, 2.0];
    StepState::new(StepRule::Plain, 0.5, 2).apply(&mut p, &[0.25, -1.0]);
    assert_eq!(p, [0.875, 2.5]);
}

#[test]
fn jangs_step_has_the_length_of_the_rate() {
    let mut p = [1.0, 2.0];
    StepState::new(StepRule::Jang, 0.5, 2).apply(&mut p, &[3.0, -4.0]);
    assert!((p[0] - 0.7).abs() < CLOSE && (p[1] - 2.4).abs() < CLOSE, "{p:?}");
    let mut p = [1.0, 2.0];
    StepState::new(StepRule::Jang, 0.5, 2).apply(&mut p, &[0.0, 0.0]);
    assert_eq!(p, [1.0, 2.0]);
}

#[test]
fn jangs_rate_grows_after_four_decreases_and_shrinks_after_two_oscillations() {
    let rates = |losses: &[f64]| -> Vec<f64> {
        let mut step_state = StepState::new(StepRule::Jang, 1.0, 1);
        let mut observe = |loss: &f64| {
            step_state.observe_loss(*loss);
            step_state.rate
        };
        losses.iter().map(&mut observe).collect()
    };
    // Five losses are four steps; four more must follow before the next change.
    let down = rates(&[9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0]);
    assert_eq!(down[..8], [1.0, 1.0, 1.0, 1.0, 1.1, 1.1, 1.1, 1.1]);
    assert!((down[8] - 1.21).abs() < CLOSE);
    assert_eq!(rates(&[1.0, 2.0, 1.0, 2.0, 1.0]), [1.0, 1.0, 1.0, 1.0, 0.9]);
    assert_eq!(rates(&[1.0, 2.0, 1.0, 0.5, 1.0]), [1.0; 5]);
}

#[test]
fn the_first_two_adam_steps_match_hand_computed_values() {
    let (mut step_state, mut p) = (StepState::new(StepRule::Adam, 0.1, 2), [1.0, 1.0]);
    step_state.apply(&mut p, &[4.0, -0.5]);
    // ε is 1e-8, compared with gradients of at least ½: it changes a step of 0.1 by a few 1e-9.
    assert!((p[0] - 0.9).abs() < 1e-8 && (p[1] - 1.1).abs() < 1e-8, "{p:?}");
    step_state.apply(&mut p, &[-2.0, -0.5]);
    // m = 0.9·0.4 + 0.1·(−2) = 0.16, corrected 0.16/0.19;
    // v = 0.999·0.016 + 0.001·4 = 0.019984, corrected 0.019984/0.001999.
    let second = 0.1 * (0.16 / 0.19) / (0.019_984f64 / 0.001_999).sqrt();
    assert!((p[0] - (0.9 - second)).abs() < 1e-8, "{p:?}");
    assert!((p[1] - 1.2).abs() < 1e-8, "{p:?}"); // a constant gradient keeps the step length at the rate
}

#[test]
fn a_parameter_with_zero_gradient_does_not_move() {
    for step in [StepRule::Plain, StepRule::Jang, StepRule::Adam] {
        let (mut step_state, mut p) = (StepState::new(step, 0.1, 2), [1.0, 1.0]);
        (0..3).for_each(|_| step_state.apply(&mut p, &[1.0, 0.0]));
        assert_eq!(p[1], 1.0);
    }
}

#[test]
fn clamped_parameters_are_valid() {
    let limited = |form, mut p: [f64; 4]| {
        clamp_parameters(form, &mut p);
        p
    };
    assert_eq!(limited(Form::Gaussian, [0.5, -0.1, 0.0, 0.0]), [0.5, MIN_WIDTH, 0.0, 0.0]);
    assert_eq!(limited(Form::TwoSided, [0.75, 0.1, 0.25, 0.2]), [0.5, 0.1, 0.5, 0.2]);
    assert_eq!(limited(Form::Bell, [0.5, 0.1, 99.0, 0.0]), [0.5, 0.1, 16.0, 0.0]);
    assert_eq!(limited(Form::Gaussian, [0.5, 0.1, 0.0, 0.0]), [0.5, 0.1, 0.0, 0.0]);
}
