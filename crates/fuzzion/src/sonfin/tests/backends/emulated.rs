//! CUDA back end in the emulator compared with the textbook implementation.

use super::adam::both_losses_with_and_without_gates_match_the_textbook;
use super::cpu::{BOUND, assert_same, train};
use crate::device::Cuda;
use crate::device::cuda::Program;
use crate::device::cuda::emulator::Order;
use crate::sonfin::cuda::CudaLearner;
use crate::sonfin::cuda::layout::{KernelLayout, NetworkShape, adam_program};
use crate::sonfin::learner::{Learner, StepSettings, TrainingRun};
use crate::sonfin::reference::problem::{Problem, network, order, samples, step_settings};
use crate::sonfin::reference::textbook::Textbook;
use crate::sonfin::types::network::Network;
use crate::sonfin::types::options::{Loss, WidthRule};

/// Tests that together run every launch of this module.
pub(crate) const LAUNCHING_TESTS: &[fn()] = &[
    training_and_growth_match_the_textbook_in_every_mapping,
    both_losses_with_and_without_gates_match_the_textbook,
];

/// Shared memory of the emulated GPU.
const LIMIT: i32 = 99 << 10;
const SINGLE_BLOCK: KernelLayout =
    KernelLayout::Resident { blocks_per_network: 1, clustered: false, threads: 64 };
const BLOCK_GROUP: KernelLayout =
    KernelLayout::Resident { blocks_per_network: 3, clustered: false, threads: 64 };
const ATM: KernelLayout =
    KernelLayout::Atm { threads: 64, threads_per_rule: 8, rules_per_thread: 2, fast_exp: false };
const WIDE_ATM: KernelLayout =
    KernelLayout::Atm { threads: 128, threads_per_rule: 64, rules_per_thread: 1, fast_exp: true };

/// Every program in its typical specializations.
pub(crate) fn programs() -> Vec<Program> {
    let resident = |blocks_per_network, clustered| KernelLayout::Resident {
        blocks_per_network,
        clustered,
        threads: 512,
    };
    let shapes = [(16, 26), (617, 26), (5000, 10)].map(|(dims, outputs)| NetworkShape {
        dims,
        outputs,
        missing: false,
    });
    let with_missing = NetworkShape { missing: true, ..shapes[1] };
    let layouts = [
        (shapes[0], resident(16, true)),
        (shapes[0], resident(1, false)),
        (shapes[1], resident(66, false)),
        (shapes[2], resident(132, false)),
        (with_missing, resident(66, false)),
        (shapes[0], KernelLayout::RulePerBlock),
        (with_missing, KernelLayout::RulePerBlock),
        (
            shapes[0],
            KernelLayout::Atm { threads: 512, threads_per_rule: 16, rules_per_thread: 1, fast_exp: false },
        ),
        (
            shapes[2],
            KernelLayout::Atm { threads: 256, threads_per_rule: 128, rules_per_thread: 2, fast_exp: true },
        ),
    ];
    let learning = layouts.iter().map(|(shape, layout)| {
        let shared_memory = layout.shared_memory(shape, 900, 227 << 10).unwrap();
        layout.program(shape, shared_memory, false)
    });
    learning.chain([shapes[1].outputs_program(), with_missing.outputs_program(), adam_program()]).collect()
}

/// Trains on all rows with a layout and compares with the textbook implementation, replaying its decisions.
fn assert_textbook(
    problem: &Problem,
    settings: StepSettings,
    layout: KernelLayout,
    limit: i32,
    schedule: Order,
) {
    let samples = samples(problem);
    let (network, order) = (network(problem, &samples), order(problem.rows, 3));
    let run = |replay| TrainingRun { order: &order, settings, replay };
    let start = std::slice::from_ref(&network);
    let expected = train(&mut Textbook::new(&samples, start), run(None));
    let Some(cuda) = Cuda::emulated_with_shared(schedule, limit) else { return };
    let mut learner = CudaLearner::with_layout(&samples, start, &cuda, layout).unwrap();
    let found = train(&mut learner, run(Some(&expected.2.decisions)));
    assert_same(&found, &expected, BOUND, &format!("{layout:?} {problem:?} {settings:?}"));
}

const SMALL: Problem = Problem {
    rows: 40,
    dims: 5,
    outputs: 3,
    rules: 9,
    clusters: 6,
    spread: 0.3,
    width: 1.0,
    missing: false,
    seed: 1,
};

/// Settings that add rules during training.
fn growing() -> StepSettings {
    StepSettings { ln_threshold: -1.0, max_rules: 24, ..step_settings() }
}

#[test]
fn training_and_growth_match_the_textbook_in_every_mapping() {
    for layout in [SINGLE_BLOCK, BLOCK_GROUP, ATM, WIDE_ATM, KernelLayout::RulePerBlock] {
        assert_textbook(&SMALL, growing(), layout, LIMIT, Order::Forward);
    }
}

#[test]
fn the_order_of_threads_and_blocks_does_not_matter() {
    for layout in [BLOCK_GROUP, ATM, WIDE_ATM, KernelLayout::RulePerBlock] {
        for schedule in [Order::Reverse, Order::Shuffled(1)] {
            assert_textbook(&Problem { rows: 15, ..SMALL }, growing(), layout, LIMIT, schedule);
        }
    }
}

#[test]
fn every_width_rule_loss_and_step_rule_matches_the_textbook() {
    for layout in [BLOCK_GROUP, ATM, KernelLayout::RulePerBlock] {
        let problem = Problem { rows: 20, ..SMALL };
        for width_rule in [WidthRule::Thesis, WidthRule::LogFiring] {
            assert_textbook(
                &problem,
                StepSettings { width_rule, ..growing() },
                layout,
                LIMIT,
                Order::Forward,
            );
        }
        let settings = StepSettings { loss: Loss::CrossEntropy, ..growing() };
        assert_textbook(&problem, settings, layout, LIMIT, Order::Forward);
        let settings = StepSettings { plain_gradient: true, rate_m: 1e-3, rate_s: 1e-3, ..growing() };
        assert_textbook(&problem, settings, layout, LIMIT, Order::Forward);
    }
}

#[test]
fn missing_inputs_are_ignored() {
    for layout in [BLOCK_GROUP, ATM, KernelLayout::RulePerBlock] {
        assert_textbook(&Problem { missing: true, ..SMALL }, growing(), layout, LIMIT, Order::Forward);
    }
}

#[test]
fn networks_beyond_shared_memory_are_trained_correctly() {
    let problem = Problem { rows: 12, ..SMALL };
    assert_textbook(&problem, growing(), BLOCK_GROUP, 1000, Order::Forward);
    assert_textbook(&problem, growing(), SINGLE_BLOCK, 1200, Order::Forward);
}

#[test]
fn networks_with_more_block_values_than_the_cache_are_trained_correctly() {
    let (problem, settings) =
        (Problem { rows: 12, outputs: 200, ..SMALL }, StepSettings { max_rules: 500, ..growing() });
    let shape = NetworkShape { dims: problem.dims, outputs: problem.outputs, missing: false };
    assert_eq!(ATM.cached_values(&shape, settings.max_rules), 0);
    assert_textbook(&problem, settings, ATM, LIMIT, Order::Forward);
}

#[test]
fn rules_with_many_inputs_are_split_among_warps() {
    let problem = Problem { rows: 6, dims: 301, rules: 2, clusters: 2, ..SMALL };
    for layout in [BLOCK_GROUP, WIDE_ATM] {
        assert_textbook(&problem, growing(), layout, LIMIT, Order::Shuffled(3));
    }
}

#[test]
fn a_network_without_rules_adds_its_first_rule() {
    for layout in [SINGLE_BLOCK, BLOCK_GROUP, ATM, KernelLayout::RulePerBlock] {
        assert_textbook(&Problem { rules: 0, ..SMALL }, growing(), layout, LIMIT, Order::Forward);
    }
}

#[test]
fn blocks_with_more_rules_than_lanes_use_all_rules() {
    let problem = Problem { rules: 75, rows: 10, dims: 3, outputs: 2, ..SMALL };
    assert_textbook(&problem, step_settings(), SINGLE_BLOCK, LIMIT, Order::Forward);
    assert_textbook(&problem, step_settings(), ATM, LIMIT, Order::Forward);
}

#[test]
fn decisions_match_the_textbook_if_none_is_near_the_threshold() {
    let samples = samples(&SMALL);
    let (network, order) = (network(&SMALL, &samples), order(SMALL.rows, 3));
    let start = std::slice::from_ref(&network);
    let run = || TrainingRun { order: &order, settings: growing(), replay: None };
    let expected = train(&mut Textbook::new(&samples, start), run());
    for layout in [SINGLE_BLOCK, BLOCK_GROUP, ATM, KernelLayout::RulePerBlock] {
        let Some(cuda) = Cuda::emulated(Order::Forward) else { return };
        let mut learner = CudaLearner::with_layout(&samples, start, &cuda, layout).unwrap();
        assert_same(&train(&mut learner, run()), &expected, BOUND, &format!("{layout:?}"));
    }
}

#[test]
fn concurrent_networks_match_networks_trained_alone() {
    let samples = samples(&SMALL);
    let networks = [network(&SMALL, &samples), Network::empty(SMALL.dims, SMALL.outputs)];
    let orders = [order(30, 5), order(17, 6)];
    let all_settings = [growing(), StepSettings { ln_threshold: -0.5, rate_w: 0.1, ..growing() }];
    let runs = || [0, 1].map(|n| TrainingRun { order: &orders[n], settings: all_settings[n], replay: None });
    for layout in [SINGLE_BLOCK, BLOCK_GROUP, ATM] {
        let Some(cuda) = Cuda::emulated(Order::Forward) else { return };
        let mut both = CudaLearner::with_layout(&samples, &networks, &cuda, layout).unwrap();
        let stats = both.learn(&runs()).unwrap();
        for (n, run) in runs().into_iter().enumerate() {
            let mut single = CudaLearner::with_layout(&samples, &networks[n..=n], &cuda, layout).unwrap();
            assert_eq!(single.learn(&[run]).unwrap()[0], stats[n], "{layout:?}");
            assert_eq!(single.network(0).unwrap(), both.network(n).unwrap(), "{layout:?}");
        }
    }
}
