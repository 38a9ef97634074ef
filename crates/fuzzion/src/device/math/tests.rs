//! Comparison with the system's math library, whose own error is below one ulp in `f64`; single precision is compared
//! with the `f64` library, so that the error of the oracle is negligible.

use super::exp::{exp_f32, exp_f64, exp_neg_f32, exp_neg_f64};
use super::ln::{ln_f32, ln_f64};
use super::pow::{pow_f32, pow_f64};
use super::real::Real;
use super::sin::{sin_pi_f32, sin_pi_f64};
use crate::device::{Simd, simd};

simd! { fn exps_f32(x: &[f32], out: &mut [f32]) = exps_f32_body; }
simd! { fn exps_f64(x: &[f64], out: &mut [f64]) = exps_f64_body; }
simd! { fn lns_f32(x: &[f32], out: &mut [f32]) = lns_f32_body; }
simd! { fn lns_f64(x: &[f64], out: &mut [f64]) = lns_f64_body; }
simd! { fn pows_f32(x: &[f32], y: f32, out: &mut [f32]) = pows_f32_body; }
simd! { fn pows_f64(x: &[f64], y: f64, out: &mut [f64]) = pows_f64_body; }
simd! { fn sines_f32(x: &[f32], out: &mut [f32]) = sines_f32_body; }
simd! { fn sines_f64(x: &[f64], out: &mut [f64]) = sines_f64_body; }

macro_rules! body {
    ($name:ident, $type:ident, $function:ident $(, $y:ident)?) => {
        #[inline(always)]
        fn $name<const FMA: bool>(x: &[$type], $($y: $type,)? out: &mut [$type]) {
            for (out, x) in out.iter_mut().zip(x) {
                *out = $function::<FMA>(*x $(, $y)?);
            }
        }
    };
}
body!(exps_f32_body, f32, exp_f32);
body!(exps_f64_body, f64, exp_f64);
body!(lns_f32_body, f32, ln_f32);
body!(lns_f64_body, f64, ln_f64);
body!(pows_f32_body, f32, pow_f32, y);
body!(pows_f64_body, f64, pow_f64, y);
body!(sines_f32_body, f32, sin_pi_f32);
body!(sines_f64_body, f64, sin_pi_f64);

/// The distance in ulps of `want`; an ulp is at least the smallest denormal number.
fn ulps_f32(got: f32, want: f64) -> f64 {
    let rounded = want as f32;
    if got.is_nan() || rounded.is_nan() || rounded.is_infinite() {
        let same = got == rounded || got.is_nan() && rounded.is_nan();
        // The largest finite number and infinity are adjacent: rounding decides between them.
        return if same || got == f32::MAX { 0.0 } else { f64::INFINITY };
    }
    let unit = f64::from(rounded.abs().next_up() - rounded.abs());
    if got.is_infinite() && rounded.abs() == f32::MAX { 1.0 } else { (f64::from(got) - want).abs() / unit }
}

fn ulps_f64(got: f64, want: f64) -> f64 {
    if got.is_nan() || want.is_nan() || want.is_infinite() {
        let same = got == want || got.is_nan() && want.is_nan();
        return if same || got == f64::MAX { 0.0 } else { f64::INFINITY };
    }
    let unit = want.abs().next_up() - want.abs();
    if got.is_infinite() && want.abs() == f64::MAX { 1.0 } else { (got - want).abs() / unit }
}

/// The largest error and its argument.
fn worst<T: Copy + std::fmt::Debug>(x: &[T], errors: impl Iterator<Item = f64>) -> (f64, T) {
    let mut worst = (0.0, x[0]);
    for (error, x) in errors.zip(x) {
        if error > worst.0 || error.is_nan() {
            worst = (error, *x);
        }
    }
    worst
}

/// Numbers of every magnitude and sign, followed by evenly spaced numbers over `range`.
fn samples_f32(range: std::ops::Range<f32>) -> Vec<f32> {
    let magnitudes = (0..u32::MAX).step_by(20_011).map(f32::from_bits);
    let even = (0..200_000).map(|i| range.start + (range.end - range.start) * (i as f32 / 200_000.0));
    magnitudes.chain(even).chain([0.0, -0.0, 1.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN]).collect()
}

fn samples_f64(range: std::ops::Range<f64>) -> Vec<f64> {
    let magnitudes = (0..200_000u64).map(|i| f64::from_bits(i.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
    let even = (0..200_000).map(|i| range.start + (range.end - range.start) * (f64::from(i) / 200_000.0));
    magnitudes.chain(even).chain([0.0, -0.0, 1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN]).collect()
}

// Bounds: one ulp, plus in f64 the error of the oracle (glibc documents up to 1 ulp, in practice 0.52), and one more
// rounding without fused multiply-add or for denormal results.
const ULPS_F32: f64 = 1.1;
const ULPS_F64: f64 = 1.5;

#[test]
fn exp_is_within_its_ulp_bound_over_the_whole_range() {
    let x32 = samples_f32(-105.0..90.0);
    let x64 = samples_f64(-750.0..711.0);
    for simd in Simd::all() {
        let mut y = vec![0.0; x32.len()];
        exps_f32(simd, &x32, &mut y);
        let (error, at) = worst(&x32, y.iter().zip(&x32).map(|(y, x)| ulps_f32(*y, f64::from(*x).exp())));
        assert!(error < ULPS_F32, "f32 {simd:?}: {error} at {at}");
        let mut y = vec![0.0; x64.len()];
        exps_f64(simd, &x64, &mut y);
        let (error, at) = worst(&x64, y.iter().zip(&x64).map(|(y, x)| ulps_f64(*y, x.exp())));
        assert!(error < ULPS_F64, "f64 {simd:?}: {error} at {at}");
    }
}

#[test]
fn exp_neg_is_exp_of_the_negated_argument_for_normal_results() {
    for i in 0..=100_000 {
        let part = f64::from(i) / 100_000.0;
        let t = part * f64::MAX_EXP_NEG;
        let wanted = (-t).exp();
        assert!(wanted >= f64::MIN_POSITIVE);
        for got in [exp_neg_f64::<false>(t), exp_neg_f64::<true>(t)] {
            assert!((got - wanted).abs() <= 1.5 * f64::EPSILON * wanted, "{t}: {got} for {wanted}");
        }
        let t = (part * f64::from(f32::MAX_EXP_NEG)) as f32;
        let wanted = (-f64::from(t)).exp();
        assert!(wanted >= f64::from(f32::MIN_POSITIVE));
        for got in [exp_neg_f32::<false>(t), exp_neg_f32::<true>(t)] {
            let error = (f64::from(got) - wanted).abs();
            assert!(error <= 1.1 * f64::from(f32::EPSILON) * wanted, "{t}: {got} for {wanted}");
        }
    }
    assert!(exp_neg_f64::<true>(f64::NAN).is_nan() && exp_neg_f32::<true>(f32::NAN).is_nan());
    assert_eq!((exp_neg_f64::<true>(0.0), exp_neg_f32::<true>(0.0)), (1.0, 1.0));
}

#[test]
fn exp_of_zero_is_one_and_of_the_infinities_is_zero_and_infinity() {
    assert_eq!(exp_f32::<false>(0.0), 1.0);
    assert_eq!(exp_f64::<false>(-0.0), 1.0);
    assert_eq!((exp_f32::<false>(f32::NEG_INFINITY), exp_f32::<false>(f32::INFINITY)), (0.0, f32::INFINITY));
    assert_eq!((exp_f64::<false>(f64::NEG_INFINITY), exp_f64::<false>(f64::INFINITY)), (0.0, f64::INFINITY));
    assert_eq!(exp_f64::<false>(-745.0), f64::from_bits(1)); // e⁻⁷⁴⁵ = 4.99e-324, the smallest denormal
}

#[test]
fn ln_is_within_its_ulp_bound_over_the_whole_range() {
    let x32 = samples_f32(0.5..2.0);
    let x64 = samples_f64(0.5..2.0);
    for simd in Simd::all() {
        let mut y = vec![0.0; x32.len()];
        lns_f32(simd, &x32, &mut y);
        let (error, at) = worst(&x32, y.iter().zip(&x32).map(|(y, x)| ulps_f32(*y, f64::from(*x).ln())));
        assert!(error < ULPS_F32, "f32 {simd:?}: {error} at {at}");
        let mut y = vec![0.0; x64.len()];
        lns_f64(simd, &x64, &mut y);
        let (error, at) = worst(&x64, y.iter().zip(&x64).map(|(y, x)| ulps_f64(*y, x.ln())));
        assert!(error < ULPS_F64, "f64 {simd:?}: {error} at {at}");
    }
}

#[test]
fn pow_is_within_its_ulp_bound_for_nonnegative_bases() {
    let x32: Vec<f32> = samples_f32(0.9..1.1).into_iter().map(f32::abs).collect();
    let x64: Vec<f64> = samples_f64(0.9..1.1).into_iter().map(f64::abs).collect();
    for simd in Simd::all() {
        for y in [0.0, 1.0, 2.0, 6.0, 0.5, 0.37, -0.5, -3.0, 30.3, -700.1, 6999.9, 1e30] {
            let mut out = vec![0.0; x32.len()];
            pows_f32(simd, &x32, y as f32, &mut out);
            let oracle = |x: f32| if x.is_nan() { f64::NAN } else { f64::from(x).powf(f64::from(y as f32)) };
            let (error, at) = worst(&x32, out.iter().zip(&x32).map(|(p, x)| ulps_f32(*p, oracle(*x))));
            assert!(error < ULPS_F32, "f32 {simd:?}: {error} at {at}^{y}");
            let mut out = vec![0.0; x64.len()];
            pows_f64(simd, &x64, y, &mut out);
            let oracle = |x: f64| if x.is_nan() { f64::NAN } else { x.powf(y) };
            let (error, at) = worst(&x64, out.iter().zip(&x64).map(|(p, x)| ulps_f64(*p, oracle(*x))));
            assert!(error < ULPS_F64, "f64 {simd:?}: {error} at {at:e}^{y}");
        }
    }
}

#[test]
fn pow_has_the_textbook_values_in_special_cases() {
    let inf = f64::INFINITY;
    for (x, y, want) in [
        (0.0, 2.0, 0.0),
        (0.0, -2.0, inf),
        (0.0, 0.0, 1.0),
        (inf, 0.5, inf),
        (inf, -0.5, 0.0),
        (inf, 0.0, 1.0),
        (1.0, inf, 1.0),
        (0.5, inf, 0.0),
        (2.0, inf, inf),
        (2.0, -inf, 0.0),
    ] {
        assert_eq!(pow_f64::<false>(x, y), want, "{x}^{y}");
        assert_eq!(f64::from(pow_f32::<false>(x as f32, y as f32)), want, "{x}^{y} in single precision");
    }
    for (x, y) in [(-1.0, 2.0), (f64::NAN, 0.0), (1.0, f64::NAN)] {
        assert!(pow_f64::<false>(x, y).is_nan() && pow_f32::<false>(x as f32, y as f32).is_nan(), "{x}^{y}");
    }
}

#[test]
fn sin_pi_is_within_its_ulp_bound_on_its_domain() {
    let x32: Vec<f32> = (0..100_001).map(|i| i as f32 / 400_000.0).collect();
    let x64: Vec<f64> = (0..100_001).map(|i| f64::from(i) / 400_000.0).collect();
    let pi = std::f64::consts::PI;
    for simd in Simd::all() {
        let mut y = vec![0.0; x32.len()];
        sines_f32(simd, &x32, &mut y);
        let oracle = |x: f32| (pi * f64::from(x)).sin();
        let (error, at) = worst(&x32, y.iter().zip(&x32).map(|(y, x)| ulps_f32(*y, oracle(*x))));
        assert!(error < 2.0, "f32 {simd:?}: {error} at {at}"); // a rounded π, a rounded sum, a rounded product
        let mut y = vec![0.0; x64.len()];
        sines_f64(simd, &x64, &mut y);
        // π·x is rounded before the oracle evaluates it: half an ulp of its argument, one ulp of its result.
        let (error, at) = worst(&x64, y.iter().zip(&x64).map(|(y, x)| ulps_f64(*y, (pi * x).sin())));
        assert!(error < 2.5, "f64 {simd:?}: {error} at {at}");
    }
}
