//! Reference implementation of Adam in double precision: Equation (6).

use super::equations::{Rule, firing, ln_mu, loss, outputs, to_f64, z};
use crate::sonfin::learner::{BatchRun, EpochStats, MIN_UPDATE_FIRING};
use crate::sonfin::types::adam::{Adam, AdamSettings, BETAS};
use crate::sonfin::types::argmax::argmax;
use crate::sonfin::types::scaled_samples::ScaledSamples;
use std::f64::consts::PI;

/// State of Adam for one network; the consequents are those of the rules.
pub(super) struct TextbookAdam {
    step: u64,
    unit: f64,
    /// Centers, then 1/σ, rule by rule, without the gates.
    sets: Vec<f64>,
    gates: Vec<f64>,
    first: Vec<f64>,
    second: Vec<f64>,
}

/// φ, or 0 for rules below 2⁻²⁴ of the strongest rule.
fn updated_firing(ln_mu: &[f64]) -> Vec<f64> {
    let max = ln_mu.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let fires = |l: &f64| l - max > f64::from(MIN_UPDATE_FIRING).ln();
    firing(&ln_mu.iter().map(|l| if fires(l) { *l } else { f64::NEG_INFINITY }).collect::<Vec<_>>())
}

impl TextbookAdam {
    pub(super) fn new(adam: &Adam) -> Self {
        TextbookAdam {
            step: adam.step,
            unit: f64::from(adam.unit),
            sets: to_f64(&adam.rules),
            gates: to_f64(&adam.gates),
            first: to_f64(&adam.first),
            second: to_f64(&adam.second),
        }
    }

    pub(super) fn state(&self) -> Adam {
        let to_f32 = |values: &[f64]| values.iter().map(|x| *x as f32).collect();
        Adam {
            step: self.step,
            unit: self.unit as f32,
            rules: to_f32(&self.sets),
            gates: to_f32(&self.gates),
            first: to_f32(&self.first),
            second: to_f32(&self.second),
        }
    }

    pub(super) fn learn(
        &mut self,
        rules: &mut [Rule],
        samples: &ScaledSamples,
        run: &BatchRun<'_>,
    ) -> EpochStats {
        let mut stats = EpochStats::default();
        for batch in run.order.chunks(run.settings.batch) {
            let gradient = self.gradient(rules, samples, batch, &run.settings, &mut stats);
            self.step += 1;
            self.update(rules, &gradient, &run.settings);
        }
        stats
    }

    /// Gradient of the mean loss of a batch: centers, ln 1/σ and w, rule by rule; then the gates.
    fn gradient(
        &self,
        rules: &[Rule],
        samples: &ScaledSamples,
        batch: &[u32],
        settings: &AdamSettings,
        stats: &mut EpochStats,
    ) -> Vec<f64> {
        let (d, l) = (samples.dims, samples.outputs);
        let mut gradient = vec![0.0; self.first.len()];
        for row in batch {
            let x = to_f64(samples.inputs_of(*row as usize));
            let t = to_f64(samples.targets_of(*row as usize));
            let phi = updated_firing(&rules.iter().map(|rule| ln_mu(rule, &x)).collect::<Vec<_>>());
            let y = outputs(rules, &phi, l);
            let (loss, e) = loss(&y, &t, settings.loss);
            stats.loss += loss;
            stats.misclassified += u64::from(argmax(&y) != argmax(&t));
            for ((rule, phi), gradient) in rules.iter().zip(phi).zip(gradient.chunks_exact_mut(2 * d + l)) {
                let q = phi * (0..l).map(|l| e[l] * (rule.w[l] - y[l])).sum::<f64>() / batch.len() as f64;
                for j in 0..d {
                    let z = z(x[j], rule.m[j], rule.s[j]);
                    gradient[j] += 2.0 * q * z / rule.s[j];
                    gradient[d + j] -= 2.0 * q * z * z;
                }
                (0..l).for_each(|l| gradient[2 * d + l] += phi * e[l] / batch.len() as f64);
            }
        }
        for (j, gate) in self.gates.iter().enumerate() {
            let by_width: f64 = (0..rules.len()).map(|k| gradient[k * (2 * d + l) + d + j]).sum();
            gradient[rules.len() * (2 * d + l) + j] = by_width / gate + 3e-4 * gate.signum();
        }
        gradient
    }

    fn update(&mut self, rules: &mut [Rule], gradient: &[f64], settings: &AdamSettings) {
        let rate = settings.rate * 0.5 * (1.0 + (PI * self.step as f64 / settings.steps as f64).cos());
        let (beta_1, beta_2) = (f64::from(BETAS.0), f64::from(BETAS.1));
        let step = self.step as i32;
        let (first, second) = (&mut self.first, &mut self.second);
        let mut step_of = |i: usize, derivative: f64| {
            first[i] = beta_1 * first[i] + (1.0 - beta_1) * derivative;
            second[i] = beta_2 * second[i] + (1.0 - beta_2) * derivative * derivative;
            let (mean, square) =
                (first[i] / (1.0 - beta_1.powi(step)), second[i] / (1.0 - beta_2.powi(step)));
            rate * mean / (square.sqrt() + 1e-8)
        };
        let (d, l) = (rules[0].m.len(), rules[0].w.len());
        for (k, (rule, set)) in rules.iter_mut().zip(self.sets.chunks_exact_mut(2 * d)).enumerate() {
            let at = k * (2 * d + l);
            for j in 0..d {
                set[j] -= self.unit * step_of(at + j, self.unit * gradient[at + j]);
                let width_step = step_of(at + d + j, gradient[at + d + j]);
                set[d + j] = (set[d + j] * (1.0 - width_step + 0.5 * width_step * width_step))
                    .min(1.0 / f64::from(settings.min_width));
            }
            (0..l).for_each(|l| rule.w[l] -= step_of(at + 2 * d + l, gradient[at + 2 * d + l]));
        }
        for (j, gate) in self.gates.iter_mut().enumerate() {
            let at = rules.len() * (2 * d + l) + j;
            *gate -= 3.0 * step_of(at, gradient[at]);
        }
        for (rule, set) in rules.iter_mut().zip(self.sets.chunks_exact(2 * d)) {
            rule.m.copy_from_slice(&set[..d]);
            let gate = |j: usize| self.gates.get(j).map_or(1.0, |gate| gate.abs());
            rule.s = (0..d).map(|j| 1.0 / (set[d + j] * gate(j))).collect();
        }
    }
}
