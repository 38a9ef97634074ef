//! Distributed fits: equality with the fit of all rows, and statistics that are rejected.

use crate::data::{Samples, Table};
use crate::device::Device;
use crate::random::Random;
use crate::tuning::{
    Classify, DistributedTuning, InitialRules, TrainingMethod, TunedSystem, Tuner, TuningState,
    TuningStatistics,
};

const NAMES: [&str; 5] = ["a", "b", "constant", "y", "z"];

/// Two inputs, a constant one, and two targets.
fn rows(count: usize) -> Vec<f64> {
    let mut random = Random::new(3);
    let row = |_| {
        let (a, b) = (random.between(-3.0, 3.0), random.between(0.0, 100.0));
        [a, b, 7.0, a.sin() * b + 5.0, a * a - 0.01 * b]
    };
    (0..count).flat_map(row).collect()
}

fn texts(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// A fit of chunks between these rows; states and statistics are encoded as between machines.
fn fit(tuner: &Tuner, values: &[f64], weights: Option<&[f64]>, bounds: &[usize]) -> TunedSystem {
    let device = Device::cpu().unwrap();
    let mut fit =
        DistributedTuning::new(tuner.clone(), texts(&NAMES[..3]), texts(&NAMES[3..]), &device).unwrap();
    while let Some(state) = fit.state() {
        let state = TuningState::from_bytes(&state.to_bytes()).unwrap();
        let statistics = bounds.windows(2).enumerate().map(|(chunk, bounds)| {
            let range = bounds[0]..bounds[1];
            let samples = Samples::new(5, &values[range.start * 5..range.end * 5]).unwrap();
            let mut samples = samples.with_names(texts(&NAMES)).unwrap();
            if let Some(weights) = weights {
                samples = samples.with_weights(&weights[range]).unwrap();
            }
            let part = state.partial_statistics(samples, chunk as u64, &device).unwrap();
            TuningStatistics::from_bytes(&part.to_bytes()).unwrap()
        });
        let merged = statistics.reduce(|mut merged, part| {
            merged.merge(&part).unwrap();
            merged
        });
        fit.update(merged.unwrap()).unwrap();
    }
    fit.finish().unwrap()
}

#[test]
fn a_distributed_fit_is_the_fit_of_all_rows() {
    let (values, device) = (rows(400), Device::cpu().unwrap());
    let mut weights: Vec<f64> = (0..400).map(|row| 0.5 + f64::from(row % 3)).collect();
    weights[120..150].fill(0.0); // a whole chunk
    let cases = [
        (InitialRules::FuzzyCMeans(4), 0, 1e-10),
        (InitialRules::GustafsonKessel(3), 0, 1e-10),
        (InitialRules::Grid(vec![3, 2]), 0, 1e-10),
        (InitialRules::FuzzyCMeans(3), 10, 1e-7),
    ];
    for (rules, iterations, tolerance) in cases {
        for weights in [None, Some(&weights[..])] {
            let tuner = Tuner::new(rules.clone()).iterations(iterations).ridge(1e-3);
            let tuned = fit(&tuner, &values, weights, &[0, 1, 120, 150, 150, 400]);
            let table = Table::new(NAMES, values.clone()).unwrap();
            let samples = match weights {
                Some(weights) => table.samples().with_weights(weights).unwrap(),
                None => table.samples(),
            };
            let whole = tuner.clone().inputs(["a", "b"]).fit(samples, &["y", "z"], &device).unwrap();
            assert_eq!(tuned.inputs, ["a", "b"]);
            assert_eq!(tuned.report.warnings, whole.report.warnings);
            assert_eq!(tuned.report.iterations, iterations);
            assert!((tuned.report.rmse - whole.report.rmse).abs() <= tolerance * whole.report.rmse);
            let (found, expected) = (tuned.predict(&table, &device), whole.predict(&table, &device));
            for (found, expected) in found.unwrap().to_f64().iter().zip(expected.unwrap().to_f64().iter()) {
                let difference = (found - expected).abs();
                assert!(difference <= tolerance * 100.0, "{rules:?}, {iterations}: {difference}");
            }
        }
    }
}

#[test]
fn unsupported_settings_and_wrong_statistics_are_rejected() {
    let device = Device::cpu().unwrap();
    let start = |tuner: Tuner| DistributedTuning::new(tuner, texts(&["x"]), texts(&["y"]), &device);
    let grid = || Tuner::grid(&[2]).iterations(0);
    for (tuner, name) in [
        (grid().validation(0.5), "validation rows"),
        (grid().method(TrainingMethod::LevenbergMarquardt), "Levenberg-Marquardt"),
        (grid().method(TrainingMethod::RecursiveLeastSquares(1.0)), "recursive least squares"),
        (Tuner::new(InitialRules::Subtractive(0.5)), "subtractive clustering"),
        (Tuner::tree(4), "a tree of rules"),
        (grid().classify(Classify::OneHot), "classes"),
    ] {
        let error = start(tuner).unwrap_err().to_string();
        assert!(error.contains("a distributed fit") && error.contains(name), "{error}");
    }
    let rows = |rows: &[f64]| Table::new(["x", "y"], rows.to_vec()).unwrap();
    let (first, second) = (rows(&[0.0, 0.0, 1.0, 1.0]), rows(&[2.0, 4.0, 3.0, 9.0, 4.0, 16.0]));
    let mut fit = start(grid()).unwrap();
    let ranges = fit.state().unwrap().clone();
    let mut all = ranges.partial_statistics(&first, 0, &device).unwrap();
    all.merge(&ranges.partial_statistics(&second, 1, &device).unwrap()).unwrap();
    assert_eq!(all.rows(), 5);
    fit.update(all.clone()).unwrap();
    let state = fit.state().unwrap().clone();
    assert_eq!((ranges.step(), state.step()), (0, 1));
    let error = fit.update(all.clone()).unwrap_err().to_string();
    assert!(error.contains("belong to step 0, but the state to step 1"), "{error}");
    let part = state.partial_statistics(&first, 0, &device).unwrap();
    assert!(all.merge(&part).unwrap_err().to_string().contains("the steps 0 and 1"));
    let error = fit.update(part).unwrap_err().to_string();
    assert!(error.contains("2 rows, but the chunks have 5 rows"), "{error}");
    for len in 0..state.to_bytes().len() {
        assert!(TuningState::from_bytes(&state.to_bytes()[..len]).is_err(), "{len}");
    }
    let mut equations = state.partial_statistics(&first, 0, &device).unwrap();
    equations.merge(&state.partial_statistics(&second, 1, &device).unwrap()).unwrap();
    fit.update(equations).unwrap(); // the fit continues
    assert!(fit.finish().unwrap_err().to_string().contains("it is not finished"));
    let missing = rows(&[0.0, 1.0, f64::NAN, 2.0]);
    let error = ranges.partial_statistics(&missing, 0, &device).unwrap_err().to_string();
    assert!(error.starts_with("row 2, column `x`"), "{error}");
    let mut fit = start(grid()).unwrap();
    let constant = rows(&[0.0, 1.0, 5.0, 1.0]);
    let statistics = fit.state().unwrap().partial_statistics(&constant, 0, &device).unwrap();
    let error = fit.update(statistics).unwrap_err().to_string();
    assert!(error.contains("the target `y` has the same value in every row"), "{error}");
}
