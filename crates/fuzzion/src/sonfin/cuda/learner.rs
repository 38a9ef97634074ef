//! The learner of the CUDA back end.

use super::adam::DeviceAdam;
use super::choose::choose;
use super::encode::EncodedRuns;
use super::layout::TILE;
use super::state::CudaLearner;
use crate::device::cuda::Grid;
use crate::sonfin::error::Result;
use crate::sonfin::learner::{BatchLearner, BatchRun, EpochStats, Learner, NONE, TrainingRun};
use crate::sonfin::types::adam::Adam;
use crate::sonfin::types::network::Network;
use crate::sonfin::types::options::Mapping;

/// Maximum number of distances on the GPU while computing outputs of many rows.
const MAX_DISTANCES: usize = 1 << 26;

impl Learner for CudaLearner<'_> {
    fn learn(&mut self, runs: &[TrainingRun<'_>]) -> Result<Vec<EpochStats>> {
        if runs.iter().all(|run| run.order.is_empty()) {
            return Ok(vec![EpochStats::default(); runs.len()]);
        }
        let rules = self.cuda.download(&self.device_networks.rules)?;
        // Replayed decisions may exceed the rule limit of the settings.
        let capacity = runs.iter().zip(&rules).map(|(run, rules)| {
            let replayed = run.replay.map_or(0, |r| r.iter().filter(|k| **k != NONE).count());
            run.settings.max_rules.max(*rules as usize + replayed)
        });
        self.reserve_rules(capacity.max().expect("invariant: some run has samples"))?;
        let layout = match self.fixed_layout {
            Some(layout) => layout,
            None => choose(&self.cuda, &self.shape, self.capacity, self.count(), self.mapping)?,
        };
        self.last_layout = Some(layout);
        let all = EncodedRuns::new(runs)?;
        let kernel_stats = self.train_resident(layout, &all)?;
        let stats = |(n, range): (usize, &[i32])| EpochStats {
            loss: kernel_stats.losses[n],
            misclassified: u64::from(kernel_stats.misclassified[n]),
            decisions: kernel_stats.decisions[range[0] as usize..][..range[1] as usize].to_vec(),
        };
        Ok(all.ranges.chunks_exact(2).enumerate().map(stats).collect())
    }

    fn network(&mut self, index: usize) -> Result<Network> {
        Ok(self.device_networks.packed(&self.cuda)?.network(index, &self.shape, self.capacity))
    }

    fn replace(&mut self, index: usize, network: &Network) -> Result<()> {
        let capacity = self.capacity.max(network.rules());
        self.edit_networks(capacity, |networks| networks[index] = network.clone())
    }

    fn outputs(&mut self, index: usize, rows: &[u32]) -> Result<Vec<f32>> {
        let cuda = &self.cuda;
        let rule_count = cuda.download(&self.device_networks.rules)?[index];
        let rules = rule_count as usize;
        let width = self.shape.outputs;
        let mut all = vec![0.0; rows.len() * width];
        if rules == 0 {
            return Ok(all);
        }
        let program = self.shape.outputs_program();
        let (distances_kernel, outputs_kernel) =
            (cuda.kernel(&program, "distances_of_rows")?, cuda.kernel(&program, "outputs_of_distances")?);
        let chunk = (MAX_DISTANCES / rules).clamp(1, rows.len().max(1));
        let mut distances = cuda.alloc::<f32>(chunk * rules)?;
        let mut outputs = cuda.alloc::<f32>(chunk * width)?;
        let first_rule = (index * self.capacity) as i64;
        for (row_indices, to) in rows.chunks(chunk).zip(all.chunks_mut(chunk * width)) {
            let count = row_indices.len() as i32;
            let order = cuda.upload(row_indices)?;
            let launch = distances_kernel
                .launch()
                .input(&self.rows)
                .input(&order)
                .input(&self.device_networks.a)
                .input(&self.device_networks.c);
            let launch = launch.output(&mut distances).value(first_rule).value(count).value(rule_count);
            let mut grid = Grid::new(row_indices.len().div_ceil(TILE.0) as u32, 256);
            grid.blocks[1] = rules.div_ceil(TILE.1) as u32;
            // SAFETY: the arguments match distances_of_rows; `distances` holds `rules` values for each of
            // `count` rows.
            unsafe { launch.run(cuda.stream(), grid) }?;
            let launch =
                outputs_kernel.launch().input(&distances).input(&self.device_networks.w).output(&mut outputs);
            let launch = launch.value(first_rule).value(count).value(rule_count);
            // SAFETY: the arguments match outputs_of_distances; `outputs` holds the outputs of `count` rows.
            unsafe { launch.run(cuda.stream(), Grid::new(row_indices.len().div_ceil(TILE.2) as u32, 256)) }?;
            cuda.read(&outputs, to)?;
        }
        Ok(all)
    }

    fn mapping(&self) -> Option<Mapping> {
        self.last_layout.map(|layout| layout.mapping())
    }
}

impl BatchLearner for CudaLearner<'_> {
    fn set_adam(&mut self, states: Vec<Adam>) -> Result<()> {
        self.adam = None; // frees its memory first
        self.adam = Some(DeviceAdam::new(states, &self.shape, self.capacity, self.adam_blocks, &self.cuda)?);
        Ok(())
    }

    fn learn_batches(&mut self, runs: &[BatchRun<'_>]) -> Result<Vec<EpochStats>> {
        self.train_batches(runs)
    }

    fn adam(&mut self, index: usize) -> Result<Adam> {
        let adam = self.adam.as_ref().expect("invariant: the state of Adam is set before it is read");
        adam.state(index, &self.shape, &self.cuda)
    }
}
