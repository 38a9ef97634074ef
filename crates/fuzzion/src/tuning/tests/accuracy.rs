//! Accuracy on the benchmark data sets with default settings.

use crate::Device;
use crate::data::{Table, Values};
use crate::tuning::{TunedSystem, Tuner, mackey_glass, truck};

fn rows(table: &Table, range: std::ops::Range<usize>) -> Table {
    let Values::F64(values) = table.slice(range) else {
        unreachable!("the data sets are in double precision")
    };
    Table::new(table.names(), values.to_vec()).unwrap()
}

/// √(Σ (ŷ − y)² / n) of one target.
fn rmse(tuned: &TunedSystem, table: &Table, target: &str, device: &Device) -> f64 {
    let (found, right) =
        (tuned.predict(table, device).unwrap().column(target).unwrap(), table.column(target).unwrap());
    let squares: f64 = found.iter().zip(&right).map(|(p, y)| (p - y) * (p - y)).sum();
    (squares / right.len() as f64).sqrt()
}

#[test]
fn thirty_five_constant_consequents_fit_the_truck_data_to_one_degree() {
    let (table, device) = (truck(64).unwrap(), Device::cpu().unwrap());
    let tuned = Tuner::grid(&[5, 7]).order(0).untied(true).fit(&table, &["theta"], &device).unwrap();
    assert!(tuned.report.rmse <= 1.0, "{}", tuned.report.rmse);
    assert_eq!((tuned.report.rules, tuned.report.unknowns, tuned.report.iterations), (35, 35, 100));
}

#[test]
fn tied_sets_with_linear_consequents_fit_the_truck_data_to_nine_tenths_of_a_degree() {
    let (table, device) = (truck(64).unwrap(), Device::cpu().unwrap());
    let tuned = Tuner::grid(&[5, 7]).fit(&table, &["theta"], &device).unwrap();
    assert!(tuned.report.rmse <= 0.9, "{}", tuned.report.rmse);
    assert_eq!(tuned.report.unknowns, 105);
}

#[test]
fn mackey_glass_prediction_matches_published_accuracy() {
    let (table, device) = (mackey_glass().unwrap(), Device::cpu().unwrap());
    let (train, test) = (rows(&table, 0..500), rows(&table, 500..1000));
    let target = table.names().last().unwrap().clone();
    // The published method does not shrink rules with few rows towards the linear model.
    let tied = Tuner::grid(&[2]).ridge(1e-9).fit(&train, &[&target], &device).unwrap();
    assert!(tied.report.rmse <= 0.0013, "{}", tied.report.rmse);
    let error = rmse(&tied, &test, &target, &device);
    assert!(error <= 0.0028, "{error}");
    let untied = Tuner::grid(&[2]).ridge(1e-9).untied(true).fit(&train, &[&target], &device).unwrap();
    let error = rmse(&untied, &test, &target, &device);
    assert!(error <= 0.0022, "{error}");
}
