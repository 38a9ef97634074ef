//! Compiled systems against the reference implementation.

mod exact_centroids;
mod linear_consequents;
mod reference;
mod tables;

use super::super::{Dialect, InferOptions, Output, RuleBlock, System, Variable};
use crate::data::{Precision, Table};
use crate::device::{Cpu, Device, Simd};
use crate::sets::Set;

/// Whether two numbers are equal up to rounding.
pub(super) fn near(a: f64, b: f64, tolerance: f64) -> bool {
    (a.is_nan() && b.is_nan()) || a == b || (a - b).abs() <= tolerance
}

/// Random rows within and beyond the input ranges, with missing and infinite values.
pub(super) fn rows(system: &System) -> Vec<Vec<f64>> {
    let mut rows = Vec::new();
    let mut state = 1u64;
    for i in 0..150 {
        let row = system.inputs.iter().map(|input| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let unit = (state >> 11) as f64 / (1u64 << 53) as f64;
            let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, input.minimum, input.maximum];
            match (state >> 5) as usize % 40 {
                n if n < odd.len() && i > 70 => odd[n],
                _ => input.minimum + (unit * 1.2 - 0.1) * (input.maximum - input.minimum),
            }
        });
        rows.push(row.collect());
    }
    rows
}

pub(super) fn table(rows: &[Vec<f64>]) -> Table {
    Table::unnamed(rows[0].len(), rows.concat()).unwrap()
}

/// Fails if the plan differs from the reference in any output, firing strength or `fired` flag.
fn matches_reference(system: &System, dialect: Dialect, cpu: &Cpu) -> Result<(), String> {
    let rows = rows(system);
    let plan = system.compile(dialect, Precision::F64).unwrap();
    let options = InferOptions { firing_strengths: true, set_activations: true, fired: true };
    let device = Device::from(cpu.clone());
    let inferred = plan.infer_with(&table(&rows), options, &device).unwrap();
    let outputs_only = plan.infer(&table(&rows), &device).unwrap();
    let mut previous = vec![f64::NAN; system.outputs.len()];
    let mut state = plan.state();
    for (r, row) in rows.iter().enumerate() {
        let reference = system.infer_row_after(row, &previous, dialect).unwrap();
        let single = plan.infer_row(row, &mut state).unwrap();
        for (i, want) in reference.outputs.iter().enumerate() {
            let scale = system.outputs[i].variable.maximum.abs().max(want.abs()).max(1.0);
            let got = [inferred.outputs.get(r, i).unwrap(), outputs_only.get(r, i).unwrap(), single[i]];
            if !got.iter().all(|got| near(*got, *want, 1e-9 * scale)) {
                return Err(format!("{} row {r} {row:?}: output {i} is {got:?}, not {want}", dialect.name()));
            }
            let fired = inferred.fired.as_ref().unwrap().get(r, i).unwrap();
            if (fired != 0.0) != reference.fired[i] {
                return Err(format!("{} row {r} {row:?}: fired {fired}", dialect.name()));
            }
        }
        for (i, rule) in reference.rules.iter().enumerate() {
            let got = inferred.firing_strengths.as_ref().unwrap().get(r, i).unwrap();
            if !near(got, rule.strength, 1e-12) {
                let want = rule.strength;
                return Err(format!("{} row {r} {row:?}: rule {i} fires {got}, not {want}", dialect.name()));
            }
        }
        previous.clone_from(&reference.outputs);
    }
    Ok(())
}

pub(super) fn matches_reference_everywhere(system: &System) {
    for dialect in Dialect::ALL {
        for simd in Simd::all() {
            let cpu = Cpu::with_threads(2).unwrap().with_simd(simd);
            matches_reference(system, dialect, &cpu).unwrap();
        }
    }
}

/// System with inputs `a` and `b` of three sets each, and an output `y` of overlapping triangles.
pub(super) fn grid(block: RuleBlock, output: Output) -> System {
    let input = |name: &str| {
        Variable::new(name, 0.0, 1.0)
            .set("low", Set::triangle(-0.5, 0.0, 0.5).unwrap())
            .set("mid", Set::triangle(0.0, 0.5, 1.0).unwrap())
            .set("high", Set::triangle(0.5, 1.0, 1.5).unwrap())
    };
    let output = output
        .set("few", Set::triangle(-0.5, 0.0, 0.5).unwrap())
        .set("some", Set::triangle(0.0, 0.5, 1.0).unwrap())
        .set("many", Set::triangle(0.5, 1.0, 1.5).unwrap());
    let system = System::new("grid").input(input("a")).input(input("b")).output(output).block(block);
    [
        "if a is low and b is low then y is few",
        "if a is low and b is not mid then y is some with 0.5",
        "if a is very mid or b is somewhat low then y is few",
        "if a is mid and b is mid then y is some",
        "if a is mid and (b is high or a is seldom low) then y is many with 0.75",
        "if a is high and b is extremely low then y is not some",
        "if a is any then y is many with 0.125",
        "if y is many and a is low then y is few with 0.25",
    ]
    .iter()
    .fold(system, |system, rule| system.rule(rule).unwrap())
}
