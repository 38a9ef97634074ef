//! `fuzzion export`

use crate::common::{TestDir, text};
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

fn dir() -> TestDir {
    let dir = TestDir::with("tipper.fll", TIPPER);
    dir.write("curved.fll", TIPPER.replace("Triangle 0 5 10", "Gaussian 5 2"));
    dir.write("wide.fll", TIPPER.replace("Ramp 5 10", "Ramp 5 1e200"));
    dir.write("broken.fll", "Engine: x\nnonsense");
    dir
}

#[test]
fn the_source_is_printed_or_written_to_a_file() {
    let dir = dir();
    let printed = dir.output_of("export tipper.fll --to c");
    assert!(printed.contains("void tipper_infer(const double *inputs, double *outputs)\n{"), "{printed}");
    assert!(printed.contains("// Dialect fuzzylite8, precision f64."), "{printed}");
    let summary = dir.output_of("export tipper.fll --to c --out tipper.c");
    assert_eq!(summary, format!("tipper.fll: wrote {} lines of c to tipper.c\n", printed.lines().count()));
    assert_eq!(text(&dir.read("tipper.c")), printed);
    let rust = dir.output_of("export tipper.fll --to rust --dialect matlab --samples 11");
    assert!(rust.contains("pub fn infer(inputs: &[f64; 1]) -> [f64; 1] {"), "{rust}");
    assert!(rust.contains("//! Dialect matlab, precision f64."), "{rust}");
    let cuda = dir.output_of("export tipper.fll --to cuda --precision f32");
    assert!(cuda.contains("extern \"C\" __global__ void tipper_rows("), "{cuda}");
    assert!(!cuda.contains("double"), "{cuda}");
    let exact = dir.output_of("export tipper.fll --to c --centroid exact");
    assert!(exact.contains("add_polynomial_piece(") && !exact.contains("add_linear_piece("), "{exact}");
}

#[test]
fn json_contains_the_source_or_its_path() {
    let dir = dir();
    let summary = dir.json("export tipper.fll --to rust");
    assert_eq!((&summary["language"], &summary["inputs"][0]), (&"rust".into(), &"service".into()));
    assert!(summary["text"].as_str().unwrap().starts_with("//! Fuzzy system tipper"));
    let summary = dir.json("export tipper.fll --to rust --out tipper.rs");
    assert_eq!((&summary["out"], &summary["text"]), (&"tipper.rs".into(), &serde_json::Value::Null));
}

#[test]
fn exported_code_has_the_results_of_infer() {
    let dir = dir();
    dir.write("rows.csv", "service\n2\n5\n8.5\n");
    let inferred = dir.output_of("infer tipper.fll --data rows.csv");
    let expected: Vec<f64> = inferred.lines().skip(1).map(|line| line.parse().unwrap_or(f64::NAN)).collect();
    dir.output_of("export tipper.fll --to c --out tipper.c");
    let main = "#include <stdio.h>\nvoid tipper_infer(const double *, double *);\nint main(void) {\n    const double rows[] = \
                {2, 5, 8.5};\n    for (int i = 0; i < 3; ++i) { double y; tipper_infer(rows + i, &y); printf(\"%.17g\\n\", y); }\n    \
                return 0;\n}\n";
    dir.write("main.c", main);
    let gcc = Command::new("gcc")
        .args("-std=c99 tipper.c main.c -o tipper".split(' '))
        .current_dir(dir.path())
        .status();
    let Ok(compiled) = gcc else { return }; // the tests of the library report a missing compiler
    assert!(compiled.success());
    let output = Command::new(dir.join("tipper")).output().unwrap();
    let got: Vec<f64> = text(&output.stdout).lines().map(|line| line.parse().unwrap()).collect();
    assert_eq!(got.len(), expected.len());
    for (got, want) in got.iter().zip(&expected) {
        // At 5 no rule fires. The table has fewer digits than 17.
        assert!((got.is_nan() && want.is_nan()) || (got - want).abs() < 1e-6, "{got}, not {want}");
    }
}

#[test]
fn errors_are_reported_and_nothing_is_written() {
    let dir = dir();
    for (args, code, part) in [
        (
            "tipper.fll --to c --precision f32",
            1,
            "fuzzion: the system cannot be exported to `c`: only double precision is supported",
        ),
        (
            "wide.fll --to cuda --precision f32",
            1,
            "set `good` of `service` has parameters outside the range of single precision",
        ),
        ("curved.fll --to c --centroid exact", 1, "an exact centroid requires piecewise linear sets"),
        ("no-such.fll --to c", 1, "cannot read no-such.fll"),
        ("broken.fll --to c", 1, "line 2"),
        ("tipper.fll --to c --out no-such/tipper.c", 1, "cannot write no-such/tipper.c"),
        ("tipper.fll --to c --out tipper.fll", 2, "`tipper.fll` is the input file"),
        ("tipper.fll --to fortran", 2, "expected `rust`, `c`, `cuda`"),
        ("tipper.fll", 2, "--to"),
        ("tipper.fll --to c --samples 0", 2, "--samples"),
    ] {
        let before = dir.files();
        let output =
            dir.run(&format!("export {args}{}", if args.contains("--out") { "" } else { " --out out" }));
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args}: {message}");
        assert!(message.contains(part), "{args}: {message}");
        assert!(output.stdout.is_empty(), "{args}");
        assert_eq!(dir.files(), before, "{args}");
        assert_eq!(text(&dir.read("tipper.fll")), TIPPER, "{args}");
    }
}
