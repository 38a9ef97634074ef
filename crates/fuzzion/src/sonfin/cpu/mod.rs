//! Training on the CPU. Online learning: rules are interleaved in vectors, and only rules that fire noticeably are
//! updated. Adam: the samples of a batch, then the rules are distributed among the threads.

mod adam;
pub(crate) mod learner;
mod outputs;
mod parallel;
mod passes;
mod rule_blocks;
mod sample;
mod sweep;
mod worker;
mod worker_group;

pub(super) use learner::CpuLearner;
