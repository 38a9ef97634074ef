//! Random fuzzy numbers of every kind, and the scalar operations as the oracle of arrays of them.

use super::array::{LANES, LuArray, MrArray};
use super::cuda::CHUNK;
use super::expr::{Column, Expr, Method};
use super::lu::FuzzyLu;
use super::mr::FuzzyMr;
use crate::error::Result;
use crate::random::Random;
use std::fmt::Debug;

/// The cuts of a sample.
pub(super) const CUTS: usize = 3;

/// One formula for each operation, of x, y and z.
pub(super) const FORMULAS: [&str; 15] = [
    "x + y",
    "x - y",
    "x * y",
    "x / y",
    "-x",
    "recip(x)",
    "sqr(x)",
    "sqrt(x)",
    "exp(x)",
    "log(x)",
    "abs(x)",
    "min(x, y)",
    "max(x, y)",
    "x ^ -3 + x ^ 4",
    "fma(x, y, z)",
];

/// An array with the numbers it is made of.
pub(super) trait Sampled: Column {
    /// What it is called.
    const NAME: &'static str;
    type Number: Copy + Debug + PartialEq;
    fn random(random: &mut Random) -> Result<Self::Number>;
    fn array(numbers: &[Self::Number]) -> Self;
    fn numbers(&self) -> Result<Vec<Self::Number>>;
    fn zero() -> Self::Number;
    fn add(a: Self::Number, b: Self::Number) -> Self::Number;
    fn fused(a: Self::Number, b: Self::Number, c: Self::Number) -> Self::Number;
    fn repeated(c: Self::Number, a: Self::Number, b: Self::Number, steps: usize) -> Self::Number;
    fn evaluate(expr: &Expr, values: &[(&str, Self::Number)]) -> Result<Self::Number>;

    /// The sum of all numbers, or of their products with those of `y`: chunk by chunk, in each lane by lane, then lanes by
    /// halves; then the chunks one after the other.
    fn added(x: &[Self::Number], y: Option<&[Self::Number]>) -> Self::Number {
        let chunk_sum = |at: usize| {
            let mut lanes = [Self::zero(); LANES];
            for i in at..x.len().min(at + CHUNK * LANES) {
                let sum = &mut lanes[i % LANES];
                *sum = match y {
                    Some(y) => Self::fused(x[i], y[i], *sum),
                    None => Self::add(*sum, x[i]),
                };
            }
            for half in [8, 4, 2, 1] {
                for j in 0..half {
                    lanes[j] = Self::add(lanes[j], lanes[j + half]);
                }
            }
            lanes[0]
        };
        (0..x.len()).step_by(CHUNK * LANES).map(chunk_sum).fold(Self::zero(), Self::add)
    }

    /// So many random numbers.
    fn some(count: usize, seed: u64) -> Result<Vec<Self::Number>> {
        let mut random = Random::new(seed);
        (0..count).map(|_| Self::random(&mut random)).collect()
    }
}

/// A number of any kind: whole, moderate, of any exponent, 0, infinite.
fn number(random: &mut Random, single: bool) -> f64 {
    let exponents = if single { 148.0 } else { 1073.0 };
    let sign = if random.bits().is_multiple_of(2) { 1.0 } else { -1.0 };
    let size = match random.bits() % 16 {
        0..=3 => (random.bits() % 20) as f64,
        4..=11 => random.between(0.0, 8.0),
        12..=13 => random.between(1.0, 2.0) * random.between(-exponents, exponents * 0.8).exp2(),
        14 => 0.0,
        _ => f64::INFINITY,
    };
    sign * size
}

/// Nested bounds.
fn bounds(random: &mut Random, single: bool) -> ([f64; CUTS], [f64; CUTS]) {
    let mut points: [f64; 2 * CUTS] = std::array::from_fn(|_| number(random, single));
    points.sort_by(f64::total_cmp);
    let (lower, upper) =
        (std::array::from_fn(|i| points[i]), std::array::from_fn(|i| points[2 * CUTS - 1 - i]));
    // A lower bound is below ∞ and an upper one above −∞.
    match lower[CUTS - 1] == f64::INFINITY || upper[CUTS - 1] == f64::NEG_INFINITY {
        true => ([0.0; CUTS], [1.0; CUTS]),
        false => (lower, upper),
    }
}

macro_rules! sampled {
    ($array:ty, $number:ty, $name:literal, $random:expr) => {
        impl Sampled for $array {
            const NAME: &'static str = $name;
            type Number = $number;
            fn random(random: &mut Random) -> Result<$number> {
                $random(random)
            }
            fn array(numbers: &[$number]) -> Self {
                Self::from_numbers(numbers)
            }
            fn numbers(&self) -> Result<Vec<$number>> {
                (0..self.len()).map(|at| self.number(at)).collect()
            }
            fn zero() -> $number {
                <$number>::crisp(0.0)
            }
            fn add(a: $number, b: $number) -> $number {
                a + b
            }
            fn fused(a: $number, b: $number, c: $number) -> $number {
                a.mul_add(&b, &c)
            }
            fn repeated(c: $number, a: $number, b: $number, steps: usize) -> $number {
                c.axpy(&a, &b, steps)
            }
            fn evaluate(expr: &Expr, values: &[(&str, $number)]) -> Result<$number> {
                expr.evaluate(values, Method::Direct)
            }
        }
    };
    (lu $t:ty, $name:literal) => {
        sampled!(LuArray<$t>, FuzzyLu<$t, CUTS>, $name, |random: &mut Random| {
            let (lower, upper) = bounds(random, size_of::<$t>() == 4);
            FuzzyLu::from_cuts(lower.map(|x| x as $t), upper.map(|x| x as $t))
        });
    };
    (mr $t:ty, $r:ty, $name:literal) => {
        sampled!(MrArray<$t, $r>, FuzzyMr<$t, CUTS, $r>, $name, |random: &mut Random| {
            let midpoint = number(random, size_of::<$t>() == 4) as $t;
            let mut radii: [$r; CUTS] = std::array::from_fn(|_| number(random, size_of::<$t>() == 4).abs() as $r);
            radii.sort_by(|a, b| b.total_cmp(a));
            FuzzyMr::new(if midpoint.is_finite() { midpoint } else { 1.0 }, radii)
        });
    };
}
sampled!(lu f32, "lu/f32");
sampled!(lu f64, "lu/f64");
sampled!(mr f32, f32, "mr/f32");
sampled!(mr f64, f64, "mr/f64");
sampled!(mr f64, f32, "mr/mixed");
