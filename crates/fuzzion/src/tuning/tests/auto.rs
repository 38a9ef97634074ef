//! Cross-validation of settings.

use crate::Device;
use crate::data::Table;
use crate::random::Random;
use crate::tuning::error::TuningError;
use crate::tuning::{InitialRules, Tuner, TuningWarning};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

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
fn auto_selects_the_linear_model_for_a_plane_and_reports_all_trials() {
    let (table, device) = (plane(120, 2), Device::cpu().unwrap());
    let tuned = Tuner::grid(&[1]).iterations(5).budget(1e9).auto(&table, &["y"], &device).unwrap();
    let trials = &tuned.report.trials;
    // The linear model and a tree; order 0 with 2 to 5 sets, order 1 with 2 to 4 sets for 96 rows.
    assert_eq!(trials.len(), 2 + 4 + 3);
    assert!(trials.iter().all(|trial| trial.rmse.is_finite() && trial.rmse > 0.1)); // the noise has a standard deviation of 0.115
    let linear = InitialRules::Tree { max_rules: 1, max_conditions: 3 };
    assert!(trials[0].chosen && trials[0].initial_rules == linear && trials[0].order == 1);
    assert!(trials[1..].iter().all(|trial| !trial.chosen));
    assert_eq!(tuned.report.rules, 1);
    let again = Tuner::grid(&[1]).iterations(5).budget(1e9).auto(&table, &["y"], &device).unwrap();
    assert_eq!(again.report.trials, *trials);
}

#[test]
fn auto_selects_a_sparse_rule_base_for_two_planes_and_the_rate_of_tuned_sets() {
    let device = Device::cpu().unwrap();
    let choose = |y: fn(f64) -> f64| {
        let rows: Vec<f64> = (0..200).map(|i| f64::from(i) / 200.0).flat_map(|x| [x, y(x)]).collect();
        Tuner::default()
            .iterations(20)
            .budget(1e9)
            .auto(&Table::new(["x", "y"], rows).unwrap(), &["y"], &device)
            .unwrap()
    };
    // A deterministic hash of x as noise with a standard deviation of 0.06.
    let bent = choose(|x| (x - 0.4).abs() + 0.2 * ((x * 12_345.678).sin() * 43_758.545).fract());
    assert!(matches!(bent.report.trials[1].initial_rules, InitialRules::Tree { .. }));
    assert!(bent.report.trials[1].chosen && !bent.report.path.is_empty(), "{:?}", bent.report.trials);
    let wave = choose(|x| (12.0 * x).sin()); // without noise: the tuned sets are much better
    let rates = &wave.report.trials[wave.report.trials.len() - 3..];
    assert!(rates.iter().any(|trial| trial.chosen), "{:?}", wave.report.trials);
    assert!(wave.report.rmse < 0.01, "{}", wave.report.rmse);
}

#[test]
fn auto_uses_clusters_for_many_inputs() {
    let tuned = Tuner::grid(&[1])
        .iterations(2)
        .budget(1e9)
        .auto(&plane(90, 5), &["y"], &Device::cpu().unwrap())
        .unwrap();
    assert!(
        tuned.report.trials[2..]
            .iter()
            .all(|trial| matches!(trial.initial_rules, InitialRules::FuzzyCMeans(_)))
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
    let tuned =
        Tuner::default().iterations(2).budget(1e9).auto(samples, &["y"], &Device::cpu().unwrap()).unwrap();
    assert!(tuned.report.rmse < 0.2, "{}", tuned.report.rmse); // the noise is at most 0.2
    assert!(tuned.report.trials.iter().all(|trial| trial.rmse < 0.3), "{:?}", tuned.report.trials);
}

#[test]
fn auto_rejects_too_few_rows() {
    let error = Tuner::grid(&[1]).auto(&plane(6, 2), &["y"], &Device::cpu().unwrap()).unwrap_err();
    assert!(error.to_string().starts_with("6 training rows are too few"), "{error}");
}

#[test]
fn auto_stops_at_the_time_limit_and_warns() {
    let tuned = Tuner::default()
        .iterations(2)
        .budget(0.0)
        .auto(&plane(120, 2), &["y"], &Device::cpu().unwrap())
        .unwrap();
    // The linear model is always tried.
    assert_eq!((tuned.report.trials.len(), tuned.report.rules), (1, 1));
    let warning = tuned.report.warnings.last().unwrap();
    assert_eq!(*warning, TuningWarning::TimeLimit { tried: 1, skipped: 8 });
    assert_eq!(
        warning.to_string(),
        "the time limit ended after 1 of 9 candidates; set a larger `budget` to try all"
    );
}

#[test]
fn auto_reports_the_number_of_trials_and_can_be_interrupted() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let copy = Arc::clone(&seen);
    let device = Device::cpu().unwrap().with_progress(move |done, total| {
        copy.lock().unwrap().push((done, total));
        if done < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    let result = Tuner::default().iterations(2).auto(&plane(120, 2), &["y"], &device);
    assert!(matches!(result, Err(TuningError::Interrupted)));
    let seen = seen.lock().unwrap();
    assert!(seen.windows(2).all(|pair| pair[0].0 <= pair[1].0 && pair[0].1 == pair[1].1), "{seen:?}");
    assert_eq!(seen.last(), Some(&(3, 12))); // of 9 candidates and 3 rates
}
