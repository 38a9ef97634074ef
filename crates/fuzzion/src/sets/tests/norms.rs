//! Algebraic laws of norms and hedges.

use crate::device::math::Real;
use crate::sets::{Hedge, SNorm, TNorm, complement};
use proptest::prelude::*;

/// Multiples of 1/16, whose sums are exact so that thresholds (a + b = 1) are hit exactly, and any number in [0, 1].
fn membership() -> impl Strategy<Value = f64> {
    prop_oneof![(0..=16u8).prop_map(|n| f64::from(n) / 16.0), 0.0..=1.0]
}

/// The continuous t-norms, for which rounding errors stay small.
const CONTINUOUS_T_NORMS: [TNorm; 5] = [
    TNorm::Minimum,
    TNorm::AlgebraicProduct,
    TNorm::BoundedDifference,
    TNorm::EinsteinProduct,
    TNorm::HamacherProduct,
];
/// Each t-norm with its dual s-norm by De Morgan's law.
const DUALS: [(TNorm, SNorm); 7] = [
    (TNorm::Minimum, SNorm::Maximum),
    (TNorm::AlgebraicProduct, SNorm::AlgebraicSum),
    (TNorm::BoundedDifference, SNorm::BoundedSum),
    (TNorm::DrasticProduct, SNorm::DrasticSum),
    (TNorm::EinsteinProduct, SNorm::EinsteinSum),
    (TNorm::HamacherProduct, SNorm::HamacherSum),
    (TNorm::NilpotentMinimum, SNorm::NilpotentMaximum),
];
/// A few rounding errors of numbers up to 2; the Hamacher norms divide by a small number near (0, 0) and (1, 1).
const ROUNDING: f64 = 1e-12;

fn sixteenth() -> impl Strategy<Value = f64> {
    (0..=16u8).prop_map(|n| f64::from(n) / 16.0)
}

/// Any number in [0, 1], uniform over the exponents, including subnormal numbers and numbers close to 1.
fn any_membership() -> impl Strategy<Value = f64> {
    let tiny = (0..=1.0f64.to_bits()).prop_map(f64::from_bits);
    let next_to_one = (0..64u64).prop_map(|steps| f64::from_bits(1.0f64.to_bits() - steps));
    let near_one = (-1074..0).prop_map(|power| 1.0 - 2.0f64.powi(power));
    prop_oneof![tiny, next_to_one, near_one, membership()]
}

/// T(a, 1) = a, T ≤ min, S(a, 0) = a and S ≥ max, in either precision.
fn bounds_hold<T: Real + std::fmt::Debug>(a: T, b: T) -> Result<(), TestCaseError> {
    for t in TNorm::ALL {
        prop_assert!(t.apply_real(a, T::ONE) == a, "{t:?}: T(1, {a:?}) = {:?}", t.apply_real(a, T::ONE));
        let y = t.apply_real(a, b);
        prop_assert!(y >= T::ZERO && y <= a.simd_min(b), "{t:?}: ({a:?}, {b:?}) gives {y:?}");
    }
    for s in SNorm::ALL {
        prop_assert!(s.apply_real(a, T::ZERO) == a, "{s:?}: S(0, {a:?}) = {:?}", s.apply_real(a, T::ZERO));
        let y = s.apply_real(a, b);
        prop_assert!(y >= a.simd_max(b), "{s:?}: ({a:?}, {b:?}) gives {y:?}");
        prop_assert!(y <= T::ONE || s == SNorm::UnboundedSum, "{s:?}: ({a:?}, {b:?}) gives {y:?}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn neutral_elements_and_bounds_hold_exactly_for_all_memberships(a in any_membership(), b in any_membership()) {
        bounds_hold(a, b)?;
        bounds_hold(a as f32, b as f32)?;
    }
}

#[test]
fn t_norms_of_small_memberships_do_not_underflow() {
    assert_eq!(TNorm::NilpotentMinimum.apply(1e-17, 1.0), 1e-17);
    assert_eq!(TNorm::HamacherProduct.apply(1e-200, 1e-200), 0.5e-200);
    assert_eq!(TNorm::BoundedDifference.apply(1e-17, 1.0), 1e-17);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn norms_are_commutative(a in membership(), b in membership()) {
        for t in TNorm::ALL { prop_assert_eq!(t.apply(a, b), t.apply(b, a), "{:?}", t); }
        for s in SNorm::ALL { prop_assert_eq!(s.apply(a, b), s.apply(b, a), "{:?}", s); }
    }

    #[test]
    fn one_is_the_neutral_element_of_t_norms_and_zero_of_s_norms(a in membership()) {
        for t in TNorm::ALL {
            prop_assert!((t.apply(a, 1.0) - a).abs() <= ROUNDING, "{t:?}");
            prop_assert_eq!(t.apply(a, 0.0), 0.0, "{:?}", t);
        }
        for s in SNorm::ALL {
            prop_assert!((s.apply(a, 0.0) - a).abs() <= ROUNDING, "{s:?}");
            if s != SNorm::UnboundedSum { prop_assert!((s.apply(a, 1.0) - 1.0).abs() <= ROUNDING, "{s:?}"); }
        }
    }

    #[test]
    fn norms_are_monotone(a in membership(), b in membership(), c in membership()) {
        let (low, high) = (a.min(b), a.max(b));
        for t in TNorm::ALL { prop_assert!(t.apply(low, c) <= t.apply(high, c) + ROUNDING, "{t:?}"); }
        for s in SNorm::ALL { prop_assert!(s.apply(low, c) <= s.apply(high, c) + ROUNDING, "{s:?}"); }
    }

    #[test]
    fn norms_are_associative(a in membership(), b in membership(), c in membership()) {
        for t in CONTINUOUS_T_NORMS {
            let (left, right) = (t.apply(t.apply(a, b), c), t.apply(a, t.apply(b, c)));
            prop_assert!((left - right).abs() <= ROUNDING, "{t:?}: {left} and {right}");
        }
        for s in [SNorm::Maximum, SNorm::AlgebraicSum, SNorm::BoundedSum, SNorm::EinsteinSum, SNorm::HamacherSum,
            SNorm::NormalizedSum, SNorm::UnboundedSum] {
            let (left, right) = (s.apply(s.apply(a, b), c), s.apply(a, s.apply(b, c)));
            prop_assert!((left - right).abs() <= ROUNDING, "{s:?}: {left} and {right}");
        }
    }

    #[test]
    fn norms_with_a_threshold_are_associative_if_sums_are_exact(
        a in sixteenth(), b in sixteenth(), c in sixteenth(),
    ) {
        for t in [TNorm::DrasticProduct, TNorm::NilpotentMinimum] {
            prop_assert_eq!(t.apply(t.apply(a, b), c), t.apply(a, t.apply(b, c)), "{:?}", t);
        }
        for s in [SNorm::DrasticSum, SNorm::NilpotentMaximum] {
            prop_assert_eq!(s.apply(s.apply(a, b), c), s.apply(a, s.apply(b, c)), "{:?}", s);
        }
    }

    #[test]
    fn s_norms_are_dual_to_t_norms(a in sixteenth(), b in sixteenth()) {
        for (t, s) in DUALS {
            let dual = complement(t.apply(complement(a), complement(b)));
            prop_assert!((s.apply(a, b) - dual).abs() <= ROUNDING, "{s:?}: {} and {dual}", s.apply(a, b));
        }
    }

    #[test]
    fn t_norms_are_between_the_drastic_product_and_the_minimum(a in membership(), b in membership()) {
        for t in TNorm::ALL {
            prop_assert!(t.apply(a, b) <= a.min(b) + ROUNDING, "{t:?}");
            prop_assert!(t.apply(a, b) + ROUNDING >= TNorm::DrasticProduct.apply(a, b), "{t:?}");
        }
    }

    #[test]
    fn hedges_are_monotone_and_map_memberships_to_memberships(a in membership(), b in membership()) {
        for hedge in Hedge::ALL {
            let (low, high) = (hedge.apply(a.min(b)), hedge.apply(a.max(b)));
            prop_assert!((0.0..=1.0).contains(&low) && (0.0..=1.0).contains(&high), "{hedge:?}");
            prop_assert!(if hedge == Hedge::Not { low >= high } else { low <= high }, "{hedge:?}");
        }
    }

    #[test]
    fn seldom_inverts_extremely_and_somewhat_inverts_very(a in membership()) {
        // Near 1, the root in `seldom` halves the number of significant digits; `very` and `somewhat` lose none.
        prop_assert!((Hedge::Seldom.apply(Hedge::Extremely.apply(a)) - a).abs() < 1e-8);
        prop_assert!((Hedge::Somewhat.apply(Hedge::Very.apply(a)) - a).abs() < 1e-15);
    }
}

#[test]
fn norms_and_hedges_equal_values_computed_by_hand() {
    let t = |norm: TNorm| norm.apply(0.75, 0.5);
    assert_eq!(TNorm::ALL.map(t), [0.5, 0.375, 0.25, 0.0, 0.375 / 1.125, 0.375 / 0.875, 0.5]);
    let s = |norm: SNorm| norm.apply(0.5, 0.25);
    assert_eq!(SNorm::ALL.map(s), [0.5, 0.625, 0.75, 1.0, 0.75 / 1.125, 0.5 / 0.875, 0.5, 0.75, 0.75]);
    assert_eq!(
        Hedge::ALL.map(|hedge| hedge.apply(0.125)),
        [1.0, 0.875, 0.015625, 0.125f64.sqrt(), 0.03125, 0.25]
    );
}

#[test]
fn nan_is_propagated() {
    let nan = f64::NAN;
    for (a, b) in [(nan, 0.0), (0.0, nan), (nan, 1.0), (1.0, nan), (nan, nan)] {
        assert!(TNorm::ALL.iter().all(|t| t.apply(a, b).is_nan()), "{a} {b}");
        assert!(SNorm::ALL.iter().all(|s| s.apply(a, b).is_nan()), "{a} {b}");
    }
    assert!(Hedge::ALL.iter().all(|h| *h == Hedge::Any || h.apply(nan).is_nan()));
}

#[test]
fn names_round_trip() {
    assert!(TNorm::ALL.iter().all(|t| t.name().parse().ok() == Some(*t)));
    assert!(SNorm::ALL.iter().all(|s| s.name().parse().ok() == Some(*s)));
    assert!(Hedge::ALL.iter().all(|h| h.name().parse().ok() == Some(*h)));
    assert!("minimum".parse::<TNorm>().is_err() && "Very".parse::<Hedge>().is_err());
}
