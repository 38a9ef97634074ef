use super::portable::Portable;
use super::{Vector, vectors};
use crate::device::Simd;
use crate::device::math::Real;

vectors! { fn all_f32(x: &[f32], y: &[f32], out: &mut [Vec<f32>]) = all_body::<f32>; }
vectors! { fn all_f64(x: &[f64], y: &[f64], out: &mut [Vec<f64>]) = all_body::<f64>; }

/// Applies every operation to every vector of `x` and `y`; one list of results per operation.
#[inline(always)]
fn all_body<T: Real, V: Vector<T, L>, const FMA: bool, const L: usize>(x: &[T], y: &[T], out: &mut [Vec<T>]) {
    for (x, y) in x.as_chunks::<L>().0.iter().zip(y.as_chunks::<L>().0) {
        let (a, b) = (V::load(x), V::load(y));
        V::prefetch(&x[0]);
        let results =
            [a + b, a - b, a * b, a / b, a.mul_add(b, a), a.simd_min(b), a.simd_max(b), b.reciprocal()];
        for (out, result) in out.iter_mut().zip(results) {
            let mut lanes = [T::ZERO; L];
            result.store(&mut lanes);
            out.extend_from_slice(&lanes);
        }
    }
}

/// Numbers whose sums and products are exact in single precision, fused or not.
fn numbers(seed: usize) -> Vec<f64> {
    (0..96).map(|i| ((i * 37 + seed) % 101) as f64 - 50.5).collect()
}

fn expected(x: &[f64], y: &[f64]) -> [Vec<f64>; 7] {
    let each = |of: fn(f64, f64) -> f64| x.iter().zip(y).map(|(x, y)| of(*x, *y)).collect::<Vec<f64>>();
    [
        each(|x, y| x + y),
        each(|x, y| x - y),
        each(|x, y| x * y),
        each(|x, y| x / y),
        each(|x, y| x * y + x),
        each(f64::min),
        each(f64::max),
    ]
}

#[test]
fn every_level_agrees_with_scalar_arithmetic_in_each_lane() {
    let (x, y) = (numbers(3), numbers(58));
    let single = |x: &[f64]| x.iter().map(|x| *x as f32).collect::<Vec<f32>>();
    let expected = expected(&x, &y);
    let mut out = vec![Vec::new(); 8];
    all_body::<f64, Portable<f64, 2>, false, 2>(&x, &y, &mut out);
    assert_eq!(out[..7], expected);
    for simd in Simd::all() {
        let mut out = vec![Vec::new(); 8];
        all_f64(simd, &x, &y, &mut out);
        assert_eq!(out[..7], expected, "{simd:?}");
        let mut out = vec![Vec::new(); 8];
        all_f32(simd, &single(&x), &single(&y), &mut out);
        for (out, expected) in out.iter().zip(&expected) {
            assert_eq!(*out, single(expected), "{simd:?}");
        }
    }
}

#[test]
fn a_reciprocal_is_within_two_ulps() {
    let y: Vec<f64> =
        (0..4096).map(|i| (1.0 + f64::from(i) / 4096.0) * f64::exp2(f64::from(i % 80 - 40))).collect();
    let single: Vec<f32> = y.iter().map(|y| *y as f32).collect();
    for simd in Simd::all() {
        let mut out = vec![Vec::new(); 8];
        all_f64(simd, &y, &y, &mut out);
        let errors = out[7].iter().zip(&y).map(|(r, y)| (r * y - 1.0).abs());
        assert!(errors.fold(0.0, f64::max) <= 2.0 * f64::EPSILON, "{simd:?}");
        let mut out = vec![Vec::new(); 8];
        all_f32(simd, &single, &single, &mut out);
        let errors = out[7].iter().zip(&single).map(|(r, y)| (f64::from(*r) * f64::from(*y) - 1.0).abs());
        assert!(errors.fold(0.0, f64::max) <= 2.0 * f64::from(f32::EPSILON), "{simd:?}");
    }
}

vectors! { fn sums_f32(x: &[f32], out: &mut Vec<f32>) = sums_body::<f32>; }
vectors! { fn sums_f64(x: &[f64], out: &mut Vec<f64>) = sums_body::<f64>; }

#[inline(always)]
fn sums_body<T: Real, V: Vector<T, L>, const FMA: bool, const L: usize>(x: &[T], out: &mut Vec<T>) {
    out.extend(x.as_chunks::<L>().0.iter().map(|x| V::load(x).sum()));
}

#[test]
fn a_sum_includes_all_lanes() {
    let x = numbers(7);
    let single: Vec<f32> = x.iter().map(|x| *x as f32).collect();
    for simd in Simd::all() {
        // Numbers whose sums are exact in any order.
        let (mut sums, mut sums_of_single) = (Vec::new(), Vec::new());
        sums_f64(simd, &x, &mut sums);
        sums_f32(simd, &single, &mut sums_of_single);
        assert_eq!(sums, x.chunks(96 / sums.len()).map(|x| x.iter().sum::<f64>()).collect::<Vec<_>>());
        let expected = single.chunks(96 / sums_of_single.len()).map(|x| x.iter().sum::<f32>());
        assert_eq!(sums_of_single, expected.collect::<Vec<_>>(), "{simd:?}");
    }
}

vectors! { fn load_columns_f32(x: &[f32], stride: usize, column: usize, out: &mut [Vec<f32>]) = load_columns_body::<f32>; }
vectors! { fn load_columns_f64(x: &[f64], stride: usize, column: usize, out: &mut [Vec<f64>]) = load_columns_body::<f64>; }

#[inline(always)]
fn load_columns_body<T: Real, V: Vector<T, L>, const FMA: bool, const L: usize>(
    x: &[T],
    stride: usize,
    column: usize,
    out: &mut [Vec<T>],
) {
    for (out, column) in out.iter_mut().zip(V::load_columns(x, stride, column)) {
        let mut lanes = [T::ZERO; L];
        column.store(&mut lanes);
        out.extend_from_slice(&lanes);
    }
}

#[test]
fn load_columns_reads_four_columns_for_any_stride() {
    for stride in [4, 5, 8, 33] {
        let x: Vec<f64> = (0..15 * stride + 7).map(|i| i as f64).collect();
        let single: Vec<f32> = x.iter().map(|x| *x as f32).collect();
        let column = |j: usize, rows: usize| (0..rows).map(|i| x[i * stride + 3 + j]).collect::<Vec<f64>>();
        for simd in Simd::all() {
            let mut out = vec![Vec::new(); 4];
            load_columns_f64(simd, &x, stride, 3, &mut out);
            assert!((0..4).all(|j| out[j] == column(j, out[j].len())), "{simd:?}");
            let mut out = vec![Vec::new(); 4];
            load_columns_f32(simd, &single, stride, 3, &mut out);
            let wide = |x: &[f32]| x.iter().map(|x| f64::from(*x)).collect::<Vec<f64>>();
            assert!((0..4).all(|j| wide(&out[j]) == column(j, out[j].len())), "{simd:?}");
        }
    }
}

vectors! { fn any_ge_f32(x: &[f32], y: &[f32], out: &mut Vec<bool>) = any_ge_body::<f32>; }
vectors! { fn any_ge_f64(x: &[f64], y: &[f64], out: &mut Vec<bool>) = any_ge_body::<f64>; }

#[inline(always)]
fn any_ge_body<T: Real, V: Vector<T, L>, const FMA: bool, const L: usize>(
    x: &[T],
    y: &[T],
    out: &mut Vec<bool>,
) {
    let both = x.as_chunks::<L>().0.iter().zip(y.as_chunks::<L>().0);
    out.extend(both.map(|(x, y)| V::load(x).any_ge(V::load(y))));
}

#[test]
fn any_ge_is_true_for_a_single_lane_and_false_for_nan() {
    for simd in Simd::all() {
        for lane in 0..17 {
            let mut x = vec![f64::NAN; 16];
            x.iter_mut().skip(lane).take(1).for_each(|x| *x = 2.0);
            let single: Vec<f32> = x.iter().map(|x| *x as f32).collect();
            for (limit, reached) in [(1.5, lane < 16), (2.0, lane < 16), (2.5, false), (f64::NAN, false)] {
                let mut out = Vec::new();
                any_ge_f64(simd, &x, &[limit; 16], &mut out);
                any_ge_f32(simd, &single, &[limit as f32; 16], &mut out);
                let expected = if reached { 2 } else { 0 };
                assert_eq!(out.iter().filter(|any| **any).count(), expected, "{simd:?} {lane} {limit}");
            }
        }
    }
}
