//! `fuzzion infer`

use crate::common::{TestDir, text};

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
    let dir = TestDir::with("d.fll", DIMMER);
    dir.write("rows.csv", "lamp,hour,ambient\nred,12,0.5\ngreen,24,0\nblue,0,1\n");
    // No rule fires in the last row.
    assert_eq!(dir.output_of("infer d.fll --data rows.csv"), "power\n2\n1.5\nNaN\n");
    dir.write("bare.csv", "0.5,12\n0,24\n");
    assert_eq!(dir.output_of("infer d.fll --data bare.csv"), "power\n2\n1.5\n");
    let printed =
        dir.output_of("infer d.fll --data rows.csv --out out.csv --firing firing.csv --fired fired.csv");
    assert!(printed.starts_with("rows.csv: 3 rows; wrote out.csv"), "{printed}");
    assert!(printed.contains("no rule for `power` fired in 1 row"), "{printed}");
    assert_eq!(text(&dir.read("out.csv")), "power\n2\n1.5\nNaN\n");
    assert_eq!(text(&dir.read("firing.csv")), "rule1,rule2\n0.5,0\n1,1\n0,0\n");
    assert_eq!(text(&dir.read("fired.csv")), "power\n1\n1\n0\n");
    let summary = dir.json("infer d.fll --data rows.csv --out out.csv --activated sets.csv --precision f32");
    assert_eq!((&summary["rows"], &summary["precision"]), (&3.into(), &"f32".into()));
    assert_eq!(summary["without_a_rule"]["power"], 1);
    assert_eq!(text(&dir.read("sets.csv")).lines().next(), Some("power.high,power.low"));
}

#[test]
fn the_matlab_dialect_gives_the_middle_of_the_range_if_no_rule_fires() {
    let dir = TestDir::with("d.fll", DIMMER);
    dir.write("rows.csv", "hour,ambient\n0,1\n,0.5\n");
    let output = dir.run("infer d.fll --data rows.csv --dialect matlab");
    assert_eq!(text(&output.stdout), "power\n1\n2\n");
    assert!(text(&output.stderr).contains("`hour` is missing in 1 of 2 rows"));
}

#[test]
fn errors_are_reported_and_nothing_is_written() {
    let dir = TestDir::with("d.fll", DIMMER);
    dir.write("rows.csv", "hour,lamp\n12,red\n");
    dir.write("text.csv", "hour,ambient\n12,dusk\n13,dawn\n14,noon\n");
    dir.write("rows2.csv", "hour,ambient\n12,0.5\n");
    dir.write("bare.csv", "0.5\n0.25\n");
    dir.write("wide.csv", "1,3,0.5\n2,8,0.25\n");
    dir.write("texts.csv", "hour,ambient\n30%,40%\n50%,10%\n");
    for (args, message) in [
        (
            "infer d.fll --data rows.csv --out out.csv",
            "rows.csv does not match the inputs of the system: missing column `ambient`",
        ),
        (
            "infer d.fll --data text.csv --out out.csv",
            "text.csv does not match the inputs of the system: column `ambient` contains text such as `dusk`, but",
        ),
        (
            "infer d.fll --data bare.csv --out out.csv",
            "bare.csv does not match the inputs of the system: it has 1 column without names, but the system has 2 inputs; provide \
             one column per input",
        ),
        (
            "infer d.fll --data wide.csv --out out.csv",
            "wide.csv does not match the inputs of the system: it has 3 columns without names, but the system has 2 inputs; provide \
             one column per input",
        ),
        (
            "infer d.fll --data texts.csv --out out.csv",
            "texts.csv does not match the inputs of the system: column `ambient` contains text such as `40%`",
        ),
        ("infer d.fll --data none.csv --out out.csv", "none.csv"),
        ("infer none.fll --data rows.csv --out out.csv", "none.fll"),
        ("infer rows.csv --data rows.csv --out out.csv", "rows.csv"),
        ("infer d.fll --data rows2.csv --out out.xyz", "out.xyz"),
    ] {
        let output = dir.run(args);
        assert_eq!(output.status.code(), Some(1), "{args}");
        let printed = text(&output.stderr);
        assert!(printed.contains(message), "{args}: {printed}");
        assert!(!dir.join("out.csv").exists(), "{args}");
    }
}

/// Rows in several chunks, and the expected power: no rule fires in every tenth row.
fn many_rows() -> (String, String) {
    let row =
        |i: usize| format!("{},{}\n", 18.0 + (i % 5) as f64, if i.is_multiple_of(10) { 1.0 } else { 0.5 });
    let rows: String = (0..700_000).map(row).collect();
    let power = |i: usize| match (i % 10, i % 5) {
        (0, _) => "NaN\n".to_owned(),
        (_, hour) => {
            let late = (hour as f64 / 6.0).min(0.5);
            format!("{}\n", (0.5 * 2.0 + late) / (0.5 + late))
        }
    };
    let powers: String = (0..700_000).map(power).collect();
    (format!("hour,ambient\n{rows}"), format!("power\n{powers}"))
}

#[test]
fn the_rows_of_many_chunks_are_written_in_order() {
    let dir = TestDir::with("d.fll", DIMMER);
    let (rows, powers) = many_rows();
    dir.write("rows.csv", &rows);
    for threads in ["1", "3"] {
        let summary =
            dir.json(&format!("infer d.fll --data rows.csv --out out.csv --device cpu --threads {threads}"));
        assert_eq!(
            (&summary["rows"], &summary["without_a_rule"]["power"]),
            (&700_000.into(), &70_000.into())
        );
        assert!(text(&dir.read("out.csv")) == powers, "{threads} threads");
    }
}

#[test]
fn an_error_in_a_late_chunk_names_its_line_and_leaves_no_file() {
    let dir = TestDir::with("d.fll", DIMMER);
    let (mut rows, _) = many_rows();
    rows.push_str("12,dusk\n12,0.5\n");
    dir.write("rows.csv", &rows);
    let output = dir.run("infer d.fll --data rows.csv --out out.csv --fired fired.npy --device cpu");
    assert_eq!(output.status.code(), Some(1));
    let printed = text(&output.stderr);
    assert!(printed.contains("line 700002") && printed.contains("`dusk`"), "{printed}");
    let mut left: Vec<_> =
        std::fs::read_dir(dir.join(".")).unwrap().map(|f| f.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["d.fll", "rows.csv"]);
}

#[test]
fn two_tables_cannot_both_use_standard_output() {
    let dir = TestDir::with("d.fll", DIMMER);
    dir.write("rows.csv", "hour,ambient\n12,0.5\n");
    let output = dir.run("infer d.fll --data rows.csv --firing -");
    assert_eq!(output.status.code(), Some(2));
    let output = dir.run("infer d.fll --data rows.csv --json");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn conflicting_paths_are_rejected() {
    let dir = TestDir::with("d.fll", DIMMER);
    let rows = "hour,ambient\n12,0.5\n";
    dir.write("rows.csv", rows);
    std::fs::create_dir(dir.join("sub")).unwrap();
    for (args, message) in [
        (
            "--data rows.csv --out rows.csv",
            "`rows.csv` is an input file; choose a different path for `--out`",
        ),
        (
            "--data rows.csv --out sub/../rows.csv",
            "`sub/../rows.csv` is an input file; choose a different path for `--out`",
        ),
        (
            "--data rows.csv --firing rows.csv",
            "`rows.csv` is an input file; choose a different path for `--firing`",
        ),
        ("--data rows.csv --out d.fll", "`d.fll` is an input file; choose a different path for `--out`"),
        (
            "--data rows.csv --out a.csv --fired sub/../a.csv",
            "`--out` and `--fired` both write `sub/../a.csv`; choose a different path for one of them",
        ),
        (
            "--data rows.csv --lower l.csv --upper l.csv",
            "`--lower` and `--upper` both write `l.csv`; choose a different path for one of them",
        ),
        // Checked before any file is read.
        (
            "--data none.csv --out none.csv",
            "`none.csv` is an input file; choose a different path for `--out`",
        ),
    ] {
        let before = dir.files();
        let output = dir.run(&format!("infer d.fll {args}"));
        assert_eq!(output.status.code(), Some(2), "{args}");
        assert_eq!(text(&output.stderr), format!("fuzzion: {message}\n"), "{args}");
        assert!(output.stdout.is_empty() && dir.files() == before, "{args}");
        assert_eq!(text(&dir.read("rows.csv")), rows);
    }
}

#[test]
fn the_outputs_of_an_interval_system_are_within_their_bounds() {
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
    let dir = TestDir::with("t2.fll", system);
    dir.write("rows.csv", "a\n0.5\n");
    dir.output_of("infer t2.fll --data rows.csv --out y.csv --lower l.csv --upper u.csv");
    let value = |name: &str| dir.read_values(name)[0][0];
    // Both rules fire between 1/3 and 1/2; each bound combines the lower strength of one rule with the upper of the other.
    assert!((value("y.csv") - 0.5).abs() < 1e-12);
    assert!((value("l.csv") - 0.4).abs() < 1e-12, "(1/3) / (1/3 + 1/2)");
    assert!((value("u.csv") - 0.6).abs() < 1e-12);
    assert_eq!(dir.run("infer t2.fll --data rows.csv --firing f.csv").status.code(), Some(2));
    for args in ["show t2.fll", "explain t2.fll --at 1", "grid t2.fll --points 3", "export t2.fll --to c"] {
        let output = dir.run(args);
        assert_eq!(output.status.code(), Some(1), "{args}");
        assert_eq!(
            text(&output.stderr),
            "fuzzion: t2.fll contains an interval type-2 system, which can be evaluated for tables and written as \
             `.fll` or `.json`, but not applied to images, shown, explained, tabulated or exported; remove its upper sets and type \
             reduction to make it a type-1 system\n"
        );
    }
    dir.write("other.csv", "b\n0.5\n");
    let message = text(&dir.run("infer t2.fll --data other.csv").stderr);
    assert!(
        message.contains("other.csv does not match the inputs of the system: missing column `a`"),
        "{message}"
    );
}

#[test]
fn the_documented_example_of_the_fll_extensions_is_right() {
    let page = include_str!("../../../../../docs/src/systems.md");
    let (_, example) = page.split_once("cat > fan.fll <<'END'\n").unwrap();
    let (system, commands) = example.split_once("END\n```\n\n```sh\n").unwrap();
    let (commands, _) = commands.split_once("```").unwrap();
    let dir = TestDir::with("fan.fll", system);
    let mut lines = commands.lines();
    let rows =
        lines.next().and_then(|line| line.strip_prefix("$ printf '")?.strip_suffix("' > air.csv")).unwrap();
    dir.write("air.csv", rows.replace("\\n", "\n"));
    let args = lines.next().and_then(|line| line.strip_prefix("$ fuzzion ")).unwrap();
    let shown: Vec<&str> = lines.by_ref().take_while(|line| !line.starts_with('$')).collect();
    assert_eq!(dir.output_of(args).lines().collect::<Vec<_>>(), shown);
    // By hand: warm is ½ to ⅚, not high is ¾; their mean is 0.625 to 0.7916…, and the output is 100 times its midpoint.
    let hand = 50.0 * ((0.5 + 0.75) / 2.0 + (5.0 / 6.0 + 0.75) / 2.0);
    assert!((shown[1].parse::<f64>().unwrap() - hand).abs() < 1e-12, "{shown:?}"); // the rounding of such a number is 1.4e-14
    dir.output_of("convert fan.fll fan.json");
    assert_eq!(dir.output_of("infer fan.json --data air.csv").lines().collect::<Vec<_>>(), shown);
    for command in ["infer", "convert"] {
        assert!(dir.output_of(&format!("{command} --help")).contains("`# dialect: fuzzion`"), "{command}");
    }
}

/// Two function blocks; `a` is on from 0 to 1.
const BLOCKS: &str = "\
FUNCTION_BLOCK first
VAR_INPUT a : REAL; END_VAR
VAR_OUTPUT y : REAL; END_VAR
FUZZIFY a TERM on := (0, 0) (1, 1); END_FUZZIFY
DEFUZZIFY y TERM one := 1; METHOD : COGS; END_DEFUZZIFY
RULEBLOCK r RULE 1 : IF a IS on THEN y IS one; END_RULEBLOCK
END_FUNCTION_BLOCK
FUNCTION_BLOCK second
VAR_INPUT a : REAL; END_VAR
VAR_OUTPUT y : REAL; END_VAR
FUZZIFY a TERM on := (0, 0) (1, 1); END_FUZZIFY
DEFUZZIFY y TERM lo := 0; TERM hi := 10; METHOD : COGS; END_DEFUZZIFY
RULEBLOCK r ACCU : MAX;
RULE 1 : IF a IS NOT on THEN y IS lo;
RULE 2 : IF a IS on THEN y IS hi;
RULE 3 : IF a IS on THEN y IS hi;
END_RULEBLOCK
END_FUNCTION_BLOCK
";

#[test]
fn a_function_block_is_selected_by_its_name() {
    let dir = TestDir::with("b.fcl", BLOCKS);
    dir.write("rows.csv", "a\n0.5\n");
    assert_eq!(dir.output_of("infer b.fcl --block first --data rows.csv"), "y\n1\n");
    // Equal singletons are accumulated by the maximum before they are averaged.
    assert_eq!(dir.output_of("infer b.fcl --block second --data rows.csv"), "y\n5\n");
    dir.output_of("convert b.fcl b.json --block second");
    assert_eq!(dir.output_of("infer b.json --data rows.csv"), "y\n5\n");
    for (args, message) in [
        (
            "infer b.fcl --data rows.csv",
            "b.fcl contains several function blocks; select one with `--block`: `first`, `second`",
        ),
        (
            "show b.fcl --block third",
            "b.fcl contains no function block `third`; available function blocks: `first`, `second`",
        ),
        (
            "explain b.json --at 1 --block a",
            "b.json contains no function block `a`; available function blocks: none",
        ),
    ] {
        let output = dir.run(args);
        assert_eq!(output.status.code(), Some(1), "{args}");
        assert_eq!(text(&output.stderr), format!("fuzzion: {message}\n"), "{args}");
    }
}

#[test]
fn sets_that_are_too_narrow_for_the_samples_cause_a_warning() {
    let system =
        DIMMER.replace("defuzzifier: WeightedAverage", "aggregation: Maximum\n  defuzzifier: Centroid");
    let system = system.replace("term: high Constant 2", "term: high Triangle 1.5 1.5005 1.501");
    let system = system.replace("term: low Constant 1", "term: low Triangle 0 0.5 1");
    let system = system.replace("conjunction: Minimum", "conjunction: Minimum\n  implication: Minimum");
    let dir = TestDir::with("d.fll", system);
    dir.write("rows.csv", "hour,ambient\n0,0\n");
    let warning = "set `high` of output `power` is 0.001 wide, but the samples of the output are 0.002 apart";
    for args in ["infer d.fll --data rows.csv", "explain d.fll --at 0,0"] {
        let output = dir.run(args);
        let printed = text(&output.stderr);
        assert!(output.status.success() && printed.starts_with("fuzzion: warning: "), "{args}: {printed}");
        assert!(printed.contains(&warning[..warning.find("0.001").unwrap()]), "{args}: {printed}");
        assert_eq!(printed.lines().count(), 1, "{args}: {printed}");
    }
    // `output_of` fails if there is a warning.
    dir.output_of("infer d.fll --data rows.csv --samples 10000");
    let exact = dir.output_of("infer d.fll --data rows.csv --centroid exact");
    let value: f64 = exact.lines().nth(1).unwrap().parse().unwrap();
    assert!((value - 1.5005).abs() < 1e-12, "{value}");
}

#[test]
fn a_surplus_parameter_of_a_fis_file_causes_a_warning() {
    let dir = TestDir::with(
        "s.fis",
        "[System]\nType='sugeno'\n[Input1]\nName='a'\nRange=[0 100]\nMF1='on' : 'smf',[40 80 100]\n\
         [Output1]\nName='y'\nMF1='one':'constant',[1]\n[Rules]\n1, 1 (1) : 1\n",
    );
    dir.write("rows.csv", "a\n60\n");
    let output = dir.run("infer s.fis --data rows.csv --firing -  --out y.csv");
    assert_eq!(text(&output.stdout).lines().nth(1), Some("0.5"));
    assert_eq!(
        text(&output.stderr),
        "fuzzion: warning: s.fis, line 6: `[40 80 100]` has more than the 2 parameters of 'smf'; the others are ignored\n"
    );
}

#[test]
fn a_table_without_rows_is_reported_and_not_its_output() {
    let dir = TestDir::with("d.fll", DIMMER);
    dir.write("header.csv", "hour,ambient\n");
    let output = dir.run("infer d.fll --data header.csv --out y.csv");
    assert_eq!(output.status.code(), Some(1));
    let message = text(&output.stderr);
    assert!(message.starts_with("fuzzion: header.csv") && !message.contains("y.csv"), "{message}");
    assert!(!dir.join("y.csv").exists());
}
