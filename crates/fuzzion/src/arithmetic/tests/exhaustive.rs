//! Exhaustive tests in a 5-bit floating-point format.
//!
//! One sign bit, three exponent bits and one significand bit: 0, the subnormal ⅛, and ¼, …, 12 in steps of half a
//! power of two. The formulas of the module depend on their type only through its trait, so an exhaustive test here
//! verifies the formulas themselves, not samples. f64 is the oracle: sums and products of such numbers are exact in
//! f64, and a quotient or square root that is not exact differs from every number of the format by far more than its
//! rounding error.

use crate::arithmetic::rounding::{Real, Sealed};
use crate::arithmetic::{FuzzyLu, FuzzyMr};
use std::cell::Cell;
use std::fmt;
use std::ops::Neg;
use std::str::FromStr;

const MAGNITUDES: [f64; 14] = [0.0, 0.125, 0.25, 0.375, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0];
const INF: f64 = f64::INFINITY;

/// Deliberate error.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mutant {
    AddUpToNearest,
    MulDownToNearest,
    MulUpToNearest,
    DivUpToNearest,
    SqrtUpToNearest,
    FusedUpToNearest,
    SqrtDownToNearest,
    LargestInsteadOfInfinity,
}

const MUTANTS: [Mutant; 8] = [
    Mutant::AddUpToNearest,
    Mutant::MulDownToNearest,
    Mutant::MulUpToNearest,
    Mutant::DivUpToNearest,
    Mutant::SqrtUpToNearest,
    Mutant::FusedUpToNearest,
    Mutant::SqrtDownToNearest,
    Mutant::LargestInsteadOfInfinity,
];

thread_local! {
    static MUTANT: Cell<Option<Mutant>> = const { Cell::new(None) };
}

/// Mutants of constants: u = 0 or η = 0.
const ZERO_UNIT_ROUNDOFF: u8 = 1;
const ZERO_MIN_NORMAL: u8 = 2;

/// Number of the format; `M` is 0 or a mutant of a constant.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
struct Tiny<const M: u8>(f64);

impl<const M: u8> Tiny<M> {
    fn has(mutant: Mutant) -> bool {
        MUTANT.get() == Some(mutant)
    }

    /// All finite numbers in ascending order.
    fn all() -> impl DoubleEndedIterator<Item = f64> + Clone {
        MAGNITUDES.iter().skip(1).rev().map(|v| -v).chain(MAGNITUDES)
    }

    /// Largest number that satisfies `is_below`.
    fn largest_below(is_below: impl Fn(f64) -> bool) -> Self {
        Tiny(Self::all().rev().find(|v| is_below(*v)).unwrap_or(-INF))
    }

    fn smallest_above(is_above: impl Fn(f64) -> bool) -> Self {
        let overflow = if Self::has(Mutant::LargestInsteadOfInfinity) { 12.0 } else { INF };
        Tiny(Self::all().find(|v| is_above(*v)).unwrap_or(overflow))
    }

    fn down(exact: f64) -> Self {
        if exact.is_nan() || exact == INF { Tiny(exact) } else { Self::largest_below(|v| v <= exact) }
    }

    fn up(exact: f64) -> Self {
        if exact.is_nan() || exact == -INF { Tiny(exact) } else { Self::smallest_above(|v| v >= exact) }
    }

    /// Rounded to nearest, ties to even significands (every other magnitude). From 14, half a step above 12, the
    /// result is ∞.
    fn near(exact: f64) -> Self {
        if exact.is_nan() || exact.abs() >= 14.0 {
            return Tiny(if exact.is_nan() { exact } else { INF.copysign(exact) });
        }
        let even = |v: f64| MAGNITUDES.iter().position(|size| *size == v.abs()).is_some_and(|i| i % 2 == 0);
        let nearer = |a: f64, b: f64| {
            let (da, db) = ((a - exact).abs(), (b - exact).abs());
            if da < db || da == db && even(a) { a } else { b }
        };
        Tiny(Self::all().reduce(nearer).unwrap_or(0.0))
    }
}

impl<const M: u8> Neg for Tiny<M> {
    type Output = Self;
    fn neg(self) -> Self {
        Tiny(-self.0)
    }
}

impl<const M: u8> fmt::Display for Tiny<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<const M: u8> fmt::LowerExp for Tiny<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::LowerExp::fmt(&self.0, f)
    }
}

impl<const M: u8> FromStr for Tiny<M> {
    type Err = std::num::ParseFloatError;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self::near)
    }
}

impl<const M: u8> Sealed for Tiny<M> {}

impl<const M: u8> Real for Tiny<M> {
    const ZERO: Self = Tiny(0.0);
    const ONE: Self = Tiny(1.0);
    const INFINITY: Self = Tiny(INF);
    const NEG_INFINITY: Self = Tiny(-INF);
    const MAX: Self = Tiny(12.0);
    const UNIT_ROUNDOFF: Self = Tiny(if M == ZERO_UNIT_ROUNDOFF { 0.0 } else { 0.25 });
    const MIN_NORMAL: Self = Tiny(if M == ZERO_MIN_NORMAL { 0.0 } else { 0.25 });

    fn to_f64(self) -> f64 {
        self.0
    }
    fn from_f64_down(value: f64) -> Self {
        Self::down(value)
    }
    fn from_f64_up(value: f64) -> Self {
        Self::up(value)
    }
    fn abs(self) -> Self {
        Tiny(self.0.abs())
    }
    fn add_near(self, other: Self) -> Self {
        Self::near(self.0 + other.0)
    }
    fn mul_near(self, other: Self) -> Self {
        Self::near(self.0 * other.0)
    }
    fn div_near(self, other: Self) -> Self {
        Self::near(self.0 / other.0)
    }
    fn sqrt_near(self) -> Self {
        Self::near(self.0.sqrt())
    }
    fn mul_add_near(self, factor: Self, addend: Self) -> Self {
        Self::near(self.0 * factor.0 + addend.0)
    }
    fn add_down(self, other: Self) -> Self {
        Self::down(self.0 + other.0)
    }
    fn add_up(self, other: Self) -> Self {
        let exact = self.0 + other.0;
        if Self::has(Mutant::AddUpToNearest) { Self::near(exact) } else { Self::up(exact) }
    }
    fn mul_down(self, other: Self) -> Self {
        let exact = self.0 * other.0;
        if Self::has(Mutant::MulDownToNearest) { Self::near(exact) } else { Self::down(exact) }
    }
    fn mul_up(self, other: Self) -> Self {
        let exact = self.0 * other.0;
        if Self::has(Mutant::MulUpToNearest) { Self::near(exact) } else { Self::up(exact) }
    }
    fn div_down(self, other: Self) -> Self {
        Self::down(self.0 / other.0)
    }
    fn div_up(self, other: Self) -> Self {
        let quotient = self.0 / other.0;
        if Self::has(Mutant::DivUpToNearest) { Self::near(quotient) } else { Self::up(quotient) }
    }
    fn sqrt_down(self) -> Self {
        if Self::has(Mutant::SqrtDownToNearest) { self.sqrt_near() } else { Self::down(self.0.sqrt()) }
    }
    fn sqrt_up(self) -> Self {
        if Self::has(Mutant::SqrtUpToNearest) { self.sqrt_near() } else { Self::up(self.0.sqrt()) }
    }
    fn mul_add_down(self, factor: Self, addend: Self) -> Self {
        Self::down(self.0 * factor.0 + addend.0)
    }
    fn mul_add_up(self, factor: Self, addend: Self) -> Self {
        let exact = self.0 * factor.0 + addend.0;
        if Self::has(Mutant::FusedUpToNearest) { Self::near(exact) } else { Self::up(exact) }
    }
    fn exp_bounds(self) -> (Self, Self) {
        let (lower, upper) = self.0.exp_bounds();
        (Self::down(lower), Self::up(upper))
    }
    fn log_bounds(self) -> (Self, Self) {
        let (lower, upper) = self.0.log_bounds();
        (Self::down(lower), Self::up(upper))
    }
}

/// Exact range of a function over its operands' intervals.
type Range = [f64; 2];

fn times(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 { 0.0 } else { a * b }
}

/// Minimum and maximum of `values`.
fn hull(values: &[f64]) -> Range {
    [values.iter().copied().fold(INF, f64::min), values.iter().copied().fold(-INF, f64::max)]
}

fn sum(a: Range, b: Range) -> Range {
    [a[0] + b[0], a[1] + b[1]]
}

fn product(a: Range, b: Range) -> Range {
    hull(&[times(a[0], b[0]), times(a[0], b[1]), times(a[1], b[0]), times(a[1], b[1])])
}

/// Over all y ≠ 0, including the one-sided limits at 0 within b. 0/0 is unbounded.
fn quotient(a: Range, b: Range) -> Range {
    let zero = b[0] <= 0.0 && b[1] >= 0.0;
    if zero && (a == [0.0, 0.0] || b == [0.0, 0.0]) {
        return [-INF, INF];
    }
    let over = |x: f64, y: f64, side: f64| match y {
        _ if x == 0.0 => 0.0,
        0.0 => x.signum() * side * INF,
        y if y.is_infinite() => 0.0, // x is finite, or another vertex is also infinite
        y => x / y,
    };
    let mut values = Vec::new();
    for x in a {
        values.extend(b.iter().filter(|y| **y != 0.0).map(|y| over(x, *y, 1.0)));
        values.extend((zero && b[1] > 0.0).then(|| over(x, 0.0, 1.0)));
        values.extend((zero && b[0] < 0.0).then(|| over(x, 0.0, -1.0)));
    }
    hull(&values)
}

fn squared(a: Range) -> Range {
    let ends = hull(&[a[0] * a[0], a[1] * a[1]]);
    if a[0] <= 0.0 && a[1] >= 0.0 { [0.0, ends[1]] } else { ends }
}

fn root(a: Range) -> Range {
    if a[1] < 0.0 { [-INF, INF] } else { [a[0].max(0.0).sqrt(), a[1].sqrt()] }
}

fn cuts<const M: u8>() -> Vec<FuzzyLu<Tiny<M>, 1>> {
    let ends: Vec<f64> = [-INF].into_iter().chain(Tiny::<M>::all()).chain([INF]).collect();
    let pairs = ends.iter().flat_map(|l| ends.iter().map(move |u| (*l, *u)));
    pairs.filter_map(|(l, u)| FuzzyLu::interval(Tiny(l), Tiny(u)).ok()).collect()
}

fn balls<const M: u8>() -> Vec<FuzzyMr<Tiny<M>, 1>> {
    let radii: Vec<f64> = MAGNITUDES.into_iter().chain([INF]).collect();
    let pairs = Tiny::<M>::all().flat_map(|m| radii.iter().map(move |r| (m, *r)));
    pairs.filter_map(|(m, r)| FuzzyMr::new(Tiny(m), [Tiny(r)]).ok()).collect()
}

fn range_of<const M: u8>(x: &FuzzyLu<Tiny<M>, 1>) -> Range {
    [x.lower()[0].0, x.upper()[0].0]
}

/// Exact interval of a midpoint and a radius.
fn ball<const M: u8>(x: &FuzzyMr<Tiny<M>, 1>) -> Range {
    [x.midpoint().0 - x.radii()[0].0, x.midpoint().0 + x.radii()[0].0]
}

/// Whether a result is the tightest enclosure of the exact range.
fn is_tight<const M: u8>(result: FuzzyLu<Tiny<M>, 1>, exact: Range) -> bool {
    let (numbers, [lower, upper]) = (Tiny::<M>::all(), range_of(&result));
    let below = numbers.clone().rfind(|v| *v <= exact[0]).unwrap_or(-INF);
    let above = numbers.into_iter().find(|v| *v >= exact[1]).unwrap_or(INF);
    lower == below && upper == above
}

/// Whether a result encloses the exact range.
fn encloses<const M: u8>(result: FuzzyMr<Tiny<M>, 1>, exact: Range) -> bool {
    let [lower, upper] = ball(&result);
    lower <= exact[0] && exact[1] <= upper
}

/// First operation on lower-upper numbers whose result is not the tightest enclosure.
fn lu_violation<const M: u8>() -> Option<String> {
    let all = cuts::<M>();
    let few: Vec<_> = all.iter().step_by(113).collect();
    for a in &all {
        let x = range_of(a);
        for (name, result, exact) in [("sqr", a.sqr(), squared(x)), ("sqrt", a.sqrt(), root(x))] {
            if !is_tight(result, exact) {
                return Some(format!("{name} {x:?}: {result:?}, exact {exact:?}"));
            }
        }
        for b in &all {
            let y = range_of(b);
            for (name, result, exact) in [
                ("+", *a + *b, sum(x, y)),
                ("-", *a - *b, sum(x, [-y[1], -y[0]])),
                ("*", *a * *b, product(x, y)),
                ("/", *a / *b, quotient(x, y)),
            ] {
                if !is_tight(result, exact) {
                    return Some(format!("{x:?} {name} {y:?}: {result:?}, exact {exact:?}"));
                }
            }
            for c in &few {
                let (result, exact) = (a.mul_add(b, c), sum(product(x, y), range_of(c)));
                if !is_tight(result, exact) {
                    return Some(format!("{x:?} · {y:?} + {:?}: {result:?}, exact {exact:?}", range_of(c)));
                }
            }
        }
    }
    None
}

/// First operation on midpoint-radius numbers whose result does not enclose the exact range.
fn mr_violation<const M: u8>() -> Option<String> {
    let all = balls::<M>();
    let few: Vec<_> = all.iter().step_by(107).collect();
    let one = [1.0, 1.0];
    for a in &all {
        let x = ball(a);
        for (name, result, exact) in [
            ("sqr", a.sqr(), squared(x)),
            ("sqrt", a.sqrt(), root(x)),
            ("recip", a.recip(), quotient(one, x)),
            ("cube", a.powi(3), [x[0].powi(3), x[1].powi(3)]),
        ] {
            if !encloses(result, exact) {
                return Some(format!("{name} {a:?}: {result:?}, exact {exact:?}"));
            }
        }
        for b in &all {
            let y = ball(b);
            for (name, result, exact) in [
                ("+", *a + *b, sum(x, y)),
                ("-", *a - *b, sum(x, [-y[1], -y[0]])),
                ("*", *a * *b, product(x, y)),
                ("/", *a / *b, quotient(x, y)),
                ("min", a.min(b), [x[0].min(y[0]), x[1].min(y[1])]),
            ] {
                if !encloses(result, exact) {
                    return Some(format!("{a:?} {name} {b:?}: {result:?}, exact {exact:?}"));
                }
            }
            for c in &few {
                let (result, exact) = (a.mul_add(b, c), sum(product(x, y), ball(c)));
                if !encloses(result, exact) {
                    return Some(format!("{a:?} · {b:?} + {c:?}: {result:?}, exact {exact:?}"));
                }
            }
        }
    }
    None
}

#[test]
fn lower_upper_results_are_the_tightest_enclosures_for_all_operands_of_the_format() {
    assert_eq!(lu_violation::<0>(), None);
}

#[test]
fn midpoint_radius_results_are_enclosures_for_all_operands_of_the_format() {
    assert_eq!(mr_violation::<0>(), None);
}

#[test]
fn every_mutant_is_detected() {
    let mut missed: Vec<String> = Vec::new();
    for mutant in MUTANTS {
        MUTANT.set(Some(mutant));
        if lu_violation::<0>().is_none() && mr_violation::<0>().is_none() {
            missed.push(format!("{mutant:?}"));
        }
    }
    MUTANT.set(None);
    missed.extend(mr_violation::<ZERO_UNIT_ROUNDOFF>().is_none().then(|| "ZERO_UNIT_ROUNDOFF".to_owned()));
    missed.extend(mr_violation::<ZERO_MIN_NORMAL>().is_none().then(|| "ZERO_MIN_NORMAL".to_owned()));
    assert!(missed.is_empty(), "{missed:?}");
}
