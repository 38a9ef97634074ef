//! Shrinkage of the consequents towards the linear model, so that rules with few rows do not predict arbitrary values.
//!
//! Without a ridge in the settings, the consequents of the result are θ = T·β + δ. T·β is the linear model
//! ŷ = β₀ + Σⱼ βⱼ·xⱼ in the frames of all rules (the mean for constant consequents), by least squares, and δ minimizes
//!
//! Σᵢ wᵢ·(Φᵢ(Tβ + δ) − yᵢ)² + P(δ), P(δ) = (W/K)·λ·Σₘ sₘ²·δₘ² (1)
//!
//! with the sum W of the weights, K rules, sₘ² = 0.3 for constants and Π (var xⱼ/wₖⱼ²)^e for the other monomials of rule k with the
//! exponents e. The penalty does not depend on the number of rows of a rule: the fewer rows a rule has, the closer it is to
//! the linear model. Everything follows from the normal equations. λ is the largest candidate whose generalized
//! cross-validation score
//!
//! V = RSS / (1 − 1.2·df/N)², df = d + 1 + trace((ΦᵀWΦ + P)⁻¹ΦᵀWΦ) (2)
//!
//! exceeds the lowest one by at most 1 %. One candidate is the solution of training, with λ = 0 and df = number of unknowns,
//! unless a rule has fewer rows than coefficients. The penalties of such rules are then raised until their conclusions are near
//! the range of the target.
//!
//! Sources: A. E. Hoerl, R. W. Kennard, *Ridge regression*, 1970; P. Craven, G. Wahba, 1979 (Equation 2 with the factor 1).

pub(in crate::tuning) mod merge;

use crate::device::Cpu;
use crate::linear::{Cholesky, dot};
use crate::tuning::error::Result;
use crate::tuning::network::Network;
use crate::tuning::solver::normal_equations::NormalEquations;
use crate::tuning::solver::solve::solve;
use crate::tuning::training::backend::Backend;

/// Candidates for λ.
const PENALTIES: [f64; 12] = [1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0];
/// Factor of the penalty of constants: a rule may deviate in its level more easily than in its slopes.
const CONSTANT_PENALTY: f64 = 0.3;
/// Number of degrees of freedom that one degree of the coefficients counts in Equation (2). More than 1, because the sets
/// were also chosen by the data.
const DEGREE_COST: f64 = 1.2;
/// Scores that are as good as the lowest one.
pub(in crate::tuning) const TOLERANCE: f64 = 1.01;
/// Residuals below this fraction of the squares of the targets are rounding errors.
const ROUNDING: f64 = 1e-14;
/// Ridge of the linear model.
const LINEAR_RIDGE: f64 = 1e-9;
/// A conclusion is plausible if it is in the range of the target, extended by this fraction on both sides. The scaled range
/// is at most 1.
const PLAUSIBLE: f64 = 0.5;
/// Factor by which the penalty of a rule is raised, and the maximum number of times.
const RAISE: f64 = 100.0;
const MAX_RAISES: usize = 10;
/// Maximum number of unknowns: more have too many parameters to be read, and take too long.
pub(in crate::tuning) const MAX_UNKNOWNS: usize = 1024;

/// Shrinks the consequents of a network that was trained to the loss `squares`, the mean squared error summed over the
/// outputs. Returns the score of the result and whether it has changed; `None` if it has too many unknowns, or its
/// equations are not finite.
pub(in crate::tuning) fn shrink_consequents(
    backend: &mut dyn Backend,
    network: &mut Network,
    squares: f64,
    cpu: &Cpu,
) -> Result<Option<(f64, bool)>> {
    if network.unknowns() > MAX_UNKNOWNS {
        return Ok(None);
    }
    let equations = backend.normal_equations(network)?;
    let shrinkage = Shrinkage::new(network, &equations);
    let shrunk = cpu.map_chunks(PENALTIES.len(), 1, |at| {
        let penalties = shrinkage.penalties(PENALTIES[at.start]);
        Some((Some(penalties.clone()), shrinkage.solve(&penalties)?))
    });
    let trained = shrinkage.supports_all_rules().then(|| (None, shrinkage.trained(network, squares)));
    let candidates: Vec<(Option<Vec<f64>>, Candidate)> =
        trained.into_iter().chain(shrunk.into_iter().flatten()).collect();
    let lowest = candidates.iter().map(|(_, candidate)| candidate.score).fold(f64::INFINITY, f64::min);
    let chosen = candidates.into_iter().rfind(|(_, candidate)| candidate.score <= TOLERANCE * lowest);
    let Some((penalties, Candidate { theta, score })) = chosen else { return Ok(None) };
    let theta = match penalties {
        Some(penalties) => shrinkage.with_plausible_rules(penalties, theta),
        None => theta,
    };
    let has_changed = theta != network.theta;
    network.theta = theta;
    Ok(Some((score, has_changed)))
}

/// Consequents with their score.
pub(in crate::tuning) struct Candidate {
    pub(in crate::tuning) theta: Vec<f64>,
    pub(in crate::tuning) score: f64,
}

/// Equation (1) of a network.
pub(in crate::tuning) struct Shrinkage<'a> {
    equations: &'a NormalEquations,
    /// Number of monomials of a rule.
    terms: usize,
    /// T·β of every output, in the order of the network.
    pub(in crate::tuning) linear: Vec<f64>,
    /// Degrees of freedom of β.
    degrees: f64,
    /// Squared errors of the linear model, summed over the outputs.
    residuals: f64,
    /// ΦᵀW(Y − ΦTβ), by output.
    cross: Vec<f64>,
    /// sₘ²·W/K of every unknown.
    scales: Vec<f64>,
}

impl<'a> Shrinkage<'a> {
    pub(in crate::tuning) fn new(network: &Network, equations: &'a NormalEquations) -> Self {
        let (n, outputs) = (equations.unknowns, equations.outputs);
        let directions = linear_directions(network);
        let products: Vec<Vec<f64>> =
            directions.iter().map(|direction| product(equations, direction)).collect();
        let count = directions.len();
        let mut of_linear = NormalEquations::zero(count, outputs);
        for (a, product) in products.iter().enumerate() {
            for (b, direction) in directions[..=a].iter().enumerate() {
                of_linear.gram[a * (a + 1) / 2 + b] = dot(product, direction);
            }
            for o in 0..outputs {
                of_linear.cross[o * count + a] = dot(&directions[a], &equations.cross[o * n..][..n]);
            }
        }
        let beta = solve(&of_linear, LINEAR_RIDGE).theta;
        let mut linear = vec![0.0; n * outputs];
        let mut cross = equations.cross.clone();
        let mut residuals = equations.squares.iter().sum::<f64>();
        for (o, beta) in beta.chunks_exact(count).enumerate() {
            for (beta, (direction, product)) in beta.iter().zip(directions.iter().zip(&products)) {
                add_scaled(&mut linear[o * n..][..n], direction, *beta);
                add_scaled(&mut cross[o * n..][..n], product, -*beta);
            }
            let (linear, cross) = (&linear[o * n..][..n], &cross[o * n..][..n]);
            // Σ w·(y − ŷ)² = yᵀWy − ŷᵀWy − ŷᵀW(y − ŷ)
            residuals -= dot(linear, &equations.cross[o * n..][..n]) + dot(linear, cross);
        }
        let variances = variances(&of_linear, &directions);
        let scales = scales(network, &variances, equations.weight);
        Shrinkage {
            equations,
            terms: network.basis.len(),
            linear,
            degrees: count as f64,
            residuals,
            cross,
            scales,
        }
    }

    /// Whether every rule has at least as many rows as coefficients, in terms of squared firing strengths.
    fn supports_all_rules(&self) -> bool {
        (0..self.equations.unknowns).step_by(self.terms).all(|constant| self.is_supported(constant))
    }

    fn is_supported(&self, constant: usize) -> bool {
        let mean_weight = self.equations.weight / self.equations.rows as f64;
        self.equations.diagonal(constant) >= mean_weight * self.terms as f64
    }

    /// `theta`, the solution with these penalties, or the solution with larger penalties of those rules that are not supported
    /// and whose conclusions would be far outside of the range of the target.
    fn with_plausible_rules(&self, mut penalties: Vec<f64>, mut theta: Vec<f64>) -> Vec<f64> {
        let n = self.equations.unknowns;
        for _ in 0..MAX_RAISES {
            let constants = (0..n).step_by(self.terms).filter(|constant| !self.is_supported(*constant));
            let implausible: Vec<usize> =
                constants.filter(|constant| !self.is_plausible(&theta, *constant)).collect();
            if implausible.is_empty() {
                break;
            }
            for constant in implausible {
                penalties[constant..constant + self.terms].iter_mut().for_each(|penalty| *penalty *= RAISE);
            }
            match self.solve(&penalties) {
                Some(solved) => theta = solved.theta,
                None => break,
            }
        }
        theta
    }

    /// Whether the conclusions of a rule at its center, for all outputs, are near the range of the target, or not farther away
    /// than the linear model.
    fn is_plausible(&self, theta: &[f64], constant: usize) -> bool {
        (constant..theta.len()).step_by(self.equations.unknowns).all(|at| {
            let limit = (0.5 + PLAUSIBLE).max(self.linear[at].abs() + PLAUSIBLE);
            theta[at].abs() <= limit
        })
    }

    /// The solution of training, with λ = 0.
    fn trained(&self, network: &Network, squares: f64) -> Candidate {
        let residuals = squares * self.equations.weight;
        Candidate {
            theta: network.theta.clone(),
            score: self.score(residuals, self.equations.unknowns as f64),
        }
    }

    /// The penalties of all unknowns for the penalty λ.
    pub(in crate::tuning) fn penalties(&self, penalty: f64) -> Vec<f64> {
        self.scales.iter().map(|scale| penalty * scale).collect()
    }

    /// The solution with these penalties.
    pub(in crate::tuning) fn solve(&self, penalties: &[f64]) -> Option<Candidate> {
        let n = self.equations.unknowns;
        let entry = |a: usize, b: usize| {
            self.equations.gram[a * (a + 1) / 2 + b] + if a == b { penalties[a] } else { 0.0 }
        };
        let factor = Cholesky::new(n, entry)?;
        let (mut theta, mut residuals) = (self.linear.clone(), self.residuals);
        for (theta, cross) in theta.chunks_exact_mut(n).zip(self.cross.chunks_exact(n)) {
            let mut delta = cross.to_vec();
            factor.solve(&mut delta);
            // (ΦᵀWΦ + P)·δ = r, so the squared errors decrease by δᵀr + δᵀPδ.
            let decrease = delta.iter().zip(cross.iter().zip(penalties));
            residuals -= decrease.map(|(delta, (r, penalty))| delta * (r + delta * penalty)).sum::<f64>();
            add_scaled(theta, &delta, 1.0);
        }
        let shrunk = factor.inverse_diagonal().iter().zip(penalties).map(|(a, b)| a * b).sum::<f64>();
        let rounding = ROUNDING * self.equations.squares.iter().sum::<f64>();
        Some(Candidate {
            theta,
            score: self.score(residuals.max(rounding), self.degrees + n as f64 - shrunk),
        })
    }

    /// Equation (2).
    fn score(&self, residuals: f64, degrees: f64) -> f64 {
        let remaining = 1.0 - DEGREE_COST * degrees / self.equations.rows as f64;
        if remaining > 0.0 { residuals / (remaining * remaining) } else { f64::INFINITY }
    }
}

/// The columns of T: θ of the function 1 and, for linear consequents, of each input.
pub(in crate::tuning) fn linear_directions(network: &Network) -> Vec<Vec<f64>> {
    let (terms, inputs) = (network.basis.len(), network.antecedents.inputs);
    let frames = &network.frames;
    let mut one = vec![0.0; network.unknowns()];
    one.iter_mut().step_by(terms).for_each(|constant| *constant = 1.0);
    let of_input = |input: usize| {
        let mut direction = vec![0.0; network.unknowns()];
        for (rule, monomials) in direction.chunks_exact_mut(terms).enumerate() {
            let at = rule * inputs + input;
            // x = center + width·u
            (monomials[0], monomials[1 + input]) = (frames.centers[at], 1.0 / frames.inverse_widths[at]);
        }
        direction
    };
    let linear = if network.basis.order > 0 { inputs } else { 0 };
    std::iter::once(one).chain((0..linear).map(of_input)).collect()
}

/// Variances of the inputs, from the normal equations of the linear model.
fn variances(of_linear: &NormalEquations, directions: &[Vec<f64>]) -> Vec<f64> {
    let weight = of_linear.diagonal(0);
    let variance = |input: usize| {
        let mean = of_linear.gram[input * (input + 1) / 2] / weight;
        (of_linear.diagonal(input) / weight - mean * mean).max(f64::EPSILON)
    };
    (1..directions.len()).map(variance).collect()
}

/// sₘ²·W/K of every unknown.
fn scales(network: &Network, variances: &[f64], weight: f64) -> Vec<f64> {
    let (rules, inputs) = (network.antecedents.rules(), network.antecedents.inputs);
    let scale = |rule: usize, exponents: &Vec<u32>| -> f64 {
        if exponents.iter().all(|exponent| *exponent == 0) {
            return CONSTANT_PENALTY;
        }
        let factor = |(input, exponent): (usize, &u32)| {
            let inverse = network.frames.inverse_widths[rule * inputs + input];
            match exponent {
                0 => 1.0,
                _ => (variances[input] * inverse * inverse).powi(*exponent as i32),
            }
        };
        exponents.iter().enumerate().map(factor).product()
    };
    let of_rule = |rule: usize| network.basis.exponents.iter().map(move |exponents| scale(rule, exponents));
    (0..rules).flat_map(of_rule).map(|scale| scale * weight / rules as f64).collect()
}

/// ΦᵀWΦ·x.
fn product(equations: &NormalEquations, x: &[f64]) -> Vec<f64> {
    let mut result = vec![0.0; x.len()];
    for a in 0..x.len() {
        let row = &equations.gram[a * (a + 1) / 2..][..=a];
        result[a] += dot(row, &x[..=a]);
        add_scaled(&mut result[..a], &row[..a], x[a]);
    }
    result
}

fn add_scaled(sum: &mut [f64], x: &[f64], factor: f64) {
    sum.iter_mut().zip(x).for_each(|(sum, x)| *sum += factor * x);
}
