//! Plots of a model and of the training history.

use super::model::{classes, classifier, numbers, regressor};
use crate::device::Device;
use crate::sonfin::{Classify, Growth, Sonfin, two_spirals};

#[test]
fn the_plot_shows_every_rule_and_every_class() {
    let (device, model) = (Device::cpu().unwrap(), classifier(60, 6));
    let svg = model.plot_plane(&classes(30, 1), &device).unwrap().to_svg();
    for part in
        [">u<", ">v<", ">007<", ">1.50<", ">rot<", ">rules<", &format!(">{} rules<", model.rule_count())]
    {
        assert!(svg.contains(part), "{part}");
    }
    let numbers_svg = regressor(60, 5).plot_plane(&numbers(30, 1), &device).unwrap().to_svg();
    assert!(numbers_svg.contains(">samples<") && numbers_svg.contains(">y<"));
}

#[test]
fn the_plot_requires_two_inputs() {
    let device = Device::cpu().unwrap();
    let table = numbers(30, 1);
    let model =
        Sonfin::new().inputs(["a"]).growth(Growth::Budget(4)).epochs(1).fit(&table, &["y"], &device).unwrap();
    assert_eq!(
        model.plot_plane(&table, &device).unwrap_err().to_string(),
        "the plot requires exactly two inputs, but the model has 1; plot the training history instead"
    );
}

#[test]
fn the_training_history_shows_training_and_validation_errors() {
    let device = Device::cpu().unwrap();
    let sonfin = Sonfin::new().classify(Classify::OneHot).growth(Growth::Budget(6)).epochs(3).validation(0.2);
    let model = sonfin.fit(&two_spirals(40).unwrap(), &["arm"], &device).unwrap();
    let svg = model.report.plot().to_svg();
    for part in [">training (before each update)<", ">validation<", ">Error<", ">Rules<", ">epoch<"] {
        assert!(svg.contains(part), "{part}");
    }
}

#[test]
fn spirals_have_at_least_two_points() {
    let message = two_spirals(1).unwrap_err().to_string();
    assert_eq!(message, "two spirals: `points` is 1, but it must be from 2 to 10,000,000");
    let spirals = two_spirals(50).unwrap();
    let (x, y) = (spirals.column("x").unwrap(), spirals.column("y").unwrap());
    // The arms are point-symmetric.
    assert!((0..50).all(|i| x[2 * i] == -x[2 * i + 1] && y[2 * i] == -y[2 * i + 1]));
}
