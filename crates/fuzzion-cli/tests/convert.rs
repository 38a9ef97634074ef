//! `fuzzion convert`: the same system in another file, or one sentence and no file.

#![allow(clippy::unwrap_used, clippy::panic)] // a helper outside a test function is still a test

mod common;

use common::{Place, text};

/// A system that every format can hold.
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
fn a_system_goes_from_file_to_file_and_keeps_its_numbers() {
    let place = Place::with("a.fll", FLL);
    assert_eq!(place.said("convert a.fll a.json"), "a.fll: 1 input, 1 output, 2 rules, written to a.json\n");
    assert_eq!(
        place.said("convert a.json a.fis"),
        "a.json: 1 input, 1 output, 2 rules, written to a.fis\n\
         such a file means the numbers of matlab; `--dialect fuzzylite8` keeps those of the first\n"
    );
    place.said("convert a.fis b.fll");
    let tables = ["a.fll", "a.json", "a.fis", "b.fll"]
        .map(|name| place.said(&format!("grid {name} --points 9 --dialect iec")));
    assert!(tables.iter().all(|table| *table == tables[0] && table.lines().count() == 10), "{tables:?}");
    let summary = place.json("convert a.fis c.json");
    assert_eq!((&summary["dialect"], &summary["rules"]), (&"matlab".into(), &2.into()));
    assert!(text(&place.bytes("c.json")).contains("\"dialect\": \"matlab\""));
}

#[test]
fn an_interval_system_goes_between_fll_and_json_and_nowhere_else() {
    let blurred = FLL
        .replace("Engine: heating", "# dialect: fuzzion\nEngine: heating\n  type-reduction: EIASC")
        .replace("term: cold Ramp 20 16", "term: cold Ramp 19 16\n  upper: Ramp 21 16");
    let place = Place::with("a.fll", blurred);
    place.put("rooms.csv", "room\n15\n18\n20.5\n25\n");
    assert_eq!(place.said("convert a.fll a.json"), "a.fll: 1 input, 1 output, 2 rules, written to a.json\n");
    for words in ["convert a.json b.fll", "convert b.fll c.fll", "convert a.json b.json"] {
        place.said(words);
    }
    let inferred = |name: &str| {
        place.said(&format!("infer {name} --data rooms.csv --out y.csv --lower l.csv --upper u.csv"));
        ["y.csv", "l.csv", "u.csv"].map(|table| text(&place.bytes(table)))
    };
    let first = inferred("a.fll");
    assert_ne!(first[1], first[2], "the interval has a width");
    for name in ["a.json", "b.fll", "c.fll", "b.json"] {
        assert_eq!(inferred(name), first, "{name}");
    }
    assert_eq!(place.bytes("b.fll"), place.bytes("c.fll"));
    assert_eq!(place.bytes("a.json"), place.bytes("b.json"));
    for to in ["d.fis", "d.fcl"] {
        let output = place.run(&format!("convert a.fll {to}"));
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(
            text(&output.stderr),
            "fuzzion: the system is of interval type 2, which this format cannot hold; write `.fll` or `.json`\n"
        );
        assert!(!place.at(to).exists());
    }
}

#[test]
fn what_cannot_be_converted_is_one_sentence_and_nothing_is_written() {
    let place = Place::with("a.fll", FLL);
    place
        .put("two.fll", FLL.replace("if room is warm", "if room is warm and (room is cold or room is warm)"));
    place.put("term.fll", FLL.replace("valve is shut", "valve is shot"));
    for (words, code, part) in [
        (
            "two.fll b.json",
            1,
            "two.fll: rule 2 of rule block `all` joins by `and`, but its block has no conjunction",
        ),
        (
            "term.fll b.json",
            1,
            "term.fll, line 13, column 39: found `shot`, expected a hedge or a set of `valve`",
        ),
        ("a.fll b.fcl", 1, "cannot be written as FCL, which is only read; write `.fll`, `.fis` or `.json`"),
        ("a.fll b.txt", 1, "b.txt is of no known kind; known are `.fll`, `.fis`, `.fcl` and `.json`"),
        ("a.fll nowhere/b.fll", 1, "cannot write nowhere/b.fll"),
        ("none.fis b.fll", 1, "cannot read none.fis"),
        ("a.fll a.fll", 2, "`a.fll` is the file to read; name another one to write"),
        ("a.fll ./a.fll", 2, "`./a.fll` is the file to read; name another one to write"),
        ("a.fll", 2, "<TO>"),
    ] {
        let before = place.files();
        let output = place.run(&format!("convert {words}"));
        let complaint = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{words}: {complaint}");
        assert!(complaint.contains(part), "{words}: {complaint}");
        assert!(output.stdout.is_empty() && place.files() == before, "{words}");
        assert_eq!(text(&place.bytes("a.fll")), FLL);
    }
}
