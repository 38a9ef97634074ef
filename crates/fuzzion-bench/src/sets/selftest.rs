//! Self-test of memberships, norms and hedges: every shape with every instruction set, or every kernel on a GPU.

use crate::concurrent::{self, Part};
use crate::device::Check;
use fuzzion::data::Precision;
use fuzzion::device::{Cpu, Cuda, Simd};
use fuzzion::internals::Random;
use fuzzion::internals::device::Processor;
use fuzzion::internals::sets::{EXTREMES, cuda, extreme_sets, sample_sets, textbook_membership};
use fuzzion::sets::{Hedge, SNorm, Set, Shape, TNorm};
use fuzzion::{Device, Result};

/// Absolute tolerances for memberships up to 1: eight rounding errors in single precision, and in double precision the
/// cancellation in the reference formulas √(1 − t²) and 1 + cos t near their zeros.
const TOLERANCE_F32: f64 = 1e-6;
const TOLERANCE_F64: f64 = 1e-12;

/// Zero, one, and lengths that are not multiples of the vector width; the last is longer than a chunk.
const LENGTHS: [usize; 5] = [0, 1, 15, 333, 40_001];

pub(crate) fn checks(device: &Device) -> Result<Vec<Check>> {
    match device.processor(false) {
        Processor::Cpu(cpu) => on_cpu(cpu),
        Processor::Cuda(cuda) => on_cuda(cuda),
    }
}

/// A set, the name of its checks, and the factor by which x is multiplied.
struct Case {
    set: Set,
    name: String,
    unit: f32,
}

/// Every shape, and sets outside the range of single precision.
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

/// Random x in the range of the sample sets, including breakpoints, infinities and NaN.
fn inputs(n: usize, random: &mut Random) -> Vec<f32> {
    let special = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1.0, 0.5, 2.0, 0.25, 1.5, 0.0];
    let mut sample = |i: usize| match special.get(i % 37) {
        Some(x) => *x,
        None => random.between(-4.0, 4.0) as f32,
    };
    (0..n).map(&mut sample).collect()
}

/// The reference membership; the formula of the sample Function set is hard-coded.
fn expected(set: &Set, x: f64) -> f64 {
    match set.shape() {
        Shape::Constant { value } => *value,
        Shape::Linear { coefficients, constant } => {
            coefficients.iter().map(|c| c * x).sum::<f64>() + constant
        }
        Shape::Function { .. } if x.is_nan() => f64::NAN,
        Shape::Function { .. } => 0.5 * x.sin() + x.max(0.25).powi(2),
        shape => set.height() * textbook_membership(shape, x),
    }
}

fn on_cpu(cpu: &Cpu) -> Result<Vec<Check>> {
    let mut checks = Vec::new();
    for case in cases()? {
        let set = &case.set;
        for simd in Simd::all().into_iter().filter(|simd| simd.level() <= cpu.simd().level()) {
            let cpu = cpu.clone().with_simd(simd);
            let name = format!("{}/{}", case.name, simd.level().name());
            checks.extend(compare(&case, &name, |x| Ok(set.on_cpu(x, &cpu)), |x| Ok(set.on_cpu(x, &cpu)))?);
        }
    }
    Ok(checks)
}

fn on_cuda(cuda: &Cuda) -> Result<Vec<Check>> {
    let mut parts: Vec<Part<'_>> = Vec::new();
    for case in cases()? {
        parts.push(Box::new(move || {
            let single = |x: &[f32]| Ok(cuda::memberships(cuda, &case.set, x)?);
            let double = |x: &[f64]| Ok(cuda::memberships(cuda, &case.set, x)?);
            Ok(compare(&case, &case.name, single, double)?.into())
        }));
    }
    for norm in TNorm::ALL {
        parts.push(Box::new(move || {
            let program = |precision| cuda::tnorms(norm, precision);
            let name = format!("sets/tnorm/{}", norm.name());
            Ok(compare_pairs(cuda, name, program, |a, b| norm.apply(a, b))?.into())
        }));
    }
    for norm in SNorm::ALL {
        parts.push(Box::new(move || {
            let program = |precision| cuda::snorms(norm, precision);
            let name = format!("sets/snorm/{}", norm.name());
            Ok(compare_pairs(cuda, name, program, |a, b| norm.apply(a, b))?.into())
        }));
    }
    for hedge in Hedge::ALL {
        parts.push(Box::new(move || Ok(vec![compare_hedge(cuda, hedge)?])));
    }
    concurrent::run(&parts)
}

/// Compares a set in both precisions with the reference.
fn compare(
    case: &Case,
    name: &str,
    single: impl Fn(&[f32]) -> Result<Vec<f32>>,
    double: impl Fn(&[f64]) -> Result<Vec<f64>>,
) -> Result<[Check; 2]> {
    let mut checks =
        [Check::new(format!("{name}/f32"), TOLERANCE_F32), Check::new(format!("{name}/f64"), TOLERANCE_F64)];
    let mut random = Random::new(1);
    for n in LENGTHS {
        let x: Vec<f32> = inputs(n, &mut random).into_iter().map(|x| x * case.unit).collect();
        let x_f64: Vec<f64> = x.iter().map(|x| f64::from(*x)).collect();
        let reference: Vec<f64> = x_f64.iter().map(|x| expected(&case.set, *x)).collect();
        checks[0].compare(single(&x)?.into_iter().map(f64::from), reference.iter().copied());
        checks[1].compare(double(&x_f64)?.into_iter(), reference.iter().copied());
    }
    Ok(checks)
}

/// Random multiples of 1/16, whose sums are exact in both precisions, so that thresholds are hit exactly.
fn sixteenths(n: usize, random: &mut Random) -> Vec<f64> {
    (0..n).map(|_| (random.bits() % 17) as f64 / 16.0).collect()
}

fn compare_pairs(
    cuda: &Cuda,
    name: String,
    program: impl Fn(Precision) -> fuzzion::internals::device::Program,
    apply: impl Fn(f64, f64) -> f64,
) -> Result<[Check; 2]> {
    let mut checks =
        [Check::new(format!("{name}/f32"), TOLERANCE_F32), Check::new(format!("{name}/f64"), TOLERANCE_F64)];
    let mut random = Random::new(2);
    for n in LENGTHS {
        let (a, b) = (sixteenths(n, &mut random), sixteenths(n, &mut random));
        let expected: Vec<f64> = a.iter().zip(&b).map(|(a, b)| apply(*a, *b)).collect();
        let rounded = |x: &[f64]| x.iter().map(|x| *x as f32).collect::<Vec<f32>>();
        let single = cuda::elementwise(cuda, &program, "norms", &[&rounded(&a), &rounded(&b)])?;
        let double = cuda::elementwise(cuda, &program, "norms", &[&a[..], &b])?;
        checks[0].compare(single.into_iter().map(f64::from), expected.iter().copied());
        checks[1].compare(double.into_iter(), expected.iter().copied());
    }
    Ok(checks)
}

fn compare_hedge(cuda: &Cuda, hedge: Hedge) -> Result<Check> {
    let mut check = Check::new(format!("sets/hedge/{}/f64", hedge.name()), TOLERANCE_F64);
    let mut random = Random::new(3);
    for n in LENGTHS {
        let m = sixteenths(n, &mut random);
        let expected: Vec<f64> = m.iter().map(|m| hedge.apply(*m)).collect();
        let found = cuda::elementwise(cuda, |precision| cuda::hedges(hedge, precision), "hedges", &[&m[..]])?;
        check.compare(found.into_iter(), expected.into_iter());
    }
    Ok(check)
}
