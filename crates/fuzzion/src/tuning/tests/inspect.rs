//! Rules as text, support, importance and simplification.

use crate::data::{Samples, Table};
use crate::device::Device;
use crate::inference::{Dialect, Output, System, Variable};
use crate::sets::Set;
use crate::tuning::inspect::{RuleSupport, merge_sets, prune_rules, rule_support, rules};
use crate::tuning::{InitialRules, Tuner, truck};
use proptest::prelude::*;

/// Two inputs and four rules; two of the three sets of `a` are nearly equal.
fn system() -> System {
    let gaussian = |mean| Set::gaussian(mean, 2.0).unwrap();
    let constant = |value| Set::constant(value).unwrap();
    System::new("small")
        .input(
            Variable::new("a", 0.0, 10.0)
                .set("low", gaussian(1.0))
                .set("mid", gaussian(8.0))
                .set("high", gaussian(8.2)),
        )
        .input(Variable::new("b", 0.0, 10.0).set("low", gaussian(0.0)).set("high", gaussian(10.0)))
        .output(
            Output::new("y", 0.0, 1.0)
                .set("one", constant(1.0))
                .set("two", Set::linear(&[0.5, -1.25], 2.0).unwrap())
                .set("three", Set::function("2.123456 * a - 1").unwrap())
                .set("four", constant(4.0)),
        )
        .rule("if a is low and b is low then y is one")
        .and_then(|system| system.rule("if a is mid and b is low then y is two"))
        .and_then(|system| system.rule("if a is high and b is low then y is three"))
        .and_then(|system| system.rule("if b is high then y is four"))
        .unwrap()
}

fn rows() -> Table {
    Table::new(["a", "b"], vec![1.0, 0.0, 8.0, 0.0, 3.0, 10.0, 4.5, 5.0]).unwrap()
}

#[test]
fn rules_are_printed_with_rounded_numbers() {
    let expected = [
        "if a is low and b is low then y = 1",
        "if a is mid and b is low then y = 0.5 a - 1.25 b + 2",
        "if a is high and b is low then y = 2.123 * a - 1",
        "if b is high then y = 4",
    ];
    assert_eq!(rules(&system()).unwrap(), expected);
}

#[test]
fn names_that_contain_then_are_printed_in_full() {
    let rows: Vec<f64> = (0..=20).flat_map(|i| [f64::from(i), f64::from(3 * i)]).collect();
    let table = Table::new(["now then later", "y then z"], rows).unwrap();
    let tuner = Tuner::grid(&[2]).order(0).iterations(0);
    let tuned = tuner.fit(&table, &["y then z"], &Device::cpu().unwrap()).unwrap();
    let rule = &rules(&tuned.system).unwrap()[0];
    assert!(rule.starts_with("if now then later is low then y then z = "), "{rule}");
}

#[test]
fn support_is_the_mean_firing_strength_and_coverage_counts_rows() {
    let (system, rows) = (system(), rows());
    let found = rule_support(&system, &rows, &Device::cpu().unwrap()).unwrap();
    let (mut sums, mut covered) = ([0.0; 4], [0.0; 4]);
    for row in rows.to_f64().chunks_exact(2) {
        let strengths: Vec<f64> = system
            .infer_row(row, Dialect::Fuzzylite8)
            .unwrap()
            .rules
            .iter()
            .map(|rule| rule.strength)
            .collect();
        let all: f64 = strengths.iter().sum();
        for (k, strength) in strengths.iter().enumerate() {
            sums[k] += strength / all / 4.0;
            covered[k] += if strength / all >= 0.1 { 0.25 } else { 0.0 };
        }
    }
    for (k, found) in found.iter().enumerate() {
        assert!((found.support - sums[k]).abs() < 1e-12 && found.coverage == covered[k], "{k}: {found:?}");
    }
    assert!((found.iter().map(|s| s.support).sum::<f64>() - 1.0).abs() < 1e-12);
}

#[test]
fn integer_weights_equal_repeated_rows() {
    let (system, device) = (system(), Device::cpu().unwrap());
    let repeated = Table::new(["a", "b"], vec![1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 7.0, 3.0]).unwrap();
    let values = [1.0, 2.0, 5.0, 5.0, 7.0, 3.0];
    let names = ["a".to_owned(), "b".to_owned()];
    let samples = Samples::new(2, &values).unwrap().with_names(&names[..]).unwrap();
    let weighted = rule_support(&system, samples.with_weights(&[3.0, 0.0, 1.0]).unwrap(), &device).unwrap();
    for (weighted, repeated) in weighted.iter().zip(rule_support(&system, &repeated, &device).unwrap()) {
        assert!((weighted.support - repeated.support).abs() < 1e-15); // the same sum in a different order
        assert_eq!(weighted.coverage, repeated.coverage);
    }
}

#[test]
fn a_missing_input_column_is_rejected() {
    let table = Table::new(["a"], vec![1.0]).unwrap();
    let message = rule_support(&system(), &table, &Device::cpu().unwrap()).unwrap_err().to_string();
    assert!(message.starts_with("missing column `b`"), "{message}");
}

#[test]
fn similar_sets_and_rules_with_equal_antecedents_are_merged() {
    let merged = merge_sets(&system(), 0.8).unwrap();
    let places: Vec<Vec<f64>> =
        merged.inputs[0].sets.iter().map(|named| named.set.shape().parameters()).collect();
    assert_eq!(places, [vec![1.0, 2.0], vec![8.1, 2.0]]);
    assert_eq!(merged.inputs[1], system().inputs[1]);
    let expected = [
        "if a is low and b is low then y = 1",
        "if a is mid and b is low then y = 0.5 a - 1.25 b + 2",
        "if b is high then y = 4",
    ];
    assert_eq!(rules(&merged).unwrap(), expected);
    assert_eq!(merged.outputs[0].variable.sets.len(), 3);
    assert_eq!(merge_sets(&system(), 0.99).unwrap(), system());
    for similarity in [0.0, 1.0, f64::NAN] {
        assert!(merge_sets(&system(), similarity).is_err());
    }
}

#[test]
fn rules_with_low_support_are_pruned_and_the_best_is_kept() {
    let of = |supports: [f64; 4]| supports.map(|support| RuleSupport { support, coverage: 0.0 });
    let pruned = prune_rules(&system(), &of([0.5, 0.0005, 0.4, 0.0995]), 0.001).unwrap();
    let expected = [
        "if a is low and b is low then y = 1",
        "if a is high and b is low then y = 2.123 * a - 1",
        "if b is high then y = 4",
    ];
    assert_eq!(rules(&pruned).unwrap(), expected);
    assert_eq!(pruned.inputs[0].sets.len(), 2);
    let one = prune_rules(&system(), &of([0.2, 0.5, 0.2, 0.1]), 0.9).unwrap();
    assert_eq!(rules(&one).unwrap(), [expected_second()]);
    let message = prune_rules(&system(), &of([0.25; 4])[..3], 0.1).unwrap_err().to_string();
    assert_eq!(message, "the system has 4 rules, but 3 values were given; give one value per rule");
}

fn expected_second() -> &'static str {
    "if a is mid and b is low then y = 0.5 a - 1.25 b + 2"
}

#[test]
fn consequents_of_a_simplified_system_can_be_refitted() {
    let (table, device) = (truck(8).unwrap(), Device::cpu().unwrap());
    let tuned = Tuner::grid(&[5, 3]).order(0).iterations(0).fit(&table, &["theta"], &device).unwrap();
    let merged = merge_sets(&tuned.system, 0.1).unwrap();
    let count = |system: &System| system.blocks[0].rules.len();
    assert!(count(&merged) < 15);
    let again = Tuner::new(InitialRules::System(Box::new(merged.clone()))).order(0).iterations(0);
    let again = again.fit(&table, &["theta"], &device).unwrap();
    assert_eq!(count(&again.system), count(&merged));
    assert!(again.report.rmse >= tuned.report.rmse && again.report.rmse < 20.0, "{:?}", again.report.rmse);
}

#[test]
fn the_only_relevant_input_is_the_most_important() {
    let rows: Vec<f64> = (0..64u32)
        .flat_map(|i| {
            let (a, b) = (f64::from(i % 8), f64::from(i / 8));
            [b, a, 3.0 * a]
        })
        .collect();
    let table = Table::new(["noise", "cause", "y"], rows).unwrap();
    let device = Device::cpu().unwrap();
    let tuned = Tuner::grid(&[2]).iterations(0).fit(&table, &["y"], &device).unwrap();
    let importance = tuned.permutation_importance(&table, 7, &device).unwrap();
    assert_eq!((importance[0].input.as_str(), importance[1].input.as_str()), ("cause", "noise"));
    // Permuting y = 3a changes it by 3·(a − a'), with root mean square 3·√(2·5.25) = 9.7 for independent draws.
    assert!((7.0..12.0).contains(&importance[0].importance), "{importance:?}");
    assert!(importance[1].importance.abs() < 0.01, "{importance:?}");
    assert_eq!(tuned.permutation_importance(&table, 7, &device).unwrap(), importance);
    assert_ne!(tuned.permutation_importance(&table, 8, &device).unwrap(), importance);
}

#[test]
fn the_importance_in_a_linear_function_is_its_slope_times_the_deviation_times_the_square_root_of_two() {
    let mut random = crate::random::Random::new(9);
    let row = |_| {
        let (a, b, c) = (random.between(0.0, 6.0), random.between(-10.0, 10.0), random.unit());
        [a, b, c, 2.0 * a - 0.5 * b]
    };
    let table = Table::new(["a", "b", "c", "y"], (0..4000).flat_map(row).collect::<Vec<f64>>()).unwrap();
    let device = Device::cpu().unwrap();
    let tuned = Tuner::grid(&[1]).iterations(0).fit(&table, &["y"], &device).unwrap();
    let importance = tuned.permutation_importance(&table, 1, &device).unwrap();
    let names: Vec<&str> = importance.iter().map(|one| one.input.as_str()).collect();
    assert_eq!(names, ["a", "b", "c"]);
    // A uniform number in a range of length r has the standard deviation r/√12.
    for (one, expected) in importance.iter().zip([2.0 * 6.0, 0.5 * 20.0, 0.0]) {
        let expected = expected / 12f64.sqrt() * 2f64.sqrt();
        assert!((one.importance - expected).abs() <= 0.03 * expected + 1e-6, "{one:?} {expected}");
        assert!(one.standard_error <= 0.02 * expected + 1e-6, "{one:?}");
    }
    assert!(importance[0].standard_error > 0.0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn merging_never_adds_sets_and_is_idempotent(
        means in prop::collection::vec(0.0f64..10.0, 1..6), similarity in 0.05f64..0.95,
    ) {
        let mut input = Variable::new("a", 0.0, 10.0);
        for (i, mean) in means.iter().enumerate() {
            input = input.set(format!("s{i}"), Set::gaussian(*mean, 1.5).unwrap());
        }
        let mut system = System::new("").input(input).output(Output::new("y", 0.0, 1.0).set("z", Set::constant(1.0).unwrap()));
        for i in 0..means.len() {
            system = system.rule(&format!("if a is s{i} then y is z")).unwrap();
        }
        let merged = merge_sets(&system, similarity).unwrap();
        prop_assert!(merged.inputs[0].sets.len() <= means.len());
        prop_assert_eq!(merged.blocks[0].rules.len(), merged.inputs[0].sets.len());
        prop_assert_eq!(merge_sets(&merged, similarity).unwrap(), merged);
    }
}
