//! `fuzzion convert`

use crate::common::{TestDir, text};

/// A system that every format can represent.
const FLL: &str = "\
Engine: heating
InputVariable: room
  range: 10 30
  term: cold Ramp 20 16
  term: warm Ramp 16 20
OutputVariable: valve
  range: 0 1
  defuzzifier: WeightedAverage
  term: shut Constant 0
  term: open Constant 1
RuleBlock: all
  rule: if room is cold then valve is open
  rule: if room is warm then valve is shut
";

#[test]
fn a_converted_system_has_the_same_results() {
    let dir = TestDir::with("a.fll", FLL);
    assert_eq!(dir.output_of("convert a.fll a.json"), "a.fll: 1 input, 1 output, 2 rules; wrote a.json\n");
    assert_eq!(
        dir.output_of("convert a.json a.fis"),
        "a.json: 1 input, 1 output, 2 rules; wrote a.fis\n\
         the default dialect of the new file is matlab; evaluate it with `fuzzion infer a.fis --dialect fuzzylite8` to get the original \
         results\n"
    );
    dir.output_of("convert a.fis b.fll");
    let tables = ["a.fll", "a.json", "a.fis", "b.fll"]
        .map(|name| dir.output_of(&format!("grid {name} --points 9 --dialect iec")));
    assert!(tables.iter().all(|table| *table == tables[0] && table.lines().count() == 10), "{tables:?}");
    let summary = dir.json("convert a.fis c.json");
    assert_eq!((&summary["dialect"], &summary["rules"]), (&"matlab".into(), &2.into()));
    assert!(text(&dir.read("c.json")).contains("\"dialect\": \"matlab\""));
}

#[test]
fn an_interval_system_converts_between_fll_and_json_only() {
    let blurred = FLL
        .replace("Engine: heating", "# dialect: fuzzion\nEngine: heating\n  type-reduction: EIASC")
        .replace("term: cold Ramp 20 16", "term: cold Ramp 19 16\n  upper: Ramp 21 16");
    let dir = TestDir::with("a.fll", blurred);
    dir.write("rooms.csv", "room\n15\n18\n20.5\n25\n");
    assert_eq!(dir.output_of("convert a.fll a.json"), "a.fll: 1 input, 1 output, 2 rules; wrote a.json\n");
    for args in ["convert a.json b.fll", "convert b.fll c.fll", "convert a.json b.json"] {
        dir.output_of(args);
    }
    let inferred = |name: &str| {
        dir.output_of(&format!("infer {name} --data rooms.csv --out y.csv --lower l.csv --upper u.csv"));
        ["y.csv", "l.csv", "u.csv"].map(|table| text(&dir.read(table)))
    };
    let first = inferred("a.fll");
    assert_ne!(first[1], first[2], "the interval has a width");
    for name in ["a.json", "b.fll", "c.fll", "b.json"] {
        assert_eq!(inferred(name), first, "{name}");
    }
    assert_eq!(dir.read("b.fll"), dir.read("c.fll"));
    assert_eq!(dir.read("a.json"), dir.read("b.json"));
    for to in ["d.fis", "d.fcl"] {
        let output = dir.run(&format!("convert a.fll {to}"));
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(
            text(&output.stderr),
            "fuzzion: the system is an interval type-2 system, which this format does not support; use `.fll` or `.json`\n"
        );
        assert!(!dir.join(to).exists());
    }
}

#[test]
fn errors_are_reported_and_nothing_is_written() {
    let dir = TestDir::with("a.fll", FLL);
    dir.write(
        "two.fll",
        FLL.replace("if room is warm", "if room is warm and (room is cold or room is warm)"),
    );
    dir.write("term.fll", FLL.replace("valve is shut", "valve is shot"));
    for (args, code, part) in [
        (
            "two.fll b.json",
            1,
            "two.fll: rule 2 of rule block `all` uses `and`, but its block has no conjunction",
        ),
        (
            "term.fll b.json",
            1,
            "term.fll, line 13, column 39: found `shot` (did you mean `shut`?), expected a hedge or a set of `valve`",
        ),
        ("a.fll b.fcl", 1, "cannot be saved as FCL, which is read-only; use `.fll`, `.fis` or `.json`"),
        ("a.fll b.txt", 1, "b.txt: unsupported format; supported formats: `.fll`, `.fis` and `.json`"),
        ("a.fll nowhere/b.fll", 1, "cannot write nowhere/b.fll"),
        ("none.fis b.fll", 1, "cannot read none.fis"),
        ("a.fll a.fll", 2, "`a.fll` is the input file; choose a different output path"),
        ("a.fll ./a.fll", 2, "`./a.fll` is the input file; choose a different output path"),
        ("a.fll", 2, "missing `TO`"),
    ] {
        let before = dir.files();
        let output = dir.run(&format!("convert {args}"));
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args}: {message}");
        assert!(message.contains(part), "{args}: {message}");
        assert!(output.stdout.is_empty() && dir.files() == before, "{args}");
        assert_eq!(text(&dir.read("a.fll")), FLL);
    }
}
