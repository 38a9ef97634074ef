//! Scale of outputs in all inference methods and file formats.

use super::super::type2::{IntervalSet, IntervalSystem};
use super::super::{Defuzzifier, Dialect, Output, RuleBlock, System, Variable, WeightedKind};
use super::plan::{grid, matches_reference_everywhere};
use super::{three_inputs, tipper};
use crate::sets::Set;
use proptest::prelude::*;

/// `three_inputs` with two rules and a modified output.
fn weighted(change: impl Fn(Output) -> Output) -> System {
    let rules = ["if a is on then y is one", "if b is on then y is four"];
    let mut system = rules.iter().fold(three_inputs(), |system, rule| system.rule(rule).unwrap());
    system.outputs[0] = change(system.outputs[0].clone());
    system
}

#[test]
fn the_defuzzified_value_is_scaled_before_clamping_and_a_default_is_not_scaled() {
    let value =
        |system: &System, row: [f64; 3]| system.infer_row(&row, Dialect::Fuzzylite8).unwrap().outputs[0];
    let twice = weighted(|y| y.scale(2.0).default(0.5));
    assert_eq!(value(&twice, [0.5, 0.5, 0.0]), 5.0); // 2·(1 + 4)/2
    assert_eq!(value(&twice, [0.0; 3]), 0.5);
    assert_eq!(value(&weighted(|y| y.scale(2.0).lock_range(true)), [0.5, 0.5, 0.0]), 4.0); // the maximum of the range
    assert_eq!(value(&weighted(|y| y.scale(-2.0).lock_range(true)), [0.5, 0.5, 0.0]), 0.0);
}

#[test]
fn plans_scale_like_the_reference() {
    let samples = Some(40);
    let kind = WeightedKind::Automatic;
    let all = [
        Defuzzifier::Centroid { samples },
        Defuzzifier::Bisector { samples },
        Defuzzifier::MeanOfMaximum { samples },
        Defuzzifier::WeightedAverage { kind },
        Defuzzifier::WeightedSum { kind },
    ];
    for defuzzifier in all {
        let output = Output::new("y", 0.0, 1.0).defuzzifier(defuzzifier).scale(-2.5);
        matches_reference_everywhere(&grid(RuleBlock::new(""), output.clone()));
        matches_reference_everywhere(&grid(RuleBlock::new(""), output.lock_previous(true).default(0.25)));
    }
    // A Function of another output uses the scaled value.
    let second = Output::new("z", 0.0, 1.0).set("more", Set::function("y + 1").unwrap());
    let system = weighted(|y| y.scale(3.0)).output(second).rule("if c is on then z is more").unwrap();
    assert_eq!(system.infer_row(&[1.0, 0.0, 1.0], Dialect::Fuzzylite8).unwrap().outputs, [3.0, 4.0]);
    matches_reference_everywhere(&system);
}

#[test]
fn fll_and_json_store_the_scale_and_fis_rejects_it() {
    let system = weighted(|y| y.scale(-2.5));
    let fll = system.to_fll().unwrap();
    assert!(fll.starts_with("# dialect: fuzzion\n") && fll.contains("\n  scale: -2.5\n"), "{fll}");
    assert_eq!(System::from_fll(&fll).unwrap(), system);
    let plain = fll.replacen("# dialect: fuzzion\n", "", 1);
    let problem = System::from_fll(&plain).unwrap_err().to_string();
    let expected = "`scale` is a Fuzzion extension; add `# dialect: fuzzion` as the first line to allow it";
    assert!(problem.contains(expected), "{problem}");
    let problem = System::from_fll(&fll.replace("-2.5", "two")).unwrap_err().to_string();
    assert!(problem.contains("found `two`, expected a number"), "{problem}");
    let json = system.to_json().unwrap();
    assert!(json.contains("\"scale\": -2.5,"), "{json}");
    assert_eq!(System::from_json(&json).unwrap(), system);
    assert!(!tipper().to_json().unwrap().contains("scale"));
    assert_eq!(
        system.to_fis().unwrap_err().to_string(),
        "output `y` has a scale, which `.fis` files do not support; save as FLL or JSON"
    );
}

#[test]
fn a_zero_or_non_finite_scale_is_rejected() {
    for scale in [0.0, f64::NAN, f64::INFINITY] {
        assert_eq!(
            weighted(|y| y.scale(scale)).check().unwrap_err().to_string(),
            "output `y` has a scale that is 0 or not finite; use a finite nonzero scale"
        );
    }
}

#[test]
fn an_explanation_reports_the_scale() {
    let row = [0.5, 0.5, 0.0];
    let explained = weighted(|y| y.scale(2.0)).explain(&row, Dialect::Fuzzylite8).unwrap();
    let output = &explained.outputs[0];
    assert_eq!((output.value, output.defuzzified), (5.0, 2.5));
    assert_eq!(output.reason(), "weighted average: 2.5 × scale 2");
    let addends: f64 = output.contributions.iter().filter_map(|c| c.addend).sum();
    assert_eq!(addends, output.defuzzified);
    let locked = weighted(|y| y.scale(2.0).lock_range(true)).explain(&row, Dialect::Fuzzylite8).unwrap();
    let reason = locked.outputs[0].reason();
    assert_eq!(reason, "weighted average: 2.5 × scale 2, clamped to its range");
}

proptest! {
    #[test]
    fn interval_bounds_are_scaled_and_stay_ordered(
        scale in prop::sample::select(vec![2.0, -0.5]),
        x in 0.0f64..1.0,
    ) {
        let (lower, upper) = (Set::triangle(0.0, 0.5, 1.0).unwrap(), Set::triangle(-0.5, 0.5, 1.5).unwrap());
        let infer = |scale: f64| {
            let constant = |value: f64| Set::constant(value).unwrap();
            let y = Output::new("y", 0.0, 4.0).set("one", constant(1.0)).set("four", constant(4.0));
            let system = System::new("").input(Variable::new("a", 0.0, 1.0).set("mid", lower.clone()));
            let system = system.output(y.scale(scale)).rule("if a is mid then y is one").unwrap();
            let system = system.rule("if a is not mid then y is four").unwrap();
            let blurred = IntervalSet::new(lower.clone(), upper.clone()).unwrap();
            let system = IntervalSystem::new(system).set("a", "mid", blurred).unwrap();
            system.compile(Dialect::Fuzzylite8).unwrap().infer_row(&[x]).unwrap()
        };
        let (plain, scaled) = (infer(1.0), infer(scale));
        let ends = [scale * plain.intervals[0].lower, scale * plain.intervals[0].upper];
        prop_assert_eq!(scaled.intervals[0].lower, ends[0].min(ends[1]));
        prop_assert_eq!(scaled.intervals[0].upper, ends[0].max(ends[1]));
        prop_assert_eq!(scaled.outputs[0], scaled.intervals[0].midpoint());
    }
}
