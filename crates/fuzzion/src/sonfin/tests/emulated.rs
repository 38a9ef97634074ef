//! The room's kernels, run in the emulator against the textbook.

use super::super::cuda::encode::{Lessons, Packed, rows, shape_of};
use super::super::cuda::launched::RECORDED;
use super::super::cuda::layout::{CONCLUDING, Layout, Shape, TILE};
use super::super::learner::{Course, Learner, Lesson, Loss, Tally, WidthRule};
use super::super::network::Network;
use super::super::problem::{Problem, course, network, order, samples};
use super::super::samples::Samples;
use super::super::textbook::Textbook;
use super::cpu::{BOUND, assert_same, learned};
use crate::device::cuda::emulator::{Arg, Emulator, Order, or_skip};
use crate::device::cuda::{Grid, Program};
use crate::error::Result;

/// Shared memory of the emulated GPU.
const LIMIT: usize = 99 << 10;
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

/// Networks on the emulated GPU.
struct Emulated<'a> {
    samples: &'a Samples,
    shape: Shape,
    layout: Layout,
    /// Rules that each network has room for.
    most: usize,
    limit: usize,
    packed: Packed,
    order: Order,
    emulator: Emulator,
    outputs: Emulator,
}

impl<'a> Emulated<'a> {
    fn new(
        samples: &'a Samples,
        networks: &[Network],
        layout: Layout,
        most: usize,
        limit: usize,
    ) -> Option<Self> {
        let shape = shape_of(samples);
        let on_chip = layout.on_chip(&shape, most, limit).unwrap();
        Some(Emulated {
            samples,
            shape,
            layout,
            most,
            limit,
            packed: Packed::new(networks, &shape, most),
            order: Order::Forwards,
            emulator: or_skip(&layout.program(&shape, on_chip, false))?,
            outputs: or_skip(&shape.outputs_program())?,
        })
    }

    fn resident(&mut self, lessons: &Lessons, team: usize, threads: usize) -> (Vec<f64>, Vec<u32>, Vec<i32>) {
        let count = self.packed.rules.len();
        let on_chip = self.layout.on_chip(&self.shape, self.most, self.limit).unwrap();
        let rows = rows(self.samples, &self.shape);
        let (mut losses, mut wrongs) = (vec![f64::NAN; count], vec![u32::MAX; count]);
        let mut grown = vec![i32::MIN; lessons.order.len()];
        let mut mail = vec![0u64; count * 2 * (4 + self.shape.outputs) * team];
        let mut stages = vec![0i64; 6];
        let packed = &mut self.packed;
        let mut args = [
            Arg::slice(&rows),
            Arg::slice(&lessons.order),
            Arg::slice(&lessons.parts),
            Arg::slice(&lessons.courses),
            Arg::slice(&lessons.replay),
            Arg::slice_mut(&mut packed.a),
            Arg::slice_mut(&mut packed.c),
            Arg::slice_mut(&mut packed.w),
            Arg::slice_mut(&mut packed.rules),
            Arg::slice_mut(&mut grown),
            Arg::slice_mut(&mut losses),
            Arg::slice_mut(&mut wrongs),
            Arg::slice_mut(&mut mail),
            Arg::slice_mut(&mut stages),
            Arg::value(self.most as i32),
            Arg::value(on_chip.slots as i32),
            Arg::value(i32::from(lessons.replays)),
        ];
        let grid =
            Grid::new((team * count) as u32, threads as u32).shared(on_chip.bytes as u32).cooperative();
        self.emulator.launch("learn_resident", grid, self.order, &mut args).unwrap();
        (losses, wrongs, grown)
    }

    fn launched(&mut self, lessons: &Lessons) -> (Vec<f64>, Vec<u32>, Vec<i32>) {
        let count = self.packed.rules.len();
        let rows = rows(self.samples, &self.shape);
        let (mut losses, mut wrongs) = (vec![0.0f64; count], vec![0u32; count]);
        let mut grown = vec![i32::MIN; lessons.order.len()];
        let blocks = self.layout.blocks(self.most);
        let mut distances = vec![f32::NAN; self.most];
        let mut results = vec![f32::NAN; (2 + 2 * self.shape.outputs).max((3 + self.shape.outputs) * blocks)];
        let whole = Grid::new(blocks as u32, self.layout.threads(&self.shape) as u32);
        // Boxes that are copied, and boxes that are too many for that.
        let kept = if self.limit < LIMIT { 0 } else { self.layout.kept(&self.shape, self.most) };
        let (most, replays) = (self.most as i32, i32::from(lessons.replays));
        let (emulator, order) = (&self.emulator, self.order);
        for (network, part) in lessons.parts.chunks_exact(2).enumerate() {
            let rules = self.packed.rules[network];
            let mut state = vec![part[0], rules, rules, network as i32, part[0] + part[1]];
            let packed = &mut self.packed;
            for recording in 0..(part[1] as usize).div_ceil(RECORDED) {
                for place in 0..RECORDED.min(part[1] as usize - recording * RECORDED) as i32 {
                    let launch = |name: &str, grid: Grid, args: &mut [Arg<'_>]| {
                        emulator.launch(name, grid, order, args).unwrap();
                    };
                    if self.layout == Layout::Blocks {
                        let mut args = [
                            Arg::slice(&rows),
                            Arg::slice(&lessons.order),
                            Arg::slice(&packed.a),
                            Arg::slice(&packed.c),
                            Arg::slice(&state),
                            Arg::slice_mut(&mut distances),
                            Arg::value(most),
                            Arg::value(place),
                        ];
                        launch("fire_rules", whole, &mut args);
                        let mut args = [
                            Arg::slice(&rows),
                            Arg::slice(&lessons.order),
                            Arg::slice(&lessons.courses),
                            Arg::slice(&lessons.replay),
                            Arg::slice_mut(&mut packed.a),
                            Arg::slice_mut(&mut packed.c),
                            Arg::slice_mut(&mut packed.w),
                            Arg::slice_mut(&mut state),
                            Arg::slice_mut(&mut distances),
                            Arg::slice_mut(&mut results),
                            Arg::slice_mut(&mut grown),
                            Arg::slice_mut(&mut losses),
                            Arg::slice_mut(&mut wrongs),
                            Arg::value(most),
                            Arg::value(place),
                            Arg::value(replays),
                        ];
                        launch("conclude", Grid::new(1, CONCLUDING), &mut args);
                        let mut args = [
                            Arg::slice(&rows),
                            Arg::slice(&lessons.order),
                            Arg::slice(&lessons.courses),
                            Arg::slice_mut(&mut packed.a),
                            Arg::slice_mut(&mut packed.c),
                            Arg::slice_mut(&mut packed.w),
                            Arg::slice(&state),
                            Arg::slice(&distances),
                            Arg::slice(&results),
                            Arg::value(most),
                            Arg::value(place),
                        ];
                        launch("move_rules", whole, &mut args);
                        continue;
                    }
                    let mut args = [
                        Arg::slice(&rows),
                        Arg::slice(&lessons.order),
                        Arg::slice(&packed.a),
                        Arg::slice(&packed.c),
                        Arg::slice(&packed.w),
                        Arg::slice(&state),
                        Arg::slice_mut(&mut distances),
                        Arg::slice_mut(&mut results),
                        Arg::value(most),
                        Arg::value(place),
                    ];
                    launch("fire_tasks", whole, &mut args);
                    let mut args = [
                        Arg::slice(&rows),
                        Arg::slice(&lessons.order),
                        Arg::slice(&lessons.courses),
                        Arg::slice(&lessons.replay),
                        Arg::slice_mut(&mut packed.a),
                        Arg::slice_mut(&mut packed.c),
                        Arg::slice_mut(&mut packed.w),
                        Arg::slice_mut(&mut state),
                        Arg::slice(&distances),
                        Arg::slice(&results),
                        Arg::slice_mut(&mut grown),
                        Arg::slice_mut(&mut losses),
                        Arg::slice_mut(&mut wrongs),
                        Arg::value(most),
                        Arg::value(place),
                        Arg::value(replays),
                        Arg::value(kept as i32),
                    ];
                    launch("move_tasks", whole.shared(4 * kept as u32), &mut args);
                }
                let mut args = [Arg::slice_mut(&mut state), Arg::value(RECORDED as i32)];
                emulator.launch("advance", Grid::new(1, 1), order, &mut args).unwrap();
            }
            packed.rules[network] = state[1 + ((part[0] + part[1]) & 1) as usize];
        }
        (losses, wrongs, grown)
    }
}

impl Learner for Emulated<'_> {
    fn learn(&mut self, lessons: &[Lesson<'_>]) -> Result<Vec<Tally>> {
        let all = Lessons::new(lessons);
        let (losses, wrongs, grown) = match self.layout {
            Layout::Resident { team, threads, .. } => self.resident(&all, team, threads),
            _ => self.launched(&all),
        };
        let tally = |(n, part): (usize, &[i32])| Tally {
            loss: losses[n],
            wrong: u64::from(wrongs[n]),
            grown: grown[part[0] as usize..][..part[1] as usize].to_vec(),
        };
        Ok(all.parts.chunks_exact(2).enumerate().map(tally).collect())
    }

    fn network(&mut self, index: usize) -> Result<Network> {
        Ok(self.packed.network(index, &self.shape, self.most))
    }

    fn replace(&mut self, _index: usize, _network: &Network) -> Result<()> {
        unreachable!("not part of what kernels do")
    }

    fn outputs(&mut self, index: usize, which: &[u32]) -> Result<Vec<f32>> {
        let rows = rows(self.samples, &self.shape);
        let rules = self.packed.rules[index] as usize;
        let mut distances = vec![f32::NAN; which.len() * rules];
        let mut outputs = vec![f32::NAN; which.len() * self.shape.outputs];
        let mut args = [
            Arg::slice(&rows),
            Arg::slice(which),
            Arg::slice(&self.packed.a),
            Arg::slice(&self.packed.c),
            Arg::slice_mut(&mut distances),
            Arg::value((index * self.most) as i64),
            Arg::value(which.len() as i32),
            Arg::value(rules as i32),
        ];
        let mut grid = Grid::new(which.len().div_ceil(TILE.0) as u32, 256);
        grid.blocks[1] = rules.div_ceil(TILE.1) as u32;
        self.outputs.launch("distances_of_rows", grid, self.order, &mut args).unwrap();
        let mut args = [
            Arg::slice(&distances),
            Arg::slice(&self.packed.w),
            Arg::slice_mut(&mut outputs),
            Arg::value((index * self.most) as i64),
            Arg::value(which.len() as i32),
            Arg::value(rules as i32),
        ];
        let grid = Grid::new(which.len().div_ceil(TILE.2) as u32, 256);
        self.outputs.launch("outputs_of_distances", grid, self.order, &mut args).unwrap();
        Ok(outputs)
    }
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
    for layout in [TEAM, TASKS, WIDE_TASKS] {
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
