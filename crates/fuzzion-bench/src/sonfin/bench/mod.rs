//! Benchmarks of this module for `fuzzion bench`: training throughput for the shapes of Tseng (2012) and of known
//! data sets compared with a plain loop, and complete training runs.

mod cpu;
mod gpu;
pub(super) mod plain;
mod setup;
mod shapes;

use crate::device::{Ceilings, Measurement};
use fuzzion::internals::device::Processor;
use fuzzion::{Device, Progress, Result};
use setup::BenchSetup;

pub(crate) fn bench(device: &Device, progress: &Progress) -> Result<Vec<Measurement>> {
    match device.processor(false) {
        Processor::Cpu(cpu) => cpu::bench(device, cpu, progress),
        Processor::Cuda(cuda) => {
            let ceilings = Ceilings::measure(device, progress)?;
            gpu::bench(&BenchSetup { device, progress, ceilings, name: "planned" }, cuda)
        }
    }
}
