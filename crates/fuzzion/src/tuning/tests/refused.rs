//! What is refused, and the sentences that say so.

use crate::Device;
use crate::data::{Labels, Table};
use crate::tuning::{Classify, Form, Method, Start, Tuner};

/// Two inputs and a target that are neither constant nor missing.
fn table() -> Table {
    let row = |i: u32| [f64::from(i), f64::from(i * i % 7), f64::from(i % 5)];
    Table::new(["a", "b", "y"], (0..30).flat_map(row).collect::<Vec<f64>>()).unwrap()
}

fn refused(tuner: &Tuner<'_>, table: &Table, targets: &[&str]) -> String {
    tuner.fit(table, targets, &Device::cpu().unwrap()).unwrap_err().to_string()
}

/// The table with column `column` replaced.
fn with(column: usize, value: impl Fn(usize) -> f64) -> Table {
    let mut values = table().into_f64();
    (0..30).for_each(|row| values[3 * row + column] = value(row));
    Table::new(["a", "b", "y"], values).unwrap()
}

#[test]
fn columns_that_cannot_be_learned_are_named() {
    let tuner = Tuner::grid(&[2]).order(0);
    let cases = [
        (
            refused(&tuner.clone().inputs(["a", "y"]), &table(), &["y"]),
            "the target `y` is also an input; name it only once, as what is to be learned",
        ),
        (refused(&tuner, &table(), &["z"]), "no column is called `z`; there is `a`, `b`, `y`"),
        (
            refused(&tuner.clone().inputs(["a", "c"]), &table(), &["y"]),
            "no column is called `c`; there is `a`, `b`, `y`",
        ),
        (
            refused(&tuner.clone().inputs(["a", "a"]), &table(), &["y"]),
            "the input `a` is named twice; name it once",
        ),
        (refused(&tuner, &table(), &["y", "y"]), "the target `y` is named twice; name it once"),
        (refused(&tuner, &table(), &[]), "tuning: `targets` is 0, but it must be at least 1 column"),
        (
            refused(&tuner, &Table::new(["a", "y"], Vec::<f64>::new()).unwrap(), &["y"]),
            "tuning: `rows` is 0, but it must be at least 2",
        ),
        (
            refused(&tuner, &table().select(["y"]).unwrap(), &["y"]),
            "the target `y` is the only column, so there is nothing to learn it from; give at least one input",
        ),
        (
            refused(&tuner, &with(1, |_| 3.0), &["y"]),
            "the input `b` has the same value in every row, so nothing can be learned from it; leave it out",
        ),
        (
            refused(&tuner, &with(2, |_| 3.0), &["y"]),
            "the target `y` has the same value in every row, so there is nothing to learn; name another one",
        ),
        (
            refused(&tuner, &with(0, |row| 1e300 * row as f64), &["y"]),
            "the input `a` has a range beyond what can be computed with; write it in another unit",
        ),
    ];
    for (found, expected) in cases {
        assert_eq!(found, expected);
    }
}

#[test]
fn values_that_are_not_finite_are_named_by_row_and_column() {
    let tuner = Tuner::grid(&[2]).order(0);
    let hole = |value: f64| move |row: usize| if row == 4 { value } else { row as f64 };
    let mend =
        "but every value must be finite; fill or leave out rows with missing values, or leave the column out";
    assert_eq!(
        refused(&tuner, &with(1, hole(f64::NAN)), &["y"]),
        format!("row 5, column 2 (`b`) is NaN, {mend}")
    );
    assert_eq!(
        refused(&tuner, &with(2, hole(f64::INFINITY)), &["y"]),
        format!("row 5, column 3 (`y`) is inf, {mend}")
    );
}

#[test]
fn text_is_refused_where_numbers_are_learned() {
    let text = table().with_labels(Labels::new("kind", vec!["x"; 30])).unwrap();
    let sentence =
        "`kind` holds text, and systems are learned from numbers; leave the column out, or make it the class";
    let tuner = Tuner::grid(&[2]).order(0);
    assert_eq!(refused(&tuner, &text, &["y"]), format!("the column {sentence}"));
    assert_eq!(refused(&tuner.clone().inputs(["a", "kind"]), &text, &["y"]), format!("the input {sentence}"));
    assert_eq!(refused(&tuner, &text, &["kind"]), format!("the target {sentence}"));
}

#[test]
fn sizes_that_cannot_be_solved_for_are_said_with_their_numbers() {
    let wide = Table::unnamed(11, (0..220).map(|i| f64::from(i * i % 37)).collect::<Vec<f64>>()).unwrap();
    let cases = [
        (
            refused(&Tuner::grid(&[20]).order(0), &wide, &["c11"]),
            "10240000000000 rules of 1 consequents each are more than the 16384 consequents that can be solved for; \
             use fewer sets or a lower order, or let clusters make the rules",
        ),
        (
            refused(&Tuner::grid(&[3]), &wide, &["c11"]),
            "59049 rules of 11 consequents each are more than the 16384 consequents that can be solved for; \
             use fewer sets or a lower order, or let clusters make the rules",
        ),
        (
            refused(&Tuner::grid(&[5, 7]), &table(), &["y"]),
            "30 training rows are too few for 105 consequents of each target; use fewer sets or a lower order, or \
             set a ridge of at least 1e-6",
        ),
        (
            refused(&Tuner::grid(&[2, 0]), &table(), &["y"]),
            "tuning: `sets` is 0, but it must be at least 1 for every input",
        ),
        (
            refused(&Tuner::grid(&[2, 2, 2]), &table(), &["y"]),
            "3 numbers of sets are given for 2 inputs; give one for each input, or one for all",
        ),
        (
            refused(&Tuner::grid(&[]), &table(), &["y"]),
            "0 numbers of sets are given for 2 inputs; give one for each input, or one for all",
        ),
        (
            refused(&Tuner::new(Start::FuzzyCMeans(0)), &table(), &["y"]),
            "tuning: `rules` is 0, but it must be at least 1",
        ),
        (
            refused(&Tuner::new(Start::Subtractive(1.5)), &table(), &["y"]),
            "subtractive clustering: `radius` is 1.5, but it must be above 0 and at most 1, a share of the inputs' ranges",
        ),
    ];
    for (found, expected) in cases {
        assert_eq!(found, expected);
    }
}

#[test]
fn a_ridge_lets_few_rows_settle_many_consequents() {
    let tuner = Tuner::grid(&[5, 7]).ridge(1e-6).iterations(2);
    let report = tuner.fit(&table(), &["y"], &Device::cpu().unwrap()).unwrap().report;
    assert!(report.rmse.is_finite() && report.unknowns == 105);
}

#[test]
fn settings_outside_their_ranges_are_refused() {
    let tuner = || Tuner::grid(&[2]).order(0);
    let cases = [
        (tuner().order(9), "`order` is 9, but it must be at most 8"),
        (tuner().rate(0.0), "`rate` is 0, but it must be above 0"),
        (tuner().rate(f64::NAN), "`rate` is NaN, but it must be above 0"),
        (tuner().solve_every(0), "`solve_every` is 0, but it must be at least 1"),
        (tuner().validation(0.95), "`validation` is 0.95, but it must be a share from 0 to 0.9"),
        (tuner().patience(0), "`patience` is 0, but it must be at least 1"),
        (tuner().ridge(-1.0), "`ridge` is -1, but it must be at least 0"),
        (
            tuner().method(Method::Recursive(0.0)),
            "`forgetting factor` is 0, but it must be above 0 and at most 1",
        ),
    ];
    for (tuner, expected) in cases {
        assert_eq!(refused(&tuner, &table(), &["y"]), format!("tuning: {expected}"));
    }
}

#[test]
fn settings_that_exclude_each_other_are_refused() {
    let tuner = || Tuner::grid(&[2]).order(0);
    let cases = [
        (
            tuner().readable(true).untied(true),
            "readable sets cannot be combined with a set of its own for every rule",
        ),
        (
            Tuner::new(Start::FuzzyCMeans(2)).readable(true),
            "readable sets cannot be combined with rules from clusters",
        ),
        (
            tuner().readable(true).method(Method::LevenbergMarquardt),
            "readable sets cannot be combined with Levenberg-Marquardt",
        ),
        (
            tuner().classify(Classify::CrossEntropy).method(Method::LevenbergMarquardt),
            "cross-entropy cannot be combined with Levenberg-Marquardt",
        ),
    ];
    for (tuner, expected) in cases {
        assert_eq!(refused(&tuner, &table(), &["y"]), format!("{expected}; leave out one of them"));
    }
    assert_eq!(
        refused(&tuner().form(Form::Triangle), &table(), &["y"]),
        "tuning of triangles: `iterations` is 100, but it must be 0, which is least squares alone, since triangles have \
         no slopes to follow"
    );
}

#[test]
fn weights_that_cannot_be_used_are_refused() {
    let fit = |weights: &[f64]| {
        let tuner = Tuner::grid(&[2]).order(0);
        tuner.fit_weighted(&table(), &["y"], weights, &Device::cpu().unwrap()).unwrap_err().to_string()
    };
    let mend = "give one weight per row, each finite and at least 0, not all of them 0";
    assert_eq!(fit(&[1.0; 29]), format!("sample weight 30 is NaN; {mend}"));
    assert_eq!(fit(&[0.0; 30]), format!("sample weight 1 is 0; {mend}"));
    let mut weights = [1.0; 30];
    weights[2] = -1.0;
    assert_eq!(fit(&weights), format!("sample weight 3 is -1; {mend}"));
}
