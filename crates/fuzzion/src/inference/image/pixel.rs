//! The numbers of a picture, and how systems see them.

use std::fmt::Debug;
use std::ops::{Add, Mul, Neg, Sub};

/// Numbers that are a half but for their last bits are rounded up.
pub(crate) const TIE: f64 = 1.0 / (1u64 << 20) as f64;
/// How near to a place where rounding jumps a number may come before its last bits decide.
const DOUBT: f64 = 1e-8;

/// A number of a picture, of 8 or 16 bits.
pub(crate) trait Pixel: Copy + Default + Ord + Send + Sync + Debug + 'static {
    /// Sums of differences of such numbers.
    type Sum: Sum + From<Self>;
    /// Steps of the number per unit of what systems see.
    const STEPS: u32;
    /// The largest number.
    const MOST: u32;

    fn number(self) -> u32;
    /// The pixel of a number up to the largest; of larger ones that.
    fn of(number: u32) -> Self;
    fn saturating_add(self, other: Self) -> Self;
    fn saturating_sub(self, other: Self) -> Self;
}

/// A sum of pixels with a sign.
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
    /// The largest one.
    const MOST: usize;

    fn of(number: i32) -> Self;
    fn abs(self) -> Self;
    /// A place in a table; the sum is not negative.
    fn place(self) -> usize;
}

macro_rules! pixel {
    ($type:ident, $sum:ident, $steps:literal) => {
        impl Pixel for $type {
            type Sum = $sum;
            const STEPS: u32 = $steps;
            const MOST: u32 = $type::MAX as u32;

            #[inline(always)]
            fn number(self) -> u32 {
                u32::from(self)
            }
            #[inline(always)]
            fn of(number: u32) -> Self {
                number.min(Self::MOST) as $type
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
            const MOST: usize = $sum::MAX as usize;

            #[inline(always)]
            fn of(number: i32) -> Self {
                number as $sum
            }
            #[inline(always)]
            fn abs(self) -> Self {
                self.wrapping_abs()
            }
            #[inline(always)]
            fn place(self) -> usize {
                self as usize
            }
        }
    };
}
pixel!(u8, i16, 1);
pixel!(u16, i32, 257);

/// What a system sees of a number or of a difference of two.
#[inline(always)]
pub(crate) fn seen<P: Pixel>(number: i32) -> f64 {
    f64::from(number) / f64::from(P::STEPS)
}

/// Equation (1); `None` where v is NaN.
#[inline(always)]
pub(crate) fn rounded<P: Pixel>(v: f64) -> Option<P> {
    let steps = f64::from(P::STEPS) * v;
    // A cast cuts off what is behind the point, and nothing is negative here.
    (!v.is_nan()).then(|| P::of((steps.clamp(0.0, f64::from(P::MOST)) + 0.5 + TIE) as u32))
}

/// Whether numbers that differ from v by rounding errors all become the same pixel.
pub(crate) fn is_certain<P: Pixel>(v: f64) -> bool {
    let steps = f64::from(P::STEPS) * v;
    let ends = [steps - DOUBT, steps + DOUBT].map(|v| rounded::<P>(v / f64::from(P::STEPS)));
    ends[0].is_some() && ends[0] == ends[1]
}

/// Equation (2).
#[inline(always)]
pub(crate) fn grey<P: Pixel>(red: P, green: P, blue: P) -> P {
    P::of((299 * red.number() + 587 * green.number() + 114 * blue.number() + 500) / 1000)
}
