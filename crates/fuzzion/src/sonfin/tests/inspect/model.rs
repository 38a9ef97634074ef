//! Predictions, explanations and readable rules.

use crate::data::{Labels, Table};
use crate::device::Device;
use crate::random::Random;
use crate::sonfin::reference::textbook::{firing, ln_mu, outputs, rules_in_f64};
use crate::sonfin::training::usage::mean_firing_strengths;
use crate::sonfin::{Classify, Growth, MissingInputs, Model, Sonfin};

/// Two inputs with very different units, and two numeric targets.
pub(in crate::sonfin::tests) fn numbers(rows: usize, seed: u64) -> Table {
    let mut random = Random::new(seed);
    let row = |_: usize| {
        let (a, b) = (random.between(-3.0, 5.0), random.between(1e6, 4e6));
        [a, b, a * a + 1e-6 * b, 2e-6 * b - a]
    };
    let values: Vec<f64> = (0..rows).flat_map(row).collect();
    Table::new(["a", "b", "y", "z"], values).unwrap()
}

/// Three classes of points in a plane, with labels that would change if parsed as numbers.
pub(in crate::sonfin::tests) fn classes(rows: usize, seed: u64) -> Table {
    let mut random = Random::new(seed);
    let names = ["007", "1.50", "rot"];
    let (mut values, mut labels) = (Vec::new(), Vec::new());
    for row in 0..rows {
        let (x, y) = [(0.0, 0.0), (4.0, 1.0), (1.0, 5.0)][row % 3];
        values.extend([x + random.between(-1.2, 1.2), y + random.between(-1.2, 1.2)]);
        labels.push(names[row % 3]);
    }
    Table::new(["u", "v"], values).unwrap().with_labels(Labels::new("kind", labels)).unwrap()
}

pub(in crate::sonfin::tests) fn regressor(rows: usize, rules: usize) -> Model {
    let sonfin = Sonfin::new().growth(Growth::Budget(rules)).epochs(3);
    sonfin.fit(&numbers(rows, 1), &["y", "z"], &Device::cpu().unwrap()).unwrap()
}

pub(in crate::sonfin::tests) fn classifier(rows: usize, rules: usize) -> Model {
    let sonfin = Sonfin::new().classify(Classify::OneHot).growth(Growth::Budget(rules)).epochs(5);
    sonfin.fit(&classes(rows, 2), &["kind"], &Device::cpu().unwrap()).unwrap()
}

#[test]
fn predicted_labels_are_spelled_as_in_the_data() {
    let (device, model) = (Device::cpu().unwrap(), classifier(150, 12));
    let fresh = classes(90, 7);
    let found = model.predict(&fresh, &device).unwrap();
    assert_eq!((found.rows(), found.columns(), found.labels().len()), (90, 0, 1));
    let pairs = found.label("label").unwrap().iter().zip(fresh.label("kind").unwrap().iter());
    // The groups are separated; only points in the corners of neighboring squares may be confused.
    assert!(pairs.filter(|(found, known)| found == known).count() >= 85);
}

#[test]
fn the_label_is_the_class_of_the_largest_score() {
    let (device, model) = (Device::cpu().unwrap(), classifier(150, 12));
    let fresh = classes(60, 3);
    let scores = model.scores(&fresh, &device).unwrap();
    assert_eq!(scores.names(), model.classes);
    let labels = model.predict(&fresh, &device).unwrap();
    for (row, label) in labels.label("label").unwrap().iter().enumerate() {
        let score = |l: usize| scores.get(row, l).unwrap();
        let best = model.classes.iter().position(|class| class == label).unwrap();
        assert!((0..3).all(|l| score(l) <= score(best)));
    }
}

#[test]
fn predictions_follow_the_equations_in_the_units_of_the_targets() {
    let (device, model) = (Device::cpu().unwrap(), regressor(200, 20));
    let fresh = numbers(50, 9);
    let predicted = model.predict(&fresh, &device).unwrap();
    assert_eq!(predicted.names(), ["y", "z"]);
    let (rules, scaled) = (rules_in_f64(model.network()), model.scaled(&fresh.samples(), 0..50).unwrap());
    for row in 0..50 {
        let x: Vec<f64> = scaled.inputs_of(row).iter().map(|x| f64::from(*x)).collect();
        let phi = firing(&rules.iter().map(|rule| ln_mu(rule, &x)).collect::<Vec<_>>());
        for (l, y) in outputs(&rules, &phi, 2).into_iter().enumerate() {
            let (offset, span) = (model.scale.target_offset[l], model.scale.target_span[l]);
            // Single precision in z, whose square is at most a few hundred where a rule fires.
            assert!((predicted.get(row, l).unwrap() - (offset + span * y)).abs() < 1e-4 * span);
        }
    }
}

#[test]
fn inputs_are_selected_by_name() {
    let (device, model) = (Device::cpu().unwrap(), regressor(120, 10));
    let table = numbers(20, 5);
    let (a, b) = (table.column("a").unwrap(), table.column("b").unwrap());
    let reordered: Vec<f32> = b.iter().zip(&a).flat_map(|(b, a)| [*b as f32, 77.0, *a as f32]).collect();
    let reordered = Table::new(["b", "other", "a"], reordered).unwrap();
    let reordered = reordered.with_labels(Labels::new("note", vec!["n"; 20])).unwrap();
    let (first, second) =
        (model.predict(&table, &device).unwrap(), model.predict(&reordered, &device).unwrap());
    for (first, second) in first.to_f64().iter().zip(second.to_f64().iter()) {
        // The second table has single precision: 0.25 at 4e6, and 5e-7 for a range of 8.
        assert!((first - second).abs() < 1e-4 * (1.0 + first.abs()), "{first} {second}");
    }
}

#[test]
fn unsuitable_tables_give_a_one_sentence_error() {
    let (device, model) = (Device::cpu().unwrap(), regressor(60, 6));
    let error_message = |table: &Table| model.predict(table, &device).unwrap_err().to_string();
    let narrow = Table::new(["a", "c"], vec![1.0, 2.0]).unwrap();
    assert_eq!(
        error_message(&narrow),
        "missing column `b`; available columns: `a`, `c`; the model needs all 2 input columns that it was trained on"
    );
    let text = Table::new(["a"], vec![1.0]).unwrap().with_labels(Labels::new("b", ["x"])).unwrap();
    assert_eq!(
        error_message(&text),
        "the input `b` contains text, but the model expects numbers; provide numeric values"
    );
    let missing = Table::new(["a", "b"], vec![1.0, 2e6, 2.0, f64::NAN]).unwrap();
    assert!(
        error_message(&missing)
            .starts_with("row 2, column `b` is missing (NaN), but every value must be finite;")
    );
}

#[test]
fn missing_values_are_accepted_by_a_model_that_drops_them() {
    let device = Device::cpu().unwrap();
    let sonfin =
        Sonfin::new().inputs(["a", "b"]).growth(Growth::Budget(8)).epochs(1).missing(MissingInputs::Drop);
    let model = sonfin.fit(&numbers(80, 4), &["y"], &device).unwrap();
    let some = Table::new(["a", "b"], vec![1.0, f64::NAN, 1.0, 2e6]).unwrap();
    let predicted = model.predict(&some, &device).unwrap().column("y").unwrap();
    assert!(predicted.iter().all(|y| y.is_finite()));
    let infinite = Table::new(["a", "b"], vec![1.0, f64::INFINITY]).unwrap();
    assert!(model.predict(&infinite, &device).unwrap_err().to_string().contains("is inf, but every value"));
}

#[test]
fn explanations_are_consistent_with_predictions() {
    let (device, model) = (Device::cpu().unwrap(), regressor(200, 20));
    let fresh = numbers(30, 8);
    let predicted = model.scores(&fresh, &device).unwrap();
    for row in 0..30 {
        let explanation = model.explain(&fresh, row).unwrap();
        for (l, y) in explanation.outputs.iter().enumerate() {
            assert!((y - predicted.get(row, l).unwrap()).abs() < 1e-4 * model.scale.target_span[l]);
        }
        let total: f64 = explanation.rules.iter().map(|fired| fired.firing_strength).sum();
        // Each of the 20 rules that is omitted has a firing strength below 0.001.
        assert!((0.98..=1.0 + 1e-12).contains(&total), "{total}");
        assert!(explanation.rules.windows(2).all(|pair| pair[0].firing_strength >= pair[1].firing_strength));
        assert_eq!((explanation.nearest.rule, &explanation.label), (explanation.rules[0].rule, &None));
        assert!(
            (explanation.input_fractions.iter().sum::<f64>() - 1.0).abs() < 1e-9
                && explanation.ln_membership < 0.0
        );
    }
    let message = model.explain(&fresh, 30).unwrap_err().to_string();
    assert_eq!(message, "sonfin: `row` is 30, but it must be below the number of rows");
}

#[test]
fn a_sample_at_a_center_is_explained_by_its_rule() {
    let model = classifier(90, 9);
    for prototype in model.rules() {
        let mut point = vec![0.0; 2];
        prototype.conditions.iter().for_each(|condition| point[condition.input] = condition.center);
        let explanation = model.explain(&Table::new(["u", "v"], point).unwrap(), 0).unwrap();
        // Scaling rounds the centers to single precision.
        assert!(explanation.nearest == prototype && explanation.ln_membership > -1e-6, "{explanation:?}");
    }
}

#[test]
fn rules_are_printed_as_text() {
    let model = classifier(90, 9);
    let rules = model.rules();
    assert_eq!(rules.len(), model.rule_count());
    for rule in &rules {
        assert!(rule.conditions[0].sharpness >= rule.conditions[1].sharpness);
        let (first, label) = (&model.inputs[rule.conditions[0].input], rule.label.as_ref().unwrap());
        let text = model.rule_text(rule, 1);
        assert!(text.starts_with(&format!("if {first} is about ")), "{text}");
        assert!(text.ends_with(&format!(" and 1 more then {label}")), "{text}");
        assert!(!model.rule_text(rule, 2).contains("more"));
    }
    let regression = regressor(60, 5);
    assert!(regression.rule_text(&regression.rules()[0], 2).contains(" then y = "));
}

#[test]
fn the_mean_firing_strength_is_averaged_over_the_training_rows() {
    let (table, model) = (classes(90, 2), classifier(90, 9));
    let rules = rules_in_f64(model.network());
    let mut expected = vec![0.0; rules.len()];
    for row in 0..table.rows() {
        let x = model.scaled(&table.samples(), row..row + 1).unwrap().x;
        let x: Vec<f64> = x.iter().map(|x| f64::from(*x)).collect();
        let phi = firing(&rules.iter().map(|rule| ln_mu(rule, &x)).collect::<Vec<f64>>());
        expected.iter_mut().zip(phi).for_each(|(sum, phi)| *sum += phi / 90.0);
    }
    for (rule, expected) in model.rules().iter().zip(&expected) {
        assert!((rule.mean_firing_strength.unwrap() - expected).abs() < 1e-5, "{rule:?} {expected}");
    }
    let (sorted, active) = model.rules_by_firing_strength();
    assert!(
        sorted.is_sorted_by(|a, b| a.mean_firing_strength >= b.mean_firing_strength)
            && active <= sorted.len()
    );
    let loaded = Model::from_json(&model.to_json().unwrap()).unwrap();
    assert_eq!(loaded.rules(), model.rules());
}

#[test]
fn idle_rules_are_last_and_all_rules_of_a_stream_are_active() {
    let (table, mut model) = (classes(90, 2), classifier(90, 9));
    let cpu = Device::cpu().unwrap();
    let before = model.rules_by_firing_strength();
    let mut network = model.network().clone();
    network.add(&[1e3, 1e3], &[0.0, 1.0, 0.0], 0.1);
    let samples = model.scaled(&table.samples(), 0..90).unwrap();
    (model.state.network, model.state.best) = (network.clone(), None);
    model.mean_firing_strengths =
        mean_firing_strengths(&network, &samples, &crate::device::Cpu::with_threads(1).unwrap());
    let after = model.rules_by_firing_strength();
    assert_eq!((after.0.len(), after.1), (before.0.len() + 1, before.1));
    assert_eq!(after.0.last().unwrap().rule, network.rules());
    model.partial_fit(&table, &cpu).unwrap();
    let (rules, active) = model.rules_by_firing_strength();
    assert!(active == rules.len() && rules.iter().all(|rule| rule.mean_firing_strength.is_none()));
}

#[test]
fn explanations_of_a_linear_classifier_contain_the_predicted_class() {
    let (table, device) = (classes(90, 5), Device::cpu().unwrap());
    let model = Sonfin::new().classify(Classify::OneHot).fit(&table, &["kind"], &device).unwrap();
    assert_eq!(model.rule_count(), 1, "a linear model is enough");
    let text = model.rule_text(&model.rules()[0], 2);
    assert!(text.starts_with("always the class with the largest of 007 = ") && text.contains("·u"), "{text}");
    let predicted = model.predict(&table, &device).unwrap();
    for (row, label) in predicted.label("label").unwrap().iter().enumerate() {
        let explanation = model.explain(&table, row).unwrap();
        assert_eq!(explanation.label.as_deref(), Some(label));
        assert_eq!(explanation.rules[0].label.as_deref(), Some(label));
    }
}
