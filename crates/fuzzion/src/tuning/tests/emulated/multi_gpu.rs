//! Several emulated GPUs against one, and against the textbook implementation.

use super::{LARGE, PLAIN, assert_close, cases, problem_data};
use crate::data::{Samples, Table};
use crate::device::cuda::emulator::Order;
use crate::device::{Cpu, Cuda, Device};
use crate::tuning::cuda::MultiGpu;
use crate::tuning::model::TunedSystem;
use crate::tuning::network::Network;
use crate::tuning::reference::problem::Problem;
use crate::tuning::reference::textbook::Textbook;
use crate::tuning::report::TuningTrial;
use crate::tuning::settings::{Classify, InitialRules, StepRule, TrainingMethod, Tuner};
use crate::tuning::training::backend::Backend;
use crate::tuning::training::loss::Loss;

fn gpus(count: usize) -> Option<Vec<Cuda>> {
    (0..count).map(|i| Cuda::emulated(Order::ALL[i % Order::ALL.len()])).collect()
}

fn device(count: usize) -> Option<Device> {
    Some(Device::with_emulated_gpus(gpus(count)?))
}

/// The columns a, b and y with a smooth target.
fn table(rows: u32) -> Table {
    let row = |i: u32| {
        let (a, b) = (f64::from(i * 7 % 53) / 52.0, f64::from(i * 11 % 71) / 70.0);
        [a, b, (4.0 * a).sin() + b * b * (1.0 - a)]
    };
    Table::new(["a", "b", "y"], (0..rows).flat_map(row).collect::<Vec<_>>()).unwrap()
}

#[test]
fn sums_of_several_emulated_gpus_match_the_textbook() {
    let cpu = Cpu::new().unwrap();
    let many = [LARGE[0], Problem { missing: true, weighted: false, ..LARGE[0] }];
    let few = cases().into_iter().filter(|(problem, _)| problem.order < 2);
    for (problem, loss) in few.chain(many.map(|problem| (problem, Loss::SquaredError))) {
        let (network, mut samples) = problem_data(&problem);
        samples.training = samples.rows() * 2 / 3;
        let expected = Textbook(&samples).normal_equations(&network).unwrap();
        let gradient = Textbook(&samples).loss_and_gradient(&network, loss).unwrap();
        let outputs = Textbook(&samples).predict(&network).unwrap();
        for count in [2, 3] {
            let Some(cudas) = gpus(count) else { return };
            let mut backend = MultiGpu::new(&samples, &cudas, &cpu).unwrap();
            let found = backend.normal_equations(&network).unwrap();
            assert_eq!((found.weight, found.rows), (expected.weight, expected.rows));
            assert_close(&found.gram, &expected.gram, 1e-12, "ΦᵀWΦ");
            assert_close(&found.cross, &expected.cross, 1e-12, "ΦᵀWY");
            assert_close(&found.squares, &expected.squares, 1e-12, "YᵀWY");
            let found = backend.loss_and_gradient(&network, loss).unwrap();
            assert_eq!(found.weight, gradient.weight);
            assert_close(&found.loss, &gradient.loss, 1e-12, "loss");
            assert_close(&found.squares, &gradient.squares, 1e-12, "squares");
            assert_close(&found.theta, &gradient.theta, 1e-12, "gradient of θ");
            let (found, expected) = (found.sets.as_flattened(), gradient.sets.as_flattened());
            assert_close(found, expected, 1e-12, "gradients of sets");
            let found = backend.predict(&network).unwrap();
            assert_close(&found.concat(), &outputs.concat(), 1e-12, "outputs");
        }
    }
}

#[test]
fn every_emulated_gpu_has_training_rows() {
    let Some(cudas) = gpus(3) else { return };
    let (network, mut samples) = problem_data(&Problem { weighted: true, ..PLAIN });
    samples.training = 2;
    let cpu = Cpu::new().unwrap();
    let mut backend = MultiGpu::new(&samples, &cudas, &cpu).unwrap();
    let found = backend.loss_and_gradient(&network, Loss::SquaredError).unwrap();
    let expected = Textbook(&samples).loss_and_gradient(&network, Loss::SquaredError).unwrap();
    assert_close(&found.loss, &expected.loss, 1e-12, "loss");
    assert_close(found.sets.as_flattened(), expected.sets.as_flattened(), 1e-12, "gradients of sets");
}

fn parameters(network: &Network) -> Vec<f64> {
    network.antecedents.sets.iter().flat_map(|set| set.parameters).collect()
}

/// Compares the errors, sets and consequents of two fits.
#[track_caller]
fn assert_agrees(found: &TunedSystem, expected: &TunedSystem, tolerance: f64) {
    let (a, b) = (&found.report, &expected.report);
    assert_eq!((a.stop, a.history.len(), a.rules), (b.stop, b.history.len(), b.rules));
    let rmse = |tuned: &TunedSystem| -> Vec<f64> {
        let points = tuned.report.history.iter();
        points.flat_map(|point| [point.rmse, point.validation_rmse.unwrap_or(0.0)]).collect()
    };
    assert_close(&rmse(found), &rmse(expected), tolerance, "errors");
    assert_close(&parameters(&found.network), &parameters(&expected.network), tolerance, "sets");
    assert_close(&found.network.theta, &expected.network.theta, tolerance, "θ");
}

#[test]
fn fits_on_several_emulated_gpus_agree_with_one() {
    let (Some(one), Some(two)) = (device(1), device(2)) else { return };
    let table = table(161);
    let weights: Vec<f64> = (0..161).map(|row| f64::from(1 + row % 3)).collect();
    let tuner = Tuner::grid(&[2, 3]).iterations(3).validation(0.2);
    for (tuner, weighted) in [
        (tuner.clone(), false),
        (tuner.clone().order(0).untied(true).step(StepRule::Jang), true),
        (tuner.clone().method(TrainingMethod::Gradient), true),
        (tuner.clone().initial_rules(InitialRules::FuzzyCMeans(3)), false),
        (Tuner::grid(&[6]).iterations(1).ridge(1e-6), true), // 108 unknowns: solved by tiles
    ] {
        let mut samples = Samples::from(&table);
        if weighted {
            samples = samples.with_weights(&weights).unwrap();
        }
        let fit = |device: &Device| tuner.fit(samples.clone(), &["y"], device).unwrap();
        let (found, expected) = (fit(&two), fit(&one));
        assert_agrees(&found, &expected, 1e-9);
        assert_eq!((&*found.report.device, &*expected.report.device), ("cuda:0,0", "cuda:0"));
        let outputs = |device: &Device| found.predict(&table, device).unwrap().column("y").unwrap();
        assert_close(&outputs(&two), &outputs(&one), 1e-14, "outputs");
    }
}

#[test]
fn a_classifier_trained_on_several_emulated_gpus_agrees_with_one() {
    let (Some(one), Some(two)) = (device(1), device(2)) else { return };
    let mut table = table(200);
    let kinds: Vec<&str> =
        table.column("y").unwrap().iter().map(|y| if *y > 0.8 { "a" } else { "b" }).collect();
    table = table.with_labels(crate::data::Labels::new("kind", kinds)).unwrap();
    let tuner = Tuner::grid(&[2]).inputs(["a", "b"]).iterations(3).validation(0.3);
    let tuner = tuner.classify(Classify::CrossEntropy);
    let fit = |device: &Device| tuner.fit(&table, &["kind"], device).unwrap();
    let (found, expected) = (fit(&two), fit(&one));
    assert_agrees(&found, &expected, 1e-9);
    assert_eq!(found.report.validation_accuracy, expected.report.validation_accuracy);
}

#[test]
fn cross_validation_on_several_emulated_gpus_is_identical_to_one() {
    let (Some(one), Some(two)) = (device(1), device(2)) else { return };
    // Without a time limit, which would end the search earlier on a busy machine.
    let (table, tuner) = (table(60), Tuner::default().iterations(1).budget(1e9));
    let trials =
        |device: &Device| -> Vec<TuningTrial> { tuner.auto(&table, &["y"], device).unwrap().report.trials };
    assert_eq!(trials(&two), trials(&one));
    let stopped = two.with_progress(|_, _| std::ops::ControlFlow::Break(()));
    assert!(tuner.auto(&table, &["y"], &stopped).is_err());
}

#[test]
fn fits_on_several_emulated_gpus_use_exactly_the_kernels_that_are_compiled_in_advance() {
    // Sets that are not tied are not merged, which would need another kernel.
    let clusters = Tuner::new(InitialRules::FuzzyCMeans(3)).untied(true);
    for tuner in [Tuner::grid(&[2, 3]), clusters, Tuner::grid(&[6]).ridge(1e-6)] {
        let Some(cudas) = gpus(2) else { return };
        let device = Device::with_emulated_gpus(cudas.clone());
        tuner.iterations(1).fit(&table(300), &["y"], &device).unwrap();
        for cuda in &cudas {
            let [not_prefetched, _] = cuda.prefetch_mismatch();
            assert!(not_prefetched.is_empty(), "{not_prefetched:?}");
        }
    }
}

#[test]
fn methods_without_a_gpu_version_name_the_cpu_in_their_report() {
    let Some(two) = device(2) else { return };
    for method in [TrainingMethod::LevenbergMarquardt, TrainingMethod::RecursiveLeastSquares(1.0)] {
        let tuner = Tuner::grid(&[2]).method(method).iterations(2);
        let tuned = tuner.fit(&table(50), &["y"], &two).unwrap();
        assert_eq!(tuned.report.device, "cpu");
        assert_agrees(&tuned, &tuner.fit(&table(50), &["y"], &Device::cpu().unwrap()).unwrap(), 0.0);
    }
}
