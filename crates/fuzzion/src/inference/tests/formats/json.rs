//! JSON: exact round trips, layout of the text, and locations of errors.

use crate::inference::tests::mutation::{assert_problems, mutated};
use crate::inference::tests::random_systems::SystemGenerator;
use crate::inference::tests::{three_inputs, tipper};
use crate::inference::{Dialect, Output, System, Variable};
use crate::sets::Set;
use proptest::prelude::*;

const TIPPER: &str = r#"{
  "fuzzion": "system",
  "version": 1,
  "name": "tipper",
  "inputs": [
    {
      "name": "service",
      "range": [0, 10],
      "sets": [
        {"name": "poor", "shape": "Gaussian", "parameters": [0, 1.5]},
        {"name": "good", "shape": "Gaussian", "parameters": [5, 1.5]},
        {"name": "excellent", "shape": "Gaussian", "parameters": [10, 1.5]}
      ]
    },
    {
      "name": "food",
      "range": [0, 10],
      "sets": [
        {"name": "rancid", "shape": "Trapezoid", "parameters": [-2, 0, 1, 3]},
        {"name": "delicious", "shape": "Trapezoid", "parameters": [7, 9, 10, 12]}
      ]
    }
  ],
  "outputs": [
    {
      "name": "tip",
      "range": [0, 30],
      "aggregation": "Maximum",
      "defuzzifier": "Centroid",
      "sets": [
        {"name": "cheap", "shape": "Triangle", "parameters": [0, 5, 10]},
        {"name": "average", "shape": "Triangle", "parameters": [10, 15, 20]},
        {"name": "generous", "shape": "Triangle", "parameters": [20, 25, 30]}
      ]
    }
  ],
  "blocks": [
    {
      "conjunction": "Minimum",
      "disjunction": "Maximum",
      "implication": "Minimum",
      "rules": [
        "if service is poor or food is rancid then tip is cheap",
        "if service is good then tip is average",
        "if service is excellent or food is delicious then tip is generous"
      ]
    }
  ]
}
"#;

#[test]
fn the_tipper_file_is_parsed_and_written_unchanged() {
    let system = System::from_json(TIPPER).unwrap();
    assert_eq!(system, tipper());
    assert_eq!(system.to_json().unwrap(), TIPPER);
}

#[test]
fn names_that_are_invalid_in_rules_get_a_rule_name() {
    let mut system = three_inputs().rule("if a is on and b is on then y is one").unwrap();
    system.inputs[0].name = "room temperature".into();
    system.inputs[1].name = "roomtemperature".into();
    system.inputs[0].sets[0].name = "not".into();
    let text = system.to_json().unwrap();
    assert!(text.contains(
        r#""name": "roomtemperature",
      "word": "roomtemperature_2""#
    ));
    assert!(text.contains(r#""if roomtemperature is not_ and roomtemperature_2 is on then y is one""#));
    assert_eq!(System::from_json(&text).unwrap(), system);
}

#[test]
fn a_rule_keeps_its_set_among_sets_with_equal_names() {
    let mut system = three_inputs().rule("if a is on then y is one").unwrap();
    system.outputs[0].variable.sets[1].name = "one".into();
    assert_eq!(System::from_json(&system.to_json().unwrap()).unwrap(), system);
    assert_eq!(system.infer_row(&[1.0; 3], Dialect::Matlab).unwrap().outputs, [1.0]);
}

#[test]
fn infinite_numbers_are_strings() {
    let mut system = three_inputs().rule("if a is on then y is one").unwrap();
    system.inputs[0].maximum = f64::INFINITY;
    system.inputs[0].sets[0].set = Set::trapezoid(f64::NEG_INFINITY, -1.0, 2.5e-9, 0.1).unwrap();
    let text = system.to_json().unwrap();
    assert!(
        text.contains(r#""range": [0, "inf"]"#) && text.contains(r#"["-inf", -1, 2.5e-9, 0.1]"#),
        "{text}"
    );
    assert_eq!(System::from_json(&text).unwrap(), system);
}

#[test]
fn errors_report_their_location() {
    let problem = |from: &str, to: &str| {
        assert!(TIPPER.contains(from), "{from}");
        System::from_json(&TIPPER.replacen(from, to, 1)).unwrap_err().to_string()
    };
    assert_eq!(
        problem("tip is cheap", "tip is chaep"),
        "JSON, blocks[0].rules[0], line 1, column 50: found `chaep` (did you mean `cheap`?), expected a hedge or a set of `tip` (`cheap`, \
         `average`, `generous`)\n  if service is poor or food is rancid then tip is chaep\n  \
         \u{20}                                                ^"
    );
    assert_problems(
        problem,
        &[
            (
                "[0, 5, 10]",
                "[0, 5, 1]",
                "line 31, column 71: Triangle: `right` is 1, but it must be at least `top`",
            ),
            ("\"Gaussian\"", "\"Gauss\"", "line 10, column 66: unknown shape `Gauss`; available shapes:"),
            ("[0, 1.5]", "[0]", "line 10, column 64: Gaussian takes 2 numbers and an optional height"),
            ("[0, 1.5]", "[0, \"x\"]", "line 10, column 67: invalid value: string \"x\", expected a number"),
            (
                "\"Maximum\",\n      \"d",
                "\"Max\",\n      \"d",
                "line 28, column 26: found `Max`, expected one of `Maximum`",
            ),
            ("\"Centroid\"", "\"Centroid many\"", "found `many`, expected a number of samples"),
            (
                "\"conjunction\": \"Minimum\"",
                "\"conjunction\": \"Min\"",
                "found `Min`, expected one of `Minimum`",
            ),
            ("\"conjunction\": \"Minimum\"", "\"conjunction\": \"\"", "found ``, expected one of `Minimum`"),
            ("\"disjunction\"", "\"disjunct\"", "unknown field `disjunct`, expected one of `name`"),
            (
                "\"rules\"",
                "\"activation\": \"Frist\", \"rules\"",
                "found `Frist`, expected `General`, `First`",
            ),
            ("\"name\": \"food\"", "\"nam\": \"food\"", "unknown field `nam`"),
            (
                "\"fuzzion\": \"system\"",
                "\"fuzzion\": \"partition\"",
                "`fuzzion` is `partition`, but it must be `system`",
            ),
            (
                "\"version\": 1",
                "\"version\": 2",
                "`version` is 2, but this release of Fuzzion reads version 1; update Fuzzion",
            ),
            ("\"fuzzion\": \"system\",", "", "missing field `fuzzion`"),
            ("\"range\": [0, 10],", "\"range\": [0, 10]", "line 9, column 7: expected `,` or `}`"),
            (
                "\"range\": [0, 10]",
                "\"range\": [10, 0]",
                "input `service` has a range whose minimum exceeds its maximum",
            ),
            (
                "\"shape\": \"Gaussian\", \"parameters\": [0, 1.5]",
                "\"shape\": \"Function\", \"expression\": \"x + \"",
                "expected a number, a name or `(`, at character 5 of `x + `",
            ),
        ],
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn every_system_round_trips(seed: u64, odd: bool) {
        let system = SystemGenerator(seed).system(odd);
        let text = system.to_json().unwrap();
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(serde_json::to_value(&system).unwrap(), value);
        prop_assert_eq!(System::from_json(&text).unwrap(), system, "{}", text);
    }

    #[test]
    fn every_system_with_valid_names_round_trips_through_fll(seed: u64) {
        let system = SystemGenerator(seed).system(false);
        let text = system.to_fll().unwrap();
        prop_assert_eq!(System::from_fll(&text).unwrap(), system, "{}", text);
    }

    #[test]
    fn names_round_trip_through_fll(seed: u64) {
        let names = |system: &System| -> Vec<(String, Vec<String>)> {
            let variables = system.inputs.iter().chain(system.outputs.iter().map(|output| &output.variable));
            let of = |v: &Variable| (v.name.clone(), v.sets.iter().map(|set| set.name.clone()).collect());
            variables.map(of).collect()
        };
        let mut system = SystemGenerator(seed).system(true);
        // Only the first of several sets or variables with the same name keeps it.
        let mut variables: Vec<String> = Vec::new();
        for variable in system.inputs.iter_mut().chain(system.outputs.iter_mut().map(|output| &mut output.variable)) {
            let mut sets: Vec<String> = Vec::new();
            for named in &mut variable.sets {
                while sets.contains(&named.name) {
                    named.name.push('!');
                }
                sets.push(named.name.clone());
            }
            while variables.contains(&variable.name) {
                variable.name.push('!');
            }
            variables.push(variable.name.clone());
        }
        if let Ok(text) = system.to_fll() { // fails if a Function uses a name that is not valid
            let again = System::from_fll(&text).unwrap();
            prop_assert_eq!(names(&again), names(&system), "{}", text);
            prop_assert_eq!(again.blocks.len(), system.blocks.len());
        }
    }

    #[test]
    fn a_mutated_file_is_rejected_or_round_trips(
        edits in prop::collection::vec((0usize..1900, 0usize..12, prop::sample::select(vec![
            "", " ", "\n", "(", ")", ":", "\"", "-", "nan", "inf", "1e999", "0", "not ", "else ", "{", "}", "[", "]", ",",
            "é", "\u{0}", "\\", "null", "true", "\"word\": \"a\", ", "Function", "Linear", "9999999999999999999999",
        ])), 1..6),
    ) {
        let text = mutated(TIPPER, edits);
        if let Ok(system) = System::from_json(&text) {
            let row = vec![0.5; system.inputs.len()];
            prop_assert_eq!(system.infer_row(&row, Dialect::Iec).unwrap().outputs.len(), system.outputs.len());
            prop_assert_eq!(System::from_json(&system.to_json().unwrap()).unwrap(), system);
        }
    }
}

#[test]
fn excessive_nesting_is_rejected() {
    for text in ["[".repeat(1 << 20), "{\"fuzzion\":".repeat(1 << 18)] {
        assert!(System::from_json(&text).is_err());
    }
}

#[test]
fn serde_uses_the_same_form() {
    let system = tipper();
    let value = serde_json::to_value(&system).unwrap();
    assert_eq!(value, serde_json::from_str::<serde_json::Value>(TIPPER).unwrap());
    let compact: String = TIPPER.split('"').enumerate().fold(String::new(), |text, (i, part)| match i {
        0 => part.split_whitespace().collect(),
        _ if i % 2 == 1 => text + "\"" + part + "\"", // inside a string
        _ => text + &part.split_whitespace().collect::<String>(),
    });
    assert_eq!(serde_json::to_string(&system).unwrap(), compact);
    assert_eq!(serde_json::from_value::<System>(value.clone()).unwrap(), system);
    assert_eq!(serde_json::from_value::<Variable>(value["inputs"][0].clone()).unwrap(), system.inputs[0]);
    assert_eq!(serde_json::from_value::<Output>(value["outputs"][0].clone()).unwrap(), system.outputs[0]);
    assert_eq!(serde_json::to_value(&system.outputs[0]).unwrap(), value["outputs"][0]);
    let invalid = serde_json::to_value(System::new("empty")).unwrap_err().to_string();
    assert_eq!(invalid, "the system has no inputs; add at least one");
    let mut newer = value;
    newer["version"] = 2.into();
    let error = serde_json::from_value::<System>(newer).unwrap_err().to_string();
    assert!(error.contains("`version` is 2"), "{error}");
}
