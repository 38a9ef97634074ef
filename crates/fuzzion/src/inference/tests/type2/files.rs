//! Interval type-2 systems in FLL and JSON.

use super::super::mutation::mutated;
use super::plant;
use crate::inference::InferenceError;
use crate::inference::type2::{IntervalSystem, TypeReduction};
use crate::inference::{Dialect, System, SystemFormat, Variable};
use proptest::prelude::*;

const SMALL: &str = "# dialect: fuzzion
Engine: dimmer
  type-reduction: KarnikMendel
InputVariable: ambient
  enabled: true
  range: 0 1
  lock-range: false
  term: dark Ramp 0.5 0
  upper: Ramp 1 0
  term: bright Ramp 0 1
OutputVariable: power
  enabled: true
  range: 0 2
  lock-range: false
  aggregation: none
  defuzzifier: WeightedAverage
  default: nan
  lock-previous: false
  term: high Constant 1.5
  upper: Constant 2
  term: form Linear 1 0
  upper: Linear 1.5 0.25
RuleBlock: all
  enabled: true
  conjunction: Minimum
  disjunction: Maximum
  implication: none
  activation: General
  rule: if ambient is dark then power is high
  rule: if ambient is bright then power is form
";

#[test]
fn a_system_is_written_as_it_was_read() {
    let system = IntervalSystem::from_fll(SMALL).unwrap();
    assert_eq!(system.to_fll().unwrap(), SMALL);
    let row = system.infer_row(&[0.25], Dialect::Fuzzylite8).unwrap();
    assert_eq!((row.firing_intervals[0].lower, row.firing_intervals[0].upper), (0.5, 0.75));
    let text = system.to_json().unwrap();
    assert!(text.contains("\"type_reduction\": \"KarnikMendel\""), "{text}");
    let dark = r#"{"name": "dark", "shape": "Ramp", "parameters": [0.5, 0], "upper": {"shape": "Ramp", "parameters": [1, 0]}}"#;
    assert!(text.contains(dark), "{text}");
    assert_eq!(IntervalSystem::from_json(&text).unwrap(), system);
    let value = serde_json::to_value(&system).unwrap();
    assert_eq!(value, serde_json::from_str::<serde_json::Value>(&text).unwrap());
    assert!(serde_json::from_value::<System>(value.clone()).is_err());
    assert!(serde_json::from_value::<Variable>(value["inputs"][0].clone()).is_err());
    assert_eq!(serde_json::from_value::<IntervalSystem>(value).unwrap(), system);
}

#[test]
fn every_kind_of_set_round_trips_through_both_formats() {
    for reduction in TypeReduction::ALL {
        let system = plant().type_reduction(reduction);
        assert_eq!(IntervalSystem::from_fll(&system.to_fll().unwrap()).unwrap(), system);
        assert_eq!(IntervalSystem::from_json(&system.to_json().unwrap()).unwrap(), system);
    }
    let function =
        crate::inference::type2::IntervalSet::gaussian_with_uncertain_mean(-0.5, 1.0 / 3.0, 0.1).unwrap();
    let system = plant().set("a", "low", function).unwrap();
    assert_eq!(IntervalSystem::from_fll(&system.to_fll().unwrap()).unwrap(), system);
    assert_eq!(IntervalSystem::from_json(&system.to_json().unwrap()).unwrap(), system);
}

#[test]
fn reading_an_interval_system_as_type1_reports_the_problem() {
    let message = "FLL contains an interval type-2 system, which can be evaluated for tables and written as \
         `.fll` or `.json`, but not applied to images, shown, explained, tabulated or exported; remove its upper sets and type reduction \
         to make it a type-1 system";
    assert_eq!(System::from_fll(SMALL).unwrap_err().to_string(), message);
    // Either of the two makes it an interval type-2 system.
    let without = |key: &str| SMALL.lines().filter(|line| !line.contains(key)).collect::<Vec<_>>().join("\n");
    assert!(matches!(System::from_fll(&without("upper:")), Err(InferenceError::IntervalSystem { .. })));
    assert!(matches!(
        System::from_fll(&without("type-reduction:")),
        Err(InferenceError::IntervalSystem { .. })
    ));
    let json = IntervalSystem::from_fll(SMALL).unwrap().to_json().unwrap();
    assert!(matches!(System::from_json(&json), Err(InferenceError::IntervalSystem { .. })));
    // A type-1 system becomes one without upper sets.
    let type1 = IntervalSystem::from_fll(&super::super::tipper().to_fll().unwrap()).unwrap();
    assert_eq!(type1, IntervalSystem::new(super::super::tipper()));
}

#[test]
fn files_are_saved_and_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let system = plant().type_reduction(TypeReduction::NieTan);
    for (name, dialect) in [("plant.fll", Dialect::Fuzzylite8), ("plant.json", Dialect::Matlab)] {
        let path = folder.path().join(name);
        system.save(&path, Dialect::Matlab).unwrap();
        let loaded = IntervalSystem::load(&path).unwrap();
        assert_eq!((&loaded.system, loaded.dialect), (&system, dialect));
        assert_eq!(Some(loaded.format), SystemFormat::from_path(&path));
        let error = System::load(&path).unwrap_err();
        assert!(matches!(error, InferenceError::IntervalSystem { .. }));
        assert!(
            error.to_string().starts_with(&format!("{} contains an interval", path.display())),
            "{error}"
        );
    }
    let fis = folder.path().join("plant.fis");
    assert_eq!(
        system.save(&fis, Dialect::Matlab).unwrap_err().to_string(),
        "the system is an interval type-2 system, which this format does not support; use `.fll` or `.json`"
    );
    assert!(!fis.exists());
    super::super::tipper().save(&fis, Dialect::Matlab).unwrap();
    let loaded = IntervalSystem::load(&fis).unwrap();
    assert_eq!(
        (loaded.dialect, loaded.system.lower()),
        (Dialect::Matlab, &System::load(&fis).unwrap().system)
    );
}

#[test]
fn errors_report_the_position() {
    let problem = |from: &str, to: &str| {
        assert!(SMALL.contains(from), "{from}");
        IntervalSystem::from_fll(&SMALL.replacen(from, to, 1)).unwrap_err().to_string()
    };
    for (from, to, expected) in [
        (
            "# dialect: fuzzion",
            "#",
            "line 3, column 3: `type-reduction` is a Fuzzion extension; add `# dialect: fuzzion` as the first line to allow it",
        ),
        (
            "KarnikMendel",
            "KM",
            "line 3, column 19: found `KM`, expected a type reduction: `KarnikMendel`, `EIASC`, `NieTan`",
        ),
        ("upper: Ramp 1 0", "upper: Ramp 0.25 0", "line 9, column 10: the lower set has membership"),
        ("upper: Ramp 1 0", "upper: Ramp 1", "line 9, column 10: Ramp takes 2 numbers"),
        (
            "upper: Ramp 1 0",
            "upper:",
            "line 9, column 9: found the end of the line, expected the name of a shape",
        ),
        (
            "upper: Ramp 1 0",
            "upper: Ramp 1 0\n  upper: Ramp 1 0",
            "line 10, column 3: found `upper`, expected `term` before the upper set",
        ),
        ("term: dark Ramp 0.5 0\n", "\n", "found `upper`, expected `term` before the upper set"),
        (
            "upper: Constant 2",
            "upper: Constant 1",
            "line 20, column 10: the lower set has the parameter 1.5 where the upper set has 1",
        ),
        (
            "Linear 1.5 0.25",
            "Linear 1.5 1 0.25",
            "the lower set cannot be compared with the upper set (Linear and Linear); use",
        ),
        ("activation: General", "activation: Lowest", "rule block `all` uses the activation Lowest"),
        ("RuleBlock: all", "RuleBlock: all\n  upper: Ramp 1 0", "found `upper`, expected `description`"),
    ] {
        assert!(problem(from, to).contains(expected), "{from} → {to}: {}", problem(from, to));
    }
    let json = IntervalSystem::from_fll(SMALL).unwrap().to_json().unwrap();
    let problem = |from: &str, to: &str| {
        assert!(json.contains(from), "{from}");
        IntervalSystem::from_json(&json.replacen(from, to, 1)).unwrap_err().to_string()
    };
    for (from, to, expected) in [
        ("\"KarnikMendel\"", "\"KM\"", "found `KM`, expected one of `KarnikMendel`, `EIASC`, `NieTan`"),
        ("\"parameters\": [1, 0]}", "\"parameters\": [0.25, 0]}", "the lower set has membership"),
        ("\"upper\": {\"shape\"", "\"upper\": {\"name\": \"dark\", \"shape\"", "unknown field `name`"),
        (
            "\"parameters\": [2]}",
            "\"parameters\": [1]}",
            "the lower set has the parameter 1.5 where the upper set has 1",
        ),
    ] {
        assert!(problem(from, to).contains(expected), "{from} → {to}: {}", problem(from, to));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn a_mutated_file_is_rejected_or_runs_and_round_trips(
        json: bool,
        edits in prop::collection::vec((0usize..1400, 0usize..12, prop::sample::select(vec![
            "", " ", "\n", "(", ":", "#", "-", "nan", "inf", "1e999", "0", "9", ".", "not ", "upper: ", "  upper: Ramp 0 1\n",
            "term: ", "é", "\u{0}", "else ", "Function ", "Linear ", "Gaussian ", "x", "NieTan", "Centroid", "\"", "{", "]", ",",
            "\"upper\": ", "1e290",
        ])), 1..5),
    ) {
        let start = match json {
            true => IntervalSystem::from_fll(SMALL).unwrap().to_json().unwrap(),
            false => SMALL.to_owned(),
        };
        let read = |text: &str| if json { IntervalSystem::from_json(text) } else { IntervalSystem::from_fll(text) };
        let text = mutated(&start, edits);
        if let Ok(system) = read(&text) {
            let row = vec![0.5; system.lower().inputs.len()];
            let found = system.infer_row(&row, Dialect::Iec).unwrap();
            prop_assert_eq!(found.outputs.len(), system.lower().outputs.len());
            prop_assert_eq!(IntervalSystem::from_json(&system.to_json().unwrap()).unwrap(), system);
        }
    }
}
