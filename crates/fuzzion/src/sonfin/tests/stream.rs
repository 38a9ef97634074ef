//! Streams: each sample once, in its order.

use super::generated::{part, spiral, waves};
use crate::Device;
use crate::data::{Labels, Table};
use crate::sonfin::{Classify, Growth, Optimizer, Sonfin};
use proptest::prelude::*;

fn sonfin() -> Sonfin<'static> {
    Sonfin::new().classify(Classify::OneHot).growth(Growth::Gamma(0.7))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn parts_of_a_stream_teach_the_same_bits_as_all_of_it(cut in 41usize..240) {
        let (table, device) = (spiral(240), Device::cpu().unwrap());
        let mut whole = sonfin().begin(&part(&table, 0..40), &["kind"], &device).unwrap();
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
fn a_stream_is_learned_better_and_better() {
    let (table, device) = (spiral(2000), Device::cpu().unwrap());
    let mut model = sonfin().begin(&part(&table, 0..50), &["kind"], &device).unwrap();
    let early = model.partial_fit(&part(&table, 50..250), &device).unwrap();
    model.partial_fit(&part(&table, 250..1800), &device).unwrap();
    let late = model.partial_fit(&part(&table, 1800..2000), &device).unwrap();
    assert!(late.error < 0.5 * early.error && late.error < 0.05, "{early:?} {late:?}");
    assert_eq!(model.report.rules, late.rules);
}

#[test]
fn a_budget_is_kept_by_a_stream() {
    let (table, device) = (spiral(600), Device::cpu().unwrap());
    let budget = sonfin().growth(Growth::Budget(20));
    let mut model = budget.begin(&part(&table, 0..200), &["kind"], &device).unwrap();
    assert!((10..=20).contains(&model.report.rules), "{}", model.report.rules);
    assert!(model.partial_fit(&part(&table, 200..600), &device).unwrap().rules <= 20);
}

#[test]
fn a_fitted_model_goes_on_learning_from_what_it_kept() {
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
fn a_class_that_was_not_learned_is_refused_and_nothing_changes() {
    let device = Device::cpu().unwrap();
    let mut model = sonfin().begin(&spiral(60), &["kind"], &device).unwrap();
    let before = model.clone();
    let other =
        Table::new(["x", "y"], vec![0.0, 1000.0]).unwrap().with_labels(Labels::new("kind", ["up"])).unwrap();
    assert_eq!(
        model.partial_fit(&other, &device).unwrap_err().to_string(),
        "the class `kind` holds classes that were not learned; fit anew with all classes"
    );
    assert_eq!(model, before);
}

#[test]
fn a_stream_cannot_be_learned_in_batches() {
    let sonfin = sonfin().optimizer(Optimizer::Adam { batch: 8, rate: 0.01 });
    assert_eq!(
        sonfin.begin(&spiral(60), &["kind"], &Device::cpu().unwrap()).unwrap_err().to_string(),
        "a stream cannot be combined with Adam, which sees samples again and again; leave out one of them"
    );
}

#[test]
fn the_error_of_a_stream_is_that_of_samples_not_yet_learned() {
    // Labels that nothing tells: whoever counts samples after they became rules thinks most of them right.
    let device = Device::cpu().unwrap();
    let mut random = crate::random::Random::new(5);
    let rows = 600;
    let values: Vec<f64> = (0..2 * rows).map(|_| random.unit()).collect();
    let labels: Vec<&str> = (0..rows).map(|_| if random.unit() < 0.5 { "a" } else { "b" }).collect();
    let kind = Labels::new("kind", labels);
    let table = Table::new(["u", "v"], values).unwrap().with_labels(kind).unwrap();
    let narrow = sonfin().growth(Growth::Gamma(0.1));
    let mut model = narrow.begin(&part(&table, 0..300), &["kind"], &device).unwrap();
    let told = model.partial_fit(&part(&table, 300..600), &device).unwrap();
    // Five standard deviations of a fair coin thrown 300 times.
    assert!((told.error - 0.5).abs() < 5.0 * 0.5 / 300f64.sqrt(), "{told:?}");
    assert!(told.added > 100, "{told:?}");
    assert!(model.error(&part(&table, 300..600), &device).unwrap() < 0.2);
}
