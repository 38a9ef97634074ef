//! Adam on batches of samples, for rules that are there already: equation (6).

use super::errors::first_largest;
use super::firing::Packed;
use super::learner::Loss;
use super::network::Network;
use super::samples::Samples;
use crate::device::{Cpu, mul_add_f32, simd};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// Rules that one thread moves before the next are given out.
const RULES: usize = 16;
/// Samples that one thread compares before the next are given out.
const SAMPLES: usize = 4;
const BETAS: (f32, f32) = (0.9, 0.999);
const TINY: f32 = 1e-8;
/// Gates move so many times as far as other parameters.
const GATE_RATE: f32 = 3.0;
/// The slope that pulls every gate towards 0: inputs that do not help are left out.
const GATE_PULL: f32 = 3e-4;
/// What a rule says for its class at first where outputs go through a softmax; 1 would leave it undecided.
pub(super) const SURE: f32 = 3.0;

/// What Adam has beside the network: parameters in the form in which they move, and the means of their slopes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Adam {
    /// Batches learned.
    pub(super) step: u64,
    /// The mean width at first: the unit in which centers move.
    pub(super) unit: f32,
    /// Rule by rule, the centers and then 1/σ, without the gates.
    rules: Vec<f32>,
    /// One for each input; empty where there are none.
    pub(super) gates: Vec<f32>,
    /// Means of the slopes: rule by rule those of the centers, ln 1/σ and w; then those of the gates.
    pub(super) first: Vec<f32>,
    /// Means of their squares.
    second: Vec<f32>,
}

/// How Adam goes about it.
#[derive(Clone, Copy)]
pub(super) struct Pace {
    pub(super) batch: usize,
    pub(super) rate: f64,
    /// Batches of all epochs together, over which the rate falls to 0.
    pub(super) steps: u64,
    pub(super) least_width: f32,
    pub(super) loss: Loss,
}

/// The factors of one step.
#[derive(Clone, Copy)]
struct Stride {
    rate: f32,
    /// 1/(1 − βᵗ).
    first: f32,
    second: f32,
    /// The largest 1/σ.
    most: f32,
    unit: f32,
}

/// What a sample says about the rules.
struct Heard {
    /// φ and 2·q/batch of each rule; 0 where it is not moved.
    phi: Vec<f32>,
    q: Vec<f32>,
    /// Slopes with respect to the outputs, over the batch.
    e: Vec<f32>,
    loss: f64,
    wrong: bool,
}

impl Adam {
    /// A start from the rules of `network`, whose consequents are made surer where a softmax follows.
    pub(super) fn new(network: &mut Network, gates: bool, loss: Loss) -> Self {
        let (d, rules) = (network.dims, network.rules());
        if loss == Loss::CrossEntropy {
            network.w.iter_mut().for_each(|w| *w *= SURE);
        }
        let asked = || network.a.iter().filter(|a| **a > 0.0);
        let unit = asked().map(|a| f64::from(1.0 / a)).sum::<f64>() / asked().count().max(1) as f64;
        let center = |(a, c): (&f32, &f32)| if *a > 0.0 { c / a } else { 0.0 };
        let mut parameters = Vec::with_capacity(2 * d * rules);
        for (a, c) in network.a.chunks_exact(d).zip(network.c.chunks_exact(d)) {
            parameters.extend(a.iter().zip(c).map(center));
            parameters.extend_from_slice(a);
        }
        let gates = if gates { vec![1.0; d] } else { Vec::new() };
        let slopes = rules * (2 * d + network.outputs) + gates.len();
        let (first, second) = (vec![0.0; slopes], vec![0.0; slopes]);
        Adam { step: 0, unit: unit as f32, rules: parameters, gates, first, second }
    }

    /// Whether it belongs to a network of this size, as a file may not say.
    pub(super) fn is_whole(&self, network: &Network) -> bool {
        let slopes = network.rules() * (2 * network.dims + network.outputs) + self.gates.len();
        self.rules.len() == 2 * network.a.len()
            && (self.gates.is_empty() || self.gates.len() == network.dims)
            && (self.first.len(), self.second.len()) == (slopes, slopes)
    }

    /// Learns `order` batch by batch; Σ of the losses and how many samples were wrong.
    pub(super) fn learn(
        &mut self,
        network: &mut Network,
        samples: &Samples,
        order: &[u32],
        pace: &Pace,
        cpu: &Cpu,
    ) -> (f64, u64) {
        let (mut loss, mut wrong) = (0.0, 0);
        for batch in order.chunks(pace.batch) {
            let heard = self.hear(network, samples, batch, pace.loss, cpu);
            self.step += 1;
            self.walk(network, samples, batch, &heard, pace, cpu);
            loss += heard.iter().map(|heard| heard.loss).sum::<f64>();
            wrong += heard.iter().filter(|heard| heard.wrong).count() as u64;
        }
        (loss, wrong)
    }

    /// The forward pass of a batch: equations (1), (2) and (4).
    fn hear(&self, network: &Network, samples: &Samples, batch: &[u32], loss: Loss, cpu: &Cpu) -> Vec<Heard> {
        let packed = Packed::new(network);
        let scale = 1.0 / batch.len() as f32;
        let parts = cpu.map_chunks(batch.len(), SAMPLES, |rows| {
            let of = |row: &u32| {
                let (x, t) = (samples.inputs_of(*row as usize), samples.targets_of(*row as usize));
                listen(network, &packed, x, t, loss, scale, cpu)
            };
            batch[rows].iter().map(of).collect::<Vec<_>>()
        });
        parts.into_iter().flatten().collect()
    }

    /// Moves all parameters.
    fn walk(
        &mut self,
        network: &mut Network,
        samples: &Samples,
        batch: &[u32],
        heard: &[Heard],
        pace: &Pace,
        cpu: &Cpu,
    ) {
        let (d, outputs, rules) = (network.dims, network.outputs, network.rules());
        let slopes = 2 * d + outputs;
        let falls = 0.5 * (1.0 + (PI * self.step as f64 / pace.steps.max(1) as f64).min(PI).cos());
        let correction = |beta: f32| (1.0 / (1.0 - f64::from(beta).powf(self.step as f64))) as f32;
        let stride = Stride {
            rate: (pace.rate * falls) as f32,
            first: correction(BETAS.0),
            second: correction(BETAS.1),
            most: 1.0 / pace.least_width,
            unit: self.unit,
        };
        let (first, first_gates) = self.first.split_at_mut(rules * slopes);
        let (second, second_gates) = self.second.split_at_mut(rules * slopes);
        let gates = &self.gates;
        let group = |(i, (((((moving, first), second), a), c), w)): (usize, GroupMut<'_>)| {
            let mut sums = vec![0.0; slopes];
            let mut gate = vec![0.0; gates.len()];
            for k in 0..w.len() / outputs {
                sums.fill(0.0);
                let (a, c) = (&mut a[k * d..][..d], &mut c[k * d..][..d]);
                for (row, heard) in batch.iter().zip(heard) {
                    let (phi, q) = (heard.phi[i * RULES + k], heard.q[i * RULES + k]);
                    if phi > 0.0 {
                        let x = samples.inputs_of(*row as usize);
                        let (by_m, rest) = sums.split_at_mut(d);
                        let (by_a, by_w) = rest.split_at_mut(d);
                        add_slopes(cpu.simd(), q, x, a, c, by_m, by_a);
                        by_w.iter_mut().zip(&heard.e).for_each(|(sum, e)| *sum += phi * e);
                    }
                }
                for (gate, by_a) in gate.iter_mut().zip(&sums[d..]) {
                    *gate += by_a; // ∂/∂ln g is the sum of ∂/∂ln a over the rules
                }
                let w = &mut w[k * outputs..][..outputs];
                let means = (&mut first[k * slopes..][..slopes], &mut second[k * slopes..][..slopes]);
                let moving = &mut moving[2 * k * d..][..2 * d];
                move_rule(cpu.simd(), stride, &sums, means, moving, w);
                if gates.is_empty() {
                    write_rule(moving, None, a, c);
                }
            }
            gate
        };
        let parts: Vec<Vec<f32>> = cpu.run(|| {
            let moving = self.rules.par_chunks_mut(2 * d * RULES);
            let means = (first.par_chunks_mut(slopes * RULES), second.par_chunks_mut(slopes * RULES));
            let sets = (network.a.par_chunks_mut(d * RULES), network.c.par_chunks_mut(d * RULES));
            let says = network.w.par_chunks_mut(outputs * RULES);
            moving
                .zip(means.0)
                .zip(means.1)
                .zip(sets.0)
                .zip(sets.1)
                .zip(says)
                .enumerate()
                .map(group)
                .collect()
        });
        if self.gates.is_empty() {
            return;
        }
        for (j, gate) in self.gates.iter_mut().enumerate() {
            let slope: f32 = parts.iter().map(|part| part[j]).sum();
            let away = if gate.abs() < 1e-6 { 1e-6 } else { *gate };
            let slope = slope / away + GATE_PULL * gate.signum();
            let stride = Stride { rate: GATE_RATE * stride.rate, ..stride };
            *gate -= stride_of(stride, slope, &mut first_gates[j], &mut second_gates[j]);
        }
        let gates = Some(&self.gates[..]);
        let sets = network.a.chunks_exact_mut(d).zip(network.c.chunks_exact_mut(d));
        self.rules.chunks_exact(2 * d).zip(sets).for_each(|(moving, (a, c))| write_rule(moving, gates, a, c));
    }
}

/// What belongs to a group of rules: parameters, means of slopes and of their squares, a, c and w.
type GroupMut<'a> =
    (((((&'a mut [f32], &'a mut [f32]), &'a mut [f32]), &'a mut [f32]), &'a mut [f32]), &'a mut [f32]);

/// a and c of a rule from its centers and its 1/σ.
fn write_rule(moving: &[f32], gates: Option<&[f32]>, a: &mut [f32], c: &mut [f32]) {
    let (centers, inverse) = moving.split_at(a.len());
    for j in 0..a.len() {
        a[j] = inverse[j] * gates.map_or(1.0, |gates| gates[j].abs());
        c[j] = a[j] * centers[j];
    }
}

/// One sample before all rules.
fn listen(
    network: &Network,
    packed: &Packed,
    x: &[f32],
    t: &[f32],
    loss: Loss,
    scale: f32,
    cpu: &Cpu,
) -> Heard {
    let outputs = network.outputs;
    let phi = packed.firing(x, cpu.simd());
    let mut y = vec![0.0f32; outputs];
    for (phi, w) in phi.iter().zip(network.w.chunks_exact(outputs)).filter(|(phi, _)| **phi > 0.0) {
        y.iter_mut().zip(w).for_each(|(y, w)| *y += phi * w);
    }
    let (loss, mut e) = slopes_of(&y, t, loss);
    let wrong = first_largest(&y) != first_largest(t);
    e.iter_mut().for_each(|e| *e *= scale);
    let q = |(phi, w): (&f32, &[f32])| match *phi > 0.0 {
        true => 2.0 * phi * w.iter().zip(&y).zip(&e).map(|((w, y), e)| e * (w - y)).sum::<f32>(),
        false => 0.0,
    };
    let q = phi.iter().zip(network.w.chunks_exact(outputs)).map(q).collect();
    Heard { phi, q, e, loss, wrong }
}

/// The loss and its slopes with respect to the outputs.
fn slopes_of(y: &[f32], t: &[f32], loss: Loss) -> (f64, Vec<f32>) {
    match loss {
        Loss::Squares => {
            let e: Vec<f32> = y.iter().zip(t).map(|(y, t)| y - t).collect();
            (0.5 * e.iter().map(|e| f64::from(*e).powi(2)).sum::<f64>(), e)
        }
        Loss::CrossEntropy => {
            let most = y.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let p: Vec<f32> = y.iter().map(|y| (y - most).exp()).collect();
            let sum: f32 = p.iter().sum();
            let loss = y.iter().zip(t).map(|(y, t)| f64::from(*t) * f64::from(sum.ln() - (y - most))).sum();
            (loss, p.iter().zip(t).map(|(p, t)| p / sum - t).collect())
        }
    }
}

simd! {
    /// Adds the slopes of one sample with respect to a rule's centers and ln 1/σ.
    fn add_slopes(q: f32, x: &[f32], a: &[f32], c: &[f32], by_m: &mut [f32], by_a: &mut [f32]) = add_slopes_body;
}

#[inline(always)]
fn add_slopes_body<const FMA: bool>(
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
    /// Moves the parameters of a rule.
    fn move_rule(
        stride: Stride,
        slopes: &[f32],
        means: (&mut [f32], &mut [f32]),
        moving: &mut [f32],
        w: &mut [f32],
    ) = move_rule_body;
}

#[inline(always)]
fn move_rule_body<const FMA: bool>(
    stride: Stride,
    slopes: &[f32],
    means: (&mut [f32], &mut [f32]),
    moving: &mut [f32],
    w: &mut [f32],
) {
    let d = moving.len() / 2;
    let (first, second) = (&mut means.0[..slopes.len()], &mut means.1[..slopes.len()]);
    for j in 0..d {
        let slope = slopes[j] * stride.unit;
        moving[j] -= stride.unit * stride_of(stride, slope, &mut first[j], &mut second[j]);
    }
    for j in d..2 * d {
        let u = stride_of(stride, slopes[j], &mut first[j], &mut second[j]);
        // exp(−u) to the second order: u is far below 1.
        moving[j] = (moving[j] * (1.0 - u + 0.5 * u * u)).min(stride.most);
    }
    let rest = first[2 * d..].iter_mut().zip(&mut second[2 * d..]).zip(&slopes[2 * d..]);
    for (w, ((first, second), slope)) in w.iter_mut().zip(rest) {
        *w -= stride_of(stride, *slope, first, second);
    }
}

/// How far one parameter moves: equation (6).
#[inline(always)]
fn stride_of(stride: Stride, slope: f32, first: &mut f32, second: &mut f32) -> f32 {
    *first += (1.0 - BETAS.0) * (slope - *first);
    *second += (1.0 - BETAS.1) * (slope * slope - *second);
    stride.rate * (*first * stride.first) / ((*second * stride.second).sqrt() + TINY)
}
