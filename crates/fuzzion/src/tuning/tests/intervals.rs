//! Prediction intervals, prediction sets, and rows outside of the training data.

use super::save::without_time;
use crate::Device;
use crate::data::{Classify, Samples, Table};
use crate::random::Random;
use crate::tuning::{InitialRules, TunedSystem, Tuner};

fn cpu() -> Device {
    Device::cpu().unwrap()
}

/// y = 2a − b + noise, and z = a + noise of ten times the size; the noise is uniform in ±(0.5 + a/2).
fn noisy_plane(rows: usize, seed: u64) -> Table {
    let mut random = Random::new(seed);
    let row = |_| {
        let (a, b) = (random.unit(), random.unit());
        let mut noise = || (0.5 + 0.5 * a) * random.between(-1.0, 1.0);
        [a, b, 2.0 * a - b + noise(), a + 10.0 * noise()]
    };
    Table::new(["a", "b", "y", "z"], (0..rows).flat_map(row).collect::<Vec<f64>>()).unwrap()
}

/// Fraction of the rows whose target lies in its interval.
fn coverage(tuned: &TunedSystem, test: &Table, target: &str, level: f64) -> f64 {
    let found = tuned.predict_intervals(test, level, &cpu()).unwrap();
    let (lower, upper) = (found.lower.column(target).unwrap(), found.upper.column(target).unwrap());
    let targets = test.column(target).unwrap();
    let inside = (0..test.rows()).filter(|row| (lower[*row]..=upper[*row]).contains(&targets[*row])).count();
    inside as f64 / test.rows() as f64
}

#[test]
fn intervals_cover_their_level_of_new_rows() {
    let tuners = [
        Tuner::grid(&[1]).iterations(0).intervals(true),
        Tuner::grid(&[2]).iterations(0).intervals(true).validation(0.3),
        Tuner::tree(1),
    ];
    // Targets, levels, and three standard errors of the mean coverage.
    let cases = [("y", 0.9, 0.02), ("z", 0.9, 0.02), ("y", 0.5, 0.035)];
    for tuner in tuners {
        let mut sums = [0.0; 3];
        for seed in 0..10 {
            let rows = noisy_plane(1000, seed);
            let tuned = tuner.clone().inputs(["a", "b"]).fit(&rows, &["y", "z"], &cpu()).unwrap();
            let test = noisy_plane(1000, 1000 + seed);
            for (sum, (target, level, _)) in sums.iter_mut().zip(cases) {
                *sum += coverage(&tuned, &test, target, level);
            }
        }
        for (sum, (target, level, tolerance)) in sums.iter().zip(cases) {
            let mean = sum / 10.0;
            assert!((mean - level).abs() < tolerance, "{tuner:?} {target} {level}: {mean}");
        }
    }
}

#[test]
fn each_target_has_its_own_width_in_its_units() {
    let tuned = Tuner::tree(3).inputs(["a", "b"]).fit(&noisy_plane(600, 1), &["y", "z"], &cpu()).unwrap();
    assert_eq!(tuned.calibration_rows(), Some(600));
    let row = Table::new(["a", "b"], vec![0.5, 0.5]).unwrap();
    let found = tuned.predict_intervals(&row, 0.9, &cpu()).unwrap();
    assert_eq!(found.predictions, tuned.predict(&row, &cpu()).unwrap());
    let half = |target: &str| {
        let [lower, y, upper] =
            [&found.lower, &found.predictions, &found.upper].map(|table| table.column(target).unwrap()[0]);
        assert!((upper - y - (y - lower)).abs() < 1e-9);
        upper - y
    };
    assert!((0.6..0.9).contains(&half("y")) && (6.0..9.0).contains(&half("z")), "{found:?}");
}

#[test]
fn calibration_rows_are_held_out_from_training() {
    // Every target is an outlier of its own: a model that has seen a row predicts it, other models do not.
    let mut random = Random::new(5);
    let values: Vec<f64> = (0..40).flat_map(|i| [f64::from(i), random.between(-1.0, 1.0)]).collect();
    let table = Table::new(["x", "y"], values).unwrap();
    let interpolating = Tuner::grid(&[20]).iterations(0).ridge(1e-6).intervals(true);
    let tuned = interpolating.fit(&table, &["y"], &cpu()).unwrap();
    let found = tuned.predict_intervals(&table, 0.9, &cpu()).unwrap();
    assert!(tuned.report.rmse < 0.1, "{}", tuned.report.rmse);
    assert!(found.upper.column("y").unwrap()[0] - found.predictions.column("y").unwrap()[0] > 0.5);
}

#[test]
fn validation_rows_that_choose_the_iteration_do_not_calibrate() {
    let rows = noisy_plane(200, 2);
    let calibrated = |iterations: usize, tuner: Tuner| {
        let tuner = tuner.iterations(iterations).intervals(true).validation(0.3).inputs(["a", "b"]);
        tuner.fit(&rows, &["y"], &cpu()).unwrap().calibration_rows()
    };
    assert_eq!(calibrated(0, Tuner::grid(&[2])), Some(60));
    assert_eq!(calibrated(0, Tuner::tree(2)), Some(60));
    assert_eq!(calibrated(5, Tuner::grid(&[2])), Some(140)); // the training rows, in folds
}

#[test]
fn prediction_sets_contain_the_class_at_their_level() {
    let table = |seed: u64| {
        let mut random = Random::new(seed);
        let row = |_| {
            let x = random.unit();
            // The classes overlap: class 0 on the left, 2 on the right, 1 anywhere.
            let class = if random.unit() < 0.2 { 1.0 } else { 2.0 * f64::from(u8::from(x > random.unit())) };
            [x, class]
        };
        Table::new(["x", "class"], (0..600).flat_map(row).collect::<Vec<f64>>()).unwrap()
    };
    for classify in [Classify::OneHot, Classify::CrossEntropy] {
        let tuner = Tuner::grid(&[2]).iterations(5).intervals(true).classify(classify);
        let (mut covered, mut sizes) = (0, 0);
        for seed in 0..5 {
            let tuned = tuner.fit(&table(seed), &["class"], &cpu()).unwrap();
            let test = table(100 + seed);
            let found = tuned.predict_sets(&test, 0.9, &cpu()).unwrap();
            let classes = test.column("class").unwrap();
            let predicted = found.predictions.label("class").unwrap();
            for (row, set) in found.contains.iter().enumerate() {
                covered += usize::from(set[classes[row] as usize]);
                sizes += set.iter().filter(|contained| **contained).count();
                let code =
                    tuned.classes.iter().position(|name| Some(&name[..]) == predicted.get(row)).unwrap();
                assert!(set[code], "the predicted class is in the set");
            }
        }
        let (coverage, size) = (covered as f64 / 3000.0, sizes as f64 / 3000.0);
        assert!((coverage - 0.9).abs() < 0.025, "{classify:?}: {coverage}");
        assert!((1.5..2.7).contains(&size), "{classify:?}: {size}");
    }
}

#[test]
fn weights_count_rows_of_the_calibration() {
    // Rows of weight 0 have errors of 100, which the intervals do not contain.
    let rows = noisy_plane(400, 3);
    let mut values = rows.to_f64().into_owned();
    let weights: Vec<f64> = (0..400).map(|row| f64::from(u8::from(row % 2 == 0))).collect();
    (1..400).step_by(2).for_each(|row| values[row * 4 + 2] += 100.0);
    let samples = Samples::new(4, &values).unwrap().with_weights(&weights).unwrap();
    let tuned = Tuner::tree(2).inputs(["c1", "c2"]).fit(samples, &["c3"], &cpu()).unwrap();
    assert_eq!(tuned.calibration_rows(), Some(200));
    let row = Table::new(["c1", "c2"], vec![0.5, 0.5]).unwrap();
    let found = tuned.predict_intervals(&row, 0.9, &cpu()).unwrap();
    assert!(found.upper.column("c3").unwrap()[0] < 3.0, "{found:?}");
}

#[test]
fn calibrations_are_saved_and_refitting_removes_them() {
    let rows = noisy_plane(100, 4);
    let tuned = Tuner::tree(2).inputs(["a", "b"]).fit(&rows, &["y"], &cpu()).unwrap();
    let text = tuned.to_json().unwrap();
    assert_eq!(TunedSystem::from_json(&text).unwrap(), without_time(tuned.clone()));
    let damaged = text.replace("\"calibration\":{\"rows\":100", "\"calibration\":{\"rows\":101");
    assert_ne!(damaged, text);
    assert!(TunedSystem::from_json(&damaged).unwrap_err().to_string().contains("inconsistent sizes"));
    let equations = tuned.normal_equations(&rows, &cpu()).unwrap();
    assert_eq!(tuned.refit(&equations, 1e-9).unwrap().calibration_rows(), None);
}

#[test]
fn unavailable_intervals_are_explained() {
    let rows = noisy_plane(60, 6);
    let plain = Tuner::grid(&[2]).iterations(0).inputs(["a", "b"]);
    let message = |tuned: &TunedSystem, level: f64| {
        tuned.predict_intervals(&rows, level, &cpu()).unwrap_err().to_string()
    };
    let tuned = plain.fit(&rows, &["y"], &cpu()).unwrap();
    assert!(message(&tuned, 0.9).contains("fit it with the setting `intervals`"));
    let calibrated = plain.clone().intervals(true).fit(&rows, &["y"], &cpu()).unwrap();
    assert!(message(&calibrated, 0.99).starts_with("a level of 0.99 needs 99 held-out rows"));
    assert!(message(&calibrated, 1.5).contains("above 0 and below 1"));
    assert!(
        calibrated.predict_sets(&rows, 0.9, &cpu()).unwrap_err().to_string().contains("require a classifier")
    );
    // Too few rows for the consequents in four of five folds: a fit without intervals.
    let few = Tuner::grid(&[3]).order(1).iterations(0).intervals(true).inputs(["a", "b"]);
    let tuned = few.fit(&noisy_plane(28, 1), &["y"], &cpu()).unwrap();
    assert_eq!(tuned.calibration_rows(), None);
}

#[test]
fn rows_outside_of_the_data_are_flagged() {
    // Two clusters on a diagonal: (0, 1) is in range and far from both.
    let mut random = Random::new(8);
    let row = |i: usize| {
        let center = f64::from(u8::from(i.is_multiple_of(2)));
        let mut near = || center + 0.05 * random.between(-1.0, 1.0);
        let (a, b) = (near(), near());
        [a, b, a + b]
    };
    let table = Table::new(["a", "b", "y"], (0..200).flat_map(row).collect::<Vec<f64>>()).unwrap();
    let tuner = Tuner::new(InitialRules::FuzzyCMeans(2)).untied(true).iterations(0).ridge(1e-6);
    let tuned = tuner.fit(&table, &["y"], &cpu()).unwrap();
    assert!(tuned.outside_range(&table, &cpu()).unwrap().iter().all(|row| !row.is_outside()));
    let rows = Table::new(["a", "b"], vec![0.0, 1.0, 3.0, 0.0, 0.0, 0.0]).unwrap();
    let outside = tuned.outside_range(&rows, &cpu()).unwrap();
    assert!(outside[0].inputs.is_empty() && outside[0].far_from_rules, "{outside:?}");
    assert!(outside[1].inputs == [0] && !outside[2].is_outside(), "{outside:?}");
    let loaded = TunedSystem::from_json(&tuned.to_json().unwrap()).unwrap();
    assert_eq!(loaded.outside_range(&rows, &cpu()).unwrap(), outside);
}

#[test]
fn the_strongest_rules_come_first_and_all_of_them_sum_to_one() {
    let table = noisy_plane(50, 9);
    let tuned =
        Tuner::grid(&[3]).iterations(0).ridge(1e-6).inputs(["a", "b"]).fit(&table, &["y"], &cpu()).unwrap();
    for fired in tuned.fired_rules(&table, usize::MAX, &cpu()).unwrap() {
        assert!((fired.iter().map(|rule| rule.strength).sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(fired.windows(2).all(|pair| pair[0].strength >= pair[1].strength));
    }
    assert!(tuned.fired_rules(&table, 2, &cpu()).unwrap().iter().all(|fired| fired.len() == 2));
}
