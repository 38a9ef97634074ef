//! `fuzzion explain` as a user meets it.

#![allow(clippy::unwrap_used, clippy::panic)] // a helper outside a test function is still a test

mod common;

use common::{Place, TIPPER, floats, text};

#[test]
fn values_by_position_and_by_name_are_the_same_row() {
    let place = Place::with("tipper.fll", TIPPER);
    let by_position = place.said("explain tipper.fll --at 4,5 --dialect matlab");
    assert_eq!(by_position, place.said("explain tipper.fll --at food=5,service=4 --dialect matlab"));
    assert!(by_position.contains("tip = 14.46, the centroid at 101 samples"), "{by_position}");
    let fuzzylite = place.said("explain tipper.fll --at 4,5");
    assert!(fuzzylite.contains("tip = 14.45, the centroid at 1000 samples"), "{fuzzylite}");
}

#[test]
fn json_holds_every_rule_and_contributions_that_add_up() {
    let place = Place::with("tipper.fll", TIPPER);
    let said = place.json("explain tipper.fll --at 7,8 --dialect matlab");
    let tip = &said["outputs"][0];
    let value = tip["value"].as_f64().unwrap();
    assert!((value - 20.3414).abs() < 5e-5, "{value}"); // MATLAB's documentation gives four decimals
    let contributions = tip["contributions"].as_array().unwrap();
    let sum = |key: &str| contributions.iter().map(|c| c[key].as_f64().unwrap()).sum::<f64>();
    // Sums of three terms.
    assert!((sum("share") - 1.0).abs() < 1e-12 && (sum("adds") - value).abs() < 1e-12);
    assert_eq!(floats(&tip["aggregated"]["places"]).len(), 101);
    assert_eq!(said["rules"].as_array().unwrap().len(), 3);
    assert_eq!(said["rules"][2]["propositions"][1]["text"], "food is delicious");
    assert_eq!(said["rules"][2]["propositions"][1]["membership"], 0.5);
    assert_eq!(said["rules"][2]["standing"], "fired");
}

#[test]
fn a_row_that_does_not_fit_is_one_sentence_that_says_what_is_expected() {
    let place = Place::with("tipper.fll", TIPPER);
    for (at, expected) in [
        ("3", "`--at` holds 1 value, but the system has 2 inputs; give service,food in this order"),
        ("3,4,5", "`--at` holds 3 values, but the system has 2 inputs; give service,food in this order"),
        ("3,much", "`--at` gives `much` for `food`, which is not a number; write it like 7.5"),
        ("3,", "`--at` gives nothing for `food`, which is not a number; write it like 7.5"),
        ("service=3,drink=2", "`--at` names `drink`, which is no input; the inputs are service,food"),
        ("service=3,food=x", "`--at` gives `x` for `food`, which is not a number; write it like 7.5"),
        ("service=3,4", "`--at` mixes names and bare values at `4`; write it like service=7.5"),
        ("service=3,service=4", "`--at` gives `service` twice; give every input once"),
        ("food=4", "`--at` gives no value for `service`; give one for every input"),
        ("", "`--at` gives no value, but the system has 2 inputs; give service,food in this order"),
        (" ", "`--at` gives no value, but the system has 2 inputs; give service,food in this order"),
    ] {
        let output = place.command("explain tipper.fll --at").arg(at).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{at}");
        assert_eq!(text(&output.stderr), format!("fuzzion: {expected}\n"));
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn values_may_be_negative_missing_or_infinite() {
    let place = Place::with("tipper.fll", TIPPER);
    assert!(place.said("explain tipper.fll --at -1,2.5").contains("service = -1"));
    let missing = place.json("explain tipper.fll --at nan,inf");
    assert_eq!(missing["inputs"][0]["value"], serde_json::Value::Null);
    assert_eq!(missing["inputs"][1]["value"], "inf");
    assert_eq!(missing["outputs"][0]["why"], "since no rule about it fired, and it has no default");
}

#[test]
fn a_file_that_cannot_be_read_is_said_with_its_name_and_place() {
    let place = Place::with("tipper.fll", TIPPER.replace("term: good", "term good"));
    let complaint = |words: &str| {
        let output = place.run(words);
        assert_eq!(output.status.code(), Some(1), "{words}");
        assert!(output.stdout.is_empty());
        text(&output.stderr)
    };
    let said = complaint("explain tipper.fll --at 1,2");
    assert!(said.starts_with("fuzzion: tipper.fll, line 5, column "), "{said}");
    place.put("latin.fll", b"Engine: caf\xe9\n");
    let said = complaint("explain latin.fll --at 1,2");
    assert_eq!(said, "fuzzion: latin.fll, line 1, column 12 is not UTF-8; save it as UTF-8\n");
    let said = complaint("explain tipper.txt --at 1,2");
    assert_eq!(
        said,
        "fuzzion: tipper.txt is of no known kind; known are `.fll`, `.fis`, `.fcl` and `.json`\n"
    );
    assert!(complaint("explain none.fis --at 1,2").starts_with("fuzzion: cannot read none.fis: "));
    let output = place.run("explain tipper.fll --at 1,2 --dialect english");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("use one of fuzzylite8, fuzzylite6, matlab, iec"));
}
