//! Explanations: sums of contributions, origins of outputs, and the report.

use super::super::explain::{Explanation, RuleStatus};
use super::super::{
    Activation, Defuzzifier, Dialect, Output, OutputSource, RuleBlock, System, Variable, WeightedKind,
};
use super::{three_inputs, tipper};
use crate::sets::{SNorm, Set, TNorm};
use proptest::prelude::*;

const D: Dialect = Dialect::Fuzzylite8;

/// System with three rules, two of which activate the same set.
fn overlapping(defuzzifier: Defuzzifier, aggregation: SNorm, implication: TNorm) -> System {
    let hill = |a, b, c| Set::triangle(a, b, c).unwrap();
    let on = Set::ramp(0.0, 1.0).unwrap();
    let input = |name: &str| Variable::new(name, 0.0, 1.0).set("on", on.clone());
    let y = Output::new("y", 0.0, 4.0).set("low", hill(0.0, 1.0, 3.0)).set("high", hill(1.0, 3.0, 4.0));
    let y = y.defuzzifier(defuzzifier).aggregation(Some(aggregation));
    let block = RuleBlock::new("").implication(implication);
    let system = System::new("").input(input("a")).input(input("b")).input(input("c")).output(y).block(block);
    let rules = ["if a is on then y is low", "if b is on then y is high", "if c is on then y is low"];
    rules.iter().fold(system, |system, rule| system.rule(rule).unwrap())
}

/// Sums of the fractions and of the addends of the first output.
fn sums(explanation: &Explanation) -> (f64, f64) {
    let contributions = &explanation.outputs[0].contributions;
    let addends = contributions.iter().map(|c| c.addend.unwrap_or(f64::NAN));
    (contributions.iter().map(|c| c.fraction).sum(), addends.sum())
}

proptest! {
    #[test]
    fn fractions_sum_to_one_and_addends_to_the_output(
        row in prop::array::uniform3(0.01f64..1.0),
        norm in 0..SNorm::ALL.len(),
        implication in 0..TNorm::ALL.len(),
        dialect in 0..Dialect::ALL.len(),
        sum: bool,
    ) {
        let dialect = Dialect::ALL[dialect];
        let kind = WeightedKind::Automatic;
        let mut weighted = three_inputs()
            .rule("if a is on then y is one").unwrap()
            .rule("if b is on then y is four").unwrap()
            .rule("if c is on then y is one with 0.5").unwrap();
        weighted.outputs[0].aggregation = Some(SNorm::ALL[norm]);
        if sum {
            weighted.outputs[0].defuzzifier = Defuzzifier::WeightedSum { kind };
        }
        // The drastic product of strengths below 1 is 0, and then all fractions are 0.
        let implication = TNorm::ALL.into_iter().filter(|norm| *norm != TNorm::DrasticProduct).nth(implication);
        let samples = Some(40);
        let sampled = overlapping(Defuzzifier::Centroid { samples }, SNorm::ALL[norm], implication.unwrap_or(TNorm::Minimum));
        for system in [weighted, sampled] {
            let explanation = system.explain(&row, dialect).unwrap();
            let inferred = system.infer_row(&row, dialect).unwrap();
            let output = &explanation.outputs[0];
            prop_assert_eq!(output.value.to_bits(), inferred.outputs[0].to_bits());
            for (explained, firing) in explanation.rules.iter().zip(&inferred.rules) {
                prop_assert_eq!(explained.strength, firing.strength);
                prop_assert_eq!(explained.status == RuleStatus::Fired, firing.fired);
            }
            if output.source == OutputSource::Rules {
                let (fractions, addends) = sums(&explanation);
                // Sums of at most 40 terms up to 4 in a different order: a few units in the last place.
                prop_assert!((fractions - 1.0).abs() < 1e-13, "{fractions}");
                prop_assert!((addends - output.value).abs() < 1e-13, "{addends} {}", output.value);
            }
        }
    }
}

#[test]
fn for_the_maximum_a_covered_rule_gets_half_of_the_shared_flanks() {
    let centroid = Defuzzifier::Centroid { samples: None };
    let system = overlapping(centroid, SNorm::Maximum, TNorm::Minimum);
    let explanation = system.explain(&[0.75, 0.0, 0.25], D).unwrap();
    let fractions: Vec<f64> = explanation.outputs[0].contributions.iter().map(|c| c.fraction).collect();
    // Below a membership of ¼ both implied sets are equal, so each rule gets half.
    let area = |w: f64| 3.0 * (w - w * w / 2.0); // area of the triangle of width 3, clipped at w
    let below = 2.0 * 0.25 * (3.0 * 0.25) / 2.0 / 2.0; // two flanks of height ¼ with a total width of ¾
    let covered = below / 2.0 / area(0.75);
    // 1000 samples of a piecewise linear set: each kink has an error of at most the area of one sample, 0.004 of 1.4.
    assert!((fractions[2] - covered).abs() < 0.004, "{fractions:?} {covered}");
    assert_eq!(fractions[1], 0.0);
    let system = overlapping(centroid, SNorm::UnboundedSum, TNorm::AlgebraicProduct);
    let explanation = system.explain(&[0.75, 0.0, 0.25], D).unwrap();
    // Scaled triangles are proportional everywhere.
    assert!((explanation.outputs[0].contributions[0].fraction - 0.75).abs() < 1e-12);
}

#[test]
fn grouped_conclusions_divide_the_strength_of_the_group() {
    let mut system = three_inputs().rule("if a is on then y is one").unwrap();
    system = system.rule("if b is on then y is one").unwrap().rule("if c is on then y is four").unwrap();
    system.outputs[0].aggregation = Some(SNorm::Maximum);
    let grouped = system.explain(&[0.5, 0.25, 0.5], D).unwrap();
    let fractions: Vec<f64> = grouped.outputs[0].contributions.iter().map(|c| c.fraction).collect();
    // max(½, ¼) = ½ is half of the total weight, divided 2 : 1.
    for (fraction, expected) in fractions.iter().zip([1.0 / 3.0, 1.0 / 6.0, 0.5]) {
        assert!((fraction - expected).abs() < 1e-15, "{fractions:?}");
    }
    let ungrouped = system.explain(&[0.5, 0.25, 0.5], Dialect::Matlab).unwrap();
    let fractions: Vec<f64> = ungrouped.outputs[0].contributions.iter().map(|c| c.fraction).collect();
    assert_eq!(fractions, [0.4, 0.2, 0.4]);
}

#[test]
fn an_output_without_fired_rules_reports_its_origin() {
    let system = |change: fn(&mut Output)| {
        let mut system = three_inputs().rule("if a is on then y is one").unwrap();
        change(&mut system.outputs[0]);
        system
    };
    let explain = |change: fn(&mut Output), previous: f64, dialect| {
        let explained = system(change).explain_after(&[0.0; 3], &[previous], dialect).unwrap();
        let output = explained.outputs.into_iter().next().unwrap();
        (output.value, output.source, output.reason())
    };
    let (value, source, text) = explain(|y| y.default = Some(3.0), f64::NAN, D);
    assert_eq!((value, source), (3.0, OutputSource::Default));
    assert_eq!(text, "default value, because no rule for it fired");
    let (value, source, text) = explain(|y| y.lock_previous = true, 2.0, D);
    assert_eq!((value, source), (2.0, OutputSource::Previous));
    assert_eq!(text, "value of the previous row, because no rule for it fired");
    let (value, source, text) = explain(|_| {}, f64::NAN, D);
    assert_eq!((value.is_nan(), source), (true, OutputSource::Undefined));
    assert_eq!(text, "undefined, because no rule for it fired and it has no default");
    let (value, source, text) = explain(|_| {}, f64::NAN, Dialect::Matlab);
    assert_eq!((value, source), (2.0, OutputSource::RangeMidpoint));
    assert_eq!(text, "midpoint of its range, because no rule for it fired");
    let sum = |y: &mut Output| y.defuzzifier = Defuzzifier::WeightedSum { kind: WeightedKind::Automatic };
    let (value, source, text) = explain(sum, f64::NAN, Dialect::Matlab);
    assert_eq!((value, source, text.as_str()), (0.0, OutputSource::Rules, "sum over no rules"));
    let (value, source, _) = explain(|y| y.variable.enabled = false, 1.5, D);
    assert_eq!((value, source), (1.5, OutputSource::Disabled));
    let mut locked = system(|y| y.variable.lock_range = true);
    locked.outputs[0].variable.minimum = 1.5;
    let explained = locked.explain(&[1.0, 0.0, 0.0], D).unwrap();
    assert_eq!((explained.outputs[0].value, explained.outputs[0].defuzzified), (1.5, 1.0));
    assert_eq!(explained.outputs[0].reason(), "weighted average: 1, clamped to its range");
}

#[test]
fn a_rule_reports_why_it_did_not_fire() {
    let rules = ["if a is on then y is one", "if b is on then y is two", "if c is on then y is four"];
    let highest = RuleBlock::new("").activation(Activation::Highest { rules: 1 });
    let mut system =
        rules.iter().fold(three_inputs().block(highest), |system, rule| system.rule(rule).unwrap());
    system = system.block(RuleBlock::new("off")).rule("if a is on and y is four then y is one").unwrap();
    let status = |system: &System| {
        let explained = system.explain(&[0.25, 0.5, 0.0], D).unwrap();
        explained.rules.iter().map(|rule| rule.status).collect::<Vec<_>>()
    };
    system.blocks[1].enabled = false;
    use RuleStatus::{Disabled, Fired, NotChosen, TooWeak};
    assert_eq!(status(&system), [NotChosen, Fired, TooWeak, Disabled]);
    assert!(
        system
            .explain(&[0.25, 0.5, 0.0], D)
            .unwrap()
            .to_string()
            .contains("[not selected by the activation method]")
    );
}

#[test]
fn propositions_about_outputs_have_the_membership_at_evaluation_time() {
    let system = three_inputs().rule("if a is on then y is one").unwrap();
    let system = system.rule("if y is one and b is very on then y is two").unwrap();
    let system = system.rule("if c is on then y is one").unwrap();
    let explained = system.explain(&[0.25, 0.5, 0.5], D).unwrap();
    let propositions = &explained.rules[1].propositions;
    // Before the third rule.
    assert_eq!((propositions[0].text.as_str(), propositions[0].membership), ("y is one", 0.25));
    assert_eq!((propositions[1].text.as_str(), propositions[1].membership), ("b is very on", 0.25));
}

#[test]
fn the_report_shows_inputs_rules_contributions_and_the_aggregated_set() {
    let text = tipper().explain(&[2.0, 1.0], Dialect::Matlab).unwrap().to_string();
    let start = "tipper (dialect: matlab)

Inputs
  service = 2  poor 0.4111, good 0.1353, excellent 6.658e-7
  food    = 1  rancid 1, delicious 0

Rules
  1         1  ██████████  if service is poor or food is rancid then tip is cheap
                           service is poor 0.4111, food is rancid 1
  2    0.1353  █▍          if service is good then tip is average
";
    assert!(text.starts_with(start), "{text}");
    assert!(text.contains("\ntip = 7.017, centroid with 101 samples\n"), "{text}"); // MATLAB documentation
    // Areas: 5 for cheap, 10 (w − w²/2) for average clipped at w = 0.1353, so the fraction is 5 / 6.262.
    assert!(text.contains("\n     1  cheap            1    79.8 %"), "{text}");
    let arrow = text.lines().find(|line| line.contains('▲')).unwrap();
    let column = |wanted| arrow.chars().position(|c| c == wanted).unwrap();
    assert_eq!(column('▲') - column('└') - 1, (7.0169 / 30.0 * 60.0) as usize); // 60 columns from 0 to 30
}

#[test]
fn control_characters_are_replaced_and_omitted_rules_are_counted() {
    let mut system = tipper();
    system.name = "red \u{1b}[31m".into();
    system.inputs[0].sets[1].name = "go\u{7}od".into();
    let rule = system.blocks[0].rules[0].clone();
    system.blocks[0].rules.extend(vec![rule; 40]);
    let text = system.explain(&[10.0, 5.0], Dialect::Fuzzylite6).unwrap().to_string();
    assert!(!text.contains(|c: char| c.is_control() && c != '\n'));
    system.inputs[0].sets[0].set = Set::triangle(-1.0, 0.0, 1.0).unwrap();
    let text = system.explain(&[10.0, 5.0], D).unwrap().to_string();
    assert!(text.contains("\n  and 41 rules with strength 0\n"), "{text}");
}
