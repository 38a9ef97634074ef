//! Comparison with pyfuzzylite 8.0.6 on its 61 example systems and their grids.

use fuzzion::data::Precision;
use fuzzion::inference::{Dialect, GridPoints, InputGrid, Plan, System};
use fuzzion::{Device, Table};
use std::fmt::Write as _;

/// Prints, for every system, its path, its numbers of inputs and outputs, and rows of inputs and outputs in full
/// precision.
const SYSTEMS: &str = r#"
import pathlib, sys
import numpy as np
import fuzzylite as fl

examples = pathlib.Path(fl.__file__).parent / "examples"
for path in sorted(examples.rglob("*.fll")):
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

/// A system of pyfuzzylite's examples, with its rows of inputs and expected outputs.
struct Example {
    path: String,
    inputs: usize,
    rows: Vec<Vec<f64>>,
}

fn systems() -> Option<Vec<Example>> {
    let python = crate::python_packages::pyfuzzylite()?;
    let mut systems: Vec<Example> = Vec::new();
    for line in crate::python_packages::run_script(&python, SYSTEMS, "").lines() {
        if let Some(head) = line.strip_prefix("system ") {
            let fields: Vec<&str> = head.rsplitn(3, ' ').collect();
            let inputs = fields[1].parse().unwrap();
            systems.push(Example { path: fields[2].to_owned(), inputs, rows: Vec::new() });
        } else {
            let row = line.split(' ').map(|value| value.parse().unwrap()).collect();
            systems.last_mut().unwrap().rows.push(row);
        }
    }
    Some(systems)
}

/// The outputs of every row, computed in order, so that locked values carry over.
fn run(system: &System, example: &Example) -> Vec<Vec<f64>> {
    let mut previous = vec![f64::NAN; system.outputs.len()];
    let row = |row: &Vec<f64>| {
        let inferred =
            system.infer_row_after(&row[..example.inputs], &previous, Dialect::Fuzzylite8).unwrap();
        previous.clone_from(&inferred.outputs);
        inferred.outputs
    };
    example.rows.iter().map(row).collect()
}

#[test]
fn all_example_systems_have_the_outputs_of_pyfuzzylite_and_round_trip_through_fll() {
    let Some(systems) = systems() else { return };
    assert_eq!(systems.len(), 61);
    let (mut wrong, mut largest, mut rows) = (String::new(), 0.0f64, 0);
    for example in &systems {
        let system = System::from_fll(&std::fs::read_to_string(&example.path).unwrap()).unwrap();
        let ours = run(&system, example);
        let again = System::from_fll(&system.to_fll().unwrap()).unwrap();
        assert_eq!(again, system, "{}: after writing and reading", example.path);
        let mut worst = 0.0f64;
        for (ours, theirs) in ours.iter().zip(&example.rows) {
            for (got, want) in ours.iter().zip(&theirs[example.inputs..]) {
                let same = got == want || got.is_nan() && want.is_nan();
                let difference = if same { 0.0 } else { (got - want).abs() };
                // A NaN instead of a number counts as an infinite difference.
                worst = if difference.is_nan() { f64::INFINITY } else { worst.max(difference) };
            }
        }
        rows += ours.len();
        largest = largest.max(worst);
        // Outputs are below 1000, and a sum has at most about 1000 rounding errors.
        if worst > 1e-9 {
            writeln!(wrong, "{}: off by {worst:e}", example.path).unwrap();
        }
    }
    assert_eq!(rows, 60_746, "number of rows of all grids");
    assert!(wrong.is_empty(), "the largest difference is {largest:e}\n{wrong}");
}

/// A subset of the rows of a grid, to save time.
fn some_rows(example: &Example) -> Example {
    let rows = example.rows.iter().step_by(example.rows.len().div_ceil(40)).cloned().collect();
    Example { path: example.path.clone(), inputs: example.inputs, rows }
}

#[test]
fn a_round_trip_through_json_and_fis_changes_no_result() {
    let Some(systems) = systems() else { return };
    let (mut compared, mut rejected) = (0, String::new());
    for example in &systems {
        let system = System::from_fll(&std::fs::read_to_string(&example.path).unwrap()).unwrap();
        let through_json = System::from_json(&system.to_json().unwrap()).unwrap();
        assert_eq!(System::from_fll(&through_json.to_fll().unwrap()).unwrap(), system, "{}", example.path);
        let fis = match system.to_fis() {
            Ok(fis) => fis,
            Err(error) => {
                writeln!(rejected, "{}: {error}", example.path).unwrap();
                continue;
            }
        };
        compared += 1;
        let through_fis = System::from_fll(&System::from_fis(&fis).unwrap().to_fll().unwrap()).unwrap();
        let example = some_rows(example);
        for (got, want) in
            run(&through_fis, &example).iter().flatten().zip(run(&system, &example).iter().flatten())
        {
            // A product over inputs in the order of the file may be rounded differently.
            let same = (got - want).abs() <= 1e-12 * want.abs() || got.is_nan() && want.is_nan();
            assert!(same, "{}: {got} {want}", example.path);
        }
    }
    eprintln!("{compared} of {} systems converted to .fis; not representable:\n{rejected}", systems.len());
    assert!(compared >= 10, "too few systems were compared");
}

/// Prints, for every system, its path and the table of results with at most 100 rows and six decimals.
const TABLES: &str = r#"
import pathlib
import numpy as np
import fuzzylite as fl

examples = pathlib.Path(fl.__file__).parent / "examples"
fl.settings.decimals = 6
for path in sorted(examples.rglob("*.fll")):
    engine = fl.FllImporter().from_file(path)
    with np.errstate(all="ignore"):
        table = fl.FldExporter().to_string_from_scope(engine, 100)
    print("system", path)
    print(table, end="")
"#;

#[test]
fn the_tables_of_results_agree_with_pyfuzzylite() {
    let Some(python) = crate::python_packages::pyfuzzylite() else { return };
    let output = crate::python_packages::run_script(&python, TABLES, "");
    let mut tables = 0;
    for part in output.split("system ").skip(1) {
        let (path, theirs) = part.split_once('\n').unwrap();
        let system = System::from_fll(&std::fs::read_to_string(path).unwrap()).unwrap();
        let mut ours = Vec::new();
        InputGrid::new(GridPoints::Total(100))
            .decimals(6)
            .write(&system, Dialect::Fuzzylite8, &fuzzion::Device::cpu().unwrap(), &mut ours)
            .unwrap();
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

/// The largest difference between the outputs of a plan and of pyfuzzylite, divided by `scale(output, expected)`.
fn largest_difference(
    plan: &Plan,
    example: &Example,
    device: &Device,
    scale: impl Fn(usize, f64) -> f64,
) -> f64 {
    let inputs: Vec<f64> =
        example.rows.iter().flat_map(|row| row[..example.inputs].iter().copied()).collect();
    let table = Table::unnamed(example.inputs, inputs).unwrap();
    let outputs = plan.infer(&table, device).unwrap();
    let mut worst = 0.0f64;
    for (row, theirs) in example.rows.iter().enumerate() {
        for (column, want) in theirs[example.inputs..].iter().enumerate() {
            let got = outputs.get(row, column).unwrap();
            let same = got == *want || got.is_nan() && want.is_nan();
            let difference = if same { 0.0 } else { (got - want).abs() / scale(column, *want) };
            worst = if difference.is_nan() { f64::INFINITY } else { worst.max(difference) };
        }
    }
    worst
}

#[test]
fn all_compiled_example_systems_have_the_outputs_of_pyfuzzylite() {
    let Some(systems) = systems() else { return };
    let cpu = Device::cpu().unwrap();
    let mut wrong = String::new();
    let (mut largest, mut largest_single) = (0.0f64, 0.0f64);
    for example in &systems {
        let system = System::from_fll(&std::fs::read_to_string(&example.path).unwrap()).unwrap();
        let double = system.compile(Dialect::Fuzzylite8, Precision::F64).unwrap();
        let worst = largest_difference(&double, example, &cpu, |_, _| 1.0);
        largest = largest.max(worst);
        if worst > 1e-9 {
            writeln!(wrong, "{}: off by {worst:e}", example.path).unwrap();
        }
        // In single precision the tolerance is 1e-4 of the range, or of the value if that is larger; the position of a
        // maximum may be off by one sample.
        let single = system.compile(Dialect::Fuzzylite8, Precision::F32).unwrap();
        let range = |output: usize| {
            let variable = &system.outputs[output].variable;
            variable.maximum - variable.minimum
        };
        let scale = |output: usize, want: f64| {
            let defuzzifier = system.outputs[output].defuzzifier;
            let uses_maximum = defuzzifier.name().contains("Maximum");
            let sample = range(output) / defuzzifier.samples().unwrap_or(1000) as f64;
            let tolerance = if uses_maximum { 1.01 * sample } else { 0.0 };
            tolerance.max(1e-4 * want.abs().max(if range(output).is_finite() { range(output) } else { 0.0 }))
        };
        let worst = largest_difference(&single, example, &cpu, scale);
        largest_single = largest_single.max(worst);
        if worst > 1.0 {
            writeln!(wrong, "{} in single precision: {worst} times the tolerance", example.path).unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    eprintln!(
        "61 systems: largest difference {largest:e} in double precision, {largest_single} of the tolerance in single precision"
    );
}
