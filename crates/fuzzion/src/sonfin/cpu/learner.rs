//! The learner of the CPU back end.

use super::rule_blocks::RuleBlocks;
use super::{outputs, parallel};
use crate::device::Cpu;
use crate::sonfin::error::Result;
use crate::sonfin::learner::{BatchLearner, BatchRun, EpochStats, Learner, TrainingRun};
use crate::sonfin::types::adam::Adam;
use crate::sonfin::types::network::Network;
use crate::sonfin::types::scaled_samples::ScaledSamples;
use rayon::prelude::*;

/// Networks in host memory.
pub struct CpuLearner<'a> {
    samples: &'a ScaledSamples,
    cpu: Cpu,
    networks: Vec<RuleBlocks>,
    /// State of Adam for each network; empty during online training.
    adam: Vec<Adam>,
}

impl<'a> CpuLearner<'a> {
    pub fn new(samples: &'a ScaledSamples, networks: &[Network], cpu: &Cpu) -> Self {
        let networks = networks.iter().map(|network| RuleBlocks::new(network, cpu.simd())).collect();
        CpuLearner { samples, cpu: cpu.clone(), networks, adam: Vec::new() }
    }
}

impl Learner for CpuLearner<'_> {
    fn learn(&mut self, runs: &[TrainingRun<'_>]) -> Result<Vec<EpochStats>> {
        let (samples, networks) = (self.samples, &mut self.networks);
        // Networks trained concurrently share the threads.
        let simd_and_threads = (self.cpu.simd(), (self.cpu.threads() / runs.len().max(1)).max(1));
        let learn = |(rules, run): (&mut RuleBlocks, &TrainingRun<'_>)| {
            parallel::train(rules, samples, run, simd_and_threads)
        };
        self.cpu.run(|| networks.par_iter_mut().zip(runs).map(learn).collect())
    }

    fn network(&mut self, index: usize) -> Result<Network> {
        Ok(self.networks[index].network())
    }

    fn replace(&mut self, index: usize, network: &Network) -> Result<()> {
        self.networks[index] = RuleBlocks::new(network, self.cpu.simd());
        Ok(())
    }

    fn outputs(&mut self, index: usize, rows: &[u32]) -> Result<Vec<f32>> {
        Ok(outputs::outputs(&self.networks[index], self.samples, rows, &self.cpu))
    }
}

impl BatchLearner for CpuLearner<'_> {
    fn set_adam(&mut self, states: Vec<Adam>) -> Result<()> {
        self.adam = states;
        Ok(())
    }

    fn learn_batches(&mut self, runs: &[BatchRun<'_>]) -> Result<Vec<EpochStats>> {
        let (samples, cpu) = (self.samples, &self.cpu);
        let learn = |((rules, adam), run): ((&mut RuleBlocks, &mut Adam), &BatchRun<'_>)| {
            let mut network = rules.network();
            let stats = adam.learn(&mut network, samples, run, cpu);
            *rules = RuleBlocks::new(&network, cpu.simd());
            stats
        };
        Ok(self.networks.iter_mut().zip(&mut self.adam).zip(runs).map(learn).collect())
    }

    fn adam(&mut self, index: usize) -> Result<Adam> {
        Ok(self.adam[index].clone())
    }
}
