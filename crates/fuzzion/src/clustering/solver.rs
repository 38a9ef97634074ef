//! Faster to the same fixed points: Anderson's mixing of the last steps, undone where the objective would rise.
//!
//! With g(v) the centers that equation (3) makes of v and f = g(v) − v, the next centers are g − Σ γₗ Δgₗ, where γ
//! minimises ‖f − Σ γₗ Δfₗ‖ over the last steps. Source: D. G. Anderson, "Iterative procedures for nonlinear integral
//! equations", 1965; safeguarded as in restarted methods: a step that raises J is replaced by the plain one.

use super::linear::{cholesky, invert_lower};

/// Steps remembered.
const DEPTH: usize = 6;

/// The memory of the accelerated iteration; with `plain` it always takes the textbook's step.
pub(super) struct Solver {
    plain: bool,
    slack: f64,
    /// Centers, what equation (3) makes of them, and their objective, at the last accepted point.
    best: Option<(Vec<f64>, Vec<f64>, f64)>,
    /// (Δg, Δf) of the last accepted steps.
    steps: Vec<(Vec<f64>, Vec<f64>)>,
}

/// Where to go next.
pub(super) struct Step {
    pub(super) centers: Vec<f64>,
    /// Whether the point just evaluated lowered the objective; if not, `centers` goes back behind it.
    pub(super) accepted: bool,
}

impl Solver {
    /// `slack` is how far rounding may raise the objective, relative to itself.
    pub(super) fn new(plain: bool, slack: f64) -> Self {
        Solver { plain, slack, best: None, steps: Vec::new() }
    }

    /// The centers after `centers`, of which equation (3) makes `mapped`, at objective `objective`.
    pub(super) fn step(&mut self, centers: &[f64], mapped: &[f64], objective: f64) -> Step {
        if self.plain {
            return Step { centers: mapped.to_vec(), accepted: true };
        }
        if let Some((old, old_mapped, old_objective)) = self.best.take() {
            // A plain step cannot raise J by more than rounding does, so it is never taken back.
            let lowered = objective <= old_objective * (1.0 + self.slack);
            if !lowered && !self.steps.is_empty() {
                self.steps.clear();
                let next = old_mapped.clone();
                self.best = Some((old, old_mapped, old_objective));
                return Step { centers: next, accepted: false };
            }
            let difference = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<_>>();
            let dg = difference(mapped, &old_mapped);
            let dv = difference(centers, &old);
            let df = difference(&dg, &dv);
            if self.steps.len() == DEPTH {
                self.steps.remove(0);
            }
            self.steps.push((dg, df));
        }
        self.best = Some((centers.to_vec(), mapped.to_vec(), objective));
        let centers = self.mix(centers, mapped).unwrap_or_else(|| {
            self.steps.clear();
            mapped.to_vec()
        });
        Step { centers, accepted: true }
    }

    /// g − Σ γₗ Δgₗ; `None` where γ cannot be had or leads far away.
    fn mix(&self, centers: &[f64], mapped: &[f64]) -> Option<Vec<f64>> {
        const FAR: f64 = 1e4;
        let k = self.steps.len();
        if k == 0 {
            return None;
        }
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let f: Vec<f64> = mapped.iter().zip(centers).map(|(g, v)| g - v).collect();
        let mut normal = vec![0.0; k * k];
        for i in 0..k {
            for j in 0..k {
                normal[i * k + j] = dot(&self.steps[i].1, &self.steps[j].1);
            }
        }
        let trace: f64 = (0..k).map(|i| normal[i * k + i]).sum();
        for i in 0..k {
            normal[i * k + i] += trace * 1e-12;
        }
        let inverse = invert_lower(&cholesky(&normal, k)?, k);
        let right: Vec<f64> = self.steps.iter().map(|(_, df)| dot(df, &f)).collect();
        let half: Vec<f64> = (0..k).map(|i| (0..=i).map(|j| inverse[i * k + j] * right[j]).sum()).collect();
        let gamma: Vec<f64> = (0..k).map(|i| (i..k).map(|j| inverse[j * k + i] * half[j]).sum()).collect();
        if !gamma.iter().all(|g: &f64| g.abs() < FAR) {
            return None;
        }
        let mut next = mapped.to_vec();
        for (gamma, (dg, _)) in gamma.iter().zip(&self.steps) {
            next.iter_mut().zip(dg).for_each(|(v, dg)| *v -= gamma * dg);
        }
        Some(next)
    }
}
