//! Text columns as inputs.

use crate::Device;
use crate::data::{Labels, Table};
use crate::inference::{Dialect, System};
use crate::random::Random;
use crate::tuning::{InitialRules, MissingInputs, TunedSystem, Tuner, inspect};

const COLORS: [&str; 3] = ["red", "green", "blue"];

/// y = 10 for red, x for green and −x for blue.
fn colored(rows: usize) -> Table {
    let mut random = Random::new(11);
    let (mut values, mut colors) = (Vec::new(), Vec::new());
    for row in 0..rows {
        let (x, color) = (random.between(0.0, 4.0), row % 3);
        values.extend([x, [10.0, x, -x][color] + 0.01 * random.between(-1.0, 1.0)]);
        colors.push(COLORS[color]);
    }
    Table::new(["x", "y"], values).unwrap().with_labels(Labels::new("color", colors)).unwrap()
}

fn fit(tuner: &Tuner) -> TunedSystem {
    tuner.fit(&colored(300), &["y"], &Device::cpu().unwrap()).unwrap()
}

#[test]
fn each_value_of_a_text_column_is_an_input() {
    let device = Device::cpu().unwrap();
    let tuned = fit(&Tuner::tree(6));
    assert_eq!(tuned.inputs, ["x", "color=blue", "color=green", "color=red"]);
    assert!(tuned.report.rmse < 0.05, "{}", tuned.report.rmse);
    let new =
        Table::new(["x"], vec![3.0, 3.0, 3.0]).unwrap().with_labels(Labels::new("color", COLORS)).unwrap();
    let y = tuned.predict(&new, &device).unwrap().column("y").unwrap();
    assert!((y[0] - 10.0).abs() < 0.1 && (y[1] - 3.0).abs() < 0.1 && (y[2] + 3.0).abs() < 0.1, "{y:?}");
}

#[test]
fn rules_name_the_values_of_a_text_column() {
    let tuned = fit(&Tuner::tree(6));
    let rules = inspect::rules(&tuned.system).unwrap();
    assert!(rules.iter().any(|rule| rule.contains("color is blue")), "{rules:?}");
    assert!(rules.iter().any(|rule| rule.contains("color is not blue")), "{rules:?}");
    assert!(rules.iter().all(|rule| !rule.contains(" yes") && !rule.contains(" no ")), "{rules:?}");
}

#[test]
fn text_inputs_are_preserved_by_files() {
    let (tuned, device) = (fit(&Tuner::tree(6)), Device::cpu().unwrap());
    let table = colored(30);
    let expected = tuned.predict(&table, &device).unwrap();
    let loaded = TunedSystem::from_json(&tuned.to_json().unwrap()).unwrap();
    assert_eq!(loaded.predict(&table, &device).unwrap(), expected);
    // The system as FLL, with the table column in a comment.
    let text = tuned.system.to_fll().unwrap();
    let system = System::from_fll(&text).unwrap();
    let y = expected.column("y").unwrap();
    for (row, y) in y.iter().enumerate().take(3) {
        let explained = system.explain_table_row(&table, row, Dialect::Fuzzylite8).unwrap();
        assert!((explained.outputs[0].value - y).abs() < 1e-9, "{row}");
    }
    // Its rules can be tuned again.
    let again = Tuner::new(InitialRules::System(Box::new(tuned.system.clone()))).iterations(0).ridge(1e-9);
    assert!(again.fit(&table, &["y"], &device).unwrap().report.rmse < 0.05);
}

#[test]
fn unknown_and_missing_texts_are_rejected() {
    let (tuned, device) = (fit(&Tuner::tree(6)), Device::cpu().unwrap());
    let row = |color: &str| {
        Table::new(["x"], vec![1.0]).unwrap().with_labels(Labels::new("color", [color])).unwrap()
    };
    let message = |color: &str| tuned.predict(&row(color), &device).unwrap_err().to_string();
    assert_eq!(
        message("pink"),
        "the column `color` contains `pink`, which is not in the training data (blue, green, red); correct the value, or fit \
         again with all values"
    );
    assert_eq!(
        message(""),
        "the input `color` has missing values; leave the column out, or ignore missing inputs"
    );
    let tolerant = fit(&Tuner::tree(6).missing(MissingInputs::Drop));
    assert!(tolerant.predict(&row(""), &device).unwrap().column("y").unwrap()[0].is_finite());
}

#[test]
fn explanations_reject_texts_that_are_not_values_of_an_input() {
    let system = fit(&Tuner::tree(6)).system;
    let new = Table::new(["x"], vec![3.0, 3.0]).unwrap();
    let new = new.with_labels(Labels::new("color", ["purple", "red"])).unwrap();
    let message = system.explain_table_row(&new, 0, Dialect::Fuzzylite8).unwrap_err().to_string();
    assert!(message.contains("`purple`") && message.contains("blue, green, red"), "{message}");
    assert!(system.explain_table_row(&new, 1, Dialect::Fuzzylite8).is_ok()); // the other row does not matter
}
