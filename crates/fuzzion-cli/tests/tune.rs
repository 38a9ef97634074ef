//! `fuzzion tune` as a user meets it.

#![allow(clippy::unwrap_used, clippy::panic)] // a helper outside a test function is still a test

mod common;

use common::{IRIS, Place, floats, text};

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
fn what_was_learned_runs_in_infer_from_every_format() {
    let place = Place::with("hill.csv", hill());
    let fit = place.json("tune hill.csv --target y --sets 3,2 --iterations 10 --model m.fll");
    place.said("tune hill.csv --target y --sets 3,2 --iterations 10 --model m.fis");
    place.said("tune hill.csv --target y --sets 3,2 --iterations 10 --model m.json");
    assert_eq!(fit["rules"], 6);
    let targets: Vec<f64> = (0..81).map(|i| f64::from((i / 9) * (i / 9)) + f64::from(i % 9) * 0.25).collect();
    for model in ["m.fll", "m.fis", "m.json"] {
        place.said(&format!("infer {model} --data hill.csv --out out.csv"));
        let rows = place.numbers("out.csv");
        let squares: f64 = rows.iter().zip(&targets).map(|(row, y)| (row[0] - y) * (row[0] - y)).sum();
        let rmse = (squares / 81.0).sqrt();
        // The same system by another engine: the error of the fit to its last digits.
        assert!((rmse - fit["rmse"].as_f64().unwrap()).abs() < 1e-9, "{model}: {rmse} {fit}");
    }
}

#[test]
fn json_tells_the_fit_and_learning_never_ends_worse_than_least_squares() {
    let place = Place::with("hill.csv", hill());
    let words = "tune hill.csv --target y --inputs a,b --sets 3 --iterations 12 --validation 0.2 --seed 3";
    let fit = place.json(words);
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
    let again = place.json(words);
    assert_eq!((&again["rmse"], &again["history"]), (&fit["rmse"], &fit["history"]));
    let alone = place.json("tune hill.csv --target y --sets 3 --iterations 0");
    assert!(alone["validation_rmse"].is_null() && alone["iterations"] == 0);
}

#[test]
fn the_summary_tells_rules_error_and_files() {
    let place = Place::with("hill.csv", hill());
    let words =
        "tune hill.csv --target y --sets 2 --order 0 --iterations 5 --importance --model m.fll --plot p.html";
    let said = place.said(words);
    for part in [
        "hill.csv: `y` learned from 81 rows and 2 inputs by 4 rules\n",
        "rule  support  coverage\n",
        "if a is low and b is low then y = ",
        "if a is high and b is high then y = ",
        "\nRMSE ",
        "ended after 5 iterations (",
        "\ninput  RMSE without it\na ",
        "left out: `kind`, which holds text\n",
        "written: m.fll, p.html\n",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let page = text(&place.bytes("p.html"));
    for part in ["<h1>y by rules</h1>", "at the start", ">training<", "Residuals", "y over a and b", "<h2>"] {
        assert!(page.contains(part) || page.contains("Importance"), "{part}");
    }
    assert_eq!(page.matches("<svg xmlns").count(), 5); // the error, two inputs, the surface, residuals
    let outside = page.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    assert!(!["http:", "https:", "src=", "@import", "<link"].iter().any(|part| outside.contains(part)));
}

#[test]
fn irises_are_told_apart_by_rules_from_clusters() {
    let place = Place::with("iris.csv", IRIS);
    for start in
        ["--rules 3 --init fcm", "--rules 3 --init gk", "--init subtractive", "--rules 3 --init subtractive"]
    {
        let words = format!("tune iris.csv --target species --classify {start} --order 1 --iterations 10");
        let fit = place.json(&format!("{words} --ridge 1e-6 --model m.fll"));
        assert!(fit["accuracy"].as_f64().unwrap() > 0.95, "{start}: {fit}");
        assert_eq!(fit["classes"].as_array().unwrap().len(), 3);
        place.said("infer m.fll --data iris.csv --out out.csv");
        assert_eq!(place.numbers("out.csv")[0].len(), 3);
        if start.contains("--rules") {
            assert!(fit["rules"].as_u64().unwrap() <= 3, "{start}: {fit}");
        }
    }
}

#[test]
fn merging_and_pruning_leave_fewer_sets_and_rules() {
    let place = Place::with("hill.csv", hill());
    let words = "tune hill.csv --target y --sets 6,5 --order 0 --iterations 0 --ridge 1e-6";
    let whole = place.json(words);
    let merged = place.json(&format!("{words} --merge 0.1"));
    let pruned = place.json(&format!("{words} --prune 0.03"));
    assert_eq!(whole["rules"], 30);
    assert!(merged["rules"].as_u64().unwrap() < 30, "{merged}");
    let left = pruned["rules"].as_u64().unwrap();
    assert!((1..30).contains(&left), "{pruned}");
    let said = place.said(&format!("{words} --merge 0.1"));
    assert!(said.contains("merged: ") && said.contains(" less\n"), "{said}");
}

#[test]
fn a_system_in_a_file_is_tuned_on() {
    let place = Place::with("hill.csv", hill());
    let first = place.json("tune hill.csv --target y --sets 3,2 --iterations 4 --model m.fll");
    let second = place.json("tune hill.csv --target y --system m.fll --iterations 20");
    assert_eq!(second["rules"], 6);
    let (first, second) = (first["rmse"].as_f64().unwrap(), second["rmse"].as_f64().unwrap());
    assert!(second <= first * (1.0 + 1e-9), "{first} {second}");
}

#[test]
fn a_polynomial_of_an_input_called_x_gets_a_name_that_formulas_hold() {
    let place = Place::with("p.csv", hill().replace("a,b,kind,y", "x,b,kind,y"));
    let said = place.said("tune p.csv --target y --sets 2 --order 2 --iterations 0 --model m.fll");
    assert!(said.contains("`x` is called `x_` in the system, which cannot hold its name\n"), "{said}");
    place.put("spaced.csv", hill().replace("a,b,kind,y", "a b,b,kind,y"));
    let said = place.said("tune spaced.csv --target y --sets 2 --iterations 0 --model s.fll");
    assert!(said.contains("`a b` is called `ab` in the system, which cannot hold its name\n"), "{said}");
    place.put("renamed.csv", hill().replace("a,b,kind,y", "x_,b,kind,y"));
    for (model, table) in [("m.fll", "renamed.csv"), ("m.fll", "p.csv"), ("s.fll", "spaced.csv")] {
        place.said(&format!("infer {model} --data {table} --out {table}.csv"));
    }
    // A polynomial of degree 2 is learned but for the ridge.
    for table in ["renamed.csv", "p.csv"] {
        let y = place.numbers(&format!("{table}.csv"));
        assert!((y[80][0] - 66.0).abs() < 1e-3, "{:?}", y[80]);
    }
    place.said("tune p.csv --target y --system m.fll --order 2 --iterations 0");
}

#[test]
fn bad_words_and_bad_rows_are_one_sentence_and_write_nothing() {
    let place = Place::with("hill.csv", hill());
    place.put(
        "flat.csv",
        hill()
            .replace("a,b,kind,y", "a,y,kind,b")
            .lines()
            .map(|l| format!("{l},1\n"))
            .collect::<String>()
            .replacen(",1\n", ",c\n", 1),
    );
    place.put("gap.csv", hill().replacen("\n0,0,p,0\n", "\n,0,p,0\n", 1));
    place.put("word.csv", hill().replacen("\n0,0.25,q,0.25\n", "\nmany,0.25,q,0.25\n", 1));
    place.put("few.csv", hill().lines().take(5).map(|l| l.to_owned() + "\n").collect::<String>());
    let files = place.files();
    for (words, code, expected) in [
        ("hill.csv --target z --sets 2", 1, "no column is called `z`"),
        ("hill.csv --target y --inputs a,y --sets 2", 1, "the target `y` is also an input"),
        ("flat.csv --target b --sets 2", 1, "the input `c` has the same value in every row"),
        ("few.csv --target y --inputs b --sets 5", 1, "4 training rows are too few for 10 consequents"),
        (
            "word.csv --target y --inputs a,b --sets 2",
            1,
            "word.csv, line 3, column 1 (`a`): `many` is not a number",
        ),
        ("gap.csv --target y --inputs a,b --sets 2", 1, "row 1, column 1 (`a`) is NaN"),
        (
            "hill.csv --target y --inputs kind --sets 2",
            1,
            "hill.csv, line 2, column 3 (`kind`): `p` is not a number",
        ),
        ("hill.csv --target y --sets 0", 1, ""),
        ("hill.csv --target y --sets 2,2,2", 1, "3 numbers of sets are given for 2 inputs"),
        ("hill.csv --target kind --sets 2", 1, "the target `kind` holds text"),
        ("hill.csv --target y --sets 2 --ridge -1", 1, "tuning: `ridge` is -1"),
        ("hill.csv --target y --init fcm", 2, "`--init fcm` needs to know how many rules; give `--rules K`"),
        ("hill.csv --target y --sets 2 --radius 0.5", 2, ""),
        ("hill.csv --target y --sets 2 --forgetting 0.9", 2, "`--forgetting` is for `--method rls`"),
        ("hill.csv --target y", 2, ""),
        ("hill.csv --sets 2", 2, ""),
        ("hill.csv --target y --sets 2 --model m.txt", 2, "`--model m.txt` is no kind of system"),
        (
            "hill.csv --target y --sets 2 --order 2 --model m.fis",
            2,
            "`.fis` holds consequents of order 0 and 1 alone",
        ),
        (
            "hill.csv --target y --sets 2 --plot hill.csv",
            2,
            "`hill.csv` is a file to read; name another one for `--plot`",
        ),
        ("hill.csv --target y --sets 2 --plot p.png", 2, "`--plot p.png` is no page; name a `.html`"),
        ("hill.csv --target y --sets 2 --prune 1", 2, "`--prune 1` is no share of the say"),
        ("hill.csv --target y --sets 2 --method lm --rate 1", 2, "`--method lm` takes no gradient steps"),
        ("hill.csv --target y --sets 2 --model no/such/m.fll", 1, "cannot write"),
        ("hill.csv --target y --sets 2 --merge 2", 1, "merging sets: `similarity` is 2"),
    ] {
        let output = place.run(
            &format!("tune {words} --model m.json")
                .replace(if words.contains("--model") { " --model m.json" } else { "\u{0}" }, ""),
        );
        let sentence = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{words}: {sentence}");
        if !expected.is_empty() {
            assert!(sentence.starts_with(&format!("fuzzion: {expected}")), "{words}: {sentence}");
        }
        assert!(code == 2 || sentence.lines().count() == 1, "{words}: {sentence}");
        assert_eq!(place.files(), files, "{words}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_nothing_behind() {
    let place = Place::new();
    place.said("data truck --points 32 --out truck.csv");
    let words =
        "tune truck.csv --target theta --sets 5,7 --iterations 1000000000 --model m.fll --plot p.html";
    let child = place.command(words).stderr(std::process::Stdio::piped()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_secs(1)); // until it is at work
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(130), "fuzzion: interrupted\n"));
    assert_eq!(place.files(), ["truck.csv"]);
}
