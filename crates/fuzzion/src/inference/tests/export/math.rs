//! Elementary functions of exported Rust against the standard library.
//!
//! Those of exported C are the same line by line; the test that compiles exported C runs each of them.

#![allow(clippy::all, dead_code)] // the source is written for users, not for this crate's lints

use proptest::prelude::*;

// The exported source, compiled here.
include!("../../export/runtime/math.rs");
include!("../../export/runtime/angles.rs");

/// Difference in units in the last place; both may be subnormal, infinite or NaN.
fn ulps(got: f64, want: f64) -> f64 {
    if got == want || (got.is_nan() && want.is_nan()) {
        return 0.0;
    }
    let unit = f64::EPSILON * want.abs().max(f64::MIN_POSITIVE);
    (got - want).abs() / unit
}

/// Name, exported function and library function.
type Pair = (&'static str, fn(f64) -> f64, fn(f64) -> f64);

const UNARY_FUNCTIONS: [Pair; 14] = [
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
const TRIGONOMETRIC_FUNCTIONS: [Pair; 3] =
    [("sin", sin_of, f64::sin), ("cos", cos_of, f64::cos), ("tan", tan_of, f64::tan)];

/// Tolerance: two ulp of the exported function and one of the library's.
const MAX_ULPS: f64 = 3.0;

/// Numbers of every magnitude and edge cases.
fn number() -> impl Strategy<Value = f64> {
    let edge_cases = [
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
        1 => prop::sample::select(edge_cases.to_vec()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn functions_of_one_argument_match_the_library(x in number()) {
        for (name, exported, library) in UNARY_FUNCTIONS {
            prop_assert!(ulps(exported(x), library(x)) <= MAX_ULPS, "{name}({x:?}): {:?}, not {:?}", exported(x), library(x));
        }
    }

    #[test]
    fn inverse_hyperbolic_functions_match_the_library(x in number()) {
        // The library's functions use logarithms too: they lose digits near 1, more for negative x, and overflow.
        prop_assume!(!x.is_finite() || x.abs() < 1e300);
        let near = |got: f64, want: f64| ulps(got, want) <= 40.0 || (got - want).abs() < 1e-15;
        prop_assert!(near(asinh_of(x), x.asinh()), "asinh {x:?}");
        prop_assert!(near(acosh_of(x), x.acosh()), "acosh {x:?}");
        prop_assert!(near(atanh_of(x), x.abs().atanh().copysign(x)), "atanh {x:?}");
    }

    #[test]
    fn trigonometric_functions_are_accurate_up_to_1e15(log_x in -20.0..34.5f64, negative: bool) {
        let x = if negative { -log_x.exp() } else { log_x.exp() };
        for (name, exported, library) in TRIGONOMETRIC_FUNCTIONS {
            prop_assert!(ulps(exported(x), library(x)) <= MAX_ULPS, "{name}({x:?}): {:?}, not {:?}", exported(x), library(x));
        }
    }

    #[test]
    fn functions_of_two_arguments_match_the_library(x in number(), y in number()) {
        prop_assert!(ulps(pow_of(x, y), x.powf(y)) <= MAX_ULPS, "{x:?} ^ {y:?}: {:?}", pow_of(x, y));
        prop_assert!(ulps(atan2_of(x, y), x.atan2(y)) <= MAX_ULPS, "atan2({x:?}, {y:?}): {:?}", atan2_of(x, y));
        prop_assert_eq!(fmod_of(x, y).to_bits() << 1, ((x % y).to_bits()) << 1, "{:?} % {:?}", x, y);
    }
}

#[test]
fn trigonometric_functions_are_nan_beyond_1e15() {
    for x in [1.1e15, -1e300, f64::INFINITY, f64::NAN] {
        assert!(sin_of(x).is_nan() && cos_of(x).is_nan() && tan_of(x).is_nan(), "{x:?}");
    }
}
