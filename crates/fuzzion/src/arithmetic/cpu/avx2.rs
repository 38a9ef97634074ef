//! Directed rounding by error-free transformations for AVX2, whose instructions round to nearest.
//!
//! As in [`rounding`](crate::arithmetic::rounding), the sign of exact − nearest determines whether the neighboring
//! number is the directed result. In double precision, the vectorized computation is valid in the middle of the
//! exponent range; if one lane is close to overflow or underflow, all lanes use the scalar operation. Single
//! precision is computed in double precision, where the residuals are exact.

use super::cut_vector::zero;
use super::soft_vector::{parts, scale_down};
use crate::arithmetic::rounding::{Real, power_of_two};
use crate::device::{
    Avx2Detected, ElementaryVector, Narrow, Nearest, NearestF32, NearestF64, PLANE, Plane, Rounded,
};

/// Products above this magnitude have an exactly representable error.
const SMALL: f64 = power_of_two(-900);
/// Below this magnitude, intermediate results do not overflow.
const LARGE: f64 = power_of_two(990);

/// A mask has the type of its vector.
type Mask<P> = NearestF64<P>;

/// Lanes with magnitude below [`LARGE`] (and not NaN).
#[inline(always)]
fn is_below_large<P: Avx2Detected>(x: NearestF64<P>) -> Mask<P> {
    x.abs().less(NearestF64::<P>::splat(LARGE))
}

/// Lanes with magnitude between [`SMALL`] and [`LARGE`].
#[inline(always)]
fn is_moderate<P: Avx2Detected>(x: NearestF64<P>) -> Mask<P> {
    NearestF64::<P>::mask_and(is_below_large(x), NearestF64::<P>::splat(SMALL).less(x.abs()))
}

/// Lanes whose product and its error are exact: the product is moderate, or 0 because a factor is 0.
#[inline(always)]
fn product_is_exact<P: Avx2Detected>(a: NearestF64<P>, b: NearestF64<P>, product: NearestF64<P>) -> Mask<P> {
    let zero_factor = NearestF64::<P>::mask_or(a.equal(zero()), b.equal(zero()));
    NearestF64::<P>::mask_or(
        is_moderate(product),
        NearestF64::<P>::mask_and(zero_factor, product.equal(zero())),
    )
}

/// Error of a + b (Knuth's TwoSum).
#[inline(always)]
fn sum_error<P: Avx2Detected>(a: NearestF64<P>, b: NearestF64<P>, sum: NearestF64<P>) -> NearestF64<P> {
    let b_part = sum.sub_near(a);
    let a_part = sum.sub_near(b_part);
    a.sub_near(a_part).add_near(b.sub_near(b_part))
}

/// `near`, or its lower neighbor if exact − near is negative.
#[inline(always)]
fn adjust_down<P: Avx2Detected>(near: NearestF64<P>, residual: NearestF64<P>) -> NearestF64<P> {
    near.next_down(residual.less(zero()))
}

/// A number with the sign of e + p + c − near: the largest nonzero component of Shewchuk's nonoverlapping
/// Grow-Expansion has the sign of the sum.
#[inline(always)]
fn fused_residual<P: Avx2Detected>(
    e: NearestF64<P>,
    p: NearestF64<P>,
    c: NearestF64<P>,
    near: NearestF64<P>,
) -> NearestF64<P> {
    let grow = |a: NearestF64<P>, b: NearestF64<P>| (a.add_near(b), sum_error(a, b, a.add_near(b)));
    let (q, x) = grow(c, e);
    let (z, y) = grow(q, p);
    let (q, x) = grow(near.negated(), x);
    let (q, y) = grow(q, y);
    let (top, z) = grow(q, z);
    let first = |a: NearestF64<P>, b: NearestF64<P>| b.select(a.equal(zero()), a);
    first(first(top, z), first(y, x))
}

/// Scalar fallback for numbers close to overflow or underflow.
#[cold]
#[inline(never)]
fn scalar_fallback<P: Avx2Detected>(
    operands: [NearestF64<P>; 3],
    f: fn(f64, f64, f64) -> f64,
) -> NearestF64<P> {
    let (mut numbers, mut results) = ([[0.0; PLANE]; 3], [0.0; PLANE]);
    for (numbers, operand) in numbers.iter_mut().zip(operands) {
        operand.store(numbers, 0);
    }
    for (i, result) in results.iter_mut().enumerate().take(NearestF64::<P>::LANES) {
        *result = f(numbers[0][i], numbers[1][i], numbers[2][i]);
    }
    NearestF64::<P>::load(&results, 0)
}

impl<P: Avx2Detected> Rounded for NearestF64<P> {
    #[inline(always)]
    fn add_down(self, b: Self) -> Self {
        if !Self::all(Self::mask_and(is_below_large(self), is_below_large(b))) {
            return scalar_fallback([self, b, b], |a, b, _| a.add_down(b));
        }
        let sum = self.add_near(b);
        adjust_down(sum, sum_error(self, b, sum))
    }

    #[inline(always)]
    fn mul_down(self, b: Self) -> Self {
        let product = self.mul_near(b);
        if !Self::all(product_is_exact(self, b, product)) {
            return scalar_fallback([self, b, b], |a, b, _| a.mul_down(b));
        }
        adjust_down(product, self.mul_add_near(b, product.negated()))
    }

    #[inline(always)]
    fn div_down(self, b: Self) -> Self {
        let quotient = self.div_near(b);
        let dividend =
            Self::mask_or(Self::mask_and(is_moderate(self), is_moderate(quotient)), self.equal(zero()));
        if !Self::all(Self::mask_and(dividend, is_moderate(b))) {
            return scalar_fallback([self, b, b], |a, b, _| a.div_down(b));
        }
        let residual = quotient.negated().mul_add_near(b, self);
        adjust_down(quotient, residual.negated().select(b.less(zero()), residual))
    }

    #[inline(always)]
    fn sqrt_down(self) -> Self {
        if !Self::all(Self::mask_or(is_moderate(self), self.equal(zero()))) {
            return scalar_fallback([self; 3], |a, _, _| a.sqrt_down());
        }
        let root = self.sqrt_near();
        adjust_down(root, root.negated().mul_add_near(root, self))
    }

    #[inline(always)]
    fn sqrt_up(self) -> Self {
        if !Self::all(Self::mask_or(is_moderate(self), self.equal(zero()))) {
            return scalar_fallback([self; 3], |a, _, _| a.sqrt_up());
        }
        let root = self.sqrt_near();
        adjust_down(root.negated(), root.mul_add_near(root, self.negated())).negated()
    }

    #[inline(always)]
    fn mul_add_down(self, b: Self, c: Self) -> Self {
        let product = self.mul_near(b);
        if !Self::all(Self::mask_and(product_is_exact(self, b, product), is_below_large(c))) {
            return scalar_fallback([self, b, c], |a, b, c| a.mul_add_down(b, c));
        }
        let near = self.mul_add_near(b, c);
        adjust_down(near, fused_residual(self.mul_add_near(b, product.negated()), product, c, near))
    }
}

/// Largest f32 ≤ `sum` + `residual`; see the scalar version.
#[inline(always)]
fn round_down<P: Avx2Detected>(sum: [NearestF64<P>; 2], residual: [NearestF64<P>; 2]) -> NearestF32<P> {
    let near = NearestF32::<P>::from_f64_pair(sum);
    let wide = near.to_f64_pair();
    near.next_down(NearestF32::<P>::join_masks([
        is_above(wide[0], sum[0], residual[0]),
        is_above(wide[1], sum[1], residual[1]),
    ]))
}

/// Where `wide` > `sum` + `residual`.
#[inline(always)]
fn is_above<P: Avx2Detected>(wide: NearestF64<P>, sum: NearestF64<P>, residual: NearestF64<P>) -> Mask<P> {
    NearestF64::<P>::mask_or(
        sum.less(wide),
        NearestF64::<P>::mask_and(wide.equal(sum), residual.less(zero())),
    )
}

/// a + b of both halves, rounded down.
#[inline(always)]
fn sum_down<P: Avx2Detected>(a: [NearestF64<P>; 2], b: [NearestF64<P>; 2]) -> NearestF32<P> {
    let sum = [a[0].add_near(b[0]), a[1].add_near(b[1])];
    round_down(sum, [sum_error(a[0], b[0], sum[0]), sum_error(a[1], b[1], sum[1])])
}

/// a · b of both halves, which is exact.
#[inline(always)]
fn product<P: Avx2Detected>(a: NearestF32<P>, b: NearestF32<P>) -> [NearestF64<P>; 2] {
    let (a, b) = (a.to_f64_pair(), b.to_f64_pair());
    [a[0].mul_near(b[0]), a[1].mul_near(b[1])]
}

/// x − y of both halves.
#[inline(always)]
fn difference<P: Avx2Detected>(x: [NearestF64<P>; 2], y: [NearestF64<P>; 2]) -> [NearestF64<P>; 2] {
    [x[0].sub_near(y[0]), x[1].sub_near(y[1])]
}

/// `near`, or its lower neighbor if exact − near is negative. If an operand is infinite, `residual` is NaN and `near`
/// is returned.
#[inline(always)]
fn adjust_down_f32<P: Avx2Detected>(near: NearestF32<P>, residual: [NearestF64<P>; 2]) -> NearestF32<P> {
    near.next_down(NearestF32::<P>::join_masks([residual[0].less(zero()), residual[1].less(zero())]))
}

impl<P: Avx2Detected> Rounded for NearestF32<P> {
    #[inline(always)]
    fn add_down(self, b: Self) -> Self {
        sum_down(self.to_f64_pair(), b.to_f64_pair())
    }

    #[inline(always)]
    fn mul_down(self, b: Self) -> Self {
        round_down(product(self, b), [zero(); 2])
    }

    #[inline(always)]
    fn div_down(self, b: Self) -> Self {
        let near = self.div_near(b);
        // a/b − near has the sign of (a − near·b)/b.
        let negative = b.less(zero());
        let (dividend, divisor) = (self.negated().select(negative, self), b.abs());
        adjust_down_f32(near, difference(dividend.to_f64_pair(), product(near, divisor)))
    }

    #[inline(always)]
    fn sqrt_down(self) -> Self {
        let near = self.sqrt_near();
        adjust_down_f32(near, difference(self.to_f64_pair(), product(near, near)))
    }

    #[inline(always)]
    fn sqrt_up(self) -> Self {
        let near = self.sqrt_near();
        adjust_down_f32(near.negated(), difference(product(near, near), self.to_f64_pair())).negated()
    }

    #[inline(always)]
    fn mul_add_down(self, b: Self, c: Self) -> Self {
        sum_down(product(self, b), c.to_f64_pair())
    }
}

/// Lane by lane; cheap compared with the series of the elementary functions.
impl<P: Avx2Detected> ElementaryVector for NearestF64<P> {
    #[inline(always)]
    fn floor(self) -> Self {
        scalar_fallback([self; 3], |x, _, _| x.floor())
    }
    #[inline(always)]
    fn scale_down(self, k: Self) -> Self {
        scalar_fallback([self, k, k], |x, k, _| scale_down(x, k))
    }
    #[inline(always)]
    fn scale_up(self, k: Self) -> Self {
        scalar_fallback([self, k, k], |x, k, _| -scale_down(-x, k))
    }
    #[inline(always)]
    fn mantissa_exponent(self) -> (Self, Self) {
        (scalar_fallback([self; 3], |x, _, _| parts(x).0), scalar_fallback([self; 3], |x, _, _| parts(x).1))
    }
}

macro_rules! narrow_to_itself {
    ($vector:ident, $real:ty) => {
        impl<P: Avx2Detected> Narrow<$real> for $vector<P> {
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

/// Two f64 vectors that correspond to one f32 vector.
#[inline(always)]
fn pair<P: Avx2Detected>(from: &Plane<f64>, at: usize) -> [NearestF64<P>; 2] {
    [NearestF64::<P>::load(from, at), NearestF64::<P>::load(from, at + NearestF64::<P>::LANES)]
}

impl<P: Avx2Detected> Narrow<f32> for NearestF64<P> {
    #[inline(always)]
    fn narrow_down(from: &Plane<f64>, to: &mut Plane<f32>) {
        for at in (0..PLANE).step_by(NearestF32::<P>::LANES) {
            round_down(pair::<P>(from, at), [zero(); 2]).store(to, at);
        }
    }
    #[inline(always)]
    fn narrow_up(from: &Plane<f64>, to: &mut Plane<f32>) {
        for at in (0..PLANE).step_by(NearestF32::<P>::LANES) {
            let [first, last] = pair::<P>(from, at);
            round_down([first.negated(), last.negated()], [zero(); 2]).negated().store(to, at);
        }
    }
    #[inline(always)]
    fn widen(from: &Plane<f32>, to: &mut Plane<f64>) {
        for at in (0..PLANE).step_by(NearestF32::<P>::LANES) {
            let [first, last] = NearestF32::<P>::load(from, at).to_f64_pair();
            first.store(to, at);
            last.store(to, at + NearestF64::<P>::LANES);
        }
    }
}
