//! `fuzzion grid`

use crate::common::{TestDir, text};

const FLL: &str = "\
Engine: dimmer
InputVariable: ambient
  range: 0 1
  term: dark Ramp 1 0
OutputVariable: power
  range: 0 2
  defuzzifier: WeightedAverage
  term: high Ramp 0 2
RuleBlock:
  rule: if ambient is dark then power is high
";

#[test]
fn the_table_is_printed_or_written_to_a_file() {
    let dir = TestDir::with("d.fll", FLL);
    let table = "ambient power\n0.000 2.000\n0.250 1.500\n0.500 1.000\n0.750 0.500\n1.000 nan\n";
    assert_eq!(dir.output_of("grid d.fll --points 5"), table);
    assert_eq!(dir.output_of("grid d.fll --rows 5"), table);
    assert_eq!(dir.output_of("grid d.fll --points 5 --out d.fld"), "d.fll: 5 rows; wrote d.fld\n");
    assert_eq!(text(&dir.read("d.fld")), table);
    // In the MATLAB dialect the output is the middle of the range if no rule fires.
    assert_eq!(
        dir.output_of("grid d.fll --points 2 --dialect matlab --decimals 0"),
        "ambient power\n0 2\n1 1\n"
    );
    let summary = dir.json("grid d.fll --rows 7 --out d.fld");
    assert_eq!((&summary["rows"], &summary["dialect"]), (&7.into(), &"fuzzylite8".into()));
    let row =
        |name: &str| dir.output_of(&format!("grid {name} --points 1")).lines().nth(1).unwrap().to_owned();
    assert_eq!(row("d.fll"), "0.000 2.000");
}

#[test]
fn errors_are_reported_and_nothing_is_written() {
    let dir = TestDir::with("d.fll", FLL);
    dir.write("open.fll", FLL.replacen("  range: 0 1\n", "", 1));
    for (args, code, part) in [
        (
            "open.fll --points 3 --out d.fld",
            1,
            "input `ambient` has an infinite range, but a grid needs a finite one",
        ),
        ("none.fll --points 3 --out d.fld", 1, "cannot read none.fll"),
        ("d.csv --points 3 --out d.fld", 1, "d.csv: unsupported format"),
        ("d.fll --points 3 --out nowhere/d.fld", 1, "cannot write nowhere/d.fld"),
        (
            "d.fll --points 3 --out ./d.fll",
            2,
            "`./d.fll` is an input file; choose a different path for `--out`",
        ),
        ("d.fll --out d.fld", 2, "--points"),
        ("d.fll --points 0 --out d.fld", 2, "0"),
        ("d.fll --points 3 --rows 3 --out d.fld", 2, "cannot be used with"),
        ("d.fll --points 3 --dialect octave", 2, "expected `fuzzylite8`, `fuzzylite6`, `matlab`, `iec`"),
        ("d.fll --points 3 --decimals 18", 2, "18"),
        (
            "d.fll --points 3 --json",
            2,
            "cannot both use standard output; write the table to a file with `--out`",
        ),
    ] {
        let before = dir.files();
        let output = dir.run(&format!("grid {args}"));
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args}: {message}");
        assert!(message.contains(part), "{args}: {message}");
        assert!(code == 2 || message.lines().count() == 1, "{message}");
        assert!(output.stdout.is_empty() && dir.files() == before, "{args}");
    }
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_the_command_without_an_error() {
    use std::io::{BufRead as _, BufReader};
    let dir = TestDir::with("d.fll", FLL);
    let mut child = dir
        .command("grid d.fll --points 1000000")
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "ambient power\n");
    let output = child.wait_with_output().unwrap(); // the pipe is closed
    assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(0), ""));
}
