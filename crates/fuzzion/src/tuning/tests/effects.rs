//! Partial dependence, interactions, classification reports, stability and words.

use super::save::without_time;
use crate::data::{Labels, Samples, Table};
use crate::device::Device;
use crate::random::Random;
use crate::tuning::inspect::rules;
use crate::tuning::{Classify, InitialRules, TunedSystem, Tuner};

/// Rows with the inputs a, b and c in [0, 4), and a target.
fn table(rows: usize, target: impl Fn(f64, f64, f64) -> f64) -> Table {
    let mut random = Random::new(21);
    let row = |_| {
        let [a, b, c] = [(); 3].map(|()| random.between(0.0, 4.0));
        [a, b, c, target(a, b, c)]
    };
    Table::new(["a", "b", "c", "y"], (0..rows).flat_map(row).collect::<Vec<f64>>()).unwrap()
}

/// An exact fit of a polynomial of degree 2.
fn polynomial(table: &Table) -> (TunedSystem, Device) {
    let device = Device::cpu().unwrap();
    (Tuner::grid(&[1]).order(2).iterations(0).fit(table, &["y"], &device).unwrap(), device)
}

#[test]
fn the_partial_dependence_of_an_additive_function_is_that_function_up_to_a_constant() {
    let rows = table(300, |a, b, c| a * a - 3.0 * b + 0.5 * c);
    let (tuned, device) = polynomial(&rows);
    for (input, function) in [("a", (|x| x * x) as fn(f64) -> f64), ("b", |x| -3.0 * x), ("c", |x| 0.5 * x)] {
        let found = tuned.partial_dependence(&rows, &[input], &device).unwrap();
        assert_eq!((found.points[0].len(), found.means[0].len()), (41, 41));
        let constant = found.means[0][0] - function(found.points[0][0]);
        for (x, y) in found.points[0].iter().zip(&found.means[0]) {
            assert!((y - function(*x) - constant).abs() < 1e-5, "{input} {x} {y}");
        }
        assert!(found.points[0][0] < 0.2 && found.points[0][40] > 3.8);
    }
    let surface = tuned.partial_dependence(&rows, &["b", "a"], &device).unwrap();
    let (b, a) = (&surface.points[0], &surface.points[1]);
    let value = |i: usize, j: usize| surface.means[0][j * b.len() + i];
    let expected = a[7] * a[7] - a[2] * a[2] - 3.0 * (b[9] - b[4]);
    assert!((value(9, 7) - value(4, 2) - expected).abs() < 1e-5);
}

#[test]
fn partial_dependence_is_the_mean_of_predictions_with_replaced_inputs() {
    let rows = table(50, |a, b, c| (a * b).sin() + c);
    let device = Device::cpu().unwrap();
    let tuned = Tuner::grid(&[2]).iterations(0).ridge(1e-3).fit(&rows, &["y"], &device).unwrap();
    let found = tuned.partial_dependence(&rows, &["b"], &device).unwrap();
    let mut replaced = rows.to_f64().into_owned();
    replaced.chunks_exact_mut(4).for_each(|row| row[1] = found.points[0][13]);
    let replaced = Table::new(["a", "b", "c", "y"], replaced).unwrap();
    let predicted = tuned.predict(&replaced, &device).unwrap().column("y").unwrap();
    assert!((found.means[0][13] - predicted.iter().sum::<f64>() / 50.0).abs() < 1e-9);
    let weights: Vec<f64> = (0..50).map(|row| f64::from(u8::from(row == 3))).collect();
    let values = rows.to_f64();
    let one = Samples::new(4, &values[..]).unwrap().with_names(rows.names()).unwrap();
    let one = tuned.partial_dependence(one.with_weights(&weights).unwrap(), &["b"], &device).unwrap();
    let row = Table::new(["a", "b", "c"], values[12..15].to_vec()).unwrap();
    let predicted = tuned.predict(&row, &device).unwrap().column("y").unwrap()[0];
    assert!((one.means[0][0] - predicted).abs() < 1e-9); // one row with its own value
}

#[test]
fn unknown_inputs_and_other_numbers_of_inputs_are_rejected() {
    let rows = table(50, |a, b, c| a + b + c);
    let (tuned, device) = polynomial(&rows);
    let message = |inputs: &[&str]| tuned.partial_dependence(&rows, inputs, &device).unwrap_err().to_string();
    assert!(message(&["d"]).starts_with("missing column `d`"), "{}", message(&["d"]));
    assert!(message(&[]).contains("1 or 2") && message(&["a", "b", "c"]).contains("1 or 2"));
    let message = tuned.classification_report(&rows, &device).unwrap_err().to_string();
    assert!(message.starts_with("the classification report requires a classifier"), "{message}");
}

#[test]
fn interactions_are_found_between_the_inputs_of_a_product() {
    let rows = table(400, |a, b, c| (a - 2.0) * (c - 2.0) + b);
    let (tuned, device) = polynomial(&rows);
    let found = tuned.interactions(&rows, &["a", "b", "c"], &device).unwrap();
    assert_eq!((found.len(), found[0].inputs.join(" ")), (3, "a c".to_owned()));
    assert!(found[0].strength > 0.9 && found[1].strength < 1e-4, "{found:?}");
}

fn sizes(rows: usize) -> (Table, Vec<&'static str>) {
    let mut random = Random::new(4);
    let (mut values, mut kinds) = (Vec::new(), Vec::new());
    for _ in 0..rows {
        let a = random.between(0.0, 9.0);
        values.extend([a, random.unit()]);
        kinds.push(
            ["small", "middle", "large"][((a + random.between(-1.0, 1.0)) / 3.0).clamp(0.0, 2.0) as usize],
        );
    }
    (Table::new(["a", "b"], values).unwrap().with_labels(Labels::new("size", &kinds)).unwrap(), kinds)
}

#[test]
fn the_confusion_matrix_counts_predicted_classes() {
    let (rows, kinds) = sizes(200);
    let device = Device::cpu().unwrap();
    let tuner = Tuner::grid(&[3, 1]).classify(Classify::CrossEntropy).iterations(20).validation(0.3);
    let tuned = tuner.fit(&rows, &["size"], &device).unwrap();
    let report = tuned.classification_report(&rows, &device).unwrap();
    let predicted = tuned.predict(&rows, &device).unwrap();
    let predicted: Vec<&str> = predicted.label("size").unwrap().iter().collect();
    for (i, actual) in report.classes.iter().enumerate() {
        for (j, other) in report.classes.iter().enumerate() {
            let count = (0..200).filter(|row| kinds[*row] == actual && predicted[*row] == other).count();
            assert_eq!(report.confusion[i][j], count as f64);
        }
    }
    assert_eq!(report.roc.len(), 3);
    assert!(report.roc.iter().all(|curve| curve.area > 0.9), "{:?}", report.roc);
    let total: f64 = report.calibration.iter().map(|bin| bin.weight).sum();
    assert!((total - 600.0).abs() < 1e-9); // three classes
    // The held-out rows are those of the report of the fit.
    let held_out = tuner.validation_rows(200);
    let weights: Vec<f64> = (0..200).map(|row| f64::from(u8::from(held_out.contains(&row)))).collect();
    let samples = rows.samples().with_weights(&weights).unwrap();
    let report = tuned.classification_report(samples, &device).unwrap();
    let correct: f64 = (0..3).map(|class| report.confusion[class][class]).sum();
    assert!((correct / 60.0 - tuned.report.validation_accuracy.unwrap()).abs() < 1e-12);
}

#[test]
fn rules_of_separate_clusters_are_stable_and_arbitrary_ones_are_not() {
    let mut random = Random::new(8);
    let device = Device::cpu().unwrap();
    let clusters: Vec<f64> = (0..150u32)
        .flat_map(|i| {
            let center = f64::from(i % 3) * 10.0;
            [center + random.unit(), -center + random.unit(), center * center + random.unit()]
        })
        .collect();
    let uniform: Vec<f64> = (0..150)
        .flat_map(|_| [random.between(0.0, 20.0), random.between(0.0, 20.0), random.unit()])
        .collect();
    let stability = |values: Vec<f64>, rules: usize| -> Vec<f64> {
        let rows = Table::new(["a", "b", "y"], values).unwrap();
        let tuner = Tuner::new(InitialRules::FuzzyCMeans(rules)).order(0).iterations(0).ridge(1e-3);
        let tuned = tuner.fit(&rows, &["y"], &device).unwrap();
        let stability = tuned.rule_stability(&tuner, &rows, 8, &device).unwrap();
        assert_eq!(tuned.rule_stability(&tuner, &rows, 8, &device).unwrap(), stability); // reproducible
        assert!(tuned.rule_stability(&tuner, &rows, 0, &device).is_err());
        stability
    };
    assert_eq!(stability(clusters, 3), [1.0; 3]);
    let arbitrary = stability(uniform, 9);
    assert!(arbitrary.iter().sum::<f64>() / 9.0 < 0.9, "{arbitrary:?}");
}

#[test]
fn chosen_settings_of_auto_are_refitted() {
    let rows = table(200, |a, b, _| if a < 2.0 { 1.0 } else { 5.0 } + 0.1 * b);
    let device = Device::cpu().unwrap();
    let tuner = Tuner::default().budget(1e9);
    let tuned = tuner.auto(&rows, &["y"], &device).unwrap();
    let stability = tuned.rule_stability(&tuner, &rows, 2, &device).unwrap();
    assert_eq!(stability.len(), tuned.report.rules);
    assert!(stability.iter().all(|stability| (0.0..=1.0).contains(stability)));
}

#[test]
fn words_are_kept_by_refits_and_files() {
    let rows = table(100, |a, b, c| a + b + c);
    let device = Device::cpu().unwrap();
    let tuned = Tuner::grid(&[2, 1, 1]).iterations(0).fit(&rows, &["y"], &device).unwrap();
    let named = tuned.clone().with_words("a", &["few", "many"]).unwrap();
    let texts = |tuned: &TunedSystem| rules(&tuned.system).unwrap().join("\n");
    assert!(texts(&named).starts_with("if a is few and "), "{}", texts(&named));
    let loaded = TunedSystem::from_json(&named.to_json().unwrap()).unwrap();
    assert_eq!(loaded, without_time(named.clone()));
    let equations = named.normal_equations(&rows, &device).unwrap();
    assert!(texts(&named.refit(&equations, 1e-9).unwrap()).contains("if a is many and "));
    assert!(named.system.to_fll().unwrap().contains("if a is few and b is middle"));
    let message = |words: &[&str]| tuned.clone().with_words("a", words).unwrap_err().to_string();
    let expected = "the input `a` has 2 sets (`low`, `high`), but 1 word was given; give one word for each set, in ascending order";
    assert_eq!(message(&["few"]), expected);
    assert_eq!(message(&["few", "few"]), "the input `a` has two sets named `few`; use different words");
    for word in ["very", "is", "", "a few", "2nd"] {
        assert!(
            message(&[word, "many"]).starts_with(&format!("the input `a` cannot have a set named `{word}`"))
        );
    }
    let mut unused = tuned.clone();
    unused.system.inputs[0].sets.clear();
    let error = unused.with_words("a", &["few"]).unwrap_err().to_string();
    assert_eq!(error, "the input `a` has no sets, because no rule uses it; name the sets of other inputs");
    assert!(tuned.with_words("z", &["few"]).unwrap_err().to_string().starts_with("missing column `z`"));
}
