//! Systems with and without a fast path.

use super::super::fast_path::{FastPath, SumRules};
use super::*;
use crate::inference::{Conjunction, Dialect, Output, RuleBlock, System, Variable};
use crate::sets::{SNorm, Set};

/// Rules over differences of the given names that are positive or negative at `threshold`.
fn system(names: &[&str], threshold: f64, rules: &[&str]) -> System {
    let falling = Set::ramp(threshold, -threshold).unwrap();
    let rising = Set::ramp(-threshold, threshold).unwrap();
    let input = |name: &&str| {
        Variable::new(*name, -255.0, 255.0).set("negative", falling.clone()).set("positive", rising.clone())
    };
    let output = Output::new("pixel", 0.0, 255.0)
        .set("dark", Set::triangle(0.0, 20.0, 90.0).unwrap())
        .set("light", Set::gaussian(200.0, 30.0).unwrap());
    let block = RuleBlock::new("").conjunction(Conjunction::Mean);
    let mut built = System::new("").output(output).block(block);
    built.inputs = names.iter().map(input).collect();
    rules.iter().fold(built, |system, rule| system.rule(rule).unwrap())
}

const RULES: [&str; 4] = [
    "if d_n is positive and d_s is negative then pixel is dark",
    "if d_e is not positive and d_w is not negative then pixel is dark",
    "if d_n is positive and d_n is positive then pixel is dark",
    "else pixel is light",
];
const CROSS: [&str; 4] = ["d_n", "d_s", "d_e", "d_w"];

fn operator(system: &System) -> Operator {
    Operator::new(system, Dialect::Fuzzylite8).unwrap()
}

#[test]
fn means_of_linear_memberships_with_one_conclusion_use_a_table_over_sums() {
    let tested = operator(&system(&CROSS, 40.0, &RULES));
    let Some(FastPath::Sums { pattern, table }) = tested.fast::<u8>() else { panic!("not derived") };
    assert_eq!((pattern.threshold, table.len()), (40, 2 * 40 * 2 + 1));
    assert!(matches!(&pattern.rules, SumRules::General(rules) if rules.len() == 3));
    for (i, (width, height)) in SIZES.into_iter().enumerate() {
        run_everywhere(&tested, &noise(width, height, 1, i as u64));
    }
    run_everywhere(&tested, &deep(&noise(9, 5, 1, 1), 2));
}

#[test]
fn the_compass_rules_are_recognized_in_any_order_and_under_other_names() {
    let mut fire = Operator::named("fire-edges").unwrap().system().clone();
    fire.name = "something else".into();
    fire.blocks[0].rules[..8].reverse();
    let shuffled = operator(&fire);
    assert!(
        matches!(shuffled.fast::<u8>(), Some(FastPath::Sums { pattern, .. }) if matches!(pattern.rules, SumRules::Compass))
    );
    let images = noise(40, 40, 1, 1);
    assert_eq!(run_everywhere(&shuffled, &images), run(&Operator::named("fire-edges").unwrap(), &images));
    // The same neighbors within a 5 × 5 window.
    let names = ["d_11", "d_12", "d_13", "d_23", "d_33", "d_32", "d_31", "d_21"];
    fire.inputs.iter_mut().zip(names).for_each(|(input, name)| input.name = name.into());
    assert_eq!(run_everywhere(&operator(&fire), &images), run(&shuffled, &images));
    fire.blocks[0].rules.remove(0);
    assert!(
        matches!(operator(&fire).fast::<u8>(), Some(FastPath::Sums { pattern, .. }) if matches!(pattern.rules, SumRules::General(_)))
    );
    run_everywhere(&operator(&fire), &images);
}

#[test]
fn every_system_with_one_input_uses_a_table() {
    for name in ["c", "p_ne", "d_ne", "p_40", "d_40"] {
        let output = Output::new("pixel", 0.0, 255.0)
            .set("mapped", Set::function(&format!("100 - {name} / 3")).unwrap());
        let input = Variable::new(name, -255.0, 255.0);
        let tested = System::new("").input(input).output(output);
        let tested = operator(&tested.rule(&format!("if {name} is any then pixel is mapped")).unwrap());
        assert_eq!((tested.execution_for(8), tested.execution_for(16)), (Execution::Fast, Execution::Fast));
        run_everywhere(&tested, &noise(19, 7, 1, 1));
        run_everywhere(&tested, &deep(&noise(5, 7, 1, 1), 1));
    }
}

#[test]
fn systems_without_a_fast_path_use_general_execution() {
    let execution = |system: &System| operator(system).execution_for(8);
    let supported = system(&CROSS, 40.0, &RULES);
    assert_eq!(execution(&supported), Execution::Fast);
    assert_eq!(operator(&supported).execution(Execution::General).execution_for(8), Execution::General);
    let changed = |change: fn(&mut System)| {
        let mut system = supported.clone();
        change(&mut system);
        run_everywhere(&operator(&system), &noise(20, 9, 1, 1));
        execution(&system)
    };
    assert_eq!(
        changed(|s| s.blocks[0].conjunction = Some(Conjunction::Norm(crate::sets::TNorm::Minimum))),
        Execution::General
    );
    assert_eq!(changed(|s| s.blocks[0].rules[0].weight = 0.5), Execution::General);
    assert_eq!(changed(|s| s.blocks[0].rules[0].consequent[0].set = 1), Execution::General);
    assert_eq!(changed(|s| s.outputs[0].aggregation = Some(SNorm::AlgebraicSum)), Execution::General);
    assert_eq!(changed(|s| s.inputs[0].sets[1].set = Set::ramp(-39.0, 39.0).unwrap()), Execution::General);
    assert_eq!(changed(|s| s.inputs[0].sets[1].set = Set::s_shape(-40.0, 40.0).unwrap()), Execution::General);
    assert_eq!(changed(|s| s.inputs[0].enabled = false), Execution::General);
    assert_eq!(
        changed(|s| s.outputs[0].variable.sets[1].set = Set::function("d_n / 255").unwrap()),
        Execution::General
    );
    // The mean of maximum jumps where black and white have equal strengths.
    let maximum = crate::inference::Defuzzifier::MeanOfMaximum { samples: Some(256) };
    let mut system = supported.clone();
    system.outputs[0].defuzzifier = maximum;
    assert_eq!(execution(&system), Execution::General);
    assert_eq!(execution(&super::derived::system(&CROSS, 40.5, &RULES)), Execution::General);
}

#[test]
fn a_pixel_without_a_firing_rule_is_unchanged() {
    let rule = ["if d_n is positive and d_s is negative then pixel is dark"];
    let mut tested = system(&["d_n", "d_s"], 1.0, &rule);
    tested.blocks[0].conjunction = Some(Conjunction::Norm(crate::sets::TNorm::Minimum));
    let column = Images::new(1, 4, 1, Pixels::U8(vec![90, 10, 50, 200])).unwrap();
    // Only the first pixel fires, because of the replicated pixel above it.
    let found = run_everywhere(&operator(&tested), &column);
    assert!(bytes(&found)[0] < 90 && bytes(&found)[1..] == [10, 50, 200], "{found:?}");
    let c = Variable::new("c", 0.0, 255.0).set("dark", Set::rectangle(0.0, 50.0).unwrap());
    let output = Output::new("pixel", 0.0, 255.0).set("white", Set::constant(255.0).unwrap());
    let tested = System::new("").input(c).output(output).rule("if c is dark then pixel is white").unwrap();
    let tested = operator(&tested);
    assert_eq!(tested.execution_for(8), Execution::Fast);
    assert_eq!(bytes(&run_everywhere(&tested, &column)), [90, 255, 255, 200]);
}
