//! `fuzzion grid`: fuzzylite's table of results.

#![allow(clippy::unwrap_used, clippy::panic)] // a helper outside a test function is still a test

mod common;

use common::{Place, text};

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
fn the_table_goes_to_standard_output_or_into_a_file() {
    let place = Place::with("d.fll", FLL);
    let table = "ambient power\n0.000 2.000\n0.250 1.500\n0.500 1.000\n0.750 0.500\n1.000 nan\n";
    assert_eq!(place.said("grid d.fll --points 5"), table);
    assert_eq!(place.said("grid d.fll --rows 5"), table);
    assert_eq!(place.said("grid d.fll --points 5 --out d.fld"), "d.fll: 5 rows, written to d.fld\n");
    assert_eq!(text(&place.bytes("d.fld")), table);
    // MATLAB's middle of the range where nothing fires.
    assert_eq!(
        place.said("grid d.fll --points 2 --dialect matlab --decimals 0"),
        "ambient power\n0 2\n1 1\n"
    );
    let summary = place.json("grid d.fll --rows 7 --out d.fld");
    assert_eq!((&summary["rows"], &summary["dialect"]), (&7.into(), &"fuzzylite8".into()));
    let row = |name: &str| place.said(&format!("grid {name} --points 1")).lines().nth(1).unwrap().to_owned();
    assert_eq!(row("d.fll"), "0.000 2.000");
}

#[test]
fn what_cannot_be_tabulated_is_one_sentence_and_no_file() {
    let place = Place::with("d.fll", FLL);
    place.put("open.fll", FLL.replacen("  range: 0 1\n", "", 1));
    for (words, code, part) in [
        (
            "open.fll --points 3 --out d.fld",
            1,
            "input `ambient` has an infinite range, over which there is no grid",
        ),
        ("none.fll --points 3 --out d.fld", 1, "cannot read none.fll"),
        ("d.csv --points 3 --out d.fld", 1, "d.csv is of no known kind"),
        ("d.fll --points 3 --out nowhere/d.fld", 1, "cannot write nowhere/d.fld"),
        ("d.fll --points 3 --out ./d.fll", 2, "`./d.fll` is a file to read; name another one for `--out`"),
        ("d.fll --out d.fld", 2, "--points"),
        ("d.fll --points 0 --out d.fld", 2, "0"),
        ("d.fll --points 3 --rows 3 --out d.fld", 2, "cannot be used with"),
        ("d.fll --points 3 --dialect octave", 2, "use one of fuzzylite8, fuzzylite6, matlab, iec"),
        ("d.fll --points 3 --decimals 18", 2, "18"),
        ("d.fll --points 3 --json", 2, "cannot share standard output; name a file with `--out`"),
    ] {
        let before = place.files();
        let output = place.run(&format!("grid {words}"));
        let complaint = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{words}: {complaint}");
        assert!(complaint.contains(part), "{words}: {complaint}");
        assert!(code == 2 || complaint.lines().count() == 1, "{complaint}");
        assert!(output.stdout.is_empty() && place.files() == before, "{words}");
    }
}

#[cfg(unix)]
#[test]
fn a_reader_that_has_seen_enough_ends_it_quietly() {
    use std::io::{BufRead as _, BufReader};
    let place = Place::with("d.fll", FLL);
    let mut child = place
        .command("grid d.fll --points 1000000")
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "ambient power\n");
    let output = child.wait_with_output().unwrap(); // its reader is gone
    assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(0), ""));
}
