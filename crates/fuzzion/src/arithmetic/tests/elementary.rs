//! Bounds of exp and log against series in exact rationals.

use super::exact::Exact;
use super::rounding::finite;
use crate::arithmetic::rounding::Real;
use proptest::prelude::*;

/// Fractional bits: 60 beyond the last bit of any result here that is not subnormal.
const BITS: i64 = 1140;

fn integer(n: i64) -> Exact {
    Exact::of(n as f64)
}

/// Bounds of eˣ for |x| < 1, 2⁻¹¹³⁰ apart: the Taylor series until its terms vanish.
fn exp_series(x: &Exact) -> (Exact, Exact) {
    let (mut sum, mut term) = (integer(1), integer(1));
    for n in 1.. {
        term = (&term * x).div_down(&integer(n), BITS);
        sum = &sum + &term;
        // The remainder is less than the last term; every term was rounded by less than 2⁻ᴮᴵᵀˢ.
        let small = integer(1).shifted(-BITS + 1);
        if -&small <= term && term <= small {
            break;
        }
    }
    let slack = integer(1).shifted(-BITS + 9);
    (&sum - &slack, &sum + &slack)
}

/// Bounds of eˣ = (e^(x/2ᵏ))^(2ᵏ), squared with enough bits for every result.
fn exp(x: f64) -> (Exact, Exact) {
    let halvings = 11; // |x| < 1024
    let (mut lower, mut upper) = exp_series(&Exact::of(x).shifted(-halvings));
    for _ in 0..halvings {
        lower = (&lower * &lower).div_down(&integer(1), BITS + 1100);
        upper = &(&upper * &upper).div_down(&integer(1), BITS + 1100) + &integer(1).shifted(-BITS - 1100);
    }
    (lower, upper)
}

/// ln 2 = Σ 1/(n·2ⁿ), a lower bound within 2⁻²⁰⁰.
fn ln_2() -> Exact {
    (1..220).fold(integer(0), |sum, n| &sum + &integer(1).shifted(-n).div_down(&integer(n), 300))
}

#[test]
fn the_two_parts_of_ln_2_enclose_it() {
    // ln 2 reduces to the constants: k = 1 and m = 1.
    let (lower, upper) = 2f64.log_bounds();
    let (below, above) = (ln_2(), &ln_2() + &integer(1).shifted(-200));
    assert!(Exact::of(lower) <= below && above <= Exact::of(upper));
    assert!(upper <= lower.next_up().next_up(), "{lower} {upper}");
}

/// Checks that the bounds of eˣ enclose it and are close to each other.
fn check_exp(x: f64) {
    let (lower, upper) = x.exp_bounds();
    let (below, above) = exp(x);
    assert!(Exact::of(lower) <= below, "{lower:e} is not a lower bound of exp({x:e})");
    assert!(
        upper == f64::INFINITY || above <= Exact::of(upper),
        "{upper:e} is not an upper bound of exp({x:e})"
    );
    let apart = upper.to_bits() - lower.to_bits();
    assert!(apart <= 8, "exp({x:e}): bounds are {apart} ulps apart");
}

/// Checks the bounds of ln x via the exact exponential: e^lower ≤ x ≤ e^upper.
fn check_log(x: f64) {
    let (lower, upper) = x.log_bounds();
    assert!(exp(lower).0 <= Exact::of(x), "{lower:e} is not a lower bound of log({x:e})");
    assert!(Exact::of(x) <= exp(upper).1, "{upper:e} is not an upper bound of log({x:e})");
    let apart = (upper - lower) / lower.abs().max(f64::MIN_POSITIVE);
    // Eight ulps of a number are at most 8·2⁻⁵² times the number.
    assert!(
        x == 1.0 || apart <= 8.0 * f64::EPSILON,
        "log({x:e}): relative distance of the bounds is {apart:e}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn exp_is_between_its_bounds_which_are_a_few_ulps_apart(x in -745.0..709.7, tiny in -1e-3..1e-3) {
        check_exp(x);
        check_exp(tiny);
    }

    #[test]
    fn log_is_between_its_bounds_which_are_a_few_ulps_apart(x in finite::<f64>(), near_one in 0.9..1.1) {
        prop_assume!(x != 0.0);
        check_log(x.abs());
        check_log(near_one);
    }

    #[test]
    fn bounds_in_single_precision_enclose_those_in_double(x in finite::<f32>()) {
        let (lower, upper) = x.exp_bounds();
        let (down, up) = f64::from(x).exp_bounds();
        prop_assert!(f64::from(lower) <= down && up <= f64::from(upper));
        prop_assert!(upper <= lower.next_up().next_up());
        if x > 0.0 {
            let (lower, upper) = x.log_bounds();
            let (down, up) = f64::from(x).log_bounds();
            prop_assert!(f64::from(lower) <= down && up <= f64::from(upper));
            prop_assert!(upper <= lower.next_up().next_up());
        }
    }
}

#[test]
fn exp_and_log_are_enclosed_at_the_ends_of_the_range() {
    for x in [1e-300, -1e-300, 5e-324, -5e-324, 709.78, -708.4, -708.3, -740.0, -744.4, -745.0, -744.9] {
        check_exp(x);
    }
    for x in [
        1.0,
        1f64.next_up(),
        1f64.next_down(),
        f64::MAX,
        f64::MIN_POSITIVE,
        5e-324,
        2f64.sqrt(),
        0.5f64.sqrt(),
    ] {
        check_log(x);
    }
    let inf = f64::INFINITY;
    assert_eq!((0.0.exp_bounds(), 1.0.log_bounds()), ((1.0, 1.0), (0.0, 0.0)));
    assert_eq!((710.0.exp_bounds(), (-746.0).exp_bounds()), ((f64::MAX, inf), (0.0, 5e-324)));
    assert_eq!(((-inf).exp_bounds(), inf.exp_bounds()), ((0.0, 0.0), (f64::MAX, inf)));
    assert_eq!((0.0.log_bounds().0, inf.log_bounds().1), (-inf, inf));
}
