//! Adam on mini-batches on a GPU: several networks in one launch.

mod groups;
mod train;

use super::encode::kernel_i32;
use super::layout::{NetworkShape, TASK_VALUES};
use crate::device::Cuda;
use crate::device::cuda::Buffer;
use crate::sonfin::error::Result;
use crate::sonfin::learner::BatchRun;
use crate::sonfin::types::adam::Adam;
use crate::sonfin::types::options::Loss;
pub(in crate::sonfin) use groups::{BlockGroup, block_groups};

/// State of Adam on a GPU, for networks of up to `capacity` rules.
pub(super) struct DeviceAdam {
    /// Only the numbers of steps and the units of the centers are current.
    states: Vec<Adam>,
    capacity: usize,
    sets: Buffer<f32>,
    first: Buffer<f32>,
    second: Buffer<f32>,
    gradients: Buffer<f32>,
    launches: Vec<GroupLaunch>,
}

/// Networks trained in one launch.
struct GroupLaunch {
    groups: Vec<BlockGroup>,
    /// For each block, a copy of the gates of its network and their moving averages.
    gates: Buffer<f32>,
}

impl GroupLaunch {
    fn blocks(&self) -> usize {
        self.groups.iter().map(|group| group.blocks).sum()
    }
}

/// Values of every network, padded to `size`.
fn padded<'a>(states: &'a [Adam], size: usize, values: impl Fn(&'a Adam) -> &'a [f32]) -> Vec<f32> {
    let mut all = vec![0.0; states.len() * size];
    for (state, to) in states.iter().zip(all.chunks_exact_mut(size)) {
        let values = values(state);
        to[..values.len()].copy_from_slice(values);
    }
    all
}

impl DeviceAdam {
    pub(super) fn new(
        states: Vec<Adam>,
        shape: &NetworkShape,
        capacity: usize,
        max_blocks: usize,
        cuda: &Cuda,
    ) -> Result<Self> {
        let (d, gradient_len) = (shape.dims, 2 * shape.dims + shape.outputs);
        kernel_i32(capacity * (gradient_len + 8))?; // indices within a network, whose inputs are padded
        let rules: Vec<usize> = states.iter().map(|state| state.rules.len() / (2 * d)).collect();
        let upload = |groups: Vec<BlockGroup>| {
            let mut gates = Vec::new();
            for group in &groups {
                let state = &states[group.network];
                let after = rules[group.network] * gradient_len; // the gates follow the rules
                let copy = [&state.gates[..], &state.first[after..], &state.second[after..]].concat();
                (0..group.blocks).for_each(|_| {
                    gates.extend_from_slice(&copy);
                    gates.resize(gates.len() + 3 * d - copy.len(), 0.0); // without gates
                });
            }
            Ok(GroupLaunch { groups, gates: cuda.upload(&gates)? })
        };
        let launches =
            block_groups(&rules, shape, max_blocks).into_iter().map(upload).collect::<Result<_>>()?;
        Ok(DeviceAdam {
            sets: cuda.upload(&padded(&states, capacity * 2 * d, |state| &state.rules))?,
            first: cuda.upload(&padded(&states, capacity * gradient_len, |s| {
                &s.first[..s.first.len() - s.gates.len()]
            }))?,
            second: cuda.upload(&padded(&states, capacity * gradient_len, |s| {
                &s.second[..s.second.len() - s.gates.len()]
            }))?,
            gradients: cuda.alloc(states.len() * capacity * 2 * d)?,
            launches,
            states,
            capacity,
        })
    }

    /// State of network `index`.
    pub(super) fn state(&self, index: usize, shape: &NetworkShape, cuda: &Cuda) -> Result<Adam> {
        let mut state = self.states[index].clone();
        let (d, first) = (shape.dims, index * self.capacity);
        let after = state.first.len() - state.gates.len();
        let gradient_len = 2 * d + shape.outputs;
        cuda.read_from(&self.sets, first * 2 * d, &mut state.rules)?;
        cuda.read_from(&self.first, first * gradient_len, &mut state.first[..after])?;
        cuda.read_from(&self.second, first * gradient_len, &mut state.second[..after])?;
        for launch in &self.launches {
            let group = launch.groups.iter().find(|group| group.network == index);
            if let (Some(group), false) = (group, state.gates.is_empty()) {
                let at = group.first_block * 3 * d;
                cuda.read_from(&launch.gates, at, &mut state.gates)?;
                cuda.read_from(&launch.gates, at + d, &mut state.first[after..])?;
                cuda.read_from(&launch.gates, at + 2 * d, &mut state.second[after..])?;
            }
        }
        Ok(state)
    }
}

/// Arguments of a launch.
struct EncodedTasks {
    order: Vec<u32>,
    /// The network of each block, then [`TASK_VALUES`] values for each network.
    tasks: Vec<i32>,
    factors: Vec<f32>,
    /// Number of values exchanged between the blocks.
    partials: usize,
    /// Number of values in the buffers of a block.
    block_values: usize,
}

impl EncodedTasks {
    fn new(
        groups: &[BlockGroup],
        states: &[Adam],
        runs: &[BatchRun<'_>],
        shape: &NetworkShape,
    ) -> Result<Self> {
        let mut all = EncodedTasks {
            order: Vec::new(),
            tasks: Vec::new(),
            factors: Vec::new(),
            partials: 0,
            block_values: 0,
        };
        let mut values = vec![0; states.len() * TASK_VALUES];
        for group in groups {
            let (state, run) = (&states[group.network], &runs[group.network]);
            let (rules, batch) = (state.rules.len() / (2 * shape.dims), run.settings.batch);
            all.tasks.extend(std::iter::repeat_n(kernel_i32(group.network)?, group.blocks));
            // In the order of the fields of `Task` in adam.cu.
            let task = [
                group.first_block,
                group.blocks,
                rules,
                all.order.len(),
                run.order.len(),
                batch,
                usize::from(!state.gates.is_empty()),
                usize::from(run.settings.loss == Loss::CrossEntropy),
                all.factors.len(),
                all.partials,
            ];
            for (to, value) in values[group.network * TASK_VALUES..].iter_mut().zip(task) {
                *to = kernel_i32(value)?;
            }
            all.order.extend_from_slice(run.order);
            all.partials += 2 * batch * group.blocks * (2 + shape.outputs);
            // Must match the layout in learn_batches.
            let samples = 2 * rules.div_ceil(group.blocks) * (batch.next_multiple_of(32) + 1);
            let block_values = samples + 2 * batch * (shape.outputs | 1) + 2 * batch;
            all.block_values = all.block_values.max(block_values);
            all.factors.extend([state.unit, 1.0 / run.settings.min_width]);
            for step in 1..=run.order.len().div_ceil(batch) as u64 {
                let factors = state.factors(state.step + step, &run.settings);
                all.factors.extend([factors.rate, factors.first, factors.second]);
            }
        }
        all.tasks.extend(values);
        kernel_i32(all.partials)?;
        Ok(all)
    }
}
