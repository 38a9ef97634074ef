//! Rules: syntax, firing strengths and activation.

use super::super::image::Border;
use super::super::{
    Activation, Antecedent, Comparison, Conjunction, Defuzzifier, Dialect, Output, RuleBlock, System,
    Variable, WeightedKind,
};
use super::three_inputs;
use crate::sets::{SNorm, Set, TNorm};

const D: Dialect = Dialect::Fuzzylite8;

/// Firing strength of one rule of [`three_inputs`] at (a, b, c).
fn strength(block: RuleBlock, text: &str, row: [f64; 3]) -> f64 {
    let system = three_inputs().block(block).rule(text).unwrap();
    system.infer_row(&row, D).unwrap().rules[0].strength
}

#[test]
fn rule_text_round_trips() {
    for text in [
        "if a is on then y is one",
        "if a is not very on and b is any then y is somewhat one and y is two with 0.5",
        "if a is on and b is on and c is on then y is one",
        "if (a is on or b is on) and c is on then y is one",
        "if a is on and (b is on and c is on) then y is one",
        "if (a is on and b is on) or c is on then y is one",
        "if not (a is on or not (b is on)) then y is one",
        "if y is one then y is two",
        "else y is four with 0.25",
    ] {
        let system = three_inputs().rule(text).unwrap();
        assert_eq!(system.rule_text(&system.blocks[0].rules[0]).unwrap(), text);
    }
}

#[test]
fn and_takes_precedence_over_or() {
    let or_and = "if a is on or b is on and c is on then y is one";
    assert_eq!(strength(RuleBlock::new(""), or_and, [0.25, 0.75, 0.5]), 0.5);
    assert_eq!(strength(RuleBlock::new(""), or_and, [0.9, 0.75, 0.5]), 0.9);
    let grouped = "if (a is on or b is on) and c is on then y is one";
    assert_eq!(strength(RuleBlock::new(""), grouped, [0.9, 0.75, 0.5]), 0.5);
}

#[test]
fn the_hedge_next_to_the_set_is_applied_first() {
    let text = "if a is not very on then y is one";
    assert_eq!(strength(RuleBlock::new(""), text, [0.5, 0.0, 0.0]), 0.75); // 1 − ½²
    let text = "if a is very not on then y is one";
    assert_eq!(strength(RuleBlock::new(""), text, [0.25, 0.0, 0.0]), 0.5625); // (1 − ¼)²
    let text = "if a is not any then y is one";
    assert_eq!(strength(RuleBlock::new(""), text, [f64::NAN, 0.0, 0.0]), 0.0);
}

#[test]
fn the_mean_combines_all_operands_of_and_at_once_and_a_product_pairwise() {
    let text = "if a is on and b is on and c is on then y is one with 0.5";
    let block = RuleBlock::new("").conjunction(Conjunction::Mean);
    assert_eq!(strength(block, text, [0.5, 0.25, 0.75]), 0.25);
    let block = RuleBlock::new("").conjunction(Conjunction::Norm(TNorm::AlgebraicProduct));
    assert_eq!(strength(block, text, [0.5, 0.25, 0.5]), 0.03125);
}

#[test]
fn not_and_else_are_complements() {
    let text = "if not (a is on and b is on) then y is one";
    assert_eq!(strength(RuleBlock::new(""), text, [0.25, 0.5, 0.0]), 0.75);
    let system = three_inputs().rule("else y is four").unwrap().rule("if a is on then y is one").unwrap();
    let row = system.rule("if b is on then y is two").unwrap().infer_row(&[0.25, 0.5, 0.0], D).unwrap();
    assert_eq!(row.rules[0].strength, 0.5); // 1 − max(¼, ½), although it is the first rule
    assert_eq!(row.outputs, [(0.25 + 1.0 + 2.0) / 1.25]);
}

/// Fired rules at (0.25, 0.5, 0.25) and the output Σ w·z / Σ w.
fn fired_rules(activation: Activation) -> (Vec<bool>, f64) {
    let mut system = three_inputs().block(RuleBlock::new("").activation(activation));
    for rule in ["if a is on then y is one", "if b is on then y is two", "if c is on then y is four"] {
        system = system.rule(rule).unwrap();
    }
    let row = system.infer_row(&[0.25, 0.5, 0.25], D).unwrap();
    (row.rules.iter().map(|rule| rule.fired).collect(), row.outputs[0])
}

#[test]
fn each_activation_selects_its_rules() {
    let both = (0.25 + 1.0) / 0.75;
    assert_eq!(fired_rules(Activation::General), (vec![true, true, true], 2.25));
    assert_eq!(fired_rules(Activation::First { rules: 2, threshold: 0.0 }), (vec![true, true, false], both));
    assert_eq!(fired_rules(Activation::First { rules: 2, threshold: 0.3 }), (vec![false, true, false], 2.0));
    assert_eq!(fired_rules(Activation::Last { rules: 1, threshold: 0.0 }), (vec![false, false, true], 4.0));
    assert_eq!(fired_rules(Activation::Highest { rules: 2 }), (vec![true, true, false], both));
    assert_eq!(fired_rules(Activation::Lowest { rules: 1 }), (vec![true, false, false], 1.0));
    assert_eq!(fired_rules(Activation::Proportional), (vec![true, true, true], 2.25));
    let threshold = Activation::Threshold { comparison: Comparison::GreaterOrEqual, threshold: 0.5 };
    assert_eq!(fired_rules(threshold), (vec![false, true, false], 2.0));
}

#[test]
fn proportional_strengths_sum_to_one() {
    let block = RuleBlock::new("").activation(Activation::Proportional);
    let system = three_inputs().block(block).rule("if a is on then y is one").unwrap();
    let row = system.rule("if b is on then y is two").unwrap().infer_row(&[0.25, 0.75, 0.0], D).unwrap();
    assert_eq!([row.rules[0].strength, row.rules[1].strength], [0.25, 0.75]);
}

#[test]
fn a_rule_can_use_sets_activated_by_earlier_rules() {
    let on = Set::constant(1.0).unwrap();
    let mut system =
        three_inputs().output(Output::new("z", 0.0, 1.0).set("on", on).aggregation(Some(SNorm::BoundedSum)));
    system.outputs[0].aggregation = Some(SNorm::Maximum);
    for rule in [
        "if a is on then y is one",
        "if b is on then y is one",
        "if y is very one then z is on",
        "if y is four then z is on",
    ] {
        system = system.rule(rule).unwrap();
    }
    let row = system.infer_row(&[0.25, 0.5, 0.0], D).unwrap();
    assert_eq!(row.rules[2].strength, 0.25); // max(¼, ½)²
    assert_eq!(row.rules[3].strength, 0.0);
    assert_eq!(row.fired, [true, true]);
    assert_eq!(row.activated[1].iter().map(|a| a.strength).collect::<Vec<_>>(), [0.25, 0.0]);
}

#[test]
fn a_function_can_use_inputs_and_earlier_outputs() {
    let f = |text: &str| Set::function(text).unwrap();
    let system = System::new("")
        .input(Variable::new("p", 0.0, 9.0).set("on", Set::ramp(0.0, 1.0).unwrap()))
        .output(Output::new("q", 0.0, 9.0).set("f", f("2 * p")))
        .output(Output::new("r", 0.0, 9.0).set("g", f("q + x")))
        .rule("if p is any then q is f and r is g with 0.5")
        .unwrap();
    assert_eq!(system.infer_row(&[3.0], D).unwrap().outputs, [6.0, 6.5]); // x is the strength
}

#[test]
fn syntax_errors_report_location_and_expected_tokens() {
    let problem = |text: &str| three_inputs().rule(text).unwrap_err().to_string();
    assert_eq!(
        problem("if a is hot then y is one"),
        "rule, line 1, column 9: found `hot`, expected a hedge or a set of `a` (`on`)\n  if a is hot then y is one\n          ^"
    );
    for (text, expected) in [
        ("", "column 1: found the end of the line, expected `if`"),
        ("if d is on then y is one", "column 4: found `d`, expected a variable (`a`, `b`, `c`, `y`)"),
        (
            "if a is on then y is oen",
            "column 22: found `oen` (did you mean `one`?), expected a hedge or a set of `y` (",
        ),
        (
            "if A is on then y is one",
            "column 4: found `A` (did you mean `a`?), expected a variable (`a`, `b`, `c`, `y`)",
        ),
        ("if a on then y is one", "column 6: found `on`, expected `is`"),
        ("if a is on", "column 11: found the end of the line, expected `and`, `or` or `then`"),
        ("if (a is on then y is one", "column 13: found `then`, expected `and`, `or` or `)`"),
        ("if a is on then b is on", "column 17: found `b`, expected an output (`y`)"),
        ("if a is on then y is one with x", "column 31: found `x`, expected a weight, such as 0.5"),
        (
            "if a is on then y is one nor",
            "column 26: found `nor`, expected `and`, `with` or the end of the rule",
        ),
    ] {
        assert!(problem(text).contains(expected), "{}", problem(text));
    }
}

#[test]
fn an_incomplete_system_is_rejected_with_the_missing_part() {
    let problem = |system: System| system.check().unwrap_err().to_string();
    assert_eq!(problem(System::new("")), "the system has no inputs; add at least one");
    assert_eq!(
        problem(three_inputs().block(RuleBlock::new("empty"))),
        "rule block `empty` has no rules; add a rule or remove the block"
    );
    let mut system = three_inputs().rule("if a is on and b is on then y is one").unwrap();
    system.blocks[0].conjunction = None;
    assert_eq!(
        problem(system.clone()),
        "rule 1 of rule block 1 uses `and`, but its block has no conjunction; set one"
    );
    system.blocks[0].rules[0].antecedent = Antecedent::Else;
    system.blocks[0].rules[0].consequent[0].set = 7;
    assert_eq!(
        problem(system),
        "rule 1 of rule block 1 refers to a set that `y` does not have; use one of its sets"
    );
    let row = three_inputs().rule("if a is on then y is one").unwrap().infer_row(&[1.0], D).unwrap_err();
    assert_eq!(row.to_string(), "the system has 3 inputs, but 1 value was given; give one value per input");
}

#[test]
fn an_unnamed_variable_is_reported_by_its_number() {
    let mut system = three_inputs().rule("if a is on then y is one").unwrap();
    system.inputs[1].name.clear();
    system.inputs[1].minimum = f64::NAN;
    assert_eq!(
        system.check().unwrap_err().to_string(),
        "input 2 has a NaN range bound; use numbers, `-inf` or `inf`"
    );
}

#[test]
fn excessive_nesting_is_also_rejected_by_check() {
    let mut system = three_inputs().rule("if a is on then y is one").unwrap();
    for _ in 0..200 {
        let rule = &mut system.blocks[0].rules[0];
        rule.antecedent = Antecedent::Not(Box::new(rule.antecedent.clone()));
    }
    assert!(system.check().unwrap_err().to_string().contains("has an antecedent that is nested too deeply"));
    let level = "not (a is on or b is on and ";
    let deepest = format!("if {}c is on{} then y is one", level.repeat(64), ")".repeat(64));
    assert!(three_inputs().rule(&deepest).unwrap().check().is_ok());
    let deep = format!("if {}a is on{} then y is one", "(".repeat(100_000), ")".repeat(100_000));
    assert!(three_inputs().rule(&deep).unwrap_err().to_string().contains("at most 64 nested parentheses"));
    let hedges = three_inputs().rule(&format!("if a is {}on then y is one", "very ".repeat(1000))).unwrap();
    assert_eq!(hedges.infer_row(&[1.0, 0.0, 0.0], D).unwrap().rules[0].strength, 1.0);
}

#[test]
fn the_deepest_valid_antecedent_round_trips() {
    let level = "not (a is on or b is on and ";
    let deepest = format!("if {}c is on{} then y is one", level.repeat(64), ")".repeat(64));
    let system = three_inputs().rule(&deepest).unwrap();
    let text = system.rule_text(&system.blocks[0].rules[0]).unwrap();
    assert_eq!(three_inputs().rule(&text).unwrap(), system);
    // One level more than the limit.
    let mut nots = three_inputs().rule("if a is on then y is one").unwrap();
    for _ in 0..65 {
        let rule = &mut nots.blocks[0].rules[0];
        rule.antecedent = Antecedent::Not(Box::new(rule.antecedent.clone()));
    }
    assert!(nots.check().unwrap_err().to_string().contains("has an antecedent that is nested too deeply"));
}

#[test]
fn options_parse_from_their_display() {
    fn check<T: std::str::FromStr + std::fmt::Display + PartialEq + std::fmt::Debug>(options: &[T])
    where
        T::Err: std::fmt::Debug,
    {
        options.iter().for_each(|option| assert_eq!(option.to_string().parse::<T>().unwrap(), *option));
    }
    check(&Defuzzifier::ALL);
    check(&Defuzzifier::ALL.map(|defuzzifier| defuzzifier.with_samples(Some(7))));
    check(&WeightedKind::ALL.map(|kind| Defuzzifier::WeightedAverage { kind }));
    check(&Conjunction::all().collect::<Vec<_>>());
    check(&[
        Activation::General,
        Activation::Proportional,
        Activation::Highest { rules: 3 },
        Activation::Lowest { rules: 3 },
        Activation::First { rules: 2, threshold: 0.1 },
        Activation::Last { rules: 2, threshold: 1e-7 },
    ]);
    check(&Comparison::ALL.map(|comparison| Activation::Threshold { comparison, threshold: 0.5 }));
    check(&[Border::Replicate, Border::Reflect, Border::Constant(12.5)]);
    let message = |text: &str| text.parse::<Defuzzifier>().unwrap_err().to_string();
    assert!(message("Centroid many").starts_with("defuzzifier, line 1, column 10: found `many`"));
    assert_eq!(
        "mean".parse::<Conjunction>().unwrap_err().to_string().split(';').next(),
        Some("unknown conjunction `mean`")
    );
    assert_eq!(
        "-1".parse::<Border>().unwrap_err().to_string(),
        "unknown border `-1`; expected replicate, reflect or a brightness from 0 to 255"
    );
}
