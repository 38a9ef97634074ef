//! Creates learners for a device.

use super::cpu::CpuLearner;
#[cfg(feature = "cuda")]
use super::cuda::{CudaLearner, DeviceRows, prefetch};
use super::learner::BatchLearner;
use super::types::network::Network;
use super::types::options::Mapping;
use super::types::scaled_samples::ScaledSamples;
use crate::device::{Device, Processor};
use crate::sonfin::error::Result;
#[cfg(feature = "cuda")]
use std::sync::OnceLock;

/// Rules times inputs, summed over all networks, and number of rows, below which a CPU trains faster than a GPU: there the
/// exchange between blocks dominates, or the time to open the GPU.
const MIN_GPU_WORK: usize = 1 << 12;
const MIN_GPU_ROWS: usize = 1 << 12;

/// Samples on a device; the only type that distinguishes back ends. Its learners share one copy of the samples on a GPU.
pub(super) struct BackEnd<'a> {
    pub(super) samples: &'a ScaledSamples,
    pub(super) device: &'a Device,
    #[cfg(feature = "cuda")]
    rows: OnceLock<DeviceRows>,
}

impl<'a> BackEnd<'a> {
    pub(super) fn new(samples: &'a ScaledSamples, device: &'a Device) -> Self {
        BackEnd {
            samples,
            device,
            #[cfg(feature = "cuda")]
            rows: OnceLock::new(),
        }
    }

    /// Processor for networks with these numbers of rules.
    fn processor(&self, rules: &[usize]) -> Processor<'a> {
        // Small networks may still grow, so count at least 256 rules for each.
        let rules: usize = rules.iter().map(|rules| rules.max(&256)).sum();
        let small = rules * self.samples.dims < MIN_GPU_WORK || self.samples.rows() < MIN_GPU_ROWS;
        self.device.processor(small)
    }

    /// Whether networks with these numbers of rules are trained on a CPU.
    pub(super) fn is_cpu(&self, rules: &[usize]) -> bool {
        matches!(self.processor(rules), Processor::Cpu(_))
    }

    /// Starts compiling the kernels that train networks of up to these numbers of rules: online, and with Adam.
    #[cfg_attr(not(feature = "cuda"), allow(unused_variables))]
    pub(super) fn prefetch(&self, online: &[usize], adam: &[usize], mapping: Mapping) {
        #[cfg(feature = "cuda")]
        for (rules, is_adam) in [(adam, true), (online, false)] {
            if let (Processor::Cuda(cuda), false) = (self.processor(rules), rules.is_empty()) {
                prefetch(self.samples, rules, is_adam, mapping, cuda);
            }
        }
    }

    /// A learner for these networks.
    #[cfg_attr(not(feature = "cuda"), allow(unused_variables))]
    pub(super) fn learner(
        &self,
        networks: &[Network],
        mapping: Mapping,
    ) -> Result<Box<dyn BatchLearner + 'a>> {
        let rules: Vec<usize> = networks.iter().map(Network::rules).collect();
        Ok(match self.processor(&rules) {
            Processor::Cpu(cpu) => Box::new(CpuLearner::new(self.samples, networks, cpu)),
            #[cfg(feature = "cuda")]
            Processor::Cuda(cuda) => {
                let rows = match self.rows.get() {
                    Some(rows) => rows.clone(),
                    None => {
                        let rows = DeviceRows::new(self.samples, cuda)?;
                        self.rows.get_or_init(|| rows).clone()
                    }
                };
                Box::new(CudaLearner::with_rows(rows, networks, cuda, mapping)?)
            }
        })
    }
}

/// A single learner for these samples and networks.
pub(super) fn new_learner<'a>(
    samples: &'a ScaledSamples,
    networks: &[Network],
    device: &'a Device,
    mapping: Mapping,
) -> Result<Box<dyn BatchLearner + 'a>> {
    BackEnd::new(samples, device).learner(networks, mapping)
}
