//! Rules: their text, their strengths, and which of them conclude.

use super::super::{
    Activation, Antecedent, Comparison, Conjunction, Dialect, Output, RuleBlock, System, Variable,
};
use super::three;
use crate::sets::{SNorm, Set, TNorm};

const D: Dialect = Dialect::Fuzzylite8;

/// The firing strength of one rule about [`three`] at (a, b, c).
fn strength(block: RuleBlock, text: &str, row: [f64; 3]) -> f64 {
    let system = three().block(block).rule(text).unwrap();
    system.infer_row(&row, D).unwrap().rules[0].strength
}

#[test]
fn a_rule_reads_back_as_its_own_text() {
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
        let system = three().rule(text).unwrap();
        assert_eq!(system.rule_text(&system.blocks[0].rules[0]).unwrap(), text);
    }
}

#[test]
fn and_binds_more_strongly_than_or() {
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
fn a_mean_joins_all_of_an_and_and_a_product_two_by_two() {
    let text = "if a is on and b is on and c is on then y is one with 0.5";
    let block = RuleBlock::new("").conjunction(Conjunction::Mean);
    assert_eq!(strength(block, text, [0.5, 0.25, 0.75]), 0.25);
    let block = RuleBlock::new("").conjunction(Conjunction::Norm(TNorm::AlgebraicProduct));
    assert_eq!(strength(block, text, [0.5, 0.25, 0.5]), 0.03125);
}

#[test]
fn not_and_else_are_what_is_left() {
    let text = "if not (a is on and b is on) then y is one";
    assert_eq!(strength(RuleBlock::new(""), text, [0.25, 0.5, 0.0]), 0.75);
    let system = three().rule("else y is four").unwrap().rule("if a is on then y is one").unwrap();
    let row = system.rule("if b is on then y is two").unwrap().infer_row(&[0.25, 0.5, 0.0], D).unwrap();
    assert_eq!(row.rules[0].strength, 0.5); // 1 − max(¼, ½), although it stands first
    assert_eq!(row.outputs, [(0.25 + 1.0 + 2.0) / 1.25]);
}

/// The firing strengths that count at (0.25, 0.5, 0.25) and the output, Σ w·z / Σ w.
fn chosen(activation: Activation) -> (Vec<bool>, f64) {
    let mut system = three().block(RuleBlock::new("").activation(activation));
    for rule in ["if a is on then y is one", "if b is on then y is two", "if c is on then y is four"] {
        system = system.rule(rule).unwrap();
    }
    let row = system.infer_row(&[0.25, 0.5, 0.25], D).unwrap();
    (row.rules.iter().map(|rule| rule.fired).collect(), row.outputs[0])
}

#[test]
fn each_activation_chooses_its_rules() {
    let both = (0.25 + 1.0) / 0.75;
    assert_eq!(chosen(Activation::General), (vec![true, true, true], 2.25));
    assert_eq!(chosen(Activation::First { rules: 2, threshold: 0.0 }), (vec![true, true, false], both));
    assert_eq!(chosen(Activation::First { rules: 2, threshold: 0.3 }), (vec![false, true, false], 2.0));
    assert_eq!(chosen(Activation::Last { rules: 1, threshold: 0.0 }), (vec![false, false, true], 4.0));
    assert_eq!(chosen(Activation::Highest { rules: 2 }), (vec![true, true, false], both));
    assert_eq!(chosen(Activation::Lowest { rules: 1 }), (vec![true, false, false], 1.0));
    assert_eq!(chosen(Activation::Proportional), (vec![true, true, true], 2.25));
    let threshold = Activation::Threshold { comparison: Comparison::GreaterOrEqual, threshold: 0.5 };
    assert_eq!(chosen(threshold), (vec![false, true, false], 2.0));
}

#[test]
fn proportional_strengths_sum_to_one() {
    let block = RuleBlock::new("").activation(Activation::Proportional);
    let system = three().block(block).rule("if a is on then y is one").unwrap();
    let row = system.rule("if b is on then y is two").unwrap().infer_row(&[0.25, 0.75, 0.0], D).unwrap();
    assert_eq!([row.rules[0].strength, row.rules[1].strength], [0.25, 0.75]);
}

#[test]
fn a_later_rule_sees_what_earlier_rules_concluded() {
    let on = Set::constant(1.0).unwrap();
    let mut system =
        three().output(Output::new("z", 0.0, 1.0).set("on", on).aggregation(Some(SNorm::BoundedSum)));
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
fn a_function_reads_inputs_and_the_outputs_before_it() {
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
fn a_rule_that_does_not_fit_says_where_and_what_was_expected() {
    let problem = |text: &str| three().rule(text).unwrap_err().to_string();
    assert_eq!(
        problem("if a is hot then y is one"),
        "rule, line 1, column 9: found `hot`, expected a hedge or a set of `a` (`on`)\n  if a is hot then y is one\n          ^"
    );
    for (text, expected) in [
        ("", "column 1: found the end of the line, expected `if`"),
        ("if d is on then y is one", "column 4: found `d`, expected a variable (`a`, `b`, `c`, `y`)"),
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
fn a_system_that_cannot_run_says_what_it_lacks() {
    let problem = |system: System| system.check().unwrap_err().to_string();
    assert_eq!(problem(System::new("")), "the system has no input; give it one");
    assert_eq!(
        problem(three().block(RuleBlock::new("empty"))),
        "rule block `empty` has no rules; give it one or leave it out"
    );
    let mut system = three().rule("if a is on and b is on then y is one").unwrap();
    system.blocks[0].conjunction = None;
    assert_eq!(
        problem(system.clone()),
        "rule 1 of rule block 1 joins by `and`, but its block has no conjunction; give it one"
    );
    system.blocks[0].rules[0].antecedent = Antecedent::Else;
    system.blocks[0].rules[0].consequent[0].set = 7;
    assert_eq!(
        problem(system),
        "rule 1 of rule block 1 concludes a set that `y` has not; name one of its sets"
    );
    let row = three().rule("if a is on then y is one").unwrap().infer_row(&[1.0], D).unwrap_err();
    assert_eq!(row.to_string(), "the system has 3 inputs, but 1 values were given; give one for each input");
}

#[test]
fn nesting_beyond_the_limit_is_refused_by_the_check_too() {
    let mut system = three().rule("if a is on then y is one").unwrap();
    for _ in 0..200 {
        let rule = &mut system.blocks[0].rules[0];
        rule.antecedent = Antecedent::Not(Box::new(rule.antecedent.clone()));
    }
    assert!(system.check().unwrap_err().to_string().contains("nests its antecedent too deep"));
    let level = "not (a is on or b is on and ";
    let deepest = format!("if {}c is on{} then y is one", level.repeat(64), ")".repeat(64));
    assert!(three().rule(&deepest).unwrap().check().is_ok());
    let deep = format!("if {}a is on{} then y is one", "(".repeat(100_000), ")".repeat(100_000));
    assert!(three().rule(&deep).unwrap_err().to_string().contains("at most 64 parentheses"));
    let hedges = three().rule(&format!("if a is {}on then y is one", "very ".repeat(1000))).unwrap();
    assert_eq!(hedges.infer_row(&[1.0, 0.0, 0.0], D).unwrap().rules[0].strength, 1.0);
}

#[test]
fn an_antecedent_of_any_depth_that_is_read_is_written_so_that_it_is_read_again() {
    let level = "not (a is on or b is on and ";
    let deepest = format!("if {}c is on{} then y is one", level.repeat(64), ")".repeat(64));
    let system = three().rule(&deepest).unwrap();
    let text = system.rule_text(&system.blocks[0].rules[0]).unwrap();
    assert_eq!(three().rule(&text).unwrap(), system);
    // 65 parentheses are too many, whoever wrote them.
    let mut nots = three().rule("if a is on then y is one").unwrap();
    for _ in 0..65 {
        let rule = &mut nots.blocks[0].rules[0];
        rule.antecedent = Antecedent::Not(Box::new(rule.antecedent.clone()));
    }
    assert!(nots.check().unwrap_err().to_string().contains("nests its antecedent too deep"));
}
