//! Parameters at the ends of what is legal, and beyond.

use crate::data::Precision;
use crate::device::{Cpu, Device, Simd};
use crate::error::Error;
use crate::sets::samples::{EXTREMES, extreme_sets};
use crate::sets::{Set, device, selftest, textbook};
use proptest::prelude::*;

/// Shapes that divide by a width, made of multiples of one unit.
fn of_unit(unit: f64) -> Vec<Result<Set, Error>> {
    vec![
        Set::triangle(-unit, 0.0, unit),
        Set::trapezoid(-unit, 0.0, unit, unit + unit),
        Set::semi_ellipse(0.0, unit),
        Set::bell(0.0, unit, 1.0),
        Set::bell(0.0, unit, 0.75),
        Set::cosine(0.0, unit),
        Set::gaussian(0.0, unit),
        Set::gaussian_product(0.0, unit, unit, unit),
        Set::pi_shape(-unit, 0.0, unit, unit + unit),
        Set::spike(0.0, unit),
        Set::arc(0.0, unit),
        Set::concave(0.0, unit),
        Set::ramp(0.0, unit),
        Set::s_shape(0.0, unit),
        Set::z_shape(0.0, unit),
        Set::discrete(&[(0.0, 0.0), (unit, 1.0)]),
    ]
}

/// Rounding of a handful of operations; √(1 − t²) near its ends has lost half the digits in the textbook.
fn agree(got: f64, want: f64, bound: f64) -> bool {
    (got - want).abs() <= bound || (got * got - want * want).abs() <= bound
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_set_of_any_legal_size_has_the_memberships_of_its_unit(power in -960..960, t in -3.0..3.0) {
        let unit = 2f64.powi(power); // scaling by it is exact
        let device = Device::Cpu(Cpu::with_threads(1).unwrap());
        for (set, one) in of_unit(unit).into_iter().zip(of_unit(1.0)) {
            let (set, one) = (set.unwrap(), one.unwrap());
            let want = textbook::membership(one.shape(), t);
            let got = set.membership(t * unit);
            prop_assert!(agree(got, want, 1e-12), "{set:?} at {}: {got} for {want}", t * unit);
            // As single precision sees x; the parameters are powers of two or are not rounded at all.
            let narrow = (t * unit) as f32;
            if narrow.is_finite() {
                let got = set.memberships_f32(&[narrow], &device).unwrap()[0];
                let want = textbook::membership(one.shape(), f64::from(narrow) / unit);
                prop_assert!(agree(f64::from(got), want, 1e-6), "{set:?} at {narrow:e}: {got} for {want}");
            }
        }
    }

    #[test]
    fn cuts_of_a_set_of_any_legal_size_are_those_of_its_unit(power in -960..960, level in 0.01..1.0) {
        let unit = 2f64.powi(power);
        for (set, one) in of_unit(unit).into_iter().zip(of_unit(1.0)) {
            let (cut, one) = (set.unwrap().alpha_cut(level).unwrap(), one.unwrap().alpha_cut(level).unwrap());
            // Powers of two only move the exponent.
            prop_assert_eq!((cut.lower, cut.upper), (one.lower * unit, one.upper * unit));
        }
    }

    #[test]
    fn one_membership_is_to_the_bit_that_of_many(set in super::sets::any_set(), x in super::sets::any_x()) {
        let mut many = [0.0; 19];
        set.memberships_into(Simd::detect(), &[x; 19], &mut many);
        prop_assert!(many.iter().all(|y| y.to_bits() == set.membership(x).to_bits()), "{set:?} at {x}");
    }
}

#[test]
fn a_semi_ellipse_of_any_size_reaches_one() {
    let device = Device::Cpu(Cpu::with_threads(1).unwrap());
    let top = |end: f64| Set::semi_ellipse(0.0, end).unwrap().membership(end / 2.0);
    assert_eq!([1e20, 1e200, 1e-170, 1e-290, 1e290].map(top), [1.0; 5]);
    let narrow = Set::semi_ellipse(0.0, 1e20).unwrap().memberships_f32(&[5e19], &device).unwrap();
    assert_eq!(narrow, [1.0]);
}

#[test]
fn widths_that_are_too_small_and_places_too_large_are_refused_with_a_sentence() {
    assert!(of_unit(1e-310).iter().all(|set| set.is_err()));
    assert!(of_unit(1e308).iter().all(|set| set.is_err()));
    let message = |set: Result<Set, Error>| set.unwrap_err().to_string();
    for (set, expected) in [
        (Set::ramp(-1e308, 1e308), "at most 1e290 in size"),
        (Set::triangle(-1e308, 1e308, 1e308), "at most 1e290 in size, or infinite"),
        (Set::gaussian(0.0, 1e-310), "0, or 1e-290 or more in size"),
        (Set::arc(1e-300, 2e-300), "where the edge started, or 1e-290 or more away"),
        (Set::discrete(&[(0.0, 1e10)]), "at most 1e9 in size"),
    ] {
        let found = message(set);
        assert!(found.ends_with(expected), "{found}");
    }
    assert_eq!(
        message(Set::sigmoid(1e300, 1.0)),
        format!("Sigmoid: `inflection` is {}, but it must be at most 1e290 in size", 1e300)
    );
}

#[test]
fn single_precision_does_not_lie_about_parameters_it_cannot_hold() {
    let device = Device::Cpu(Cpu::with_threads(1).unwrap());
    let at = |set: Result<Set, Error>, x: f32| set.unwrap().memberships_f32(&[x; 70], &device).unwrap()[69];
    assert_eq!(at(Set::ramp(-1e39, 1e39), 0.0), 0.5);
    assert_eq!(at(Set::ramp(0.0, 1e-50), 0.0), 0.0);
    assert_eq!(at(Set::ramp(1.0, 1.0 + 1e-12), 1.0), 0.0); // in single precision a step, which is 1 here
    assert_eq!(at(Set::gaussian(0.0, 1e-40), 0.0), 1.0);
    assert_eq!(at(Set::rectangle(-1e39, 1e39), f32::INFINITY), 0.0);
    assert_eq!(at(Set::linear(&[1e39], 1.0), 0.0), 1.0);
    assert_eq!(at(Set::ramp(0.0, 1.0).unwrap().with_height(1e39), 0.0), 0.0);
}

#[test]
fn shapes_without_width_are_zero_next_to_their_point() {
    for name in ["Gaussian", "Spike", "Cosine"] {
        let set = Set::from_parameters(name, &[0.0, 0.0]).unwrap();
        assert_eq!([0.0, 1e-308, f64::from_bits(1)].map(|x| set.membership(x)), [1.0, 0.0, 0.0], "{name}");
    }
}

#[test]
fn a_sigmoid_difference_keeps_its_upper_tail() {
    let set = Set::sigmoid_difference(0.0, 1.0, 1.0, 2.0).unwrap();
    // e⁻⁴⁰(e² − 1), but for a part of e⁻⁴⁰.
    let want = (-40f64).exp() * 2f64.exp_m1();
    assert!((set.membership(40.0) - want).abs() <= 1e-14 * want, "{} for {want}", set.membership(40.0));
    assert!((set.membership(-38.0) - want).abs() <= 1e-14 * want, "{} for {want}", set.membership(-38.0));
    assert_eq!(set.membership(f64::INFINITY), 0.0);
}

#[test]
fn a_set_that_single_precision_cannot_hold_is_declared_in_double() {
    let set = Set::ramp(-1e39, 1e39).unwrap();
    assert_eq!(
        device::declare(&set, "f", Precision::F32),
        "static __device__ inline double f_wide(const double x) {\n    typedef double real;\n    \
         return sets::ramp(x, (-1e39), 1e39);\n}\n\
         static __device__ inline float f(const float x) { return (float)f_wide((double)x); }\n"
    );
    let linear = Set::linear(&[1e39], 0.5).unwrap();
    let text = device::declare_output(&linear, "f", Precision::F32, &[]).unwrap();
    assert!(text.contains("return (float)(1e39 * inputs[0] + 0.5);"), "{text}");
}

#[test]
fn the_samples_of_extreme_size_take_the_way_through_double() {
    for (name, unit) in EXTREMES {
        assert!(extreme_sets(unit).unwrap().iter().all(|set| !set.fits_f32()), "{name}");
    }
}

#[test]
fn every_check_of_the_rooms_selftest_passes_on_this_cpu() {
    let checks = selftest::checks(&Device::cpu().unwrap()).unwrap();
    let failed: Vec<_> = checks.iter().filter(|check| !check.passed).collect();
    assert!(failed.is_empty(), "{failed:?}");
    assert!(checks.iter().any(|check| check.kernel.starts_with("sets/Gaussian/tiny/")), "{checks:?}");
}
