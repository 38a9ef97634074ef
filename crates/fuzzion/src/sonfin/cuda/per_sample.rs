//! Training with kernel launches for every sample, recorded once as a CUDA graph and replayed.

use super::encode::{EncodedRuns, kernel_i32};
use super::layout::{COMBINE_THREADS, KernelLayout, MAX_THREADS, STEP_SETTINGS};
use super::state::{CudaLearner, KernelStats, LaunchGraph};
use crate::device::DeviceError;
use crate::device::cuda::{Grid, Kernel, Stream};
use crate::sonfin::error::{Result, SonfinError};

/// Samples per graph.
pub(in crate::sonfin) const GRAPH_SAMPLES: usize = 64;

/// Kernels launched for each sample, in order.
fn kernels_of(layout: KernelLayout) -> &'static [&'static str] {
    match layout {
        KernelLayout::RulePerBlock => &["fire_rules", "combine_rules", "update_rules"],
        _ => &["fire_tasks", "update_tasks"],
    }
}

impl CudaLearner<'_> {
    /// Trains the networks one after another.
    pub(super) fn train_per_sample(
        &mut self,
        layout: KernelLayout,
        runs: &EncodedRuns,
    ) -> Result<KernelStats> {
        if layout == KernelLayout::RulePerBlock && self.shape.dims > MAX_THREADS {
            return Err(SonfinError::TooManyInputs { dims: self.shape.dims, most: MAX_THREADS });
        }
        kernel_i32(runs.order.len() + GRAPH_SAMPLES)?; // the last graph may count past the end
        let cuda = self.cuda.clone();
        let key = (layout, self.capacity, runs.order.len().next_power_of_two(), runs.use_replay);
        if self.launch_graph.as_ref().is_none_or(|launch_graph| launch_graph.key != key) {
            self.launch_graph = None;
            self.launch_graph = Some(self.record(key, None)?);
        }
        let launch_graph = self.launch_graph.as_mut().expect("invariant: the graph was recorded above");
        cuda.write(&runs.order, &mut launch_graph.order)?;
        cuda.write(&runs.step_settings, &mut launch_graph.step_settings)?;
        cuda.write(&runs.replay, &mut launch_graph.replay)?;
        cuda.clear(&mut launch_graph.losses, cuda.stream())?;
        cuda.clear(&mut launch_graph.misclassified, cuda.stream())?;
        let mut rules = cuda.download(&self.device_networks.rules)?;
        for (network, range) in runs.ranges.chunks_exact(2).enumerate() {
            let (first, samples, count) = (range[0], range[1], rules[network]);
            let state = [first, count, count, kernel_i32(network)?, first + samples];
            cuda.write(&state, &mut launch_graph.state)?;
            for _ in 0..(samples as usize).div_ceil(GRAPH_SAMPLES) {
                // SAFETY: the recorded launches use the buffers of `launch_graph`, the rows and the networks, all
                // of which are alive: `CudaLearner::reserve_rules` drops the graph when it replaces the networks'
                // buffers.
                unsafe { launch_graph.graph.replay() }?;
            }
            let mut state = [0; 5];
            cuda.read(&launch_graph.state, &mut state)?;
            rules[network] = state[1 + ((first + samples) & 1) as usize];
        }
        cuda.write(&rules, &mut self.device_networks.rules)?;
        let mut decisions = vec![0; runs.order.len()];
        cuda.read(&launch_graph.decisions, &mut decisions)?;
        let (losses, misclassified) =
            (cuda.download(&launch_graph.losses)?, cuda.download(&launch_graph.misclassified)?);
        Ok(KernelStats { losses, misclassified, decisions })
    }

    /// Name of each kernel and its time per sample in microseconds, for the layout of the last run, which must launch
    /// kernels for every sample.
    pub fn kernel_times(&mut self) -> Result<Vec<(&'static str, f64)>> {
        let launch_graph = self.launch_graph.as_ref();
        let key = launch_graph.expect("invariant: the last run launched kernels for every sample").key;
        let names = kernels_of(key.0);
        let mut times = Vec::new();
        for (step, name) in names.iter().enumerate() {
            let cuda = self.cuda.clone();
            let rules = cuda.download(&self.device_networks.rules)?;
            let mut launch_graph = self.record(key, Some(step))?;
            // All samples of the graph are row 0, and the state does not change.
            cuda.write(&[0, rules[0], rules[0], 0, i32::MAX], &mut launch_graph.state)?;
            // SAFETY: as in `train_per_sample`.
            unsafe { launch_graph.graph.replay() }?;
            // SAFETY: as above.
            let replay = || unsafe { launch_graph.graph.replay() };
            let seconds = cuda.time(|| (0..16).try_for_each(|_| replay()))?;
            times.push((*name, seconds * 1e6 / (16 * GRAPH_SAMPLES) as f64));
        }
        Ok(times)
    }

    /// Records the kernel launches of a graph; with `only`, just this kernel for each sample, without state changes.
    fn record(
        &mut self,
        key: (KernelLayout, usize, usize, bool),
        only: Option<usize>,
    ) -> Result<LaunchGraph> {
        let (layout, capacity, samples, use_replay) = key;
        let cuda = self.cuda.clone();
        let (shape, count) = (self.shape, self.count());
        let blocks = layout.blocks(capacity);
        let results = (2 + 2 * shape.outputs).max((3 + shape.outputs) * blocks);
        let (order, step_settings) = (cuda.zeros(samples.max(1))?, cuda.zeros(count * STEP_SETTINGS)?);
        let (replay, mut state) = (cuda.zeros(samples.max(1))?, cuda.zeros(5)?);
        let (mut distances, mut results) = (cuda.zeros(capacity)?, cuda.zeros(results)?);
        let (mut decisions, mut losses, mut misclassified) =
            (cuda.zeros(samples.max(1))?, cuda.zeros(count)?, cuda.zeros(count)?);
        let shared_memory = layout.shared_memory(&shape, capacity, 0);
        let shared_memory =
            shared_memory.expect("invariant: only resident layouts store rules in shared memory");
        let program = layout.program(&shape, shared_memory, false);
        let kernel = |name| cuda.kernel(&program, name);
        let threads = layout.threads(&shape) as u32;
        let rows = &self.rows;
        let device_networks = &mut self.device_networks;
        let (capacity_value, use_replay_value) = (kernel_i32(capacity)?, i32::from(use_replay));
        let advance = kernel("advance")?;
        let kernels: Vec<Kernel> =
            kernels_of(layout).iter().map(|name| kernel(name)).collect::<Result<_, _>>()?;
        let all_blocks = Grid::new(blocks as u32, threads);
        let cached_values = layout.cached_values(&shape, capacity);
        let mut record_sample = |stream: &Stream, graph_step: i32| -> Result<(), DeviceError> {
            if graph_step == GRAPH_SAMPLES as i32 {
                let launch =
                    advance.launch().output(&mut state).value(if only.is_none() { graph_step } else { 0 });
                // SAFETY: the arguments match advance(state, samples); one thread updates `state[0]`.
                return unsafe { launch.run(stream, Grid::new(1, 1)) };
            }
            let graph_step = if only.is_none() { graph_step } else { 0 };
            let is_recorded = |step: usize| only.is_none_or(|only| only == step);
            if let KernelLayout::RulePerBlock = layout {
                let fire = kernels[0]
                    .launch()
                    .input(rows)
                    .input(&order)
                    .input(&device_networks.a)
                    .input(&device_networks.c)
                    .input(&state);
                let fire = fire.output(&mut distances).value(capacity_value).value(graph_step);
                if is_recorded(0) {
                    // SAFETY: the arguments match fire_rules; it writes one of the `capacity` distances per rule and
                    // returns immediately for samples past the end.
                    unsafe { fire.run(stream, all_blocks) }?;
                }
                let combine =
                    kernels[1].launch().input(rows).input(&order).input(&step_settings).input(&replay);
                let combine = combine
                    .output(&mut device_networks.a)
                    .output(&mut device_networks.c)
                    .output(&mut device_networks.w);
                let combine = combine.output(&mut state).output(&mut distances).output(&mut results);
                let combine = combine.output(&mut decisions).output(&mut losses).output(&mut misclassified);
                let combine = combine.value(capacity_value).value(graph_step).value(use_replay_value);
                if is_recorded(1) {
                    // SAFETY: the arguments match combine_rules; `results` has capacity for its 2 + 2·OUTPUTS values,
                    // and `decisions` for one per sample.
                    unsafe { combine.run(stream, Grid::new(1, COMBINE_THREADS)) }?;
                }
                let update = kernels[2]
                    .launch()
                    .input(rows)
                    .input(&order)
                    .input(&step_settings)
                    .output(&mut device_networks.a);
                let update = update
                    .output(&mut device_networks.c)
                    .output(&mut device_networks.w)
                    .input(&state)
                    .input(&distances)
                    .input(&results);
                if is_recorded(2) {
                    // SAFETY: the arguments match update_rules, which reads results of fire_rules and combine_rules.
                    unsafe { update.value(capacity_value).value(graph_step).run(stream, all_blocks) }?;
                }
            } else {
                let fire = kernels[0]
                    .launch()
                    .input(rows)
                    .input(&order)
                    .input(&device_networks.a)
                    .input(&device_networks.c)
                    .input(&device_networks.w);
                let fire = fire.input(&state).output(&mut distances).output(&mut results);
                if is_recorded(0) {
                    // SAFETY: the arguments match fire_tasks; `distances` has one value per rule and `results`
                    // 3 + OUTPUTS values per block, and it returns immediately for samples past the end.
                    unsafe { fire.value(capacity_value).value(graph_step).run(stream, all_blocks) }?;
                }
                let update =
                    kernels[1].launch().input(rows).input(&order).input(&step_settings).input(&replay);
                let update = update
                    .output(&mut device_networks.a)
                    .output(&mut device_networks.c)
                    .output(&mut device_networks.w)
                    .output(&mut state);
                let update =
                    update.input(&distances).input(&results).output(&mut decisions).output(&mut losses);
                let update = update
                    .output(&mut misclassified)
                    .value(capacity_value)
                    .value(graph_step)
                    .value(use_replay_value);
                let update = update.value(cached_values as i32);
                if is_recorded(1) {
                    // SAFETY: the arguments match update_tasks, which reads the results of fire_tasks; the dynamic
                    // shared memory has space for `cached_values` floats.
                    unsafe { update.run(stream, all_blocks.shared(4 * cached_values as u32)) }?;
                }
            }
            Ok(())
        };
        let graph = cuda.capture(|stream| {
            (0..=GRAPH_SAMPLES as i32).try_for_each(|graph_step| record_sample(stream, graph_step))
        })?;
        Ok(LaunchGraph {
            graph,
            key,
            order,
            step_settings,
            replay,
            state,
            _distances: distances,
            _results: results,
            decisions,
            losses,
            misclassified,
        })
    }
}
