//! `fuzzion data`

use crate::common::{TestDir, text};

#[test]
fn the_truck_data_set_is_a_grid_in_any_format() {
    let dir = TestDir::new();
    let printed = dir.output_of("data truck --points 5 --out truck.csv");
    assert_eq!(printed, "wrote truck.csv: 25 rows, columns x, phi, theta\n");
    assert!(text(&dir.read("truck.csv")).starts_with("x,phi,theta\n0,-90,"));
    let rows = dir.read_values("truck.csv");
    // In the middle, facing the dock, the angle is 0; where only PS fires, it is the center of a triangle around 5.
    assert!(rows.len() == 25 && rows[12][2].abs() < 1e-9);
    assert!((rows[0][2] - 5.0).abs() < 1e-9);
    dir.output_of("data truck --points 5 --out truck.npy");
    assert!(dir.read("truck.npy").starts_with(b"\x93NUMPY"));
    assert_eq!(dir.output_of("data truck --points 5"), text(&dir.read("truck.csv")));
    let summary = dir.json("data truck --points 3 --out small.csv");
    assert_eq!((summary["rows"].as_u64(), summary["columns"][2].as_str()), (Some(9), Some("theta")));
}

#[test]
fn the_series_can_be_written_completely_or_in_two_parts() {
    let dir = TestDir::new();
    let printed = dir.output_of("data mackey-glass --out all.csv");
    assert_eq!(printed, "wrote all.csv: 1000 rows, columns x_18_ago, x_12_ago, x_6_ago, x_now, x_in_6\n");
    dir.output_of("data mackey-glass --part train --out train.csv");
    dir.output_of("data mackey-glass --part test --out test.csv");
    let (all, train, test) =
        (dir.read_values("all.csv"), dir.read_values("train.csv"), dir.read_values("test.csv"));
    assert_eq!((train.len(), test.len()), (500, 500));
    assert_eq!(all, [train, test].concat());
}

#[test]
fn errors_are_reported_in_one_sentence() {
    let dir = TestDir::new();
    for (args, code, expected) in [
        ("data truck --points 1 --out t.csv", 1, "`--points` is 1, but it must be from 2 to 8192\n"),
        (
            "data truck --json",
            2,
            "`--json` and the table cannot both use standard output; write the table to a file with `--out`\n",
        ),
        ("data truck --out t.png", 1, "t.png: unsupported format; supported formats:"),
    ] {
        let output = dir.run(args);
        assert_eq!(output.status.code(), Some(code), "{args}");
        let message = text(&output.stderr);
        assert!(message.starts_with(&format!("fuzzion: {expected}")), "{args}: {message}");
        assert_eq!(message.lines().count(), 1);
    }
    assert!(dir.files().is_empty());
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_a_command_silently() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;
    let dir = TestDir::new();
    let mut command = dir.command("data truck --points 200"); // more rows than fit into the pipe
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap(); // then closes the pipe
    let output = child.wait_with_output().unwrap();
    assert_eq!(first, "x,phi,theta\n");
    assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(0), ""));
}
