//! Software vectors for CPUs whose vector instructions do not support directed rounding: arrays processed lane by lane.

use crate::arithmetic::rounding::{Real, WidensFrom, power_of_two};
use crate::device::{ElementaryVector, Narrow, Nearest, Plane, Rounded};
use std::array::from_fn;

/// Lanes per vector: enough to amortize the work per vector.
const LANES: usize = 8;

/// Vector whose lanes are computed one by one.
#[derive(Clone, Copy)]
pub(super) struct SoftVector<T>([T; LANES]);

/// Applies f to each lane; not inlined, to limit the code size of its many callers.
#[inline(never)]
fn map<T: Copy, U>(a: [T; LANES], f: impl Fn(T) -> U) -> [U; LANES] {
    from_fn(|i| f(a[i]))
}

/// [`map`] of two vectors.
#[inline(never)]
fn zip<T: Copy, U>(a: [T; LANES], b: [T; LANES], f: impl Fn(T, T) -> U) -> [U; LANES] {
    from_fn(|i| f(a[i], b[i]))
}

/// [`map`] of three vectors.
#[inline(never)]
fn zip3<T: Copy, U>(a: [T; LANES], b: [T; LANES], c: [T; LANES], f: impl Fn(T, T, T) -> U) -> [U; LANES] {
    from_fn(|i| f(a[i], b[i], c[i]))
}

/// Implements vector methods by the scalar method of the same name.
macro_rules! lanewise {
    ($($method:ident($($other:ident),*) = $apply:ident;)*) => {
        $(
            #[inline(always)]
            fn $method(self $(, $other: Self)*) -> Self {
                SoftVector($apply(self.0, $($other.0,)* T::$method))
            }
        )*
    };
}

impl<T: Real> Nearest for SoftVector<T> {
    type Number = T;
    type Mask = [bool; LANES];
    const LANES: usize = LANES;

    #[inline(always)]
    fn splat(x: T) -> Self {
        SoftVector([x; LANES])
    }
    #[inline(always)]
    fn load(from: &Plane<T>, at: usize) -> Self {
        SoftVector(from_fn(|i| from[at + i]))
    }
    #[inline(always)]
    fn store(self, to: &mut Plane<T>, at: usize) {
        to[at..at + LANES].copy_from_slice(&self.0);
    }

    lanewise! {
        add_near(b) = zip; sub_near(b) = zip; mul_near(b) = zip; div_near(b) = zip; sqrt_near() = map;
        mul_add_near(b, c) = zip3; lesser(b) = zip; greater(b) = zip; abs() = map;
    }
    #[inline(always)]
    fn negated(self) -> Self {
        SoftVector(map(self.0, |x| -x))
    }

    #[inline(always)]
    fn less(self, b: Self) -> [bool; LANES] {
        zip(self.0, b.0, |a, b| a < b)
    }
    #[inline(always)]
    fn equal(self, b: Self) -> [bool; LANES] {
        zip(self.0, b.0, |a, b| a == b)
    }
    #[inline(always)]
    fn unordered(self, b: Self) -> [bool; LANES] {
        zip(self.0, b.0, |a, b| a.partial_cmp(&b).is_none())
    }
    #[inline(always)]
    fn mask_or(a: [bool; LANES], b: [bool; LANES]) -> [bool; LANES] {
        zip(a, b, |a, b| a | b)
    }
    #[inline(always)]
    fn mask_and(a: [bool; LANES], b: [bool; LANES]) -> [bool; LANES] {
        zip(a, b, |a, b| a & b)
    }
    #[inline(always)]
    fn any(mask: [bool; LANES]) -> bool {
        mask.contains(&true)
    }
    #[inline(always)]
    fn select(self, mask: [bool; LANES], b: Self) -> Self {
        SoftVector(from_fn(|i| if mask[i] { self.0[i] } else { b.0[i] }))
    }
}

impl<T: Real> Rounded for SoftVector<T> {
    lanewise! {
        add_down(b) = zip; add_up(b) = zip; sub_down(b) = zip; sub_up(b) = zip; mul_down(b) = zip; mul_up(b) = zip;
        div_down(b) = zip; div_up(b) = zip; sqrt_down() = map; sqrt_up() = map;
        mul_add_down(b, c) = zip3; mul_add_up(b, c) = zip3;
    }
}

impl ElementaryVector for SoftVector<f64> {
    #[inline(always)]
    fn floor(self) -> Self {
        SoftVector(map(self.0, f64::floor))
    }
    #[inline(always)]
    fn scale_down(self, k: Self) -> Self {
        SoftVector(zip(self.0, k.0, scale_down))
    }
    #[inline(always)]
    fn scale_up(self, k: Self) -> Self {
        SoftVector(zip(self.0, k.0, |x, k| -scale_down(-x, k)))
    }
    #[inline(always)]
    fn mantissa_exponent(self) -> (Self, Self) {
        (SoftVector(map(self.0, |x| parts(x).0)), SoftVector(map(self.0, |x| parts(x).1)))
    }
}

/// x·2ᵏ rounded down; the first product is exact for x near 1, such as exponentials of small numbers.
pub(super) fn scale_down(x: f64, k: f64) -> f64 {
    let (power, half) = (|n: f64| power_of_two(n as i64), (k / 2.0).trunc());
    (x * power(half)).mul_down(power(k - half))
}

/// m and k with x = m·2ᵏ and 1 ≤ m < 2, for finite x > 0.
pub(super) fn parts(x: f64) -> (f64, f64) {
    let (normal, bias) = match x < f64::MIN_POSITIVE {
        true => (x * power_of_two(54), 1077.0),
        false => (x, 1023.0),
    };
    let bits = normal.to_bits();
    (f64::from_bits(bits & ((1 << 52) - 1) | (1023 << 52)), (bits >> 52) as f64 - bias)
}

impl<T: WidensFrom<R>, R: Real> Narrow<R> for SoftVector<T> {
    #[inline(always)]
    fn narrow_down(from: &Plane<T>, to: &mut Plane<R>) {
        *to = from.map(T::narrow_down);
    }
    #[inline(always)]
    fn narrow_up(from: &Plane<T>, to: &mut Plane<R>) {
        *to = from.map(T::narrow_up);
    }
    #[inline(always)]
    fn widen(from: &Plane<R>, to: &mut Plane<T>) {
        *to = from.map(T::widen);
    }
}
