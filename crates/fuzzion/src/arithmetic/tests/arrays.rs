//! Array operations against the scalar operations, bit by bit.

use super::oracle::Random;
use crate::arithmetic::cpu;
use crate::arithmetic::expr::{Binary, PostfixOp, Unary};

use crate::arithmetic::{FuzzyLu, FuzzyMr, LuArray, MrArray};
use crate::device::{Cpu, Simd};
use crate::progress::Progress;

pub(super) const UNARY: [Unary; 13] = [
    Unary::Neg,
    Unary::Recip,
    Unary::Sqr,
    Unary::Sqrt,
    Unary::Exp,
    Unary::Log,
    Unary::Abs,
    Unary::Powi(0),
    Unary::Powi(1),
    Unary::Powi(3),
    Unary::Powi(6),
    Unary::Powi(-2),
    Unary::Powi(-5),
];
pub(super) const BINARY: [Binary; 6] =
    [Binary::Add, Binary::Sub, Binary::Mul, Binary::Div, Binary::Min, Binary::Max];

/// Scalar number with its array type and uniform method names.
pub(super) trait Number: Copy + std::fmt::Debug {
    type Array: cpu::CpuArray;
    fn random(random: &mut Random, kind: u64) -> Self;
    fn array(numbers: &[Self]) -> Self::Array;
    fn element(array: &Self::Array, at: usize) -> Self;
    fn unary(&self, operation: Unary) -> Self;
    fn binary(&self, operation: Binary, other: &Self) -> Self;
    fn fused(&self, factor: &Self, addend: &Self) -> Self;
    fn zero() -> Self;
    /// The iteration c ← a·c + b, `steps` times.
    fn iterate(c: &Self, a: &Self, b: &Self, steps: usize) -> Self;
    /// All components as bits.
    fn bits(&self) -> Vec<u64>;
}

macro_rules! number {
    ($fuzzy:ident<$($of:tt),*>, $array:ty, $random:item, $bits:item, $iterate:item) => {
        impl<const N: usize> Number for $fuzzy<$($of),*> {
            type Array = $array;
            $random
            $bits
            $iterate
            fn zero() -> Self {
                $fuzzy::crisp(0.0)
            }
            fn array(numbers: &[Self]) -> Self::Array {
                <$array>::from_numbers(numbers)
            }
            fn element(array: &Self::Array, at: usize) -> Self {
                array.number(at).unwrap()
            }
            fn unary(&self, operation: Unary) -> Self {
                match operation {
                    Unary::Neg => -*self,
                    Unary::Recip => self.recip(),
                    Unary::Sqr => self.sqr(),
                    Unary::Sqrt => self.sqrt(),
                    Unary::Exp => self.exp(),
                    Unary::Log => self.log(),
                    Unary::Abs => self.abs(),
                    Unary::Powi(n) => self.powi(n),
                }
            }
            fn binary(&self, operation: Binary, other: &Self) -> Self {
                match operation {
                    Binary::Add => *self + *other,
                    Binary::Sub => *self - *other,
                    Binary::Mul => *self * *other,
                    Binary::Div => *self / *other,
                    Binary::Min => self.min(other),
                    Binary::Max => self.max(other),
                }
            }
            fn fused(&self, factor: &Self, addend: &Self) -> Self {
                self.mul_add(factor, addend)
            }
        }
    };
}

/// Random bound: any number (0), moderate (1), moderate and positive (2), or mostly moderate (3).
pub(super) fn bound(random: &mut Random, kind: u64, single: bool) -> f64 {
    let moderate = (random.below(1 << 20) as f64 - (1 << 19) as f64) / 1000.7;
    let value = match kind {
        0 => random.number(single),
        1 => moderate,
        2 => moderate.abs(),
        _ if random.below(40) == 0 => random.number(single),
        _ => moderate,
    };
    if single { f64::from(value as f32) } else { value }
}

macro_rules! lower_upper {
    ($t:ident) => {
        number!(
            FuzzyLu<$t, N>,
            LuArray<$t>,
            fn random(random: &mut Random, kind: u64) -> Self {
                let mut ends: Vec<$t> =
                    (0..2 * N).map(|_| bound(random, kind, size_of::<$t>() == 4) as $t).collect();
                if random.below(16) == 0 {
                    ends = vec![ends[0]; 2 * N];
                }
                ends.sort_by(|a, b| a.total_cmp(b));
                let upper: [$t; N] = std::array::from_fn(|i| ends[2 * N - 1 - i]);
                let number = FuzzyLu::from_cuts(std::array::from_fn(|i| ends[i]), upper);
                number.unwrap_or_else(|_| FuzzyLu::crisp(1.0)) // both bounds infinite
            },
            fn bits(&self) -> Vec<u64> {
                self.lower().iter().chain(self.upper()).map(|x| f64::from(*x).to_bits()).collect()
            },
            fn iterate(c: &Self, a: &Self, b: &Self, steps: usize) -> Self {
                c.axpy(a, b, steps)
            }
        );
    };
}
lower_upper!(f32);
lower_upper!(f64);

macro_rules! midpoint_radius {
    ($t:ident, $r:ident) => {
        number!(
            FuzzyMr<$t, N, $r>,
            MrArray<$t, $r>,
            fn random(random: &mut Random, kind: u64) -> Self {
                let midpoint = bound(random, kind, size_of::<$t>() == 4) as $t;
                let mut radii: [$r; N] = std::array::from_fn(|_| bound(random, kind, size_of::<$r>() == 4).abs() as $r);
                match random.below(4) {
                    0 => radii.fill(0.0),
                    1 => radii = radii.map(|_| (midpoint.abs() * random.below(17) as $t / 16.0) as $r),
                    2 => radii = radii.map(|radius| radius / 1024.0),
                    _ => {}
                }
                radii.sort_by(|a, b| b.total_cmp(a));
                FuzzyMr::new(midpoint, radii).unwrap_or_else(|_| FuzzyMr::crisp(1.0)) // infinite midpoint
            },
            fn bits(&self) -> Vec<u64> {
                let radii = self.radii().iter().map(|radius| f64::from(*radius).to_bits());
                radii.chain([f64::from(self.midpoint()).to_bits()]).collect()
            },
            /// The definition of the iteration, with scalar operations.
            fn iterate(c: &Self, a: &Self, b: &Self, steps: usize) -> Self {
                c.axpy(a, b, steps)
            }
        );
    };
}
midpoint_radius!(f32, f32);
midpoint_radius!(f64, f64);
midpoint_radius!(f64, f32);

/// Random numbers, one kind of bounds per block.
pub(super) fn random_numbers<F: Number>(random: &mut Random, len: usize) -> Vec<F> {
    let mut kind = 0;
    (0..len)
        .map(|i| {
            if i % 16 == 0 {
                kind = random.below(4);
            }
            F::random(random, kind)
        })
        .collect()
}

/// One CPU per supported instruction set.
pub(super) fn cpus() -> impl Iterator<Item = Cpu> {
    Simd::all().into_iter().map(|simd| Cpu::with_threads(2).unwrap().with_simd(simd))
}

/// Result of a program over columns.
fn run_program<F: Number>(steps: &[PostfixOp], columns: &[&F::Array], len: usize, cpu: &Cpu) -> Vec<F> {
    use crate::arithmetic::array::{ArrayShape, FuzzyArray};
    let mut out = F::Array::zeros(columns[0].cut_count(), len).unwrap();
    cpu::run(steps, columns, &[], &mut out, cpu, &Progress::none()).unwrap();
    (0..len).map(|i| F::element(&out, i)).collect()
}

#[track_caller]
fn assert_identical<F: Number>(
    found: &[F],
    expected: impl Fn(usize) -> F,
    what: &dyn std::fmt::Debug,
    operands: &[&[F]],
) {
    for (i, found) in found.iter().enumerate() {
        let expected = expected(i);
        let operands: Vec<F> = operands.iter().map(|column| column[i]).collect();
        assert_eq!(found.bits(), expected.bits(), "{what:?} of {operands:?}: {found:?}, not {expected:?}");
    }
}

/// Checks every operation on every instruction set against the scalar methods.
fn operations_are_identical<F: Number>(seed: u64, len: usize) {
    let random = &mut Random(seed);
    let [a, b, c] = [(); 3].map(|()| random_numbers::<F>(random, len));
    let [column_a, column_b, column_c] = [&a, &b, &c].map(|numbers| F::array(numbers));
    for cpu in cpus() {
        for operation in UNARY {
            let steps = [PostfixOp::Variable(0), PostfixOp::Unary(operation)];
            let found = run_program::<F>(&steps, &[&column_a], len, &cpu);
            assert_identical(&found, |i| a[i].unary(operation), &(&cpu, operation), &[&a]);
        }
        for operation in BINARY {
            let steps = [PostfixOp::Variable(0), PostfixOp::Variable(1), PostfixOp::Binary(operation)];
            let found = run_program::<F>(&steps, &[&column_a, &column_b], len, &cpu);
            assert_identical(&found, |i| a[i].binary(operation, &b[i]), &(&cpu, operation), &[&a, &b]);
        }
        let steps =
            [PostfixOp::Variable(0), PostfixOp::Variable(1), PostfixOp::Variable(2), PostfixOp::MulAdd];
        let found = run_program::<F>(&steps, &[&column_a, &column_b, &column_c], len, &cpu);
        assert_identical(&found, |i| a[i].fused(&b[i], &c[i]), &(&cpu, "a·b + c"), &[&a, &b, &c]);
    }
}

macro_rules! bit_identical {
    ($($name:ident: $($number:ty),*;)*) => {
        $(
            #[test]
            fn $name() {
                $(operations_are_identical::<$number>(size_of::<$number>() as u64, 16 * 21 + 5);)*
            }
        )*
    };
}
bit_identical! {
    double_lower_upper_arrays_equal_scalar_operations:
        FuzzyLu<f64, 1>, FuzzyLu<f64, 2>, FuzzyLu<f64, 3>, FuzzyLu<f64, 8>, FuzzyLu<f64, 24>;
    single_lower_upper_arrays_equal_scalar_operations:
        FuzzyLu<f32, 1>, FuzzyLu<f32, 2>, FuzzyLu<f32, 3>, FuzzyLu<f32, 8>, FuzzyLu<f32, 24>;
    double_midpoint_radius_arrays_equal_scalar_operations:
        FuzzyMr<f64, 1>, FuzzyMr<f64, 2>, FuzzyMr<f64, 3>, FuzzyMr<f64, 8>, FuzzyMr<f64, 24>;
    single_midpoint_radius_arrays_equal_scalar_operations:
        FuzzyMr<f32, 1>, FuzzyMr<f32, 2>, FuzzyMr<f32, 3>, FuzzyMr<f32, 8>, FuzzyMr<f32, 24>;
    mixed_midpoint_radius_arrays_equal_scalar_operations:
        FuzzyMr<f64, 1, f32>, FuzzyMr<f64, 2, f32>, FuzzyMr<f64, 3, f32>, FuzzyMr<f64, 8, f32>, FuzzyMr<f64, 24, f32>;
}
