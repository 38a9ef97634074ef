//! Operations of explicit vectors.

use crate::device::math::Real;
use std::ops::{Add, Div, Mul, Sub};

/// Vector of `L` lanes.
pub(crate) trait Vector<T: Real, const L: usize>:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// Whether the instruction set has 32 vector registers instead of 16.
    const HAS_32_REGISTERS: bool;

    fn splat(x: T) -> Self;
    fn load(from: &[T; L]) -> Self;
    fn store(self, to: &mut [T; L]);
    /// `self·b + c`, fused if the instructions are available.
    fn mul_add(self, b: Self, c: Self) -> Self;
    /// The smaller values; `b` where either is NaN.
    fn simd_min(self, b: Self) -> Self;
    /// The larger values; `b` where either is NaN.
    fn simd_max(self, b: Self) -> Self;

    /// The sum of all lanes by pairwise reduction: the second half is added to the first, then the second quarter to
    /// the first, …
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

    /// Whether any lane is greater than or equal to that of `b`.
    #[inline(always)]
    fn any_ge(self, b: Self) -> bool {
        let (mut own, mut other) = ([T::ZERO; L], [T::ZERO; L]);
        self.store(&mut own);
        b.store(&mut other);
        own.iter().zip(&other).fold(false, |any, (own, other)| any | (own >= other))
    }

    /// 1/`self` within two ulps; may be NaN for zero, denormal numbers and infinity.
    #[inline(always)]
    fn reciprocal(self) -> Self {
        Self::splat(T::ONE) / self
    }

    /// Four columns, starting at `column`, of `L` rows with the given stride, each as a vector.
    #[inline(always)]
    fn load_columns(rows: &[T], stride: usize, column: usize) -> [Self; 4] {
        let mut columns = [[T::ZERO; L]; 4];
        for row in 0..L {
            for (column, x) in columns.iter_mut().zip(&rows[row * stride + column..][..4]) {
                column[row] = *x;
            }
        }
        [Self::load(&columns[0]), Self::load(&columns[1]), Self::load(&columns[2]), Self::load(&columns[3])]
    }

    /// Prefetches the cache line of `x`.
    #[inline(always)]
    fn prefetch(_x: &T) {}
}
