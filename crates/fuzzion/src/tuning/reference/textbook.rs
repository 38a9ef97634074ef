//! Reference implementation: the equations, row by row, in double precision.

use crate::data::softmax;
use crate::tuning::error::Result;
use crate::tuning::network::Network;
use crate::tuning::solver::normal_equations::NormalEquations;
use crate::tuning::training::backend::Backend;
use crate::tuning::training::loss::{Gradient, Loss};
use crate::tuning::training::samples::ScaledSamples;

/// Back end that processes rows one at a time.
pub struct Textbook<'a>(pub &'a ScaledSamples);

impl Backend for Textbook<'_> {
    fn normal_equations(&mut self, network: &Network) -> Result<NormalEquations> {
        let mut sums = NormalEquations::zero(network.unknowns(), network.outputs);
        for i in 0..self.0.training {
            let (row, y, w) =
                (network.design_row(&self.0.inputs_of(i)), self.0.targets_of(i), self.0.weight(i));
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

    fn loss_and_gradient(&mut self, network: &Network, loss: Loss) -> Result<Gradient> {
        let antecedents = &network.antecedents;
        let (rules, unknowns) = (antecedents.rules(), network.unknowns());
        let mut gradient = Gradient {
            loss: [0.0; 2],
            squares: [0.0; 2],
            weight: [0.0; 2],
            sets: vec![[0.0; 4]; antecedents.sets.len()],
            theta: vec![0.0; network.theta.len()],
        };
        for i in 0..self.0.rows() {
            let (x, y, w) = (self.0.inputs_of(i), self.0.targets_of(i), self.0.weight(i));
            let outputs = network.predict(&x);
            let (row_loss, output_gradient) = loss_and_output_gradient(&outputs, &y, loss);
            let split = usize::from(i >= self.0.training);
            gradient.loss[split] += w * row_loss;
            let mut predictions: Vec<Vec<f64>> = outputs.iter().map(|output| vec![*output]).collect();
            if loss == Loss::CrossEntropy {
                softmax(&mut predictions);
            }
            let squares = predictions.iter().zip(&y).map(|(p, y)| (p[0] - y) * (p[0] - y));
            gradient.squares[split] += w * squares.sum::<f64>();
            gradient.weight[split] += w;
            if split == 1 {
                continue;
            }
            let row = network.design_row(&x);
            let firing = antecedents.firing(&x);
            for (o, error) in output_gradient.iter().enumerate() {
                for (m, phi) in row.iter().enumerate() {
                    gradient.theta[o * unknowns + m] += w * error * phi;
                }
            }
            for (k, phi) in firing.iter().enumerate() {
                let monomials = network.basis.evaluate(&network.frames.to_local(k, &x));
                let q: f64 = (0..outputs.len())
                    .map(|o| {
                        let theta = &network.theta[(o * rules + k) * monomials.len()..];
                        let p: f64 = theta.iter().zip(&monomials).map(|(theta, u)| theta * u).sum();
                        w * output_gradient[o] * phi * (p - outputs[o])
                    })
                    .sum();
                for (j, x) in x.iter().enumerate().filter(|(_, x)| !x.is_nan()) {
                    if let Some(set) = antecedents.set(k, j) {
                        let derivatives = antecedents.form.ln_membership_gradient(&set.parameters, *x);
                        let sum =
                            &mut gradient.sets[antecedents.set_indices[k * antecedents.inputs + j] as usize];
                        sum.iter_mut().zip(derivatives).for_each(|(sum, derivative)| *sum += q * derivative);
                    }
                }
            }
        }
        let mean = 1.0 / gradient.weight[0];
        gradient.sets.iter_mut().flatten().chain(&mut gradient.theta).for_each(|sum| *sum *= mean);
        Ok(gradient)
    }

    fn predict(&mut self, network: &Network) -> Result<Vec<Vec<f64>>> {
        let rows: Vec<Vec<f64>> = (0..self.0.rows()).map(|i| network.predict(&self.0.inputs_of(i))).collect();
        Ok((0..network.outputs).map(|o| rows.iter().map(|row| row[o]).collect()).collect())
    }
}

/// Loss of one row and its derivative with respect to each output.
pub(in crate::tuning) fn loss_and_output_gradient(
    outputs: &[f64],
    targets: &[f64],
    loss: Loss,
) -> (f64, Vec<f64>) {
    match loss {
        Loss::SquaredError => {
            let errors: Vec<f64> = outputs.iter().zip(targets).map(|(p, y)| p - y).collect();
            (errors.iter().map(|e| e * e).sum(), errors.iter().map(|e| 2.0 * e).collect())
        }
        Loss::CrossEntropy => {
            let max = outputs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = outputs.iter().map(|p| (p - max).exp()).sum();
            let ln = |p: &f64| p - max - sum.ln();
            let loss = outputs.iter().zip(targets).map(|(p, y)| -y * ln(p)).sum();
            // Targets may be probabilities that do not sum to 1: their sum multiplies the softmax.
            let target_sum: f64 = targets.iter().sum();
            (loss, outputs.iter().zip(targets).map(|(p, y)| target_sum * ln(p).exp() - y).collect())
        }
    }
}
