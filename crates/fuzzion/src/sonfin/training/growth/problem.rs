//! Rows, and the consequents of rules with given centers and widths.

use crate::device::Cpu;
use crate::sonfin::training::firing::PackedRules;
use crate::sonfin::types::argmax::argmax;
use crate::sonfin::types::linear_part::LinearPart;
use crate::sonfin::types::network::Network;
use crate::sonfin::types::scaled_samples::ScaledSamples;

/// Inputs whose variance is below this are constant; scaled inputs have a range of 1.
pub(super) const MIN_VARIANCE: f64 = 1e-12;

/// Rows with the targets of the whole model. The targets of `samples` are those of the training of the rules.
#[derive(Clone, Copy)]
pub(super) struct Problem<'a> {
    pub(super) samples: &'a ScaledSamples,
    pub(super) targets: &'a [f32],
    pub(super) is_classifier: bool,
    pub(super) cpu: &'a Cpu,
}

impl<'a> Problem<'a> {
    pub(super) fn targets_of(&self, row: u32) -> &'a [f32] {
        &self.targets[row as usize * self.samples.outputs..][..self.samples.outputs]
    }

    /// Mean of each input over the rows in which it is present.
    pub(super) fn means(&self, rows: &[u32]) -> Vec<f64> {
        let mut sums = vec![(0.0, 0u64); self.samples.dims];
        for row in rows {
            for ((sum, present), x) in sums.iter_mut().zip(self.samples.inputs_of(*row as usize)) {
                if !x.is_nan() {
                    (*sum, *present) = (*sum + f64::from(*x), *present + 1);
                }
            }
        }
        sums.into_iter().map(|(sum, present)| sum / present.max(1) as f64).collect()
    }
}

/// The features of which the outputs are linear functions: inputs, and normalized firing strengths if there are rules.
pub(super) struct Features<'a> {
    pub(super) problem: Problem<'a>,
    /// Mean of each input, which is subtracted.
    pub(super) means: Vec<f64>,
    rules: Option<PackedRules>,
    /// Number of features.
    pub(super) len: usize,
}

impl<'a> Features<'a> {
    pub(super) fn new(problem: Problem<'a>, network: &Network, rows: &[u32]) -> Self {
        // The firing strength of a single rule is always 1.
        let rules = (network.rules() > 1).then(|| PackedRules::new(network));
        let len = problem.samples.dims + if rules.is_some() { network.rules() } else { 0 };
        Features { problem, means: problem.means(rows), rules, len }
    }

    /// Number of inputs, whose features come first.
    pub(super) fn inputs(&self) -> usize {
        self.means.len()
    }

    /// Replaces `features` by those of a row. Missing inputs are replaced by the mean.
    pub(super) fn read(&self, row: u32, features: &mut Vec<f64>) {
        let x = self.problem.samples.inputs_of(row as usize);
        features.clear();
        let centered = |(x, mean): (&f32, &f64)| if x.is_nan() { 0.0 } else { f64::from(*x) - mean };
        features.extend(x.iter().zip(&self.means).map(centered));
        if let Some(rules) = &self.rules {
            features.extend(rules.firing(x, self.problem.cpu.simd()).into_iter().map(f64::from));
        }
    }

    /// The model with the slopes of all features, feature by feature, and the constant of each output.
    pub(super) fn solved(&self, network: Network, theta: &[f64], constants: &[f64]) -> Solved {
        let (inputs, outputs) = (self.inputs(), self.problem.samples.outputs);
        let slopes = (0..outputs).flat_map(|l| (0..inputs).map(move |j| theta[j * outputs + l])).collect();
        let linear = LinearPart { means: self.means.clone(), slopes };
        let weight = |k: usize, l: usize| match self.rules {
            Some(_) => constants[l] + theta[(inputs + k) * outputs + l],
            None => constants[l],
        };
        let rules = network.rules();
        let w = (0..rules).flat_map(|k| (0..outputs).map(move |l| (k, l))).map(|(k, l)| weight(k, l) as f32);
        Solved { network: Network { w: w.collect(), ..network }, linear }
    }
}

/// A network with the linear part of its consequents.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Solved {
    pub(super) network: Network,
    pub(super) linear: LinearPart,
}

/// Loss of a row, and its contribution to the reported error.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct RowLoss {
    /// Mean squared error, of the probabilities for classes.
    pub(super) squared: f64,
    /// The same for numeric targets; for classes, whether the row is misclassified.
    pub(super) error: f64,
}

impl Solved {
    /// Losses of rows.
    pub(super) fn losses(&self, problem: Problem<'_>, rows: &[u32]) -> Vec<RowLoss> {
        let outputs = problem.samples.outputs;
        let rules = PackedRules::new(&self.network);
        let loss = |row: &u32| {
            let (x, t) = (problem.samples.inputs_of(*row as usize), problem.targets_of(*row));
            let mut y = vec![0.0; outputs];
            for (phi, w) in
                rules.firing(x, problem.cpu.simd()).into_iter().zip(self.network.w.chunks_exact(outputs))
            {
                y.iter_mut().zip(w).for_each(|(y, w)| *y += f64::from(phi * w));
            }
            self.linear.add_to(x, &mut y);
            let is_wrong = argmax(&y) != argmax(t);
            if problem.is_classifier {
                softmax(&mut y);
            }
            let square = |(y, t): (&f64, &f32)| (y - f64::from(*t)).powi(2);
            let squared = y.iter().zip(t).map(square).sum::<f64>() / outputs as f64;
            let error = if problem.is_classifier { f64::from(u8::from(is_wrong)) } else { squared };
            RowLoss { squared, error }
        };
        rows.iter().map(loss).collect()
    }
}

/// Replaces logits by probabilities.
pub(super) fn softmax(y: &mut [f64]) {
    let max = y.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    y.iter_mut().for_each(|y| *y = (*y - max).exp());
    let sum: f64 = y.iter().sum();
    y.iter_mut().for_each(|y| *y /= sum);
}
