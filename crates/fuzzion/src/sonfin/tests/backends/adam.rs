//! Adam on the CPU and in the emulator compared with the textbook implementation.

use super::cpu::relative_difference;
use crate::device::cuda::emulator::Order;
use crate::device::{Cpu, Cuda, Device, Simd};
use crate::sonfin::cpu::CpuLearner;
use crate::sonfin::cuda::CudaLearner;
use crate::sonfin::cuda::adam::{BlockGroup, block_groups};
use crate::sonfin::cuda::layout::NetworkShape;
use crate::sonfin::learner::{BatchLearner, BatchRun, EpochStats};
use crate::sonfin::reference::problem::{Problem, network, order, samples};
use crate::sonfin::reference::textbook::Textbook;
use crate::sonfin::tests::data::{spiral, waves};
use crate::sonfin::types::adam::{Adam, AdamSettings};
use crate::sonfin::types::network::Network;
use crate::sonfin::types::options::{Loss, Mapping};
use crate::sonfin::types::scaled_samples::ScaledSamples;
use crate::sonfin::{Classify, Growth, Model, Optimizer, Sonfin};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A hundred steps with gradients of about a hundred roundings of 6e-8 each; a step depends on the gradient relative to
/// its own size.
const BOUND: f64 = 2e-5;

/// Wide rules, all of which fire for every sample: Adam divides by the size of the gradient, which for rules that hardly
/// fire is mostly rounding errors.
const WIDE: Problem = Problem {
    rows: 37,
    dims: 5,
    outputs: 3,
    rules: 9,
    clusters: 6,
    spread: 0.9,
    width: 1.5,
    missing: false,
    seed: 1,
};

fn settings(loss: Loss) -> AdamSettings {
    AdamSettings { batch: 16, rate: 0.01, steps: 60, min_width: 1e-4, loss }
}

/// A network with the state of Adam.
fn start(problem: &Problem, samples: &ScaledSamples, gates: bool, loss: Loss) -> (Network, Adam) {
    let mut network = network(problem, samples);
    let adam = Adam::new(&mut network, gates, loss);
    (network, adam)
}

/// Result of a training run: the network, the state of Adam and the statistics.
type Trained = (Network, Adam, EpochStats);

/// Two runs, so that the second starts with moving averages.
fn train(
    learner: &mut dyn BatchLearner,
    adam: &[Adam],
    orders: &[Vec<u32>],
    settings: AdamSettings,
) -> Vec<Trained> {
    learner.set_adam(adam.to_vec()).unwrap();
    let runs = || orders.iter().map(|order| BatchRun { order, settings }).collect::<Vec<_>>();
    learner.learn_batches(&runs()).unwrap();
    let stats = learner.learn_batches(&runs()).unwrap();
    let trained = |(n, stats)| (learner.network(n).unwrap(), learner.adam(n).unwrap(), stats);
    stats.into_iter().enumerate().map(trained).collect()
}

fn assert_same(found: &Trained, expected: &Trained, what: &str) {
    assert_eq!(found.1.step, expected.1.step, "{what}");
    for (name, a, b) in [
        ("a", &found.0.a, &expected.0.a),
        ("c", &found.0.c, &expected.0.c),
        ("w", &found.0.w, &expected.0.w),
        ("sets", &found.1.rules, &expected.1.rules),
        ("gates", &found.1.gates, &expected.1.gates),
        ("first", &found.1.first, &expected.1.first),
        ("second", &found.1.second, &expected.1.second),
    ] {
        let difference = relative_difference(a, b);
        assert!(difference < BOUND, "{name} {difference}, {what}");
    }
    let loss = (found.2.loss / expected.2.loss - 1.0).abs();
    assert!(loss < BOUND, "loss {loss}, {what}");
    assert_eq!(found.2.misclassified, expected.2.misclassified, "{what}");
}

/// Compares the CPU and the emulated GPU with up to `blocks` blocks with the textbook implementation.
fn assert_textbook(problem: &Problem, gates: bool, settings: AdamSettings, blocks: usize, schedule: Order) {
    let (samples, what) = (samples(problem), format!("{blocks} blocks {gates} {problem:?} {settings:?}"));
    let (network, adam) = start(problem, &samples, gates, settings.loss);
    let (networks, adam, orders) = ([network], [adam], [order(problem.rows, 3)]);
    let expected = train(&mut Textbook::new(&samples, &networks), &adam, &orders, settings).remove(0);
    for simd in Simd::all() {
        let cpu = Cpu::with_threads(1).unwrap().with_simd(simd);
        let found = train(&mut CpuLearner::new(&samples, &networks, &cpu), &adam, &orders, settings);
        assert_same(&found[0], &expected, &format!("{simd:?} {what}"));
    }
    let Some(cuda) = Cuda::emulated(schedule) else { return };
    let learner = CudaLearner::new(&samples, &networks, &cuda, Mapping::Auto).unwrap();
    let found = train(&mut learner.with_adam_blocks(blocks), &adam, &orders, settings);
    assert_same(&found[0], &expected, &what);
}

#[test]
pub(super) fn both_losses_with_and_without_gates_match_the_textbook() {
    for loss in [Loss::SquaredError, Loss::CrossEntropy] {
        for gates in [false, true] {
            for blocks in [1, 3] {
                assert_textbook(&WIDE, gates, settings(loss), blocks, Order::Forward);
            }
        }
    }
}

#[test]
fn the_order_of_threads_and_blocks_does_not_matter() {
    for schedule in [Order::Reverse, Order::Shuffled(1)] {
        assert_textbook(&WIDE, true, settings(Loss::CrossEntropy), 3, schedule);
    }
}

#[test]
fn missing_inputs_are_ignored() {
    for gates in [false, true] {
        let problem = Problem { missing: true, ..WIDE };
        assert_textbook(&problem, gates, settings(Loss::CrossEntropy), 2, Order::Forward);
    }
}

#[test]
fn single_rules_outputs_inputs_and_samples_are_supported() {
    for problem in
        [Problem { rules: 1, ..WIDE }, Problem { outputs: 1, ..WIDE }, Problem { dims: 1, rules: 3, ..WIDE }]
    {
        assert_textbook(&problem, true, settings(Loss::SquaredError), 3, Order::Forward);
    }
    let single = AdamSettings { batch: 1, ..settings(Loss::SquaredError) };
    assert_textbook(&Problem { rows: 5, ..WIDE }, false, single, 2, Order::Forward);
}

#[test]
fn more_inputs_outputs_rules_and_samples_than_a_tile_are_supported() {
    let loss = Loss::CrossEntropy;
    assert_textbook(&Problem { dims: 70, ..WIDE }, true, settings(loss), 3, Order::Forward);
    assert_textbook(&Problem { outputs: 40, clusters: 40, ..WIDE }, false, settings(loss), 2, Order::Forward);
    assert_textbook(&Problem { rules: 75, ..WIDE }, false, settings(loss), 1, Order::Forward);
    let large_batch = AdamSettings { batch: 70, ..settings(loss) };
    assert_textbook(&Problem { rows: 100, dims: 67, ..WIDE }, true, large_batch, 2, Order::Forward);
}

#[test]
fn buffers_beyond_shared_memory_are_in_global_memory() {
    let (samples, settings) = (samples(&WIDE), settings(Loss::CrossEntropy));
    let (network, adam) = start(&WIDE, &samples, true, settings.loss);
    let (networks, adam, orders) = ([network], [adam], [order(WIDE.rows, 3)]);
    let trained = |shared: i32| {
        let cuda = Cuda::emulated_with_shared(Order::Forward, shared)?;
        let mut learner = CudaLearner::new(&samples, &networks, &cuda, Mapping::Auto).unwrap();
        Some(train(&mut learner, &adam, &orders, settings))
    };
    let (Some(shared), Some(global)) = (trained(99 << 10), trained(18 << 10)) else { return };
    assert_eq!(shared, global);
}

#[test]
fn networks_of_different_sizes_are_trained_concurrently() {
    let (samples, settings) = (samples(&WIDE), settings(Loss::CrossEntropy));
    let problems = [1, 9, 4, 30].map(|rules| Problem { rules, ..WIDE });
    let (networks, adam): (Vec<Network>, Vec<Adam>) = problems
        .iter()
        .enumerate()
        .map(|(n, problem)| start(problem, &samples, n % 2 == 1, settings.loss))
        .unzip();
    let orders: Vec<Vec<u32>> = (0..4).map(|n| order([37, 20, 16, 5][n], n as u64)).collect();
    let expected = train(&mut Textbook::new(&samples, &networks), &adam, &orders, settings);
    for blocks in [6, 3] {
        let Some(cuda) = Cuda::emulated(Order::Forward) else { return };
        let learner = CudaLearner::new(&samples, &networks, &cuda, Mapping::Auto).unwrap();
        let found = train(&mut learner.with_adam_blocks(blocks), &adam, &orders, settings);
        for (n, (found, expected)) in found.iter().zip(&expected).enumerate() {
            assert_same(found, expected, &format!("network {n}, {blocks} blocks"));
        }
    }
}

#[test]
fn blocks_are_distributed_by_the_number_of_rules() {
    let shape = NetworkShape { dims: 16, outputs: 26, missing: false };
    let blocks = |rules: &[usize], max_blocks| -> Vec<Vec<usize>> {
        let launches = block_groups(rules, &shape, max_blocks);
        launches.iter().map(|groups| groups.iter().map(|group| group.blocks).collect()).collect()
    };
    assert_eq!(blocks(&[512], 132), [[32]], "more blocks would combine more than they compute");
    assert_eq!(blocks(&[1, 2], 132), [[1, 2]], "never more blocks than rules");
    assert_eq!(blocks(&[8, 32, 128], 21), [[1, 4, 16]]);
    assert_eq!(blocks(&[5, 5, 5], 2), [vec![1, 1], vec![2]], "two launches");
    let groups = block_groups(&[5, 5, 5], &shape, 2);
    assert_eq!(groups[0][1], BlockGroup { network: 1, first_block: 1, blocks: 1 });
    assert_eq!(groups[1][0], BlockGroup { network: 2, first_block: 0, blocks: 2 });
}

fn emulated_device() -> Option<Device> {
    Some(Device::with_emulated_gpus(vec![Cuda::emulated(Order::Forward)?]))
}

fn adam_fit() -> Sonfin {
    let sonfin = Sonfin::new().classify(Classify::CrossEntropy).growth(Growth::Budget(12)).epochs(3);
    sonfin.optimizer(Optimizer::Adam { batch: 16, rate: 0.01 }).gates(true).validation(0.2)
}

#[test]
fn a_fit_resumed_on_a_gpu_is_bit_identical_to_an_uninterrupted_one() {
    let (table, Some(device)) = (spiral(60), emulated_device()) else { return };
    let uninterrupted = adam_fit().fit(&table, &["kind"], &device).unwrap();
    let mut saved = None;
    let outcome = adam_fit().fit_with_checkpoints(&table, &["kind"], &device, |model| {
        saved = Some(model.clone());
        Err(crate::sonfin::SonfinError::Interrupted) // after the first epoch
    });
    assert!(outcome.is_err());
    let mut model = saved.unwrap();
    assert!(model.state.adam.as_ref().is_some_and(|adam| adam.step == 3));
    model.resume(&table, &device).unwrap();
    assert_eq!(model.state.network, uninterrupted.state.network);
    assert_eq!(model.state.adam, uninterrupted.state.adam);
    assert_eq!(model.state.history, uninterrupted.state.history);
}

#[test]
fn a_fit_on_a_gpu_agrees_with_the_cpu() {
    let (table, Some(device)) = (spiral(60), emulated_device()) else { return };
    let losses = |device: &Device| {
        let model = adam_fit().fit(&table, &["kind"], device).unwrap();
        model.report.history.iter().map(|epoch| epoch.loss).collect::<Vec<_>>()
    };
    let (found, expected) = (losses(&device), losses(&Device::cpu().unwrap()));
    assert!(found.iter().zip(&expected).all(|(a, b)| (a / b - 1.0).abs() < 1e-3), "{found:?} {expected:?}");
}

#[test]
fn a_search_on_a_gpu_agrees_with_the_cpu_and_uses_the_prefetched_programs() {
    let (table, Some(cuda)) = (spiral(60), Cuda::emulated(Order::Forward)) else { return };
    let device = Device::with_emulated_gpus(vec![cuda.clone()]);
    let sonfin = Sonfin::new().classify(Classify::OneHot).epochs(1).max_rules(8);
    // The first round; rounding may change the candidates of the second.
    let search = |device: &Device| {
        let model = sonfin.fit_auto(&table, &["kind"], device, |_| Ok(())).unwrap();
        model.report.trials.iter().take(5).map(|trial| trial.error).collect::<Vec<_>>()
    };
    let (found, expected) = (search(&device), search(&Device::cpu().unwrap()));
    // One of the 60 validation rows may be on the other side of the decision boundary.
    let close = found.iter().zip(&expected).all(|(a, b)| (a - b).abs() <= 1.0 / 60.0 + 1e-9);
    assert!(found.len() == 5 && close, "{found:?} {expected:?}");
    let [not_prefetched, _] = cuda.prefetch_mismatch();
    assert!(not_prefetched.is_empty(), "{not_prefetched:?}");
    let stopped = device.with_progress(|_, _| ControlFlow::Break(()));
    assert!(sonfin.fit_auto(&table, &["kind"], &stopped, |_| Ok(())).is_err());
}

#[test]
fn a_search_on_several_gpus_is_identical_to_one() {
    let gpus = |count: usize| (0..count).map(|_| Cuda::emulated(Order::Forward)).collect::<Option<Vec<_>>>();
    let (table, Some(one), Some(three)) = (spiral(60), gpus(1), gpus(3)) else { return };
    let sonfin = Sonfin::new().classify(Classify::OneHot).epochs(1).max_rules(8);
    let search = |gpus: &[Cuda]| {
        let device = Device::with_emulated_gpus(gpus.to_vec());
        let model = sonfin.fit_auto(&table, &["kind"], &device, |_| Ok(())).unwrap();
        let scores = model.scores(&table, &device).unwrap();
        (model, scores)
    };
    let ((found, scores), (expected, expected_scores)) = (search(&three), search(&one));
    assert_eq!(scores, expected_scores);
    assert_eq!(found.report.trials, expected.report.trials);
    assert_eq!(found.state.network, expected.state.network);
    assert_eq!((&*found.report.device, &*expected.report.device), ("cuda:0,0,0", "cuda:0"));
    for cuda in &three {
        let [not_prefetched, _] = cuda.prefetch_mismatch();
        assert!(not_prefetched.is_empty(), "{not_prefetched:?}");
    }
    // An interruption during the training of the candidates.
    let reports = AtomicUsize::new(0);
    let stopped = Device::with_emulated_gpus(three).with_progress(move |_, _| {
        match reports.fetch_add(1, Ordering::Relaxed) < 20 {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    });
    let outcome = sonfin.fit_auto(&table, &["kind"], &stopped, |_| Ok(()));
    assert!(matches!(outcome, Err(crate::sonfin::SonfinError::Interrupted)));
}

#[test]
fn one_network_is_trained_by_the_first_of_several_gpus() {
    let (table, Some(one)) = (spiral(20), Cuda::emulated(Order::Forward)) else { return };
    let two = Device::with_emulated_gpus(vec![one.clone(), one]);
    let model = Sonfin::new().classify(Classify::OneHot).epochs(1).fit(&table, &["kind"], &two).unwrap();
    assert_eq!(model.report.device, "cuda:0");
}

#[test]
fn a_network_that_chooses_its_number_of_rules_is_trained_on_a_gpu() {
    let Some(gpu) = Cuda::emulated(Order::Forward) else { return };
    let (table, gpu) = (waves(30), Device::with_emulated_gpus(vec![gpu]));
    let sonfin = Sonfin::new().epochs(1).max_rules(2).inputs(["a", "b"]);
    let cpu = Device::cpu().unwrap();
    let (expected, found) =
        (sonfin.fit(&table, &["wave"], &cpu).unwrap(), sonfin.fit(&table, &["wave"], &gpu).unwrap());
    assert_eq!(found.report.trials.len(), expected.report.trials.len());
    for (found, expected) in found.report.trials.iter().zip(&expected.report.trials) {
        assert!((found.error - expected.error).abs() < 1e-3 * expected.error, "{found:?} {expected:?}");
    }
    let outputs = |model: &Model, device| model.predict(&table, device).unwrap().column("wave").unwrap();
    let pairs = outputs(&found, &gpu).into_iter().zip(outputs(&expected, &cpu));
    assert!(pairs.into_iter().all(|(found, expected)| (found - expected).abs() < 1e-2));
}
