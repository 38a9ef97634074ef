//! Comparison of tuned systems, exported as FLL, with pyfuzzylite 8.0.6.

use fuzzion::tuning::{Form, InitialRules, Tuner, mackey_glass, truck};
use fuzzion::{Device, Table};

/// Tables, targets and settings.
fn cases() -> Vec<(&'static str, Table, Vec<&'static str>, Tuner)> {
    // Renamed, because `x` is reserved in formulas.
    let rows = truck(14).unwrap();
    let positions = Table::new(["place", "phi", "theta"], rows.to_f64().into_owned()).unwrap();
    let series = mackey_glass().unwrap();
    let grid = |sets: &[usize]| Tuner::grid(sets).iterations(8);
    let clusters = Tuner::new(InitialRules::FuzzyCMeans(5)).iterations(8);
    vec![
        ("constants", positions.clone(), vec!["theta"], grid(&[4, 5]).order(0)),
        ("linear", positions.clone(), vec!["theta"], grid(&[3, 4])),
        ("cubic", positions.clone(), vec!["theta"], grid(&[2, 3]).order(3)),
        ("untied", positions.clone(), vec!["theta"], grid(&[4, 3]).untied(true)),
        ("two-sided", positions.clone(), vec!["theta"], grid(&[3, 3]).form(Form::TwoSided)),
        ("bells", positions.clone(), vec!["theta"], grid(&[3, 3]).form(Form::Bell)),
        ("triangles", positions, vec!["theta"], grid(&[3, 3]).form(Form::Triangle).iterations(0)),
        ("two outputs", series.clone(), vec!["x_now", "x_in_6"], clusters),
        ("four inputs", series, vec!["x_in_6"], grid(&[2])),
    ]
}

#[test]
fn pyfuzzylite_computes_the_same_predictions_for_every_kind_of_system() {
    let Some(python) = crate::python_packages::pyfuzzylite() else { return };
    let device = Device::cpu().unwrap();
    let (mut systems, mut expected) = (Vec::new(), Vec::new());
    for (name, table, targets, tuner) in cases() {
        let tuned = tuner.fit(&table, &targets, &device).unwrap();
        let inputs: Vec<Vec<f64>> = tuned.inputs.iter().map(|input| table.column(input).unwrap()).collect();
        systems.push((tuned.system.to_fll().unwrap(), inputs));
        let predicted = tuned.predict(&table, &device).unwrap();
        for target in targets {
            expected.push((name, table.column(target).unwrap(), predicted.column(target).unwrap()));
        }
    }
    let theirs = crate::python_packages::outputs_of_fll(&python, systems);
    assert_eq!(theirs.len(), expected.len());
    for ((name, targets, ours), theirs) in expected.iter().zip(&theirs) {
        let min = targets.iter().copied().fold(f64::INFINITY, f64::min);
        let max = targets.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        assert_eq!(ours.len(), theirs.len(), "{name}");
        for (ours, theirs) in ours.iter().zip(theirs) {
            // The same sums in a different order, with consequents of up to a hundred times the range.
            assert!((ours - theirs).abs() <= 1e-9 * (max - min), "{name}: {ours} {theirs}");
        }
    }
}
