//! Type reduction against trying every switch point, and every corner.

use super::{one, searched};
use crate::inference::type2::{Contribution, Interval, TypeReduction};
use proptest::prelude::*;

const SOLVERS: [TypeReduction; 2] = [TypeReduction::KarnikMendel, TypeReduction::Eiasc];

/// Places of which many are the same.
fn place() -> impl Strategy<Value = f64> {
    prop_oneof![2 => (-4i32..5).prop_map(f64::from), 1 => -10.0..10.0f64, 1 => Just(1e6)]
}

/// Ends that are often 0, 1 or the same, and some as small as products of Gaussians are.
fn strength() -> impl Strategy<Value = (f64, f64)> {
    let tiny = || (-250.0..0.0f64).prop_map(|digits| 10f64.powf(digits));
    let end = || prop_oneof![2 => Just(0.0), 1 => Just(1.0), 4 => 0.0..1.0f64, 2 => tiny()];
    prop_oneof![3 => (end(), end()), 1 => end().prop_map(|end| (end, end))]
}

fn contributions(most: usize) -> impl Strategy<Value = Vec<Contribution>> {
    let center = (place(), prop_oneof![Just(0.0), 0.0..2.0f64]).prop_map(|(z, width)| (z, z + width));
    prop::collection::vec((center, strength()).prop_map(|(z, w)| one(z, w)), 1..most)
}

fn range(contributions: &[Contribution]) -> f64 {
    let least = contributions.iter().map(|one| one.center.lower).fold(f64::INFINITY, f64::min);
    let most = contributions.iter().map(|one| one.center.upper).fold(f64::NEG_INFINITY, f64::max);
    most - least
}

fn fires(contributions: &[Contribution]) -> bool {
    contributions.iter().any(|one| one.strength.upper > 0.0)
}

/// The least and the largest mean over every choice of lower or upper strengths.
fn cornered(contributions: &[Contribution]) -> Interval {
    let mean = |corner: usize, place: fn(&Contribution) -> f64| {
        let weights = contributions
            .iter()
            .enumerate()
            .map(|(i, one)| if corner >> i & 1 == 1 { one.strength.upper } else { one.strength.lower });
        let weights: Vec<f64> = weights.collect();
        let moment: f64 = contributions.iter().zip(&weights).map(|(one, w)| place(one) * w).sum();
        moment / weights.iter().sum::<f64>()
    };
    let corners = 0..1usize << contributions.len();
    let least = corners.clone().map(|corner| mean(corner, |one| one.center.lower));
    let most = corners.map(|corner| mean(corner, |one| one.center.upper));
    let number = |y: &f64| !y.is_nan();
    Interval {
        lower: least.filter(number).fold(f64::INFINITY, f64::min),
        upper: most.filter(number).fold(f64::NEG_INFINITY, f64::max),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn karnik_mendel_and_eiasc_agree_with_every_switch_point(contributions in contributions(60)) {
        prop_assume!(fires(&contributions));
        let expected = searched(&contributions);
        // Relative to the range, as promised; a single place has no range and is exact.
        let tolerance = 1e-9 * range(&contributions);
        for solver in SOLVERS {
            let found = solver.reduce(&contributions);
            prop_assert!((found.lower - expected.lower).abs() <= tolerance, "{solver:?} {found:?} {expected:?}");
            prop_assert!((found.upper - expected.upper).abs() <= tolerance, "{solver:?} {found:?} {expected:?}");
        }
    }

    #[test]
    fn no_choice_of_strengths_reaches_beyond_the_ends(contributions in contributions(9)) {
        prop_assume!(fires(&contributions));
        let expected = cornered(&contributions);
        // The search itself rounds sums of numbers up to 1e6.
        let tolerance = 1e-9 * range(&contributions).max(1e6);
        for solver in SOLVERS {
            let found = solver.reduce(&contributions);
            prop_assert!((found.lower - expected.lower).abs() <= tolerance, "{solver:?} {found:?} {expected:?}");
            prop_assert!((found.upper - expected.upper).abs() <= tolerance, "{solver:?} {found:?} {expected:?}");
        }
    }

    #[test]
    fn the_order_of_contributions_does_not_count(contributions in contributions(30)) {
        prop_assume!(fires(&contributions));
        let mut reversed = contributions.clone();
        reversed.reverse();
        // Sums of ties come in another order.
        let tolerance = 1e-12 * range(&contributions);
        for reduction in TypeReduction::ALL {
            let (a, b) = (reduction.reduce(&contributions), reduction.reduce(&reversed));
            prop_assert!((a.lower - b.lower).abs() <= tolerance && (a.upper - b.upper).abs() <= tolerance);
        }
    }

    #[test]
    fn nie_and_tan_give_the_mean_of_the_middles(contributions in contributions(30)) {
        prop_assume!(fires(&contributions));
        let weight = |one: &Contribution| one.strength.lower + one.strength.upper;
        let moment: f64 =
            contributions.iter().map(|c| weight(c) * (c.center.lower + c.center.upper) / 2.0).sum();
        let expected = moment / contributions.iter().map(weight).sum::<f64>();
        let found = TypeReduction::NieTan.reduce(&contributions);
        prop_assert_eq!(found.lower, found.upper);
        prop_assert!((found.lower - expected).abs() <= 1e-9 * range(&contributions).max(expected.abs()));
        let ends = TypeReduction::Eiasc.reduce(&contributions);
        let slack = 1e-9 * range(&contributions);
        prop_assert!(ends.lower - slack <= found.lower && found.lower <= ends.upper + slack);
    }
}

#[test]
fn equal_centers_and_single_rules_give_themselves() {
    for reduction in TypeReduction::ALL {
        for n in [1, 2, 7] {
            let same: Vec<Contribution> =
                (1..=n).map(|i| one((0.1, 0.1), (0.0, 0.3 / f64::from(i)))).collect();
            assert_eq!(reduction.reduce(&same), Interval::exactly(0.1), "{reduction:?} {n}");
        }
    }
    for solver in SOLVERS {
        assert_eq!(solver.reduce(&[one((1.0, 2.5), (0.0, 1e-300))]), Interval::new(1.0, 2.5));
    }
}

#[test]
fn strengths_that_may_all_be_zero_give_the_outermost_centers_that_may_fire() {
    let rules = [one((9.0, 9.0), (0.0, 0.0)), one((1.0, 1.5), (0.0, 0.25)), one((2.0, 4.0), (0.0, 1.0))];
    for solver in SOLVERS {
        assert_eq!(solver.reduce(&rules), Interval::new(1.0, 4.0));
    }
}

#[test]
fn a_weight_too_small_to_be_seen_beside_others_counts_where_they_may_be_zero() {
    let tiny = [one((0.0, 0.0), (0.0, 1e-40)), one((0.3, 0.3), (0.0, 1e-20)), one((0.7, 0.7), (0.0, 0.9))];
    let held = [tiny[0], tiny[1], one((0.7, 0.7), (0.9, 0.9))];
    for solver in SOLVERS {
        assert_eq!(solver.reduce(&tiny).lower, 0.0);
        assert!((solver.reduce(&held).lower - 0.7).abs() < 1e-15);
    }
}

#[test]
fn nothing_that_fires_gives_no_number() {
    let none = |found: Interval| found.lower.is_nan() && found.upper.is_nan();
    for reduction in TypeReduction::ALL {
        assert!(none(reduction.reduce(&[])));
        assert!(none(reduction.reduce(&[one((1.0, 2.0), (0.0, 0.0)), one((3.0, 3.0), (0.0, 0.0))])));
        assert!(none(reduction.reduce(&[one((1.0, 1.0), (f64::NAN, f64::NAN))])));
        // A center that is no number counts where its rule fires.
        assert!(none(
            reduction.reduce(&[one((f64::NAN, f64::NAN), (0.1, 0.5)), one((1.0, 1.0), (0.5, 0.5))])
        ));
        let unfired = [one((f64::NAN, f64::NAN), (0.0, 0.0)), one((1.0, 1.0), (0.5, 0.5))];
        assert_eq!(reduction.reduce(&unfired), Interval::exactly(1.0));
    }
}

#[test]
fn what_is_not_finite_or_out_of_order_ends_all_the_same() {
    let odd = [f64::INFINITY, f64::NEG_INFINITY, f64::NAN, f64::MAX, f64::MIN, 5e-324, -1.0, 2.0];
    for reduction in TypeReduction::ALL {
        for a in odd {
            for b in odd {
                let wrong = Contribution {
                    center: Interval { lower: a, upper: b },
                    strength: Interval { lower: b, upper: a },
                };
                // Only that it returns is claimed.
                let _ = reduction.reduce(&[wrong, one((0.0, 1.0), (0.5, 1.0)), wrong]);
            }
        }
    }
}

#[test]
fn names_come_back() {
    for reduction in TypeReduction::ALL {
        assert_eq!(TypeReduction::from_name(reduction.name()), Some(reduction));
    }
    assert_eq!(TypeReduction::from_name("eiasc"), None);
}
