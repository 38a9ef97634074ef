//! Training on streams: each sample once, in order.

use crate::Device;
use crate::data::{Labels, Table};
use crate::sonfin::tests::data::{part, spiral, waves};
use crate::sonfin::{Classify, Growth, Optimizer, Sonfin};
use proptest::prelude::*;

fn sonfin() -> Sonfin {
    Sonfin::new().classify(Classify::OneHot).growth(Growth::Gamma(0.7))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn training_in_parts_is_bit_identical_to_training_at_once(cut in 41usize..240) {
        let (table, device) = (spiral(240), Device::cpu().unwrap());
        let mut whole = sonfin().begin_stream(&part(&table, 0..40), &["kind"], &device).unwrap();
        let mut parts = whole.clone();
        let all = whole.partial_fit(&part(&table, 40..240), &device).unwrap();
        let first = parts.partial_fit(&part(&table, 40..cut), &device).unwrap();
        let second = parts.partial_fit(&part(&table, cut..240), &device).unwrap();
        prop_assert_eq!(&whole.state.network, &parts.state.network);
        prop_assert_eq!(all.added, first.added + second.added);
        prop_assert_eq!(all.samples, first.samples + second.samples);
    }
}

#[test]
fn the_error_decreases_along_a_stream() {
    let (table, device) = (spiral(2000), Device::cpu().unwrap());
    let mut model = sonfin().begin_stream(&part(&table, 0..50), &["kind"], &device).unwrap();
    let early = model.partial_fit(&part(&table, 50..250), &device).unwrap();
    model.partial_fit(&part(&table, 250..1800), &device).unwrap();
    let late = model.partial_fit(&part(&table, 1800..2000), &device).unwrap();
    assert!(late.error < 0.5 * early.error && late.error < 0.05, "{early:?} {late:?}");
    assert_eq!(model.report.rules, late.rules);
}

#[test]
fn a_stream_learns_classes_that_its_first_rows_do_not_contain() {
    let device = Device::cpu().unwrap();
    let rows = |x: Vec<f64>, kinds: &[&str]| {
        Table::new(["x"], x).unwrap().with_labels(Labels::new("kind", kinds)).unwrap()
    };
    let first = rows(vec![0.0, 0.5, 1.0], &["low", "low", "middle"]);
    let second = rows(vec![2.0, 0.0], &["high", "low"]);
    let classes = ["high", "low", "middle"];
    let mut model = sonfin().classes(classes).begin_stream(&first, &["kind"], &device).unwrap();
    assert_eq!(model.classes, classes);
    model.partial_fit(&second, &device).unwrap();
    let labels = model.predict(&rows(vec![2.0, 0.0], &["", ""]), &device).unwrap();
    assert_eq!(labels.label("label").unwrap().iter().collect::<Vec<_>>(), ["high", "low"]);
    let mut unknown = sonfin().begin_stream(&first, &["kind"], &device).unwrap();
    assert!(unknown.partial_fit(&second, &device).unwrap_err().to_string().contains("not in the model"));
    for invalid in [vec!["low"], vec!["low", "low", "middle"]] {
        assert!(sonfin().classes(invalid).begin_stream(&first, &["kind"], &device).is_err());
    }
}

#[test]
fn a_stream_respects_the_rule_budget() {
    let (table, device) = (spiral(600), Device::cpu().unwrap());
    let budget = sonfin().growth(Growth::Budget(20));
    let mut model = budget.begin_stream(&part(&table, 0..200), &["kind"], &device).unwrap();
    assert!((10..=20).contains(&model.report.rules), "{}", model.report.rules);
    assert!(model.partial_fit(&part(&table, 200..600), &device).unwrap().rules <= 20);
}

#[test]
fn a_fitted_model_continues_training_from_its_best_network() {
    let (table, device) = (waves(400), Device::cpu().unwrap());
    let sonfin = Sonfin::new().growth(Growth::Budget(40)).epochs(4).inputs(["a", "b"]);
    let mut model = sonfin.fit(&part(&table, 0..200), &["wave"], &device).unwrap();
    let before = model.error(&part(&table, 200..400), &device).unwrap();
    model.partial_fit(&part(&table, 200..400), &device).unwrap();
    let after = model.error(&part(&table, 200..400), &device).unwrap();
    assert!(after < before, "{after} {before}");
    assert!(model.state.best.is_none() && model.state.adam.is_none());
}

#[test]
fn an_unknown_class_is_rejected_and_changes_nothing() {
    let device = Device::cpu().unwrap();
    let mut model = sonfin().begin_stream(&spiral(60), &["kind"], &device).unwrap();
    let before = model.clone();
    let other =
        Table::new(["x", "y"], vec![0.0, 1000.0]).unwrap().with_labels(Labels::new("kind", ["up"])).unwrap();
    assert_eq!(
        model.partial_fit(&other, &device).unwrap_err().to_string(),
        "the class `kind` contains classes that are not in the model; fit again with all classes"
    );
    assert_eq!(model, before);
}

#[test]
fn streams_reject_batch_training() {
    let sonfin = sonfin().optimizer(Optimizer::Adam { batch: 8, rate: 0.01 });
    assert_eq!(
        sonfin.begin_stream(&spiral(60), &["kind"], &Device::cpu().unwrap()).unwrap_err().to_string(),
        "a stream cannot be combined with Adam, which needs several passes over the samples; leave out one of them"
    );
}

#[test]
fn the_reported_error_is_computed_before_training_on_the_samples() {
    // Random labels: counting samples after they became rules would classify most of them correctly.
    let device = Device::cpu().unwrap();
    let mut random = crate::random::Random::new(5);
    let rows = 600;
    let values: Vec<f64> = (0..2 * rows).map(|_| random.unit()).collect();
    let labels: Vec<&str> = (0..rows).map(|_| if random.unit() < 0.5 { "a" } else { "b" }).collect();
    let kind = Labels::new("kind", labels);
    let table = Table::new(["u", "v"], values).unwrap().with_labels(kind).unwrap();
    let narrow = sonfin().growth(Growth::Gamma(0.1));
    let mut model = narrow.begin_stream(&part(&table, 0..300), &["kind"], &device).unwrap();
    let report = model.partial_fit(&part(&table, 300..600), &device).unwrap();
    // Five standard deviations of 300 tosses of a fair coin.
    assert!((report.error - 0.5).abs() < 5.0 * 0.5 / 300f64.sqrt(), "{report:?}");
    assert!(report.added > 100, "{report:?}");
    assert!(model.error(&part(&table, 300..600), &device).unwrap() < 0.2);
}
