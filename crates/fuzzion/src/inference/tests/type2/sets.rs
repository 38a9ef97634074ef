//! Sets between two bounds.

use crate::inference::type2::IntervalSet;
use crate::sets::Set;
use proptest::prelude::*;

fn problem(lower: Set, upper: Set) -> String {
    IntervalSet::new(lower, upper).unwrap_err().to_string()
}

#[test]
fn a_lower_set_above_the_upper_one_is_refused_with_the_place() {
    let triangle = |a: f64, b: f64, c: f64| Set::triangle(a, b, c).unwrap();
    assert_eq!(
        problem(triangle(0.0, 1.0, 2.0), triangle(0.5, 1.0, 2.0)),
        "the lower set has membership 0.031250 at 0.03125, where the upper set has 0.000000; give a lower set that is \
         nowhere above the upper one"
    );
    // Only the tails cross.
    let narrow = Set::gaussian(0.0, 1.0).unwrap();
    assert!(
        problem(Set::gaussian(0.0, 2.0).unwrap().with_height(0.1).unwrap(), narrow)
            .contains("has membership")
    );
    assert!(IntervalSet::new(triangle(0.5, 1.0, 1.5), triangle(0.0, 1.0, 2.0)).is_ok());
    // A thin needle is seen too.
    assert!(
        problem(triangle(5.0, 5.0001, 5.0002), triangle(0.0, 1.0, 2.0))
            .contains("nowhere above the upper one")
    );
}

#[test]
fn consequents_are_compared_number_by_number() {
    let linear = |c: [f64; 2]| Set::linear(&[c[0]], c[1]).unwrap();
    assert!(IntervalSet::new(linear([1.0, 2.0]), linear([1.0, 3.0])).is_ok());
    assert_eq!(
        problem(linear([1.0, 2.0]), linear([0.5, 3.0])),
        "the lower set has 1 where the upper set has 0.5; give the smaller number first"
    );
    assert_eq!(
        problem(linear([1.0, 2.0]), Set::constant(9.0).unwrap()),
        "the lower set is a Linear and the upper set a Constant, which cannot be compared; give two sets of x, two \
         Constants or two Linears of the same length"
    );
    assert!(IntervalSet::constant(2.0, 1.0).is_err());
    assert!(problem(Set::constant(0.5).unwrap(), Set::ramp(0.0, 1.0).unwrap()).contains("a Constant and"));
    assert!(
        problem(Set::function("x + a").unwrap(), Set::ramp(0.0, 1.0).unwrap()).contains("a Function and")
    );
}

#[test]
fn settings_that_cannot_be_are_refused() {
    let said = |made: crate::Result<IntervalSet>| made.unwrap_err().to_string();
    let ramp = Set::ramp(0.0, 1.0).unwrap();
    assert_eq!(
        said(IntervalSet::blurred(&ramp, -1.0)),
        "IntervalSet: `by` is -1, but it must be a finite number of at least 0"
    );
    assert_eq!(
        said(IntervalSet::blurred(&Set::bell(0.0, 1.0, 2.0).unwrap(), 1.0)),
        "a Bell cannot be blurred; give its lower and its upper set"
    );
    assert_eq!(
        said(IntervalSet::lowered(ramp, 1.5)),
        "IntervalSet: `share` is 1.5, but it must be from 0 to 1"
    );
    assert_eq!(
        said(IntervalSet::gaussian_of_uncertain_mean(2.0, 1.0, 1.0)),
        "IntervalSet: `lower` is 2, but it must be a number of at most `upper`"
    );
    assert!(IntervalSet::gaussian_of_uncertain_mean(0.0, f64::NAN, 1.0).is_err());
    assert!(IntervalSet::gaussian_of_uncertain_mean(0.0, 1.0, 0.0).is_err());
    assert!(IntervalSet::gaussian_of_uncertain_deviation(0.0, 2.0, 1.0).is_err());
    assert!(IntervalSet::gaussian_of_uncertain_deviation(f64::NAN, 1.0, 2.0).is_err());
}

/// Sets that can be blurred.
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
    #[test]
    fn a_blurred_set_bounds_its_moved_copies_and_touches_them(x in -5.0..5.0f64, by in 0.0..1.5f64) {
        for set in blurrable() {
            let interval = IntervalSet::blurred(&set, by).unwrap().membership(x);
            let moved = |i: i32| set.membership(x + by * f64::from(i) / 500.0);
            let (least, most) = (-500..=500).map(moved).fold((f64::INFINITY, 0.0f64), |(a, b), m| (a.min(m), b.max(m)));
            let name = set.shape().name();
            // Between two of the thousand copies no slope here climbs more than this.
            let step = by / 500.0 * 50.0 + 1e-12;
            prop_assert!(interval.lower <= least + 1e-12 && least <= interval.lower + step, "{name} {interval:?} {least}");
            prop_assert!(interval.upper >= most - 1e-12 && most >= interval.upper - step, "{name} {interval:?} {most}");
        }
    }

    #[test]
    fn a_blurred_rectangle_is_surely_where_it_always_is(x in -3.0..3.0f64, by in 0.0..1.5f64) {
        let interval = IntervalSet::blurred(&Set::rectangle(-1.0, 1.0).unwrap(), by).unwrap().membership(x);
        prop_assert_eq!(interval.lower, if x.abs() <= 1.0 - by { 1.0 } else { 0.0 });
        prop_assert_eq!(interval.upper, if x.abs() <= 1.0 + by { 1.0 } else { 0.0 });
    }
}
