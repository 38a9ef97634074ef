//! Parameters of extreme magnitude, valid and invalid.

use crate::data::Precision;
use crate::device::{Cpu, Device, Simd};
use crate::sets::cuda::source;
use crate::sets::error::SetError;
use crate::sets::samples::{EXTREMES, extreme_sets};
use crate::sets::{Set, textbook};
use proptest::prelude::*;

/// Shapes that divide by a width, with parameters that are multiples of `unit`.
fn sets_of_unit(unit: f64) -> Vec<Result<Set, SetError>> {
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

/// Rounding of a few operations; near its ends the reference √(1 − t²) loses half of its digits.
fn agree(got: f64, want: f64, bound: f64) -> bool {
    (got - want).abs() <= bound || (got * got - want * want).abs() <= bound
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn memberships_are_invariant_under_scaling_of_the_set_and_x(power in -960..960, t in -3.0..3.0) {
        let unit = 2f64.powi(power); // scaling by a power of two is exact
        let device = Device::from(Cpu::with_threads(1).unwrap());
        for (set, one) in sets_of_unit(unit).into_iter().zip(sets_of_unit(1.0)) {
            let (set, one) = (set.unwrap(), one.unwrap());
            let want = textbook::membership(one.shape(), t);
            let got = set.membership(t * unit);
            prop_assert!(agree(got, want, 1e-12), "{set:?} at {}: {got} for {want}", t * unit);
            // x rounded to single precision; the parameters are exact in single precision or computed in double.
            let narrow = (t * unit) as f32;
            if narrow.is_finite() {
                let got = set.memberships(&[narrow], &device).unwrap()[0];
                let want = textbook::membership(one.shape(), f64::from(narrow) / unit);
                prop_assert!(agree(f64::from(got), want, 1e-6), "{set:?} at {narrow:e}: {got} for {want}");
            }
        }
    }

    #[test]
    fn alpha_cuts_scale_exactly_with_the_set(power in -960..960, level in 0.01..1.0) {
        let unit = 2f64.powi(power);
        for (set, one) in sets_of_unit(unit).into_iter().zip(sets_of_unit(1.0)) {
            let (cut, one) = (set.unwrap().alpha_cut(level).unwrap(), one.unwrap().alpha_cut(level).unwrap());
            // Powers of two change only the exponent.
            prop_assert_eq!((cut.lower, cut.upper), (one.lower * unit, one.upper * unit));
        }
    }

    #[test]
    fn a_single_membership_is_bit_identical_to_one_of_a_slice(set in super::sets::any_set(), x in super::sets::any_x()) {
        let mut many = [0.0; 19];
        set.memberships_into(Simd::detect(), &[x; 19], &mut many);
        prop_assert!(many.iter().all(|y| y.to_bits() == set.membership(x).to_bits()), "{set:?} at {x}");
    }
}

#[test]
fn a_semi_ellipse_of_any_size_reaches_one() {
    let device = Device::from(Cpu::with_threads(1).unwrap());
    let top = |end: f64| Set::semi_ellipse(0.0, end).unwrap().membership(end / 2.0);
    assert_eq!([1e20, 1e200, 1e-170, 1e-290, 1e290].map(top), [1.0; 5]);
    let narrow = Set::semi_ellipse(0.0, 1e20).unwrap().memberships(&[5e19f32], &device).unwrap();
    assert_eq!(narrow, [1.0]);
}

#[test]
fn errors_state_the_limits_of_widths_and_positions() {
    assert!(sets_of_unit(1e-310).iter().all(|set| set.is_err()));
    assert!(sets_of_unit(1e308).iter().all(|set| set.is_err()));
    let message = |set: Result<Set, SetError>| set.unwrap_err().to_string();
    for (set, expected) in [
        (Set::ramp(-1e308, 1e308), "at most 1e290 in magnitude"),
        (Set::triangle(-1e308, 1e308, 1e308), "at most 1e290 in magnitude, or infinite"),
        (Set::gaussian(0.0, 1e-310), "0, or at least 1e-290 in magnitude"),
        (Set::arc(1e-300, 2e-300), "equal to the start of the edge, or at least 1e-290 away from it"),
        (Set::discrete(&[(0.0, 1e10)]), "at most 1e9 in magnitude"),
    ] {
        let found = message(set);
        assert!(found.ends_with(expected), "{found}");
    }
    assert_eq!(
        message(Set::sigmoid(1e300, 1.0)),
        format!("Sigmoid: `inflection` is {}, but it must be at most 1e290 in magnitude", 1e300)
    );
}

#[test]
fn single_precision_memberships_are_right_for_parameters_out_of_its_range() {
    let device = Device::from(Cpu::with_threads(1).unwrap());
    let at = |set: Result<Set, SetError>, x: f32| set.unwrap().memberships(&[x; 70], &device).unwrap()[69];
    assert_eq!(at(Set::ramp(-1e39, 1e39), 0.0), 0.5);
    assert_eq!(at(Set::ramp(0.0, 1e-50), 0.0), 0.0);
    assert_eq!(at(Set::ramp(1.0, 1.0 + 1e-12), 1.0), 0.0); // 1 if computed in single precision, where it is a step
    assert_eq!(at(Set::gaussian(0.0, 1e-40), 0.0), 1.0);
    assert_eq!(at(Set::rectangle(-1e39, 1e39), f32::INFINITY), 0.0);
    assert_eq!(at(Set::linear(&[1e39], 1.0), 0.0), 1.0);
    assert_eq!(at(Set::ramp(0.0, 1.0).unwrap().with_height(1e39), 0.0), 0.0);
}

#[test]
fn shapes_of_width_0_are_0_next_to_their_center() {
    for name in ["Gaussian", "Spike", "Cosine"] {
        let set = Set::from_parameters(name, &[0.0, 0.0]).unwrap();
        assert_eq!([0.0, 1e-308, f64::from_bits(1)].map(|x| set.membership(x)), [1.0, 0.0, 0.0], "{name}");
    }
}

#[test]
fn the_upper_tail_of_a_sigmoid_difference_is_accurate() {
    let set = Set::sigmoid_difference(0.0, 1.0, 1.0, 2.0).unwrap();
    // e⁻⁴⁰(e² − 1), with a relative error of about e⁻⁴⁰.
    let want = (-40f64).exp() * 2f64.exp_m1();
    assert!((set.membership(40.0) - want).abs() <= 1e-14 * want, "{} for {want}", set.membership(40.0));
    assert!((set.membership(-38.0) - want).abs() <= 1e-14 * want, "{} for {want}", set.membership(-38.0));
    assert_eq!(set.membership(f64::INFINITY), 0.0);
}

#[test]
fn a_set_out_of_the_range_of_single_precision_is_declared_in_double_precision() {
    let set = Set::ramp(-1e39, 1e39).unwrap();
    assert_eq!(
        source::declare(&set, "f", Precision::F32),
        "static __device__ inline double f_wide(const double x) {\n    typedef double real;\n    \
         return sets::ramp(x, (-1e39), 1e39);\n}\n\
         static __device__ inline float f(const float x) { return (float)f_wide((double)x); }\n"
    );
    let linear = Set::linear(&[1e39], 0.5).unwrap();
    let text = source::declare_output(&linear, "f", Precision::F32, &[]).unwrap();
    assert!(text.contains("return (float)(1e39 * inputs[0] + 0.5);"), "{text}");
}

#[test]
fn the_extreme_sample_sets_are_computed_in_double_precision() {
    for (name, unit) in EXTREMES {
        assert!(extreme_sets(unit).unwrap().iter().all(|set| !set.fits_f32()), "{name}");
    }
}
