//! Choice of the back end for a device.

use crate::device::{Device, Processor};
use crate::tuning::cpu::CpuBackend;
#[cfg(feature = "cuda")]
use crate::tuning::cuda::CudaBackend;
use crate::tuning::error::Result;
use crate::tuning::training::backend::Backend;
use crate::tuning::training::samples::ScaledSamples;

/// Below this number of rows, the CPU is faster than launching GPU kernels.
const MIN_GPU_ROWS: usize = 1 << 12;

/// Back end for `samples` on `device`.
pub(in crate::tuning) fn backend_for<'a>(
    samples: &'a ScaledSamples,
    device: &'a Device,
) -> Result<Box<dyn Backend + 'a>> {
    Ok(match device.processor(samples.rows() < MIN_GPU_ROWS) {
        Processor::Cpu(cpu) => Box::new(CpuBackend::new(samples, cpu)),
        #[cfg(feature = "cuda")]
        Processor::Cuda(cuda) => Box::new(CudaBackend::new(samples, cuda, device.host_cpu())?),
    })
}
