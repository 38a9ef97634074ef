//! The kernels in the emulator: bounds, midpoints and radii are the scalar operations' to the bit.

use super::oracle::Random;
use crate::arithmetic::array::LANES;
use crate::arithmetic::cuda::text::{self, Formula};
use crate::arithmetic::cuda::{CHUNK, Planes};
use crate::arithmetic::{Expr, FuzzyLu, FuzzyMr, LuArray, Method, MrArray};
use crate::device::cuda::Grid;
use crate::device::cuda::emulator::{Arg, Order, or_skip};
use std::fmt::Debug;

/// The cuts of the numbers tried.
const N: usize = 3;

/// An array with the numbers it is made of.
trait Tried: Planes {
    type Number: Copy + Debug + PartialEq;
    fn random(random: &mut Random) -> Self::Number;
    fn array(numbers: &[Self::Number]) -> Self;
    fn numbers(&self) -> Vec<Self::Number>;
    fn mul_add(a: Self::Number, b: Self::Number, c: Self::Number) -> Self::Number;
    fn add(a: Self::Number, b: Self::Number) -> Self::Number;
    fn zero() -> Self::Number;
    fn evaluate(expr: &Expr, values: &[(&str, Self::Number)]) -> Self::Number;
    fn is_padded(&self) -> bool;
    fn args(&self) -> Vec<Arg<'_>>;
    fn args_mut(&mut self) -> Vec<Arg<'_>>;
}

/// Nested bounds around a point, some of them infinite.
fn bounds(random: &mut Random, single: bool) -> ([f64; N], [f64; N]) {
    let mut points: Vec<f64> = (0..2 * N).map(|_| random.number(single)).collect();
    points.sort_by(f64::total_cmp);
    let (lower, upper) = (std::array::from_fn(|i| points[i]), std::array::from_fn(|i| points[2 * N - 1 - i]));
    let sound = |x: f64, bad: f64| if x == bad { 0.0 } else { x };
    // A lower bound is below ∞ and an upper one above −∞.
    if lower[N - 1] == f64::INFINITY || upper[N - 1] == f64::NEG_INFINITY {
        return ([0.0; N], [sound(upper[0], f64::NEG_INFINITY).max(1.0); N]);
    }
    (lower, upper)
}

macro_rules! tried_lu {
    ($t:ty, $single:expr) => {
        impl Tried for LuArray<$t> {
            type Number = FuzzyLu<$t, N>;
            fn random(random: &mut Random) -> Self::Number {
                let (lower, upper) = bounds(random, $single);
                FuzzyLu::from_cuts(lower.map(|x| x as $t), upper.map(|x| x as $t)).unwrap()
            }
            fn array(numbers: &[Self::Number]) -> Self {
                LuArray::from_numbers(numbers)
            }
            fn numbers(&self) -> Vec<Self::Number> {
                (0..self.len()).map(|at| self.number(at).unwrap()).collect()
            }
            fn mul_add(a: Self::Number, b: Self::Number, c: Self::Number) -> Self::Number {
                a.mul_add(&b, &c)
            }
            fn add(a: Self::Number, b: Self::Number) -> Self::Number {
                a + b
            }
            fn zero() -> Self::Number {
                FuzzyLu::crisp(0.0)
            }
            fn evaluate(expr: &Expr, values: &[(&str, Self::Number)]) -> Self::Number {
                expr.evaluate(values, Method::Direct).unwrap()
            }
            fn is_padded(&self) -> bool {
                padded(self.bounds(), 2 * N, self.len())
            }
            fn args(&self) -> Vec<Arg<'_>> {
                vec![Arg::slice(self.bounds())]
            }
            fn args_mut(&mut self) -> Vec<Arg<'_>> {
                vec![Arg::slice_mut(self.bounds_mut())]
            }
        }
    };
}
tried_lu!(f32, true);
tried_lu!(f64, false);

macro_rules! tried_mr {
    ($t:ty, $r:ty, $single:expr) => {
        impl Tried for MrArray<$t, $r> {
            type Number = FuzzyMr<$t, N, $r>;
            fn random(random: &mut Random) -> Self::Number {
                let midpoint = random.number($single) as $t;
                let mut radii: [$r; N] = std::array::from_fn(|_| (random.number($single) as $r).abs());
                radii.sort_by(|a, b| b.total_cmp(a));
                FuzzyMr::new(if midpoint.is_finite() { midpoint } else { 1.0 }, radii).unwrap()
            }
            fn array(numbers: &[Self::Number]) -> Self {
                MrArray::from_numbers(numbers)
            }
            fn numbers(&self) -> Vec<Self::Number> {
                (0..self.len()).map(|at| self.number(at).unwrap()).collect()
            }
            fn mul_add(a: Self::Number, b: Self::Number, c: Self::Number) -> Self::Number {
                a.mul_add(&b, &c)
            }
            fn add(a: Self::Number, b: Self::Number) -> Self::Number {
                a + b
            }
            fn zero() -> Self::Number {
                FuzzyMr::crisp(0.0)
            }
            fn evaluate(expr: &Expr, values: &[(&str, Self::Number)]) -> Self::Number {
                expr.evaluate(values, Method::Direct).unwrap()
            }
            fn is_padded(&self) -> bool {
                let (midpoints, radii) = self.planes();
                padded(midpoints, 1, self.len()) && padded(radii, N, self.len())
            }
            fn args(&self) -> Vec<Arg<'_>> {
                let (midpoints, radii) = self.planes();
                vec![Arg::slice(midpoints), Arg::slice(radii)]
            }
            fn args_mut(&mut self) -> Vec<Arg<'_>> {
                let (midpoints, radii) = self.planes_mut();
                vec![Arg::slice_mut(midpoints), Arg::slice_mut(radii)]
            }
        }
    };
}
tried_mr!(f32, f32, true);
tried_mr!(f64, f64, false);
tried_mr!(f64, f32, true);

fn some<A: Tried>(count: usize, seed: u64) -> Vec<A::Number> {
    let mut random = Random(seed);
    (0..count).map(|_| A::random(&mut random)).collect()
}

/// Whether the last block is filled up with zeros, given `planes` planes a block.
fn padded<T: Copy + Into<f64>>(values: &[T], planes: usize, len: usize) -> bool {
    let last = &values[values.len() - planes * LANES..];
    last.chunks(LANES).all(|plane| plane[(len - 1) % LANES + 1..].iter().all(|x| (*x).into() == 0.0))
}

const FORMULAS: [&str; 15] = [
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

fn formulas_agree<A: Tried>() {
    let (x, y, z) = (some::<A>(45, 1), some::<A>(45, 2), some::<A>(1, 3));
    let columns = [A::array(&x), A::array(&y), A::array(&z)];
    let exprs: Vec<Expr> = FORMULAS.iter().map(|text| Expr::new(text).unwrap()).collect();
    let formulas: Vec<Formula<'_>> = exprs
        .iter()
        .map(|expr| {
            let variables = expr.variables().len();
            Formula { steps: expr.steps(), variables, single: &[false, false, true][..variables] }
        })
        .collect();
    let Some(emulator) = or_skip(&text::evaluate(A::TYPES, N, &formulas)) else { return };
    for (k, (text, expr)) in FORMULAS.iter().zip(&exprs).enumerate() {
        let mut out = A::array(&some::<A>(x.len(), 4));
        let mut args: Vec<Arg<'_>> = columns[..formulas[k].variables].iter().flat_map(Tried::args).collect();
        args.extend(out.args_mut());
        args.push(Arg::value(x.len() as i64));
        emulator.launch(&format!("evaluate_{k}"), Grid::new(1, 32), Order::ALL[1], &mut args).unwrap();
        drop(args);
        for (i, out) in out.numbers().into_iter().enumerate() {
            let expected = A::evaluate(expr, &[("x", x[i]), ("y", y[i]), ("z", z[0])]);
            assert!(out == expected, "{text} of {:?}, {:?}: {out:?} for {expected:?}", x[i], y[i]);
        }
        assert!(out.is_padded(), "{text}");
    }
}

#[test]
fn emulated_formulas_of_bounds_are_the_operators_results() {
    formulas_agree::<LuArray<f32>>();
    formulas_agree::<LuArray<f64>>();
}

#[test]
fn emulated_formulas_of_midpoints_and_radii_are_the_operators_results() {
    formulas_agree::<MrArray<f32>>();
    formulas_agree::<MrArray<f64>>();
    formulas_agree::<MrArray<f64, f32>>();
}

/// c ← a·c + b in the emulator.
fn series<A: Tried>(
    a: &[A::Number],
    b: &[A::Number],
    c: &[A::Number],
    steps: usize,
) -> Option<Vec<A::Number>> {
    let one = a.len() == 1 && b.len() == 1;
    let emulator = or_skip(&text::axpy(A::TYPES, N, one))?;
    let (first, second, start) = (A::array(a), A::array(b), A::array(c));
    let mut out = A::array(&some::<A>(c.len(), 9));
    let mut args: Vec<Arg<'_>> = [&first, &second, &start].into_iter().flat_map(Tried::args).collect();
    args.extend(out.args_mut());
    args.extend([
        Arg::value(c.len() as i64),
        Arg::value(steps as i32),
        Arg::value(i32::from(a.len() == 1)),
        Arg::value(i32::from(b.len() == 1)),
    ]);
    emulator.launch("axpy_series", Grid::new(2, 32), Order::ALL[2], &mut args).unwrap();
    drop(args);
    assert!(out.is_padded());
    Some(out.numbers())
}

fn lu_series_agree<A: Tried>() {
    let (a, b, c) = (some::<A>(40, 5), some::<A>(40, 6), some::<A>(40, 7));
    for (a, b) in [(&a[..], &b[..]), (&a[..1], &b[..]), (&a[..], &b[..1]), (&a[3..4], &b[3..4])] {
        let Some(out) = series::<A>(a, b, &c, 3) else { return };
        for (i, out) in out.iter().enumerate() {
            let (a, b) = (a[i % a.len()], b[i % b.len()]);
            let expected = (0..3).fold(c[i], |c, _| A::mul_add(a, c, b));
            assert!(*out == expected, "{a:?} · {:?} + {b:?}: {out:?} for {expected:?}", c[i]);
        }
    }
}

#[test]
fn emulated_series_of_bounds_are_repeated_products_and_sums() {
    lu_series_agree::<LuArray<f32>>();
    lu_series_agree::<LuArray<f64>>();
}

#[test]
fn emulated_sums_keep_the_order_of_the_definition() {
    fn agree<A: Tried>() {
        let numbers = 2 * CHUNK * LANES;
        let program = text::sums(A::TYPES, N, CHUNK);
        let Some(emulator) = or_skip(&program) else { return };
        // Two chunks, the second nearly empty.
        let mut x = some::<A>(CHUNK * LANES + 5, 11);
        x.resize(numbers, A::zero());
        let mut y = some::<A>(CHUNK * LANES + 5, 12);
        y.resize(numbers, A::zero());
        let (first, second) = (A::array(&x), A::array(&y));
        for dot in [false, true] {
            let mut parts = A::array(&[A::zero(); 2]);
            let mut args = first.args();
            if dot {
                args.extend(second.args());
            }
            args.extend(parts.args_mut());
            args.push(Arg::value(2i64));
            let mut grid = Grid::new(1, 64);
            grid.blocks[1] = N as u32;
            if dot {
                emulator.launch("dot_chunks", grid, Order::ALL[0], &mut args).unwrap();
            } else {
                emulator.launch("sum_chunks", grid, Order::ALL[0], &mut args).unwrap();
            }
            drop(args);
            let expected: Vec<A::Number> = (0..2).map(|chunk| definition::<A>(&x, &y, dot, chunk)).collect();
            assert_eq!(parts.numbers(), expected);
            let (total, mut out) = (A::array(&x[..1]), A::array(&[A::zero()]));
            let mut args =
                [total.args(), parts.args(), out.args_mut()].into_iter().flatten().collect::<Vec<_>>();
            args.push(Arg::value(2i64));
            emulator.launch("join_chunks", Grid::new(1, 32), Order::ALL[1], &mut args).unwrap();
            drop(args);
            assert_eq!(out.numbers()[0], A::add(A::add(x[0], expected[0]), expected[1]));
        }
    }
    agree::<LuArray<f64>>();
    agree::<MrArray<f64, f32>>();
}

/// What a chunk amounts to: lane by lane, then lanes by halves.
fn definition<A: Tried>(x: &[A::Number], y: &[A::Number], dot: bool, chunk: usize) -> A::Number {
    let mut lanes = [A::zero(); LANES];
    for at in chunk * CHUNK * LANES..(chunk + 1) * CHUNK * LANES {
        let sum = &mut lanes[at % LANES];
        *sum = if dot { A::mul_add(x[at], y[at], *sum) } else { A::add(*sum, x[at]) };
    }
    let mut half = LANES / 2;
    while half > 0 {
        for j in 0..half {
            lanes[j] = A::add(lanes[j], lanes[j + half]);
        }
        half /= 2;
    }
    lanes[0]
}
