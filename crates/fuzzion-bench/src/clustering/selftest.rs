//! Clustering checks of `fuzzion selftest`: every membership rule and metric at every SIMD level, compared with the
//! textbook implementation.

use crate::concurrent::{self, Part};
use crate::device::Check;
use fuzzion::clustering::{QualitySums, Sums};
use fuzzion::data::Precision;
use fuzzion::device::{Cpu, Cuda, Simd};
use fuzzion::internals::clustering::{
    CpuRows, IterationLimits, Problem, Prototypes, RequestedSums, Resident, RowBackend, problem, problems,
    textbook_sums,
};
use fuzzion::internals::device::Processor;
use fuzzion::{Device, Result, Samples, Table};

/// Bounds of the errors of sums, relative to the sum of the absolute terms. In single precision, a distance over F
/// columns (F ≤ 33 here) has F + 2 rounding errors, which the exponent 1/(m−1) ≤ 10 multiplies; most of them cancel in
/// the sum over the rows. Double precision is analogous.
const BOUND_F32: f64 = 5e-5;
const BOUND_F64: f64 = 1e-12;

/// Numbers of clusters, rows and columns: all 1, odd numbers, more rows than a block, and more rows than a chunk.
const SHAPES: [(usize, usize, usize); 8] =
    [(1, 1, 1), (2, 3, 2), (5, 127, 3), (3, 129, 4), (4, 300, 7), (9, 2500, 5), (6, 140, 33), (10, 520, 16)];

/// Like [`SHAPES`], small and large problems with enough rows for the tensor-core kernels.
const TENSOR_SHAPES: [(usize, usize, usize); 5] =
    [(4, 17_000, 8), (16, 16_999, 9), (64, 16_400, 32), (9, 20_000, 60), (130, 16_390, 40)];

/// Bound of the distance between a center and that of the textbook implementation after one step, relative to the
/// spread of the data.
const CENTER_BOUND: f64 = 5e-6;

pub(crate) fn checks(device: &Device) -> Result<Vec<Check>> {
    let mut checks = Vec::new();
    let precisions = [Precision::F32, Precision::F64];
    match device.processor(false) {
        Processor::Cpu(cpu) => {
            for simd in Simd::all().into_iter().filter(|simd| simd.level() <= cpu.simd().level()) {
                let cpu = cpu.clone().with_simd(simd);
                let level = simd.level().name();
                for (precision, (name, kind)) in
                    precisions.into_iter().flat_map(|p| problems().map(|k| (p, k)))
                {
                    let sweep = |samples: &Samples<'_>, p: &Prototypes, requested| {
                        Ok(CpuRows::new(samples, &cpu).sweep(&[p], requested)?)
                    };
                    checks.push(check(name, kind, precision, level, &SHAPES, sweep)?);
                }
            }
        }
        Processor::Cuda(cuda) => {
            let mut parts: Vec<Part<'_>> = Vec::new();
            let all = precisions.into_iter().flat_map(|p| problems().map(|k| (p, k))).enumerate();
            for (i, (precision, (name, kind))) in all {
                // Each shape is compiled separately, so every problem tests two shapes, and all problems together
                // test every shape.
                let shapes = [SHAPES[i % SHAPES.len()], SHAPES[(i + 3) % SHAPES.len()]];
                let sweep = |samples: &Samples<'_>, p: &Prototypes, requested| {
                    Ok(Resident::new(samples.clone(), cuda, device.host_cpu())?.sweep(&[p], requested)?)
                };
                parts.push(Box::new(move || Ok(vec![check(name, kind, precision, "cuda", &shapes, sweep)?])));
            }
            let tensor = [
                ("fcm/m2", 0),
                ("fcm/m3", 1),
                ("fcm/m1.5", 2),
                ("fcm/m1.25", 3),
                ("fcm/m1.7", 4),
                ("noise", 7),
            ];
            for (name, kind) in tensor {
                let kind = problems()[kind].1;
                parts.push(Box::new(move || Ok(vec![tensor_check(name, kind, (cuda, device.host_cpu()))?])));
            }
            parts.push(Box::new(|| Ok(vec![iterations_check((cuda, device.host_cpu()))?])));
            parts.push(Box::new(|| Ok(vec![tensor_iterations_check((cuda, device.host_cpu()))?])));
            checks.extend(concurrent::run(&parts)?);
        }
    }
    Ok(checks)
}

fn table(x: &[f64], columns: usize, precision: Precision) -> Result<Table> {
    match precision {
        Precision::F64 => Ok(Table::unnamed(columns, x.to_vec())?),
        Precision::F32 => Ok(Table::unnamed(columns, x.iter().map(|x| *x as f32).collect::<Vec<f32>>())?),
    }
}

fn samples<'a>(table: &'a Table, weights: Option<&'a [f64]>) -> Result<Samples<'a>> {
    Ok(match weights {
        Some(weights) => table.samples().with_weights(weights)?,
        None => table.samples(),
    })
}

fn check(
    name: &str,
    kind: Problem,
    precision: Precision,
    level: &str,
    shapes: &[(usize, usize, usize)],
    sweep: impl Fn(&Samples<'_>, &Prototypes, RequestedSums) -> Result<Vec<Sums>>,
) -> Result<Check> {
    let bound = if precision == Precision::F32 { BOUND_F32 } else { BOUND_F64 };
    let mut check = Check::new(format!("clustering/{name}/{level}/{precision}"), bound);
    for &shape in shapes {
        let (prototypes, x, weights, requested) = problem(kind, shape, precision);
        let table = table(&x, shape.2, precision)?;
        // Without and with the optional sums, which use different code paths.
        for requested in [RequestedSums::default(), requested] {
            let expected = textbook_sums(&prototypes, &x, weights.as_deref(), requested);
            let found = sweep(&samples(&table, weights.as_deref())?, &prototypes, requested)?;
            found.iter().for_each(|found| compare(&mut check, found, &expected));
        }
    }
    Ok(check)
}

/// Compares the centers after one step on tensor cores with those of the textbook implementation.
fn tensor_check(name: &str, kind: Problem, (cuda, cpu): (&Cuda, &Cpu)) -> Result<Check> {
    let mut check = Check::new(format!("clustering/{name}/cuda/tensor"), CENTER_BOUND);
    for (i, shape) in TENSOR_SHAPES.into_iter().enumerate() {
        let (prototypes, x, weights, _) = problem(kind, shape, Precision::F32);
        let weights = weights.filter(|_| i % 2 == 1);
        let table = table(&x, shape.2, Precision::F32)?;
        let requested = RequestedSums::default();
        let expected =
            textbook_sums(&prototypes, &x, weights.as_deref(), requested).centers(&prototypes.centers);
        let found = Resident::new(samples(&table, weights.as_deref())?, cuda, cpu)?
            .sweep(&[&prototypes], requested)?;
        // Values are uniform from 0 to 2 in every column.
        let spread = (shape.2 as f64 / 3.0).sqrt();
        for found in found {
            let found = found.centers(&prototypes.centers);
            found.iter().zip(&expected).for_each(|(a, b)| check.case((a - b).abs() / spread));
        }
    }
    Ok(check)
}

/// Compares steps performed in one launch with those of the textbook implementation.
fn iterations_check((cuda, cpu): (&Cuda, &Cpu)) -> Result<Check> {
    let mut check = Check::new("clustering/steps/cuda".to_owned(), 1e-10);
    for shape in [(2, 3, 2), (9, 2500, 5)] {
        let (mut expected, x, weights, _) = problem(problems()[0].1, shape, Precision::F64);
        let table = table(&x, shape.2, Precision::F64)?;
        let mut rows = Resident::new(samples(&table, weights.as_deref())?, cuda, cpu)?;
        let found = rows.iterate(&expected, IterationLimits { max_iterations: 5, tolerance: -1.0 })?;
        for _ in 0..5 {
            let sums = textbook_sums(&expected, &x, weights.as_deref(), RequestedSums::default());
            expected.centers = sums.centers(&expected.centers);
        }
        let Some(found) = found else {
            check.case(f64::INFINITY); // a failure: these rows fit in one launch
            continue;
        };
        found.centers.iter().zip(&expected.centers).for_each(|(a, b)| check.case((a - b).abs()));
    }
    Ok(check)
}

/// Like [`iterations_check`], on tensor cores; the bound allows for the errors of three steps.
fn tensor_iterations_check((cuda, cpu): (&Cuda, &Cpu)) -> Result<Check> {
    let mut check = Check::new("clustering/steps/cuda/tensor".to_owned(), 3.0 * CENTER_BOUND);
    for shape in [(4, 20_000, 8), (20, 17_003, 20)] {
        let (mut expected, x, weights, _) = problem(problems()[0].1, shape, Precision::F32);
        let table = table(&x, shape.2, Precision::F32)?;
        let mut rows = Resident::new(samples(&table, weights.as_deref())?, cuda, cpu)?;
        let found = rows.iterate(&expected, IterationLimits { max_iterations: 3, tolerance: -1.0 })?;
        for _ in 0..3 {
            let sums = textbook_sums(&expected, &x, weights.as_deref(), RequestedSums::default());
            expected.centers = sums.centers(&expected.centers);
        }
        let Some(found) = found else {
            check.case(f64::INFINITY);
            continue;
        };
        let spread = (shape.2 as f64 / 3.0).sqrt();
        check.case((found.objectives.len() != 3) as u8 as f64);
        found.centers.iter().zip(&expected.centers).for_each(|(a, b)| check.case((a - b).abs() / spread));
    }
    Ok(check)
}

fn compare(check: &mut Check, found: &Sums, expected: &Sums) {
    check.case((found.weight - expected.weight).abs());
    check.case((found.objective - expected.objective).abs() / expected.objective.abs().max(1e-6));
    let total: f64 = expected.masses.iter().sum::<f64>().max(1e-6);
    let pairs = |a: &[f64], b: &[f64], check: &mut Check| {
        check.case(a.len().abs_diff(b.len()) as f64);
        a.iter().zip(b).for_each(|(a, b)| check.case((a - b).abs() / total));
    };
    pairs(&found.masses, &expected.masses, check);
    pairs(&found.moments, &expected.moments, check);
    pairs(&found.column_masses, &expected.column_masses, check);
    pairs(&found.scatter, &expected.scatter, check);
    if let (Some(a), Some(b)) = (&found.quality, &expected.quality) {
        pairs(&a.memberships, &b.memberships, check);
        pairs(&a.sizes, &b.sizes, check);
        // These may be much larger (outliers) or smaller than the masses.
        let sums = |s: &QualitySums| {
            [s.squares, s.entropy, s.distances].into_iter().chain(s.spreads.clone()).collect::<Vec<_>>()
        };
        for (a, b) in sums(a).into_iter().zip(sums(b)) {
            check.case((a - b).abs() / b.abs().max(total));
        }
    }
}
