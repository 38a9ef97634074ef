//! `fuzzion sonfin` as a user meets it.

#![allow(clippy::unwrap_used, clippy::panic)] // a helper outside a test function is still a test

mod common;

use common::{IRIS, Place, text};
use std::io::Write as _;
use std::process::Stdio;

/// Points in three squares on a plane, with labels that no number prints as.
fn squares(rows: usize) -> String {
    let mut out = String::from("u,note,v,kind\n");
    for i in 0..rows {
        let flutter = |k: usize| ((i * k) as f64 * 1.3).sin();
        let (u, v, kind) = [(0.0, 0.0, "007"), (4.0, 1.0, "1.50"), (1.0, 5.0, "rot")][i % 3];
        out += &format!("{:.4},n{i},{:.4},{kind}\n", u + flutter(3), v + flutter(5));
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
fn labels_are_printed_as_they_were_read() {
    let place = Place::with("squares.csv", squares(90));
    let said = place.said(FIT);
    for part in [
        "squares.csv: `kind` learned from 90 rows and 2 inputs by ",
        " % of the training rows wrong\n",
        "5 epochs",
        "left out: `note`, which holds text\n",
        "written: m.json\n",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let said = place.said("sonfin predict m.json squares.csv --out p.csv");
    assert!(
        said.contains("90 rows predicted in ") && said.contains(" of the labels wrong; written: p.csv"),
        "{said}"
    );
    let written = text(&place.bytes("p.csv"));
    let mut lines = written.lines();
    assert_eq!(lines.next(), Some("label"));
    assert_eq!(lines.next(), Some("007"));
    assert_eq!(lines.clone().count(), 89);
    assert!(lines.all(|line| ["007", "1.50", "rot"].contains(&line)));
}

#[test]
fn columns_are_found_by_name_and_the_rest_is_ignored() {
    let place = Place::with("squares.csv", squares(60));
    place.said(FIT);
    place.put("turned.csv", "v,kind,u,extra\n0.1,?,0.2,9\n5.2,?,1.1,x\n");
    place.said("sonfin predict m.json turned.csv --out p.csv");
    assert_eq!(text(&place.bytes("p.csv")), "label\n007\nrot\n");
    assert_eq!(place.said("sonfin predict m.json turned.csv"), "label\n007\nrot\n");
    let mut child = place
        .command("sonfin predict m.json -")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"v,u\n5.2,1.1\n").unwrap();
    assert_eq!(text(&child.wait_with_output().unwrap().stdout), "label\nrot\n");
    place.said("sonfin predict m.json turned.csv --scores --out s.csv");
    let scores = text(&place.bytes("s.csv"));
    assert!(scores.starts_with("007,1.50,rot\n") && scores.lines().count() == 3, "{scores}");
}

#[test]
fn json_tells_the_fit() {
    let place = Place::with("squares.csv", squares(90));
    let fit = place.json(&format!("{FIT} --validation 0.2 --seed 3"));
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
    let again = place.json(&format!("{FIT} --validation 0.2 --seed 3"));
    assert_eq!((&again["train_error"], &again["history"]), (&fit["train_error"], &fit["history"]));
    let predicted = place.json("sonfin predict m.json squares.csv --out p.csv");
    assert_eq!(predicted["rows"], 90);
    assert!(predicted["error"].as_f64().unwrap() < 0.1, "{predicted}");
}

#[test]
fn numbers_are_learned_and_predicted_in_columns_of_their_names() {
    let place = Place::with("hill.csv", hill());
    let fit = place.json("sonfin fit hill.csv --target y --rules 30 --epochs 20 --model m.json");
    place.said("sonfin predict m.json hill.csv --out p.csv");
    assert!(text(&place.bytes("p.csv")).starts_with("y\n"));
    let squares: f64 = place
        .numbers("p.csv")
        .iter()
        .enumerate()
        .map(|(i, row)| (row[0] - ((i / 9) * (i / 9)) as f64 - (i % 9) as f64 * 0.25).powi(2))
        .sum();
    let rmse = (squares / 81.0).sqrt();
    // The report's error is of the rules that the file holds; predictions are in single precision.
    assert!((rmse - fit["train_error"].as_f64().unwrap()).abs() < 1e-3, "{rmse} {fit}");
    assert!(rmse < 5.0, "{rmse}"); // of a hill of 66
    place.said("sonfin predict m.json hill.csv --out p.npy");
}

#[test]
fn rules_read_and_explain_what_is_predicted() {
    let place = Place::with("squares.csv", squares(90));
    place.said(FIT);
    let said = place.said("sonfin rules m.json --top 1");
    assert!(said.starts_with("m.json: ") && said.contains(" over 2 inputs for `kind`\n\n"), "{said}");
    assert!(
        said.contains(" is about ") && said.contains(" ± ") && said.contains(" and 1 more then "),
        "{said}"
    );
    // The part of the say of each, the largest first.
    let shares: Vec<f64> = said
        .lines()
        .filter_map(|line| line.split_once(" %  if ")?.0.split_whitespace().last()?.parse().ok())
        .collect();
    assert!(shares.len() > 1 && shares.is_sorted_by(|a, b| a >= b), "{said}");
    let rules = place.json("sonfin rules m.json");
    let first = &rules["rules"][0];
    assert!(first["share"].as_f64().is_some_and(|share| share <= 1.0), "{first}");
    assert!(
        rules["rules"].as_array().unwrap().is_sorted_by(|a, b| a["share"].as_f64() >= b["share"].as_f64())
    );
    assert!(first["asks"].as_array().unwrap().len() == 2 && first["outputs"].as_array().unwrap().len() == 3);
    let said = place.said("sonfin explain m.json squares.csv --row 3");
    assert!(said.starts_with("squares.csv, row 3: rot\n") && said.contains("\nnearest is rule "), "{said}");
    let why = place.json("sonfin explain m.json squares.csv --row 3");
    assert_eq!((why["label"].as_str(), why["nearest"]["label"].as_str()), (Some("rot"), Some("rot")));
    let output = place.run("sonfin explain m.json squares.csv --row 91");
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(said.contains("`--row 91` is past the last row of squares.csv, which has 90"), "{said}");
}

#[test]
fn what_grew_runs_in_infer_from_every_format() {
    let place = Place::with("hill.csv", hill());
    place.said("sonfin fit hill.csv --target y --rules 20 --epochs 5 --model m.json");
    place.said("sonfin predict m.json hill.csv --out p.csv");
    let ours = place.numbers("p.csv");
    for system in ["s.fll", "s.fis", "s.json"] {
        assert!(
            place.said(&format!("sonfin export m.json {system}")).ends_with(&format!("written: {system}\n"))
        );
        place.said(&format!("infer {system} --data hill.csv --out out.csv"));
        for (ours, theirs) in ours.iter().zip(place.numbers("out.csv")) {
            // Single against double precision, on a hill of 66.
            assert!((ours[0] - theirs[0]).abs() < 1e-3, "{system}: {ours:?} {theirs:?}");
        }
    }
}

#[test]
fn a_stream_is_learned_piece_by_piece_and_can_be_gone_on_with() {
    let place = Place::with("squares.csv", squares(300));
    let words = "--target kind --classify --rules 12 --stream --piece 60";
    let mut child = place
        .command(&format!("sonfin fit - {words} --model m.json --json"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(squares(300).as_bytes()).unwrap();
    assert!(child.wait_with_output().unwrap().status.success());
    let said = place.said(&format!("sonfin fit squares.csv {words} --model same.json"));
    assert!(
        said.contains(" of 240 rows before they were learned, piece by piece, wrong\none pass ("),
        "{said}"
    );
    place.said("sonfin predict m.json squares.csv --scores --out a.csv");
    place.said("sonfin predict same.json squares.csv --scores --out b.csv");
    assert_eq!(place.bytes("a.csv"), place.bytes("b.csv"));
    // Half, then the other half, is the whole.
    let lines: Vec<String> = squares(300).lines().map(|line| format!("{line}\n")).collect();
    place.put("first.csv", lines[..181].concat());
    place.put("second.csv", [&lines[..1], &lines[181..]].concat().concat());
    place.said(&format!("sonfin fit first.csv {words} --model half.json"));
    place
        .said("sonfin fit second.csv --target kind --stream --piece 60 --resume half.json --model half.json");
    place.said("sonfin predict half.json squares.csv --scores --out c.csv");
    assert_eq!(place.bytes("a.csv"), place.bytes("c.csv"));
    let predicted = place.json("sonfin predict m.json squares.csv --out p.csv");
    assert!(predicted["error"].as_f64().unwrap() < 0.1, "{predicted}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_fit_leaves_a_model_that_predicts_and_is_gone_on_with() {
    let place = Place::with("iris.csv", IRIS);
    let first =
        "sonfin fit iris.csv --target species --classify --rules 20 --epochs 1000000000 --model m.json";
    for words in [first, "sonfin fit iris.csv --target species --resume m.json --model m.json"] {
        let child = place.command(words).stderr(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_secs(1)); // until it is at work
        let id = child.id().to_string();
        assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(
            text(&output.stderr),
            "fuzzion: interrupted; `m.json` holds what was learned so far: go on with `fuzzion sonfin fit iris.csv --target \
             species --resume m.json --model m.json`\n"
        );
        assert_eq!(
            (output.status.code(), place.files()),
            (Some(130), vec!["iris.csv".to_owned(), "m.json".to_owned()])
        );
        let predicted = place.json("sonfin predict m.json iris.csv --out p.csv");
        assert!(predicted["error"].as_f64().unwrap() < 0.1, "{predicted}");
        std::fs::remove_file(place.at("p.csv")).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_stream_leaves_all_it_has_learned_even_while_it_waits() {
    let place = Place::with("squares.csv", squares(300));
    let words = "--target kind --classify --rules 12 --stream --piece 60";
    place.said(&format!("sonfin fit squares.csv {words} --model whole.json"));
    let mut child = place
        .command(&format!("sonfin fit - {words} --model m.json"))
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = child.stdin.take().unwrap();
    pipe.write_all(squares(300).as_bytes()).unwrap();
    pipe.flush().unwrap();
    // The first piece is written at once, and the others are learned in no time after it.
    for _ in 0..600 {
        if place.at("m.json").exists() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    std::thread::sleep(std::time::Duration::from_secs(2));
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let output = child.wait_with_output().unwrap(); // the pipe is still open
    drop(pipe);
    assert_eq!(
        text(&output.stderr),
        "fuzzion: interrupted; `m.json` holds what was learned so far: `--stream --resume` goes on with the rows that \
         follow\n"
    );
    assert_eq!(output.status.code(), Some(130));
    for model in ["m", "whole"] {
        place.said(&format!("sonfin predict {model}.json squares.csv --scores --out {model}.csv"));
    }
    assert_eq!(place.bytes("m.csv"), place.bytes("whole.csv"));
}

#[test]
fn words_that_do_not_go_together_are_told() {
    let place = Place::with("squares.csv", squares(90));
    place.said(FIT);
    for (words, code, expected) in [
        (
            "sonfin fit squares.csv --target kind --classify --rules 3 --max-rules 2",
            2,
            "fuzzion: `--rules 3` are more than `--max-rules 2`; leave out one of them\n",
        ),
        (
            "sonfin fit squares.csv --target u --resume m.json",
            1,
            "fuzzion: m.json cannot be read as a model to go on with: it has learned other columns; give `--target kind`\n",
        ),
    ] {
        let output = place.run(words);
        assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(code), expected), "{words}");
    }
}

#[test]
fn columns_whose_names_no_file_holds_are_found_all_the_same() {
    let named = hill().replacen("a,b,y", "long side,b.2,y", 1);
    let place = Place::with("hill.csv", &named);
    place.said("sonfin fit hill.csv --target y --rules 12 --epochs 3 --model m.json");
    place.said("sonfin predict m.json hill.csv --out ours.csv");
    place.said("sonfin export m.json m.fll");
    place.said("infer m.fll --data hill.csv --out theirs.csv");
    for (ours, theirs) in place.numbers("ours.csv").iter().zip(place.numbers("theirs.csv")) {
        assert!((ours[0] - theirs[theirs.len() - 1]).abs() < 1e-3, "{ours:?} {theirs:?}");
    }
}

#[test]
fn the_page_shows_the_course_and_the_plane() {
    let place = Place::new();
    place.said("data spirals --points 40 --out spirals.csv");
    place.said(
        "sonfin fit spirals.csv --target arm --classify --rules 12 --epochs 3 --validation 0.2 --plot p.html",
    );
    let page = text(&place.bytes("p.html"));
    for part in ["<h1>arm by rules that grew</h1>", ">validation<", "Plane", ">first<", " is about "] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn what_cannot_be_learned_is_refused_in_one_sentence_and_nothing_is_written() {
    let place = Place::with("squares.csv", squares(30));
    place.put("empty.csv", "u,v,kind\n");
    place.put("one.csv", "u,v,kind\n1,2,a\n3,4,a\n");
    place.put("hole.csv", "u,v,kind\n1,2,a\n3,,b\n4,5,a\n");
    place.put("open.csv", "u,v,kind\n1,2,a\n3,3,\n4,5,b\n");
    let before = place.files();
    for (words, sentence) in [
        ("sonfin fit empty.csv --target kind --classify", "empty.csv holds no rows; it needs at least one"),
        (
            "sonfin fit one.csv --target kind --classify",
            "the class `kind` takes 1 values, but a classifier tells 2 to 1024 classes apart; name another column",
        ),
        (
            "sonfin fit hole.csv --target kind --classify",
            "row 2, column 2 (`v`) is NaN, but every value must be finite; fill or leave out rows with missing values, or \
             leave the column out, or give `--missing drop`",
        ),
        (
            "sonfin fit open.csv --target kind --classify",
            "the class `kind` is empty in some rows; leave these rows out, or give them a class",
        ),
        (
            "sonfin fit squares.csv --target sort --classify",
            "no column is called `sort`; there is `u`, `note`, `v`, `kind`",
        ),
        (
            "sonfin fit one.csv --target kind",
            "the target `kind` holds text, and systems are learned from numbers",
        ),
        ("sonfin fit one.csv --target u --beta -1", "sonfin: `beta` is -1, but it must be above 0"),
        ("sonfin fit one.csv --target u --epochs 0", "sonfin: `epochs` is 0, but it must be at least 1"),
        ("sonfin fit none.csv --target u", "cannot read none.csv"),
    ] {
        let output = place.run(&format!("{words} --model m.json"));
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{words}: {said}");
        assert!(said.contains(sentence) && said.lines().count() == 1, "{words}: {said}");
        assert_eq!(place.files(), before, "{words}");
    }
}

#[test]
fn a_model_and_a_table_that_do_not_fit_are_refused_in_one_sentence() {
    let place = Place::with("squares.csv", squares(60));
    place.said(FIT);
    place.put("narrow.csv", "u,w\n1,2\n");
    place.put("text.csv", "u,v\n1,two\n");
    place.put("hole.csv", "u,v\n1,2\n1,\n");
    place.put("empty.csv", "u,v\n");
    let model = text(&place.bytes("m.json"));
    place.put("cut.json", &model[..model.len() / 2]);
    place.put("new.json", model.replace("\"version\":1", "\"version\":9"));
    place.put("other.json", "{\"format\":\"fuzzion partition\",\"version\":1}");
    for (words, sentence) in [
        (
            "predict m.json narrow.csv",
            "the model looks at the column `v` (it has 2 inputs), which the table has not; there is `u`, `w`; give a table \
             with all columns that the model learned from",
        ),
        ("predict m.json text.csv", "text.csv, line 2, column 2 (`v`): `two` is not a number"),
        ("predict m.json hole.csv", "row 2, column 2 (`v`) is NaN, but every value must be finite"),
        ("predict m.json empty.csv", "empty.csv holds no rows; it needs at least one"),
        (
            "predict cut.json squares.csv",
            "cut.json cannot be read as a sonfin model: it ends too early; give a file that `sonfin fit --model` wrote",
        ),
        ("predict new.json squares.csv", "it is of version 9, and this program reads version 1"),
        ("predict other.json squares.csv", "it says that it is `fuzzion partition`"),
        ("predict squares.csv squares.csv", "squares.csv cannot be read as a sonfin model: "),
        ("rules cut.json", "it ends too early"),
        ("predict none.json squares.csv", "cannot read none.json"),
    ] {
        let output = place.run(&format!(
            "sonfin {words}{}",
            if words.starts_with("predict") { " --out p.csv" } else { "" }
        ));
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{words}: {said}");
        assert!(said.contains(sentence) && said.lines().count() == 1, "{words}: {said}");
        assert!(output.stdout.is_empty() && !place.files().contains(&"p.csv".to_owned()), "{words}");
    }
}

#[test]
fn words_that_do_not_go_together_are_refused() {
    let place = Place::with("squares.csv", squares(30));
    for (words, sentence) in [
        ("--batch 8", "`--batch` is for `--optimizer adam`; give both or leave it out"),
        ("--auto --rules 5", "`--auto` chooses that itself; leave out `--rules`, or give `--max-rules`"),
        ("--auto --gates", "`--auto` chooses that itself; leave out `--gates`"),
        ("--width-rule thesis", "`--width-rule` is for rules that grow while they learn"),
        ("--piece 9", "--stream"),
        ("--gates", "`--gates` is for `--optimizer adam`; give both or leave it out"),
        ("--rate 0.1", "`--rate` is for `--optimizer adam` and `thesis`"),
        ("--optimizer adam --rate-w 0.1", "`--rate-w` is for `--optimizer online`; give `--rate`"),
        ("--model m.fll", "`--model m.fll` is no model; name a `.json`"),
        ("--plot p.png", "`--plot p.png` is no page; name a `.html`"),
        ("--model squares.csv", "is no model"),
        (
            "--resume m.json --beta 0.4",
            "`--resume` goes on with the model's own settings; leave out `--beta`",
        ),
        ("--gamma 0.5 --rules 9", "cannot be used with"),
        ("--stream --epochs 3", "cannot be used with"),
        ("--width-rule wide", "invalid value"),
    ] {
        let output = place.run(&format!("sonfin fit squares.csv --target kind --classify {words}"));
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words}: {said}");
        assert!(said.contains(sentence), "{words}: {said}");
    }
    assert_eq!(place.files(), ["squares.csv"]);
}

#[test]
fn a_plan_without_a_gpu_says_where_to_find_one() {
    let place = Place::new();
    let said = place.said("sonfin plan --dims 16 --rules 100");
    assert_eq!(
        said,
        "on the CPU there is one way, rules side by side in vectors; `--device cuda` plans for a GPU\n"
    );
    let plan = place.json("sonfin plan --dims 16 --rules 100");
    assert_eq!(
        (plan["device"].as_str(), plan["candidates"].as_array().map(Vec::len)),
        (Some("cpu"), Some(0))
    );
}
