//! A learner that runs the kernels in the emulator.

use super::emulated::LIMIT;
use crate::device::cuda::Grid;
use crate::device::cuda::emulator::{Arg, Emulator, Order, or_skip};
use crate::sonfin::cuda::encode::{EncodedRuns, PackedNetworks, encode_rows, shape_of};
use crate::sonfin::cuda::layout::{COMBINE_THREADS, KernelLayout, NetworkShape, TILE};
use crate::sonfin::cuda::per_sample::GRAPH_SAMPLES;
use crate::sonfin::error::Result;
use crate::sonfin::learner::{EpochStats, Learner, TrainingRun};
use crate::sonfin::types::network::Network;
use crate::sonfin::types::scaled_samples::ScaledSamples;

/// Networks on the emulated GPU.
pub(in crate::sonfin::tests) struct Emulated<'a> {
    samples: &'a ScaledSamples,
    shape: NetworkShape,
    layout: KernelLayout,
    /// Rule capacity of each network.
    capacity: usize,
    limit: usize,
    packed: PackedNetworks,
    pub(in crate::sonfin::tests) order: Order,
    emulator: Emulator,
    outputs: Emulator,
}

impl<'a> Emulated<'a> {
    pub(in crate::sonfin::tests) fn new(
        samples: &'a ScaledSamples,
        networks: &[Network],
        layout: KernelLayout,
        capacity: usize,
        limit: usize,
    ) -> Option<Self> {
        let shape = shape_of(samples);
        let shared_memory = layout.shared_memory(&shape, capacity, limit).unwrap();
        Some(Emulated {
            samples,
            shape,
            layout,
            capacity,
            limit,
            packed: PackedNetworks::new(networks, &shape, capacity).unwrap(),
            order: Order::Forward,
            emulator: or_skip(&layout.program(&shape, shared_memory, false))?,
            outputs: or_skip(&shape.outputs_program())?,
        })
    }

    fn resident(
        &mut self,
        runs: &EncodedRuns,
        blocks_per_network: usize,
        threads: usize,
    ) -> (Vec<f64>, Vec<u32>, Vec<i32>) {
        let count = self.packed.rules.len();
        let shared_memory = self.layout.shared_memory(&self.shape, self.capacity, self.limit).unwrap();
        let rows = encode_rows(self.samples, &self.shape);
        let (mut losses, mut misclassified) = (vec![f64::NAN; count], vec![u32::MAX; count]);
        let mut decisions = vec![i32::MIN; runs.order.len()];
        let mut messages = vec![0u64; count * 2 * (4 + self.shape.outputs) * blocks_per_network];
        let mut stages = vec![0i64; 6];
        let packed = &mut self.packed;
        let mut args = [
            Arg::slice(&rows),
            Arg::slice(&runs.order),
            Arg::slice(&runs.ranges),
            Arg::slice(&runs.step_settings),
            Arg::slice(&runs.replay),
            Arg::slice_mut(&mut packed.a),
            Arg::slice_mut(&mut packed.c),
            Arg::slice_mut(&mut packed.w),
            Arg::slice_mut(&mut packed.rules),
            Arg::slice_mut(&mut decisions),
            Arg::slice_mut(&mut losses),
            Arg::slice_mut(&mut misclassified),
            Arg::slice_mut(&mut messages),
            Arg::slice_mut(&mut stages),
            Arg::value(self.capacity as i32),
            Arg::value(shared_memory.slots as i32),
            Arg::value(i32::from(runs.use_replay)),
        ];
        let grid = Grid::new((blocks_per_network * count) as u32, threads as u32)
            .shared(shared_memory.bytes as u32)
            .cooperative();
        self.emulator.launch("learn_resident", grid, self.order, &mut args).unwrap();
        (losses, misclassified, decisions)
    }

    fn per_sample(&mut self, runs: &EncodedRuns) -> (Vec<f64>, Vec<u32>, Vec<i32>) {
        let count = self.packed.rules.len();
        let rows = encode_rows(self.samples, &self.shape);
        let (mut losses, mut misclassified) = (vec![0.0f64; count], vec![0u32; count]);
        let mut decisions = vec![i32::MIN; runs.order.len()];
        let blocks = self.layout.blocks(self.capacity);
        let mut distances = vec![f32::NAN; self.capacity];
        let mut results = vec![f32::NAN; (2 + 2 * self.shape.outputs).max((3 + self.shape.outputs) * blocks)];
        let all_blocks = Grid::new(blocks as u32, self.layout.threads(&self.shape) as u32);
        // A reduced limit also disables the cache of block values.
        let cached_values =
            if self.limit < LIMIT { 0 } else { self.layout.cached_values(&self.shape, self.capacity) };
        let (capacity, use_replay) = (self.capacity as i32, i32::from(runs.use_replay));
        let (emulator, order) = (&self.emulator, self.order);
        for (network, range) in runs.ranges.chunks_exact(2).enumerate() {
            let rules = self.packed.rules[network];
            let mut state = vec![range[0], rules, rules, network as i32, range[0] + range[1]];
            let packed = &mut self.packed;
            for graph_index in 0..(range[1] as usize).div_ceil(GRAPH_SAMPLES) {
                for graph_step in 0..GRAPH_SAMPLES.min(range[1] as usize - graph_index * GRAPH_SAMPLES) as i32
                {
                    let launch = |name: &str, grid: Grid, args: &mut [Arg<'_>]| {
                        emulator.launch(name, grid, order, args).unwrap();
                    };
                    if self.layout == KernelLayout::RulePerBlock {
                        let mut args = [
                            Arg::slice(&rows),
                            Arg::slice(&runs.order),
                            Arg::slice(&packed.a),
                            Arg::slice(&packed.c),
                            Arg::slice(&state),
                            Arg::slice_mut(&mut distances),
                            Arg::value(capacity),
                            Arg::value(graph_step),
                        ];
                        launch("fire_rules", all_blocks, &mut args);
                        let mut args = [
                            Arg::slice(&rows),
                            Arg::slice(&runs.order),
                            Arg::slice(&runs.step_settings),
                            Arg::slice(&runs.replay),
                            Arg::slice_mut(&mut packed.a),
                            Arg::slice_mut(&mut packed.c),
                            Arg::slice_mut(&mut packed.w),
                            Arg::slice_mut(&mut state),
                            Arg::slice_mut(&mut distances),
                            Arg::slice_mut(&mut results),
                            Arg::slice_mut(&mut decisions),
                            Arg::slice_mut(&mut losses),
                            Arg::slice_mut(&mut misclassified),
                            Arg::value(capacity),
                            Arg::value(graph_step),
                            Arg::value(use_replay),
                        ];
                        launch("combine_rules", Grid::new(1, COMBINE_THREADS), &mut args);
                        let mut args = [
                            Arg::slice(&rows),
                            Arg::slice(&runs.order),
                            Arg::slice(&runs.step_settings),
                            Arg::slice_mut(&mut packed.a),
                            Arg::slice_mut(&mut packed.c),
                            Arg::slice_mut(&mut packed.w),
                            Arg::slice(&state),
                            Arg::slice(&distances),
                            Arg::slice(&results),
                            Arg::value(capacity),
                            Arg::value(graph_step),
                        ];
                        launch("update_rules", all_blocks, &mut args);
                        continue;
                    }
                    let mut args = [
                        Arg::slice(&rows),
                        Arg::slice(&runs.order),
                        Arg::slice(&packed.a),
                        Arg::slice(&packed.c),
                        Arg::slice(&packed.w),
                        Arg::slice(&state),
                        Arg::slice_mut(&mut distances),
                        Arg::slice_mut(&mut results),
                        Arg::value(capacity),
                        Arg::value(graph_step),
                    ];
                    launch("fire_tasks", all_blocks, &mut args);
                    let mut args = [
                        Arg::slice(&rows),
                        Arg::slice(&runs.order),
                        Arg::slice(&runs.step_settings),
                        Arg::slice(&runs.replay),
                        Arg::slice_mut(&mut packed.a),
                        Arg::slice_mut(&mut packed.c),
                        Arg::slice_mut(&mut packed.w),
                        Arg::slice_mut(&mut state),
                        Arg::slice(&distances),
                        Arg::slice(&results),
                        Arg::slice_mut(&mut decisions),
                        Arg::slice_mut(&mut losses),
                        Arg::slice_mut(&mut misclassified),
                        Arg::value(capacity),
                        Arg::value(graph_step),
                        Arg::value(use_replay),
                        Arg::value(cached_values as i32),
                    ];
                    launch("update_tasks", all_blocks.shared(4 * cached_values as u32), &mut args);
                }
                let mut args = [Arg::slice_mut(&mut state), Arg::value(GRAPH_SAMPLES as i32)];
                emulator.launch("advance", Grid::new(1, 1), order, &mut args).unwrap();
            }
            packed.rules[network] = state[1 + ((range[0] + range[1]) & 1) as usize];
        }
        (losses, misclassified, decisions)
    }
}

impl Learner for Emulated<'_> {
    fn learn(&mut self, runs: &[TrainingRun<'_>]) -> Result<Vec<EpochStats>> {
        let all = EncodedRuns::new(runs)?;
        let (losses, misclassified, decisions) = match self.layout {
            KernelLayout::Resident { blocks_per_network, threads, .. } => {
                self.resident(&all, blocks_per_network, threads)
            }
            _ => self.per_sample(&all),
        };
        let stats = |(n, range): (usize, &[i32])| EpochStats {
            loss: losses[n],
            misclassified: u64::from(misclassified[n]),
            decisions: decisions[range[0] as usize..][..range[1] as usize].to_vec(),
        };
        Ok(all.ranges.chunks_exact(2).enumerate().map(stats).collect())
    }

    fn network(&mut self, index: usize) -> Result<Network> {
        Ok(self.packed.network(index, &self.shape, self.capacity))
    }

    fn replace(&mut self, _index: usize, _network: &Network) -> Result<()> {
        unreachable!("no test replaces a network")
    }

    fn outputs(&mut self, index: usize, row_indices: &[u32]) -> Result<Vec<f32>> {
        let rows = encode_rows(self.samples, &self.shape);
        let rules = self.packed.rules[index] as usize;
        let mut distances = vec![f32::NAN; row_indices.len() * rules];
        let mut outputs = vec![f32::NAN; row_indices.len() * self.shape.outputs];
        let mut args = [
            Arg::slice(&rows),
            Arg::slice(row_indices),
            Arg::slice(&self.packed.a),
            Arg::slice(&self.packed.c),
            Arg::slice_mut(&mut distances),
            Arg::value((index * self.capacity) as i64),
            Arg::value(row_indices.len() as i32),
            Arg::value(rules as i32),
        ];
        let mut grid = Grid::new(row_indices.len().div_ceil(TILE.0) as u32, 256);
        grid.blocks[1] = rules.div_ceil(TILE.1) as u32;
        self.outputs.launch("distances_of_rows", grid, self.order, &mut args).unwrap();
        let mut args = [
            Arg::slice(&distances),
            Arg::slice(&self.packed.w),
            Arg::slice_mut(&mut outputs),
            Arg::value((index * self.capacity) as i64),
            Arg::value(row_indices.len() as i32),
            Arg::value(rules as i32),
        ];
        let grid = Grid::new(row_indices.len().div_ceil(TILE.2) as u32, 256);
        self.outputs.launch("outputs_of_distances", grid, self.order, &mut args).unwrap();
        Ok(outputs)
    }
}
