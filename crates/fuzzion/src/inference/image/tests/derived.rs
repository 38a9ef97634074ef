//! What the fast path is derived from, and from what not.

use super::super::derive::{Fast, Shape};
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
    let mut made = System::new("").output(output).block(block);
    made.inputs = names.iter().map(input).collect();
    rules.iter().fold(made, |system, rule| system.rule(rule).unwrap())
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
fn means_of_straight_lines_that_conclude_one_set_are_sums() {
    let made = operator(&system(&CROSS, 40.0, &RULES));
    let Some(Fast::Sums { pattern, table }) = made.fast::<u8>() else { panic!("not derived") };
    assert_eq!((pattern.reach, table.len()), (40, 2 * 40 * 2 + 1));
    assert!(matches!(&pattern.shape, Shape::Any(rules) if rules.len() == 3));
    for (i, (width, height)) in SIZES.into_iter().enumerate() {
        run_everywhere(&made, &noise(width, height, 1, i as u64));
    }
    run_everywhere(&made, &deep(&noise(9, 5, 1, 1), 2));
}

#[test]
fn the_compass_is_known_by_its_rules_in_any_order_and_by_other_names() {
    let mut fire = Operator::named("fire-edges").unwrap().system().clone();
    fire.name = "something else".into();
    fire.blocks[0].rules[..8].reverse();
    let shuffled = operator(&fire);
    assert!(
        matches!(shuffled.fast::<u8>(), Some(Fast::Sums { pattern, .. }) if matches!(pattern.shape, Shape::Compass))
    );
    let images = noise(40, 40, 1, 1);
    assert_eq!(run_everywhere(&shuffled, &images), run(&Operator::named("fire-edges").unwrap(), &images));
    // The same neighbors in the middle of a window of 5 × 5.
    let names = ["d_11", "d_12", "d_13", "d_23", "d_33", "d_32", "d_31", "d_21"];
    fire.inputs.iter_mut().zip(names).for_each(|(input, name)| input.name = name.into());
    assert_eq!(run_everywhere(&operator(&fire), &images), run(&shuffled, &images));
    fire.blocks[0].rules.remove(0);
    assert!(
        matches!(operator(&fire).fast::<u8>(), Some(Fast::Sums { pattern, .. }) if matches!(pattern.shape, Shape::Any(_)))
    );
    run_everywhere(&operator(&fire), &images);
}

#[test]
fn one_input_is_a_table_whichever_it_is() {
    for name in ["c", "p_ne", "d_ne", "p_40", "d_40"] {
        let output = Output::new("pixel", 0.0, 255.0)
            .set("made", Set::function(&format!("100 - {name} / 3")).unwrap());
        let input = Variable::new(name, -255.0, 255.0);
        let made = System::new("").input(input).output(output);
        let made = operator(&made.rule(&format!("if {name} is any then pixel is made")).unwrap());
        assert_eq!((made.path_for(8), made.path_for(16)), (Path::Fast, Path::Fast));
        run_everywhere(&made, &noise(19, 7, 1, 1));
        run_everywhere(&made, &deep(&noise(5, 7, 1, 1), 1));
    }
}

#[test]
fn where_the_output_depends_on_more_the_general_path_is_taken() {
    let path = |system: &System| operator(system).path_for(8);
    let plain = system(&CROSS, 40.0, &RULES);
    assert_eq!(path(&plain), Path::Fast);
    assert_eq!(operator(&plain).path(Path::General).path_for(8), Path::General);
    let changed = |change: fn(&mut System)| {
        let mut system = plain.clone();
        change(&mut system);
        run_everywhere(&operator(&system), &noise(20, 9, 1, 1));
        path(&system)
    };
    assert_eq!(
        changed(|s| s.blocks[0].conjunction = Some(Conjunction::Norm(crate::sets::TNorm::Minimum))),
        Path::General
    );
    assert_eq!(changed(|s| s.blocks[0].rules[0].weight = 0.5), Path::General);
    assert_eq!(changed(|s| s.blocks[0].rules[0].consequent[0].set = 1), Path::General);
    assert_eq!(changed(|s| s.outputs[0].aggregation = Some(SNorm::AlgebraicSum)), Path::General);
    assert_eq!(changed(|s| s.inputs[0].sets[1].set = Set::ramp(-39.0, 39.0).unwrap()), Path::General);
    assert_eq!(changed(|s| s.inputs[0].sets[1].set = Set::s_shape(-40.0, 40.0).unwrap()), Path::General);
    assert_eq!(changed(|s| s.inputs[0].enabled = false), Path::General);
    assert_eq!(
        changed(|s| s.outputs[0].variable.sets[1].set = Set::function("d_n / 255").unwrap()),
        Path::General
    );
    // Between black and white of the same strength the mean of the maximum jumps.
    let maximum = crate::inference::Defuzzifier::MeanOfMaximum { samples: Some(256) };
    let mut system = plain.clone();
    system.outputs[0].defuzzifier = maximum;
    assert_eq!(path(&system), Path::General);
    assert_eq!(path(&super::derived::system(&CROSS, 40.5, &RULES)), Path::General);
}

#[test]
fn a_pixel_about_which_nothing_is_concluded_stays() {
    let rule = ["if d_n is positive and d_s is negative then pixel is dark"];
    let mut made = system(&["d_n", "d_s"], 1.0, &rule);
    made.blocks[0].conjunction = Some(Conjunction::Norm(crate::sets::TNorm::Minimum));
    let column = Images::new(1, 4, 1, Pixels::U8(vec![90, 10, 50, 200])).unwrap();
    // Only the first pixel fires: as far as the repeated one above it is brighter.
    let found = run_everywhere(&operator(&made), &column);
    assert!(bytes(&found)[0] < 90 && bytes(&found)[1..] == [10, 50, 200], "{found:?}");
    let c = Variable::new("c", 0.0, 255.0).set("dark", Set::rectangle(0.0, 50.0).unwrap());
    let output = Output::new("pixel", 0.0, 255.0).set("white", Set::constant(255.0).unwrap());
    let made = System::new("").input(c).output(output).rule("if c is dark then pixel is white").unwrap();
    let made = operator(&made);
    assert_eq!(made.path_for(8), Path::Fast);
    assert_eq!(bytes(&run_everywhere(&made, &column)), [90, 255, 255, 200]);
}
