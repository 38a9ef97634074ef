//! Several GPUs that share the rows: each sweeps its own, and the sums, which are small and must come to the host for the
//! next step anyway, are joined there in the order of the GPUs.

use super::Resident;
use super::{Memory, Samples};
use crate::clustering::prototypes::Prototypes;
use crate::clustering::rows::Rows;
use crate::clustering::sums::{Sums, Want};
use crate::clustering::survey::{Ask, Survey};
use crate::device::{Cpu, Cuda};
use crate::error::{Error, Result};
use std::thread;

/// Rows in the host's memory, a part of them on each GPU.
pub(in crate::clustering) struct Together<'a> {
    samples: Samples<'a>,
    cpu: Cpu,
    parts: Vec<Resident<'a>>,
}

impl<'a> Together<'a> {
    pub(in crate::clustering) fn new(samples: Samples<'a>, cudas: &'a [Cuda]) -> Result<Self> {
        let rows = samples.values.len() / samples.names.len();
        let part = rows.div_ceil(cudas.len()).max(1);
        let parts = samples.pieces(part).zip(cudas).map(|(part, cuda)| Resident::new(part, cuda));
        Ok(Together { samples, cpu: Cpu::new()?, parts: parts.collect::<Result<_>>()? })
    }

    /// What each part answers, all at the same time.
    fn ask<R: Send>(&mut self, work: impl Fn(&mut Resident<'a>) -> Result<R> + Sync) -> Result<Vec<R>> {
        thread::scope(|scope| {
            let work = &work;
            let asked: Vec<_> = self.parts.iter_mut().map(|part| scope.spawn(move || work(part))).collect();
            let panicked =
                |_| Err(Error::Cuda { doing: "sharing a pass", reason: "a thread panicked".into() });
            asked.into_iter().map(|answer| answer.join().unwrap_or_else(panicked)).collect()
        })
    }
}

impl Rows for Together<'_> {
    fn survey(&mut self, ask: Ask) -> Result<Survey> {
        Memory::new(self.samples, &self.cpu).survey(ask)
    }

    fn sweep(&mut self, prototypes: &[&Prototypes], want: Want) -> Result<Vec<Sums>> {
        let mut answers = self.ask(|part| part.sweep(prototypes, want))?.into_iter();
        let mut totals = answers.next().unwrap_or_default();
        for sums in answers {
            totals.iter_mut().zip(&sums).for_each(|(total, sums)| total.add(sums));
        }
        Ok(totals)
    }

    fn change(&mut self, steps: &[(&Prototypes, &Prototypes)]) -> Result<Vec<f64>> {
        let mut most = vec![0.0f64; steps.len()];
        for changes in self.ask(|part| part.change(steps))? {
            most.iter_mut().zip(changes).for_each(|(most, change)| *most = most.max(change));
        }
        Ok(most)
    }

    fn gather(&mut self, rows: &[u64]) -> Result<(Vec<f64>, Vec<f64>)> {
        Memory::new(self.samples, &self.cpu).gather(rows)
    }

    fn visit(&mut self, take: &mut dyn FnMut(&[f64], &[f64])) -> Result<()> {
        Memory::new(self.samples, &self.cpu).visit(take)
    }
}
