//! Exported CUDA, run in the emulator and compiled with NVRTC.

use super::super::plan::{near, rows};
use super::{consequents, formulas, grids, shapes, with_state};
use crate::data::Scalar;
use crate::device::cuda::emulator::{Arg, Order, emulator_or_skip};
use crate::device::cuda::nvrtc::testing;
use crate::device::cuda::{Grid, Program};
use crate::inference::tests::tipper;
use crate::inference::{Dialect, Language, System};

fn program<T: Scalar>(system: &System, dialect: Dialect) -> Program {
    let system = System { name: "s".into(), ..system.clone() };
    Program::new("export", system.export(Language::Cuda, dialect, T::PRECISION).unwrap())
}

/// Runs independent rows; `tolerance` is relative to the output or its range.
fn emulated<T: Scalar>(system: &System, dialect: Dialect, tolerance: f64) {
    let Some(emulator) = emulator_or_skip(&program::<T>(system, dialect)) else { return };
    let rows = rows(system);
    let x: Vec<T> = rows.concat().iter().map(|x| T::from_f64(*x)).collect();
    let mut out = vec![T::MISSING; rows.len() * system.outputs.len()];
    let mut args = [Arg::slice(&x), Arg::slice_mut(&mut out), Arg::value(rows.len() as i64)];
    emulator.launch("s_rows", Grid::new(2, 32), Order::Forward, &mut args).unwrap();
    for (row, out) in rows.iter().zip(out.chunks(system.outputs.len())) {
        let x: Vec<f64> = row.iter().map(|x| T::from_f64(*x).to_f64()).collect();
        let reference = system.infer_row(&x, dialect).unwrap().outputs;
        for ((got, want), output) in out.iter().zip(reference).zip(&system.outputs) {
            let (got, variable) = (got.to_f64(), &output.variable);
            let scale = want.abs().max(variable.minimum.abs()).max(variable.maximum.abs());
            assert!(near(got, want, tolerance * scale), "{row:?}: {} is {got}, not {want}", variable.name);
        }
    }
}

#[test]
fn emulated_exports_match_the_engine() {
    for dialect in Dialect::ALL {
        emulated::<f64>(&tipper(), dialect, 1e-12);
        emulated::<f32>(&tipper(), dialect, 1e-5); // a hundred rounding errors in single precision
    }
    // Every fourth system covers each kind of activation and defuzzifier and limits the compile time.
    for (system, dialect) in grids().iter().step_by(4).chain(&consequents()) {
        emulated::<f64>(system, *dialect, 1e-12);
    }
    emulated::<f64>(&shapes(), Dialect::Fuzzylite8, 1e-12);
    emulated::<f64>(&formulas(-3.0, 3.0), Dialect::Fuzzylite8, 1e-12);
}

#[test]
fn emulated_systems_with_state_run_in_parallel() {
    for (system, dialect) in with_state() {
        let Some(emulator) = emulator_or_skip(&program::<f64>(&system, dialect)) else { return };
        let (n, outputs) = (3, system.outputs.len());
        let rows = rows(&system);
        let mut states = vec![0.0; n * outputs];
        let mut args = [Arg::slice_mut(&mut states), Arg::value(n as i64)];
        emulator.launch("s_start_rows", Grid::new(1, 32), Order::Reverse, &mut args).unwrap();
        let mut previous = vec![vec![f64::NAN; outputs]; n];
        for step in rows.chunks_exact(n) {
            let mut out = vec![0.0; n * outputs];
            let x = step.concat();
            let mut args =
                [Arg::slice_mut(&mut states), Arg::slice(&x), Arg::slice_mut(&mut out), Arg::value(n as i64)];
            emulator.launch("s_rows", Grid::new(1, 32), Order::Forward, &mut args).unwrap();
            for (i, previous) in previous.iter_mut().enumerate() {
                let reference = system.infer_row_after(&step[i], previous, dialect).unwrap().outputs;
                for (got, want) in out[i * outputs..].iter().zip(&reference) {
                    assert!(
                        near(*got, *want, 1e-12 * want.abs().max(1.0)),
                        "{:?}: {got}, not {want}",
                        step[i]
                    );
                }
                *previous = reference;
            }
        }
    }
}

#[test]
fn exports_compile_with_nvrtc() {
    let Some(nvrtc) = testing::nvrtc_or_skip() else { return };
    let mut systems = vec![(tipper(), Dialect::Matlab), (shapes(), Dialect::Fuzzylite8)];
    systems.push((formulas(-3.0, 3.0), Dialect::Fuzzylite8));
    systems.extend(grids().into_iter().step_by(7));
    systems.extend(with_state());
    for (system, dialect) in &systems {
        for program in [program::<f32>(system, *dialect), program::<f64>(system, *dialect)] {
            nvrtc.compile(&program, testing::ARCHITECTURES[0]).unwrap();
        }
    }
}
