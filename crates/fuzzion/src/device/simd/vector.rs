//! Vectors as values, for the few loops whose many sums the compiler does not keep in registers by itself.
//!
//! A body that is generic over [`Vector`] is compiled once per level by [`vectors`].

#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(any(test, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
mod plain;
#[cfg(target_arch = "x86_64")]
mod x86;

use crate::device::math::Real;
use std::ops::{Add, Div, Mul, Sub};

/// `L` numbers that are computed with at once.
pub(crate) trait Vector<T: Real, const L: usize>:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// Whether there are 32 registers; otherwise there are 16.
    const ROOMY: bool;

    fn splat(x: T) -> Self;
    fn load(from: &[T; L]) -> Self;
    fn store(self, to: &mut [T; L]);
    /// `self·b + c`, fused where the instructions are there.
    fn mul_add(self, b: Self, c: Self) -> Self;
    /// The smaller ones; `b` where either is NaN.
    fn least(self, b: Self) -> Self;
    /// The larger ones; `b` where either is NaN.
    fn most(self, b: Self) -> Self;

    /// The sum of all lanes, in pairs: the second half is added to the first, then the second quarter to the first, …
    #[inline(always)]
    fn sum(self) -> T {
        let mut lanes = [T::ZERO; L];
        self.store(&mut lanes);
        let mut half = L / 2;
        while half > 0 {
            for i in 0..half {
                lanes[i] = lanes[i] + lanes[i + half];
            }
            half /= 2;
        }
        lanes[0]
    }

    /// Whether any lane is at least that of `b`.
    #[inline(always)]
    fn any_reaches(self, b: Self) -> bool {
        let (mut own, mut other) = ([T::ZERO; L], [T::ZERO; L]);
        self.store(&mut own);
        b.store(&mut other);
        own.iter().zip(&other).fold(false, |any, (own, other)| any | (own >= other))
    }

    /// 1/`self` within two units in the last place; of 0, of what is not normal and of infinity it may be NaN.
    #[inline(always)]
    fn reciprocal(self) -> Self {
        Self::splat(T::ONE) / self
    }

    /// Four columns, from the `column`th on, of `L` rows that begin `stride` numbers apart, each as a vector.
    #[inline(always)]
    fn turn(rows: &[T], stride: usize, column: usize) -> [Self; 4] {
        let mut columns = [[T::ZERO; L]; 4];
        for row in 0..L {
            for (column, x) in columns.iter_mut().zip(&rows[row * stride + column..][..4]) {
                column[row] = *x;
            }
        }
        [Self::load(&columns[0]), Self::load(&columns[1]), Self::load(&columns[2]), Self::load(&columns[3])]
    }

    /// Asks for the cache line of `x`, to be there when it is needed.
    #[inline(always)]
    fn prefetch(_x: &T) {}
}

/// The vectors of a number on every level: 64, 32 and 16 bytes long.
pub(crate) trait Vectors {
    #[cfg(target_arch = "x86_64")]
    type Avx512;
    #[cfg(target_arch = "x86_64")]
    type Avx2;
    type Baseline;
}

impl Vectors for f32 {
    #[cfg(target_arch = "x86_64")]
    type Avx512 = x86::Avx512F32;
    #[cfg(target_arch = "x86_64")]
    type Avx2 = x86::Avx2F32;
    #[cfg(target_arch = "x86_64")]
    type Baseline = x86::Sse2F32;
    #[cfg(target_arch = "aarch64")]
    type Baseline = neon::NeonF32;
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    type Baseline = plain::Plain<f32, 4>;
}

impl Vectors for f64 {
    #[cfg(target_arch = "x86_64")]
    type Avx512 = x86::Avx512F64;
    #[cfg(target_arch = "x86_64")]
    type Avx2 = x86::Avx2F64;
    #[cfg(target_arch = "x86_64")]
    type Baseline = x86::Sse2F64;
    #[cfg(target_arch = "aarch64")]
    type Baseline = neon::NeonF64;
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    type Baseline = plain::Plain<f64, 2>;
}

/// Compiles a body once per [`SimdLevel`](super::SimdLevel) with the vectors of that level, and picks one at run time.
///
/// `vectors! { fn sweep(x: &[f32]) = sweep_body::<f32>; }` makes `fn sweep(simd: Simd, x)`, which calls
/// `sweep_body::<f32, V, FMA, L>` with vectors `V` of `L` lanes; the body and all it calls must be
/// `#[inline(always)]`.
macro_rules! vectors {
    ($(#[$meta:meta])* $vis:vis fn $name:ident($($arg:ident: $type:ty),* $(,)?) = $body:ident::<$real:ty>;) => {
        $(#[$meta])*
        #[allow(unsafe_code, clippy::too_many_arguments)]
        $vis fn $name(simd: $crate::device::Simd, $($arg: $type),*) {
            type Of = $real;
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma")]
                fn avx512($($arg: $type),*) {
                    $body::<Of, <Of as $crate::device::Vectors>::Avx512, true, { 64 / size_of::<Of>() }>($($arg),*)
                }
                #[target_feature(enable = "avx2,fma")]
                fn avx2($($arg: $type),*) {
                    $body::<Of, <Of as $crate::device::Vectors>::Avx2, true, { 32 / size_of::<Of>() }>($($arg),*)
                }
                // SAFETY: a `Simd` exists only where `Simd::detect` found every feature of its level.
                match simd.level() {
                    $crate::device::SimdLevel::Avx512 => return unsafe { avx512($($arg),*) },
                    $crate::device::SimdLevel::Avx2 => return unsafe { avx2($($arg),*) },
                    $crate::device::SimdLevel::Baseline => {}
                }
            }
            let _ = simd;
            $body::<Of, <Of as $crate::device::Vectors>::Baseline, false, { 16 / size_of::<Of>() }>($($arg),*)
        }
    };
}
pub(crate) use vectors;

/// Implements an operator by one instruction.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! operator {
    ($name:ident, $trait:ident, $method:ident, $instruction:path) => {
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
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use operator;

/// A vector that is one register, from its instructions and what else it can do.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! register {
    ($name:ident([$real:ty; $lanes:literal] in $register:ty),
     $splat:path, $load:path, $store:path, $add:path, $sub:path, $mul:path, $div:path, $fma:path, $min:path, $max:path,
     { $($more:tt)* }) => {
        #[derive(Clone, Copy)]
        pub(crate) struct $name($register);

        super::operator!($name, Add, add, $add);
        super::operator!($name, Sub, sub, $sub);
        super::operator!($name, Mul, mul, $mul);
        super::operator!($name, Div, div, $div);

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
            $($more)*
        }
    };
}
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use register;

#[cfg(test)]
mod tests;
