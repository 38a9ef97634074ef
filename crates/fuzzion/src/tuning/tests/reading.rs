//! Rules in words, their support, and smaller systems.

use crate::data::Table;
use crate::device::Device;
use crate::inference::{Dialect, Output, System, Variable};
use crate::sets::Set;
use crate::tuning::reading::{Support, merge_sets, prune_rules, rules, support};
use crate::tuning::{Start, Tuner, truck};
use proptest::prelude::*;

/// Two inputs, three sets of which two nearly are the same, four rules.
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
fn rules_are_sentences_with_rounded_numbers() {
    let expected = [
        "if a is low and b is low then y = 1",
        "if a is mid and b is low then y = 0.5 a - 1.25 b + 2",
        "if a is high and b is low then y = 2.123 * a - 1",
        "if b is high then y = 4",
    ];
    assert_eq!(rules(&system()).unwrap(), expected);
}

#[test]
fn support_is_the_mean_share_and_coverage_counts_rows() {
    let (system, rows) = (system(), rows());
    let found = support(&system, &rows, &Device::cpu().unwrap()).unwrap();
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
fn a_table_without_an_input_is_refused() {
    let table = Table::new(["a"], vec![1.0]).unwrap();
    let sentence = support(&system(), &table, &Device::cpu().unwrap()).unwrap_err().to_string();
    assert!(sentence.starts_with("no column is called `b`"), "{sentence}");
}

#[test]
fn near_equal_sets_and_the_rules_that_then_ask_the_same_become_one() {
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
fn unused_rules_go_and_the_best_always_stays() {
    let of = |supports: [f64; 4]| supports.map(|support| Support { support, coverage: 0.0 });
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
    let sentence = prune_rules(&system(), &of([0.25; 4])[..3], 0.1).unwrap_err().to_string();
    assert_eq!(sentence, "the system has 4 rules, but 3 values were given; give one for each rule");
}

fn expected_second() -> &'static str {
    "if a is mid and b is low then y = 0.5 a - 1.25 b + 2"
}

#[test]
fn a_simplified_system_learns_its_consequents_anew() {
    let (table, device) = (truck(8).unwrap(), Device::cpu().unwrap());
    let tuned = Tuner::grid(&[5, 3]).order(0).iterations(0).fit(&table, &["theta"], &device).unwrap();
    let merged = merge_sets(&tuned.system, 0.1).unwrap();
    let count = |system: &System| system.blocks[0].rules.len();
    assert!(count(&merged) < 15);
    let again = Tuner::new(Start::System(Box::new(merged.clone()))).order(0).iterations(0);
    let again = again.fit(&table, &["theta"], &device).unwrap();
    assert_eq!(count(&again.system), count(&merged));
    assert!(again.report.rmse >= tuned.report.rmse && again.report.rmse < 20.0, "{:?}", again.report.rmse);
}

#[test]
fn the_input_that_says_everything_is_the_most_important() {
    let rows: Vec<f64> = (0..64u32)
        .flat_map(|i| {
            let (a, b) = (f64::from(i % 8), f64::from(i / 8));
            [b, a, 3.0 * a]
        })
        .collect();
    let table = Table::new(["noise", "cause", "y"], rows).unwrap();
    let device = Device::cpu().unwrap();
    let tuned = Tuner::grid(&[2]).iterations(0).fit(&table, &["y"], &device).unwrap();
    let importance = tuned.importance(&table, 7, &device).unwrap();
    assert_eq!((importance[0].input.as_str(), importance[1].input.as_str()), ("cause", "noise"));
    // Shuffling y = 3a moves it by 3·(a − a'), whose root of the mean square is 3·√(2·5.25) = 9.7 for free draws.
    assert!((7.0..12.0).contains(&importance[0].importance), "{importance:?}");
    assert!(importance[1].importance.abs() < 0.01, "{importance:?}");
    assert_eq!(tuned.importance(&table, 7, &device).unwrap(), importance);
    assert_ne!(tuned.importance(&table, 8, &device).unwrap(), importance);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn merging_never_makes_more_and_at_last_nothing_is_left_to_merge(
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
