//! Loading and saving: formats by extension, dialects, and failures that write no file.

use crate::base::message;
use crate::device::Device;
use crate::inference::tests::{three_inputs, tipper};
use crate::inference::{Dialect, GridPoints, InputGrid, System, SystemFormat};
use std::path::Path;

#[test]
fn the_extension_selects_the_format_and_its_default_dialect() {
    let folder = tempfile::tempdir().unwrap();
    for (name, dialect) in
        [("t.fll", Dialect::Fuzzylite8), ("t.fis", Dialect::Matlab), ("T.JSON", Dialect::Iec)]
    {
        let path = folder.path().join(name);
        tipper().save(&path, Dialect::Iec).unwrap(); // stored only in JSON
        let loaded = System::load(&path).unwrap();
        assert_eq!((loaded.system, loaded.dialect), (tipper(), dialect), "{name}");
        assert_eq!(Some(loaded.format), SystemFormat::from_path(name));
    }
    let path = folder.path().join("plain.json");
    std::fs::write(&path, tipper().to_json().unwrap()).unwrap();
    assert_eq!(System::load(&path).unwrap().dialect, Dialect::Fuzzylite8);
    let path = folder.path().join("marked.fll"); // byte order mark and CRLF
    std::fs::write(&path, format!("\u{feff}{}", tipper().to_fll().unwrap().replace('\n', "\r\n"))).unwrap();
    assert_eq!(System::load(&path).unwrap().system, tipper());
}

#[test]
fn load_errors_start_with_the_file_name() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let put = |name: &str, bytes: &[u8]| std::fs::write(at(name), bytes).unwrap();
    put("latin.fis", b"[System]\nName='caf\xe9'\n");
    put("large.fcl", &vec![b' '; (16 << 20) + 1]);
    put("rule.json", tipper().to_json().unwrap().replace("tip is cheap", "tip is lavish").as_bytes());
    put("bad.fll", b"Engine: a\nInput: b\n");
    put("empty.fll", b"");
    std::fs::create_dir(at("folder.fll")).unwrap();
    let problem = |name: &str| {
        let text = message(&System::load(at(name)).unwrap_err());
        text.replace(&format!("{}/", folder.path().display()), "")
    };
    for (name, expected) in [
        ("a.xml", "a.xml: unsupported format; supported formats: `.fll`, `.fis`, `.fcl` and `.json`"),
        ("none.fll", "cannot read none.fll: "),
        ("folder.fll", "cannot read folder.fll: it is a folder; specify a file"),
        ("latin.fis", "latin.fis, line 2, column 10: invalid UTF-8; save the file as UTF-8"),
        ("large.fcl", "large.fcl cannot be read as a fuzzy system: it has more than 16777216 bytes"),
        ("rule.json", "rule.json, blocks[0].rules[0], line 1, column 50: found `lavish`"),
        ("bad.fll", "bad.fll, line 2, column 1: found `Input`, expected `description` or the next block"),
        ("empty.fll", "empty.fll: the system has no inputs; add at least one"),
    ] {
        assert!(problem(name).starts_with(expected), "{}", problem(name));
    }
}

#[test]
fn unsupported_systems_are_rejected_and_no_file_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let problem = |system: &System, name: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, "before").unwrap();
        let text = system.save(&path, Dialect::Iec).unwrap_err().to_string();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "before");
        text.replace(&format!("{}/", folder.path().display()), "")
    };
    let nested = three_inputs().rule("if (a is on or b is on) and c is on then y is one").unwrap();
    assert_eq!(
        problem(&nested, "n.fis"),
        "rule 1 has a nested antecedent or a proposition about an output, which `.fis` files do not support; save as FLL or JSON"
    );
    assert_eq!(
        problem(&nested, "n.fcl"),
        "the system cannot be saved as FCL, which is read-only; use `.fll`, `.fis` or `.json`"
    );
    assert!(problem(&nested, "n.txt").starts_with("n.txt: unsupported format"));
    assert!(problem(&System::new(""), "n.json").contains("has no input"));
    assert!(problem(&System::new(""), "n.fll").contains("has no input"));
    let mut long = tipper();
    long.description = "a".repeat(crate::inference::MAX_SYSTEM_BYTES);
    for name in ["n.fll", "n.json"] {
        let expected = format!(
            "the system would make `{name}` larger than 16 MiB, which cannot be read; reduce the number of rules"
        );
        assert_eq!(problem(&long, name), expected);
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 5); // no temporary file remains
}

/// Header and values of a table.
fn table(grid: InputGrid, system: &System) -> (String, Vec<Vec<f64>>) {
    let mut text = Vec::new();
    let rows = grid.write(system, Dialect::Fuzzylite8, &Device::cpu().unwrap(), &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let (names, lines) = text.split_once('\n').unwrap();
    let row = |line: &str| line.split(' ').map(|cell| cell.parse().unwrap()).collect();
    let lines: Vec<Vec<f64>> = lines.lines().map(row).collect();
    assert_eq!(lines.len() as u64, rows);
    (names.to_owned(), lines)
}

#[test]
fn a_grid_includes_both_ends_and_the_last_input_varies_fastest() {
    let (names, rows) = table(InputGrid::new(GridPoints::PerInput(3)).decimals(9), &tipper());
    assert_eq!(names, "service food tip");
    let inputs: Vec<&[f64]> = rows.iter().map(|row| &row[..2]).collect();
    assert_eq!(inputs[..4], [[0.0, 0.0], [0.0, 5.0], [0.0, 10.0], [5.0, 0.0]]);
    for row in &rows {
        let want = tipper().infer_row(&row[..2], Dialect::Fuzzylite8).unwrap().outputs[0];
        assert!((row[2] - want).abs() <= 5.1e-10, "{row:?} {want}"); // nine decimals
    }
    let count = |points| table(InputGrid::new(points), &tipper()).1.len();
    assert_eq!(
        [GridPoints::Total(1024), GridPoints::Total(1023), GridPoints::Total(3), GridPoints::PerInput(1)]
            .map(count),
        [1024, 961, 1, 1]
    );
    let cube = three_inputs().rule("if a is on then y is one").unwrap();
    assert_eq!(InputGrid::new(GridPoints::Total(1000)).row_count(&cube).unwrap(), 1000);
}

#[test]
fn a_grid_can_use_a_custom_inference_function() {
    let mut text = Vec::new();
    let grid = InputGrid::new(GridPoints::PerInput(2)).decimals(1);
    grid.write_with(&tipper(), &Device::cpu().unwrap(), &mut text, |row| Ok(vec![row[0] - row[1]])).unwrap();
    assert_eq!(text, b"service food tip\n0.0 0.0 0.0\n0.0 10.0 -10.0\n10.0 0.0 10.0\n10.0 10.0 0.0\n");
}

#[test]
fn invalid_grids_are_rejected_and_interrupted_ones_leave_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.fld");
    let mut open = tipper();
    open.inputs[1].maximum = f64::INFINITY;
    let cpu = Device::cpu().unwrap();
    let problem = |grid: InputGrid, system: &System| {
        grid.save(system, Dialect::Iec, &cpu, &path).unwrap_err().to_string()
    };
    assert_eq!(
        problem(InputGrid::new(GridPoints::PerInput(0)), &tipper()),
        "a grid: `points` is 0, but it must be at least 1"
    );
    assert!(
        problem(InputGrid::new(GridPoints::PerInput(usize::MAX)), &tipper())
            .contains("at most 1000000000 rows")
    );
    // Beyond 2⁵³, where not every integer is an f64.
    let mut one_input = tipper();
    one_input.inputs.truncate(1);
    assert!(
        problem(InputGrid::new(GridPoints::Total((1 << 60) + 200)), &one_input)
            .contains("at most 1000000000 rows")
    );
    assert!(
        problem(InputGrid::new(GridPoints::PerInput(2)).decimals(18), &tipper()).contains("`decimals` is 18")
    );
    assert!(
        problem(InputGrid::new(GridPoints::PerInput(2)), &open)
            .starts_with("input `food` has an infinite range")
    );
    let stop = |done, _| {
        if done > 2 { std::ops::ControlFlow::Break(()) } else { std::ops::ControlFlow::Continue(()) }
    };
    let grid = InputGrid::new(GridPoints::PerInput(30_000));
    let stopped = grid.save(&tipper(), Dialect::Iec, &cpu.with_progress(stop), &path).unwrap_err();
    assert_eq!(stopped.to_string(), "interrupted");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    InputGrid::new(GridPoints::PerInput(2)).save(&tipper(), Dialect::Iec, &cpu, &path).unwrap();
    assert!(Path::new(&path).exists());
}

#[test]
fn probable_mistakes_are_warnings_with_the_name_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let warnings = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let start = format!("{}, ", path.display());
        let warnings = System::load(&path).unwrap().warnings;
        warnings.iter().map(|text| text.strip_prefix(&start).unwrap().to_owned()).collect::<Vec<String>>()
    };
    let fll = "InputVariable: a\n  range: 0 1\n  term: on Ramp 0 1\nOutputVariable: y\n  range: 0 1\n  \
               defuzzifier: WeightedAverage\n  term: high Constant 1\nRuleBlock: r\n  rule: if a is on then y is high\n";
    assert!(warnings("plain.fll", fll).is_empty());
    let sets = fll.replace("  term: on Ramp 0 1\n", "  term: on Ramp 0 1\n  term: on Gaussian 1 -1.5\n");
    assert_eq!(
        warnings("sets.fll", &sets),
        [
            "input `a` has two sets named `on`, of which rules use the last; rename one of them",
            "set `on` of input `a` has the standard deviation -1.5, whose sign has no effect; use a positive number"
        ]
    );
    let inputs = fll.replacen(
        "OutputVariable",
        "InputVariable: a\n  range: 0 1\n  term: on Ramp 0 1\nOutputVariable",
        1,
    );
    assert_eq!(warnings("inputs.fll", &inputs), ["two inputs are named `a`; rename one of them"]);
    let weight = fll.replace("is high\n", "is high with 2\n");
    assert_eq!(
        warnings("weight.fll", &weight),
        ["rule 1 of rule block `r` has the weight 2; use a weight from 0 to 1"]
    );
}
