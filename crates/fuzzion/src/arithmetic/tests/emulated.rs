//! CUDA back end in the emulator against the scalar operations, bit by bit.

use crate::arithmetic::array::LANES;
use crate::arithmetic::array::scalar_reference::{CUTS, FORMULAS, ScalarReference};
use crate::arithmetic::cuda::evaluate::EvaluateKernel;
use crate::arithmetic::cuda::source::{self, Formula};
use crate::arithmetic::cuda::{self, CHUNK};
use crate::arithmetic::{Expr, LuArray, MrArray};
use crate::device::Cuda;
use crate::device::cuda::emulator::Order;
use crate::progress::Progress;

/// Tests that together run every launch of this module.
pub(crate) const LAUNCHING_TESTS: &[fn()] = &[
    formulas_agree::<LuArray<f64>>,
    emulated_formulas_are_streamed_with_broadcast_columns_and_literals,
    iterations_agree::<LuArray<f64>>,
    emulated_sums_are_computed_in_the_defined_order,
    super::device_arrays::emulated_sums_and_iterations_equal_those_of_host_arrays,
];

/// Array with planes that are padded to whole blocks.
trait Padded: ScalarReference {
    fn is_padded(&self) -> bool;
}

macro_rules! padded {
    (lu $t:ty) => {
        impl Padded for LuArray<$t> {
            fn is_padded(&self) -> bool {
                is_zero_padded(self.bounds(), 2 * CUTS, self.len())
            }
        }
    };
    (mr $t:ty, $r:ty) => {
        impl Padded for MrArray<$t, $r> {
            fn is_padded(&self) -> bool {
                let (midpoints, radii) = self.planes();
                is_zero_padded(midpoints, 1, self.len()) && is_zero_padded(radii, CUTS, self.len())
            }
        }
    };
}
padded!(lu f32);
padded!(lu f64);
padded!(mr f32, f32);
padded!(mr f64, f64);
padded!(mr f64, f32);

fn random_numbers<A: ScalarReference>(count: usize, seed: u64) -> Vec<A::Number> {
    A::random_numbers(count, seed).unwrap()
}

/// Whether the last block is padded with zeros, with `planes` planes per block.
fn is_zero_padded<T: Copy + Into<f64>>(values: &[T], planes: usize, len: usize) -> bool {
    let last = &values[values.len() - planes * LANES..];
    last.chunks(LANES).all(|plane| plane[(len - 1) % LANES + 1..].iter().all(|x| (*x).into() == 0.0))
}

/// An array of `len` numbers in GPU memory, copied to host memory.
fn download<A: Padded>(buffers: &A::Buffers, len: usize, cuda: &Cuda) -> A {
    let mut array = A::zeros(CUTS, len).unwrap();
    array.download(buffers, cuda, &Progress::none()).unwrap();
    array
}

fn formulas_agree<A: Padded>() {
    let Some(cuda) = Cuda::emulated(Order::ALL[1]) else { return };
    let (x, y, z) = (random_numbers::<A>(45, 1), random_numbers::<A>(45, 2), random_numbers::<A>(1, 3));
    let columns = [&x, &y, &z].map(|numbers| A::array(numbers).upload(&cuda, &Progress::none()).unwrap());
    let exprs: Vec<Expr> = FORMULAS.iter().map(|text| Expr::new(text).unwrap()).collect();
    let formulas: Vec<Formula<'_>> = exprs
        .iter()
        .map(|expr| {
            let variables = expr.variables().len();
            Formula { program: expr.program(), variables, broadcast: &[false, false, true][..variables] }
        })
        .collect();
    // One program for all formulas, because compilation takes most of the time.
    let program = source::evaluate(A::TYPES, CUTS, &formulas);
    for (k, (text, expr)) in FORMULAS.iter().zip(&exprs).enumerate() {
        let kernel = EvaluateKernel::of(cuda.kernel(&program, &format!("evaluate_{k}")).unwrap());
        let mut out = A::array(&random_numbers::<A>(x.len(), 4)).upload(&cuda, &Progress::none()).unwrap();
        let columns: Vec<_> = columns[..formulas[k].variables].iter().collect();
        kernel.launch::<A>(&cuda, &columns, &mut out, x.len()).unwrap();
        let out = download::<A>(&out, x.len(), &cuda);
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

#[test]
fn emulated_formulas_are_streamed_with_broadcast_columns_and_literals() {
    fn agree<A: Padded>() {
        let Some(cuda) = Cuda::emulated(Order::ALL[3]) else { return };
        let (x, y, z) = (random_numbers::<A>(45, 1), random_numbers::<A>(45, 2), random_numbers::<A>(1, 3));
        let columns = [&x, &y, &z].map(|numbers| A::array(numbers));
        let expr = Expr::new("fma(x, y, z) - 3").unwrap();
        let literal = A::array(&[A::evaluate(&Expr::new("3").unwrap(), &[]).unwrap()]);
        let mut out = A::array(&random_numbers::<A>(x.len(), 4));
        let columns = [&columns[0], &columns[1], &columns[2]];
        cuda::run(expr.program(), &columns, &[literal], &mut out, &cuda, &Progress::none()).unwrap();
        for (i, out) in out.numbers().unwrap().into_iter().enumerate() {
            let expected = A::evaluate(&expr, &[("x", x[i]), ("y", y[i]), ("z", z[0])]).unwrap();
            assert!(out == expected, "{:?}, {:?}: {out:?}, expected {expected:?}", x[i], y[i]);
        }
        assert!(out.is_padded());
    }
    agree::<LuArray<f64>>();
    agree::<MrArray<f64, f32>>();
}

fn iterations_agree<A: Padded>() {
    let Some(cuda) = Cuda::emulated(Order::ALL[2]) else { return };
    let (a, b, c) = (random_numbers::<A>(40, 5), random_numbers::<A>(40, 6), random_numbers::<A>(40, 7));
    for (a, b) in [(&a[..], &b[..]), (&a[..1], &b[..]), (&a[..], &b[..1]), (&a[3..4], &b[3..4])] {
        let mut out = A::array(&c);
        cuda::axpy(&mut out, &A::array(a), &A::array(b), 3, &cuda, &Progress::none()).unwrap();
        for (i, out) in out.numbers().unwrap().into_iter().enumerate() {
            let (a, b) = (a[i % a.len()], b[i % b.len()]);
            let expected = A::scalar_axpy(c[i], a, b, 3);
            assert!(out == expected, "{a:?} · {:?} + {b:?}: {out:?}, expected {expected:?}", c[i]);
        }
        assert!(out.is_padded());
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
    fn agree<A: Padded>() {
        // Two chunks, the second nearly empty.
        let x = random_numbers::<A>(CHUNK * LANES + 5, 11);
        let y = random_numbers::<A>(CHUNK * LANES + 5, 12);
        let (first, second) = (A::array(&x), A::array(&y));
        for (order, other) in [(Order::ALL[0], None), (Order::ALL[1], Some((&second, &y[..])))] {
            let Some(cuda) = Cuda::emulated(order) else { return };
            let sum = cuda::sum(&first, other.map(|(array, _)| array), &cuda, &Progress::none()).unwrap();
            assert_eq!(sum.numbers().unwrap(), [A::reference_sum(&x, other.map(|(_, y)| y))]);
        }
    }
    agree::<LuArray<f64>>();
    agree::<MrArray<f64, f32>>();
}
