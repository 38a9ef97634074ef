//! Elimination of inputs from the consequents.

use super::path::FittedRules;
use super::problem::Problem;
use super::ridge::{Solution, solve};

/// Maximum number of columns: each step solves the equations again.
const MAX_COLUMNS: usize = 256;

/// The rules without inputs whose removal does not raise Equation (4). An input of a condition keeps its slopes.
///
/// Without its column, the penalized squares increase by θ²/((ΦᵀWΦ + P)⁻¹)ⱼⱼ; the input with the smallest increase is removed
/// first.
pub(super) fn without_idle_inputs<'a>(problem: &Problem<'a>, mut fitted: FittedRules<'a>) -> FittedRules<'a> {
    if fitted.rules.columns.len() > MAX_COLUMNS {
        return fitted;
    }
    while let Some(input) = least_influential(&fitted, problem.inputs.len()) {
        let rules = fitted.rules.without(input);
        let count = rules.regions.len();
        match solve(problem, &rules.columns, count, &rules.equations, fitted.ridge) {
            Some(solution) if solution.score <= fitted.solution.score => {
                (fitted.rules, fitted.solution) = (rules, solution);
            }
            _ => break,
        }
    }
    fitted
}

/// The input without conditions whose columns contribute least.
fn least_influential(fitted: &FittedRules<'_>, inputs: usize) -> Option<usize> {
    let FittedRules { rules, solution: Solution { theta, inverse_diagonal, .. }, .. } = fitted;
    let increase = |input: usize| -> f64 {
        let columns = rules.columns.iter().enumerate().filter(|(_, column)| column.input == Some(input));
        let squares = |at: usize| theta.iter().map(|theta| theta[at] * theta[at]).sum::<f64>();
        columns.map(|(at, _)| squares(at) / inverse_diagonal[at]).sum()
    };
    let has_condition = |input: usize| rules.regions.iter().any(|region| region.inputs().any(|i| i == input));
    let is_used = |input: &usize| rules.columns.iter().any(|column| column.input == Some(*input));
    let candidates = (0..inputs).filter(|input| is_used(input) && !has_condition(*input));
    candidates.min_by(|a, b| increase(*a).total_cmp(&increase(*b)))
}
