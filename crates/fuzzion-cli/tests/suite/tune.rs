//! `fuzzion tune`

use crate::common::{IRIS, TestDir, floats, interrupt, text};

/// y = a² + b over a grid of 9 × 9, with a column of text.
fn hill() -> String {
    let mut out = String::from("a,b,kind,y\n");
    for i in 0..81 {
        let (a, b) = (f64::from(i / 9), f64::from(i % 9) * 0.25);
        out += &format!("{a},{b},{},{}\n", ["p", "q"][i as usize % 2], a * a + b);
    }
    out
}

#[test]
fn learned_systems_have_the_same_error_in_infer_from_every_format() {
    let dir = TestDir::with("hill.csv", hill());
    let fit = dir.json("tune hill.csv --target y --sets 3,2 --iterations 10 --model m.fll");
    dir.output_of("tune hill.csv --target y --sets 3,2 --iterations 10 --model m.fis");
    dir.output_of("tune hill.csv --target y --sets 3,2 --iterations 10 --model m.json");
    assert_eq!(fit["rules"], 6);
    let targets: Vec<f64> = (0..81).map(|i| f64::from((i / 9) * (i / 9)) + f64::from(i % 9) * 0.25).collect();
    for model in ["m.fll", "m.fis", "m.json"] {
        dir.output_of(&format!("infer {model} --data hill.csv --out out.csv"));
        let rows = dir.read_values("out.csv");
        let squares: f64 = rows.iter().zip(&targets).map(|(row, y)| (row[0] - y) * (row[0] - y)).sum();
        let rmse = (squares / 81.0).sqrt();
        // The same system evaluated by another engine, up to rounding.
        assert!((rmse - fit["rmse"].as_f64().unwrap()).abs() < 1e-9, "{model}: {rmse} {fit}");
    }
    // A sparse rule base, whose outputs are bounded: .fis files cannot contain bounds, which is said.
    dir.output_of("tune hill.csv --target y --max-rules 4 --model s.fll");
    let output = dir.command("tune hill.csv --target y --max-rules 4 --model s.fis").output().unwrap();
    assert!(output.status.success());
    assert!(text(&output.stderr).contains("warning: `.fis` files cannot bound outputs"), "{output:?}");
    let [fll, fis] = ["s.fll", "s.fis"].map(|model| {
        dir.output_of(&format!("infer {model} --data hill.csv --out out.csv"));
        dir.read_values("out.csv")
    });
    for (fll, fis) in fll.iter().zip(&fis) {
        assert!((fll[0] - fis[0].clamp(0.0, 66.0)).abs() < 1e-9, "{fll:?} {fis:?}"); // the range of y
    }
}

#[test]
fn json_contains_the_fit_and_training_is_never_worse_than_least_squares() {
    let dir = TestDir::with("hill.csv", hill());
    let args = "tune hill.csv --target y --inputs a,b --sets 3 --iterations 12 --validation 0.2 --seed 3";
    let fit = dir.json(args);
    let keys = [
        "rmse",
        "validation_rmse",
        "iterations",
        "stop",
        "rules",
        "seconds",
        "ms_per_iteration",
        "device",
        "history",
    ];
    for key in keys {
        assert!(!fit[key].is_null(), "{key}: {fit}");
    }
    let history = floats(&fit["history"]);
    assert!(fit["rmse"].as_f64().unwrap() <= history[0] || fit["stop"] == "validation");
    assert!(fit["iterations"].as_u64().unwrap() <= 12);
    assert_eq!(fit["device"], "cpu");
    assert!(fit["seconds"].as_f64().unwrap() > 0.0 && fit["ms_per_iteration"].as_f64().unwrap() > 0.0);
    let again = dir.json(args);
    assert_eq!((&again["rmse"], &again["history"]), (&fit["rmse"], &fit["history"]));
    let alone = dir.json("tune hill.csv --target y --sets 3 --iterations 0");
    assert!(alone["validation_rmse"].is_null() && alone["iterations"] == 0);
}

#[test]
fn the_summary_contains_rules_error_and_files() {
    let dir = TestDir::with("hill.csv", hill());
    let args =
        "tune hill.csv --target y --sets 2 --order 0 --iterations 5 --importance --model m.fll --plot p.html";
    let printed = dir.output_of(args);
    for part in [
        "hill.csv: 81 rows, 2 inputs, target `y`, 4 rules\n",
        "rule  support  coverage  ",
        "if a is low and b is low then y is about ",
        "if a is high and b is high then y is about ",
        "\nRMSE ",
        "stopped after 5 iterations (",
        "\ninput  increase of RMSE when permuted\na ",
        "ignored text columns: `kind`\n",
        "wrote m.fll, p.html\n",
    ] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
    let page = text(&dir.read("p.html"));
    for part in
        ["<h1>Rules for y</h1>", "before tuning", ">training<", "Residuals", "y over a and b", "Importance"]
    {
        assert!(page.contains(part), "{part}");
    }
    // The error, two inputs, the surface, residuals, the effects of two inputs and their interaction.
    assert!((7..=8).contains(&page.matches("<svg xmlns").count()));
    let outside = page.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    assert!(!["http:", "https:", "src=", "@import", "<link"].iter().any(|part| outside.contains(part)));
}

#[test]
fn irises_are_classified_with_rules_from_clusters() {
    let dir = TestDir::with("iris.csv", IRIS);
    for start in
        ["--rules 3 --init fcm", "--rules 3 --init gk", "--init subtractive", "--rules 3 --init subtractive"]
    {
        let args = format!("tune iris.csv --target species --classify {start} --order 1 --iterations 10");
        let fit = dir.json(&format!("{args} --ridge 1e-6 --model m.fll"));
        assert!(fit["accuracy"].as_f64().unwrap() > 0.95, "{start}: {fit}");
        assert_eq!(fit["classes"].as_array().unwrap().len(), 3);
        dir.output_of("infer m.fll --data iris.csv --out out.csv");
        assert_eq!(dir.read_values("out.csv")[0].len(), 3);
        if start.contains("--rules") {
            assert!(fit["rules"].as_u64().unwrap() <= 3, "{start}: {fit}");
        }
    }
}

#[test]
fn rules_have_reports_stability_and_words() {
    let dir = TestDir::with("hill.csv", hill());
    let args = "tune hill.csv --target y --sets 2 --order 0 --iterations 0 --stability 3 --words a=near,far";
    let fit = dir.json(&format!("{args} --importance"));
    let reports = fit["rule_reports"].as_array().unwrap();
    let support: f64 = reports.iter().map(|report| report["support"].as_f64().unwrap()).sum();
    assert!((support - 1.0).abs() < 1e-9, "{fit}");
    for report in reports {
        assert!(report["text"].as_str().unwrap().contains("if a is "), "{report}");
        let rows: Vec<f64> = floats(&report["examples"]);
        assert!(!rows.is_empty() && rows.iter().all(|row| (1.0..=81.0).contains(row)), "{report}");
    }
    assert_eq!(floats(&fit["stability"]).len(), 4);
    assert!(fit["importance_standard_error"]["a"].as_f64().unwrap() > 0.0, "{fit}");
    let printed = dir.output_of(&format!("{args} --model m.fll"));
    assert!(
        printed.contains("  stability  ") && printed.contains("if a is near and b is low then y is about ")
    );
    assert!(
        printed.contains("\na: near is about 0 ± 3.4, far is about 8 ± 3.4\nb: low is about "),
        "{printed}"
    );
    assert!(text(&dir.read("m.fll")).contains("if a is far and b is low then y is value_3"));
}

#[test]
fn pages_of_classifiers_have_results_of_validation_rows() {
    let dir = TestDir::with("iris.csv", IRIS);
    let args = "tune iris.csv --target species --classify --rules 3 --init fcm --iterations 2 --ridge 1e-6 --plot p.html";
    dir.output_of(&format!("{args} --validation 0.2"));
    let page = text(&dir.read("p.html"));
    for part in
        ["Computed from the 30 validation rows.", "Receiver operating characteristic", "Calibration", "<th"]
    {
        assert!(page.contains(part), "{part}");
    }
    dir.output_of(args);
    assert!(text(&dir.read("p.html")).contains("Computed from the 150 training rows."));
}

#[test]
fn merging_and_pruning_remove_sets_and_rules() {
    let dir = TestDir::with("hill.csv", hill());
    let args = "tune hill.csv --target y --sets 6,5 --order 0 --iterations 0 --ridge 1e-6";
    let whole = dir.json(args);
    let merged = dir.json(&format!("{args} --merge 0.1"));
    let pruned = dir.json(&format!("{args} --prune 0.03"));
    assert_eq!(whole["rules"], 30);
    assert!(merged["rules"].as_u64().unwrap() < 30, "{merged}");
    let left = pruned["rules"].as_u64().unwrap();
    assert!((1..30).contains(&left), "{pruned}");
    let printed = dir.output_of(&format!("{args} --merge 0.1"));
    assert!(printed.contains("\nmerging removed ") && printed.contains(" and "), "{printed}");
}

#[test]
fn a_system_file_can_be_tuned_further() {
    let dir = TestDir::with("hill.csv", hill());
    let first = dir.json("tune hill.csv --target y --sets 3,2 --iterations 4 --model m.fll");
    let second = dir.json("tune hill.csv --target y --system m.fll --iterations 20");
    assert_eq!(second["rules"], 6);
    let (first, second) = (first["rmse"].as_f64().unwrap(), second["rmse"].as_f64().unwrap());
    assert!(second <= first * (1.0 + 1e-9), "{first} {second}");
}

#[test]
fn inputs_are_renamed_if_formulas_cannot_contain_their_name() {
    let dir = TestDir::with("p.csv", hill().replace("a,b,kind,y", "x,b,kind,y"));
    let printed = dir.output_of("tune p.csv --target y --sets 2 --order 2 --iterations 0 --model m.fll");
    let note = |column: &str, name: &str| {
        format!(
            "the input `{column}` is named `{name}` in the system, because formulas cannot contain the original name\n"
        )
    };
    assert!(printed.contains(&note("x", "x_")), "{printed}");
    dir.write("spaced.csv", hill().replace("a,b,kind,y", "a b,b,kind,y"));
    let printed = dir.output_of("tune spaced.csv --target y --sets 2 --iterations 0 --model s.fll");
    assert!(!printed.contains("is named"), "{printed}"); // a comment in the file keeps the name
    dir.write("renamed.csv", hill().replace("a,b,kind,y", "x_,b,kind,y"));
    for (model, table) in [("m.fll", "renamed.csv"), ("m.fll", "p.csv"), ("s.fll", "spaced.csv")] {
        dir.output_of(&format!("infer {model} --data {table} --out {table}.csv"));
    }
    // A polynomial of degree 2 is learned exactly, except for the ridge.
    for table in ["renamed.csv", "p.csv"] {
        let y = dir.read_values(&format!("{table}.csv"));
        assert!((y[80][0] - 66.0).abs() < 1e-3, "{:?}", y[80]);
    }
    dir.output_of("tune p.csv --target y --system m.fll --order 2 --iterations 0");
}

#[test]
fn rules_are_selected_by_default_and_sparse_rule_bases_list_their_errors() {
    let rows = (0..200).map(|i| {
        let (a, b) = (i % 10, i / 10);
        format!("{a},{b},{}\n", if a < 5 { 5 } else { b })
    });
    let dir = TestDir::with("step.csv", "a,b,y\n".to_owned() + &rows.collect::<String>());
    let output = text(&dir.run("tune step.csv --target y").stdout);
    assert!(output.contains("RMSE (cross-validation)") && output.contains("linear model "), "{output}");
    assert_eq!(output.matches("  selected\n").count(), 2, "{output}"); // the candidate, and its number of rules
    let limited = text(&dir.run("tune step.csv --target y --budget 0.000001s").stdout);
    assert!(limited.contains("warning: the time limit ended after 1 of "), "{limited}");
    let output = text(
        &dir.run("tune step.csv --target y --max-rules 4 --max-conditions 1 --model m.fll --plot m.html")
            .stdout,
    );
    assert!(output.contains("if a is low then y is about "), "{output}");
    assert!(output.contains("RMSE (cross-validation)") && output.contains("selected\n"), "{output}");
    assert!(text(&dir.read("m.fll")).contains("if a is high then y is formula_2"));
    assert!(text(&dir.read("m.fll")).contains("lock-range: true"));
    assert!(text(&dir.read("m.html")).contains("Error and number of rules"));
}

#[test]
fn errors_are_reported_and_nothing_is_written() {
    let dir = TestDir::with("hill.csv", hill());
    dir.write(
        "flat.csv",
        hill()
            .replace("a,b,kind,y", "a,y,kind,b")
            .lines()
            .map(|l| format!("{l},1\n"))
            .collect::<String>()
            .replacen(",1\n", ",c\n", 1),
    );
    dir.write("gap.csv", hill().replacen("\n0,0,p,0\n", "\n,0,p,0\n", 1));
    dir.write("word.csv", hill().replacen("\n0,0.25,q,0.25\n", "\nmany,0.25,q,0.25\n", 1));
    dir.write("few.csv", hill().lines().take(5).map(|l| l.to_owned() + "\n").collect::<String>());
    dir.write("one.csv", hill().replace(",p,", ",q,"));
    let files = dir.files();
    for (args, code, expected) in [
        ("hill.csv --target z --sets 2", 1, "missing column `z`"),
        ("hill.csv --target y --inputs a,y --sets 2", 1, "the target `y` is also an input"),
        ("flat.csv --target b --inputs a,c --sets 2", 1, "the input `c` has the same value in every row"),
        ("few.csv --target y --inputs b --sets 5", 1, "4 training rows are too few for 10 coefficients"),
        (
            "word.csv --target y --inputs a,b --sets 2",
            1,
            "word.csv, line 3, column 1 (`a`): `many` is not a number",
        ),
        ("gap.csv --target y --inputs a,b --sets 2", 1, "row 1, column `a` is missing (NaN)"),
        (
            "one.csv --target y --inputs a,kind --sets 2",
            1,
            "the input `kind` is text with fewer than 2 or more than 20 different values",
        ),
        ("hill.csv --target y --budget 3x", 2, ""),
        ("hill.csv --target y --budget 0", 2, ""),
        ("hill.csv --target y --sets 0", 1, ""),
        ("hill.csv --target y --sets 2,2,2", 1, "3 set counts were given for 2 inputs"),
        ("hill.csv --target kind --sets 2", 1, "the target `kind` contains text"),
        ("hill.csv --target y --sets 2 --ridge -1", 1, "`--ridge` is -1"),
        ("hill.csv --target y --init fcm", 2, "`--init fcm` requires `--rules K`"),
        ("hill.csv --target y --sets 2 --radius 0.5", 2, ""),
        ("hill.csv --target y --sets 2 --forgetting 0.9", 2, "`--forgetting` requires `--method rls`"),
        ("hill.csv --target y --order 0", 2, "`--order` requires `--sets`, `--rules`"),
        ("hill.csv --target y --max-rules 4 --sets 2", 2, ""),
        ("hill.csv --target y --max-rules 0", 1, "`--max-rules` is 0"),
        ("hill.csv --target y --max-conditions 0", 1, "`--max-conditions` is 0"),
        ("hill.csv --sets 2", 2, ""),
        (
            "hill.csv --target y --sets 2 --model m.txt",
            2,
            "`--model m.txt`: expected a path ending in `.fll`, `.fis` or `.json`",
        ),
        (
            "hill.csv --target y --sets 2 --order 2 --model m.fis",
            2,
            "`.fis` supports only consequents of order 0 and 1",
        ),
        (
            "hill.csv --target y --sets 2 --plot hill.csv",
            2,
            "`hill.csv` is an input file; choose a different path for `--plot`",
        ),
        ("hill.csv --target y --sets 2 --plot p.png", 2, "`--plot p.png`: expected a path ending in `.html`"),
        ("hill.csv --target y --sets 2 --prune 1", 2, "`--prune 1`: expected a support"),
        ("hill.csv --target y --sets 2 --method lm --rate 1", 2, "`--method lm` has no gradient steps"),
        ("hill.csv --target y --sets 2 --model no/such/m.fll", 1, "cannot write"),
        ("hill.csv --target y --sets 2 --merge 2", 1, "`--merge` is 2"),
        ("hill.csv --target y --sets 2 --stability 0", 2, "`--stability 0`: expected at least 1 resample"),
        ("hill.csv --target y --sets 2 --words a", 2, ""),
        (
            "hill.csv --target y --sets 2 --words z=p,q",
            1,
            "`--words` names the unknown input `z`; available inputs: `a`, `b`",
        ),
        (
            "hill.csv --target y --sets 2 --iterations 0 --words a=p,q,r",
            1,
            "the input `a` has 2 sets (`low`, `high`), but 3 words were given; give one word for each set",
        ),
    ] {
        let output = dir.run(
            &format!("tune {args} --model m.json")
                .replace(if args.contains("--model") { " --model m.json" } else { "\u{0}" }, ""),
        );
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args}: {message}");
        if !expected.is_empty() {
            assert!(message.starts_with(&format!("fuzzion: {expected}")), "{args}: {message}");
        }
        assert!(code == 2 || message.lines().count() == 1, "{args}: {message}");
        assert_eq!(dir.files(), files, "{args}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_fit_leaves_no_files() {
    let dir = TestDir::new();
    dir.output_of("data truck --points 32 --out truck.csv");
    let args = "tune truck.csv --target theta --sets 5,7 --iterations 1000000000 --model m.fll --plot p.html";
    let child = dir.command(args).stderr(std::process::Stdio::piped()).spawn().unwrap();
    interrupt(&child, 0.3); // training has started
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(130), "fuzzion: interrupted\n"));
    assert_eq!(dir.files(), ["truck.csv"]);
}

#[test]
fn text_columns_with_few_values_are_inputs() {
    let rows = (0..240).map(|i| {
        let (x, color, name) = (i % 8, ["red", "green", "blue"][i % 3], format!("n{i}"));
        format!("{x},{color},{name},{}\n", if color == "red" { 10 } else { x })
    });
    let dir = TestDir::with("colors.csv", "x,color,name,y\n".to_owned() + &rows.collect::<String>());
    let printed = dir.output_of("tune colors.csv --target y --max-rules 4 --model m.json");
    assert!(printed.contains("if color is not red then y is about "), "{printed}");
    assert!(printed.contains("\nignored text columns: `name`\n"), "{printed}");
    dir.output_of("tune predict m.json colors.csv --out p.csv");
    let y: Vec<f64> = text(&dir.read("p.csv"))
        .lines()
        .skip(1)
        .map(|line| line.split(',').next().unwrap().parse().unwrap())
        .collect();
    assert!((y[0] - 10.0).abs() < 0.1 && (y[1] - 1.0).abs() < 0.1, "{:?}", &y[..3]);
    let explained = dir.output_of("explain m.json --data colors.csv --row 2");
    assert!(explained.contains("color=red"), "{explained}");
    dir.output_of("tune colors.csv --target y --max-rules 4 --model m.fll");
    dir.output_of("infer m.fll --data colors.csv --out q.csv");
    let inferred = dir.read_values("q.csv");
    assert!(
        (inferred[0][0] - y[0]).abs() < 1e-9 && (inferred[1][0] - y[1]).abs() < 1e-9,
        "{:?}",
        &inferred[..2]
    );
    dir.write("pink.csv", "x,color\n1,pink\n");
    let message = text(&dir.run("tune predict m.json pink.csv").stderr);
    assert!(
        message.contains(
            "the column `color` contains `pink`, which is not in the training data (blue, green, red)"
        ),
        "{message}"
    );
    // With given rules, only on request.
    let printed = dir.output_of("tune colors.csv --target y --sets 2");
    assert!(printed.contains("\nignored text columns: `color`, `name`\n"), "{printed}");
    let fit = dir.json("tune colors.csv --target y --inputs x,color --sets 2,1,1,1");
    assert_eq!(fit["inputs"], serde_json::json!(["x", "color=blue", "color=green", "color=red"]));
}
