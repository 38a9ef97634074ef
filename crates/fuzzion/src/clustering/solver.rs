//! Faster to the same fixed points: mixtures of the last steps, undone where the objective would rise.
//!
//! With g(v) the centers that equation (3) makes of v and f = g(v) − v, Anderson's next centers are g − Σ γₗ Δgₗ, where γ
//! minimises ‖f − Σ γₗ Δfₗ‖ over the last steps. That finds any fixed point nearby, a saddle too; since −2·massₖ·fₖ is the
//! gradient of J, a step p leads downhill at least as steeply as the plain one where Σ massₖ fₖ·pₖ ≥ Σ massₖ fₖ·fₖ, and
//! where it does not, Nesterov's momentum g + β(g − g′) is taken instead. A step that raised J is replaced by the plain
//! one, and both methods begin anew.
//!
//! Sources: D. G. Anderson, "Iterative procedures for nonlinear integral equations", 1965; Y. Nesterov, "A method of
//! solving a convex programming problem with convergence rate O(1/k²)", 1983; B. O'Donoghue, E. Candès, "Adaptive restart
//! for accelerated gradient schemes", 2015.

use super::linear::{cholesky, invert_lower};

/// Steps remembered.
const DEPTH: usize = 6;
/// What keeps nearly dependent steps apart, relative to their squared lengths.
const RIDGE: f64 = 1e-10;
/// γ that leads too far to be trusted.
const FAR: f64 = 1e4;

/// The memory of the accelerated iteration; with `plain` it always takes the textbook's step.
pub(super) struct Solver {
    plain: bool,
    slack: f64,
    /// Centers, what equation (3) makes of them, and their objective, at the last accepted point.
    best: Option<(Vec<f64>, Vec<f64>, f64)>,
    /// (Δg, Δf) of the last accepted steps.
    steps: Vec<(Vec<f64>, Vec<f64>)>,
    /// Nesterov's t, and g before the last one.
    momentum: f64,
    before: Option<Vec<f64>>,
    /// Whether the last step was not the plain one, which alone can raise J.
    mixed: bool,
    /// Whether the next step must be the plain one.
    wait: bool,
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
        let (best, steps, before) = (None, Vec::new(), None);
        Solver { plain, slack, best, steps, momentum: 1.0, before, mixed: false, wait: false }
    }

    /// The centers after `centers`, of which equation (3) makes `mapped`, at objective `objective`; `masses` are Σᵢ uₖᵢᵐ.
    pub(super) fn step(&mut self, centers: &[f64], mapped: &[f64], masses: &[f64], objective: f64) -> Step {
        if self.plain {
            return Step { centers: mapped.to_vec(), accepted: true };
        }
        let f = difference(mapped, centers);
        if let Some((old, old_mapped, old_objective)) = &self.best {
            if self.mixed && objective > old_objective * (1.0 + self.slack) {
                let centers = old_mapped.clone();
                self.restart();
                return Step { centers, accepted: false };
            }
            let step = (difference(mapped, old_mapped), difference(&f, &difference(old_mapped, old)));
            if self.steps.len() == DEPTH {
                self.steps.remove(0);
            }
            self.steps.push(step);
        }
        self.best = Some((centers.to_vec(), mapped.to_vec(), objective));
        let next =
            if self.wait { None } else { self.mix(mapped, &f, masses).or_else(|| self.push_on(mapped)) };
        self.wait = false;
        self.before = Some(mapped.to_vec());
        self.mixed = next.is_some();
        Step { centers: next.unwrap_or_else(|| mapped.to_vec()), accepted: true }
    }

    fn restart(&mut self) {
        self.steps.clear();
        self.momentum = 1.0;
        self.before = None;
        self.mixed = false;
        self.wait = true;
    }

    /// Anderson's g − Σ γₗ Δgₗ; `None` where γ cannot be had or does not lead downhill.
    fn mix(&mut self, mapped: &[f64], f: &[f64], masses: &[f64]) -> Option<Vec<f64>> {
        if self.steps.is_empty() {
            return None;
        }
        let Some(gamma) = self.gamma(f) else {
            self.steps.clear();
            return None;
        };
        let mut next = mapped.to_vec();
        for (gamma, (dg, _)) in gamma.iter().zip(&self.steps) {
            next.iter_mut().zip(dg).for_each(|(v, dg)| *v -= gamma * dg);
        }
        // p − f, weighed by the masses as the gradient is.
        let columns = f.len() / masses.len();
        let more = next.iter().zip(mapped).zip(f).enumerate();
        let downhill: f64 = more.map(|(i, ((v, g), f))| masses[i / columns] * f * (v - g)).sum();
        (downhill >= 0.0).then_some(next)
    }

    /// γ by the normal equations, in units of the steps' own lengths.
    fn gamma(&self, f: &[f64]) -> Option<Vec<f64>> {
        let k = self.steps.len();
        let lengths: Vec<f64> = self.steps.iter().map(|(_, df)| dot(df, df).sqrt()).collect();
        let mut normal = vec![0.0; k * k];
        for i in 0..k {
            for j in 0..k {
                let ridge = if i == j { RIDGE } else { 0.0 };
                normal[i * k + j] =
                    dot(&self.steps[i].1, &self.steps[j].1) / (lengths[i] * lengths[j]) + ridge;
            }
        }
        let inverse = invert_lower(&cholesky(&normal, k)?, k);
        let right: Vec<f64> = (0..k).map(|i| dot(&self.steps[i].1, f) / lengths[i]).collect();
        let half: Vec<f64> = (0..k).map(|i| (0..=i).map(|j| inverse[i * k + j] * right[j]).sum()).collect();
        let gamma = |i: usize| (i..k).map(|j| inverse[j * k + i] * half[j]).sum::<f64>() / lengths[i];
        let gamma: Vec<f64> = (0..k).map(gamma).collect();
        gamma.iter().all(|g| g.abs() < FAR).then_some(gamma)
    }

    /// Nesterov's g + β(g − g′); `None` for the first step.
    fn push_on(&mut self, mapped: &[f64]) -> Option<Vec<f64>> {
        let t = self.momentum;
        self.momentum = 0.5 * (1.0 + (1.0 + 4.0 * t * t).sqrt());
        let beta = (t - 1.0) / self.momentum;
        let before = self.before.as_ref()?;
        Some(mapped.iter().zip(before).map(|(g, old)| g + beta * (g - old)).collect())
    }
}

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
