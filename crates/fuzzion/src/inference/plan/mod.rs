//! Compiled systems: a system is analyzed once, then run over millions of rows.
//!
//! [`System::compile`](crate::inference::System::compile) resolves everything that depends only on the rules and the dialect. The result is a list of steps
//! that each compute one value per row. The CPU runs each step over a block of rows that fits in the L1 cache, with SIMD
//! instructions. For a GPU, the steps become one kernel, generated for the system and compiled on first use. There are
//! two versions of the steps: general ones, and faster ones for blocks of rows without NaN or infinite inputs.

pub(super) mod centroid;
mod chunk;
mod compiled;
mod compiler;
pub(crate) mod cpu;
#[cfg(feature = "cuda")]
pub(crate) mod cuda;
mod infer;
pub(crate) mod model;
mod on_device;
mod results;
mod routine;
pub(super) mod sampled;
pub(crate) mod stages;
pub(super) mod step;

pub(crate) use compiled::{CompiledOutput, LockPrevious, Steps};
pub use cpu::PlanState;
pub use model::Plan;
pub(super) use results::input_columns;
pub use results::{InferOptions, InferenceTables};
