//! Adam on mini-batches for a fixed set of rules: Equation (6).

use crate::device::{Cpu, mul_add_f32, simd};
use crate::sonfin::learner::{BatchRun, EpochStats};
use crate::sonfin::training::firing::PackedRules;
use crate::sonfin::types::adam::{Adam, AdamSettings, BETAS, StepFactors};
use crate::sonfin::types::argmax::argmax;
use crate::sonfin::types::network::Network;
use crate::sonfin::types::options::Loss;
use crate::sonfin::types::scaled_samples::ScaledSamples;
use rayon::prelude::*;

/// Rules per parallel task.
const RULES_PER_TASK: usize = 16;
/// Samples per parallel task.
const SAMPLES_PER_TASK: usize = 4;
const EPSILON: f32 = 1e-8;
/// Learning rate of the gates relative to the other parameters.
const GATE_RATE_FACTOR: f32 = 3.0;
/// L1 penalty of the gates; it removes irrelevant inputs.
const GATE_PENALTY: f32 = 3e-4;

/// Result of the forward pass for one sample.
struct SampleGradient {
    /// φ and 2·q/batch of each rule; 0 if the rule is not updated.
    phi: Vec<f32>,
    q: Vec<f32>,
    /// Gradient with respect to the outputs, divided by the batch size.
    e: Vec<f32>,
    loss: f64,
    misclassified: bool,
}

impl Adam {
    /// Trains on the run batch by batch.
    pub(in crate::sonfin) fn learn(
        &mut self,
        network: &mut Network,
        samples: &ScaledSamples,
        run: &BatchRun<'_>,
        cpu: &Cpu,
    ) -> EpochStats {
        let mut stats = EpochStats::default();
        for batch in run.order.chunks(run.settings.batch) {
            let gradients = self.forward(network, samples, batch, run.settings.loss, cpu);
            self.step += 1;
            self.adam_step(network, samples, batch, &gradients, &run.settings, cpu);
            stats.loss += gradients.iter().map(|gradient| gradient.loss).sum::<f64>();
            stats.misclassified += gradients.iter().filter(|gradient| gradient.misclassified).count() as u64;
        }
        stats
    }

    /// Forward pass of a batch: Equations (1), (2) and (4).
    fn forward(
        &self,
        network: &Network,
        samples: &ScaledSamples,
        batch: &[u32],
        loss: Loss,
        cpu: &Cpu,
    ) -> Vec<SampleGradient> {
        let packed = PackedRules::new(network);
        let scale = 1.0 / batch.len() as f32;
        let parts = cpu.map_chunks(batch.len(), SAMPLES_PER_TASK, |rows| {
            let forward_row = |row: &u32| {
                let (x, t) = (samples.inputs_of(*row as usize), samples.targets_of(*row as usize));
                forward_one(network, &packed, x, t, loss, scale, cpu)
            };
            batch[rows].iter().map(forward_row).collect::<Vec<_>>()
        });
        parts.into_iter().flatten().collect()
    }

    /// Updates all parameters.
    fn adam_step(
        &mut self,
        network: &mut Network,
        samples: &ScaledSamples,
        batch: &[u32],
        gradients: &[SampleGradient],
        settings: &AdamSettings,
        cpu: &Cpu,
    ) {
        let (d, outputs, rules) = (network.dims, network.outputs, network.rules());
        let gradient_len = 2 * d + outputs;
        let factors = self.factors(self.step, settings);
        let (first, first_gates) = self.first.split_at_mut(rules * gradient_len);
        let (second, second_gates) = self.second.split_at_mut(rules * gradient_len);
        let gates = &self.gates;
        let group = |(i, (((((parameters, first), second), a), c), w)): (usize, GroupMut<'_>)| {
            let mut sums = vec![0.0; gradient_len];
            let mut gate = vec![0.0; gates.len()];
            for k in 0..w.len() / outputs {
                sums.fill(0.0);
                let (a, c) = (&mut a[k * d..][..d], &mut c[k * d..][..d]);
                for (row, gradient) in batch.iter().zip(gradients) {
                    let (phi, q) = (gradient.phi[i * RULES_PER_TASK + k], gradient.q[i * RULES_PER_TASK + k]);
                    if phi > 0.0 {
                        let x = samples.inputs_of(*row as usize);
                        let (by_m, rest) = sums.split_at_mut(d);
                        let (by_a, by_w) = rest.split_at_mut(d);
                        add_gradient(cpu.simd(), q, x, a, c, by_m, by_a);
                        by_w.iter_mut().zip(&gradient.e).for_each(|(sum, e)| *sum += phi * e);
                    }
                }
                for (gate, by_a) in gate.iter_mut().zip(&sums[d..]) {
                    *gate += by_a; // ∂/∂ln g is the sum of ∂/∂ln a over the rules
                }
                let w = &mut w[k * outputs..][..outputs];
                let means = (
                    &mut first[k * gradient_len..][..gradient_len],
                    &mut second[k * gradient_len..][..gradient_len],
                );
                let parameters = &mut parameters[2 * k * d..][..2 * d];
                update_rule(cpu.simd(), factors, &sums, means, parameters, w);
                if gates.is_empty() {
                    store_rule(parameters, None, a, c);
                }
            }
            gate
        };
        let parts: Vec<Vec<f32>> = cpu.run(|| {
            let parameters = self.rules.par_chunks_mut(2 * d * RULES_PER_TASK);
            let means = (
                first.par_chunks_mut(gradient_len * RULES_PER_TASK),
                second.par_chunks_mut(gradient_len * RULES_PER_TASK),
            );
            let sets =
                (network.a.par_chunks_mut(d * RULES_PER_TASK), network.c.par_chunks_mut(d * RULES_PER_TASK));
            let consequents = network.w.par_chunks_mut(outputs * RULES_PER_TASK);
            parameters
                .zip(means.0)
                .zip(means.1)
                .zip(sets.0)
                .zip(sets.1)
                .zip(consequents)
                .enumerate()
                .map(group)
                .collect()
        });
        if self.gates.is_empty() {
            return;
        }
        for (j, gate) in self.gates.iter_mut().enumerate() {
            let derivative: f32 = parts.iter().map(|part| part[j]).sum();
            let divisor = if gate.abs() < 1e-6 { 1e-6 } else { *gate };
            let derivative = derivative / divisor + GATE_PENALTY * gate.signum();
            let factors = StepFactors { rate: GATE_RATE_FACTOR * factors.rate, ..factors };
            *gate -= parameter_step(factors, derivative, &mut first_gates[j], &mut second_gates[j]);
        }
        let gates = Some(&self.gates[..]);
        let sets = network.a.chunks_exact_mut(d).zip(network.c.chunks_exact_mut(d));
        self.rules
            .chunks_exact(2 * d)
            .zip(sets)
            .for_each(|(parameters, (a, c))| store_rule(parameters, gates, a, c));
    }
}

/// Slices of one group of rules: parameters, averages of the gradient and of its square, a, c and w.
type GroupMut<'a> =
    (((((&'a mut [f32], &'a mut [f32]), &'a mut [f32]), &'a mut [f32]), &'a mut [f32]), &'a mut [f32]);

/// Computes a and c of a rule from its centers and 1/σ.
fn store_rule(parameters: &[f32], gates: Option<&[f32]>, a: &mut [f32], c: &mut [f32]) {
    let (centers, inverse) = parameters.split_at(a.len());
    for j in 0..a.len() {
        a[j] = inverse[j] * gates.map_or(1.0, |gates| gates[j].abs());
        c[j] = a[j] * centers[j];
    }
}

/// Forward pass of one sample.
fn forward_one(
    network: &Network,
    packed: &PackedRules,
    x: &[f32],
    t: &[f32],
    loss: Loss,
    scale: f32,
    cpu: &Cpu,
) -> SampleGradient {
    let outputs = network.outputs;
    let phi = packed.firing(x, cpu.simd());
    let mut y = vec![0.0f32; outputs];
    for (phi, w) in phi.iter().zip(network.w.chunks_exact(outputs)).filter(|(phi, _)| **phi > 0.0) {
        y.iter_mut().zip(w).for_each(|(y, w)| *y += phi * w);
    }
    let (loss, mut e) = loss_gradient(&y, t, loss);
    let misclassified = argmax(&y) != argmax(t);
    e.iter_mut().for_each(|e| *e *= scale);
    let q = |(phi, w): (&f32, &[f32])| match *phi > 0.0 {
        true => 2.0 * phi * w.iter().zip(&y).zip(&e).map(|((w, y), e)| e * (w - y)).sum::<f32>(),
        false => 0.0,
    };
    let q = phi.iter().zip(network.w.chunks_exact(outputs)).map(q).collect();
    SampleGradient { phi, q, e, loss, misclassified }
}

/// Loss and its gradient with respect to the outputs.
fn loss_gradient(y: &[f32], t: &[f32], loss: Loss) -> (f64, Vec<f32>) {
    match loss {
        Loss::SquaredError => {
            let e: Vec<f32> = y.iter().zip(t).map(|(y, t)| y - t).collect();
            (0.5 * e.iter().map(|e| f64::from(*e).powi(2)).sum::<f64>(), e)
        }
        Loss::CrossEntropy => {
            let max = y.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let p: Vec<f32> = y.iter().map(|y| (y - max).exp()).collect();
            let sum: f32 = p.iter().sum();
            let loss = y.iter().zip(t).map(|(y, t)| f64::from(*t) * f64::from(sum.ln() - (y - max))).sum();
            (loss, p.iter().zip(t).map(|(p, t)| p / sum - t).collect())
        }
    }
}

simd! {
    /// Adds one sample's gradient with respect to a rule's centers and ln 1/σ.
    fn add_gradient(q: f32, x: &[f32], a: &[f32], c: &[f32], by_m: &mut [f32], by_a: &mut [f32]) = add_gradient_body;
}

#[inline(always)]
fn add_gradient_body<const FMA: bool>(
    q: f32,
    x: &[f32],
    a: &[f32],
    c: &[f32],
    by_m: &mut [f32],
    by_a: &mut [f32],
) {
    let n = x.len();
    let (a, c, by_m, by_a) = (&a[..n], &c[..n], &mut by_m[..n], &mut by_a[..n]);
    for j in 0..n {
        let z = mul_add_f32::<FMA>(a[j], x[j], -c[j]);
        let z = if z.is_nan() { 0.0 } else { z };
        by_m[j] = mul_add_f32::<FMA>(q * z, a[j], by_m[j]);
        by_a[j] = mul_add_f32::<FMA>(-q * z, z, by_a[j]);
    }
}

simd! {
    /// Updates the parameters of a rule.
    fn update_rule(
        factors: StepFactors,
        gradient: &[f32],
        means: (&mut [f32], &mut [f32]),
        parameters: &mut [f32],
        w: &mut [f32],
    ) = update_rule_body;
}

#[inline(always)]
fn update_rule_body<const FMA: bool>(
    factors: StepFactors,
    gradient: &[f32],
    means: (&mut [f32], &mut [f32]),
    parameters: &mut [f32],
    w: &mut [f32],
) {
    let d = parameters.len() / 2;
    let (first, second) = (&mut means.0[..gradient.len()], &mut means.1[..gradient.len()]);
    for j in 0..d {
        let derivative = gradient[j] * factors.unit;
        parameters[j] -= factors.unit * parameter_step(factors, derivative, &mut first[j], &mut second[j]);
    }
    for j in d..2 * d {
        let u = parameter_step(factors, gradient[j], &mut first[j], &mut second[j]);
        // second-order approximation of exp(−u); u is much smaller than 1
        parameters[j] = (parameters[j] * (1.0 - u + 0.5 * u * u)).min(factors.max_inverse_width);
    }
    let rest = first[2 * d..].iter_mut().zip(&mut second[2 * d..]).zip(&gradient[2 * d..]);
    for (w, ((first, second), derivative)) in w.iter_mut().zip(rest) {
        *w -= parameter_step(factors, *derivative, first, second);
    }
}

/// Step of one parameter: Equation (6).
#[inline(always)]
fn parameter_step(factors: StepFactors, derivative: f32, first: &mut f32, second: &mut f32) -> f32 {
    *first += (1.0 - BETAS.0) * (derivative - *first);
    *second += (1.0 - BETAS.1) * (derivative * derivative - *second);
    factors.rate * (*first * factors.first) / ((*second * factors.second).sqrt() + EPSILON)
}
