//! Benchmark problems.

use fuzzion::internals::sonfin::{
    Network, Problem, ScaledSamples, StepSettings, network, samples, step_settings,
};

/// Size of a network with a fixed set of rules.
#[derive(Clone, Copy)]
pub(super) struct BenchShape {
    pub(super) dims: usize,
    pub(super) rules: usize,
    pub(super) outputs: usize,
}

/// Distribution of the samples.
#[derive(Clone, Copy)]
pub(super) enum SampleKind {
    /// Clustered: each sample fires only a few rules, as in trained networks.
    Clustered,
    /// Uniform, with wide rules: every sample fires all rules.
    Uniform,
}

/// A complete training run without initial rules, with the sizes of the data sets in Table III (b) of Tseng (2012).
#[derive(Clone, Copy)]
pub(super) struct Training {
    pub(super) name: &'static str,
    pub(super) rows: usize,
    pub(super) dims: usize,
    pub(super) rules: usize,
    pub(super) outputs: usize,
    pub(super) epochs: usize,
}

const fn shape(dims: usize, rules: usize, outputs: usize) -> BenchShape {
    BenchShape { dims, rules, outputs }
}

/// Networks for the data sets Pendigits, Letter and ISOLET.
pub(super) const DATA: [BenchShape; 3] = [shape(16, 517, 10), shape(16, 642, 26), shape(617, 972, 26)];

/// Further shapes for the GPU with published times.
pub(super) const PUBLISHED: [BenchShape; 6] = [
    shape(32, 512, 10),
    shape(32, 1024, 10),
    shape(256, 512, 10),
    shape(512, 1024, 10),
    shape(1024, 1024, 10),
    shape(5000, 949, 10),
];

/// Table I of Tseng (2012): numbers of rules, and numbers of inputs.
pub(super) const TABLE_1: ([usize; 7], [usize; 3]) = ([32, 64, 128, 256, 512, 768, 1024], [32, 512, 1024]);
/// Table II of Tseng (2012): numbers of inputs, and numbers of rules.
pub(super) const TABLE_2: ([usize; 12], [usize; 4]) =
    ([32, 64, 128, 256, 384, 512, 768, 800, 896, 960, 1000, 1024], [256, 512, 768, 1024]);

/// Corner and center cells of Tables I and II of Tseng (2012).
pub(super) const GRID: [BenchShape; 8] = [
    shape(32, 256, 1),
    shape(32, 512, 1),
    shape(32, 1024, 1),
    shape(256, 512, 1),
    shape(512, 512, 1),
    shape(512, 1024, 1),
    shape(1024, 512, 1),
    shape(1024, 1024, 1),
];

const fn training(name: &'static str, rows: usize, dims: usize, rules: usize, outputs: usize) -> Training {
    Training { name, rows, dims, rules, outputs, epochs: 3 }
}

/// A complete training run with a realistic number of epochs.
pub(super) const LONG: Training = Training { epochs: 30, ..TRAININGS[0] };

pub(super) const TRAININGS: [Training; 6] = [
    training("letter", 16_000, 16, 642, 26),
    training("penbased", 7_494, 16, 517, 10),
    training("zip", 7_291, 256, 608, 10),
    training("madelon", 2_000, 500, 760, 2),
    training("isolet5", 1_559, 617, 972, 26),
    training("gisette", 1_000, 5000, 949, 2),
];

impl SampleKind {
    pub(super) fn name(self) -> &'static str {
        match self {
            SampleKind::Clustered => "clustered",
            SampleKind::Uniform => "uniform",
        }
    }
}

impl BenchShape {
    pub(super) fn rows(self) -> usize {
        4 * self.rules
    }

    pub(super) fn problem(self, kind: SampleKind) -> (ScaledSamples, Network) {
        let BenchShape { dims, rules, outputs } = self;
        let (clusters, spread, width) = match kind {
            SampleKind::Clustered => (200, 0.3, 0.4),
            SampleKind::Uniform => (1, 1.0, 2.0),
        };
        let rows = self.rows();
        let problem = Problem { rows, dims, outputs, rules, clusters, spread, width, ..Problem::default() };
        let samples = samples(&problem);
        let network = network(&problem, &samples);
        (samples, network)
    }

    /// Small steps that hardly change the network, so that every run does the same work.
    pub(super) fn step_settings(self) -> StepSettings {
        StepSettings { max_rules: self.rules, rate_w: 0.01, rate_m: 1e-4, rate_s: 1e-4, ..step_settings() }
    }
}

impl Training {
    /// One cluster per intended rule; clusters overlap in each input, but not in all inputs together.
    pub(super) fn problem(self) -> Problem {
        let Training { rows, dims, rules, outputs, .. } = self;
        Problem { rows, dims, outputs, rules: 0, clusters: rules, spread: 0.5, ..Problem::default() }
    }

    /// The distance between two samples is about 0.2·√d within a cluster and 0.46·√d between clusters. With rules
    /// 0.4 times as wide as the latter, ln μ is about −1.3 within a cluster and −6 outside.
    pub(super) fn step_settings(self) -> StepSettings {
        let beta = 0.4;
        let first_width = beta * 0.46 * (self.dims as f32).sqrt();
        StepSettings { ln_threshold: -2.5, max_rules: self.rules, beta, first_width, ..step_settings() }
    }
}
