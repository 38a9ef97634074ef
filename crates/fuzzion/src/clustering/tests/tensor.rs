//! The tensor forms of the kernels, run in the emulator against the textbook.

use super::emulated::{BLOCKS, bound, difference, united};
use crate::clustering::cuda::product::{Form, NEAR};
use crate::clustering::cuda::programs;
use crate::clustering::prototypes::{Prototypes, Rule};
use crate::clustering::selftest::{problem, problems};
use crate::clustering::sums::{Sums, Want};
use crate::clustering::textbook;
use crate::data::Precision;
use crate::device::cuda::Grid;
use crate::device::cuda::emulator::{Arg, Order, or_skip};

/// Sums of the tensor form, run in the emulator.
fn product_sums(
    form: &Form,
    prototypes: &Prototypes,
    x: &[f64],
    weights: Option<&[f64]>,
    order: Order,
) -> Option<Sums> {
    let n = x.len() / form.columns;
    let rows: Vec<f32> =
        x.chunks_exact(form.columns).flat_map(|row| prototypes.space.enter(row)).map(|x| x as f32).collect();
    let scales: Vec<f32> = (0..form.columns).map(|i| if i % 3 == 1 { 4.0 } else { 1.0 }).collect();
    let split = or_skip(&programs::split(form))?;
    let (mut planes, mut norms, mut overflow) =
        (vec![0u32; n * form.row_words()], vec![0u32; 2 * n], vec![0u32]);
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
        Rule::Noise { fuzzifier, distance } => (fuzzifier, distance),
        _ => (prototypes.rule.fuzzifier(), f64::INFINITY),
    };
    let centers: Vec<f32> = prototypes.centers.iter().map(|x| *x as f32).collect();
    let weights: Vec<f32> = weights.unwrap_or(&[0.0]).iter().map(|w| *w as f32).collect();
    let emulator = or_skip(&programs::product(form))?;
    let grid = Grid::new(BLOCKS as u32, form.threads() as u32).shared(form.shared_bytes() as u32);
    let mut partial = vec![f64::NAN; BLOCKS * form.block_sums()];
    let mut kept = vec![f32::NAN; BLOCKS * form.moments()];
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
    if form.large {
        args.push(Arg::slice_mut(&mut kept));
        args.push(Arg::slice_mut(&mut partial));
        emulator.launch("sweep_large", grid, order, &mut args).unwrap();
    } else {
        args.push(Arg::slice_mut(&mut partial));
        emulator.launch("sweep_tiles", grid, order, &mut args).unwrap();
    }
    Some(form.decode(&united(&partial, form.block_sums(), order), &scales))
}

#[test]
fn emulated_tensor_forms_are_the_textbooks() {
    let rules = [
        Rule::Fuzzy { fuzzifier: 2.0 },
        Rule::Fuzzy { fuzzifier: 1.7 },
        Rule::Noise { fuzzifier: 2.0, distance: 0.5 },
        Rule::Fuzzy { fuzzifier: 3.0 },
    ];
    for (i, (shape, rule)) in
        [(17, 150, 9), (4, 300, 8), (20, 61, 16), (70, 70, 40)].into_iter().zip(rules).enumerate()
    {
        let (mut prototypes, x, weights, _) = problem(problems()[0].1, shape, Precision::F32);
        prototypes.rule = rule;
        let weights = weights.filter(|_| i % 2 == 1);
        let form = Form::new(&prototypes, weights.is_some(), Want::default()).unwrap();
        assert_eq!(form.large, i == 3);
        let order = Order::ALL[i % Order::ALL.len()];
        let Some(found) = product_sums(&form, &prototypes, &x, weights.as_deref(), order) else { return };
        let expected = textbook::sums(&prototypes, &x, weights.as_deref(), Want::default());
        let far = difference(&found, &expected);
        assert!(far <= bound(Precision::F32), "{form:?}: {far}");
    }
}

#[test]
fn emulated_near_centers_are_found_beside_the_sums() {
    let Some(emulator) = or_skip(&programs::unite()) else { return };
    let apart: Vec<f32> = (0..32).map(|i| if i / 8 == i % 8 { 1.0 } else { 0.0 }).collect();
    let mut near = apart.clone();
    near.copy_within(0..8, 24);
    near[25] = 0.1; // a squared distance of 0.01 from a center of size 1
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
            Arg::value(NEAR),
        ];
        emulator.launch("unite", Grid::new(2, 256), Order::ALL[0], &mut args).unwrap();
        assert_eq!(sums, [11.0, 22.0, expected]);
    }
}

#[test]
fn emulated_steps_of_the_tensor_form_are_the_textbooks_steps() {
    let (mut expected, x, _, _) = problem(problems()[0].1, (5, 150, 9), Precision::F32);
    let form = Form::new(&expected, false, Want::default()).unwrap();
    let (Some(split), Some(emulator)) =
        (or_skip(&programs::split(&form)), or_skip(&programs::product(&form)))
    else {
        return;
    };
    let (start, n) = (expected.clone(), 150);
    let rows: Vec<f32> = x.chunks_exact(9).flat_map(|row| start.space.enter(row)).map(|x| x as f32).collect();
    let scales = vec![1.0f32; 9];
    let (mut planes, mut norms, mut overflow) =
        (vec![0u32; n * form.row_words()], vec![0u32; 2 * n], vec![0u32]);
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
    let mut partial = vec![f64::NAN; BLOCKS * form.block_sums()];
    let mut history = vec![0.0f64; 2];
    let (mut near, mut arrived, mut result) = (vec![0u32], vec![0u32], vec![0i32; 2]);
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
        Arg::slice_mut(&mut near),
        Arg::slice_mut(&mut arrived),
        Arg::slice_mut(&mut result),
    ];
    let grid =
        Grid::new(BLOCKS as u32, form.threads() as u32).shared(form.shared_bytes() as u32).cooperative();
    emulator.launch("iterate_tiles", grid, Order::ALL[1], &mut args).unwrap();
    assert_eq!(result, [2, 0]);
    for objective in history {
        let sums = textbook::sums(&expected, &x, None, Want::default());
        assert!((objective / sums.objective - 1.0).abs() < 1e-5, "{objective} for {}", sums.objective);
        expected.centers = sums.centers(&expected.centers);
    }
    let far = centers.iter().zip(&expected.centers).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(far < 1e-5, "{far}"); // single precision over two steps
}
