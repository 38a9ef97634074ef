//! Coefficients by least squares with shrinkage towards the linear model, Equation (3).

use super::equations::{Column, Equations};
use super::problem::Problem;
use super::rule_base::RuleBase;
use crate::linear::Cholesky;

/// Factor of the penalty of a constant relative to that of a slope: a rule with few rows may deviate in its level more
/// easily than in its slopes.
const CONSTANT_PENALTY: f64 = 0.3;
/// Number of degrees of freedom that one degree of the coefficients counts in Equation (4). More than 1, because the
/// edges were also chosen by the data (Friedman and Silverman, 1989).
const DEGREE_COST: f64 = 1.2;
/// Penalty that keeps the equations regular, relative to the weight of all rows.
const MIN_PENALTY: f64 = 1e-10;
/// Residuals below this fraction of the squares of the targets are rounding errors.
const ROUNDING: f64 = 1e-14;
/// Candidate penalties of deviations from the linear model, and of the linear model.
const DEVIATION_PENALTIES: [f64; 9] = [1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0];
const LINEAR_PENALTIES: [f64; 9] = [1e-9, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0];

/// Penalties of Equation (3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ridge {
    /// Penalty of the slopes of the linear model.
    pub(super) linear: f64,
    /// Penalty of deviations from it.
    pub(super) deviation: f64,
}

/// Coefficients with their generalized cross-validation score.
pub(super) struct Solution {
    /// Coefficients of each target.
    pub(super) theta: Vec<Vec<f64>>,
    /// Equation (4).
    pub(super) score: f64,
    /// Diagonal of (ΦᵀWΦ + P)⁻¹.
    pub(super) inverse_diagonal: Vec<f64>,
}

/// Coefficients of a rule base, with the penalties of lowest score; `None` if the equations are not finite.
pub(super) fn best_ridge(problem: &Problem<'_>, rules: &RuleBase, ridge: Ridge) -> Option<(Ridge, Solution)> {
    let candidates = match rules.regions.len() {
        1 => LINEAR_PENALTIES.map(|linear| Ridge { linear, ..ridge }),
        _ => DEVIATION_PENALTIES.map(|deviation| Ridge { deviation, ..ridge }),
    };
    let solved = candidates.into_iter().filter_map(|ridge| {
        Some((ridge, solve(problem, &rules.columns, rules.regions.len(), &rules.equations, ridge)?))
    });
    solved.min_by(|a, b| a.1.score.total_cmp(&b.1.score))
}

/// Penalties of the squared coefficients in Equation (3).
pub(super) fn penalties(problem: &Problem<'_>, columns: &[Column], rules: usize, ridge: Ridge) -> Vec<f64> {
    let penalty = |column: &Column| {
        let (kind, constant) = match column.rule {
            None => (ridge.linear, 0.0),
            Some(_) => (ridge.deviation / rules as f64, CONSTANT_PENALTY),
        };
        let scale = column.input.map_or(constant, |input| problem.inputs[input].variance);
        problem.weight * (MIN_PENALTY + kind * scale)
    };
    columns.iter().map(penalty).collect()
}

/// Coefficients of Equation (3), for these columns and number of rules.
pub(super) fn solve(
    problem: &Problem<'_>,
    columns: &[Column],
    rules: usize,
    equations: &Equations,
    ridge: Ridge,
) -> Option<Solution> {
    let penalties = penalties(problem, columns, rules, ridge);
    let entry = |a: usize, b: usize| equations.product(a, b) + if a == b { penalties[a] } else { 0.0 };
    let factor = Cholesky::new(equations.len(), entry)?;
    let mut residuals = problem.squares;
    let mut theta = Vec::new();
    for target in 0..problem.targets.len() {
        let cross = equations.cross(target);
        let mut solved = cross.clone();
        factor.solve(&mut solved);
        // (ΦᵀWΦ + P)·θ = ΦᵀWy, so Σ w·(y − Φθ)² = Σ w·y² − θᵀΦᵀWy − θᵀPθ.
        let explained = solved.iter().zip(cross.iter().zip(&penalties));
        residuals -=
            explained.map(|(theta, (cross, penalty))| theta * (cross + theta * penalty)).sum::<f64>();
        theta.push(solved);
    }
    let inverse_diagonal = factor.inverse_diagonal();
    let shrinkage = inverse_diagonal.iter().zip(&penalties).map(|(a, b)| a * b).sum::<f64>();
    let degrees = DEGREE_COST * (equations.len() as f64 - shrinkage);
    let remaining = 1.0 - degrees / problem.weight;
    let residuals = residuals.max(ROUNDING * problem.squares);
    let score = if remaining > 0.0 { residuals / (remaining * remaining) } else { f64::INFINITY };
    Some(Solution { theta, score, inverse_diagonal })
}
