//! Networks as systems.

use crate::inference::{Dialect, System};
use crate::random::Random;
use crate::tuning::antecedents::{ANY, Antecedents, TunedSet};
use crate::tuning::export::{self, Outputs};
use crate::tuning::form::Form;
use crate::tuning::network::Network;
use crate::tuning::scale::Scale;
use proptest::prelude::*;

const FORMS: [Form; 4] = [Form::Gaussian, Form::TwoSided, Form::Bell, Form::Triangle];

/// What a network is made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    pub(super) form: Form,
    pub(super) inputs: usize,
    pub(super) rules: usize,
    pub(super) order: usize,
    pub(super) outputs: usize,
    pub(super) tied: bool,
}

/// A network of random sets and consequents; some rules do not look at the last input.
pub(super) fn network(kind: Kind, seed: u64) -> Network {
    let mut random = Random::new(seed);
    let mut sets = Vec::new();
    let per_input = if kind.tied { kind.rules.min(3) } else { kind.rules };
    for input in 0..kind.inputs {
        for i in 0..per_input {
            // The first is wide, so that every row is covered.
            let width = if i == 0 { 1.5 } else { random.between(0.15, 0.5) };
            let center = random.between(0.0, 1.0);
            let parameters = match kind.form {
                Form::Gaussian => [center, width, 0.0, 0.0],
                Form::TwoSided => [center, width, center + random.between(0.0, 0.2), width * 0.8],
                Form::Bell => [center, width, random.between(0.8, 3.0), 0.0],
                Form::Triangle => [center - width, center, center + width, 0.0],
            };
            sets.push(TunedSet { input, parameters });
        }
    }
    let mut uses = Vec::new();
    for rule in 0..kind.rules {
        for input in 0..kind.inputs {
            let which = if kind.tied { (random.bits() % per_input as u64) as usize } else { rule };
            let leaves_out = kind.inputs > 1 && input + 1 == kind.inputs && rule % 3 == 2;
            uses.push(if leaves_out { ANY } else { (input * per_input + which) as u32 });
        }
    }
    uses[..kind.inputs].iter_mut().enumerate().for_each(|(j, set)| *set = (j * per_input) as u32);
    let antecedents = Antecedents { form: kind.form, inputs: kind.inputs, sets, uses };
    let mut network = Network::new(antecedents, kind.order, kind.outputs);
    network.theta.iter_mut().for_each(|theta| *theta = random.between(-1.0, 1.0));
    network
}

pub(super) fn scale(inputs: usize, outputs: usize) -> Scale {
    let pick = |values: [f64; 4], n: usize| (0..n).map(|i| values[i % 4]).collect();
    Scale {
        low: pick([-90.0, 0.0, 1990.0, -1e-6], inputs),
        span: pick([360.0, 1.0, 30.0, 3e-6], inputs),
        target_offset: pick([0.0, 20.0, -3.0, 1e5], outputs),
        target_span: pick([60.0, 0.01, 7.0, 1e5], outputs),
    }
}

pub(super) fn names(first: &str, n: usize) -> Vec<String> {
    (1..=n).map(|i| format!("{first}{i}")).collect()
}

pub(super) fn exported(kind: Kind, network: &Network) -> System {
    let scale = scale(kind.inputs, kind.outputs);
    export::system(network, &scale, &names("in", kind.inputs), Outputs::Numbers(&names("out", kind.outputs)))
        .unwrap()
}

/// Rows of the scaled inputs, from end to end.
pub(super) fn rows(kind: Kind, seed: u64, count: usize) -> Vec<Vec<f64>> {
    let mut random = Random::new(seed ^ 1);
    (0..count).map(|_| (0..kind.inputs).map(|_| random.unit()).collect()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn the_exported_system_concludes_what_the_network_predicts(
        form in 0usize..4, inputs in 1usize..4, rules in 1usize..9, order in 0usize..4, outputs in 1usize..3,
        tied: bool, seed: u64,
    ) {
        let kind = Kind { form: FORMS[form], inputs, rules, order, outputs, tied };
        let network = network(kind, seed);
        let (system, scale) = (exported(kind, &network), scale(inputs, outputs));
        let again = System::from_fll(&system.to_fll().unwrap()).unwrap();
        prop_assert_eq!(again.blocks[0].rules.len(), rules);
        for x in rows(kind, seed, 12) {
            let in_units: Vec<f64> = (0..inputs).map(|j| scale.low[j] + scale.span[j] * x[j]).collect();
            let row = system.infer_row(&in_units, Dialect::Fuzzylite8).unwrap();
            let through_file = again.infer_row(&in_units, Dialect::Fuzzylite8).unwrap();
            for (o, predicted) in network.predict(&x).into_iter().enumerate() {
                let expected = scale.target_offset[o] + scale.target_span[o] * predicted;
                // Years have 2000/30 times the rounding errors of what is scaled to 1, cubed at order 3 relative to
                // u up to 7; a consequent is a sum of up to 20 terms.
                let size = scale.target_offset[o].abs() + scale.target_span[o] * 400.0;
                let off = (row.outputs[o] - expected).abs();
                prop_assert!(off <= 1e-12 * size, "{kind:?}: {} {expected}", row.outputs[o]);
                let off = (through_file.outputs[o] - expected).abs();
                prop_assert!(off <= 1e-12 * size, "{kind:?} through a file: {} {expected}", row.outputs[o]);
            }
        }
    }
}

#[test]
fn a_grid_is_told_in_words_from_left_to_right() {
    let set = |input, center| TunedSet { input, parameters: [center, 0.2, 0.0, 0.0] };
    // The sets lie from right to left, as tuning may leave them.
    let sets = vec![set(0, 1.0), set(0, 0.0), set(1, 0.9), set(1, 0.1), set(1, 0.5)];
    let uses = [0, 1].into_iter().flat_map(|a| [2, 3, 4].into_iter().flat_map(move |b| [a, b])).collect();
    let antecedents = Antecedents { form: Form::Gaussian, inputs: 2, sets, uses };
    let network = Network::new(antecedents, 0, 1);
    let scale = Scale {
        low: vec![0.0, 10.0],
        span: vec![1.0, 20.0],
        target_offset: vec![0.0],
        target_span: vec![1.0],
    };
    let system =
        export::system(&network, &scale, &["a".into(), "b".into()], Outputs::Numbers(&["y".into()])).unwrap();
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
fn many_sets_are_named_by_number_or_by_their_rule() {
    let kind = Kind { form: Form::Gaussian, inputs: 2, rules: 9, order: 0, outputs: 1, tied: false };
    let system = exported(kind, &network(kind, 3));
    assert!(system.inputs[0].sets.iter().any(|named| named.name == "rule_9"));
    let rule = system.rule_text(&system.blocks[0].rules[8]).unwrap();
    assert_eq!(rule, "if in1 is rule_9 then out1 is value_9"); // the third, sixth, ninth look at one input
    let sets: Vec<TunedSet> =
        (0..8).map(|i| TunedSet { input: 0, parameters: [0.1 * f64::from(i), 0.1, 0.0, 0.0] }).collect();
    let uses = (0..16).map(|rule| rule % 8).collect();
    let antecedents = Antecedents { form: Form::Gaussian, inputs: 1, sets, uses };
    let system = export::system(
        &Network::new(antecedents, 0, 1),
        &scale(1, 1),
        &["a".into()],
        Outputs::Numbers(&["y".into()]),
    );
    assert_eq!(system.unwrap().inputs[0].sets[7].name, "a_8");
}

#[test]
fn an_input_that_a_formula_cannot_name_gets_another_name_there() {
    let kind = Kind { form: Form::Gaussian, inputs: 3, rules: 2, order: 2, outputs: 1, tied: false };
    let network = network(kind, 5);
    let inputs = ["x", "petal length (cm)", "pi"].map(str::to_owned);
    let system = export::system(&network, &scale(3, 1), &inputs, Outputs::Numbers(&["y".into()])).unwrap();
    let named = |i: usize| (system.inputs[i].name.as_str(), system.inputs[i].description.as_str());
    assert_eq!(named(0), ("x_", "x"));
    assert_eq!(named(1), ("petal_length__cm_", "petal length (cm)"));
    assert_eq!(named(2), ("pi_", "pi"));
    assert!(System::from_fll(&system.to_fll().unwrap()).is_ok());
    // A linear consequent names nothing.
    let linear = self::network(Kind { order: 1, ..kind }, 5);
    let system = export::system(&linear, &scale(3, 1), &inputs, Outputs::Numbers(&["y".into()])).unwrap();
    assert_eq!(system.inputs[0].name, "x");
}

#[test]
fn matlab_files_hold_linear_consequents_exactly_and_refuse_higher_orders() {
    let kind = Kind { form: Form::TwoSided, inputs: 2, rules: 4, order: 1, outputs: 2, tied: true };
    let network = network(kind, 9);
    let system = exported(kind, &network);
    let again = System::from_fis(&system.to_fis().unwrap()).unwrap();
    let row = [3.0, 0.25];
    let (a, b) = (system.infer_row(&row, Dialect::Fuzzylite8), again.infer_row(&row, Dialect::Matlab));
    assert_eq!(a.unwrap().outputs, b.unwrap().outputs);
    let cubic = exported(Kind { order: 3, ..kind }, &self::network(Kind { order: 3, ..kind }, 9));
    let sentence = cubic.to_fis().unwrap_err().to_string();
    let expected = "output `out1` is weighted and has the set `formula_1` of the shape Function, which .fis cannot hold; \
                    write FLL or JSON";
    assert_eq!(sentence, expected);
}

#[test]
fn a_class_lies_between_0_and_1_and_a_number_around_its_offset() {
    let kind = Kind { form: Form::Gaussian, inputs: 1, rules: 2, order: 0, outputs: 2, tied: false };
    let (network, names) = (network(kind, 1), names("y", 2));
    let mut scale = scale(1, 2);
    scale.target_span = vec![60.0, 0.5];
    let range = |system: System| {
        system
            .outputs
            .iter()
            .map(|output| (output.variable.minimum, output.variable.maximum))
            .collect::<Vec<_>>()
    };
    let numbers = export::system(&network, &scale, &["a".into()], Outputs::Numbers(&names)).unwrap();
    assert_eq!(range(numbers), [(-30.0, 30.0), (19.75, 20.25)]);
    (scale.target_offset, scale.target_span) = (vec![0.0; 2], vec![1.0; 2]);
    let classes = export::system(&network, &scale, &["a".into()], Outputs::Classes(&names)).unwrap();
    assert_eq!(range(classes), [(0.0, 1.0), (0.0, 1.0)]);
}

#[test]
fn a_side_without_width_is_a_shoulder() {
    let sets = vec![
        TunedSet { input: 0, parameters: [0.0, 0.0, 0.6, 0.0] },
        TunedSet { input: 0, parameters: [0.4, 1.0, 1.0, 0.0] },
    ];
    let antecedents = Antecedents { form: Form::Triangle, inputs: 1, sets, uses: vec![0, 1] };
    let mut network = Network::new(antecedents, 0, 1);
    network.theta = vec![-1.0, 1.0];
    let scale = Scale { low: vec![10.0], span: vec![10.0], target_offset: vec![0.0], target_span: vec![1.0] };
    let system = export::system(&network, &scale, &["a".into()], Outputs::Numbers(&["y".into()])).unwrap();
    for x in [-0.5, 0.0, 0.3, 0.5, 1.0, 1.5] {
        let row = system.infer_row(&[10.0 + 10.0 * x], Dialect::Fuzzylite8).unwrap();
        assert!((row.outputs[0] - network.predict(&[x])[0]).abs() < 1e-12, "{x}: {:?}", row.outputs);
    }
}
