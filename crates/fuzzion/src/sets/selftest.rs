//! The room's part of `fuzzion selftest`: every shape on every vector level, or every kernel on a GPU.

use super::samples::{EXTREMES, extreme_sets, sample_sets};
use super::{Hedge, SNorm, Set, Shape, TNorm, cuda, device, textbook};
use crate::data::Precision;
use crate::device::{Check, Cpu, Cuda, Device, Processor, Simd};
use crate::error::Result;
use crate::random::Random;

/// In units of 1, which no membership exceeds: eight roundings in single precision, and in double precision what the
/// textbook's own √(1 − t²) and 1 + cos lose near their ends.
const BOUND_F32: f64 = 1e-6;
const BOUND_F64: f64 = 1e-12;

/// Odd lengths, one x, none; the last is longer than a chunk.
const LENGTHS: [usize; 5] = [0, 1, 15, 333, 40_001];

pub(crate) fn checks(device: &Device) -> Result<Vec<Check>> {
    match device.processor(false) {
        Processor::Cpu(cpu) => on_cpu(cpu),
        Processor::Cuda(cuda) => on_cuda(cuda),
    }
}

/// A set, what its checks are called, and what x is multiplied by.
struct Case {
    set: Set,
    name: String,
    unit: f32,
}

/// Every shape, and some whose widths only double precision can compute with.
fn cases() -> Result<Vec<Case>> {
    let case = |set: Set, size: &str, unit: f64| {
        let name = format!("sets/{}{size}", set.shape().name());
        Case { set, name, unit: unit as f32 }
    };
    let mut cases: Vec<Case> = sample_sets()?.into_iter().map(|set| case(set, "", 1.0)).collect();
    for (size, unit) in EXTREMES {
        cases.extend(extreme_sets(unit)?.into_iter().map(|set| case(set, &format!("/{size}"), unit)));
    }
    Ok(cases)
}

/// Random x around the sample sets, with their break points and the ends of the number line among them.
fn inputs(n: usize, random: &mut Random) -> Vec<f32> {
    let special = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1.0, 0.5, 2.0, 0.25, 1.5, 0.0];
    let mut pick = |i: usize| match special.get(i % 37) {
        Some(x) => *x,
        None => random.between(-4.0, 4.0) as f32,
    };
    (0..n).map(&mut pick).collect()
}

/// What the textbook says; a Function is its own formula, written out.
fn expected(set: &Set, x: f64) -> f64 {
    match set.shape() {
        Shape::Constant { value } => *value,
        Shape::Linear { coefficients, constant } => {
            coefficients.iter().map(|c| c * x).sum::<f64>() + constant
        }
        Shape::Function { .. } if x.is_nan() => f64::NAN,
        Shape::Function { .. } => 0.5 * x.sin() + x.max(0.25).powi(2),
        shape => set.height() * textbook::membership(shape, x),
    }
}

fn on_cpu(cpu: &Cpu) -> Result<Vec<Check>> {
    let mut checks = Vec::new();
    for case in cases()? {
        let set = &case.set;
        for simd in Simd::all().into_iter().filter(|simd| simd.level() <= cpu.simd().level()) {
            let cpu = cpu.clone().with_simd(simd);
            let name = format!("{}/{}", case.name, simd.level().name());
            checks.extend(compare(
                &case,
                &name,
                |x| Ok(set.on_cpu_f32(x, &cpu)),
                |x| Ok(set.on_cpu(x, &cpu)),
            )?);
        }
    }
    Ok(checks)
}

fn on_cuda(cuda: &Cuda) -> Result<Vec<Check>> {
    let mut checks = Vec::new();
    for case in cases()? {
        let narrow = |x: &[f32]| cuda::memberships(cuda, &case.set, x);
        let wide = |x: &[f64]| cuda::memberships(cuda, &case.set, x);
        checks.extend(compare(&case, &case.name, narrow, wide)?);
    }
    for norm in TNorm::ALL {
        let program = |precision| device::tnorms(norm, precision);
        let name = format!("sets/tnorm/{}", norm.name());
        checks.extend(compare_pairs(cuda, name, program, |a, b| norm.apply(a, b))?);
    }
    for norm in SNorm::ALL {
        let program = |precision| device::snorms(norm, precision);
        let name = format!("sets/snorm/{}", norm.name());
        checks.extend(compare_pairs(cuda, name, program, |a, b| norm.apply(a, b))?);
    }
    for hedge in Hedge::ALL {
        checks.push(compare_hedge(cuda, hedge)?);
    }
    Ok(checks)
}

/// A shape in both precisions against the textbook.
fn compare(
    case: &Case,
    name: &str,
    narrow: impl Fn(&[f32]) -> Result<Vec<f32>>,
    wide: impl Fn(&[f64]) -> Result<Vec<f64>>,
) -> Result<[Check; 2]> {
    let mut checks =
        [Check::new(format!("{name}/f32"), BOUND_F32), Check::new(format!("{name}/f64"), BOUND_F64)];
    let mut random = Random::new(1);
    for n in LENGTHS {
        let x: Vec<f32> = inputs(n, &mut random).into_iter().map(|x| x * case.unit).collect();
        let wide_x: Vec<f64> = x.iter().map(|x| f64::from(*x)).collect();
        let oracle: Vec<f64> = wide_x.iter().map(|x| expected(&case.set, *x)).collect();
        let (found, found_wide) = (narrow(&x)?, wide(&wide_x)?);
        checks[0].numbers(found.into_iter().map(f64::from), oracle.iter().copied());
        checks[1].numbers(found_wide.into_iter(), oracle.iter().copied());
    }
    Ok(checks)
}

/// Memberships in sixteenths, whose sums are exact in both precisions, so that thresholds are met exactly.
fn sixteenths(n: usize, random: &mut Random) -> Vec<f64> {
    (0..n).map(|_| (random.bits() % 17) as f64 / 16.0).collect()
}

fn compare_pairs(
    cuda: &Cuda,
    name: String,
    program: impl Fn(Precision) -> crate::device::cuda::Program,
    oracle: impl Fn(f64, f64) -> f64,
) -> Result<[Check; 2]> {
    let mut checks =
        [Check::new(format!("{name}/f32"), BOUND_F32), Check::new(format!("{name}/f64"), BOUND_F64)];
    let mut random = Random::new(2);
    for n in LENGTHS {
        let (a, b) = (sixteenths(n, &mut random), sixteenths(n, &mut random));
        let expected: Vec<f64> = a.iter().zip(&b).map(|(a, b)| oracle(*a, *b)).collect();
        let narrow = |x: &[f64]| x.iter().map(|x| *x as f32).collect::<Vec<f32>>();
        let single = cuda::elementwise(cuda, &program, "norms", &[&narrow(&a), &narrow(&b)])?;
        let double = cuda::elementwise(cuda, &program, "norms", &[&a[..], &b])?;
        checks[0].numbers(single.into_iter().map(f64::from), expected.iter().copied());
        checks[1].numbers(double.into_iter(), expected.iter().copied());
    }
    Ok(checks)
}

fn compare_hedge(cuda: &Cuda, hedge: Hedge) -> Result<Check> {
    let mut check = Check::new(format!("sets/hedge/{}/f64", hedge.name()), BOUND_F64);
    let mut random = Random::new(3);
    for n in LENGTHS {
        let m = sixteenths(n, &mut random);
        let expected: Vec<f64> = m.iter().map(|m| hedge.apply(*m)).collect();
        let found =
            cuda::elementwise(cuda, |precision| device::hedges(hedge, precision), "hedges", &[&m[..]])?;
        check.numbers(found.into_iter(), expected.into_iter());
    }
    Ok(check)
}
