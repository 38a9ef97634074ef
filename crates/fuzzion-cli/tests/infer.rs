//! `fuzzion infer`: systems over tables.

#![allow(clippy::unwrap_used, clippy::panic)] // a helper outside a test function is still a test

mod common;

use common::{Place, text};

const DIMMER: &str = "\
Engine: dimmer
InputVariable: ambient
  range: 0 1
  term: dark Ramp 1 0
InputVariable: hour
  range: 0 24
  term: late Ramp 18 24
OutputVariable: power
  range: 0 2
  defuzzifier: WeightedAverage
  term: high Constant 2
  term: low Constant 1
RuleBlock:
  conjunction: Minimum
  rule: if ambient is dark then power is high
  rule: if ambient is dark and hour is late then power is low
";

#[test]
fn columns_are_matched_by_name_and_others_ignored() {
    let place = Place::with("d.fll", DIMMER);
    place.put("rows.csv", "lamp,hour,ambient\nred,12,0.5\ngreen,24,0\nblue,0,1\n");
    // Nothing fires in the last row.
    assert_eq!(place.said("infer d.fll --data rows.csv"), "power\n2\n1.5\nNaN\n");
    place.put("bare.csv", "0.5,12\n0,24\n");
    assert_eq!(place.said("infer d.fll --data bare.csv"), "power\n2\n1.5\n");
    let said = place.said("infer d.fll --data rows.csv --out out.csv --firing firing.csv --fired fired.csv");
    assert!(said.starts_with("rows.csv: 3 rows, written to out.csv"), "{said}");
    assert!(said.contains("no rule about `power` fired in 1 row"), "{said}");
    assert_eq!(text(&place.bytes("out.csv")), "power\n2\n1.5\nNaN\n");
    assert_eq!(text(&place.bytes("firing.csv")), "rule1,rule2\n0.5,0\n1,1\n0,0\n");
    assert_eq!(text(&place.bytes("fired.csv")), "power\n1\n1\n0\n");
    let told = place.json("infer d.fll --data rows.csv --out out.csv --activated sets.csv --precision f32");
    assert_eq!((&told["rows"], &told["precision"]), (&3.into(), &"f32".into()));
    assert_eq!(told["without_a_rule"]["power"], 1);
    assert_eq!(text(&place.bytes("sets.csv")).lines().next(), Some("power.high,power.low"));
}

#[test]
fn matlabs_dialect_gives_the_middle_of_the_range() {
    let place = Place::with("d.fll", DIMMER);
    place.put("rows.csv", "hour,ambient\n0,1\n,0.5\n");
    assert_eq!(place.said("infer d.fll --data rows.csv --dialect matlab"), "power\n1\n2\n");
}

#[test]
fn what_cannot_be_inferred_is_one_sentence_and_writes_nothing() {
    let place = Place::with("d.fll", DIMMER);
    place.put("rows.csv", "hour,lamp\n12,red\n");
    place.put("text.csv", "hour,ambient\n12,dusk\n13,dawn\n14,noon\n");
    place.put("rows2.csv", "hour,ambient\n12,0.5\n");
    place.put("bare.csv", "0.5\n0.25\n");
    for (words, sentence) in [
        (
            "infer d.fll --data rows.csv --out out.csv",
            "rows.csv cannot be read as the system's inputs: no column is called `ambient`",
        ),
        (
            "infer d.fll --data text.csv --out out.csv",
            "text.csv cannot be read as the system's inputs: column `ambient` holds text",
        ),
        (
            "infer d.fll --data bare.csv --out out.csv",
            "bare.csv cannot be read as the system's inputs: it has 1 column without a name for 2 inputs; give each \
             input one",
        ),
        ("infer d.fll --data none.csv --out out.csv", "none.csv"),
        ("infer none.fll --data rows.csv --out out.csv", "none.fll"),
        ("infer rows.csv --data rows.csv --out out.csv", "rows.csv"),
        ("infer d.fll --data rows2.csv --out out.xyz", "out.xyz"),
    ] {
        let output = place.run(words);
        assert_eq!(output.status.code(), Some(1), "{words}");
        let said = text(&output.stderr);
        assert!(said.contains(sentence), "{words}: {said}");
        assert!(!place.at("out.csv").exists(), "{words}");
    }
}

#[test]
fn two_tables_do_not_share_standard_output() {
    let place = Place::with("d.fll", DIMMER);
    place.put("rows.csv", "hour,ambient\n12,0.5\n");
    let output = place.run("infer d.fll --data rows.csv --firing -");
    assert_eq!(output.status.code(), Some(2));
    let output = place.run("infer d.fll --data rows.csv --json");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn no_file_is_read_and_written_or_written_twice() {
    let place = Place::with("d.fll", DIMMER);
    let rows = "hour,ambient\n12,0.5\n";
    place.put("rows.csv", rows);
    std::fs::create_dir(place.at("sub")).unwrap();
    for (words, sentence) in [
        ("--data rows.csv --out rows.csv", "`rows.csv` is a file to read; name another one for `--out`"),
        (
            "--data rows.csv --out sub/../rows.csv",
            "`sub/../rows.csv` is a file to read; name another one for `--out`",
        ),
        (
            "--data rows.csv --firing rows.csv",
            "`rows.csv` is a file to read; name another one for `--firing`",
        ),
        ("--data rows.csv --out d.fll", "`d.fll` is a file to read; name another one for `--out`"),
        (
            "--data rows.csv --out a.csv --fired sub/../a.csv",
            "`--out` and `--fired` both name `sub/../a.csv`; name another file for one of them",
        ),
        (
            "--data rows.csv --lower l.csv --upper l.csv",
            "`--lower` and `--upper` both name `l.csv`; name another file for one of them",
        ),
        // Said before anything is read.
        ("--data none.csv --out none.csv", "`none.csv` is a file to read; name another one for `--out`"),
    ] {
        let before = place.files();
        let output = place.run(&format!("infer d.fll {words}"));
        assert_eq!(output.status.code(), Some(2), "{words}");
        assert_eq!(text(&output.stderr), format!("fuzzion: {sentence}\n"), "{words}");
        assert!(output.stdout.is_empty() && place.files() == before, "{words}");
        assert_eq!(text(&place.bytes("rows.csv")), rows);
    }
}

#[test]
fn an_interval_system_has_outputs_between_its_ends() {
    let system = "\
# dialect: fuzzion
Engine: blurred
  type-reduction: KarnikMendel
InputVariable: a
  range: 0 1
  term: low Ramp 0.75 0
    upper: Ramp 1 0
  term: high Ramp 0.25 1
    upper: Ramp 0 1
OutputVariable: y
  range: 0 1
  defuzzifier: WeightedAverage
  term: zero Constant 0
  term: one Constant 1
RuleBlock:
  rule: if a is low then y is zero
  rule: if a is high then y is one
";
    let place = Place::with("t2.fll", system);
    place.put("rows.csv", "a\n0.5\n");
    place.said("infer t2.fll --data rows.csv --out y.csv --lower l.csv --upper u.csv");
    let value = |name: &str| place.numbers(name)[0][0];
    // Both rules fire between 1/3 and 1/2: the ends weigh one end of each against the other's.
    assert!((value("y.csv") - 0.5).abs() < 1e-12);
    assert!((value("l.csv") - 0.4).abs() < 1e-12, "1/3 over 1/3 + 1/2");
    assert!((value("u.csv") - 0.6).abs() < 1e-12);
    assert_eq!(place.run("infer t2.fll --data rows.csv --firing f.csv").status.code(), Some(2));
    for words in ["show t2.fll", "explain t2.fll --at 1", "grid t2.fll --points 3", "export t2.fll --to c"] {
        let output = place.run(words);
        assert_eq!(output.status.code(), Some(1), "{words}");
        assert_eq!(
            text(&output.stderr),
            "fuzzion: t2.fll holds an interval type-2 system, which can be inferred and written as `.fll` or `.json`, but not \
             shown, explained, tabulated or exported; leave out its upper sets and its type reduction to make it an \
             ordinary one\n"
        );
    }
    place.put("other.csv", "b\n0.5\n");
    let sentence = text(&place.run("infer t2.fll --data other.csv").stderr);
    assert!(
        sentence.contains("other.csv cannot be read as the system's inputs: no column is called `a`"),
        "{sentence}"
    );
}

#[test]
fn the_readmes_example_of_the_extension_gives_what_it_shows() {
    let readme = include_str!("../../../README.md");
    let (_, example) = readme.split_once("$ cat > fan.fll <<'END'\n").unwrap();
    let (system, commands) = example.split_once("END\n").unwrap();
    let (commands, _) = commands.split_once("```").unwrap();
    let place = Place::with("fan.fll", system);
    let mut lines = commands.lines();
    let rows =
        lines.next().and_then(|line| line.strip_prefix("$ printf '")?.strip_suffix("' > air.csv")).unwrap();
    place.put("air.csv", rows.replace("\\n", "\n"));
    let words = lines.next().and_then(|line| line.strip_prefix("$ fuzzion ")).unwrap();
    let shown: Vec<&str> = lines.by_ref().take_while(|line| !line.starts_with('$')).collect();
    assert_eq!(place.said(words).lines().collect::<Vec<_>>(), shown);
    // By hand: warm is ½ to ⅚, not high ¾; their mean 0.625 to 0.7916…, of which 100 times the middle.
    let hand = 50.0 * ((0.5 + 0.75) / 2.0 + (5.0 / 6.0 + 0.75) / 2.0);
    assert!((shown[1].parse::<f64>().unwrap() - hand).abs() < 1e-12, "{shown:?}"); // the rounding of such a number is 1.4e-14
    place.said("convert fan.fll fan.json");
    assert_eq!(place.said("infer fan.json --data air.csv").lines().collect::<Vec<_>>(), shown);
    for command in ["infer", "convert"] {
        assert!(place.said(&format!("{command} --help")).contains("`# dialect: fuzzion`"), "{command}");
    }
}
