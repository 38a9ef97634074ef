//! Initial rules from clusters, the kernels that are compiled in advance, and rule supports, which require none.

use super::{PLAIN, assert_close, problem_data};
use crate::data::Table;
use crate::device::cuda::emulator::Order;
use crate::device::{Cpu, Cuda, Device};
use crate::tuning::cuda::CudaBackend;
use crate::tuning::initial::with_initial_shape;
use crate::tuning::inspect::rule_support;
use crate::tuning::network::Network;
use crate::tuning::reference::problem::Problem;
use crate::tuning::settings::{InitialRules, Tuner};
use crate::tuning::training::backend::Backend;
use crate::tuning::training::samples::ScaledSamples;

const CENTERS: [f64; 6] = [0.2, 0.3, 0.7, 0.6, 0.2, 0.9];

/// Problems with and without weights, whose first row is at two equal centers.
fn problems() -> impl Iterator<Item = ScaledSamples> {
    [false, true].into_iter().map(|weighted| {
        let mut samples = problem_data(&Problem { weighted, outputs: 2, ..PLAIN }).1;
        samples.inputs.iter_mut().zip([0.2, 0.3]).for_each(|(column, x)| column[0] = x);
        samples
    })
}

/// Diagonals of the fuzzy covariances by definition.
fn textbook_variances(samples: &ScaledSamples, centers: &[f64]) -> Vec<f64> {
    let (mut squares, mut all) = (vec![0.0; centers.len()], vec![0.0; centers.len()]);
    for row in 0..samples.training {
        let x = samples.inputs_of(row);
        let distance = |v: &[f64]| x.iter().zip(v).map(|(x, v)| (x - v) * (x - v)).sum::<f64>();
        let inverse: Vec<f64> = centers.chunks(2).map(|v| 1.0 / distance(v)).collect();
        let infinite = inverse.iter().filter(|inverse| **inverse == f64::INFINITY).count() as f64;
        let sum: f64 = inverse.iter().sum();
        for (at, center) in centers.iter().enumerate() {
            let inverse = inverse[at / 2];
            let u = match infinite {
                0.0 => inverse / sum,
                _ => f64::from(u8::from(inverse == f64::INFINITY)) / infinite,
            };
            squares[at] += samples.weight(row) * u * u * (x[at % 2] - center).powi(2);
            all[at] += samples.weight(row) * u * u;
        }
    }
    squares.iter().zip(all).map(|(square, all)| square / all).collect()
}

#[test]
pub(super) fn emulated_variances_match_the_textbook() {
    let cpu = Cpu::new().unwrap();
    let centers = [CENTERS.as_slice(), &[0.2, 0.3]].concat();
    for samples in problems() {
        let expected = textbook_variances(&samples, &centers);
        for cuda in Order::ALL.into_iter().filter_map(Cuda::emulated) {
            let resident = CudaBackend::new(&samples, &cuda, &cpu).unwrap();
            for mut backend in [resident, CudaBackend::streamed(&samples, &cuda, &cpu, 40).unwrap()] {
                let found = backend.cluster_variances(&centers).unwrap().unwrap();
                assert_close(&found, &expected, 1e-14, "variances");
            }
        }
    }
}

#[test]
fn variances_are_computed_on_the_cpu_if_inputs_are_missing_or_there_are_too_many_clusters() {
    let Some(cuda) = Cuda::emulated(Order::Forward) else { return };
    let cpu = Cpu::new().unwrap();
    let (_, samples) = problem_data(&Problem { missing: true, ..PLAIN });
    let mut backend = CudaBackend::new(&samples, &cuda, &cpu).unwrap();
    assert_eq!(backend.cluster_variances(&CENTERS).unwrap(), None);
    let (_, samples) = problem_data(&PLAIN);
    let mut backend = CudaBackend::new(&samples, &cuda, &cpu).unwrap();
    assert_eq!(backend.cluster_variances(&[0.5; 10_000]).unwrap(), None);
}

/// The columns a, b and y with a smooth target.
fn table() -> Table {
    let row = |i: u32| {
        let (a, b) = (f64::from(i % 17) / 16.0, f64::from(i % 23) / 22.0);
        [a, b, (3.0 * a).sin() + b * b]
    };
    Table::new(["a", "b", "y"], (0..300).flat_map(row).collect::<Vec<_>>()).unwrap()
}

#[test]
fn fits_use_exactly_the_kernels_that_are_compiled_in_advance() {
    let (table, tuner) = (table(), Tuner::grid(&[2, 3]).iterations(2));
    // Sets that are not tied are not merged, which would need another kernel.
    let untied = tuner.clone().untied(true);
    for tuner in [
        tuner.clone(),
        untied.clone().order(0).iterations(0),
        tuner.order(4),
        untied.clone().initial_rules(InitialRules::FuzzyCMeans(3)),
        untied.initial_rules(InitialRules::GustafsonKessel(2)),
    ] {
        let Some(cuda) = Cuda::emulated(Order::Forward) else { return };
        let device = Device::with_emulated_gpus(vec![cuda.clone()]);
        let tuned = tuner.fit(&table, &["y"], &device).unwrap();
        let [not_prefetched, not_used] = cuda.prefetch_mismatch();
        assert!(not_prefetched.is_empty() && not_used.is_empty(), "{not_prefetched:?}, {not_used:?}");
        // The shape that is known before the data are prepared is that of the result.
        let known = Network::new(with_initial_shape(&tuner, 2).unwrap(), tuner.order, 1);
        let shape = |network: &Network| {
            let antecedents = &network.antecedents;
            (antecedents.rules(), antecedents.sets.len(), antecedents.form, network.theta.len())
        };
        assert_eq!(shape(&known), shape(&tuned.network));
    }
}

#[test]
fn a_fit_on_an_emulated_gpu_starts_from_the_rules_of_the_cpu() {
    let Some(cuda) = Cuda::emulated(Order::Forward) else { return };
    let tuner = Tuner::new(InitialRules::FuzzyCMeans(3)).iterations(0);
    let fit = |device: &Device| tuner.fit(&table(), &["y"], device).unwrap().initial_antecedents;
    let parameters =
        |device: &Device| -> Vec<f64> { fit(device).sets.iter().flat_map(|set| set.parameters).collect() };
    let found = parameters(&Device::with_emulated_gpus(vec![cuda]));
    assert_close(&found, &parameters(&Device::cpu().unwrap()), 1e-9, "initial sets");
}

#[test]
fn rule_supports_require_no_kernel() {
    let Some(cuda) = Cuda::emulated(Order::Forward) else { return };
    let (cpu, table) = (Device::cpu().unwrap(), table());
    let system = Tuner::grid(&[2]).iterations(0).fit(&table, &["y"], &cpu).unwrap().system;
    let samples = table.samples().to_device(&Device::with_emulated_gpus(vec![cuda.clone()])).unwrap();
    let found = rule_support(&system, &samples, &Device::with_emulated_gpus(vec![cuda.clone()])).unwrap();
    assert_eq!(found, rule_support(&system, &table, &cpu).unwrap());
    assert_eq!(cuda.prefetch_mismatch(), [[""; 0]; 2]);
}
