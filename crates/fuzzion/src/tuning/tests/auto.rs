//! Settings chosen by cross-validation.

use crate::Device;
use crate::data::Table;
use crate::random::Random;
use crate::tuning::{Start, Tuner};

/// A plane with noise: rules beyond the fewest learn the noise.
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
fn a_plane_is_given_few_rules_of_order_one_and_the_report_says_what_was_tried() {
    let (table, device) = (plane(120, 2), Device::cpu().unwrap());
    let tuned = Tuner::grid(&[1]).iterations(5).auto(&table, &["y"], &device).unwrap();
    let trials = &tuned.report.trials;
    assert_eq!(trials.len(), 5 + 2 + 3); // 2 to 5 sets of order 0, 2 and 3 of order 1 for 96 rows; then three rates
    assert!(trials.iter().all(|trial| trial.rmse.is_finite() && trial.rmse > 0.1)); // the noise has a deviation of 0.115
    let best = trials[..7].iter().min_by(|a, b| a.rmse.total_cmp(&b.rmse)).unwrap();
    assert_eq!((best.start.clone(), best.order), (Start::Grid(vec![2]), 1));
    assert_eq!(tuned.report.rules, 4);
    let again = Tuner::grid(&[1]).iterations(5).auto(&table, &["y"], &device).unwrap();
    assert_eq!(again.report.trials, *trials);
}

#[test]
fn many_inputs_are_given_clusters() {
    let tuned = Tuner::grid(&[1]).iterations(2).auto(&plane(90, 5), &["y"], &Device::cpu().unwrap()).unwrap();
    assert!(tuned.report.trials.iter().all(|trial| matches!(trial.start, Start::FuzzyCMeans(_))));
}

#[test]
fn too_few_rows_to_choose_from_are_refused() {
    let error = Tuner::grid(&[1]).auto(&plane(6, 2), &["y"], &Device::cpu().unwrap()).unwrap_err();
    assert!(error.to_string().starts_with("6 training rows are too few"), "{error}");
}
