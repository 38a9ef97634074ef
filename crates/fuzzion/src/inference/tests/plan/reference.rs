//! Every feature of compiled systems against the reference implementation, row by row.

use super::super::tipper;
use super::{grid, matches_reference_everywhere, near, rows, table};
use crate::data::Precision;
use crate::device::Device;
use crate::inference::{
    Activation, Comparison, Conjunction, Defuzzifier, Dialect, Output, RuleBlock, System, Variable,
    WeightedKind,
};
use crate::sets::{SNorm, Set, TNorm};

#[test]
fn every_pair_of_norms_activation_and_defuzzifier_matches_the_reference() {
    let few = Defuzzifier::Centroid { samples: Some(41) };
    let output = || Output::new("y", 0.0, 1.0).defuzzifier(few);
    for implication in TNorm::ALL {
        for aggregation in SNorm::ALL {
            let y = output().aggregation(Some(aggregation));
            matches_reference_everywhere(&grid(RuleBlock::new("").implication(implication), y));
        }
    }
    let threshold = |comparison| Activation::Threshold { comparison, threshold: 0.25 };
    let activations = [
        Activation::First { rules: 2, threshold: 0.125 },
        Activation::Last { rules: 2, threshold: 0.25 },
        Activation::Highest { rules: 3 },
        Activation::Lowest { rules: 2 },
        Activation::Proportional,
    ];
    for activation in activations.into_iter().chain(Comparison::ALL.map(threshold)) {
        matches_reference_everywhere(&grid(RuleBlock::new("").activation(activation), output()));
        let weighted = Defuzzifier::WeightedAverage { kind: WeightedKind::Automatic };
        matches_reference_everywhere(&grid(
            RuleBlock::new("").activation(activation),
            output().defuzzifier(weighted),
        ));
    }
    for defuzzifier in Defuzzifier::ALL {
        for samples in [Some(1), Some(37)] {
            let y = output().defuzzifier(defuzzifier.with_samples(samples));
            matches_reference_everywhere(&grid(RuleBlock::new(""), y.clone()));
            matches_reference_everywhere(&grid(RuleBlock::new("").conjunction(Conjunction::Mean), y));
        }
    }
}

#[test]
fn sets_that_depend_on_a_missing_input_match_the_reference() {
    let input = |name: &str| {
        let low = Set::triangle(-0.5, 0.0, 0.5).unwrap();
        Variable::new(name, 0.0, 1.0).set("low", low).set("high", Set::triangle(0.5, 1.0, 1.5).unwrap())
    };
    for aggregation in [SNorm::Maximum, SNorm::AlgebraicSum] {
        let output = Output::new("y", 0.0, 1.0)
            .aggregation(Some(aggregation))
            .set("plane", Set::linear(&[0.25, 0.5], 0.125).unwrap())
            .set("curve", Set::function("0.5 * x + 0.25 * b").unwrap())
            .set("some", Set::triangle(0.0, 0.5, 1.0).unwrap());
        let system = System::new("s").input(input("a")).input(input("b")).output(output);
        let rules =
            ["if a is low then y is plane", "if b is high then y is curve", "if a is high then y is some"];
        let system = rules.iter().fold(system, |system, rule| system.rule(rule).unwrap());
        matches_reference_everywhere(&system);
        // The rules of `plane` and `curve` do not fire, so that the missing input does not matter.
        let plan = system.compile(Dialect::Matlab, Precision::F64).unwrap();
        let y = plan.infer_row(&[0.875, f64::NAN], &mut plan.state()).unwrap()[0];
        assert!((y - 0.5).abs() < 1e-9, "{y}");
    }
}

#[test]
fn locked_previous_values_and_defaults_match_the_reference() {
    let input = Variable::new("a", 0.0, 1.0).set("on", Set::triangle(0.5, 0.75, 1.0).unwrap());
    for lock_range in [false, true] {
        let locked = Output::new("y", 0.0, 1.0)
            .set("high", Set::ramp(0.0, 2.0).unwrap())
            .lock_previous(true)
            .lock_range(lock_range)
            .default(3.0);
        let system = System::new("locked").input(input.clone()).output(locked);
        matches_reference_everywhere(&system.clone().rule("if a is on then y is high").unwrap());
        // Formulas that read an output of the previous row make rows depend on each other.
        let sum = Output::new("sum", 0.0, 9.0)
            .set("grown", Set::function("y + 0.5 * sum + a").unwrap())
            .default(0.25)
            .lock_previous(true);
        let chained = system.output(sum);
        matches_reference_everywhere(&chained.rule("if a is on then y is high and sum is grown").unwrap());
    }
}

#[test]
fn consequents_of_every_kind_match_the_reference() {
    let input = |name: &str| {
        Variable::new(name, -1.0, 1.0)
            .set("n", Set::gaussian(-1.0, 0.5).unwrap())
            .set("p", Set::bell(1.0, 0.5, 2.5).unwrap())
            .lock_range(true)
    };
    for defuzzifier in [
        Defuzzifier::WeightedAverage { kind: WeightedKind::Automatic },
        Defuzzifier::WeightedAverage { kind: WeightedKind::TakagiSugeno },
        Defuzzifier::WeightedSum { kind: WeightedKind::Automatic },
        Defuzzifier::Centroid { samples: Some(50) },
        Defuzzifier::MeanOfMaximum { samples: Some(50) },
    ] {
        for aggregation in [None, Some(SNorm::Maximum), Some(SNorm::AlgebraicSum)] {
            if aggregation.is_none() && defuzzifier.is_sampled() {
                continue;
            }
            let output = Output::new("y", 0.0, 4.0)
                .set("number", Set::constant(0.5).unwrap())
                .set("plane", Set::linear(&[0.25, -0.5], 0.75).unwrap())
                .set("formula", Set::function("0.25 * log(a + 1) ^ 2 + 0.125 * x").unwrap())
                .set("sigmoid", Set::sigmoid(1.0, 2.0).unwrap())
                .set("concave", Set::concave(1.0, 2.0).unwrap())
                .set("s", Set::s_shape(0.0, 3.0).unwrap())
                .set("z", Set::z_shape(1.0, 4.0).unwrap())
                .set("arc", Set::arc(0.0, 4.0).unwrap())
                .defuzzifier(defuzzifier)
                .aggregation(aggregation);
            let system = System::new("mixed").input(input("a")).input(input("b")).output(output);
            let rules = [
                "if a is n then y is number and y is very plane",
                "if b is p then y is plane",
                "if a is p and b is n then y is formula",
                "if a is not n then y is sigmoid with 0.5",
                "if b is n then y is concave and y is s with 0.75",
                "if a is p or b is p then y is z",
                "if a is n and b is n then y is arc and y is number",
                "else y is plane",
            ];
            matches_reference_everywhere(
                &rules.iter().fold(system, |system, rule| system.rule(rule).unwrap()),
            );
        }
    }
}

#[test]
fn single_precision_is_close_to_double_precision() {
    for dialect in Dialect::ALL {
        let system = tipper();
        let rows = rows(&system);
        let cpu = Device::cpu().unwrap();
        let run = |precision| system.compile(dialect, precision).unwrap().infer(&table(&rows), &cpu).unwrap();
        let (single, double) = (run(Precision::F32), run(Precision::F64));
        for (row, values) in rows.iter().enumerate() {
            let (a, b) = (single.get(row, 0).unwrap(), double.get(row, 0).unwrap());
            assert!(near(a, b, 30.0 * 1e-5), "{dialect:?} {values:?}: {a} and {b}");
        }
    }
}

#[test]
fn inverse_memberships_match_the_reference() {
    let input = Variable::new("a", 0.0, 1.0).set("on", Set::ramp(0.0, 1.0).unwrap());
    for kind in [WeightedKind::Automatic, WeightedKind::Tsukamoto] {
        let output = Output::new("y", 0.0, 4.0)
            .set("sigmoid", Set::sigmoid(1.0, 2.0).unwrap())
            .set("concave", Set::concave(2.0, 1.0).unwrap())
            .set("s", Set::s_shape(0.0, 3.0).unwrap().with_height(0.75).unwrap())
            .set("z", Set::z_shape(1.0, 4.0).unwrap())
            .set("arc", Set::arc(4.0, 0.0).unwrap())
            .set("ramp", Set::ramp(3.0, 0.0).unwrap())
            .defuzzifier(Defuzzifier::WeightedAverage { kind });
        let system = System::new("monotone").input(input.clone()).output(output);
        let rules = [
            "if a is on then y is sigmoid and y is s with 0.75",
            "if a is not on then y is concave and y is ramp with 0.5",
            "if a is very on then y is z and y is arc",
        ];
        matches_reference_everywhere(&rules.iter().fold(system, |system, rule| system.rule(rule).unwrap()));
    }
}

/// A rule that is not selected must not cap the strength of one that is, which can exceed 1 with an unbounded sum.
#[test]
fn strengths_above_1_are_combined_only_with_those_of_selected_rules() {
    let input = Variable::new("a", 0.0, 1.0).set("on", Set::ramp(0.0, 1.0).unwrap());
    for aggregation in SNorm::ALL {
        let output = Output::new("y", 0.0, 9.0)
            .set("two", Set::constant(2.0).unwrap())
            .set("sum", Set::linear(&[3.0], 1.0).unwrap())
            .aggregation(Some(aggregation));
        let block =
            RuleBlock::new("").disjunction(SNorm::UnboundedSum).activation(Activation::Highest { rules: 2 });
        let system = System::new("more").input(input.clone()).output(output).block(block);
        let rules = [
            "if a is on or a is on then y is sum",
            "if a is on then y is sum with 0.5",
            "if a is any then y is two",
        ];
        matches_reference_everywhere(&rules.iter().fold(system, |system, rule| system.rule(rule).unwrap()));
    }
}

/// A set between two samples has no sampled area; MATLAB then returns the middle of the range.
#[test]
fn matlab_uses_the_middle_of_the_range_if_the_sampled_area_is_zero() {
    let system = System::new("narrow")
        .input(Variable::new("a", 0.0, 1.0).set("on", Set::ramp(0.0, 1.0).unwrap()))
        .output(Output::new("y", 0.0, 8.0).set("thin", Set::triangle(5.01, 5.02, 5.03).unwrap()))
        .rule("if a is on then y is thin")
        .unwrap();
    matches_reference_everywhere(&system);
    let plan = system.compile(Dialect::Matlab, Precision::F64).unwrap();
    assert_eq!(plan.infer_row(&[1.0], &mut plan.state()).unwrap(), [4.0]);
}
