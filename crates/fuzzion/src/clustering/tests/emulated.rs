//! Difference kernels in the emulator, compared with the textbook.

use crate::clustering::cuda::layout::sweep::{SweepLayout, THREADS};
use crate::clustering::cuda::layout::tensor::{MIN_SEPARATION, TensorLayout};
use crate::clustering::cuda::programs;
use crate::clustering::prototypes::{MembershipRule, Prototypes};
use crate::clustering::rows::sums::{QualitySums, RequestedSums, Sums};
use crate::clustering::selftest::{Problem, problem, problems};
use crate::clustering::textbook;
use crate::data::Precision;
use crate::device::cuda::Grid;
use crate::device::cuda::emulator::{Arg, Emulator, Order, or_skip};

/// Shared memory per block of the smallest supported GPU.
const SHARED: usize = 99 << 10;
pub(super) const BLOCKS: usize = 2;

/// Test problem with its GPU layout.
struct Case {
    prototypes: Prototypes,
    layout: SweepLayout,
    x: Vec<f64>,
    weights: Option<Vec<f64>>,
    requested: RequestedSums,
}

fn case(kind: Problem, shape: (usize, usize, usize), precision: Precision) -> Case {
    let (prototypes, x, weights, requested) = problem(kind, shape, precision);
    let layout = SweepLayout::new(&prototypes, precision, weights.is_some(), requested, SHARED).unwrap();
    Case { prototypes, layout, x, weights, requested }
}

fn cases() -> Vec<Case> {
    let shapes = [(5, 150, 3), (3, 40, 4), (2, 3, 2), (9, 131, 5), (6, 70, 33)];
    let precisions = [Precision::F64, Precision::F32];
    let kinds = problems().into_iter().enumerate();
    kinds.map(|(i, (_, kind))| case(kind, shapes[i % shapes.len()], precisions[i % 2])).collect()
}

/// Layouts of different rules, metrics and sizes, for the test that compiles all kernels.
pub(in crate::clustering) fn layouts() -> Vec<SweepLayout> {
    let kinds = [(4, (5, 1, 3)), (10, (9, 1, 5)), (12, (3, 1, 4)), (13, (6, 1, 33))];
    let precision = |i: usize| if i.is_multiple_of(2) { Precision::F64 } else { Precision::F32 };
    let mut all: Vec<SweepLayout> = (0..)
        .zip(kinds)
        .map(|(i, (kind, shape))| case(problems()[kind].1, shape, precision(i)).layout)
        .collect();
    for (i, (clusters, columns)) in [(256, 128), (64, 32)].into_iter().enumerate() {
        let (prototypes, ..) = problem(problems()[0].1, (clusters, 1, columns), precision(i));
        all.extend(SweepLayout::new(&prototypes, precision(i), false, RequestedSums::default(), SHARED));
    }
    all
}

/// Tensor layouts of every kind.
pub(in crate::clustering) fn tensor_layouts() -> Vec<TensorLayout> {
    let two = MembershipRule::Fuzzy { fuzzifier: 2.0 };
    let any = MembershipRule::Fuzzy { fuzzifier: 1.7 };
    let noise = MembershipRule::Noise { fuzzifier: 2.0, distance: 0.5 };
    let shapes = [
        ((16, 8), &two, false),
        ((17, 9), &any, true),
        ((64, 32), &two, false),
        ((100, 10), &noise, false),
        ((64, 100), &any, true),
        ((256, 128), &two, false),
    ];
    let layout = |((clusters, columns), rule, weighted): ((usize, usize), &MembershipRule, bool)| {
        let (mut prototypes, ..) = problem(problems()[0].1, (clusters, 1, columns), Precision::F32);
        prototypes.rule = rule.clone();
        TensorLayout::new(&prototypes, weighted, RequestedSums::default()).unwrap()
    };
    shapes.into_iter().map(layout).collect()
}

/// Values in the precision of a kernel.
enum Buffer {
    Single(Vec<f32>),
    Double(Vec<f64>),
}

impl Buffer {
    fn new(values: &[f64], precision: Precision) -> Self {
        match precision {
            Precision::F32 => Buffer::Single(values.iter().map(|x| *x as f32).collect()),
            Precision::F64 => Buffer::Double(values.to_vec()),
        }
    }

    fn input(&self) -> Arg<'_> {
        match self {
            Buffer::Single(values) => Arg::slice(values),
            Buffer::Double(values) => Arg::slice(values),
        }
    }

    fn output(&mut self) -> Arg<'_> {
        match self {
            Buffer::Single(values) => Arg::slice_mut(values),
            Buffer::Double(values) => Arg::slice_mut(values),
        }
    }

    fn to_f64(&self) -> Vec<f64> {
        match self {
            Buffer::Single(values) => values.iter().map(|x| f64::from(*x)).collect(),
            Buffer::Double(values) => values.clone(),
        }
    }
}

fn grid(case: &Case) -> Grid {
    Grid::new(BLOCKS as u32, THREADS as u32).shared(case.layout.shared_bytes() as u32)
}

/// Rows in internal coordinates.
fn prepared(case: &Case, emulator: &Emulator, order: Order) -> Buffer {
    let precision = case.layout.precision;
    let space = &case.prototypes.space;
    let values: Vec<f64> =
        [&space.shift, &space.scale].into_iter().chain(&space.whitening).flatten().copied().collect();
    let space = Buffer::new(&values, precision);
    let mut rows = Buffer::new(&case.x, precision);
    let n = case.x.len() / case.layout.columns;
    let mut args = [rows.output(), space.input(), Arg::value(n as i64)];
    emulator.launch("prepare", Grid::new(1, 32), order, &mut args).unwrap();
    rows
}

pub(super) fn reduced(partial: &[f64], width: usize, order: Order) -> Vec<f64> {
    let mut sums = vec![0.0; width];
    let Some(emulator) = or_skip(&programs::reduce()) else { return sums };
    let blocks = (partial.len() / width) as i32;
    let mut args = [
        Arg::slice(partial),
        Arg::value(blocks),
        Arg::value(width as i32),
        Arg::slice_mut(&mut sums),
        Arg::slice(&[0.0f32]),
        Arg::value(0i32),
        Arg::value(0i32),
        Arg::value(MIN_SEPARATION),
    ];
    emulator.launch("reduce_blocks", Grid::new(width.div_ceil(8) as u32, 256), order, &mut args).unwrap();
    sums
}

/// Largest error of the sums, relative to the largest possible sum.
pub(super) fn difference(found: &Sums, expected: &Sums) -> f64 {
    let total: f64 = expected.masses.iter().sum::<f64>().max(1e-6);
    let relative = |a: &[f64], b: &[f64]| {
        assert_eq!(a.len(), b.len());
        a.iter().zip(b).map(|(a, b)| (a - b).abs() / total).fold(0.0, f64::max)
    };
    let mut error = (found.objective - expected.objective).abs() / expected.objective.abs().max(1e-6);
    error =
        error.max(relative(&found.masses, &expected.masses)).max(relative(&found.moments, &expected.moments));
    error = error
        .max(relative(&found.column_masses, &expected.column_masses))
        .max(relative(&found.scatter, &expected.scatter));
    if let (Some(a), Some(b)) = (&found.quality, &expected.quality) {
        error = error.max(relative(&a.memberships, &b.memberships)).max(relative(&a.sizes, &b.sizes));
        let values = |s: &QualitySums| {
            [s.squares, s.entropy, s.distances].into_iter().chain(s.spreads.clone()).collect::<Vec<_>>()
        };
        // These may be much larger (outliers) or smaller than the masses.
        let pairs = values(a).into_iter().zip(values(b));
        error = pairs.map(|(a, b)| (a - b).abs() / b.abs().max(total)).fold(error, f64::max);
    }
    error
}

/// The same bounds as in the self-test.
pub(super) fn bound(precision: Precision) -> f64 {
    if precision == Precision::F32 { 5e-5 } else { 1e-12 }
}

#[test]
fn emulated_sweeps_of_every_rule_and_metric_match_the_textbook() {
    for (i, case) in cases().into_iter().enumerate() {
        let Some(emulator) = or_skip(&programs::sweep(&case.layout)) else { return };
        let order = Order::ALL[i % Order::ALL.len()];
        let rows = prepared(&case, &emulator, order);
        let n = case.x.len() / case.layout.columns;
        let weights = Buffer::new(case.weights.as_deref().unwrap_or(&[0.0]), case.layout.precision);
        let prototypes = Buffer::new(&case.layout.encode(&case.prototypes), case.layout.precision);
        let width = case.layout.block_sums();
        let mut partial = vec![f64::NAN; BLOCKS * width];
        let mut args = [
            rows.input(),
            weights.input(),
            Arg::value(n as i64),
            prototypes.input(),
            Arg::slice_mut(&mut partial),
        ];
        emulator.launch("sweep_rows", grid(&case), order, &mut args).unwrap();
        let found = case.layout.decode(&reduced(&partial, width, order));
        let expected = textbook::sums(&case.prototypes, &case.x, case.weights.as_deref(), case.requested);
        let error = difference(&found, &expected);
        assert!(error <= bound(case.layout.precision), "{:?}: {error}", case.layout);
    }
}

#[test]
fn emulated_memberships_and_their_change_match_the_textbook() {
    for kind in [0, 6, 8, 13] {
        let mut case = case(problems()[kind].1, (5, 77, 3), Precision::F64);
        case.requested = RequestedSums::default();
        case.layout =
            SweepLayout::new(&case.prototypes, Precision::F64, false, case.requested, SHARED).unwrap();
        let Some(emulator) = or_skip(&programs::sweep(&case.layout)) else { return };
        for order in Order::ALL {
            let rows = prepared(&case, &emulator, order);
            let (n, clusters) = (77, case.layout.clusters);
            let prototypes = Buffer::new(&case.layout.encode(&case.prototypes), Precision::F64);
            let mut out = Buffer::new(&vec![f64::NAN; n * clusters], Precision::F64);
            let mut args = [rows.input(), Arg::value(n as i64), prototypes.input(), out.output()];
            emulator.launch("memberships_of_rows", grid(&case), order, &mut args).unwrap();
            let of_row = |row: &[f64]| {
                let d = textbook::distances(&case.prototypes, &case.prototypes.space.to_internal(row));
                textbook::memberships(&case.prototypes.rule, &d).0
            };
            let expected: Vec<f64> = case.x.chunks_exact(3).flat_map(of_row).collect();
            let found = out.to_f64();
            for (found, expected) in found.iter().zip(&expected) {
                assert!((found - expected).abs() < 1e-12, "{kind}: {found} for {expected}");
            }
            let mut moved = found.clone();
            moved[n * clusters - 2] += 0.25;
            let mut largest = vec![0u32];
            let mut args = [
                Arg::slice(&found),
                Arg::slice(&moved),
                Arg::value(moved.len() as i64),
                Arg::slice_mut(&mut largest),
            ];
            emulator.launch("largest_change", Grid::new(2, 32), order, &mut args).unwrap();
            assert_eq!(f32::from_bits(largest[0]), 0.25);
        }
    }
}

#[test]
fn emulated_iterations_in_one_launch_match_the_textbook() {
    let mut case = case(problems()[0].1, (5, 150, 3), Precision::F64);
    case.requested = RequestedSums::default();
    case.layout = SweepLayout::new(&case.prototypes, Precision::F64, true, case.requested, SHARED)
        .unwrap()
        .with_small_tiles(150, 4);
    assert_eq!(case.layout.rows, 32);
    let weights = case.weights.clone().unwrap();
    let Some(emulator) = or_skip(&programs::iterate(&case.layout)) else { return };
    let Some(sweep) = or_skip(&programs::sweep(&case.layout)) else { return };
    let steps = 4;
    let mut expected = case.prototypes.clone();
    let mut objectives = Vec::new();
    for _ in 0..steps {
        let sums = textbook::sums(&expected, &case.x, Some(&weights), RequestedSums::default());
        objectives.push(sums.objective);
        expected.centers = sums.centers(&expected.centers);
    }
    for order in Order::ALL {
        let rows = prepared(&case, &sweep, order);
        let mut prototypes = Buffer::new(&case.layout.encode(&case.prototypes), Precision::F64);
        let mut centers = case.prototypes.centers.clone();
        centers.resize(2 * centers.len(), 0.0);
        let mut partial = vec![f64::NAN; BLOCKS * case.layout.block_sums()];
        let mut history = vec![0.0; steps];
        let (mut arrived, mut result) = (vec![0u32], vec![0i32; 2]);
        let mut args = [
            rows.input(),
            Arg::slice(&weights),
            Arg::value(150i64),
            prototypes.output(),
            Arg::slice_mut(&mut centers),
            Arg::slice_mut(&mut partial),
            Arg::slice_mut(&mut history),
            Arg::value(-1.0f64),
            Arg::value(steps as i32),
            Arg::slice_mut(&mut arrived),
            Arg::slice_mut(&mut result),
        ];
        emulator.launch("iterate_rows", grid(&case).cooperative(), order, &mut args).unwrap();
        assert_eq!(result, [steps as i32, 0]);
        let close = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-11);
        assert!(close(&history, &objectives), "{history:?} for {objectives:?}");
        // After an even number of steps, the centers are in the first half.
        assert!(close(&centers[..expected.centers.len()], &expected.centers), "{centers:?}");
    }
}
