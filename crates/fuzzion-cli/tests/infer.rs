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
    for (words, sentence) in [
        ("infer d.fll --data rows.csv --out out.csv", "no column is called `ambient`"),
        ("infer d.fll --data text.csv --out out.csv", "column `ambient` holds text"),
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
    let sentence = text(&place.run("show t2.fll").stderr);
    assert!(sentence.contains("interval type-2"), "{sentence}");
}
