//! CUDA back end in the emulator, compared with the textbook implementation.

use super::{centers_of, clouds, cpu, tensor};
use crate::clustering::cpu::{CHUNK, CpuRows};
use crate::clustering::cuda::kernels::Kernels;
use crate::clustering::cuda::layout::sweep::SweepLayout;
use crate::clustering::cuda::layout::tensor::TensorLayout;
use crate::clustering::cuda::loaded::Loaded;
use crate::clustering::cuda::{MultiGpu, Resident, memberships};
use crate::clustering::prototypes::{MembershipRule, Prototypes};
use crate::clustering::reference::problem::{Problem, problem, problems};
use crate::clustering::reference::textbook;
use crate::clustering::rows::backend::{IterationLimits, RowBackend};
use crate::clustering::rows::output::{MembershipOutput, top_memberships};
use crate::clustering::rows::summary::SummaryOptions;
use crate::clustering::rows::sums::{QualitySums, RequestedSums, Sums};
use crate::clustering::{ClusteringError, Criterion, FuzzyCMeans, Partition, Variant};
use crate::data::{DataError, Precision, ReadTable, Samples, Values};
use crate::device::cuda::emulator::Order;
use crate::device::{Cpu, Cuda, Device, Processor};
use crate::progress::Progress;

/// Tests that together run every launch of this module.
pub(crate) const LAUNCHING_TESTS: &[fn()] = &[
    emulated_sweeps_of_every_rule_and_metric_match_the_textbook,
    emulated_memberships_and_their_change_match_the_textbook,
    emulated_iterations_in_one_launch_match_the_textbook,
    emulated_summaries_and_rows_are_those_of_the_cpu,
    tensor::emulated_product_kernels_match_the_textbook,
    tensor::emulated_product_iterations_match_the_textbook,
];

/// Shared memory per block of the smallest supported GPU.
const SHARED: usize = 99 << 10;

/// Test problem.
struct Case {
    prototypes: Prototypes,
    precision: Precision,
    x: Vec<f64>,
    single: Vec<f32>,
    weights: Option<Vec<f64>>,
    requested: RequestedSums,
    names: Vec<String>,
}

impl Case {
    fn new(kind: Problem, shape: (usize, usize, usize), precision: Precision) -> Self {
        let (prototypes, x, weights, requested) = problem(kind, shape, precision);
        let single = x.iter().map(|x| *x as f32).collect();
        let names = (0..shape.2).map(|column| column.to_string()).collect();
        Case { prototypes, precision, x, single, weights, requested, names }
    }

    fn samples(&self) -> Samples<'_> {
        let values = match self.precision {
            Precision::F32 => Values::F32(&self.single),
            Precision::F64 => Values::F64(&self.x),
        };
        let samples = Samples::new(self.names.len(), values).unwrap();
        match &self.weights {
            Some(weights) => samples.with_weights(weights).unwrap(),
            None => samples,
        }
    }

    fn expected(&self) -> Sums {
        textbook::sums(&self.prototypes, &self.x, self.weights.as_deref(), self.requested)
    }
}

fn cases() -> Vec<Case> {
    let shapes = [(5, 150, 3), (3, 40, 4), (2, 3, 2), (9, 131, 5), (6, 70, 33)];
    let precisions = [Precision::F64, Precision::F32];
    let kinds = problems().into_iter().enumerate();
    kinds.map(|(i, (_, kind))| Case::new(kind, shapes[i % shapes.len()], precisions[i % 2])).collect()
}

fn layout(kind: Problem, shape: (usize, usize, usize), precision: Precision) -> SweepLayout {
    let (prototypes, _, weights, requested) = problem(kind, shape, precision);
    SweepLayout::new(&prototypes, precision, weights.is_some(), requested, SHARED).unwrap()
}

/// Layouts of different rules, metrics and sizes, for the test that compiles all kernels.
pub(in crate::clustering) fn layouts() -> Vec<SweepLayout> {
    let kinds = [(4, (5, 1, 3)), (10, (9, 1, 5)), (12, (3, 1, 4)), (13, (6, 1, 33))];
    let precision = |i: usize| if i.is_multiple_of(2) { Precision::F64 } else { Precision::F32 };
    let mut all: Vec<SweepLayout> =
        (0..).zip(kinds).map(|(i, (kind, shape))| layout(problems()[kind].1, shape, precision(i))).collect();
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
        let Some(cuda) = Cuda::emulated(Order::ALL[i % Order::ALL.len()]) else { return };
        let cpu = Cpu::new().unwrap();
        let mut rows = Resident::new(case.samples(), &cuda, &cpu).unwrap();
        let found = rows.sweep(&[&case.prototypes], case.requested).unwrap();
        let error = difference(&found[0], &case.expected());
        assert!(error <= bound(case.precision), "{}: {error}", problems()[i].0);
    }
}

#[test]
fn emulated_gpus_share_the_rows() {
    let case = Case::new(problems()[0].1, (5, 150, 3), Precision::F64);
    let cudas: Vec<Cuda> = Order::ALL.into_iter().filter_map(Cuda::emulated).collect();
    if cudas.is_empty() {
        return;
    }
    let (samples, cpu) = (case.samples(), Cpu::new().unwrap());
    let mut rows = MultiGpu::new(&samples, &cudas, &cpu).unwrap();
    let found = rows.sweep(&[&case.prototypes, &case.prototypes], case.requested).unwrap();
    let expected = case.expected();
    assert!(found.iter().all(|found| difference(found, &expected) <= bound(Precision::F64)));
    assert_eq!(rows.change(&[(&case.prototypes, &case.prototypes)]).unwrap(), [0.0]);
}

#[test]
fn emulated_memberships_and_their_change_match_the_textbook() {
    for kind in [0, 6, 8, 13] {
        let mut case = Case::new(problems()[kind].1, (5, 77, 3), Precision::F64);
        case.weights = None;
        let of_row = |row: &[f64]| {
            let d = textbook::distances(&case.prototypes, &case.prototypes.space.to_internal(row));
            textbook::memberships(&case.prototypes.rule, &d).0
        };
        let expected: Vec<f64> = case.x.chunks_exact(3).flat_map(of_row).collect();
        for cuda in Order::ALL.into_iter().filter_map(Cuda::emulated) {
            let mut found = vec![f64::NAN; expected.len()];
            let compute = |out: MembershipOutput<'_>| {
                memberships(&case.samples(), &cuda, &case.prototypes, out, &Progress::none()).unwrap();
            };
            compute(MembershipOutput::Double(&mut found));
            for (found, expected) in found.iter().zip(&expected) {
                assert!((found - expected).abs() < 1e-12, "{kind}: {found} for {expected}");
            }
            // The largest memberships are exactly those of all memberships.
            let mut labels = vec![u32::MAX; 77];
            compute(MembershipOutput::Labels(&mut labels));
            let mut top = vec![(u32::MAX, f64::NAN); 77 * 3];
            compute(MembershipOutput::Top(3, &mut top));
            for (row, all) in found.chunks_exact(5).enumerate() {
                let mut expected = [(0, 0.0); 3];
                top_memberships(all, &mut expected);
                assert_eq!((top[row * 3..][..3].to_vec(), labels[row]), (expected.to_vec(), expected[0].0));
            }
            let loaded = Loaded::new(&cuda, &case.x, None, &case.prototypes).unwrap();
            let mut moved = found.clone();
            moved[expected.len() - 2] += 0.25;
            let (a, b) = (cuda.upload(&found).unwrap(), cuda.upload(&moved).unwrap());
            let mut largest = cuda.zeros(1).unwrap();
            loaded.largest_change(&a, &b, expected.len(), &mut largest).unwrap();
            assert_eq!(cuda.download(&largest).unwrap()[0], 0.25f32.to_bits());
            let cpu = Cpu::new().unwrap();
            let mut rows = Resident::new(case.samples(), &cuda, &cpu).unwrap();
            assert_eq!(rows.change(&[(&case.prototypes, &case.prototypes)]).unwrap(), [0.0]);
        }
    }
}

/// A device that consists of an emulated GPU.
fn emulated_device(order: Order) -> Option<Device> {
    Some(Device::with_emulated_gpus(vec![Cuda::emulated(order)?]))
}

#[test]
fn emulated_summaries_and_rows_are_those_of_the_cpu() {
    // More than one chunk, and a first row of weight 0.
    let (count, columns) = (2 * CHUNK + 11, 3);
    let x: Vec<f64> = (0..count * columns).map(|i| 1e3 + ((i * 7919) % 1013) as f64 / 7.0).collect();
    let weights: Vec<f64> = (0..count).map(|i| (i % 4) as f64 / 3.0).collect();
    let single: Vec<f32> = x.iter().map(|x| *x as f32).collect();
    let cpu = Cpu::new().unwrap();
    for (i, values) in [Values::F64(&x), Values::F32(&single)].into_iter().enumerate() {
        let samples = Samples::new(columns, values).unwrap();
        for samples in [samples.clone(), samples.with_weights(&weights).unwrap()] {
            let Some(device) = emulated_device(Order::ALL[i]) else { return };
            let Processor::Cuda(cuda) = device.processor(false) else { panic!("the device has a GPU") };
            let placed = samples.to_device(&device).unwrap();
            for samples in
                [samples.clone(), Samples::from(&placed), Samples::from(&placed).part(5..count - 3)]
            {
                let mut expected = CpuRows::new(&samples, &cpu);
                let mut found = Resident::new(samples.clone(), cuda, &cpu).unwrap();
                for covariance in [false, true] {
                    let options = SummaryOptions { partial: false, covariance, scale: 0.5 };
                    let (found, expected) = (found.summarize(options), expected.summarize(options));
                    assert_eq!(format!("{:?}", found.unwrap()), format!("{:?}", expected.unwrap()));
                }
                let rows = [0, 3, 2 * CHUNK as u64];
                assert_eq!(found.gather(&rows).unwrap(), expected.gather(&rows).unwrap());
            }
        }
    }
}

#[test]
fn emulated_summaries_report_the_first_value_that_is_not_finite() {
    let mut x: Vec<f64> = (0..3 * (CHUNK + 40)).map(|i| i as f64).collect();
    x[3 * (CHUNK + 7) + 2] = f64::NEG_INFINITY;
    x[3 * (CHUNK + 7) + 1] = f64::NAN;
    x[3 * (CHUNK + 9)] = f64::NAN;
    let Some(device) = emulated_device(Order::Forward) else { return };
    let error = FuzzyCMeans::new(2).fit(Samples::new(3, &x).unwrap(), &device).unwrap_err();
    let ClusteringError::Data(DataError::NotFinite { row, column, value, .. }) = error else {
        panic!("{error}")
    };
    assert!((row, column) == (CHUNK as u64 + 8, 2) && value.is_nan());
}

#[test]
fn emulated_fits_of_rows_in_gpu_memory_are_those_of_rows_in_host_memory() {
    let x: Vec<f32> =
        clouds(&[[0.0, 0.0], [9.0, 1.0], [4.0, 8.0]], 60, 3).iter().map(|x| *x as f32).collect();
    let host = Samples::new(2, &x).unwrap();
    let Some(device) = emulated_device(Order::Forward) else { return };
    let placed = host.to_device(&device).unwrap();
    for criterion in Criterion::ALL {
        let settings = FuzzyCMeans::new(3).criterion(criterion).seed(5);
        let expected = settings.fit(&host, &device).unwrap();
        assert_eq!(settings.fit(&placed, &device).unwrap(), expected);
        let on_cpu = settings.fit(&host, &cpu()).unwrap();
        assert!(difference_of_centers(&expected, &on_cpu) < 1e-4);
        assert_eq!(expected.labels(&placed, &device).unwrap(), on_cpu.labels(&host, &cpu()).unwrap());
    }
    let partition = FuzzyCMeans::new(3).fit(&host, &device).unwrap();
    assert_eq!(
        partition.memberships(&placed, &device).unwrap(),
        partition.memberships(&host, &device).unwrap()
    );
    let part = Samples::from(&placed).part(7..50);
    assert_eq!(partition.labels(&part, &device).unwrap(), partition.labels(&placed, &device).unwrap()[7..50]);
}

#[test]
fn emulated_fits_of_a_table_reader_are_those_of_rows_in_memory() {
    let x = clouds(&[[0.0, 0.0], [9.0, 1.0], [4.0, 8.0]], 60, 3);
    let weights: Vec<f64> = (0..180).map(|i| f64::from(i % 3) + 0.5).collect();
    let text: String = x.chunks(2).zip(&weights).map(|(x, w)| format!("{},{w},{}\n", x[0], x[1])).collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.csv");
    std::fs::write(&path, format!("x,w,y\n{text}")).unwrap();
    let Some(device) = emulated_device(Order::Forward) else { return };
    let samples = Samples::new(2, &x).unwrap().with_weights(&weights).unwrap();
    let names = vec!["x".to_owned(), "y".to_owned()];
    let samples = samples.with_names(names).unwrap();
    for settings in [
        FuzzyCMeans::new(3).seed(5),
        FuzzyCMeans::new(3).seed(5).plain(true),
        FuzzyCMeans::new(3).seed(5).criterion(Criterion::Memberships).variant(Variant::Possibilistic),
    ] {
        let mut reader = ReadTable::new().open(&path).unwrap();
        let found = settings.fit_reader(&mut reader, Some("w"), &device).unwrap();
        assert_eq!(found, settings.fit(&samples, &device).unwrap());
    }
}

fn difference_of_centers(a: &Partition, b: &Partition) -> f64 {
    super::difference(&centers_of(a), &centers_of(b))
}

#[test]
fn rows_in_the_memory_of_another_device_are_rejected() {
    let x: Vec<f64> = (0..40).map(f64::from).collect();
    let Some(device) = emulated_device(Order::Forward) else { return };
    let placed = Samples::new(2, &x).unwrap().to_device(&device).unwrap();
    let error = FuzzyCMeans::new(2).fit(&placed, &cpu()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the rows are in the memory of `cuda:0`, but the operation runs on `cpu`; use the same device for both"
    );
    let partition = FuzzyCMeans::new(2).fit(&placed, &device).unwrap();
    assert!(partition.labels(&placed, &cpu()).is_err());
}

#[test]
fn several_emulated_gpus_give_the_result_of_one() {
    let x = clouds(&[[0.0, 0.0], [9.0, 1.0], [4.0, 8.0]], 41, 3);
    let samples = Samples::new(2, &x).unwrap();
    let Some(one) = emulated_device(Order::Forward) else { return };
    let two = Device::with_emulated_gpus(Order::ALL.into_iter().filter_map(Cuda::emulated).collect());
    let settings = FuzzyCMeans::new(3).seed(5);
    let (a, b) = (settings.fit(&samples, &one).unwrap(), settings.fit(&samples, &two).unwrap());
    assert!(difference_of_centers(&a, &b) < 1e-12);
    let placed = samples.to_device(&two).unwrap();
    assert_eq!(settings.fit(&placed, &two).unwrap(), b);
    assert_eq!(b.labels(&placed, &two).unwrap(), b.labels(&samples, &cpu()).unwrap());
    assert_eq!(b.memberships(&placed, &two).unwrap(), b.memberships(&samples, &one).unwrap());
    assert_eq!(b.top_memberships(&placed, 2, &two).unwrap(), b.top_memberships(&samples, 2, &one).unwrap());
}

#[test]
fn emulated_iterations_in_one_launch_match_the_textbook() {
    const STEPS: usize = 4;
    // With tiles of full size, and with small tiles that occupy both multiprocessors.
    for rows in [150, 60] {
        let case = Case::new(problems()[0].1, (5, rows, 3), Precision::F64);
        let mut expected = case.prototypes.clone();
        let mut objectives = Vec::new();
        for _ in 0..STEPS {
            let sums = textbook::sums(&expected, &case.x, case.weights.as_deref(), RequestedSums::default());
            objectives.push(sums.objective);
            expected.centers = sums.centers(&expected.centers);
        }
        for cuda in Order::ALL.into_iter().filter_map(Cuda::emulated) {
            let limits = IterationLimits { max_iterations: STEPS, tolerance: -1.0 };
            let mut loaded = Loaded::new(&cuda, &case.x, case.weights.as_deref(), &case.prototypes).unwrap();
            let found = loaded.iterate(&mut Kernels::default(), &case.prototypes, limits).unwrap().unwrap();
            assert!(found.objectives.len() == STEPS && !found.converged);
            let close = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-11);
            assert!(close(&found.objectives, &objectives), "{:?} for {objectives:?}", found.objectives);
            assert!(close(&found.centers, &expected.centers), "{:?}", found.centers);
        }
    }
}
