//! The kernels of lower-upper arrays.

mod axpy;

use self::axpy::axpy_body;
use super::Batch;
use super::cuts::{Bounds, Cuts};
use super::elementary::{Elementary, Exp, Log};
use super::lanes::Lanes;
use crate::arithmetic::LuArray;
use crate::arithmetic::array::{Element, LANES};
use crate::arithmetic::expr::{Binary, Unary};
use crate::arithmetic::rounding::Real;
use crate::device::{Double, Narrow, PLANE, Plane, Rounded, Simd, rounded};
use std::ops::Range;

/// Kernels over the cuts of blocks, `cuts` of them each.
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
                    = unary_body::<$real, f64>, or Lanes;
            }
            rounded! {
                fn binary(operation: Binary, a: &[Bounds<$real>], b: &[Bounds<$real>], out: &mut [Bounds<$real>], cuts: usize)
                    = binary_body::<$real>, or Lanes;
            }
            rounded! {
                fn mul_add(a: &[Bounds<$real>], b: &[Bounds<$real>], c: &[Bounds<$real>], out: &mut [Bounds<$real>])
                    = mul_add_body::<$real>, or Lanes;
            }
            rounded! {
                fn axpy(c: &mut [Bounds<$real>], a: &[Bounds<$real>], b: &[Bounds<$real>], steps: usize)
                    = axpy_body::<$real>, or Lanes;
            }
            rounded! {
                fn accumulate(sums: &mut [Bounds<$real>], a: &[Bounds<$real>]) = accumulate_body::<$real>, or Lanes;
            }
            rounded! {
                fn accumulate_products(sums: &mut [Bounds<$real>], a: &[Bounds<$real>], b: &[Bounds<$real>])
                    = accumulate_products_body::<$real>, or Lanes;
            }
        }
    };
}
kernels!(f32);
kernels!(f64);

/// A function of every cut by itself.
#[inline(always)]
fn each<V: Rounded<Number: Real>>(
    a: &[Bounds<V::Number>],
    out: &mut [Bounds<V::Number>],
    f: impl Fn(Cuts<V>) -> Cuts<V>,
) {
    for (a, out) in a.iter().zip(out) {
        for at in (0..PLANE).step_by(V::LANES) {
            f(Cuts::load(a, at)).store(out, at);
        }
    }
}

/// A function of two cuts by themselves.
#[inline(always)]
fn each_two<V: Rounded<Number: Real>>(
    a: &[Bounds<V::Number>],
    b: &[Bounds<V::Number>],
    out: &mut [Bounds<V::Number>],
    f: impl Fn(Cuts<V>, Cuts<V>) -> Cuts<V>,
) {
    for ((a, b), out) in a.iter().zip(b).zip(out) {
        for at in (0..PLANE).step_by(V::LANES) {
            f(Cuts::load(a, at), Cuts::load(b, at)).store(out, at);
        }
    }
}

/// What sticks out of the cut before is left out, as [`FuzzyLu::nested`](crate::arithmetic::FuzzyLu) does.
#[inline(always)]
pub(super) fn nest<V: Rounded<Number: Real>>(out: &mut [Bounds<V::Number>], cuts: usize) {
    for block in out.chunks_exact_mut(cuts) {
        for at in (0..PLANE).step_by(V::LANES) {
            let mut outer = Cuts::<V>::unbounded();
            for cut in block.iter_mut() {
                outer = outer.intersection(Cuts::load(cut, at));
                outer.store(cut, at);
            }
        }
    }
}

/// Bounds by functions of double precision; in single precision they are rounded outwards once more.
#[inline(always)]
pub(super) fn each_double<F: Elementary, D: Double + Narrow<T>, T: Real>(
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
fn unary_body<V: Rounded<Number: Real>, D: Double + Narrow<V::Number>>(
    operation: Unary,
    a: &[Bounds<V::Number>],
    out: &mut [Bounds<V::Number>],
    cuts: usize,
) {
    match operation {
        Unary::Neg => return each::<V>(a, out, Cuts::neg),
        Unary::Abs => return each::<V>(a, out, Cuts::abs),
        Unary::Sqr => return each::<V>(a, out, Cuts::sqr),
        Unary::Recip => each::<V>(a, out, Cuts::recip),
        Unary::Sqrt => each::<V>(a, out, Cuts::sqrt),
        Unary::Powi(n) => each::<V>(a, out, |x| x.powi(n)),
        Unary::Exp => each_double::<Exp, D, _>(a, out),
        Unary::Log => each_double::<Log, D, _>(a, out),
    }
    nest::<V>(out, cuts);
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
        Binary::Add => each_two::<V>(a, b, out, Cuts::add),
        Binary::Sub => each_two::<V>(a, b, out, Cuts::sub),
        Binary::Mul => each_two::<V>(a, b, out, Cuts::mul),
        Binary::Min => each_two::<V>(a, b, out, Cuts::min),
        Binary::Max => each_two::<V>(a, b, out, Cuts::max),
        Binary::Div => {
            each_two::<V>(a, b, out, Cuts::div);
            nest::<V>(out, cuts);
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
            Cuts::<V>::load(a, at).mul_add(Cuts::load(b, at), Cuts::load(c, at)).store(out, at);
        }
    }
}

/// Sums of a whole chunk stay in registers, one cut after the other.
#[inline(always)]
fn accumulate_body<V: Rounded<Number: Real>>(sums: &mut [Bounds<V::Number>], a: &[Bounds<V::Number>]) {
    let cuts = sums.len();
    for (i, sums) in sums.iter_mut().enumerate() {
        for at in (0..PLANE).step_by(V::LANES) {
            let mut sum = Cuts::<V>::load(sums, at);
            for block in a.chunks_exact(cuts) {
                sum = sum.add(Cuts::load(&block[i], at));
            }
            sum.store(sums, at);
        }
    }
}

/// As [`accumulate_body`], of products.
#[inline(always)]
fn accumulate_products_body<V: Rounded<Number: Real>>(
    sums: &mut [Bounds<V::Number>],
    a: &[Bounds<V::Number>],
    b: &[Bounds<V::Number>],
) {
    let cuts = sums.len();
    for (i, sums) in sums.iter_mut().enumerate() {
        for at in (0..PLANE).step_by(V::LANES) {
            let mut sum = Cuts::<V>::load(sums, at);
            for (a, b) in a.chunks_exact(cuts).zip(b.chunks_exact(cuts)) {
                sum = Cuts::load(&a[i], at).mul_add(Cuts::load(&b[i], at), sum);
            }
            sum.store(sums, at);
        }
    }
}

impl<T: Element> Batch for LuArray<T> {
    type Blocks<'a> = &'a [Bounds<T>];
    type BlocksMut<'a> = &'a mut [Bounds<T>];

    fn sized(cuts: usize, blocks: usize) -> Self {
        LuArray::sized(cuts, blocks * LANES)
    }
    fn block_bytes(&self) -> usize {
        self.cuts() * size_of::<Bounds<T>>()
    }
    fn blocks(&self, range: Range<usize>) -> &[Bounds<T>] {
        let all = self.bounds().as_chunks().0.as_chunks().0;
        &all[range.start * self.cuts()..range.end * self.cuts()]
    }
    fn blocks_mut(&mut self) -> &mut [Bounds<T>] {
        self.bounds_mut().as_chunks_mut().0.as_chunks_mut().0
    }
    fn split<'a>(blocks: Self::BlocksMut<'a>, cuts: usize, count: usize) -> [Self::BlocksMut<'a>; 2] {
        blocks.split_at_mut(count * cuts).into()
    }
    fn spread(&self, blocks: usize) -> Self {
        let mut spread = LuArray::sized(self.cuts(), blocks * LANES);
        let first = self.blocks(0..1).iter().map(|cut| cut.map(|plane| [plane[0]; PLANE]));
        for (to, from) in spread.blocks_mut().iter_mut().zip(first.cycle()) {
            *to = from;
        }
        spread
    }
    fn lanes_from(&self, by: usize) -> Self {
        let mut shifted = LuArray::sized(self.cuts(), LANES);
        let planes = shifted.blocks_mut().as_flattened_mut().iter_mut().zip(self.blocks(0..1).as_flattened());
        planes.for_each(|(to, from)| to[..LANES - by].copy_from_slice(&from[by..]));
        shifted
    }
    fn first(&self) -> Self {
        let mut first = LuArray::sized(self.cuts(), 1);
        let planes = first.blocks_mut().as_flattened_mut().iter_mut().zip(self.blocks(0..1).as_flattened());
        planes.for_each(|(to, from)| to[0] = from[0]);
        first
    }
    fn clear_padding(&mut self) {
        let (cuts, used) = (self.cuts(), self.len() % LANES);
        if used > 0 {
            let all = self.blocks_mut();
            let last = all.len() - cuts;
            all[last..].as_flattened_mut().iter_mut().for_each(|plane| plane[used..].fill(T::ZERO));
        }
    }

    fn copy(a: &[Bounds<T>], out: &mut [Bounds<T>]) {
        out.copy_from_slice(a);
    }
    fn unary(simd: Simd, cuts: usize, operation: Unary, a: &[Bounds<T>], out: &mut [Bounds<T>]) {
        <T as LuKernels>::unary(simd, operation, a, out, cuts);
    }
    fn binary(simd: Simd, cuts: usize, operation: Binary, [a, b]: [&[Bounds<T>]; 2], out: &mut [Bounds<T>]) {
        <T as LuKernels>::binary(simd, operation, a, b, out, cuts);
    }
    fn mul_add(simd: Simd, _: usize, [a, b, c]: [&[Bounds<T>]; 3], out: &mut [Bounds<T>]) {
        <T as LuKernels>::mul_add(simd, a, b, c, out);
    }
    fn axpy(simd: Simd, _: usize, c: &mut [Bounds<T>], [a, b]: [&[Bounds<T>]; 2], steps: usize) {
        <T as LuKernels>::axpy(simd, c, a, b, steps);
    }
    fn accumulate(simd: Simd, sums: &mut Self, a: &Self, blocks: Range<usize>) {
        <T as LuKernels>::accumulate(simd, sums.blocks_mut(), a.blocks(blocks));
    }
    fn accumulate_products(simd: Simd, sums: &mut Self, [a, b]: [&Self; 2], blocks: Range<usize>) {
        <T as LuKernels>::accumulate_products(
            simd,
            sums.blocks_mut(),
            a.blocks(blocks.clone()),
            b.blocks(blocks),
        );
    }
}
