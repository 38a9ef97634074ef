//! The laws of norms and hedges.

use crate::device::math::Real;
use crate::sets::{Hedge, SNorm, TNorm, complement};
use proptest::prelude::*;

/// Sixteenths, whose sums are exact, so that thresholds (a + b = 1) are met exactly; and anything between.
fn degree() -> impl Strategy<Value = f64> {
    prop_oneof![(0..=16u8).prop_map(|n| f64::from(n) / 16.0), 0.0..=1.0]
}

/// The continuous norms, for which rounding cannot jump.
const SMOOTH_T: [TNorm; 5] = [
    TNorm::Minimum,
    TNorm::AlgebraicProduct,
    TNorm::BoundedDifference,
    TNorm::EinsteinProduct,
    TNorm::HamacherProduct,
];
/// Each t-norm and the s-norm that De Morgan's law makes of it.
const DUALS: [(TNorm, SNorm); 7] = [
    (TNorm::Minimum, SNorm::Maximum),
    (TNorm::AlgebraicProduct, SNorm::AlgebraicSum),
    (TNorm::BoundedDifference, SNorm::BoundedSum),
    (TNorm::DrasticProduct, SNorm::DrasticSum),
    (TNorm::EinsteinProduct, SNorm::EinsteinSum),
    (TNorm::HamacherProduct, SNorm::HamacherSum),
    (TNorm::NilpotentMinimum, SNorm::NilpotentMaximum),
];
/// A few roundings of numbers up to 2; the Hamacher norms divide by a small number near (0, 0) and (1, 1).
const ROUNDING: f64 = 1e-12;

fn sixteenth() -> impl Strategy<Value = f64> {
    (0..=16u8).prop_map(|n| f64::from(n) / 16.0)
}

/// All of [0, 1], evenly over the exponents: tiny numbers, subnormal ones, and numbers next to 1.
fn any_degree() -> impl Strategy<Value = f64> {
    let tiny = (0..=1.0f64.to_bits()).prop_map(f64::from_bits);
    let next_to_one = (0..64u64).prop_map(|steps| f64::from_bits(1.0f64.to_bits() - steps));
    let near_one = (-1074..0).prop_map(|power| 1.0 - 2.0f64.powi(power));
    prop_oneof![tiny, next_to_one, near_one, degree()]
}

/// T(a, 1) = a, T ≤ min, S(a, 0) = a and S ≥ max, in either precision.
fn bounds_hold<T: Real + std::fmt::Debug>(a: T, b: T) -> Result<(), TestCaseError> {
    for t in TNorm::ALL {
        prop_assert!(t.of(a, T::ONE) == a, "{t:?}: 1 and {a:?} make {:?}", t.of(a, T::ONE));
        let y = t.of(a, b);
        prop_assert!(y >= T::ZERO && y <= a.least(b), "{t:?}: {a:?} and {b:?} make {y:?}");
    }
    for s in SNorm::ALL {
        prop_assert!(s.of(a, T::ZERO) == a, "{s:?}: 0 and {a:?} make {:?}", s.of(a, T::ZERO));
        let y = s.of(a, b);
        prop_assert!(y >= a.most(b), "{s:?}: {a:?} and {b:?} make {y:?}");
        prop_assert!(y <= T::ONE || s == SNorm::UnboundedSum, "{s:?}: {a:?} and {b:?} make {y:?}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn neutral_elements_and_bounds_hold_to_the_bit_for_all_degrees(a in any_degree(), b in any_degree()) {
        bounds_hold(a, b)?;
        bounds_hold(a as f32, b as f32)?;
    }
}

#[test]
fn small_memberships_survive_an_and() {
    assert_eq!(TNorm::NilpotentMinimum.apply(1e-17, 1.0), 1e-17);
    assert_eq!(TNorm::HamacherProduct.apply(1e-200, 1e-200), 0.5e-200);
    assert_eq!(TNorm::BoundedDifference.apply(1e-17, 1.0), 1e-17);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn norms_are_commutative(a in degree(), b in degree()) {
        for t in TNorm::ALL { prop_assert_eq!(t.apply(a, b), t.apply(b, a), "{:?}", t); }
        for s in SNorm::ALL { prop_assert_eq!(s.apply(a, b), s.apply(b, a), "{:?}", s); }
    }

    #[test]
    fn one_is_neutral_for_and_zero_for_or(a in degree()) {
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
    fn norms_are_monotone(a in degree(), b in degree(), c in degree()) {
        let (low, high) = (a.min(b), a.max(b));
        for t in TNorm::ALL { prop_assert!(t.apply(low, c) <= t.apply(high, c) + ROUNDING, "{t:?}"); }
        for s in SNorm::ALL { prop_assert!(s.apply(low, c) <= s.apply(high, c) + ROUNDING, "{s:?}"); }
    }

    #[test]
    fn norms_are_associative(a in degree(), b in degree(), c in degree()) {
        for t in SMOOTH_T {
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
    fn norms_with_a_threshold_are_associative_where_sums_are_exact(
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
    fn or_is_the_complement_of_and_of_complements(a in sixteenth(), b in sixteenth()) {
        for (t, s) in DUALS {
            let dual = complement(t.apply(complement(a), complement(b)));
            prop_assert!((s.apply(a, b) - dual).abs() <= ROUNDING, "{s:?}: {} and {dual}", s.apply(a, b));
        }
    }

    #[test]
    fn the_minimum_is_the_largest_and_the_drastic_product_the_smallest(a in degree(), b in degree()) {
        for t in TNorm::ALL {
            prop_assert!(t.apply(a, b) <= a.min(b) + ROUNDING, "{t:?}");
            prop_assert!(t.apply(a, b) + ROUNDING >= TNorm::DrasticProduct.apply(a, b), "{t:?}");
        }
    }

    #[test]
    fn hedges_keep_degrees_degrees_and_order(a in degree(), b in degree()) {
        for hedge in Hedge::ALL {
            let (low, high) = (hedge.apply(a.min(b)), hedge.apply(a.max(b)));
            prop_assert!((0.0..=1.0).contains(&low) && (0.0..=1.0).contains(&high), "{hedge:?}");
            prop_assert!(if hedge == Hedge::Not { low >= high } else { low <= high }, "{hedge:?}");
        }
    }

    #[test]
    fn seldom_undoes_extremely_and_somewhat_undoes_very(a in degree()) {
        // A root near 0 or 1 halves the digits, but of a square that lost none.
        prop_assert!((Hedge::Seldom.apply(Hedge::Extremely.apply(a)) - a).abs() < 1e-8);
        prop_assert!((Hedge::Somewhat.apply(Hedge::Very.apply(a)) - a).abs() < 1e-15);
    }
}

#[test]
fn norms_have_the_values_computed_by_hand() {
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
fn nan_is_never_hidden() {
    let nan = f64::NAN;
    for (a, b) in [(nan, 0.0), (0.0, nan), (nan, 1.0), (1.0, nan), (nan, nan)] {
        assert!(TNorm::ALL.iter().all(|t| t.apply(a, b).is_nan()), "{a} {b}");
        assert!(SNorm::ALL.iter().all(|s| s.apply(a, b).is_nan()), "{a} {b}");
    }
    assert!(Hedge::ALL.iter().all(|h| *h == Hedge::Any || h.apply(nan).is_nan()));
}

#[test]
fn names_read_back() {
    assert!(TNorm::ALL.iter().all(|t| TNorm::from_name(t.name()) == Some(*t)));
    assert!(SNorm::ALL.iter().all(|s| SNorm::from_name(s.name()) == Some(*s)));
    assert!(Hedge::ALL.iter().all(|h| Hedge::from_name(h.name()) == Some(*h)));
    assert_eq!((TNorm::from_name("minimum"), Hedge::from_name("Very")), (None, None));
}
