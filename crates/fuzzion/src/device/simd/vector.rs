//! Vectors as values, for the few loops whose many sums the compiler does not keep in registers by itself.
//!
//! A body that is generic over [`Vector`] is compiled once per level by [`vectors`]; all levels have the same number
//! of lanes, so that they sum in the same order.

#![allow(unsafe_code)] // a vector instruction is unsafe to call from a function not compiled for it

use crate::device::math::Real;
use std::ops::{Add, Div, Mul, Sub};

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

/// `L` numbers that are computed with at once.
pub(crate) trait Vector<T: Real, const L: usize>:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// Whether there are 32 registers that hold a whole one each; otherwise they are few and small.
    const ROOMY: bool = false;

    fn splat(x: T) -> Self;
    fn load(from: &[T; L]) -> Self;
    fn store(self, to: &mut [T; L]);
    /// `self·b + c`, fused where the instructions are there.
    fn mul_add(self, b: Self, c: Self) -> Self;
    /// The smaller ones; `b` where either is NaN.
    fn least(self, b: Self) -> Self;
    /// The larger ones; `b` where either is NaN.
    fn most(self, b: Self) -> Self;

    /// 1/`self` within two units in the last place; of 0, of what is not normal and of infinity it may be NaN.
    #[inline(always)]
    fn reciprocal(self) -> Self {
        Self::splat(T::ONE) / self
    }

    /// The first four columns of `L` rows that begin `stride` numbers apart, each as a vector.
    #[inline(always)]
    fn turn(rows: &[T], stride: usize) -> [Self; 4] {
        let mut columns = [[T::ZERO; L]; 4];
        for row in 0..L {
            for (column, x) in columns.iter_mut().zip(&rows[row * stride..][..4]) {
                column[row] = *x;
            }
        }
        [Self::load(&columns[0]), Self::load(&columns[1]), Self::load(&columns[2]), Self::load(&columns[3])]
    }

    /// Asks for the cache line of `x`, to be there when it is needed.
    #[inline(always)]
    fn prefetch(_x: &T) {}
}

/// The vectors of a number on every level.
pub(crate) trait Vectors {
    #[cfg(target_arch = "x86_64")]
    type Avx512;
    #[cfg(target_arch = "x86_64")]
    type Avx2;
    type Plain<const FMA: bool>;
}

impl Vectors for f32 {
    #[cfg(target_arch = "x86_64")]
    type Avx512 = Avx512F32;
    #[cfg(target_arch = "x86_64")]
    type Avx2 = Pair<Avx2F32>;
    type Plain<const FMA: bool> = Pair<Pair<Four<f32, FMA>>>;
}

impl Vectors for f64 {
    #[cfg(target_arch = "x86_64")]
    type Avx512 = Avx512F64;
    #[cfg(target_arch = "x86_64")]
    type Avx2 = Pair<Avx2F64>;
    type Plain<const FMA: bool> = Pair<Four<f64, FMA>>;
}

/// Compiles a body once per [`SimdLevel`](super::SimdLevel) with the vectors of that level, and picks one at run time.
///
/// `vectors! { fn sweep(x: &[f32]) = sweep_body::<f32, 16>; }` makes `fn sweep(simd: Simd, x)`, which calls
/// `sweep_body::<f32, V, FMA, 16>`; the body and all it calls must be `#[inline(always)]`.
macro_rules! vectors {
    ($(#[$meta:meta])* $vis:vis fn $name:ident($($arg:ident: $type:ty),* $(,)?) = $body:ident::<$real:ty, $lanes:literal>;) => {
        $(#[$meta])*
        #[allow(unsafe_code, clippy::too_many_arguments)]
        $vis fn $name(simd: $crate::device::Simd, $($arg: $type),*) {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma")]
                fn avx512($($arg: $type),*) {
                    $body::<$real, <$real as $crate::device::Vectors>::Avx512, true, $lanes>($($arg),*)
                }
                #[target_feature(enable = "avx2,fma")]
                fn avx2($($arg: $type),*) {
                    $body::<$real, <$real as $crate::device::Vectors>::Avx2, true, $lanes>($($arg),*)
                }
                // SAFETY: a `Simd` exists only where `Simd::detect` found every feature of its level.
                match simd.level() {
                    $crate::device::SimdLevel::Avx512 => return unsafe { avx512($($arg),*) },
                    $crate::device::SimdLevel::Avx2 => return unsafe { avx2($($arg),*) },
                    $crate::device::SimdLevel::Baseline => {}
                }
            }
            let _ = simd;
            $body::<$real, <$real as $crate::device::Vectors>::Plain<false>, false, $lanes>($($arg),*)
        }
    };
}
pub(crate) use vectors;

/// Implements an operator of one register by one instruction.
#[cfg(target_arch = "x86_64")]
macro_rules! operator {
    ($name:ident, $trait:ident, $method:ident, $instruction:ident) => {
        impl $trait for $name {
            type Output = Self;
            #[inline(always)]
            fn $method(self, b: Self) -> Self {
                // SAFETY: as in `register!`.
                unsafe { $name($instruction(self.0, b.0)) }
            }
        }
    };
}

/// A vector that is one register.
#[cfg(target_arch = "x86_64")]
macro_rules! register {
    ($name:ident, $real:ty, $lanes:literal, $register:ty,
     $splat:ident $load:ident $store:ident $add:ident $sub:ident $mul:ident $div:ident $fma:ident $min:ident $max:ident,
     { $($more:tt)* }) => {
        #[derive(Clone, Copy)]
        pub(crate) struct $name($register);

        operator!($name, Add, add, $add);
        operator!($name, Sub, sub, $sub);
        operator!($name, Mul, mul, $mul);
        operator!($name, Div, div, $div);

        // SAFETY: `vectors!` alone names this type, for functions it compiles and runs where the machine has the
        // instructions; loads and stores stay within the array they are given.
        impl Vector<$real, $lanes> for $name {
            #[inline(always)]
            fn splat(x: $real) -> Self {
                unsafe { $name($splat(x)) }
            }
            #[inline(always)]
            fn load(from: &[$real; $lanes]) -> Self {
                unsafe { $name($load(from.as_ptr())) }
            }
            #[inline(always)]
            fn store(self, to: &mut [$real; $lanes]) {
                unsafe { $store(to.as_mut_ptr(), self.0) }
            }
            #[inline(always)]
            fn mul_add(self, b: Self, c: Self) -> Self {
                unsafe { $name($fma(self.0, b.0, c.0)) }
            }
            #[inline(always)]
            fn least(self, b: Self) -> Self {
                unsafe { $name($min(self.0, b.0)) }
            }
            #[inline(always)]
            fn most(self, b: Self) -> Self {
                unsafe { $name($max(self.0, b.0)) }
            }
            #[inline(always)]
            fn prefetch(x: &$real) {
                unsafe { _mm_prefetch::<_MM_HINT_T1>(std::ptr::from_ref(x).cast()) }
            }
            $($more)*
        }
    };
}

#[cfg(target_arch = "x86_64")]
register!(
    Avx512F32, f32, 16, __m512,
    _mm512_set1_ps _mm512_loadu_ps _mm512_storeu_ps _mm512_add_ps _mm512_sub_ps _mm512_mul_ps _mm512_div_ps
    _mm512_fmadd_ps _mm512_min_ps _mm512_max_ps,
    {
        const ROOMY: bool = true;

        /// 14 bits by table, and one step of Newton's.
        #[inline(always)]
        fn reciprocal(self) -> Self {
            unsafe {
                let y = _mm512_rcp14_ps(self.0);
                let e = _mm512_fnmadd_ps(self.0, y, _mm512_set1_ps(1.0));
                Avx512F32(_mm512_fmadd_ps(y, e, y))
            }
        }

        /// Rows i, i + 4, i + 8 and i + 12 side by side; then every quarter of a register is turned by itself.
        #[inline(always)]
        fn turn(rows: &[f32], stride: usize) -> [Self; 4] {
            assert!(rows.len() >= 15 * stride + 4);
            // SAFETY: the last number read is the one that the assertion names.
            unsafe {
                let four = |row: usize| _mm_loadu_ps(rows.as_ptr().add(row * stride));
                let beside = |row: usize| {
                    let a = _mm512_castps128_ps512(four(row));
                    let a = _mm512_insertf32x4::<1>(a, four(row + 4));
                    let a = _mm512_insertf32x4::<2>(a, four(row + 8));
                    _mm512_insertf32x4::<3>(a, four(row + 12))
                };
                let (a, b, c, d) = (beside(0), beside(1), beside(2), beside(3));
                let (low, high) = (_mm512_unpacklo_ps(a, b), _mm512_unpackhi_ps(a, b));
                let (low_next, high_next) = (_mm512_unpacklo_ps(c, d), _mm512_unpackhi_ps(c, d));
                [
                    Avx512F32(_mm512_shuffle_ps::<0b01_00_01_00>(low, low_next)),
                    Avx512F32(_mm512_shuffle_ps::<0b11_10_11_10>(low, low_next)),
                    Avx512F32(_mm512_shuffle_ps::<0b01_00_01_00>(high, high_next)),
                    Avx512F32(_mm512_shuffle_ps::<0b11_10_11_10>(high, high_next)),
                ]
            }
        }
    }
);

#[cfg(target_arch = "x86_64")]
register!(
    Avx512F64, f64, 8, __m512d,
    _mm512_set1_pd _mm512_loadu_pd _mm512_storeu_pd _mm512_add_pd _mm512_sub_pd _mm512_mul_pd _mm512_div_pd
    _mm512_fmadd_pd _mm512_min_pd _mm512_max_pd,
    {
        const ROOMY: bool = true;

        /// 14 bits by table, and two steps of Newton's.
        #[inline(always)]
        fn reciprocal(self) -> Self {
            unsafe {
                let one = _mm512_set1_pd(1.0);
                let y = _mm512_rcp14_pd(self.0);
                let y = _mm512_fmadd_pd(y, _mm512_fnmadd_pd(self.0, y, one), y);
                Avx512F64(_mm512_fmadd_pd(y, _mm512_fnmadd_pd(self.0, y, one), y))
            }
        }
    }
);

#[cfg(target_arch = "x86_64")]
register!(
    Avx2F32, f32, 8, __m256,
    _mm256_set1_ps _mm256_loadu_ps _mm256_storeu_ps _mm256_add_ps _mm256_sub_ps _mm256_mul_ps _mm256_div_ps
    _mm256_fmadd_ps _mm256_min_ps _mm256_max_ps,
    {}
);

#[cfg(target_arch = "x86_64")]
register!(
    Avx2F64, f64, 4, __m256d,
    _mm256_set1_pd _mm256_loadu_pd _mm256_storeu_pd _mm256_add_pd _mm256_sub_pd _mm256_mul_pd _mm256_div_pd
    _mm256_fmadd_pd _mm256_min_pd _mm256_max_pd,
    {}
);

/// Four numbers, few enough for the compiler to find the register itself.
#[derive(Clone, Copy)]
pub(crate) struct Four<T, const FMA: bool>([T; 4]);

impl<T: Real, const FMA: bool> Four<T, FMA> {
    #[inline(always)]
    fn each(self, b: Self, of: impl Fn(T, T) -> T) -> Self {
        let (a, b) = (self.0, b.0);
        Four([of(a[0], b[0]), of(a[1], b[1]), of(a[2], b[2]), of(a[3], b[3])])
    }
}

impl<T: Real, const FMA: bool> Vector<T, 4> for Four<T, FMA> {
    #[inline(always)]
    fn splat(x: T) -> Self {
        Four([x; 4])
    }
    #[inline(always)]
    fn load(from: &[T; 4]) -> Self {
        Four(*from)
    }
    #[inline(always)]
    fn store(self, to: &mut [T; 4]) {
        *to = self.0;
    }
    #[inline(always)]
    fn mul_add(self, b: Self, c: Self) -> Self {
        let (a, b, c) = (self.0, b.0, c.0);
        let one = |i: usize| a[i].mul_add::<FMA>(b[i], c[i]);
        Four([one(0), one(1), one(2), one(3)])
    }
    #[inline(always)]
    fn least(self, b: Self) -> Self {
        self.each(b, T::least)
    }
    #[inline(always)]
    fn most(self, b: Self) -> Self {
        self.each(b, T::most)
    }
}

/// Two vectors as one of twice the lanes.
#[derive(Clone, Copy)]
pub(crate) struct Pair<V>(V, V);

macro_rules! operators {
    ($($trait:ident, $method:ident);*) => {
        $(
            impl<T: Real, const FMA: bool> $trait for Four<T, FMA> {
                type Output = Self;
                #[inline(always)]
                fn $method(self, b: Self) -> Self {
                    self.each(b, T::$method)
                }
            }
            impl<V: $trait<Output = V>> $trait for Pair<V> {
                type Output = Self;
                #[inline(always)]
                fn $method(self, b: Self) -> Self {
                    Pair(self.0.$method(b.0), self.1.$method(b.1))
                }
            }
        )*
    };
}
operators!(Add, add; Sub, sub; Mul, mul; Div, div);

macro_rules! pair {
    ($half:literal, $lanes:literal) => {
        impl<T: Real, V: Vector<T, $half>> Vector<T, $lanes> for Pair<V> {
            #[inline(always)]
            fn splat(x: T) -> Self {
                Pair(V::splat(x), V::splat(x))
            }
            #[inline(always)]
            fn load(from: &[T; $lanes]) -> Self {
                let (halves, _) = from.as_chunks::<$half>();
                Pair(V::load(&halves[0]), V::load(&halves[1]))
            }
            #[inline(always)]
            fn store(self, to: &mut [T; $lanes]) {
                let (halves, _) = to.as_chunks_mut::<$half>();
                self.0.store(&mut halves[0]);
                self.1.store(&mut halves[1]);
            }
            #[inline(always)]
            fn mul_add(self, b: Self, c: Self) -> Self {
                Pair(self.0.mul_add(b.0, c.0), self.1.mul_add(b.1, c.1))
            }
            #[inline(always)]
            fn least(self, b: Self) -> Self {
                Pair(self.0.least(b.0), self.1.least(b.1))
            }
            #[inline(always)]
            fn most(self, b: Self) -> Self {
                Pair(self.0.most(b.0), self.1.most(b.1))
            }
            #[inline(always)]
            fn prefetch(x: &T) {
                V::prefetch(x);
            }
        }
    };
}
pair!(4, 8);
pair!(8, 16);

#[cfg(test)]
mod tests;
