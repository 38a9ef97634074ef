//! Sparse rule bases: a tree of fuzzy splits with linear consequents.
//!
//! A rule has conditions on few inputs. Each condition is a trapezoid between edges; an edge at threshold t with half
//! width h divides the rules of one region into those below and those above it:
//!
//! μ_above(x) = min(max(½ + (x − t)/(2h), 0), 1), μ_below = 1 − μ_above (1)
//!
//! The edges of one rule and input do not overlap, so the firing strengths φₖ, products of such memberships, sum to 1.
//! The output is a linear model, common to all rules, plus a deviation of each rule:
//!
//! ŷ = β₀ + Σⱼ βⱼ·vⱼ + Σₖ φₖ·(δₖ₀ + Σⱼ δₖⱼ·vⱼ), vⱼ = xⱼ − ½ (2)
//!
//! where j in the second sum is an input of the conditions of rule k, or any input. The coefficients minimize
//!
//! Σᵢ wᵢ·(ŷᵢ − yᵢ)² + N·λ₀·Σⱼ sⱼ²·βⱼ² + (N/K)·λ·Σₖ (0.3·δₖ₀² + Σⱼ sⱼ²·δₖⱼ²) (3)
//!
//! with N rows, K rules and the variance sⱼ² of input j. The penalty does not depend on the number of rows of a rule: the
//! fewer rows a rule has, the closer it is to the linear model. λ₀ and λ minimize the generalized cross-validation score
//!
//! V = RSS / (1 − 1.2·df/N)², df the trace of the matrix that maps y to ŷ (4)
//!
//! The coefficients of a classifier trained with cross-entropy are those of each class; p is the softmax of the outputs.
//! They minimize the penalized cross-entropy
//!
//! −Σᵢ wᵢ·Σₖ yᵢₖ·ln pᵢₖ + ½·P (5)
//!
//! with the penalty P of Equation (3), whose λ₀ and λ are chosen by cross-validation. Splits and merges are compared by the
//! least-squares problem that bounds Equation (5) from above.
//!
//! Growth adds the split of lowest V among the best of all rules, inputs and thresholds. Elimination merges the pair of
//! neighboring rules of lowest V: the columns of the merged rule are sums of columns, so that its equations follow from
//! those of the two rules without a pass over the rows. The number of rules is the smallest one whose error in five-fold
//! cross-validation of the whole procedure exceeds the lowest error by at most one standard error. Finally, inputs without
//! conditions are removed from the consequents as long as V does not increase.
//!
//! Sources: O. Nelles, *LOLIMOT*, 1996 (trees of local linear models with fuzzy transitions); L. Breiman et al.,
//! *Classification and Regression Trees*, 1984 (one-standard-error rule); P. Craven, G. Wahba, 1979 (Equation 4).

mod choose;
mod convert;
mod eliminate;
mod equations;
mod logistic;
mod path;
mod problem;
mod region;
mod ridge;
mod rule_base;
mod split;
#[cfg(test)]
mod tests;

use crate::device::Device;
use crate::random::shuffled;
use crate::tuning::error::{Result, TuningError};
use crate::tuning::network::Network;
use crate::tuning::report::PathPoint;
use crate::tuning::training::calibrate::HeldOutRows;
use crate::tuning::training::samples::{ScaledSamples, select_rows};
pub(in crate::tuning) use choose::MeanWithError;
use choose::{Choice, CrossValidation};
use eliminate::without_idle_inputs;
use equations::{Equations, values};
use logistic::{FINAL_TOLERANCE, fit_logistic};
use path::{FittedRules, path};
use problem::{Limits, Problem, root_weights};
use ridge::solve;
use rule_base::RuleBase;

/// Maximum number of rows for the search of rules; the coefficients are then fitted to all rows.
const MAX_ROWS: usize = 20_000;
/// Number of rows whose columns are computed at a time.
const CHUNK_ROWS: usize = 1 << 14;
/// Minimum number of training rows: prediction intervals of 90 % need nine held-out rows.
pub(in crate::tuning) const MIN_ROWS: usize = 9;

/// A tree with its consequents, and the errors of all sizes.
pub(in crate::tuning) struct Tree {
    pub(in crate::tuning) network: Network,
    pub(in crate::tuning) path: Vec<PathPoint>,
    /// The rule bases of this size without the rows of one fold.
    pub(in crate::tuning) folds: Vec<HeldOutRows>,
}

/// Settings of a tree.
#[derive(Clone, Copy, Debug)]
pub(in crate::tuning) struct TreeSettings {
    pub(in crate::tuning) max_rules: usize,
    pub(in crate::tuning) max_conditions: usize,
    pub(in crate::tuning) order: usize,
    /// Whether the targets are classes trained with cross-entropy.
    pub(in crate::tuning) is_logistic: bool,
    pub(in crate::tuning) seed: u64,
}

/// Fits a tree to the training rows. Errors of the path are in scaled units.
pub(in crate::tuning) fn fit_tree(
    samples: &ScaledSamples,
    settings: TreeSettings,
    device: &Device,
) -> Result<Tree> {
    let TreeSettings { max_rules, max_conditions, order, is_logistic, seed } = settings;
    if samples.training < MIN_ROWS {
        return Err(TuningError::TooFewRowsForTree { rows: samples.training, min: MIN_ROWS });
    }
    let mut rows: Vec<usize> = shuffled(samples.training, seed);
    rows.truncate(MAX_ROWS);
    rows.sort_unstable();
    let search = select_rows(samples, &rows, rows.len());
    let limits = Limits { rules: max_rules, conditions: max_conditions };
    let choice = CrossValidation { samples: &search, order, limits, is_logistic, seed, device }.choose()?;
    let problem = Problem::new(&search, choice.slopes, is_logistic);
    let mut fitted = path(&problem, limits, choice.ridge.linear, device.progress())?;
    let points = points(&fitted, &choice, is_logistic);
    let size = choice.size.min(fitted.len() - 1);
    let chosen = match is_logistic {
        true => fitted.swap_remove(size),
        false => without_idle_inputs(&problem, fitted.swap_remove(size)),
    };
    let refitted = match is_logistic {
        true => {
            fit_logistic(&problem, &chosen.rules, choice.ridge, Some(&chosen.solution.theta), FINAL_TOLERANCE)
                .map(|fit| fit.theta)
        }
        false if rows.len() < samples.training => refit(&chosen, samples, &problem),
        false => None,
    };
    let theta = refitted.unwrap_or(chosen.solution.theta);
    let network = convert::network(&chosen.rules, &theta, samples.inputs.len(), order);
    let in_samples = |fold: HeldOutRows| HeldOutRows {
        rows: fold.rows.iter().map(|row| rows[*row]).collect(),
        network: fold.network,
    };
    Ok(Tree { network, path: points, folds: choice.folds.into_iter().map(in_samples).collect() })
}

/// Sizes and cross-validation errors of all rule bases.
fn points(fitted: &[FittedRules<'_>], choice: &Choice, is_logistic: bool) -> Vec<PathPoint> {
    let point = |(size, (fitted, error)): (usize, (&FittedRules<'_>, &MeanWithError))| {
        let regions = &fitted.rules.regions;
        let mut inputs: Vec<usize> = regions.iter().flat_map(|region| region.inputs()).collect();
        let conditions = inputs.len();
        inputs.sort_unstable();
        inputs.dedup();
        let targets = fitted.solution.theta.len() as f64;
        let root = (error.mean / targets).sqrt();
        let (rmse, standard_error) = match is_logistic {
            true => (error.mean, error.standard_error),
            // The derivative of the root.
            false if root > 0.0 => (root, error.standard_error / targets / (2.0 * root)),
            false => (0.0, 0.0),
        };
        PathPoint {
            rules: regions.len(),
            conditions,
            inputs: inputs.len(),
            rmse,
            standard_error,
            chosen: size == choice.size,
        }
    };
    fitted.iter().zip(&choice.errors).enumerate().map(point).collect()
}

/// Coefficients for all training rows of `samples`, of which `problem` contains a part; `None` if they are not finite.
fn refit(fitted: &FittedRules<'_>, samples: &ScaledSamples, problem: &Problem<'_>) -> Option<Vec<Vec<f64>>> {
    let rules = &fitted.rules;
    let roots = root_weights(samples);
    let mut equations: Option<Equations> = None;
    for start in (0..samples.training).step_by(CHUNK_ROWS) {
        let rows = start..samples.training.min(start + CHUNK_ROWS);
        let of_chunk = chunk_equations(rules, samples, rows, &roots);
        match &mut equations {
            Some(equations) => equations.add(&of_chunk),
            None => equations = Some(of_chunk),
        }
    }
    // The penalties are relative to the number of rows.
    let scale = roots.iter().map(|root| root * root).sum::<f64>() / problem.weight;
    let equations = equations?.scaled(1.0 / scale);
    Some(solve(problem, &rules.columns, rules.regions.len(), &equations, fitted.ridge)?.theta)
}

fn chunk_equations(
    rules: &RuleBase,
    samples: &ScaledSamples,
    rows: std::ops::Range<usize>,
    roots: &[f64],
) -> Equations {
    let roots = &roots[rows.clone()];
    let firing = |region: &region::Region| -> Vec<f64> {
        rows.clone().map(|row| region.membership(|input| samples.inputs[input][row])).collect()
    };
    let firing: Vec<Vec<f64>> = rules.regions.iter().map(firing).collect();
    let columns = rules.columns.iter().map(|column| {
        values(samples, rows.clone(), roots, column.rule.map(|rule| &firing[rule][..]), column.input)
    });
    let columns: Vec<Vec<f64>> = columns.collect();
    let slices: Vec<&[f64]> = columns.iter().map(|column| &column[..]).collect();
    let target =
        |target: &Vec<f64>| target[rows.clone()].iter().zip(roots).map(|(y, root)| y * root).collect();
    let targets: Vec<Vec<f64>> = samples.targets.iter().map(target).collect();
    Equations::default().replaced(&[], &slices, &targets)
}
