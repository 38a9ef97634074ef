//! Data that do not fit the options: errors, and warnings about results that are probably not intended.

use crate::common::{IRIS, TIPPER, TestDir, groups, text};

/// The exit code of a command, and what it prints to standard error, without its name.
fn failure(dir: &TestDir, args: &str) -> (Option<i32>, String) {
    let output = dir.run(args);
    let printed = text(&output.stderr);
    (output.status.code(), printed.strip_prefix("fuzzion: ").unwrap_or(&printed).trim_end().to_owned())
}

/// What a successful command prints to standard error.
fn warnings(dir: &TestDir, args: &str) -> String {
    let output = dir.run(args);
    assert!(output.status.success(), "{args}: {}", text(&output.stderr));
    text(&output.stderr)
}

#[test]
fn decimals_are_not_classes() {
    let dir = TestDir::with("g.csv", groups(60));
    let expected = "the class `y` contains values that are not integers; use it as a numeric target, or encode the classes \
                    as integers";
    for args in [
        "sonfin fit g.csv --target y --inputs x --classify --rules 3",
        "sonfin fit g.csv --target y --inputs x --classify --stream --model m.json",
        "tune g.csv --target y --inputs x --classify --sets 2",
    ] {
        assert_eq!(failure(&dir, args), (Some(1), expected.into()), "{args}");
    }
    dir.output_of("sonfin fit g.csv --target w --inputs x,y --classify --rules 3");
}

#[test]
fn unknown_classes_at_prediction_are_reported() {
    let dir = TestDir::with("iris.csv", IRIS);
    dir.output_of("tune iris.csv --target species --classify --sets 2 --iterations 0 --model t.json");
    dir.output_of("sonfin fit iris.csv --target species --classify --rules 3 --model s.json");
    dir.write("roses.csv", IRIS.replace("setosa", "rose"));
    for (args, model) in [("tune predict", "t.json"), ("sonfin predict", "s.json")] {
        let (known, expected) = (
            "`setosa`, `versicolor`, `virginica`",
            "the target `species` has 1 class that is not in the training data",
        );
        assert_eq!(
            warnings(&dir, &format!("{args} {model} roses.csv --out p.csv")),
            format!(
                "fuzzion: warning: {expected} (`rose`; known: {known}); the rows of unknown classes count as errors, check their spelling\n"
            )
        );
        assert_eq!(warnings(&dir, &format!("{args} {model} iris.csv --out p.csv")), "");
    }
}

#[test]
fn scores_require_a_classifier() {
    let dir = TestDir::with("g.csv", groups(60));
    dir.output_of("sonfin fit g.csv --target y --inputs x --rules 3 --model m.json");
    let expected = "`--scores` requires a classifier, but m.json predicts numbers";
    assert_eq!(failure(&dir, "sonfin predict m.json g.csv --scores"), (Some(2), expected.into()));
}

#[test]
fn infer_reports_inputs_outside_their_range_and_missing_results() {
    let bonus = "OutputVariable: bonus\n  range: 0 10\n  aggregation: Maximum\n  defuzzifier: Centroid\n  term: high Triangle 0 5 10\n";
    let dir = TestDir::with("two.fll", TIPPER.replace("RuleBlock:", &format!("{bonus}RuleBlock:")));
    dir.write("point.fll", TIPPER.replace("range: 0 30", "range: 30 30"));
    dir.write("tipper.fll", TIPPER);
    dir.write("meals.csv", "service,food\n3,7.5\n30,-1\n10,0\n11,5\n");
    dir.write("good.csv", "service,food\n3,7.5\n");
    let outside = "`service` is outside its range 0 to 10 in 2 of 4 rows; check the unit";
    let food = "`food` is outside its range 0 to 10 in 1 of 4 rows; check the unit";
    let expected = format!("fuzzion: warning: {outside}\nfuzzion: warning: {food}\n");
    assert_eq!(warnings(&dir, "infer tipper.fll --data meals.csv"), expected);
    assert_eq!(warnings(&dir, "infer tipper.fll --data meals.csv --precision f32 --out t.csv"), expected);
    let summary = dir.json("infer tipper.fll --data meals.csv --out t.csv");
    assert_eq!(summary["warnings"], serde_json::json!([outside, food]));
    assert_eq!(dir.json("infer tipper.fll --data good.csv --out t.csv")["warnings"], serde_json::json!([]));
    dir.write("gap.csv", "service,food\n3,\n3,7.5\n");
    assert_eq!(
        warnings(&dir, "infer tipper.fll --data gap.csv"),
        "fuzzion: warning: `food` is missing in 1 of 2 rows; `fuzzion explain` shows which rules fire without it\n"
    );
    assert_eq!(
        warnings(&dir, "infer two.fll --data good.csv"),
        "fuzzion: warning: no rule concludes the output `bonus`; add a rule, or remove the output\n"
    );
    assert_eq!(
        warnings(&dir, "infer point.fll --data good.csv"),
        "fuzzion: warning: all results of `tip` are missing (NaN); check its range and rules with `fuzzion explain`\n"
    );
}

#[test]
fn errors_name_the_option_to_change() {
    let dir = TestDir::with("small.csv", "weight,y\n1,2\n2,4\n3,7\n");
    dir.write("iris.csv", IRIS);
    for (args, expected) in [
        (
            "cluster small.csv --sweep 2..10",
            "`--sweep 2..10` needs 10 rows, but small.csv has 3 rows; use `--sweep 2..3`",
        ),
        (
            "tune small.csv --target y --sets 1 --order 0 --words wheight=a",
            "`--words` names the unknown input `wheight` (did you mean `weight`?); available inputs: `weight`",
        ),
        (
            "sonfin fit iris.csv --target species --classify --stream --chunk-rows 40 --model m.json",
            "the first 40 rows contain only the class `setosa`; increase `--chunk-rows`, or shuffle the rows",
        ),
        (
            "cluster small.csv --clusters 2 --columns weight,",
            "the name of a column is empty; remove the surplus comma from the list of columns",
        ),
        ("infer - --data -", "a system cannot be read from standard input; save it to a file"),
    ] {
        assert_eq!(failure(&dir, args), (Some(1), expected.into()), "{args}");
    }
    if cfg!(target_os = "linux") {
        let expected = "cannot create the folder /proc/tour: its parent folder cannot be written to; choose another path";
        assert_eq!(failure(&dir, "tour --out /proc/tour"), (Some(1), expected.into()));
    }
}

#[test]
fn weights_are_neither_clustered_nor_inputs() {
    let dir = TestDir::with("g.csv", groups(60));
    for (args, expected) in [
        (
            "cluster g.csv --columns x,w --weights w --clusters 2",
            "the weights `w` are also in `--columns`; use another column",
        ),
        (
            "tune g.csv --target y --inputs x,w --weights w",
            "the weights `w` are also an input; use another column",
        ),
    ] {
        assert_eq!(failure(&dir, args), (Some(2), expected.into()), "{args}");
    }
}

#[test]
fn words_of_an_input_that_no_rule_uses_are_reported() {
    let rows: String = (0..60).map(|i| format!("{i},{},{}\n", i * 37 % 11, i / 30 * 5)).collect();
    let dir = TestDir::with("a.csv", format!("x,z,y\n{rows}"));
    let args = "tune a.csv --target y --max-rules 2 --max-conditions 1 --words z=few,many --model m.json";
    let expected = "fuzzion: warning: no rule uses the input `z`, whose `--words` have no effect\n";
    assert_eq!(warnings(&dir, args), expected);
    assert!(dir.files().contains(&"m.json".to_owned()));
}

#[test]
fn options_about_the_format_of_a_table_are_named() {
    let dir = TestDir::with("iris.csv", IRIS);
    for (option, expected) in [
        (
            "--separator semicolon",
            "iris.csv contains no numeric columns; remove `--separator semicolon`, so that the format is detected",
        ),
        (
            "--decimal-comma",
            "iris.csv contains no numeric columns; remove `--decimal-comma`, so that the format is detected",
        ),
        (
            "--no-header",
            "iris.csv, line 1, column 1 (`c1`): `sepal_length` is not a number; remove `--no-header` if the first line \
             contains the names of the columns",
        ),
    ] {
        let args = format!("cluster iris.csv --clusters 3 {option}");
        assert_eq!(failure(&dir, &args), (Some(1), expected.into()), "{args}");
    }
    let (code, message) =
        failure(&dir, "cluster iris.csv --clusters 3 --columns petal_width --separator tab");
    assert!(code == Some(1) && message.ends_with("; check `--separator tab`"), "{message}");
}

#[test]
fn messages_fit_the_command_and_the_number_of_rows() {
    let dir = TestDir::with("iris.csv", IRIS);
    dir.write("empty.csv", "");
    dir.write("one.csv", "x,kind\n1,a\n");
    dir.write("g.csv", groups(60));
    dir.output_of("tune g.csv --target y --inputs x --sets 2 --iterations 0 --model t.json");
    let no_rows = "empty.csv contains no rows; at least one is required";
    let text_target = "the target `species` contains text; add `--classify` to use it as the class";
    for (args, expected) in [
        ("sonfin fit empty.csv --stream --target kind", no_rows),
        ("tune predict t.json empty.csv", no_rows),
        ("tune iris.csv --target species", text_target),
        ("sonfin fit iris.csv --target species", text_target),
        ("sonfin fit iris.csv --target species --stream", text_target),
        (
            "sonfin fit one.csv --target kind --classify --stream",
            "the first row contains only the class `a`; increase `--chunk-rows`, or shuffle the rows",
        ),
    ] {
        assert_eq!(failure(&dir, args), (Some(1), expected.into()), "{args}");
    }
    let printed = dir.output_of("cluster g.csv --columns x,y --clusters 2 --max-iter 0");
    assert!(printed.contains("not converged after 0 iterations, objective "), "{printed}");
    let (code, message) = failure(&dir, "predict t.json g.csv");
    let expected = "unknown command `predict` (did you mean `tune predict` or `sonfin predict`?)";
    assert!(code == Some(2) && message.starts_with(expected), "{message}");
    assert!(!dir.output_of("data spirals --points 2").contains("-0,"));
}

#[test]
#[cfg(target_os = "linux")]
fn devices_receive_csv_and_a_full_one_is_an_error() {
    let dir = TestDir::with("tipper.fll", TIPPER);
    dir.write("meals.csv", "service,food\n3,7.5\n");
    let table = dir.output_of("infer tipper.fll --data meals.csv");
    for out in ["--out /dev/stdout", "--out=/dev/stdout"] {
        assert_eq!(dir.output_of(&format!("infer tipper.fll --data meals.csv {out}")), table);
    }
    let printed = dir.output_of("infer tipper.fll --data meals.csv --out /dev/null");
    assert!(printed.contains("wrote /dev/null"), "{printed}");
    for args in ["--help", "--version", "cluster -h"] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = dir.command(args).stdout(full).output().unwrap();
        let printed = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{args}");
        assert!(printed.starts_with("fuzzion: cannot write standard output: no space left"), "{printed}");
    }
}
