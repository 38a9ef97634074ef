//! Export of networks as systems.

use crate::inference::{Dialect, NamedSet, System};
use crate::random::Random;
use crate::tuning::export::{self, OutputNames};
use crate::tuning::network::Network;
use crate::tuning::network::antecedents::{Antecedents, NO_SET, ScaledSet};
use crate::tuning::network::form::Form;
use crate::tuning::training::scaling::Scaling;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Parameters of a random network.
#[derive(Clone, Copy, Debug)]
pub(super) struct NetworkShape {
    pub(super) form: Form,
    pub(super) inputs: usize,
    pub(super) rules: usize,
    pub(super) order: usize,
    pub(super) outputs: usize,
    pub(super) tied: bool,
}

/// Network with random sets and consequents; some rules do not use the last input.
pub(super) fn network(shape: NetworkShape, seed: u64) -> Network {
    let mut random = Random::new(seed);
    let mut sets = Vec::new();
    let per_input = if shape.tied { shape.rules.min(3) } else { shape.rules };
    for input in 0..shape.inputs {
        for i in 0..per_input {
            // The first set is wide, so that every row is covered.
            let width = if i == 0 { 1.5 } else { random.between(0.15, 0.5) };
            let center = random.between(0.0, 1.0);
            let parameters = match shape.form {
                Form::Gaussian => [center, width, 0.0, 0.0],
                Form::TwoSided => [center, width, center + random.between(0.0, 0.2), width * 0.8],
                Form::Bell => [center, width, random.between(0.8, 3.0), 0.0],
                Form::Triangle => [center - width, center, center + width, 0.0],
                Form::Trapezoid => {
                    [center - width, center - 0.2 * width, center + 0.1 * width, center + width]
                }
            };
            sets.push(ScaledSet { input, parameters });
        }
    }
    let mut set_indices = Vec::new();
    for rule in 0..shape.rules {
        for input in 0..shape.inputs {
            let which = if shape.tied { (random.bits() % per_input as u64) as usize } else { rule };
            let leaves_out = shape.inputs > 1 && input + 1 == shape.inputs && rule % 3 == 2;
            set_indices.push(if leaves_out { NO_SET } else { (input * per_input + which) as u32 });
        }
    }
    set_indices[..shape.inputs].iter_mut().enumerate().for_each(|(j, set)| *set = (j * per_input) as u32);
    let antecedents = Antecedents { form: shape.form, inputs: shape.inputs, sets, set_indices };
    let mut network = Network::new(antecedents, shape.order, shape.outputs);
    network.theta.iter_mut().for_each(|theta| *theta = random.between(-1.0, 1.0));
    network
}

pub(super) fn scale(inputs: usize, outputs: usize) -> Scaling {
    let pick = |values: [f64; 4], n: usize| (0..n).map(|i| values[i % 4]).collect();
    Scaling {
        low: pick([-90.0, 0.0, 1990.0, -1e-6], inputs),
        span: pick([360.0, 1.0, 30.0, 3e-6], inputs),
        target_offset: pick([0.0, 20.0, -3.0, 1e5], outputs),
        target_span: pick([60.0, 0.01, 7.0, 1e5], outputs),
        target_range: pick([60.0, 0.01, 7.0, 1e5], outputs),
    }
}

pub(super) fn names(first: &str, n: usize) -> Vec<String> {
    (1..=n).map(|i| format!("{first}{i}")).collect()
}

pub(super) fn exported(shape: NetworkShape, network: &Network) -> System {
    let scale = scale(shape.inputs, shape.outputs);
    export::system(
        network,
        &scale,
        &names("in", shape.inputs),
        OutputNames::Targets(&names("out", shape.outputs)),
    )
    .unwrap()
}

/// Random rows in scaled coordinates.
pub(super) fn rows(shape: NetworkShape, seed: u64, count: usize) -> Vec<Vec<f64>> {
    let mut random = Random::new(seed ^ 1);
    (0..count).map(|_| (0..shape.inputs).map(|_| random.unit()).collect()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn exported_systems_match_the_network_predictions(
        form in 0usize..4, inputs in 1usize..4, rules in 1usize..9, order in 0usize..4, outputs in 1usize..3,
        tied: bool, seed: u64,
    ) {
        let shape = NetworkShape { form: Form::ALL[form], inputs, rules, order, outputs, tied };
        let network = network(shape, seed);
        let (system, scale) = (exported(shape, &network), scale(inputs, outputs));
        let again = System::from_fll(&system.to_fll().unwrap()).unwrap();
        prop_assert_eq!(again.blocks[0].rules.len(), rules);
        for x in rows(shape, seed, 12) {
            let in_units: Vec<f64> = (0..inputs).map(|j| scale.low[j] + scale.span[j] * x[j]).collect();
            let row = system.infer_row(&in_units, Dialect::Fuzzylite8).unwrap();
            let through_file = again.infer_row(&in_units, Dialect::Fuzzylite8).unwrap();
            for (o, predicted) in network.predict(&x).into_iter().enumerate() {
                let expected = scale.target_offset[o] + scale.target_span[o] * predicted;
                // The third input has 2000/30 times the rounding errors of a scaled input, cubed at order 3, relative
                // to |u| ≤ 7; a consequent is a sum of up to 20 terms.
                let size = scale.target_offset[o].abs() + scale.target_span[o] * 400.0;
                let off = (row.outputs[o] - expected).abs();
                prop_assert!(off <= 1e-12 * size, "{shape:?}: {} {expected}", row.outputs[o]);
                let off = (through_file.outputs[o] - expected).abs();
                prop_assert!(off <= 1e-12 * size, "{shape:?} through a file: {} {expected}", row.outputs[o]);
            }
        }
    }
}

#[test]
fn grid_sets_are_named_from_left_to_right() {
    let set = |input, center| ScaledSet { input, parameters: [center, 0.2, 0.0, 0.0] };
    // The sets are ordered from right to left, as may happen after tuning.
    let sets = vec![set(0, 1.0), set(0, 0.0), set(1, 0.9), set(1, 0.1), set(1, 0.5)];
    let set_indices =
        [0, 1].into_iter().flat_map(|a| [2, 3, 4].into_iter().flat_map(move |b| [a, b])).collect();
    let antecedents = Antecedents { form: Form::Gaussian, inputs: 2, sets, set_indices };
    let network = Network::new(antecedents, 0, 1);
    let scale = Scaling {
        low: vec![0.0, 10.0],
        span: vec![1.0, 20.0],
        target_offset: vec![0.0],
        target_span: vec![1.0],
        target_range: vec![1.0],
    };
    let system =
        export::system(&network, &scale, &["a".into(), "b".into()], OutputNames::Targets(&["y".into()]))
            .unwrap();
    let names = |input: usize| -> Vec<&str> {
        system.inputs[input].sets.iter().map(|named| named.name.as_str()).collect()
    };
    assert_eq!((names(0), names(1)), (vec!["low", "high"], vec!["low", "medium", "high"]));
    let text = |rule: usize| system.rule_text(&system.blocks[0].rules[rule]).unwrap();
    assert_eq!(text(0), "if a is high and b is high then y is value_1");
    assert_eq!(text(5), "if a is low and b is medium then y is value_6");
    assert_eq!(system.set_text(&system.inputs[1].sets[1].set), "Gaussian 20 4");
    assert_eq!((system.inputs[1].minimum, system.inputs[1].maximum), (10.0, 30.0));
}

#[test]
fn many_sets_are_named_by_their_positions() {
    let are_positions = |sets: &[NamedSet]| {
        let names: BTreeSet<&str> = sets.iter().map(|named| named.name.as_str()).collect();
        names.len() == sets.len() && names.iter().all(|name| name.starts_with("about_"))
    };
    let shape = NetworkShape { form: Form::Gaussian, inputs: 2, rules: 9, order: 0, outputs: 1, tied: false };
    let system = exported(shape, &network(shape, 3));
    assert!(system.inputs.iter().all(|input| are_positions(&input.sets)));
    let rule = system.rule_text(&system.blocks[0].rules[8]).unwrap(); // every third rule uses only one input
    let is_conclusion = |name: &NamedSet| rule == format!("if in1 is {} then out1 is value_9", name.name);
    assert!(system.inputs[0].sets.iter().any(is_conclusion), "{rule}");
    let sets: Vec<ScaledSet> =
        (0..8).map(|i| ScaledSet { input: 0, parameters: [0.1 * f64::from(i), 0.1, 0.0, 0.0] }).collect();
    let set_indices = (0..16).map(|rule| rule % 8).collect();
    let antecedents = Antecedents { form: Form::Gaussian, inputs: 1, sets, set_indices };
    let system = export::system(
        &Network::new(antecedents, 0, 1),
        &scale(1, 1),
        &["a".into()],
        OutputNames::Targets(&["y".into()]),
    );
    let sets = &system.unwrap().inputs[0].sets;
    assert!(sets.len() == 8 && are_positions(sets));
}

#[test]
fn a_range_below_the_precision_of_its_bounds_has_names() {
    let shape = NetworkShape { form: Form::Gaussian, inputs: 1, rules: 2, order: 0, outputs: 1, tied: true };
    let scale = Scaling { low: vec![1e20], span: vec![184.0], ..scale(1, 1) };
    let targets = ["y".into()];
    let system =
        export::system(&network(shape, 3), &scale, &["a".into()], OutputNames::Targets(&targets)).unwrap();
    assert!(system.inputs[0].sets.iter().all(|named| !named.name.is_empty()));
}

#[test]
fn input_names_that_are_invalid_in_formulas_are_replaced() {
    let shape = NetworkShape { form: Form::Gaussian, inputs: 3, rules: 2, order: 2, outputs: 1, tied: false };
    let network = network(shape, 5);
    let inputs = ["x", "petal length (cm)", "pi"].map(str::to_owned);
    let system =
        export::system(&network, &scale(3, 1), &inputs, OutputNames::Targets(&["y".into()])).unwrap();
    let named = |i: usize| (system.inputs[i].name.as_str(), system.inputs[i].description.as_str());
    assert_eq!(named(0), ("x_", "x"));
    assert_eq!(named(1), ("petal_length__cm_", "petal length (cm)"));
    assert_eq!(named(2), ("pi_", "pi"));
    assert!(System::from_fll(&system.to_fll().unwrap()).is_ok());
    // Linear consequents do not contain input names.
    let linear = self::network(NetworkShape { order: 1, ..shape }, 5);
    let system = export::system(&linear, &scale(3, 1), &inputs, OutputNames::Targets(&["y".into()])).unwrap();
    assert_eq!(system.inputs[0].name, "x");
}

#[test]
fn fis_files_preserve_linear_consequents_exactly_and_reject_higher_orders() {
    let shape = NetworkShape { form: Form::TwoSided, inputs: 2, rules: 4, order: 1, outputs: 2, tied: true };
    let network = network(shape, 9);
    let system = exported(shape, &network);
    let again = System::from_fis(&system.to_fis().unwrap()).unwrap();
    let row = [3.0, 0.25];
    let (a, b) = (system.infer_row(&row, Dialect::Fuzzylite8), again.infer_row(&row, Dialect::Matlab));
    assert_eq!(a.unwrap().outputs, b.unwrap().outputs);
    let cubic =
        exported(NetworkShape { order: 3, ..shape }, &self::network(NetworkShape { order: 3, ..shape }, 9));
    let message = cubic.to_fis().unwrap_err().to_string();
    let expected = "output `out1` has a weighted defuzzifier and the Function set `formula_1`, which `.fis` files do not \
                    support; save as FLL or JSON";
    assert_eq!(message, expected);
}

#[test]
fn class_outputs_range_from_0_to_1_and_targets_around_their_offset() {
    let shape = NetworkShape { form: Form::Gaussian, inputs: 1, rules: 2, order: 0, outputs: 2, tied: false };
    let (network, names) = (network(shape, 1), names("y", 2));
    let mut scale = scale(1, 2);
    scale.target_span = vec![60.0, 0.5];
    scale.target_range.clone_from(&scale.target_span);
    let range = |system: System| {
        system
            .outputs
            .iter()
            .map(|output| (output.variable.minimum, output.variable.maximum))
            .collect::<Vec<_>>()
    };
    let numbers = export::system(&network, &scale, &["a".into()], OutputNames::Targets(&names)).unwrap();
    assert_eq!(range(numbers), [(-30.0, 30.0), (19.75, 20.25)]);
    (scale.target_offset, scale.target_span, scale.target_range) = (vec![0.0; 2], vec![1.0; 2], vec![1.0; 2]);
    let classes = export::system(&network, &scale, &["a".into()], OutputNames::Classes(&names)).unwrap();
    assert_eq!(range(classes), [(0.0, 1.0), (0.0, 1.0)]);
}

#[test]
fn a_side_of_zero_width_is_a_shoulder() {
    let sets = vec![
        ScaledSet { input: 0, parameters: [0.0, 0.0, 0.6, 0.0] },
        ScaledSet { input: 0, parameters: [0.4, 1.0, 1.0, 0.0] },
    ];
    let antecedents = Antecedents { form: Form::Triangle, inputs: 1, sets, set_indices: vec![0, 1] };
    let mut network = Network::new(antecedents, 0, 1);
    network.theta = vec![-1.0, 1.0];
    let scale = Scaling {
        low: vec![10.0],
        span: vec![10.0],
        target_offset: vec![0.0],
        target_span: vec![1.0],
        target_range: vec![1.0],
    };
    let system =
        export::system(&network, &scale, &["a".into()], OutputNames::Targets(&["y".into()])).unwrap();
    for x in [-0.5, 0.0, 0.3, 0.5, 1.0, 1.5] {
        let row = system.infer_row(&[10.0 + 10.0 * x], Dialect::Fuzzylite8).unwrap();
        assert!((row.outputs[0] - network.predict(&[x])[0]).abs() < 1e-12, "{x}: {:?}", row.outputs);
    }
}

#[test]
fn names_with_numbers_are_identifiers_and_texts() {
    for (name, text) in [
        ("below_5_2", "below 5.2"),
        ("above_minus_0_25", "above -0.25"),
        ("between_minus_2_and_5_1", "between -2 and 5.1"),
        ("about_3", "about 3"),
    ] {
        assert_eq!(export::names::as_text(name).as_deref(), Some(text));
    }
    assert_eq!(export::names::as_text("low"), None);
}

#[test]
fn only_distinguishable_sets_have_words_as_names() {
    let names = |centers: [f64; 2], widths: [f64; 2]| {
        let set = |i: usize| ScaledSet { input: 0, parameters: [centers[i], widths[i], 0.0, 0.0] };
        let antecedents = Antecedents {
            form: Form::Gaussian,
            inputs: 1,
            sets: vec![set(0), set(1)],
            set_indices: vec![0, 1],
        };
        let scale = Scaling {
            low: vec![-2.0],
            span: vec![4.0],
            target_offset: vec![0.0],
            target_span: vec![1.0],
            target_range: vec![1.0],
        };
        let variables = export::variables(&antecedents, &scale, &["a".into()]).unwrap();
        variables.inputs[0].sets.iter().map(|set| set.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names([0.0, 1.0], [0.4, 0.4]), ["low", "high"]);
    // The first set contains the center of the second one.
    assert_eq!(names([0.4, 0.5], [0.1, 0.5]), ["about_minus_0_4", "about_0"]);
    // Names that are equal with few digits have more.
    assert_eq!(names([0.5005, 0.501], [0.5, 0.5]), ["about_0_002", "about_0_004"]);
}

#[test]
fn more_than_seven_sets_have_numbers_as_names_and_spreads_as_text() {
    let set = |k: u32| ScaledSet { input: 0, parameters: [f64::from(k) / 8.0, 0.0257, 0.0, 0.0] };
    let antecedents = Antecedents {
        form: Form::Gaussian,
        inputs: 1,
        sets: (0..9).map(set).collect(),
        set_indices: (0..9).collect(),
    };
    let one = || vec![1.0];
    let scale = Scaling {
        low: vec![0.0],
        span: vec![10.0],
        target_offset: vec![0.0],
        target_span: one(),
        target_range: one(),
    };
    let network = Network::new(antecedents, 0, 1);
    let system =
        export::system(&network, &scale, &["a".into()], OutputNames::Targets(&["y".into()])).unwrap();
    assert_eq!(system.inputs[0].sets[3].name, "about_3_8");
    let rules = crate::tuning::inspect::rules(&system).unwrap();
    assert_eq!(rules[3], "if a is about 3.8 ± 0.26 then y = 0");
}
