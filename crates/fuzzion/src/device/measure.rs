//! Timing in the house's way: a median after warm-up, beside the ceiling measured in the same run.

use super::{Ceilings, Device, Processor};
use crate::error::Result;
use crate::progress::Progress;
use serde::Serialize;
use std::time::Instant;

/// Timed runs per benchmark; the median of them counts.
const RUNS: usize = 9;

/// Runs that only warm caches, clocks and compilers up.
const WARM_UP: usize = 2;

/// One benchmark's outcome.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Measurement {
    /// What was timed, sizes included.
    pub name: String,
    /// Where.
    pub device: String,
    /// Median seconds of one run.
    pub seconds: f64,
    /// How many runs the median is of.
    pub runs: usize,
    /// How much was done per second.
    pub throughput: f64,
    /// Of what.
    pub unit: &'static str,
    /// The share of the ceiling reached: the least possible time over the time taken.
    pub fraction: f64,
    /// Which ceiling is the nearer one.
    pub ceiling: &'static str,
    /// What else there is to say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// The least a benchmark must do.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Floor {
    /// Bytes read and written, each once.
    pub(crate) bytes: f64,
    /// Single-precision operations, a fused multiply-add being two.
    pub(crate) operations_f32: f64,
    /// Double-precision operations.
    pub(crate) operations_f64: f64,
}

impl Measurement {
    /// The outcome of a run that took `seconds` for `amount` of `unit` and could not have taken less than `floor`.
    pub(crate) fn new(
        name: String,
        device: &Device,
        seconds: f64,
        (amount, unit): (f64, &'static str),
        floor: Floor,
        ceilings: &Ceilings,
    ) -> Self {
        let copying = floor.bytes / ceilings.copy;
        let adding = floor.operations_f32 / ceilings.multiply_add_f32
            + floor.operations_f64 / ceilings.multiply_add_f64;
        let nearer =
            if copying >= adding { (copying, "copy bandwidth") } else { (adding, "multiply-add rate") };
        Measurement::against(name, device, seconds, (amount, unit), nearer)
    }

    /// The outcome of a run that could not have taken less than `least` seconds because of `ceiling`.
    pub(crate) fn against(
        name: String,
        device: &Device,
        seconds: f64,
        (amount, unit): (f64, &'static str),
        (least, ceiling): (f64, &'static str),
    ) -> Self {
        Measurement {
            name,
            device: device.to_string(),
            seconds,
            runs: RUNS,
            throughput: amount / seconds,
            unit,
            fraction: least / seconds,
            ceiling,
            note: None,
        }
    }
}

/// The median time of `work` in seconds, by GPU events or the host's clock.
pub(crate) fn median_seconds(
    processor: &Processor<'_>,
    progress: Progress<'_>,
    mut work: impl FnMut() -> Result<()>,
) -> Result<f64> {
    match processor {
        Processor::Cpu(_) => median_host_seconds(progress, work),
        Processor::Cuda(cuda) => median(progress, || cuda.time(&mut work)),
    }
}

/// As [`median_seconds`], always by the host's clock: for work that waits for its own end.
pub(crate) fn median_host_seconds(
    progress: Progress<'_>,
    mut work: impl FnMut() -> Result<()>,
) -> Result<f64> {
    median(progress, || {
        let start = Instant::now();
        work()?;
        Ok(start.elapsed().as_secs_f64())
    })
}

fn median(progress: Progress<'_>, mut timed: impl FnMut() -> Result<f64>) -> Result<f64> {
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
