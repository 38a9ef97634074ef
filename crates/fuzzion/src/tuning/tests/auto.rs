//! Cross-validation of settings.

use crate::Device;
use crate::data::Table;
use crate::random::Random;
use crate::tuning::{InitialRules, Tuner};

/// A noisy plane: more rules than necessary fit the noise.
fn plane(rows: usize, inputs: usize) -> Table {
    let mut random = Random::new(21);
    let row = |_| {
        let mut row: Vec<f64> = (0..inputs).map(|_| random.unit()).collect();
        let y = row.iter().sum::<f64>() + 0.2 * random.between(-1.0, 1.0);
        row.push(y);
        row
    };
    let names = (1..=inputs).map(|i| format!("x{i}")).chain(["y".to_owned()]);
    Table::new(names, (0..rows).flat_map(row).collect::<Vec<f64>>()).unwrap()
}

#[test]
fn auto_selects_few_first_order_rules_for_a_plane_and_reports_all_trials() {
    let (table, device) = (plane(120, 2), Device::cpu().unwrap());
    let tuned = Tuner::grid(&[1]).iterations(5).auto(&table, &["y"], &device).unwrap();
    let trials = &tuned.report.trials;
    assert_eq!(trials.len(), 4 + 3 + 3); // order 0 with 2 to 5 sets, order 1 with 2 to 4 sets for 96 rows; then three rates
    assert!(trials.iter().all(|trial| trial.rmse.is_finite() && trial.rmse > 0.1)); // the noise has a standard deviation of 0.115
    let best = trials[..7].iter().min_by(|a, b| a.rmse.total_cmp(&b.rmse)).unwrap();
    assert_eq!((best.initial_rules.clone(), best.order), (InitialRules::Grid(vec![2]), 1));
    assert_eq!(tuned.report.rules, 4);
    let again = Tuner::grid(&[1]).iterations(5).auto(&table, &["y"], &device).unwrap();
    assert_eq!(again.report.trials, *trials);
}

#[test]
fn auto_uses_clusters_for_many_inputs() {
    let tuned = Tuner::grid(&[1]).iterations(2).auto(&plane(90, 5), &["y"], &Device::cpu().unwrap()).unwrap();
    assert!(
        tuned.report.trials.iter().all(|trial| matches!(trial.initial_rules, InitialRules::FuzzyCMeans(_)))
    );
}

#[test]
fn auto_ignores_rows_of_weight_zero() {
    // Rows of weight 0 with a different target: an unweighted fit would need more than two sets.
    let table = plane(240, 1);
    let mut values = table.to_f64().into_owned();
    (0..240).step_by(2).for_each(|row| values[2 * row + 1] = -100.0 * values[2 * row]);
    let table = Table::new(["x1", "y"], values).unwrap();
    let weights: Vec<f64> = (0..240).map(|row| f64::from(row % 2)).collect();
    let samples = table.samples().with_weights(&weights).unwrap();
    let tuned = Tuner::default().iterations(2).auto(samples, &["y"], &Device::cpu().unwrap()).unwrap();
    assert!(tuned.report.rmse < 0.2, "{}", tuned.report.rmse); // the noise is at most 0.2
    assert!(tuned.report.trials.iter().all(|trial| trial.rmse < 0.3));
}

#[test]
fn auto_rejects_too_few_rows() {
    let error = Tuner::grid(&[1]).auto(&plane(6, 2), &["y"], &Device::cpu().unwrap()).unwrap_err();
    assert!(error.to_string().starts_with("6 training rows are too few"), "{error}");
}
