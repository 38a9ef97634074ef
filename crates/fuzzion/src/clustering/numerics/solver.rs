//! Anderson acceleration of the iteration, which preserves its fixed points; steps that increase the objective are
//! rejected.
//!
//! With g(v) the centers after Equation (3) and f = g(v) − v, Anderson's next centers are g − Σ γₗ Δgₗ, where γ
//! minimizes ‖f − Σ γₗ Δfₗ‖ over the last steps. This converges to any nearby fixed point, including saddle points.
//! Since −2·massₖ·fₖ is the gradient of J, a step p descends at least as steeply as the plain one if Σ massₖ fₖ·pₖ ≥
//! Σ massₖ fₖ·fₖ; otherwise Nesterov's momentum step g + β(g − g′) is used. A step that increases J is replaced by
//! the plain one, and both methods restart.
//!
//! Sources: D. G. Anderson, "Iterative procedures for nonlinear integral equations", 1965; Y. Nesterov, "A method of
//! solving a convex programming problem with convergence rate O(1/k²)", 1983; B. O'Donoghue, E. Candès, "Adaptive
//! restart for accelerated gradient schemes", 2015.

use super::linear::{cholesky, invert_lower};

/// Number of stored steps.
const MAX_STEPS: usize = 6;
/// Ridge that regularizes nearly dependent steps, relative to their squared lengths.
const RIDGE: f64 = 1e-10;
/// Upper limit of |γ|.
const MAX_GAMMA: f64 = 1e4;

/// State of the accelerated iteration; `plain` disables acceleration.
pub(in crate::clustering) struct Solver {
    plain: bool,
    slack: f64,
    /// Centers, their image under Equation (3) and their objective at the last accepted point.
    last_accepted: Option<(Vec<f64>, Vec<f64>, f64)>,
    /// (Δg, Δf) of the last accepted steps.
    steps: Vec<(Vec<f64>, Vec<f64>)>,
    /// Nesterov's t and the previous g.
    momentum: f64,
    previous_mapped: Option<Vec<f64>>,
    /// Whether the last step was accelerated; only such a step can increase J.
    accelerated: bool,
    /// Whether the next step must be plain.
    force_plain: bool,
}

/// Next centers to evaluate.
pub(in crate::clustering) struct SolverStep {
    pub(in crate::clustering) centers: Vec<f64>,
    /// Whether the evaluated point was accepted; otherwise `centers` is the plain step from the last accepted point.
    pub(in crate::clustering) accepted: bool,
}

impl Solver {
    /// `slack` is the relative increase in the objective attributed to rounding.
    pub(in crate::clustering) fn new(plain: bool, slack: f64) -> Self {
        let (last_accepted, steps, previous_mapped) = (None, Vec::new(), None);
        Solver {
            plain,
            slack,
            last_accepted,
            steps,
            momentum: 1.0,
            previous_mapped,
            accelerated: false,
            force_plain: false,
        }
    }

    /// Returns the next centers, given `centers`, their image `mapped` under Equation (3), the masses Σᵢ uₖᵢᵐ and the
    /// objective.
    pub(in crate::clustering) fn step(
        &mut self,
        centers: &[f64],
        mapped: &[f64],
        masses: &[f64],
        objective: f64,
    ) -> SolverStep {
        if self.plain {
            return SolverStep { centers: mapped.to_vec(), accepted: true };
        }
        let f = difference(mapped, centers);
        if let Some((old, old_mapped, old_objective)) = &self.last_accepted {
            if self.accelerated && objective > old_objective * (1.0 + self.slack) {
                let centers = old_mapped.clone();
                self.restart();
                return SolverStep { centers, accepted: false };
            }
            let step = (difference(mapped, old_mapped), difference(&f, &difference(old_mapped, old)));
            if self.steps.len() == MAX_STEPS {
                self.steps.remove(0);
            }
            self.steps.push(step);
        }
        self.last_accepted = Some((centers.to_vec(), mapped.to_vec(), objective));
        let next = if self.force_plain {
            None
        } else {
            self.anderson_step(mapped, &f, masses).or_else(|| self.nesterov_step(mapped))
        };
        self.force_plain = false;
        self.previous_mapped = Some(mapped.to_vec());
        self.accelerated = next.is_some();
        SolverStep { centers: next.unwrap_or_else(|| mapped.to_vec()), accepted: true }
    }

    fn restart(&mut self) {
        self.steps.clear();
        self.momentum = 1.0;
        self.previous_mapped = None;
        self.accelerated = false;
        self.force_plain = true;
    }

    /// Anderson's g − Σ γₗ Δgₗ; `None` if γ is undefined or the step does not descend.
    fn anderson_step(&mut self, mapped: &[f64], f: &[f64], masses: &[f64]) -> Option<Vec<f64>> {
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
        // p − f, weighted by the masses like the gradient.
        let columns = f.len() / masses.len();
        let terms = next.iter().zip(mapped).zip(f).enumerate();
        let descent: f64 = terms.map(|(i, ((v, g), f))| masses[i / columns] * f * (v - g)).sum();
        (descent >= 0.0).then_some(next)
    }

    /// γ from the normal equations, with the steps scaled to unit length.
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
        gamma.iter().all(|g| g.abs() < MAX_GAMMA).then_some(gamma)
    }

    /// Nesterov's g + β(g − g′); `None` in the first step.
    fn nesterov_step(&mut self, mapped: &[f64]) -> Option<Vec<f64>> {
        let t = self.momentum;
        self.momentum = 0.5 * (1.0 + (1.0 + 4.0 * t * t).sqrt());
        let beta = (t - 1.0) / self.momentum;
        let previous = self.previous_mapped.as_ref()?;
        Some(mapped.iter().zip(previous).map(|(g, old)| g + beta * (g - old)).collect())
    }
}

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
