//! CUDA kernels in the emulator against the scalar operations, bit by bit.

use crate::arithmetic::array::LANES;
use crate::arithmetic::array::scalar_reference::{CUTS, FORMULAS, ScalarReference};
use crate::arithmetic::cuda::CHUNK;
use crate::arithmetic::cuda::source::{self, Formula};
use crate::arithmetic::{Expr, LuArray, MrArray};
use crate::device::cuda::Grid;
use crate::device::cuda::emulator::{Arg, Order, or_skip};

/// Array that can be passed to an emulated kernel.
trait KernelArray: ScalarReference {
    fn is_padded(&self) -> bool;
    fn args(&self) -> Vec<Arg<'_>>;
    fn args_mut(&mut self) -> Vec<Arg<'_>>;
}

macro_rules! kernel_array {
    (lu $t:ty) => {
        impl KernelArray for LuArray<$t> {
            fn is_padded(&self) -> bool {
                is_zero_padded(self.bounds(), 2 * CUTS, self.len())
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
        impl KernelArray for MrArray<$t, $r> {
            fn is_padded(&self) -> bool {
                let (midpoints, radii) = self.planes();
                is_zero_padded(midpoints, 1, self.len()) && is_zero_padded(radii, CUTS, self.len())
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
kernel_array!(lu f32);
kernel_array!(lu f64);
kernel_array!(mr f32, f32);
kernel_array!(mr f64, f64);
kernel_array!(mr f64, f32);

fn random_numbers<A: ScalarReference>(count: usize, seed: u64) -> Vec<A::Number> {
    A::random_numbers(count, seed).unwrap()
}

/// Whether the last block is padded with zeros, with `planes` planes per block.
fn is_zero_padded<T: Copy + Into<f64>>(values: &[T], planes: usize, len: usize) -> bool {
    let last = &values[values.len() - planes * LANES..];
    last.chunks(LANES).all(|plane| plane[(len - 1) % LANES + 1..].iter().all(|x| (*x).into() == 0.0))
}

fn formulas_agree<A: KernelArray>() {
    let (x, y, z) = (random_numbers::<A>(45, 1), random_numbers::<A>(45, 2), random_numbers::<A>(1, 3));
    let columns = [A::array(&x), A::array(&y), A::array(&z)];
    let exprs: Vec<Expr> = FORMULAS.iter().map(|text| Expr::new(text).unwrap()).collect();
    let formulas: Vec<Formula<'_>> = exprs
        .iter()
        .map(|expr| {
            let variables = expr.variables().len();
            Formula { program: expr.program(), variables, broadcast: &[false, false, true][..variables] }
        })
        .collect();
    let Some(emulator) = or_skip(&source::evaluate(A::TYPES, CUTS, &formulas)) else { return };
    for (k, (text, expr)) in FORMULAS.iter().zip(&exprs).enumerate() {
        let mut out = A::array(&random_numbers::<A>(x.len(), 4));
        let mut args: Vec<Arg<'_>> =
            columns[..formulas[k].variables].iter().flat_map(KernelArray::args).collect();
        args.extend(out.args_mut());
        args.push(Arg::value(x.len() as i64));
        emulator.launch(&format!("evaluate_{k}"), Grid::new(1, 32), Order::ALL[1], &mut args).unwrap();
        drop(args);
        for (i, out) in out.numbers().unwrap().into_iter().enumerate() {
            let expected = A::evaluate(expr, &[("x", x[i]), ("y", y[i]), ("z", z[0])]).unwrap();
            assert!(out == expected, "{text} of {:?}, {:?}: {out:?}, expected {expected:?}", x[i], y[i]);
        }
        assert!(out.is_padded(), "{text}");
    }
}

#[test]
fn emulated_lower_upper_formulas_equal_the_operators() {
    formulas_agree::<LuArray<f32>>();
    formulas_agree::<LuArray<f64>>();
}

#[test]
fn emulated_midpoint_radius_formulas_equal_the_operators() {
    formulas_agree::<MrArray<f32>>();
    formulas_agree::<MrArray<f64>>();
    formulas_agree::<MrArray<f64, f32>>();
}

/// The iteration c ← a·c + b in the emulator.
fn iterate<A: KernelArray>(
    a: &[A::Number],
    b: &[A::Number],
    c: &[A::Number],
    steps: usize,
) -> Option<Vec<A::Number>> {
    let broadcast = a.len() == 1 && b.len() == 1;
    let emulator = or_skip(&source::axpy(A::TYPES, CUTS, broadcast))?;
    let (first, second, start) = (A::array(a), A::array(b), A::array(c));
    let mut out = A::array(&random_numbers::<A>(c.len(), 9));
    let mut args: Vec<Arg<'_>> = [&first, &second, &start].into_iter().flat_map(KernelArray::args).collect();
    args.extend(out.args_mut());
    args.extend([
        Arg::value(c.len() as i64),
        Arg::value(steps as i32),
        Arg::value(i32::from(a.len() == 1)),
        Arg::value(i32::from(b.len() == 1)),
    ]);
    emulator.launch("iterate_axpy", Grid::new(2, 32), Order::ALL[2], &mut args).unwrap();
    drop(args);
    assert!(out.is_padded());
    Some(out.numbers().unwrap())
}

fn iterations_agree<A: KernelArray>() {
    let (a, b, c) = (random_numbers::<A>(40, 5), random_numbers::<A>(40, 6), random_numbers::<A>(40, 7));
    for (a, b) in [(&a[..], &b[..]), (&a[..1], &b[..]), (&a[..], &b[..1]), (&a[3..4], &b[3..4])] {
        let Some(out) = iterate::<A>(a, b, &c, 3) else { return };
        for (i, out) in out.iter().enumerate() {
            let (a, b) = (a[i % a.len()], b[i % b.len()]);
            let expected = A::scalar_axpy(c[i], a, b, 3);
            assert!(*out == expected, "{a:?} · {:?} + {b:?}: {out:?}, expected {expected:?}", c[i]);
        }
    }
}

#[test]
fn emulated_iterations_equal_the_scalar_ones() {
    iterations_agree::<LuArray<f32>>();
    iterations_agree::<LuArray<f64>>();
    iterations_agree::<MrArray<f32>>();
    iterations_agree::<MrArray<f64>>();
    iterations_agree::<MrArray<f64, f32>>();
}

#[test]
fn emulated_sums_are_computed_in_the_defined_order() {
    fn agree<A: KernelArray>() {
        let numbers = 2 * CHUNK * LANES;
        let program = source::sums(A::TYPES, CUTS, CHUNK);
        let Some(emulator) = or_skip(&program) else { return };
        // Two chunks, the second nearly empty.
        let mut x = random_numbers::<A>(CHUNK * LANES + 5, 11);
        x.resize(numbers, A::zero());
        let mut y = random_numbers::<A>(CHUNK * LANES + 5, 12);
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
                A::reference_sum(&x[range.clone()], dot.then(|| &y[range]))
            };
            let expected = [part(0), part(1)];
            assert_eq!(parts.numbers().unwrap(), expected);
            let (total, mut out) = (A::array(&x[..1]), A::array(&[A::zero()]));
            let mut args =
                [total.args(), parts.args(), out.args_mut()].into_iter().flatten().collect::<Vec<_>>();
            args.push(Arg::value(2i64));
            emulator.launch("add_chunk_sums", Grid::new(1, 32), Order::ALL[1], &mut args).unwrap();
            drop(args);
            assert_eq!(out.numbers().unwrap()[0], A::add(A::add(x[0], expected[0]), expected[1]));
        }
    }
    agree::<LuArray<f64>>();
    agree::<MrArray<f64, f32>>();
}
