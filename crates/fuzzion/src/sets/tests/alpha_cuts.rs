//! α-cuts compared with the reference memberships.

use super::sets::any_set;
use crate::sets::{Set, Shape, textbook};
use proptest::prelude::*;

/// An end of a cut has a rounding error of about 1e-15; the steepest curves here (a width of 0.01, a slope of 10)
/// amplify it to 1e-12 in membership, and a quarter of an ellipse at α ≥ 0.01 to 1e-10.
const ROUNDING: f64 = 1e-9;

/// Whether μ has a jump or is nearly as steep (|x − c|^±0.02), so that an end of an α-cut may not belong to it.
fn has_jump(shape: &Shape) -> bool {
    match *shape {
        Shape::Bell { slope, .. } => slope.abs() < 0.5,
        Shape::SShape { start, end } | Shape::ZShape { start, end } => start == end,
        Shape::PiShape { bottom_left, top_left, top_right, bottom_right } => {
            bottom_left == top_left || top_right == bottom_right
        }
        Shape::Discrete { ref points } => points.windows(2).any(|pair| pair[0].0 == pair[1].0),
        _ => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn an_alpha_cut_contains_exactly_the_x_with_membership_at_least_alpha(
        set in any_set(),
        alpha in 0.01..1.0,
        inside in prop::collection::vec(-12.0..12.0, 20),
    ) {
        let alpha = alpha * set.height();
        let cuts = set.alpha_cuts(alpha);
        let membership = |x: f64| set.height() * textbook::membership(set.shape(), x);
        for cut in &cuts {
            prop_assert!(cut.lower <= cut.upper);
            for end in [cut.lower, cut.upper].into_iter().filter(|_| !has_jump(set.shape())) {
                prop_assert!(membership(end) >= alpha - ROUNDING, "{set:?} at {alpha}: {cut:?}");
            }
        }
        prop_assert!(cuts.windows(2).all(|pair| pair[0].upper < pair[1].lower));
        for x in inside {
            if cuts.iter().any(|cut| x > cut.lower && x < cut.upper) {
                prop_assert!(membership(x) >= alpha - ROUNDING, "{set:?} at {alpha}: {x} in {cuts:?}");
            } else if cuts.iter().all(|cut| x != cut.lower && x != cut.upper) {
                prop_assert!(membership(x) < alpha + ROUNDING, "{set:?} at {alpha}: {x} not in {cuts:?}");
            }
        }
    }

    #[test]
    fn alpha_cuts_are_nested(set in any_set(), a in 0.01..1.0, b in 0.01..1.0) {
        let cut = |level: f64| set.alpha_cut(level * set.height());
        if let Some(high) = cut(f64::max(a, b)) {
            let low = cut(f64::min(a, b)).unwrap();
            prop_assert!(low.lower <= high.lower + ROUNDING && low.upper >= high.upper - ROUNDING, "{set:?}");
        }
    }

    #[test]
    fn memberships_outside_the_support_are_zero(set in any_set(), x in -12.0..12.0) {
        let outside = set.support().is_none_or(|support| x < support.lower || x > support.upper);
        prop_assert!(!outside || set.membership(x) == 0.0, "{set:?} at {x}");
    }

    #[test]
    fn memberships_in_the_core_equal_the_height(set in any_set()) {
        if let Some(core) = set.core() && !has_jump(set.shape()) {
            for x in [core.lower, core.upper] {
                prop_assert!((textbook::membership(set.shape(), x) - 1.0).abs() < ROUNDING, "{set:?} at {x}");
            }
        }
        prop_assert_eq!(set.core(), set.clone().with_height(1.0).unwrap().core());
    }

    #[test]
    fn the_membership_of_the_tsukamoto_inverse_is_the_firing_strength(set in any_set(), level in 0.01..0.99) {
        let strength = level * set.height();
        if let Some(x) = set.tsukamoto(strength) && !is_flat(set.shape()) {
            let membership = set.height() * textbook::membership(set.shape(), x);
            prop_assert!((membership - strength).abs() < ROUNDING, "{set:?}: {membership} for {strength}");
        }
    }
}

/// Whether a monotone shape has slope or width 0, so that most firing strengths have no inverse.
fn is_flat(shape: &Shape) -> bool {
    match *shape {
        Shape::Sigmoid { slope, .. } => slope == 0.0,
        _ => shape.parameters()[0] == shape.parameters()[1],
    }
}

#[test]
fn alpha_cuts_equal_values_computed_by_hand() {
    let ends = |set: Set, alpha: f64| set.alpha_cut(alpha).map(|cut| (cut.lower, cut.upper));
    let inf = f64::INFINITY;
    assert_eq!(ends(Set::trapezoid(0.0, 1.0, 2.0, 4.0).unwrap(), 0.25), Some((0.25, 3.5)));
    assert_eq!(ends(Set::trapezoid(-inf, 1.0, 2.0, 4.0).unwrap(), 1.0), Some((-inf, 2.0)));
    assert_eq!(ends(Set::bell(1.0, 2.0, 3.0).unwrap(), 0.5), Some((-1.0, 3.0)));
    assert_eq!(ends(Set::gaussian(1.0, 2.0).unwrap(), 1.0), Some((1.0, 1.0)));
    assert_eq!(ends(Set::semi_ellipse(0.0, 10.0).unwrap(), 0.8), Some((2.0, 8.0)));
    assert_eq!(ends(Set::concave(1.0, 2.0).unwrap(), 0.25), Some((-1.0, inf)));
    assert_eq!(ends(Set::triangle(0.0, 1.0, 2.0).unwrap().with_height(0.5).unwrap(), 0.25), Some((0.5, 1.5)));
    assert_eq!(ends(Set::triangle(0.0, 1.0, 2.0).unwrap().with_height(0.5).unwrap(), 0.6), None);
    assert_eq!(ends(Set::triangle(0.0, 1.0, 2.0).unwrap(), 0.0), Some((-inf, inf)));
    assert_eq!(ends(Set::sigmoid(0.0, 1.0).unwrap(), 1.0), None);
    assert_eq!(ends(Set::constant(1.0).unwrap(), 0.5), None);
    let inverted = Set::bell(0.0, 1.0, -1.0).unwrap().alpha_cuts(0.5);
    assert_eq!((inverted.len(), inverted[0].upper, inverted[1].lower), (2, -1.0, 1.0));
}

#[test]
fn the_core_does_not_depend_on_the_height() {
    let ends = |set: Set| set.core().map(|core| (core.lower, core.upper));
    let low = |set: Set| set.with_height(0.25).unwrap();
    assert_eq!(ends(low(Set::trapezoid(0.0, 1.0, 2.0, 4.0).unwrap())), Some((1.0, 2.0)));
    assert_eq!(ends(low(Set::discrete(&[(0.0, 0.0), (1.0, 1.0), (2.0, 0.5)]).unwrap())), Some((1.0, 1.0)));
    assert_eq!(ends(Set::gaussian(3.0, 1.0).unwrap().with_height(2.0).unwrap()), Some((3.0, 3.0)));
    assert_eq!(ends(Set::gaussian(3.0, 1.0).unwrap().with_height(0.0).unwrap()), None);
}

#[test]
fn standard_deviations_of_0_bound_the_support_of_a_gaussian_product() {
    let ends = |p: [f64; 4]| {
        let set = Set::gaussian_product(p[0], p[1], p[2], p[3]).unwrap();
        set.support().map(|support| (support.lower, support.upper))
    };
    assert_eq!(ends([0.0, 0.0, 1.0, 0.0]), Some((0.0, 1.0)));
    assert_eq!(ends([0.0, 0.0, 1.0, 2.0]), Some((0.0, f64::INFINITY)));
    assert_eq!(ends([1.0, 0.0, 0.0, 0.0]), None); // 0 everywhere
}

#[test]
fn a_sigmoid_of_slope_0_has_no_inverse() {
    let flat = Set::sigmoid(0.0, 0.0).unwrap();
    assert_eq!((flat.is_monotone(), flat.tsukamoto(0.7)), (false, None));
}

#[test]
fn alpha_cuts_in_the_tails_of_a_sigmoid_difference_are_accurate() {
    // For large x, μ is e⁻ˣ(e² − 1), which is 1e-17 at 17·ln 10 + ln(e² − 1).
    let end = 17.0 * 10f64.ln() + 2f64.exp_m1().ln();
    let cut = Set::sigmoid_difference(0.0, 1.0, 1.0, 2.0).unwrap().alpha_cut(1e-17).unwrap();
    assert!((cut.upper - end).abs() < 1e-12, "{} for {end}", cut.upper);
    assert!((cut.lower - (2.0 - end)).abs() < 1e-12, "{} for {}", cut.lower, 2.0 - end); // symmetric about 1
}

#[test]
fn the_monotone_shapes_are_the_same_as_in_fuzzylite() {
    let monotone = |set: Set| set.is_monotone();
    for name in ["Ramp", "Sigmoid", "Concave", "SShape", "ZShape", "Arc"] {
        assert!(monotone(Set::from_parameters(name, &[1.0, 2.0]).unwrap()), "{name}");
    }
    assert!(!monotone(Set::binary(0.0, 1.0).unwrap()) && !monotone(Set::gaussian(0.0, 1.0).unwrap()));
}
