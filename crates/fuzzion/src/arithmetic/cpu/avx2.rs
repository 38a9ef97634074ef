//! Directed rounding for vectors that round to nearest, by error-free transformations.
//!
//! As in [`rounding`](crate::arithmetic::rounding), the sign of exact − nearest tells whether the neighbour is the
//! directed result. In double precision it is found so in the middle of the range; where one number of a vector is near
//! an end of it, all are computed one by one. Single precision goes through double, where all is exact.

use super::cuts::zero;
use super::lanes::{parts, scale_down};
use crate::arithmetic::rounding::{Real, power_of_two};
use crate::device::{Double, Narrow, Nearest, NearestF32, NearestF64, PLANE, Plane, Rounded};

/// Products from here on have an error that is a number, too.
const SMALL: f64 = power_of_two(-900);
/// Up to here nothing overflows on the way to a result.
const LARGE: f64 = power_of_two(990);

type Mask = <NearestF64 as Nearest>::Mask;

/// Where a number is below [`LARGE`] in size, and no NaN.
#[inline(always)]
fn tame(x: NearestF64) -> Mask {
    x.abs().less(NearestF64::splat(LARGE))
}

/// Where a number is also not too small.
#[inline(always)]
fn moderate(x: NearestF64) -> Mask {
    NearestF64::both(tame(x), NearestF64::splat(SMALL).less(x.abs()))
}

/// Where a product of two numbers and its error are exact: it is moderate, or 0 because a factor is.
#[inline(always)]
fn product_is_tame(a: NearestF64, b: NearestF64, product: NearestF64) -> Mask {
    let no_factor = NearestF64::either(a.equal(zero()), b.equal(zero()));
    NearestF64::either(moderate(product), NearestF64::both(no_factor, product.equal(zero())))
}

/// What a + b misses of the exact sum (Knuth).
#[inline(always)]
fn sum_rest(a: NearestF64, b: NearestF64, sum: NearestF64) -> NearestF64 {
    let b_part = sum.sub_near(a);
    let a_part = sum.sub_near(b_part);
    a.sub_near(a_part).add_near(b.sub_near(b_part))
}

/// `near`, or its lower neighbour where exact − near is negative.
#[inline(always)]
fn settle(near: NearestF64, rest: NearestF64) -> NearestF64 {
    near.lowered(rest.less(zero()))
}

/// A number with the sign of e + p + c − near: the numbers of Shewchuk's Grow-Expansion do not overlap, so that the
/// greatest that is not 0 has the sign of their sum.
#[inline(always)]
fn fused_rest(e: NearestF64, p: NearestF64, c: NearestF64, near: NearestF64) -> NearestF64 {
    let grow = |a: NearestF64, b: NearestF64| (a.add_near(b), sum_rest(a, b, a.add_near(b)));
    let (q, x) = grow(c, e);
    let (z, y) = grow(q, p);
    let (q, x) = grow(near.negated(), x);
    let (q, y) = grow(q, y);
    let (top, z) = grow(q, z);
    let first = |a: NearestF64, b: NearestF64| b.or_else(a.equal(zero()), a);
    first(first(top, z), first(y, x))
}

/// Numbers near an end of the range, one by one.
#[cold]
#[inline(never)]
fn each(operands: [NearestF64; 3], f: fn(f64, f64, f64) -> f64) -> NearestF64 {
    let (mut numbers, mut results) = ([[0.0; PLANE]; 3], [0.0; PLANE]);
    for (numbers, operand) in numbers.iter_mut().zip(operands) {
        operand.store(numbers, 0);
    }
    for (i, result) in results.iter_mut().enumerate().take(NearestF64::LANES) {
        *result = f(numbers[0][i], numbers[1][i], numbers[2][i]);
    }
    NearestF64::load(&results, 0)
}

impl Rounded for NearestF64 {
    #[inline(always)]
    fn add_down(self, b: Self) -> Self {
        if !Self::all(Self::both(tame(self), tame(b))) {
            return each([self, b, b], |a, b, _| a.add_down(b));
        }
        let sum = self.add_near(b);
        settle(sum, sum_rest(self, b, sum))
    }

    #[inline(always)]
    fn mul_down(self, b: Self) -> Self {
        let product = self.mul_near(b);
        if !Self::all(product_is_tame(self, b, product)) {
            return each([self, b, b], |a, b, _| a.mul_down(b));
        }
        settle(product, self.mul_add_near(b, product.negated()))
    }

    #[inline(always)]
    fn div_down(self, b: Self) -> Self {
        let quotient = self.div_near(b);
        let dividend = Self::either(Self::both(moderate(self), moderate(quotient)), self.equal(zero()));
        if !Self::all(Self::both(dividend, moderate(b))) {
            return each([self, b, b], |a, b, _| a.div_down(b));
        }
        let rest = quotient.negated().mul_add_near(b, self);
        settle(quotient, rest.negated().or_else(b.less(zero()), rest))
    }

    #[inline(always)]
    fn sqrt_down(self) -> Self {
        if !Self::all(Self::either(moderate(self), self.equal(zero()))) {
            return each([self; 3], |a, _, _| a.sqrt_down());
        }
        let root = self.sqrt_near();
        settle(root, root.negated().mul_add_near(root, self))
    }

    #[inline(always)]
    fn sqrt_up(self) -> Self {
        if !Self::all(Self::either(moderate(self), self.equal(zero()))) {
            return each([self; 3], |a, _, _| a.sqrt_up());
        }
        let root = self.sqrt_near();
        settle(root.negated(), root.mul_add_near(root, self.negated())).negated()
    }

    #[inline(always)]
    fn mul_add_down(self, b: Self, c: Self) -> Self {
        let product = self.mul_near(b);
        if !Self::all(Self::both(product_is_tame(self, b, product), tame(c))) {
            return each([self, b, c], |a, b, c| a.mul_add_down(b, c));
        }
        let near = self.mul_add_near(b, c);
        settle(near, fused_rest(self.mul_add_near(b, product.negated()), product, c, near))
    }
}

/// The greatest f32 not above `sum` + `rest`, as the function of this name for single numbers.
#[inline(always)]
fn down(sum: [NearestF64; 2], rest: [NearestF64; 2]) -> NearestF32 {
    let near = NearestF32::nearest(sum);
    let wide = near.halves();
    near.lowered(NearestF32::joined([is_above(wide[0], sum[0], rest[0]), is_above(wide[1], sum[1], rest[1])]))
}

/// Where `wide` > `sum` + `rest`.
#[inline(always)]
fn is_above(wide: NearestF64, sum: NearestF64, rest: NearestF64) -> Mask {
    NearestF64::either(sum.less(wide), NearestF64::both(wide.equal(sum), rest.less(zero())))
}

/// a + b of both halves, rounded downwards.
#[inline(always)]
fn sum_down(a: [NearestF64; 2], b: [NearestF64; 2]) -> NearestF32 {
    let sum = [a[0].add_near(b[0]), a[1].add_near(b[1])];
    down(sum, [sum_rest(a[0], b[0], sum[0]), sum_rest(a[1], b[1], sum[1])])
}

/// a · b of both halves, which is exact.
#[inline(always)]
fn product(a: NearestF32, b: NearestF32) -> [NearestF64; 2] {
    let (a, b) = (a.halves(), b.halves());
    [a[0].mul_near(b[0]), a[1].mul_near(b[1])]
}

/// x − y of both halves.
#[inline(always)]
fn difference(x: [NearestF64; 2], y: [NearestF64; 2]) -> [NearestF64; 2] {
    [x[0].sub_near(y[0]), x[1].sub_near(y[1])]
}

/// `near`, or its lower neighbour where exact − near is negative. A NaN (an infinity among the operands) leaves it.
#[inline(always)]
fn settle_single(near: NearestF32, rest: [NearestF64; 2]) -> NearestF32 {
    near.lowered(NearestF32::joined([rest[0].less(zero()), rest[1].less(zero())]))
}

impl Rounded for NearestF32 {
    #[inline(always)]
    fn add_down(self, b: Self) -> Self {
        sum_down(self.halves(), b.halves())
    }

    #[inline(always)]
    fn mul_down(self, b: Self) -> Self {
        down(product(self, b), [zero(); 2])
    }

    #[inline(always)]
    fn div_down(self, b: Self) -> Self {
        let near = self.div_near(b);
        // Of a/b − near the sign is that of (a − near·b)/b.
        let negative = b.less(zero());
        let (dividend, divisor) = (self.negated().or_else(negative, self), b.abs());
        settle_single(near, difference(dividend.halves(), product(near, divisor)))
    }

    #[inline(always)]
    fn sqrt_down(self) -> Self {
        let near = self.sqrt_near();
        settle_single(near, difference(self.halves(), product(near, near)))
    }

    #[inline(always)]
    fn sqrt_up(self) -> Self {
        let near = self.sqrt_near();
        settle_single(near.negated(), difference(product(near, near), self.halves())).negated()
    }

    #[inline(always)]
    fn mul_add_down(self, b: Self, c: Self) -> Self {
        sum_down(product(self, b), c.halves())
    }
}

/// Lane by lane: little beside the series that it goes with.
impl Double for NearestF64 {
    #[inline(always)]
    fn floor(self) -> Self {
        each([self; 3], |x, _, _| x.floor())
    }
    #[inline(always)]
    fn scale_down(self, k: Self) -> Self {
        each([self, k, k], |x, k, _| scale_down(x, k))
    }
    #[inline(always)]
    fn scale_up(self, k: Self) -> Self {
        each([self, k, k], |x, k, _| -scale_down(-x, k))
    }
    #[inline(always)]
    fn parts(self) -> (Self, Self) {
        (each([self; 3], |x, _, _| parts(x).0), each([self; 3], |x, _, _| parts(x).1))
    }
}

macro_rules! narrow_to_itself {
    ($vector:ty, $real:ty) => {
        impl Narrow<$real> for $vector {
            #[inline(always)]
            fn narrow_down(from: &Plane<$real>, to: &mut Plane<$real>) {
                *to = *from;
            }
            #[inline(always)]
            fn narrow_up(from: &Plane<$real>, to: &mut Plane<$real>) {
                *to = *from;
            }
            #[inline(always)]
            fn widen(from: &Plane<$real>, to: &mut Plane<$real>) {
                *to = *from;
            }
        }
    };
}
narrow_to_itself!(NearestF32, f32);
narrow_to_itself!(NearestF64, f64);

/// Two vectors of doubles for each one of singles.
#[inline(always)]
fn pair(from: &Plane<f64>, at: usize) -> [NearestF64; 2] {
    [NearestF64::load(from, at), NearestF64::load(from, at + NearestF64::LANES)]
}

impl Narrow<f32> for NearestF64 {
    #[inline(always)]
    fn narrow_down(from: &Plane<f64>, to: &mut Plane<f32>) {
        for at in (0..PLANE).step_by(NearestF32::LANES) {
            down(pair(from, at), [zero(); 2]).store(to, at);
        }
    }
    #[inline(always)]
    fn narrow_up(from: &Plane<f64>, to: &mut Plane<f32>) {
        for at in (0..PLANE).step_by(NearestF32::LANES) {
            let [first, last] = pair(from, at);
            down([first.negated(), last.negated()], [zero(); 2]).negated().store(to, at);
        }
    }
    #[inline(always)]
    fn widen(from: &Plane<f32>, to: &mut Plane<f64>) {
        for at in (0..PLANE).step_by(NearestF32::LANES) {
            let [first, last] = NearestF32::load(from, at).halves();
            first.store(to, at);
            last.store(to, at + NearestF64::LANES);
        }
    }
}
