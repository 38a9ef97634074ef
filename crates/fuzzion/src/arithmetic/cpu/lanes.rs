//! Vectors with directed rounding for machines without such instructions: plain arrays, which the compiler makes
//! vectors of.
//!
//! As in [`rounding`](crate::arithmetic::rounding), the sign of exact − nearest tells whether the neighbour is the
//! directed result. In the middle of the range it comes from the same steps for all lanes; where one lane is near an end
//! of the range, all are computed one by one.

use crate::arithmetic::rounding::{Holds, Real, power_of_two};
use crate::device::{Double, Narrow, Plane, Rounded};
use std::array::from_fn;

/// `L` numbers; `FMA` says that multiplications are fused by an instruction.
#[derive(Clone, Copy)]
pub(super) struct Lanes<T, const L: usize, const FMA: bool>([T; L]);

/// Lane by lane.
#[inline(always)]
fn map<T: Copy, U, const L: usize>(a: [T; L], f: impl Fn(T) -> U) -> [U; L] {
    from_fn(|i| f(a[i]))
}

/// As [`map`], of two.
#[inline(always)]
fn join<T: Copy, U, const L: usize>(a: [T; L], b: [T; L], f: impl Fn(T, T) -> U) -> [U; L] {
    from_fn(|i| f(a[i], b[i]))
}

/// As [`map`], of three.
#[inline(always)]
fn join3<T: Copy, U, const L: usize>(a: [T; L], b: [T; L], c: [T; L], f: impl Fn(T, T, T) -> U) -> [U; L] {
    from_fn(|i| f(a[i], b[i], c[i]))
}

/// Whether it holds in all lanes, without a branch for each.
#[inline(always)]
fn all<const L: usize>(lanes: [bool; L]) -> bool {
    lanes.iter().fold(true, |all, lane| all & lane)
}

/// Lanes one by one: not compiled into its many callers, which seldom come here.
#[cold]
#[inline(never)]
fn each_alone<T: Real, const L: usize>(a: [T; L], b: [T; L], f: fn(T, T) -> T) -> [T; L] {
    join(a, b, f)
}

/// As [`each_alone`], for products with an addend.
#[cold]
#[inline(never)]
fn each_fused<T: Real, const L: usize>(a: [T; L], b: [T; L], c: [T; L]) -> [T; L] {
    join3(a, b, c, T::mul_add_down)
}

/// Operations rounded downwards on many lanes. Those upwards follow by changing signs.
pub(super) trait ManyDown: Real {
    fn add_all<const L: usize>(a: [Self; L], b: [Self; L]) -> [Self; L];
    fn mul_all<const L: usize, const FMA: bool>(a: [Self; L], b: [Self; L]) -> [Self; L];
    fn div_all<const L: usize, const FMA: bool>(a: [Self; L], b: [Self; L]) -> [Self; L];
    fn mul_add_all<const L: usize, const FMA: bool>(a: [Self; L], b: [Self; L], c: [Self; L]) -> [Self; L];
}

/// The greatest f32 not above `sum` + `rest`, as the function of this name for single numbers, without branches: the
/// neighbour of −0, which is what a negative number too small becomes, is below it.
#[inline(always)]
fn down(sum: f64, rest: f64) -> f32 {
    let near = sum as f32;
    let wide = f64::from(near);
    lower_if((wide > sum) | ((wide == sum) & (rest < 0.0)), near)
}

/// `near`, or the number below it. In whole numbers, because a choice of floats would become a branch for each lane.
#[inline(always)]
fn lower_if(lower: bool, near: f32) -> f32 {
    let bits = near.to_bits() as i32;
    let step = (bits >> 31) | 1; // away from 0 for a negative number
    f32::from_bits(bits.wrapping_sub(step & -i32::from(lower)) as u32)
}

/// Through double precision, where all is exact: no lane is special.
impl ManyDown for f32 {
    #[inline(always)]
    fn add_all<const L: usize>(a: [f32; L], b: [f32; L]) -> [f32; L] {
        join(a, b, |a, b| {
            let (a, b) = (f64::from(a), f64::from(b));
            down(a + b, sum_rest(a, b, a + b))
        })
    }
    #[inline(always)]
    fn mul_all<const L: usize, const FMA: bool>(a: [f32; L], b: [f32; L]) -> [f32; L] {
        join(a, b, |a, b| down(f64::from(a) * f64::from(b), 0.0))
    }
    #[inline(always)]
    fn div_all<const L: usize, const FMA: bool>(a: [f32; L], b: [f32; L]) -> [f32; L] {
        join(a, b, |a, b| {
            let near = a / b;
            let rest = f64::from(a) - f64::from(near) * f64::from(b);
            lower_if(if b < 0.0 { rest > 0.0 } else { rest < 0.0 }, near)
        })
    }
    #[inline(always)]
    fn mul_add_all<const L: usize, const FMA: bool>(a: [f32; L], b: [f32; L], c: [f32; L]) -> [f32; L] {
        join3(a, b, c, |a, b, c| {
            let (product, c) = (f64::from(a) * f64::from(b), f64::from(c));
            down(product + c, sum_rest(product, c, product + c))
        })
    }
}

/// Products from here on have an error that is a number, too.
const SMALL: f64 = power_of_two(-900);
/// Up to here nothing overflows on the way to a result.
const LARGE: f64 = power_of_two(990);

/// Whether a number is neither near 0 nor huge nor infinite nor NaN.
#[inline(always)]
fn moderate(x: f64) -> bool {
    (x.abs() >= SMALL) & (x.abs() < LARGE)
}

/// `near`, or its lower neighbour where exact − near is negative; for numbers that are finite, and not 0 where they are
/// not exact.
#[inline(always)]
fn settle(near: f64, rest: f64) -> f64 {
    let bits = near.to_bits() as i64;
    let step = (bits >> 63) | 1; // away from 0 for a negative number
    f64::from_bits(bits.wrapping_sub(step & -i64::from(rest < 0.0)) as u64)
}

/// What a + b misses of the exact sum (Knuth).
#[inline(always)]
fn sum_rest(a: f64, b: f64, sum: f64) -> f64 {
    let b_part = sum - a;
    let a_part = sum - b_part;
    (a - a_part) + (b - b_part)
}

/// A number with the sign of e + p + c − near: the numbers of Shewchuk's Grow-Expansion do not overlap, so that the
/// greatest that is not 0 has the sign of their sum.
#[inline(always)]
fn fused_rest(e: f64, p: f64, c: f64, near: f64) -> f64 {
    let grow = |a: f64, b: f64| (a + b, sum_rest(a, b, a + b));
    let (q, x) = grow(c, e);
    let (z, y) = grow(q, p);
    let (q, x) = grow(-near, x);
    let (q, y) = grow(q, y);
    let (top, z) = grow(q, z);
    let first = |a: f64, b: f64| {
        let is_zero = -i64::from(a == 0.0) as u64;
        f64::from_bits((a.to_bits() & !is_zero) | (b.to_bits() & is_zero))
    };
    first(first(top, z), first(y, x))
}

impl ManyDown for f64 {
    #[inline(always)]
    fn add_all<const L: usize>(a: [f64; L], b: [f64; L]) -> [f64; L] {
        if all(join(a, b, |a, b| (a.abs() < LARGE) & (b.abs() < LARGE))) {
            return join(a, b, |a, b| settle(a + b, sum_rest(a, b, a + b)));
        }
        each_alone(a, b, f64::add_down)
    }

    #[inline(always)]
    fn mul_all<const L: usize, const FMA: bool>(a: [f64; L], b: [f64; L]) -> [f64; L] {
        let exact_rest = |a: f64, b: f64| moderate(a * b) | ((a * b == 0.0) & ((a == 0.0) | (b == 0.0)));
        if FMA && all(join(a, b, exact_rest)) {
            return join(a, b, |a, b| settle(a * b, a.mul_add(b, -(a * b))));
        }
        each_alone(a, b, f64::mul_down)
    }

    #[inline(always)]
    fn div_all<const L: usize, const FMA: bool>(a: [f64; L], b: [f64; L]) -> [f64; L] {
        let exact_rest = |a: f64, b: f64| moderate(b) & ((moderate(a) & moderate(a / b)) | (a == 0.0));
        if FMA && all(join(a, b, exact_rest)) {
            return join(a, b, |a, b| {
                let rest = (-(a / b)).mul_add(b, a);
                settle(a / b, if b < 0.0 { -rest } else { rest })
            });
        }
        each_alone(a, b, f64::div_down)
    }

    #[inline(always)]
    fn mul_add_all<const L: usize, const FMA: bool>(a: [f64; L], b: [f64; L], c: [f64; L]) -> [f64; L] {
        let exact_rest = |a: f64, b: f64, c: f64| {
            (moderate(a * b) | ((a * b == 0.0) & ((a == 0.0) | (b == 0.0)))) & (c.abs() < LARGE)
        };
        if FMA && all(join3(a, b, c, exact_rest)) {
            return join3(a, b, c, |a, b, c| {
                let (near, p) = (a.mul_add(b, c), a * b);
                settle(near, fused_rest(a.mul_add(b, -p), p, c, near))
            });
        }
        each_fused(a, b, c)
    }
}

impl<T: ManyDown, const L: usize, const FMA: bool> Rounded for Lanes<T, L, FMA> {
    type Number = T;
    type Mask = [bool; L];
    const LANES: usize = L;

    #[inline(always)]
    fn splat(x: T) -> Self {
        Lanes([x; L])
    }
    #[inline(always)]
    fn load(from: &Plane<T>, at: usize) -> Self {
        Lanes(from_fn(|i| from[at + i]))
    }
    #[inline(always)]
    fn store(self, to: &mut Plane<T>, at: usize) {
        to[at..at + L].copy_from_slice(&self.0);
    }

    #[inline(always)]
    fn add_near(self, b: Self) -> Self {
        Lanes(join(self.0, b.0, T::add_near))
    }
    #[inline(always)]
    fn add_down(self, b: Self) -> Self {
        Lanes(T::add_all(self.0, b.0))
    }
    #[inline(always)]
    fn add_up(self, b: Self) -> Self {
        self.negated().add_down(b.negated()).negated()
    }
    #[inline(always)]
    fn sub_near(self, b: Self) -> Self {
        Lanes(join(self.0, b.0, T::sub_near))
    }
    #[inline(always)]
    fn sub_down(self, b: Self) -> Self {
        self.add_down(b.negated())
    }
    #[inline(always)]
    fn sub_up(self, b: Self) -> Self {
        self.negated().add_down(b).negated()
    }
    #[inline(always)]
    fn mul_near(self, b: Self) -> Self {
        Lanes(join(self.0, b.0, T::mul_near))
    }
    #[inline(always)]
    fn mul_down(self, b: Self) -> Self {
        Lanes(T::mul_all::<L, FMA>(self.0, b.0))
    }
    #[inline(always)]
    fn mul_up(self, b: Self) -> Self {
        self.negated().mul_down(b).negated()
    }
    #[inline(always)]
    fn div_near(self, b: Self) -> Self {
        Lanes(join(self.0, b.0, T::div_near))
    }
    #[inline(always)]
    fn div_down(self, b: Self) -> Self {
        Lanes(T::div_all::<L, FMA>(self.0, b.0))
    }
    #[inline(always)]
    fn div_up(self, b: Self) -> Self {
        self.negated().div_down(b).negated()
    }
    #[inline(always)]
    fn sqrt_near(self) -> Self {
        Lanes(map(self.0, T::sqrt_near))
    }
    #[inline(always)]
    fn sqrt_down(self) -> Self {
        Lanes(each_alone(self.0, self.0, |x, _| x.sqrt_down()))
    }
    #[inline(always)]
    fn sqrt_up(self) -> Self {
        Lanes(each_alone(self.0, self.0, |x, _| x.sqrt_up()))
    }
    #[inline(always)]
    fn mul_add_near(self, b: Self, c: Self) -> Self {
        Lanes(join3(self.0, b.0, c.0, T::mul_add_near))
    }
    #[inline(always)]
    fn mul_add_down(self, b: Self, c: Self) -> Self {
        Lanes(T::mul_add_all::<L, FMA>(self.0, b.0, c.0))
    }
    #[inline(always)]
    fn mul_add_up(self, b: Self, c: Self) -> Self {
        self.negated().mul_add_down(b, c.negated()).negated()
    }

    #[inline(always)]
    fn lesser(self, b: Self) -> Self {
        Lanes(join(self.0, b.0, T::lesser))
    }
    #[inline(always)]
    fn greater(self, b: Self) -> Self {
        Lanes(join(self.0, b.0, T::greater))
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Lanes(map(self.0, T::abs))
    }
    #[inline(always)]
    fn negated(self) -> Self {
        Lanes(map(self.0, |x| -x))
    }

    #[inline(always)]
    fn less(self, b: Self) -> [bool; L] {
        join(self.0, b.0, |a, b| a < b)
    }
    #[inline(always)]
    fn equal(self, b: Self) -> [bool; L] {
        join(self.0, b.0, |a, b| a == b)
    }
    #[inline(always)]
    fn unordered(self, b: Self) -> [bool; L] {
        join(self.0, b.0, |a, b| a.partial_cmp(&b).is_none())
    }
    #[inline(always)]
    fn either(a: [bool; L], b: [bool; L]) -> [bool; L] {
        join(a, b, |a, b| a | b)
    }
    #[inline(always)]
    fn both(a: [bool; L], b: [bool; L]) -> [bool; L] {
        join(a, b, |a, b| a & b)
    }
    #[inline(always)]
    fn any(mask: [bool; L]) -> bool {
        !all(map(mask, |lane| !lane))
    }
    #[inline(always)]
    fn or_else(self, mask: [bool; L], b: Self) -> Self {
        Lanes(from_fn(|i| if mask[i] { self.0[i] } else { b.0[i] }))
    }
}

impl<const L: usize, const FMA: bool> Double for Lanes<f64, L, FMA> {
    #[inline(always)]
    fn floor(self) -> Self {
        Lanes(map(self.0, f64::floor))
    }
    /// The first factor is exact where the number is near 1, as those of exponentials are.
    #[inline(always)]
    fn scale_down(self, k: Self) -> Self {
        let power = |n: f64| power_of_two(n as i64);
        let halves = map(k.0, |k| (k / 2.0).trunc());
        let scaled = join(self.0, halves, |x, half| x * power(half));
        Lanes(f64::mul_all::<L, FMA>(scaled, join(k.0, halves, |k, half| power(k - half))))
    }
    #[inline(always)]
    fn scale_up(self, k: Self) -> Self {
        self.negated().scale_down(k).negated()
    }
    #[inline(always)]
    fn parts(self) -> (Self, Self) {
        const NORMALIZE: f64 = power_of_two(54);
        let normal = map(self.0, |x| if x < f64::MIN_POSITIVE { x * NORMALIZE } else { x });
        let exponent = join(self.0, normal, |x, normal| {
            (normal.to_bits() >> 52) as f64 - if x < f64::MIN_POSITIVE { 1077.0 } else { 1023.0 }
        });
        let one_to_two = |x: f64| f64::from_bits(x.to_bits() & ((1 << 52) - 1) | (1023 << 52));
        (Lanes(map(normal, one_to_two)), Lanes(exponent))
    }
}

impl<T: ManyDown + Holds<R>, R: Real, const L: usize, const FMA: bool> Narrow<R> for Lanes<T, L, FMA> {
    #[inline(always)]
    fn narrow_down(from: &Plane<T>, to: &mut Plane<R>) {
        *to = map(*from, T::narrow_down);
    }
    #[inline(always)]
    fn narrow_up(from: &Plane<T>, to: &mut Plane<R>) {
        *to = map(*from, T::narrow_up);
    }
    #[inline(always)]
    fn widen(from: &Plane<R>, to: &mut Plane<T>) {
        *to = map(*from, T::widen);
    }
}
