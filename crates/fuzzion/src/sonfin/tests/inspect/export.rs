//! Conversion of models to inference systems.

use super::model::{classes, classifier, numbers, regressor};
use crate::data::{Precision, Table};
use crate::device::Device;
use crate::inference::{Dialect, System};
use crate::random::Random;
use crate::sonfin::types::network::Network;
use crate::sonfin::{Growth, MissingInputs, Model, Sonfin};
use proptest::prelude::*;

/// Asserts that the system's outputs equal the model's scores.
fn assert_same_outputs(model: &Model, system: &System, table: &Table, device: &Device) {
    let plan = system.compile(Dialect::default(), Precision::F64).unwrap();
    let (inferred, scores) = (plan.infer(table, device).unwrap(), model.scores(table, device).unwrap());
    assert_eq!((inferred.rows(), inferred.columns()), (scores.rows(), scores.columns()));
    let spans = &model.scale.target_span;
    for (i, (expected, found)) in scores.to_f64().iter().zip(inferred.to_f64().iter()).enumerate() {
        // double versus single precision
        assert!((expected - found).abs() <= 1e-5 * spans[i % spans.len()].max(1.0), "{expected} {found}");
    }
}

/// The model with the rules of `network`.
fn with_rules(mut model: Model, network: Network) -> Model {
    model.state.best = None;
    model.state.network = network;
    model
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn the_system_of_a_random_network_has_the_same_outputs(rules in 1usize..9, seed in any::<u64>()) {
        let device = Device::cpu().unwrap();
        let (mut random, start) = (Random::new(seed), regressor(20, 2));
        let mut network = Network::empty(2, 2);
        for rule in 0..rules {
            let width = random.between(0.15, 1.0) as f32;
            let coordinate = |random: &mut Random| random.between(0.0, 1.0) as f32;
            let x = [coordinate(&mut random), if rule % 4 == 3 { f32::NAN } else { coordinate(&mut random) }];
            network.add(&x, &[coordinate(&mut random), coordinate(&mut random)], width);
        }
        let model = with_rules(start, network);
        assert_same_outputs(&model, &model.to_system().unwrap(), &numbers(40, seed), &device);
    }
}

#[test]
fn exported_systems_have_the_same_outputs_in_every_file_format() {
    let device = Device::cpu().unwrap();
    for (model, table) in [(regressor(150, 15), numbers(60, 3)), (classifier(120, 9), classes(60, 4))] {
        let system = model.to_system().unwrap();
        assert_same_outputs(&model, &system, &table, &device);
        let json = System::from_json(&system.to_json().unwrap()).unwrap();
        assert_same_outputs(&model, &json, &table, &device);
        let fis = System::from_fis(&system.to_fis().unwrap()).unwrap();
        assert_same_outputs(&model, &fis, &table, &device);
        let fll = System::from_fll(&system.to_fll().unwrap()).unwrap();
        assert_same_outputs(&model, &fll, &table, &device);
    }
}

#[test]
fn sets_are_named_after_their_rules() {
    let model = classifier(60, 5);
    let system = model.to_system().unwrap();
    assert_eq!(system.outputs.len(), 3);
    let text = system.rule_text(&system.blocks[0].rules[1]).unwrap();
    assert!(text.starts_with("if u is rule_2 and v is rule_2 then "), "{text}");
    let condition =
        model.rules()[1].conditions.iter().find(|condition| condition.input == 0).copied().unwrap();
    let set = &system.inputs[0].sets[1].set;
    assert!((set.membership(condition.center) - 1.0).abs() < 1e-12);
    // One standard deviation away, z² is ½.
    assert!((set.membership(condition.center + condition.deviation) - (-0.5f64).exp()).abs() < 1e-12);
}

#[test]
fn ignored_inputs_are_omitted_from_the_system() {
    let device = Device::cpu().unwrap();
    let sonfin =
        Sonfin::new().inputs(["a", "b"]).growth(Growth::Budget(4)).epochs(1).missing(MissingInputs::Drop);
    let model = sonfin.fit(&numbers(30, 6), &["y"], &device).unwrap();
    let mut network = Network::empty(2, 1);
    network.add(&[0.5, f32::NAN], &[0.25], 0.5);
    network.add(&[f32::NAN, f32::NAN], &[-0.25], 0.5);
    let model = with_rules(model, network);
    let system = model.to_system().unwrap();
    assert_eq!((system.inputs[0].sets.len(), system.inputs[1].sets.len()), (1, 0));
    assert_same_outputs(&model, &system, &numbers(20, 2), &device);
    assert_eq!(model.rule_text(&model.rules()[1], 3).split(' ').next(), Some("always"));
}
