//! On-line learning on the CPU: rules side by side in vectors, and only those within reach of a sample are moved.

mod answer;
mod lesson;
mod outputs;
mod pupil;
mod rules;
mod sample;
mod sweep;
mod team;

use super::learner::{Learner, Lesson, Tally};
use super::network::Network;
use super::samples::Samples;
use crate::device::Cpu;
use crate::error::Result;
use rayon::prelude::*;
use rules::Rules;

/// Networks in this machine's memory.
pub(super) struct OnCpu<'a> {
    samples: &'a Samples,
    cpu: Cpu,
    networks: Vec<Rules>,
}

impl<'a> OnCpu<'a> {
    pub(super) fn new(samples: &'a Samples, networks: &[Network], cpu: &Cpu) -> Self {
        let networks = networks.iter().map(|network| Rules::new(network, cpu.simd())).collect();
        OnCpu { samples, cpu: cpu.clone(), networks }
    }
}

impl Learner for OnCpu<'_> {
    fn learn(&mut self, lessons: &[Lesson<'_>]) -> Result<Vec<Tally>> {
        let (samples, networks) = (self.samples, &mut self.networks);
        // Networks that learn at the same time share the threads.
        let each = (self.cpu.simd(), (self.cpu.threads() / lessons.len().max(1)).max(1));
        let learn = |(rules, lesson): (&mut Rules, &Lesson<'_>)| lesson::learn(rules, samples, lesson, each);
        self.cpu.run(|| networks.par_iter_mut().zip(lessons).map(learn).collect())
    }

    fn network(&mut self, index: usize) -> Result<Network> {
        Ok(self.networks[index].network())
    }

    fn replace(&mut self, index: usize, network: &Network) -> Result<()> {
        self.networks[index] = Rules::new(network, self.cpu.simd());
        Ok(())
    }

    fn outputs(&mut self, index: usize, rows: &[u32]) -> Result<Vec<f32>> {
        Ok(outputs::outputs(&self.networks[index], self.samples, rows, &self.cpu))
    }
}
