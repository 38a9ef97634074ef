//! Reference implementation of the equations in double precision with centers and widths; the oracle for all back
//! ends.

use super::adam::TextbookAdam;
pub(in crate::sonfin) use super::equations::{Rule, firing, ln_mu, loss, outputs};
use super::equations::{to_f64, z};
use crate::sonfin::error::Result;
use crate::sonfin::learner::{
    BatchLearner, BatchRun, EpochStats, FIRST, Learner, MIN_UPDATE_FIRING, NONE, StepSettings, TrainingRun,
};
use crate::sonfin::types::adam::Adam;
use crate::sonfin::types::argmax::argmax;
use crate::sonfin::types::network::Network;
use crate::sonfin::types::options::WidthRule;
use crate::sonfin::types::scaled_samples::ScaledSamples;

/// Networks trained sample by sample, or with Adam.
pub struct Textbook<'a> {
    pub(in crate::sonfin) samples: &'a ScaledSamples,
    pub(in crate::sonfin) networks: Vec<Vec<Rule>>,
    adam: Vec<TextbookAdam>,
}

/// Adds a rule centered at the sample: Equation (3).
fn add_rule(
    rules: &mut Vec<Rule>,
    nearest: i32,
    ln_mu: &[f64],
    x: &[f64],
    t: &[f64],
    settings: &StepSettings,
) {
    let beta = f64::from(settings.beta);
    let width = if nearest == FIRST {
        f64::from(settings.first_width)
    } else {
        let rule = &rules[nearest as usize];
        let difference =
            |j: usize| if x[j].is_nan() || rule.s[j].is_infinite() { 0.0 } else { x[j] - rule.m[j] };
        let square: f64 = (0..x.len()).map(|j| difference(j).powi(2)).sum();
        match settings.width_rule {
            WidthRule::Distance => beta * square.sqrt(),
            WidthRule::Thesis => beta * square,
            WidthRule::LogFiring => -beta * ln_mu[nearest as usize],
        }
    };
    let width = width.max(f64::from(settings.min_width));
    rules.push(Rule {
        m: x.iter().map(|x| if x.is_nan() { 0.0 } else { *x }).collect(),
        s: x.iter().map(|x| if x.is_nan() { f64::INFINITY } else { width }).collect(),
        w: t.to_vec(),
    });
}

/// Updates a rule: Equation (5).
fn update_rule(rule: &mut Rule, q: f64, phi: f64, e: &[f64], x: &[f64], settings: &StepSettings) {
    let (rate_m, rate_s) = (f64::from(settings.rate_m), f64::from(settings.rate_s));
    for (j, x) in x.iter().copied().enumerate() {
        let z = z(x, rule.m[j], rule.s[j]);
        if rule.s[j].is_infinite() || x.is_nan() {
            continue;
        }
        let scale = if settings.plain_gradient { rule.s[j].powi(-2) } else { 1.0 };
        let p = (-2.0 * rate_m * q * scale).clamp(-0.5, 0.5);
        let t = 2.0 * rate_s * q * z * z * scale;
        let mut s = if settings.plain_gradient { 1.0 / (1.0 - t.min(0.5)) } else { 1.0 + t }.clamp(0.5, 2.0);
        if s > 1.0 && rule.s[j] / s < f64::from(settings.min_width) {
            s = 1.0;
        }
        rule.m[j] += p * (x - rule.m[j]);
        rule.s[j] /= s;
    }
    for (w, e) in rule.w.iter_mut().zip(e) {
        *w -= f64::from(settings.rate_w) * phi * e;
    }
}

/// Trains on one sample. Returns the loss, whether the sample was misclassified, and the structure decision.
fn train_one(
    rules: &mut Vec<Rule>,
    x: &[f64],
    t: &[f64],
    settings: &StepSettings,
    replay: Option<i32>,
) -> (f64, bool, i32) {
    let mut ln_mu: Vec<f64> = rules.iter().map(|rule| ln_mu(rule, x)).collect();
    let decide = || match ln_mu.is_empty() {
        _ if rules.len() >= settings.max_rules => NONE,
        true => FIRST,
        false => {
            let nearest = argmax(&ln_mu);
            if ln_mu[nearest] <= f64::from(settings.ln_threshold) { nearest as i32 } else { NONE }
        }
    };
    let decision = replay.unwrap_or_else(decide);
    if decision != NONE {
        add_rule(rules, decision, &ln_mu, x, t, settings);
        ln_mu.push(0.0);
    }
    let phi = firing(&ln_mu);
    let y = outputs(rules, &phi, t.len());
    let (sum, e) = loss(&y, t, settings.loss);
    for (rule, phi) in rules.iter_mut().zip(&phi).filter(|(_, phi)| **phi >= f64::from(MIN_UPDATE_FIRING)) {
        let q = phi * (0..t.len()).map(|l| e[l] * (rule.w[l] - y[l])).sum::<f64>();
        update_rule(rule, q, *phi, &e, x, settings);
    }
    (sum, argmax(&y) != argmax(t), decision)
}

impl<'a> Textbook<'a> {
    pub fn new(samples: &'a ScaledSamples, networks: &[Network]) -> Self {
        Textbook { samples, networks: networks.iter().map(rules_in_f64).collect(), adam: Vec::new() }
    }
}

/// Rules of a network as centers and widths.
pub(in crate::sonfin) fn rules_in_f64(network: &Network) -> Vec<Rule> {
    let (d, l) = (network.dims, network.outputs);
    let rule = |k: usize| {
        let (a, c) = (&network.a[k * d..][..d], &network.c[k * d..][..d]);
        let m = a.iter().zip(c).map(|(a, c)| if *a == 0.0 { 0.0 } else { f64::from(*c) / f64::from(*a) });
        Rule {
            m: m.collect(),
            s: a.iter().map(|a| 1.0 / f64::from(*a)).collect(),
            w: to_f64(&network.w[k * l..][..l]),
        }
    };
    (0..network.rules()).map(rule).collect()
}

impl Learner for Textbook<'_> {
    fn learn(&mut self, runs: &[TrainingRun<'_>]) -> Result<Vec<EpochStats>> {
        let learn = |(rules, run): (&mut Vec<Rule>, &TrainingRun<'_>)| {
            let mut stats = EpochStats::default();
            for (i, row) in run.order.iter().enumerate() {
                let (x, t) = (self.samples.inputs_of(*row as usize), self.samples.targets_of(*row as usize));
                let replay = run.replay.map(|replay| replay[i]);
                let (loss, misclassified, decision) =
                    train_one(rules, &to_f64(x), &to_f64(t), &run.settings, replay);
                stats.loss += loss;
                stats.misclassified += u64::from(misclassified);
                stats.decisions.push(decision);
            }
            stats
        };
        Ok(self.networks.iter_mut().zip(runs).map(learn).collect())
    }

    fn network(&mut self, index: usize) -> Result<Network> {
        let mut network = Network::empty(self.samples.dims, self.samples.outputs);
        for rule in &self.networks[index] {
            network.a.extend(rule.s.iter().map(|s| (1.0 / s) as f32));
            let c = rule.m.iter().zip(&rule.s).map(|(m, s)| (m / s) as f32);
            network.c.extend(c);
            network.w.extend(rule.w.iter().map(|w| *w as f32));
        }
        Ok(network)
    }

    fn replace(&mut self, index: usize, network: &Network) -> Result<()> {
        self.networks[index] = rules_in_f64(network);
        Ok(())
    }

    fn outputs(&mut self, index: usize, rows: &[u32]) -> Result<Vec<f32>> {
        let rules = &self.networks[index];
        let of = |row: &u32| {
            let x = to_f64(self.samples.inputs_of(*row as usize));
            let phi = firing(&rules.iter().map(|rule| ln_mu(rule, &x)).collect::<Vec<_>>());
            outputs(rules, &phi, self.samples.outputs)
        };
        Ok(rows.iter().flat_map(of).map(|y| y as f32).collect())
    }
}

impl BatchLearner for Textbook<'_> {
    fn set_adam(&mut self, states: Vec<Adam>) -> Result<()> {
        self.adam = states.iter().map(TextbookAdam::new).collect();
        Ok(())
    }

    fn learn_batches(&mut self, runs: &[BatchRun<'_>]) -> Result<Vec<EpochStats>> {
        let networks = self.networks.iter_mut().zip(&mut self.adam);
        Ok(networks.zip(runs).map(|((rules, adam), run)| adam.learn(rules, self.samples, run)).collect())
    }

    fn adam(&mut self, index: usize) -> Result<Adam> {
        Ok(self.adam[index].state())
    }
}
