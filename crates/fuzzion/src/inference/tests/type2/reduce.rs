//! Type reduction against exhaustive search over all switch points and all combinations of weights.

use super::{exhaustive, item};
use crate::inference::type2::{Interval, TypeReduction, WeightedInterval};
use proptest::prelude::*;

const SOLVERS: [TypeReduction; 2] = [TypeReduction::KarnikMendel, TypeReduction::Eiasc];

/// Positions with many ties.
fn position() -> impl Strategy<Value = f64> {
    prop_oneof![2 => (-4i32..5).prop_map(f64::from), 1 => -10.0..10.0f64, 1 => Just(1e6)]
}

/// Bounds that are often 0, 1 or equal, and some as small as products of Gaussians.
fn strength() -> impl Strategy<Value = (f64, f64)> {
    let tiny = || (-250.0..0.0f64).prop_map(|digits| 10f64.powf(digits));
    let end = || prop_oneof![2 => Just(0.0), 1 => Just(1.0), 4 => 0.0..1.0f64, 2 => tiny()];
    prop_oneof![3 => (end(), end()), 1 => end().prop_map(|end| (end, end))]
}

fn items(max_len: usize) -> impl Strategy<Value = Vec<WeightedInterval>> {
    let center = (position(), prop_oneof![Just(0.0), 0.0..2.0f64]).prop_map(|(z, width)| (z, z + width));
    prop::collection::vec((center, strength()).prop_map(|(z, w)| item(z, w)), 1..max_len)
}

fn range(items: &[WeightedInterval]) -> f64 {
    let min = items.iter().map(|item| item.center.lower).fold(f64::INFINITY, f64::min);
    let max = items.iter().map(|item| item.center.upper).fold(f64::NEG_INFINITY, f64::max);
    max - min
}

fn fires(items: &[WeightedInterval]) -> bool {
    items.iter().any(|item| item.strength.upper > 0.0)
}

/// Minimum and maximum of the mean over every combination of lower and upper strengths.
fn over_all_combinations(items: &[WeightedInterval]) -> Interval {
    let mean = |combination: usize, position: fn(&WeightedInterval) -> f64| {
        let weights = items.iter().enumerate().map(|(i, item)| {
            if combination >> i & 1 == 1 { item.strength.upper } else { item.strength.lower }
        });
        let weights: Vec<f64> = weights.collect();
        let moment: f64 = items.iter().zip(&weights).map(|(item, w)| position(item) * w).sum();
        moment / weights.iter().sum::<f64>()
    };
    let combinations = 0..1usize << items.len();
    let lower = combinations.clone().map(|combination| mean(combination, |item| item.center.lower));
    let upper = combinations.map(|combination| mean(combination, |item| item.center.upper));
    let is_defined = |y: &f64| !y.is_nan();
    Interval {
        lower: lower.filter(is_defined).fold(f64::INFINITY, f64::min),
        upper: upper.filter(is_defined).fold(f64::NEG_INFINITY, f64::max),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn karnik_mendel_and_eiasc_match_the_exhaustive_search(items in items(60)) {
        prop_assume!(fires(&items));
        let expected = exhaustive(&items);
        // Relative to the range; a single position has no range and is exact.
        let tolerance = 1e-9 * range(&items);
        for solver in SOLVERS {
            let found = solver.reduce(&items);
            prop_assert!((found.lower - expected.lower).abs() <= tolerance, "{solver:?} {found:?} {expected:?}");
            prop_assert!((found.upper - expected.upper).abs() <= tolerance, "{solver:?} {found:?} {expected:?}");
        }
    }

    #[test]
    fn no_combination_of_strengths_exceeds_the_bounds(items in items(9)) {
        prop_assume!(fires(&items));
        let expected = over_all_combinations(&items);
        // The search itself has rounding errors of sums up to 1e6.
        let tolerance = 1e-9 * range(&items).max(1e6);
        for solver in SOLVERS {
            let found = solver.reduce(&items);
            prop_assert!((found.lower - expected.lower).abs() <= tolerance, "{solver:?} {found:?} {expected:?}");
            prop_assert!((found.upper - expected.upper).abs() <= tolerance, "{solver:?} {found:?} {expected:?}");
        }
    }

    #[test]
    fn the_order_of_items_does_not_matter(items in items(30)) {
        prop_assume!(fires(&items));
        let mut reversed = items.clone();
        reversed.reverse();
        // Ties are summed in another order.
        let tolerance = 1e-12 * range(&items);
        for reduction in TypeReduction::ALL {
            let (a, b) = (reduction.reduce(&items), reduction.reduce(&reversed));
            prop_assert!((a.lower - b.lower).abs() <= tolerance && (a.upper - b.upper).abs() <= tolerance);
        }
    }

    #[test]
    fn nie_tan_is_the_weighted_mean_of_the_midpoints(items in items(30)) {
        prop_assume!(fires(&items));
        let weight = |item: &WeightedInterval| item.strength.lower + item.strength.upper;
        let moment: f64 =
            items.iter().map(|c| weight(c) * (c.center.lower + c.center.upper) / 2.0).sum();
        let expected = moment / items.iter().map(weight).sum::<f64>();
        let found = TypeReduction::NieTan.reduce(&items);
        prop_assert_eq!(found.lower, found.upper);
        prop_assert!((found.lower - expected).abs() <= 1e-9 * range(&items).max(expected.abs()));
        let bounds = TypeReduction::Eiasc.reduce(&items);
        let slack = 1e-9 * range(&items);
        prop_assert!(bounds.lower - slack <= found.lower && found.lower <= bounds.upper + slack);
    }
}

#[test]
fn equal_centers_and_single_rules_are_reproduced_exactly() {
    for reduction in TypeReduction::ALL {
        for n in [1, 2, 7] {
            let same: Vec<WeightedInterval> =
                (1..=n).map(|i| item((0.1, 0.1), (0.0, 0.3 / f64::from(i)))).collect();
            assert_eq!(reduction.reduce(&same), Interval::point(0.1), "{reduction:?} {n}");
        }
    }
    for solver in SOLVERS {
        assert_eq!(solver.reduce(&[item((1.0, 2.5), (0.0, 1e-300))]), Interval::new(1.0, 2.5));
    }
}

#[test]
fn if_all_lower_strengths_are_zero_the_bounds_are_the_outermost_firing_centers() {
    let rules = [item((9.0, 9.0), (0.0, 0.0)), item((1.0, 1.5), (0.0, 0.25)), item((2.0, 4.0), (0.0, 1.0))];
    for solver in SOLVERS {
        assert_eq!(solver.reduce(&rules), Interval::new(1.0, 4.0));
    }
}

#[test]
fn tiny_weights_matter_if_the_other_weights_may_be_zero() {
    let tiny = [item((0.0, 0.0), (0.0, 1e-40)), item((0.3, 0.3), (0.0, 1e-20)), item((0.7, 0.7), (0.0, 0.9))];
    let fixed = [tiny[0], tiny[1], item((0.7, 0.7), (0.9, 0.9))];
    for solver in SOLVERS {
        assert_eq!(solver.reduce(&tiny).lower, 0.0);
        assert!((solver.reduce(&fixed).lower - 0.7).abs() < 1e-15);
    }
}

#[test]
fn the_result_is_nan_if_no_rule_fires() {
    let none = |found: Interval| found.lower.is_nan() && found.upper.is_nan();
    for reduction in TypeReduction::ALL {
        assert!(none(reduction.reduce(&[])));
        assert!(none(reduction.reduce(&[item((1.0, 2.0), (0.0, 0.0)), item((3.0, 3.0), (0.0, 0.0))])));
        assert!(none(reduction.reduce(&[item((1.0, 1.0), (f64::NAN, f64::NAN))])));
        // A NaN center matters only if its rule fires.
        assert!(none(
            reduction.reduce(&[item((f64::NAN, f64::NAN), (0.1, 0.5)), item((1.0, 1.0), (0.5, 0.5))])
        ));
        let unfired = [item((f64::NAN, f64::NAN), (0.0, 0.0)), item((1.0, 1.0), (0.5, 0.5))];
        assert_eq!(reduction.reduce(&unfired), Interval::point(1.0));
    }
}

#[test]
fn invalid_intervals_terminate() {
    let odd = [f64::INFINITY, f64::NEG_INFINITY, f64::NAN, f64::MAX, f64::MIN, 5e-324, -1.0, 2.0];
    for reduction in TypeReduction::ALL {
        for a in odd {
            for b in odd {
                let invalid = WeightedInterval {
                    center: Interval { lower: a, upper: b },
                    strength: Interval { lower: b, upper: a },
                };
                // Only termination is tested.
                let _ = reduction.reduce(&[invalid, item((0.0, 1.0), (0.5, 1.0)), invalid]);
            }
        }
    }
}

#[test]
fn names_round_trip() {
    for reduction in TypeReduction::ALL {
        assert_eq!(reduction.name().parse(), Ok(reduction));
    }
    assert!("eiasc".parse::<TypeReduction>().is_err());
}
