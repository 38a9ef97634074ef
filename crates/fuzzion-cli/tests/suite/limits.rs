//! Huge counts, and limits of memory.

use crate::common::{TIPPER, TestDir, groups, text};
use std::io::Write as _;
use std::process::Stdio;

#[test]
fn huge_counts_are_refused() {
    let dir = TestDir::with("g.csv", groups(60));
    dir.write("tipper.fll", TIPPER);
    let max = u64::MAX.to_string();
    for count in ["1000000000", &max] {
        for (args, message) in [
            ("cluster g.csv --clusters 2 --n-init COUNT", "`--n-init` is "),
            ("cluster g.csv --clusters COUNT", "use at most as many clusters as rows"),
            ("cluster g.csv --sweep 2..COUNT", "a sweep compares at most 1000 clusters"),
            ("data spirals --points COUNT", "`--points` is "),
            ("data truck --points COUNT", "`--points` is "),
            ("grid tipper.fll --points COUNT", "`--points` is COUNT, but it must be small enough"),
            ("cluster g.csv --clusters 2 --n-init COUNT", "`--n-init` is COUNT, but it must be"),
            ("sonfin fit g.csv --target y --inputs x --rules COUNT", "`--rules` is COUNT, but it must be"),
            (
                "tune g.csv --target y --inputs x --rules COUNT",
                "exceed the limit of 16384 coefficients; use fewer sets or rules",
            ),
        ] {
            let message = &message.replace("COUNT", count);
            let output = dir.run(&args.replace("COUNT", count));
            let printed = text(&output.stderr);
            assert!([Some(1), Some(2)].contains(&output.status.code()), "{args}: {printed}");
            assert!(printed.contains(message) && output.stdout.is_empty(), "{args}: {printed}");
        }
    }
}

#[test]
fn limits_name_the_option_that_was_typed() {
    let dir = TestDir::with("tipper.fll", TIPPER);
    let printed = text(&dir.run(&format!("grid tipper.fll --rows {}", u64::MAX)).stderr);
    assert!(printed.starts_with("fuzzion: `--rows` is 18446744073709551615, but it must be"), "{printed}");
}

#[test]
fn the_memory_limit_must_be_a_number_of_at_least_0() {
    let dir = TestDir::with("g.csv", groups(60));
    for limit in ["nan", "-1", "inf", "much"] {
        let output = dir.run(&format!("cluster g.csv --clusters 2 --memory {limit}"));
        assert_eq!(output.status.code(), Some(2), "{limit}");
        assert!(text(&output.stderr).contains("expected a number of at least 0"), "{limit}");
    }
}

#[test]
fn rows_of_a_pipe_beyond_the_memory_limit_are_refused() {
    let dir = TestDir::new();
    let rows: String = (0..2000).map(|i| format!("{},{}\n", i % 7, i % 5)).collect();
    for (limit, fits) in [("0.0001", true), ("0.00002", false)] {
        let mut command = dir.command(&format!("cluster - --clusters 2 --memory {limit}"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(format!("x,y\n{rows}").as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let printed = text(&output.stderr);
        assert_eq!(output.status.success(), fits, "{limit}: {printed}");
        let message =
            "standard input cannot be read as a table: it has more than the 416 rows that fit into 2e-5 GB";
        assert_eq!(printed.contains(message), !fits, "{printed}");
    }
}

#[test]
fn rows_of_a_pipe_are_assigned_to_clusters_in_chunks() {
    let table = groups(150_000); // more than two chunks
    let dir = TestDir::with("g.csv", &table);
    dir.output_of("cluster g.csv --clusters 3 --columns x,y --max-iter 2 --model m.json --labels l.csv --memberships u.csv");
    let fitted = (dir.read("l.csv"), dir.read("u.csv"));
    for data in ["g.csv", "-"] {
        let args = "--labels l2.csv --memberships u2.csv --memory 0";
        let mut command = dir.command(&format!("cluster --apply m.json {data} {args} --json"));
        command.stdin(std::fs::File::open(dir.join("g.csv")).unwrap());
        let output = command.output().unwrap();
        assert!(output.status.success(), "{data}: {}", text(&output.stderr));
        let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(summary["rows"], 150_000);
        assert!((dir.read("l2.csv"), dir.read("u2.csv")) == fitted, "{data}");
    }
}

#[test]
fn text_with_short_fields_beyond_the_memory_limit_is_read_again_in_every_iteration() {
    // 4 bytes of text per row, 16 bytes of values.
    let rows: String = (0..2000).map(|i| format!("{},{}\n", i % 7, i % 5)).collect();
    let dir = TestDir::with("short.csv", format!("x,y\n{rows}"));
    let whole = dir.json("cluster short.csv --clusters 2 --seed 1");
    let streamed = dir.output_of("cluster short.csv --clusters 2 --seed 1 --memory 0.00001");
    assert!(streamed.contains("was read several times"), "{streamed}");
    let again = dir.json("cluster short.csv --clusters 2 --seed 1 --memory 0.00001");
    assert_eq!(whole["centers"], again["centers"]);
}
