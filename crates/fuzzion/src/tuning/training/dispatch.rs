//! Choice of the back end for a device.

use crate::device::{Device, Operation, Processor};
use crate::tuning::cpu::CpuBackend;
#[cfg(feature = "cuda")]
use crate::tuning::cuda::{CudaBackend, MultiGpu, prefetch::FitShape};
use crate::tuning::error::Result;
use crate::tuning::network::Network;
#[cfg(feature = "cuda")]
use crate::tuning::settings::TrainingMethod;
use crate::tuning::settings::{InitialRules, Tuner};
use crate::tuning::training::backend::Backend;
use crate::tuning::training::descent::DescentSettings;
use crate::tuning::training::samples::ScaledSamples;

/// Number of rules of a typical system; the actual number may depend on the data.
const TYPICAL_RULES: usize = 32;

/// The device that trains: the CPU for methods that run on it only; for the device `best`, the faster one for this number of
/// rows and columns.
pub(in crate::tuning) fn device_for(
    tuner: &Tuner,
    (rows, columns): (usize, usize),
    device: &Device,
) -> Device {
    if tuner.method.is_cpu_only() || matches!(tuner.initial_rules, InitialRules::Tree { .. }) {
        return device.cpu_only();
    }
    let values = (rows * columns) as f64;
    let work = values * (TYPICAL_RULES * tuner.iterations.max(1)) as f64;
    device.resolve(device.prefers_cpu(Operation::Tuning, work, values * size_of::<f64>() as f64))
}

/// Back end for `samples` on `device`; `work` is rows × unknowns × passes over the rows, for the device `best`.
pub(in crate::tuning) fn backend_for<'a>(
    samples: &'a ScaledSamples,
    work: f64,
    device: &'a Device,
) -> Result<Box<dyn Backend + 'a>> {
    let columns = samples.inputs.len() + samples.targets.len();
    let bytes = (samples.rows() * columns * size_of::<f64>()) as f64;
    #[cfg(feature = "cuda")]
    if let Some(cudas) = device.multiple_gpus() {
        return Ok(Box::new(MultiGpu::new(samples, cudas, device.host_cpu())?));
    }
    Ok(match device.processor(device.prefers_cpu(Operation::Tuning, work, bytes)) {
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
    if let Processor::Cuda(first) = device.processor(false) {
        let cudas = device.multiple_gpus().unwrap_or(std::slice::from_ref(first));
        let descends = matches!(tuner.method, TrainingMethod::Hybrid | TrainingMethod::Gradient);
        // Several GPUs exchange sums in every iteration.
        let step = (descends && cudas.len() == 1).then_some(tuner.step);
        let fuzzy_c_means = matches!(tuner.initial_rules, InitialRules::FuzzyCMeans(_));
        let rows = rows.div_ceil(cudas.len());
        let shape = FitShape { network, rows, weighted, settings, step, fuzzy_c_means };
        cudas.iter().for_each(|cuda| cuda.prefetch(shape.programs(cuda)));
    }
    #[cfg(not(feature = "cuda"))]
    let _ = (tuner, settings, network, rows, weighted, device);
}
