//! `--append`: the columns of the table followed by the computed ones.

use crate::common::{IRIS, TIPPER, TestDir, groups, text};
use std::io::Write as _;
use std::process::Stdio;

/// Standard output of a command that reads `input` from a pipe.
fn piped(dir: &TestDir, args: &str, input: &[u8]) -> String {
    let mut command = dir.command(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{args}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// The lines of `table` joined with those of `added`.
fn joined(table: &str, separator: &str, added: &str) -> String {
    assert_eq!(table.lines().count(), added.lines().count());
    table.lines().zip(added.lines()).map(|(a, b)| format!("{a}{separator}{b}\n")).collect()
}

const MEALS: &str =
    "name,service,food,note\nann,3.0,7.50,\"a, b\"\n bob ,8,9,\"say \"\"hi\"\"\"\ncarl,1e1,0007,\n";

#[test]
fn infer_copies_the_text_of_the_columns_from_files_and_pipes() {
    let dir = TestDir::with("tipper.fll", TIPPER);
    dir.write("meals.csv", MEALS);
    dir.output_of("infer tipper.fll --data meals.csv --out tips.csv");
    dir.output_of("infer tipper.fll --data meals.csv --append --out all.csv");
    let expected = joined(MEALS, ",", &text(&dir.read("tips.csv")));
    assert_eq!(text(&dir.read("all.csv")), expected);
    let args = "infer tipper.fll --data - --append";
    assert_eq!(piped(&dir, args, MEALS.as_bytes()), expected);
    assert_eq!(piped(&dir, args, MEALS.replace('\n', "\r\n").as_bytes()), expected);
    // The result can be read again; a name that exists gets a suffix.
    dir.output_of("infer tipper.fll --data all.csv --append --out again.csv");
    assert_eq!(text(&dir.read("again.csv")).lines().next(), Some("name,service,food,note,tip,tip.2"));
}

#[test]
fn appended_columns_have_the_separator_and_the_decimal_mark_of_the_table() {
    let dir = TestDir::with("tipper.fll", TIPPER);
    dir.write("meals.csv", "service;food;who\n3,5;7,5;ann\n8,25;9,0;bob\n");
    dir.output_of("infer tipper.fll --data meals.csv --append --out all.csv");
    let all = text(&dir.read("all.csv"));
    let lines: Vec<&str> = all.lines().collect();
    assert_eq!(lines[0], "service;food;who;tip");
    assert!(lines[1].starts_with("3,5;7,5;ann;1") && !lines[1].contains('.'), "{all}");
    dir.write("none.txt", "3 7.5\n8 9\n"); // no header
    let all = piped(&dir, "infer tipper.fll --data none.txt --append", b"");
    assert!(all.starts_with("c1 c2 tip\n3 7.5 "), "{all}");
    for (args, message) in [
        (
            "infer tipper.fll --data meals.csv --append --out all.npy",
            "all.npy is not a text file; use a `.csv` or `.tsv` file",
        ),
        (
            "infer tipper.fll --data grid.npy --append --out x.csv",
            "grid.npy is not a text file; convert it to CSV, or leave out `--append`",
        ),
    ] {
        dir.output_of("data truck --points 3 --out grid.npy");
        let output = dir.run(args);
        assert_eq!(text(&output.stderr), format!("fuzzion: cannot append columns: {message}\n"), "{args}");
        assert_eq!(output.status.code(), Some(1));
    }
}

#[test]
fn the_separator_is_that_of_the_extension_of_the_output() {
    let dir = TestDir::with("tipper.fll", TIPPER);
    let append = |input: &str, table: &str, out: &str| {
        dir.write(input, table);
        dir.run(&format!("infer tipper.fll --data {input} --append --out {out}")); // warns about the missing value
        let all = text(&dir.read(out));
        let lines: Vec<String> =
            all.lines().map(|line| line.rsplitn(2, ['\t', ';', ',']).last().unwrap().into()).collect();
        lines.join("\n")
    };
    let table = "service;food;who\n3.5;7.5;a, b\n8;9;\"c;\td\"\n";
    assert_eq!(append("a.csv", table, "a.tsv"), "service\tfood\twho\n3.5\t7.5\ta, b\n8\t9\t\"c;\td\"");
    assert_eq!(append("a.csv", table, "a2.csv"), table.trim_end());
    let tabs = "service\tfood\twho\n3.50\t7.5\ta, b\n8\t\t c \n";
    assert_eq!(append("a.tsv", tabs, "b.csv"), "service,food,who\n3.50,7.5,\"a, b\"\n8,, c ");
    let commas = "service\tfood\n3,50\t7,5\n8\t9\n";
    assert!(append("c.tsv", commas, "c.csv").starts_with("service;food\n3,50;7,5;1"));
    let blanks = "service food\n 3.5   7.5\n8\t9 \n";
    assert_eq!(append("d.txt", blanks, "d.csv"), "service,food\n3.5,7.5\n8,9");
    // Numbers with decimal commas need another separator.
    dir.write("e.csv", "service,food\n\"3,5\",\"7,5\"\n8,\"9,0\"\n");
    let all = piped(&dir, "infer tipper.fll --data e.csv --append --decimal-comma", b"");
    assert!(all.starts_with("service;food;tip\n\"3,5\";\"7,5\";1") && all.lines().count() == 3, "{all}");
}

#[test]
fn cluster_copies_the_columns_of_tables_in_memory_and_streams() {
    let table = groups(5000);
    let dir = TestDir::with("g.csv", &table);
    let fit = "cluster g.csv --clusters 3 --columns x,y --seed 1";
    dir.output_of(&format!("{fit} --labels labels.csv --memberships u.csv --model m.json"));
    dir.output_of(&format!("{fit} --labels all.csv --memberships all-u.csv --append"));
    let expected = joined(&table, ",", &text(&dir.read("labels.csv")));
    assert_eq!(text(&dir.read("all.csv")), expected);
    assert_eq!(text(&dir.read("all-u.csv")), joined(&table, ",", &text(&dir.read("u.csv"))));
    dir.output_of(&format!("{fit} --labels streamed.csv --append --memory 0.00001"));
    assert_eq!(text(&dir.read("streamed.csv")), expected);
    let args = "cluster - --clusters 3 --columns x,y --seed 1 --labels - --append";
    assert_eq!(piped(&dir, args, table.as_bytes()), expected);
    assert_eq!(piped(&dir, "cluster --apply m.json - --labels - --append", table.as_bytes()), expected);
    dir.output_of("cluster --apply m.json g.csv --labels applied.csv --append");
    assert_eq!(text(&dir.read("applied.csv")), expected);
    let output = dir.run("cluster g.csv --clusters 3 --append");
    assert!(
        text(&output.stderr).contains("`--append` requires `--labels`, `--memberships` or `--typicalities`")
    );
    dir.write("image.pgm", "P2 2 2 255 0 50 100 200 ");
    let output = dir.run("cluster image.pgm --clusters 2 --labels l.csv --append");
    assert!(text(&output.stderr).contains("`--append`"), "{}", text(&output.stderr));
}

#[test]
fn predictions_are_appended_to_the_columns() {
    let dir = TestDir::with("iris.csv", IRIS);
    dir.output_of("sonfin fit iris.csv --target species --classify --rules 3 --model net.json");
    dir.output_of("tune iris.csv --target petal_length --max-rules 3 --model tuned.json");
    for command in ["sonfin predict net.json", "tune predict tuned.json"] {
        dir.output_of(&format!("{command} iris.csv --out p.csv"));
        dir.output_of(&format!("{command} iris.csv --append --out all.csv"));
        let predicted = text(&dir.read("p.csv")).replace("petal_length,", "petal_length.2,");
        let expected = joined(IRIS, ",", &predicted);
        assert_eq!(text(&dir.read("all.csv")), expected, "{command}");
        assert_eq!(piped(&dir, &format!("{command} - --append"), IRIS.as_bytes()), expected, "{command}");
    }
}
