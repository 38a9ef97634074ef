//! Online learning on the CPU: rules are interleaved in vectors, and only rules that fire noticeably are updated.

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
