//! `fuzzion show`

use crate::common::{TIPPER, TestDir, text};

/// A system with one input and singleton outputs.
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

/// A system whose names are HTML markup and paths.
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
fn without_options_the_system_is_printed_as_text() {
    let dir = TestDir::with("tipper.fll", TIPPER);
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
  tip: Centroid with 1000 samples, aggregation Maximum

Rules (and Minimum, or Maximum, implication Minimum)
  1  if service is poor or food is rancid then tip is cheap
  2  if service is good then tip is average
  3  if service is excellent or food is delicious then tip is generous
";
    assert_eq!(dir.output_of("show tipper.fll"), expected);
    assert_eq!(dir.files(), ["tipper.fll"]);
    let summary = dir.json("show tipper.fll --dialect matlab");
    assert_eq!(summary["dialect"], "matlab");
    assert_eq!(summary["outputs"][0]["sets"][1]["set"], "Triangle 10 15 20");
    assert_eq!(summary["blocks"][0]["rules"][1], "if service is good then tip is average");
}

#[test]
fn the_page_has_sets_rules_a_surface_and_an_example_and_no_external_references() {
    let dir = TestDir::with("tipper.fll", TIPPER);
    assert_eq!(dir.output_of("show tipper.fll --html tipper.html"), "wrote tipper.html\n");
    assert_eq!(dir.files(), ["tipper.fll", "tipper.html"]);
    let page = text(&dir.read("tipper.html"));
    let wanted = [
        "<h1>tipper</h1>",
        ">service<",
        ">delicious<",
        "<td class=\"long\">if service is good then tip is average</td>",
        "tip over service and food",
        "fuzzion explain tipper.fll --at 3,7.5",
        "tip = 16.38, centroid with 1000 samples",
    ];
    for part in wanted {
        assert!(page.contains(part), "{part}");
    }
    assert_eq!(page.matches("<svg xmlns").count(), 5); // three variables, the surface, the conclusion
    let outside = page.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    assert!(!["http:", "https:", "src=", "@import", "<link"].iter().any(|part| outside.contains(part)));
}

#[test]
fn each_chart_is_a_file_and_one_input_gives_a_curve() {
    let dir = TestDir::with("dimmer.fll", DIMMER);
    let summary = dir.json("show dimmer.fll --svg pictures/of --html page.html");
    assert_eq!(summary["files"].as_array().unwrap().len(), 4);
    let folder = dir.join("pictures/of");
    let mut files: Vec<_> =
        std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    files.sort();
    assert_eq!(files, ["curve1-power.svg", "input1-ambient.svg", "output1-power.svg"]);
    let curve = std::fs::read_to_string(folder.join("curve1-power.svg")).unwrap();
    assert!(curve.starts_with("<svg") && curve.contains("power over ambient"));
    assert!(dir.join("page.html").exists());
}

#[test]
fn the_surface_is_over_the_selected_inputs() {
    let dir = TestDir::with("tipper.fll", TIPPER);
    dir.output_of("show tipper.fll --svg a --surface food,service --output tip");
    let svg = text(&dir.read("a/surface1-tip.svg"));
    assert!(svg.contains("tip over food and service"));
    dir.output_of("show tipper.fll --svg b --surface food --at service=2");
    let svg = text(&dir.read("b/curve1-tip.svg"));
    assert!(svg.contains("tip over food") && svg.contains(">service = 2<"), "{svg}");
}

#[test]
fn names_from_files_are_escaped_in_the_page_and_safe_as_file_names() {
    let dir = TestDir::with("hostile.fis", HOSTILE);
    let output = dir.run("show hostile.fis --html page.html --svg pictures");
    assert!(output.status.success());
    let warning =
        "fuzzion: warning: hostile.fis, two inputs are named `../../up & \"out\"`; rename one of them\n";
    assert_eq!(text(&output.stderr), warning);
    let mut names: Vec<String> = std::fs::read_dir(dir.join("pictures"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(
        names,
        ["input1-up-out.svg", "input2-up-out.svg", "output1-img-src-x.svg", "surface1-img-src-x.svg"]
    );
    assert_eq!(dir.files(), ["hostile.fis", "page.html", "pictures"]);
    let mut all = vec![text(&dir.read("page.html"))];
    all.extend(names.iter().map(|name| text(&dir.read(&format!("pictures/{name}")))));
    for content in all {
        assert!(
            !["<script>alert", "<i>", "<img", "m&m"].iter().any(|tag| content.contains(tag)),
            "{content}"
        );
    }
}

#[test]
fn errors_are_reported_and_nothing_is_written() {
    let dir = TestDir::with("tipper.fll", TIPPER);
    for (args, expected) in [
        (
            "--surface food,drink",
            "`--surface` names the unknown input `drink`; available inputs: `service`, `food`",
        ),
        (
            "--surface food,food",
            "`--surface` names `food` twice; expected two different inputs, or one for a curve",
        ),
        (
            "--surface food,service,food",
            "`--surface` names 3 inputs; expected two different inputs, or one for a curve",
        ),
        ("--output tips", "`--output` names the unknown output `tips`; available outputs: `tip`"),
        ("--at drink=3", "`--at` names the unknown input `drink`; available inputs: `service`, `food`"),
    ] {
        let output = dir.run(&format!("show tipper.fll --html page.html --svg pictures {args}"));
        assert_eq!(output.status.code(), Some(1), "{args}");
        assert_eq!(text(&output.stderr), format!("fuzzion: {expected}\n"));
        assert_eq!(dir.files(), ["tipper.fll"]);
    }
    let output = dir.run("show tipper.fll --html tipper.fll");
    let expected = "fuzzion: `tipper.fll` is the input file; choose a different path for the page\n";
    assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(1), expected));
    assert_eq!(text(&dir.read("tipper.fll")), TIPPER);
    let output = dir.run("show tipper.fll --html no/such/folder/page.html");
    assert_eq!((output.status.code(), text(&output.stderr).lines().count()), (Some(1), 1));
    let both = "show tipper.fll --html page.html --surface food --at service=3,food=4";
    for args in ["show tipper.fll --surface food", "show tipper.fll --html - --json", both] {
        assert_eq!(dir.run(args).status.code(), Some(2), "{args}");
    }
}

#[test]
fn fixed_inputs_of_the_surface_are_refused_and_those_outside_of_their_range_are_reported() {
    let dir = TestDir::with("tipper.fll", TIPPER);
    let output = dir.run("show tipper.fll --html a.html --surface food --at food=4");
    let expected = "fuzzion: `--at` fixes `food`, over which `--surface` plots; remove it from one of them\n";
    assert_eq!((text(&output.stderr).as_str(), dir.files().len()), (expected, 1));
    let output = dir.run("show tipper.fll --html a.html --surface food --at service=99");
    let expected = "fuzzion: warning: `service` is 99, outside its range 0 to 10; check the unit\n";
    assert_eq!((output.status.success(), text(&output.stderr).as_str()), (true, expected));
}

#[test]
fn the_page_can_be_written_to_standard_output() {
    let dir = TestDir::with("dimmer.fll", DIMMER);
    let page = dir.output_of("show dimmer.fll --html -");
    assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"), "{page}");
}
