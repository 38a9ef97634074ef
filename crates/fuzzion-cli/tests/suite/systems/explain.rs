//! `fuzzion explain`

use crate::common::{TIPPER, TestDir, floats, text};

#[test]
fn values_can_be_given_by_position_or_by_name() {
    let dir = TestDir::with("tipper.fll", TIPPER);
    let by_position = dir.output_of("explain tipper.fll --at 4,5 --dialect matlab");
    assert_eq!(by_position, dir.output_of("explain tipper.fll --at food=5,service=4 --dialect matlab"));
    assert!(by_position.contains("tip = 14.46, centroid with 101 samples"), "{by_position}");
    let fuzzylite = dir.output_of("explain tipper.fll --at 4,5");
    assert!(fuzzylite.contains("tip = 14.45, centroid with 1000 samples"), "{fuzzylite}");
}

#[test]
fn json_contains_every_rule_and_contributions_that_add_up() {
    let dir = TestDir::with("tipper.fll", TIPPER);
    let printed = dir.json("explain tipper.fll --at 7,8 --dialect matlab");
    let tip = &printed["outputs"][0];
    let value = tip["value"].as_f64().unwrap();
    assert!((value - 20.3414).abs() < 5e-5, "{value}"); // MATLAB's documentation gives four decimals
    let contributions = tip["contributions"].as_array().unwrap();
    let sum = |key: &str| contributions.iter().map(|c| c[key].as_f64().unwrap()).sum::<f64>();
    // Sums of three terms.
    assert!((sum("share") - 1.0).abs() < 1e-12 && (sum("adds") - value).abs() < 1e-12);
    assert_eq!(floats(&tip["aggregated"]["places"]).len(), 101);
    assert_eq!(printed["rules"].as_array().unwrap().len(), 3);
    assert_eq!(printed["rules"][2]["propositions"][1]["text"], "food is delicious");
    assert_eq!(printed["rules"][2]["propositions"][1]["membership"], 0.5);
    assert_eq!(printed["rules"][2]["standing"], "fired");
}

#[test]
fn an_invalid_row_is_reported_with_the_expected_inputs() {
    let dir = TestDir::with("tipper.fll", TIPPER);
    for (at, expected) in [
        (
            "3",
            "`--at` has 1 value, but the system has 2 inputs; give one value for each of `service`, `food`",
        ),
        (
            "3,4,5",
            "`--at` has 3 values, but the system has 2 inputs; give one value for each of `service`, `food`",
        ),
        ("3,much", "`--at` sets `food` to `much`; expected a number such as 7.5"),
        ("3,", "`--at` sets `food` to an empty value; expected a number such as 7.5"),
        ("service=3,drink=2", "`--at` names the unknown input `drink`; available inputs: `service`, `food`"),
        ("service=3,food=x", "`--at` sets `food` to `x`; expected a number such as 7.5"),
        (
            "service=3,4",
            "`--at` mixes named and unnamed values; write `4` with its name, such as `service=7.5`",
        ),
        ("service=3,service=4", "`--at` sets `service` twice; set every input once"),
        ("food=4", "`--at` has no value for `service`; set every input"),
        (
            "",
            "`--at` has 0 values, but the system has 2 inputs; give one value for each of `service`, `food`",
        ),
        (
            " ",
            "`--at` has 0 values, but the system has 2 inputs; give one value for each of `service`, `food`",
        ),
    ] {
        let output = dir.command("explain tipper.fll --at").arg(at).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{at}");
        assert_eq!(text(&output.stderr), format!("fuzzion: {expected}\n"));
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn values_may_be_negative_missing_or_infinite() {
    let dir = TestDir::with("tipper.fll", TIPPER);
    let outside = dir.output_of("explain tipper.fll --at -1,2.5");
    assert!(
        outside.contains("service = -1") && outside.contains("(warning: outside its range 0 to 10)"),
        "{outside}"
    );
    assert!(!dir.output_of("explain tipper.fll --at 0,10").contains("warning"));
    let outside = dir.json("explain tipper.fll --at 10,12");
    assert_eq!(outside["inputs"][0]["outside_range"], false);
    assert_eq!(
        (&outside["inputs"][1]["outside_range"], &outside["inputs"][1]["range"][1]),
        (&true.into(), &10.0.into())
    );
    let missing = dir.json("explain tipper.fll --at nan,inf");
    assert_eq!(missing["inputs"][0]["value"], serde_json::Value::Null);
    assert_eq!(missing["inputs"][1]["value"], "inf");
    assert_eq!(missing["outputs"][0]["why"], "undefined, because no rule for it fired and it has no default");
}

#[test]
fn unreadable_files_are_reported_with_their_name_and_place() {
    let dir = TestDir::with("tipper.fll", TIPPER.replace("term: good", "term good"));
    let message = |args: &str| {
        let output = dir.run(args);
        assert_eq!(output.status.code(), Some(1), "{args}");
        assert!(output.stdout.is_empty());
        text(&output.stderr)
    };
    let printed = message("explain tipper.fll --at 1,2");
    assert!(printed.starts_with("fuzzion: tipper.fll, line 5, column "), "{printed}");
    dir.write("latin.fll", b"Engine: caf\xe9\n");
    let printed = message("explain latin.fll --at 1,2");
    assert_eq!(printed, "fuzzion: latin.fll, line 1, column 12: invalid UTF-8; save the file as UTF-8\n");
    assert_eq!(
        message("explain tipper --at 1,2"),
        "fuzzion: unknown system `tipper`; expected a built-in system (`fire-edges`, `fire-denoise`, `contrast`, `smooth`) or the \
         path of a `.fll`, `.fis`, `.fcl` or `.json` file\n"
    );
    let printed = message("explain tipper.txt --at 1,2");
    assert_eq!(
        printed,
        "fuzzion: tipper.txt: unsupported format; supported formats: `.fll`, `.fis`, `.fcl` and `.json`\n"
    );
    assert!(message("explain none.fis --at 1,2").starts_with("fuzzion: cannot read none.fis: "));
    let output = dir.run("explain tipper.fll --at 1,2 --dialect english");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("expected `fuzzylite8`, `fuzzylite6`, `matlab`, `iec`"));
}
