//! Product form in the emulator, compared with the textbook implementation.

use super::emulated::{bound, difference};
use crate::clustering::cuda::kernels::Kernels;
use crate::clustering::cuda::layout::tensor::TensorLayout;
use crate::clustering::cuda::loaded::Loaded;
use crate::clustering::prototypes::{MembershipRule, Prototypes};
use crate::clustering::reference::problem::{problem, problems};
use crate::clustering::reference::textbook;
use crate::clustering::rows::backend::IterationLimits;
use crate::clustering::rows::sums::RequestedSums;
use crate::data::Precision;
use crate::device::Cuda;
use crate::device::cuda::emulator::Order;

/// Rows in GPU memory, in both forms.
fn loaded(cuda: &Cuda, x: &[f64], weights: Option<&[f64]>, prototypes: &Prototypes) -> Loaded<f32> {
    let x: Vec<f32> = x.iter().map(|x| *x as f32).collect();
    Loaded::new(cuda, &x, weights, prototypes).unwrap().with_product_form().unwrap()
}

#[test]
pub(super) fn emulated_product_kernels_match_the_textbook() {
    let rules = [
        MembershipRule::Fuzzy { fuzzifier: 2.0 },
        MembershipRule::Fuzzy { fuzzifier: 1.7 },
        MembershipRule::Noise { fuzzifier: 2.0, distance: 0.5 },
        MembershipRule::Fuzzy { fuzzifier: 3.0 },
    ];
    for (i, (shape, rule)) in
        [(17, 150, 9), (4, 300, 8), (20, 61, 16), (70, 70, 40)].into_iter().zip(rules).enumerate()
    {
        let (mut prototypes, mut x, weights, _) = problem(problems()[0].1, shape, Precision::F32);
        // Columns of different spread have different scale factors; the first row is the first center.
        for row in x.chunks_exact_mut(shape.2).skip(1) {
            row.iter_mut().skip(1).step_by(3).for_each(|x| *x = 1.0 + (*x - 1.0) / 8.0);
        }
        prototypes.rule = rule;
        let weights = weights.filter(|_| i % 2 == 1);
        let requested = RequestedSums::default();
        let layout = TensorLayout::new(&prototypes, weights.is_some(), requested).unwrap();
        assert_eq!(layout.large, i == 3);
        let Some(cuda) = Cuda::emulated(Order::ALL[i % Order::ALL.len()]) else { return };
        let mut loaded = loaded(&cuda, &x, weights.as_deref(), &prototypes);
        let found = loaded.sweep(&mut Kernels::default(), &[&prototypes], requested).unwrap();
        assert!(loaded.split.is_some(), "{layout:?}: centers are too close");
        let expected = textbook::sums(&prototypes, &x, weights.as_deref(), requested);
        let error = difference(&found[0], &expected);
        assert!(error <= bound(Precision::F32), "{layout:?}: {error}");
    }
}

#[test]
fn emulated_block_reduction_flags_centers_that_are_too_close() {
    let Some(cuda) = Cuda::emulated(Order::ALL[0]) else { return };
    let apart: Vec<f32> = (0..32).map(|i| if i / 8 == i % 8 { 1.0 } else { 0.0 }).collect();
    let mut near = apart.clone();
    near.copy_within(0..8, 24);
    near[25] = 0.1; // squared distance 0.01 between centers of norm 1
    for (centers, expected) in [(apart, 0.0), (near, 1.0)] {
        let (mut sums, centers) = (cuda.alloc(3).unwrap(), cuda.upload(&centers).unwrap());
        let partial = cuda.upload(&[1.0, 2.0, 10.0, 20.0]).unwrap();
        Kernels::default().reduce(&cuda, &partial, (2, 2), &mut sums, Some((&centers, 4))).unwrap();
        assert_eq!(cuda.download(&sums).unwrap(), [11.0, 22.0, expected]);
    }
}

#[test]
pub(super) fn emulated_product_iterations_match_the_textbook() {
    let (mut expected, x, _, _) = problem(problems()[0].1, (5, 150, 9), Precision::F32);
    let Some(cuda) = Cuda::emulated(Order::ALL[1]) else { return };
    let limits = IterationLimits { max_iterations: 2, tolerance: -1.0 };
    let mut loaded = loaded(&cuda, &x, None, &expected);
    let found = loaded.iterate(&mut Kernels::default(), &expected, limits).unwrap().unwrap();
    assert!(loaded.split.is_some(), "centers are too close");
    assert!(found.objectives.len() == 2 && !found.converged);
    for objective in found.objectives {
        let sums = textbook::sums(&expected, &x, None, RequestedSums::default());
        assert!((objective / sums.objective - 1.0).abs() < 1e-5, "{objective} for {}", sums.objective);
        expected.centers = sums.centers(&expected.centers);
    }
    let error = found.centers.iter().zip(&expected.centers).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(error < 1e-5, "{error}"); // single precision over two steps
}

#[test]
fn emulated_product_form_is_used_for_close_centers_unless_a_row_is_near_both() {
    let Some(cuda) = Cuda::emulated(Order::ALL[2]) else { return };
    for (shape, near) in
        [(5, 150, 9), (70, 71, 40)].into_iter().flat_map(|shape| [(shape, false), (shape, true)])
    {
        let columns = shape.2;
        let (mut prototypes, mut x, _, _) = problem(problems()[0].1, shape, Precision::F32);
        let (first, others) = prototypes.centers.split_at_mut(columns);
        others[..columns].copy_from_slice(first);
        others[0] += 1.0 / 64.0;
        if !near {
            x.drain(..columns); // the row on the first center
        }
        let requested = RequestedSums::default();
        let check = |loaded: &Loaded<f32>| {
            let check_rows = loaded.split.as_ref().map(|split| split.check_rows);
            assert_eq!(check_rows, if near { None } else { Some(true) }, "{shape:?}");
        };
        let expected = textbook::sums(&prototypes, &x, None, requested);
        let mut swept = loaded(&cuda, &x, None, &prototypes);
        let found = swept.sweep(&mut Kernels::default(), &[&prototypes, &prototypes], requested).unwrap();
        check(&swept);
        for found in &found {
            let error = difference(found, &expected);
            assert!(error <= bound(Precision::F32), "{shape:?}: {error}");
        }
        if columns == 9 {
            let mut iterated = loaded(&cuda, &x, None, &prototypes);
            let limits = IterationLimits { max_iterations: 1, tolerance: -1.0 };
            let found = iterated.iterate(&mut Kernels::default(), &prototypes, limits).unwrap().unwrap();
            check(&iterated);
            assert!((found.objectives[0] / expected.objective - 1.0).abs() < 1e-5);
        }
    }
}
