//! Self-test: array operations must be bit-identical to the scalar operations.

use crate::concurrent::{self, Part};
use crate::device::Check;
use fuzzion::arithmetic::{Evaluation, Expr, LuArray, MrArray, sorted_order};
use fuzzion::device::Simd;
use fuzzion::internals::Random;
use fuzzion::internals::arithmetic::{CUTS, FORMULAS, LANES, ScalarReference, cuda, dispatch};
use fuzzion::internals::device::Processor;
use fuzzion::{Device, Result};

/// Less than one block, and many blocks with a remainder.
const LENGTHS: [usize; 2] = [5, 1003];
/// Number of iteration steps.
const STEPS: usize = 5;
/// More than two chunks of a sum.
const SUM_LENGTH: usize = 2 * cuda::CHUNK * LANES + 77;

pub(crate) fn checks(device: &Device) -> Result<Vec<Check>> {
    let mut checks = Vec::new();
    match device.processor(false) {
        Processor::Cuda(_) => checks.extend(concurrent::run(&encodings(device, ""))?),
        Processor::Cpu(cpu) => {
            for simd in Simd::all().into_iter().filter(|simd| simd.level() <= cpu.simd().level()) {
                let device = Device::from(cpu.clone().with_simd(simd));
                for part in encodings(&device, &format!("/{}", simd.level().name())) {
                    checks.extend(part()?);
                }
            }
        }
    }
    checks.push(sorting(device)?);
    Ok(checks)
}

/// The checks of each encoding.
fn encodings<'a>(device: &'a Device, suffix: &'a str) -> [Part<'a>; 5] {
    [
        Box::new(|| check_encoding::<LuArray<f32>>(device, suffix)),
        Box::new(|| check_encoding::<LuArray<f64>>(device, suffix)),
        Box::new(|| check_encoding::<MrArray<f32>>(device, suffix)),
        Box::new(|| check_encoding::<MrArray<f64>>(device, suffix)),
        Box::new(|| check_encoding::<MrArray<f64, f32>>(device, suffix)),
    ]
}

fn check_encoding<A: ScalarReference>(device: &Device, suffix: &str) -> Result<Vec<Check>> {
    let named = |what: &str| Check::new(format!("arithmetic/{}/{what}{suffix}", A::NAME), 0.0);
    let mut formulas = named("formulas");
    for len in LENGTHS {
        let (x, y, z) = (A::random_numbers(len, 1)?, A::random_numbers(len, 2)?, A::random_numbers(1, 3)?);
        let columns = [A::array(&x), A::array(&y), A::array(&z)];
        for text in FORMULAS {
            let expr = Expr::new(text)?;
            let named = [("x", &columns[0]), ("y", &columns[1]), ("z", &columns[2])];
            let found = expr.apply(&named, CUTS, Evaluation::Direct, device)?.numbers()?;
            for (i, found) in found.iter().enumerate() {
                let expected = A::evaluate(&expr, &[("x", x[i]), ("y", y[i]), ("z", z[0])])?;
                formulas.case(if *found == expected { 0.0 } else { 1.0 });
            }
        }
    }
    Ok(vec![formulas, iterations::<A>(device, named("series"))?, sums::<A>(device, named("sums"))?])
}

fn iterations<A: ScalarReference>(device: &Device, mut check: Check) -> Result<Check> {
    for len in LENGTHS {
        let (a, b, c) = (A::random_numbers(len, 5)?, A::random_numbers(len, 6)?, A::random_numbers(len, 7)?);
        for operands in [len, 1] {
            let (a, b) = (&a[..operands], &b[..operands]);
            let mut found = A::array(&c);
            dispatch::axpy(&mut found, &A::array(a), &A::array(b), STEPS, device)?;
            for (i, found) in found.numbers()?.iter().enumerate() {
                let expected = A::scalar_axpy(c[i], a[i % operands], b[i % operands], STEPS);
                check.case(if *found == expected { 0.0 } else { 1.0 });
            }
        }
    }
    Ok(check)
}

fn sums<A: ScalarReference>(device: &Device, mut check: Check) -> Result<Check> {
    let (x, y) = (A::random_numbers(SUM_LENGTH, 8)?, A::random_numbers(SUM_LENGTH, 9)?);
    let (first, second) = (A::array(&x), A::array(&y));
    let sum = dispatch::sum(&first, None, device)?.numbers()?;
    check.case(if sum == [A::reference_sum(&x, None)] { 0.0 } else { 1.0 });
    let dot = dispatch::sum(&first, Some(&second), device)?.numbers()?;
    check.case(if dot == [A::reference_sum(&x, Some(&y))] { 0.0 } else { 1.0 });
    Ok(check)
}

/// Sort orders of integer and floating-point keys against a stable comparison sort.
fn sorting(device: &Device) -> Result<Check> {
    let mut check = Check::new("arithmetic/sort", 0.0);
    let mut random = Random::new(10);
    for len in LENGTHS.into_iter().chain([100_003]) {
        let keys: Vec<u64> = (0..len).map(|_| (random.bits() % 5000) << (random.bits() % 50)).collect();
        let small: Vec<u32> = keys.iter().map(|key| *key as u32).collect();
        let floats: Vec<f64> = keys.iter().map(|key| f64::from(*key as u32) - 1e9).collect();
        let mut expected: Vec<u32> = (0..len as u32).collect();
        expected.sort_by_key(|at| keys[*at as usize]);
        check.case(if sorted_order(&keys, device)? == expected { 0.0 } else { 1.0 });
        expected.sort_unstable();
        expected.sort_by_key(|at| small[*at as usize]);
        check.case(if sorted_order(&small, device)? == expected { 0.0 } else { 1.0 });
        check.case(if sorted_order(&floats, device)? == expected { 0.0 } else { 1.0 });
    }
    Ok(check)
}
