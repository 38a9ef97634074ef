//! Training by one thread, sample by sample.

use super::passes::{ForwardPass, backward, forward, loss, minimum};
use super::rule_blocks::{Block, RuleBlocks, empty_block, set_consequents, write_rule};
use super::sample::Sample;
use super::sweep::{PendingUpdate, sweep};
use super::worker_group::{WorkerGroup, WorkerProgress};
use crate::device::Simd;
use crate::sonfin::learner::{EpochStats, FIRST, NONE, StepSettings, TrainingRun};
use crate::sonfin::types::argmax::argmax;
use crate::sonfin::types::options::WidthRule;
use crate::sonfin::types::scaled_samples::ScaledSamples;

/// One thread of a worker group, with its buffers.
pub(super) struct Worker<'a> {
    simd: Simd,
    group: &'a WorkerGroup,
    index: usize,
    progress: WorkerProgress,
    dims: usize,
    outputs: usize,
    lanes: usize,
    /// Number of rules of the whole network.
    count: usize,
    /// Blocks owned by this worker: every n-th block of the network for n workers.
    blocks: Vec<Block>,
    /// Consequents of all rules; every worker has a copy.
    w: Vec<f32>,
    /// Current sample, and the previous one, whose update is still pending.
    sample: Sample,
    previous: Sample,
    forward_pass: ForwardPass,
    /// −ln μ of all slots of this worker's blocks, and of all blocks.
    own_distances: Vec<f32>,
    distances: Vec<f32>,
}

impl<'a> Worker<'a> {
    /// Creates the workers of a group and distributes the blocks.
    pub(super) fn create_group(rules: &mut RuleBlocks, group: &'a WorkerGroup, simd: Simd) -> Vec<Self> {
        let worker = |index| Worker {
            simd,
            group,
            index,
            progress: WorkerProgress::default(),
            dims: rules.dims,
            outputs: rules.outputs,
            lanes: rules.lanes,
            count: rules.count,
            blocks: Vec::new(),
            w: if index == 0 { std::mem::take(&mut rules.w) } else { Vec::new() },
            sample: Sample::new(rules.dims),
            previous: Sample::new(rules.dims),
            forward_pass: ForwardPass {
                y: vec![0.0; rules.outputs],
                e: vec![0.0; rules.outputs],
                ..ForwardPass::default()
            },
            own_distances: Vec::new(),
            distances: vec![0.0; rules.blocks.len() * rules.lanes],
        };
        let mut workers: Vec<Self> = (0..group.size).map(worker).collect();
        for (b, block) in rules.blocks.drain(..).enumerate() {
            workers[b % group.size].blocks.push(block);
        }
        let w = workers[0].w.clone();
        for worker in &mut workers {
            worker.own_distances = vec![0.0; worker.blocks.len() * worker.lanes];
            if worker.index > 0 {
                worker.w.clone_from(&w);
            }
        }
        workers
    }

    /// Collects the blocks of all workers.
    pub(super) fn gather(mut workers: Vec<Self>, rules: &mut RuleBlocks) {
        rules.count = workers[0].count;
        rules.w = std::mem::take(&mut workers[0].w);
        let mut blocks: Vec<_> = workers.into_iter().map(|worker| worker.blocks.into_iter()).collect();
        let size = blocks.len();
        let next_block = |b: usize| blocks[b % size].next().expect("invariant: every block has an owner");
        rules.blocks = (0..rules.count.div_ceil(rules.lanes)).map(next_block).collect();
    }

    pub(super) fn learn(&mut self, samples: &ScaledSamples, run: &TrainingRun<'_>) -> EpochStats {
        let mut stats = EpochStats::default();
        for (i, row) in run.order.iter().enumerate() {
            let (x, t) = (samples.inputs_of(*row as usize), samples.targets_of(*row as usize));
            let replay = run.replay.map(|replay| replay[i]);
            self.train_one(x, t, &run.settings, replay, &mut stats);
        }
        std::mem::swap(&mut self.sample, &mut self.previous);
        self.sweep(&run.settings); // applies the last update; its distances are not used
        stats
    }

    /// Trains on one sample: Equations (1) to (5), except the update of the rules, which is part of the next sweep.
    fn train_one(
        &mut self,
        x: &[f32],
        t: &[f32],
        settings: &StepSettings,
        replay: Option<i32>,
        stats: &mut EpochStats,
    ) {
        std::mem::swap(&mut self.sample, &mut self.previous);
        self.sample.load(x);
        self.sweep(settings);
        self.group.exchange(
            &mut self.progress,
            self.index,
            self.lanes,
            &self.own_distances,
            &mut self.distances,
        );
        self.distances[self.count..].fill(f32::INFINITY);
        let mut min_distance = minimum(self.simd, &self.distances);
        let decision = replay.unwrap_or_else(|| self.decide(min_distance, settings));
        if decision != NONE {
            self.add_rule(decision, x, t, settings);
            min_distance = 0.0;
        }
        forward(self.simd, &self.distances, min_distance, &self.w, &mut self.forward_pass);
        stats.misclassified += u64::from(argmax(&self.forward_pass.y) != argmax(t));
        stats.loss += loss(&self.forward_pass.y, t, settings.loss, &mut self.forward_pass.e);
        stats.decisions.push(decision);
        backward(self.simd, &mut self.forward_pass, self.distances.len(), settings.rate_w, &mut self.w);
    }

    /// Updates this worker's rules for the previous sample and computes their −ln μ for the current one.
    fn sweep(&mut self, settings: &StepSettings) {
        let owner = (self.index, self.group.size);
        let reversed = self.progress.samples % 2 == 1;
        let update =
            PendingUpdate { sample: &self.previous, q: &self.forward_pass.q, settings, owner, reversed };
        let min_bits = self.group.min_distance(&self.progress);
        sweep(self.simd, &mut self.blocks, &update, &self.sample, min_bits, &mut self.own_distances);
    }

    /// Structure decision: the index of the nearest rule if a rule is to be added, [`FIRST`] or [`NONE`].
    fn decide(&self, min_distance: f32, settings: &StepSettings) -> i32 {
        match self.count {
            count if count >= settings.max_rules => NONE,
            0 => FIRST,
            count if -min_distance <= settings.ln_threshold => self.distances[..count]
                .iter()
                .position(|distance| *distance == min_distance)
                .expect("invariant: the smallest distance is that of a rule")
                as i32,
            _ => NONE,
        }
    }

    /// Index of a block among this worker's blocks; `None` if another worker owns it.
    fn own_block(&self, block: usize) -> Option<usize> {
        (block % self.group.size == self.index).then_some(block / self.group.size)
    }

    /// Adds a rule: Equation (3).
    fn add_rule(&mut self, nearest_rule: i32, x: &[f32], t: &[f32], settings: &StepSettings) {
        let width = match (nearest_rule, settings.width_rule) {
            (FIRST, _) => settings.first_width,
            (k, WidthRule::LogFiring) => settings.beta * self.distances[k as usize],
            (k, WidthRule::Distance) => settings.beta * self.squared_distance(k as usize, x).sqrt(),
            (k, WidthRule::Thesis) => settings.beta * self.squared_distance(k as usize, x),
        };
        let (block, lane) = (self.count / self.lanes, self.count % self.lanes);
        if lane == 0 {
            self.w.resize(self.w.len() + self.outputs * self.lanes, 0.0);
            self.distances.resize(self.distances.len() + self.lanes, f32::INFINITY);
        }
        set_consequents(&mut self.w, self.lanes, self.count, t);
        self.distances[self.count] = 0.0;
        self.count += 1;
        if let Some(position) = self.own_block(block) {
            if lane == 0 {
                self.blocks.push(empty_block(self.dims, self.lanes));
                self.own_distances.resize(self.own_distances.len() + self.lanes, 0.0);
            }
            let a = 1.0 / width.max(settings.min_width);
            let a: Vec<f32> = x.iter().map(|x| if x.is_nan() { 0.0 } else { a }).collect();
            let c: Vec<f32> = x.iter().zip(&a).map(|(x, a)| if x.is_nan() { 0.0 } else { x * a }).collect();
            write_rule(&mut self.blocks[position], self.lanes, lane, &a, &c);
        }
    }

    /// ‖x − m‖² of a rule over the inputs that are present and used by the rule; computed by the rule's owner and
    /// broadcast.
    fn squared_distance(&mut self, k: usize, x: &[f32]) -> f32 {
        let (lane, lanes) = (k % self.lanes, self.lanes);
        let square = |position: usize| {
            let inputs = self.blocks[position].chunks_exact(2 * lanes).zip(x);
            let inputs =
                inputs.map(|(input, x)| (f64::from(input[lane]), f64::from(input[lanes + lane]), *x));
            let used = inputs.filter(|(a, _, x)| *a != 0.0 && !x.is_nan());
            used.map(|(a, minus_c, x)| (f64::from(x) + minus_c / a).powi(2)).sum::<f64>() as f32
        };
        let value = self.own_block(k / lanes).map(square);
        self.group.broadcast(&mut self.progress, value)
    }
}
