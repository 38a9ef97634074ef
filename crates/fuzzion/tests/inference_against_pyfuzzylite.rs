//! The 61 systems that pyfuzzylite 8.0.6 carries, on their own grids, number by number; nothing of them is kept here.
#![allow(clippy::unwrap_used, clippy::print_stderr)] // tests; what was compared is said

mod peers;

use fuzzion::data::Precision;
use fuzzion::inference::{Dialect, Grid, Plan, Points, System};
use fuzzion::{Device, Table};
use std::fmt::Write as _;

/// For every system: its file, how many inputs and outputs it has, and rows of inputs and outputs in full precision.
const SYSTEMS: &str = r#"
import pathlib, sys
import numpy as np
import fuzzylite as fl

home = pathlib.Path(fl.__file__).parent / "examples"
for path in sorted(home.rglob("*.fll")):
    engine = fl.FllImporter().from_file(path)
    grid = np.loadtxt(path.with_suffix(".fld"), skiprows=1, ndmin=2)[:, : len(engine.input_variables)]
    engine.restart()
    for i, variable in enumerate(engine.input_variables):
        variable.value = grid[:, i]
    with np.errstate(all="ignore"):
        engine.process()
    outputs = [np.broadcast_to(v.value, (len(grid),)) for v in engine.output_variables]
    rows = np.column_stack([grid] + outputs)
    print("system", path, len(engine.input_variables), len(engine.output_variables))
    for row in rows.tolist():
        print(" ".join(map(repr, row)))
"#;

struct Peer {
    path: String,
    inputs: usize,
    rows: Vec<Vec<f64>>,
}

fn systems() -> Option<Vec<Peer>> {
    let python = peers::pyfuzzylite()?;
    let mut systems: Vec<Peer> = Vec::new();
    for line in peers::ask(&python, SYSTEMS, "").lines() {
        if let Some(head) = line.strip_prefix("system ") {
            let words: Vec<&str> = head.rsplitn(3, ' ').collect();
            let inputs = words[1].parse().unwrap();
            systems.push(Peer { path: words[2].to_owned(), inputs, rows: Vec::new() });
        } else {
            let row = line.split(' ').map(|value| value.parse().unwrap()).collect();
            systems.last_mut().unwrap().rows.push(row);
        }
    }
    Some(systems)
}

/// The outputs for every row, one after the other, so that locked values carry over.
fn run(system: &System, peer: &Peer) -> Vec<Vec<f64>> {
    let mut previous = vec![f64::NAN; system.outputs.len()];
    let row = |row: &Vec<f64>| {
        let inferred = system.infer_row_after(&row[..peer.inputs], &previous, Dialect::Fuzzylite8).unwrap();
        previous.clone_from(&inferred.outputs);
        inferred.outputs
    };
    peer.rows.iter().map(row).collect()
}

#[test]
fn all_systems_of_the_wheel_have_the_peers_outputs_and_survive_being_written_and_read() {
    let Some(systems) = systems() else { return };
    assert_eq!(systems.len(), 61);
    let (mut wrong, mut largest, mut rows) = (String::new(), 0.0f64, 0);
    for peer in &systems {
        let system = System::from_fll(&std::fs::read_to_string(&peer.path).unwrap()).unwrap();
        let ours = run(&system, peer);
        let again = System::from_fll(&system.to_fll().unwrap()).unwrap();
        assert_eq!(again, system, "{}: written and read", peer.path);
        let mut worst = 0.0f64;
        for (ours, theirs) in ours.iter().zip(&peer.rows) {
            for (got, want) in ours.iter().zip(&theirs[peer.inputs..]) {
                let same = got == want || got.is_nan() && want.is_nan();
                let difference = if same { 0.0 } else { (got - want).abs() };
                // NaN against a number is the largest difference there is.
                worst = if difference.is_nan() { f64::INFINITY } else { worst.max(difference) };
            }
        }
        rows += ours.len();
        largest = largest.max(worst);
        // Sums of a thousand roundings; outputs are below a thousand.
        if worst > 1e-9 {
            writeln!(wrong, "{}: off by {worst:e}", peer.path).unwrap();
        }
    }
    assert_eq!(rows, 60_746, "the rows of all grids");
    assert!(wrong.is_empty(), "the largest difference is {largest:e}\n{wrong}");
}

/// Rows of the grid of a system; all of them would take long and say no more.
fn some_rows(peer: &Peer) -> Peer {
    let rows = peer.rows.iter().step_by(peer.rows.len().div_ceil(40)).cloned().collect();
    Peer { path: peer.path.clone(), inputs: peer.inputs, rows }
}

#[test]
fn the_way_through_json_and_fis_changes_no_result() {
    let Some(systems) = systems() else { return };
    let (mut held, mut refused) = (0, String::new());
    for peer in &systems {
        let system = System::from_fll(&std::fs::read_to_string(&peer.path).unwrap()).unwrap();
        let through_json = System::from_json(&system.to_json().unwrap()).unwrap();
        assert_eq!(System::from_fll(&through_json.to_fll().unwrap()).unwrap(), system, "{}", peer.path);
        let fis = match system.to_fis() {
            Ok(fis) => fis,
            Err(error) => {
                writeln!(refused, "{}: {error}", peer.path).unwrap();
                continue;
            }
        };
        held += 1;
        let through_fis = System::from_fll(&System::from_fis(&fis).unwrap().to_fll().unwrap()).unwrap();
        let peer = some_rows(peer);
        for (got, want) in run(&through_fis, &peer).iter().flatten().zip(run(&system, &peer).iter().flatten())
        {
            // A product over inputs in the order of the file may be rounded otherwise.
            let same = (got - want).abs() <= 1e-12 * want.abs() || got.is_nan() && want.is_nan();
            assert!(same, "{}: {got} {want}", peer.path);
        }
    }
    eprintln!("{held} of {} systems went through .fis; it cannot hold\n{refused}", systems.len());
    assert!(held >= 10, "the comparison means nothing");
}

/// For every system: its file and the table of results of at most 100 rows, with six decimals.
const TABLES: &str = r#"
import pathlib
import numpy as np
import fuzzylite as fl

home = pathlib.Path(fl.__file__).parent / "examples"
fl.settings.decimals = 6
for path in sorted(home.rglob("*.fll")):
    engine = fl.FllImporter().from_file(path)
    with np.errstate(all="ignore"):
        table = fl.FldExporter().to_string_from_scope(engine, 100)
    print("system", path)
    print(table, end="")
"#;

#[test]
fn the_tables_of_results_are_the_peers() {
    let Some(python) = peers::pyfuzzylite() else { return };
    let answer = peers::ask(&python, TABLES, "");
    let mut tables = 0;
    for part in answer.split("system ").skip(1) {
        let (path, theirs) = part.split_once('\n').unwrap();
        let system = System::from_fll(&std::fs::read_to_string(path).unwrap()).unwrap();
        let mut ours = Vec::new();
        Grid::new(Points::All(100)).decimals(6).write(&system, Dialect::Fuzzylite8, &mut ours).unwrap();
        let ours = String::from_utf8(ours).unwrap();
        assert_eq!(ours.lines().next(), theirs.lines().next(), "{path}");
        assert_eq!(ours.lines().count(), theirs.lines().count(), "{path}");
        let numbers = |text: &str| -> Vec<String> {
            text.lines()
                .skip(1)
                .flat_map(|line| line.split(' ').map(str::to_owned).collect::<Vec<_>>())
                .collect()
        };
        for (ours, theirs) in numbers(&ours).iter().zip(numbers(theirs)) {
            let [got, want] = [ours, &theirs].map(|text| text.parse::<f64>().unwrap());
            // A difference of 1e-9 may round the sixth decimal the other way.
            assert!(*ours == theirs || (got - want).abs() < 1.1e-6, "{path}: {ours} {theirs}");
        }
        tables += 1;
    }
    assert_eq!(tables, 61);
}

/// The largest difference of a plan's outputs from the peer's, each divided by `scale(output, the peer's number)`.
fn compiled(plan: &Plan, peer: &Peer, device: &Device, scale: impl Fn(usize, f64) -> f64) -> f64 {
    let inputs: Vec<f64> = peer.rows.iter().flat_map(|row| row[..peer.inputs].iter().copied()).collect();
    let table = Table::unnamed(peer.inputs, inputs).unwrap();
    let outputs = plan.infer(&table, device).unwrap();
    let mut worst = 0.0f64;
    for (row, theirs) in peer.rows.iter().enumerate() {
        for (column, want) in theirs[peer.inputs..].iter().enumerate() {
            let got = outputs.get(row, column).unwrap();
            let same = got == *want || got.is_nan() && want.is_nan();
            let difference = if same { 0.0 } else { (got - want).abs() / scale(column, *want) };
            worst = if difference.is_nan() { f64::INFINITY } else { worst.max(difference) };
        }
    }
    worst
}

#[test]
fn compiled_all_systems_of_the_wheel_have_the_peers_outputs() {
    let Some(systems) = systems() else { return };
    let cpu = Device::cpu().unwrap();
    let mut wrong = String::new();
    let (mut largest, mut largest_single) = (0.0f64, 0.0f64);
    for peer in &systems {
        let system = System::from_fll(&std::fs::read_to_string(&peer.path).unwrap()).unwrap();
        let double = system.compile(Dialect::Fuzzylite8, Precision::F64).unwrap();
        let worst = compiled(&double, peer, &cpu, |_, _| 1.0);
        largest = largest.max(worst);
        if worst > 1e-9 {
            writeln!(wrong, "{}: off by {worst:e}", peer.path).unwrap();
        }
        // In single precision within 1e-4 of the range, or of the number where that is larger; where the place of a
        // maximum is looked for, it may jump by a sample.
        let single = system.compile(Dialect::Fuzzylite8, Precision::F32).unwrap();
        let range = |output: usize| {
            let variable = &system.outputs[output].variable;
            variable.maximum - variable.minimum
        };
        let scale = |output: usize, want: f64| {
            let defuzzifier = system.outputs[output].defuzzifier;
            let jumps = defuzzifier.name().contains("Maximum");
            let sample = range(output) / defuzzifier.samples().unwrap_or(1000) as f64;
            let allowed = if jumps { 1.01 * sample } else { 0.0 };
            allowed.max(1e-4 * want.abs().max(if range(output).is_finite() { range(output) } else { 0.0 }))
        };
        let worst = compiled(&single, peer, &cpu, scale);
        largest_single = largest_single.max(worst);
        if worst > 1.0 {
            writeln!(wrong, "{} in single precision: {worst} times what is allowed", peer.path).unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    eprintln!(
        "61 systems: at most {largest:e} off in double, {largest_single} of what is allowed in single precision"
    );
}
