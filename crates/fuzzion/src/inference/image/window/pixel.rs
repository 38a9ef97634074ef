//! Pixel values and their conversion to and from brightness.

use std::fmt::Debug;
use std::ops::{Add, Mul, Neg, Sub};

/// Makes halves round up regardless of rounding errors.
pub(crate) const TIE_BIAS: f64 = 1.0 / (1u64 << 20) as f64;
/// Minimum distance from a rounding threshold for the result to be independent of rounding errors.
const ROUNDING_MARGIN: f64 = 1e-8;

/// A channel value of 8 or 16 bits.
pub trait Pixel: Copy + Default + Ord + Send + Sync + Debug + 'static {
    /// Type of sums of differences.
    type Sum: Sum + From<Self>;
    /// Pixel values per unit of brightness.
    const SCALE: u32;
    /// Largest value.
    const MAX: u32;

    fn value(self) -> u32;
    /// Converts a value, saturating at the maximum.
    fn from_value(value: u32) -> Self;
    fn saturating_add(self, other: Self) -> Self;
    fn saturating_sub(self, other: Self) -> Self;
}

/// A signed sum of pixel values.
pub(crate) trait Sum:
    Copy
    + Default
    + Ord
    + Send
    + Sync
    + Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
{
    /// Largest sum.
    const MAX: usize;

    fn from_i32(value: i32) -> Self;
    fn abs(self) -> Self;
    /// The sum as a table index; it must not be negative.
    fn index(self) -> usize;
}

macro_rules! pixel {
    ($type:ident, $sum:ident, $scale:literal) => {
        impl Pixel for $type {
            type Sum = $sum;
            const SCALE: u32 = $scale;
            const MAX: u32 = $type::MAX as u32;

            #[inline(always)]
            fn value(self) -> u32 {
                u32::from(self)
            }
            #[inline(always)]
            fn from_value(value: u32) -> Self {
                value.min(<Self as Pixel>::MAX) as $type
            }
            #[inline(always)]
            fn saturating_add(self, other: Self) -> Self {
                self.saturating_add(other)
            }
            #[inline(always)]
            fn saturating_sub(self, other: Self) -> Self {
                self.saturating_sub(other)
            }
        }

        impl Sum for $sum {
            const MAX: usize = $sum::MAX as usize;

            #[inline(always)]
            fn from_i32(value: i32) -> Self {
                value as $sum
            }
            #[inline(always)]
            fn abs(self) -> Self {
                self.wrapping_abs()
            }
            #[inline(always)]
            fn index(self) -> usize {
                self as usize
            }
        }
    };
}
pixel!(u8, i16, 1);
pixel!(u16, i32, 257);

/// Brightness of a pixel value or of a difference of two.
#[inline(always)]
pub fn to_brightness<P: Pixel>(value: i32) -> f64 {
    f64::from(value) / f64::from(P::SCALE)
}

/// Equation (1); `None` if v is NaN.
#[inline(always)]
pub fn round_to_pixel<P: Pixel>(v: f64) -> Option<P> {
    let scaled = f64::from(P::SCALE) * v;
    // The cast rounds down, because the value is not negative.
    (!v.is_nan()).then(|| P::from_value((scaled.clamp(0.0, f64::from(P::MAX)) + 0.5 + TIE_BIAS) as u32))
}

/// Whether all values within rounding error of v round to the same pixel.
pub(crate) fn is_certain<P: Pixel>(v: f64) -> bool {
    let scaled = f64::from(P::SCALE) * v;
    let ends = [scaled - ROUNDING_MARGIN, scaled + ROUNDING_MARGIN]
        .map(|v| round_to_pixel::<P>(v / f64::from(P::SCALE)));
    ends[0].is_some() && ends[0] == ends[1]
}

/// Equation (2).
#[inline(always)]
pub(crate) fn gray<P: Pixel>(red: P, green: P, blue: P) -> P {
    P::from_value((299 * red.value() + 587 * green.value() + 114 * blue.value() + 500) / 1000)
}
