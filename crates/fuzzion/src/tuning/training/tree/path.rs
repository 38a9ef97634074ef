//! Rule bases of increasing size: growth by splits, then elimination of rules by merges.

use super::logistic::{SEARCH_TOLERANCE, fit_logistic};
use super::problem::{Limits, Problem};
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
pub(super) struct FittedRules<'a> {
    pub(super) rules: RuleBase,
    pub(super) ridge: Ridge,
    pub(super) solution: Solution,
    /// Least-squares problem at the coefficients of a classifier.
    working: Option<Problem<'a>>,
}

impl<'a> FittedRules<'a> {
    /// The best consequents of the rules; those of classifiers with the given penalties and starting at `start`.
    fn new(problem: &Problem<'a>, rules: RuleBase, ridge: Ridge, start: Option<&[Vec<f64>]>) -> Option<Self> {
        if !problem.is_logistic {
            let (ridge, solution) = best_ridge(problem, &rules, ridge)?;
            return Some(FittedRules { rules, ridge, solution, working: None });
        }
        let fit = fit_logistic(problem, &rules, ridge, start, SEARCH_TOLERANCE)?;
        let working = problem.with_targets(fit.working_targets);
        let rules = rules.with_targets(&working.targets);
        let solution = Solution { theta: fit.theta, score: fit.loss, inverse_diagonal: Vec::new() };
        Some(FittedRules { rules, ridge, solution, working: Some(working) })
    }

    /// The problem and penalties by which splits and merges are compared.
    fn search<'b>(&'b self, problem: &'b Problem<'a>) -> (&'b Problem<'a>, Ridge) {
        let Ridge { linear, deviation } = self.ridge;
        match &self.working {
            // The bound of the Hessian matrix is ½·ΦᵀWΦ.
            Some(working) => (working, Ridge { linear: 2.0 * linear, deviation: 2.0 * deviation }),
            None => (problem, self.ridge),
        }
    }
}

/// The best rule bases found, one for each number of rules from 1 to `max_rules` or less.
///
/// Splits are added up to 1½ times `max_rules` rules; then pairs of rules are merged. For each size, the rule base with
/// the lower score of the two is kept. `linear_penalty` is that of classifiers.
pub(super) fn path<'a>(
    problem: &Problem<'a>,
    limits: Limits,
    linear_penalty: f64,
    progress: &Progress,
) -> Result<Vec<FittedRules<'a>>> {
    let Limits { rules: max_rules, conditions: max_conditions } = limits;
    let ridge = Ridge { linear: linear_penalty, deviation: INITIAL_PENALTY };
    let Some(linear) = FittedRules::new(problem, RuleBase::new(problem), ridge, None) else {
        return Ok(Vec::new());
    };
    let mut path = vec![linear];
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
fn grown<'a>(
    problem: &Problem<'a>,
    fitted: &FittedRules<'a>,
    max_conditions: usize,
) -> Option<FittedRules<'a>> {
    let (search, ridge) = fitted.search(problem);
    let residuals = fitted.rules.residuals(search, &fitted.solution.theta);
    let splits = best_splits(search, &fitted.rules, &residuals, max_conditions, TRIED_SPLITS);
    let scored = splits.into_iter().filter_map(|split| {
        let rules = fitted.rules.split(search, split.rule, split.input, split.edge);
        let solution = solve(search, &rules.columns, rules.regions.len(), &rules.equations, ridge)?;
        Some((solution.score, split.rule, rules))
    });
    let (_, rule, rules) = scored.min_by(|a, b| a.0.total_cmp(&b.0))?;
    let start = rules.inherited(&fitted.rules, &fitted.solution.theta, rule);
    FittedRules::new(problem, rules, fitted.ridge, Some(&start))
}

/// The rule base with one rule less.
fn merged<'a>(problem: &Problem<'a>, fitted: &FittedRules<'a>) -> Option<FittedRules<'a>> {
    let (search, ridge) = fitted.search(problem);
    let count = fitted.rules.regions.len() - 1;
    let scored = fitted.rules.merges(search).into_iter().filter_map(|merge| {
        let equations = fitted.rules.equations.combined(&merge.sums);
        let solution = solve(search, &merge.columns, count, &equations, ridge)?;
        Some((solution, merge, equations))
    });
    let (solution, merge, equations) = scored.min_by(|a, b| a.0.score.total_cmp(&b.0.score))?;
    let rules = fitted.rules.merged(merge, equations);
    FittedRules::new(problem, rules, fitted.ridge, Some(&solution.theta))
}
