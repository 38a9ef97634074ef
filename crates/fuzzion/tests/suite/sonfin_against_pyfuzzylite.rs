//! Comparison of trained networks, exported as FLL, with pyfuzzylite 8.0.6.

use fuzzion::sonfin::{Classify, Growth, Model, Sonfin, two_spirals};
use fuzzion::tuning::{mackey_glass, truck};
use fuzzion::{Device, Table};

/// A table and the network trained on it.
fn trained(table: Table, targets: &[&str], sonfin: Sonfin, device: &Device) -> (Table, Model) {
    let model = sonfin.growth(Growth::Budget(12)).epochs(4).fit(&table, targets, device).unwrap();
    (table, model)
}

#[test]
fn pyfuzzylite_computes_the_same_scores_for_every_kind_of_network() {
    let Some(python) = crate::python_packages::pyfuzzylite() else { return };
    let device = Device::cpu().unwrap();
    let models = [
        trained(truck(14).unwrap(), &["theta"], Sonfin::new(), &device),
        trained(mackey_glass().unwrap(), &["x_now", "x_in_6"], Sonfin::new(), &device),
        trained(two_spirals(60).unwrap(), &["arm"], Sonfin::new().classify(Classify::OneHot), &device),
    ];
    let (mut systems, mut expected) = (Vec::new(), Vec::new());
    for (table, model) in &models {
        let inputs: Vec<Vec<f64>> = model.inputs.iter().map(|input| table.column(input).unwrap()).collect();
        systems.push((model.to_system().unwrap().to_fll().unwrap(), inputs));
        let scores = model.scores(table, &device).unwrap();
        expected.extend(scores.names().iter().map(|name| scores.column(name).unwrap()));
    }
    let theirs = crate::python_packages::outputs_of_fll(&python, systems);
    assert_eq!(theirs.len(), expected.len());
    for (ours, theirs) in expected.iter().zip(&theirs) {
        let min = ours.iter().copied().fold(f64::INFINITY, f64::min);
        let max = ours.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        assert_eq!(ours.len(), theirs.len());
        for (ours, theirs) in ours.iter().zip(theirs) {
            // The network computes in single precision, pyfuzzylite in double precision.
            assert!((ours - theirs).abs() <= 1e-4 * (max - min), "{ours} {theirs}");
        }
    }
}
