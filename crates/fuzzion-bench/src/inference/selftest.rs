//! Inference checks of `fuzzion selftest`: compiled plans against the reference implementation, at every SIMD level
//! or on a GPU.

use crate::concurrent::{self, Part};
use crate::device::Check;
use fuzzion::data::Precision;
use fuzzion::device::Simd;
use fuzzion::inference::{Dialect, System};
use fuzzion::internals::Random;
use fuzzion::internals::device::Processor;
use fuzzion::internals::inference::assorted;
use fuzzion::{Device, Result, Table};

/// Maximum errors; outputs are at most about 1. The bound for double precision allows a thousand rounding errors. In
/// single precision, firing strengths have the error of a membership, and at the edge of a set, a centroid is the
/// quotient of a small moment and a small area.
const BOUND_F64: f64 = 1e-12;
const BOUND_F32: f64 = 1e-4;

/// Numbers of rows that are not multiples of a vector width; the last exceeds a block.
const ROWS: [usize; 3] = [1, 15, 701];

pub(crate) fn checks(device: &Device) -> Result<Vec<Check>> {
    let systems = assorted()?;
    let mut checks = Vec::new();
    match device.processor(false) {
        Processor::Cpu(cpu) => {
            for (name, system) in &systems {
                for simd in Simd::all().into_iter().filter(|simd| simd.level() <= cpu.simd().level()) {
                    let device = Device::from(cpu.clone().with_simd(simd));
                    checks.extend(compare(&format!("{name}/{}", simd.level().name()), system, &device)?);
                }
            }
        }
        Processor::Cuda(_) => {
            let mut parts: Vec<Part<'_>> = Vec::new();
            for (name, system) in &systems {
                parts.push(Box::new(|| compare(name, system, device)));
            }
            checks.extend(concurrent::run(&parts)?);
        }
    }
    Ok(checks)
}

fn compare(name: &str, system: &System, device: &Device) -> Result<Vec<Check>> {
    let mut checks = Vec::new();
    for precision in [Precision::F32, Precision::F64] {
        let single = precision == Precision::F32;
        let mut check =
            Check::new(format!("inference/{name}/{precision}"), if single { BOUND_F32 } else { BOUND_F64 });
        let plan = system.compile(Dialect::Fuzzylite8, precision)?;
        for n in ROWS {
            let inputs = inputs(n);
            let found = plan.infer(&Table::new(["a", "b"], inputs.clone())?, device)?;
            for (row, x) in inputs.chunks_exact(2).enumerate() {
                let expected = system.infer_row(x, Dialect::Fuzzylite8)?.outputs[0];
                let value = found.get(row, 0).expect("invariant: inference returns one output per row");
                check.compare([value].into_iter(), [expected].into_iter());
            }
        }
        checks.push(check);
    }
    Ok(checks)
}

/// Rows of two inputs inside and slightly outside [0, 1], including NaN and infinities.
fn inputs(n: usize) -> Vec<f64> {
    let mut random = Random::new(n as u64);
    let special = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, 1.0];
    let mut pick = |i: usize| match special.get(i % 41) {
        Some(x) if i > 100 => *x,
        // Values that are exact in both precisions.
        _ => f64::from(random.between(-0.1, 1.1) as f32),
    };
    (0..2 * n).map(&mut pick).collect()
}
