//! The step rules against numbers computed by hand.

use crate::tuning::form::Form;
use crate::tuning::settings::Step;
use crate::tuning::step::{LEAST_WIDTH, Pace, limit};

/// Rounding of a handful of operations on numbers about 1.
const CLOSE: f64 = 1e-14;

#[test]
fn a_plain_step_is_the_rate_times_the_slope() {
    let mut p = [1.0, 2.0];
    Pace::new(Step::Plain, 0.5, 2).take(&mut p, &[0.25, -1.0]);
    assert_eq!(p, [0.875, 2.5]);
}

#[test]
fn a_step_of_jang_is_as_long_as_the_rate() {
    let mut p = [1.0, 2.0];
    Pace::new(Step::Jang, 0.5, 2).take(&mut p, &[3.0, -4.0]);
    assert!((p[0] - 0.7).abs() < CLOSE && (p[1] - 2.4).abs() < CLOSE, "{p:?}");
    let mut p = [1.0, 2.0];
    Pace::new(Step::Jang, 0.5, 2).take(&mut p, &[0.0, 0.0]);
    assert_eq!(p, [1.0, 2.0]);
}

#[test]
fn four_steps_down_lengthen_jangs_step_by_a_tenth_and_two_swings_shorten_it() {
    let rates = |losses: &[f64]| -> Vec<f64> {
        let mut pace = Pace::new(Step::Jang, 1.0, 1);
        let mut observe = |loss: &f64| {
            pace.observe(*loss);
            pace.rate
        };
        losses.iter().map(&mut observe).collect()
    };
    // Five errors are four steps; then four more must pass before the next change.
    let down = rates(&[9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0]);
    assert_eq!(down[..8], [1.0, 1.0, 1.0, 1.0, 1.1, 1.1, 1.1, 1.1]);
    assert!((down[8] - 1.21).abs() < CLOSE);
    assert_eq!(rates(&[1.0, 2.0, 1.0, 2.0, 1.0]), [1.0, 1.0, 1.0, 1.0, 0.9]);
    assert_eq!(rates(&[1.0, 2.0, 1.0, 0.5, 1.0]), [1.0; 5]);
}

#[test]
fn the_first_step_of_adam_is_the_rate_and_the_second_what_its_means_say() {
    let (mut pace, mut p) = (Pace::new(Step::Adam, 0.1, 2), [1.0, 1.0]);
    pace.take(&mut p, &[4.0, -0.5]);
    // ε is 1e-8 beside slopes of ½ and more: a few 1e-9 of a step of 0.1.
    assert!((p[0] - 0.9).abs() < 1e-8 && (p[1] - 1.1).abs() < 1e-8, "{p:?}");
    pace.take(&mut p, &[-2.0, -0.5]);
    // m = 0.9·0.4 + 0.1·(−2) = 0.16, unbiased 0.16/0.19;
    // v = 0.999·0.016 + 0.001·4 = 0.019984, unbiased 0.019984/0.001999.
    let second = 0.1 * (0.16 / 0.19) / (0.019_984f64 / 0.001_999).sqrt();
    assert!((p[0] - (0.9 - second)).abs() < 1e-8, "{p:?}");
    assert!((p[1] - 1.2).abs() < 1e-8, "{p:?}"); // an even slope goes on at the rate
}

#[test]
fn a_parameter_without_slope_does_not_move() {
    for step in [Step::Plain, Step::Jang, Step::Adam] {
        let (mut pace, mut p) = (Pace::new(step, 0.1, 2), [1.0, 1.0]);
        (0..3).for_each(|_| pace.take(&mut p, &[1.0, 0.0]));
        assert_eq!(p[1], 1.0);
    }
}

#[test]
fn sets_stay_sets() {
    let limited = |form, mut p: [f64; 4]| {
        limit(form, &mut p);
        p
    };
    assert_eq!(limited(Form::Gaussian, [0.5, -0.1, 0.0, 0.0]), [0.5, LEAST_WIDTH, 0.0, 0.0]);
    assert_eq!(limited(Form::TwoSided, [0.75, 0.1, 0.25, 0.2]), [0.5, 0.1, 0.5, 0.2]);
    assert_eq!(limited(Form::Bell, [0.5, 0.1, 99.0, 0.0]), [0.5, 0.1, 16.0, 0.0]);
    assert_eq!(limited(Form::Gaussian, [0.5, 0.1, 0.0, 0.0]), [0.5, 0.1, 0.0, 0.0]);
}
