//! Networks that choose their number of rules.

use crate::data::{Labels, Table};
use crate::device::Device;
use crate::inference::Dialect;
use crate::random::Random;
use crate::sonfin::tests::data::{part, spiral, waves};
use crate::sonfin::{Classify, Growth, MissingInputs, Model, Sonfin, SonfinError};
use std::ops::ControlFlow;

/// Settings that limit the time of a test.
fn short() -> Sonfin {
    Sonfin::new().epochs(6).max_rules(8)
}

/// y = 2·a − b.
fn plane(rows: usize) -> Table {
    let mut random = Random::new(1);
    let row = |_| {
        let (a, b) = (random.between(0.0, 1.0), random.between(-5.0, 5.0));
        [a, b, 2.0 * a - b]
    };
    Table::new(["a", "b", "y"], (0..rows).flat_map(row).collect::<Vec<f64>>()).unwrap()
}

fn without_time(model: &Model) -> Model {
    let mut model = model.clone();
    (model.report.seconds, model.report.us_per_sample, model.state.seconds) = (0.0, 0.0, 0.0);
    model
}

#[test]
fn a_linear_function_has_one_rule_and_no_error() {
    let (table, device) = (plane(500), Device::cpu().unwrap());
    let model = short().fit(&part(&table, 0..400), &["y"], &device).unwrap();
    assert_eq!((model.report.rules, model.report.epochs, model.report.history.len()), (1, 1, 1));
    assert!(model.error(&part(&table, 400..500), &device).unwrap() < 1e-5);
    assert!(model.report.train_error < 1e-5);
    let slopes = model.slopes().unwrap();
    assert!((slopes[0][0] - 2.0).abs() < 1e-5 && (slopes[0][1] + 1.0).abs() < 1e-5);
    assert_eq!(model.rule_text(&model.rules()[0], 4), "always y = -1·b + 2·a + 0");
}

#[test]
fn rules_are_added_where_a_linear_model_is_not_enough() {
    let (table, device) = (waves(260), Device::cpu().unwrap());
    let train = part(&table, 0..160);
    let sonfin = short().inputs(["a", "b"]);
    let model = sonfin.fit(&train, &["wave", "product"], &device).unwrap();
    let trials = &model.report.trials;
    let chosen: Vec<_> = trials.iter().filter(|trial| trial.chosen).collect();
    assert!(chosen.len() == 1 && chosen[0].error < 0.7 * trials[0].error, "{trials:?}");
    assert!((2..=8).contains(&model.report.rules));
    // About as accurate as on the held-out rows.
    assert!(model.error(&part(&table, 160..260), &device).unwrap() < 1.3 * chosen[0].error);
    assert_eq!(
        without_time(&sonfin.fit(&train, &["wave", "product"], &device).unwrap()),
        without_time(&model)
    );
    for rule in model.rules() {
        for condition in &rule.conditions {
            let column = train.column(&model.inputs[condition.input]).unwrap();
            let low = column.iter().copied().fold(f64::INFINITY, f64::min);
            let high = column.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            assert!((low - 1e-6..=high + 1e-6).contains(&condition.center), "{condition:?}");
            assert!(condition.deviation <= 1.1 * (high - low), "{condition:?}");
        }
    }
}

#[test]
fn saved_explained_and_exported_models_compute_the_same_outputs() {
    let device = Device::cpu().unwrap();
    let spirals = spiral(80);
    let models = [
        (waves(80), short().inputs(["a", "b"]).fit(&waves(80), &["wave", "product"], &device).unwrap()),
        (plane(40), short().fit(&plane(40), &["y"], &device).unwrap()),
        (spirals.clone(), short().classify(Classify::OneHot).fit(&spirals, &["kind"], &device).unwrap()),
    ];
    for (table, model) in models {
        let scores = model.scores(&table, &device).unwrap();
        let text = model.to_json().unwrap();
        assert!(text.contains("\"version\":2"));
        let loaded = Model::from_json(&text).unwrap();
        assert_eq!(loaded, without_time(&model));
        assert_eq!(loaded.scores(&table, &device).unwrap(), scores);
        let system = model.to_system().unwrap();
        for row in 0..20 {
            let explained = model.explain(&table, row).unwrap().outputs;
            let x: Vec<f64> = model.inputs.iter().map(|input| table.column(input).unwrap()[row]).collect();
            let inferred = system.infer_row(&x, Dialect::default()).unwrap().outputs;
            for (l, explained) in explained.iter().enumerate() {
                let score = scores.get(row, l).unwrap();
                let tolerance = 1e-4 * model.scale.target_span[l].max(1.0);
                assert!((score - explained).abs() < tolerance, "{score} {explained}");
                assert!((score - inferred[l]).abs() < tolerance, "{score} {}", inferred[l]);
            }
        }
    }
}

#[test]
fn classes_that_a_plane_separates_have_one_rule_and_others_more() {
    let (device, sonfin) = (Device::cpu().unwrap(), short().classify(Classify::OneHot));
    let kinds = plane(120).column("y").unwrap().into_iter().map(|y| if y > 0.5 { "above" } else { "below" });
    let table = plane(120).with_labels(Labels::new("kind", kinds)).unwrap();
    let model = sonfin.clone().inputs(["a", "b"]).fit(&table, &["kind"], &device).unwrap();
    assert!(model.report.rules == 1 && model.report.train_error <= 0.03, "{:?}", model.report);
    let spirals = spiral(300);
    let model = sonfin.epochs(20).max_rules(16).fit(&part(&spirals, 0..200), &["kind"], &device).unwrap();
    assert!(model.report.rules > 2);
    assert!(model.error(&part(&spirals, 200..300), &device).unwrap() <= 0.1);
}

#[test]
fn numeric_models_can_be_trained_further_and_classifiers_cannot() {
    let (device, table) = (Device::cpu().unwrap(), waves(60));
    let mut model = short().inputs(["a", "b"]).fit(&table, &["wave"], &device).unwrap();
    let before = model.error(&table, &device).unwrap();
    let report = model.partial_fit(&table, &device).unwrap();
    assert!((report.error - before).abs() < 1e-9 && report.samples == 60);
    assert!(model.error(&table, &device).unwrap() < 2.0 * before);
    let (spirals, sonfin) = (spiral(40), short().classify(Classify::OneHot));
    let mut model = sonfin.fit(&spirals, &["kind"], &device).unwrap();
    assert_eq!(
        model.partial_fit(&spirals, &device).unwrap_err().to_string(),
        "training on more rows cannot be combined with a classifier that has chosen its number of rules (fit it with a given \
         number of rules); leave out one of them"
    );
}

#[test]
fn given_settings_of_rules_and_training_disable_the_search() {
    let (table, device) = (waves(40), Device::cpu().unwrap());
    for sonfin in [short().rate_w(0.2), short().beta(0.6), short().validation(0.2)] {
        let sonfin = sonfin.inputs(["a", "b"]);
        let fitted = sonfin.fit(&table, &["wave"], &device).unwrap();
        let expected = sonfin.growth(Growth::Budget(256)).fit(&table, &["wave"], &device).unwrap();
        assert_eq!(without_time(&fitted), without_time(&expected));
        assert!(fitted.linear.is_none() && fitted.to_json().unwrap().contains("\"version\":1"));
    }
}

#[test]
fn few_rows_and_missing_inputs_are_supported() {
    let device = Device::cpu().unwrap();
    for rows in [2, 7, 11] {
        let model = short().inputs(["a", "b"]).fit(&waves(rows), &["wave"], &device).unwrap();
        assert!(model.report.train_error.is_finite());
        let model = short().classify(Classify::OneHot).fit(&spiral(rows), &["kind"], &device).unwrap();
        assert!(model.report.train_error <= 0.6);
    }
    let mut values = plane(60).into_f64();
    values[3] = f64::NAN;
    let table = Table::new(["a", "b", "y"], values).unwrap();
    let model = short().missing(MissingInputs::Drop).fit(&table, &["y"], &device).unwrap();
    let predicted = model.predict(&table, &device).unwrap().column("y").unwrap();
    assert!(predicted.iter().all(|y| y.is_finite()));
}

#[test]
fn tables_with_many_inputs_compare_the_search_with_logistic_regression() {
    let (device, mut random) = (Device::cpu().unwrap(), Random::new(9));
    let (mut values, mut kinds) = (Vec::new(), Vec::new());
    for _ in 0..60 {
        let row: Vec<f64> = (0..101).map(|_| random.between(-1.0, 1.0)).collect();
        kinds.push(if row[..3].iter().sum::<f64>() > 0.0 { "yes" } else { "no" });
        values.extend(row);
    }
    let names: Vec<String> = (0..101).map(|j| format!("x{j}")).collect();
    let table = Table::new(names, values).unwrap().with_labels(Labels::new("kind", kinds)).unwrap();
    let sonfin = Sonfin::new().epochs(1).max_rules(4).classify(Classify::OneHot);
    let model = sonfin.fit(&table, &["kind"], &device).unwrap();
    let (last, others) = model.report.trials.split_last().unwrap();
    assert!(last.linear && others.iter().all(|trial| !trial.linear));
    assert_eq!(model.report.trials.iter().filter(|trial| trial.chosen).count(), 1);
    assert_eq!(model.linear.is_some(), last.chosen);
    assert_eq!(last.chosen, others.iter().all(|trial| trial.error > last.error));
}

#[test]
fn the_choice_can_be_interrupted() {
    let device = Device::cpu().unwrap().with_progress(|_, _| ControlFlow::Break(()));
    let outcome = short().inputs(["a", "b"]).fit(&waves(50), &["wave"], &device);
    assert!(matches!(outcome, Err(SonfinError::Interrupted)));
}
