//! What this processor can do at most: the speed of a plain copy and the rate of multiply-adds.
//!
//! Every benchmark states its time as a share of what these two allow.

mod bus;
mod cpu;
mod cuda;

use super::measure::{Floor, Measurement};
use super::{Check, Device, Processor};
use crate::error::Result;
use crate::progress::Progress;

/// The two roofs of a processor, measured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ceilings {
    /// Bytes per second of a plain copy, counting those read and those written.
    pub(crate) copy: f64,
    /// Single-precision operations per second in multiply-adds, two each.
    pub(crate) multiply_add_f32: f64,
    /// Double-precision operations per second.
    pub(crate) multiply_add_f64: f64,
}

impl Ceilings {
    /// Measures them.
    pub(crate) fn measure(device: &Device, progress: Progress<'_>) -> Result<Self> {
        Ok(Timed::measure(device, progress)?.ceilings())
    }
}

/// How long a known amount of work took.
struct Timed {
    /// (bytes, seconds)
    copy: (f64, f64),
    /// (operations, seconds)
    multiply_add_f32: (f64, f64),
    multiply_add_f64: (f64, f64),
}

impl Timed {
    fn measure(device: &Device, progress: Progress<'_>) -> Result<Self> {
        let processor = device.processor(false);
        match &processor {
            Processor::Cpu(cpu) => cpu::measure(cpu, &processor, progress),
            Processor::Cuda(cuda) => cuda::measure(cuda, &processor, progress),
        }
    }

    fn ceilings(&self) -> Ceilings {
        let rate = |(amount, seconds): (f64, f64)| amount / seconds;
        Ceilings {
            copy: rate(self.copy),
            multiply_add_f32: rate(self.multiply_add_f32),
            multiply_add_f64: rate(self.multiply_add_f64),
        }
    }
}

/// The benchmark `ceilings`: the roofs themselves, each at a share of 1 by definition, and on a GPU how near the bus
/// comes to its own when both directions are busy.
pub(crate) fn bench(device: &Device, progress: Progress<'_>) -> Result<Vec<Measurement>> {
    let timed = Timed::measure(device, progress)?;
    let ceilings = timed.ceilings();
    let line = |name: &str, (amount, seconds): (f64, f64), unit, floor| {
        Measurement::new(name.into(), device, seconds, (amount, unit), floor, &ceilings)
    };
    let (bytes, single, double) = (timed.copy.0, timed.multiply_add_f32.0, timed.multiply_add_f64.0);
    let mut measurements = vec![
        line("ceilings/copy", timed.copy, "B/s", Floor { bytes, ..Floor::default() }),
        line(
            "ceilings/multiply-add/f32",
            timed.multiply_add_f32,
            "flop/s",
            Floor { operations_f32: single, ..Floor::default() },
        ),
        line(
            "ceilings/multiply-add/f64",
            timed.multiply_add_f64,
            "flop/s",
            Floor { operations_f64: double, ..Floor::default() },
        ),
    ];
    if let Processor::Cuda(cuda) = device.processor(false) {
        measurements.extend(bus::bench(cuda, device, progress)?);
    }
    Ok(measurements)
}

/// Every program of this folder in its typical specialisations.
#[cfg(test)]
pub(crate) fn programs() -> Vec<super::cuda::Program> {
    ["float", "double"].map(cuda::program).to_vec()
}

/// Compares the kernels behind the ceilings, and the machinery they stand on, with the host.
pub(crate) fn checks(device: &Device) -> Result<Vec<Check>> {
    match device.processor(false) {
        Processor::Cpu(cpu) => Ok(cpu::checks(cpu)),
        Processor::Cuda(cuda) => cuda::checks(cuda),
    }
}

/// The multiply-add chain both back ends run: x ← x·scale + shift, `steps` times, as the oracle computes it.
fn chain(start: f64, steps: usize) -> f64 {
    (0..steps).fold(start, |x, _| x.mul_add(SCALE, SHIFT))
}

/// Converges to 2 from any start, so that chains of any length stay finite and far from subnormal numbers.
const SCALE: f64 = 0.5;
const SHIFT: f64 = 1.0;

#[cfg(test)]
mod tests;
