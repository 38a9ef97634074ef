//! Rejected settings and data, with their error messages.

use crate::Device;
use crate::data::{Labels, Table};
use crate::tuning::{Classify, Form, InitialRules, TrainingMethod, Tuner, TuningError};

/// Two inputs and a target, none of them constant or missing.
fn table() -> Table {
    let row = |i: u32| [f64::from(i), f64::from(i * i % 7), f64::from(i % 5)];
    Table::new(["a", "b", "y"], (0..30).flat_map(row).collect::<Vec<f64>>()).unwrap()
}

fn message(tuner: &Tuner, table: &Table, targets: &[&str]) -> String {
    tuner.fit(table, targets, &Device::cpu().unwrap()).unwrap_err().to_string()
}

/// The table with column `column` replaced.
fn with(column: usize, value: impl Fn(usize) -> f64) -> Table {
    let mut values = table().into_f64();
    (0..30).for_each(|row| values[3 * row + column] = value(row));
    Table::new(["a", "b", "y"], values).unwrap()
}

#[test]
fn invalid_columns_are_rejected_by_name() {
    let tuner = Tuner::grid(&[2]).order(0);
    let cases = [
        (
            message(&tuner.clone().inputs(["a", "y"]), &table(), &["y"]),
            "the target `y` is also an input; remove it from the inputs",
        ),
        (message(&tuner, &table(), &["z"]), "missing column `z`; available columns: `a`, `b`, `y`"),
        (
            message(&tuner.clone().inputs(["a", "c"]), &table(), &["y"]),
            "missing column `c`; available columns: `a`, `b`, `y`",
        ),
        (
            message(&tuner.clone().inputs(["a", "a"]), &table(), &["y"]),
            "the input `a` is listed twice; list it once",
        ),
        (message(&tuner, &table(), &["y", "y"]), "the target `y` is listed twice; list it once"),
        (message(&tuner, &table(), &[]), "tuning: `targets` is 0, but it must be at least 1 column"),
        (
            message(&tuner, &Table::new(["a", "y"], Vec::<f64>::new()).unwrap(), &["y"]),
            "tuning: `rows` is 0, but it must be at least 2",
        ),
        (
            message(&tuner, &table().select(["y"]).unwrap(), &["y"]),
            "the target `y` is the only column of numbers; add at least one input column",
        ),
        (
            message(&tuner.clone().inputs(["a", "b"]), &with(1, |_| 3.0), &["y"]),
            "the input `b` has the same value in every row; remove it from the inputs",
        ),
        (
            message(&tuner, &with(2, |_| 3.0), &["y"]),
            "the target `y` has the same value in every row; choose another target",
        ),
        (
            message(&tuner, &with(0, |row| 1e300 * row as f64), &["y"]),
            "the input `a` has a range outside 1e-140 to 1e140; convert it to another unit",
        ),
    ];
    for (found, expected) in cases {
        assert_eq!(found, expected);
    }
}

#[test]
fn non_finite_values_are_reported_with_row_and_column() {
    let tuner = Tuner::grid(&[2]).order(0);
    let bad_value = |value: f64| move |row: usize| if row == 4 { value } else { row as f64 };
    let advice = |values: &str| {
        format!("but every value must be finite; fill in or drop {values} values, or drop the column")
    };
    assert_eq!(
        message(&tuner, &with(1, bad_value(f64::NAN)), &["y"]),
        format!("row 5, column `b` is missing (NaN), {}", advice("missing"))
    );
    assert_eq!(
        message(&tuner, &with(2, bad_value(f64::INFINITY)), &["y"]),
        format!("row 5, column `y` is inf, {}", advice("infinite"))
    );
}

#[test]
fn text_targets_and_text_inputs_with_other_than_2_to_20_values_are_rejected() {
    let text = table().with_labels(Labels::new("kind", vec!["x"; 30])).unwrap();
    let tuner = Tuner::grid(&[2]).order(0);
    let sentence =
        "the input `kind` is text with fewer than 2 or more than 20 different values; leave the column out";
    assert_eq!(message(&tuner, &text, &["y"]), sentence);
    assert_eq!(message(&tuner.clone().inputs(["a", "kind"]), &text, &["y"]), sentence);
    let names = table().with_labels(Labels::new("kind", (0..30).map(|i| i.to_string()))).unwrap();
    assert_eq!(message(&tuner, &names, &["y"]), sentence);
    let target = "the target `kind` contains text, but training requires numbers; leave the column out, or use it as the class";
    assert_eq!(message(&tuner, &text, &["kind"]), target);
}

#[test]
fn unsupported_sizes_are_rejected_with_their_values() {
    let wide = Table::unnamed(11, (0..220).map(|i| f64::from(i * i % 37)).collect::<Vec<f64>>()).unwrap();
    let cases = [
        (
            message(&Tuner::grid(&[20]).order(0), &wide, &["c11"]),
            "10240000000000 rules with 1 coefficient each exceed the limit of 16384 coefficients; use fewer sets or rules, or a lower order",
        ),
        (
            message(&Tuner::grid(&[3]), &wide, &["c11"]),
            "59049 rules with 11 coefficients each exceed the limit of 16384 coefficients; use fewer sets or rules, or a lower order",
        ),
        (
            message(&Tuner::grid(&[5, 7]), &table(), &["y"]),
            "30 training rows are too few for 105 coefficients per target; use fewer sets or a lower order, or \
             set a ridge of at least 1e-6",
        ),
        (
            message(&Tuner::grid(&[2, 0]), &table(), &["y"]),
            "tuning: `sets` is 0, but it must be at least 1 for every input",
        ),
        (
            message(&Tuner::grid(&[2, 2, 2]), &table(), &["y"]),
            "3 set counts were given for 2 inputs; give one per input, or one for all",
        ),
        (
            message(&Tuner::grid(&[]), &table(), &["y"]),
            "0 set counts were given for 2 inputs; give one per input, or one for all",
        ),
        (
            message(&Tuner::new(InitialRules::FuzzyCMeans(0)), &table(), &["y"]),
            "tuning: `rules` is 0, but it must be at least 1",
        ),
        (
            message(&Tuner::new(InitialRules::Subtractive(1.5)), &table(), &["y"]),
            "subtractive clustering: `radius` is 1.5, but it must be above 0 and at most 1 (a fraction of the input ranges)",
        ),
    ];
    for (found, expected) in cases {
        assert_eq!(found, expected);
    }
}

#[test]
fn a_ridge_allows_fewer_rows_than_consequents() {
    let tuner = Tuner::grid(&[5, 7]).ridge(1e-6).iterations(2);
    let report = tuner.fit(&table(), &["y"], &Device::cpu().unwrap()).unwrap().report;
    assert!(report.rmse.is_finite() && report.unknowns == 105);
}

#[test]
fn settings_out_of_range_are_rejected() {
    let tuner = || Tuner::grid(&[2]).order(0);
    let cases = [
        (tuner().order(9), "`order` is 9, but it must be at most 8"),
        (tuner().rate(0.0), "`rate` is 0, but it must be above 0"),
        (tuner().rate(f64::NAN), "`rate` is NaN, but it must be above 0"),
        (tuner().solve_every(0), "`solve_every` is 0, but it must be at least 1"),
        (tuner().validation(0.95), "`validation` is 0.95, but it must be a fraction from 0 to 0.9"),
        (tuner().patience(0), "`patience` is 0, but it must be at least 1"),
        (tuner().ridge(-1.0), "`ridge` is -1, but it must be at least 0"),
        (
            tuner().method(TrainingMethod::RecursiveLeastSquares(0.0)),
            "`forgetting` is 0, but it must be above 0 and at most 1",
        ),
    ];
    for (tuner, expected) in cases {
        assert_eq!(message(&tuner, &table(), &["y"]), format!("tuning: {expected}"));
    }
}

#[test]
fn incompatible_settings_are_rejected() {
    let tuner = || Tuner::grid(&[2]).order(0);
    let cases = [
        (tuner().readable(true).untied(true), "readable sets cannot be combined with untied sets"),
        (
            Tuner::new(InitialRules::FuzzyCMeans(2)).readable(true),
            "readable sets cannot be combined with rules from clustering",
        ),
        (
            tuner().readable(true).method(TrainingMethod::LevenbergMarquardt),
            "readable sets cannot be combined with Levenberg-Marquardt",
        ),
        (
            tuner().classify(Classify::CrossEntropy).method(TrainingMethod::LevenbergMarquardt),
            "cross-entropy cannot be combined with Levenberg-Marquardt",
        ),
    ];
    for (tuner, expected) in cases {
        assert_eq!(message(&tuner, &table(), &["y"]), format!("{expected}; leave out one of them"));
    }
    assert_eq!(
        message(&tuner().form(Form::Triangle), &table(), &["y"]),
        "tuning of triangles: `iterations` is 100, but it must be 0 (least squares only), because triangles are \
         not differentiable"
    );
}

#[test]
fn invalid_weights_are_rejected() {
    let fit = |weights: &[f64]| {
        let fitted = table()
            .samples()
            .with_weights(weights)
            .map_err(TuningError::from)
            .and_then(|samples| Tuner::grid(&[2]).order(0).fit(samples, &["y"], &Device::cpu().unwrap()));
        fitted.unwrap_err().to_string()
    };
    let advice = "give one finite, nonnegative weight per row, not all of them 0";
    assert_eq!(fit(&[1.0; 29]), format!("the sample weight of row 30 is NaN; {advice}"));
    assert_eq!(fit(&[0.0; 30]), format!("the sample weight of row 1 is 0; {advice}"));
    let mut weights = [1.0; 30];
    weights[2] = -1.0;
    assert_eq!(fit(&weights), format!("the sample weight of row 3 is -1; {advice}"));
}
