//! Cuts of shapes against their textbook bounds.

use super::exact::Exact;
use crate::arithmetic::ArithmeticError;
use crate::arithmetic::{FuzzyLu, ReferenceFunction};
use proptest::prelude::*;

const N: usize = 7;
type Number = FuzzyLu<f64, N>;

/// Linear side by exact rationals: a·(N−1−i) + b·i, which is N − 1 times the bound of cut i.
fn linear_side(a: f64, b: f64, i: usize) -> Exact {
    let integer = |n: usize| Exact::of(n as f64);
    &(&Exact::of(a) * &integer(N - 1 - i)) + &(&Exact::of(b) * &integer(i))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn linear_sides_are_enclosed_within_a_few_ulps(mut p in prop::array::uniform4(-1e3..1e3f64)) {
        p.sort_by(f64::total_cmp);
        let number = Number::trapezoidal(p[0], p[1], p[2], p[3]).unwrap();
        for i in 0..N {
            let bounds = [(number.lower()[i], linear_side(p[0], p[1], i), -1.0), (number.upper()[i], linear_side(p[3], p[2], i), 1.0)];
            for (bound, exact, direction) in bounds {
                let times = |x: f64| &Exact::of(x) * &Exact::of((N - 1) as f64);
                let side = (&times(bound) - &exact).sign();
                prop_assert!(side == 0 || f64::from(side) == direction, "{bound} of {p:?}");
                // Three roundings of numbers up to 6000.
                let inner = bound - direction * 3.0 * 6e3 * f64::EPSILON;
                prop_assert!(f64::from((&times(inner) - &exact).sign()) == -direction);
            }
        }
        prop_assert_eq!((number.support().lower, number.support().upper), (p[0], p[3]));
        prop_assert_eq!((number.core().lower, number.core().upper), (p[1], p[2]));
    }

    #[test]
    fn curved_sides_have_the_membership_of_their_level(
        center in -10.0..10.0f64, width in 0.1..10.0f64, slope in 0.5..4.0f64,
    ) {
        let gaussian = Number::gaussian(center, width).unwrap();
        let bell = Number::bell(center, width, slope).unwrap();
        for i in 1..N {
            let alpha = Number::alpha(i);
            for x in [gaussian.lower()[i], gaussian.upper()[i]] {
                let t = (x - center) / width;
                // The bounds have a relative error of about 1e-14, at most 20 widths of distance, and slopes below 1.
                prop_assert!(((-t * t / 2.0).exp() - alpha).abs() < 1e-12, "{x} at {alpha}");
            }
            for x in [bell.lower()[i], bell.upper()[i]] {
                let t = ((x - center) / width).abs();
                prop_assert!((1.0 / (1.0 + t.powf(2.0 * slope)) - alpha).abs() < 1e-11, "{x} at {alpha}");
            }
            prop_assert!(gaussian.lower()[i] <= gaussian.core().lower && bell.lower()[i] <= bell.core().lower);
        }
        prop_assert!(!gaussian.is_bounded() && !bell.is_bounded());
        prop_assert_eq!((gaussian.core().lower, bell.core().upper), (center, center));
    }

    #[test]
    fn a_piecewise_linear_trapezoid_equals_the_trapezoid(mut p in prop::array::uniform4(-1e3..1e3f64)) {
        p.sort_by(f64::total_cmp);
        let trapezoid = Number::trapezoidal(p[0], p[1], p[2], p[3]).unwrap();
        let lines = Number::piecewise(&[(p[0], 0.0), (p[1], 1.0), (p[2], 1.0), (p[3], 0.0)]).unwrap();
        for i in 0..N {
            // Both differ from the exact bound by a few rounding errors of numbers up to 2000.
            prop_assert!((lines.lower()[i] - trapezoid.lower()[i]).abs() < 1e-11);
            prop_assert!((lines.upper()[i] - trapezoid.upper()[i]).abs() < 1e-11);
        }
    }
}

#[test]
fn shapes_have_the_cuts_computed_by_hand() {
    type Three = FuzzyLu<f64, 3>;
    let inf = f64::INFINITY;
    let shoulder = Three::trapezoidal(-inf, 1.0, 2.0, 4.0).unwrap();
    assert_eq!((shoulder.lower(), shoulder.upper()), (&[-inf, -inf, 1.0], &[4.0, 3.0, 2.0]));
    assert_eq!(Three::gaussian(5.0, 0.0).unwrap(), Three::from_cuts([5.0; 3], [5.0; 3]).unwrap());
    let sides = [ReferenceFunction::Quadratic, ReferenceFunction::Exponential];
    let x = FuzzyLu::<f64, 5>::left_right([1.0, 2.0], [4.0, 1.0], sides).unwrap();
    assert_eq!((x.lower()[0], x.lower()[4], x.upper()[0], x.upper()[4]), (-3.0, 1.0, inf, 2.0));
    assert_eq!(x.lower()[2], 1.0 - 4.0 * 0.5f64.sqrt()); // the double nearest to √½ is above it
    assert!((x.upper()[2] - (2.0 + 2f64.ln())).abs() < 1e-15);
    assert_eq!(FuzzyLu::<f64, 1>::triangular(1.0, 2.0, 4.0).unwrap().upper(), &[4.0]); // a single cut is the support
    let huge = Three::triangular(-f64::MAX, 0.0, f64::MAX).unwrap();
    assert_eq!((huge.lower()[1], huge.upper()[1]), (-f64::MAX / 2.0, f64::MAX / 2.0));
    let steps = Three::piecewise(&[(1.0, 0.0), (1.0, 0.5), (2.0, 0.5), (3.0, 1.0), (3.0, 0.25)]).unwrap();
    assert_eq!((steps.lower(), steps.upper()), (&[1.0, 1.0, 3.0], &[3.0, 3.0, 3.0]));
}

#[test]
fn invalid_parameters_are_rejected_with_one_sentence() {
    type Three = FuzzyLu<f64, 3>;
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    let message = |result: Result<Three, ArithmeticError>| result.unwrap_err().to_string();
    for (result, expected) in [
        (Three::triangular(nan, 1.0, 2.0), "tri: `left` is NaN, but it must be a number below infinity"),
        (
            Three::triangular(3.0, 2.0, 1.0),
            "tri: `top` is 2, but it must be finite and at least `left`; write the corners in ascending order",
        ),
        (
            Three::triangular(1.0, 2.0, nan),
            "tri: `right` is NaN, but it must be at least `top`; write the corners in ascending order",
        ),
        (
            Three::triangular(1.0, inf, inf),
            "tri: `top` is inf, but it must be finite and at least `left`; write the corners in ascending order",
        ),
        (
            Three::trapezoidal(1.0, 2.0, 1.5, 3.0),
            "trap: `top right` is 1.5, but it must be at least the previous corner; write the corners in ascending order",
        ),
        (Three::trapezoidal(1.0, inf, inf, inf), "trap: `top left` is inf, but it must be below infinity"),
        (
            Three::gaussian(0.0, -1.0),
            "gauss: `standard deviation` is -1, but it must be finite and not negative",
        ),
        (Three::gaussian(nan, 1.0), "gauss: `mean` is NaN, but it must be finite"),
        (Three::bell(0.0, 0.0, 1.0), "bell: `width` is 0, but it must be finite and above 0"),
        (Three::bell(0.0, 1.0, nan), "bell: `slope` is NaN, but it must be finite and above 0"),
        (
            Three::left_right([0.0, 1.0], [1.0, -1.0], [ReferenceFunction::Linear; 2]),
            "left_right: `right_spread` is -1, but it must be finite and not negative",
        ),
        (
            Three::piecewise(&[(0.0, 0.0), (1.0, 0.5)]),
            "piecewise: `highest membership` is 0.5, but it must be 1",
        ),
        (Three::piecewise(&[]), "piecewise: `highest membership` is 0, but it must be 1"),
        (
            Three::piecewise(&[(0.0, 1.0), (1.0, 0.5), (2.0, 0.6)]),
            "piecewise: `membership` is 0.6, but it must be at most the previous one, because memberships have started to fall",
        ),
        (
            Three::piecewise(&[(1.0, 1.0), (0.0, 0.5)]),
            "piecewise: `x` is 0, but it must be finite and at least the previous one",
        ),
    ] {
        assert_eq!(message(result), expected);
    }
}
