//! Trees against textbook implementations of their equations.

#![allow(clippy::unwrap_used)] // helpers outside test functions are test code, too

use super::choose::MeanWithError;
use super::eliminate::without_idle_inputs;
use super::equations::Column;
use super::logistic::{FINAL_TOLERANCE, fit_logistic, held_out_loss};
use super::path::path;
use super::problem::{Limits, LocalSlopes, Problem};
use super::region::{Condition, Edge, Region};
use super::ridge::{Ridge, penalties, solve};
use super::rule_base::RuleBase;
use super::{TreeSettings, convert, fit_tree, refit};
use crate::device::Cpu;
use crate::progress::Progress;
use crate::random::Random;
use crate::tuning::training::samples::{ScaledSamples, select_rows};

const SETTINGS: TreeSettings =
    TreeSettings { max_rules: 6, max_conditions: 2, order: 1, is_logistic: false, seed: 0 };

/// y = |a − ½| + b·[c > 0.6] + noise, with weights, some missing values and a constant second target.
fn samples(rows: usize, seed: u64) -> ScaledSamples {
    let mut random = Random::new(seed);
    let mut column = || (0..rows).map(|_| random.unit()).collect::<Vec<f64>>();
    let mut inputs = vec![column(), column(), column()];
    let noise = column();
    let y = |i: usize| {
        (inputs[0][i] - 0.5).abs() + if inputs[2][i] > 0.6 { inputs[1][i] } else { 0.0 } + 0.1 * noise[i]
    };
    let target = (0..rows).map(y).collect();
    inputs[1][3] = f64::NAN;
    inputs[2][5] = f64::NAN;
    let weights = (0..rows).map(|i| [0.0, 0.5, 1.0, 2.0][i % 4]).collect();
    ScaledSamples { inputs, targets: vec![target, vec![0.25; rows]], weights: Some(weights), training: rows }
}

fn edge(threshold: f64, half_width: f64) -> Edge {
    Edge { threshold, half_width }
}

/// Three rules: two splits of random rows.
fn three_rules(problem: &Problem<'_>) -> RuleBase {
    RuleBase::new(problem).split(problem, 0, 0, edge(0.5, 0.2)).split(problem, 1, 2, edge(0.6, 0.1))
}

/// The columns of Equation (2) for one row.
fn design_row(rules: &RuleBase, samples: &ScaledSamples, row: usize) -> Vec<f64> {
    let ramp = |x: f64, edge: Edge| {
        if x.is_nan() { 0.5 } else { (0.5 + (x - edge.threshold) / 2.0 / edge.half_width).clamp(0.0, 1.0) }
    };
    let firing = |region: &Region| -> f64 {
        let membership = |c: &Condition| {
            let x = samples.inputs[c.input][row];
            c.lower.map_or(1.0, |edge| ramp(x, edge)) * c.upper.map_or(1.0, |edge| 1.0 - ramp(x, edge))
        };
        region.conditions.iter().map(membership).product()
    };
    let value = |column: &Column| {
        let v = column.input.map_or(1.0, |input| samples.inputs[input][row] - 0.5);
        column.rule.map_or(1.0, |rule| firing(&rules.regions[rule])) * if v.is_nan() { 0.0 } else { v }
    };
    rules.columns.iter().map(value).collect()
}

/// Solves a system of equations by elimination with pivots.
fn eliminate(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|i, j| a[*i][k].abs().total_cmp(&a[*j][k].abs())).unwrap();
        a.swap(k, pivot);
        b.swap(k, pivot);
        for i in k + 1..n {
            let factor = a[i][k] / a[k][k];
            (k..n).for_each(|j| a[i][j] -= factor * a[k][j]);
            b[i] -= factor * b[k];
        }
    }
    let mut x = vec![0.0; n];
    for i in (0..n).rev() {
        x[i] = (b[i] - (i + 1..n).map(|j| a[i][j] * x[j]).sum::<f64>()) / a[i][i];
    }
    x
}

#[test]
fn coefficients_and_score_match_the_textbook() {
    let samples = samples(80, 1);
    let ridge = Ridge { linear: 1e-3, deviation: 1e-2 };
    for slopes in [LocalSlopes::Conditions, LocalSlopes::All, LocalSlopes::None] {
        let problem = Problem::new(&samples, slopes, false);
        let rules = three_rules(&problem);
        // Weights with mean 1 over the rows of positive weight.
        let total: f64 = samples.weights.as_ref().unwrap().iter().sum();
        let weights: Vec<f64> = (0..80).map(|row| samples.weight(row) * 60.0 / total).collect();
        let phi: Vec<Vec<f64>> = (0..80).map(|row| design_row(&rules, &samples, row)).collect();
        let m = rules.columns.len();
        let sum = |f: &dyn Fn(usize) -> f64| (0..80).map(|row| weights[row] * f(row)).sum::<f64>();
        let variance = |input: usize| {
            let v = |row: usize| {
                if samples.inputs[input][row].is_nan() { 0.0 } else { samples.inputs[input][row] - 0.5 }
            };
            let mean = sum(&v) / 60.0;
            sum(&|row| v(row) * v(row)) / 60.0 - mean * mean
        };
        let penalty = |column: &Column| {
            let factor = if column.rule.is_some() { 1e-2 / 3.0 } else { 1e-3 };
            let constant = if column.rule.is_some() { 0.3 } else { 0.0 };
            60.0 * (1e-10 + factor * column.input.map_or(constant, variance))
        };
        let mut a: Vec<Vec<f64>> =
            (0..m).map(|i| (0..m).map(|j| sum(&|row| phi[row][i] * phi[row][j])).collect()).collect();
        let gram = a.clone();
        (0..m).for_each(|i| a[i][i] += penalty(&rules.columns[i]));
        let solution = solve(&problem, &rules.columns, 3, &rules.equations, ridge).unwrap();
        let mut squares = 0.0;
        for (target, theta) in samples.targets.iter().zip(&solution.theta) {
            let b = (0..m).map(|i| sum(&|row| phi[row][i] * target[row])).collect();
            let expected = eliminate(a.clone(), b);
            for (theta, expected) in theta.iter().zip(&expected) {
                assert!((theta - expected).abs() < 1e-8, "{theta} {expected}"); // conditions up to 1e6
            }
            let output = |row: usize| phi[row].iter().zip(&expected).map(|(p, t)| p * t).sum::<f64>();
            squares += sum(&|row| (output(row) - target[row]).powi(2));
            for row in 0..80 {
                assert!((rules.output(theta, &samples, row) - output(row)).abs() < 1e-8);
            }
        }
        let column = |j: usize| eliminate(a.clone(), gram.iter().map(|row| row[j]).collect());
        let degrees: f64 = (0..m).map(|j| column(j)[j]).sum();
        let expected = squares / (1.0 - 1.2 * degrees / 60.0).powi(2);
        assert!((solution.score / expected - 1.0).abs() < 1e-8, "{} {expected}", solution.score);
    }
}

#[test]
fn firing_strengths_sum_to_one_and_merging_undoes_a_split() {
    let samples = samples(60, 2);
    let problem = Problem::new(&samples, LocalSlopes::Conditions, false);
    let (two, three) = (RuleBase::new(&problem).split(&problem, 0, 0, edge(0.5, 0.2)), three_rules(&problem));
    for row in 0..60 {
        let sum: f64 = three.firing.iter().map(|firing| firing[row]).sum();
        assert!((sum - 1.0).abs() < 1e-15);
    }
    let mut merges = three.merges(&problem).into_iter();
    let merge = merges.find(|merge| merge.region == two.regions[1]).unwrap();
    let equations = three.equations.combined(&merge.sums);
    let merged = three.merged(merge, equations);
    assert_eq!(merged.regions, two.regions);
    assert_eq!(merged.columns.len(), two.columns.len());
    for (a, column) in merged.columns.iter().enumerate() {
        let other = two.columns.iter().position(|other| other == column).unwrap();
        for (b, column) in merged.columns.iter().enumerate() {
            let second = two.columns.iter().position(|other| other == column).unwrap();
            let (product, expected) = (merged.equations.product(a, b), two.equations.product(other, second));
            assert!((product - expected).abs() < 1e-12);
        }
    }
    let last = merged.merges(&problem).pop().unwrap();
    assert_eq!(last.columns, RuleBase::new(&problem).columns); // one rule is the linear model
}

#[test]
fn regions_are_united_only_at_a_shared_edge() {
    let whole = Region::default();
    let [low, high] = whole.split(1, edge(0.5, 0.1));
    let [middle, top] = high.split(1, edge(0.8, 0.1));
    let [left, right] = low.split(0, edge(0.3, 0.1));
    assert_eq!(low.union(&high), Some(whole));
    assert_eq!(top.union(&middle), Some(high.clone()));
    assert_eq!(left.union(&right), Some(low.clone()));
    assert_eq!(low.union(&top), None);
    assert_eq!(left.union(&high), None);
    assert_eq!(low.union(&low), None);
}

#[test]
fn the_network_has_the_outputs_of_the_rule_base() {
    let mut samples = samples(200, 3);
    samples.inputs.iter_mut().flatten().filter(|x| x.is_nan()).for_each(|x| *x = 0.4);
    for slopes in [LocalSlopes::Conditions, LocalSlopes::All] {
        let problem = Problem::new(&samples, slopes, false);
        for fitted in path(&problem, Limits { rules: 5, conditions: 3 }, 0.0, &Progress::none()).unwrap() {
            let network = convert::network(&fitted.rules, &fitted.solution.theta, 3, 1);
            for row in 0..200 {
                let outputs = network.predict(&samples.inputs_of(row));
                for (output, theta) in outputs.iter().zip(&fitted.solution.theta) {
                    assert!((output - fitted.rules.output(theta, &samples, row)).abs() < 1e-12);
                }
            }
        }
    }
}

#[test]
fn the_path_finds_the_splits_of_the_data() {
    let samples = samples(1000, 4);
    let problem = Problem::new(&samples, LocalSlopes::All, false);
    let path = path(&problem, Limits { rules: 6, conditions: 2 }, 0.0, &Progress::none()).unwrap();
    assert!(path.iter().enumerate().all(|(i, fitted)| fitted.rules.regions.len() == i + 1));
    let scores: Vec<f64> = path.iter().map(|fitted| fitted.solution.score).collect();
    assert!(scores[3] < 0.2 * scores[0], "{scores:?}");
    let edges: Vec<(usize, f64)> = path[3]
        .rules
        .regions
        .iter()
        .flat_map(|region| &region.conditions)
        .flat_map(|c| [c.lower, c.upper].into_iter().flatten().map(|edge| (c.input, edge.threshold)))
        .collect();
    assert!(edges.iter().any(|(input, t)| *input == 0 && (t - 0.5).abs() < 0.05), "{edges:?}");
    assert!(edges.iter().any(|(input, t)| *input == 2 && (t - 0.6).abs() < 0.05), "{edges:?}");
    for condition in path[5].rules.regions.iter().flat_map(|region| &region.conditions) {
        if let (Some(lower), Some(upper)) = (condition.lower, condition.upper) {
            assert!(lower.threshold + lower.half_width <= upper.threshold - upper.half_width + 1e-12);
        }
    }
    assert!(path.iter().flat_map(|fitted| &fitted.rules.regions).all(|region| region.conditions.len() <= 2));
}

#[test]
fn a_refit_to_the_same_rows_does_not_change_the_coefficients() {
    let samples = samples(300, 5);
    let problem = Problem::new(&samples, LocalSlopes::Conditions, false);
    let fitted =
        path(&problem, Limits { rules: 4, conditions: 2 }, 0.0, &Progress::none()).unwrap().pop().unwrap();
    let theta = refit(&fitted, &samples, &problem).unwrap();
    for (a, b) in theta.iter().flatten().zip(fitted.solution.theta.iter().flatten()) {
        assert!((a - b).abs() < 1e-9, "{a} {b}");
    }
}

#[test]
fn a_tree_does_not_depend_on_the_number_of_threads_and_not_on_the_scale_of_the_weights() {
    let samples = samples(150, 6);
    let of = |threads: usize, samples: &ScaledSamples| {
        fit_tree(samples, SETTINGS, &Cpu::with_threads(threads).unwrap().into()).unwrap()
    };
    let (one, three) = (of(1, &samples), of(3, &samples));
    assert_eq!(one.network, three.network);
    assert_eq!(one.path, three.path);
    let mut heavier = samples.clone();
    heavier.weights.as_mut().unwrap().iter_mut().for_each(|weight| *weight *= 1024.0);
    let scaled = of(2, &heavier).network;
    assert_eq!(scaled.antecedents, one.network.antecedents);
    for (a, b) in scaled.theta.iter().zip(&one.network.theta) {
        assert!((a - b).abs() < 1e-9, "{a} {b}");
    }
}

#[test]
fn rows_of_weight_zero_have_no_influence_on_a_path() {
    let samples = samples(200, 7);
    let with_weight: Vec<usize> = (0..200).filter(|row| samples.weight(*row) > 0.0).collect();
    let fewer = select_rows(&samples, &with_weight, with_weight.len());
    let theta = |samples: &ScaledSamples| {
        let problem = Problem::new(samples, LocalSlopes::All, false);
        let rules = three_rules(&problem);
        solve(&problem, &rules.columns, 3, &rules.equations, Ridge { linear: 1e-3, deviation: 0.1 })
            .unwrap()
            .theta
    };
    for (a, b) in theta(&samples).iter().flatten().zip(theta(&fewer).iter().flatten()) {
        assert!((a - b).abs() < 1e-10, "{a} {b}");
    }
}

/// Three classes that depend on both inputs, with weights, and 30 rows that are not training rows.
fn classes(rows: usize, seed: u64) -> ScaledSamples {
    let mut samples = samples(rows, seed);
    let class = |row: usize| match samples.targets[0][row] {
        y if y < 0.3 => 0,
        y if y < 0.6 => 1,
        _ => 2,
    };
    let target = |of: usize| (0..rows).map(|row| f64::from(u8::from(class(row) == of))).collect();
    samples.targets = (0..3).map(target).collect();
    samples.training = rows - 30;
    samples
}

/// Equation (5) of the training rows without the penalty, divided by the mean of the positive weights, or the mean
/// cross-entropy of the other rows.
fn cross_entropy(rules: &RuleBase, theta: &[Vec<f64>], samples: &ScaledSamples, training: bool) -> f64 {
    let rows = if training { 0..samples.training } else { samples.training..samples.rows() };
    let (mut sum, mut weights, mut positive) = (0.0, 0.0, 0.0);
    for row in rows {
        let x = design_row(rules, samples, row);
        let eta: Vec<f64> =
            theta.iter().map(|theta| theta.iter().zip(&x).map(|(a, b)| a * b).sum()).collect();
        let total: f64 = eta.iter().map(|eta: &f64| eta.exp()).sum();
        let class = (0..3).find(|class| samples.targets[*class][row] == 1.0).unwrap();
        sum -= samples.weight(row) * (eta[class].exp() / total).ln();
        weights += samples.weight(row);
        positive += f64::from(u8::from(samples.weight(row) > 0.0));
    }
    if training { sum * positive / weights } else { sum / weights }
}

#[test]
fn logistic_coefficients_minimize_the_penalized_cross_entropy() {
    let samples = classes(200, 9);
    let problem = Problem::new(&samples, LocalSlopes::Conditions, true);
    let rules = three_rules(&problem);
    for ridge in [Ridge { linear: 1e-3, deviation: 1e-2 }, Ridge { linear: 1e-5, deviation: 1e-4 }] {
        let fit = fit_logistic(&problem, &rules, ridge, None, FINAL_TOLERANCE).unwrap();
        let penalties = penalties(&problem, &rules.columns, 3, ridge);
        let loss = |theta: &[Vec<f64>]| {
            let squares = theta.iter().flat_map(|theta| theta.iter().zip(&penalties));
            cross_entropy(&rules, theta, &samples, true)
                + squares.map(|(theta, penalty)| 0.5 * penalty * theta * theta).sum::<f64>()
        };
        let lowest = loss(&fit.theta);
        assert!((lowest - fit.loss).abs() < 1e-9 * lowest, "{lowest} {}", fit.loss);
        // The loss is convex: no step along a coordinate may decrease it by more than the tolerance.
        for class in 0..3 {
            for column in 0..rules.columns.len() {
                for step in [-1.0, -0.1, 0.1, 1.0] {
                    let mut theta = fit.theta.clone();
                    theta[class][column] += step;
                    let gain = lowest - loss(&theta);
                    assert!(gain < 1e-4, "{class} {column} {step} {gain}");
                }
            }
        }
        let held_out = held_out_loss(&rules, &fit.theta, &problem);
        assert!((held_out - cross_entropy(&rules, &fit.theta, &samples, false)).abs() < 1e-12);
        // The working targets are those at these coefficients: y − p, twice, plus the output.
        let row = (0..150).find(|row| problem.roots[*row] > 0.0).unwrap();
        let x = design_row(&rules, &samples, row);
        let eta = fit.theta.iter().map(|theta| theta.iter().zip(&x).map(|(a, b)| a * b).sum::<f64>());
        let eta: Vec<f64> = eta.collect();
        let p = eta[0].exp() / eta.iter().map(|eta| eta.exp()).sum::<f64>();
        let expected = problem.roots[row] * (eta[0] + 2.0 * (samples.targets[0][row] - p));
        assert!((fit.working_targets[0][row] - expected).abs() < 1e-9);
    }
}

#[test]
fn a_split_inherits_the_outputs_of_its_parent() {
    let samples = classes(120, 10);
    let problem = Problem::new(&samples, LocalSlopes::Conditions, true);
    let parent = three_rules(&problem);
    let theta: Vec<Vec<f64>> =
        (0..3).map(|class| (0..parent.columns.len()).map(|i| (i + class) as f64).collect()).collect();
    let child = parent.split(&problem, 2, 1, edge(0.4, 0.1));
    let inherited = child.inherited(&parent, &theta, 2);
    for row in (0..120).filter(|row| !samples.inputs[1][*row].is_nan()) {
        for class in 0..3 {
            let [a, b] = [(&parent, &theta), (&child, &inherited)]
                .map(|(rules, theta)| rules.output(&theta[class], &samples, row));
            assert!((a - b).abs() < 1e-9, "{a} {b}");
        }
    }
}

#[test]
fn standard_errors_by_hand() {
    let MeanWithError { mean, standard_error } = MeanWithError::of([1.0, 2.0, 3.0].into_iter());
    assert_eq!(mean, 2.0);
    assert!((standard_error - (1.0f64 / 3.0).sqrt()).abs() < 1e-15); // variance 1, three values
}

/// y = 2·a − b + noise; the other four inputs have no influence.
fn rows_with_idle_inputs(rows: usize, seed: u64) -> ScaledSamples {
    let mut random = Random::new(seed);
    let inputs: Vec<Vec<f64>> = (0..6).map(|_| (0..rows).map(|_| random.unit()).collect()).collect();
    let y = |i: usize| 2.0 * inputs[0][i] - inputs[1][i];
    let target = (0..rows).map(|i| y(i) + 0.2 * random.between(-1.0, 1.0)).collect();
    ScaledSamples { inputs, targets: vec![target], weights: None, training: rows }
}

#[test]
fn inputs_without_influence_are_removed_from_the_consequents() {
    for seed in 0..5 {
        let samples = rows_with_idle_inputs(200, seed);
        let problem = Problem::new(&samples, LocalSlopes::Conditions, false);
        let limits = Limits { rules: 1, conditions: 1 };
        let full = path(&problem, limits, 0.0, &Progress::none()).unwrap().pop().unwrap();
        let (ridge, full_score) = (full.ridge, full.solution.score);
        let fitted = without_idle_inputs(&problem, full);
        let used = |rules: &RuleBase| -> Vec<usize> {
            rules.columns.iter().filter_map(|column| column.input).collect()
        };
        let kept = used(&fitted.rules);
        assert!(kept.len() < 6 && kept.contains(&0) && kept.contains(&1), "{kept:?}");
        assert!(fitted.solution.score <= full_score);
        // No single input can be removed from the result, which all subsets by one confirm.
        for input in kept {
            let rules = fitted.rules.without(input);
            assert!(!used(&rules).contains(&input));
            let solution = solve(&problem, &rules.columns, 1, &rules.equations, ridge).unwrap();
            assert!(solution.score > fitted.solution.score, "{input}");
        }
        // The network ignores the inputs that were removed.
        let tree = fit_tree(&samples, TreeSettings { max_rules: 1, ..SETTINGS }, &Cpu::new().unwrap().into())
            .unwrap();
        let at = |x: f64| tree.network.predict(&[0.3, 0.6, x, x, x, x])[0];
        assert!((at(0.1) - at(0.9)).abs() < 0.1);
    }
}
