//! Memberships of every instruction set and precision compared with the reference.

use super::sets::{any_set, any_x};
use crate::device::{Cpu, Device, Simd};
use crate::sets::error::SetError;
use crate::sets::{Set, Shape, textbook};
use proptest::prelude::*;

/// Rounding of a few operations, amplified by the exponents (up to 745) of the exponential shapes. The absolute part
/// allows for cancellation in the reference (1 + cos, 1 − t²) near 0.
fn agree(got: f64, want: f64) -> bool {
    got == want || (got - want).abs() <= 1e-12 * want.abs() + 1e-15 || got.is_nan() && want.is_nan()
}

/// Near its ends the reference √(1 − t²) loses half of its digits.
fn agree_for(shape: &Shape, got: f64, want: f64) -> bool {
    let rooted = matches!(shape, Shape::SemiEllipse { .. } | Shape::Arc { .. });
    agree(got, want) || rooted && (got * got - want * want).abs() < 1e-14
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn every_shape_agrees_with_the_reference(set in any_set(), x in any_x()) {
        let (got, want) = (set.membership(x), set.height() * textbook::membership(set.shape(), x));
        prop_assert!(agree_for(set.shape(), got, want), "{set:?} at {x}: {got} for {want}");
    }

    #[test]
    fn memberships_are_between_zero_and_the_height(set in any_set(), x in any_x()) {
        let membership = set.membership(x);
        prop_assert!((0.0..=set.height()).contains(&membership), "{set:?} at {x}: {membership}");
    }

    #[test]
    fn the_membership_of_nan_is_nan(set in any_set()) {
        prop_assert!(set.membership(f64::NAN).is_nan());
        for simd in Simd::all() {
            let (mut wide, mut narrow) = ([0.0; 35], [0.0f32; 35]);
            set.memberships_into(simd, &[f64::NAN; 35], &mut wide);
            set.memberships_into(simd, &[f32::NAN; 35], &mut narrow);
            prop_assert!(wide.iter().all(|y| y.is_nan()) && narrow.iter().all(|y| y.is_nan()));
        }
    }

    #[test]
    fn a_set_round_trips_through_its_name_and_parameters(set in any_set()) {
        let mut parameters = set.shape().parameters();
        parameters.push(set.height());
        prop_assert_eq!(Set::from_parameters(set.shape().name(), &parameters).unwrap(), set);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn every_instruction_set_agrees_with_the_reference_in_both_precisions(
        set in any_set(),
        x in prop::collection::vec(any_x(), 1..200),
    ) {
        // In single precision, the parameters and x are rounded.
        let round = |v: f64| f64::from(v as f32);
        let narrow: Vec<f32> = x.iter().map(|x| *x as f32).collect();
        let parameters: Vec<f64> = set.shape().parameters().into_iter().map(round).collect();
        let rounded = Set::from_parameters(set.shape().name(), &parameters).unwrap();
        for simd in Simd::all() {
            let mut y = vec![0.0; x.len()];
            set.memberships_into(simd, &x, &mut y);
            for (x, y) in x.iter().zip(&y) {
                let want = set.height() * textbook::membership(set.shape(), *x);
                prop_assert!(agree_for(set.shape(), *y, want), "{set:?} {simd:?} at {x}: {y} for {want}");
            }
            let mut y = vec![0.0f32; x.len()];
            set.memberships_into(simd, &narrow, &mut y);
            for (x, y) in narrow.iter().zip(&y) {
                let want = set.height() * textbook::membership(rounded.shape(), f64::from(*x));
                // Eight ulps of 1: a relative error ε of an exponent t causes an error of t·e⁻ᵗ·ε, and of a base with the
                // power 2s an error of 2s·ε/4, s ≤ 10.
                prop_assert!((f64::from(*y) - want).abs() <= 1e-6, "{set:?} {simd:?} at {x}: {y} for {want}");
            }
        }
    }
}

#[test]
fn shapes_of_width_0_are_singletons_or_steps() {
    let at =
        |name: &str, p: &[f64], x: [f64; 3]| x.map(|x| Set::from_parameters(name, p).unwrap().membership(x));
    let around = [0.5, 1.0, 1.5];
    for (name, p) in [
        ("Triangle", &[1.0, 1.0, 1.0][..]),
        ("Trapezoid", &[1.0, 1.0, 1.0, 1.0]),
        ("Rectangle", &[1.0, 1.0]),
        ("SemiEllipse", &[1.0, 1.0]),
        ("Bell", &[1.0, 0.0, 2.0]),
        ("Cosine", &[1.0, 0.0]),
        ("Gaussian", &[1.0, 0.0]),
        ("GaussianProduct", &[1.0, 0.0, 1.0, 0.0]),
        ("Spike", &[1.0, 0.0]),
        ("Concave", &[1.0, 1.0]),
    ] {
        assert_eq!(at(name, p, around), [0.0, 1.0, 0.0], "{name}");
    }
    assert_eq!(at("Ramp", &[1.0, 1.0], around), [0.0, 1.0, 1.0]);
    assert_eq!(at("SShape", &[1.0, 1.0], around), [0.0, 0.0, 1.0]);
    assert_eq!(at("ZShape", &[1.0, 1.0], around), [1.0, 1.0, 0.0]);
    assert_eq!(at("Arc", &[1.0, 1.0], around), [0.0, 0.0, 0.0]);
    assert_eq!(at("Sigmoid", &[1.0, 0.0], [f64::NEG_INFINITY, 1.0, f64::INFINITY]), [0.5; 3]);
}

#[test]
fn memberships_are_bit_identical_for_any_number_of_threads() {
    let set = Set::gaussian(0.3, 2.0).unwrap();
    let x: Vec<f64> = (0..100_003).map(|i| f64::from(i) * 1e-4 - 5.0).collect();
    let device = |threads| Device::from(Cpu::with_threads(threads).unwrap());
    let one = set.memberships(&x, &device(1)).unwrap();
    assert_eq!(set.memberships(&x, &device(4)).unwrap(), one);
    let narrow: Vec<f32> = x.iter().map(|x| *x as f32).collect();
    let one = set.memberships(&narrow, &device(1)).unwrap();
    assert_eq!(set.memberships(&narrow, &device(3)).unwrap(), one);
}

#[test]
fn a_consequent_has_x_as_its_only_input() {
    let cpu = Device::cpu().unwrap();
    assert_eq!(Set::linear(&[2.0], 1.0).unwrap().membership(3.0), 7.0);
    assert_eq!(Set::linear(&[], 1.0).unwrap().memberships(&[f64::NAN], &cpu).unwrap(), [1.0]);
    assert!(Set::linear(&[2.0, 3.0], 1.0).unwrap().membership(3.0).is_nan());
    let function = Set::function("x^2 + 1").unwrap();
    let x: Vec<f32> = (0..150).map(|i| i as f32).collect();
    assert_eq!(function.memberships(&x, &cpu).unwrap(), x.iter().map(|x| x * x + 1.0).collect::<Vec<_>>());
    assert!(Set::function("x + y").unwrap().membership(1.0).is_nan());
    assert_eq!(Set::function("x + y").unwrap().output(&[1.0, 2.0]), Some(3.0));
    assert_eq!(Set::ramp(0.0, 1.0).unwrap().output(&[1.0]), None);
}

#[test]
fn errors_name_the_invalid_parameter() {
    let message = |set: Result<Set, SetError>| set.unwrap_err().to_string();
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    for (set, expected) in [
        (Set::triangle(nan, 1.0, 2.0), "Triangle: `left` is NaN, but it must be a number"),
        (
            Set::triangle(3.0, 2.0, 4.0),
            "Triangle: `top` is 2, but it must be at least `left`; write the points in ascending order",
        ),
        (
            Set::triangle(1.0, 2.0, 1.5),
            "Triangle: `right` is 1.5, but it must be at least `top`; write the points in ascending order",
        ),
        (
            Set::trapezoid(1.0, 0.0, 2.0, 3.0),
            "Trapezoid: `top left` is 0, but it must be at least `bottom left`; write the points in ascending order",
        ),
        (
            Set::pi_shape(0.0, 1.0, 3.0, 2.0),
            "PiShape: `bottom right` is 2, but it must be at least `top right`; write the points in ascending order",
        ),
        (
            Set::s_shape(2.0, 1.0),
            "SShape: `end` is 1, but it must be at least `start`; write the points in ascending order",
        ),
        (Set::cosine(0.0, -1.0), "Cosine: `width` is -1, but it must be at least 0"),
        (Set::gaussian(0.0, inf), "Gaussian: `standard deviation` is inf, but it must be finite"),
        (Set::binary(1.0, 1.0), "Binary: `direction` is 1, but it must be different from `start`"),
        (Set::discrete(&[]), "Discrete: `points` is 0, but it must be at least 1 pair x y"),
        (
            Set::discrete(&[(1.0, 0.0), (0.0, 1.0)]),
            "Discrete: `x` is 0, but it must be at least the previous x; write the points in ascending order",
        ),
        (Set::constant(nan), "Constant: `value` is NaN, but it must be a number"),
        (
            Set::ramp(0.0, 1.0).unwrap().with_height(-1.0),
            "Ramp: `height` is -1, but it must be finite and at least 0",
        ),
        (
            Set::constant(2.0).unwrap().with_height(0.5),
            "Constant: `height` is 0.5, but it must be 1 for a Takagi-Sugeno consequent",
        ),
        (
            Set::from_parameters("Triangle", &[1.0]),
            "Triangle takes 3 numbers and an optional height, but 1 number was given",
        ),
        (Set::from_parameters("Function", &[]), "Function takes an expression, but 0 numbers were given"),
    ] {
        assert_eq!(message(set), expected);
    }
    assert!(
        message(Set::from_parameters("Blob", &[])).starts_with("unknown shape `Blob`; available shapes: Tri")
    );
}
