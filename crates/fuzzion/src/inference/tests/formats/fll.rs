//! FLL: round trips, error messages and robustness against invalid input.

use crate::inference::tests::mutation::mutated;
use crate::inference::tests::{three_inputs, tipper};
use crate::inference::{Conjunction, Dialect, Output, RuleBlock, System};
use crate::sets::{Set, Shape};
use proptest::prelude::*;

const SMALL: &str = "\
Engine: small
InputVariable: a
  range: 0 1
  term: on Ramp 0 1
OutputVariable: y
  enabled: true
  range: 0 1
  lock-range: false
  aggregation: Maximum
  defuzzifier: Centroid 100
  default: nan
  lock-previous: false
  term: high Triangle 0 1 2
  term: f Function 2 * x
RuleBlock: all
  conjunction: Minimum
  disjunction: Maximum
  implication: Minimum
  activation: First 1 0.5
  rule: if a is very on and (a is on or a is any) then y is high with 0.5 # half
";

#[test]
fn a_system_round_trips() {
    for system in [tipper(), System::from_fll(SMALL).unwrap()] {
        let text = system.to_fll().unwrap();
        assert!(!text.contains("dialect"), "{text}");
        assert_eq!(System::from_fll(&text).unwrap(), system);
    }
}

#[test]
fn extensions_are_marked_by_the_dialect_line_and_require_it() {
    let block = RuleBlock::new("").conjunction(Conjunction::Mean);
    let system = three_inputs().block(block).rule("if not (a is on and b is on) then y is one").unwrap();
    let system = system.rule("else y is four").unwrap();
    let text = system.to_fll().unwrap();
    assert!(text.starts_with("# dialect: fuzzion\n"), "{text}");
    assert_eq!(System::from_fll(&text).unwrap(), system);
    let plain = text.replacen("# dialect: fuzzion\n", "", 1);
    let problem = System::from_fll(&plain).unwrap_err().to_string();
    let expected = "`Mean` is a Fuzzion extension; add `# dialect: fuzzion` as the first line to allow it";
    assert!(problem.contains(expected), "{problem}");
    let problem = System::from_fll(&plain.replace("Mean", "Minimum")).unwrap_err().to_string();
    let expected = "`not` is a Fuzzion extension; add `# dialect: fuzzion` as the first line to allow it";
    assert!(problem.contains(expected), "{problem}");
}

#[test]
fn syntax_errors_report_the_location_with_a_caret() {
    let problem = |from: &str, to: &str| {
        assert!(SMALL.contains(from));
        System::from_fll(&SMALL.replacen(from, to, 1)).unwrap_err().to_string()
    };
    assert_eq!(
        problem("range: 0 1", "range: 0 one"),
        "FLL, line 3, column 12: found `one`, expected a number\n    range: 0 one\n             ^"
    );
    for (from, to, expected) in [
        ("range: 0 1", "range: 0", "line 3, column 11: found the end of the line, expected a number"),
        ("range: 0 1", "range 0 1", "line 3, column 3: found `range 0 1`, expected `key: value`"),
        ("range: 0 1", "rang: 0 1", "line 3, column 3: found `rang`, expected `description`, `enabled`"),
        ("enabled: true", "enabled: yes", "line 6, column 12: found `yes`, expected `true` or `false`"),
        (
            "Ramp 0 1",
            "Rampe 0 1",
            "line 4, column 12: unknown shape `Rampe` (did you mean `Ramp`?); available shapes: Triangle",
        ),
        ("Ramp 0 1", "Ramp 0", "line 4, column 12: Ramp takes 2"),
        ("Triangle 0 1 2", "Triangle 2 1 0", "`top` is 1, but it must be at least `left`"),
        ("2 * x", "2 * * x", "line 14, column 24:"),
        ("2 * x", "2 * z", "set `f` of output `y` uses the unknown variable `z`; use `x` or one of `a`, `y`"),
        ("Centroid 100", "Center", "found `Center`, expected a defuzzifier: `Centroid`"),
        ("Centroid 100", "Centroid -1", "found `-1`, expected a number of samples"),
        ("Centroid 100", "Centroid 9999999", "output `y` must use between 1 and 1000000 samples"),
        ("aggregation: Maximum", "aggregation: Max", "found `Max`, expected an s-norm: `none`, `Maximum`"),
        ("aggregation: Maximum", "aggregation: none", "output `y` needs an aggregation"),
        ("implication: Minimum", "implication: none", "needs an implication"),
        ("First 1 0.5", "Second", "found `Second`, expected `General`, `First`"),
        ("First 1 0.5", "First 1 0.5 2", "found `2`, expected the end of the line"),
        ("is high", "is low", "found `low`, expected a hedge or a set of `y` (`high`, `f`)"),
        ("Engine: small", "range: 0 1", "line 1, column 1: found `range`, expected `Engine`"),
        (
            "range: 0 1",
            "range: 30 0",
            "line 3, column 10: the minimum of the range exceeds its maximum; swap the bounds",
        ),
        (
            "range: 0 1",
            "range: nan 30",
            "line 3, column 10: found `nan`, expected a range bound other than NaN",
        ),
        ("range: 0 1", "range: 0 nan", "line 3, column 12: found `nan`, expected a range bound"),
        (
            "term: on Ramp 0 1",
            "term: on full Ramp 0 1",
            "line 4, column 12: unknown shape `full`; available shapes: Triangle",
        ),
        // Without the dialect line, extensions are not suggested.
        ("range: 0 1", "rang: 0 1", "`lock-range`, `term` or the next block\n"),
        ("conjunction: Minimum", "conjunction: Min", "expected a t-norm: `none`, `Minimum`"),
        ("rule: if a", "rule: when a", "found `when`, expected `if`\n"),
    ] {
        assert!(problem(from, to).contains(expected), "{from} → {to}: {}", problem(from, to));
    }
    let empty = SMALL.lines().filter(|line| !line.contains("rule:")).collect::<Vec<_>>().join("\n");
    let problem = System::from_fll(&empty).unwrap_err().to_string();
    assert_eq!(
        problem,
        "FLL, line 15, column 1: the rule block has no rules; add a rule or remove the block\n  RuleBlock: all\n  ^"
    );
    let mut system = System::from_fll(SMALL).unwrap();
    system.inputs[0].minimum = f64::NAN;
    assert_eq!(
        system.check().unwrap_err().to_string(),
        "input `a` has a NaN range bound; use numbers, `-inf` or `inf`"
    );
}

#[test]
fn with_the_dialect_line_extensions_are_suggested() {
    let extended = format!("# dialect: fuzzion\n{SMALL}");
    for (from, to, expected) in [
        (
            "range: 0 1",
            "rang: 0 1",
            "found `rang`, expected `description`, `enabled`, `range`, `lock-range`, `term`, `upper` or",
        ),
        ("default: nan", "scal: 2", "`lock-previous`, `term`, `upper`, `scale` or the next block"),
        (
            "Engine: small",
            "Engine: small\n  reduce: EIASC",
            "found `reduce`, expected `description`, `type-reduction` or the next block",
        ),
        (
            "conjunction: Minimum",
            "conjunction: mean",
            "found `mean`, expected a t-norm or the mean: `none`, `Minimum`",
        ),
        ("conjunction: Minimum", "conjunction: mean", "`NilpotentMinimum`, `Mean`\n"),
        ("rule: if a", "rule: when a", "found `when`, expected `if` or `else`\n"),
        (
            "term: on Ramp 0 1",
            "term: on Ramp 0 1\n  upper: on Triangle 0 1 2",
            "line 6, column 10: found `on`, expected a shape, because an upper set has the name of the preceding term",
        ),
        (
            "term: on Ramp 0 1",
            "term: on Ramp 0 1\n  upper: on 0 1",
            "line 6, column 10: unknown shape `on`; available shapes: Triangle",
        ),
    ] {
        assert!(extended.contains(from), "{from}");
        let problem = System::from_fll(&extended.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(problem.contains(expected), "{from} → {to}: {problem}");
    }
}

#[test]
fn the_constant_of_a_linear_consequent_is_optional() {
    let text = "InputVariable: a\nInputVariable: b\nOutputVariable: y\n  defuzzifier: WeightedAverage\n  term: f Linear 2 3\n\
                RuleBlock:\n  rule: if a is any then y is f\n";
    let system = System::from_fll(text).unwrap();
    let shape = system.outputs[0].variable.sets[0].set.shape();
    assert_eq!(*shape, Shape::Linear { coefficients: vec![2.0, 3.0], constant: 0.0 });
    assert_eq!(system.infer_row(&[10.0, 1.0], Dialect::Fuzzylite8).unwrap().outputs, [23.0]);
}

#[test]
fn names_become_unique_identifiers_and_are_restored() {
    let mut system = three_inputs().rule("if a is on then y is one").unwrap();
    system.inputs[0].name = "room temperature".into();
    system.inputs[1].name = "room_temperature".into();
    system.inputs[0].sets[0].name = "not".into();
    system.description = "two\nlines # and more".into();
    system = system.output(Output::new("3rd", 0.0, 1.0).set("is", Set::constant(1.0).unwrap()));
    let text = system.to_fll().unwrap();
    assert!(text.contains("InputVariable: roomtemperature # \"room temperature\"\n"), "{text}");
    let restored = System::from_fll(&text).unwrap();
    assert_eq!(System { description: system.description.clone(), ..restored }, system);
    let without_comments: Vec<&str> = text.lines().map(|line| line.split('#').next().unwrap()).collect();
    let again = System::from_fll(&without_comments.join("\n")).unwrap();
    let names: Vec<&str> = again.inputs.iter().map(|input| input.name.as_str()).collect();
    assert_eq!(names, ["roomtemperature", "room_temperature", "c"]);
    assert_eq!(again.inputs[0].sets[0].name, "not_");
    assert_eq!(again.outputs[1].variable.name, "_3rd");
    assert_eq!(again.description, "two lines   and more");
    assert_eq!(again.blocks[0].rules, system.blocks[0].rules);
}

#[test]
fn other_comments_are_not_names() {
    for (comment, name) in
        [("\"mine\"", "a"), ("\"a 1\"", "a"), ("\"a ?", "a"), ("\"a!\"", "a!"), (" \"a é\" x", "a")]
    {
        let text = SMALL.replacen("InputVariable: a", &format!("InputVariable: a # {comment}"), 1);
        assert_eq!(System::from_fll(&text).unwrap().inputs[0].name, name, "{comment}");
    }
    // A Function refers to the identifier.
    let text = "InputVariable: a # \"a!\"\nOutputVariable: y # \"y!\"\n  defuzzifier: WeightedAverage\n  term: f Function 2 * a # \"f!\"\n\
                RuleBlock:\n  rule: if a is any then y is f\n";
    let system = System::from_fll(text).unwrap();
    let y = &system.outputs[0].variable;
    assert_eq!([&system.inputs[0].name, &y.name, &y.sets[0].name], ["a", "y!", "f!"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn a_mutated_file_is_rejected_or_gives_a_valid_system(
        edits in prop::collection::vec((0usize..700, 0usize..12, prop::sample::select(vec![
            "", " ", "\n", "(", ")", ":", "#", "-", "nan", "inf", "1e999", "0", "not ", "and ", "rule: ", "term: ", "é",
            "\u{0}", "# dialect: fuzzion\n", "else ", "Function ", "Linear ", "any ", "999999999999", "Tsukamoto",
        ])), 1..6),
    ) {
        let text = mutated(SMALL, edits);
        if let Ok(system) = System::from_fll(&text) {
            let row = vec![0.5; system.inputs.len()];
            prop_assert_eq!(system.infer_row(&row, Dialect::Fuzzylite8).unwrap().outputs.len(), system.outputs.len());
            prop_assert_eq!(System::from_fll(&system.to_fll().unwrap()).unwrap().blocks.len(), system.blocks.len());
        }
    }

    #[test]
    fn random_lines_do_not_panic(text in "([A-Za-z]{0,9}:? ?[ -~é]{0,20}\n){0,12}") {
        let _ = System::from_fll(&text);
        let _ = three_inputs().rule(&text);
    }
}

#[test]
fn a_function_of_a_variable_whose_name_is_invalid_in_fll_is_rejected() {
    let mut system = three_inputs().rule("if a is on then y is one").unwrap();
    system.inputs[1].name = "any".into();
    system.outputs[0].variable.sets[0].set = Set::function("2 * any").unwrap();
    assert_eq!(
        system.to_fll().unwrap_err().to_string(),
        "set `one` uses `any`, a name that is not valid in FLL or conflicts with another variable; rename it or save as JSON"
    );
    assert_eq!(System::from_json(&system.to_json().unwrap()).unwrap(), system);
}
