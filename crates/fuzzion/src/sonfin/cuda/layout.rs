//! How the work of one network is laid out on a GPU, and the programs that are specialised by it.

use super::super::settings::Mapping;
use crate::device::cuda::Program;
use serde::{Deserialize, Serialize};

const RULE: &str = include_str!("rule.cuh");
const TEAM: &str = include_str!("team.cuh");
const RESIDENT: &str = include_str!("resident.cu");
const LAUNCHED: &str = include_str!("launched.cuh");
const BLOCKS: &str = include_str!("blocks.cu");
const TASKS: &str = include_str!("tasks.cu");
const OUTPUTS: &str = include_str!("outputs.cu");

/// Numbers of a course as kernels read it.
pub(in super::super) const COURSE: usize = 11;
/// The most inputs that `rule-per-block` can have a thread for.
pub(in super::super) const MOST_THREADS: usize = 1024;
/// Threads of the one block that concludes.
pub(in super::super) const CONCLUDING: u32 = 512;
/// Words that a block of `atm` keeps a copy of at most: with more, fewer blocks would fit on a multiprocessor.
const MOST_KEPT: usize = 6144;
/// Rows and rules of a tile of `distances_of_rows`, and rows of a block of `outputs_of_distances`.
pub(in super::super) const TILE: (usize, usize, usize) = (128, 64, 8);

/// What programs of all mappings are specialised by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in super::super) struct Shape {
    pub(in super::super) dims: usize,
    pub(in super::super) outputs: usize,
    /// Whether inputs may be missing.
    pub(in super::super) missing: bool,
}

fn padded(count: usize) -> usize {
    count.next_multiple_of(4)
}

impl Shape {
    /// Inputs of a rule, padded so that four are read at once.
    pub(in super::super) fn stride(&self) -> usize {
        padded(self.dims)
    }

    /// Numbers of a row: inputs, targets and which target is the largest.
    pub(in super::super) fn row(&self) -> usize {
        self.stride() + padded(self.outputs + 1)
    }

    /// Bytes of one rule.
    pub(in super::super) fn rule_bytes(&self) -> usize {
        4 * self.slot()
    }

    fn slot(&self) -> usize {
        2 * self.stride() + padded(self.outputs)
    }

    fn program(&self, name: &'static str, source: &'static str) -> Program {
        Program::new(name, source)
            .with(RULE)
            .constant("DIMS", self.dims)
            .constant("OUTPUTS", self.outputs)
            .constant("MISSING", u8::from(self.missing))
            .constant("COURSE", COURSE)
    }

    /// The program of outputs of many rows.
    pub(in super::super) fn outputs_program(&self) -> Program {
        self.program("sonfin outputs", OUTPUTS)
    }
}

/// A mapping with its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(in super::super) enum Layout {
    /// A block for each rule, a thread for each input.
    Blocks,
    /// `wide` threads for `deep` rules each, in blocks of `threads`; `quick` takes the hardware's own exponential.
    Tasks { threads: usize, wide: usize, deep: usize, quick: bool },
    /// `team` blocks of `threads` threads that keep a network on chip, as a cluster or across the GPU.
    Resident { team: usize, clustered: bool, threads: usize },
}

impl Layout {
    pub(in super::super) fn mapping(&self) -> Mapping {
        match self {
            Layout::Blocks => Mapping::RulePerBlock,
            Layout::Tasks { .. } => Mapping::Atm,
            Layout::Resident { .. } => Mapping::Resident,
        }
    }

    /// In words.
    pub(in super::super) fn name(&self) -> String {
        match self {
            Layout::Blocks => "a block per rule, a thread per input".to_owned(),
            Layout::Tasks { wide, deep: 1, .. } => format!("{wide} threads per rule"),
            Layout::Tasks { wide, deep, .. } => format!("{wide} threads per {deep} rules"),
            Layout::Resident { team: 1, .. } => "one block".to_owned(),
            Layout::Resident { team, clustered: true, .. } => format!("a cluster of {team} blocks"),
            Layout::Resident { team, .. } => format!("{team} blocks"),
        }
    }

    /// Words of all blocks that a block of `atm` keeps a copy of: all, where these are few.
    pub(in super::super) fn kept(&self, shape: &Shape, most: usize) -> usize {
        let words = (3 + shape.outputs) * self.blocks(most);
        if words <= MOST_KEPT { words } else { 0 }
    }

    /// Threads of a block.
    pub(in super::super) fn threads(&self, shape: &Shape) -> usize {
        match self {
            Layout::Blocks => shape.dims.next_multiple_of(32),
            Layout::Tasks { threads, .. } | Layout::Resident { threads, .. } => *threads,
        }
    }

    /// Blocks for one network of up to `most` rules.
    pub(in super::super) fn blocks(&self, most: usize) -> usize {
        match self {
            Layout::Blocks => most,
            Layout::Tasks { threads, wide, deep, .. } => most.div_ceil(threads / wide * deep),
            Layout::Resident { team, .. } => *team,
        }
    }

    /// The program of its kernels; `on_chip` is what [`Layout::on_chip`] gives.
    pub(in super::super) fn program(&self, shape: &Shape, on_chip: OnChip, stages: bool) -> Program {
        let threads = self.threads(shape);
        match *self {
            Layout::Blocks => shape
                .program("sonfin rule-per-block", BLOCKS)
                .with(LAUNCHED)
                .constant("THREADS", threads)
                .constant("QUICK", 0),
            Layout::Tasks { wide, deep, quick, .. } => shape
                .program("sonfin atm", TASKS)
                .with(LAUNCHED)
                .constant("THREADS", threads)
                .constant("QUICK", u8::from(quick))
                .constant("WIDE", wide)
                .constant("DEEP", deep),
            Layout::Resident { team, clustered, .. } => shape
                .program("sonfin resident", RESIDENT)
                .with(TEAM)
                .constant("THREADS", threads)
                .constant("TEAM", team)
                .constant("CLUSTERED", u8::from(clustered))
                .constant("WHOLE", u8::from(on_chip.whole))
                .constant("STAGES", u8::from(stages)),
        }
    }

    /// How many rules of a block are kept on chip, and the shared memory for that, in `limit` bytes; `None` where not even
    /// what a sample needs fits.
    pub(in super::super) fn on_chip(&self, shape: &Shape, most: usize, limit: usize) -> Option<OnChip> {
        let Layout::Resident { team, clustered, .. } = *self else {
            return Some(OnChip { slots: 0, whole: false, bytes: 0 });
        };
        let slots = most.div_ceil(team);
        let said = (4 + shape.outputs) * team;
        // As learn_resident lays it out.
        let boxes = if clustered { 4 * said } else { padded(said) };
        let fixed = boxes + 2 * shape.row() + 2 * padded(shape.outputs) + 3 * padded(slots) + 64;
        let room = (limit / 4).checked_sub(fixed)?;
        let held = (room / shape.slot()).min(slots);
        Some(OnChip { slots: held, whole: held == slots, bytes: 4 * (fixed + held * shape.slot()) })
    }
}

/// What a block keeps in shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct OnChip {
    /// Rules of a block.
    pub(in super::super) slots: usize,
    /// Whether these are all it can have.
    pub(in super::super) whole: bool,
    pub(in super::super) bytes: usize,
}
