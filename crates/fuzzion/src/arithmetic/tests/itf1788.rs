//! Test vectors of IEEE 1788 with a permissive license; see itf1788/NOTICE.
//!
//! A number with one cut is an interval. Results must equal the vectors for operations with the tightest bounds, and
//! enclose them within a few ulps for pown, exp and log. Some cases are excluded on purpose, and their number is
//! checked:
//!
//! - an operand or the result is empty: a fuzzy number is never empty;
//! - [0, 0] is divided by an interval that contains 0: 0/0 is unbounded here, but empty in the standard;
//! - x⁻ⁿ if xⁿ overflows, because the reciprocal of the overflowed bound is less tight.
//!
//! In the last two cases, the result must still enclose the vector.

use crate::arithmetic::array::Element;
use crate::arithmetic::rounding::Real;
use crate::arithmetic::{AlphaCut, FuzzyLu, FuzzyMr, Relation};
use std::collections::BTreeMap;

const FILES: [&str; 4] = [
    include_str!("itf1788/elem.txt"),
    include_str!("itf1788/bool.txt"),
    include_str!("itf1788/num.txt"),
    include_str!("itf1788/set.txt"),
];

/// Test case: its line, the operation, the operands, and the expected result.
struct Case {
    line: &'static str,
    operation: &'static str,
    operands: Vec<f64>,
    result: Expected,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Expected {
    Interval(f64, f64),
    Number(f64),
    Truth(bool),
}

impl Case {
    /// `None` if an operand or the result is empty, or the result is NaN because of an empty operand.
    fn read(line: &'static str) -> Option<Self> {
        let tokens = |text: &'static str| text.split_whitespace();
        let (left, right) = line.split_once(" = ").unwrap();
        if tokens(line).any(|token| token == "empty" || token == "nan") {
            return None;
        }
        let operands = tokens(left).skip(1).map(|token| token.parse().unwrap()).collect();
        let result = match tokens(right).collect::<Vec<_>>()[..] {
            [lower, upper] => Expected::Interval(lower.parse().unwrap(), upper.parse().unwrap()),
            ["true"] => Expected::Truth(true),
            ["false"] => Expected::Truth(false),
            [number] => Expected::Number(number.parse().unwrap()),
            _ => panic!("{line}"),
        };
        Some(Case { line, operation: tokens(left).next().unwrap(), operands, result })
    }

    /// Whether this is x⁻ⁿ and xⁿ overflows.
    fn inverts_overflow(&self) -> bool {
        match self.operands[..] {
            [a, b, n] if self.operation == "pown" && n < 0.0 => {
                [a, b].into_iter().any(|x| x.is_finite() && x.powi(-n as i32).is_infinite())
            }
            _ => false,
        }
    }

    /// Whether [0, 0] is divided by an interval that contains 0.
    fn divides_zero_by_zero(&self) -> bool {
        match self.operands[..] {
            [a, b, c, d] if self.operation == "div" => a == 0.0 && b == 0.0 && c <= 0.0 && d >= 0.0,
            _ => false,
        }
    }
}

fn lines() -> impl Iterator<Item = &'static str> {
    FILES.into_iter().flat_map(str::lines).filter(|line| !line.starts_with('#'))
}

fn cases() -> impl Iterator<Item = Case> {
    lines().filter_map(Case::read)
}

/// Allowed difference from the expected result.
#[derive(Clone, Copy, PartialEq)]
enum Tightness {
    Exact,
    /// Wider by at most this many floating-point numbers per bound.
    Within(u64),
}

/// Result of a case in `T`; `None` for operations that do not return an interval.
fn interval<T: Element>(case: &Case) -> Option<(FuzzyLu<T, 1>, Tightness)> {
    let number = |i: usize| -> FuzzyLu<T, 1> {
        let bound = |at: usize| T::from_f64_down(case.operands[at]);
        FuzzyLu::interval(bound(2 * i), bound(2 * i + 1)).unwrap()
    };
    let x = number(0);
    let exact = |x| Some((x, Tightness::Exact));
    match case.operation {
        "neg" => exact(-x),
        "add" => exact(x + number(1)),
        "sub" => exact(x - number(1)),
        "mul" => exact(x * number(1)),
        "div" => exact(x / number(1)),
        "recip" => exact(x.recip()),
        "sqr" => exact(x.sqr()),
        "sqrt" => exact(x.sqrt()),
        "fma" => exact(x.mul_add(&number(1), &number(2))),
        "abs" => exact(x.abs()),
        "min" => exact(x.min(&number(1))),
        "max" => exact(x.max(&number(1))),
        // Powers up to 8: three squarings, each of which doubles the error and adds one ulp, and a quotient give 8
        // ulps, each up to two numbers.
        "pown" => Some((x.powi(case.operands[2] as i32), Tightness::Within(16))),
        // The bounds for a single point are at most eight ulps apart (elementary.rs).
        "exp" => Some((x.exp(), Tightness::Within(8))),
        "log" => Some((x.log(), Tightness::Within(16))),
        "intersection" => exact(FuzzyLu::from_fn(|_| x.cut(0).intersection(number(1).cut(0)))),
        "convexHull" => exact(FuzzyLu::from_fn(|_| x.cut(0).hull(number(1).cut(0)))),
        _ => None,
    }
}

/// Number of floating-point steps between two doubles.
fn float_distance(a: f64, b: f64) -> u64 {
    let location = |x: f64| {
        let bits = (x + 0.0).to_bits() as i64; // −0 is 0
        if bits < 0 { i64::MIN - bits } else { bits }
    };
    location(a).abs_diff(location(b))
}

fn f64_bounds<T: Element>(cut: AlphaCut<T>) -> (f64, f64) {
    (cut.lower.to_f64(), cut.upper.to_f64())
}

#[test]
fn double_precision_results_equal_the_test_vectors() {
    let mut tried = BTreeMap::new();
    let mut wider = 0;
    for case in cases() {
        let (Expected::Interval(lower, upper), Some((found, tightness))) =
            (case.result, interval::<f64>(&case))
        else {
            continue;
        };
        let found = f64_bounds(found.cut(0));
        let encloses = found.0 <= lower && upper <= found.1;
        assert!(encloses, "{}: found {found:?}", case.line);
        if case.divides_zero_by_zero() || case.inverts_overflow() {
            wider += 1;
            continue;
        }
        let off = float_distance(found.0, lower).max(float_distance(found.1, upper));
        let limit = if let Tightness::Within(limit) = tightness { limit } else { 0 };
        assert!(off <= limit, "{}: found {found:?}, {off} off", case.line);
        *tried.entry(case.operation).or_insert(0) += 1;
    }
    let expected = [
        ("abs", 11),
        ("add", 26),
        ("convexHull", 3),
        ("div", 270),
        ("exp", 18),
        ("fma", 416),
        ("intersection", 3),
        ("log", 18),
        ("max", 11),
        ("min", 11),
        ("mul", 107),
        ("neg", 10),
        ("pown", 134),
        ("recip", 16),
        ("sqr", 11),
        ("sqrt", 11),
        ("sub", 26),
    ];
    assert_eq!(tried, BTreeMap::from(expected));
    assert_eq!(wider, 24 + 8);
}

/// Every f32 is an f64, so rounding a tight f64 bound outward to f32 gives the tight f32 bound.
#[test]
fn single_precision_results_equal_the_test_vectors_rounded_outward() {
    let single = |x: f64| f64::from(x as f32) == x;
    let mut tried = 0;
    for case in
        cases().filter(|case| case.operands.iter().copied().all(single) && !case.divides_zero_by_zero())
    {
        let (Expected::Interval(lower, upper), Some((found, Tightness::Exact))) =
            (case.result, interval::<f32>(&case))
        else {
            continue;
        };
        let expected = (f32::from_f64_down(lower), f32::from_f64_up(upper));
        let found = (found.cut(0).lower, found.cut(0).upper);
        assert!(found == expected, "{}: found {found:?}", case.line);
        tried += 1;
    }
    assert_eq!(tried, 887);
}

#[test]
fn midpoint_radius_results_enclose_the_test_vectors() {
    let mut tried = 0;
    for case in cases() {
        let number = |i: usize| -> FuzzyMr<f64, 1> {
            FuzzyLu::interval(case.operands[2 * i], case.operands[2 * i + 1]).unwrap().into()
        };
        let Expected::Interval(lower, upper) = case.result else { continue };
        let x = number(0);
        let found = match case.operation {
            "neg" => -x,
            "add" => x + number(1),
            "sub" => x - number(1),
            "mul" => x * number(1),
            "div" => x / number(1),
            "recip" => x.recip(),
            "sqr" => x.sqr(),
            "sqrt" => x.sqrt(),
            "fma" => x.mul_add(&number(1), &number(2)),
            "abs" => x.abs(),
            "min" => x.min(&number(1)),
            "max" => x.max(&number(1)),
            "pown" => x.powi(case.operands[2] as i32),
            "exp" => x.exp(),
            "log" => x.log(),
            _ => continue,
        };
        let found = f64_bounds(FuzzyLu::from(found).cut(0));
        assert!(found.0 <= lower && upper <= found.1, "{}: found {found:?}", case.line);
        tried += 1;
    }
    assert_eq!(tried, 1128);
}

#[test]
fn comparisons_and_widths_equal_the_test_vectors() {
    let mut tried = 0;
    for case in cases() {
        let number = |i: usize| -> FuzzyLu<f64, 1> {
            FuzzyLu::interval(case.operands[2 * i], case.operands[2 * i + 1]).unwrap()
        };
        let x = number(0);
        let truth = match case.operation {
            "isEntire" => x == FuzzyLu::unbounded(),
            "subset" => number(1).encloses(&x),
            "disjoint" => x.possibility(Relation::Equal, &number(1)) == 0.0,
            "precedes" => x.necessity(Relation::LessOrEqual, &number(1)) == 1.0,
            "strictPrecedes" => x.necessity(Relation::Less, &number(1)) == 1.0,
            "wid" => {
                assert_eq!(Expected::Number(x.widths()[0]), case.result, "{}", case.line);
                tried += 1;
                continue;
            }
            _ => continue,
        };
        assert_eq!(Expected::Truth(truth), case.result, "{}", case.line);
        tried += 1;
    }
    assert_eq!(tried, 72);
}

#[test]
fn the_excluded_cases_have_empty_intervals() {
    let all = lines().count();
    let empty = lines().filter(|line| Case::read(line).is_none()).count();
    assert_eq!((all, empty), (1486, 280));
}
