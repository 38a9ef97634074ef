//! `fuzzion tune predict`, and explanations of learned models.

use crate::common::{IRIS, TestDir, text};

/// y = 3a + b + noise, which is uniform in ±0.5.
fn plane(rows: u64) -> String {
    let mut out = String::from("a,b,y\n");
    for i in 0..rows {
        let (a, b) = ((i * 7919 % 1000) as f64 / 1000.0, (i * 104_729 % 997) as f64 / 997.0);
        let noise = (i * 15_485_863 % 1009) as f64 / 1008.0 - 0.5;
        out += &format!("{a},{b},{}\n", 3.0 * a + b + noise);
    }
    out
}

#[test]
fn predictions_have_intervals_and_rows_outside_of_the_data_are_named() {
    let dir = TestDir::with("plane.csv", plane(600));
    dir.output_of("tune plane.csv --target y --max-rules 3 --model m.json");
    let printed = dir.output_of("tune predict m.json plane.csv --out p.csv");
    assert!(printed.starts_with("600 rows predicted in ") && printed.contains(", RMSE 0.2"), "{printed}");
    assert!(printed.contains("; wrote p.csv\nthe prediction intervals of 90 % contain 9"), "{printed}");
    assert!(!printed.contains("outside of"), "{printed}");
    let lines = text(&dir.read("p.csv"));
    assert!(lines.starts_with("y,y_lower,y_upper,outside\n"), "{lines}");
    // At another level; without the target, there is no error.
    dir.write("new.csv", "b,a,c\n0.5,0.5,1\n-7,0.5,1\n-7,9,1\n");
    let printed = dir.output_of("tune predict m.json new.csv --level 0.5 --explain --out q.csv");
    assert!(
        printed.contains("2 rows outside of the training data") && !printed.contains("RMSE"),
        "{printed}"
    );
    assert!(printed.contains("always y = "), "{printed}");
    let lines = text(&dir.read("q.csv"));
    let rows: Vec<Vec<&str>> = lines.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0], ["y", "y_lower", "y_upper", "outside", "rules"]);
    assert_eq!((rows[1][3], rows[2][3], rows[3][3], rows[1][4]), ("no", "b", "a; b", "1 (100 %)"));
    let [y, lower, upper] = [0, 1, 2].map(|column| rows[1][column].parse::<f64>().unwrap());
    assert!((y - 2.0).abs() < 0.1 && (upper - lower - 0.5).abs() < 0.05, "{lines}"); // half of the noise
    let summary = dir.json("tune predict m.json plane.csv --out p.npy");
    assert_eq!(
        (&summary["rows"], &summary["outside"], &summary["level"]),
        (&600.into(), &0.into(), &0.9.into())
    );
    assert!((summary["coverage"].as_f64().unwrap() - 0.9).abs() < 0.02, "{summary}");
    assert!(dir.output_of("head p.npy").contains("600 rows"));
    // Standard input and output.
    let output = dir
        .command("tune predict m.json -")
        .stdin(std::fs::File::open(dir.join("new.csv")).unwrap())
        .output();
    assert!(text(&output.unwrap().stdout).starts_with("y,y_lower,y_upper,outside\n"));
}

#[test]
fn classifiers_write_labels_scores_and_prediction_sets() {
    let dir = TestDir::with("iris.csv", IRIS);
    dir.output_of(
        "tune iris.csv --target species --classify --rules 3 --iterations 0 --intervals --model m.json",
    );
    let printed = dir.output_of("tune predict m.json iris.csv --level 0.99 --out p.csv");
    assert!(
        printed.contains("error rate ") && printed.contains("the prediction sets of 99 % contain "),
        "{printed}"
    );
    let lines = text(&dir.read("p.csv"));
    let rows: Vec<Vec<&str>> = lines.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0], ["species", "setosa", "versicolor", "virginica", "species_set", "outside"]);
    assert_eq!((rows[1][0], rows[1][4]), ("setosa", "setosa"));
    assert!(rows[1..].iter().any(|row| row[4] == "versicolor; virginica"), "{lines}");
}

#[test]
fn models_without_intervals_and_other_files_are_explained() {
    let dir = TestDir::with("plane.csv", plane(100));
    dir.output_of("tune plane.csv --target y --sets 2 --iterations 0 --model m.json");
    dir.output_of("tune plane.csv --target y --sets 2 --iterations 0 --model m.fll");
    let printed = dir.output_of("tune predict m.json plane.csv --out p.csv");
    assert!(
        printed.contains("no prediction intervals; train it with `fuzzion tune --intervals`"),
        "{printed}"
    );
    assert!(text(&dir.read("p.csv")).starts_with("y,outside\n"));
    for (args, code, expected) in [
        ("m.json plane.csv --level 0.9", 1, "no calibrated prediction intervals"),
        ("m.json plane.csv --level 0.9 --json", 2, "--out"),
        ("m.fll plane.csv", 1, "it is a fuzzy system; use `fuzzion infer`"),
        ("none.json plane.csv", 1, "cannot read none.json"),
        ("m.json none.csv", 1, "cannot read none.csv"),
        ("m.json m.json --out m.json", 2, "m.json"),
        ("m.json", 2, "missing `DATA`"),
    ] {
        let output = dir.run(&format!("tune predict {args}"));
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args}: {message}");
        assert!(message.contains(expected), "{args}: {message}");
    }
    dir.output_of("tune plane.csv --target y --sets 2 --iterations 0 --intervals --model m.json");
    let output = dir.run("tune predict m.json plane.csv --level 90");
    assert!(text(&output.stderr).contains("`--level` is 90, but it must be above 0 and below 1"));
    // A table has an extension, so that it cannot be named like the subcommand.
    assert_eq!(dir.run("tune").status.code(), Some(2));
}

#[test]
fn learned_models_explain_themselves_with_their_formulas() {
    let dir = TestDir::with("plane.csv", plane(300));
    dir.output_of("tune plane.csv --target y --sets 2,1 --iterations 0 --model m.json");
    let printed = dir.output_of("explain m.json --data plane.csv --row 3");
    assert!(printed.contains("a = 0.838") && printed.contains("then y = 3."), "{printed}");
    assert!(!printed.contains("formula_"), "{printed}");
    let why = dir.json("explain m.json --data plane.csv --row 3");
    assert!(why["outputs"][0]["contributions"][0]["formula"].as_str().unwrap().contains(" a "), "{why}");
    dir.output_of("tune predict m.json plane.csv --out p.csv");
    let predicted: f64 =
        text(&dir.read("p.csv")).lines().nth(3).unwrap().split(',').next().unwrap().parse().unwrap();
    assert!((why["outputs"][0]["value"].as_f64().unwrap() - predicted).abs() < 1e-9);
    // Values of the row are those given with `--at`.
    let row: Vec<String> = plane(300).lines().nth(3).unwrap().split(',').map(str::to_owned).collect();
    assert_eq!(dir.output_of(&format!("explain m.json --at a={},b={}", row[0], row[1])), printed);
    // Networks, which other commands for systems read, too.
    dir.output_of("sonfin fit plane.csv --target y --rules 4 --epochs 1 --model s.json");
    assert!(dir.output_of("explain s.json --data plane.csv --row 3").contains("\ny = "));
    assert!(dir.output_of("infer s.json --data plane.csv --out o.csv").contains("300 rows"));
    let message = |args: &str| {
        let output = dir.run(args);
        (output.status.code(), text(&output.stderr))
    };
    let (code, printed) = message("explain m.json --data plane.csv --row 301");
    assert_eq!(code, Some(1));
    assert!(
        printed.contains("`--row` is 301, but plane.csv has 300 rows; expected a number from 1 to 300"),
        "{printed}"
    );
    for args in [
        "explain m.json",
        "explain m.json --data plane.csv",
        "explain m.json --row 3",
        "explain m.json --at 1,2 --row 3",
    ] {
        assert_eq!(message(args).0, Some(2), "{args}");
    }
    dir.write("other.csv", "a,c\n1,2\n");
    assert!(message("explain m.json --data other.csv --row 1").1.contains("`b`"));
}
