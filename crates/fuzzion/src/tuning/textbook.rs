//! The sweeps as the equations say them, row by row in plain double precision: the oracle of all others.

use super::network::Network;
use super::rows::{Loss, Rows, Samples, Slope};
use super::statistics::Statistics;
use crate::data::softmax;
use crate::error::Result;

/// Rows swept one by one.
pub(super) struct Textbook<'a>(pub(super) &'a Samples);

impl Rows for Textbook<'_> {
    fn statistics(&mut self, network: &Network) -> Result<Statistics> {
        let mut sums = Statistics::zero(network.unknowns(), network.outputs);
        for i in 0..self.0.training {
            let (row, y, w) = (network.row(&self.0.inputs_of(i)), self.0.targets_of(i), self.0.weight(i));
            let mut at = 0;
            for a in 0..row.len() {
                for b in 0..=a {
                    sums.gram[at] += w * row[a] * row[b];
                    at += 1;
                }
            }
            for (o, y) in y.iter().enumerate() {
                for (m, phi) in row.iter().enumerate() {
                    sums.cross[o * row.len() + m] += w * phi * y;
                }
                sums.squares[o] += w * y * y;
            }
            sums.weight += w;
            sums.rows += 1;
        }
        Ok(sums)
    }

    fn slope(&mut self, network: &Network, loss: Loss) -> Result<Slope> {
        let antecedents = &network.antecedents;
        let (rules, unknowns) = (antecedents.rules(), network.unknowns());
        let mut slope = Slope {
            loss: [0.0; 2],
            squares: [0.0; 2],
            weight: [0.0; 2],
            sets: vec![[0.0; 4]; antecedents.sets.len()],
            theta: vec![0.0; network.theta.len()],
        };
        for i in 0..self.0.rows() {
            let (x, y, w) = (self.0.inputs_of(i), self.0.targets_of(i), self.0.weight(i));
            let outputs = network.predict(&x);
            let (sum, errors) = errors(&outputs, &y, loss);
            let part = usize::from(i >= self.0.training);
            slope.loss[part] += w * sum;
            let mut shown: Vec<Vec<f64>> = outputs.iter().map(|output| vec![*output]).collect();
            if loss == Loss::CrossEntropy {
                softmax(&mut shown);
            }
            let squares = shown.iter().zip(&y).map(|(p, y)| (p[0] - y) * (p[0] - y));
            slope.squares[part] += w * squares.sum::<f64>();
            slope.weight[part] += w;
            if part == 1 {
                continue;
            }
            let row = network.row(&x);
            let firing = antecedents.firing(&x);
            for (o, error) in errors.iter().enumerate() {
                for (m, phi) in row.iter().enumerate() {
                    slope.theta[o * unknowns + m] += w * error * phi;
                }
            }
            for (k, phi) in firing.iter().enumerate() {
                let monomials = network.basis.values(&network.frames.local(k, &x));
                let q: f64 = (0..outputs.len())
                    .map(|o| {
                        let theta = &network.theta[(o * rules + k) * monomials.len()..];
                        let p: f64 = theta.iter().zip(&monomials).map(|(theta, u)| theta * u).sum();
                        w * errors[o] * phi * (p - outputs[o])
                    })
                    .sum();
                for (j, x) in x.iter().enumerate().filter(|(_, x)| !x.is_nan()) {
                    if let Some(set) = antecedents.set(k, j) {
                        let slopes = antecedents.form.slopes(&set.parameters, *x);
                        let sum = &mut slope.sets[antecedents.uses[k * antecedents.inputs + j] as usize];
                        sum.iter_mut().zip(slopes).for_each(|(sum, slope)| *sum += q * slope);
                    }
                }
            }
        }
        let mean = 1.0 / slope.weight[0];
        slope.sets.iter_mut().flatten().chain(&mut slope.theta).for_each(|sum| *sum *= mean);
        Ok(slope)
    }

    fn predict(&mut self, network: &Network) -> Result<Vec<Vec<f64>>> {
        let rows: Vec<Vec<f64>> = (0..self.0.rows()).map(|i| network.predict(&self.0.inputs_of(i))).collect();
        Ok((0..network.outputs).map(|o| rows.iter().map(|row| row[o]).collect()).collect())
    }
}

/// The loss of one row, and its slope for each output.
pub(super) fn errors(outputs: &[f64], targets: &[f64], loss: Loss) -> (f64, Vec<f64>) {
    match loss {
        Loss::Squares => {
            let errors: Vec<f64> = outputs.iter().zip(targets).map(|(p, y)| p - y).collect();
            (errors.iter().map(|e| e * e).sum(), errors.iter().map(|e| 2.0 * e).collect())
        }
        Loss::CrossEntropy => {
            let most = outputs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = outputs.iter().map(|p| (p - most).exp()).sum();
            let ln = |p: &f64| p - most - sum.ln();
            let loss = outputs.iter().zip(targets).map(|(p, y)| -y * ln(p)).sum();
            // Targets may be probabilities that do not add up to 1: their sum weighs the softmax.
            let all: f64 = targets.iter().sum();
            (loss, outputs.iter().zip(targets).map(|(p, y)| all * ln(p).exp() - y).collect())
        }
    }
}
