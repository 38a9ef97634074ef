//! Invalid settings and data give one-sentence errors.

use crate::Device;
use crate::data::{Labels, Table};
use crate::sonfin::tests::data::{spiral, waves, with_column};
use crate::sonfin::{Classify, Growth, Optimizer, Sonfin};

fn error_message(sonfin: &Sonfin, table: &Table, targets: &[&str]) -> String {
    sonfin.fit(table, targets, &Device::cpu().unwrap()).unwrap_err().to_string()
}

#[test]
fn settings_out_of_range_are_rejected() {
    let new = Sonfin::new;
    let adam = |batch, rate| Optimizer::Adam { batch, rate };
    let threshold = |threshold, decay| Growth::Threshold { threshold, decay };
    let cases = [
        (new().epochs(0), "`epochs` is 0, but it must be at least 1"),
        (new().beta(0.0), "`beta` is 0, but it must be above 0"),
        (new().max_rules(0), "`max_rules` is 0, but it must be from 1 to 65,536"),
        (new().growth(Growth::Budget(0)), "`rules` is 0, but it must be from 1 to 65,536"),
        (new().growth(Growth::Gamma(-1.0)), "`gamma` is -1, but it must be above 0 and below 1"),
        (new().growth(threshold(1.0, 1.0)), "`threshold` is 1, but it must be above 0 and below 1"),
        (new().growth(threshold(0.5, 1.5)), "`threshold_decay` is 1.5, but it must be above 0 and at most 1"),
        (new().rate_w(-0.1), "`rate_w` is -0.1, but it must be from 0 to 100"),
        (new().rate_m(f64::NAN), "`rate_m` is NaN, but it must be from 0 to 100"),
        (new().rate_s(1e9), "`rate_s` is 1000000000, but it must be from 0 to 100"),
        (new().rate_decay(0.0), "`rate_decay` is 0, but it must be above 0 and at most 1"),
        (new().optimizer(adam(0, 0.1)), "`batch` is 0, but it must be at least 1"),
        (new().optimizer(adam(8, 0.0)), "`rate` is 0, but it must be above 0"),
        (new().optimizer(Optimizer::Thesis(-1.0)), "`rate` is -1, but it must be above 0"),
        (new().validation(0.95), "`validation` is 0.95, but it must be a fraction from 0 to 0.9"),
    ];
    for (sonfin, message) in cases {
        assert_eq!(error_message(&sonfin, &waves(10), &["wave"]), format!("sonfin: {message}"));
    }
}

#[test]
fn gates_require_adam() {
    assert_eq!(
        error_message(&Sonfin::new().gates(true), &waves(10), &["wave"]),
        "gates cannot be combined with online learning (gates require Adam); leave out one of them"
    );
}

#[test]
fn unsuitable_tables_are_rejected() {
    let classes = Sonfin::new().classify(Classify::OneHot);
    let numbers = Sonfin::new();
    let empty = Table::new(["a", "y"], Vec::<f64>::new()).unwrap();
    assert_eq!(error_message(&numbers, &empty, &["y"]), "sonfin: `rows` is 0, but it must be at least 1");
    assert!(
        error_message(&numbers, &waves(10), &["nothing"])
            .starts_with("missing column `nothing`; available columns: `a`")
    );
    let one = spiral(10).with_labels(Labels::new("one", ["a"; 10])).unwrap();
    assert_eq!(
        error_message(&classes.clone().inputs(["x", "y"]), &one, &["one"]),
        "the class column `one` has 1 distinct value, but a classifier needs 2 to 1024 classes; use another column"
    );
    assert_eq!(
        error_message(
            &numbers,
            &with_column(&waves(10), "bad", |row| if row == 3 { f64::NAN } else { 1.0 * row as f64 }),
            &["wave"]
        ),
        "row 4, column `bad` is missing (NaN), but every value must be finite; fill in or drop missing values, or drop the column"
    );
    assert_eq!(
        error_message(&numbers, &spiral(10), &["x"]),
        "the column `kind` contains text, but training requires numbers; leave the column out, or use it as the class"
    );
    let flat = with_column(&waves(10), "flat", |_| 1.0);
    assert_eq!(
        error_message(&numbers, &flat, &["flat"]),
        "the target `flat` has the same value in every row; choose another target"
    );
    assert_eq!(
        error_message(&numbers.clone().inputs(["flat"]), &flat, &["wave"]),
        "the input `flat` has the same value in every row, and no other input varies; provide at least one input that varies"
    );
    assert_eq!(
        error_message(&numbers, &waves(10), &[]),
        "sonfin: `targets` is 0, but it must be at least 1 column"
    );
    assert_eq!(
        error_message(&classes, &waves(10), &["a", "b"]),
        "sonfin: `targets` is 2, but it must be 1 column for classification"
    );
}

#[test]
fn sample_weights_are_rejected_by_training_and_ignored_by_predictions() {
    let (device, table) = (Device::cpu().unwrap(), waves(10));
    let weighted = || table.samples().with_weights(&[1.0; 10]).unwrap();
    let mut model = Sonfin::new().epochs(1).fit(&table, &["wave"], &device).unwrap();
    for error in [
        Sonfin::new().fit(weighted(), &["wave"], &device).unwrap_err(),
        Sonfin::new().begin_stream(weighted(), &["wave"], &device).unwrap_err(),
        model.partial_fit(weighted(), &device).unwrap_err(),
        model.error(weighted(), &device).unwrap_err(),
    ] {
        assert_eq!(
            error.to_string(),
            "sample weights cannot be combined with a self-constructing network; leave out one of them"
        );
    }
    assert_eq!(model.predict(weighted(), &device).unwrap(), model.predict(&table, &device).unwrap());
}

#[test]
fn options_parse_from_their_display_form() {
    let threshold = Growth::Threshold { threshold: 0.5, decay: 0.95 };
    for growth in [Growth::Auto, Growth::Budget(40), Growth::Gamma(0.4), threshold] {
        assert_eq!(growth.to_string().parse(), Ok(growth));
    }
    for optimizer in [Optimizer::Online, Optimizer::Thesis(0.1), Optimizer::Adam { batch: 8, rate: 1e-3 }] {
        assert_eq!(optimizer.to_string().parse(), Ok(optimizer));
    }
    assert_eq!(
        "adam:x:1".parse::<Optimizer>().unwrap_err().to_string(),
        "unknown optimizer `adam:x:1`; expected online, thesis, thesis:RATE, adam or adam:BATCH:RATE"
    );
    assert!("budget:3".parse::<Growth>().is_err() && "gamma".parse::<Growth>().is_err());
}

#[test]
fn omitted_settings_have_their_defaults() {
    let sonfin: Sonfin = serde_json::from_str(r#"{ "epochs": 5 }"#).unwrap();
    assert_eq!(sonfin, Sonfin::new().epochs(5));
}
