//! The CUDA back end in the emulator compared with the reference and the CPU.

use crate::device::Cuda;
use crate::device::cuda::emulator::Order;
use crate::sets::cuda::{elementwise, memberships, source};
use crate::sets::samples::{EXTREMES, extreme_sets, sample_sets};
use crate::sets::{Hedge, SNorm, Shape, TNorm, textbook};

/// Tests that together run every launch of this module.
pub(crate) const LAUNCHING_TESTS: &[fn()] = &[
    emulated_consequents_and_single_precision_agree_with_the_cpu,
    emulated_norms_agree_with_the_cpu,
    emulated_hedges_agree_with_the_cpu,
];

/// Larger than the number of threads and not a multiple of it.
const N: usize = 203;

fn in_every_order(test: impl Fn(&Cuda)) {
    Order::ALL.into_iter().filter_map(Cuda::emulated).for_each(|cuda| test(&cuda));
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
        in_every_order(|cuda| {
            let out = memberships(cuda, &set, &x).unwrap();
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
        let Some(cuda) = Cuda::emulated(Order::Shuffled(3)) else { return };
        let out = memberships(&cuda, &set, &x).unwrap();
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
        let Some(cuda) = Cuda::emulated(Order::Shuffled(3)) else { return };
        let single = memberships(&cuda, &set, &x).unwrap();
        let out = memberships(&cuda, &set, &wide).unwrap();
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
    in_every_order(|cuda| {
        for norm in TNorm::ALL {
            let out = elementwise(cuda, |precision| source::tnorms(norm, precision), "norms", &[&a, &b]);
            assert_close(&out.unwrap(), pairs(&|a, b| norm.apply(a, b)).into_iter(), norm.name());
        }
        for norm in SNorm::ALL {
            let out = elementwise(cuda, |precision| source::snorms(norm, precision), "norms", &[&a, &b]);
            assert_close(&out.unwrap(), pairs(&|a, b| norm.apply(a, b)).into_iter(), norm.name());
        }
    });
}

#[test]
fn emulated_hedges_agree_with_the_cpu() {
    let (m, _) = sixteenths();
    in_every_order(|cuda| {
        for hedge in Hedge::ALL {
            let out = elementwise(cuda, |precision| source::hedges(hedge, precision), "hedges", &[&m]);
            assert_close(&out.unwrap(), m.iter().map(|m| hedge.apply(*m)), hedge.name());
        }
    });
}

/// Tolerance of two rounding errors of numbers up to 2.
fn assert_close(found: &[f64], expected: impl Iterator<Item = f64>, name: &str) {
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() <= 4.0 * f64::EPSILON, "{name}, pair {i}: {found} for {expected}");
    }
}
