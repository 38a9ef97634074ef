//! `fuzzion sonfin`

use crate::common::{IRIS, TestDir, interrupt, poll_until, text, wait_until_blocked};
use std::io::Write as _;
use std::process::Stdio;

/// Points in three squares, with labels that would change if they were parsed as numbers.
pub(crate) fn squares(rows: usize) -> String {
    let mut out = String::from("u,note,v,kind\n");
    for i in 0..rows {
        let noise = |k: usize| ((i * k) as f64 * 1.3).sin();
        let (u, v, kind) = [(0.0, 0.0, "007"), (4.0, 1.0, "1.50"), (1.0, 5.0, "rot")][i % 3];
        out += &format!("{:.4},n{i},{:.4},{kind}\n", u + noise(3), v + noise(5));
    }
    out
}

/// y = a² + b over a grid of 9 × 9.
fn hill() -> String {
    let mut out = String::from("a,b,y\n");
    for i in 0..81 {
        let (a, b) = (f64::from(i / 9), f64::from(i % 9) * 0.25);
        out += &format!("{a},{b},{}\n", a * a + b);
    }
    out
}

const FIT: &str = "sonfin fit squares.csv --target kind --classify --rules 12 --epochs 5 --model m.json";

#[test]
fn predicted_labels_are_the_original_class_names() {
    let dir = TestDir::with("squares.csv", squares(90));
    let printed = dir.output_of(FIT);
    for part in [
        "squares.csv: 90 rows, 2 inputs, target `kind`, ",
        "\ntraining error rate ",
        "5 epochs",
        "ignored text columns: `note`\n",
        "wrote m.json\n",
    ] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
    let printed = dir.output_of("sonfin predict m.json squares.csv --out p.csv");
    assert!(
        printed.contains("90 rows predicted in ")
            && printed.contains(", error rate ")
            && printed.contains("; wrote p.csv\n\nread in "),
        "{printed}"
    );
    let written = text(&dir.read("p.csv"));
    let mut lines = written.lines();
    assert_eq!(lines.next(), Some("label"));
    assert_eq!(lines.next(), Some("007"));
    assert_eq!(lines.clone().count(), 89);
    assert!(lines.all(|line| ["007", "1.50", "rot"].contains(&line)));
}

#[test]
fn columns_are_matched_by_name_and_others_are_ignored() {
    let dir = TestDir::with("squares.csv", squares(60));
    dir.output_of(FIT);
    dir.write("turned.csv", "v,kind,u,extra\n0.1,?,0.2,9\n5.2,?,1.1,x\n");
    dir.output_of("sonfin predict m.json turned.csv --out p.csv");
    assert_eq!(text(&dir.read("p.csv")), "label\n007\nrot\n");
    assert_eq!(dir.output_of("sonfin predict m.json turned.csv"), "label\n007\nrot\n");
    let mut child =
        dir.command("sonfin predict m.json -").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"v,u\n5.2,1.1\n").unwrap();
    assert_eq!(text(&child.wait_with_output().unwrap().stdout), "label\nrot\n");
    dir.output_of("sonfin predict m.json turned.csv --scores --out s.csv");
    let scores = text(&dir.read("s.csv"));
    assert!(scores.starts_with("007,1.50,rot\n") && scores.lines().count() == 3, "{scores}");
}

#[test]
fn json_contains_the_fit() {
    let dir = TestDir::with("squares.csv", squares(90));
    let fit = dir.json(&format!("{FIT} --validation 0.2 --seed 3"));
    for key in [
        "rules",
        "epochs",
        "train_error",
        "validation_error",
        "us_per_sample",
        "seconds",
        "mapping",
        "device",
        "history",
    ] {
        assert!(!fit[key].is_null(), "{key}: {fit}");
    }
    assert_eq!((fit["epochs"].as_u64(), fit["device"].as_str()), (Some(5), Some("cpu")));
    assert!(fit["rules"].as_u64().unwrap() <= 12 && fit["history"].as_array().unwrap().len() == 5);
    let again = dir.json(&format!("{FIT} --validation 0.2 --seed 3"));
    assert_eq!((&again["train_error"], &again["history"]), (&fit["train_error"], &fit["history"]));
    let predicted = dir.json("sonfin predict m.json squares.csv --out p.csv");
    assert_eq!(predicted["rows"], 90);
    assert!(predicted["error"].as_f64().unwrap() < 0.1, "{predicted}");
}

#[test]
fn numeric_targets_are_predicted_in_columns_of_the_same_name() {
    let dir = TestDir::with("hill.csv", hill());
    let fit = dir.json("sonfin fit hill.csv --target y --rules 30 --epochs 20 --model m.json");
    dir.output_of("sonfin predict m.json hill.csv --out p.csv");
    assert!(text(&dir.read("p.csv")).starts_with("y\n"));
    let squares: f64 = dir
        .read_values("p.csv")
        .iter()
        .enumerate()
        .map(|(i, row)| (row[0] - ((i / 9) * (i / 9)) as f64 - (i % 9) as f64 * 0.25).powi(2))
        .sum();
    let rmse = (squares / 81.0).sqrt();
    // The report has the error of the saved rules; predictions are in single precision.
    assert!((rmse - fit["train_error"].as_f64().unwrap()).abs() < 1e-3, "{rmse} {fit}");
    assert!(rmse < 5.0, "{rmse}"); // of a hill of 66
    dir.output_of("sonfin predict m.json hill.csv --out p.npy");
}

#[test]
fn rules_and_explanations_are_printed() {
    let dir = TestDir::with("squares.csv", squares(90));
    dir.output_of(FIT);
    let printed = dir.output_of("sonfin rules m.json --inputs 1");
    assert!(
        printed.starts_with("m.json: ") && printed.contains(", 2 inputs, target `kind`\n\n"),
        "{printed}"
    );
    assert!(
        printed.contains(" is about ") && printed.contains(" ± ") && printed.contains(" and 1 more then "),
        "{printed}"
    );
    // Sorted by the mean firing strength.
    let strengths: Vec<f64> = printed
        .lines()
        .filter_map(|line| line.split_once(" %  if ")?.0.split_whitespace().last()?.parse().ok())
        .collect();
    assert!(strengths.len() > 1 && strengths.is_sorted_by(|a, b| a >= b), "{printed}");
    let top = dir.output_of("sonfin rules m.json --top 2 --inputs 1");
    let rule_lines = |text: &str| {
        text.lines().filter(|line| line.contains(" %  if ")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(rule_lines(&top), rule_lines(&printed)[..2]);
    assert!(top.contains("use `--all` to print them"), "{top}");
    assert_eq!(dir.run("sonfin rules m.json --top 2 --all").status.code(), Some(2));
    let rules = dir.json("sonfin rules m.json");
    let first = &rules["rules"][0];
    assert!(first["share"].as_f64().is_some_and(|share| share <= 1.0), "{first}");
    assert!(
        rules["rules"].as_array().unwrap().is_sorted_by(|a, b| a["share"].as_f64() >= b["share"].as_f64())
    );
    assert!(first["asks"].as_array().unwrap().len() == 2 && first["outputs"].as_array().unwrap().len() == 3);
    let printed = dir.output_of("sonfin explain m.json squares.csv --row 3");
    assert!(
        printed.starts_with("squares.csv, row 3: rot\n") && printed.contains("\nnearest rule "),
        "{printed}"
    );
    let why = dir.json("sonfin explain m.json squares.csv --row 3");
    assert_eq!((why["label"].as_str(), why["nearest"]["label"].as_str()), (Some("rot"), Some("rot")));
    let output = dir.run("sonfin explain m.json squares.csv --row 91");
    let printed = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    let expected = "fuzzion: `--row` is 91, but squares.csv has 90 rows; expected a number from 1 to 90\n";
    assert_eq!(printed, expected);
}

#[test]
fn exported_systems_have_the_predictions_of_the_model() {
    let dir = TestDir::with("hill.csv", hill());
    dir.output_of("sonfin fit hill.csv --target y --rules 20 --epochs 5 --model m.json");
    dir.output_of("sonfin predict m.json hill.csv --out p.csv");
    let ours = dir.read_values("p.csv");
    for system in ["s.fll", "s.fis", "s.json"] {
        assert!(
            dir.output_of(&format!("sonfin export m.json {system}")).ends_with(&format!("wrote {system}\n"))
        );
        dir.output_of(&format!("infer {system} --data hill.csv --out out.csv"));
        for (ours, theirs) in ours.iter().zip(dir.read_values("out.csv")) {
            // Single against double precision, on a hill of 66.
            assert!((ours[0] - theirs[0]).abs() < 1e-3, "{system}: {ours:?} {theirs:?}");
        }
    }
}

#[test]
fn a_stream_is_trained_in_chunks_and_can_be_resumed() {
    let dir = TestDir::with("squares.csv", squares(300));
    let args = "--target kind --classify --rules 12 --stream --chunk-rows 60";
    let mut child = dir
        .command(&format!("sonfin fit - {args} --model m.json --json"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(squares(300).as_bytes()).unwrap();
    assert!(child.wait_with_output().unwrap().status.success());
    let printed = dir.output_of(&format!("sonfin fit squares.csv {args} --model same.json"));
    assert!(printed.contains(" % on 240 rows, evaluated before training on them\none pass ("), "{printed}");
    dir.output_of("sonfin predict m.json squares.csv --scores --out a.csv");
    dir.output_of("sonfin predict same.json squares.csv --scores --out b.csv");
    assert_eq!(dir.read("a.csv"), dir.read("b.csv"));
    // Training on both halves in turn is equivalent to training on the whole.
    let lines: Vec<String> = squares(300).lines().map(|line| format!("{line}\n")).collect();
    dir.write("first.csv", lines[..181].concat());
    dir.write("second.csv", [&lines[..1], &lines[181..]].concat().concat());
    dir.output_of(&format!("sonfin fit first.csv {args} --model half.json"));
    dir.output_of(
        "sonfin fit second.csv --target kind --stream --piece 60 --resume half.json --model half.json",
    );
    dir.output_of("sonfin predict half.json squares.csv --scores --out c.csv");
    assert_eq!(dir.read("a.csv"), dir.read("c.csv"));
    let predicted = dir.json("sonfin predict m.json squares.csv --out p.csv");
    assert!(predicted["error"].as_f64().unwrap() < 0.1, "{predicted}");
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_fit_saves_a_model_that_can_predict_and_be_resumed() {
    let dir = TestDir::with("iris.csv", IRIS);
    let first =
        "sonfin fit iris.csv --target species --classify --rules 20 --epochs 1000000000 --model m.json";
    for args in [first, "sonfin fit iris.csv --target species --resume m.json --model m.json"] {
        let child = dir.command(args).stderr(Stdio::piped()).spawn().unwrap();
        interrupt(&child, 0.3); // training has started
        let output = child.wait_with_output().unwrap();
        assert_eq!(
            text(&output.stderr),
            "fuzzion: interrupted; saved the model to `m.json`: resume with `fuzzion sonfin fit iris.csv --target species --resume \
             m.json --model m.json`\n"
        );
        assert_eq!(
            (output.status.code(), dir.files()),
            (Some(130), vec!["iris.csv".to_owned(), "m.json".to_owned()])
        );
        let predicted = dir.json("sonfin predict m.json iris.csv --out p.csv");
        assert!(predicted["error"].as_f64().unwrap() < 0.1, "{predicted}");
        std::fs::remove_file(dir.join("p.csv")).unwrap();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_stream_saves_the_model_while_it_waits() {
    let dir = TestDir::with("squares.csv", squares(300));
    let args = "--target kind --classify --rules 12 --stream --piece 60";
    dir.output_of(&format!("sonfin fit squares.csv {args} --model whole.json"));
    let mut child = dir
        .command(&format!("sonfin fit - {args} --model m.json"))
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = child.stdin.take().unwrap();
    pipe.write_all(squares(300).as_bytes()).unwrap();
    pipe.flush().unwrap();
    // The first chunk is saved immediately, and the others are processed shortly after it.
    poll_until("the first chunk is saved", || dir.join("m.json").exists());
    wait_until_blocked(child.id());
    interrupt(&child, 0.0);
    let output = child.wait_with_output().unwrap(); // the pipe is still open
    drop(pipe);
    assert_eq!(
        text(&output.stderr),
        "fuzzion: interrupted; saved the model to `m.json`: use `--stream --resume` to continue with the following rows\n"
    );
    assert_eq!(output.status.code(), Some(130));
    for model in ["m", "whole"] {
        dir.output_of(&format!("sonfin predict {model}.json squares.csv --scores --out {model}.csv"));
    }
    assert_eq!(dir.read("m.csv"), dir.read("whole.csv"));
}

#[test]
fn conflicting_limits_and_targets_are_rejected() {
    let dir = TestDir::with("squares.csv", squares(90));
    dir.output_of(FIT);
    for (args, code, expected) in [
        (
            "sonfin fit squares.csv --target kind --classify --rules 3 --max-rules 2",
            2,
            "fuzzion: `--rules 3` exceeds `--max-rules 2`; remove one of them\n",
        ),
        (
            "sonfin fit squares.csv --target u --resume m.json",
            1,
            "fuzzion: m.json was trained on other targets; resume it with `--target kind`\n",
        ),
    ] {
        let output = dir.run(args);
        assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(code), expected), "{args}");
    }
}

#[test]
fn columns_with_names_that_fll_does_not_allow_are_matched() {
    let named = hill().replacen("a,b,y", "long side,b.2,y", 1);
    let dir = TestDir::with("hill.csv", &named);
    dir.output_of("sonfin fit hill.csv --target y --rules 12 --epochs 3 --model m.json");
    dir.output_of("sonfin predict m.json hill.csv --out ours.csv");
    dir.output_of("sonfin export m.json m.fll");
    dir.output_of("infer m.fll --data hill.csv --out theirs.csv");
    for (ours, theirs) in dir.read_values("ours.csv").iter().zip(dir.read_values("theirs.csv")) {
        assert!((ours[0] - theirs[theirs.len() - 1]).abs() < 1e-3, "{ours:?} {theirs:?}");
    }
}

#[test]
fn the_page_shows_the_training_history_and_the_input_plane() {
    let dir = TestDir::new();
    dir.output_of("data spirals --points 40 --out spirals.csv");
    dir.output_of(
        "sonfin fit spirals.csv --target arm --classify --rules 12 --epochs 3 --validation 0.2 --plot p.html",
    );
    let page = text(&dir.read("p.html"));
    for part in ["<h1>Rules for arm</h1>", ">validation<", "Input plane", ">first<", " is about "] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn training_errors_are_reported_and_nothing_is_written() {
    let dir = TestDir::with("squares.csv", squares(30));
    dir.write("empty.csv", "u,v,kind\n");
    dir.write("one.csv", "u,v,kind\n1,2,a\n3,4,a\n");
    dir.write("hole.csv", "u,v,kind\n1,2,a\n3,,b\n4,5,a\n");
    dir.write("open.csv", "u,v,kind\n1,2,a\n3,3,\n4,5,b\n");
    let before = dir.files();
    for (args, message) in [
        (
            "sonfin fit empty.csv --target kind --classify",
            "empty.csv contains no rows; at least one is required",
        ),
        (
            "sonfin fit one.csv --target kind --classify",
            "the class column `kind` has 1 distinct value, but a classifier needs 2 to 1024 classes; use another column",
        ),
        (
            "sonfin fit hole.csv --target kind --classify",
            "row 2, column `v` is missing (NaN), but every value must be finite; fill in or drop missing values, or \
             drop the column, or use `--missing drop`",
        ),
        (
            "sonfin fit open.csv --target kind --classify",
            "the class `kind` is missing in some rows; drop these rows, or fill in their class",
        ),
        (
            "sonfin fit squares.csv --target sort --classify",
            "missing column `sort`; available columns: `u`, `note`, `v`, `kind`",
        ),
        (
            "sonfin fit one.csv --target kind",
            "the target `kind` contains text; add `--classify` to use it as the class",
        ),
        ("sonfin fit one.csv --target u --beta -1", "`--beta` is -1, but it must be above 0"),
        ("sonfin fit one.csv --target u --epochs 0", "`--epochs` is 0, but it must be at least 1"),
        ("sonfin fit none.csv --target u", "cannot read none.csv"),
    ] {
        let output = dir.run(&format!("{args} --model m.json"));
        let printed = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{args}: {printed}");
        assert!(printed.contains(message) && printed.lines().count() == 1, "{args}: {printed}");
        assert_eq!(dir.files(), before, "{args}");
    }
}

#[test]
fn prediction_errors_are_reported_and_nothing_is_written() {
    let dir = TestDir::with("squares.csv", squares(60));
    dir.output_of(FIT);
    dir.write("narrow.csv", "u,w\n1,2\n");
    dir.write("text.csv", "u,v\n1,two\n");
    dir.write("hole.csv", "u,v\n1,2\n1,\n");
    dir.write("empty.csv", "u,v\n");
    let model = text(&dir.read("m.json"));
    dir.write("cut.json", &model[..model.len() / 2]);
    dir.write("new.json", model.replace("\"version\":1", "\"version\":9"));
    dir.write("other.json", "{\"format\":\"fuzzion partition\",\"version\":1}");
    for (args, message) in [
        (
            "predict m.json narrow.csv",
            "missing column `v`; available columns: `u`, `w`; the model needs all 2 input columns that it was trained on",
        ),
        ("predict m.json text.csv", "text.csv, line 2, column 2 (`v`): `two` is not a number"),
        ("predict m.json hole.csv", "row 2, column `v` is missing (NaN), but every value must be finite"),
        ("predict m.json empty.csv", "empty.csv contains no rows; at least one is required"),
        (
            "predict cut.json squares.csv",
            "cut.json cannot be read as a sonfin model: unexpected end of file; use a file written by `fuzzion sonfin fit --model`",
        ),
        ("predict new.json squares.csv", "unsupported format version 9, expected version 2"),
        ("predict other.json squares.csv", "other.json is a clustering model; use `fuzzion cluster --apply`"),
        (
            "predict squares.csv squares.csv",
            "squares.csv cannot be read as a sonfin model: it is not JSON; use a file written by",
        ),
        ("rules cut.json", "unexpected end of file"),
        ("predict none.json squares.csv", "cannot read none.json"),
    ] {
        let output = dir
            .run(&format!("sonfin {args}{}", if args.starts_with("predict") { " --out p.csv" } else { "" }));
        let printed = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{args}: {printed}");
        assert!(printed.contains(message) && printed.lines().count() == 1, "{args}: {printed}");
        assert!(output.stdout.is_empty() && !dir.files().contains(&"p.csv".to_owned()), "{args}");
    }
}

#[test]
fn conflicting_options_are_rejected() {
    let dir = TestDir::with("squares.csv", squares(30));
    for (args, message) in [
        ("--batch 8", "`--batch` requires `--optimizer adam`"),
        ("--auto --rules 5", "`--auto` selects this setting; remove `--rules` or use `--max-rules`"),
        ("--auto --gates", "`--auto` selects this setting; remove `--gates`"),
        ("--width-rule thesis", "`--width-rule` requires `--threshold` or `--gamma`"),
        ("--chunk-rows 9", "--stream"),
        ("--piece 9", "--stream"), // the former name of `--chunk-rows`
        ("--gates", "`--gates` requires `--optimizer adam`"),
        ("--rate 0.1", "`--rate` requires `--optimizer adam` or `--optimizer thesis`"),
        ("--optimizer adam --rate-w 0.1", "`--rate-w` requires `--optimizer online`; use `--rate` instead"),
        ("--model m.fll", "`--model m.fll`: expected a path ending in `.json`"),
        ("--plot p.png", "`--plot p.png`: expected a path ending in `.html`"),
        ("--model squares.csv", "expected a path ending in `.json`"),
        ("--resume m.json --beta 0.4", "`--resume` uses the saved settings of the model; remove `--beta`"),
        ("--gamma 0.5 --rules 9", "cannot be used with"),
        ("--stream --epochs 3", "cannot be used with"),
        ("--width-rule wide", "invalid value"),
    ] {
        let output = dir.run(&format!("sonfin fit squares.csv --target kind --classify {args}"));
        let printed = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args}: {printed}");
        assert!(printed.contains(message), "{args}: {printed}");
    }
    assert_eq!(dir.files(), ["squares.csv"]);
}

#[test]
fn plan_without_a_gpu_suggests_the_cuda_device() {
    let dir = TestDir::new();
    let printed = dir.output_of("sonfin plan --dims 16 --rules 100");
    assert_eq!(
        printed,
        "the CPU has a single mapping (rules in vector lanes); use `--device cuda` to compare GPU mappings\n"
    );
    let plan = dir.json("sonfin plan --dims 16 --rules 100");
    assert_eq!(
        (plan["device"].as_str(), plan["candidates"].as_array().map(Vec::len)),
        (Some("cpu"), Some(0))
    );
}
