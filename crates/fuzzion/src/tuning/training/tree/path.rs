//! Rule bases of increasing size: growth by splits, then elimination of rules by merges.

use super::problem::Problem;
use super::ridge::{Ridge, Solution, best_ridge, solve};
use super::rule_base::RuleBase;
use super::split::best_splits;
use crate::progress::Progress;
use crate::tuning::error::Result;

/// Number of splits that are compared by Equation (4).
const TRIED_SPLITS: usize = 4;
/// Penalty of deviations for the first split.
const INITIAL_PENALTY: f64 = 1e-2;

/// Rules with their consequents.
pub(super) struct FittedRules {
    pub(super) rules: RuleBase,
    pub(super) ridge: Ridge,
    pub(super) solution: Solution,
}

/// The best rule bases found, one for each number of rules from 1 to `max_rules` or less.
///
/// Splits are added up to 1½ times `max_rules` rules; then pairs of rules are merged. For each size, the rule base with
/// the lower score of the two is kept.
pub(super) fn path(
    problem: &Problem<'_>,
    max_rules: usize,
    max_conditions: usize,
    progress: &Progress,
) -> Result<Vec<FittedRules>> {
    let rules = RuleBase::new(problem);
    let ridge = Ridge { linear: 0.0, deviation: INITIAL_PENALTY };
    let Some((ridge, solution)) = best_ridge(problem, &rules, ridge) else { return Ok(Vec::new()) };
    let mut path = vec![FittedRules { rules, ridge, solution }];
    while path.len() < max_rules + max_rules / 2 {
        progress.report(0, 0)?;
        let largest = path.last().expect("invariant: the path starts with one rule");
        match grown(problem, largest, max_conditions) {
            Some(larger) => path.push(larger),
            None => break,
        }
    }
    let mut size = path.len() - 1;
    let mut smaller = merged(problem, &path[size]);
    while let Some(fitted) = smaller {
        progress.report(0, 0)?;
        size -= 1;
        smaller = merged(problem, &fitted);
        if fitted.solution.score < path[size].solution.score {
            path[size] = fitted;
        }
    }
    path.truncate(max_rules);
    Ok(path)
}

/// The rule base with one rule more.
fn grown(problem: &Problem<'_>, fitted: &FittedRules, max_conditions: usize) -> Option<FittedRules> {
    let residuals = fitted.rules.residuals(problem, &fitted.solution.theta);
    let splits = best_splits(problem, &fitted.rules, &residuals, max_conditions, TRIED_SPLITS);
    let scored = splits.into_iter().filter_map(|split| {
        let rules = fitted.rules.split(problem, split.rule, split.input, split.edge);
        let solution = solve(problem, &rules.columns, rules.regions.len(), &rules.equations, fitted.ridge)?;
        Some((solution.score, rules))
    });
    let (_, rules) = scored.min_by(|a, b| a.0.total_cmp(&b.0))?;
    let (ridge, solution) = best_ridge(problem, &rules, fitted.ridge)?;
    Some(FittedRules { rules, ridge, solution })
}

/// The rule base with one rule less.
fn merged(problem: &Problem<'_>, fitted: &FittedRules) -> Option<FittedRules> {
    let count = fitted.rules.regions.len() - 1;
    let scored = fitted.rules.merges(problem).into_iter().filter_map(|merge| {
        let equations = fitted.rules.equations.combined(&merge.sums);
        let solution = solve(problem, &merge.columns, count, &equations, fitted.ridge)?;
        Some((solution.score, merge, equations))
    });
    let (_, merge, equations) = scored.min_by(|a, b| a.0.total_cmp(&b.0))?;
    let rules = fitted.rules.merged(merge, equations);
    let (ridge, solution) = best_ridge(problem, &rules, fitted.ridge)?;
    Some(FittedRules { rules, ridge, solution })
}
