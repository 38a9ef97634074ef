//! `fuzzion show` as a user meets it.

#![allow(clippy::unwrap_used, clippy::panic)] // a helper outside a test function is still a test

mod common;

use common::{Place, TIPPER, text};

/// One input and singletons.
const DIMMER: &str = "Engine: dimmer
InputVariable: ambient
  range: 0 1
  term: dark Ramp 0.75 0.25
  term: bright Ramp 0.25 0.75
OutputVariable: power
  range: 0 1
  defuzzifier: WeightedAverage
  default: 0.5
  term: low Constant 0.25
  term: high Constant 0.75
RuleBlock: bulb
  rule: if ambient is dark then power is high
  rule: if ambient is bright then power is low
";

/// Names that would be markup, paths and control characters.
const HOSTILE: &str = r#"[System]
Name='<script>alert(1)</script>'
Type='mamdani'
NumInputs=2
NumOutputs=1
NumRules=1
AndMethod='min'
OrMethod='max'
ImpMethod='min'
AggMethod='max'
DefuzzMethod='centroid'

[Input1]
Name='../../up & "out"'
Range=[0 10]
NumMFs=1
MF1='<i>low</i>':'trimf',[0 5 10]

[Input2]
Name='../../up & "out"'
Range=[0 10]
NumMFs=1
MF1='low':'trimf',[0 5 10]

[Output1]
Name='<img src=x>'
Range=[0 10]
NumMFs=1
MF1='m&m':'trimf',[0 5 10]

[Rules]
1 1, 1 (1) : 1
"#;

#[test]
fn without_options_the_system_is_told_in_words() {
    let place = Place::with("tipper.fll", TIPPER);
    let expected = "tipper: 2 inputs, 1 output, 3 rules

Inputs
  service  0 … 10  poor       Gaussian 0 1.5
                   good       Gaussian 5 1.5
                   excellent  Gaussian 10 1.5
  food     0 … 10  rancid     Trapezoid -2 0 1 3
                   delicious  Trapezoid 7 9 10 12

Outputs
  tip  0 … 30  cheap     Triangle 0 5 10
               average   Triangle 10 15 20
               generous  Triangle 20 25 30
  tip: Centroid at 1000 samples, aggregation Maximum

Rules (and Minimum, or Maximum, implication Minimum)
  1  if service is poor or food is rancid then tip is cheap
  2  if service is good then tip is average
  3  if service is excellent or food is delicious then tip is generous
";
    assert_eq!(place.said("show tipper.fll"), expected);
    assert_eq!(place.files(), ["tipper.fll"]);
    let told = place.json("show tipper.fll --dialect matlab");
    assert_eq!(told["dialect"], "matlab");
    assert_eq!(told["outputs"][0]["sets"][1]["set"], "Triangle 10 15 20");
    assert_eq!(told["blocks"][0]["rules"][1], "if service is good then tip is average");
}

#[test]
fn the_page_holds_sets_rules_a_surface_and_one_row_and_nothing_from_outside() {
    let place = Place::with("tipper.fll", TIPPER);
    assert_eq!(place.said("show tipper.fll --html tipper.html"), "tipper.html is written\n");
    assert_eq!(place.files(), ["tipper.fll", "tipper.html"]);
    let page = text(&place.bytes("tipper.html"));
    let wanted = [
        "<h1>tipper</h1>",
        ">service<",
        ">delicious<",
        "<td>if service is good then tip is average</td>",
        "tip over service and food",
        "fuzzion explain tipper.fll --at 3,7.5",
        "tip = 16.38, the centroid at 1000 samples",
    ];
    for part in wanted {
        assert!(page.contains(part), "{part}");
    }
    assert_eq!(page.matches("<svg xmlns").count(), 5); // three variables, the surface, the conclusion
    let outside = page.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    assert!(!["http:", "https:", "src=", "@import", "<link"].iter().any(|part| outside.contains(part)));
}

#[test]
fn each_picture_is_a_file_and_one_input_makes_a_curve() {
    let place = Place::with("dimmer.fll", DIMMER);
    let told = place.json("show dimmer.fll --svg pictures/of --html page.html");
    assert_eq!(told["files"].as_array().unwrap().len(), 4);
    let folder = place.at("pictures/of");
    let mut files: Vec<_> =
        std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    files.sort();
    assert_eq!(files, ["curve1-power.svg", "input1-ambient.svg", "output1-power.svg"]);
    let curve = std::fs::read_to_string(folder.join("curve1-power.svg")).unwrap();
    assert!(curve.starts_with("<svg") && curve.contains("power over ambient"));
    assert!(place.at("page.html").exists());
}

#[test]
fn the_surface_is_over_the_inputs_that_were_named() {
    let place = Place::with("tipper.fll", TIPPER);
    place.said("show tipper.fll --svg a --surface food,service --output tip");
    let svg = text(&place.bytes("a/surface1-tip.svg"));
    assert!(svg.contains("tip over food and service"));
    place.said("show tipper.fll --svg b --surface food --at service=2");
    let svg = text(&place.bytes("b/curve1-tip.svg"));
    assert!(svg.contains("tip over food") && svg.contains(">service = 2<"), "{svg}");
}

#[test]
fn names_from_files_are_escaped_in_the_page_and_safe_as_file_names() {
    let place = Place::with("hostile.fis", HOSTILE);
    place.said("show hostile.fis --html page.html --svg pictures");
    let mut names: Vec<String> = std::fs::read_dir(place.at("pictures"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(
        names,
        ["input1-up-out.svg", "input2-up-out.svg", "output1-img-src-x.svg", "surface1-img-src-x.svg"]
    );
    assert_eq!(place.files(), ["hostile.fis", "page.html", "pictures"]);
    let mut all = vec![text(&place.bytes("page.html"))];
    all.extend(names.iter().map(|name| text(&place.bytes(&format!("pictures/{name}")))));
    for content in all {
        assert!(
            !["<script>alert", "<i>", "<img", "m&m"].iter().any(|tag| content.contains(tag)),
            "{content}"
        );
    }
}

#[test]
fn words_that_do_not_fit_the_system_are_one_sentence_and_write_nothing() {
    let place = Place::with("tipper.fll", TIPPER);
    for (words, expected) in [
        ("--surface food,drink", "`--surface` names `drink`, which is no input; the inputs are service,food"),
        ("--surface food,food", "`--surface` names one input twice; name two, or one for a curve"),
        ("--surface food,service,food", "`--surface` names 3 inputs; name two, or one for a curve"),
        ("--output tips", "`--output` names `tips`, which is no output; the outputs are tip"),
        ("--at drink=3", "`--at` names `drink`, which is no input; the inputs are service,food"),
    ] {
        let output = place.run(&format!("show tipper.fll --html page.html --svg pictures {words}"));
        assert_eq!(output.status.code(), Some(1), "{words}");
        assert_eq!(text(&output.stderr), format!("fuzzion: {expected}\n"));
        assert_eq!(place.files(), ["tipper.fll"]);
    }
    let output = place.run("show tipper.fll --html tipper.fll");
    let expected = "fuzzion: `tipper.fll` holds the system; name another file for the page\n";
    assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(1), expected));
    assert_eq!(text(&place.bytes("tipper.fll")), TIPPER);
    let output = place.run("show tipper.fll --html no/such/folder/page.html");
    assert_eq!((output.status.code(), text(&output.stderr).lines().count()), (Some(1), 1));
    for words in ["show tipper.fll --surface food", "show tipper.fll --html - --json"] {
        assert_eq!(place.run(words).status.code(), Some(2), "{words}");
    }
}

#[test]
fn a_page_can_go_to_standard_output() {
    let place = Place::with("dimmer.fll", DIMMER);
    let page = place.said("show dimmer.fll --html -");
    assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"), "{page}");
}
