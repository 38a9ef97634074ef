//! Interval type-2 sets.

use crate::inference::InferenceError;
use crate::inference::type2::IntervalSet;
use crate::sets::Set;
use proptest::prelude::*;

fn error_of(lower: Set, upper: Set) -> String {
    IntervalSet::new(lower, upper).unwrap_err().to_string()
}

#[test]
fn a_lower_set_that_exceeds_the_upper_set_is_rejected_with_the_position() {
    let triangle = |a: f64, b: f64, c: f64| Set::triangle(a, b, c).unwrap();
    assert_eq!(
        error_of(triangle(0.0, 1.0, 2.0), triangle(0.5, 1.0, 2.0)),
        "the lower set has membership 0.031250 at 0.03125, but the upper set has 0.000000; the lower set must not exceed \
         the upper set"
    );
    // Only the tails cross.
    let narrow = Set::gaussian(0.0, 1.0).unwrap();
    assert!(
        error_of(Set::gaussian(0.0, 2.0).unwrap().with_height(0.1).unwrap(), narrow)
            .contains("has membership")
    );
    assert!(IntervalSet::new(triangle(0.5, 1.0, 1.5), triangle(0.0, 1.0, 2.0)).is_ok());
    // A narrow peak is detected too.
    assert!(
        error_of(triangle(5.0, 5.0001, 5.0002), triangle(0.0, 1.0, 2.0))
            .contains("must not exceed the upper set")
    );
}

#[test]
fn consequents_are_compared_coefficient_by_coefficient() {
    let linear = |c: [f64; 2]| Set::linear(&[c[0]], c[1]).unwrap();
    assert!(IntervalSet::new(linear([1.0, 2.0]), linear([1.0, 3.0])).is_ok());
    assert_eq!(
        error_of(linear([1.0, 2.0]), linear([0.5, 3.0])),
        "the lower set has the parameter 1 where the upper set has 0.5; the lower set must not exceed the upper set"
    );
    assert_eq!(
        error_of(linear([1.0, 2.0]), Set::constant(9.0).unwrap()),
        "the lower set cannot be compared with the upper set (Linear and Constant); use two membership functions of x, \
         two Constant sets, or two Linear sets of the same length"
    );
    assert!(IntervalSet::constant(2.0, 1.0).is_err());
    assert!(error_of(Set::constant(0.5).unwrap(), Set::ramp(0.0, 1.0).unwrap()).contains("(Constant and"));
    assert!(
        error_of(Set::function("x + a").unwrap(), Set::ramp(0.0, 1.0).unwrap()).contains("(Function and")
    );
}

#[test]
fn invalid_parameters_are_rejected() {
    let error_of = |result: Result<IntervalSet, InferenceError>| result.unwrap_err().to_string();
    let ramp = Set::ramp(0.0, 1.0).unwrap();
    assert_eq!(
        error_of(IntervalSet::blurred(&ramp, -1.0)),
        "IntervalSet: `shift` is -1, but it must be finite and at least 0"
    );
    assert_eq!(
        error_of(IntervalSet::blurred(&Set::bell(0.0, 1.0, 2.0).unwrap(), 1.0)),
        "a Bell cannot be blurred; specify its lower and upper sets"
    );
    assert_eq!(
        error_of(IntervalSet::scaled_lower(ramp, 1.5)),
        "IntervalSet: `factor` is 1.5, but it must be from 0 to 1"
    );
    assert_eq!(
        error_of(IntervalSet::gaussian_with_uncertain_mean(2.0, 1.0, 1.0)),
        "IntervalSet: `lower` is 2, but it must be at most `upper`"
    );
    assert!(IntervalSet::gaussian_with_uncertain_mean(0.0, f64::NAN, 1.0).is_err());
    assert!(IntervalSet::gaussian_with_uncertain_mean(0.0, 1.0, 0.0).is_err());
    assert!(IntervalSet::gaussian_with_uncertain_deviation(0.0, 2.0, 1.0).is_err());
    assert!(IntervalSet::gaussian_with_uncertain_deviation(f64::NAN, 1.0, 2.0).is_err());
}

/// Sets of all shapes that can be blurred.
fn blurrable() -> Vec<Set> {
    let sets = [
        Set::triangle(-1.0, 0.5, 2.0),
        Set::trapezoid(-2.0, -1.0, 0.5, 2.0),
        Set::trapezoid(f64::NEG_INFINITY, -1.0, 0.5, 2.0),
        Set::gaussian(0.5, 1.5),
        Set::ramp(-1.0, 1.0),
        Set::ramp(1.0, -1.0),
        Set::sigmoid(0.25, 3.0),
        Set::sigmoid(0.25, -3.0),
        Set::s_shape(-1.0, 2.0),
        Set::z_shape(-1.0, 2.0),
        Set::arc(-1.0, 2.0),
        Set::concave(0.0, 2.0),
        Set::concave(2.0, 0.0),
    ];
    sets.into_iter().map(|set| set.unwrap().with_height(0.75).unwrap()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_blurred_set_is_the_envelope_of_its_shifted_copies(x in -5.0..5.0f64, by in 0.0..1.5f64) {
        for set in blurrable() {
            let interval = IntervalSet::blurred(&set, by).unwrap().membership(x);
            let shifted = |i: i32| set.membership(x + by * f64::from(i) / 500.0);
            let (min, max) = (-500..=500).map(shifted).fold((f64::INFINITY, 0.0f64), |(a, b), m| (a.min(m), b.max(m)));
            let name = set.shape().name();
            // Maximum difference between two adjacent copies for the slopes used here.
            let step = by / 500.0 * 50.0 + 1e-12;
            prop_assert!(interval.lower <= min + 1e-12 && min <= interval.lower + step, "{name} {interval:?} {min}");
            prop_assert!(interval.upper >= max - 1e-12 && max >= interval.upper - step, "{name} {interval:?} {max}");
        }
    }

    #[test]
    fn a_blurred_rectangle_has_lower_membership_one_where_all_copies_overlap(x in -3.0..3.0f64, by in 0.0..1.5f64) {
        let interval = IntervalSet::blurred(&Set::rectangle(-1.0, 1.0).unwrap(), by).unwrap().membership(x);
        prop_assert_eq!(interval.lower, if x.abs() <= 1.0 - by { 1.0 } else { 0.0 });
        prop_assert_eq!(interval.upper, if x.abs() <= 1.0 + by { 1.0 } else { 0.0 });
    }
}
