//! `.fis`: MATLAB's published results, parameter order and rule indices.

use crate::inference::tests::mutation::mutated;
use crate::inference::tests::{three_inputs, tipper};
use crate::inference::{Antecedent, Dialect, System};
use crate::sets::Set;
use proptest::prelude::*;

/// The tipper system of the MATLAB documentation as a `.fis` file.
const TIPPER: &str = "\
[System]
Name='tipper'
Type='mamdani'
Version=2.0
NumInputs=2
NumOutputs=1
NumRules=3
AndMethod='min'
OrMethod='max'
ImpMethod='min'
AggMethod='max'
DefuzzMethod='centroid'

[Input1]
Name='service'
Range=[0 10]
NumMFs=3
MF1='poor':'gaussmf',[1.5 0]
MF2='good':'gaussmf',[1.5 5]
MF3='excellent':'gaussmf',[1.5 10]

[Input2]
Name='food'
Range=[0 10]
NumMFs=2
MF1='rancid':'trapmf',[-2 0 1 3]
MF2='delicious':'trapmf',[7 9 10 12]

[Output1]
Name='tip'
Range=[0 30]
NumMFs=3
MF1='cheap':'trimf',[0 5 10]
MF2='average':'trimf',[10 15 20]
MF3='generous':'trimf',[20 25 30]

[Rules]
1 1, 1 (1) : 2
2 0, 2 (1) : 1
3 2, 3 (1) : 2
";

#[test]
fn the_tipper_file_gives_the_published_matlab_values() {
    let system = System::from_fis(TIPPER).unwrap();
    assert_eq!(system, tipper());
    for (row, published) in [([2.0, 1.0], 7.0169), ([4.0, 5.0], 14.4585), ([7.0, 8.0], 20.3414)] {
        let got = system.infer_row(&row, Dialect::Matlab).unwrap().outputs[0];
        assert!((got - published).abs() <= 5.1e-5, "{row:?}: {got}"); // published with four decimals
    }
    assert_eq!(system.to_fis().unwrap(), TIPPER);
    let through_fll = System::from_fll(&system.to_fll().unwrap()).unwrap();
    assert_eq!(through_fll, system);
}

#[test]
fn parameters_in_matlab_order_round_trip() {
    let shapes = [
        ("gaussmf',[2 5]", Set::gaussian(5.0, 2.0).unwrap()),
        ("gauss2mf',[1 3 2 4]", Set::gaussian_product(3.0, 1.0, 4.0, 2.0).unwrap()),
        ("gbellmf',[2 4 6]", Set::bell(6.0, 2.0, 4.0).unwrap()),
        ("sigmf',[2 4]", Set::sigmoid(4.0, 2.0).unwrap()),
        ("dsigmf',[5 2 6 7]", Set::sigmoid_difference(2.0, 5.0, 6.0, 7.0).unwrap()),
        ("psigmf',[2 3 -5 8]", Set::sigmoid_product(3.0, 2.0, -5.0, 8.0).unwrap()),
        ("pimf',[1 4 5 10]", Set::pi_shape(1.0, 4.0, 5.0, 10.0).unwrap()),
        ("smf',[1 8]", Set::s_shape(1.0, 8.0).unwrap()),
        ("zmf',[3 7]", Set::z_shape(3.0, 7.0).unwrap()),
        ("linsmf',[4 6]", Set::ramp(4.0, 6.0).unwrap()),
        ("linzmf',[4 6]", Set::ramp(6.0, 4.0).unwrap()),
        ("trimf',[3 6 8]", Set::triangle(3.0, 6.0, 8.0).unwrap()),
    ];
    for (text, set) in shapes {
        let file = TIPPER.replacen("gaussmf',[1.5 0]", text, 1);
        let system = System::from_fis(&file).unwrap();
        assert_eq!(system.inputs[0].sets[0].set, set, "{text}");
        assert_eq!(system.to_fis().unwrap(), file);
    }
}

#[test]
fn spaces_around_the_separators_of_membership_functions_are_accepted() {
    for text in ["'poor' : 'gaussmf',[1.5 0]", "'poor': 'gaussmf' , [1.5 0]", "'poor' :'gaussmf', [1.5, 0]"] {
        let file = TIPPER.replace("'poor':'gaussmf',[1.5 0]", text).replace("(1) : 2", "(1): 2");
        assert_eq!(System::from_fis(&file).unwrap(), tipper(), "{text}");
    }
    let named = TIPPER.replace("'poor'", "'it's 1:2'");
    assert_eq!(System::from_fis(&named).unwrap().inputs[0].sets[0].name, "it's 1:2");
}

#[test]
fn surplus_parameters_are_ignored_with_a_warning() {
    for (text, set) in [
        ("smf',[40 85 100]", Set::s_shape(40.0, 85.0)),
        ("trimf',[0 2 4 9]", Set::triangle(0.0, 2.0, 4.0)),
        ("gaussmf',[2 5 0.5]", Set::gaussian(5.0, 2.0)),
    ] {
        let file = TIPPER.replacen("gaussmf',[1.5 0]", text, 1);
        let set = set.unwrap();
        assert_eq!(System::from_fis(&file).unwrap().inputs[0].sets[0].set, set, "{text}");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("surplus.fis");
        std::fs::write(&path, file).unwrap();
        let loaded = System::load(&path).unwrap();
        assert_eq!(loaded.system.inputs[0].sets[0].set, set, "{text}");
        let (kind, list) = text.split_once("',").unwrap();
        let count = set.shape().parameters().len();
        assert_eq!(
            loaded.warnings,
            [format!(
                "{}, line 18: `{list}` has more than the {count} parameters of '{kind}'; the others are ignored",
                path.display()
            )]
        );
    }
    let problem = System::from_fis(&TIPPER.replacen("gaussmf',[1.5 0]", "gaussmf',[1,5 0]", 1))
        .unwrap_err()
        .to_string();
    let expected =
        "`[1,5 0]` has 3 numbers, but 'gaussmf' takes 2; write decimal numbers with a point, such as 1.5";
    assert!(problem.starts_with(&format!("FIS, line 18, column 22: {expected}\n")), "{problem}");
    let problem =
        System::from_fis(&TIPPER.replace("gaussmf',[1.5 0]", "gaussmf',[1.5]")).unwrap_err().to_string();
    assert!(problem.contains("'gaussmf' takes 2 numbers, but 1 number was given\n"), "{problem}");
}

#[test]
fn rules_by_index_support_negation_hedges_and_duplicate_names() {
    let file = TIPPER.replace("'good'", "'poor'").replace("1 1, 1 (1) : 2", "-1.2 2.4, -1 (0.5) : 1");
    let system = System::from_fis(&file).unwrap();
    let rules = &system.blocks[0].rules;
    let text = "if service is not very poor and food is very very delicious then tip is not cheap with 0.5";
    assert_eq!(system.rule_text(&rules[0]).unwrap(), text);
    assert_eq!(system.to_fis().unwrap(), file);
    let Antecedent::Is(second) = &rules[1].antecedent else { panic!("{rules:?}") };
    assert_eq!(second.set, Some(1), "the second set called `poor`");
    let row = system.infer_row(&[5.0, 5.0], Dialect::Matlab).unwrap();
    assert_eq!(row.rules[1].strength, 1.0);
    let codes = TIPPER.replace("1 1, 1 (1) : 2", "1.01 1.05, 1 (1) : 1").replace("2 0,", "0.99 2.3,");
    let system = System::from_fis(&codes).unwrap();
    let texts: Vec<String> =
        system.blocks[0].rules.iter().map(|rule| system.rule_text(rule).unwrap()).collect();
    assert_eq!(texts[0], "if service is seldom poor and food is somewhat rancid then tip is cheap");
    assert_eq!(texts[1], "if service is any and food is extremely delicious then tip is average");
}

#[test]
fn a_sugeno_system_gives_the_weighted_average() {
    let file = TIPPER
        .replace("'mamdani'", "'sugeno'")
        .replace("'centroid'", "'wtaver'")
        .replace("AggMethod='max'", "AggMethod='sum'")
        .replace("'trimf',[0 5 10]", "'constant',[6]")
        .replace("'trimf',[10 15 20]", "'linear',[1 2 3]")
        .replace("'trimf',[20 25 30]", "'constant',[0]");
    let system = System::from_fis(&file).unwrap();
    let row = system.infer_row(&[5.0, 2.0], Dialect::Matlab).unwrap();
    let [poor, good, excellent] = [0.0, 5.0, 10.0].map(|c: f64| (-0.5 * ((5.0 - c) / 1.5).powi(2)).exp());
    let strengths = [poor.max(0.5), good, excellent]; // membership at 2: rancid ½, delicious 0
    let want = (strengths[0] * 6.0 + strengths[1] * 12.0) / strengths.iter().sum::<f64>();
    assert!((row.outputs[0] - want).abs() < 1e-12, "{} {want}", row.outputs[0]);
    // The weighted average is the default for the type.
    assert_eq!(System::from_fis(&file.replace("DefuzzMethod='wtaver'\n", "")).unwrap(), system);
}

#[test]
fn declared_counts_are_optional_but_must_be_correct() {
    let tipper = System::from_fis(TIPPER).unwrap();
    let without = |keys: &[&str]| {
        let kept = |line: &&str| !keys.iter().any(|key| line.starts_with(key));
        TIPPER.lines().filter(kept).map(|line| format!("{line}\n")).collect::<String>()
    };
    for keys in [&["NumInputs", "NumOutputs", "NumRules"][..], &["NumMFs"], &["Num"], &["Type", "Version"]] {
        assert_eq!(System::from_fis(&without(keys)).unwrap(), tipper, "{keys:?}");
    }
    assert_eq!(
        System::from_fis(&TIPPER.replace("NumRules=3", "NumRules=4")).unwrap_err().to_string(),
        "FIS, line 7, column 10: `NumRules` is `4`, but the file has 3 rules; correct the count or complete the file\n  \
         NumRules=4\n           ^"
    );
    for (from, to, expected) in [
        ("NumInputs=2", "NumInputs=3", "line 5, column 11: `NumInputs` is `3`, but the file has 2 inputs"),
        (
            "NumOutputs=1",
            "NumOutputs=2",
            "line 6, column 12: `NumOutputs` is `2`, but the file has 1 output;",
        ),
        (
            "NumMFs=2",
            "NumMFs=3",
            "line 25, column 8: `NumMFs` is `3`, but the file has 2 membership functions",
        ),
        (
            "NumMFs=2",
            "NumMFs=1",
            "line 25, column 8: `NumMFs` is `1`, but the file has 2 membership functions",
        ),
        ("NumRules=3", "NumRules=three", "line 7, column 10: found `three`, expected a whole number"),
        ("NumRules=3", "NumRules=", "found the end of the line, expected a whole number"),
        ("MF2='good'", "MF1='good'", "line 19, column 1: found `MF1`, expected `MF2`"),
        ("MF3='excellent'", "MF4='excellent'", "line 20, column 1: found `MF4`, expected `MF3`"),
        ("MF3='excellent'", "MFx='excellent'", "found `MFx`, expected `Name`, `Range`, `NumMFs` or `MF1`"),
    ] {
        assert!(TIPPER.contains(from));
        let problem = System::from_fis(&TIPPER.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(problem.contains(expected), "{from} → {to}: {problem}");
    }
}

#[test]
fn a_truncated_file_is_rejected() {
    // The last line is complete without its newline.
    for length in 0..TIPPER.len() - 1 {
        assert!(System::from_fis(&TIPPER[..length]).is_err(), "{:?}", &TIPPER[..length]);
    }
}

#[test]
fn sections_and_lines_may_be_in_any_order() {
    let tipper = System::from_fis(TIPPER).unwrap();
    let sections: Vec<&str> = TIPPER.split("\n\n").collect();
    let order = [3, 4, 1, 0, 2].map(|i: usize| sections[i].trim());
    assert_eq!(System::from_fis(&order.join("\n\n")).unwrap(), tipper);
    let reversed = |section: &str| -> String {
        let mut lines: Vec<&str> = section.trim().lines().collect();
        if lines[0] != "[Rules]" {
            lines[1..].reverse();
        }
        lines.join("\n")
    };
    let reversed: Vec<String> = sections.into_iter().map(reversed).collect();
    assert_eq!(System::from_fis(&reversed.join("\n\n")).unwrap(), tipper, "sets are ordered by index");
}

#[test]
fn consequents_and_defuzzifier_must_match_the_type() {
    let sugeno = TIPPER
        .replace("'mamdani'", "'sugeno'")
        .replace("'centroid'", "'wtsum'")
        .replace("'trimf',[0 5 10]", "'constant',[6]")
        .replace("'trimf',[10 15 20]", "'linear',[1 2 3]")
        .replace("'trimf',[20 25 30]", "'constant',[0]");
    assert!(System::from_fis(&sugeno).is_ok());
    for (file, from, to, expected) in [
        (
            TIPPER,
            "'trimf',[10 15 20]",
            "'constant',[6]",
            "line 34, column 16: found `constant`, expected a set such as 'trimf', because the type is 'mamdani'",
        ),
        (
            &sugeno,
            "'linear',[1 2 3]",
            "'trimf',[10 15 20]",
            "line 34, column 16: found `trimf`, expected 'constant' or 'linear', because the type is 'sugeno'",
        ),
        (
            TIPPER,
            "'centroid'",
            "'wtaver'",
            "line 12, column 14: found `'wtaver'`, expected 'centroid', 'bisector', 'mom', 'som' or 'lom', because the type is",
        ),
        (
            &sugeno,
            "'wtsum'",
            "'mom'",
            "found `'mom'`, expected 'wtaver' or 'wtsum', because the type is 'sugeno'",
        ),
    ] {
        assert!(file.contains(from));
        let problem = System::from_fis(&file.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(problem.contains(expected), "{from} → {to}: {problem}");
    }
    let mut system = tipper();
    system.outputs[0].variable.sets[1].set = Set::constant(6.0).unwrap();
    assert_eq!(
        system.to_fis().unwrap_err().to_string(),
        "output `tip` has a sampled defuzzifier and the Constant set `average`, which `.fis` files do not support; save as FLL \
         or JSON"
    );
}

#[test]
fn syntax_errors_report_the_location_with_a_caret() {
    let problem = |from: &str, to: &str| {
        assert!(TIPPER.contains(from));
        System::from_fis(&TIPPER.replacen(from, to, 1)).unwrap_err().to_string()
    };
    assert_eq!(
        problem("1 1, 1 (1) : 2", "1 7, 1 (1) : 2"),
        "FIS, line 38, column 3: found `7`, expected an index up to 2\n  1 7, 1 (1) : 2\n    ^"
    );
    for (from, to, expected) in [
        ("'min'", "'minimum'", "line 8, column 11: found `'minimum'`, expected 'min', 'prod'"),
        ("[Input2]", "[Input3]", "found `[Input3]`, expected [System], [Input2], [Output1] or [Rules]"),
        ("'gaussmf'", "'gaussian'", "found `gaussian`, expected a MATLAB membership function"),
        ("[1.5 0]", "[1.5]", "'gaussmf' takes 2 numbers"),
        ("Range=[0 10]", "Range=0 10", "found `0 10`, expected numbers in brackets"),
        ("1 1, 1 (1) : 2", "1 1 1, 1 (1) : 2", "found `1 1 1`, expected 2 numbers, one per input"),
        ("1 1, 1 (1) : 2", "1 1, 1 (1) : 3", "found `3`, expected 1 (and) or 2 (or)"),
        (
            "1 1, 1 (1) : 2",
            "1.5 1, 1 (1) : 2",
            "found `1.5`, expected a set index, optionally with a hedge code",
        ),
        ("1 1, 1 (1) : 2", "1 1", "found `1 1`, expected a rule, such as `1 2, 1 (1) : 1`"),
    ] {
        assert!(problem(from, to).contains(expected), "{from} → {to}: {}", problem(from, to));
    }
}

#[test]
fn systems_that_fis_cannot_represent_are_rejected() {
    let system = three_inputs().rule("if (a is on or b is on) and c is on then y is one").unwrap();
    assert_eq!(
        system.to_fis().unwrap_err().to_string(),
        "rule 1 has a nested antecedent or a proposition about an output, which `.fis` files do not support; save as FLL or JSON"
    );
    let mut system = tipper();
    system.inputs[0].sets[0].set = Set::cosine(1.0, 2.0).unwrap();
    let problem = system.to_fis().unwrap_err().to_string();
    assert!(problem.starts_with("set `poor` of variable `service` has the shape Cosine, which"), "{problem}");
    system.inputs[0].sets[0].set = Set::triangle(0.0, 1.0, 2.0).unwrap().with_height(0.5).unwrap();
    let problem = system.to_fis().unwrap_err().to_string();
    assert!(problem.starts_with("set `poor` of variable `service` has the height 0.5, which"), "{problem}");
    system.inputs[0].lock_range = true;
    let problem = system.to_fis().unwrap_err().to_string();
    assert!(problem.starts_with("variable `service` has a locked range, which"), "{problem}");
}

#[test]
fn systems_whose_results_would_change_in_fis_are_rejected() {
    let rules = ["if a is on then y is one", "if b is on then y is one", "if c is on then y is four"];
    let mut system = rules.iter().fold(three_inputs(), |system, rule| system.rule(rule).unwrap());
    let round_trip = |system: &System| System::from_fis(&system.to_fis().unwrap()).unwrap();
    let outputs = |system: &System| system.infer_row(&[0.25, 0.5, 0.5], Dialect::Fuzzylite8).unwrap().outputs;
    assert_eq!(outputs(&round_trip(&system)), outputs(&system));
    system.outputs[0].aggregation = Some(crate::sets::SNorm::Maximum);
    assert_eq!(
        system.to_fis().unwrap_err().to_string(),
        "output `y` combines several activations of one set by Maximum, which `.fis` files do not support; save as FLL or JSON"
    );
    system.blocks[0].rules.remove(0);
    assert_eq!(outputs(&round_trip(&system)), outputs(&system)); // no set is activated twice
    system.outputs[0].variable.sets[0].set = Set::ramp(0.0, 4.0).unwrap();
    let problem = system.to_fis().unwrap_err().to_string();
    assert!(
        problem.contains("output `y` has a weighted defuzzifier and the Ramp set `one`, which `.fis`"),
        "{problem}"
    );
    let second = crate::inference::Output::new("z", 0.0, 1.0).set("one", Set::constant(1.0).unwrap());
    let system = three_inputs().output(second).rule("if a is on then z is very one and y is one").unwrap();
    assert!(system.to_fis().unwrap_err().to_string().contains("not in the order of the outputs"));
    let system = three_inputs().rule("if a is on then y is any one").unwrap();
    assert!(system.to_fis().unwrap_err().to_string().contains("rule 1 has hedges that have no code"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn a_mutated_file_is_rejected_or_gives_a_valid_system(
        edits in prop::collection::vec((0usize..800, 0usize..12, prop::sample::select(vec![
            "", " ", "\n", "(", ")", ":", ",", "-", "nan", "inf", "1e999", "0", "'", "[", "]", "[Rules]\n", "é", "\u{0}",
            "[Input3]\n", "=", "'constant',", "linzmf", "0.99 ", "99999999999999999999",
        ])), 1..6),
    ) {
        let text = mutated(TIPPER, edits);
        if let Ok(system) = System::from_fis(&text) {
            let row = vec![0.5; system.inputs.len()];
            prop_assert_eq!(system.infer_row(&row, Dialect::Matlab).unwrap().outputs.len(), system.outputs.len());
            prop_assert!(System::from_fll(&system.to_fll().unwrap()).is_ok());
        }
    }
}
