//! Networks that learn on a GPU, by three mappings of their work to its threads.
//!
//! `resident` keeps networks on chip for a whole lesson; `atm` and `rule-per-block` launch kernels for every sample. Several
//! networks learn at once in the first, each on its own blocks, and one after another in the others.
#![allow(unsafe_code)] // launches

pub(super) mod encode;
pub(super) mod launched;
pub(super) mod layout;
pub(super) mod plan;
pub(super) mod resident;

use super::learner::{Learner, Lesson, Tally};
use super::network::Network;
use super::samples::Samples;
use super::settings::Mapping;
use crate::device::Cuda;
use crate::device::cuda::{Buffer, Grid};
use crate::error::Result;
use encode::{Lessons, Packed};
use launched::Recorded;
use layout::{Layout, Shape, TILE};
use std::marker::PhantomData;

/// Distances on the GPU at a time, while outputs of many rows are computed.
const DISTANCES: usize = 1 << 26;

/// Networks on a GPU.
pub(super) struct OnGpu<'a> {
    cuda: Cuda,
    shape: Shape,
    rows: Buffer<f32>,
    sent: Sent,
    /// Rules that each network has room for.
    most: usize,
    mapping: Mapping,
    /// The layout that is used instead of the planner's.
    fixed: Option<Layout>,
    /// The layout that was used last.
    used: Option<Layout>,
    recorded: Option<Recorded>,
    /// Clocks of the stages of the last resident lesson, where they are asked for.
    stages: Option<[i64; resident::STAGES.len()]>,
    samples: PhantomData<&'a Samples>,
}

/// Networks as kernels read them.
struct Sent {
    a: Buffer<f32>,
    c: Buffer<f32>,
    w: Buffer<f32>,
    rules: Buffer<i32>,
}

impl Sent {
    fn new(packed: &Packed, cuda: &Cuda) -> Result<Self> {
        Ok(Sent {
            a: cuda.upload(&packed.a)?,
            c: cuda.upload(&packed.c)?,
            w: cuda.upload(&packed.w)?,
            rules: cuda.upload(&packed.rules)?,
        })
    }

    fn packed(&self, cuda: &Cuda) -> Result<Packed> {
        Ok(Packed {
            a: cuda.download(&self.a)?,
            c: cuda.download(&self.c)?,
            w: cuda.download(&self.w)?,
            rules: cuda.download(&self.rules)?,
        })
    }
}

/// What kernels tell about lessons.
struct Told {
    losses: Vec<f64>,
    wrongs: Vec<u32>,
    /// Decisions of all lessons, one after another.
    grown: Vec<i32>,
}

impl<'a> OnGpu<'a> {
    pub(super) fn new(
        samples: &'a Samples,
        networks: &[Network],
        cuda: &Cuda,
        mapping: Mapping,
    ) -> Result<Self> {
        let shape = encode::shape_of(samples);
        let most = networks.iter().map(Network::rules).max().unwrap_or(0).max(1);
        Ok(OnGpu {
            cuda: cuda.clone(),
            shape,
            rows: cuda.upload(&encode::rows(samples, &shape))?,
            sent: Sent::new(&Packed::new(networks, &shape, most), cuda)?,
            most,
            mapping,
            fixed: None,
            used: None,
            recorded: None,
            stages: None,
            samples: PhantomData,
        })
    }

    /// As [`OnGpu::new`], in a given layout.
    pub(super) fn laid_out(
        samples: &'a Samples,
        networks: &[Network],
        cuda: &Cuda,
        layout: Layout,
    ) -> Result<Self> {
        let on_gpu = OnGpu::new(samples, networks, cuda, layout.mapping())?;
        Ok(OnGpu { fixed: Some(layout), ..on_gpu })
    }

    /// Keeps the clocks of the stages of resident lessons.
    pub(super) fn with_stages(mut self) -> Self {
        self.stages = Some(Default::default());
        self
    }

    /// Clocks of the stages of the last lesson.
    pub(super) fn stages(&self) -> Option<[i64; resident::STAGES.len()]> {
        self.stages
    }

    /// The layout of the last lesson.
    pub(super) fn layout(&self) -> Option<Layout> {
        self.used
    }

    /// How many networks there are.
    fn count(&self) -> usize {
        self.sent.rules.len()
    }

    /// Gives every network room for `most` rules.
    fn make_room(&mut self, most: usize) -> Result<()> {
        if most <= self.most {
            return Ok(());
        }
        let packed = self.sent.packed(&self.cuda)?;
        let networks: Vec<Network> =
            (0..self.count()).map(|n| packed.network(n, &self.shape, self.most)).collect();
        self.recorded = None; // it knows the places that are given back now
        self.sent = Sent::new(&Packed::new(&networks, &self.shape, most), &self.cuda)?;
        self.most = most;
        Ok(())
    }
}

impl Learner for OnGpu<'_> {
    fn learn(&mut self, lessons: &[Lesson<'_>]) -> Result<Vec<Tally>> {
        if lessons.iter().all(|lesson| lesson.order.is_empty()) {
            return Ok(vec![Tally::default(); lessons.len()]);
        }
        let rules = self.cuda.download(&self.sent.rules)?;
        // A replayed lesson may go past the most rules of its course.
        let most = lessons.iter().zip(&rules).map(|(lesson, rules)| {
            let replayed =
                lesson.replay.map_or(0, |r| r.iter().filter(|k| **k != super::learner::NONE).count());
            lesson.course.most_rules.max(*rules as usize + replayed)
        });
        self.make_room(most.max().unwrap_or(1))?;
        let layout = match self.fixed {
            Some(layout) => layout,
            None => plan::choose(&self.cuda, &self.shape, self.most, self.count(), self.mapping)?,
        };
        self.used = Some(layout);
        let all = Lessons::new(lessons);
        let told = self.learn_resident(layout, &all)?;
        let tally = |(n, part): (usize, &[i32])| Tally {
            loss: told.losses[n],
            wrong: u64::from(told.wrongs[n]),
            grown: told.grown[part[0] as usize..][..part[1] as usize].to_vec(),
        };
        Ok(all.parts.chunks_exact(2).enumerate().map(tally).collect())
    }

    fn network(&mut self, index: usize) -> Result<Network> {
        Ok(self.sent.packed(&self.cuda)?.network(index, &self.shape, self.most))
    }

    fn replace(&mut self, index: usize, network: &Network) -> Result<()> {
        let packed = self.sent.packed(&self.cuda)?;
        let mut networks: Vec<Network> =
            (0..self.count()).map(|n| packed.network(n, &self.shape, self.most)).collect();
        networks[index] = network.clone();
        self.recorded = None;
        self.most = self.most.max(network.rules());
        self.sent = Sent::new(&Packed::new(&networks, &self.shape, self.most), &self.cuda)?;
        Ok(())
    }

    fn outputs(&mut self, index: usize, rows: &[u32]) -> Result<Vec<f32>> {
        let cuda = &self.cuda;
        let rules = cuda.download(&self.sent.rules)?[index] as usize;
        let wide = self.shape.outputs;
        let mut all = vec![0.0; rows.len() * wide];
        if rules == 0 {
            return Ok(all);
        }
        let program = self.shape.outputs_program();
        let (far, say) =
            (cuda.kernel(&program, "distances_of_rows")?, cuda.kernel(&program, "outputs_of_distances")?);
        let piece = (DISTANCES / rules).clamp(1, rows.len().max(1));
        let mut distances = cuda.reserve::<f32>(piece * rules)?;
        let mut outputs = cuda.reserve::<f32>(piece * wide)?;
        let skipped = (index * self.most) as i64;
        for (which, to) in rows.chunks(piece).zip(all.chunks_mut(piece * wide)) {
            let count = which.len() as i32;
            let order = cuda.upload(which)?;
            let launch = far.launch().input(&self.rows).input(&order).input(&self.sent.a).input(&self.sent.c);
            let launch = launch.output(&mut distances).value(skipped).value(count).value(rules as i32);
            let mut grid = Grid::new(which.len().div_ceil(TILE.0) as u32, 256);
            grid.blocks[1] = rules.div_ceil(TILE.1) as u32;
            // SAFETY: arguments as in distances_of_rows; distances hold `rules` numbers for each of `count` rows.
            unsafe { launch.run(cuda.stream(), grid) }?;
            let launch = say.launch().input(&distances).input(&self.sent.w).output(&mut outputs);
            let launch = launch.value(skipped).value(count).value(rules as i32);
            // SAFETY: arguments as in outputs_of_distances; outputs hold the outputs of `count` rows.
            unsafe { launch.run(cuda.stream(), Grid::new(which.len().div_ceil(TILE.2) as u32, 256)) }?;
            cuda.read(&outputs, to)?;
        }
        Ok(all)
    }

    fn mapping(&self) -> Option<Mapping> {
        self.used.map(|layout| layout.mapping())
    }
}

#[cfg(test)]
pub(crate) use super::tests::emulated::programs;
