//! Systems in files: formats by endings, dialects, and what is refused with nothing written.

use super::super::{Dialect, Grid, Points, System, SystemFormat};
use super::{three, tipper};
use std::path::Path;

#[test]
fn a_file_is_known_by_its_ending_and_means_its_engine() {
    let folder = tempfile::tempdir().unwrap();
    for (name, dialect) in
        [("t.fll", Dialect::Fuzzylite8), ("t.fis", Dialect::Matlab), ("T.JSON", Dialect::Iec)]
    {
        let path = folder.path().join(name);
        tipper().save(&path, Dialect::Iec).unwrap(); // JSON remembers it
        let loaded = System::load(&path).unwrap();
        assert_eq!((loaded.system, loaded.dialect), (tipper(), dialect), "{name}");
        assert_eq!(Some(loaded.format), SystemFormat::of_name(name));
    }
    let path = folder.path().join("plain.json");
    std::fs::write(&path, tipper().to_json().unwrap()).unwrap();
    assert_eq!(System::load(&path).unwrap().dialect, Dialect::Fuzzylite8);
    let path = folder.path().join("marked.fll"); // as some editors save it
    std::fs::write(&path, format!("\u{feff}{}", tipper().to_fll().unwrap().replace('\n', "\r\n"))).unwrap();
    assert_eq!(System::load(&path).unwrap().system, tipper());
}

#[test]
fn what_cannot_be_read_is_one_sentence_with_the_files_name() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let put = |name: &str, bytes: &[u8]| std::fs::write(at(name), bytes).unwrap();
    put("latin.fis", b"[System]\nName='caf\xe9'\n");
    put("large.fcl", &vec![b' '; (16 << 20) + 1]);
    put("rule.json", tipper().to_json().unwrap().replace("tip is cheap", "tip is dear").as_bytes());
    put("bad.fll", b"Engine: a\nInput: b\n");
    put("empty.fll", b"");
    std::fs::create_dir(at("folder.fll")).unwrap();
    let problem = |name: &str| {
        let text = System::load(at(name)).unwrap_err().to_string();
        text.replace(&format!("{}/", folder.path().display()), "")
    };
    for (name, expected) in [
        ("a.xml", "a.xml is of no known kind; known are `.fll`, `.fis`, `.fcl` and `.json`"),
        ("none.fll", "cannot read none.fll: "),
        ("folder.fll", "cannot read folder.fll: it is a folder; name a file in it"),
        ("latin.fis", "latin.fis, line 2, column 10 is not UTF-8; save it as UTF-8"),
        ("large.fcl", "large.fcl cannot be read as a fuzzy system: it has more than 16777216 bytes"),
        ("rule.json", "rule.json, blocks[0].rules[0], line 1, column 50: found `dear`"),
        ("bad.fll", "bad.fll, line 2, column 1: found `Input`, expected `description` or the next block"),
        ("empty.fll", "empty.fll: the system has no input; give it one"),
    ] {
        assert!(problem(name).starts_with(expected), "{}", problem(name));
    }
}

#[test]
fn what_a_format_cannot_hold_is_refused_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let problem = |system: &System, name: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, "before").unwrap();
        let text = system.save(&path, Dialect::Iec).unwrap_err().to_string();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "before");
        text.replace(&format!("{}/", folder.path().display()), "")
    };
    let nested = three().rule("if (a is on or b is on) and c is on then y is one").unwrap();
    assert_eq!(
        problem(&nested, "n.fis"),
        "rule 1 nests its antecedent or asks about an output, which .fis cannot hold; write FLL or JSON"
    );
    assert_eq!(
        problem(&nested, "n.fcl"),
        "the system cannot be written as FCL, which is only read; write `.fll`, `.fis` or `.json`"
    );
    assert!(problem(&nested, "n.txt").starts_with("n.txt is of no known kind"));
    assert!(problem(&System::new(""), "n.json").contains("has no input"));
    assert!(problem(&System::new(""), "n.fll").contains("has no input"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 5); // no temporary file is left
}

/// The numbers of a table, and its first line.
fn table(grid: Grid<'_>, system: &System) -> (String, Vec<Vec<f64>>) {
    let mut text = Vec::new();
    let rows = grid.write(system, Dialect::Fuzzylite8, &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let (names, lines) = text.split_once('\n').unwrap();
    let row = |line: &str| line.split(' ').map(|cell| cell.parse().unwrap()).collect();
    let lines: Vec<Vec<f64>> = lines.lines().map(row).collect();
    assert_eq!(lines.len() as u64, rows);
    (names.to_owned(), lines)
}

#[test]
fn a_grid_reaches_from_end_to_end_and_the_last_input_changes_fastest() {
    let (names, rows) = table(Grid::new(Points::Each(3)).decimals(9), &tipper());
    assert_eq!(names, "service food tip");
    let inputs: Vec<&[f64]> = rows.iter().map(|row| &row[..2]).collect();
    assert_eq!(inputs[..4], [[0.0, 0.0], [0.0, 5.0], [0.0, 10.0], [5.0, 0.0]]);
    for row in &rows {
        let want = tipper().infer_row(&row[..2], Dialect::Fuzzylite8).unwrap().outputs[0];
        assert!((row[2] - want).abs() <= 5.1e-10, "{row:?} {want}"); // nine decimals
    }
    let count = |points| table(Grid::new(points), &tipper()).1.len();
    assert_eq!(
        [Points::All(1024), Points::All(1023), Points::All(3), Points::Each(1)].map(count),
        [1024, 961, 1, 1]
    );
    let cube = three().rule("if a is on then y is one").unwrap();
    assert_eq!(Grid::new(Points::All(1000)).rows(&cube).unwrap(), 1000);
}

#[test]
fn a_grid_asks_whoever_it_is_told_to_ask() {
    let mut text = Vec::new();
    let grid = Grid::new(Points::Each(2)).decimals(1);
    grid.write_with(&tipper(), &mut text, |row| Ok(vec![row[0] - row[1]])).unwrap();
    assert_eq!(text, b"service food tip\n0.0 0.0 0.0\n0.0 10.0 -10.0\n10.0 0.0 10.0\n10.0 10.0 0.0\n");
}

#[test]
fn a_grid_that_cannot_be_is_refused_and_an_interrupted_one_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.fld");
    let mut open = tipper();
    open.inputs[1].maximum = f64::INFINITY;
    let problem =
        |grid: Grid<'_>, system: &System| grid.save(system, Dialect::Iec, &path).unwrap_err().to_string();
    assert_eq!(
        problem(Grid::new(Points::Each(0)), &tipper()),
        "a grid: `points` is 0, but it must be at least 1"
    );
    assert!(problem(Grid::new(Points::Each(usize::MAX)), &tipper()).contains("at most 1000000000 rows"));
    assert!(problem(Grid::new(Points::Each(2)).decimals(18), &tipper()).contains("`decimals` is 18"));
    assert!(problem(Grid::new(Points::Each(2)), &open).starts_with("input `food` has an infinite range"));
    let stop = |done, _| {
        if done > 2 { std::ops::ControlFlow::Break(()) } else { std::ops::ControlFlow::Continue(()) }
    };
    let grid = Grid::new(Points::Each(30_000)).progress(crate::Progress::new(&stop));
    assert_eq!(problem(grid, &tipper()), "interrupted");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    Grid::new(Points::Each(2)).save(&tipper(), Dialect::Iec, &path).unwrap();
    assert!(Path::new(&path).exists());
}
