//! The elementary functions that exported Rust carries, against the system's library.
//!
//! Those of C are the same line for line, and the test that compiles them runs each.

#![allow(clippy::all, dead_code)] // the text is what users read, not what this house writes

use proptest::prelude::*;

// The text that is exported, compiled here.
include!("../../export/runtime/math.rs");
include!("../../export/runtime/angles.rs");

/// Units in the last place between them; both may be denormal, infinite or NaN.
fn ulps(got: f64, want: f64) -> f64 {
    if got == want || (got.is_nan() && want.is_nan()) {
        return 0.0;
    }
    let unit = f64::EPSILON * want.abs().max(f64::MIN_POSITIVE);
    (got - want).abs() / unit
}

/// A function of one number of ours and of the library.
type Pair = (&'static str, fn(f64) -> f64, fn(f64) -> f64);

const EVERYWHERE: [Pair; 14] = [
    ("sqrt", sqrt_of, f64::sqrt),
    ("exp", exp_of, f64::exp),
    ("log", log_of, f64::ln),
    ("log10", log10_of, f64::log10),
    ("log1p", log1p_of, f64::ln_1p),
    ("round", round_of, f64::round_ties_even),
    ("floor", floor_of, f64::floor),
    ("ceil", ceil_of, f64::ceil),
    ("atan", atan_of, f64::atan),
    ("asin", asin_of, f64::asin),
    ("acos", acos_of, f64::acos),
    ("sinh", sinh_of, f64::sinh),
    ("cosh", cosh_of, f64::cosh),
    ("tanh", tanh_of, f64::tanh),
];
const ANGLES: [Pair; 3] = [("sin", sin_of, f64::sin), ("cos", cos_of, f64::cos), ("tan", tan_of, f64::tan)];

/// What is allowed: two units of ours, and one of the library's own.
const ALLOWED: f64 = 3.0;

/// Numbers of every size, and those that every function may stumble over.
fn number() -> impl Strategy<Value = f64> {
    let odd = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        2.0,
        -2.5,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::MAX,
        5e-324,
        1e-310,
    ];
    prop_oneof![
        8 => -10.0..10.0f64,
        4 => -1.0..1.0f64,
        4 => any::<f64>(),
        4 => -800.0..800.0f64,
        1 => prop::sample::select(odd.to_vec()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn functions_of_one_number_are_the_librarys(x in number()) {
        for (name, ours, library) in EVERYWHERE {
            prop_assert!(ulps(ours(x), library(x)) <= ALLOWED, "{name}({x:?}): {:?}, not {:?}", ours(x), library(x));
        }
    }

    #[test]
    fn inverse_hyperbolic_functions_are_the_librarys(x in number()) {
        // The library's own are made of logarithms too: they lose digits near 1, more of them below 0, and overflow.
        prop_assume!(!x.is_finite() || x.abs() < 1e300);
        let near = |got: f64, want: f64| ulps(got, want) <= 40.0 || (got - want).abs() < 1e-15;
        prop_assert!(near(asinh_of(x), x.asinh()), "asinh {x:?}");
        prop_assert!(near(acosh_of(x), x.acosh()), "acosh {x:?}");
        prop_assert!(near(atanh_of(x), x.abs().atanh().copysign(x)), "atanh {x:?}");
    }

    #[test]
    fn angles_keep_their_digits_up_to_1e15(size in -20.0..34.5f64, negative: bool) {
        let x = if negative { -size.exp() } else { size.exp() };
        for (name, ours, library) in ANGLES {
            prop_assert!(ulps(ours(x), library(x)) <= ALLOWED, "{name}({x:?}): {:?}, not {:?}", ours(x), library(x));
        }
    }

    #[test]
    fn functions_of_two_numbers_are_the_librarys(x in number(), y in number()) {
        prop_assert!(ulps(pow_of(x, y), x.powf(y)) <= ALLOWED, "{x:?} ^ {y:?}: {:?}", pow_of(x, y));
        prop_assert!(ulps(atan2_of(x, y), x.atan2(y)) <= ALLOWED, "atan2({x:?}, {y:?}): {:?}", atan2_of(x, y));
        prop_assert_eq!(fmod_of(x, y).to_bits() << 1, ((x % y).to_bits()) << 1, "{:?} % {:?}", x, y);
    }
}

#[test]
fn beyond_1e15_angles_are_nan() {
    for x in [1.1e15, -1e300, f64::INFINITY, f64::NAN] {
        assert!(sin_of(x).is_nan() && cos_of(x).is_nan() && tan_of(x).is_nan(), "{x:?}");
    }
}
