//! Classification.

use crate::Device;
use crate::data::{Labels, Table};
use crate::random::Random;
use crate::tuning::error::Result;
use crate::tuning::{Classify, InitialRules, TunedSystem, Tuner};

/// Three classes: inside a circle, to its right, elsewhere.
fn samples(rows: usize) -> (Table, Vec<&'static str>) {
    let mut random = Random::new(11);
    let (mut values, mut kinds) = (Vec::new(), Vec::new());
    for _ in 0..rows {
        let (a, b) = (random.between(-1.0, 1.0), random.between(-1.0, 1.0));
        values.extend([a, b]);
        kinds.push(if a * a + b * b < 0.4 {
            "in"
        } else if a > 0.3 {
            "right"
        } else {
            "out"
        });
    }
    (Table::new(["a", "b"], values).unwrap(), kinds)
}

#[test]
fn text_labels_are_learned_and_predicted() -> Result<()> {
    let (inputs, kinds) = samples(300);
    let table = inputs.clone().with_labels(Labels::new("kind", &kinds))?;
    let device = Device::cpu()?;
    for classify in [Classify::OneHot, Classify::CrossEntropy] {
        let tuned = Tuner::grid(&[4, 4]).classify(classify).iterations(30).ridge(1e-9).fit(
            &table,
            &["kind"],
            &device,
        )?;
        let mut classes = tuned.classes.clone();
        classes.sort();
        assert_eq!(classes, ["in", "out", "right"]);
        assert!(tuned.report.accuracy > Some(0.93), "{classify:?} {:?}", tuned.report.accuracy);
        let found = tuned.predict(&inputs, &device)?;
        let correct = found.label("kind")?.iter().zip(&kinds).filter(|(a, b)| a == *b).count();
        assert!((correct as f64 / 300.0 - tuned.report.accuracy.unwrap()).abs() < 1e-12);
        if classify == Classify::CrossEntropy {
            for row in found.to_f64().chunks_exact(3) {
                assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-12); // probabilities
            }
            let losses: Vec<f64> = tuned.report.history.iter().map(|point| point.loss).collect();
            assert!(losses.last().unwrap() < &(0.9 * losses[0]), "{losses:?}");
        }
    }
    Ok(())
}

#[test]
fn integers_can_be_classes() -> Result<()> {
    let (inputs, kinds) = samples(200);
    let code = |kind: &str| if kind == "in" { 7.0 } else { -1.0 };
    let values = inputs.to_f64();
    let rows = values.chunks_exact(2).zip(&kinds).flat_map(|(row, kind)| [row[0], row[1], code(kind)]);
    let table = Table::new(["a", "b", "code"], rows.collect::<Vec<f64>>())?;
    let device = Device::cpu()?;
    let tuner =
        Tuner::new(InitialRules::FuzzyCMeans(6)).classify(Classify::OneHot).validation(0.25).iterations(10);
    let tuned = tuner.fit(&table, &["code"], &device)?;
    assert_eq!(tuned.classes, ["-1", "7"]);
    assert!(tuned.report.validation_accuracy.is_some_and(|accuracy| accuracy > 0.8), "{:?}", tuned.report);
    assert_eq!(tuned.normal_equations(&table, &device)?.rows, 200);
    Ok(())
}

#[test]
fn outputs_have_the_order_of_the_given_classes() -> Result<()> {
    let (inputs, kinds) = samples(60);
    let table = inputs.with_labels(Labels::new("kind", &kinds))?;
    let device = Device::cpu()?;
    let tuner = Tuner::new(InitialRules::FuzzyCMeans(3)).classify(Classify::CrossEntropy).iterations(5);
    let tuned = tuner.fit(&table, &["kind"], &device)?;
    let mut order = tuned.classes.clone();
    order.reverse();
    let reversed = tuner.clone().classes(order.clone()).fit(&table, &["kind"], &device)?;
    let names = |tuned: &crate::tuning::TunedSystem| -> Vec<String> {
        tuned.system.outputs.iter().map(|output| output.variable.name.clone()).collect()
    };
    assert_eq!((&reversed.classes, names(&reversed)), (&order, names(&tuned).into_iter().rev().collect()));
    let (a, b) = (tuned.predict(&table, &device)?, reversed.predict(&table, &device)?);
    for (a, b) in a.to_f64().chunks_exact(order.len()).zip(b.to_f64().chunks_exact(order.len())) {
        assert!(a.iter().zip(b.iter().rev()).all(|(a, b)| (a - b).abs() < 1e-6), "{a:?} {b:?}");
    }
    let error = tuner.classes(["in", "other"]).fit(&table, &["kind"], &device).unwrap_err().to_string();
    assert!(error.contains("contains classes that are not in the model"), "{error}");
    Ok(())
}

#[test]
fn invalid_class_columns_are_rejected() -> Result<()> {
    let device = Device::cpu()?;
    let fit = |values: Vec<f64>| {
        let table = Table::new(["a", "code"], values)?;
        Tuner::grid(&[2]).classify(Classify::OneHot).fit(&table, &["code"], &device)
    };
    assert_eq!(
        fit(vec![0.0, 1.0, 1.0, 1.0]).unwrap_err().to_string(),
        "the class column `code` has 1 distinct value, but a classifier needs 2 to 1024 classes; use another column"
    );
    assert_eq!(
        fit(vec![0.0, 1.0, 1.0, 1.5]).unwrap_err().to_string(),
        "the class `code` contains values that are not integers; use it as a numeric target, or encode the classes as integers"
    );
    let labels = Table::new(["a"], vec![0.0, 1.0])?.with_labels(Labels::new("kind", ["x", ""]))?;
    let error = Tuner::grid(&[2]).classify(Classify::OneHot).fit(&labels, &["kind"], &device).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the class `kind` is missing in some rows; drop these rows, or fill in their class"
    );
    Ok(())
}

#[test]
fn a_row_whose_outputs_are_not_numbers_has_no_class() -> Result<()> {
    let (inputs, kinds) = samples(60);
    let table = inputs.with_labels(Labels::new("kind", &kinds))?;
    let device = Device::cpu()?;
    let tuner = Tuner::grid(&[2, 2]).classify(Classify::CrossEntropy).iterations(5);
    let mut tuned = tuner.fit(&table, &["kind"], &device)?;
    let rows = Table::new(["a", "b"], vec![0.0, 0.0])?;
    let class = |tuned: &TunedSystem| -> Result<String> {
        Ok(tuned.predict(&rows, &device)?.label("kind")?.iter().collect())
    };
    assert_eq!(class(&tuned)?, "in");
    tuned.network.theta.fill(f64::NAN);
    assert_eq!(class(&tuned)?, "");
    Ok(())
}
