//! The room's part of `fuzzion selftest`: every rule and metric on every vector level, against the textbook.

use super::cpu::Memory;
use super::prototypes::{Prototypes, Rule, Shapes};
use super::rows::Rows;
use super::space::Space;
use super::sums::{Sums, Want};
use super::textbook;
use crate::data::{Precision, Table};
use crate::device::{Check, Cpu, Device, Processor, Simd};
use crate::error::Result;
use crate::random::Random;

/// Sums relative to the sum of their terms' sizes. Single precision: a distance has F + 2 roundings (F ≤ 33 here), its
/// power 1/(m−1) ≤ 10 multiplies them, and they mostly cancel over rows; double precision likewise.
const BOUND_F32: f64 = 5e-5;
const BOUND_F64: f64 = 1e-12;

/// Clusters, rows, columns: one of each, odd ones, more than a block and more than a chunk.
const SHAPES: [(usize, usize, usize); 8] =
    [(1, 1, 1), (2, 3, 2), (5, 127, 3), (3, 129, 4), (4, 300, 7), (9, 2500, 5), (6, 140, 33), (10, 520, 16)];

pub(crate) fn checks(device: &Device) -> Result<Vec<Check>> {
    let Processor::Cpu(cpu) = device.processor(true) else {
        return Ok(Vec::new()); // the room has no kernels of its own there
    };
    let mut checks = Vec::new();
    for simd in Simd::all().into_iter().filter(|simd| simd.level() <= cpu.simd().level()) {
        let cpu = cpu.clone().with_simd(simd);
        for precision in [Precision::F32, Precision::F64] {
            for (name, problem) in problems() {
                checks.push(check(name, problem, precision, &cpu)?);
            }
        }
    }
    Ok(checks)
}

/// What a problem is made with: a rule for so many clusters, its own metrics, missing values.
#[derive(Clone, Copy)]
struct Problem {
    rule: fn(usize) -> Rule,
    shaped: bool,
    partial: bool,
}

fn problems() -> Vec<(&'static str, Problem)> {
    fn widths(clusters: usize) -> Vec<f64> {
        (0..clusters).map(|k| 0.2 + 0.1 * k as f64).collect()
    }
    let plain = |rule| Problem { rule, shaped: false, partial: false };
    vec![
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

fn check(name: &str, problem: Problem, precision: Precision, cpu: &Cpu) -> Result<Check> {
    let bound = if precision == Precision::F32 { BOUND_F32 } else { BOUND_F64 };
    let name = format!("clustering/{name}/{}/{precision}", cpu.simd().level().name());
    let mut check = Check::new(name, bound);
    let mut random = Random::new(11);
    for (c, n, f) in SHAPES {
        // Multiples of 1/64: single precision holds them, so both sides start from the same numbers.
        let grid = |random: &mut Random| (random.bits() % 128) as f64 / 64.0;
        let mut x: Vec<f64> = (0..n * f).map(|_| grid(&mut random)).collect();
        let centers: Vec<f64> = (0..c * f).map(|_| grid(&mut random) - 1.0).collect();
        let weights: Vec<f64> = (0..n).map(|i| ((i * 7) % 5) as f64 * 0.5).collect();
        if problem.partial {
            x.iter_mut().step_by(7).for_each(|x| *x = f64::NAN);
        } else if n > c {
            // A row on the first center.
            x[..f].iter_mut().zip(&centers).for_each(|(x, v)| *x = v + 1.0);
        }
        let mut space = Space::euclidean(&vec![1.0; f], 1.0, precision);
        space.partial = problem.partial;
        let mut prototypes = Prototypes::new(space, centers, (problem.rule)(c));
        prototypes.shapes = problem.shaped.then(|| shapes(c, f, &mut random));
        let weights = Some(&weights[..]).filter(|_| n > 3);
        let table = match precision {
            Precision::F64 => Table::unnamed(f, x.clone())?,
            Precision::F32 => Table::unnamed(f, x.iter().map(|x| *x as f32).collect::<Vec<f32>>())?,
        };
        let mut rows = Memory { values: table.values(), names: table.names(), weights, cpu };
        // The sums of a step, which have shorter ways, and all sums.
        for want in [Want::default(), Want { scatter: !problem.partial, statistics: true }] {
            let found = rows.sweep(&prototypes, want)?;
            compare(&mut check, &found, &textbook::sums(&prototypes, &x, weights, want));
        }
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
        pairs(&[a.squares, a.entropy], &[b.squares, b.entropy], check);
    }
}
