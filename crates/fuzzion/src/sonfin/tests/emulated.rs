//! The room's kernels, run in the emulator against the textbook.

use super::super::cuda::layout::{Layout, Shape};
use super::super::learner::{Course, Learner, Lesson, Loss, WidthRule};
use super::super::network::Network;
use super::super::problem::{Problem, course, network, order, samples};
use super::super::textbook::Textbook;
use super::cpu::{BOUND, assert_same, learned};
use super::emulator::Emulated;
use crate::device::cuda::Program;
use crate::device::cuda::emulator::Order;

/// Shared memory of the emulated GPU.
pub(super) const LIMIT: usize = 99 << 10;
const ALONE: Layout = Layout::Resident { team: 1, clustered: false, threads: 64 };
const TEAM: Layout = Layout::Resident { team: 3, clustered: false, threads: 64 };
const TASKS: Layout = Layout::Tasks { threads: 64, wide: 8, deep: 2, quick: false };
const WIDE_TASKS: Layout = Layout::Tasks { threads: 128, wide: 64, deep: 1, quick: true };

/// Every program in its typical specialisations.
pub(crate) fn programs() -> Vec<Program> {
    let on_gpu = |team, clustered| Layout::Resident { team, clustered, threads: 512 };
    let shapes =
        [(16, 26), (617, 26), (5000, 10)].map(|(dims, outputs)| Shape { dims, outputs, missing: false });
    let gaps = Shape { missing: true, ..shapes[1] };
    let layouts = [
        (shapes[0], on_gpu(16, true)),
        (shapes[0], on_gpu(1, false)),
        (shapes[1], on_gpu(66, false)),
        (shapes[2], on_gpu(132, false)),
        (gaps, on_gpu(66, false)),
        (shapes[0], Layout::Blocks),
        (gaps, Layout::Blocks),
        (shapes[0], Layout::Tasks { threads: 512, wide: 16, deep: 1, quick: false }),
        (shapes[2], Layout::Tasks { threads: 256, wide: 128, deep: 2, quick: true }),
    ];
    let learning = layouts.iter().map(|(shape, layout)| {
        let on_chip = layout.on_chip(shape, 900, 227 << 10).unwrap();
        layout.program(shape, on_chip, false)
    });
    learning.chain([shapes[1].outputs_program(), gaps.outputs_program()]).collect()
}

/// Learns from all rows in a layout, and compares with the textbook whose decisions are repeated.
fn assert_textbook(problem: &Problem, course: Course, layout: Layout, limit: usize, turns: Order) {
    let samples = samples(problem);
    let (network, order) = (network(problem, &samples), order(problem.rows, 3));
    let lesson = |replay| Lesson { order: &order, course, replay };
    let start = std::slice::from_ref(&network);
    let expected = learned(&mut Textbook::new(&samples, start), lesson(None));
    let most = expected.0.rules() + 2;
    let Some(mut emulated) = Emulated::new(&samples, start, layout, most, limit) else { return };
    emulated.order = turns;
    let found = learned(&mut emulated, lesson(Some(&expected.2.grown)));
    assert_same(&found, &expected, BOUND, &format!("{layout:?} {problem:?} {course:?}"));
}

const SMALL: Problem = Problem {
    rows: 40,
    dims: 5,
    outputs: 3,
    rules: 9,
    clumps: 6,
    spread: 0.3,
    width: 1.0,
    missing: false,
    seed: 1,
};

/// Rules that grow while they learn.
fn growing() -> Course {
    Course { ln_threshold: -1.0, most_rules: 24, ..course() }
}

#[test]
fn every_mapping_learns_and_grows_as_the_textbook() {
    for layout in [ALONE, TEAM, TASKS, WIDE_TASKS, Layout::Blocks] {
        assert_textbook(&SMALL, growing(), layout, LIMIT, Order::Forwards);
    }
}

#[test]
fn the_order_of_threads_and_blocks_does_not_matter() {
    for layout in [TEAM, TASKS, WIDE_TASKS, Layout::Blocks] {
        for turns in [Order::Backwards, Order::Shuffled(1)] {
            assert_textbook(&Problem { rows: 15, ..SMALL }, growing(), layout, LIMIT, turns);
        }
    }
}

#[test]
fn every_width_rule_loss_and_step_is_the_textbooks() {
    for layout in [TEAM, TASKS, Layout::Blocks] {
        let problem = Problem { rows: 20, ..SMALL };
        for width_rule in [WidthRule::Thesis, WidthRule::LogFiring] {
            assert_textbook(&problem, Course { width_rule, ..growing() }, layout, LIMIT, Order::Forwards);
        }
        let course = Course { loss: Loss::CrossEntropy, ..growing() };
        assert_textbook(&problem, course, layout, LIMIT, Order::Forwards);
        let course = Course { plain: true, rate_m: 1e-3, rate_s: 1e-3, ..growing() };
        assert_textbook(&problem, course, layout, LIMIT, Order::Forwards);
    }
}

#[test]
fn missing_inputs_are_left_out() {
    for layout in [TEAM, TASKS, Layout::Blocks] {
        assert_textbook(&Problem { missing: true, ..SMALL }, growing(), layout, LIMIT, Order::Forwards);
    }
}

#[test]
fn what_does_not_fit_on_chip_learns_all_the_same() {
    let problem = Problem { rows: 12, ..SMALL };
    assert_textbook(&problem, growing(), TASKS, 0, Order::Forwards);
    assert_textbook(&problem, growing(), TEAM, 1000, Order::Forwards);
    assert_textbook(&problem, growing(), ALONE, 1200, Order::Forwards);
}

#[test]
fn wide_rules_are_cut_among_warps() {
    let problem = Problem { rows: 6, dims: 301, rules: 2, clumps: 2, ..SMALL };
    for layout in [TEAM, WIDE_TASKS] {
        assert_textbook(&problem, growing(), layout, LIMIT, Order::Shuffled(3));
    }
}

#[test]
fn a_network_that_begins_without_rules_grows_its_first() {
    for layout in [ALONE, TEAM, TASKS, Layout::Blocks] {
        assert_textbook(&Problem { rules: 0, ..SMALL }, growing(), layout, LIMIT, Order::Forwards);
    }
}

#[test]
fn more_rules_in_a_block_than_lanes_in_a_warp_are_all_heard() {
    let problem = Problem { rules: 75, rows: 10, dims: 3, outputs: 2, ..SMALL };
    assert_textbook(&problem, course(), ALONE, LIMIT, Order::Forwards);
    assert_textbook(&problem, course(), TASKS, LIMIT, Order::Forwards);
}

#[test]
fn own_decisions_are_the_textbooks_where_rounding_does_not_matter() {
    let samples = samples(&SMALL);
    let (network, order) = (network(&SMALL, &samples), order(SMALL.rows, 3));
    let start = std::slice::from_ref(&network);
    let lesson = || Lesson { order: &order, course: growing(), replay: None };
    let expected = learned(&mut Textbook::new(&samples, start), lesson());
    for layout in [ALONE, TEAM, TASKS, Layout::Blocks] {
        let Some(mut emulated) = Emulated::new(&samples, start, layout, 24, LIMIT) else { return };
        assert_same(&learned(&mut emulated, lesson()), &expected, BOUND, &format!("{layout:?}"));
    }
}

#[test]
fn networks_side_by_side_learn_as_each_alone() {
    let samples = samples(&SMALL);
    let networks = [network(&SMALL, &samples), Network::empty(SMALL.dims, SMALL.outputs)];
    let orders = [order(30, 5), order(17, 6)];
    let courses = [growing(), Course { ln_threshold: -0.5, rate_w: 0.1, ..growing() }];
    let lessons = || [0, 1].map(|n| Lesson { order: &orders[n], course: courses[n], replay: None });
    for layout in [ALONE, TEAM, TASKS] {
        let Some(mut both) = Emulated::new(&samples, &networks, layout, 24, LIMIT) else { return };
        let tallies = both.learn(&lessons()).unwrap();
        for (n, lesson) in lessons().into_iter().enumerate() {
            let Some(mut one) = Emulated::new(&samples, &networks[n..=n], layout, 24, LIMIT) else { return };
            assert_eq!(one.learn(&[lesson]).unwrap()[0], tallies[n], "{layout:?}");
            assert_eq!(one.network(0).unwrap(), both.network(n).unwrap(), "{layout:?}");
        }
    }
}
