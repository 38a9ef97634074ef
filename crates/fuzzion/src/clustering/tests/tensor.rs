//! Product kernels in the emulator, compared with the textbook.

use super::emulated::{BLOCKS, bound, difference, reduced};
use crate::clustering::cuda::layout::tensor::{MIN_SEPARATION, TensorLayout};
use crate::clustering::cuda::programs;
use crate::clustering::prototypes::{MembershipRule, Prototypes};
use crate::clustering::rows::sums::{RequestedSums, Sums};
use crate::clustering::selftest::{problem, problems};
use crate::clustering::textbook;
use crate::data::Precision;
use crate::device::cuda::Grid;
use crate::device::cuda::emulator::{Arg, Order, or_skip};

/// Sums of the product kernels, computed in the emulator.
fn tensor_sums(
    layout: &TensorLayout,
    prototypes: &Prototypes,
    x: &[f64],
    weights: Option<&[f64]>,
    order: Order,
) -> Option<Sums> {
    let n = x.len() / layout.columns;
    let rows: Vec<f32> = x
        .chunks_exact(layout.columns)
        .flat_map(|row| prototypes.space.to_internal(row))
        .map(|x| x as f32)
        .collect();
    let scales: Vec<f32> = (0..layout.columns).map(|i| if i % 3 == 1 { 4.0 } else { 1.0 }).collect();
    let split = or_skip(&programs::split(layout))?;
    let (mut planes, mut norms, mut overflow) =
        (vec![0u32; n * layout.row_words()], vec![0u32; 2 * n], vec![0u32]);
    let mut args = [
        Arg::slice(&rows),
        Arg::value(n as i64),
        Arg::slice(&scales),
        Arg::slice_mut(&mut planes),
        Arg::slice_mut(&mut norms),
        Arg::slice_mut(&mut overflow),
    ];
    split.launch("split_rows", Grid::new(2, 32), order, &mut args).unwrap();
    assert_eq!(overflow, [0]);
    let (fuzzifier, noise) = match prototypes.rule {
        MembershipRule::Noise { fuzzifier, distance } => (fuzzifier, distance),
        _ => (prototypes.rule.fuzzifier(), f64::INFINITY),
    };
    let centers: Vec<f32> = prototypes.centers.iter().map(|x| *x as f32).collect();
    let weights: Vec<f32> = weights.unwrap_or(&[0.0]).iter().map(|w| *w as f32).collect();
    let emulator = or_skip(&programs::tensor(layout))?;
    let grid = Grid::new(BLOCKS as u32, layout.threads() as u32).shared(layout.shared_bytes() as u32);
    let mut partial = vec![f64::NAN; BLOCKS * layout.block_sums()];
    let mut accumulators = vec![f32::NAN; BLOCKS * layout.moments()];
    let first = [
        Arg::slice(&planes),
        Arg::slice(&norms),
        Arg::slice(&weights),
        Arg::value(n as i64),
        Arg::slice(&centers),
        Arg::slice(&scales),
        Arg::value(fuzzifier as f32),
        Arg::value(noise as f32),
    ];
    let mut args: Vec<Arg<'_>> = first.into_iter().collect();
    if layout.large {
        args.push(Arg::slice_mut(&mut accumulators));
        args.push(Arg::slice_mut(&mut partial));
        emulator.launch("sweep_large", grid, order, &mut args).unwrap();
    } else {
        args.push(Arg::slice_mut(&mut partial));
        emulator.launch("sweep_tiles", grid, order, &mut args).unwrap();
    }
    Some(layout.decode(&reduced(&partial, layout.block_sums(), order), &scales))
}

#[test]
fn emulated_product_kernels_match_the_textbook() {
    let rules = [
        MembershipRule::Fuzzy { fuzzifier: 2.0 },
        MembershipRule::Fuzzy { fuzzifier: 1.7 },
        MembershipRule::Noise { fuzzifier: 2.0, distance: 0.5 },
        MembershipRule::Fuzzy { fuzzifier: 3.0 },
    ];
    for (i, (shape, rule)) in
        [(17, 150, 9), (4, 300, 8), (20, 61, 16), (70, 70, 40)].into_iter().zip(rules).enumerate()
    {
        let (mut prototypes, x, weights, _) = problem(problems()[0].1, shape, Precision::F32);
        prototypes.rule = rule;
        let weights = weights.filter(|_| i % 2 == 1);
        let layout = TensorLayout::new(&prototypes, weights.is_some(), RequestedSums::default()).unwrap();
        assert_eq!(layout.large, i == 3);
        let order = Order::ALL[i % Order::ALL.len()];
        let Some(found) = tensor_sums(&layout, &prototypes, &x, weights.as_deref(), order) else { return };
        let expected = textbook::sums(&prototypes, &x, weights.as_deref(), RequestedSums::default());
        let error = difference(&found, &expected);
        assert!(error <= bound(Precision::F32), "{layout:?}: {error}");
    }
}

#[test]
fn emulated_block_reduction_flags_centers_that_are_too_close() {
    let Some(emulator) = or_skip(&programs::reduce()) else { return };
    let apart: Vec<f32> = (0..32).map(|i| if i / 8 == i % 8 { 1.0 } else { 0.0 }).collect();
    let mut near = apart.clone();
    near.copy_within(0..8, 24);
    near[25] = 0.1; // squared distance 0.01 between centers of norm 1
    for (centers, expected) in [(apart, 0.0), (near, 1.0)] {
        let mut sums = vec![0.0f64; 3];
        let mut args = [
            Arg::slice(&[1.0, 2.0, 10.0, 20.0]),
            Arg::value(2i32),
            Arg::value(2i32),
            Arg::slice_mut(&mut sums),
            Arg::slice(&centers),
            Arg::value(4i32),
            Arg::value(8i32),
            Arg::value(MIN_SEPARATION),
        ];
        emulator.launch("reduce_blocks", Grid::new(2, 256), Order::ALL[0], &mut args).unwrap();
        assert_eq!(sums, [11.0, 22.0, expected]);
    }
}

#[test]
fn emulated_product_iterations_match_the_textbook() {
    let (mut expected, x, _, _) = problem(problems()[0].1, (5, 150, 9), Precision::F32);
    let layout = TensorLayout::new(&expected, false, RequestedSums::default()).unwrap();
    let (Some(split), Some(emulator)) =
        (or_skip(&programs::split(&layout)), or_skip(&programs::tensor(&layout)))
    else {
        return;
    };
    let (start, n) = (expected.clone(), 150);
    let rows: Vec<f32> =
        x.chunks_exact(9).flat_map(|row| start.space.to_internal(row)).map(|x| x as f32).collect();
    let scales = vec![1.0f32; 9];
    let (mut planes, mut norms, mut overflow) =
        (vec![0u32; n * layout.row_words()], vec![0u32; 2 * n], vec![0u32]);
    let mut args = [
        Arg::slice(&rows),
        Arg::value(n as i64),
        Arg::slice(&scales),
        Arg::slice_mut(&mut planes),
        Arg::slice_mut(&mut norms),
        Arg::slice_mut(&mut overflow),
    ];
    split.launch("split_rows", Grid::new(2, 32), Order::ALL[0], &mut args).unwrap();
    let mut prototypes: Vec<f32> = start.centers.iter().map(|x| *x as f32).collect();
    let mut centers = start.centers.clone();
    centers.resize(2 * centers.len(), 0.0);
    let mut partial = vec![f64::NAN; BLOCKS * layout.block_sums()];
    let mut history = vec![0.0f64; 2];
    let (mut too_close, mut arrived, mut result) = (vec![0u32], vec![0u32], vec![0i32; 2]);
    let mut args = [
        Arg::slice(&planes),
        Arg::slice(&norms),
        Arg::slice(&scales),
        Arg::value(n as i64),
        Arg::slice_mut(&mut prototypes),
        Arg::slice(&scales),
        Arg::value(2.0f32),
        Arg::value(f32::INFINITY),
        Arg::slice_mut(&mut centers),
        Arg::slice_mut(&mut partial),
        Arg::slice_mut(&mut history),
        Arg::value(-1.0f64),
        Arg::value(0.0f32),
        Arg::value(2i32),
        Arg::slice_mut(&mut too_close),
        Arg::slice_mut(&mut arrived),
        Arg::slice_mut(&mut result),
    ];
    let grid =
        Grid::new(BLOCKS as u32, layout.threads() as u32).shared(layout.shared_bytes() as u32).cooperative();
    emulator.launch("iterate_tiles", grid, Order::ALL[1], &mut args).unwrap();
    assert_eq!(result, [2, 0]);
    for objective in history {
        let sums = textbook::sums(&expected, &x, None, RequestedSums::default());
        assert!((objective / sums.objective - 1.0).abs() < 1e-5, "{objective} for {}", sums.objective);
        expected.centers = sums.centers(&expected.centers);
    }
    let error = centers.iter().zip(&expected.centers).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(error < 1e-5, "{error}"); // single precision over two steps
}
