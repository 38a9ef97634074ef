//! Dialects compared with hand-computed and published values.

use super::super::{Defuzzifier, Dialect, NamedSet, Output, System, Variable};
use super::{three_inputs, tipper};
use crate::sets::{SNorm, Set};

fn outputs(system: &System, row: &[f64], dialect: Dialect) -> Vec<f64> {
    system.infer_row(row, dialect).unwrap().outputs
}

#[test]
fn the_tipper_gives_the_published_values_of_matlab_and_fuzzylite() {
    // Published with four decimals.
    for (row, matlab, fuzzylite) in
        [([2.0, 1.0], 7.0169, 7.0150), ([4.0, 5.0], 14.4585, 14.4530), ([7.0, 8.0], 20.3414, 20.3445)]
    {
        let got = outputs(&tipper(), &row, Dialect::Matlab)[0];
        assert!((got - matlab).abs() <= 5.1e-5, "MATLAB at {row:?}: {got}");
        let got = outputs(&tipper(), &row, Dialect::Fuzzylite8)[0];
        assert!((got - fuzzylite).abs() <= 5.1e-5, "fuzzylite at {row:?}: {got}");
    }
}

#[test]
fn samples_are_midpoints_or_include_both_ends() {
    assert_eq!(Dialect::Fuzzylite8.sample_points(0.0, 4.0, Some(4)), [0.5, 1.5, 2.5, 3.5]);
    assert_eq!(Dialect::Matlab.sample_points(0.0, 4.0, Some(5)), [0.0, 1.0, 2.0, 3.0, 4.0]);
    assert_eq!(Dialect::Matlab.sample_points(2.0, 4.0, Some(1)), [2.0]);
    assert_eq!(Dialect::ALL.map(|d| d.sample_points(0.0, 1.0, None).len()), [1000, 100, 101, 1000]);
}

#[test]
fn the_dialect_defines_the_output_if_no_rule_fires() {
    let mut system = three_inputs().rule("if a is on then y is one").unwrap();
    let rows_without_fired_rules = [[0.0, 0.5, 0.5], [f64::NAN, 0.5, 0.5]];
    for row in rows_without_fired_rules {
        assert!(outputs(&system, &row, Dialect::Fuzzylite8)[0].is_nan());
        assert!(outputs(&system, &row, Dialect::Fuzzylite6)[0].is_nan());
        assert_eq!(outputs(&system, &row, Dialect::Matlab), [2.0]); // midpoint of [0, 4]
        assert_eq!(system.infer_row(&row, Dialect::Matlab).unwrap().fired, [false]);
    }
    system.outputs[0].default = Some(3.0);
    assert_eq!(outputs(&system, &rows_without_fired_rules[0], Dialect::Iec), [3.0]);
    system.outputs[0].lock_previous = true;
    for dialect in [Dialect::Fuzzylite8, Dialect::Fuzzylite6, Dialect::Iec] {
        let after = |previous: f64| {
            system.infer_row_after(&rows_without_fired_rules[0], &[previous], dialect).unwrap().outputs[0]
        };
        assert_eq!(after(0.5), 0.5);
        assert_eq!(after(f64::NAN), 3.0);
    }
    system.outputs[0].variable.lock_range = true;
    system.outputs[0].default = Some(9.0);
    assert_eq!(outputs(&system, &rows_without_fired_rules[0], Dialect::Fuzzylite8), [4.0]); // maximum of the range
}

#[test]
fn a_rule_with_strength_1e_6_fires_except_in_fuzzylite_6() {
    let system = three_inputs().rule("if a is on then y is one").unwrap();
    let fired = Dialect::ALL.map(|d| system.infer_row(&[1e-6, 0.0, 0.0], d).unwrap().rules[0].fired);
    assert_eq!(fired, [true, false, true, true]);
}

#[test]
fn each_dialect_resolves_duplicate_set_names_its_own_way() {
    let mut system = three_inputs().rule("if a is on then y is one").unwrap();
    let constant = |value: f64| NamedSet { name: "one".into(), set: Set::constant(value).unwrap() };
    system.outputs[0].variable.sets = vec![constant(1.0), constant(2.0), constant(3.0)];
    system.blocks[0].rules[0].consequent[0].set = 1;
    let values = Dialect::ALL.map(|dialect| outputs(&system, &[0.5, 0.0, 0.0], dialect)[0]);
    assert_eq!(values, [3.0, 1.0, 2.0, 2.0]);
    // The set used by the rule gets a unique name in the file.
    let reloaded = System::from_fll(&system.to_fll().unwrap()).unwrap();
    assert_eq!(outputs(&reloaded, &[0.5, 0.0, 0.0], Dialect::Fuzzylite8), [2.0]);
}

#[test]
fn repeated_activations_of_a_set_are_grouped_except_in_matlab() {
    let mut system =
        three_inputs().rule("if a is on then y is one").unwrap().rule("if b is on then y is one").unwrap();
    system = system.rule("if c is on then y is four").unwrap();
    system.outputs[0].aggregation = Some(SNorm::Maximum);
    let row = [0.25, 0.5, 0.5];
    for grouping in [Dialect::Fuzzylite8, Dialect::Fuzzylite6, Dialect::Iec] {
        assert_eq!(outputs(&system, &row, grouping), [2.5]); // (½·1 + ½·4) / 1
    }
    assert_eq!(outputs(&system, &row, Dialect::Matlab), [2.2]); // (¾·1 + ½·4) / 1¼
    system.outputs[0].aggregation = None;
    assert_eq!(outputs(&system, &row, Dialect::Fuzzylite8), [2.2]);
}

#[test]
fn only_fuzzylite_applies_consequent_hedges_to_later_conclusions() {
    let system = three_inputs().rule("if a is on then y is very one and y is two").unwrap();
    let strengths = |dialect| -> Vec<f64> {
        let row = system.infer_row(&[0.5, 0.0, 0.0], dialect).unwrap();
        row.activated[0].iter().map(|activated| activated.strength).collect()
    };
    assert_eq!(strengths(Dialect::Fuzzylite8), [0.25, 0.25]);
    assert_eq!(strengths(Dialect::Fuzzylite6), [0.25, 0.25]);
    assert_eq!(strengths(Dialect::Iec), [0.25, 0.5]);
}

/// System whose input has membership x, with an output in [−2, 2] and rectangles on [−2, −1] and [1, 2].
fn plateaus(defuzzifier: Defuzzifier, rules: &[&str]) -> System {
    let system =
        System::new("").input(Variable::new("a", 0.0, 1.0).set("on", Set::ramp(0.0, 1.0).unwrap())).output(
            Output::new("y", -2.0, 2.0)
                .set("low", Set::rectangle(-2.0, -1.0).unwrap())
                .set("high", Set::rectangle(1.0, 2.0).unwrap())
                .defuzzifier(defuzzifier.with_samples(Some(5))),
        );
    rules.iter().fold(system, |system, rule| system.rule(rule).unwrap())
}

#[test]
fn matlab_selects_maxima_by_magnitude_and_negates_sets() {
    // MATLAB's five samples are −2, −1, 0, 1, 2; fuzzylite's are −1.6, −0.8, 0, 0.8, 1.6.
    let both = ["if a is on then y is low", "if a is on then y is high"];
    let at =
        |defuzzifier, rules: &[&str], dialect| outputs(&plateaus(defuzzifier, rules), &[0.5], dialect)[0];
    let [centroid, bisector, smallest, largest, mean, ..] = Defuzzifier::ALL;
    assert_eq!(at(smallest, &both, Dialect::Matlab), -1.0);
    assert_eq!(at(largest, &both, Dialect::Matlab), -2.0);
    assert_eq!(at(smallest, &both, Dialect::Fuzzylite8), -1.6);
    assert_eq!(at(largest, &both, Dialect::Fuzzylite8), 1.6);
    assert_eq!(at(mean, &both, Dialect::Fuzzylite8), 0.0);
    assert_eq!(at(bisector, &both, Dialect::Matlab), -1.0);
    // −1.6, −0.8, 0 and 0.8 split the area equally well; their mean is subject to rounding errors.
    assert!((at(bisector, &both, Dialect::Fuzzylite8) + 0.4).abs() < 1e-15);
    assert_eq!(at(centroid, &both, Dialect::Matlab), 0.0);
    // 1 − low is 0 at −2 and −1, and it is 1 at 0, 1 and 2.
    assert_eq!(at(centroid, &["if a is on then y is not low"], Dialect::Matlab), 1.0);
    assert_eq!(at(centroid, &["if a is on then y is not low"], Dialect::Iec), -1.6);
}

#[test]
fn sets_narrower_than_two_samples_are_reported() {
    let system = |set: Set, samples| {
        let output =
            Output::new("y", 0.0, 100.0).set("s", set).set("unused", Set::triangle(1.0, 1.0, 1.0).unwrap());
        let output = output.defuzzifier(Defuzzifier::Centroid { samples });
        let input = Variable::new("a", 0.0, 1.0).set("on", Set::ramp(0.0, 1.0).unwrap());
        System::new("").input(input).output(output).rule("if a is on then y is s").unwrap()
    };
    let widths = |set: Set, samples, dialect| -> Vec<f64> {
        system(set, samples).narrow_sets(dialect).iter().map(|narrow| narrow.width).collect()
    };
    let peak = || Set::triangle(39.5, 40.0, 41.25).unwrap();
    assert_eq!(widths(peak(), None, Dialect::Matlab), [1.75]); // samples 1 apart
    assert_eq!(widths(peak(), None, Dialect::Fuzzylite8), [0.0; 0]); // samples 0.1 apart
    assert_eq!(widths(peak(), Some(50), Dialect::Iec), [1.75]);
    // Within the range, only the part up to 0.5 counts; the half-maximum of an unbounded set counts.
    assert_eq!(widths(Set::trapezoid(-50.0, -20.0, 0.0, 0.5).unwrap(), None, Dialect::Matlab), [0.5]);
    assert_eq!(widths(Set::gaussian(40.0, 0.25).unwrap(), None, Dialect::Matlab).len(), 1);
    assert_eq!(widths(Set::gaussian(40.0, 2.0).unwrap(), None, Dialect::Matlab).len(), 0);
    let mut maximum = system(peak(), None);
    maximum.outputs[0].defuzzifier = Defuzzifier::MeanOfMaximum { samples: None };
    assert!(maximum.narrow_sets(Dialect::Matlab).is_empty());
}
