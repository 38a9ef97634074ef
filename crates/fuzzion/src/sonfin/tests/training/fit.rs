//! Properties of every fit, independent of the settings.

use crate::Device;
use crate::data::Table;
use crate::device::Cpu;
use crate::sonfin::tests::data::{part, spiral, waves, with_column};
use crate::sonfin::{Classify, Growth, MissingInputs, Model, Optimizer, Sonfin, SonfinWarning};
use proptest::prelude::*;

fn classifier() -> Sonfin {
    Sonfin::new().classify(Classify::OneHot).growth(Growth::Budget(40)).epochs(12)
}

fn fit(sonfin: &Sonfin, table: &Table, targets: &[&str]) -> Model {
    sonfin.fit(table, targets, &Device::cpu().unwrap()).unwrap()
}

#[test]
fn every_training_method_learns_a_spiral() {
    let table = spiral(600);
    let (train, test) = (part(&table, 0..400), part(&table, 400..600));
    let adam = Optimizer::Adam { batch: 16, rate: 0.02 };
    let settings_list = [
        classifier(),
        classifier().growth(Growth::Gamma(0.7)),
        classifier().growth(Growth::Threshold { threshold: 0.2, decay: 0.8 }),
        classifier().classify(Classify::CrossEntropy),
        classifier().optimizer(adam),
        classifier().optimizer(adam).classify(Classify::CrossEntropy),
        classifier().optimizer(adam).classify(Classify::CrossEntropy).gates(true),
        classifier().optimizer(Optimizer::Thesis(1e-3)),
    ];
    for settings in settings_list {
        let error = fit(&settings, &train, &["kind"]).error(&test, &Device::cpu().unwrap()).unwrap();
        // The classes are balanced, and the distance between the arms is at least five times the range of the noise.
        assert!(error <= 0.03, "{error} {settings:?}");
    }
}

#[test]
fn targets_in_different_units_are_learned_together() {
    let (table, device) = (waves(800), Device::cpu().unwrap());
    let (train, test) = (part(&table, 0..600), part(&table, 600..800));
    for optimizer in [Optimizer::Online, Optimizer::Adam { batch: 16, rate: 0.02 }] {
        let sonfin =
            Sonfin::new().growth(Growth::Budget(120)).epochs(20).optimizer(optimizer).inputs(["a", "b"]);
        let single_target = fit(&sonfin, &train, &["wave"]).error(&test, &device).unwrap();
        // The wave ranges from -1 to 5 and has a standard deviation of 1.4.
        assert!(single_target < 0.25, "{single_target} {optimizer:?}");
        let both = fit(&sonfin, &train, &["wave", "product"]).error(&test, &device).unwrap();
        // The product has a standard deviation of 650 and dominates the root mean square error.
        assert!(both < 100.0, "{both} {optimizer:?}");
    }
}

#[test]
fn the_report_contains_the_history_and_the_best_epoch() {
    let model = fit(&classifier().validation(0.25), &spiral(200), &["kind"]);
    let report = &model.report;
    assert_eq!((report.epochs, report.history.len()), (12, 12));
    assert_eq!(report.rules, model.state.result_network().rules());
    assert_eq!((report.device.as_str(), model.classes.len()), ("cpu", 2));
    let min_error = report.history.iter().map(|point| point.validation_error.unwrap()).fold(1.0, f64::min);
    assert_eq!(report.validation_error, Some(min_error), "the best epoch is kept");
    assert_eq!(report.history[report.best_epoch - 1].validation_error, Some(min_error));
    assert!(report.seconds > 0.0 && report.us_per_sample > 0.0 && report.trials.is_empty());
}

#[test]
fn the_training_error_belongs_to_the_selected_network() {
    let table = spiral(200);
    let model = fit(&classifier(), &table, &["kind"]);
    assert_eq!(model.report.train_error, model.error(&table, &Device::cpu().unwrap()).unwrap());
}

#[test]
fn constant_columns_are_ignored_with_a_warning() {
    let table = spiral(150);
    let plain = fit(&classifier(), &table, &["kind"]);
    let wider = fit(&classifier(), &with_column(&table, "same", |_| 7.5), &["kind"]);
    assert_eq!(wider.inputs, ["x", "y"]);
    assert_eq!(wider.state.network, plain.state.network);
    assert_eq!(wider.report.warnings, [SonfinWarning::Constant(vec!["same".into()])]);
    assert_eq!(wider.report.warnings[0].to_string(), "`same` has the same value in every row and is ignored");
}

#[test]
fn training_tolerates_missing_inputs() {
    let table = spiral(400);
    let with_missing =
        with_column(&table, "noise", |row| if row % 3 == 0 { f64::NAN } else { (row % 7) as f64 });
    for optimizer in [Optimizer::Online, Optimizer::Adam { batch: 16, rate: 0.02 }] {
        let sonfin =
            classifier().growth(Growth::Budget(120)).missing(MissingInputs::Drop).optimizer(optimizer);
        let model = fit(&sonfin, &with_missing, &["kind"]);
        assert!(model.state.network.a.iter().chain(&model.state.network.c).all(|x| x.is_finite()));
        assert!(model.report.train_error < 0.2, "{optimizer:?} {}", model.report.train_error);
    }
}

#[test]
fn an_outlier_does_not_compress_the_other_values() {
    let table = spiral(400);
    let values: Vec<f64> = (0..400)
        .flat_map(|row| {
            let x = if row == 17 { 1e6 } else { table.get(row, 0).unwrap() };
            [x, table.get(row, 1).unwrap()]
        })
        .collect();
    let with_outlier =
        Table::new(["x", "y"], values).unwrap().with_labels(table.label("kind").unwrap().clone()).unwrap();
    let model = fit(&classifier(), &with_outlier, &["kind"]);
    // With one outlier among 400 values, six standard deviations are 0.3 times the outlier.
    assert!(model.scale.span[0] < 4e5, "{}", model.scale.span[0]);
    assert!(model.report.train_error < 0.5);
}

#[test]
fn results_depend_on_the_seed_but_not_on_the_number_of_threads() {
    let table = spiral(150);
    let network = |threads: usize, seed: u64| {
        let device = Device::from(Cpu::with_threads(threads).unwrap());
        classifier().seed(seed).epochs(2).fit(&table, &["kind"], &device).unwrap().state.network
    };
    assert_eq!(network(1, 4), network(3, 4));
    assert_ne!(network(1, 4), network(1, 5));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn results_do_not_depend_on_the_units(power in -20i32..20) {
        let table = spiral(80);
        let unit = 2f64.powi(power); // exact, so that the scaled inputs are bit-identical
        let values = (0..80).flat_map(|row| [table.get(row, 0).unwrap() * unit, table.get(row, 1).unwrap()]).collect::<Vec<f64>>();
        let other = Table::new(["x", "y"], values).unwrap().with_labels(table.label("kind").unwrap().clone()).unwrap();
        let sonfin = classifier().epochs(2);
        prop_assert_eq!(&fit(&sonfin, &table, &["kind"]).state.network, &fit(&sonfin, &other, &["kind"]).state.network);
    }
}

#[test]
fn training_works_with_very_few_rows() {
    let device = Device::cpu().unwrap();
    for rows in [2, 3, 5] {
        let table = spiral(rows);
        for optimizer in [Optimizer::Online, Optimizer::Adam { batch: 16, rate: 0.02 }] {
            let model = classifier().optimizer(optimizer).fit(&table, &["kind"], &device).unwrap();
            assert!(model.report.rules >= 1 && model.report.train_error <= 0.6, "{rows} {optimizer:?}");
        }
    }
}

#[test]
fn scaling_by_the_number_of_inputs_widens_rules() {
    let table = spiral(100);
    let narrow = fit(&classifier().epochs(1), &table, &["kind"]);
    let wide = fit(&classifier().epochs(1).dim_scale(true), &table, &["kind"]);
    // Before any update, the first rule is √2 times as wide.
    assert!((wide.state.first_width / narrow.state.first_width - 2f32.sqrt()).abs() < 1e-6);
}

#[test]
fn reaching_the_rule_limit_causes_a_warning() {
    let model =
        fit(&classifier().growth(Growth::Gamma(0.4)).max_rules(20).epochs(1), &spiral(200), &["kind"]);
    assert_eq!(model.report.warnings, [SonfinWarning::RuleLimit(20)]);
    assert_eq!(
        model.report.warnings[0].to_string(),
        "the limit of 20 rules was reached, so some samples may not be covered; increase the maximum number of rules or \
         gamma, or lower the threshold"
    );
    assert!(fit(&classifier().epochs(1), &spiral(200), &["kind"]).report.warnings.is_empty());
}

#[test]
fn errors_of_several_targets_do_not_depend_on_their_units() {
    let (table, device) = (waves(120), Device::cpu().unwrap());
    let names: Vec<String> = table.names().to_vec();
    let target = names.last().unwrap().clone();
    let with = |unit: f64| {
        let values = table.column(&target).unwrap();
        with_column(&table, "other", |row| unit * values[row] * values[row])
    };
    let fit = |unit: f64| {
        let sonfin = Sonfin::new().growth(Growth::Budget(20)).epochs(3);
        sonfin.fit(&with(unit), &[&target, "other"], &device).unwrap().report
    };
    let (one, other) = (fit(1.0), fit(1e9));
    assert!((one.train_error - other.train_error).abs() < 1e-3 * one.train_error);
    // The running error of an epoch has the same unit.
    let last = one.history.last().unwrap().train_error;
    assert!(last < 10.0 * one.train_error && last > 0.1 * one.train_error, "{last} {}", one.train_error);
}

#[test]
fn extreme_inputs_are_clamped_and_still_have_a_nearest_rule() {
    let device = Device::cpu().unwrap();
    let rows = Table::new(["x", "y"], vec![0.0, 0.0, 1.0, 1.0, 2.0, 4.0, 3.0, 9.0]).unwrap();
    let model = Sonfin::new().growth(Growth::Budget(4)).epochs(1).fit(&rows, &["y"], &device).unwrap();
    let far = |x: f64| {
        model.predict(&Table::new(["x"], vec![x]).unwrap(), &device).unwrap().column("y").unwrap()[0]
    };
    assert_eq!(far(1e14), far(1e300));
}
