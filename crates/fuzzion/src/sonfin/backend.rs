//! Creates the learner for a device.

use super::cpu::CpuLearner;
#[cfg(feature = "cuda")]
use super::cuda::CudaLearner;
use super::learner::Learner;
use super::types::network::Network;
use super::types::options::Mapping;
use super::types::scaled_samples::ScaledSamples;
use crate::device::{Device, Processor};
use crate::sonfin::error::Result;

/// Rules times inputs, summed over all networks, below which a CPU trains faster than a GPU, where the exchange
/// between blocks dominates.
const MIN_GPU_WORK: usize = 1 << 16;

/// Creates the learner for the device; the only place that distinguishes back ends.
#[cfg_attr(not(feature = "cuda"), allow(unused_variables))]
pub(super) fn new_learner<'a>(
    samples: &'a ScaledSamples,
    networks: &[Network],
    device: &Device,
    mapping: Mapping,
) -> Result<Box<dyn Learner + 'a>> {
    // Small networks may still grow, so count at least 256 rules for each.
    let rules: usize = networks.iter().map(|network| network.rules().max(256)).sum();
    let small = rules * samples.dims < MIN_GPU_WORK;
    Ok(match device.processor(small) {
        Processor::Cpu(cpu) => Box::new(CpuLearner::new(samples, networks, cpu)),
        #[cfg(feature = "cuda")]
        Processor::Cuda(cuda) => Box::new(CudaLearner::new(samples, networks, cuda, mapping)?),
    })
}
