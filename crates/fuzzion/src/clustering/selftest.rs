//! The room's part of `fuzzion selftest`: every rule and metric on every vector level, against the textbook.

use super::cpu::Memory;
use super::cuda::Resident;
use super::prototypes::{Prototypes, Rule, Shapes};
use super::rows::{Rows, Samples, Until};
use super::space::Space;
use super::sums::{Statistics, Sums, Want};
use super::textbook;
use crate::data::{Precision, Table};
use crate::device::{Check, Cuda, Device, Processor, Simd};
use crate::error::Result;
use crate::random::Random;

/// Sums relative to the sum of their terms' sizes. Single precision: a distance has F + 2 roundings (F ≤ 33 here), its
/// power 1/(m−1) ≤ 10 multiplies them, and they mostly cancel over rows; double precision likewise.
const BOUND_F32: f64 = 5e-5;
const BOUND_F64: f64 = 1e-12;

/// Clusters, rows, columns: one of each, odd ones, more than a block and more than a chunk.
const SHAPES: [(usize, usize, usize); 8] =
    [(1, 1, 1), (2, 3, 2), (5, 127, 3), (3, 129, 4), (4, 300, 7), (9, 2500, 5), (6, 140, 33), (10, 520, 16)];

/// As [`SHAPES`], with rows enough for the tensor form, in both of its sizes.
const TENSOR_SHAPES: [(usize, usize, usize); 5] =
    [(4, 17_000, 8), (16, 16_999, 9), (64, 16_400, 32), (9, 20_000, 60), (130, 16_390, 40)];
/// How far centers may be from the textbook's after one step, relative to the spread of the data.
const CENTER_BOUND: f64 = 5e-6;

pub(crate) fn checks(device: &Device) -> Result<Vec<Check>> {
    let mut checks = Vec::new();
    let precisions = [Precision::F32, Precision::F64];
    match device.processor(false) {
        Processor::Cpu(cpu) => {
            for simd in Simd::all().into_iter().filter(|simd| simd.level() <= cpu.simd().level()) {
                let cpu = cpu.clone().with_simd(simd);
                let place = simd.level().name();
                for (precision, (name, kind)) in
                    precisions.into_iter().flat_map(|p| problems().map(|k| (p, k)))
                {
                    let sweep = |samples: Samples<'_>, p: &Prototypes, want| {
                        Memory::new(samples, &cpu).sweep(&[p], want)
                    };
                    checks.push(check(name, kind, precision, place, &SHAPES, sweep)?);
                }
            }
        }
        Processor::Cuda(cuda) => {
            let all = precisions.into_iter().flat_map(|p| problems().map(|k| (p, k))).enumerate();
            for (i, (precision, (name, kind))) in all {
                // Every shape is compiled for itself: two for each problem, all of them over the problems.
                let shapes = [SHAPES[i % SHAPES.len()], SHAPES[(i + 3) % SHAPES.len()]];
                let sweep = |samples: Samples<'_>, p: &Prototypes, want| {
                    Resident::new(samples, cuda)?.sweep(&[p], want)
                };
                checks.push(check(name, kind, precision, "cuda", &shapes, sweep)?);
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
                checks.push(tensor_check(name, problems()[kind].1, cuda)?);
            }
            checks.push(steps_check(cuda)?);
            checks.push(tensor_steps_check(cuda)?);
        }
    }
    Ok(checks)
}

/// What a problem is made with: a rule for so many clusters, its own metrics, missing values.
#[derive(Clone, Copy)]
pub(super) struct Problem {
    rule: fn(usize) -> Rule,
    shaped: bool,
    partial: bool,
}

pub(super) fn problems() -> [(&'static str, Problem); 14] {
    fn widths(clusters: usize) -> Vec<f64> {
        (0..clusters).map(|k| 0.2 + 0.1 * k as f64).collect()
    }
    let plain = |rule| Problem { rule, shaped: false, partial: false };
    [
        ("fcm/m2", plain(|_| Rule::Fuzzy { fuzzifier: 2.0 })),
        ("fcm/m3", plain(|_| Rule::Fuzzy { fuzzifier: 3.0 })),
        ("fcm/m1.5", plain(|_| Rule::Fuzzy { fuzzifier: 1.5 })),
        ("fcm/m1.25", plain(|_| Rule::Fuzzy { fuzzifier: 1.25 })),
        ("fcm/m1.7", plain(|_| Rule::Fuzzy { fuzzifier: 1.7 })),
        ("fcm/m1.1", plain(|_| Rule::Fuzzy { fuzzifier: 1.1 })),
        ("hard", plain(|_| Rule::Hard)),
        ("noise", plain(|_| Rule::Noise { fuzzifier: 1.8, distance: 0.3 })),
        ("possibilistic/m2", plain(|c| Rule::Possibilistic { fuzzifier: 2.0, widths: widths(c) })),
        ("possibilistic/m1.6", plain(|c| Rule::Possibilistic { fuzzifier: 1.6, widths: widths(c) })),
        (
            "possibilistic-fuzzy",
            plain(|c| Rule::Mixed {
                fuzzifier: 2.0,
                typicality_fuzzifier: 1.7,
                membership: 0.75,
                typicality: 2.0,
                widths: widths(c),
            }),
        ),
        (
            "gustafson-kessel",
            Problem { rule: |_| Rule::Fuzzy { fuzzifier: 2.0 }, shaped: true, partial: false },
        ),
        ("gath-geva", Problem { rule: |_| Rule::Gaussian { fuzzifier: 2.0 }, shaped: true, partial: false }),
        ("partial", Problem { rule: |_| Rule::Fuzzy { fuzzifier: 2.0 }, shaped: false, partial: true }),
    ]
}

type Made = (Prototypes, Vec<f64>, Option<Vec<f64>>, Want);

/// Prototypes, rows, weights and what is wanted of a problem with so many clusters, rows and columns.
pub(super) fn problem(kind: Problem, (c, n, f): (usize, usize, usize), precision: Precision) -> Made {
    let mut random = Random::new(11 + (c * 1000 + f) as u64);
    // Multiples of 1/64: single precision holds them, so both sides start from the same numbers.
    let grid = |random: &mut Random| (random.bits() % 128) as f64 / 64.0;
    let mut x: Vec<f64> = (0..n * f).map(|_| grid(&mut random)).collect();
    let centers: Vec<f64> = (0..c * f).map(|_| grid(&mut random) - 1.0).collect();
    let weights: Vec<f64> = (0..n).map(|i| ((i * 7) % 5) as f64 * 0.5).collect();
    if kind.partial {
        x.iter_mut().step_by(7).for_each(|x| *x = f64::NAN);
    } else if n > c {
        // A row on the first center.
        x[..f].iter_mut().zip(&centers).for_each(|(x, v)| *x = v + 1.0);
    }
    let mut space = Space::euclidean(&vec![1.0; f], 1.0, precision);
    space.partial = kind.partial;
    let mut prototypes = Prototypes::new(space, centers, (kind.rule)(c));
    prototypes.shapes = kind.shaped.then(|| shapes(c, f, &mut random));
    (prototypes, x, Some(weights).filter(|_| n > 3), Want { scatter: !kind.partial, statistics: true })
}

fn table(x: &[f64], columns: usize, precision: Precision) -> Result<Table> {
    match precision {
        Precision::F64 => Table::unnamed(columns, x.to_vec()),
        Precision::F32 => Table::unnamed(columns, x.iter().map(|x| *x as f32).collect::<Vec<f32>>()),
    }
}

fn check(
    name: &str,
    kind: Problem,
    precision: Precision,
    place: &str,
    shapes: &[(usize, usize, usize)],
    sweep: impl Fn(Samples<'_>, &Prototypes, Want) -> Result<Vec<Sums>>,
) -> Result<Check> {
    let bound = if precision == Precision::F32 { BOUND_F32 } else { BOUND_F64 };
    let mut check = Check::new(format!("clustering/{name}/{place}/{precision}"), bound);
    for &shape in shapes {
        let (prototypes, x, weights, want) = problem(kind, shape, precision);
        let table = table(&x, shape.2, precision)?;
        // The sums of a step, which have shorter ways, and all sums.
        for want in [Want::default(), want] {
            let expected = textbook::sums(&prototypes, &x, weights.as_deref(), want);
            let found = sweep(Samples::of(&table, weights.as_deref()), &prototypes, want)?;
            found.iter().for_each(|found| compare(&mut check, found, &expected));
        }
    }
    Ok(check)
}

/// Where the tensor form's sums lead, beside where the textbook's do.
fn tensor_check(name: &str, kind: Problem, cuda: &Cuda) -> Result<Check> {
    let mut check = Check::new(format!("clustering/{name}/cuda/tensor"), CENTER_BOUND);
    for (i, shape) in TENSOR_SHAPES.into_iter().enumerate() {
        let (prototypes, x, weights, _) = problem(kind, shape, Precision::F32);
        let weights = weights.filter(|_| i % 2 == 1);
        let table = table(&x, shape.2, Precision::F32)?;
        let want = Want::default();
        let expected = textbook::sums(&prototypes, &x, weights.as_deref(), want).centers(&prototypes.centers);
        let found =
            Resident::new(Samples::of(&table, weights.as_deref()), cuda)?.sweep(&[&prototypes], want)?;
        // Numbers spread evenly over 0 to 2 in every column.
        let spread = (shape.2 as f64 / 3.0).sqrt();
        for found in found {
            let found = found.centers(&prototypes.centers);
            found.iter().zip(&expected).for_each(|(a, b)| check.case((a - b).abs() / spread));
        }
    }
    Ok(check)
}

/// Steps made in one launch, beside single ones of the textbook.
fn steps_check(cuda: &Cuda) -> Result<Check> {
    let mut check = Check::new("clustering/steps/cuda".to_owned(), 1e-10);
    for shape in [(2, 3, 2), (9, 2500, 5)] {
        let (mut expected, x, weights, _) = problem(problems()[0].1, shape, Precision::F64);
        let table = table(&x, shape.2, Precision::F64)?;
        let mut rows = Resident::new(Samples::of(&table, weights.as_deref()), cuda)?;
        let found = rows.iterate(&expected, Until { most: 5, moves: -1.0 })?;
        for _ in 0..5 {
            let sums = textbook::sums(&expected, &x, weights.as_deref(), Want::default());
            expected.centers = sums.centers(&expected.centers);
        }
        let Some(found) = found else { continue };
        found.centers.iter().zip(&expected.centers).for_each(|(a, b)| check.case((a - b).abs()));
    }
    Ok(check)
}

/// The same on tensor cores, where all but rounding must be alike; bounds as for one step.
fn tensor_steps_check(cuda: &Cuda) -> Result<Check> {
    let mut check = Check::new("clustering/steps/cuda/tensor".to_owned(), 3.0 * CENTER_BOUND);
    for shape in [(4, 20_000, 8), (20, 17_003, 20)] {
        let (mut expected, x, weights, _) = problem(problems()[0].1, shape, Precision::F32);
        let table = table(&x, shape.2, Precision::F32)?;
        let mut rows = Resident::new(Samples::of(&table, weights.as_deref()), cuda)?;
        let found = rows.iterate(&expected, Until { most: 3, moves: -1.0 })?;
        for _ in 0..3 {
            let sums = textbook::sums(&expected, &x, weights.as_deref(), Want::default());
            expected.centers = sums.centers(&expected.centers);
        }
        let Some(found) = found else { continue };
        let spread = (shape.2 as f64 / 3.0).sqrt();
        check.case((found.objectives.len() != 3) as u8 as f64);
        found.centers.iter().zip(&expected.centers).for_each(|(a, b)| check.case((a - b).abs() / spread));
    }
    Ok(check)
}

/// Triangles with a strong diagonal.
fn shapes(c: usize, f: usize, random: &mut Random) -> Shapes {
    let sixteenth = |random: &mut Random| (random.bits() % 8) as f64 / (16.0 * f as f64);
    let mut maps = vec![0.0; c * f * f];
    for (at, entry) in maps.iter_mut().enumerate() {
        let (row, column) = (at / f % f, at % f);
        if column <= row {
            *entry = sixteenth(random) + if row == column { 0.75 } else { 0.0 };
        }
    }
    let offsets = (0..c).map(|k| 0.25 * k as f64).collect();
    Shapes { maps, offsets, covariances: vec![0.0; c * f * f] }
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
    pairs(&found.seen, &expected.seen, check);
    pairs(&found.scatter, &expected.scatter, check);
    if let (Some(a), Some(b)) = (&found.statistics, &expected.statistics) {
        pairs(&a.memberships, &b.memberships, check);
        pairs(&a.sizes, &b.sizes, check);
        // These may be much larger than the masses (far rows), or smaller.
        let numbers = |s: &Statistics| {
            [s.squares, s.entropy, s.distances].into_iter().chain(s.spreads.clone()).collect::<Vec<_>>()
        };
        for (a, b) in numbers(a).into_iter().zip(numbers(b)) {
            check.case((a - b).abs() / b.abs().max(total));
        }
    }
}
