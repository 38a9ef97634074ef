//! What a model says about rows, and why.

use crate::data::{Labels, Table};
use crate::device::Device;
use crate::random::Random;
use crate::sonfin::textbook::{firing, ln_mu, outputs, rules_of};
use crate::sonfin::uses::shares;
use crate::sonfin::{Classify, Growth, Missing, Model, Sonfin};

/// Two inputs in very different units, and two numbers to learn.
pub(super) fn numbers(rows: usize, seed: u64) -> Table {
    let mut random = Random::new(seed);
    let row = |_: usize| {
        let (a, b) = (random.between(-3.0, 5.0), random.between(1e6, 4e6));
        [a, b, a * a + 1e-6 * b, 2e-6 * b - a]
    };
    let values: Vec<f64> = (0..rows).flat_map(row).collect();
    Table::new(["a", "b", "y", "z"], values).unwrap()
}

/// Three classes of points on a plane, called as no number prints.
pub(super) fn classes(rows: usize, seed: u64) -> Table {
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

pub(super) fn regressor(rows: usize, rules: usize) -> Model {
    let sonfin = Sonfin::new().growth(Growth::Budget(rules)).epochs(3);
    sonfin.fit(&numbers(rows, 1), &["y", "z"], &Device::cpu().unwrap()).unwrap()
}

pub(super) fn classifier(rows: usize, rules: usize) -> Model {
    let sonfin = Sonfin::new().classify(Classify::OneHot).growth(Growth::Budget(rules)).epochs(5);
    sonfin.fit(&classes(rows, 2), &["kind"], &Device::cpu().unwrap()).unwrap()
}

#[test]
fn labels_come_back_as_they_were_written() {
    let (device, model) = (Device::cpu().unwrap(), classifier(150, 12));
    let fresh = classes(90, 7);
    let found = model.predict(&fresh, &device).unwrap();
    assert_eq!((found.rows(), found.columns(), found.labels().len()), (90, 0, 1));
    let pairs = found.label("label").unwrap().iter().zip(fresh.label("kind").unwrap().iter());
    // The groups lie apart: a few corners of neighboring squares at most may be taken for each other.
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
fn numbers_are_those_of_the_equations_in_the_targets_units() {
    let (device, model) = (Device::cpu().unwrap(), regressor(200, 20));
    let fresh = numbers(50, 9);
    let said = model.predict(&fresh, &device).unwrap();
    assert_eq!(said.names(), ["y", "z"]);
    let (rules, scaled) = (rules_of(model.network()), model.scaled(&fresh, 0..50).unwrap());
    for row in 0..50 {
        let x: Vec<f64> = scaled.inputs_of(row).iter().map(|x| f64::from(*x)).collect();
        let phi = firing(&rules.iter().map(|rule| ln_mu(rule, &x)).collect::<Vec<_>>());
        for (l, y) in outputs(&rules, &phi, 2).into_iter().enumerate() {
            let (offset, span) = (model.scale.target_offset[l], model.scale.target_span[l]);
            // Single precision in z, whose square is at most some hundreds where a rule has a say.
            assert!((said.get(row, l).unwrap() - (offset + span * y)).abs() < 1e-4 * span);
        }
    }
}

#[test]
fn inputs_are_found_by_name_among_other_columns() {
    let (device, model) = (Device::cpu().unwrap(), regressor(120, 10));
    let table = numbers(20, 5);
    let (a, b) = (table.column("a").unwrap(), table.column("b").unwrap());
    let turned: Vec<f32> = b.iter().zip(&a).flat_map(|(b, a)| [*b as f32, 77.0, *a as f32]).collect();
    let turned = Table::new(["b", "other", "a"], turned).unwrap();
    let turned = turned.with_labels(Labels::new("note", vec!["n"; 20])).unwrap();
    let (one, other) = (model.predict(&table, &device).unwrap(), model.predict(&turned, &device).unwrap());
    for (one, other) in one.to_f64().iter().zip(other.to_f64().iter()) {
        // The second table holds single precision: 4e6 to a quarter, a range of 8 to 5e-7.
        assert!((one - other).abs() < 1e-4 * (1.0 + one.abs()), "{one} {other}");
    }
}

#[test]
fn a_table_that_does_not_fit_is_refused_in_a_sentence() {
    let (device, model) = (Device::cpu().unwrap(), regressor(60, 6));
    let said = |table: &Table| model.predict(table, &device).unwrap_err().to_string();
    let narrow = Table::new(["a", "c"], vec![1.0, 2.0]).unwrap();
    assert_eq!(
        said(&narrow),
        "the model looks at the column `b` (it has 2 inputs), which the table has not; there is `a`, `c`; give a table with \
         all columns that the model learned from"
    );
    let text = Table::new(["a"], vec![1.0]).unwrap().with_labels(Labels::new("b", ["x"])).unwrap();
    assert_eq!(
        said(&text),
        "the input `b` holds text, and the model knows it as numbers; give it as numbers"
    );
    let missing = Table::new(["a", "b"], vec![1.0, 2e6, 2.0, f64::NAN]).unwrap();
    assert!(said(&missing).starts_with("row 2, column 2 (`b`) is NaN, but every value must be finite;"));
}

#[test]
fn a_missing_value_is_fine_for_a_model_that_drops_it() {
    let device = Device::cpu().unwrap();
    let sonfin = Sonfin::new().inputs(["a", "b"]).growth(Growth::Budget(8)).epochs(1).missing(Missing::Drop);
    let model = sonfin.fit(&numbers(80, 4), &["y"], &device).unwrap();
    let some = Table::new(["a", "b"], vec![1.0, f64::NAN, 1.0, 2e6]).unwrap();
    let said = model.predict(&some, &device).unwrap().column("y").unwrap();
    assert!(said.iter().all(|y| y.is_finite()));
    let endless = Table::new(["a", "b"], vec![1.0, f64::INFINITY]).unwrap();
    assert!(model.predict(&endless, &device).unwrap_err().to_string().contains("is inf, but every value"));
}

#[test]
fn an_explanation_adds_up_to_what_is_predicted() {
    let (device, model) = (Device::cpu().unwrap(), regressor(200, 20));
    let fresh = numbers(30, 8);
    let said = model.scores(&fresh, &device).unwrap();
    for row in 0..30 {
        let why = model.explain(&fresh, row).unwrap();
        for (l, y) in why.outputs.iter().enumerate() {
            assert!((y - said.get(row, l).unwrap()).abs() < 1e-4 * model.scale.target_span[l]);
        }
        let heard: f64 = why.rules.iter().map(|heard| heard.strength).sum();
        // What is not heard has less than a thousandth of the say for each of 20 rules.
        assert!((0.98..=1.0 + 1e-12).contains(&heard), "{heard}");
        assert!(why.rules.windows(2).all(|pair| pair[0].strength >= pair[1].strength));
        assert_eq!((why.nearest.rule, &why.label), (why.rules[0].rule, &None));
        assert!((why.shares.iter().sum::<f64>() - 1.0).abs() < 1e-9 && why.ln_membership < 0.0);
    }
    let sentence = model.explain(&fresh, 30).unwrap_err().to_string();
    assert_eq!(sentence, "sonfin: `row` is 30, but it must be below the number of rows");
}

#[test]
fn a_sample_on_a_prototype_is_that_prototype() {
    let model = classifier(90, 9);
    for prototype in model.rules() {
        let mut at = vec![0.0; 2];
        prototype.asks.iter().for_each(|ask| at[ask.input] = ask.center);
        let why = model.explain(&Table::new(["u", "v"], at).unwrap(), 0).unwrap();
        // Centers are rounded to single precision on their way through the scale.
        assert!(why.nearest == prototype && why.ln_membership > -1e-6, "{why:?}");
    }
}

#[test]
fn rules_read_as_cases() {
    let model = classifier(90, 9);
    let rules = model.rules();
    assert_eq!(rules.len(), model.rule_count());
    for rule in &rules {
        assert!(rule.asks[0].sharpness >= rule.asks[1].sharpness);
        let (first, label) = (&model.inputs[rule.asks[0].input], rule.label.as_ref().unwrap());
        let text = model.rule_text(rule, 1);
        assert!(text.starts_with(&format!("if {first} is about ")), "{text}");
        assert!(text.ends_with(&format!(" and 1 more then {label}")), "{text}");
        assert!(!model.rule_text(rule, 2).contains("more"));
    }
    let says = regressor(60, 5);
    assert!(says.rule_text(&says.rules()[0], 2).contains(" then y = "));
}

#[test]
fn a_rule_s_share_is_its_mean_part_of_the_say() {
    let (table, model) = (classes(90, 2), classifier(90, 9));
    let rules = rules_of(model.network());
    let mut expected = vec![0.0; rules.len()];
    for row in 0..table.rows() {
        let x = model.scaled(&table, row..row + 1).unwrap().x;
        let x: Vec<f64> = x.iter().map(|x| f64::from(*x)).collect();
        let phi = firing(&rules.iter().map(|rule| ln_mu(rule, &x)).collect::<Vec<f64>>());
        expected.iter_mut().zip(phi).for_each(|(sum, phi)| *sum += phi / 90.0);
    }
    for (rule, expected) in model.rules().iter().zip(&expected) {
        assert!((rule.share.unwrap() - expected).abs() < 1e-5, "{rule:?} {expected}");
    }
    let (sorted, heard) = model.rules_by_share();
    assert!(sorted.is_sorted_by(|a, b| a.share >= b.share) && heard <= sorted.len());
    let all = Model::from_json(&model.to_json().unwrap()).unwrap();
    assert_eq!(all.rules(), model.rules());
}

#[test]
fn rules_that_nobody_hears_come_last_and_a_stream_s_are_all_read() {
    let (table, mut model) = (classes(90, 2), classifier(90, 9));
    let cpu = Device::cpu().unwrap();
    let before = model.rules_by_share();
    let mut network = model.network().clone();
    network.add(&[1e3, 1e3], &[0.0, 1.0, 0.0], 0.1);
    let samples = model.scaled(&table, 0..90).unwrap();
    (model.state.network, model.state.best) = (network.clone(), None);
    model.shares = shares(&network, &samples, &crate::device::Cpu::with_threads(1).unwrap());
    let after = model.rules_by_share();
    assert_eq!((after.0.len(), after.1), (before.0.len() + 1, before.1));
    assert_eq!(after.0.last().unwrap().rule, network.rules());
    model.partial_fit(&table, &cpu).unwrap();
    let (rules, heard) = model.rules_by_share();
    assert!(heard == rules.len() && rules.iter().all(|rule| rule.share.is_none()));
}
