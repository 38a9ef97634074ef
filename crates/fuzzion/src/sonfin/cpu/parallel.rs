//! Splits a training run into chunks and chooses the number of threads for each by the current network size.

use super::rule_blocks::RuleBlocks;
use super::worker::Worker;
use super::worker_group::WorkerGroup;
use crate::device::{DeviceError, Simd};
use crate::sonfin::error::Result;
use crate::sonfin::learner::{EpochStats, TrainingRun};
use crate::sonfin::types::scaled_samples::ScaledSamples;
use std::sync::atomic::{AtomicBool, Ordering};

/// Samples per chunk; for networks large enough for several threads, starting them takes about 1 % of a chunk's time.
const CHUNK: usize = 512;
/// Minimum of rules × inputs per thread; with less, synchronization costs most of the gain.
const MIN_WORK_PER_THREAD: usize = 65_536;

/// Trains one network on its run.
pub(super) fn train(
    rules: &mut RuleBlocks,
    samples: &ScaledSamples,
    run: &TrainingRun<'_>,
    (simd, threads): (Simd, usize),
) -> Result<EpochStats> {
    let mut stats = EpochStats::default();
    for (i, order) in run.order.chunks(CHUNK).enumerate() {
        let replay = run.replay.map(|replay| &replay[i * CHUNK..][..order.len()]);
        let chunk = TrainingRun { order, settings: run.settings, replay };
        let parameters = rules.count * rules.dims;
        let worker_count = threads.min(parameters / MIN_WORK_PER_THREAD).min(rules.blocks.len()).max(1);
        stats.add(train_chunk(worker_count, rules, samples, &chunk, simd)?);
    }
    Ok(stats)
}

/// Trains one chunk with `worker_count` threads.
fn train_chunk(
    worker_count: usize,
    rules: &mut RuleBlocks,
    samples: &ScaledSamples,
    chunk: &TrainingRun<'_>,
    simd: Simd,
) -> Result<EpochStats> {
    let group =
        WorkerGroup::new(worker_count, (rules.count + chunk.order.len()).next_multiple_of(rules.lanes));
    let mut workers = Worker::create_group(rules, &group, simd);
    // The workers start only after all threads have been created.
    let (started, canceled) = (AtomicBool::new(false), AtomicBool::new(false));
    let stats = std::thread::scope(|scope| {
        let (first, others) = workers.split_first_mut().expect("invariant: a group has at least one worker");
        for worker in others {
            let (started, canceled) = (&started, &canceled);
            let work = move || {
                while !started.load(Ordering::Acquire) {
                    if canceled.load(Ordering::Acquire) {
                        return;
                    }
                    std::thread::yield_now();
                }
                worker.learn(samples, chunk);
            };
            if let Err(error) = std::thread::Builder::new().spawn_scoped(scope, work) {
                canceled.store(true, Ordering::Release);
                let reason = error.to_string();
                return Err(DeviceError::ThreadPool { threads: worker_count, reason }.into());
            }
        }
        started.store(true, Ordering::Release);
        Ok(first.learn(samples, chunk))
    });
    Worker::gather(workers, rules);
    stats
}
