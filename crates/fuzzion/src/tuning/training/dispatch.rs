//! Choice of the back end for a device.

use crate::device::{Device, Processor};
use crate::tuning::cpu::CpuBackend;
#[cfg(feature = "cuda")]
use crate::tuning::cuda::{CudaBackend, prefetch::FitShape};
use crate::tuning::error::Result;
use crate::tuning::network::Network;
use crate::tuning::settings::Tuner;
#[cfg(feature = "cuda")]
use crate::tuning::settings::{InitialRules, TrainingMethod};
use crate::tuning::training::backend::Backend;
use crate::tuning::training::descent::DescentSettings;
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

/// Starts compiling the kernels for training a network of the shape of `network` on `rows` rows, with weights if
/// `weighted`; nothing on a CPU.
pub(in crate::tuning) fn prefetch(
    tuner: &Tuner,
    settings: &DescentSettings,
    network: &Network,
    (rows, weighted): (usize, bool),
    device: &Device,
) {
    #[cfg(feature = "cuda")]
    if let Processor::Cuda(cuda) = device.processor(rows < MIN_GPU_ROWS) {
        let descends = matches!(tuner.method, TrainingMethod::Hybrid | TrainingMethod::Gradient);
        let step = descends.then_some(tuner.step);
        let fuzzy_c_means = matches!(tuner.initial_rules, InitialRules::FuzzyCMeans(_));
        let shape = FitShape { network, rows, weighted, settings, step, fuzzy_c_means };
        cuda.prefetch(shape.programs(cuda));
    }
    #[cfg(not(feature = "cuda"))]
    let _ = (tuner, settings, network, rows, weighted, device);
}
