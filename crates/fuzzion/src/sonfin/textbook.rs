//! Learning as the equations say it, in plain double precision with centers and widths: the oracle of all others.

use super::learner::{Course, FIRST, Learner, Lesson, Loss, NONE, Tally, UNMOVED, WidthRule};
use super::network::Network;
use super::samples::Samples;
use crate::error::Result;

/// One rule.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub(super) m: Vec<f64>,
    /// Infinite where the rule does not ask for the input.
    pub(super) s: Vec<f64>,
    pub(super) w: Vec<f64>,
}

/// Networks that learn sample by sample.
pub(super) struct Textbook<'a> {
    pub(super) samples: &'a Samples,
    pub(super) networks: Vec<Vec<Rule>>,
}

/// (x − m)/σ, or 0 where the input is missing or not asked for.
fn z(x: f64, m: f64, s: f64) -> f64 {
    if x.is_nan() || s.is_infinite() { 0.0 } else { (x - m) / s }
}

/// ln μ of a rule: equation (1).
pub(super) fn ln_mu(rule: &Rule, x: &[f64]) -> f64 {
    -(0..x.len()).map(|j| z(x[j], rule.m[j], rule.s[j]).powi(2)).sum::<f64>()
}

/// φ of all rules: equation (2).
pub(super) fn firing(ln_mu: &[f64]) -> Vec<f64> {
    let most = ln_mu.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = ln_mu.iter().map(|l| (l - most).exp()).sum();
    ln_mu.iter().map(|l| (l - most).exp() / sum).collect()
}

/// y: equation (2).
pub(super) fn outputs(rules: &[Rule], phi: &[f64], outputs: usize) -> Vec<f64> {
    (0..outputs).map(|l| rules.iter().zip(phi).map(|(rule, phi)| phi * rule.w[l]).sum()).collect()
}

/// The loss and its slopes e with respect to the outputs.
pub(super) fn loss(y: &[f64], t: &[f64], loss: Loss) -> (f64, Vec<f64>) {
    match loss {
        Loss::Squares => {
            let e: Vec<f64> = y.iter().zip(t).map(|(y, t)| y - t).collect();
            (0.5 * e.iter().map(|e| e * e).sum::<f64>(), e)
        }
        Loss::CrossEntropy => {
            let p = firing(y);
            let sum = -p.iter().zip(t).filter(|(_, t)| **t != 0.0).map(|(p, t)| t * p.ln()).sum::<f64>();
            (sum, p.iter().zip(t).map(|(p, t)| p - t).collect())
        }
    }
}

/// The first of the largest.
pub(super) fn largest(values: &[f64]) -> usize {
    (1..values.len()).fold(0, |best, i| if values[i] > values[best] { i } else { best })
}

/// Adds a rule around the sample: equation (3).
fn grow(rules: &mut Vec<Rule>, nearest: i32, ln_mu: &[f64], x: &[f64], t: &[f64], course: &Course) {
    let beta = f64::from(course.beta);
    let width = if nearest == FIRST {
        f64::from(course.first_width)
    } else {
        let rule = &rules[nearest as usize];
        let apart = |j: usize| if x[j].is_nan() || rule.s[j].is_infinite() { 0.0 } else { x[j] - rule.m[j] };
        let square: f64 = (0..x.len()).map(|j| apart(j).powi(2)).sum();
        match course.width_rule {
            WidthRule::Distance => beta * square.sqrt(),
            WidthRule::Thesis => beta * square,
            WidthRule::LogFiring => -beta * ln_mu[nearest as usize],
        }
    };
    let width = width.max(f64::from(course.least_width));
    rules.push(Rule {
        m: x.iter().map(|x| if x.is_nan() { 0.0 } else { *x }).collect(),
        s: x.iter().map(|x| if x.is_nan() { f64::INFINITY } else { width }).collect(),
        w: t.to_vec(),
    });
}

/// Moves a rule: equation (5).
fn step(rule: &mut Rule, q: f64, phi: f64, e: &[f64], x: &[f64], course: &Course) {
    let (rate_m, rate_s) = (f64::from(course.rate_m), f64::from(course.rate_s));
    for (j, x) in x.iter().copied().enumerate() {
        let z = z(x, rule.m[j], rule.s[j]);
        if rule.s[j].is_infinite() || x.is_nan() {
            continue;
        }
        let scale = if course.plain { rule.s[j].powi(-2) } else { 1.0 };
        let p = (-2.0 * rate_m * q * scale).clamp(-0.5, 0.5);
        let t = 2.0 * rate_s * q * z * z * scale;
        let mut s = if course.plain { 1.0 / (1.0 - t.min(0.5)) } else { 1.0 + t }.clamp(0.5, 2.0);
        if s > 1.0 && rule.s[j] / s < f64::from(course.least_width) {
            s = 1.0;
        }
        rule.m[j] += p * (x - rule.m[j]);
        rule.s[j] /= s;
    }
    for (w, e) in rule.w.iter_mut().zip(e) {
        *w -= f64::from(course.rate_w) * phi * e;
    }
}

/// One sample: the loss, whether it is wrong, and the decision.
fn learn_one(
    rules: &mut Vec<Rule>,
    x: &[f64],
    t: &[f64],
    course: &Course,
    replay: Option<i32>,
) -> (f64, bool, i32) {
    let mut ln_mu: Vec<f64> = rules.iter().map(|rule| ln_mu(rule, x)).collect();
    let own = || match ln_mu.is_empty() {
        _ if rules.len() >= course.most_rules => NONE,
        true => FIRST,
        false => {
            let nearest = largest(&ln_mu);
            if ln_mu[nearest] <= f64::from(course.ln_threshold) { nearest as i32 } else { NONE }
        }
    };
    let decision = replay.unwrap_or_else(own);
    if decision != NONE {
        grow(rules, decision, &ln_mu, x, t, course);
        ln_mu.push(0.0);
    }
    let phi = firing(&ln_mu);
    let y = outputs(rules, &phi, t.len());
    let (sum, e) = loss(&y, t, course.loss);
    for (rule, phi) in rules.iter_mut().zip(&phi).filter(|(_, phi)| **phi >= f64::from(UNMOVED)) {
        let q = phi * (0..t.len()).map(|l| e[l] * (rule.w[l] - y[l])).sum::<f64>();
        step(rule, q, *phi, &e, x, course);
    }
    (sum, largest(&y) != largest(t), decision)
}

fn wide(values: &[f32]) -> Vec<f64> {
    values.iter().map(|x| f64::from(*x)).collect()
}

impl<'a> Textbook<'a> {
    pub(super) fn new(samples: &'a Samples, networks: &[Network]) -> Self {
        Textbook { samples, networks: networks.iter().map(rules_of).collect() }
    }
}

/// The rules of a network with centers and widths.
pub(super) fn rules_of(network: &Network) -> Vec<Rule> {
    let (d, l) = (network.dims, network.outputs);
    let rule = |k: usize| {
        let (a, c) = (&network.a[k * d..][..d], &network.c[k * d..][..d]);
        let m = a.iter().zip(c).map(|(a, c)| if *a == 0.0 { 0.0 } else { f64::from(*c) / f64::from(*a) });
        Rule {
            m: m.collect(),
            s: a.iter().map(|a| 1.0 / f64::from(*a)).collect(),
            w: wide(&network.w[k * l..][..l]),
        }
    };
    (0..network.rules()).map(rule).collect()
}

impl Learner for Textbook<'_> {
    fn learn(&mut self, lessons: &[Lesson<'_>]) -> Result<Vec<Tally>> {
        let learn = |(rules, lesson): (&mut Vec<Rule>, &Lesson<'_>)| {
            let mut tally = Tally::default();
            for (i, row) in lesson.order.iter().enumerate() {
                let (x, t) = (self.samples.inputs_of(*row as usize), self.samples.targets_of(*row as usize));
                let replay = lesson.replay.map(|replay| replay[i]);
                let (loss, wrong, grown) = learn_one(rules, &wide(x), &wide(t), &lesson.course, replay);
                tally.loss += loss;
                tally.wrong += u64::from(wrong);
                tally.grown.push(grown);
            }
            tally
        };
        Ok(self.networks.iter_mut().zip(lessons).map(learn).collect())
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
        self.networks[index] = rules_of(network);
        Ok(())
    }

    fn outputs(&mut self, index: usize, rows: &[u32]) -> Result<Vec<f32>> {
        let rules = &self.networks[index];
        let of = |row: &u32| {
            let x = wide(self.samples.inputs_of(*row as usize));
            let phi = firing(&rules.iter().map(|rule| ln_mu(rule, &x)).collect::<Vec<_>>());
            outputs(rules, &phi, self.samples.outputs)
        };
        Ok(rows.iter().flat_map(of).map(|y| y as f32).collect())
    }
}
