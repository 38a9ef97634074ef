//! Sparse rule bases.

use super::save::without_time;
use crate::Device;
use crate::data::{Classify, Precision, Samples, Table};
use crate::inference::{Dialect, System};
use crate::random::Random;
use crate::tuning::inspect::{merge_sets, rule_support, rules};
use crate::tuning::{Form, InitialRules, TunedSystem, Tuner, TuningError};

fn normal(random: &mut Random) -> f64 {
    // Box and Muller.
    let (a, b) = (random.unit().max(f64::MIN_POSITIVE), random.unit());
    (-2.0 * a.ln()).sqrt() * (2.0 * std::f64::consts::PI * b).cos()
}

/// House prices with an interaction: large houses in areas of high income cost more.
fn houses(rows: usize, seed: u64) -> Table {
    let mut random = Random::new(seed);
    let row = |_| {
        let income = (1.2 + 0.45 * normal(&mut random)).exp().clamp(0.5, 15.0);
        let (rooms, age) = (random.between(2.0, 9.0), random.between(1.0, 50.0));
        let large = f64::from(u8::from(income > 5.0 && rooms > 6.0));
        let price = 0.35 * income + 0.15 * rooms + 0.8 * large - 0.01 * age + 0.25 * normal(&mut random);
        [income, rooms, age, price]
    };
    Table::new(["income", "rooms", "age", "price"], (0..rows).flat_map(row).collect::<Vec<f64>>()).unwrap()
}

fn fit(table: &Table, target: &str) -> TunedSystem {
    Tuner::tree(10).fit(table, &[target], &Device::cpu().unwrap()).unwrap()
}

fn test_rmse(tuned: &TunedSystem, table: &Table, target: &str) -> f64 {
    let predicted = tuned.predict(table, &Device::cpu().unwrap()).unwrap();
    let pairs = predicted.column(target).unwrap().into_iter().zip(table.column(target).unwrap());
    (pairs.map(|(p, y)| (p - y) * (p - y)).sum::<f64>() / table.rows() as f64).sqrt()
}

#[test]
fn house_prices_have_few_accurate_rules_with_honest_words() {
    let train = houses(2000, 1);
    let tuned = fit(&train, "price");
    assert!(tuned.report.rules <= 6, "{:?}", rules(&tuned.system));
    let rmse = test_rmse(&tuned, &houses(2000, 2), "price");
    assert!(rmse <= 0.275, "{rmse}"); // the noise has a standard deviation of 0.25
    let prices = train.column("price").unwrap();
    let (low, high) = prices.iter().fold((f64::MAX, f64::MIN), |(l, h), y| (l.min(*y), h.max(*y)));
    for input in tuned.system.inputs.iter().filter(|input| !input.sets.is_empty()) {
        let mut values = train.column(&input.name).unwrap();
        values.sort_by(f64::total_cmp);
        let (q05, q95) = (values[100], values[1900]);
        for named in &input.sets {
            let at = |x: f64| named.set.membership(x);
            match named.name.as_str() {
                "low" => assert!(at(q05) >= 0.9 && at(q95) <= 0.1, "{named:?}"),
                "high" => assert!(at(q05) <= 0.1 && at(q95) >= 0.9, "{named:?}"),
                _ => {}
            }
        }
    }
    // Conclusions at the middle of each rule's core lie within the observed prices.
    let network = &tuned.network;
    for rule in 0..tuned.report.rules {
        let center: Vec<f64> = network.frames.centers[rule * 3..][..3].to_vec();
        let value = network.theta[rule * 4] * tuned.scale.target_span[0] + tuned.scale.target_offset[0];
        assert!((low..=high).contains(&value), "rule {rule} at {center:?}: {value}");
    }
}

#[test]
fn a_plane_is_one_rule() {
    let mut random = Random::new(3);
    let row = |_| {
        let (a, b) = (random.between(-1.0, 1.0), random.between(-1.0, 1.0));
        [a, b, 2.0 * a - b]
    };
    let table = Table::new(["a", "b", "y"], (0..500).flat_map(row).collect::<Vec<f64>>()).unwrap();
    let tuned = fit(&table, "y");
    assert_eq!(tuned.report.rules, 1);
    assert!(tuned.report.rmse < 1e-6, "{}", tuned.report.rmse);
    assert_eq!(rules(&tuned.system).unwrap(), ["always y = 2 a - b"]);
}

#[test]
fn the_system_has_the_predictions_of_the_model_also_after_writing_and_reading() {
    let (table, device) = (houses(600, 4), Device::cpu().unwrap());
    let tuned = fit(&table, "price");
    assert!(tuned.system.outputs[0].variable.lock_range);
    let expected = tuned.predict(&table, &device).unwrap().column("price").unwrap();
    let fll = System::from_fll(&tuned.system.to_fll().unwrap()).unwrap();
    let json = System::from_json(&tuned.system.to_json().unwrap()).unwrap();
    for system in [&tuned.system, &fll, &json] {
        let plan = system.compile(Dialect::default(), Precision::F64).unwrap();
        let inferred = plan.infer(&table, &device).unwrap();
        for (a, b) in inferred.column("price").unwrap().into_iter().zip(&expected) {
            assert!((a - b).abs() < 1e-9, "{a} {b}");
        }
    }
    let loaded = TunedSystem::from_json(&tuned.to_json().unwrap()).unwrap();
    assert_eq!(loaded, without_time(tuned.clone()));
    let support = rule_support(&tuned.system, &table, &device).unwrap();
    assert!((support.iter().map(|rule| rule.support).sum::<f64>() - 1.0).abs() < 1e-9);
}

#[test]
fn the_trapezoids_of_a_tree_can_be_refitted_and_merged() {
    let (table, device) = (houses(600, 5), Device::cpu().unwrap());
    let tuned = fit(&table, "price");
    let merged = merge_sets(&tuned.system, 0.99).unwrap();
    let tuner = Tuner::new(InitialRules::System(Box::new(merged))).iterations(0).ridge(1e-12);
    let refitted = tuner.fit(&table, &["price"], &device).unwrap();
    assert_eq!(refitted.report.rules, tuned.report.rules);
    assert!(refitted.report.rmse <= tuned.report.rmse + 1e-9); // without shrinkage, the training error is lower
    // Ramps only are triangles with a shoulder.
    assert!(matches!(refitted.network.antecedents.form, Form::Triangle | Form::Trapezoid));
}

#[test]
fn predictions_are_bounded_to_the_range_of_the_target() {
    let (table, device) = (houses(400, 6), Device::cpu().unwrap());
    let prices = table.column("price").unwrap();
    let (low, high) = prices.iter().fold((f64::MAX, f64::MIN), |(l, h), y| (l.min(*y), h.max(*y)));
    let far = Table::new(["income", "rooms", "age"], vec![1e6, 5.0, 5.0, -1e6, 5.0, 5.0]).unwrap();
    let bounded = fit(&table, "price").predict(&far, &device).unwrap().column("price").unwrap();
    assert!((bounded[0] - high).abs() < 1e-12 && (bounded[1] - low).abs() < 1e-12, "{bounded:?}");
    let free = Tuner::tree(10).bounded(false).fit(&table, &["price"], &device).unwrap();
    assert!(free.predict(&far, &device).unwrap().column("price").unwrap()[0] > 1e4);
    // Also for other rules.
    let grid = Tuner::grid(&[2]).iterations(0).bounded(true).fit(&table, &["price"], &device).unwrap();
    let grid = grid.predict(&far, &device).unwrap().column("price").unwrap();
    assert!(grid.iter().all(|y| (low - 1e-12..=high + 1e-12).contains(y)), "{grid:?}");
}

#[test]
fn each_of_several_targets_is_bounded_to_its_own_range() {
    let device = Device::cpu().unwrap();
    let row = |i: i32| [f64::from(i), f64::from(i % 7), 1000.0 * f64::from(i), 0.01 * f64::from(i)];
    let table =
        Table::new(["a", "b", "large", "small"], (0..200).flat_map(row).collect::<Vec<f64>>()).unwrap();
    let tuned = Tuner::tree(3).fit(&table, &["large", "small"], &device).unwrap();
    let far = Table::new(["a", "b"], vec![1e6, 3.0]).unwrap();
    let predicted = tuned.predict(&far, &device).unwrap();
    let [large, small] = ["large", "small"].map(|name| predicted.column(name).unwrap()[0]);
    assert!((large - 199_000.0).abs() < 1e-6 && (small - 1.99).abs() < 1e-6, "{large} {small}");
    let ranges: Vec<(f64, f64)> = tuned
        .system
        .outputs
        .iter()
        .map(|output| (output.variable.minimum, output.variable.maximum))
        .collect();
    assert!((ranges[1].1 - 1.99).abs() < 1e-12 && ranges[1].0.abs() < 1e-12, "{ranges:?}");
    let restored = TunedSystem::from_json(&tuned.to_json().unwrap()).unwrap();
    assert_eq!(restored.predict(&far, &device).unwrap(), predicted);
}

#[test]
fn classes_order_zero_weights_and_missing_values_are_supported() {
    let device = Device::cpu().unwrap();
    let mut random = Random::new(7);
    let row = |i: usize| {
        let (a, b) = (random.unit(), random.unit());
        [if i.is_multiple_of(50) { f64::NAN } else { a }, b, f64::from(u8::from(a > 0.5 && b > 0.3))]
    };
    let values: Vec<f64> = (0..400).flat_map(row).collect();
    let table = Table::new(["a", "b", "class"], values.clone()).unwrap();
    let tuner =
        Tuner::tree(8).order(0).classify(Classify::OneHot).missing(crate::tuning::MissingInputs::Drop);
    let tuned = tuner.fit(&table, &["class"], &device).unwrap();
    assert!(tuned.report.accuracy.unwrap() > 0.95, "{:?}", tuned.report.accuracy);
    assert!(tuned.system.outputs.iter().all(|output| output.variable.sets.len() == tuned.report.rules));
    // A row of weight 0 has no influence, even if its target is far from the others.
    let (mut values, mut weights) = (houses(200, 8).to_f64().into_owned(), vec![1.0; 200]);
    (values[3], weights[0]) = (1e6, 0.0);
    let samples = Samples::new(4, &values).unwrap().with_weights(&weights).unwrap();
    let tuned = Tuner::tree(4).fit(samples, &["c4"], &device).unwrap();
    assert!(tuned.report.rmse < 0.5, "{}", tuned.report.rmse);
}

#[test]
fn classifiers_with_cross_entropy_need_no_rules_for_linear_classes() {
    let device = Device::cpu().unwrap();
    let mut random = Random::new(11);
    let mut row = |interacts: bool| {
        let (a, b) = (random.unit(), random.unit());
        let score = if interacts { 40.0 * (a - 0.5) * (b - 0.5) } else { 8.0 * (a + b - 1.0) };
        [a, b, f64::from(u8::from(random.unit() < 1.0 / (1.0 + (-score).exp())))]
    };
    let mut table = |interacts| {
        let values: Vec<f64> = (0..1000).flat_map(|_| row(interacts)).collect();
        Table::new(["a", "b", "class"], values).unwrap()
    };
    let tuner = Tuner::tree(8).classify(Classify::CrossEntropy);
    let linear = tuner.fit(&table(false), &["class"], &device).unwrap();
    assert_eq!(linear.report.rules, 1);
    // Probabilities are calibrated: their mean where they are about 0.8 is the frequency of the class.
    let test = table(false);
    let predicted = linear.predict(&test, &device).unwrap();
    let (p, class) = (predicted.column("1").unwrap(), test.column("class").unwrap());
    let bin: Vec<usize> = (0..1000).filter(|row| (0.7..0.9).contains(&p[*row])).collect();
    let frequency = bin.iter().map(|row| class[*row]).sum::<f64>() / bin.len() as f64;
    assert!(bin.len() > 100 && (frequency - 0.8).abs() < 0.08, "{} {frequency}", bin.len());
    // An interaction needs rules, and gets them. The error of the best possible classifier is 18 %.
    let interaction = tuner.fit(&table(true), &["class"], &device).unwrap();
    assert!((2..=8).contains(&interaction.report.rules), "{}", interaction.report.rules);
    assert!(interaction.report.accuracy.unwrap() > 0.79, "{:?}", interaction.report.accuracy);
    let restored = TunedSystem::from_json(&interaction.to_json().unwrap()).unwrap();
    assert_eq!(restored.predict(&test, &device).unwrap(), interaction.predict(&test, &device).unwrap());
}

#[test]
fn invalid_settings_of_a_tree_are_rejected() {
    let (table, device) = (houses(50, 9), Device::cpu().unwrap());
    let error = |tuner: Tuner| tuner.fit(&table, &["price"], &device).unwrap_err().to_string();
    assert!(error(Tuner::tree(0)).contains("max_rules"));
    assert!(error(Tuner::tree(101)).contains("from 1 to 100"));
    assert!(error(Tuner::tree(5).order(2)).contains("0 or 1 for a tree"));
    assert!(error(Tuner::tree(5).untied(true)).contains("untied sets"));
    let conditions = InitialRules::Tree { max_rules: 5, max_conditions: 0 };
    assert!(error(Tuner::new(conditions)).contains("max_conditions"));
    let few = Tuner::tree(5).fit(&houses(7, 1), &["price"], &device).unwrap_err();
    assert!(matches!(few, TuningError::TooFewRowsForTree { rows: 7, min: 9 }));
}

#[test]
fn ten_rows_and_constant_folds_give_a_model() {
    let device = Device::cpu().unwrap();
    for rows in [10, 11, 17] {
        // The second input differs in one row only: it is constant in some folds.
        let row = |i: usize| [i as f64, f64::from(u8::from(i == 4)), (i * i) as f64];
        let table = Table::new(["a", "b", "y"], (0..rows).flat_map(row).collect::<Vec<f64>>()).unwrap();
        let tuned = Tuner::tree(10).fit(&table, &["y"], &device).unwrap();
        assert!(tuned.report.rmse.is_finite() && tuned.report.rules >= 1);
    }
}
