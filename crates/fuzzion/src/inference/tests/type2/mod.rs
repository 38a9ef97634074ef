//! Interval type-2 systems: type reduction against an exhaustive search, systems against textbook formulas and
//! invariants, and files.

mod files;
mod laws;
mod reduce;
mod sets;
mod systems;

use super::super::type2::{Interval, IntervalSet, IntervalSystem, WeightedInterval};
use super::super::{Output, System, Variable};
use crate::sets::Set;

/// Minimum of Σ wz / Σ w over all switch points, by exhaustive search. Positions are relative to the smallest center, so
/// that rounding errors are relative to the range.
fn min_by_search(points: &[(f64, Interval)]) -> f64 {
    let mut points = points.to_vec();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let first = points.iter().map(|(z, _)| *z).fold(f64::INFINITY, f64::min);
    let mean = |k: usize| {
        let weight = |i: usize, w: &Interval| if i < k { w.upper } else { w.lower };
        let weights: Vec<f64> = points.iter().enumerate().map(|(i, (_, w))| weight(i, w)).collect();
        let moment: f64 = points.iter().zip(&weights).map(|((z, _), w)| (z - first) * w).sum();
        first + moment / weights.iter().sum::<f64>()
    };
    // There is no mean without weights.
    (0..=points.len()).map(mean).filter(|y| !y.is_nan()).fold(f64::INFINITY, f64::min)
}

/// Equation (2) by exhaustive search over the switch points.
fn exhaustive(items: &[WeightedInterval]) -> Interval {
    let lower: Vec<_> = items.iter().map(|item| (item.center.lower, item.strength)).collect();
    let upper: Vec<_> = items.iter().map(|item| (-item.center.upper, item.strength)).collect();
    Interval { lower: min_by_search(&lower), upper: -min_by_search(&upper) }
}

fn item(center: (f64, f64), strength: (f64, f64)) -> WeightedInterval {
    WeightedInterval {
        center: Interval::new(center.0, center.1),
        strength: Interval::new(strength.0, strength.1),
    }
}

/// A system with two inputs, blurred sets, and three outputs with all kinds of consequents.
fn plant() -> IntervalSystem {
    let gaussian = |mean: f64| IntervalSet::gaussian_with_uncertain_deviation(mean, 0.75, 1.25).unwrap();
    let blurred = |set: Set| IntervalSet::blurred(&set, 0.25).unwrap();
    let linear = |low: [f64; 3], high: [f64; 3]| {
        let set = |c: [f64; 3]| Set::linear(&c[..2], c[2]).unwrap();
        IntervalSet::new(set(low), set(high)).unwrap()
    };
    let triangle = |a: f64| Set::triangle(a - 2.0, a, a + 2.0).unwrap();
    let system = System::new("plant")
        .input(Variable::new("a", -3.0, 3.0))
        .input(Variable::new("b", -3.0, 3.0))
        .output(Output::new("form", -9.0, 9.0))
        .output(Output::new("area", 0.0, 6.0))
        .output(Output::new("middle", 0.0, 6.0));
    let mut system = IntervalSystem::new(system)
        .set("a", "low", gaussian(-1.5))
        .unwrap()
        .set("a", "high", gaussian(1.5))
        .unwrap()
        .set("b", "low", blurred(Set::ramp(1.0, -1.0).unwrap()))
        .unwrap()
        .set("b", "high", blurred(Set::ramp(-1.0, 1.0).unwrap()))
        .unwrap()
        .set("form", "few", linear([1.0, -2.0, 0.0], [1.5, -1.0, 0.25]))
        .unwrap()
        .set("form", "many", IntervalSet::constant(2.0, 3.0).unwrap())
        .unwrap();
    for output in ["area", "middle"] {
        system = system
            .set(output, "few", blurred(triangle(2.0)))
            .unwrap()
            .set(output, "many", IntervalSet::scaled_lower(triangle(4.0), 0.5).unwrap())
            .unwrap();
    }
    let mut with_rules = system.clone();
    for rule in [
        "if a is low and b is low then form is few and area is few and middle is few",
        "if a is high and not (b is high) then form is many and area is many and middle is many with 0.5",
        "if a is high or b is very high then form is many and area is many and middle is many",
        "else form is few and area is few and middle is few",
    ] {
        with_rules = with_rules.rule(rule).unwrap();
    }
    with_rules
}
