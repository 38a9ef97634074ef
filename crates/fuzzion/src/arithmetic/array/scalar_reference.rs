//! Random fuzzy numbers, and the scalar operations as the reference for array operations.

use crate::arithmetic::array::{LANES, LuArray, MrArray};
use crate::arithmetic::cuda::CHUNK;
use crate::arithmetic::error::Result;
use crate::arithmetic::expr::{Evaluation, Expr, HostColumn};
use crate::arithmetic::number::lu::FuzzyLu;
use crate::arithmetic::number::mr::FuzzyMr;
use crate::random::Random;
use std::fmt::Debug;

/// Number of cuts of the random numbers.
pub const CUTS: usize = 3;

/// One formula per operation, in x, y and z.
pub const FORMULAS: [&str; 15] = [
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

/// Array type together with the corresponding scalar type and its operations.
pub trait ScalarReference: HostColumn {
    /// Name of the encoding.
    const NAME: &'static str;
    type Number: Copy + Debug + PartialEq;
    fn random_number(random: &mut Random) -> Result<Self::Number>;
    fn array(numbers: &[Self::Number]) -> Self;
    fn numbers(&self) -> Result<Vec<Self::Number>>;
    fn zero() -> Self::Number;
    fn add(a: Self::Number, b: Self::Number) -> Self::Number;
    fn scalar_mul_add(a: Self::Number, b: Self::Number, c: Self::Number) -> Self::Number;
    fn scalar_axpy(c: Self::Number, a: Self::Number, b: Self::Number, steps: usize) -> Self::Number;
    fn evaluate(expr: &Expr, values: &[(&str, Self::Number)]) -> Result<Self::Number>;

    /// Sum of all numbers, or of their products with the numbers of `y`, in the order of the array kernels: first each
    /// lane of a chunk, then the lanes by pairwise halving, then the chunks in order.
    fn reference_sum(x: &[Self::Number], y: Option<&[Self::Number]>) -> Self::Number {
        let chunk_sum = |at: usize| {
            let mut lanes = [Self::zero(); LANES];
            for i in at..x.len().min(at + CHUNK * LANES) {
                let sum = &mut lanes[i % LANES];
                *sum = match y {
                    Some(y) => Self::scalar_mul_add(x[i], y[i], *sum),
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

    /// Vector of `count` random numbers.
    fn random_numbers(count: usize, seed: u64) -> Result<Vec<Self::Number>> {
        let mut random = Random::new(seed);
        (0..count).map(|_| Self::random_number(&mut random)).collect()
    }
}

/// Random value: a small integer, a moderate value, a value with any exponent, 0 or ±∞.
fn random_value(random: &mut Random, single: bool) -> f64 {
    let exponents = if single { 148.0 } else { 1073.0 };
    let sign = if random.bits().is_multiple_of(2) { 1.0 } else { -1.0 };
    let magnitude = match random.bits() % 16 {
        0..=3 => (random.bits() % 20) as f64,
        4..=11 => random.between(0.0, 8.0),
        12..=13 => random.between(1.0, 2.0) * random.between(-exponents, exponents * 0.8).exp2(),
        14 => 0.0,
        _ => f64::INFINITY,
    };
    sign * magnitude
}

/// Random nested bounds.
fn random_bounds(random: &mut Random, single: bool) -> ([f64; CUTS], [f64; CUTS]) {
    let mut points: [f64; 2 * CUTS] = std::array::from_fn(|_| random_value(random, single));
    points.sort_by(f64::total_cmp);
    let (lower, upper) =
        (std::array::from_fn(|i| points[i]), std::array::from_fn(|i| points[2 * CUTS - 1 - i]));
    // A lower bound must be below ∞ and an upper bound above −∞.
    match lower[CUTS - 1] == f64::INFINITY || upper[CUTS - 1] == f64::NEG_INFINITY {
        true => ([0.0; CUTS], [1.0; CUTS]),
        false => (lower, upper),
    }
}

macro_rules! scalar_reference {
    ($array:ty, $number:ty, $name:literal, $random:expr) => {
        impl ScalarReference for $array {
            const NAME: &'static str = $name;
            type Number = $number;
            fn random_number(random: &mut Random) -> Result<$number> {
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
            fn scalar_mul_add(a: $number, b: $number, c: $number) -> $number {
                a.mul_add(&b, &c)
            }
            fn scalar_axpy(c: $number, a: $number, b: $number, steps: usize) -> $number {
                c.axpy(&a, &b, steps)
            }
            fn evaluate(expr: &Expr, values: &[(&str, $number)]) -> Result<$number> {
                expr.evaluate(values, Evaluation::Direct)
            }
        }
    };
    (lu $t:ty, $name:literal) => {
        scalar_reference!(LuArray<$t>, FuzzyLu<$t, CUTS>, $name, |random: &mut Random| {
            let (lower, upper) = random_bounds(random, size_of::<$t>() == 4);
            FuzzyLu::from_cuts(lower.map(|x| x as $t), upper.map(|x| x as $t))
        });
    };
    (mr $t:ty, $r:ty, $name:literal) => {
        scalar_reference!(MrArray<$t, $r>, FuzzyMr<$t, CUTS, $r>, $name, |random: &mut Random| {
            let midpoint = random_value(random, size_of::<$t>() == 4) as $t;
            let mut radii: [$r; CUTS] = std::array::from_fn(|_| random_value(random, size_of::<$t>() == 4).abs() as $r);
            radii.sort_by(|a, b| b.total_cmp(a));
            FuzzyMr::new(if midpoint.is_finite() { midpoint } else { 1.0 }, radii)
        });
    };
}
scalar_reference!(lu f32, "lu/f32");
scalar_reference!(lu f64, "lu/f64");
scalar_reference!(mr f32, f32, "mr/f32");
scalar_reference!(mr f64, f64, "mr/f64");
scalar_reference!(mr f64, f32, "mr/mixed");
