//! Kernels over the cuts of lower-upper arrays.

use super::axpy::axpy_body;
use crate::arithmetic::cpu::cut_vector::{Bounds, CutVector};
use crate::arithmetic::cpu::elementary::{Elementary, Exp, Log};
use crate::arithmetic::cpu::soft_vector::SoftVector;
use crate::arithmetic::expr::{Binary, Unary};
use crate::arithmetic::rounding::Real;
use crate::device::{ElementaryVector, Narrow, PLANE, Plane, Rounded, Simd, rounded};

/// Kernels over blocks of `cuts` cuts.
pub(in crate::arithmetic) trait LuKernels: Sized {
    fn unary(simd: Simd, operation: Unary, a: &[Bounds<Self>], out: &mut [Bounds<Self>], cuts: usize);
    fn binary(
        simd: Simd,
        operation: Binary,
        a: &[Bounds<Self>],
        b: &[Bounds<Self>],
        out: &mut [Bounds<Self>],
        cuts: usize,
    );
    fn mul_add(
        simd: Simd,
        a: &[Bounds<Self>],
        b: &[Bounds<Self>],
        c: &[Bounds<Self>],
        out: &mut [Bounds<Self>],
    );
    fn axpy(simd: Simd, c: &mut [Bounds<Self>], a: &[Bounds<Self>], b: &[Bounds<Self>], steps: usize);
    fn accumulate(simd: Simd, sums: &mut [Bounds<Self>], a: &[Bounds<Self>]);
    fn accumulate_products(simd: Simd, sums: &mut [Bounds<Self>], a: &[Bounds<Self>], b: &[Bounds<Self>]);
}

macro_rules! kernels {
    ($real:ty) => {
        impl LuKernels for $real {
            rounded! {
                fn unary(operation: Unary, a: &[Bounds<$real>], out: &mut [Bounds<$real>], cuts: usize)
                    = unary_body::<$real, f64>, or SoftVector;
            }
            rounded! {
                fn binary(operation: Binary, a: &[Bounds<$real>], b: &[Bounds<$real>], out: &mut [Bounds<$real>], cuts: usize)
                    = binary_body::<$real>, or SoftVector;
            }
            rounded! {
                fn mul_add(a: &[Bounds<$real>], b: &[Bounds<$real>], c: &[Bounds<$real>], out: &mut [Bounds<$real>])
                    = mul_add_body::<$real>, or SoftVector;
            }
            rounded! {
                fn axpy(c: &mut [Bounds<$real>], a: &[Bounds<$real>], b: &[Bounds<$real>], steps: usize)
                    = axpy_body::<$real>, or SoftVector;
            }
            rounded! {
                fn accumulate(sums: &mut [Bounds<$real>], a: &[Bounds<$real>]) = accumulate_body::<$real>, or SoftVector;
            }
            rounded! {
                fn accumulate_products(sums: &mut [Bounds<$real>], a: &[Bounds<$real>], b: &[Bounds<$real>])
                    = accumulate_products_body::<$real>, or SoftVector;
            }
        }
    };
}
kernels!(f32);
kernels!(f64);

/// Applies a function to each cut.
#[inline(always)]
fn map_cuts<V: Rounded<Number: Real>>(
    a: &[Bounds<V::Number>],
    out: &mut [Bounds<V::Number>],
    f: impl Fn(CutVector<V>) -> CutVector<V>,
) {
    for (a, out) in a.iter().zip(out) {
        for at in (0..PLANE).step_by(V::LANES) {
            f(CutVector::load(a, at)).store(out, at);
        }
    }
}

/// Applies a function to each pair of cuts.
#[inline(always)]
fn zip_cuts<V: Rounded<Number: Real>>(
    a: &[Bounds<V::Number>],
    b: &[Bounds<V::Number>],
    out: &mut [Bounds<V::Number>],
    f: impl Fn(CutVector<V>, CutVector<V>) -> CutVector<V>,
) {
    for ((a, b), out) in a.iter().zip(b).zip(out) {
        for at in (0..PLANE).step_by(V::LANES) {
            f(CutVector::load(a, at), CutVector::load(b, at)).store(out, at);
        }
    }
}

/// Intersects each cut with the previous one; see [`FuzzyLu::nested`](crate::arithmetic::FuzzyLu).
#[inline(always)]
pub(in crate::arithmetic::cpu) fn nest_cuts<V: Rounded<Number: Real>>(
    out: &mut [Bounds<V::Number>],
    cuts: usize,
) {
    for block in out.chunks_exact_mut(cuts) {
        for at in (0..PLANE).step_by(V::LANES) {
            let mut outer = CutVector::<V>::unbounded();
            for cut in block.iter_mut() {
                outer = outer.intersection(CutVector::load(cut, at));
                outer.store(cut, at);
            }
        }
    }
}

/// Bounds of a function computed in f64; for f32 they are rounded outward to f32.
#[inline(always)]
pub(in crate::arithmetic::cpu) fn map_in_f64<F: Elementary, D: ElementaryVector + Narrow<T>, T: Real>(
    a: &[Bounds<T>],
    out: &mut [Bounds<T>],
) {
    for (a, out) in a.iter().zip(out) {
        let (mut lower, mut upper): (Plane<f64>, Plane<f64>) = ([0.0; PLANE], [0.0; PLANE]);
        D::widen(&a[0], &mut lower);
        D::widen(&a[1], &mut upper);
        for at in (0..PLANE).step_by(D::LANES) {
            F::down(D::load(&lower, at)).store(&mut lower, at);
            F::up(D::load(&upper, at)).store(&mut upper, at);
        }
        D::narrow_down(&lower, &mut out[0]);
        D::narrow_up(&upper, &mut out[1]);
    }
}

#[inline(always)]
fn unary_body<V: Rounded<Number: Real>, D: ElementaryVector + Narrow<V::Number>>(
    operation: Unary,
    a: &[Bounds<V::Number>],
    out: &mut [Bounds<V::Number>],
    cuts: usize,
) {
    match operation {
        Unary::Neg => return map_cuts::<V>(a, out, CutVector::neg),
        Unary::Abs => return map_cuts::<V>(a, out, CutVector::abs),
        Unary::Sqr => return map_cuts::<V>(a, out, CutVector::sqr),
        Unary::Recip => map_cuts::<V>(a, out, CutVector::recip),
        Unary::Sqrt => map_cuts::<V>(a, out, CutVector::sqrt),
        Unary::Powi(n) => map_cuts::<V>(a, out, |x| x.powi(n)),
        Unary::Exp => map_in_f64::<Exp, D, _>(a, out),
        Unary::Log => map_in_f64::<Log, D, _>(a, out),
    }
    nest_cuts::<V>(out, cuts);
}

#[inline(always)]
fn binary_body<V: Rounded<Number: Real>>(
    operation: Binary,
    a: &[Bounds<V::Number>],
    b: &[Bounds<V::Number>],
    out: &mut [Bounds<V::Number>],
    cuts: usize,
) {
    match operation {
        Binary::Add => zip_cuts::<V>(a, b, out, CutVector::add),
        Binary::Sub => zip_cuts::<V>(a, b, out, CutVector::sub),
        Binary::Mul => zip_cuts::<V>(a, b, out, CutVector::mul),
        Binary::Min => zip_cuts::<V>(a, b, out, CutVector::min),
        Binary::Max => zip_cuts::<V>(a, b, out, CutVector::max),
        Binary::Div => {
            zip_cuts::<V>(a, b, out, CutVector::div);
            nest_cuts::<V>(out, cuts);
        }
    }
}

#[inline(always)]
fn mul_add_body<V: Rounded<Number: Real>>(
    a: &[Bounds<V::Number>],
    b: &[Bounds<V::Number>],
    c: &[Bounds<V::Number>],
    out: &mut [Bounds<V::Number>],
) {
    for (((a, b), c), out) in a.iter().zip(b).zip(c).zip(out) {
        for at in (0..PLANE).step_by(V::LANES) {
            CutVector::<V>::load(a, at)
                .mul_add(CutVector::load(b, at), CutVector::load(c, at))
                .store(out, at);
        }
    }
}

/// The sums of a whole chunk stay in registers, one cut after another.
#[inline(always)]
fn accumulate_body<V: Rounded<Number: Real>>(sums: &mut [Bounds<V::Number>], a: &[Bounds<V::Number>]) {
    let cuts = sums.len();
    for (i, sums) in sums.iter_mut().enumerate() {
        for at in (0..PLANE).step_by(V::LANES) {
            let mut sum = CutVector::<V>::load(sums, at);
            for block in a.chunks_exact(cuts) {
                sum = sum.add(CutVector::load(&block[i], at));
            }
            sum.store(sums, at);
        }
    }
}

/// [`accumulate_body`] for products.
#[inline(always)]
fn accumulate_products_body<V: Rounded<Number: Real>>(
    sums: &mut [Bounds<V::Number>],
    a: &[Bounds<V::Number>],
    b: &[Bounds<V::Number>],
) {
    let cuts = sums.len();
    for (i, sums) in sums.iter_mut().enumerate() {
        for at in (0..PLANE).step_by(V::LANES) {
            let mut sum = CutVector::<V>::load(sums, at);
            for (a, b) in a.chunks_exact(cuts).zip(b.chunks_exact(cuts)) {
                sum = CutVector::load(&a[i], at).mul_add(CutVector::load(&b[i], at), sum);
            }
            sum.store(sums, at);
        }
    }
}
