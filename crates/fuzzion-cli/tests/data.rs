//! `fuzzion data` as a user meets it.

#![allow(clippy::unwrap_used, clippy::panic)] // a helper outside a test function is still a test

mod common;

use common::{Place, text};

#[test]
fn the_truck_is_a_grid_in_any_format() {
    let place = Place::new();
    let said = place.said("data truck --points 5 --out truck.csv");
    assert_eq!(said, "25 rows of x, phi, theta, written to truck.csv\n");
    assert!(text(&place.bytes("truck.csv")).starts_with("x,phi,theta\n0,-90,"));
    let rows = place.numbers("truck.csv");
    // In the middle, straight to the dock, nothing is to be done; where PS alone applies, it is a triangle around 5.
    assert!(rows.len() == 25 && rows[12][2].abs() < 1e-9);
    assert!((rows[0][2] - 5.0).abs() < 1e-9);
    place.said("data truck --points 5 --out truck.npy");
    assert!(place.bytes("truck.npy").starts_with(b"\x93NUMPY"));
    assert_eq!(place.said("data truck --points 5"), text(&place.bytes("truck.csv")));
    let told = place.json("data truck --points 3 --out small.csv");
    assert_eq!((told["rows"].as_u64(), told["columns"][2].as_str()), (Some(9), Some("theta")));
}

#[test]
fn the_series_comes_whole_or_in_its_two_parts() {
    let place = Place::new();
    let said = place.said("data mackey-glass --out all.csv");
    assert_eq!(said, "1000 rows of x_18_ago, x_12_ago, x_6_ago, x_now, x_in_6, written to all.csv\n");
    place.said("data mackey-glass --part train --out train.csv");
    place.said("data mackey-glass --part test --out test.csv");
    let (all, train, test) =
        (place.numbers("all.csv"), place.numbers("train.csv"), place.numbers("test.csv"));
    assert_eq!((train.len(), test.len()), (500, 500));
    assert_eq!(all, [train, test].concat());
}

#[test]
fn what_cannot_be_written_is_one_sentence() {
    let place = Place::new();
    for (words, code, expected) in [
        ("data truck --points 1 --out t.csv", 1, "truck: `points` is 1, but it must be from 2 to 8192\n"),
        (
            "data truck --json",
            2,
            "`--json` and the table cannot share standard output; name a file with `--out`\n",
        ),
        ("data truck --out t.png", 1, "t.png is of no known kind; known are"),
    ] {
        let output = place.run(words);
        assert_eq!(output.status.code(), Some(code), "{words}");
        let sentence = text(&output.stderr);
        assert!(sentence.starts_with(&format!("fuzzion: {expected}")), "{words}: {sentence}");
        assert_eq!(sentence.lines().count(), 1);
    }
    assert!(place.files().is_empty());
}
