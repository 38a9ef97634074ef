//! Selects the back end for a device.

use crate::clustering::cpu::{CpuRows, CpuStream};
#[cfg(feature = "cuda")]
use crate::clustering::cuda::{self, MultiGpu, Resident, Streamed};
use crate::clustering::error::Result;
use crate::clustering::prototypes::Prototypes;
use crate::clustering::rows::backend::RowBackend;
use crate::clustering::rows::output::MembershipOutput;
use crate::clustering::rows::source::RowSource;
use crate::data::{DeviceSamples, Samples};
use crate::device::{Device, Operation, Processor};

/// Typical number of iterations of a fit.
const TYPICAL_ITERATIONS: f64 = 20.0;

/// Whether the device `best` fits `clusters` clusters, in all fits together, to rows in host memory on the CPU.
pub(super) fn prefers_cpu(samples: &Samples<'_>, clusters: usize, device: &Device) -> bool {
    let values = (samples.rows() * samples.columns()) as f64;
    let work = values * clusters as f64 * TYPICAL_ITERATIONS;
    device.prefers_cpu(Operation::Clustering, work, values * samples.precision().bytes() as f64)
}

/// Creates the back end for fits of `clusters` clusters, in all fits together, to the rows of `source`.
pub(super) fn backend_for<'a>(
    source: RowSource<'a>,
    clusters: usize,
    device: &'a Device,
) -> Result<Box<dyn RowBackend + 'a>> {
    #[cfg(feature = "cuda")]
    let host = device.host_cpu();
    // Reading batches takes longer than computing, so they are processed on the CPU unless a GPU was requested by name.
    let small = match &source {
        RowSource::Memory(samples) => {
            samples.require_device(device)?;
            !samples.is_on_gpu() && prefers_cpu(samples, clusters, device)
        }
        RowSource::Batches(_) => true,
    };
    #[cfg(feature = "cuda")]
    if let (RowSource::Memory(samples), Some(cudas)) = (&source, device.multiple_gpus()) {
        return Ok(Box::new(MultiGpu::new(samples, cudas, host)?));
    }
    Ok(match (source, device.processor(small)) {
        (RowSource::Memory(samples), Processor::Cpu(cpu)) => Box::new(CpuRows::new(samples, cpu)),
        (RowSource::Batches(batches), Processor::Cpu(cpu)) => Box::new(CpuStream::new(batches, cpu)),
        #[cfg(feature = "cuda")]
        (RowSource::Memory(samples), Processor::Cuda(cuda)) => {
            Box::new(Resident::new(samples.clone(), cuda, host)?)
        }
        #[cfg(feature = "cuda")]
        (RowSource::Batches(batches), Processor::Cuda(cuda)) => Box::new(Streamed::new(batches, cuda, host)),
    })
}

/// Computes the memberships of rows in memory.
pub(super) fn compute_memberships(
    samples: &Samples<'_>,
    prototypes: &Prototypes,
    out: MembershipOutput<'_>,
    device: &Device,
) -> Result<()> {
    samples.require_device(device)?;
    #[cfg(feature = "cuda")]
    if let Some(cudas) = device.multiple_gpus() {
        return cuda::memberships_on_gpus(samples, cudas, prototypes, out, device.progress());
    }
    // The transfer of the rows dominates, so the CPU is used unless they are in GPU memory or a GPU was requested by name.
    match device.processor(!samples.is_on_gpu()) {
        Processor::Cpu(cpu) => CpuRows::new(samples, cpu).memberships(prototypes, out),
        #[cfg(feature = "cuda")]
        Processor::Cuda(cuda) => cuda::memberships(samples, cuda, prototypes, out, device.progress())?,
    }
    Ok(())
}

/// Computes the memberships of rows in the memory of a GPU, which stay there; `None` if the rows are elsewhere.
#[cfg_attr(not(feature = "cuda"), allow(unused_variables))]
pub(super) fn memberships_in_gpu_memory(
    samples: &Samples<'_>,
    prototypes: &Prototypes,
    names: &[String],
    device: &Device,
) -> Result<Option<DeviceSamples<'static>>> {
    samples.require_device(device)?;
    match device.processor(!samples.is_on_gpu()) {
        #[cfg(feature = "cuda")]
        Processor::Cuda(cuda) if samples.is_on_gpu() => {
            cuda::memberships_in_gpu_memory(samples, cuda, prototypes, names.to_vec()).map(Some)
        }
        _ => Ok(None),
    }
}

/// Fails if a value is missing or infinite.
pub(super) fn require_finite(samples: &Samples<'_>, device: &Device) -> Result<()> {
    samples.require_device(device)?;
    match device.processor(!samples.is_on_gpu()) {
        #[cfg(feature = "cuda")]
        Processor::Cuda(cuda) if samples.is_on_gpu() => cuda::require_finite(samples, cuda),
        _ => Ok(samples.require_finite_on(device.host_cpu())?),
    }
}
