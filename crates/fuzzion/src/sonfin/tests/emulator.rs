//! A learner whose kernels run in the emulator.

use super::super::cuda::encode::{Lessons, Packed, rows, shape_of};
use super::super::cuda::launched::RECORDED;
use super::super::cuda::layout::{CONCLUDING, Layout, Shape, TILE};
use super::super::learner::{Learner, Lesson, Tally};
use super::super::network::Network;
use super::super::samples::Samples;
use super::emulated::LIMIT;
use crate::device::cuda::Grid;
use crate::device::cuda::emulator::{Arg, Emulator, Order, or_skip};
use crate::error::Result;

/// Networks on the emulated GPU.
pub(super) struct Emulated<'a> {
    samples: &'a Samples,
    shape: Shape,
    layout: Layout,
    /// Rules that each network has room for.
    most: usize,
    limit: usize,
    packed: Packed,
    pub(super) order: Order,
    emulator: Emulator,
    outputs: Emulator,
}

impl<'a> Emulated<'a> {
    pub(super) fn new(
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
