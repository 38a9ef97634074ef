//! Measurement, benchmark and self-test of the ceilings.

use super::super::{Ceilings, Check, Measurement, MinimumWork};
use super::chain::Timed;
use super::{bus, cpu, cuda};
use fuzzion::internals::device::Processor;
use fuzzion::{Device, Progress, Result};

impl Ceilings {
    /// Measures the ceilings of `device`.
    pub fn measure(device: &Device, progress: &Progress) -> Result<Self> {
        Ok(measure(device, progress)?.ceilings())
    }
}

fn measure(device: &Device, progress: &Progress) -> Result<Timed> {
    let processor = device.processor(false);
    match &processor {
        Processor::Cpu(cpu) => cpu::measure(cpu, &processor, progress),
        Processor::Cuda(cuda) => Ok(cuda::measure(cuda, &processor, progress)?),
    }
}

/// The benchmark `ceilings`: the ceilings themselves, each with a fraction of 1 by definition, and on a GPU the bus
/// bandwidth with both directions busy.
pub(crate) fn bench(device: &Device, progress: &Progress) -> Result<Vec<Measurement>> {
    let timed = measure(device, progress)?;
    let ceilings = timed.ceilings();
    let line = |name: &str, (amount, seconds): (f64, f64), unit, minimum| {
        Measurement::new(name.into(), device, seconds, (amount, unit), minimum, &ceilings)
    };
    let (bytes, single, double) = (timed.copy.0, timed.multiply_add_f32.0, timed.multiply_add_f64.0);
    let mut measurements = vec![
        line("ceilings/copy", timed.copy, "B/s", MinimumWork { bytes, ..MinimumWork::default() }),
        line(
            "ceilings/multiply-add/f32",
            timed.multiply_add_f32,
            "flop/s",
            MinimumWork { operations_f32: single, ..MinimumWork::default() },
        ),
        line(
            "ceilings/multiply-add/f64",
            timed.multiply_add_f64,
            "flop/s",
            MinimumWork { operations_f64: double, ..MinimumWork::default() },
        ),
    ];
    if let Processor::Cuda(cuda) = device.processor(false) {
        measurements.extend(bus::bench(cuda, device, progress)?);
    }
    Ok(measurements)
}

/// Compares the kernels of the ceilings, and the device infrastructure, with the host.
pub(crate) fn checks(device: &Device) -> Result<Vec<Check>> {
    match device.processor(false) {
        Processor::Cpu(cpu) => Ok(cpu::checks(cpu)),
        Processor::Cuda(cuda) => cuda::checks(cuda, &[0, 1, 3, 255, 4097, 1_000_003]),
    }
}
