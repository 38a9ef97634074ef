//! The kernels in the emulator compared with the reference and the CPU.

use crate::data::Precision;
use crate::device::cuda::emulator::{Arg, Emulator, Order, or_skip};
use crate::device::cuda::{Grid, Program};
use crate::sets::cuda::source;
use crate::sets::samples::{EXTREMES, extreme_sets, sample_sets};
use crate::sets::{Hedge, SNorm, Shape, TNorm, textbook};

/// Larger than the number of threads and not a multiple of it.
const N: usize = 203;

fn in_every_order(program: &Program, test: impl Fn(&Emulator, Order)) {
    if let Some(emulator) = or_skip(program) {
        Order::ALL.into_iter().for_each(|order| test(&emulator, order));
    }
}

fn grid() -> Grid {
    Grid::new(2, 32)
}

/// Pairs of multiples of 1/16.
fn sixteenths() -> (Vec<f64>, Vec<f64>) {
    (0..N).map(|i| ((i % 17) as f64 / 16.0, (i * 5 / 17 % 17) as f64 / 16.0)).unzip()
}

#[test]
fn emulated_memberships_agree_with_the_reference() {
    let x: Vec<f64> = (0..N).map(|i| if i == 7 { f64::NAN } else { i as f64 / 25.0 - 4.0 }).collect();
    for set in sample_sets().unwrap() {
        if matches!(set.shape(), Shape::Constant { .. } | Shape::Linear { .. } | Shape::Function { .. }) {
            continue; // no reference; covered by the next test
        }
        in_every_order(&source::memberships(&set, Precision::F64), |emulator, order| {
            let mut out = vec![f64::NAN; N];
            let mut args = [Arg::slice(&x), Arg::slice_mut(&mut out), Arg::value(N as i64)];
            emulator.launch("memberships", grid(), order, &mut args).unwrap();
            for (x, out) in x.iter().zip(&out) {
                let expected = set.height() * textbook::membership(set.shape(), *x);
                // As on the CPU, the reference √(1 − t²) and 1 + cos lose digits near their ends.
                let close = (out - expected).abs() <= 1e-12 || out.is_nan() && expected.is_nan();
                assert!(close, "{set:?} at {x}: {out} for {expected}");
            }
        });
    }
}

#[test]
fn emulated_consequents_and_single_precision_agree_with_the_cpu() {
    let x: Vec<f32> = (0..N).map(|i| i as f32 / 32.0 - 3.0).collect();
    for set in sample_sets().unwrap() {
        let program = source::memberships(&set, Precision::F32);
        let Some(emulator) = or_skip(&program) else { return };
        let mut out = vec![f32::NAN; N];
        let mut args = [Arg::slice(&x), Arg::slice_mut(&mut out), Arg::value(N as i64)];
        emulator.launch("memberships", grid(), Order::Shuffled(3), &mut args).unwrap();
        for (x, out) in x.iter().zip(&out) {
            let expected = set.membership(f64::from(*x));
            // Eight rounding errors in single precision, relative above 1.
            let bound = 1e-6 * expected.abs().max(1.0);
            assert!((f64::from(*out) - expected).abs() <= bound, "{set:?} at {x}: {out} for {expected}");
        }
    }
}

#[test]
fn emulated_sets_of_extreme_magnitude_agree_with_the_reference_in_both_precisions() {
    for (unit, set) in
        EXTREMES.iter().flat_map(|(_, unit)| extreme_sets(*unit).unwrap().into_iter().map(|set| (*unit, set)))
    {
        let x: Vec<f32> = (0..N).map(|i| (i as f32 / 32.0 - 3.0) * unit as f32).collect();
        let wide: Vec<f64> = x.iter().map(|x| f64::from(*x)).collect();
        let programs = [Precision::F32, Precision::F64].map(|precision| source::memberships(&set, precision));
        let [Some(narrow), Some(double)] = programs.each_ref().map(or_skip) else { return };
        let (mut single, mut out) = (vec![f32::NAN; N], vec![f64::NAN; N]);
        let mut args = [Arg::slice(&x), Arg::slice_mut(&mut single), Arg::value(N as i64)];
        narrow.launch("memberships", grid(), Order::Shuffled(3), &mut args).unwrap();
        let mut args = [Arg::slice(&wide), Arg::slice_mut(&mut out), Arg::value(N as i64)];
        double.launch("memberships", grid(), Order::Shuffled(3), &mut args).unwrap();
        for ((x, single), out) in wide.iter().zip(&single).zip(&out) {
            let expected = textbook::membership(set.shape(), *x);
            assert!((out - expected).abs() <= 1e-12, "{set:?} at {x}: {out} for {expected}");
            // Computed in double precision and rounded to single precision.
            assert!((f64::from(*single) - expected).abs() <= 1e-7, "{set:?} at {x}: {single} for {expected}");
        }
    }
}

#[test]
fn emulated_norms_agree_with_the_cpu() {
    let (a, b) = sixteenths();
    let pairs =
        |apply: &dyn Fn(f64, f64) -> f64| a.iter().zip(&b).map(|(a, b)| apply(*a, *b)).collect::<Vec<_>>();
    let t = TNorm::ALL.map(|n| (source::tnorms(n, Precision::F64), n.name(), pairs(&|a, b| n.apply(a, b))));
    let s = SNorm::ALL.map(|n| (source::snorms(n, Precision::F64), n.name(), pairs(&|a, b| n.apply(a, b))));
    for (program, name, expected) in t.into_iter().chain(s) {
        in_every_order(&program, |emulator, order| {
            let mut out = vec![f64::NAN; N];
            let mut args = [Arg::slice(&a), Arg::slice(&b), Arg::slice_mut(&mut out), Arg::value(N as i64)];
            emulator.launch("norms", grid(), order, &mut args).unwrap();
            assert_close(&out, expected.iter().copied(), name);
        });
    }
}

#[test]
fn emulated_hedges_agree_with_the_cpu() {
    let (m, _) = sixteenths();
    for hedge in Hedge::ALL {
        in_every_order(&source::hedges(hedge, Precision::F64), |emulator, order| {
            let mut out = vec![f64::NAN; N];
            let mut args = [Arg::slice(&m), Arg::slice_mut(&mut out), Arg::value(N as i64)];
            emulator.launch("hedges", grid(), order, &mut args).unwrap();
            assert_close(&out, m.iter().map(|m| hedge.apply(*m)), hedge.name());
        });
    }
}

/// Tolerance of two rounding errors of numbers up to 2.
fn assert_close(found: &[f64], expected: impl Iterator<Item = f64>, name: &str) {
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() <= 4.0 * f64::EPSILON, "{name}, pair {i}: {found} for {expected}");
    }
}
