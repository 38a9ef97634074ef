//! `fuzzion export`: the file it writes, and what it refuses.

#![allow(clippy::unwrap_used, clippy::panic)] // a helper outside a test function is still a test

mod common;

use common::{Place, text};
use std::process::Command;

const TIPPER: &str = "Engine: tipper
InputVariable: service
  range: 0 10
  term: poor Ramp 5 0
  term: good Ramp 5 10
OutputVariable: tip
  range: 0 30
  aggregation: Maximum
  defuzzifier: Centroid 100
  term: cheap Triangle 0 5 10
  term: generous Triangle 20 25 30
RuleBlock:
  implication: Minimum
  activation: General
  rule: if service is poor then tip is cheap
  rule: if service is good then tip is generous
";

fn place() -> Place {
    let place = Place::with("tipper.fll", TIPPER);
    place.put("curved.fll", TIPPER.replace("Triangle 0 5 10", "Gaussian 5 2"));
    place.put("wide.fll", TIPPER.replace("Ramp 5 10", "Ramp 5 1e200"));
    place.put("broken.fll", "Engine: x\nnonsense");
    place
}

#[test]
fn the_text_goes_to_standard_output_or_to_a_file() {
    let place = place();
    let said = place.said("export tipper.fll --to c");
    assert!(said.contains("void tipper_infer(const double *inputs, double *outputs)\n{"), "{said}");
    assert!(said.contains("// Dialect fuzzylite8, precision f64."), "{said}");
    let told = place.said("export tipper.fll --to c --out tipper.c");
    assert_eq!(told, format!("tipper.fll: {} lines of c written to tipper.c\n", said.lines().count()));
    assert_eq!(text(&place.bytes("tipper.c")), said);
    let rust = place.said("export tipper.fll --to rust --dialect matlab --samples 11");
    assert!(rust.contains("pub fn infer(inputs: &[f64; 1]) -> [f64; 1] {"), "{rust}");
    assert!(rust.contains("//! Dialect matlab, precision f64."), "{rust}");
    let cuda = place.said("export tipper.fll --to cuda --precision f32");
    assert!(cuda.contains("extern \"C\" __global__ void tipper_rows("), "{cuda}");
    assert!(!cuda.contains("double"), "{cuda}");
    let exact = place.said("export tipper.fll --to c --centroid exact");
    assert!(exact.contains("add_curve(") && !exact.contains("add_line("), "{exact}");
}

#[test]
fn json_tells_what_was_written_or_holds_it() {
    let place = place();
    let told = place.json("export tipper.fll --to rust");
    assert_eq!((&told["language"], &told["inputs"][0]), (&"rust".into(), &"service".into()));
    assert!(told["text"].as_str().unwrap().starts_with("//! The fuzzy system tipper"));
    let told = place.json("export tipper.fll --to rust --out tipper.rs");
    assert_eq!((&told["out"], &told["text"]), (&"tipper.rs".into(), &serde_json::Value::Null));
}

#[test]
fn what_is_written_computes_what_infer_computes() {
    let place = place();
    place.put("rows.csv", "service\n2\n5\n8.5\n");
    let inferred = place.said("infer tipper.fll --data rows.csv");
    let expected: Vec<f64> = inferred.lines().skip(1).map(|line| line.parse().unwrap_or(f64::NAN)).collect();
    place.said("export tipper.fll --to c --out tipper.c");
    let main = "#include <stdio.h>\nvoid tipper_infer(const double *, double *);\nint main(void) {\n    const double rows[] = \
                {2, 5, 8.5};\n    for (int i = 0; i < 3; ++i) { double y; tipper_infer(rows + i, &y); printf(\"%.17g\\n\", y); }\n    \
                return 0;\n}\n";
    place.put("main.c", main);
    let gcc = Command::new("gcc")
        .args("-std=c99 tipper.c main.c -o tipper".split(' '))
        .current_dir(place.path())
        .status();
    let Ok(compiled) = gcc else { return }; // the library's tests say where there is no compiler
    assert!(compiled.success());
    let output = Command::new(place.at("tipper")).output().unwrap();
    let got: Vec<f64> = text(&output.stdout).lines().map(|line| line.parse().unwrap()).collect();
    assert_eq!(got.len(), expected.len());
    for (got, want) in got.iter().zip(&expected) {
        // At 5 no rule fires. The table has fewer digits than 17.
        assert!((got.is_nan() && want.is_nan()) || (got - want).abs() < 1e-6, "{got}, not {want}");
    }
}

#[test]
fn what_cannot_be_written_is_one_sentence_and_nothing_is_written() {
    let place = place();
    for (words, code, part) in [
        (
            "tipper.fll --to c --precision f32",
            1,
            "fuzzion: the system cannot be written as c: numbers are of double precision there",
        ),
        (
            "wide.fll --to cuda --precision f32",
            1,
            "set `good` of `service` has numbers that single precision",
        ),
        ("curved.fll --to c --centroid exact", 1, "an exact centroid needs sets of straight lines"),
        ("no-such.fll --to c", 1, "cannot read no-such.fll"),
        ("broken.fll --to c", 1, "line 2"),
        ("tipper.fll --to c --out no-such/tipper.c", 1, "cannot write no-such/tipper.c"),
        ("tipper.fll --to c --out tipper.fll", 2, "`tipper.fll` is the file to read"),
        ("tipper.fll --to fortran", 2, "use one of rust, c, cuda"),
        ("tipper.fll", 2, "--to"),
        ("tipper.fll --to c --samples 0", 2, "--samples"),
    ] {
        let before = place.files();
        let output = place.run(
            &format!("export {words} --out out.txt")
                .replace(" --out out.txt", if words.contains("--out") { "" } else { " --out out.txt" }),
        );
        let complaint = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{words}: {complaint}");
        assert!(complaint.contains(part), "{words}: {complaint}");
        assert!(output.stdout.is_empty(), "{words}");
        assert_eq!(place.files(), before, "{words}");
        assert_eq!(text(&place.bytes("tipper.fll")), TIPPER, "{words}");
    }
}
