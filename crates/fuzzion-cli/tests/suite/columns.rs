//! Selection of columns, and messages about columns.

use crate::common::{TestDir, text};
use std::io::Write as _;
use std::process::Stdio;

/// Numbers in all columns, except for one cell of `note` after the rows that determine the types of the columns.
fn late() -> String {
    let rows: String = (0..300).map(|i| format!("{i},{},{i}\n", (i * i) % 17)).collect();
    format!("x,y,note\n{rows}5,6,broken\n7,8,9\n")
}

const SYSTEM: &str = "Engine: s
InputVariable: x
  range: 0 300
  term: a Triangle -1 0 301
OutputVariable: o
  range: 0 1
  defuzzifier: WeightedAverage
  term: c Constant 1
RuleBlock:
  rule: if x is a then o is c
";

#[test]
fn text_in_a_column_that_is_not_used_does_not_matter() {
    let dir = TestDir::with("late.csv", late());
    dir.write("s.fll", SYSTEM);
    for args in [
        "cluster late.csv --columns x,y --clusters 2 --model c.json",
        "cluster late.csv --columns x --weights y --clusters 2",
        "cluster late.csv --columns x,y --sweep 2..3",
        "cluster --apply c.json late.csv",
        "sonfin fit late.csv --target y --inputs x --rules 3 --model n.json",
        "sonfin predict n.json late.csv --out p.csv",
        "infer s.fll --data late.csv --out o.csv",
        "explain s.fll --data late.csv --row 3",
        "explain n.json --data late.csv --row 3",
    ] {
        dir.output_of(args);
    }
    let mut command = dir.command("cluster - --columns x,y --clusters 2");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(late().as_bytes()).unwrap();
    assert!(child.wait_with_output().unwrap().status.success());
}

#[test]
fn the_advice_about_text_names_options_of_the_command() {
    let dir = TestDir::with("late.csv", late());
    for (args, advice) in [
        ("cluster late.csv --clusters 2", "or select other columns with `--columns`"),
        ("head late.csv", "or use `--labels note`"),
        ("sonfin fit late.csv --target y --rules 2", "or select other columns with `--inputs`"),
    ] {
        let output = dir.run(args);
        let printed = text(&output.stderr);
        assert_eq!((output.status.code(), printed.lines().count()), (Some(1), 1), "{printed}");
        assert!(printed.contains("line 302, column 3 (`note`): `broken` is not a number"), "{printed}");
        assert!(printed.trim_end().ends_with(advice), "{printed}");
    }
}

#[test]
fn an_unknown_column_is_compared_with_all_columns() {
    let dir = TestDir::with("p.csv", "name,width,height\nann,1,2\nbob,3,4\ncid,5,6\n");
    dir.write("s.fll", SYSTEM.replace("x", "widht"));
    for (args, name) in [
        ("cluster p.csv --columns widht,height --clusters 2", "widht"),
        ("cluster p.csv --clusters 2 --weights Width", "Width"),
        ("sonfin fit p.csv --target height --inputs widht", "widht"),
        ("calc widht+1 --data p.csv", "widht"),
        ("infer s.fll --data p.csv", "widht"),
        ("explain s.fll --data p.csv --row 1", "widht"),
        ("head p.csv --labels wdth", "wdth"),
    ] {
        let printed = text(&dir.run(args).stderr);
        let expected = format!(
            "missing column `{name}` (did you mean `width`?); available columns: `name`, `width`, `height`"
        );
        assert!(
            printed.replace("`width`, `height`, `name`", "`name`, `width`, `height`").contains(&expected),
            "{args}: {printed}"
        );
    }
    let printed = text(&dir.run("cluster p.csv --columns price --clusters 2").stderr);
    assert!(printed.contains("missing column `price`; available columns: "), "{printed}");
}
