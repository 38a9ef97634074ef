//! Vectors for machines without vectors that round: plain arrays, whose numbers are computed one by one.

use crate::arithmetic::rounding::{Holds, Real, power_of_two};
use crate::device::{Double, Narrow, Nearest, Plane, Rounded};
use std::array::from_fn;

/// How many numbers: what is done once for all of them is done seldom enough.
const LANES: usize = 8;

/// Numbers one by one.
#[derive(Clone, Copy)]
pub(super) struct Lanes<T>([T; LANES]);

/// Lane by lane; not compiled into its many callers.
#[inline(never)]
fn map<T: Copy, U>(a: [T; LANES], f: impl Fn(T) -> U) -> [U; LANES] {
    from_fn(|i| f(a[i]))
}

/// As [`map`], of two.
#[inline(never)]
fn join<T: Copy, U>(a: [T; LANES], b: [T; LANES], f: impl Fn(T, T) -> U) -> [U; LANES] {
    from_fn(|i| f(a[i], b[i]))
}

/// As [`map`], of three.
#[inline(never)]
fn join3<T: Copy, U>(a: [T; LANES], b: [T; LANES], c: [T; LANES], f: impl Fn(T, T, T) -> U) -> [U; LANES] {
    from_fn(|i| f(a[i], b[i], c[i]))
}

/// A method that is one of the numbers.
macro_rules! by {
    ($($method:ident($($other:ident),*) = $each:ident;)*) => {
        $(
            #[inline(always)]
            fn $method(self $(, $other: Self)*) -> Self {
                Lanes($each(self.0, $($other.0,)* T::$method))
            }
        )*
    };
}

impl<T: Real> Nearest for Lanes<T> {
    type Number = T;
    type Mask = [bool; LANES];
    const LANES: usize = LANES;

    #[inline(always)]
    fn splat(x: T) -> Self {
        Lanes([x; LANES])
    }
    #[inline(always)]
    fn load(from: &Plane<T>, at: usize) -> Self {
        Lanes(from_fn(|i| from[at + i]))
    }
    #[inline(always)]
    fn store(self, to: &mut Plane<T>, at: usize) {
        to[at..at + LANES].copy_from_slice(&self.0);
    }

    by! {
        add_near(b) = join; sub_near(b) = join; mul_near(b) = join; div_near(b) = join; sqrt_near() = map;
        mul_add_near(b, c) = join3; lesser(b) = join; greater(b) = join; abs() = map;
    }
    #[inline(always)]
    fn negated(self) -> Self {
        Lanes(map(self.0, |x| -x))
    }

    #[inline(always)]
    fn less(self, b: Self) -> [bool; LANES] {
        join(self.0, b.0, |a, b| a < b)
    }
    #[inline(always)]
    fn equal(self, b: Self) -> [bool; LANES] {
        join(self.0, b.0, |a, b| a == b)
    }
    #[inline(always)]
    fn unordered(self, b: Self) -> [bool; LANES] {
        join(self.0, b.0, |a, b| a.partial_cmp(&b).is_none())
    }
    #[inline(always)]
    fn either(a: [bool; LANES], b: [bool; LANES]) -> [bool; LANES] {
        join(a, b, |a, b| a | b)
    }
    #[inline(always)]
    fn both(a: [bool; LANES], b: [bool; LANES]) -> [bool; LANES] {
        join(a, b, |a, b| a & b)
    }
    #[inline(always)]
    fn any(mask: [bool; LANES]) -> bool {
        mask.contains(&true)
    }
    #[inline(always)]
    fn or_else(self, mask: [bool; LANES], b: Self) -> Self {
        Lanes(from_fn(|i| if mask[i] { self.0[i] } else { b.0[i] }))
    }
}

impl<T: Real> Rounded for Lanes<T> {
    by! {
        add_down(b) = join; add_up(b) = join; sub_down(b) = join; sub_up(b) = join; mul_down(b) = join; mul_up(b) = join;
        div_down(b) = join; div_up(b) = join; sqrt_down() = map; sqrt_up() = map;
        mul_add_down(b, c) = join3; mul_add_up(b, c) = join3;
    }
}

impl Double for Lanes<f64> {
    #[inline(always)]
    fn floor(self) -> Self {
        Lanes(map(self.0, f64::floor))
    }
    #[inline(always)]
    fn scale_down(self, k: Self) -> Self {
        Lanes(join(self.0, k.0, scale_down))
    }
    #[inline(always)]
    fn scale_up(self, k: Self) -> Self {
        Lanes(join(self.0, k.0, |x, k| -scale_down(-x, k)))
    }
    #[inline(always)]
    fn parts(self) -> (Self, Self) {
        (Lanes(map(self.0, |x| parts(x).0)), Lanes(map(self.0, |x| parts(x).1)))
    }
}

/// x·2ᵏ; the first factor is exact where x is near 1, as exponentials of small numbers are.
pub(super) fn scale_down(x: f64, k: f64) -> f64 {
    let (power, half) = (|n: f64| power_of_two(n as i64), (k / 2.0).trunc());
    (x * power(half)).mul_down(power(k - half))
}

/// m and k of x = m·2ᵏ with 1 ≤ m < 2, for finite x > 0.
pub(super) fn parts(x: f64) -> (f64, f64) {
    let (normal, bias) = match x < f64::MIN_POSITIVE {
        true => (x * power_of_two(54), 1077.0),
        false => (x, 1023.0),
    };
    let bits = normal.to_bits();
    (f64::from_bits(bits & ((1 << 52) - 1) | (1023 << 52)), (bits >> 52) as f64 - bias)
}

impl<T: Holds<R>, R: Real> Narrow<R> for Lanes<T> {
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
