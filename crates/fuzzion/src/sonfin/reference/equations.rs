//! The equations of a network in double precision.

use crate::sonfin::types::options::Loss;

/// One rule.
#[derive(Clone, Debug)]
pub(in crate::sonfin) struct Rule {
    pub(in crate::sonfin) m: Vec<f64>,
    /// Infinite for an input that the rule ignores.
    pub(in crate::sonfin) s: Vec<f64>,
    pub(in crate::sonfin) w: Vec<f64>,
}

/// (x − m)/σ, or 0 for a missing or ignored input.
pub(super) fn z(x: f64, m: f64, s: f64) -> f64 {
    if x.is_nan() || s.is_infinite() { 0.0 } else { (x - m) / s }
}

/// ln μ of a rule: Equation (1).
pub(in crate::sonfin) fn ln_mu(rule: &Rule, x: &[f64]) -> f64 {
    -(0..x.len()).map(|j| z(x[j], rule.m[j], rule.s[j]).powi(2)).sum::<f64>()
}

/// φ of all rules: Equation (2).
pub(in crate::sonfin) fn firing(ln_mu: &[f64]) -> Vec<f64> {
    let max = ln_mu.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = ln_mu.iter().map(|l| (l - max).exp()).sum();
    ln_mu.iter().map(|l| (l - max).exp() / sum).collect()
}

/// y: Equation (2).
pub(in crate::sonfin) fn outputs(rules: &[Rule], phi: &[f64], outputs: usize) -> Vec<f64> {
    (0..outputs).map(|l| rules.iter().zip(phi).map(|(rule, phi)| phi * rule.w[l]).sum()).collect()
}

/// Loss and its gradient e with respect to the outputs.
pub(in crate::sonfin) fn loss(y: &[f64], t: &[f64], loss: Loss) -> (f64, Vec<f64>) {
    match loss {
        Loss::SquaredError => {
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

pub(super) fn to_f64(values: &[f32]) -> Vec<f64> {
    values.iter().map(|x| f64::from(*x)).collect()
}
