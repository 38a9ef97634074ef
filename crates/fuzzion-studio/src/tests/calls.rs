//! Each call against the library.

use super::{Running, TIPPER};
use fuzzion::inference::{Dialect, System};
use serde_json::{Value, json};

fn pendulum() -> &'static str {
    include_str!("../../page/examples/pendulum.fll")
}

fn findings(server: &Running, system: &Value) -> Vec<String> {
    let job = server.post("check", &json!({ "system": system })).json()["job"].as_u64().unwrap();
    let text = String::from_utf8(server.get(&format!("api/jobs/{job}/events")).body).unwrap();
    let result = text.lines().rev().find_map(|line| line.strip_prefix("data: ")).unwrap();
    let result: Value = serde_json::from_str(result).unwrap();
    let all = result["findings"].as_array().unwrap_or_else(|| panic!("{text}")).clone();
    all.iter().map(|f| format!("{}: {}", f["kind"].as_str().unwrap(), f["text"].as_str().unwrap())).collect()
}

#[test]
fn evaluate_returns_what_the_library_computes() {
    let server = Running::new();
    let json = server.parse(TIPPER);
    let system = System::from_fll(TIPPER).unwrap();
    let result = server.post("evaluate", &json!({ "system": json, "at": [3.0, 7.5] })).json();
    let explained = system.explain(&[3.0, 7.5], Dialect::Fuzzylite8).unwrap();
    assert_eq!(result["outputs"][0]["value"].as_f64().unwrap(), explained.outputs[0].value);
    for (i, (_, membership)) in explained.inputs[0].memberships.iter().enumerate() {
        assert_eq!(result["inputs"][0]["sets"][i]["membership"].as_f64().unwrap(), *membership);
    }
    for (i, rule) in explained.rules.iter().enumerate() {
        assert_eq!(result["rules"]["strengths"][i].as_f64().unwrap() as f32, rule.strength as f32);
    }
    let contributions = result["outputs"][0]["contributions"].as_array().unwrap();
    assert_eq!(contributions[0]["addend"].as_f64(), explained.outputs[0].contributions[0].addend);
    assert_eq!(result["outputs"][0]["axis"], json!([0.0, 30.0]));
    // The clipped set of rule 1 is its triangle cut at the firing strength.
    let clipped = result["outputs"][0]["clipped"][0].as_array().unwrap();
    let highest = clipped.iter().skip(1).step_by(2).map(|m| m.as_f64().unwrap()).fold(0.0, f64::max);
    assert!((highest - explained.rules[0].strength).abs() < 0.002);
    // Without values, the inputs are in the middle.
    let middle = server.post("evaluate", &json!({ "system": json })).json();
    assert_eq!(middle["inputs"][0]["value"], json!(5.0));
}

#[test]
fn an_invalid_rule_is_reported_and_the_others_are_evaluated() {
    let server = Running::new();
    let mut json = server.parse(TIPPER);
    json["blocks"][0]["rules"][1] = json!("if service is god then tip is average");
    let result = server.post("evaluate", &json!({ "system": json, "at": [3.0, 7.5] })).json();
    assert_eq!(result["error"], Value::Null);
    let error = &result["rule_errors"][0];
    assert_eq!((&error["rule"], &error["column"]), (&json!(1), &json!(15)));
    assert!(error["problem"].as_str().unwrap().contains("`god`"));
    let statuses = result["rules"]["statuses"].as_array().unwrap();
    assert_eq!(
        statuses.iter().map(|s| s.as_str().unwrap()).collect::<Vec<_>>(),
        ["fired", "invalid", "fired"]
    );
    let rules: Vec<u64> = result["outputs"][0]["contributions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| c["rule"].as_u64().unwrap())
        .collect();
    assert_eq!(rules, [0, 2]);
}

#[test]
fn sets_are_drawn_also_if_the_system_is_invalid() {
    let server = Running::new();
    let mut json = server.parse(TIPPER);
    json["inputs"][0]["sets"][0]["parameters"] = json!(["nan", 1]);
    let result = server.post("evaluate", &json!({ "system": json })).json();
    assert!(result["inputs"][0]["sets"][0]["error"].as_str().unwrap().contains("mean"), "{result}");
    assert!(!result["inputs"][0]["sets"][1]["curve"].as_array().unwrap().is_empty());
    assert!(result["error"].is_string());
    let empty = json!({ "fuzzion": "system", "version": 1, "inputs": [], "outputs": [], "blocks": [] });
    assert!(server.post("evaluate", &json!({ "system": empty })).json()["error"].is_string());
    for hostile in [
        json!(null),
        json!([1]),
        json!({ "inputs": 3 }),
        json!({ "inputs": [3], "outputs": [[]], "blocks": [{ "rules": [7] }] }),
    ] {
        assert_eq!(server.post("evaluate", &json!({ "system": hostile })).status, 200);
    }
}

#[test]
fn interval_systems_have_bands_and_intervals() {
    let server = Running::new();
    let json = server.parse(include_str!("../../page/examples/heating.fll"));
    let result = server.post("evaluate", &json!({ "system": json, "at": [17.0, 0.0] })).json();
    assert_eq!(result["error"], Value::Null);
    let cold = &result["inputs"][0]["sets"][0];
    assert!(cold["upper_membership"].as_f64().unwrap() > cold["membership"].as_f64().unwrap());
    let (value, interval) = (&result["outputs"][0]["value"], &result["outputs"][0]["interval"]);
    assert!(interval[0].as_f64() < value.as_f64() && value.as_f64() < interval[1].as_f64());
    let refused = server.post("write", &json!({ "system": json, "format": "c" })).error();
    assert!(refused.contains("interval type-2"));
}

#[test]
fn a_surface_contains_the_values_of_single_rows() {
    let server = Running::new();
    let json = server.parse(pendulum());
    let system = System::from_fll(pendulum()).unwrap();
    let request = json!({
        "system": json, "output": 0, "n": 5, "at": [0.0, 0.0],
        "x": { "input": 0, "range": [-30.0, 30.0] }, "y": { "input": 1, "range": [-60.0, 60.0] },
    });
    let numbers = server.post("surface", &request).numbers();
    assert_eq!(numbers.len(), 50);
    for (i, value) in numbers[..25].iter().enumerate() {
        let at = [-30.0 + 15.0 * (i % 5) as f64, -60.0 + 30.0 * (i / 5) as f64];
        let expected = system.infer_row(&at, Dialect::Fuzzylite8).unwrap().outputs[0];
        assert!((value - expected).abs() < 1e-9, "{at:?}: {value} {expected}");
    }
    assert!(numbers[25..].iter().all(|fired| *fired == 1.0));
    let wrong =
        json!({ "system": json, "output": 3, "n": 5, "at": [], "x": { "input": 0, "range": [0, 1] } });
    assert_eq!(server.post("surface", &wrong).status, 422);
    let huge =
        json!({ "system": json, "output": 0, "n": 100000, "at": [], "x": { "input": 0, "range": [0, 1] } });
    assert_eq!(server.post("surface", &huge).status, 422);
}

#[test]
fn infer_returns_the_outputs_of_rows() {
    let server = Running::new();
    let json = server.parse(TIPPER);
    let outputs = server.post("infer", &json!({ "system": json, "rows": [[3.0, 7.5], [9.0, 1.0]] })).json();
    let system = System::from_fll(TIPPER).unwrap();
    let expected = system.infer_row(&[9.0, 1.0], Dialect::Fuzzylite8).unwrap().outputs[0];
    assert!((outputs["outputs"][1][0].as_f64().unwrap() - expected).abs() < 1e-9);
    assert_eq!(server.post("infer", &json!({ "system": json, "rows": [[3.0]] })).status, 422);
}

#[test]
fn compare_returns_the_differences_and_the_largest_one() {
    let server = Running::new();
    let json = server.parse(TIPPER);
    let mut other = json.clone();
    other["dialect"] = json!("matlab");
    let mut request = json!({
        "system": json, "other": json, "output": 0, "n": 11, "at": [0.0, 0.0],
        "x": { "input": 0, "range": [0.0, 10.0] }, "y": { "input": 1, "range": [0.0, 10.0] },
    });
    let same = server.post("compare", &request).numbers();
    assert_eq!((same.len(), same[0], same[1]), (125, 0.0, 0.0));
    request["other"] = other;
    let different = server.post("compare", &request).numbers();
    assert!(different[1] > 0.0 && different[0] < different[1]);
    request["other"] = server.parse(pendulum());
    assert!(server.post("compare", &request).error().contains("different inputs"));
}

#[test]
fn a_rule_is_completed_word_by_word() {
    let server = Running::new();
    let json = server.parse(TIPPER);
    let words = |text: &str| {
        let answer = server.post("rule", &json!({ "system": json, "text": text })).json();
        let words = answer["completions"].as_array().unwrap().clone();
        words.iter().map(|word| word.as_str().unwrap().to_owned()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(words(""), "if else");
    assert_eq!(words("if "), "service food not");
    assert_eq!(words("if se"), "service");
    assert_eq!(words("if service "), "is");
    assert!(words("if service is ").starts_with("poor good excellent any not very"));
    assert_eq!(words("if service is very po"), "poor");
    assert_eq!(words("if service is any "), "and or then");
    assert_eq!(words("if service is poor "), "and or then");
    assert_eq!(words("if ( service is poor and "), "service food not");
    assert_eq!(words("if service is poor then "), "tip");
    assert_eq!(words("if service is poor then tip is c"), "cheap");
    assert_eq!(words("if service is poor then tip is cheap "), "and with");
    let valid = server
        .post("rule", &json!({ "system": json, "text": "if service is poor then tip is cheap" }))
        .json();
    assert_eq!(valid["error"], Value::Null);
    let before = server.post("rule", &json!({ "system": json, "text": "if sé then", "cursor": 5 })).json();
    assert_eq!(before["from"], json!(3));
}

#[test]
fn checks_find_planted_mistakes() {
    let server = Running::new();
    let clean = findings(&server, &server.parse(pendulum()));
    assert!(clean.is_empty(), "{clean:?}");
    let mut system = server.parse(pendulum());
    let rules = system["blocks"][0]["rules"].as_array_mut().unwrap();
    rules.push(json!("if speed is still and angle is left then force is strong_right"));
    rules.push(json!("if angle is left and speed is still then force is left"));
    rules.push(json!("if angle is right and angle is left then force is none"));
    system["inputs"][0]["sets"][1]["parameters"] = json!([5, 7, 10]);
    system["inputs"][0]["sets"][0]["parameters"] = json!(["-inf", -30, -10, -5]);
    let found = findings(&server, &system);
    let has =
        |start: &str| assert!(found.iter().any(|finding| finding.starts_with(start)), "{start}: {found:#?}");
    has("contradiction: Rules 2 and 10 contradict each other");
    has("redundant: Rule 11 repeats rule 2");
    has("uncovered: No set of “angle” covers the values from -5.04");
    has("no rule fires: For");
    has("never fires: Rule 12 never fires");
    let mut unused = server.parse(TIPPER);
    unused["blocks"][0]["rules"] = json!([
        "if service is poor then tip is cheap",
        "if service is poor and food is rancid then tip is cheap"
    ]);
    let found = findings(&server, &unused);
    assert!(found.contains(&"unused: No rule uses the set “good” of “service”.".to_owned()), "{found:#?}");
    assert!(found.iter().any(|f| f.starts_with("redundant: Rule 2 adds nothing to rule 1")), "{found:#?}");
}

#[test]
fn the_examples_are_valid_and_without_findings_of_mistakes() {
    let server = Running::new();
    let examples = server.get("api/examples").json();
    for example in examples["examples"].as_array().unwrap() {
        let result = server.post("evaluate", &json!({ "system": example["system"] })).json();
        assert_eq!(result["error"], Value::Null, "{}", example["name"]);
        let found = findings(&server, &example["system"]);
        assert!(
            !found.iter().any(|f| f.starts_with("contradiction") || f.starts_with("redundant")),
            "{found:#?}"
        );
    }
}

#[test]
fn thousands_of_rules_are_answered() {
    let server = Running::new();
    let mut system = server.parse(TIPPER);
    let rule = |i: usize| {
        json!(format!(
            "if service is {} then tip is cheap with 0.{i}",
            if i.is_multiple_of(2) { "poor" } else { "good" }
        ))
    };
    system["blocks"][0]["rules"] = (0..2_500).map(rule).collect();
    let result = server.post("evaluate", &json!({ "system": system, "at": [3.0, 7.5] })).json();
    assert_eq!(result["rules"]["strengths"].as_array().unwrap().len(), 2_500);
}
