//! Plots of tuned systems.

use crate::data::Table;
use crate::device::Device;
use crate::tuning::{TunedSystem, Tuner, truck};

fn tuned() -> (Table, TunedSystem) {
    let table = truck(8).unwrap();
    let tuner = Tuner::grid(&[3, 2]).order(0).iterations(5).validation(0.25);
    let tuned = tuner.fit(&table, &["theta"], &Device::cpu().unwrap()).unwrap();
    (table, tuned)
}

#[test]
fn sets_are_plotted_before_and_after_tuning() {
    let (_, tuned) = tuned();
    let svg = tuned.plot_sets(0).unwrap().to_svg();
    for word in ["before tuning", ">low<", ">medium<", ">high<", ">x<"] {
        assert!(svg.contains(word), "{word}");
    }
    assert!(tuned.plot_sets(1).unwrap().to_svg().contains(">phi<"));
    let message = tuned.plot_sets(2).unwrap_err().to_string();
    assert_eq!(message, "the system has no input with index 2; use an index below 2");
}

#[test]
fn training_and_validation_errors_are_plotted() {
    let (_, tuned) = tuned();
    let svg = tuned.report.plot().to_svg();
    assert!(svg.contains(">training<") && svg.contains(">validation<") && svg.contains("RMSE"));
}

#[test]
fn residuals_are_plotted_for_regression_and_rejected_for_classifiers() {
    let (table, tuned) = tuned();
    let device = Device::cpu().unwrap();
    assert!(tuned.plot_residuals(&table, &device).unwrap().to_svg().contains("output − target"));
    let rows: Vec<f64> = (0..30).flat_map(|i| [f64::from(i), f64::from(u8::from(i > 14))]).collect();
    let table = Table::new(["a", "side"], rows).unwrap();
    let mut tuner = Tuner::grid(&[2]).iterations(0);
    tuner.classify = Some(crate::tuning::Classify::OneHot);
    let classifier = tuner.fit(&table, &["side"], &device).unwrap();
    let message = classifier.plot_residuals(&table, &device).unwrap_err().to_string();
    assert_eq!(message, "the residual plot is not available for classifiers; plot the error history instead");
}
