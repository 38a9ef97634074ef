//! Kernel layout of one network on a GPU, and the programs specialized for it.

use crate::device::cuda::Program;
use crate::sonfin::types::options::Mapping;
use serde::{Deserialize, Serialize};

const RULE: &str = include_str!("rule.cuh");
const BLOCK_GROUP: &str = include_str!("block_group.cuh");
const RESIDENT: &str = include_str!("resident.cu");
const PER_SAMPLE: &str = include_str!("per_sample.cuh");
const RULE_PER_BLOCK: &str = include_str!("rule_per_block.cu");
const ATM: &str = include_str!("atm.cu");
const OUTPUTS: &str = include_str!("outputs.cu");
const BATCH: &str = include_str!("adam/batch.cuh");
const ADAM: &str = include_str!("adam/adam.cu");

/// Number of values of the step settings in the kernels.
pub(in crate::sonfin) const STEP_SETTINGS: usize = 11;
/// Maximum number of inputs of `rule-per-block`, which uses one thread per input.
pub(in crate::sonfin) const MAX_THREADS: usize = 1024;
/// Threads of combine_rules.
pub(in crate::sonfin) const COMBINE_THREADS: u32 = 512;
/// Maximum number of values cached by a block of `atm`; a larger cache would reduce the occupancy.
const MAX_CACHED_VALUES: usize = 6144;
/// Rows and rules of a tile of `distances_of_rows`, and rows of a block of `outputs_of_distances`.
pub(in crate::sonfin) const TILE: (usize, usize, usize) = (128, 64, 8);

/// Threads of a block of learn_batches, and number of values of a task.
pub(in crate::sonfin) const ADAM_THREADS: usize = 512;
pub(in crate::sonfin) const TASK_VALUES: usize = 10;

/// Program of Adam, the same for all networks.
pub(in crate::sonfin) fn adam_program() -> Program {
    Program::new("sonfin adam", ADAM)
        .with(RULE)
        .with(BATCH)
        .constant("THREADS", ADAM_THREADS)
        .constant("TASK_VALUES", TASK_VALUES)
        .constant("MISSING", 1)
        .constant("STEP_SETTINGS", STEP_SETTINGS)
}

/// Constants that specialize the programs of all mappings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NetworkShape {
    pub dims: usize,
    pub outputs: usize,
    /// Whether inputs may be missing.
    pub missing: bool,
}

fn padded(count: usize) -> usize {
    count.next_multiple_of(4)
}

impl NetworkShape {
    /// Inputs of a rule, padded for vector loads of four values.
    pub(in crate::sonfin) fn stride(&self) -> usize {
        padded(self.dims)
    }

    /// Values of a row: inputs, targets and the index of the largest target.
    pub(in crate::sonfin) fn row(&self) -> usize {
        self.stride() + padded(self.outputs + 1)
    }

    /// Size of one rule in bytes.
    pub(in crate::sonfin) fn rule_bytes(&self) -> usize {
        4 * self.rule_values()
    }

    fn rule_values(&self) -> usize {
        2 * self.stride() + padded(self.outputs)
    }

    fn program(&self, name: &'static str, source: &'static str) -> Program {
        Program::new(name, source)
            .with(RULE)
            .constant("DIMS", self.dims)
            .constant("OUTPUTS", self.outputs)
            .constant("MISSING", u8::from(self.missing))
            .constant("STEP_SETTINGS", STEP_SETTINGS)
    }

    /// Program for the outputs of many rows.
    pub(in crate::sonfin) fn outputs_program(&self) -> Program {
        self.program("sonfin outputs", OUTPUTS)
    }
}

/// A mapping with its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum KernelLayout {
    /// One block per rule, one thread per input.
    #[serde(rename = "Blocks")]
    RulePerBlock,
    /// `threads_per_rule` threads for `rules_per_thread` rules each, in blocks of `threads`; `fast_exp` selects the
    /// hardware exponential.
    #[serde(rename = "Tasks")]
    Atm {
        threads: usize,
        #[serde(rename = "wide")]
        threads_per_rule: usize,
        #[serde(rename = "deep")]
        rules_per_thread: usize,
        #[serde(rename = "quick")]
        fast_exp: bool,
    },
    /// `blocks_per_network` blocks of `threads` threads that keep a network in shared memory, as a cluster or
    /// across the GPU.
    Resident {
        #[serde(rename = "team")]
        blocks_per_network: usize,
        clustered: bool,
        threads: usize,
    },
}

impl KernelLayout {
    pub fn mapping(&self) -> Mapping {
        match self {
            KernelLayout::RulePerBlock => Mapping::RulePerBlock,
            KernelLayout::Atm { .. } => Mapping::Atm,
            KernelLayout::Resident { .. } => Mapping::Resident,
        }
    }

    /// Short description.
    pub fn name(&self) -> String {
        match self {
            KernelLayout::RulePerBlock => "one block per rule, one thread per input".to_owned(),
            KernelLayout::Atm { threads_per_rule, rules_per_thread: 1, .. } => {
                format!("{threads_per_rule} threads per rule")
            }
            KernelLayout::Atm { threads_per_rule, rules_per_thread, .. } => {
                format!("{threads_per_rule} threads per {rules_per_thread} rules")
            }
            KernelLayout::Resident { blocks_per_network: 1, .. } => "one block".to_owned(),
            KernelLayout::Resident { blocks_per_network, clustered: true, .. } => {
                format!("a cluster of {blocks_per_network} blocks")
            }
            KernelLayout::Resident { blocks_per_network, .. } => format!("{blocks_per_network} blocks"),
        }
    }

    /// Number of block values cached by each block of `atm`: all of them if they fit, otherwise 0.
    pub(in crate::sonfin) fn cached_values(&self, shape: &NetworkShape, capacity: usize) -> usize {
        let values = (3 + shape.outputs) * self.blocks(capacity);
        if values <= MAX_CACHED_VALUES { values } else { 0 }
    }

    /// Threads per block.
    pub fn threads(&self, shape: &NetworkShape) -> usize {
        match self {
            KernelLayout::RulePerBlock => shape.dims.next_multiple_of(32),
            KernelLayout::Atm { threads, .. } | KernelLayout::Resident { threads, .. } => *threads,
        }
    }

    /// Blocks for one network with up to `capacity` rules.
    pub(in crate::sonfin) fn blocks(&self, capacity: usize) -> usize {
        match self {
            KernelLayout::RulePerBlock => capacity,
            KernelLayout::Atm { threads, threads_per_rule, rules_per_thread, .. } => {
                capacity.div_ceil(threads / threads_per_rule * rules_per_thread)
            }
            KernelLayout::Resident { blocks_per_network, .. } => *blocks_per_network,
        }
    }

    /// Program of the kernels; `shared_memory` is the result of [`KernelLayout::shared_memory`].
    pub(in crate::sonfin) fn program(
        &self,
        shape: &NetworkShape,
        shared_memory: SharedMemory,
        stages: bool,
    ) -> Program {
        let threads = self.threads(shape);
        match *self {
            KernelLayout::RulePerBlock => shape
                .program("sonfin rule-per-block", RULE_PER_BLOCK)
                .with(PER_SAMPLE)
                .constant("THREADS", threads)
                .constant("FAST_EXP", 0),
            KernelLayout::Atm { threads_per_rule, rules_per_thread, fast_exp, .. } => shape
                .program("sonfin atm", ATM)
                .with(PER_SAMPLE)
                .constant("THREADS", threads)
                .constant("FAST_EXP", u8::from(fast_exp))
                .constant("THREADS_PER_RULE", threads_per_rule)
                .constant("RULES_PER_THREAD", rules_per_thread),
            KernelLayout::Resident { blocks_per_network, clustered, .. } => shape
                .program("sonfin resident", RESIDENT)
                .with(BLOCK_GROUP)
                .constant("THREADS", threads)
                .constant("GROUP_BLOCKS", blocks_per_network)
                .constant("CLUSTERED", u8::from(clustered))
                .constant("ALL_SHARED", u8::from(shared_memory.all_rules))
                .constant("STAGES", u8::from(stages)),
        }
    }

    /// Shared memory of a block and the number of rules in it, within `limit` bytes; `None` if not even the buffers
    /// for one sample fit.
    pub(in crate::sonfin) fn shared_memory(
        &self,
        shape: &NetworkShape,
        capacity: usize,
        limit: usize,
    ) -> Option<SharedMemory> {
        let KernelLayout::Resident { blocks_per_network, clustered, .. } = *self else {
            return Some(SharedMemory { slots: 0, all_rules: false, bytes: 0 });
        };
        let slots = capacity.div_ceil(blocks_per_network);
        let values = (4 + shape.outputs) * blocks_per_network;
        // Must match the layout in learn_resident.
        let messages = if clustered { 4 * values } else { padded(values) };
        let fixed = messages + 2 * shape.row() + 2 * padded(shape.outputs) + 3 * padded(slots) + 64;
        let available = (limit / 4).checked_sub(fixed)?;
        let shared_slots = (available / shape.rule_values()).min(slots);
        Some(SharedMemory {
            slots: shared_slots,
            all_rules: shared_slots == slots,
            bytes: 4 * (fixed + shared_slots * shape.rule_values()),
        })
    }
}

/// Shared memory of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sonfin) struct SharedMemory {
    /// Number of rules in shared memory.
    pub(in crate::sonfin) slots: usize,
    /// Whether these are all rules of the block.
    pub(in crate::sonfin) all_rules: bool,
    pub(in crate::sonfin) bytes: usize,
}
