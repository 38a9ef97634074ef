//! The kernels in the emulator: bounds, midpoints and radii are the scalar operations' to the bit.

use crate::arithmetic::array::LANES;
use crate::arithmetic::cuda::CHUNK;
use crate::arithmetic::cuda::text::{self, Formula};
use crate::arithmetic::samples::{CUTS, FORMULAS, Sampled};
use crate::arithmetic::{Expr, LuArray, MrArray};
use crate::device::cuda::Grid;
use crate::device::cuda::emulator::{Arg, Order, or_skip};

/// An array as a kernel's arguments.
trait Passed: Sampled {
    fn is_padded(&self) -> bool;
    fn args(&self) -> Vec<Arg<'_>>;
    fn args_mut(&mut self) -> Vec<Arg<'_>>;
}

macro_rules! passed {
    (lu $t:ty) => {
        impl Passed for LuArray<$t> {
            fn is_padded(&self) -> bool {
                padded(self.bounds(), 2 * CUTS, self.len())
            }
            fn args(&self) -> Vec<Arg<'_>> {
                vec![Arg::slice(self.bounds())]
            }
            fn args_mut(&mut self) -> Vec<Arg<'_>> {
                vec![Arg::slice_mut(self.bounds_mut())]
            }
        }
    };
    (mr $t:ty, $r:ty) => {
        impl Passed for MrArray<$t, $r> {
            fn is_padded(&self) -> bool {
                let (midpoints, radii) = self.planes();
                padded(midpoints, 1, self.len()) && padded(radii, CUTS, self.len())
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
passed!(lu f32);
passed!(lu f64);
passed!(mr f32, f32);
passed!(mr f64, f64);
passed!(mr f64, f32);

fn some<A: Sampled>(count: usize, seed: u64) -> Vec<A::Number> {
    A::some(count, seed).unwrap()
}

/// Whether the last block is filled up with zeros, given `planes` planes a block.
fn padded<T: Copy + Into<f64>>(values: &[T], planes: usize, len: usize) -> bool {
    let last = &values[values.len() - planes * LANES..];
    last.chunks(LANES).all(|plane| plane[(len - 1) % LANES + 1..].iter().all(|x| (*x).into() == 0.0))
}

fn formulas_agree<A: Passed>() {
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
    let Some(emulator) = or_skip(&text::evaluate(A::TYPES, CUTS, &formulas)) else { return };
    for (k, (text, expr)) in FORMULAS.iter().zip(&exprs).enumerate() {
        let mut out = A::array(&some::<A>(x.len(), 4));
        let mut args: Vec<Arg<'_>> = columns[..formulas[k].variables].iter().flat_map(Passed::args).collect();
        args.extend(out.args_mut());
        args.push(Arg::value(x.len() as i64));
        emulator.launch(&format!("evaluate_{k}"), Grid::new(1, 32), Order::ALL[1], &mut args).unwrap();
        drop(args);
        for (i, out) in out.numbers().unwrap().into_iter().enumerate() {
            let expected = A::evaluate(expr, &[("x", x[i]), ("y", y[i]), ("z", z[0])]).unwrap();
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
fn series<A: Passed>(
    a: &[A::Number],
    b: &[A::Number],
    c: &[A::Number],
    steps: usize,
) -> Option<Vec<A::Number>> {
    let one = a.len() == 1 && b.len() == 1;
    let emulator = or_skip(&text::axpy(A::TYPES, CUTS, one))?;
    let (first, second, start) = (A::array(a), A::array(b), A::array(c));
    let mut out = A::array(&some::<A>(c.len(), 9));
    let mut args: Vec<Arg<'_>> = [&first, &second, &start].into_iter().flat_map(Passed::args).collect();
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
    Some(out.numbers().unwrap())
}

fn series_agree<A: Passed>() {
    let (a, b, c) = (some::<A>(40, 5), some::<A>(40, 6), some::<A>(40, 7));
    for (a, b) in [(&a[..], &b[..]), (&a[..1], &b[..]), (&a[..], &b[..1]), (&a[3..4], &b[3..4])] {
        let Some(out) = series::<A>(a, b, &c, 3) else { return };
        for (i, out) in out.iter().enumerate() {
            let (a, b) = (a[i % a.len()], b[i % b.len()]);
            let expected = A::repeated(c[i], a, b, 3);
            assert!(*out == expected, "{a:?} · {:?} + {b:?}: {out:?} for {expected:?}", c[i]);
        }
    }
}

#[test]
fn emulated_series_are_the_scalar_ones() {
    series_agree::<LuArray<f32>>();
    series_agree::<LuArray<f64>>();
    series_agree::<MrArray<f32>>();
    series_agree::<MrArray<f64>>();
    series_agree::<MrArray<f64, f32>>();
}

#[test]
fn emulated_sums_keep_the_order_of_the_definition() {
    fn agree<A: Passed>() {
        let numbers = 2 * CHUNK * LANES;
        let program = text::sums(A::TYPES, CUTS, CHUNK);
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
            grid.blocks[1] = CUTS as u32;
            if dot {
                emulator.launch("dot_chunks", grid, Order::ALL[0], &mut args).unwrap();
            } else {
                emulator.launch("sum_chunks", grid, Order::ALL[0], &mut args).unwrap();
            }
            drop(args);
            let part = |chunk: usize| {
                let range = chunk * CHUNK * LANES..(chunk + 1) * CHUNK * LANES;
                A::added(&x[range.clone()], dot.then(|| &y[range]))
            };
            let expected = [part(0), part(1)];
            assert_eq!(parts.numbers().unwrap(), expected);
            let (total, mut out) = (A::array(&x[..1]), A::array(&[A::zero()]));
            let mut args =
                [total.args(), parts.args(), out.args_mut()].into_iter().flatten().collect::<Vec<_>>();
            args.push(Arg::value(2i64));
            emulator.launch("join_chunks", Grid::new(1, 32), Order::ALL[1], &mut args).unwrap();
            drop(args);
            assert_eq!(out.numbers().unwrap()[0], A::add(A::add(x[0], expected[0]), expected[1]));
        }
    }
    agree::<LuArray<f64>>();
    agree::<MrArray<f64, f32>>();
}
