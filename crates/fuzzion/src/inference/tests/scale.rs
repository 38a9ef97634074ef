//! An output's scale: what it multiplies and what not, on every way to run a system and in every file.

use super::super::type2::{IntervalSet, IntervalSystem};
use super::super::{Defuzzifier, Dialect, Output, RuleBlock, System, Variable, Weighted};
use super::plan::{agrees_everywhere, grid};
use super::{three, tipper};
use crate::sets::Set;
use proptest::prelude::*;

/// `three` with one rule of each value and the output changed.
fn weighted(change: impl Fn(Output) -> Output) -> System {
    let rules = ["if a is on then y is one", "if b is on then y is four"];
    let mut system = rules.iter().fold(three(), |system, rule| system.rule(rule).unwrap());
    system.outputs[0] = change(system.outputs[0].clone());
    system
}

#[test]
fn the_number_is_multiplied_before_it_is_locked_and_a_default_is_not() {
    let value =
        |system: &System, row: [f64; 3]| system.infer_row(&row, Dialect::Fuzzylite8).unwrap().outputs[0];
    let twice = weighted(|y| y.scale(2.0).default(0.5));
    assert_eq!(value(&twice, [0.5, 0.5, 0.0]), 5.0); // 2·(1 + 4)/2
    assert_eq!(value(&twice, [0.0; 3]), 0.5);
    assert_eq!(value(&weighted(|y| y.scale(2.0).lock_range(true)), [0.5, 0.5, 0.0]), 4.0); // the range ends there
    assert_eq!(value(&weighted(|y| y.scale(-2.0).lock_range(true)), [0.5, 0.5, 0.0]), 0.0);
}

#[test]
fn plans_multiply_as_the_oracle_does() {
    let samples = Some(40);
    let kind = Weighted::Automatic;
    let all = [
        Defuzzifier::Centroid { samples },
        Defuzzifier::Bisector { samples },
        Defuzzifier::MeanOfMaximum { samples },
        Defuzzifier::WeightedAverage { kind },
        Defuzzifier::WeightedSum { kind },
    ];
    for defuzzifier in all {
        let output = Output::new("y", 0.0, 1.0).defuzzifier(defuzzifier).scale(-2.5);
        agrees_everywhere(&grid(RuleBlock::new(""), output.clone()));
        agrees_everywhere(&grid(RuleBlock::new(""), output.lock_previous(true).default(0.25)));
    }
    // Another output's formula reads the scaled number.
    let second = Output::new("z", 0.0, 1.0).set("more", Set::function("y + 1").unwrap());
    let system = weighted(|y| y.scale(3.0)).output(second).rule("if c is on then z is more").unwrap();
    assert_eq!(system.infer_row(&[1.0, 0.0, 1.0], Dialect::Fuzzylite8).unwrap().outputs, [3.0, 4.0]);
    agrees_everywhere(&system);
}

#[test]
fn files_hold_it_where_they_can() {
    let system = weighted(|y| y.scale(-2.5));
    let fll = system.to_fll().unwrap();
    assert!(fll.starts_with("# dialect: fuzzion\n") && fll.contains("\n  scale: -2.5\n"), "{fll}");
    assert_eq!(System::from_fll(&fll).unwrap(), system);
    let plain = fll.replacen("# dialect: fuzzion\n", "", 1);
    let problem = System::from_fll(&plain).unwrap_err().to_string();
    let expected = "`scale` is no part of this format; a first line `# dialect: fuzzion` allows it";
    assert!(problem.contains(expected), "{problem}");
    let problem = System::from_fll(&fll.replace("-2.5", "two")).unwrap_err().to_string();
    assert!(problem.contains("found `two`, expected a number"), "{problem}");
    let json = system.to_json().unwrap();
    assert!(json.contains("\"scale\": -2.5,"), "{json}");
    assert_eq!(System::from_json(&json).unwrap(), system);
    assert!(!tipper().to_json().unwrap().contains("scale"));
    assert_eq!(
        system.to_fis().unwrap_err().to_string(),
        "output `y` has a scale, which .fis cannot hold; write FLL or JSON"
    );
}

#[test]
fn a_scale_that_leaves_no_number_is_refused() {
    for scale in [0.0, f64::NAN, f64::INFINITY] {
        assert_eq!(
            weighted(|y| y.scale(scale)).check().unwrap_err().to_string(),
            "output `y` has a scale that is 0 or not finite; give it another, or leave it out"
        );
    }
}

#[test]
fn an_explanation_says_it() {
    let row = [0.5, 0.5, 0.0];
    let explained = weighted(|y| y.scale(2.0)).explain(&row, Dialect::Fuzzylite8).unwrap();
    let output = &explained.outputs[0];
    assert_eq!((output.value, output.defuzzified), (5.0, 2.5));
    assert_eq!(output.why(), "the weighted average, 2.5, times its scale 2");
    let parts: f64 = output.contributions.iter().filter_map(|c| c.part).sum();
    assert_eq!(parts, output.defuzzified);
    let locked = weighted(|y| y.scale(2.0).lock_range(true)).explain(&row, Dialect::Fuzzylite8).unwrap();
    let why = locked.outputs[0].why();
    assert_eq!(why, "the weighted average, 2.5, times its scale 2, moved into its range");
}

proptest! {
    #[test]
    fn the_ends_of_an_interval_are_multiplied_and_stay_in_order(
        scale in prop::sample::select(vec![2.0, -0.5]),
        x in 0.0f64..1.0,
    ) {
        let (lower, upper) = (Set::triangle(0.0, 0.5, 1.0).unwrap(), Set::triangle(-0.5, 0.5, 1.5).unwrap());
        let made = |scale: f64| {
            let constant = |value: f64| Set::constant(value).unwrap();
            let y = Output::new("y", 0.0, 4.0).set("one", constant(1.0)).set("four", constant(4.0));
            let system = System::new("").input(Variable::new("a", 0.0, 1.0).set("mid", lower.clone()));
            let system = system.output(y.scale(scale)).rule("if a is mid then y is one").unwrap();
            let system = system.rule("if a is not mid then y is four").unwrap();
            let blurred = IntervalSet::new(lower.clone(), upper.clone()).unwrap();
            let system = IntervalSystem::new(system).set("a", "mid", blurred).unwrap();
            system.compile(Dialect::Fuzzylite8).unwrap().infer_row(&[x]).unwrap()
        };
        let (plain, scaled) = (made(1.0), made(scale));
        let ends = [scale * plain.ends[0].lower, scale * plain.ends[0].upper];
        prop_assert_eq!(scaled.ends[0].lower, ends[0].min(ends[1]));
        prop_assert_eq!(scaled.ends[0].upper, ends[0].max(ends[1]));
        prop_assert_eq!(scaled.outputs[0], scaled.ends[0].middle());
    }
}
