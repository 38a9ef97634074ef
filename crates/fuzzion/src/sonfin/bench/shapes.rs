//! The problems that are timed.

use super::super::learner::Course;
use super::super::network::Network;
use super::super::problem::{Problem, course, network, samples};
use super::super::samples::Samples;

/// A network whose rules are all there.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub(super) dims: usize,
    pub(super) rules: usize,
    pub(super) outputs: usize,
}

/// How many rules a sample concerns.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// A few, as in networks that have learned: the samples lie in clumps.
    Clumps,
    /// All of them: samples and rules are everywhere, and the rules are wide.
    Everywhere,
}

/// A whole training from no rules: the thesis' Table III (b), with the rows of the data it used.
#[derive(Clone, Copy)]
pub(super) struct Training {
    pub(super) name: &'static str,
    pub(super) rows: usize,
    pub(super) dims: usize,
    pub(super) rules: usize,
    pub(super) outputs: usize,
    pub(super) epochs: usize,
}

const fn shape(dims: usize, rules: usize, outputs: usize) -> Shape {
    Shape { dims, rules, outputs }
}

/// Pendigits, letter, isolet.
pub(super) const DATA: [Shape; 3] = [shape(16, 517, 10), shape(16, 642, 26), shape(617, 972, 26)];

/// What a GPU is timed at beside [`DATA`]: the shapes that speeds are known of.
pub(super) const KNOWN: [Shape; 6] = [
    shape(32, 512, 10),
    shape(32, 1024, 10),
    shape(256, 512, 10),
    shape(512, 1024, 10),
    shape(1024, 1024, 10),
    shape(5000, 949, 10),
];

/// The thesis' Table I: rules, for each of these inputs.
pub(super) const TABLE_1: ([usize; 7], [usize; 3]) = ([32, 64, 128, 256, 512, 768, 1024], [32, 512, 1024]);
/// The thesis' Table II: inputs, for each of these rules.
pub(super) const TABLE_2: ([usize; 12], [usize; 4]) =
    ([32, 64, 128, 256, 384, 512, 768, 800, 896, 960, 1000, 1024], [256, 512, 768, 1024]);

/// The corners and middles of the thesis' Tables I and II.
pub(super) const GRID: [Shape; 8] = [
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

/// A whole training as users make it.
pub(super) const LONG: Training = Training { epochs: 30, ..TRAININGS[0] };

pub(super) const TRAININGS: [Training; 6] = [
    training("letter", 16_000, 16, 642, 26),
    training("penbased", 7_494, 16, 517, 10),
    training("zip", 7_291, 256, 608, 10),
    training("madelon", 2_000, 500, 760, 2),
    training("isolet5", 1_559, 617, 972, 26),
    training("gisette", 1_000, 5000, 949, 2),
];

impl Kind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Clumps => "clumps",
            Kind::Everywhere => "everywhere",
        }
    }
}

impl Shape {
    pub(super) fn rows(self) -> usize {
        4 * self.rules
    }

    pub(super) fn problem(self, kind: Kind) -> (Samples, Network) {
        let Shape { dims, rules, outputs } = self;
        let (clumps, spread, width) = match kind {
            Kind::Clumps => (200, 0.3, 0.4),
            Kind::Everywhere => (1, 1.0, 2.0),
        };
        let rows = self.rows();
        let problem = Problem { rows, dims, outputs, rules, clumps, spread, width, ..Problem::default() };
        let samples = samples(&problem);
        let network = network(&problem, &samples);
        (samples, network)
    }

    /// Small steps, after which the network is much as it was: every run takes the same work.
    pub(super) fn course(self) -> Course {
        Course { most_rules: self.rules, rate_w: 0.01, rate_m: 1e-4, rate_s: 1e-4, ..course() }
    }
}

impl Training {
    /// As many clumps as there are to be rules: they overlap in every input, and not in all together.
    pub(super) fn problem(self) -> Problem {
        let Training { rows, dims, rules, outputs, .. } = self;
        Problem { rows, dims, outputs, rules: 0, clumps: rules, spread: 0.5, ..Problem::default() }
    }

    /// Two samples of one clump are about 0.2·√d apart, of two clumps 0.46·√d: with rules 0.4 times as wide as the latter
    /// ln μ is about −1.3 within a clump and −6 beyond it.
    pub(super) fn course(self) -> Course {
        let beta = 0.4;
        let first_width = beta * 0.46 * (self.dims as f32).sqrt();
        Course { ln_threshold: -2.5, most_rules: self.rules, beta, first_width, ..course() }
    }
}
