//! Explanations: what adds up, where numbers come from, and the text.

use super::super::explain::{Explanation, Standing};
use super::super::{Activation, Defuzzifier, Dialect, Output, RuleBlock, Source, System, Variable, Weighted};
use super::{three, tipper};
use crate::sets::{SNorm, Set, TNorm};
use proptest::prelude::*;

const D: Dialect = Dialect::Fuzzylite8;

/// Rules of which two conclude the same set.
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

fn sums(explanation: &Explanation) -> (f64, f64) {
    let contributions = &explanation.outputs[0].contributions;
    let parts = contributions.iter().map(|c| c.part.unwrap_or(f64::NAN));
    (contributions.iter().map(|c| c.share).sum(), parts.sum())
}

proptest! {
    #[test]
    fn shares_add_up_to_one_and_parts_to_the_output(
        row in prop::array::uniform3(0.01f64..1.0),
        norm in 0..SNorm::ALL.len(),
        implication in 0..TNorm::ALL.len(),
        dialect in 0..Dialect::ALL.len(),
        sum: bool,
    ) {
        let dialect = Dialect::ALL[dialect];
        let kind = Weighted::Automatic;
        let mut weighted = three()
            .rule("if a is on then y is one").unwrap()
            .rule("if b is on then y is four").unwrap()
            .rule("if c is on then y is one with 0.5").unwrap();
        weighted.outputs[0].aggregation = Some(SNorm::ALL[norm]);
        if sum {
            weighted.outputs[0].defuzzifier = Defuzzifier::WeightedSum { kind };
        }
        // A drastic product of strengths below 1 is nothing, and shares of nothing are 0.
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
                prop_assert_eq!(explained.standing == Standing::Fired, firing.fired);
            }
            if output.source == Source::Rules {
                let (shares, parts) = sums(&explanation);
                // Sums of at most 40 terms up to 4 in another order: a few units in the last place.
                prop_assert!((shares - 1.0).abs() < 1e-13, "{shares}");
                prop_assert!((parts - output.value).abs() < 1e-13, "{parts} {}", output.value);
            }
        }
    }
}

#[test]
fn under_a_maximum_a_covered_rule_supplies_only_half_of_the_common_flanks() {
    let centroid = Defuzzifier::Centroid { samples: None };
    let system = overlapping(centroid, SNorm::Maximum, TNorm::Minimum);
    let explanation = system.explain(&[0.75, 0.0, 0.25], D).unwrap();
    let shares: Vec<f64> = explanation.outputs[0].contributions.iter().map(|c| c.share).collect();
    // Samples below a membership of ¼ have both sets at the same height: each supplies half of them.
    let area = |w: f64| 3.0 * (w - w * w / 2.0); // of the triangle of width 3, clipped at w
    let below = 2.0 * 0.25 * (3.0 * 0.25) / 2.0 / 2.0; // two flanks of height ¼, together ¾ wide
    let covered = below / 2.0 / area(0.75);
    // 1000 samples of a piecewise linear set: each kink errs by at most one sample's area, 0.004 of 1.4.
    assert!((shares[2] - covered).abs() < 0.004, "{shares:?} {covered}");
    assert_eq!(shares[1], 0.0);
    let system = overlapping(centroid, SNorm::UnboundedSum, TNorm::AlgebraicProduct);
    let shares = system.explain(&[0.75, 0.0, 0.25], D).unwrap();
    // Scaled triangles are in proportion everywhere.
    assert!((shares.outputs[0].contributions[0].share - 0.75).abs() < 1e-12);
}

#[test]
fn conclusions_that_a_dialect_joins_share_what_they_join_to() {
    let mut system = three().rule("if a is on then y is one").unwrap();
    system = system.rule("if b is on then y is one").unwrap().rule("if c is on then y is four").unwrap();
    system.outputs[0].aggregation = Some(SNorm::Maximum);
    let joined = system.explain(&[0.5, 0.25, 0.5], D).unwrap();
    let shares: Vec<f64> = joined.outputs[0].contributions.iter().map(|c| c.share).collect();
    // max(½, ¼) = ½ is half of the weight, divided as 2 : 1.
    for (share, expected) in shares.iter().zip([1.0 / 3.0, 1.0 / 6.0, 0.5]) {
        assert!((share - expected).abs() < 1e-15, "{shares:?}");
    }
    let alone = system.explain(&[0.5, 0.25, 0.5], Dialect::Matlab).unwrap();
    let shares: Vec<f64> = alone.outputs[0].contributions.iter().map(|c| c.share).collect();
    assert_eq!(shares, [0.4, 0.2, 0.4]);
}

#[test]
fn a_number_that_no_rule_gave_says_where_it_comes_from() {
    let system = |change: fn(&mut Output)| {
        let mut system = three().rule("if a is on then y is one").unwrap();
        change(&mut system.outputs[0]);
        system
    };
    let why = |change: fn(&mut Output), previous: f64, dialect| {
        let explained = system(change).explain_after(&[0.0; 3], &[previous], dialect).unwrap();
        let output = explained.outputs.into_iter().next().unwrap();
        (output.value, output.source, output.why())
    };
    let (value, source, text) = why(|y| y.default = Some(3.0), f64::NAN, D);
    assert_eq!((value, source), (3.0, Source::Default));
    assert_eq!(text, "its default, since no rule about it fired");
    let (value, source, text) = why(|y| y.lock_previous = true, 2.0, D);
    assert_eq!((value, source), (2.0, Source::Previous));
    assert_eq!(text, "the value of the row before, since no rule about it fired");
    let (value, source, text) = why(|_| {}, f64::NAN, D);
    assert_eq!((value.is_nan(), source), (true, Source::Nowhere));
    assert_eq!(text, "since no rule about it fired, and it has no default");
    let (value, source, text) = why(|_| {}, f64::NAN, Dialect::Matlab);
    assert_eq!((value, source), (2.0, Source::Middle));
    assert_eq!(text, "the middle of its range, since no rule about it fired");
    let sum = |y: &mut Output| y.defuzzifier = Defuzzifier::WeightedSum { kind: Weighted::Automatic };
    let (value, source, text) = why(sum, f64::NAN, Dialect::Matlab);
    assert_eq!((value, source, text.as_str()), (0.0, Source::Rules, "a sum over no rule"));
    let (value, source, _) = why(|y| y.variable.enabled = false, 1.5, D);
    assert_eq!((value, source), (1.5, Source::Disabled));
    let mut locked = system(|y| y.variable.lock_range = true);
    locked.outputs[0].variable.minimum = 1.5;
    let explained = locked.explain(&[1.0, 0.0, 0.0], D).unwrap();
    assert_eq!((explained.outputs[0].value, explained.outputs[0].defuzzified), (1.5, 1.0));
    assert_eq!(explained.outputs[0].why(), "the weighted average, 1, moved into its range");
}

#[test]
fn a_rule_says_why_it_did_not_fire() {
    let rules = ["if a is on then y is one", "if b is on then y is two", "if c is on then y is four"];
    let highest = RuleBlock::new("").activation(Activation::Highest { rules: 1 });
    let mut system = rules.iter().fold(three().block(highest), |system, rule| system.rule(rule).unwrap());
    system = system.block(RuleBlock::new("off")).rule("if a is on and y is four then y is one").unwrap();
    let standing = |system: &System| {
        let explained = system.explain(&[0.25, 0.5, 0.0], D).unwrap();
        explained.rules.iter().map(|rule| rule.standing).collect::<Vec<_>>()
    };
    system.blocks[1].enabled = false;
    use Standing::{Disabled, Fired, NotChosen, TooWeak};
    assert_eq!(standing(&system), [NotChosen, Fired, TooWeak, Disabled]);
    assert!(system.explain(&[0.25, 0.5, 0.0], D).unwrap().to_string().contains("[not chosen by its block]"));
}

#[test]
fn propositions_about_outputs_have_the_membership_of_their_time() {
    let system = three().rule("if a is on then y is one").unwrap();
    let system = system.rule("if y is one and b is very on then y is two").unwrap();
    let system = system.rule("if c is on then y is one").unwrap();
    let explained = system.explain(&[0.25, 0.5, 0.5], D).unwrap();
    let asked = &explained.rules[1].propositions;
    assert_eq!((asked[0].text.as_str(), asked[0].membership), ("y is one", 0.25)); // before the third rule
    assert_eq!((asked[1].text.as_str(), asked[1].membership), ("b is very on", 0.25));
}

#[test]
fn the_text_shows_inputs_rules_contributions_and_the_set() {
    let text = tipper().explain(&[2.0, 1.0], Dialect::Matlab).unwrap().to_string();
    let start = "tipper, in dialect matlab

Inputs
  service = 2  poor 0.4111, good 0.1353, excellent 6.658e-7
  food    = 1  rancid 1, delicious 0

Rules
  1         1  ██████████  if service is poor or food is rancid then tip is cheap
                           service is poor 0.4111, food is rancid 1
  2    0.1353  █▍          if service is good then tip is average
";
    assert!(text.starts_with(start), "{text}");
    assert!(text.contains("\ntip = 7.017, the centroid at 101 samples\n"), "{text}"); // as MATLAB documents it
    // Areas 5 of cheap and 10 (w − w²/2) of average, clipped at w = 0.1353: 5 / 6.262.
    assert!(text.contains("\n     1  cheap             1  79.8 %"), "{text}");
    let arrow = text.lines().find(|line| line.contains('▲')).unwrap();
    let at = |wanted| arrow.chars().position(|c| c == wanted).unwrap();
    assert_eq!(at('▲') - at('└') - 1, (7.0169 / 30.0 * 60.0) as usize); // of 60 columns from 0 to 30
}

#[test]
fn a_name_cannot_write_to_the_terminal_and_many_silent_rules_are_counted() {
    let mut system = tipper();
    system.name = "red \u{1b}[31m".into();
    system.inputs[0].sets[1].name = "go\u{7}od".into();
    let rule = system.blocks[0].rules[0].clone();
    system.blocks[0].rules.extend(vec![rule; 40]);
    let text = system.explain(&[10.0, 5.0], Dialect::Fuzzylite6).unwrap().to_string();
    assert!(!text.contains(|c: char| c.is_control() && c != '\n'));
    system.inputs[0].sets[0].set = Set::triangle(-1.0, 0.0, 1.0).unwrap();
    let text = system.explain(&[10.0, 5.0], D).unwrap().to_string();
    assert!(text.contains("\n  and 41 rules of strength 0\n"), "{text}");
}
