//! Timing of benchmarks: the median after warm-up, relative to ceilings measured in the same run.

use fuzzion::internals::device::Processor;
use fuzzion::{Device, Progress, Result};
use serde::Serialize;
use std::time::Instant;

/// Number of timed runs per benchmark, of which the median is taken.
const RUNS: usize = 9;

/// Number of untimed runs that warm up caches, clocks and compilers.
const WARM_UP: usize = 2;

/// Result of one benchmark.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Measurement {
    /// Name, including sizes.
    pub name: String,
    /// Device.
    pub device: String,
    /// Median time of one run in seconds.
    pub seconds: f64,
    /// Number of timed runs.
    pub runs: usize,
    /// Amount of work per second.
    pub throughput: f64,
    /// Unit of the throughput.
    pub unit: &'static str,
    /// Fraction of the ceiling reached: the minimum possible time divided by the measured time.
    pub fraction: f64,
    /// The limiting ceiling.
    pub ceiling: &'static str,
    /// Additional information.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Measured ceilings of a processor.
#[derive(Clone, Copy, Debug)]
pub struct Ceilings {
    /// Copy bandwidth in bytes per second, counting bytes read and bytes written.
    pub copy: f64,
    /// Single-precision operations per second; a multiply-add counts as two.
    pub multiply_add_f32: f64,
    /// Double-precision operations per second.
    pub multiply_add_f64: f64,
}

/// Minimum work of a benchmark.
#[derive(Clone, Copy, Debug, Default)]
pub struct MinimumWork {
    /// Number of bytes read and written, each counted once.
    pub bytes: f64,
    /// Number of single-precision operations; a fused multiply-add counts as two.
    pub operations_f32: f64,
    /// Number of double-precision operations.
    pub operations_f64: f64,
}

impl Measurement {
    /// Result of a run that processed `amount` of `unit` in `seconds` and requires at least the work `minimum`.
    pub fn new(
        name: String,
        device: &Device,
        seconds: f64,
        (amount, unit): (f64, &'static str),
        minimum: MinimumWork,
        ceilings: &Ceilings,
    ) -> Self {
        let copy = minimum.bytes / ceilings.copy;
        let multiply_add = minimum.operations_f32 / ceilings.multiply_add_f32
            + minimum.operations_f64 / ceilings.multiply_add_f64;
        let bound =
            if copy >= multiply_add { (copy, "copy bandwidth") } else { (multiply_add, "multiply-add rate") };
        Measurement::with_bound(name, device, seconds, (amount, unit), bound)
    }

    /// Result of a run whose minimum time is `min_seconds` because of `ceiling`.
    pub fn with_bound(
        name: String,
        device: &Device,
        seconds: f64,
        (amount, unit): (f64, &'static str),
        (min_seconds, ceiling): (f64, &'static str),
    ) -> Self {
        Measurement {
            name,
            device: device.to_string(),
            seconds,
            runs: RUNS,
            throughput: amount / seconds,
            unit,
            fraction: min_seconds / seconds,
            ceiling,
            note: None,
        }
    }
}

/// Median time of `work` in seconds, measured by GPU events or the host clock.
pub(crate) fn median_seconds(
    processor: &Processor<'_>,
    progress: &Progress,
    mut work: impl FnMut() -> Result<()>,
) -> Result<f64> {
    match processor {
        Processor::Cpu(_) => median_host_seconds(progress, work),
        Processor::Cuda(cuda) => median(progress, || cuda.time(&mut work)),
    }
}

/// Like [`median_seconds`], always measured by the host clock, for work that synchronizes by itself.
pub(crate) fn median_host_seconds(progress: &Progress, mut work: impl FnMut() -> Result<()>) -> Result<f64> {
    median(progress, || {
        let start = Instant::now();
        work()?;
        Ok(start.elapsed().as_secs_f64())
    })
}

fn median(progress: &Progress, mut timed: impl FnMut() -> Result<f64>) -> Result<f64> {
    let mut times = Vec::with_capacity(RUNS);
    for run in 0..WARM_UP + RUNS {
        progress.report(run as u64, (WARM_UP + RUNS) as u64)?;
        let seconds = timed()?;
        if run >= WARM_UP {
            times.push(seconds);
        }
    }
    times.sort_by(f64::total_cmp);
    Ok(times[RUNS / 2])
}
