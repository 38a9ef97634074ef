//! Pictures of what was learned.

use crate::data::Table;
use crate::device::Device;
use crate::tuning::{Tuned, Tuner, truck};

fn tuned() -> (Table, Tuned) {
    let table = truck(8).unwrap();
    let tuner = Tuner::grid(&[3, 2]).order(0).iterations(5).validation(0.25);
    let tuned = tuner.fit(&table, &["theta"], &Device::cpu().unwrap()).unwrap();
    (table, tuned)
}

#[test]
fn sets_are_drawn_as_they_are_and_as_they_were() {
    let (_, tuned) = tuned();
    let svg = tuned.plot_sets(0).unwrap().to_svg();
    for word in ["at the start", ">low<", ">medium<", ">high<", ">x<"] {
        assert!(svg.contains(word), "{word}");
    }
    assert!(tuned.plot_sets(1).unwrap().to_svg().contains(">phi<"));
    let sentence = tuned.plot_sets(2).unwrap_err().to_string();
    assert_eq!(sentence, "the plot is of an input that there is not; name one of the system's");
}

#[test]
fn the_error_is_drawn_for_training_and_validation() {
    let (_, tuned) = tuned();
    let svg = tuned.report.plot().to_svg();
    assert!(svg.contains(">training<") && svg.contains(">validation<") && svg.contains("RMSE"));
}

#[test]
fn residuals_are_drawn_for_numbers_and_refused_for_classes() {
    let (table, tuned) = tuned();
    let device = Device::cpu().unwrap();
    assert!(tuned.plot_residuals(&table, &device).unwrap().to_svg().contains("output − target"));
    let rows: Vec<f64> = (0..30).flat_map(|i| [f64::from(i), f64::from(u8::from(i > 14))]).collect();
    let table = Table::new(["a", "side"], rows).unwrap();
    let mut tuner = Tuner::grid(&[2]).iterations(0);
    tuner.classify = Some(crate::tuning::Classify::OneHot);
    let classifier = tuner.fit(&table, &["side"], &device).unwrap();
    let sentence = classifier.plot_residuals(&table, &device).unwrap_err().to_string();
    assert_eq!(sentence, "the plot is of residuals, which a classifier has not; plot the error instead");
}
