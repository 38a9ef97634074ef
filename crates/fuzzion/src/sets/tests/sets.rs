//! Random sets for property tests.

use crate::sets::Set;
use proptest::prelude::*;

/// Shapes with unconstrained parameters, and their number.
const UNORDERED: [(&str, usize); 12] = [
    ("Rectangle", 2),
    ("SemiEllipse", 2),
    ("Bell", 3),
    ("Gaussian", 2),
    ("GaussianProduct", 4),
    ("SigmoidDifference", 4),
    ("SigmoidProduct", 4),
    ("Spike", 2),
    ("Arc", 2),
    ("Concave", 2),
    ("Ramp", 2),
    ("Sigmoid", 2),
];
/// Shapes with ascending parameters, and their number.
const ASCENDING: [(&str, usize); 5] =
    [("Triangle", 3), ("Trapezoid", 4), ("PiShape", 4), ("SShape", 2), ("ZShape", 2)];

/// Multiples of 0.01, so that equal parameters and x at a breakpoint occur.
fn number() -> impl Strategy<Value = f64> {
    (-1000i32..=1000).prop_map(|n| f64::from(n) / 100.0)
}

/// Any set except Takagi-Sugeno consequents, including degenerate ones.
pub(super) fn any_set() -> impl Strategy<Value = Set> {
    let four = || prop::array::uniform4(number());
    let unordered =
        (0..UNORDERED.len(), four()).prop_map(|(i, p)| (UNORDERED[i].0, p[..UNORDERED[i].1].to_vec()));
    let ascending = (0..ASCENDING.len(), four()).prop_map(|(i, mut p)| {
        p.sort_by(f64::total_cmp);
        (ASCENDING[i].0, p[..ASCENDING[i].1].to_vec())
    });
    // A plateau with b > c is valid as long as each edge ascends.
    let crossed = (prop::bool::ANY, four()).prop_map(|(pi, mut p)| {
        p.sort_by(f64::total_cmp);
        p.swap(1, 2);
        (if pi { "PiShape" } else { "Trapezoid" }, p.to_vec())
    });
    let shoulders = (prop::bool::ANY, four()).prop_map(|(left, mut p)| {
        p.sort_by(f64::total_cmp);
        p[if left { 0 } else { 3 }] = if left { f64::NEG_INFINITY } else { f64::INFINITY };
        ("Trapezoid", p.to_vec())
    });
    let cosine = (number(), 0..1000i32).prop_map(|(c, w)| ("Cosine", vec![c, f64::from(w) / 100.0]));
    let binary = (number(), prop::bool::ANY)
        .prop_map(|(s, up)| ("Binary", vec![s, if up { f64::INFINITY } else { f64::NEG_INFINITY }]));
    let discrete = prop::collection::vec((number(), 0u8..=4), 1..80).prop_map(|mut points| {
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        ("Discrete", points.iter().flat_map(|(x, y)| [*x, f64::from(*y) / 4.0]).collect())
    });
    let named = prop_oneof![6 => unordered, 3 => ascending, 1 => crossed, 1 => shoulders, 1 => cosine, 1 => binary, 1 => discrete];
    (named, 1..=4u8).prop_map(|((name, p), height)| {
        let set = Set::from_parameters(name, &p).unwrap();
        set.with_height(f64::from(height) / 4.0).unwrap()
    })
}

/// Any x: multiples of 0.01 (breakpoints), numbers between them, large and infinite numbers.
pub(super) fn any_x() -> impl Strategy<Value = f64> {
    prop_oneof![
        10 => number(),
        10 => -12.0..12.0,
        1 => prop::sample::select(vec![f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300, 0.0]),
    ]
}
