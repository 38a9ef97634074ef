//! Search for the best edges.
//!
//! The residuals are fitted by a line on each side of a threshold; the gain of an edge is the reduction of their squared
//! sum. A scan over the sorted rows finds the best crisp threshold of every rule and input. The widths of the edge are
//! then tried for the best of them.

use super::problem::Problem;
use super::region::Edge;
use super::rule_base::RuleBase;
use crate::linear::Cholesky;

/// Minimum weight of the rows on each side of an edge: a number of rows, and a fraction of all rows.
const MIN_WEIGHT: (f64, f64) = (8.0, 0.02);
/// Edges of other rules are tried within this distance, relative to the limits of the input.
const NEIGHBORHOOD: f64 = 0.15;
/// Fraction of the highest gain from which an edge of another rule is preferred, so that rules share their sets.
const SHARED_GAIN: f64 = 0.85;
/// Firing strength from which a row counts as a row of a rule.
const CORE: f64 = 0.5;
/// Number of quantiles of an input that are tried as thresholds.
const QUANTILES: usize = 15;
/// Half widths of edges, relative to the standard deviation of the input in the rule.
const HALF_WIDTHS: [f64; 3] = [0.15, 0.5, 1.0];
/// Ridge of the lines, relative to their equations and absolute.
const LINE_RIDGE: (f64, f64) = (0.01, 1e-3);
/// Number of crisp thresholds whose widths are tried per returned edge.
const THRESHOLDS_PER_EDGE: usize = 2;
/// Fraction of the distance between two neighboring values that an edge covers, so that both are fully on their side.
const BETWEEN_VALUES: f64 = 0.98;

/// A possible split of a rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Split {
    pub(super) rule: usize,
    pub(super) input: usize,
    pub(super) edge: Edge,
    gain: f64,
}

/// The crisp threshold of highest gain of a rule and an input.
struct Threshold {
    rule: usize,
    input: usize,
    gain: f64,
    /// Neighboring values of the input.
    between: (f64, f64),
    /// Standard deviation of the input in the rule.
    deviation: f64,
}

/// The `count` best splits with different rules or inputs, best first.
pub(super) fn best_splits(
    problem: &Problem<'_>,
    rules: &RuleBase,
    residuals: &[Vec<f64>],
    max_conditions: usize,
    count: usize,
) -> Vec<Split> {
    let mut thresholds = Vec::new();
    for (rule, region) in rules.regions.iter().enumerate() {
        let is_full = region.conditions.len() >= max_conditions;
        for input in 0..problem.inputs.len() {
            if !is_full || region.condition(input).is_some() {
                thresholds.extend(best_threshold(problem, rules, residuals, rule, input));
            }
        }
    }
    thresholds.sort_by(|a, b| b.gain.total_cmp(&a.gain));
    thresholds.truncate(THRESHOLDS_PER_EDGE * count);
    let widened = thresholds.iter().filter_map(|threshold| best_width(problem, rules, residuals, threshold));
    let mut splits: Vec<Split> = widened.collect();
    splits.sort_by(|a, b| b.gain.total_cmp(&a.gain));
    splits.truncate(count);
    splits
}

fn best_threshold(
    problem: &Problem<'_>,
    rules: &RuleBase,
    residuals: &[Vec<f64>],
    rule: usize,
    input: usize,
) -> Option<Threshold> {
    let (firing, x) = (&rules.firing[rule], &problem.samples.inputs[input]);
    let statistics = &problem.inputs[input];
    let core = statistics.order.iter().map(|row| *row as usize).filter(|row| firing[*row] > CORE);
    let rows: Vec<usize> = core.collect();
    let positions = positions(x, &rows, statistics.is_discrete);
    let mut below = LineSums::new(residuals.len());
    let mut at_positions = Vec::new();
    let mut next = positions.iter().peekable();
    for (at, row) in rows.iter().enumerate() {
        if next.next_if_eq(&&at).is_some() {
            at_positions.push(below.clone());
        }
        below.add(firing[*row] * problem.roots[*row], x[*row], residuals.iter().map(|e| e[*row]));
    }
    let all = below;
    let gain = |below: &LineSums| {
        below.gain(statistics.variance) + all.minus(below).gain(statistics.variance)
            - all.gain(statistics.variance)
    };
    let min_weight = min_weight(problem);
    let enough = |sums: &LineSums| sums.weight >= min_weight && all.weight - sums.weight >= min_weight;
    let scored = positions.iter().zip(&at_positions).filter(|(_, sums)| enough(sums));
    let best = scored.map(|(at, sums)| (gain(sums), *at)).max_by(|a, b| a.0.total_cmp(&b.0))?;
    let count = rows.len() as f64;
    let mean = rows.iter().map(|row| x[*row]).sum::<f64>() / count;
    let square = rows.iter().map(|row| (x[*row] - mean) * (x[*row] - mean)).sum::<f64>() / count;
    let between = (x[rows[best.1 - 1]], x[rows[best.1]]);
    Some(Threshold { rule, input, gain: best.0, between, deviation: square.sqrt() })
}

/// Positions in the sorted `rows` between two different values: all for a discrete input, quantiles otherwise.
fn positions(x: &[f64], rows: &[usize], is_discrete: bool) -> Vec<usize> {
    let steps = |at: &usize| x[rows[*at]] > x[rows[*at - 1]];
    if is_discrete {
        return (1..rows.len()).filter(steps).collect();
    }
    let quantile = |i: usize| (rows.len() * i / (QUANTILES + 1)).max(1);
    let mut positions: Vec<usize> =
        (1..=QUANTILES).filter_map(|i| (quantile(i)..rows.len()).find(steps)).collect();
    positions.dedup();
    positions
}

/// The best width of an edge; `None` if it would overlap another edge of the same rule and input.
fn best_width(
    problem: &Problem<'_>,
    rules: &RuleBase,
    residuals: &[Vec<f64>],
    threshold: &Threshold,
) -> Option<Split> {
    let Threshold { rule, input, between, deviation, .. } = *threshold;
    let middle = 0.5 * (between.0 + between.1);
    let narrowest = 0.5 * BETWEEN_VALUES * (between.1 - between.0);
    let (low, high) = problem.inputs[input].limits;
    let of_rule: Vec<Edge> = rules.regions[rule].edges(input).collect();
    let room = |threshold: f64| {
        let distances = of_rule.iter().map(|edge| (threshold - edge.threshold).abs() - edge.half_width);
        distances.fold(f64::INFINITY, f64::min)
    };
    let widest = (middle - low).min(high - middle).max(narrowest).min(room(middle));
    let mut half_widths: Vec<f64> = match problem.inputs[input].is_discrete {
        true => vec![narrowest],
        false => HALF_WIDTHS.map(|width| (width * deviation).max(narrowest)).to_vec(),
    };
    half_widths.iter_mut().for_each(|width| *width = width.min(widest));
    half_widths.dedup();
    let evaluate = |edge: Edge| {
        Some(Split { rule, input, edge, gain: gain(problem, rules, residuals, (rule, input), edge)? })
    };
    let best = |edges: &mut dyn Iterator<Item = Edge>| {
        edges.filter_map(evaluate).max_by(|a, b| a.gain.total_cmp(&b.gain))
    };
    let possible = half_widths.into_iter().filter(|half_width| *half_width > 0.0);
    let own = best(&mut possible.map(|half_width| Edge { threshold: middle, half_width }));
    let is_near = |edge: &Edge| (edge.threshold - middle).abs() <= NEIGHBORHOOD * (high - low);
    let fits = |edge: &Edge| room(edge.threshold) >= edge.half_width && !of_rule.contains(edge);
    let others = rules.regions.iter().flat_map(|region| region.edges(input));
    let shared = best(&mut others.filter(|edge| is_near(edge) && fits(edge)));
    match (own, shared) {
        (Some(own), Some(shared)) if shared.gain < SHARED_GAIN * own.gain => Some(own),
        (own, shared) => shared.or(own),
    }
}

/// Minimum weight of the rows on each side of an edge.
fn min_weight(problem: &Problem<'_>) -> f64 {
    MIN_WEIGHT.0.max(MIN_WEIGHT.1 * problem.weight)
}

/// Reduction of the squared residuals by a line on each side of an edge; `None` if a side has too few rows.
fn gain(
    problem: &Problem<'_>,
    rules: &RuleBase,
    residuals: &[Vec<f64>],
    (rule, input): (usize, usize),
    edge: Edge,
) -> Option<f64> {
    let (firing, x) = (&rules.firing[rule], &problem.samples.inputs[input]);
    let mut gram = [[0.0; 4]; 4];
    let mut cross = vec![[0.0; 4]; residuals.len()];
    let mut weights = [0.0; 2];
    for (row, strength) in firing.iter().enumerate().filter(|(_, strength)| **strength > 0.0) {
        let above = edge.above(x[row]);
        let u = super::equations::centered(x[row]);
        let root = problem.roots[row];
        let sides = [strength * above, strength * (1.0 - above)];
        (weights[0], weights[1]) = (weights[0] + sides[0] * root * root, weights[1] + sides[1] * root * root);
        let values = [sides[0] * root, sides[0] * root * u, sides[1] * root, sides[1] * root * u];
        for a in 0..4 {
            (0..=a).for_each(|b| gram[a][b] += values[a] * values[b]);
            cross.iter_mut().zip(residuals).for_each(|(cross, e)| cross[a] += values[a] * e[row]);
        }
    }
    let min_weight = min_weight(problem);
    if weights.iter().any(|weight| *weight < min_weight) {
        return None;
    }
    let scale = [1.0, problem.inputs[input].variance];
    let entry = |a: usize, b: usize| match a == b {
        true => gram[a][a] * (1.0 + LINE_RIDGE.0) + LINE_RIDGE.1 * scale[a % 2],
        false => gram[a][b],
    };
    let factor = Cholesky::new(4, entry)?;
    let gain = |cross: &[f64; 4]| {
        let mut solved = *cross;
        factor.solve(&mut solved);
        solved.iter().zip(cross).map(|(a, b)| a * b).sum::<f64>()
    };
    Some(cross.iter().map(gain).sum())
}

/// Sums for fitting a line to the residuals of all targets.
#[derive(Clone)]
struct LineSums {
    weight: f64,
    gram: [f64; 3],
    cross: Vec<[f64; 2]>,
}

impl LineSums {
    fn new(targets: usize) -> Self {
        LineSums { weight: 0.0, gram: [0.0; 3], cross: vec![[0.0; 2]; targets] }
    }

    fn add(&mut self, root: f64, x: f64, residuals: impl Iterator<Item = f64>) {
        let (u, square) = (x - 0.5, root * root);
        self.weight += square;
        let products = [square, square * u, square * u * u];
        self.gram.iter_mut().zip(products).for_each(|(sum, product)| *sum += product);
        for (cross, e) in self.cross.iter_mut().zip(residuals) {
            *cross = [cross[0] + root * e, cross[1] + root * u * e];
        }
    }

    fn minus(&self, other: &LineSums) -> LineSums {
        let cross = self.cross.iter().zip(&other.cross).map(|(a, b)| [a[0] - b[0], a[1] - b[1]]);
        LineSums {
            weight: self.weight - other.weight,
            gram: std::array::from_fn(|i| self.gram[i] - other.gram[i]),
            cross: cross.collect(),
        }
    }

    /// Reduction of the squared residuals by the line.
    fn gain(&self, variance: f64) -> f64 {
        let [a, b, c] = self.gram;
        let (a, c) =
            (a * (1.0 + LINE_RIDGE.0) + LINE_RIDGE.1, c * (1.0 + LINE_RIDGE.0) + LINE_RIDGE.1 * variance);
        let determinant = a * c - b * b;
        let gain = |[p, q]: &[f64; 2]| (c * p * p - 2.0 * b * p * q + a * q * q) / determinant;
        self.cross.iter().map(gain).sum()
    }
}
