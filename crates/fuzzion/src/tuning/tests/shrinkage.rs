//! Shrinkage of consequents towards the linear model.

use crate::Device;
use crate::data::Table;
use crate::linear::SymmetricEigen;
use crate::random::Random;
use crate::tuning::network::Network;
use crate::tuning::reference::textbook::Textbook;
use crate::tuning::training::backend::Backend;
use crate::tuning::training::samples::ScaledSamples;
use crate::tuning::training::shrinkage::{Shrinkage, linear_directions};
use crate::tuning::{InitialRules, TunedSystem, Tuner, inspect};

fn fit(tuner: &Tuner, table: &Table) -> TunedSystem {
    tuner.fit(table, &["y"], &Device::cpu().unwrap()).unwrap()
}

/// Rows of two inputs that leave the corner of large a and small b empty.
fn rows_without_a_corner(rows: usize, noise: f64, y: fn(f64, f64) -> f64) -> Table {
    let mut random = Random::new(17);
    let row = |_| {
        let a = random.between(0.0, 10.0);
        let b = random.between(if a > 5.0 { 6.0 } else { 0.0 }, 10.0);
        [a, b, y(a, b) + noise * random.between(-1.0, 1.0)]
    };
    Table::new(["a", "b", "y"], (0..rows).flat_map(row).collect::<Vec<f64>>()).unwrap()
}

/// Samples and a network with trained consequents.
fn trained() -> (ScaledSamples, Network) {
    let table = rows_without_a_corner(60, 1.0, |a, b| a * b);
    let tuned = fit(&Tuner::grid(&[2, 3]).iterations(3).ridge(1e-9), &table);
    (tuned.scaled_samples(&table.samples()).unwrap(), tuned.network)
}

#[test]
fn consequents_minimize_the_penalized_squares() {
    let (samples, network) = trained();
    let equations = Textbook(&samples).normal_equations(&network).unwrap();
    let shrinkage = Shrinkage::new(&network, &equations);
    let n = network.unknowns();
    let design: Vec<Vec<f64>> = (0..60).map(|row| network.design_row(&samples.inputs_of(row))).collect();
    let y = &samples.targets[0];
    // The linear model, by its own normal equations.
    let directions = linear_directions(&network);
    let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    let linear_rows: Vec<Vec<f64>> =
        design.iter().map(|phi| directions.iter().map(|direction| dot(phi, direction)).collect()).collect();
    for (row, of_row) in linear_rows.iter().enumerate() {
        let x = samples.inputs_of(row);
        assert!((of_row[0] - 1.0).abs() < 1e-12); // firing strengths sum to 1
        assert!((of_row[1] - x[0]).abs() < 1e-12 && (of_row[2] - x[1]).abs() < 1e-12);
    }
    let sum = |f: &dyn Fn(usize) -> f64| (0..60).map(f).sum::<f64>();
    let variance = |input: usize| {
        let mean = sum(&|row| samples.inputs[input][row]) / 60.0;
        sum(&|row| (samples.inputs[input][row] - mean).powi(2)) / 60.0
    };
    let (rules, terms) = (network.antecedents.rules(), network.basis.len());
    for penalty in [1e-4, 1e-2, 1.0] {
        let found = shrinkage.solve(&shrinkage.penalties(penalty)).unwrap();
        let delta: Vec<f64> = found.theta.iter().zip(&shrinkage.linear).map(|(a, b)| a - b).collect();
        let scale = |m: usize| {
            let (rule, term) = (m / terms, m % terms);
            let weight = 60.0 / rules as f64 * penalty;
            match term {
                0 => 0.3 * weight,
                _ => weight * variance(term - 1) * network.frames.inverse_widths[rule * 2 + term - 1].powi(2),
            }
        };
        // The gradient of Equation (1) with respect to delta is 0.
        let residual: Vec<f64> = design.iter().zip(y).map(|(phi, y)| dot(phi, &found.theta) - y).collect();
        for m in 0..n {
            let gradient = sum(&|row| design[row][m] * residual[row]) + scale(m) * delta[m];
            assert!(gradient.abs() < 1e-9, "{penalty} {m} {gradient}");
        }
        // Equation (2), with the trace from the eigenvalues of the scaled matrix.
        let entry =
            |a: usize, b: usize| sum(&|row| design[row][a] * design[row][b]) / (scale(a) * scale(b)).sqrt();
        let eigen = SymmetricEigen::new(n, entry).unwrap();
        let degrees = 3.0 + eigen.values.iter().map(|value| value / (value + 1.0)).sum::<f64>();
        let squares: f64 = residual.iter().map(|r| r * r).sum();
        let expected = squares / (1.0 - 1.2 * degrees / 60.0).powi(2);
        assert!((found.score / expected - 1.0).abs() < 1e-6, "{penalty} {} {expected}", found.score);
    }
}

#[test]
fn rules_without_rows_stay_near_the_range_of_the_target() {
    let table = rows_without_a_corner(150, 1.0, |a, b| a * a + b);
    let largest = |tuner: &Tuner| {
        let tuned = fit(tuner, &table);
        let terms = tuned.network.basis.len();
        tuned.network.theta.iter().step_by(terms).fold(0.0, |max: f64, constant| max.max(constant.abs()))
    };
    let grid = || Tuner::grid(&[4, 4]).iterations(20);
    let (free, shrunk) = (largest(&grid().ridge(1e-9)), largest(&grid()));
    assert!(free > 5.0, "{free}"); // five times the range of the target
    assert!(shrunk < 2.0, "{shrunk}"); // rules overlap, so that their constants can be larger than the range
}

#[test]
fn one_rule_without_rows_does_not_change_the_others() {
    // A fast rate moves sets outside of the range of the inputs.
    let (table, device) = (crate::tuning::mackey_glass().unwrap(), Device::cpu().unwrap());
    let target = table.names().last().unwrap().clone();
    let tuned = Tuner::grid(&[2]).rate(0.0345).iterations(93).fit(&table, &[&target], &device).unwrap();
    assert!(tuned.report.rmse < 2.0 * tuned.report.history[0].rmse, "{}", tuned.report.rmse);
    assert!(tuned.report.rmse < 0.01, "{}", tuned.report.rmse); // the linear model: 0.1
}

#[test]
fn shrinkage_lowers_the_error_of_new_rows_of_a_noisy_table() {
    let (table, new) =
        (rows_without_a_corner(120, 20.0, |a, b| a * b), rows_without_a_corner(500, 0.0, |a, b| a * b));
    let device = Device::cpu().unwrap();
    let error = |tuner: &Tuner| {
        let y = fit(tuner, &table).predict(&new, &device).unwrap().column("y").unwrap();
        let expected = new.column("y").unwrap();
        let squares: f64 = y.iter().zip(&expected).map(|(a, b)| (a - b) * (a - b)).sum();
        (squares / 500.0).sqrt()
    };
    let rules = || Tuner::new(InitialRules::FuzzyCMeans(12)).iterations(10);
    let (free, shrunk) = (error(&rules().ridge(1e-9)), error(&rules()));
    assert!(shrunk < 0.8 * free, "{shrunk} {free}");
}

#[test]
fn all_rules_of_a_linear_function_are_this_function() {
    let table = rows_without_a_corner(100, 0.0, |a, b| 3.0 * a - b + 2.0);
    let tuned = fit(&Tuner::grid(&[3, 3]).iterations(5), &table);
    assert!(tuned.report.rmse < 1e-6, "{}", tuned.report.rmse);
    let rules = inspect::rules(&tuned.system).unwrap();
    assert!(rules.iter().all(|rule| rule.ends_with("then y = 3 a - b + 2")), "{rules:?}");
}

#[test]
fn a_well_supported_fit_without_noise_is_not_changed() {
    let mut random = Random::new(3);
    let rows: Vec<f64> = (0..400).map(|_| random.between(-3.0, 3.0)).flat_map(|x| [x, x.sin()]).collect();
    let table = Table::new(["x", "y"], rows).unwrap();
    let tuner = Tuner::grid(&[4]).iterations(20);
    let (free, shrunk) = (fit(&tuner.clone().ridge(1e-9), &table), fit(&tuner, &table));
    assert_eq!(free.network.theta, shrunk.network.theta);
}

#[test]
fn weights_in_other_units_do_not_change_the_consequents() {
    let table = rows_without_a_corner(80, 2.0, |a, b| a * b);
    let device = Device::cpu().unwrap();
    let with = |weight: f64| {
        let weights = vec![weight; 80];
        let samples = table.samples().with_weights(&weights).unwrap();
        Tuner::grid(&[3, 3]).iterations(0).fit(samples, &["y"], &device).unwrap().network.theta
    };
    for (a, b) in with(1.0).iter().zip(with(8.0)) {
        assert!((a - b).abs() < 1e-9, "{a} {b}"); // the products are exact, sums of eight times the size are not
    }
}

#[test]
fn predictions_are_bounded_if_this_does_not_change_those_of_the_training_rows() {
    let (table, device) = (rows_without_a_corner(100, 0.0, |a, b| 3.0 * a - b), Device::cpu().unwrap());
    let far = Table::new(["a", "b"], vec![1000.0, 0.0]).unwrap();
    let largest = table.column("y").unwrap().into_iter().fold(f64::NEG_INFINITY, f64::max);
    let automatic = Tuner { bounded: None, ..Tuner::grid(&[1]).iterations(0) };
    let tuned = fit(&automatic, &table);
    assert!(tuned.report.bounded && tuned.system.outputs[0].variable.lock_range);
    assert!((tuned.predict(&far, &device).unwrap().column("y").unwrap()[0] - largest).abs() < 1e-9);
    let free = fit(&Tuner::grid(&[1]).iterations(0), &table);
    assert!(!free.report.bounded && free.predict(&far, &device).unwrap().column("y").unwrap()[0] > 2000.0);
    // The linear model of a curve is below its range in some rows.
    let curve = rows_without_a_corner(100, 0.0, |a, b| a * a + b);
    assert!(!fit(&automatic, &curve).report.bounded);
    // New rows may be outside of the range.
    let equations = tuned.normal_equations(&table, &device).unwrap();
    assert!(!tuned.refit(&equations, 1e-9).unwrap().report.bounded);
}
